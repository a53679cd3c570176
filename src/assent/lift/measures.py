"""Units of signals: "72 km/h" for a speed in m/s is 20, and "3 volts" is no speed; figures that name no signal.

Every figure that is no time belongs to a signal: the one named beside it, or the one that is measured in its unit.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.clauses import segments
from assent.lift.entries import words_of
from assent.lift.figures import Word
from assent.lift.leftovers import Unread, is_amount
from assent.lift.opposites import AFFIRMS
from assent.lift.propose import has_content
from assent.lift.quantities import MEASURES, PLAIN_UNIT_WORDS
from assent.lift.stems import stem
from assent.vocabulary import Entry

_ALIASES = {
    **dict.fromkeys(("millimetre", "millimeter"), "mm"),
    **dict.fromkeys(("centimetre", "centimeter"), "cm"),
    **dict.fromkeys(("metre", "meter"), "m"),
    **dict.fromkeys(("kilometre", "kilometer"), "km"),
    **{"second": "s", "sec": "s", "hour": "h", "hr": "h", "minute": "min", "mph": "mile/h"},
    **{"kmh": "km/h", "kph": "km/h", "mps": "m/s", "knot": "kn", "kt": "kn"},
    **{"millivolt": "mv", "volt": "v", "kilovolt": "kv", "amp": "a", "ampere": "a", "milliampere": "ma"},
    **{"milliamp": "ma", "watt": "w", "kilowatt": "kw", "gram": "g", "kilogram": "kg", "kilo": "kg"},
    **{"newton": "n", "kilonewton": "kn", "tonne": "t", "ton": "t", "milligram": "mg"},
    **{"litre": "l", "liter": "l", "millilitre": "ml", "milliliter": "ml"},
    **{"pascal": "pa", "kilopascal": "kpa", "megapascal": "mpa", "hectopascal": "hpa", "millibar": "mbar"},
    **{"degree": "deg", "celsius": "deg", "\u00b0": "deg", "\u00b0c": "deg", "c": "deg", "percent": "%"},
    **{"centigrade": "deg", "degc": "deg", "degf": "fahrenheit", "\u00b0f": "fahrenheit"},
    **{"foot": "ft", "feet": "ft", "inches": "inch", "yard": "yd", "pound": "lb", "lbs": "lb", "ounce": "oz"},
    **{"kelvin": "k", "gallon": "gal", "horsepower": "hp", "lx": "lux", "decibel": "db"},
    **{"revolution": "rev", "rpm": "rev/min", "hertz": "hz", "kilohertz": "khz"},
}
_SIZES = {
    "length": {
        **{"mm": Fraction(1, 1000), "cm": Fraction(1, 100), "m": Fraction(1), "km": Fraction(1000)},
        **{"inch": Fraction("0.0254"), "ft": Fraction("0.3048"), "yd": Fraction("0.9144")},
    },
    "distance in miles": {"mile": Fraction(1609344, 1000)},
    "voltage": {"mv": Fraction(1, 1000), "v": Fraction(1), "kv": Fraction(1000)},
    "current": {"ma": Fraction(1, 1000), "a": Fraction(1)},
    "power": {"w": Fraction(1), "kw": Fraction(1000)},
    "mass": {
        **{"mg": Fraction(1, 1000), "g": Fraction(1), "kg": Fraction(1000), "t": Fraction(1_000_000)},
        **{"oz": Fraction("28.349523125"), "lb": Fraction("453.59237")},
    },
    "volume": {"ml": Fraction(1, 1000), "l": Fraction(1)},
    "pressure": {
        **{"pa": Fraction(1), "hpa": Fraction(100), "kpa": Fraction(1000), "mpa": Fraction(1_000_000)},
        **{"mbar": Fraction(100), "bar": Fraction(100_000), "psi": Fraction("6894.757293168")},
        **{"atm": Fraction(101_325), "torr": Fraction(101_325, 760)},
    },
    "frequency": {"hz": Fraction(1), "khz": Fraction(1000)},
    "turns": {"rev": Fraction(1)},
    "angle or temperature": {"deg": Fraction(1)},
    "temperature in fahrenheit": {"fahrenheit": Fraction(1)},
    "temperature in kelvin": {"k": Fraction(1)},
    "share": {"%": Fraction(1)},
    "parts": {"ppm": Fraction(1)},
    "loudness": {"db": Fraction(1)},
    "light": {"lux": Fraction(1)},
    "volume in gallons": {"gal": Fraction(1)},  # of several sizes
    "power of horses": {"hp": Fraction(1)},
}
_TIMES = {"ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60), "h": Fraction(3600)}
_KNOWN = {unit: (kind, size) for kind, units in _SIZES.items() for unit, size in units.items()}
_KNOWN["mile"] = ("length", _KNOWN["mile"][1])
_PER = frozenset("/ per a an each every".split())
_COMPARING = frozenset(
    """
    than above below under over exceed exceeds exceeding exceeded past beyond reaches reach reached between least most
    touches hits hit to at
    """.split()
)


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """A number of the instruction that is no time: where it stands, and its unit, if one we know was said."""

    at: int
    unit: str | None
    first: int  # where what compares it begins


def size_of(unit: str) -> tuple[str, Fraction] | None:
    """What kind of unit it is, and how large; None for one we do not know."""
    above, _, below = unit.partition("/")
    if not below:
        return _KNOWN.get(unit)
    if above not in _KNOWN or below not in _TIMES:
        return None
    kind, size = _KNOWN[above]
    return f"{kind} by time", size / _TIMES[below]


def plain_unit(unit: str | None) -> str:
    """The unit of an entry in the spelling of the tables."""
    joined = re.sub(r"(?i)\b(deg(?:ree)?s?)\s+(c|f)(?:elsius|ahrenheit)?\b", r"deg\2", (unit or "").strip())
    parts = re.split(r"\s*/\s*|\s+per\s+", joined)
    return _plain("/".join(_plain(part) for part in parts))


def _plain(word: str) -> str:
    word = word.lower().replace("\u00b0c", "\u00b0")
    return _ALIASES.get(word) or _ALIASES.get(word.removesuffix("s"), word)


def is_unit(word: str) -> bool:
    """Whether a word is a unit we know, or one that people measure in."""
    return (
        size_of(_plain(word)) is not None or word in MEASURES or word in ("seconds", "km", "db", "ppm", "lux")
    )


def unit_after(words: Sequence[Word], k: int) -> str | None:
    """The unit said right after a figure, if it is one we know; the second figure of a range says it for both."""
    said = [_plain(w.text) for w in words[k + 1 : k + 5]]
    if said[:1] in (["to"], ["and"], ["-"], ["or"]) and k + 2 < len(words) and words[k + 2].value is not None:
        return unit_after(words, k + 2)
    if said[:2] == ["deg", "fahrenheit"] or said[:2] == ["deg", "f"]:
        return "fahrenheit"
    if said[:2] == ["deg", "deg"]:
        said = said[1:]
    if len(said) > 2 and said[1] in _PER and size_of(f"{said[0]}/{said[2]}"):
        return f"{said[0]}/{said[2]}"
    if said and size_of(said[0]) and (len(said[0]) > 1 or words[k + 1].text != "a"):
        return said[0]
    return None


def figures(words: Sequence[Word]) -> list[MeasuredFigure]:
    """Numbers that are measured or compared, and are no times, steps or turns."""
    out = []
    for k, word in enumerate(words):
        if word.value is None or _is_time(words, k):
            continue
        unit = unit_after(words, k)
        first = k
        while first > 0 and words[first - 1].text in (
            *_COMPARING,
            "and",
            "or",
            "more",
            "less",
            "no",
            "not",
            "from",
        ):
            first -= 1
            if words[first].value is not None:
                break
        if first < k and words[first].text in ("and", "or", "to", "at"):
            first += 1
        compared = any(words[j].text in _COMPARING - {"to", "at"} for j in range(first, k))
        compared = compared or [w.text for w in words[k + 1 : k + 2]] == ["or"]
        if unit is not None or compared:
            out.append(MeasuredFigure(k, unit, first))
    return out


def _is_time(words: Sequence[Word], k: int) -> bool:
    """Whether a number is followed by a time unit, perhaps behind the other end of its range."""
    for j in range(k + 1, min(k + 5, len(words))):
        text = words[j].text
        if text == "seconds" or text in PLAIN_UNIT_WORDS or text in ("times", "more", "further"):
            return True
        if text not in ("to", "and", "or", "-") and words[j].value is None:
            return False
    return False


def fits(unit: str | None, entry: Entry) -> bool:
    """Whether a figure in this unit can be a value of the signal."""
    if unit is None:
        return True
    own = plain_unit(entry.unit)
    if own == unit:
        return True
    ours, theirs = size_of(own), size_of(unit)
    return ours is None or theirs is None or ours[0] == theirs[0]


def strange_units(
    words: Sequence[Word], taken: Container[int], entries: Sequence[Entry], usual: Container[str], text: str
) -> list[Unread]:
    """Figures in a unit that nobody knows ("3 foo") or that no signal of the vocabulary is measured in.

    ``taken``: the words that stand for a name, which a figure may number; ``usual``: words met in many domains.
    """
    signals = [entry for entry in entries if entry.type == "number"]
    own = {stem(w) for e in entries for w in words_of(f"{e.name} {e.phrase} {e.unit or ''}")}
    own |= {plain_unit(entry.unit) for entry in signals}
    out = []
    for i, word in enumerate(words[:-1]):
        said = words[i + 1]
        if word.value is None or (i and i - 1 in taken) or i + 1 in taken or _is_time(words, i):
            continue
        unit = unit_after(words, i)
        if unit is not None and (_kind(unit) == "length" or any(_measures(entry, unit) for entry in signals)):
            continue
        known = said.text in usual or stem(said.text) in own or _plain(said.text) in own
        if unit is None and (known or not has_content(said.text) or _is_usual(said.text)):
            continue
        why = "a unit that nobody knows" if unit is None else "no signal is measured in this unit"
        out.append(Unread(word.start, said.end, text[word.start : said.end], why))
    return out


def _measures(entry: Entry, unit: str) -> bool:
    """Whether a signal is measured in a unit of this kind, or nobody says in which."""
    own = plain_unit(entry.unit)
    return not own or own.split("/")[0] == unit or (_kind(own) == _kind(unit) != "")


def _kind(unit: str) -> str:
    size = size_of(unit)
    return size[0] if size is not None else ""


def _is_usual(text: str) -> bool:
    return is_unit(text) or text in AFFIRMS or text.endswith("ly") or is_amount(text)


def in_units_of(words: Sequence[Word], signals: Sequence[tuple[int, Entry]]) -> list[Word]:
    """The words with every figure in the unit of the signal it is compared with (word index, entry)."""
    out = list(words)
    for segment in segments(words):
        there = [(i, entry) for i, entry in signals if i in segment and entry.unit]
        for k in segment:
            value = words[k].value
            said = unit_after(words, k) if value is not None and there else None
            if value is None or said is None or _is_time(words, k):
                continue
            suited = [item for item in there if fits(said, item[1])] or there
            _, entry = min(suited, key=lambda item: abs(item[0] - k))
            out[k] = replace(words[k], value=value * _factor(said, entry))
    return out


_FIGURE_WITH_UNIT = re.compile(r"\d\s*(\u00b0?[^\W\d_]+|%)(?:\s*(?:/|per)\s*([^\W\d_]+))?")


def conversions(text: str) -> frozenset[Fraction]:
    """By what a figure of the text may have been multiplied to bring it to another unit of its kind."""
    found: set[Fraction] = set()
    for first, second in _FIGURE_WITH_UNIT.findall(text):
        for unit in (_plain(first), f"{_plain(first)}/{_plain(second)}"):
            size = size_of(unit)
            if size is not None:
                found |= {size[1] / other for other in _sizes_like(unit)}
    return frozenset(found)


def _sizes_like(unit: str) -> list[Fraction]:
    """The sizes of all units of a kind: for "km/h" those of every length by every time."""
    above, _, below = unit.partition("/")
    kind = _KNOWN[above][0]
    sizes = [size for other, size in _KNOWN.values() if other == kind]
    return [size / time for size in sizes for time in _TIMES.values()] if below else sizes


def in_metres(words: Sequence[Word]) -> list[Word]:
    """The words of a scene, whose distances are in metres: "15 cm" is 0.15 m."""
    out = list(words)
    for k, word in enumerate(words):
        unit = unit_after(words, k) if word.value is not None and not _is_time(words, k) else None
        size = size_of(unit) if unit is not None else None
        if word.value is None or size is None or size[0] != "length":
            continue
        out[k] = replace(word, value=word.value * size[1])
        if k + 1 < len(words) and _plain(words[k + 1].text) == unit:
            out[k + 1] = replace(words[k + 1], text="m")
    return out


def _factor(said: str, entry: Entry) -> Fraction:
    own, theirs = size_of(plain_unit(entry.unit)), size_of(said)
    if own is None or plain_unit(entry.unit) == said:
        return Fraction(1)
    if theirs is None or theirs[0] != own[0]:
        raise FragmentError(
            f"{entry.name} is measured in {entry.unit}, and the instruction says {said}: say it in {entry.unit}"
        )
    return theirs[1] / own[1]
