"""Which names of a vocabulary a requirement uses, so that a change of other names does not make it suspect."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from assent.documents.lock import digest
from assent.vocabulary import Vocabulary

_LETTERS = 4
"""Words are alike if they begin alike: opens, opened, opening."""


def names_used(names: Vocabulary | None, text: str, formula: str | None) -> str:
    """A hash of all that a vocabulary says about the names of a requirement; equal as long as none of it changes.

    It covers the time unit, each name in the formula (also one that the vocabulary no longer has), and each name
    whose phrase stands in the text with all of its words.
    """
    spoken = set(re.findall(r"[A-Za-z_]\w*", formula or ""))
    text_words = _words(text)
    about: list[object] = [sorted(spoken)]
    if names is not None:
        about.append(names.time_unit)
        for kind in ("propositions", "objects", "regions"):
            entries = getattr(names, kind)
            used = [e for e in entries if e.name in spoken or _words(e.phrase) <= text_words]
            about.append(sorted(used, key=lambda entry: entry.name))
    return digest(msgspec.json.encode(about).decode())


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word[:_LETTERS] for word in re.findall(r"\w+", text.lower()))
