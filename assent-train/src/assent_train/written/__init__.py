"""The written corpus: sentences that people wrote, each with its parts marked and its formula."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

import msgspec

from assent.vocabulary import Vocabulary
from assent_train.written.marks import MarkedRow, PhraseMark, row_of

__all__ = ["MarkedRow", "PhraseMark", "rows", "vocabularies"]


@cache
def vocabularies() -> dict[str, Vocabulary]:
    """The names of each domain."""
    content = resources.files("assent_train.written").joinpath("data/vocabulary.json").read_bytes()
    return msgspec.json.decode(_with_entries(content), type=dict[str, Vocabulary])


def _with_entries(content: bytes) -> bytes:
    """Plain names as entries."""
    sections = json.loads(content)
    for section in sections.values():
        for key in ("propositions", "objects", "regions"):
            if key in section:
                section[key] = [{"name": item} if isinstance(item, str) else item for item in section[key]]
    return json.dumps(sections).encode()


@cache
def rows() -> tuple[MarkedRow, ...]:
    """Every row, doubts included; DataError where one is broken."""
    sections = vocabularies()
    content = resources.files("assent_train.written").joinpath("data/rows.jsonl").read_text(encoding="utf-8")
    found = []
    for line in content.splitlines():
        fields = json.loads(line)
        domain = str(fields["domain"])
        found.append(row_of(fields, domain=domain, names=sections[domain].names))
    return tuple(found)
