"""A sentence of controlled English as tokens, and what every reading step does with them."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final, NoReturn

from assent.errors import FormulaError, LimitError
from assent.logic.ast import Prop
from assent.logic.english.say import RESERVED, singular

MAX_DIGITS: Final = 40

_TOKEN = re.compile(
    r"""(?P<skip>[\s,:]+) | (?P<quoted>"(?:[^"\\]|\\.)*") | (?P<number>\d+(?:\.\d+)?(?!\w))
      | (?P<word>[^\W\d]\w*(?:\.\w+)*) | (?P<mark>[;.])""",
    re.VERBOSE | re.DOTALL,
)


@lru_cache(maxsize=512)
def _words(phrase: str) -> tuple[str, ...]:
    return tuple(phrase.split())


class EnglishTokens:
    """Where the reader stands; ``take`` steps over words if they are there."""

    def __init__(self, text: str, unit: str, described: dict[str, str]) -> None:
        self.text, self.described = text, described
        self.unit, self.one_unit = unit.split(), singular(unit).split()
        self.tokens: list[tuple[str, str, int]] = []
        self.position = at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise FormulaError("a character that English does not have here", text=text, column=at + 1)
            if found.lastgroup != "skip":
                self.tokens.append((str(found.lastgroup), found.group(), at + 1))
            at = found.end()
        if self.tokens and self.tokens[0][1].casefold() in RESERVED:
            self.tokens[0] = ("word", self.tokens[0][1].casefold(), self.tokens[0][2])
        self.tokens.append(("end", "", len(text) + 1))

    # ---- tokens ----------------------------------------------------------------------------------

    @property
    def column(self) -> int:
        return self.tokens[self.position][2]

    def fail(self, expected: str) -> NoReturn:
        kind, word, column = self.tokens[self.position]
        found = "the sentence ends too early" if kind == "end" else f"unexpected {word!r}"
        raise FormulaError(found, text=self.text, column=column, expected=expected)

    def peek(self, *words: str) -> bool:
        at = self.position
        # The first word decides nearly always.
        if self.tokens[at][1] != words[0] or at + len(words) > len(self.tokens):
            return False
        ahead = self.tokens[at : at + len(words)]
        return all(
            kind != "quoted" and token == word for (kind, token, _), word in zip(ahead, words, strict=True)
        )

    def take(self, phrase: str) -> bool:
        words = _words(phrase)
        if self.peek(*words):
            self.position += len(words)
            return True
        return False

    def number_after(self, phrase: str) -> bool:
        """Step over the words if a number follows them."""
        ahead = self.position + len(_words(phrase))
        return ahead < len(self.tokens) and self.tokens[ahead][0] == "number" and self.take(phrase)

    def expect(self, phrase: str) -> None:
        if not self.take(phrase):
            self.fail(f"'{phrase}'")

    def is_name(self) -> bool:
        kind, word, _ = self.tokens[self.position]
        return kind == "quoted" or (kind == "word" and word.casefold() not in RESERVED)

    def name(self) -> str:
        kind, word, _ = self.tokens[self.position]
        if not self.is_name():
            self.fail("a name")
        self.position += 1
        return re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL) if kind == "quoted" else word

    def prop(self) -> Prop:
        quoted = self.tokens[self.position][0] == "quoted"
        name = self.name()
        return Prop(self.described.get(name, name) if quoted else name)

    def number(self) -> Fraction:
        kind, word, column = self.tokens[self.position]
        if kind != "number":
            self.fail("a number")
        if len(word) > MAX_DIGITS:
            raise LimitError(f"a number of more than {MAX_DIGITS} digits", text=self.text, column=column)
        self.position += 1
        value = Fraction(word)
        if self.take("over"):
            divisor = self.number()
            if divisor == 0:
                self.fail("a divisor other than 0")
            value /= divisor
        return value

    def span(self) -> Fraction:
        value = self.number()
        self.units()
        return value

    def units(self) -> None:
        if not (self.take(" ".join(self.unit)) or self.take(" ".join(self.one_unit))):
            self.fail(f"'{' '.join(self.unit)}'")
