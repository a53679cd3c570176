"""What can be seen without deciding anything: names that nobody constrains, units that do not go together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from assent.logic.ast import (
    Abs,
    Arithmetic,
    Compare,
    Constant,
    Dist,
    Negative,
    Signal,
    Term,
    atoms,
)
from assent.logic.ast import names as names_of
from assent.logic.render import write
from assent.logic.sets.triggers import response_without_trigger, triggers_of
from assent.logic.sets.types import Finding, FindingKind, Requirement, SignalBounds


def gaps(
    requirements: Sequence[Requirement], names: Collection[str], named: Collection[str] = ()
) -> Iterator[Finding]:
    """Names that no requirement speaks of, and responses to nothing in a set whose other requirements have triggers.

    ``named`` are ids of requirements that something else was found about: their form is not remarked on as well.
    """
    spoken = {name for requirement in requirements for name in names_of(requirement.formula)}
    for name in sorted(set(names) - spoken):
        detail = f"no requirement says anything of {name}: whatever it does is allowed."
        yield Finding(FindingKind.UNCONSTRAINED, (), detail, names=(name,))
    if any(triggers_of(requirement) for requirement in requirements):
        for requirement in requirements:
            if requirement.id not in named and response_without_trigger(requirement):
                said = tuple(sorted(names_of(requirement.formula)))
                detail = (
                    f"{requirement.id} asks for a response and names no trigger: its time is counted from the very "
                    "start, once, and nothing is asked afterwards."
                )
                yield Finding(FindingKind.UNCONSTRAINED, (requirement.id,), detail, names=said)


def unit_clashes(
    requirements: Sequence[Requirement], signals: Mapping[str, SignalBounds]
) -> Iterator[Finding]:
    """Comparisons and sums of signals whose units differ."""
    for requirement in requirements:
        for atom in atoms(requirement.formula):
            if isinstance(atom, Compare):
                units = {
                    name: unit
                    for side in (atom.left, atom.right)
                    for name in _added(side)
                    if (known := signals.get(name)) is not None and (unit := known.unit) is not None
                }
                if len(set(units.values())) > 1:
                    said = ", ".join(f"{name} is in {unit}" for name, unit in sorted(units.items()))
                    detail = f"{requirement.id} compares what cannot be compared: in {write(atom)} {said}."
                    yield Finding(FindingKind.CONFLICT, (requirement.id,), detail, names=tuple(sorted(units)))


def _added(term: Term) -> Iterator[str]:
    """The signals whose own values are compared or added; products have units of their own and are left out."""
    match term:
        case Signal(name):
            yield name
        case Negative(arg) | Abs(arg):
            yield from _added(arg)
        case Arithmetic("+" | "-", left, right):
            yield from _added(left)
            yield from _added(right)
        case Arithmetic() | Constant() | Dist():
            return
