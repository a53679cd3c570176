"""Marked words become tokens: placeholders counted by first mention, quotation marks removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.cover import plain
from assent.lift.figures import Word
from assent.lift.lifted import Lifted, LiftedSpan
from assent.lift.linear import MAX_PLACEHOLDERS
from assent.logic.ast import Logic

_AFTER_POSSESSIVE = frozenset(["left", "right", "top", "side", "bottom"])


@dataclass
class Marks:
    """Word index -> tokens in its place (``P@name`` for a name, empty: dropped), and tokens put before a word.

    ``denials``: word index -> the word that says the "not" put there.
    """

    tokens: dict[int, tuple[str, ...]] = field(default_factory=dict)
    before: dict[int, tuple[str, ...]] = field(default_factory=dict)
    denials: dict[int, int] = field(default_factory=dict)

    def drop(self, i: int) -> None:
        """Leave a word out, unless it stands for something."""
        self.tokens.setdefault(i, ())


class _Numbering:
    """Placeholders handed out by first mention."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = []
        self.places: list[tuple[int, int]] = []
        self.seen: dict[str, str] = {}
        self.numbers: dict[Fraction, str] = {}
        self.spans: list[LiftedSpan] = []

    def put(self, token: str, word: Word) -> None:
        if token in _QUOTES:
            return
        if token[1:2] == "@":
            kind, name = token[0], token[2:]
            if token not in self.seen:
                self.seen[token] = f"{kind}{1 + sum(key[0] == kind for key in self.seen)}"
            self.spans.append(LiftedSpan(word.start, word.end, self.text[word.start : word.end], name))
            token = self.seen[token]
        self.tokens.append(token)
        self.places.append((word.start, word.end))

    def number(self, value: Fraction, word: Word) -> None:
        if value == 0:
            self.put("0", word)  # zero is a word of the target language, too
            return
        self.numbers.setdefault(value, f"N{len(self.numbers) + 1}")
        self.put(self.numbers[value], word)


def assemble(
    text: str, logic: Logic, words: Sequence[Word], marks: Marks, unit: str | None, *, proposed: bool
) -> Lifted:
    """The instruction over placeholders; FragmentError where it has more than there are."""
    out = _Numbering(text)
    for i, word in enumerate(words):
        for token in marks.before.get(i, ()):
            out.put(token, word)
        if i in marks.tokens:
            for token in marks.tokens[i]:
                out.put(token, words[marks.denials.get(i, i)] if token == "not" else word)
        elif word.value is not None:
            out.number(word.value, word)
        else:
            out.put(_plain(words, i), word)
    if max(len(out.seen), len(out.numbers)) > MAX_PLACEHOLDERS:
        raise FragmentError(f"more than {MAX_PLACEHOLDERS} names or numbers in one instruction")
    kept = plain(out.tokens)
    return Lifted(
        text,
        logic,
        _compared([token for _, token in kept]),
        {placeholder: token[2:] for token, placeholder in out.seen.items()},
        {placeholder: value for value, placeholder in out.numbers.items()},
        tuple(out.spans),
        unit,
        proposed,
        places=tuple(out.places[i] for i, _ in kept),
    )


_LESS = frozenset(
    "quieter dimmer darker drier dryer shallower emptier thinner flatter chillier milder calmer".split()
)
_MORE = frozenset("louder brighter wetter damper deeper fuller thicker steeper rougher".split())


def _compared(tokens: Sequence[str]) -> tuple[str, ...]:
    """ "Quieter than 60 dB" is less than that; a comparative that says which way round becomes "less" or "more"."""
    out = list(tokens)
    for k, (said, than, figure) in enumerate(zip(out, out[1:], out[2:], strict=False)):
        if than == "than" and (figure == "0" or figure[:1] == "N"):
            out[k] = "less" if said in _LESS else "more" if said in _MORE else said
    return tuple(out)


def _plain(words: Sequence[Word], i: int) -> str:
    if words[i].text == "'s":
        following = words[i + 1].text if i + 1 < len(words) else ""
        return "'s" if following in _AFTER_POSSESSIVE else "is"
    return words[i].text


_QUOTES = frozenset(('"', "`", "'", ""))


def tidy(tokens: Sequence[str]) -> tuple[str, ...]:
    """Without quotation marks, which say nothing, and without what is left of a clause around its placeholder.

    Brackets around a name stay: they mark lifted sentences, in which "if ( P1 ) then ( P2 )" speaks of now, whereas
    "if the door is open, the light is on" is a rule for all times.
    """
    said = [token for token in tokens if token not in _QUOTES]
    return tuple(token for _, token in plain(said))
