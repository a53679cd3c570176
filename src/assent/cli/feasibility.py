"""What can be promised with how many labels, from recorded rows or from guesses.

assent feasibility recorded.jsonl
assent feasibility --error-rate 0.2 --n 200 --auroc 0.85

For each group: the smallest alpha that the rows can certify, labels needed for a smaller one (or that none
suffice), and the acceptance to expect between a score that knows nothing and a perfect one. Rows are recorded
translations with references, or hold "scores" and "wrong" (0 or 1) themselves.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.cli import Exit
from assent.cli.options import progress_bar
from assent.errors import DataError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from assent.calibrate.exact import Level
    from assent.calibrate.feasibility import FeasibilityPlan

NOTES = (
    "alpha chosen after seeing this table voids the promise on the same rows: fix it first, or use fresh rows",
    "risk is joint: the error among the accepted is risk/acceptance",
)


@dataclass(frozen=True)
class Scored:
    """What a plan needs of a row; ``away``: deployment would abstain whatever the score."""

    score: float
    wrong: bool
    group: str
    cluster: str | None
    away: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="recorded translations, JSON lines")
    parser.add_argument(
        "--error-rate", type=float, metavar="P", help="without data: share of wrong candidates"
    )
    parser.add_argument("--n", type=int, metavar="N", help="without data: labels to be had")
    parser.add_argument("--auroc", type=float, metavar="A", help="without data: how well the score ranks")
    parser.add_argument(
        "--lowest", type=float, default=0.0, metavar="Q", help="without data: share wrong at the lowest score"
    )
    parser.add_argument("--alpha", action="append", metavar="A", help="an alpha to plan for; may be repeated")
    parser.add_argument("--channel", help="the score (default: the best that was recorded)")
    parser.add_argument("--unit", choices=("cluster", "pair"), help="default: cluster where declared")
    parser.add_argument("--logic", choices=("ltl", "stl", "spatial"))
    parser.add_argument("--system", metavar="NAME", help="the candidate, where rows have 'outputs'")
    parser.add_argument("--labels", choices=("exact", "canonical"), default="exact")
    parser.add_argument("--json", action="store_true", help="the plan as JSON")
    parser.add_argument("--figure", metavar="FILE", help="acceptance against alpha, as SVG or PNG")


def run(args: argparse.Namespace) -> int:
    from assent.calibrate import exact
    from assent.calibrate.feasibility import ALPHAS

    alphas = tuple(args.alpha) if args.alpha else ALPHAS
    for alpha in alphas:
        exact.level(alpha)
    plans = _from_file(args, alphas) if args.file else [_from_guesses(args, alphas)]
    if args.figure:
        _draw(plans, Path(args.figure))
    if args.json:
        print(json.dumps({"groups": [asdict(plan) for plan in plans], "notes": NOTES}, indent=2))
    else:
        print("\n\n".join(_table(plan) for plan in plans))
        print("\n" + "\n".join(f"note: {note}" for note in NOTES))
    return Exit.DONE


def _from_guesses(args: argparse.Namespace, alphas: tuple[Level, ...]) -> FeasibilityPlan:
    from assent.calibrate.feasibility import plan_from_guesses

    if args.error_rate is None or args.n is None or args.auroc is None:
        raise UsageError("give a FILE, or all of --error-rate, --n and --auroc")
    return plan_from_guesses(
        error_rate=args.error_rate, n=args.n, auroc=args.auroc, lowest=args.lowest, alphas=alphas
    )


def _from_file(args: argparse.Namespace, alphas: tuple[Level, ...]) -> list[FeasibilityPlan]:
    from assent.calibrate.feasibility import plan_from_data

    if args.error_rate is not None or args.n is not None or args.auroc is not None:
        raise UsageError("--error-rate, --n and --auroc are for planning without a FILE")
    rows = _rows(args)
    plans = []
    for group in sorted({row.group for row in rows}):
        members = [row for row in rows if row.group == group]
        declared = args.unit != "pair" and all(row.cluster is not None for row in members)
        if args.unit == "cluster" and not declared:
            raise UsageError("--unit cluster needs the field 'cluster' in every row")
        plans.append(
            plan_from_data(
                [row.score for row in members],
                [row.wrong for row in members],
                group=group,
                clusters=[row.cluster for row in members] if declared else None,
                deferred=[row.away for row in members],
                alphas=alphas,
            )
        )
    return plans


def _rows(args: argparse.Namespace) -> list[Scored]:
    """Score, label, group and cluster of each row, from rows that carry labels, or labelled by the decider."""
    from assent.io.lines import read_rows

    first = next(iter(read_rows(args.file)), None)
    if first is None:
        raise DataError("the file has no rows", file=args.file)
    if "wrong" in first[1] or "loss" in first[1]:
        return _carried(args.file, args.channel)
    from assent.evaluate.labels import load
    from assent.policy.make import default_channel, groups_of

    data = load(
        args.file,
        system=args.system,
        level=args.labels,
        logic=args.logic,
        progress=lambda rows: progress_bar(rows, "labels", "rows"),
    )
    channel = default_channel(data, args.channel)
    columns = zip(
        data.rows, groups_of(data, "tier"), data.scores(channel), data.wrong, data.away(None), strict=True
    )
    return [
        Scored(float(score), bool(wrong), group, row.cluster, bool(away))
        for row, group, score, wrong, away in columns
    ]


def _carried(file: str, channel: str | None) -> list[Scored]:
    from assent.calibrate import exact
    from assent.io.lines import read_rows
    from assent.policy.make import PREFERRED

    rows = []
    for line, raw in read_rows(file, unique=True):
        scores = raw.get("scores")
        if not isinstance(scores, dict) or not scores:
            raise DataError('the row has a label but no "scores"', file=file, line=line)
        name = channel or next((c for c in PREFERRED if c in scores), next(iter(scores)))
        label: Any = raw.get("wrong", raw.get("loss"))
        try:
            score = float(scores[name])
            exact.tick(score)
            wrong = bool(exact.flags([label], 1)[0])
        except KeyError as error:
            raise DataError(f"the channel {name!r} was not recorded", file=file, line=line) from error
        except (TypeError, ValueError, DataError) as error:
            raise DataError(str(error), file=file, line=line) from error
        cluster = raw.get("cluster")
        group = str(raw.get("group", "all"))
        rows.append(Scored(score, wrong, group, None if cluster is None else str(cluster)))
    return rows


def _table(plan: FeasibilityPlan) -> str:
    units = f"{plan.n} rows" + (f" in {plan.clusters} clusters" if plan.clusters is not None else "")
    rate = f"error rate {plan.error_rate:.3f}"
    if plan.cluster_error_rate is not None:
        rate += f" per row, {plan.cluster_error_rate:.3f} per cluster"
    ranks = "unknown (labels of one kind only)" if plan.auroc is None else f"{plan.auroc:.3f}"
    lines = [
        f"{plan.group}: {units}, {rate}, AUROC {ranks}",
        f"smallest alpha that can be certified: {plan.floor:.4f} (tends to {plan.limit:.4f} with more labels)",
        f"{'alpha':>6}  {'certifiable':<28}{'labels to sign':>14}  {'acceptance':>10}  {'95 %':^13}"
        f"  {'oracle':>6}  {'knows nothing':>13}",
    ]
    for t in plan.targets:
        needed = "yes" if t.feasible else f"with about {t.labels} {plan.unit}s"
        if not t.feasible and (t.hopeless or t.labels is None):
            needed = "no number of labels suffices" if t.hopeless else "labels may not suffice"
        signed = "none suffice" if t.labels_signed is None else str(t.labels_signed)
        lines.append(
            f"{t.alpha:>6g}  {needed:<28}{signed:>14}  {t.acceptance:>10.3f}  {t.low:.3f}-{t.high:.3f}  "
            f"{t.oracle:>6.3f}  {t.uninformative:>13.3f}"
        )
    return "\n".join(lines)


def _draw(plans: list[FeasibilityPlan], path: Path) -> None:
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise MissingExtraError("the figure", "report") from error
    figure, axes = plt.subplots(1, len(plans), figsize=(4.2 * len(plans), 3.6), squeeze=False, sharey=True)
    for axis, plan in zip(axes[0], plans, strict=True):
        alphas = [t.alpha for t in plan.targets]
        axis.plot(alphas, [t.oracle for t in plan.targets], "--", color="0.4", label="oracle")
        axis.plot(alphas, [t.uninformative for t in plan.targets], ":", color="0.4", label="knows nothing")
        axis.fill_between(alphas, [t.low for t in plan.targets], [t.high for t in plan.targets], alpha=0.2)
        axis.plot(alphas, [t.acceptance for t in plan.targets], marker="o", label="to be expected")
        axis.axvline(plan.floor, color="C3", label=f"floor {plan.floor:.3f}")
        axis.set(title=f"{plan.group} ({plan.n} rows)", xlabel="alpha", ylim=(0, 1.03))
    axes[0][0].set_ylabel("acceptance")
    axes[0][0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)
