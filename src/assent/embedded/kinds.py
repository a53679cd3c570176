"""What names and numbers of an instruction may be: propositions hold, signals are compared, times bound windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assent.lift import Lifted
from assent.lift.linear import COMPARATORS
from assent.lift.quantities import MEASURES, PLAIN_UNIT_WORDS
from assent.lift.sums import ADDING
from assent.logic.ast import Atom, Compare, Prop, Signal

_WINDOWS = ("G[", "F[", "U[")
_JOINS = frozenset(["to", "and", "or", "-", "through"])
_MEASURES = MEASURES | frozenset(
    """
    % ° v kv mv w kw mw ma kg g mg t km m cm mm l ml pa hpa kpa mpa mbar hz khz n kn db rev rev/min c k ph lx nm cn ntu
    """.split()
)
_TIMES = frozenset(["seconds"]) | PLAIN_UNIT_WORDS


def fits(lifted: Lifted, tokens: Sequence[str], found: Sequence[Atom]) -> bool:
    """Whether a formula (its tokens and atoms) uses every name and number as what the instruction says it is."""
    return all(_atom_fits(lifted, atom) for atom in found) and _numbers_fit(lifted, tokens)


def _atom_fits(lifted: Lifted, atom: Atom) -> bool:
    """A measured number is compared, and where the instruction speaks of one, nothing else is."""
    measured = {lifted.names[placeholder] for placeholder in lifted.signals}
    match atom:
        case Prop(name):
            return name not in measured
        case Compare(Signal(name), _, _):
            return name in measured or not measured
    return True


def _numbers_fit(lifted: Lifted, tokens: Sequence[str]) -> bool:
    """A number with a time's unit alone bounds no comparison, one with another unit alone no window."""
    if not lifted.signals:
        return True
    said: dict[str, set[bool]] = {}
    for at, token in enumerate(lifted.tokens):
        timed = _is_time(lifted, at) if token in lifted.numbers else None
        if timed is not None:
            said.setdefault(token, set()).add(timed)
    windows, compared = uses(tokens)
    return all(True in said.get(n, {True}) for n in windows) and all(
        False in said.get(n, {False}) for n in compared
    )


def _is_time(lifted: Lifted, at: int) -> bool | None:
    """By the unit behind it, or behind the range that it opens ("between N1 and N2 seconds"); None without one."""
    tokens = lifted.tokens
    for token in tokens[at + 1 : at + 5]:
        if token in _TIMES:
            return True
        if token in _MEASURES:
            return False
        if token not in _JOINS and token not in lifted.numbers:
            return None
    return None


def uses(tokens: Sequence[str]) -> tuple[set[str], set[str]]:
    """Numbers that bound windows, and numbers that something is compared with, in prefix tokens."""
    windows: set[str] = set()
    compared: set[str] = set()
    for at, token in enumerate(tokens):
        if token in _WINDOWS:
            windows.update(_numbers_after(tokens, at + 1, 2))
        elif token in COMPARATORS:
            compared.update(_numbers_after(tokens, at + 2, 1))
    return windows, compared


def _numbers_after(tokens: Sequence[str], at: int, sums: int) -> Iterator[str]:
    """The terms of so many sums."""
    for _ in range(sums):
        while at < len(tokens):
            yield tokens[at]
            at += 1
            if at >= len(tokens) or tokens[at] not in ADDING:
                break
            at += 1
