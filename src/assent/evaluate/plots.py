"""Figures of a report, drawn with matplotlib (extra ``report``); each is a function of rows or arrays."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle
from typing import Any

import numpy as np
import numpy.typing as npt

from assent.calibrate.metrics import oracle_acceptance, risk_coverage
from assent.errors import MissingExtraError
from assent.evaluate.measure import ALL, MeasureSettings, parts
from assent.evaluate.rows import Compliance, Drifted, Mixed, Numbers
from assent.policy.labelled import Labelled

# Names from the data are drawn as they are: "$" starts no formula.
PLAIN = {"text.parse_math": False, "text.usetex": False}
PANELS = 6
COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280", "#4a5568")


@dataclass(frozen=True)
class Figure:
    """One figure as SVG text and PNG bytes."""

    name: str
    title: str
    svg: str
    png: bytes


def missing() -> str | None:
    """Why no figure can be drawn here; None where one can."""
    return None if find_spec("matplotlib") else "not drawn: matplotlib is not installed (extra 'report')"


def draw(
    name: str, title: str, paint: Callable[[Any], None], panels: int = 1, across: int | None = None
) -> Figure:
    """A figure of panels side by side, at most ``across`` in a row."""
    columns = min(panels, across or panels)
    rows = -(-panels // columns)
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError("drawing figures", "report") from error
    # A fixed salt and no date: the same numbers give the same file.
    with plt.rc_context(
        {
            "svg.hashsalt": "assent",
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.grid": True,
            "grid.alpha": 0.3,
            **PLAIN,
        }
    ):
        figure, axes = plt.subplots(
            rows, columns, figsize=(4.2 * columns, 3.4 * rows), squeeze=False, layout="constrained"
        )
        for unused in axes.flat[panels:]:
            unused.set_visible(False)
        paint(list(axes.flat[:panels]))
        svg, png = io.StringIO(), io.BytesIO()
        figure.savefig(svg, format="svg", metadata={"Date": None})
        figure.savefig(png, format="png", dpi=110, metadata={"Software": None})
        plt.close(figure)
    return Figure(name, title, svg.getvalue(), png.getvalue())


def _unit(rows: Sequence[Compliance]) -> str:
    return "cluster" if any(row.unit == "cluster" for row in rows) else "pair"


def risk_against_alpha(rows: Sequence[Compliance]) -> Figure:
    """Joint risk against its budget; a rule that keeps its promise stays below the diagonal."""
    unit = _unit(rows)

    def paint(axes: list[Any]) -> None:
        for axis, method in zip(axes, ("crc", "split"), strict=True):
            groups = sorted({row.group for row in rows})
            for colour, group in zip(cycle(COLOURS), groups, strict=False):
                cells = [row for row in rows if (row.group, row.method, row.unit) == (group, method, unit)]
                x, y, e = ([getattr(row, key) for row in cells] for key in ("alpha", "risk", "se"))
                axis.errorbar(x, y, yerr=e, marker="o", ms=3, label=group, color=colour, capsize=2)
            axis.plot([0, 0.32], [0, 0.32], color="black", lw=0.8, ls="--")
            axis.set(xlabel="α", ylabel=f"joint risk ({unit}-weighted)", title=f"{method.upper()}")
            axis.legend()

    return draw("risk", "Joint risk against α (dashed: the budget)", paint, panels=2)


def coverage(data: Labelled, channels: tuple[str, ...]) -> Figure:
    """Risk against acceptance for each channel, between the oracle and a score that knows nothing."""
    error = float(data.wrong.mean())

    def paint(axes: list[Any]) -> None:
        axis = axes[0]
        for colour, channel in zip(cycle(COLOURS), channels, strict=False):
            points = risk_coverage(data.scores(channel), data.wrong)
            # Between two scores lies what breaking ties at random would reach: a straight line.
            axis.plot(
                [0, *(p.acceptance for p in points)],
                [0, *(p.risk for p in points)],
                label=channel,
                color=colour,
            )
        grid = np.linspace(0, 1, 101)
        axis.plot(grid, np.maximum(0, grid - (1 - error)), color="black", lw=0.8, label="oracle")
        axis.plot(grid, grid * error, color="black", lw=0.8, ls=":", label="uninformative")
        axis.set(xlabel="acceptance", ylabel="joint risk")
        axis.legend(fontsize=7)

    return draw("coverage", "Risk against coverage", paint)


def histograms(data: Labelled, channel: str) -> Figure:
    """Scores of right and wrong translations."""
    groups = list(parts(data)) if len(data.tiers) < PANELS else [(ALL, data)]

    def paint(axes: list[Any]) -> None:
        for axis, (name, part) in zip(axes, groups, strict=True):
            scores = part.scores(channel)
            bins = np.linspace(0, 1, 31)
            axis.hist([scores[~part.wrong], scores[part.wrong]], bins=bins, label=["right", "wrong"],
                      color=[COLOURS[0], COLOURS[1]], stacked=True)  # fmt: skip
            axis.set(xlabel=channel, ylabel="translations", title=name, yscale="symlog")
            axis.legend()

    return draw("scores", "Scores by correctness", paint, panels=len(groups))


def roc(data: Labelled, channels: tuple[str, ...]) -> Figure:
    """How many wrong ones are caught for how many right ones flagged."""

    def paint(axes: list[Any]) -> None:
        axis = axes[0]
        for colour, channel in zip(cycle(COLOURS), channels, strict=False):
            scores = data.scores(channel)
            cuts = np.unique(scores)[::-1]
            hit, alarm = (_flagged(scores[part], cuts) for part in (data.wrong, ~data.wrong))
            axis.plot([0, *alarm, 1], [0, *hit, 1], label=channel, color=colour)
        axis.plot([0, 1], [0, 1], color="black", lw=0.6, ls=":")
        axis.set(xlabel="right ones flagged", ylabel="wrong ones flagged")
        axis.legend(fontsize=7)

    return draw("roc", "ROC by channel (tiers together)", paint)


def _flagged(scores: npt.NDArray[np.float64], cuts: npt.NDArray[np.float64]) -> list[float]:
    """Share of the scores at or above each cut."""
    below = np.searchsorted(np.sort(scores), cuts, side="left")
    return (1 - below / len(scores)).tolist()  # type: ignore[no-any-return]


def lambda_sweep(rows: Sequence[Mixed]) -> Figure:
    def paint(axes: list[Any]) -> None:
        groups = dict.fromkeys(row.group for row in rows)
        for colour, group in zip(cycle(COLOURS), groups, strict=False):
            mine = [row for row in rows if row.group == group and row.auroc is not None]
            axes[0].plot([row.weight for row in mine], [row.auroc for row in mine], label=group, color=colour)
        axes[0].set(xlabel="λ (weight of back-translation)", ylabel="AUROC")
        axes[0].legend()

    return draw("lambda", "Mixing weight of the two signals", paint)


def drift_maps(rows: Sequence[Drifted]) -> Figure:
    tiers = list(dict.fromkeys(row.calibrated_on for row in rows))
    panels = (("no gate", False, "risk"), ("gated", True, "risk"), ("deferred by the gate", True, "deferred"))

    def paint(axes: list[Any]) -> None:
        for axis, (title, gated, key) in zip(axes, panels, strict=True):
            table = np.full((len(tiers), len(tiers)), np.nan)
            for row in (row for row in rows if row.gated == gated):
                table[tiers.index(row.tested_on), tiers.index(row.calibrated_on)] = getattr(row, key)
            axis.imshow(table, cmap="Oranges", vmin=0, vmax=0.3 if key == "risk" else 1)
            for i, j in np.ndindex(table.shape):
                axis.text(j, i, f"{table[i, j]:.3f}", ha="center", va="center")
            axis.set(xlabel="calibrated on", ylabel="tested on", title=title)
            axis.set_xticks(range(len(tiers)), tiers)
            axis.set_yticks(range(len(tiers)), tiers)
            axis.grid(visible=False)

    return draw("drift", "Drift between tiers, α = 0.10", paint, panels=3)


def p_value_histogram(p_values: npt.NDArray[np.float64]) -> Figure:
    def paint(axes: list[Any]) -> None:
        axes[0].hist(p_values, bins=np.linspace(0, 1, 21), density=True, color=COLOURS[0])
        axes[0].axhline(1, color="black", lw=0.8, ls="--")
        axes[0].set(xlabel="gate p-value, same tier", ylabel="density")

    return draw("gate", "Gate p-values without shift (flat if valid)", paint)


def acceptance(rows: Sequence[Compliance]) -> Figure:
    """Acceptance against the oracle."""
    unit = _unit(rows)

    def paint(axes: list[Any]) -> None:
        groups = sorted({row.group for row in rows})
        for colour, group in zip(cycle(COLOURS), groups, strict=False):
            mine = [row for row in rows if (row.group, row.method, row.unit) == (group, "crc", unit)]
            x = [row.alpha for row in mine]
            axes[0].plot(x, [row.acceptance for row in mine], marker="o", ms=3, label=group, color=colour)
            bound = [oracle_acceptance(row.no_selection, row.alpha) for row in mine]
            axes[0].plot(x, bound, color=colour, lw=0.8, ls=":")
        axes[0].set(xlabel="α", ylabel="acceptance (dotted: oracle)", ylim=(0, 1.02))
        axes[0].legend()

    return draw("acceptance", "Acceptance against the oracle", paint)


def figures(
    data: Labelled, settings: MeasureSettings, numbers: Numbers, p_values: npt.NDArray[np.float64] | None
) -> list[Figure]:
    """All figures that the numbers allow."""
    shown = tuple(
        c for c in ("self_consistency", "back_translation", "fusion", "default", "size") if c in data.channels
    )
    made = [histograms(data, settings.channel)]
    if numbers.compliance:
        made = [risk_against_alpha(numbers.compliance), acceptance(numbers.compliance), *made]
    if 0 < data.wrong.sum() < len(data):
        made += [coverage(data, shown), roc(data, shown)]
    if any(row.auroc is not None for row in numbers.sweep):
        made.append(lambda_sweep(numbers.sweep))
    if numbers.drift:
        made.append(drift_maps(numbers.drift))
    if p_values is not None and len(p_values):
        made.append(p_value_histogram(p_values))
    return made
