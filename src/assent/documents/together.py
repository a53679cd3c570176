"""What the requirements of documents say together, by the exact decider.

Requirements that were read with the same vocabulary are looked at together. Without ``only_vouched`` the candidates
of abstentions (but out of domain) take part, too, and every finding that rests on one of them says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.documents.checking import Checked, Row
from assent.documents.lock import digest
from assent.documents.studies import SetStudy, kept, restored
from assent.errors import DataError, FormulaError, FragmentError
from assent.logic.ast import Formula, Logic
from assent.logic.ast import names as names_of
from assent.logic.english.say import UNIT
from assent.logic.parse import read
from assent.logic.render import write
from assent.logic.semantics import Trace
from assent.logic.sets import Budget, Finding, FindingKind, Requirement, SignalBounds, analyse
from assent.logic.sets.gaps import gaps
from assent.logic.sets.together import components
from assent.records import Reason
from assent.vocabulary import Vocabulary

STEPS_A_REQUIREMENT = 60_000
"""What a requirement's share of the search may cost, about a twentieth of a second; ``--budget`` gives more."""
STUDIED = 2
"""Raised when the same formulas may give other findings than before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """One finding. ``witness`` is a behaviour that shows it; ``unvouched`` are ids of formulas nobody vouches for.

    ``decided`` False: the budget ended first, and the detail says what is not known.
    """

    kind: str
    requirements: tuple[str, ...]
    detail: str
    witness: Trace | None = None
    unvouched: tuple[str, ...] = ()
    decided: bool = True

    @property
    def notice(self) -> bool:
        """Whether it is only to be known: nothing is asked of a name, or a response has no trigger."""
        return self.kind == FindingKind.UNCONSTRAINED.value

    @property
    def said(self) -> str:
        """The detail, marked where it rests on formulas nobody vouches for or was not decided."""
        marks = []
        if self.unvouched:
            marks.append(f"not vouched for: {', '.join(self.unvouched)}")
        if not self.decided:
            marks.append("not decided")
        front = "(not vouched for) " if self.unvouched else ""
        return front + (f"{self.detail} ({'; '.join(marks)})" if marks else self.detail)


class Studies:
    """The studies that a lock knows, and those of this run. ``watch`` is called before each, and may raise to stop."""

    def __init__(
        self, stored: Mapping[str, SetStudy] | None = None, watch: Callable[[], None] = lambda: None
    ) -> None:
        self._known, self._watch = stored or {}, watch
        self.used: dict[str, SetStudy] = {}

    def findings(
        self, members: Sequence[Requirement], files: Iterable[str], about: SignalFacts, budget: int | None
    ) -> list[Finding]:
        """What requirements that share names say together; from the lock where it knows them."""
        self._watch()
        spoken = {name for member in members for name in names_of(member.formula)}
        signals = [signal for signal in about.signals if signal.name in spoken]
        steps = budget if budget is not None else STEPS_A_REQUIREMENT
        parts = [
            *((m.id, write(m.formula)) for m in members),
            *map(repr, signals),
            about.unit,
            steps,
            STUDIED,
        ]
        key = digest(repr(parts))
        study = self._known.get(key)
        findings = None if study is None else restored(study.findings)
        if findings is None:
            all_findings = analyse(
                members, signals=signals, unit=about.unit, budget=Budget(steps * len(members))
            )
            findings = [finding for finding in all_findings if finding.kind is not FindingKind.UNCONSTRAINED]
        self.used[key] = SetStudy(key, tuple(sorted(set(files))), kept(findings))
        return findings


@dataclass(frozen=True, slots=True)
class SignalFacts:
    """What the vocabulary says of signals, and how it calls a unit of time."""

    signals: tuple[SignalBounds, ...] = ()
    unit: str = UNIT


def said_together(
    checked: Checked, *, only_vouched: bool = False, budget: int | None = None, studies: Studies | None = None
) -> list[Noted]:
    """Conflicts, vacuities, repetitions and gaps; ``budget`` in steps for each requirement."""
    noted: list[Noted] = []
    for rows in groups(checked.rows):
        noted += _findings(rows, studies or Studies(), only_vouched=only_vouched, budget=budget)
    return noted


def groups(rows: Iterable[Row]) -> list[list[Row]]:
    """Rows with the same vocabulary; without one, those of the same file."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        key = row.requirement.file if row.names is None else f"\0{row.names.digest}"
        groups.setdefault(key, []).append(row)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class Formulas:
    """The rows of a group that have a formula, the same as requirements of a set, and what is known of their names."""

    rows: tuple[Row, ...]
    requirements: tuple[Requirement, ...]
    about: SignalFacts


def formulas_of(rows: Sequence[Row], *, only_vouched: bool) -> Formulas:
    """Rows with a vouched formula, and (without ``only_vouched``) with a candidate; DataError if a lock holds none."""
    members = tuple(row for row in rows if row.judgement.vouched or (_taking_part(row) and not only_vouched))
    names = rows[0].names
    about = SignalFacts() if names is None else SignalFacts(tuple(_signals(names)), names.unit_words)
    return Formulas(members, tuple(Requirement(row.requirement.id, _formula(row)) for row in members), about)


def _taking_part(row: Row) -> bool:
    """Whether a candidate takes part; one of a text that is out of domain says nothing."""
    return bool(row.judgement.candidate) and row.judgement.reason != Reason.OUT_OF_DOMAIN


def _findings(
    rows: Sequence[Row], studies: Studies, *, only_vouched: bool, budget: int | None
) -> list[Noted]:
    formulas = formulas_of(rows, only_vouched=only_vouched)
    with_formula, requirements, about = formulas.rows, formulas.requirements, formulas.about
    unvouched = {row.requirement.id for row in with_formula if not row.judgement.vouched}
    order = {row.requirement.id: place for place, row in enumerate(with_formula)}
    names = rows[0].names
    findings: list[Finding] = []
    for members in components(requirements):
        files = [with_formula[order[member.id]].requirement.file for member in members]
        findings += studies.findings(members, files, about, budget)
    unknown = [row for row in rows if row.requirement.id not in order]
    mentioned = {name for finding in findings for name in finding.requirements}
    findings += gaps(requirements, _spoken_of(unknown, names), mentioned)
    findings.sort(key=lambda finding: [order[name] for name in finding.requirements])
    return [_noted(finding, unvouched) for finding in findings]


def _formula(row: Row) -> Formula:
    """The formula of a row; DataError if a lock holds something else."""
    text = str(row.judgement.best)
    try:
        return read(text, Logic(row.judgement.logic))
    except (FormulaError, FragmentError, ValueError) as error:
        where = row.requirement
        raise DataError(
            f"{where.id}: the lock holds no formula: {str(error).splitlines()[0]}",
            file=where.file,
            line=where.line,
        ) from None


def _noted(finding: Finding, unvouched: set[str]) -> Noted:
    return Noted(
        kind=finding.kind.value,
        requirements=finding.requirements,
        detail=finding.detail,
        witness=finding.witness,
        unvouched=tuple(name for name in finding.requirements if name in unvouched),
        decided=finding.decided,
    )


def _spoken_of(unknown: Sequence[Row], names: Vocabulary | None) -> list[str]:
    """Names to look for: without those that a requirement whose formula is not known may speak of."""
    if names is None:
        return []
    stems = {word[:4] for row in unknown for word in _words(row.requirement.text)}
    return [
        name
        for name, phrase in names.phrases.items()
        if not {w[:4] for w in _words(f"{name} {phrase}")} & stems
    ]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", text.lower())


def _signals(names: Vocabulary) -> Iterator[SignalBounds]:
    for entry in names.propositions:
        if entry.type == "number":
            low, high = entry.range if entry.range is not None else (None, None)
            yield SignalBounds(
                entry.name,
                entry.unit,
                None if low is None else Fraction(str(low)),
                None if high is None else Fraction(str(high)),
            )
