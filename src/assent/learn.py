"""Recorded translations with references -> labelled rows -> a policy.

A label says whether the candidate means what its reference means, by the exact decider (or by canonical form,
and both are kept so that a report can say where they differ). Undecided is never right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from msgspec import structs

from assent.calibrate import capped, exact
from assent.calibrate.groups import group_rules
from assent.calibrate.metrics import risk_coverage
from assent.calibrate.policy import VOCABULARY, Fusion, Policy
from assent.calibrate.policy import Gate as PolicyGate
from assent.calibrate.recipe import Name, Recipe
from assent.calibrate.rules import CurvePoint
from assent.calibrate.ties import marks
from assent.errors import DataError, FormulaError, FragmentError, ModelError, UsageError
from assent.io.lines import read_rows
from assent.logic.ast import Formula, Logic, size
from assent.logic.canonical import canonical
from assent.logic.equivalence import equivalent
from assent.records import Evidence, group_of, parse
from assent.rows import evidence_of
from assent.score import channels as ch
from assent.score.agreement import score as agreement
from assent.score.offline import DEFAULT
from assent.score.roundtrip import disagreement
from assent.score.single import suspicion

Level = Literal["exact", "canonical"]
SIZE = "size"
DRAWS = 100
"""Resamples behind the acceptance to expect."""
SIZE_SCALE = 60  # operators at which the size baseline saturates
Scorer = Callable[[Sequence[Evidence]], Mapping[str, Sequence[float]]]


@dataclass(frozen=True)
class Row:
    """One labelled translation. ``tier`` is the declared group (else by the reference), ``group`` the one that
    is known at run time; ``decided`` is False where the decider ran out of budget."""

    evidence: Evidence
    tier: str
    group: str
    cluster: str | None
    wrong: bool
    wrong_canonically: bool
    decided: bool
    scores: Mapping[str, float]

    @property
    def id(self) -> str:
        return self.evidence.instruction.id

    @property
    def text(self) -> str:
        return self.evidence.instruction.text


@dataclass(frozen=True)
class Labelled:
    """Labelled rows as columns."""

    rows: tuple[Row, ...]
    level: Level = "exact"

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def wrong(self) -> npt.NDArray[np.bool_]:
        flags = [row.wrong if self.level == "exact" else row.wrong_canonically for row in self.rows]
        return np.array(flags, dtype=np.bool_)

    @cached_property
    def clusters(self) -> npt.NDArray[np.int64] | None:
        """Cluster numbers, or None unless every row declares its cluster."""
        if any(row.cluster is None for row in self.rows):
            return None
        return exact.codes([str(row.cluster) for row in self.rows], len(self.rows))[0]

    @property
    def channels(self) -> tuple[str, ...]:
        """Channels that every row has, in the order of first appearance."""
        counts = Counter(name for row in self.rows for name in row.scores)
        return tuple(name for name, count in counts.items() if count == len(self.rows))

    def scores(self, channel: str) -> npt.NDArray[np.float64]:
        missing = sum(channel not in row.scores for row in self.rows)
        if missing:
            raise UsageError(
                f"the channel {channel!r} was not recorded in {missing} of {len(self)} rows; "
                f"complete channels: {', '.join(self.channels) or 'none'}"
            )
        return np.array([row.scores[channel] for row in self.rows], dtype=np.float64)

    def where(self, keep: Callable[[Row], bool]) -> Labelled:
        return replace(self, rows=tuple(row for row in self.rows if keep(row)))

    def take(self, positions: Iterable[int]) -> Labelled:
        return replace(self, rows=tuple(self.rows[i] for i in positions))

    def with_scores(self, more: Mapping[str, Sequence[float]]) -> Labelled:
        """The same rows with further channels, one value a row."""
        rows = tuple(
            replace(row, scores={**row.scores, **{name: float(values[i]) for name, values in more.items()}})
            for i, row in enumerate(self.rows)
        )
        return replace(self, rows=rows)

    @property
    def tiers(self) -> tuple[str, ...]:
        return tuple(sorted({row.tier for row in self.rows}))


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
    verdicts: dict[tuple[str, str, Logic], tuple[bool, bool, bool]] = {}
    rows: list[Row] = []
    others: set[str] = set()
    for line, raw in progress(read_rows(path, unique=True)):
        evidence = evidence_of(raw, logic=logic, system=system, file=str(path), line=line)
        if logic is not None and evidence.instruction.logic.value != logic:
            others.add(evidence.instruction.logic.value)
            continue
        rows.append(_label(evidence, verdicts, str(path), line))
    if not rows and others:
        raise UsageError(f"{path} has no row in {logic}, only in {', '.join(sorted(others))}")
    if not rows:
        raise DataError("the file has no rows", file=str(path))
    labelled = Labelled(_told_apart(rows), level)
    if scorer is not None:
        labelled = labelled.with_scores(scorer([row.evidence for row in labelled.rows]))
    return labelled


def _told_apart(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Tiers of different logics are different tiers."""
    if len({row.evidence.instruction.logic for row in rows}) == 1:
        return tuple(rows)
    return tuple(replace(row, tier=f"{row.evidence.instruction.logic.value} {row.tier}") for row in rows)


def _label(
    evidence: Evidence,
    verdicts: dict[tuple[str, str, Logic], tuple[bool, bool, bool]],
    file: str,
    line: int,
) -> Row:
    case = evidence.instruction
    if case.reference is None:
        raise DataError("no reference: a label needs the formula that is right", file=file, line=line)
    if evidence.draft is None:
        why = "" if evidence.failure is None else f" (the translation failed: {evidence.failure})"
        raise DataError(f"no candidate{why}: run 'assent collect' first, or give one", file=file, line=line)
    if evidence.censored:
        raise DataError(
            f"the scores {', '.join(evidence.censored)} were cut short by lazy scoring and cannot calibrate: "
            "collect again without --lazy",
            file=file,
            line=line,
        )
    try:
        reference = parse(case.reference, case.logic)
    except (FormulaError, FragmentError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"the reference cannot be read: {reason}", file=file, line=line) from error
    candidate = evidence.draft.primary.tree(case.logic)
    if candidate is None:
        wrong, wrong_canonically, decided = True, True, True
    else:
        key = (str(evidence.draft.primary.formula), case.reference, case.logic)
        if key not in verdicts:
            verdicts[key] = _compare(candidate, reference)
        wrong, wrong_canonically, decided = verdicts[key]
    return Row(
        evidence=structs.replace(evidence, calls=(), prompts={}),
        tier=case.group or group_of(case.logic, reference),
        group=evidence.group or "unreadable",
        cluster=case.cluster,
        wrong=wrong,
        wrong_canonically=wrong_canonically,
        decided=decided,
        scores=_scores(evidence, candidate, file, line),
    )


def _compare(candidate: Formula, reference: Formula) -> tuple[bool, bool, bool]:
    canonically = canonical(candidate) == canonical(reference)
    if canonically:
        return False, False, True
    verdict = equivalent(candidate, reference).verdict
    return verdict != "equal", True, verdict != "unknown"


def _scores(evidence: Evidence, candidate: Formula | None, file: str, line: int) -> dict[str, float]:
    """The recorded scores, and those that can be computed from what was recorded."""
    found = {score.name: score.value for score in evidence.scores}
    logic = evidence.instruction.logic
    draft = evidence.draft
    parts: dict[str, Fraction] = {}
    if candidate is None:  # whatever a judge would have said: it cannot be used
        parts |= dict.fromkeys(ch.JUDGES, Fraction(1))
        found.setdefault(DEFAULT, 1.0)
    else:
        try:
            for name, ratings in ((ch.BACK_TRANSLATION, evidence.judge), (ch.DIRECT, evidence.direct_judge)):
                if ratings is not None:
                    parts[name] = disagreement(ratings, logic)
            if evidence.single_question is not None:
                parts[ch.SINGLE] = suspicion(evidence.single_question)
        except ModelError as error:
            raise DataError(str(error), file=file, line=line) from error
    if draft is not None and draft.samples:
        parts[ch.SELF_CONSISTENCY] = agreement(draft.samples, logic)
    for score in ch.scores_of(parts):
        found.setdefault(score.name, score.value)
    found[SIZE] = 1.0 if candidate is None else min(1.0, size(candidate) / SIZE_SCALE)
    return found


def small_group_fallback(labelled: Labelled, minimum: int) -> dict[str, str]:
    """Groups of fewer than ``minimum`` rows share one rule; chosen by size alone."""
    from assent.calibrate.groups import small_groups

    return small_groups([row.group for row in labelled.rows], minimum) if minimum > 0 else {}


def make_policy(
    labelled: Labelled,
    *,
    alpha: exact.Level,
    channel: str,
    fingerprint: Mapping[str, str],
    fusion: Fusion | None = None,
    fallback: Mapping[str, str] | None = None,
    rule: Name = "risk",
    over_pairs: bool = False,
    delta: exact.Level | None = None,
    max_size: int | None = None,
    ceiling: float = 1.0,
    fit: Labelled | None = None,
    tie_secret: str | None = None,
    gate: PolicyGate | None = None,
    deferred: npt.ArrayLike | None = None,
    any_vocabulary: bool = False,
    provenance: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> Policy:
    """Rules for every run-time group of the rows, by cluster where clusters are declared.

    ``rule`` and its options are those of ``calibrate.recipe``; ``fit`` are other rows, for the steps of the
    conditional rule.
    """
    scores, wrong = labelled.scores(channel), labelled.wrong
    groups = [row.group for row in labelled.rows]
    clusters = labelled.clusters
    recipe = Recipe(
        alpha=alpha,
        name=rule,
        delta=delta,
        over_pairs=over_pairs,
        max_size=max_size,
        ceiling=ceiling,
        seed=seed,
    )
    rules = group_rules(
        scores,
        wrong,
        groups,
        recipe=recipe,
        clusters=clusters,
        fallback=fallback,
        deferred=deferred,
        ties=None if tie_secret is None else marks(tie_secret, [row.text for row in labelled.rows]),
        fit=None if fit is None else _scores_by_group(fit, channel),
        draws=DRAWS,
    )
    rules.rules.pop("unreadable", None)
    rules.expected.pop("unreadable", None)
    curves: dict[str, tuple[CurvePoint, ...]] = {}
    for name in rules.rules:
        here = np.array([rules.fallback.get(g, g) == name for g in groups])
        curves[name] = risk_coverage(scores[here], wrong[here], points=40)
    return Policy(
        alpha=float(exact.level(alpha)),
        rules=rules.rules,
        fallback=rules.fallback,
        fingerprint=dict(fingerprint),
        channel=channel,
        reported=_reported(labelled),
        fusion=fusion,
        equivalence=labelled.level,
        delta=None if delta is None else float(exact.level(delta, "delta")),
        gate=gate,
        tie_secret=tie_secret,
        scores=tuple(scores[_one_each(clusters, deferred, len(scores), seed)].tolist()),
        curves=curves,
        expected=rules.expected,
        provenance={
            "rows": len(labelled),
            "errors": int(wrong.sum()),
            **({} if ceiling == 1.0 else {"ceiling": ceiling}),
            **(provenance or {}),
        },
        warnings=tuple(dict.fromkeys(w for made in rules.rules.values() for w in made.warnings)),
        vocabularies=_vocabularies(labelled),
        any_vocabulary=any_vocabulary,
    )


def _scores_by_group(rows: Labelled, channel: str) -> dict[str, npt.ArrayLike]:
    values = rows.scores(channel)
    groups = np.array([row.group for row in rows.rows], dtype=object)
    return {str(group): values[groups == group] for group in dict.fromkeys(groups.tolist())}


def _vocabularies(labelled: Labelled) -> tuple[str, ...]:
    """Where the rows had their names from; nothing where some row does not say."""
    found = {row.evidence.made_by.get(VOCABULARY) for row in labelled.rows}
    return tuple(sorted(name for name in found if name)) if None not in found else ()


def _reported(labelled: Labelled) -> dict[str, str]:
    """Which model the endpoints said they were, by role; rows of two models are not rows of one translator."""
    found: dict[str, str] = {}
    for row in labelled.rows:
        for role, served in row.evidence.reported.items():
            if found.setdefault(role, served) != served:
                raise UsageError(
                    f"the endpoint changed its model for {role} while the rows were collected ({found[role]}, then "
                    f'{served}): collect again, or with reported = "ignore" in the model\'s section'
                )
    return found


def _one_each(
    clusters: npt.NDArray[np.int64] | None, deferred: npt.ArrayLike | None, n: int, seed: int
) -> npt.NDArray[np.int64]:
    """Positions of one random row a cluster among those that pass the gate: what the drift alarm starts from."""
    passed = np.arange(n) if deferred is None else np.flatnonzero(~np.asarray(deferred, dtype=np.bool_))
    return passed if clusters is None else passed[capped(clusters[passed], 1, seed=seed)]
