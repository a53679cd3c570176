"""Labelled evidence -> a policy: fingerprint, leakage, gate, groups, rules.

What deployment would do with a row (gate, doubts, failures, an unreadable candidate) is what is counted here:
such a row is an abstention with loss 0, and it is part of the population.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import structs

from assent.calibrate import capped, exact
from assent.calibrate.exact import marks
from assent.calibrate.groups import GroupColumn, group_rules, small_groups
from assent.calibrate.leakage import refuse_overlap
from assent.calibrate.metrics import risk_coverage
from assent.calibrate.recipe import Recipe
from assent.calibrate.rules import CurvePoint, Fusion
from assent.embedded.memory import FILE, Memory
from assent.errors import UsageError
from assent.policy.labelled import Labelled
from assent.policy.policy import ALL, GateSettings, Grouping, Policy
from assent.records import Accepted, parse
from assent.scoring import BACK_TRANSLATION, DEFAULT, FUSION, SELF_CONSISTENCY

DRAWS = 100
"""Resamples behind the acceptance to expect."""
PREFERRED = (DEFAULT, FUSION, BACK_TRANSLATION, SELF_CONSISTENCY)
"""The channel that is calibrated, reported and planned with unless one is named: the first that every row has."""
RECORDED = "recorded"
WITHHELD = "withheld"
"""The group of rows without a readable candidate where rules are made by tier: none of them can be accepted."""


@dataclass(frozen=True, kw_only=True)
class PolicyPlan:
    """How a policy is to be made from labelled rows.

    ``channel`` None is the first of ``PREFERRED`` that was recorded. ``fit`` are other rows, from which the
    conditional rule takes its steps. ``gate`` is what the evidence was collected behind; its deferrals and the
    threshold are calibrated as one loss.
    """

    recipe: Recipe
    channel: str | None = None
    grouping: Grouping = "tier"
    min_group: int = 0
    fusion: Fusion | None = None
    tie_secret: str | None = None
    gate: GateSettings | None = None
    any_vocabulary: bool = False
    stream: str = ""
    fit: Labelled | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)


def default_channel(data: Labelled, named: str | None = None) -> str:
    """The channel to use: the one named, or the first preferred one that every row has."""
    if named is not None:
        data.scores(named)  # says which rows lack it
        return named
    channel = next((name for name in PREFERRED if name in data.channels), None)
    if channel is None:
        raise UsageError("no score was recorded in every row: run 'assent collect' on the file first")
    return channel


def make_policy(data: Labelled, plan: PolicyPlan) -> Policy:
    """Rules for every group of the rows, by cluster where clusters are declared."""
    recipe, channel = plan.recipe, default_channel(data, plan.channel)
    one_logic(data)
    fingerprint = fingerprint_of(data)
    refuse_pairs_of_clusters(data, recipe)
    scores, wrong, clusters = data.scores(channel), data.wrong, data.clusters
    groups = grouped(data, plan.grouping)
    kept = data.reasons(None if plan.gate is None else plan.gate.delta)
    away = ~kept.equal(None)
    rules = group_rules(
        scores,
        wrong,
        groups,
        recipe=recipe,
        clusters=clusters,
        fallback=small_groups(groups, plan.min_group) if plan.min_group > 0 else None,
        deferred=away,
        ties=None if plan.tie_secret is None else marks(plan.tie_secret, (row.text for row in data.rows)),
        fit=None if plan.fit is None else _scores_by_group(plan.fit, channel, plan.grouping),
        draws=DRAWS,
    )
    rules.rules.pop(WITHHELD, None)
    rules.expected.pop(WITHHELD, None)
    reasons = {item.value: rows for item, rows in kept.counts().items() if item is not None}
    made = Policy(
        alpha=float(exact.level(recipe.alpha)),
        rules=rules.rules,
        fallback=rules.fallback,
        fingerprint=fingerprint,
        channel=channel,
        reported=_reported(data),
        fusion=plan.fusion,
        equivalence=data.level,
        delta=None if recipe.delta is None else float(exact.level(recipe.delta, "delta")),
        gate=plan.gate,
        tie_secret=plan.tie_secret,
        scores=tuple(scores[_one_each(clusters, away, recipe.seed)].tolist()),
        curves=_curves(rules.rules, groups.sent(rules.fallback), scores, data, away),
        expected=rules.expected,
        provenance={
            "rows": len(data),
            "errors": int(wrong.sum()),
            **({"withheld": reasons} if reasons else {}),
            **({} if recipe.ceiling == 1.0 else {"ceiling": recipe.ceiling}),
            **plan.provenance,
        },
        warnings=tuple(dict.fromkeys(w for made in rules.rules.values() for w in made.warnings)),
        vocabularies=_vocabularies(data),
        any_vocabulary=plan.any_vocabulary,
        grouping=plan.grouping,
        stream=plan.stream,
    )
    inside = without_promise(data, made)
    return structs.replace(made, provenance={**made.provenance, "inside": inside}) if inside else made


def without_promise(data: Labelled, policy: Policy) -> dict[str, dict[str, float]]:
    """Registers, and tiers where no rule is for them: what the rows of each show, although nothing is promised for it.

    An honest average may hide a part that runs above alpha. Risk and acceptance are per row, on the calibration rows.
    """
    parts: dict[str, npt.NDArray[np.bool_]] = {}
    columns = data.columns
    for column in (columns.register, columns.tier) if policy.grouping == "all" else (columns.register,):
        for name in column.present:
            if name is not None:
                parts[name] = parts.get(name, np.zeros(len(data), dtype=np.bool_)) | column.equal(name)
    if len(parts) < 2:
        return {}
    decided = (isinstance(policy.decide(row.evidence), Accepted) for row in data.rows)
    accepted = np.fromiter(decided, dtype=np.bool_)
    return {
        name: {
            "rows": int(at.sum()),
            "risk": round(float((accepted & data.wrong)[at].mean()), 4),
            "acceptance": round(float(accepted[at].mean()), 4),
        }
        for name, at in sorted(parts.items())
    }


def groups_of(data: Labelled, grouping: Grouping) -> list[str]:
    """The group of each row, by what is known at run time."""
    groups = grouped(data, grouping)
    return [groups.names[code] for code in groups.codes.tolist()]


def grouped(data: Labelled, grouping: Grouping) -> GroupColumn:
    """``groups_of`` as a column."""
    if grouping == "all":
        return GroupColumn((ALL,), np.zeros(len(data), dtype=np.uint8))
    candidate = data.columns.candidate
    return GroupColumn(tuple(tier or WITHHELD for tier in candidate.names), candidate.codes)


# ---- what is refused -------------------------------------------------------------------------------------


def one_logic(data: Labelled) -> None:
    """Refuse rows of several logics: a policy is for one of them."""
    logics = sorted(data.columns.logic.present)
    if len(logics) > 1:
        raise UsageError(
            f"the file has rows in {', '.join(logics)}: a policy is for one of them, choose with --logic"
        )


def refuse_pairs_of_clusters(data: Labelled, recipe: Recipe) -> None:
    """A rule over pairs that holds with high probability needs independent pairs; members of a cluster are not."""
    if recipe.over_pairs and recipe.delta is not None and data.clusters is not None:
        raise UsageError(
            "--unit pair with --delta needs independent rows, and these rows declare clusters: leave --unit out (one "
            "random member of each cluster is used), or drop --delta"
        )


def refuse_training_rows(data: Labelled, sources: Mapping[str, Iterable[Mapping[str, Any]] | Path]) -> None:
    """Rows that trained a model, chose a score or fitted a fusion cannot calibrate, by id, text or cluster.

    A source is rows, or the path of what 'assent train' wrote: its folder, or the file in it.
    """
    for name, source in sources.items():
        if isinstance(source, Path):
            cases = (row.evidence.instruction for row in data.rows)
            pairs = ((case.text, parse(str(case.reference), case.logic)) for case in cases)
            Memory.load(source).refuse(pairs, name)
        else:
            refuse_overlap({"the calibration rows": data.rows, name: source})


def is_memory(path: str | Path) -> bool:
    """Whether a path is what 'assent train' remembers of its rows."""
    return Path(path).is_dir() or Path(path).name == FILE


def fingerprint_of(data: Labelled) -> dict[str, str]:
    """What made the rows, one for all of them; where names came from may differ from row to row."""
    made_by = data.columns.made_by.present
    if len(made_by) > 1:
        raise UsageError(
            "the rows were made by different models, prompts or versions: calibrate each by itself"
        )
    found = {"logic": data.columns.logic.present[0], **dict(made_by[0])}
    if found.get("translator", RECORDED) == RECORDED:
        raise UsageError(
            "the rows do not say which system made them, so that a policy from them would be used for any system: name "
            "it with --system NAME, or give each row the field 'made_by' or 'system'"
        )
    return found


# ---- what a policy remembers -----------------------------------------------------------------------------


def _curves(
    rules: Mapping[str, object],
    groups: GroupColumn,
    scores: npt.NDArray[np.float64],
    data: Labelled,
    away: npt.NDArray[np.bool_],
) -> dict[str, tuple[CurvePoint, ...]]:
    """Risk against coverage for each rule; what deployment withholds counts as never accepted."""
    wrong, clusters = data.wrong, data.clusters
    curves: dict[str, tuple[CurvePoint, ...]] = {}
    for name in rules:
        flags = groups.equal(name)
        here = slice(None) if flags.all() else flags
        curves[name] = risk_coverage(
            scores[here],
            wrong[here],
            clusters=None if clusters is None else clusters[here],
            deferred=away[here],
            points=40,
        )
    return curves


def _scores_by_group(rows: Labelled, channel: str, grouping: Grouping) -> dict[str, npt.ArrayLike]:
    values, groups = rows.scores(channel), grouped(rows, grouping).sent({})
    return {name: values[groups.equal(name)] for name in groups.names}


def _vocabularies(data: Labelled) -> tuple[str, ...]:
    """Where the rows had their names from; nothing where some row does not say."""
    found = data.columns.vocabulary.present
    return tuple(sorted(name for name in found if name)) if None not in found else ()


def _reported(data: Labelled) -> dict[str, str]:
    """Which model the endpoints said they were, by role; rows of two models are not rows of one translator."""
    found: dict[str, str] = {}
    for reported in data.columns.reported.present:
        for role, served in reported:
            if found.setdefault(role, served) != served:
                raise UsageError(
                    f"the endpoint changed its model for {role} while the rows were collected ({found[role]}, then "
                    f'{served}): collect again, or with reported = "ignore" in the model\'s section'
                )
    return found


def _one_each(
    clusters: npt.NDArray[np.int64] | None, away: npt.NDArray[np.bool_], seed: int
) -> npt.NDArray[np.int64]:
    """Positions of one random row a cluster among those not kept back: what the drift alarm starts from."""
    passed = np.flatnonzero(~away)
    return passed if clusters is None else passed[capped(clusters[passed], 1, seed=seed)]
