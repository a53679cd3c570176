"""The words that the embedded models know, and what happens to the others.

Source words are whole words: the vocabulary comes from the corpus, which is ours. A word outside it is tried without
its ending, then read by its vector, as the models have read words in training; one without a vector becomes ``<unk>``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from assent.lift.linear import MAX_PLACEHOLDERS, TARGET_TOKENS

UNKNOWN, START, END = "<unk>", "<s>", "</s>"
SPECIAL = (UNKNOWN, START, END)
TAGS = {"ltl": "<ltl>", "stl": "<stl>", "spatial": "<spatial>"}
PLACEHOLDER = re.compile(r"[PON][1-9][0-9]?")
SIGNAL = re.compile(r"S[1-9][0-9]?")
"""What the models read for a placeholder that stands for a measured number, in place of its P."""
SIGNALS = tuple(f"S{number}" for number in range(1, MAX_PLACEHOLDERS + 1))
PLACEHOLDERS = tuple(f"{kind}{number}" for kind in "PON" for number in range(1, MAX_PLACEHOLDERS + 1))
TARGETS = (*SPECIAL, *TARGET_TOKENS)

_WORD = re.compile(r"[a-z][a-z']+")

# (ending, what stands in its place), longest first: the first that gives a known word is taken.
_ENDINGS = (
    *(
        ("ations", "ate"),
        ("ation", "ate"),
        ("ings", "e"),
        ("ings", ""),
        ("ing", "e"),
        ("ing", ""),
        ("ies", "y"),
    ),
    *(("ied", "y"), ("'s", ""), ("s'", "s"), ("ers", "er"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
    *(("ly", ""), ("er", "e"), ("er", ""), ("est", ""), ("s", ""), ("n't", "")),
)


def is_word(token: str) -> bool:
    """Whether it is a word of English, which has a meaning, and no sign, tag or placeholder."""
    return _WORD.fullmatch(token) is not None


def untyped(token: str) -> str:
    """The placeholder that a formula uses for what the models read."""
    return f"P{token[1:]}" if SIGNAL.fullmatch(token) else token


class TokenVocabulary:
    """An ordered list of tokens with their ids."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: str) -> bool:
        return token in self.ids

    def known(self, token: str) -> str:
        """The token itself, a form of it that is known, or ``<unk>``."""
        if token in self.ids:
            return token
        if SIGNAL.fullmatch(token):  # weights from before signals had a sign of their own
            return f"P{token[1:]}"
        for ending, other in _ENDINGS:
            if token.endswith(ending) and len(token) - len(ending) >= 3:
                stem = token.removesuffix(ending)
                for form in (stem + other, stem + other + "s", stem + other + "ed", stem + other + "ing"):
                    if form in self.ids:
                        return form
                if not other and stem[-1] == stem[-2] and stem[:-1] in self.ids:  # "stopped" -> "stop"
                    return stem[:-1]
        return UNKNOWN

    def encode(self, tokens: Iterable[str]) -> list[int]:
        return [self.ids[self.known(token)] for token in tokens]

    def grown(self, tokens: Iterable[str]) -> TokenVocabulary:
        """The same ids, and the new tokens after them."""
        return TokenVocabulary(
            (*self.tokens, *(token for token in dict.fromkeys(tokens) if token not in self.ids))
        )


def read_vocabulary(path: Path) -> TokenVocabulary:
    """A vocabulary as CTranslate2 stores it: a JSON list."""
    return TokenVocabulary(json.loads(path.read_text(encoding="utf-8")))
