"""Text into tokens, each with the place where it starts; and numbers and intervals exactly."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, NoReturn

from assent.errors import FormulaError, FragmentError, LimitError
from assent.logic.ast import EVER, Interval, Logic
from assent.logic.dialect import (
    GLUED,
    INFINITY,
    MAX_DEPTH,
    MAX_DIGITS,
    PLAIN_NAME,
    SPELLINGS,
    STACKED,
    UNITS,
    Kind,
    check_interval,
)


class Token(NamedTuple):
    """``value`` is the operator's name, or the text itself for names, numbers and intervals."""

    kind: Kind
    value: str
    at: int


class Source(NamedTuple):
    """The text as given and the logic it is read in."""

    text: str
    logic: Logic

    def fail(self, message: str, at: int, expected: str | None = None) -> NoReturn:
        raise FormulaError(message, text=self.text, column=at + 1, expected=expected)

    def beyond(self, message: str, at: int) -> NoReturn:
        raise LimitError(message, text=self.text, column=at + 1)


_SYMBOL = "|".join(
    re.escape(spelling)
    for spelling in sorted(SPELLINGS, key=len, reverse=True)
    if not spelling[0].isalpha() and not (spelling[0] == "\\" and spelling[1:].isalpha())
)
_TOKEN = re.compile(
    rf"\s*(?:(?P<word>{PLAIN_NAME.pattern})"
    rf"|(?P<symbol>[(),]|&&?|!=?|\|\|?|->|{_SYMBOL})"
    r"|(?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?:/[0-9]+)?)"
    r"|(?P<interval>(?P<brace>\{\s?)?\[[^\[\]()]*[\])](?(brace)\s?\}))"
    r'|(?P<quoted>"[^"]*")'
    r"|\\(?:math(?:bf|sf|rm|cal|it|tt|bb|bin|op|rel)|text(?:bf|it|rm|tt|sf)?|operatorname)\s?"
    r"\{(?P<styled>(?:[^{}\\]|\\_)*)\}"
    r"|(?P<space>\\[,;:! ]|\\(?:left|right|quad|qquad|big|bigl|bigr|Big|Bigl|Bigr)(?![A-Za-z]))"
    r"|(?P<command>\\[A-Za-z]+))"
)


def tokens(source: Source, start: int, end: int) -> list[Token]:
    """The tokens between two places, closed by an ``end`` token."""
    text, match, known = source.text, _TOKEN.match, SPELLINGS.get
    out: list[Token] = []
    then = start
    while found := match(text, then, end):
        group, then = found.lastgroup or "", found.end()
        piece = found[group]
        at = then - len(piece)
        if group in ("word", "symbol"):
            meaning = known(piece)
            if meaning is not None:
                out.append(Token(*meaning, at))
            else:
                _word(source, piece, at, out)
        elif group == "number":
            out.append(Token("number", piece, at))
        elif group == "interval":
            _square(source, piece, at, out)
        elif group == "quoted":
            out.append(Token("name", _quoted(source, piece[1:-1], at), at))
        elif group == "styled":
            _styled(source, piece, at, out)
        elif group == "command":
            meaning = known(piece)
            if meaning is None:
                source.fail(f"unknown LaTeX command {piece[:40]}", at)
            out.append(Token(*meaning, at))
    if text[then:end].strip():
        _unknown(source, then + len(text[then:end]) - len(text[then:end].lstrip()))
    out.append(Token("end", "", end))
    return out


def _word(source: Source, word: str, at: int, out: list[Token]) -> None:
    """A word that is not an operator as it stands."""
    if word[-1] == "_" and source.text[at + len(word) : at + len(word) + 1] in ("[", "{"):
        # Breach and LaTeX put an underscore before the interval: alw_[0,5], G_{[0,5]}
        if word in ("_", "__"):
            return
        if word[:-1] in SPELLINGS:
            out.append(Token(*SPELLINGS[word[:-1]], at))
            return
    if word[0] not in "GFX":
        out.append(Token("name", word, at))
    elif STACKED.fullmatch(word):
        out.extend(Token(*SPELLINGS[letter], at + i) for i, letter in enumerate(word))
    elif GLUED.fullmatch(word):
        source.fail(
            f"{word!r} may be one name or operators before a name", at, "spaces, or quotes around a name"
        )
    else:
        out.append(Token("name", word, at))


def _square(source: Source, piece: str, at: int, out: list[Token]) -> None:
    """An interval, or ``[]`` for globally."""
    inside = piece.strip("{} \t\n")
    if inside[1:-1].strip():
        out.append(Token("interval", inside, at))
    elif source.text[at - 1 : at].isalpha() and out:
        source.fail("an interval without ends", at, "[0,5], or a space before [] for globally")
    else:
        out.append(Token("unary", "always", at))


def _styled(source: Source, content: str, at: int, out: list[Token]) -> None:
    r"""What stands in braces after \mathbf, \text and the like: an operator or a name."""
    content = content.replace("\\_", "_").strip()
    if content[:1] == '"':
        out.append(Token("name", _quoted(source, content.strip('"'), at), at))
    elif not PLAIN_NAME.fullmatch(content):
        source.fail(f"cannot read {content[:40]!r}", at, "a name or an operator")
    elif content in SPELLINGS:
        out.append(Token(*SPELLINGS[content], at))
    else:
        _word(source, content, at, out)


def _quoted(source: Source, name: str, at: int) -> str:
    if not PLAIN_NAME.fullmatch(name):
        source.fail(
            "quotes go around one name", at, "a letter or underscore, then letters, digits, underscores"
        )
    return name


def _unknown(source: Source, at: int) -> NoReturn:
    char = source.text[at]
    shown = repr(char) if char.isprintable() else f"the character U+{ord(char):04X}"
    if char == "^":
        source.fail("'^' is read as 'and' by some tools and as 'xor' by others", at, "& or !(a <-> b)")
    if char == "/":
        source.fail(
            "neither division nor units such as m/s are read", at, "a plain number, or 1/3 without spaces"
        )
    if char in "[]":
        source.fail(f"{shown} does not belong to an interval such as [0,5]", at)
    source.fail(f"cannot read {shown}", at, "a name, a number, an operator or a bracket")


# ---- numbers and intervals -------------------------------------------------------------------------


class _Bad(ValueError):
    """What is wrong with a number or an interval; ``limit`` when it is only too large."""

    def __init__(self, message: str, *, limit: bool = False) -> None:
        super().__init__(message)
        self.limit = limit


_NUMBER = re.compile(r"([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?(?:/([0-9]+))?")


def number(source: Source, token: Token) -> Fraction:
    """The exact value of a number token."""
    try:
        return _number(token.value)
    except _Bad as bad:
        raise (LimitError if bad.limit else FormulaError)(
            str(bad), text=source.text, column=token.at + 1
        ) from None


@lru_cache(maxsize=4096)
def _number(text: str) -> Fraction:
    found = _NUMBER.fullmatch(text)
    if found is None or not (found[1] or found[2]):
        raise _Bad(f"{text[:40]!r} is not a number")
    whole, decimals, exponent, below = found[1], found[2], found[3] or "0", found[4] or "1"
    too_long = len(exponent) > 4 or len(below) > MAX_DIGITS
    if too_long or len(whole) + len(decimals) + abs(int(exponent)) > MAX_DIGITS:
        raise _Bad(f"a number may have {MAX_DIGITS} digits at most", limit=True)
    if not int(below):
        raise _Bad("a number cannot be divided by 0")
    return Fraction(int((whole + decimals) or "0"), int(below)) * Fraction(10) ** (
        int(exponent) - len(decimals)
    )


def interval(source: Source, token: Token) -> Interval:
    """The interval that an interval token spells."""
    try:
        found = _interval(token.value)
        if found is not EVER:
            check_interval(found, source.logic)
    except _Bad as bad:
        raise (LimitError if bad.limit else FormulaError)(
            str(bad), text=source.text, column=token.at + 1
        ) from None
    except FragmentError as error:
        limit = source.logic is not Logic.LTL
        raise (LimitError if limit else FormulaError)(
            str(error), text=source.text, column=token.at + 1
        ) from None
    return found


def steps(source: Source, token: Token) -> int:
    """How many steps ``X[3]`` means."""
    digits = token.value[1:-1].strip()
    if not (digits.isascii() and digits.isdigit()):
        source.fail("next takes no interval", token.at, "a number of steps such as X[3]")
    if len(digits) > 4 or int(digits) > MAX_DEPTH:
        source.beyond(f"at most {MAX_DEPTH} steps", token.at)
    return int(digits)


_UNIT_AFTER = re.compile(r"[0-9.]+\s*([A-Za-z%°]+)")


@lru_cache(maxsize=4096)
def _interval(text: str) -> Interval:
    inside, close = text[1:-1], text[-1]
    low, comma, high = inside.partition("," if "," in inside else ":")
    if not comma:
        raise _Bad("an interval has two ends, as in [0,5] or [5,inf]")
    low, high = low.strip(), high.strip()
    if low.startswith("-"):
        raise _Bad("an interval cannot start before 0")
    endless = high.lower() in INFINITY or (not high and comma == ":")
    if close == ")" and not endless:
        raise _Bad("intervals are closed: write ']', or 'inf' for no end")
    for end in (low, high):
        unit = _UNIT_AFTER.fullmatch(end)
        if unit:
            raise _Bad(
                f"units such as {unit[1]!r} are not read: give the bounds as plain numbers of time units"
            )
    first = Fraction(0) if not low and comma == ":" else _number(low)
    last = None if endless else _number(high)
    if last is not None and last < first:
        raise _Bad(f"an interval cannot end ({high}) before it starts ({low or 0})")
    return EVER if first == 0 and last is None else Interval(first, last)


def unit_after(source: Source, value: Token, following: Token) -> None:
    """Refuse a name right after a number unless it is a product such as ``2x``."""
    glued = following.at == value.at + len(value.value)
    if not glued or following.value.lower() in UNITS:
        source.fail(
            f"units such as {following.value!r} are not read",
            following.at,
            "a plain number in the signal's own unit",
        )
