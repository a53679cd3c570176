"""Units as engineers write them: "m³/h", "cubic metres per hour", "dB(A)", "N/mm2", with their kinds and sizes.

A unit has one spelling, that of the tables ("m3/h"). Case counts where it is written with care ("MW" is no "mW"); what
may be two sizes of one kind ("mw") is no unit that could be converted. A unit that the tables do not have is still
read where the figure says it just as its signal does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assent.lift.figures import Word
from assent.lift.quantities import (
    FOLDED,
    KNOWN,
    LENGTHS,
    MEASURES,
    MORE_OR_LESS,
    NAMES,
    PRESSURES,
    SCALED_NAMES,
    SPELT,
    SPOKEN_TIMES,
    USUALLY,
    part_size,
    size_of,
)

_POWERS = {"cubic": "3", "cu": "3", "square": "2", "sq": "2"}
_AFTER_POWERS = {"cubed": "3", "squared": "2"}
_PRODUCTS = {
    **{("N", "m"): "Nm", ("kN", "m"): "kNm", ("mN", "m"): "mNm", ("N", "cm"): "Ncm", ("A", "h"): "Ah"},
    **{("mA", "h"): "mAh", ("W", "h"): "Wh", ("kW", "h"): "kWh", ("MW", "h"): "MWh", ("GW", "h"): "GWh"},
    **{("Pa", "s"): "Pa\u00b7s", ("mPa", "s"): "mPa\u00b7s", ("V", "A"): "VA", ("kV", "A"): "kVA"},
}
_TIMES_SIGNS = frozenset("\u00b7 \u22c5 * - \u2219".split())
_SHARES: dict[tuple[str, ...], str] = {
    **{("rh",): "%RH", ("relative", "humidity"): "%RH", ("rel", "humidity"): "%RH", ("r", "h"): "%RH"},
    **{("rel", "hum"): "%RH", ("lel",): "%LEL", ("uel",): "%UEL", ("vol",): "%vol", ("by", "volume"): "%vol"},
    **{("by", "mass"): "%mas", ("by", "weight"): "%mas"},
}
_DEGREES = {
    **dict.fromkeys(("c", "celsius", "centigrade"), "deg"),
    **dict.fromkeys(("f", "fahrenheit"), "fahrenheit"),
    **{"dh": "\u00b0dH", "bx": "\u00b0Bx", "brix": "\u00b0Bx"},
}
_QUALIFIED = {
    **{("dB", "a"): "dB(A)", ("dB", "c"): "dB(C)"},
    **{(unit, said): f"{unit}(g)" for unit in PRESSURES for said in ("g", "gauge")},
    **{(unit, said): f"{unit}(a)" for unit in PRESSURES for said in ("a", "abs", "absolute")},
}
_PER = frozenset("/ per a an each every".split())
_PLAIN_WORDS = MEASURES | frozenset(
    """
    % \u00b0 v kv mv w kw ma kg g mg t km m cm mm l ml pa hpa kpa mpa mbar hz khz n kn db c k f ph nm cn ntu / per a an
    each every h min s ms hour minute second hours minutes seconds deg rev kmh kph mph \u03bcm kt psi ft inch inches
    feet foot
    """.split()
)
STAND_IN = "bar"
"""What models read for a unit whose words they do not know: to them one unit is as good as another."""


@dataclass(frozen=True, slots=True)
class SaidUnit:
    """A unit of the text, and the index of the word behind it."""

    unit: str
    end: int


def is_spoken_unit(words: Sequence[Word], i: int) -> bool:
    """Whether a number in words before this word is measured in it: "five kilonewtons", "two cubic metres"."""
    text = _text(words, i)
    if text in _POWERS:
        return _simple(words, i + 1) in LENGTHS
    return text in MEASURES or text.removesuffix("s") in SCALED_NAMES


def is_unit_word(word: str) -> bool:
    """Whether a word in lower case is a unit of the tables, or may be."""
    return word != "a" and (word in FOLDED or _named(word) is not None)


def _named(text: str) -> str | None:
    return NAMES.get(text) or (NAMES.get(text.removesuffix("s")) if text.endswith("s") else None)


def is_loud(words: Sequence[Word]) -> bool:
    """Whether a text is in capitals throughout, so that case says nothing."""
    return not any(word.written != word.written.upper() for word in words)


def unit_at(words: Sequence[Word], i: int, own: Collection[str] = ()) -> SaidUnit | None:
    """The unit that begins at a word. ``own``: words that the vocabulary measures in ("picks" of "picks/min").

    "kg/foo" is a unit that nobody knows, not kilograms; a unit whose case leaves open which one it is begins with "?".
    """
    above = _atom(words, i) or _own_atom(words, i, own)
    if above is None:
        return None
    unit, end = above.unit, above.end
    for _ in range(2):
        if not _goes_on(words, end):
            break
        below = _time(words, end + 1) or (
            _atom(words, end + 1) if _text(words, end) in ("/", "per") else None
        )
        if below is None and _text(words, end) == "/" and _text(words, end + 1):
            below = SaidUnit(f"?{_text(words, end + 1)}", end + 2)
        if below is None or "/" in below.unit:
            break
        unit, end = f"{unit}/{below.unit}", below.end
    return None if above.unit in own and "/" not in unit else SaidUnit(unit, end)


def _goes_on(words: Sequence[Word], i: int) -> bool:
    """Whether a unit is divided; "12 bar a minute later" says two things."""
    text = _text(words, i)
    return text in _PER and (text in ("/", "per") or _text(words, i + 2) not in _LATER)


_ENDS = frozenset(["", ".", ",", ";", ")"])
_LATER = frozenset("later after afterwards afterward before earlier from ago ahead following".split())


def _text(words: Sequence[Word], i: int) -> str:
    return words[i].text if 0 <= i < len(words) and words[i].value is None else ""


def _time(words: Sequence[Word], i: int) -> SaidUnit | None:
    unit = SPOKEN_TIMES.get(_text(words, i))
    return None if unit is None else SaidUnit(unit, i + 1)


def _own_atom(words: Sequence[Word], i: int, own: Collection[str]) -> SaidUnit | None:
    text = _text(words, i)
    found = next((unit for unit in own if unit in (text, f"{text}s", text.removesuffix("s"))), None)
    return None if found is None or not text else SaidUnit(found, i + 1)


def _atom(words: Sequence[Word], i: int) -> SaidUnit | None:
    """One unit without what it is divided by."""
    text = _text(words, i)
    if text == "1" and _text(words, i + 1) == "/":  # "500 1/min"
        return SaidUnit("1", i + 1)
    if text in _POWERS:
        base = _simple(words, i + 1)
        return None if base is None or base not in LENGTHS else SaidUnit(base + _POWERS[text], i + 2)
    if text == "%":
        for said, share in _SHARES.items():
            if tuple(_text(words, i + 1 + k) for k in range(len(said))) == said:
                return SaidUnit(share, i + 1 + len(said))
        return SaidUnit("%", i + 1)
    unit = _simple(words, i)
    if unit is None:
        return None
    following = _text(words, i + 1)
    if unit == "deg" and text in ("\u00b0", "deg", "degree", "degrees") and following in _DEGREES:
        return SaidUnit(_DEGREES[following], i + 2)
    if text == "\u00b0" and following.isalpha() and words[i + 1].start == words[i].end:  # "12 \u00b0E"
        return SaidUnit(f"?\u00b0{following}", i + 2)
    if unit in LENGTHS and following in _AFTER_POWERS:
        return SaidUnit(unit + _AFTER_POWERS[following], i + 2)
    return _product(words, i, unit) or _qualified(words, i, unit) or SaidUnit(unit, i + 1)


def _product(words: Sequence[Word], i: int, unit: str) -> SaidUnit | None:
    """ "N·m", "kilowatt hours", "newton-metres"."""
    sign = _text(words, i + 1) in _TIMES_SIGNS
    at = i + 2 if sign else i + 1
    second = _simple(words, at)
    spoken = len(_text(words, i)) > 2 and len(_text(words, at)) > 2
    if second is None:
        return None
    if (unit, second) in _PRODUCTS and (sign or spoken or (unit, second) == ("N", "m")):
        return SaidUnit(_PRODUCTS[unit, second], at + 1)
    if sign and _text(words, i + 1) != "-":
        return SaidUnit(f"{unit}\u00b7{second}", at + 1)
    return None


def _qualified(words: Sequence[Word], i: int, unit: str) -> SaidUnit | None:
    """ "dB(A)", "bar(g)", "bar gauge"."""
    if _text(words, i + 1) == "(" and _text(words, i + 3) == ")":
        found = _QUALIFIED.get((unit, _text(words, i + 2)))
        return None if found is None else SaidUnit(found, i + 4)
    following = _text(words, i + 1)
    found = _QUALIFIED.get((unit, following)) if len(following) > 2 else None
    return None if found is None else SaidUnit(found, i + 2)


def _simple(words: Sequence[Word], i: int) -> str | None:
    """The unit that one word says; with "?" where its case leaves open which."""
    text = _text(words, i)
    if not text:
        return None
    written = words[i].written or text
    loud = is_loud(words)
    if not loud and written in SPELT:
        return SPELT[written]
    if text in SPOKEN_TIMES:
        return SPOKEN_TIMES[text]
    if text == "a":
        return "A" if loud and _text(words, i + 1) not in SPOKEN_TIMES else None
    if text == "in":
        return "inch" if _is_inch(words, i) else None
    named = _named(text)
    if named is not None:
        return named
    found = FOLDED.get(text, set())
    if len(found) > 1 and not loud and written not in (text, written.upper()):
        found = {unit for unit in found if unit[0] == written[0]} or found
    if len(found) > 1:
        return USUALLY.get(text) or f"?{text}"
    unit = next(iter(found), None)
    scaled = unit is not None and unit[0] in "mM" and unit[1:] in KNOWN
    return f"??{text}" if scaled and unit and unit[0] != written[0] and not loud and written != text else unit


def is_rate(words: Sequence[Word], i: int) -> bool:
    """Whether the "a" of "12 litres a minute" stands between two parts of a unit."""
    if words[i - 1].text in MEASURES:
        return _text(words, i + 2) not in _LATER
    return measures_a_figure(words, i)


def measures_a_figure(words: Sequence[Word], i: int) -> bool:
    """Whether a word belongs to the unit of a figure before it, as "metres" and "hour" in "3 cubic metres per hour"."""
    for k in range(i - 1, max(-1, i - 8), -1):
        if words[k].value is not None:
            said = unit_at(words, k + 1)
            return said is not None and i < said.end and size_of(said.unit) is not None
    return False


def _is_inch(words: Sequence[Word], i: int) -> bool:
    """ "12in", "12 in.": no "in" that goes on."""
    glued = i > 0 and words[i - 1].value is not None and words[i - 1].end == words[i].start
    return glued or (i > 0 and words[i - 1].value is not None and _text(words, i + 1) in _ENDS and i > 1)


def may_be(said: str, own: str) -> bool:
    """Whether a unit whose case was not cared for is the signal's: "80 nm" of torque, never "mw" of megawatts."""
    said_parts, own_parts = said.split("/"), own.split("/")
    return len(said_parts) == len(own_parts) and all(map(_part_may_be, said_parts, own_parts))


def _part_may_be(said: str, own: str) -> bool:
    text = said.removeprefix("?").lower()
    if said == own or said.startswith("??") or text != own.lower():
        return said == own
    kind = part_size(own)
    others = {KNOWN[unit][0] for unit in FOLDED.get(text, ()) if unit != own and unit in KNOWN}
    return kind is not None and all(other.split()[0] != kind[0].split()[0] for other in others)


def plain_words(words: Sequence[Word]) -> bool:
    """Whether models know every word of a unit."""
    return all(word.text in _PLAIN_WORDS for word in words)


def other_end(words: Sequence[Word], k: int) -> int | None:
    """ "5 to 9 bar", "below 5 or above 9 bar": the figure behind, whose unit is that of both."""
    if k + 2 >= len(words) or words[k + 1].text not in ("to", "and", "-", "or", "but"):
        return None
    at = k + 2
    while at + 1 < len(words) and words[at].text in MORE_OR_LESS | {"than"}:
        at += 1
    return at if words[at].value is not None and (at > k + 2 or words[k + 1].text != "but") else None
