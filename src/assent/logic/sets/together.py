"""What a set of requirements says together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from assent.errors import FragmentError, UsageError
from assent.logic.ast import (
    EVER,
    Always,
    Compare,
    Constant,
    Formula,
    Next,
    Signal,
    atoms,
    conj,
    walk,
)
from assent.logic.ast import names as names_of
from assent.logic.english.say import UNIT
from assent.logic.equivalence.budget import Budget
from assent.logic.render import decimal
from assent.logic.sets.component import Component
from assent.logic.sets.gaps import gaps, unit_clashes
from assent.logic.sets.said import Words
from assent.logic.sets.types import Fact, Finding, FindingKind, Requirement, Sample, SignalBounds

A_STEP = "This takes a step for one unit of the times."
"""Said where "in the next step" and "within 5 s" are compared."""
FIRST_STEPS, STEPS_A_REQUIREMENT = 6_000_000, 600_000
"""What a set may spend if nothing is said: so much, and so much more for each requirement; most need far less."""


def analyse(
    requirements: Sequence[Requirement],
    *,
    names: Collection[str] = (),
    signals: Iterable[SignalBounds] = (),
    unit: str = UNIT,
    says: Mapping[str, str] | None = None,
    budget: Budget | None = None,
) -> list[Finding]:
    """Everything that ``Together`` finds, in the order of the requirements."""
    return Together(requirements, names=names, signals=signals, unit=unit, says=says, budget=budget).findings


class Together:
    """Requirements looked at together, by parts that share names.

    ``names`` are those of the vocabulary (to say which nobody constrains), ``signals`` what it knows of units and
    ranges, ``says`` how people call names, ``unit`` the word for a unit of time. ``budget`` is counted in steps, for
    the whole set; what it does not suffice for is a finding with ``decided`` False. UsageError if two requirements
    have the same id.
    """

    def __init__(
        self,
        requirements: Sequence[Requirement],
        *,
        names: Collection[str] = (),
        signals: Iterable[SignalBounds] = (),
        unit: str = UNIT,
        says: Mapping[str, str] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.requirements = list(requirements)
        self._order = {requirement.id: place for place, requirement in enumerate(self.requirements)}
        if len(self._order) < len(self.requirements):
            raise UsageError("two requirements of the set have the same id")
        self._names, self._signals = names, {known.name: known for known in signals}
        self._words = Words(unit, dict(says or {}))
        self._budget = budget or default_budget(len(self.requirements))
        self._apart: list[Finding] = []

    @cached_property
    def components(self) -> list[Component]:
        """The parts that share names, each studied within its share of the budget."""
        studied: list[Component] = []
        left = len(self.requirements)
        for members in components(self.requirements):
            share = max(0, self._budget.left()) * len(members) // max(1, left)
            left -= len(members)
            try:
                part = Component(members, self._facts(members), self._budget.part(steps=share), self._words)
            except FragmentError as error:
                self._apart.append(self._words.apart(members, str(error)))
                continue
            part.study()
            studied.append(part)
        return studied

    @cached_property
    def findings(self) -> list[Finding]:
        """All findings, in the order of the requirements that they are about."""
        found = [self._with_step(finding) for part in self.components for finding in part.findings]
        found += self._apart
        found += unit_clashes(self.requirements, self._signals)
        named = {name for finding in found for name in finding.requirements}
        found += gaps(self.requirements, self._names, named)
        kinds = list(FindingKind)
        return sorted(found, key=lambda f: ([self._order[i] for i in f.requirements], kinds.index(f.kind)))

    def _with_step(self, finding: Finding) -> Finding:
        """The finding, saying what it assumes where steps and times meet in it."""
        members = [self.requirements[self._order[name]].formula for name in finding.requirements]
        nodes = [node for formula in members for node in walk(formula)]
        timed = any(
            (within := getattr(node, "within", None)) is not None and within != EVER for node in nodes
        )
        if not timed or not any(isinstance(node, Next) for node in nodes):
            return finding
        return replace(finding, detail=f"{finding.detail} {A_STEP}")

    @cached_property
    def samples(self) -> list[Sample]:
        """For each part that shares names a behaviour that satisfies all of it, triggers included where they can."""
        return [
            Sample(tuple(requirement.id for requirement in part.requirements), trace)
            for part in self.components
            for trace in part.samples()
        ]

    @cached_property
    def forbids(self) -> dict[str, Sample]:
        """For each requirement that says something of its own a behaviour that breaks it and no other one.

        The behaviour speaks of the names of the part that the requirement belongs to.
        """
        return {
            name: Sample(tuple(requirement.id for requirement in part.requirements), trace)
            for part in self.components
            for name, trace in part.forbids.items()
        }

    def _facts(self, members: Sequence[Requirement]) -> list[Fact]:
        """What the vocabulary knows of the values of the signals that the members compare."""
        compared = [atom for member in members for atom in atoms(member.formula) if isinstance(atom, Compare)]
        used = {
            side.name for atom in compared for side in (atom.left, atom.right) if isinstance(side, Signal)
        }
        known = (self._signals[name] for name in sorted(used & self._signals.keys()))
        return [fact for signal in known if (fact := range_of(signal)) is not None]


def default_budget(count: int) -> Budget:
    """What a set of so many requirements may spend if nothing is said."""
    return Budget(FIRST_STEPS + STEPS_A_REQUIREMENT * count)


def range_of(known: SignalBounds) -> Fact | None:
    """The signal stays between its least and its greatest value, always; None if neither is known."""
    signal = Signal(known.name)
    parts: list[Formula] = []
    texts = []
    if known.low is not None:
        parts.append(Compare(signal, ">=", Constant(known.low)))
        texts.append(f"at least {decimal(known.low)}")
    if known.high is not None:
        parts.append(Compare(signal, "<=", Constant(known.high)))
        texts.append(f"at most {decimal(known.high)}")
    return Fact(Always(conj(*parts)), f"{known.name} is {' and '.join(texts)}") if parts else None


def components(requirements: Sequence[Requirement]) -> list[list[Requirement]]:
    """The requirements in groups that share names, directly or through others; in order of appearance."""
    parent = list(range(len(requirements)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    first: dict[str, int] = {}
    for place, requirement in enumerate(requirements):
        spoken = names_of(requirement.formula)
        if requirement.trigger is not None:
            spoken |= names_of(requirement.trigger)
        for name in spoken:
            parent[root(place)] = root(first.setdefault(name, place))
    groups: dict[int, list[Requirement]] = {}
    for place, requirement in enumerate(requirements):
        groups.setdefault(root(place), []).append(requirement)
    return list(groups.values())
