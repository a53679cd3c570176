"""Figures of the study, drawn from the rows of its tables."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np

from assent.evaluate.measure import Rows
from assent.evaluate.plots import COLOURS, Figure, draw

CHANNELS = ("self_consistency", "back_translation", "fusion", "default", "size")


def auroc(numbers: dict[str, Rows]) -> list[Figure]:
    """AUROC by channel with its interval, tiers together, a panel for each translator."""
    sets = {name.removesuffix("_auroc"): rows for name, rows in numbers.items() if name.endswith("_auroc")}
    # The same rows are on the page twice where two scores are calibrated on them; one panel is enough.
    sets = {
        n: rows for n, rows in sets.items() if rows and "channel" in rows[0] and not n.endswith("_fusion")
    }
    if not sets:
        return []

    def paint(axes: list[Any]) -> None:
        for axis, (name, rows) in zip(axes, sets.items(), strict=True):
            pooled = [row for row in rows if row["group"] == "all"] or rows
            shown = [
                row for c in CHANNELS for row in pooled if row["channel"] == c and row["value"] is not None
            ]
            for y, row in enumerate(shown):
                value, low, high = (float(row[key] or 0) for key in ("value", "low", "high"))
                colour = COLOURS[1] if row["channel"] == "default" else COLOURS[0]
                axis.errorbar(value, y, xerr=[[max(0.0, value - low)], [max(0.0, high - value)]], fmt="o", ms=4,
                              color=colour, capsize=2)  # fmt: skip
            axis.set_yticks(range(len(shown)), [str(row["channel"]) for row in shown])
            axis.axvline(0.5, color="black", lw=0.6, ls=":")
            axis.set(xlim=(0.3, 1.0), xlabel="AUROC", title=name.replace("_", " "))

    return [
        draw("auroc", "AUROC by channel, tiers together, 95 % cluster bootstrap", paint, len(sets), across=3)
    ]


def _cells(rows: Rows, method: str) -> dict[str, list[tuple[float, float, float]]]:
    """(alpha, risk, s.e.) by tier, read back from the matrix of the page."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for row in rows:
        if row["method"] != method:
            continue
        points = []
        for key, cell in row.items():
            if key.startswith("α = ") and isinstance(cell, str):
                alpha = float(key.removeprefix("α = "))
                if cell == "abst.":
                    points.append((alpha, 0.0, 0.0))
                else:
                    risk, _, rest = cell.partition(" ± ")
                    points.append((alpha, float(risk), float(rest.split()[0])))
        found[str(row["group"])] = points
    return found


def risk(numbers: dict[str, Rows], method: str) -> list[Figure]:
    """Joint risk against its budget, a panel for each translator."""
    sets = {
        name.removesuffix("_compliance"): rows
        for name, rows in numbers.items()
        if name.endswith("_compliance") and not name.startswith("systems")
    }
    if not sets:
        return []

    def paint(axes: list[Any]) -> None:
        for axis, (name, rows) in zip(axes, sets.items(), strict=True):
            for colour, (tier, points) in zip(cycle(COLOURS), _cells(rows, method).items(), strict=False):
                x, y, e = (list(column) for column in zip(*points, strict=True))
                axis.errorbar(x, y, yerr=e, marker="o", ms=3, label=tier, color=colour, capsize=2)
            axis.plot([0, 0.32], [0, 0.32], color="black", lw=0.8, ls="--")
            axis.set(xlabel="α", ylabel="joint risk", title=name.replace("_", " "))
            axis.legend(fontsize=7)

    said = {"crc": "conformal risk control", "split": "split conformal prediction"}[method]
    return [
        draw(
            f"risk_{method}",
            f"Joint risk against α under {said} (dashed: the budget)",
            paint,
            len(sets),
            across=3,
        )
    ]


def acceptance(numbers: dict[str, Rows]) -> list[Figure]:
    """Acceptance at alpha = 0.10 beside the oracle's, by translator and tier."""
    bars: list[tuple[str, float, float]] = []
    for name, rows in numbers.items():
        if not name.endswith("_ledger") or name.startswith("systems"):
            continue
        unit = "cluster" if any(row["unit"] == "cluster" for row in rows) else "pair"
        for row in rows:
            if row["unit"] == unit and row["alpha"] == 0.10:
                label = f"{name.removesuffix('_ledger').replace('_', ' ')} {row['group']}"
                bars.append((label, float(row["acceptance"] or 0), float(row["oracle"] or 0)))
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


def oracle(name: str, rows: Rows) -> list[Figure]:
    """Share of the oracle's acceptance on the recorded run."""
    shown = [row for row in rows if row["group"] == "all"]
    if not shown:
        return []

    def paint(axes: list[Any]) -> None:
        for axis, alpha in zip(axes, ("0.05", "0.10"), strict=True):
            labels = [f"{row['score']} ({row['unit']})" for row in shown]
            y = np.arange(len(shown))[::-1]
            axis.barh(y, [float(row[f"share at {alpha}"] or 0) for row in shown], color=COLOURS[0])
            axis.axvline(0.9, color="black", lw=0.8, ls="--")
            axis.set_yticks(y, labels, fontsize=7)
            axis.set(xlim=(0, 1.02), xlabel="share of the oracle's acceptance", title=f"α = {alpha}")

    return [
        draw(f"oracle_{name}", f"{name}, tiers together: share of the oracle (dashed: aim)", paint, panels=2)
    ]


def gate(rows: Rows) -> list[Figure]:
    """Mean share deferred by kind of shift and embedder."""
    if not rows:
        return []
    kinds = [key for key in rows[0] if key not in ("embedder", "false deferral", "low", "high")]

    def paint(axes: list[Any]) -> None:
        width = 0.8 / len(rows)
        for k, (colour, row) in enumerate(zip(cycle(COLOURS), rows, strict=False)):
            x = np.arange(len(kinds) + 1) + k * width
            values = [float(row["false deferral"] or 0), *(float(row[kind] or 0) for kind in kinds)]
            axes[0].bar(x, values, width, label=str(row["embedder"]), color=colour)
        axes[0].axhline(0.05, color="black", lw=0.8, ls="--")
        axes[0].set_xticks(
            np.arange(len(kinds) + 1) + 0.3, ["no shift", *kinds], rotation=25, ha="right", fontsize=7
        )
        axes[0].set(ylim=(0, 1.02), ylabel="share deferred (dashed: δ)")
        axes[0].figure.set_size_inches(8.5, 3.8)
        axes[0].legend(fontsize=7)

    return [draw("gate_power", "The gate: share deferred, by kind of shift and embedder", paint)]


def all_of(numbers: dict[str, Rows]) -> list[Figure]:
    """Every figure that the numbers allow."""
    made = [*auroc(numbers), *risk(numbers, "crc"), *risk(numbers, "split"), *acceptance(numbers)]
    for name, rows in numbers.items():
        if name.endswith("_oracle"):
            made += oracle(name.removesuffix("_oracle"), rows)
    return made + gate(numbers.get("gate_summary", []))
