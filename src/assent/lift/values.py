"""Figures as values of signals: "72 km/h" for a speed in m/s is 20, and "3 volts" is no speed.

Loaded where an instruction speaks of a signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.clauses import segments
from assent.lift.figures import Word
from assent.lift.measures import (
    fits,
    is_same,
    is_time,
    kind_of,
    literally,
    own_unit,
    plain_unit,
    said_after,
    unit_start,
    unknown_part,
)
from assent.lift.quantities import MORE_OR_LESS, SECONDS_IN, TIMES, has_twin, size_of
from assent.lift.units import STAND_IN
from assent.vocabulary import Entry


def in_units_of(
    words: Sequence[Word], signals: Sequence[tuple[int, Entry]], time: str | None = None
) -> list[Word]:
    """The words with every figure in the unit of the signal it is compared with (word index, entry).

    ``time``: the unit that durations are in, which are values of signals that measure time.
    """
    out = list(words)
    own = frozenset(part for _, entry in signals for part in unknown_part(entry.unit or ""))
    last: list[tuple[int, Entry]] = []
    for segment in segments(words):
        there = [(i, entry) for i, entry in signals if i in segment and entry.unit]
        last = there or last  # "between 3 bar and 5 bar": both ends are values of the one named last
        for k in segment:
            value = words[k].value
            if value is None or not last:
                continue
            if is_time(words, k):
                _as_value(words, k, last, time, out)
                continue
            said = said_after(words, k, own)
            there = there or [item for item in last if said is not None and fits(said.unit, item[1])]
            if said is None or not there:
                continue
            suited = [item for item in there if fits(said.unit, item[1])] or there
            _, entry = min(suited, key=lambda item: abs(item[0] - k))
            if not (
                literally(words, unit_start(words, k), entry) or _is_share_of(words, k, said.unit, entry)
            ):
                out[k] = replace(words[k], value=value * _factor(said.unit, entry))
    return out


def _is_share_of(words: Sequence[Word], k: int, said: str, entry: Entry) -> bool:
    """ "In 99 % of all cases", or a figure beside a signal whose unit no table has: left to ``strange_units``."""
    cases = said == "%" and any(w.text == "of" for w in words[k + 2 : k + 3])
    return not fits(said, entry) and (cases or size_of(own_unit(entry)) is None)


def _as_value(
    words: Sequence[Word], k: int, there: Sequence[tuple[int, Entry]], time: str | None, out: list[Word]
) -> None:
    """ "The latency exceeds 250 ms": of a signal that measures time, a duration is a value, not a bound."""
    at = next((j for j in range(k + 1, min(k + 5, len(words))) if words[j].text == "seconds"), None)
    before = [item for item in there if item[0] < k]
    value = words[k].value
    if at is None or not before or value is None or time not in SECONDS_IN:
        return
    i, entry = before[-1]
    between = [word.text for word in words[i + 1 : k]]
    first = between.index("between") if "between" in between else len(between)
    or_less = [w.text for w in words[at + 1 : at + 2]] == ["or"] and words[at + 2 : at + 3] != []
    or_less = or_less and words[at + 2].text in MORE_OR_LESS
    compared = or_less or first < len(between) or (between[-1:] and between[-1] in _COMPARING_TIME)
    later = any(
        w.text in ("later", "after", "afterwards", "before", "earlier") for w in words[at + 1 : at + 2]
    )
    if not compared or later or any(text in _BOUNDS for text in between[:first]):
        return
    own, written = plain_unit(entry.unit), words[at].written
    if own in TIMES:
        out[k] = replace(words[k], value=value * SECONDS_IN[time] / TIMES[own])
    elif kind_of(own) == "conductance" and written in ("mS", "S"):  # siemens, taken for seconds
        factor = SECONDS_IN[time] / SECONDS_IN[written.lower()] * _factor(written, entry)
        out[k] = replace(words[k], value=value * factor)
    else:
        return
    out[at] = replace(words[at], text=STAND_IN)


_BOUNDS = frozenset(
    """
    for within after in every until before during by inside throughout since from and lasts lasting last seconds , ; :
    """.split()
)
_COMPARING_TIME = frozenset(
    """
    than above below under over exceed exceeds exceeding exceeded least most reaches reach reached equals beyond
    """.split()
)


def _is_slip(said: str, factor: Fraction) -> bool:
    """Whether "12 mPa" of a signal in bar may well be 12 MPa."""
    return has_twin(said) and (factor <= Fraction(1, 10**6) if said[0] == "m" else factor >= 10**9)


def _factor(said: str, entry: Entry) -> Fraction:
    own = own_unit(entry)
    if is_same(said, own, entry):
        return Fraction(1)
    ours, theirs = size_of(own), size_of(said)
    if ours is None or theirs is None or theirs[0] != ours[0] or _is_slip(said, theirs[1] / ours[1]):
        shown = said.replace("?", "")
        raise FragmentError(
            f"{entry.name} is measured in {entry.unit}, and the instruction says {shown}: say it in {entry.unit}"
        )
    return theirs[1] / ours[1]
