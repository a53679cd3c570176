"""Is a candidate wrong? One definition: does it say something else than its reference, by the exact decider.

``load`` reads recorded translations or evidence and labels them; ``labelled`` does so for evidence in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assent.errors import DataError, FormulaError, FragmentError, ModelError, UsageError
from assent.io.lines import read_rows
from assent.logic.ast import Formula, Logic, size
from assent.logic.canonical import canonical
from assent.logic.equivalence import Verdict, equivalent
from assent.policy.labelled import Label, Labelled, LabelledRow, Level
from assent.records import Evidence, parse, tier_of
from assent.records.rows import evidence_of
from assent.scoring import scores

SIZE = "size"
"""The trivial baseline that is printed beside every score: how many operators the candidate has."""
SIZE_SCALE = 60  # operators at which the size baseline saturates
WRONG = Label(True, True)
Scorer = Callable[[Sequence[Evidence]], Mapping[str, Sequence[float]]]


def label(candidate: Formula | None, reference: Formula) -> Label:
    """Whether a candidate is wrong. What cannot be read, compared or decided is never right."""
    if candidate is None:
        return WRONG
    try:
        if canonical(candidate) == canonical(reference):
            return Label(False, False)
        verdict = equivalent(candidate, reference).verdict
    except (FormulaError, FragmentError):  # e.g. next beside decimal bounds: there is no common time step
        return Label(True, True, decided=False)
    return Label(verdict is not Verdict.EQUAL, True, verdict is not Verdict.UNKNOWN)


@dataclass
class Labeller:
    """Labels with memory: the same candidate and reference are compared once."""

    _known: dict[tuple[Formula | None, Formula], Label] = field(default_factory=dict)

    def row(self, evidence: Evidence) -> LabelledRow:
        """One labelled row; DataError where it has no reference, no candidate, or scores that were cut short."""
        case = evidence.instruction
        if case.reference is None:
            raise DataError("no reference: a label needs the formula that is right")
        if case.extra.get("volunteered"):
            raise DataError(
                "the label was volunteered, not drawn: it may train, and never calibrates ('assent review' draws)"
            )
        if evidence.draft is None and evidence.failure is None:
            raise DataError("no candidate: run 'assent collect' first, or give one")
        if evidence.censored:
            raise DataError(
                f"the scores {', '.join(evidence.censored)} were cut short by lazy scoring and cannot calibrate: "
                "collect again without --lazy"
            )
        reference = _reference(case.reference, case.logic)
        key = (evidence.formula, reference)
        if key not in self._known:
            self._known[key] = label(*key)
        try:
            found = scores(evidence) if evidence.failure is None else {}
        except ModelError as error:
            raise DataError(str(error)) from error
        return LabelledRow(
            evidence=replace(evidence, calls=(), prompts={}),
            label=self._known[key],
            tier=case.group or tier_of(case.logic, reference),
            scores={**found, SIZE: baseline(evidence.formula)},
        )


def baseline(formula: Formula | None) -> float:
    """The size of a candidate as a score in [0, 1]; 1 where it cannot be read."""
    return 1.0 if formula is None else min(1.0, size(formula) / SIZE_SCALE)


def _reference(text: str, logic: Logic) -> Formula:
    try:
        return parse(text, logic)
    except (FormulaError, FragmentError) as error:
        raise DataError(f"the reference cannot be read: {str(error).splitlines()[0]}") from error


def labelled(evidence: Iterable[Evidence], *, level: Level = "exact") -> Labelled:
    """Evidence in memory with its labels."""
    labeller = Labeller()
    rows = [labeller.row(item) for item in evidence]
    if not rows:
        raise DataError("there are no rows")
    return Labelled(_told_apart(rows), level)


def load(
    path: str | Path,
    *,
    logic: str | None = None,
    system: str | None = None,
    level: Level = "exact",
    scorer: Scorer | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Labelled:
    """Read a file of recorded translations or evidence and label it; with ``logic``, its rows of that logic.

    Rows are read one by one, and of each only what tables and rules need is kept. Errors name file and line.
    """
    labeller = Labeller()
    rows: list[LabelledRow] = []
    others: set[str] = set()
    for line, raw in progress(read_rows(path, unique=True)):
        evidence = evidence_of(raw, logic=logic, system=system, file=str(path), line=line)
        if logic is not None and evidence.instruction.logic.value != logic:
            others.add(evidence.instruction.logic.value)
            continue
        try:
            rows.append(labeller.row(evidence))
        except DataError as error:
            raise DataError(str(error), file=str(path), line=line) from error
    if not rows and others:
        raise UsageError(f"{path} has no row in {logic}, only in {', '.join(sorted(others))}")
    if not rows:
        raise DataError("the file has no rows", file=str(path))
    data = Labelled(_told_apart(rows), level)
    if scorer is not None:
        data = data.with_scores(scorer([row.evidence for row in data.rows]))
    return data


def _told_apart(rows: Sequence[LabelledRow]) -> tuple[LabelledRow, ...]:
    """Tiers of different logics are different tiers."""
    if len({row.evidence.instruction.logic for row in rows}) == 1:
        return tuple(rows)
    return tuple(replace(row, tier=f"{row.evidence.instruction.logic.value} {row.tier}") for row in rows)
