"""What requirements that share names say together: duplicates, conflicts, triggers that never happen, repetition."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from assent.logic.ast import TRUE, Formula, Not, conj
from assent.logic.canonical import canonical_key
from assent.logic.equivalence.budget import Budget
from assent.logic.equivalence.verdict import Verdict, compared
from assent.logic.semantics import Trace, holds
from assent.logic.sets import said
from assent.logic.sets.questions import QUESTION_STEPS, Blame, Questions, SetAnswer
from assent.logic.sets.triggers import Trigger, triggers_of
from assent.logic.sets.types import Fact, Finding, FindingKind, Requirement

MAX_CONFLICTS = 64
"""So many conflicts of one component are looked for."""


@dataclass
class Component:
    """Requirements that share names, and facts (ranges of signals) that hold whatever the requirements say.

    Members are known by number; facts come after the requirements. ``findings`` fills as questions are answered,
    ``forbids`` has for a requirement a behaviour that breaks it and no other one.
    """

    requirements: Sequence[Requirement]
    facts: Sequence[Fact]
    budget: Budget
    words: said.Words
    findings: list[Finding] = field(default_factory=list)
    forbids: dict[str, Trace] = field(default_factory=dict)
    model: Trace | None = None

    def __post_init__(self) -> None:
        self._count = len(self.requirements)
        self._triggers = [triggers_of(requirement) for requirement in self.requirements]
        formulas = [
            *(requirement.formula for requirement in self.requirements),
            *(fact.formula for fact in self.facts),
        ]
        goals = [trigger.happens for triggers in self._triggers for trigger in triggers]
        self._ask = Questions(formulas, goals, self.budget)
        self._facts = range(self._count, len(formulas))
        self._alive = list(range(self._count))
        self._cores: list[tuple[int, ...]] = []
        self._silent: set[int] = set()
        self._satisfiable = True
        self._undecided: dict[FindingKind, list[int]] = {}

    def study(self) -> None:
        """Answer every question, as far as the budget goes."""
        self._duplicates()
        self._alone()
        self._conflicts()
        self._vacuities()
        self._repetitions()
        for kind, numbers in self._undecided.items():
            self.findings.append(self.words.undecided(kind, self._of(dict.fromkeys(numbers))))

    # ---- each for itself, and the same twice -----------------------------------------------------------------

    def _duplicates(self) -> None:
        """Members that mean the same; the first of them stays."""
        for group in self._ask.same_atoms(self._alive):
            firsts: list[tuple[int, str, list[int]]] = []
            for number in group:
                formula = self.requirements[number].formula
                key = canonical_key(formula)
                known = next(
                    (twins for first, name, twins in firsts if self._same(first, name, number, key)), None
                )
                if known is None:
                    firsts.append((number, key, [number]))
                else:
                    known.append(number)
                    self._alive.remove(number)
            for _, _, twins in firsts:
                if len(twins) > 1:
                    self.findings.append(self.words.duplicate(self._of(twins)))

    def _same(self, first: int, name: str, number: int, key: str) -> bool:
        if name == key:
            return True
        pair = self.requirements[first].formula, self.requirements[number].formula
        found = compared(*pair, self.budget.part(steps=QUESTION_STEPS))
        if found.verdict is Verdict.UNKNOWN:
            self._undecided.setdefault(FindingKind.DUPLICATE, []).extend((first, number))
        return found.equal

    def _alone(self) -> None:
        """What can never be true and what is always true takes no part in what follows."""
        for number in list(self._alive):
            requirement = self.requirements[number]
            possible = self._ask.ask(TRUE, [number, *self._facts])
            if possible.yes is False:
                blame = self._ask.shrink(TRUE, possible.core)
                self._alive.remove(number)
                self._satisfiable = False
                self.findings.append(self.words.conflict(self._of([number]), blame, self._given(blame.core)))
                continue
            if self._never(number):
                continue
            false = self._ask.ask(Not(requirement.formula), self._facts)
            if false.yes is False:
                self._alive.remove(number)
                self.findings.append(self.words.always_true(requirement, self._given(false.core)))
            elif false.yes is None:
                self._undecided.setdefault(FindingKind.ALWAYS_TRUE, []).append(number)

    def _never(self, number: int) -> bool:
        """Is a trigger impossible whatever the others say? True if nothing is left of the requirement then."""
        impossible = 0
        for trigger in self._triggers[number]:
            found = self._ask.ask(trigger.happens, [number, *self._facts])
            if found.yes is not False:
                continue
            blame = self._ask.shrink(trigger.happens, found.core, first=[number])
            itself = number in blame.core
            impossible += not itself
            self._silent.add(number)
            given = self._given(blame.core)
            self.findings.append(
                self.words.never_triggered(self.requirements[number], trigger.condition, itself, given)
            )
        if impossible and impossible == len(self._triggers[number]):
            empty = self._ask.ask(Not(self.requirements[number].formula), self._facts)
            if empty.yes is False:
                self._alive.remove(number)
                return True
        return False

    # ---- conflicts -------------------------------------------------------------------------------------------

    def _conflicts(self) -> None:
        """Smallest sets that no behaviour satisfies, until what is left can be satisfied."""
        removed: list[int] = []
        while len(self._cores) < MAX_CONFLICTS:
            found = self._ask.ask(TRUE, [*self._left(removed), *self._facts])
            if found.yes is not False:
                self.model = found.trace
                break
            removed.append(max(n for n in self._conflict(found.core) if n < self._count))
        if found.yes is None:
            self._undecided[FindingKind.CONFLICT] = self._left(removed)
            self._pairs(self._left(removed))
        for number in removed:
            self._further(number)

    def _further(self, number: int) -> None:
        """Conflicts of a member with others than those it is already known to be in conflict with."""
        while len(self._cores) < MAX_CONFLICTS:
            found = self._ask.ask(TRUE, [number, *self._beside(number), *self._facts])
            if found.yes is not False:
                return
            self._conflict(found.core)

    def _pairs(self, numbers: Sequence[int]) -> None:
        """Where the whole is not decided: every two that share something."""
        for number in numbers:
            for other in self._ask.related(number, [n for n in numbers if n > number]):
                if self.budget.left() <= 0:
                    return
                found = self._ask.ask(TRUE, [number, other, *self._facts])
                if found.yes is False:
                    self._conflict(found.core)

    def _conflict(self, core: Sequence[int]) -> tuple[int, ...]:
        blame = self._ask.shrink(TRUE, core)
        if blame.core not in self._cores:
            self._cores.append(blame.core)
            members = [n for n in blame.core if n < self._count]
            self.findings.append(self.words.conflict(self._of(members), blame, self._given(blame.core)))
        return blame.core

    def _left(self, removed: Collection[int]) -> list[int]:
        return [number for number in self._alive if number not in removed]

    def _beside(self, number: int) -> list[int]:
        """As many of the others as can be taken without meeting a known conflict."""
        gone = {n for core in self._cores if number in core for n in core}
        for core in self._cores:
            if not gone.intersection(core):
                gone.add(max(n for n in core if n < self._count))
        return [n for n in self._alive if n not in gone and n != number]

    # ---- triggers that never happen --------------------------------------------------------------------------

    def _vacuities(self) -> None:
        seen: set[tuple[frozenset[str], str]] = set()
        for number in self._alive:
            if number in self._silent:
                continue
            for trigger in self._triggers[number]:
                blame = self._excluded(number, trigger)
                if blame is None:
                    continue
                others = [n for n in blame.core if n != number and n < self._count]
                if number not in blame.core:
                    self._silent.add(number)
                ids = self._of([number, *others])
                key = (frozenset(r.id for r in ids), canonical_key(trigger.condition))
                if key not in seen:
                    seen.add(key)
                    given = self._given(blame.core)
                    self.findings.append(self.words.vacuous(ids, trigger.condition, blame, given))

    def _excluded(self, number: int, trigger: Trigger) -> Blame | None:
        """Who makes the trigger of a member impossible; None if nobody does, or if it is not decided."""
        found = self._ask.ask(trigger.happens, [number, *self._beside(number), *self._facts])
        if found.yes is None:
            self._undecided.setdefault(FindingKind.VACUOUS, []).append(number)
        if found.yes is not False:
            return None
        blame = self._ask.shrink(trigger.happens, found.core, first=[number])
        return None if self._in_conflict(blame) else blame

    def _in_conflict(self, blame: Blame) -> bool:
        """Do those to blame contradict one another, whatever was asked of them? Then that is what is found."""
        if FindingKind.CONFLICT not in self._undecided or self._ask.ask(TRUE, blame.core).yes is not False:
            return False
        self._conflict(blame.core)
        return True

    # ---- what the others say already -------------------------------------------------------------------------

    def _repetitions(self) -> None:
        twins: list[set[int]] = []
        for number in self._alive:
            if number in self._silent or any(number in group for group in twins):
                continue
            requirement = self.requirements[number]
            broken = Not(requirement.formula)
            others = self._beside(number)
            found = self._ask.ask(broken, [*others, *self._facts])
            if found.yes is None:
                found = self._singly(number, others)
            if found.yes:
                self._show(number, found.trace)
                continue
            if found.yes is None:
                self._undecided.setdefault(FindingKind.REDUNDANT, []).append(number)
                continue
            blame = self._ask.shrink(broken, self._one_of(number, others) or found.core)
            if not self._in_conflict(blame):
                self.findings.append(self._repeated(number, blame, twins))

    def _show(self, number: int, trace: Trace | None) -> None:
        """Keep a behaviour that breaks a member, if the independent evaluator finds that it breaks no other one."""
        broken = [r.id for r in self.requirements if trace is not None and not holds(r.formula, trace)]
        if trace is not None and broken == [self.requirements[number].id]:
            self.forbids[broken[0]] = trace

    def _repeated(self, number: int, blame: Blame, twins: list[set[int]]) -> Finding:
        by = [n for n in blame.core if n < self._count]
        if len(by) == 1 and self._ask.implies(number, self.requirements[by[0]].formula).yes is False:
            twins.append({number, by[0]})
            return self.words.duplicate(self._of(sorted([number, by[0]])))
        return self.words.implied(self._of([number, *by]), blame, self._given(blame.core))

    def _one_of(self, number: int, others: Sequence[int]) -> tuple[int, ...] | None:
        """One other that implies the requirement alone, if there is one."""
        goal = self.requirements[number].formula
        for other in self._ask.related(number, others):
            if self._ask.implies(other, goal).yes is False:
                return (other,)
        return None

    def _singly(self, number: int, others: Sequence[int]) -> SetAnswer:
        """Where all together are not decided: does one other say it already?"""
        core = self._one_of(number, others)
        return SetAnswer(None) if core is None else SetAnswer(False, None, core)

    # ---- words -----------------------------------------------------------------------------------------------

    def _of(self, numbers: Collection[int]) -> list[Requirement]:
        return [self.requirements[number] for number in numbers]

    def _given(self, core: Sequence[int]) -> list[Fact]:
        """The facts among those to blame."""
        return [self.facts[number - self._count] for number in core if number >= self._count]

    def samples(self) -> Iterator[Trace]:
        """A behaviour that satisfies every member, with as many triggers as can happen; none if there is none."""
        if self.model is None or self._cores or not self._satisfiable:
            return
        goal: list[Formula] = []
        best = self.model
        pool = [*self._alive, *self._facts]
        for number in self._alive:
            for trigger in self._triggers[number]:
                found = self._ask.ask(conj(*goal, trigger.happens), pool)
                if found.yes and found.trace is not None:
                    goal.append(trigger.happens)
                    best = found.trace
        yield best
