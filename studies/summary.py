"""What the study must show, read off its own rows: one line a claim, with the figure and whether it is met."""

from __future__ import annotations

from dataclasses import dataclass

from gates import GatePower
from page import Numbers
from recording import OracleShare
from scores import ScoreRow
from tables import Shipped

from assent.evaluate.rows import OverBudget


@dataclass(frozen=True)
class Claim:
    """``met`` is None where nothing was aimed at."""

    claim: str
    aim: str
    found: str
    met: bool | None


def lines(numbers: Numbers) -> list[Claim]:
    return [*_cells(numbers), *_scores(numbers), *_oracle(numbers), *_half(numbers), *_gate(numbers)]


def _cells(numbers: Numbers) -> list[Claim]:
    """Cells over three s.e. under the rule that the structure calls for (clusters), and Split-CP on the same cells."""
    chosen: list[OverBudget] = []
    for rows in numbers.values():
        budgets = [row for row in rows if isinstance(row, OverBudget)]
        chosen += [row for row in budgets if row.unit == "cluster"] or budgets[:1]
    if not chosen:
        return []
    over, feasible = sum(row.crc_far_over for row in chosen), sum(row.crc_feasible for row in chosen)
    split, splits = sum(row.split_far_over for row in chosen), sum(row.split_feasible for row in chosen)
    claim = f"cells over alpha + 3 s.e., rule over clusters, {len(chosen)} matrices"
    return [
        Claim(claim, "0", f"{over} of {feasible}", over == 0),
        Claim("the same cells under split conformal prediction", "–", f"{split} of {splits}", None),
    ]


def _scores(numbers: Numbers) -> list[Claim]:
    out: list[Claim] = []
    for name, rows in numbers.items():
        by_score = {row.score: row for row in rows if isinstance(row, ScoreRow)}
        ours, theirs, size = (by_score.get(score) for score in ("default", "fusion", "size"))
        if ours is None or theirs is None:
            continue
        margin = ours.auroc - theirs.auroc
        who = name.removesuffix("_scores")
        interval = f"[{ours.margin_low or 0:.3f}, {ours.margin_high or 0:.3f}]"
        out.append(
            Claim(
                f"{who}: AUROC of the default score over the paper's fusion, pooled",
                "+0.10",
                f"{ours.auroc:.3f} - {theirs.auroc:.3f} = {margin:+.3f} {interval}",
                margin >= 0.10,
            )
        )
        if size is not None:
            claim = f"{who}: the same among candidates of equal tier and size (size alone: {size.auroc:.3f} pooled)"
            found = f"{ours.within_equal_size or 0:.3f} against {theirs.within_equal_size or 0:.3f}"
            out.append(Claim(claim, "–", found, None))
    return out


def _oracle(numbers: Numbers) -> list[Claim]:
    return [
        Claim(
            f"{name.removesuffix('_oracle')}: acceptance of the default score at {row.alpha:.2f}, tiers "
            f"together, rule over {row.unit}s, as a share of the oracle",
            "0.90",
            f"{row.acceptance:.3f} / {row.oracle:.3f} = {row.share:.3f}",
            row.share >= 0.9,
        )
        for name, rows in numbers.items()
        for row in rows
        if isinstance(row, OracleShare) and (row.score, row.group) == ("default", "all")
    ]


def _half(numbers: Numbers) -> list[Claim]:
    """Acceptance at 0.10 of the shipped policies, at least half of the oracle's in each logic."""
    return [
        Claim(
            f"new domains, {row.logic}: acceptance of the shipped policy at 0.10 as a share of the oracle",
            "0.50",
            f"{row.share_of_oracle:.3f}",
            row.share_of_oracle >= 0.5,
        )
        for row in numbers.get("shipped", ())
        if isinstance(row, Shipped) and row.alpha == 0.10 and row.register == "all"
    ]


def _gate(numbers: Numbers) -> list[Claim]:
    return [
        Claim(
            f"gate, {row.embedder}: false deferral at delta = 0.05, and share of shifted streams deferred",
            "at most 0.05",
            f"{row.false_deferral:.3f}, {row.mean_of_the_kinds:.3f}",
            row.low <= 0.05,
        )
        for row in numbers.get("gate_summary", ())
        if isinstance(row, GatePower)
    ]
