"""What stands behind the labels: references that contradict one another, exact against canonical, kinds of error."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np

from assent.calibrate.exact import AT_ONCE
from assent.evaluate.measure import MeasureSettings, parts
from assent.evaluate.rows import Conflict, ConflictCount, ErrorKind, LabelChange
from assent.logic.ast import Logic
from assent.logic.canonical import canonical_key
from assent.logic.equivalence import equivalent
from assent.logic.mutate import mutations
from assent.policy.labelled import Labelled
from assent.records import parse

TYPOLOGY_ROWS = 300
"""Wrong rows that are looked at; more change the shares little and cost minutes."""


def conflicts(data: Labelled) -> tuple[tuple[Conflict, ...], ConflictCount]:
    """Texts that occur with references of different meaning: their ids, and the error rate without them."""

    @cache
    def verdict(logic: Logic, one: str, other: str) -> str:
        return str(equivalent(parse(one, logic), parse(other, logic)).verdict)

    pairs: list[Conflict] = []
    affected: set[int] = set()
    for positions in _same_text(data):
        first = data.rows[positions[0]].evidence.instruction
        for i in positions[1:]:
            case = data.rows[i].evidence.instruction
            answer = verdict(first.logic, str(first.reference), str(case.reference))
            if answer != "equal":
                pairs.append(Conflict(first.id, case.id, answer))
                affected.update(positions)
    keep = np.ones(len(data), dtype=np.bool_)
    keep[list(affected)] = False
    without = float(data.wrong[keep].mean()) if keep.any() else None
    return tuple(pairs), ConflictCount(len(pairs), len(affected), float(data.wrong.mean()), without)


def _same_text(data: Labelled) -> list[list[int]]:
    """Positions of rows with one logic and one wording, where there are several, in the order of their first rows."""
    texts = data.columns.text
    ordered = np.sort(texts)
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    del ordered
    groups: dict[int, list[int]] = defaultdict(list)
    for start in range(0, len(texts) if len(repeated) else 0, AT_ONCE):
        some = texts[start : start + AT_ONCE]
        near = repeated[np.minimum(np.searchsorted(repeated, some), len(repeated) - 1)]
        for at in np.flatnonzero(near == some).tolist():
            groups[int(some[at])].append(start + at)
    return sorted(groups.values())


def labels(data: Labelled) -> tuple[LabelChange, ...]:
    """Where exact and canonical labels differ, and what that does to the error rate."""
    out: list[LabelChange] = []
    for name, part in parts(data):
        wrong, canonically = part.columns.wrong, part.columns.wrong_canonically
        changed = np.flatnonzero(wrong != canonically)
        ids = [part.rows[int(at)].id for at in changed[:12]]
        out.append(
            LabelChange(
                group=name,
                wrong_exact=int(wrong.sum()),
                wrong_canonical=int(canonically.sum()),
                labels_that_differ=len(changed),
                ids=", ".join(ids) + (" …" if len(changed) > 12 else ""),
            )
        )
    return tuple(out)


def typology(data: Labelled, settings: MeasureSettings) -> tuple[ErrorKind, ...]:
    """Which single typed mutation turns the candidate into the reference (canonically), by tier."""
    wrong = np.flatnonzero(data.columns.wrong)
    chosen = np.random.default_rng(settings.seed).permutation(len(wrong))[:TYPOLOGY_ROWS]
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in (data.rows[int(wrong[i])] for i in sorted(chosen)):
        case, candidate = row.evidence.instruction, row.evidence.formula
        if candidate is None:
            counts[row.tier]["unreadable"] += 1
            continue
        goal = canonical_key(parse(str(case.reference), case.logic))
        repairs = (
            m.kind for m in mutations(candidate, proven=lambda *_: True) if canonical_key(m.formula) == goal
        )
        counts[row.tier][str(next(repairs, "several or other"))] += 1
    kinds = sorted({kind for by_kind in counts.values() for kind in by_kind})
    return tuple(
        ErrorKind(kind, {tier: counts[tier].get(kind, 0) for tier in sorted(counts)}) for kind in kinds
    )
