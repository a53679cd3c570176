"""What weights are worth on rows held out: right answers, and the gain with its interval."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from assent.embedded.translator import EmbeddedTranslator
from assent.errors import AssentError
from assent.logic.ast import Formula
from assent.logic.canonical import canonical_key
from assent.logic.equivalence import Verdict, equivalent
from assent_train.rows import LabelledPair

DRAWS = 2000


def right_on(translator: EmbeddedTranslator, rows: Sequence[LabelledPair]) -> list[bool]:
    """Is the best readable answer exactly equivalent to the reference? Nothing readable is wrong."""
    answers = translator.n_best([row.lifted for row in rows])
    return [
        bool(answer) and same(answer[0].formula, row.reference)
        for row, answer in zip(rows, answers, strict=True)
    ]


def same(formula: Formula, reference: Formula) -> bool:
    """Exactly equivalent; what cannot be decided in time, or not compared at all, counts as different."""
    try:
        if canonical_key(formula) == canonical_key(reference):
            return True
        return equivalent(formula, reference, budget=1.0).verdict is Verdict.EQUAL
    except AssentError:  # next beside decimal bounds, say: nobody vouches for it, and no run ends by it
        return False


def gain_of(
    before: Sequence[bool], after: Sequence[bool], clusters: Sequence[str], seed: int
) -> tuple[float, float, float]:
    """Mean gain with a 95 % bootstrap interval over clusters, since rows of one formula stand and fall together."""
    groups: dict[str, list[int]] = defaultdict(list)
    for was, now, name in zip(before, after, clusters, strict=True):
        groups[name].append(int(now) - int(was))
    members = [(sum(group), len(group)) for group in groups.values()]
    rng = random.Random(seed)
    means = []
    for _ in range(DRAWS):
        drawn = rng.choices(members, k=len(members))
        means.append(sum(total for total, _ in drawn) / sum(size for _, size in drawn))
    means.sort()
    mean = sum(total for total, _ in members) / sum(size for _, size in members)
    return mean, means[round(0.025 * DRAWS) - 1], means[round(0.975 * DRAWS)]
