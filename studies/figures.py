"""Figures of the study, drawn from the rows of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
from gates import GatePower
from page import Numbers
from recording import OracleShare

from assent.evaluate.plots import COLOURS, Figure, draw
from assent.evaluate.rows import Acceptance, MatrixLine, Ranking
from assent.evaluate.table import ABSTAINED

CHANNELS = ("self_consistency", "back_translation", "fusion", "default", "size")


def auroc(numbers: Numbers) -> list[Figure]:
    """AUROC by channel with its interval, tiers together, a panel for each translator."""
    # The same rows are on the page twice where two scores are calibrated on them; one panel is enough.
    sets = {
        name.removesuffix("_auroc"): rankings
        for name, rows in numbers.items()
        if not name.endswith("_fusion_auroc") and (rankings := [r for r in rows if isinstance(r, Ranking)])
    }
    if not sets:
        return []

    def paint(axes: list[Any]) -> None:
        for axis, (name, rows) in zip(axes, sets.items(), strict=True):
            pooled = [row for row in rows if row.group == "all"] or rows
            shown = [row for c in CHANNELS for row in pooled if row.channel == c and row.value is not None]
            for y, row in enumerate(shown):
                value, low, high = (float(part or 0) for part in (row.value, row.low, row.high))
                colour = COLOURS[1] if row.channel == "default" else COLOURS[0]
                axis.errorbar(value, y, xerr=[[max(0.0, value - low)], [max(0.0, high - value)]], fmt="o", ms=4,
                              color=colour, capsize=2)  # fmt: skip
            axis.set_yticks(range(len(shown)), [row.channel for row in shown])
            axis.axvline(0.5, color="black", lw=0.6, ls=":")
            axis.set(xlim=(0.3, 1.0), xlabel="AUROC", title=name.replace("_", " "))

    return [
        draw("auroc", "AUROC by channel, tiers together, 95 % cluster bootstrap", paint, len(sets), across=3)
    ]


def _points(line: MatrixLine) -> list[tuple[float, float, float]]:
    """Alpha, risk and standard error; a rule that abstains has risk 0."""
    return [
        (alpha, 0.0, 0.0) if cell.mark == ABSTAINED else (alpha, cell.value, cell.se)
        for alpha, cell in line.cells.items()
    ]


def risk(numbers: Numbers, method: str) -> list[Figure]:
    """Joint risk against its budget, a panel for each translator."""
    sets = {
        name.removesuffix("_compliance"): [
            r for r in rows if isinstance(r, MatrixLine) and r.method == method
        ]
        for name, rows in numbers.items()
        if name.endswith("_compliance") and not name.startswith("systems")
    }
    if not sets:
        return []

    def paint(axes: list[Any]) -> None:
        for axis, (name, rows) in zip(axes, sets.items(), strict=True):
            for colour, line in zip(cycle(COLOURS), rows, strict=False):
                x, y, e = (list(column) for column in zip(*_points(line), strict=True))
                axis.errorbar(x, y, yerr=e, marker="o", ms=3, label=line.group, color=colour, capsize=2)
            axis.plot([0, 0.32], [0, 0.32], color="black", lw=0.8, ls="--")
            axis.set(xlabel="α", ylabel="joint risk", title=name.replace("_", " "))
            axis.legend(fontsize=7)

    rule = {"crc": "conformal risk control", "split": "split conformal prediction"}[method]
    return [
        draw(
            f"risk_{method}",
            f"Joint risk against α under {rule} (dashed: the budget)",
            paint,
            len(sets),
            across=3,
        )
    ]


def acceptance(numbers: Numbers) -> list[Figure]:
    """Acceptance at alpha = 0.10 beside the oracle's, by translator and tier."""
    bars: list[tuple[str, float, float]] = []
    for name, rows in numbers.items():
        if name.startswith("systems"):
            continue
        lines = [row for row in rows if isinstance(row, Acceptance) and row.alpha == 0.10]
        unit = "cluster" if any(row.unit == "cluster" for row in lines) else "pair"
        who = name.removesuffix("_ledger").replace("_", " ")
        bars += [(f"{who} {row.group}", row.acceptance, row.oracle) for row in lines if row.unit == unit]
    if not bars:
        return []

    def paint(axes: list[Any]) -> None:
        y = np.arange(len(bars))[::-1]
        axes[0].barh(y, [accepted for _, accepted, _ in bars], color=COLOURS[0], height=0.7)
        axes[0].plot([oracle for *_, oracle in bars], y, "|", color="black", ms=8, label="oracle")
        axes[0].set_yticks(y, [label for label, *_ in bars], fontsize=6)
        axes[0].set(xlim=(0, 1.02), xlabel="acceptance at α = 0.10")
        axes[0].figure.set_size_inches(7, 1.2 + 0.17 * len(bars))
        axes[0].legend()

    return [draw("acceptance", "Acceptance against the oracle, rules over clusters", paint)]


def oracle(name: str, rows: Sequence[OracleShare]) -> list[Figure]:
    """Share of the oracle's acceptance on the recorded run."""
    pooled = [row for row in rows if row.group == "all"]
    if not pooled:
        return []

    def paint(axes: list[Any]) -> None:
        for axis, alpha in zip(axes, (0.05, 0.10), strict=True):
            shown = [row for row in pooled if row.alpha == alpha]
            labels = [f"{row.score} ({row.unit})" for row in shown]
            y = np.arange(len(shown))[::-1]
            axis.barh(y, [row.share for row in shown], color=COLOURS[0])
            axis.axvline(0.9, color="black", lw=0.8, ls="--")
            axis.set_yticks(y, labels, fontsize=7)
            axis.set(xlim=(0, 1.02), xlabel="share of the oracle's acceptance", title=f"α = {alpha:.2f}")

    return [
        draw(f"oracle_{name}", f"{name}, tiers together: share of the oracle (dashed: aim)", paint, panels=2)
    ]


def gate(rows: Sequence[GatePower]) -> list[Figure]:
    """Mean share deferred by kind of shift and embedder."""
    if not rows:
        return []
    kinds = [*rows[0].kinds, "mean of the kinds"]

    def paint(axes: list[Any]) -> None:
        width = 0.8 / len(rows)
        for k, (colour, row) in enumerate(zip(cycle(COLOURS), rows, strict=False)):
            x = np.arange(len(kinds) + 1) + k * width
            values = [row.false_deferral, *row.kinds.values(), row.mean_of_the_kinds]
            axes[0].bar(x, values, width, label=row.embedder, color=colour)
        axes[0].axhline(0.05, color="black", lw=0.8, ls="--")
        axes[0].set_xticks(
            np.arange(len(kinds) + 1) + 0.3, ["no shift", *kinds], rotation=25, ha="right", fontsize=7
        )
        axes[0].set(ylim=(0, 1.02), ylabel="share deferred (dashed: δ)")
        axes[0].figure.set_size_inches(8.5, 3.8)
        axes[0].legend(fontsize=7)

    return [draw("gate_power", "The gate: share deferred, by kind of shift and embedder", paint)]


def all_of(numbers: Numbers) -> list[Figure]:
    """Every figure that the numbers allow."""
    made = [*auroc(numbers), *risk(numbers, "crc"), *risk(numbers, "split"), *acceptance(numbers)]
    for name, rows in numbers.items():
        if name.endswith("_oracle"):
            made += oracle(
                name.removesuffix("_oracle"), [row for row in rows if isinstance(row, OracleShare)]
            )
    return made + gate([row for row in numbers.get("gate_summary", ()) if isinstance(row, GatePower)])
