"""Doubts that need no model, for whoever translated: numbers, vacuity, hidden characters, texts that speak to a model.

They are cautious in one direction only: a doubt withholds, and what they do not see is left to the scores.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from assent.errors import AssentError
from assent.lift.measures import conversions
from assent.logic.ast import (
    Always,
    Compare,
    Constant,
    Eventually,
    Formula,
    Interval,
    Release,
    Until,
    atoms,
    walk,
)
from assent.scoring.addressed import addressed, idle_sentence

_DIGITS = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)?(?![\d.]*(?:k\b|e[-+]?\d|[a-z]+\d)|\w*_)", re.IGNORECASE)
"""Not the first part of "2h30", "5e-3" or "2.5k": half a number is no number."""
_GROUPS = re.compile(r"(?<=\d)[\s'’_](?=\d{3}\b)")
_AND_A_HALF = re.compile(r"\b(\d+|[a-z]+) and (?:a|one) (half|quarter)\b", re.IGNORECASE)
_PERCENT = re.compile(r"%|\bper ?cent|\bcm\b|centi|hundredth|\bhalf\b|\bquarter", re.IGNORECASE)
_ONE_UNIT = re.compile(r"\b(second|minute|hour|day|week)\b", re.IGNORECASE)
_WORDS = {
    **{word: Fraction(value) for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )},
    **{"thirty": Fraction(30), "forty": Fraction(40), "fifty": Fraction(50), "sixty": Fraction(60)},
    **{"seventy": Fraction(70), "eighty": Fraction(80), "ninety": Fraction(90), "hundred": Fraction(100)},
    **{"thousand": Fraction(1000), "half": Fraction(1, 2), "quarter": Fraction(1, 4), "dozen": Fraction(12)},
    **{"once": Fraction(1), "twice": Fraction(2)},
}  # fmt: skip
_SCALES = tuple(Fraction(n) for n in (1, 60, 3600, 1000, 60_000, 3_600_000, 24, 86_400)) + tuple(
    Fraction(1, n) for n in (60, 3600, 1000, 60_000)
)
_HUNDREDTHS = (Fraction(100), Fraction(1, 100))
_CONFUSABLE = frozenset("асеорхуіјѕԁһкмтнвгАВСЕНІЈКМОРЅТХУαοντυικρηΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսցհԱՕՍ")
"""Letters of other scripts that look like Latin ones."""


def plain_doubts(text: str, formula: Formula) -> tuple[str, ...]:
    """Why a candidate must not be accepted for an instruction, whatever its scores."""
    return (*_characters(text), *_to_a_model(text, formula), *_numbers(text, formula), *_vacuous(formula))


def _characters(text: str) -> Iterator[str]:
    """Characters that hide or look like others: what a person sees is not what is read."""
    for column, char in enumerate(text, start=1):
        kind = unicodedata.category(char)
        if kind in ("Cf", "Cc", "Co", "Cs", "Cn") and char not in "\n\r\t":
            yield f"an invisible character (U+{ord(char):04X}) stands at column {column}"
            return
    for word in re.findall(r"\w+", text):
        scripts = {unicodedata.name(char, "?").split()[0] for char in word if char.isalpha()}
        if len(scripts) > 1 and scripts & {"CYRILLIC", "GREEK", "FULLWIDTH", "ARMENIAN", "CHEROKEE"}:
            yield f"the word {word!r} mixes letters of different scripts"
            return
        if not word.isascii() and all(_looks_latin(char) for char in word if char.isalpha()):
            yield f"the word {word!r} is written in letters of other scripts that look like Latin ones"
            return


def _looks_latin(char: str) -> bool:
    return char in _CONFUSABLE or unicodedata.name(char, "").startswith("FULLWIDTH LATIN")


def _to_a_model(text: str, formula: Formula) -> Iterator[str]:
    """Words to the reader, or a sentence apart from what the formula speaks of."""
    yield from addressed(text, formula)
    if idle := idle_sentence(text, formula):
        yield idle


def _numbers(text: str, formula: Formula) -> Iterator[str]:
    """A number of the formula that no number of the text, in any unit, and no sum of two of them gives."""
    used = sorted(set(_used(formula)) - {Fraction(0), Fraction(1)})
    if not used:
        return
    said = sorted(set(_said(text)))
    scaled: dict[Fraction, set[Fraction]] = {}
    scales = {*_SCALES, *conversions(text), *(_HUNDREDTHS if _PERCENT.search(text) else ())}
    for number in said:
        for scale in scales:
            scaled.setdefault(number * scale, set()).add(number)
    for value in used:
        if value not in scaled and not _sum_of_two(value, scaled):
            yield f"the formula has the number {float(value):g}, which the instruction does not give"
            return


def _sum_of_two(value: Fraction, scaled: Mapping[Fraction, set[Fraction]]) -> bool:
    """Whether two different numbers of the text, each in some unit, add up to the value (or differ by it)."""
    for one, sources in scaled.items():
        for other in (value - one, value + one):
            if other in scaled and len(scaled[other] | sources) > 1:
                return True
    return False


def _said(text: str) -> Iterator[Fraction]:
    """Numbers in digits and in words, each whole: "an hour" is one, "12 500" is not 12, "twenty-five" is not 20."""
    for whole, part in _AND_A_HALF.findall(text):  # "a minute and a half": one and a half minutes
        value = Fraction(whole) if whole.isdecimal() else _WORDS.get(whole.lower(), Fraction(1))
        yield value + _WORDS[part.lower()]
    rest = _GROUPS.sub("", _AND_A_HALF.sub(" ", text))
    for some in (rest, re.sub(r"(?<=\d),(?=\d{3}\b)", "", rest)):
        for match in _DIGITS.finditer(some):
            yield abs(Fraction(match.group().replace(",", ".")))
    if _ONE_UNIT.search(rest):
        yield Fraction(1)
    yield from _in_words(rest.lower())


def _in_words(text: str) -> Iterator[Fraction]:
    """Number words; two side by side are one number, and neither of them alone."""
    for run in re.findall(r"[a-z]+(?:[\s-]+[a-z]+)*", text):
        known = [_WORDS.get(word) for word in re.findall(r"[a-z]+", run)]
        for place, one in enumerate(known):
            before = known[place - 1] if place else None
            after = known[place + 1] if place + 1 < len(known) else None
            if one is not None and after is not None:
                yield from (one + after, one * after)
            elif one is not None and before is None:
                yield one


def _used(formula: Formula) -> Iterator[Fraction]:
    for node in walk(formula):
        if isinstance(node, Always | Eventually | Until | Release):
            yield from _bounds(node.within)
    for atom in atoms(formula):
        if isinstance(atom, Compare):
            yield from (abs(part.value) for part in (atom.left, atom.right) if isinstance(part, Constant))


def _bounds(within: Interval) -> Iterable[Fraction]:
    return [bound for bound in (within.low, within.high) if bound is not None]


def _vacuous(formula: Formula) -> Iterator[str]:
    """Always true or never true: nobody asks for that."""
    from assent.logic.equivalence.sanity import satisfiable, valid

    try:
        if satisfiable(formula).answer is False:
            yield "the formula is false on every trace"
        elif valid(formula).answer:
            yield "the formula is true on every trace"
    except AssentError:  # e.g. next beside decimal bounds: nothing is known
        return
