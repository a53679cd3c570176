"""What the judge's scripts share: candidates with labels from the bench and from recordings, AUROC within size."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assent.embedded import Embedded
from assent.embedded.translator import OTHER_UNTIL, Translation
from assent.errors import AssentError
from assent.lift import Lifted
from assent.logic.ast import Formula, Logic, size
from assent.logic.canonical import canonical_key
from assent.logic.equivalence import cluster
from assent.logic.parse import read
from assent.logic.render import write
from assent.vocabulary import Vocabulary, load_sections
from assent_train import written
from assent_train.measure import same
from assent_train.written.compose import held_out

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("ASSENT_SHARED", ROOT.parent / "shared"))


@dataclass(frozen=True)
class Case:
    """One candidate with its label (1 = wrong) and what the translator's samples said."""

    lifted: Lifted
    formula: Formula
    wrong: int
    disagreement: float
    size: int
    group: str
    cluster: str
    drawn: bool = False
    """One of the translator's draws, not its answer."""
    until_alone: bool = False
    """Wrong only where an until is read weak for strong, or strong for weak: the two benches differ about a bare one."""


def bench_rows(logic: str, parts: Sequence[str]) -> list[dict[str, Any]]:
    """Rows of both benches whose cluster or domain is in one of ``parts``."""
    partition = json.loads((ROOT / "bench/partition.json").read_text(encoding="utf-8"))
    lines = (ROOT / f"bench/{logic}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if partition.get(row["cluster"]) in parts]
    return [*rows, *domain_rows(logic, parts)]


def domain_rows(logic: str, parts: Sequence[str]) -> list[dict[str, Any]]:
    """Rows of the bench of new domains."""
    partition = json.loads((ROOT / "bench/domains/partition.json").read_text(encoding="utf-8"))
    lines = (ROOT / "bench/domains/requirements.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["logic"] == logic]
    return [{"group": row["register"], **row} for row in rows if partition[row["domain"]] in parts]


def fit_rows(logic: str) -> list[dict[str, Any]]:
    """What rules are fitted on: the parts ``fit`` of both benches, and written domains that no network is trained on."""
    return [*bench_rows(logic, ["fit"]), *written_rows(logic)]


def written_rows(logic: str) -> list[dict[str, Any]]:
    """Rows of the written corpus in the domains that no network is trained on."""
    return [
        {
            "id": row.id,
            "text": row.text,
            "logic": logic,
            "domain": row.domain,
            "reference": write(row.formula),
            "group": "written",
            "cluster": row.domain,
        }
        for row in written.rows()
        if row.logic.value == logic and row.formula is not None and held_out(row.domain)
    ]


def bench_names() -> dict[str, Vocabulary]:
    """The names of every domain of both benches, and of the written corpus."""
    return {
        **written.vocabularies(),
        **load_sections(ROOT / "bench/domains/vocabulary.json"),
        **load_sections(ROOT / "bench/vocabulary.json"),
    }


def disagreement(formulas: Sequence[Formula | None]) -> float:
    """1 - share of the largest group of equivalent samples."""
    groups = cluster(list(formulas))
    return 1 - max(groups.count(number) for number in set(groups)) / len(groups)


def own_output(
    models: Embedded, rows: Sequence[dict[str, Any]], *, also_samples: bool = False
) -> Iterator[Case]:
    """The embedded translator's answers on bench rows; with ``also_samples``, its distinct draws too."""
    sections = bench_names()
    for row in rows:
        try:
            lifted = models.lift(row["text"], row["logic"], sections[row["domain"]])
        except AssentError:
            continue
        best = models.translate(lifted)
        if best is None:
            continue
        reference = read(row["reference"], row["logic"])
        drawn = [sample.formula if sample else None for sample in models.samples(lifted, range(5))]
        share = disagreement(drawn)
        candidates = {canonical_key(best.formula): best.formula}
        if also_samples:
            candidates.update({canonical_key(f): f for f in drawn if f is not None})
        for number, formula in enumerate(candidates.values()):
            wrong = int(not same(formula, reference))
            yield Case(
                lifted,
                formula,
                wrong,
                share,
                size(formula),
                row["group"],
                row["cluster"],
                drawn=number > 0,
                until_alone=bool(wrong) and number == 0 and until_apart(lifted, best, reference),
            )


def until_apart(lifted: Lifted, answer: Translation, reference: Formula) -> bool:
    """Whether the answer is right with its untils strong where they are weak, and the other way round."""
    try:
        other = lifted.restore(tuple(OTHER_UNTIL.get(token, token) for token in answer.tokens))
    except AssentError:
        return False
    return same(other, reference)


def recorded(models: Embedded, *, level: str = "canonical") -> Iterator[Case]:
    """A frontier model's answers (NL2TL, LTL). Only for measuring, never for fitting."""
    for line in (SHARED / "recorded/llm_ltl.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        lifted = models.lift(row["text"], row["logic"])
        try:
            formula = read(row["candidate"], Logic.LTL)
        except AssentError:
            continue
        samples: list[Formula | None] = []
        for text in row["samples"]:
            try:
                samples.append(read(text, Logic.LTL))
            except AssentError:
                samples.append(None)
        reference = read(row["reference"], Logic.LTL)
        right = (
            canonical_key(formula) == canonical_key(reference)
            if level == "canonical"
            else same(formula, reference)
        )
        yield Case(
            lifted,
            formula,
            int(not right),
            disagreement(samples),
            size(formula),
            row["group"],
            row["cluster"],
        )


def auroc(scores: Sequence[float], wrong: Sequence[int]) -> float:
    """Probability that a wrong one scores higher than a right one, ties half; nan without both kinds."""
    values, labels = np.asarray(scores, float), np.asarray(wrong, bool)
    bad, good = values[labels], values[~labels]
    if not len(bad) or not len(good):
        return float("nan")
    pairs = bad[:, None] - good[None]
    return float(((pairs > 0) + 0.5 * (pairs == 0)).mean())


def auroc_within(scores: Sequence[float], wrong: Sequence[int], strata: Sequence[Any]) -> float:
    """The same among pairs of one stratum only."""
    groups: dict[Any, list[int]] = defaultdict(list)
    for index, stratum in enumerate(strata):
        groups[stratum].append(index)
    total = pairs = 0.0
    for members in groups.values():
        labels = [wrong[i] for i in members]
        count = sum(labels) * (len(labels) - sum(labels))
        if count:
            total += count * auroc([scores[i] for i in members], labels)
            pairs += count
    return total / pairs if pairs else float("nan")
