"""Figures that name no signal: "under four bar", "more than 25 showing". A comparison is never lost.

The signal is the one named in the same clause; else the only one that is measured in the unit said; else the one
named last; else the only one there is.
"""

from __future__ import annotations

from collections.abc import Sequence

from assent.lift.clauses import segments
from assent.lift.entries import Known
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.measures import MeasuredFigure, fits, plain_unit

_JOINTS = frozenset("and or , but nor".split())


def implied_signals(
    words: Sequence[Word],
    measured: Sequence[MeasuredFigure],
    mentions: Sequence[Mention],
    knowns: Sequence[Known],
) -> list[tuple[int, Known]]:
    """Before which of the ``measured`` figures a signal must be understood (word index), and which."""
    numeric = [known for known in knowns if known.number]
    if not numeric:
        return []
    parts = {i: k for k, part in enumerate(segments(words)) for i in part}
    named = [m for m in mentions if m.known.number]
    out: list[tuple[int, Known]] = []
    for figure in measured:
        if any(j < figure.at and words[figure.at].value is not None and j == figure.first for j, _ in out):
            continue  # the second end of a range
        if _named_beside(words, figure, named, parts) or _measured_otherwise(words, figure, named):
            continue
        known = _understood(figure, named, numeric, out)
        if known is not None and not _same_range(words, figure, out):
            out.append((figure.first, known))
    return out


def _named_beside(
    words: Sequence[Word], figure: MeasuredFigure, named: Sequence[Mention], parts: dict[int, int]
) -> bool:
    """Whether a signal that can have this value is named in the clause, or in one joined to it."""
    here = parts.get(figure.at)
    for mention in named:
        if not fits(figure.unit, mention.known.entry):
            continue
        there = parts.get(mention.at[0])
        if here is None or there is None or here == there:
            return True
        low, high = sorted((mention.at[0], figure.at))
        between = [w.text for w in words[low:high]]
        if abs(here - there) == 1 and "between" in between:
            return True
    return False


def _measured_otherwise(words: Sequence[Word], figure: MeasuredFigure, named: Sequence[Mention]) -> bool:
    """ "The gap is over 5 km/h": the signal is said, and is not measured so; nothing else is understood."""
    before = [m for m in named if m.at[-1] < figure.at]
    if not before or figure.unit is None:
        return False
    between = words[before[-1].at[-1] + 1 : figure.first]
    return all(w.text in _COPULAS for w in between) and not fits(figure.unit, before[-1].known.entry)


_COPULAS = frozenset("is are must shall should be stays stay remains not never always".split())


def _same_range(words: Sequence[Word], figure: MeasuredFigure, out: Sequence[tuple[int, Known]]) -> bool:
    """ "Between 2 and 5": one signal for both ends."""
    before = words[max(0, figure.at - 4) : figure.at]
    return (
        any(w.value is not None for w in before)
        and any(w.text in ("between", "to", "from", "-") for w in before)
        and any(j <= figure.at for j, _ in out)
    )


def _understood(
    figure: MeasuredFigure,
    named: Sequence[Mention],
    numeric: Sequence[Known],
    out: Sequence[tuple[int, Known]],
) -> Known | None:
    suited = [k for k in numeric if fits(figure.unit, k.entry)]
    if figure.unit is not None:
        measured = [k for k in suited if k.entry.unit and plain_unit(k.entry.unit) == figure.unit]
        known_unit = [k for k in suited if k.entry.unit]
        for group in (measured, known_unit):
            if len(group) == 1:
                return group[0]
    before = [m.known for m in named if m.at[0] < figure.at and m.known in suited]
    before += [k for j, k in out if j < figure.at and k in suited]
    if before:
        return before[-1]
    if len(suited) == 1:
        return suited[0]
    after = [m.known for m in named if m.known in suited]
    return after[0] if after else None
