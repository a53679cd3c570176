"""Units of signals: "72 km/h" for a speed in m/s is 20, and "3 volts" is no speed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.clauses import segments
from assent.lift.figures import Word
from assent.vocabulary import Entry

_ALIASES = {
    **dict.fromkeys(("millimetre", "millimeter"), "mm"),
    **dict.fromkeys(("centimetre", "centimeter"), "cm"),
    **dict.fromkeys(("metre", "meter"), "m"),
    **dict.fromkeys(("kilometre", "kilometer"), "km"),
    **{"second": "s", "sec": "s", "hour": "h", "hr": "h", "minute": "min", "mph": "mile/h"},
    **{"millivolt": "mv", "volt": "v", "kilovolt": "kv", "amp": "a", "ampere": "a", "milliampere": "ma"},
    **{"watt": "w", "kilowatt": "kw", "gram": "g", "kilogram": "kg", "kilo": "kg", "newton": "n"},
    **{
        "litre": "l",
        "liter": "l",
        "millilitre": "ml",
        "milliliter": "ml",
        "pascal": "pa",
        "kilopascal": "kpa",
    },
    **{"degree": "deg", "celsius": "deg", "\u00b0": "deg", "\u00b0c": "deg", "percent": "%"},
}
_SIZES = {
    "length": {"mm": Fraction(1, 1000), "cm": Fraction(1, 100), "m": Fraction(1), "km": Fraction(1000)},
    "speed": {
        "m/s": Fraction(1),
        "km/h": Fraction(5, 18),
        "cm/s": Fraction(1, 100),
        "mile/h": Fraction(1397, 3125),
    },
    "voltage": {"mv": Fraction(1, 1000), "v": Fraction(1), "kv": Fraction(1000)},
    "current": {"ma": Fraction(1, 1000), "a": Fraction(1)},
    "power": {"w": Fraction(1), "kw": Fraction(1000)},
    "mass": {"g": Fraction(1), "kg": Fraction(1000)},
    "volume": {"ml": Fraction(1, 1000), "l": Fraction(1)},
    "pressure": {"pa": Fraction(1), "kpa": Fraction(1000), "bar": Fraction(100_000)},
    "angle or temperature": {"deg": Fraction(1)},
    "temperature in fahrenheit": {"fahrenheit": Fraction(1)},
    "angular speed": {"deg/s": Fraction(1)},
    "share": {"%": Fraction(1)},
}
_KNOWN = {unit: (kind, size) for kind, units in _SIZES.items() for unit, size in units.items()}


def in_units_of(words: Sequence[Word], signals: Sequence[tuple[int, Entry]]) -> list[Word]:
    """The words with every figure in the unit of the signal it is compared with (word index, entry)."""
    out = list(words)
    for segment in segments(words):
        there = [(i, entry) for i, entry in signals if i in segment and entry.unit]
        for k in segment:
            value = words[k].value
            said = _unit_after(words, k) if value is not None and there else None
            if value is None or said is None:
                continue
            _, entry = min(there, key=lambda item: abs(item[0] - k))
            out[k] = replace(words[k], value=value * _factor(said, entry))
    return out


def _plain(word: str) -> str:
    word = word.lower()
    return _ALIASES.get(word) or _ALIASES.get(word.removesuffix("s"), word)


def _unit_after(words: Sequence[Word], k: int) -> str | None:
    """The unit said right after a figure, if it is one we know."""
    said = [_plain(w.text) for w in words[k + 1 : k + 4]]
    if said[:2] == ["deg", "fahrenheit"]:
        return "fahrenheit"
    if len(said) > 2 and said[1] in ("/", "per"):
        return f"{said[0]}/{said[2]}"
    return said[0] if said and said[0] in _KNOWN and (len(said[0]) > 1 or words[k + 1].text != "a") else None


def _factor(said: str, entry: Entry) -> Fraction:
    own = "/".join(_plain(part) for part in re.split(r"\s*/\s*|\s+per\s+", (entry.unit or "").strip()))
    if own == said or own not in _KNOWN:
        return Fraction(1)
    kind, size = _KNOWN[own]
    if said not in _KNOWN or _KNOWN[said][0] != kind:
        raise FragmentError(
            f"{entry.name} is measured in {entry.unit}, and the instruction says {said}: say it in {entry.unit}"
        )
    return _KNOWN[said][1] / size
