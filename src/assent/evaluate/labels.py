"""Is a candidate wrong? One definition: does it say something else than its reference, by the exact decider.

``load`` reads recorded translations or evidence and labels them; ``labelled`` does so for evidence in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from assent.errors import DataError, FormulaError, FragmentError, ModelError, UsageError
from assent.evaluate.filed import Filing, Stamp
from assent.io.lines import read_placed
from assent.logic.ast import Formula, Logic, size
from assent.logic.canonical import canonical
from assent.logic.equivalence import Verdict, equivalent
from assent.policy.columns import Columns, Gathering, Named
from assent.policy.labelled import Label, Labelled, LabelledRow, Level
from assent.records import Evidence, parse, tier_of
from assent.records.rows import evidence_of
from assent.scoring import scores

SIZE = "size"
"""The trivial baseline that is printed beside every score: how many operators the candidate has."""
SIZE_SCALE = 60  # operators at which the size baseline saturates
WRONG = Label(True, True)
REMEMBERED = 20_000
"""Pairs of candidate and reference whose label is remembered."""
HELD = 20_000
"""Rows that are held in memory; of a larger file columns are kept, and rows are read again where one is needed."""
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
    """Labels with memory: the same candidate and reference are compared once, but for very many different ones."""

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
            if len(self._known) >= REMEMBERED:
                self._known.clear()
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

    Rows are read one by one; of a file of more than ``HELD`` rows only columns are kept, and the file must stay as it
    is while the result is in use. Errors name file and line.
    """
    reading = _Reading(Path(path), logic, system)
    gathering, filing, rows = Gathering(), Filing(), list[LabelledRow]()
    stamp = Stamp.of(Path(path))
    others: set[str] = set()
    for line, place, raw in progress(read_placed(path, unique=True)):
        row = reading.row(raw, line)
        if isinstance(row, Logic):
            others.add(row.value)
            continue
        gathering.add(row)
        filing.add(place, line)
        if len(filing) <= HELD:
            rows.append(row)
        else:
            rows.clear()
    if not len(filing) and others:
        raise UsageError(f"{path} has no row in {logic}, only in {', '.join(sorted(others))}")
    if not len(filing):
        raise DataError("the file has no rows", file=str(path))
    columns = gathering.done()
    reading.several = len(columns.logic.names) > 1
    if reading.several:
        columns = replace(columns, tier=_tiers_apart(columns))
    small = len(rows) == len(filing)
    kept = _told_apart(rows) if small else filing.done(Path(path), stamp, reading.labelled)
    data = Labelled(kept, level, columns)
    if scorer is not None:
        data = data.with_scores(scorer([row.evidence for row in data.rows]))
    return data


@dataclass
class _Reading:
    """How a row of a file becomes a labelled one, the first time and whenever it is read again."""

    path: Path
    logic: str | None
    system: str | None
    several: bool = False
    _labeller: Labeller = field(default_factory=Labeller)

    def row(self, raw: dict[str, Any], line: int) -> LabelledRow | Logic:
        """The labelled row, or its logic if that is not the one wanted."""
        evidence = evidence_of(raw, logic=self.logic, system=self.system, file=str(self.path), line=line)
        if self.logic is not None and evidence.instruction.logic.value != self.logic:
            return evidence.instruction.logic
        try:
            return self._labeller.row(evidence)
        except DataError as error:
            raise DataError(str(error), file=str(self.path), line=line) from error

    def labelled(self, raw: dict[str, Any], line: int) -> LabelledRow:
        """A row that was taken before."""
        row = self.row(raw, line)
        assert isinstance(row, LabelledRow)
        return _apart(row) if self.several else row


def _told_apart(rows: Sequence[LabelledRow]) -> tuple[LabelledRow, ...]:
    """Tiers of different logics are different tiers."""
    if len({row.evidence.instruction.logic for row in rows}) == 1:
        return tuple(rows)
    return tuple(map(_apart, rows))


def _apart(row: LabelledRow) -> LabelledRow:
    return replace(row, tier=f"{row.evidence.instruction.logic.value} {row.tier}")


def _tiers_apart(columns: Columns) -> Named[str]:
    """The column of ``_told_apart``."""
    logic, tier = columns.logic, columns.tier
    names = tuple(f"{one} {other}" for one in logic.names for other in tier.names)
    return Named(
        names, logic.codes.astype(np.int32) * np.int32(len(tier.names)) + tier.codes.astype(np.int32)
    )
