"""Risk: what each alpha would mean, honest for all of them at once; risk against coverage; groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from assent.calibrate.band import band, cluster_reach, pair_reach
from assent.calibrate.rules import Infeasible, Rule, Threshold
from assent.policy.describe import among_accepted, describe
from assent.policy.policy import Policy
from assent.review.labels import LabelRow
from assent.serve.pages.charts import Axis, Chart, Mark, Series
from assent.serve.pages.markup import Html, Part, el, join, table
from assent.serve.pages.words import for_page

DELTA = 0.1
ALPHAS = tuple(k / 200 for k in range(2, 101))
"""Positions of the slider: 0.01 to 0.5."""
FEWEST = 10


@dataclass(frozen=True)
class Curve:
    """What calibration rows say at each threshold, and how far the truth may be from it for all thresholds at once."""

    says: str
    points: Sequence[tuple[float, float, float]]
    """(threshold, share accepted, share accepted and wrong), rising."""
    reach: float
    units: int
    unit: str
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Position:
    """One position of the slider; None where nothing can be promised."""

    alpha: float
    limit: float | None
    accepted: float
    seen: float
    error: float | None
    """Accepted and wrong at most alpha, as a share of what is accepted."""
    needed: int | None
    """About how many labelled units would make alpha feasible."""


def of_policy(policy: Policy, group: str, delta: float = DELTA) -> Curve | None:
    """The curve that a policy keeps of its calibration rows; None where it keeps none."""
    rule, kept = policy.rules[group], policy.curves.get(group, ())
    if not kept:
        return None
    clustered = rule.clusters is not None and rule.unit == "cluster"
    units = rule.clusters if clustered and rule.clusters else rule.n
    notes = []
    by_cluster = clustered and all(point.cluster_risk is not None for point in kept)
    if clustered and not by_cluster:
        notes.append("The curve is kept by row: clusters count as equally large.")
    points = [(p.threshold, p.acceptance, p.cluster_risk if by_cluster else p.risk) for p in kept]
    if isinstance(rule, Threshold) and any(t <= rule.value and a > rule.accepted for t, a, _ in points):
        notes.append(
            "What gate and doubts withhold counts here as if it were accepted: less is accepted, and less wrong."
        )
    reach = cluster_reach(units, delta) if clustered else pair_reach(units, delta)
    return Curve(
        f"the calibration of the policy ({rule.n} rows{f' in {units} clusters' if clustered else ''})",
        [(t, a, r or 0.0) for t, a, r in points],
        reach,
        units,
        "cluster" if clustered else "row",
        tuple(notes),
    )


def of_ledger(rows: Sequence[LabelRow], channel: str, delta: float = DELTA) -> Curve | str:
    """The curve of what was drawn from the ledger, or why there is none: every item must have had the same chance.

    What was drawn and not answered counts as wrong. Of a score that was cut short the bound counts, which accepts
    too early rather than too late; what has no score at all is accepted at none.
    """
    known = [row for row in rows if row.drawn]
    answered = sum(row.answered for row in known)
    if answered < FEWEST:
        return f"{answered} drawn items are answered; from {FEWEST} on there is a curve of your own."
    if len({row.q for row in rows if row.q is not None}) > 1:
        return (
            "Accepted and abstained items were drawn with different probabilities: a curve for every alpha needs one "
            "probability for all (the same audit and abstained)."
        )
    scores = [_score(row, channel) for row in known]
    clusters = [str(row.cluster) for row in known] if all(row.cluster is not None for row in known) else None
    found = band(
        [1.0 if score is None else score for score in scores],
        [row.wrong is not False for row in known],
        delta=str(delta),
        clusters=clusters,
        deferred=[score is None for score in scores],
    )
    if not len(found.keys):
        return "No drawn item has a score: there is no curve of your own."
    waiting = len(known) - answered
    return Curve(
        f"{len(known)} items drawn from your own stream",
        [(p.threshold, p.acceptance, p.seen) for p in found.points()],
        found.reach,
        found.data.count if clusters is not None else found.data.n,
        "cluster" if clusters is not None else "row",
        (f"{waiting} of them are not answered and count as wrong until they are.",) if waiting else (),
    )


def _score(row: LabelRow, channel: str) -> float | None:
    """The score that was thresholded, or the bound at which lazy scoring stopped."""
    if row.score is not None:
        return row.score
    kept = (row.evidence.get("scores") or {}).get(channel)
    return float(kept) if isinstance(kept, int | float) else None


def position(curve: Curve, alpha: float) -> Position:
    """The largest limit whose band keeps alpha."""
    fits = [point for point in curve.points if point[2] + curve.reach <= alpha]
    if not fits:
        room = alpha - curve.points[0][2]
        needed = math.ceil(curve.units * (curve.reach / room) ** 2) if room > 0 else None
        return Position(alpha, None, 0.0, 0.0, None, needed)
    limit, accepted, seen = max(fits)
    return Position(alpha, limit, accepted, seen, min(1.0, (seen + curve.reach) / accepted), None)


# ---- HTML ----------------------------------------------------------------------------------------------------


def risk(policy: Policy, logic: str, rows: Sequence[LabelRow], stream: Html) -> Html:
    """Everything about one policy."""
    group = next(iter(policy.rules))
    own, kept = of_ledger(rows, policy.channel), of_policy(policy, group)
    curves = [curve for curve in (kept, own) if isinstance(curve, Curve)]
    return join(
        [
            el("p", f"In force for {logic.upper()}: alpha {policy.alpha:g}, fixed beforehand."),
            *(slider(curve, number, policy.alpha) for number, curve in enumerate(curves)),
            el("p", own, class_="help") if isinstance(own, str) else None,
            _groups(policy),
            stream,
            el(
                "details",
                el("summary", "The policy in words"),
                el("pre", for_page(describe(policy)), tabindex="0"),
            ),
        ]
    )


def slider(curve: Curve, number: int, alpha: float) -> Html:
    """The slider with everything it moves; the values stand beside it for the module that moves it."""
    places = [position(curve, value) for value in ALPHAS]
    floor = next((place.alpha for place in places if place.limit is not None), None)
    start = max(alpha, floor or alpha)
    key = f"alpha-{number}"
    return el(
        "section",
        el("h2", f"Risk by {curve.says}"),
        el(
            "p",
            "Move alpha as you like, after looking: with probability "
            f"{1 - DELTA:g} every position holds at once. That costs {curve.reach:.3f} with {curve.units} "
            f"{curve.unit}s; an alpha that was fixed before looking (as the one in force) costs less.",
        ),
        *(el("p", note, class_="help") for note in curve.notes),
        el("label", "Alpha: accepted and wrong at most", for_=key),
        el("input", type="range", id=key, min=0, max=len(ALPHAS) - 1, value=_nearest(start), class_="alpha"),
        el("dl", *_outputs(floor), class_="outputs", aria_live="polite"),
        _coverage(curve),
        class_="panel slider",
        data_positions=msgspec.json.encode(places).decode(),
    )


def _nearest(alpha: float) -> int:
    return min(range(len(ALPHAS)), key=lambda k: abs(ALPHAS[k] - alpha))


def _outputs(floor: float | None) -> list[Html]:
    names = (
        ("alpha", "Alpha"),
        ("limit", "Limit of the score"),
        ("accepted", "Acceptance to expect"),
        ("error", "Wrong among the accepted, at most about"),
        ("needed", "Labels needed"),
    )
    found = [el("div", el("dt", says), el("dd", el("output", "–", data_out=name))) for name, says in names]
    least = "none up to 0.5" if floor is None else f"{floor:g}"
    return [*found, el("div", el("dt", "Floor: the smallest alpha these labels carry"), el("dd", least))]


def _coverage(curve: Curve) -> Html:
    """Joint risk against coverage, between a perfect score and none."""
    error = max((seen for _, _, seen in curve.points), default=0.0)
    full = max((share for _, share, _ in curve.points), default=1.0)
    share = min(1.0, error / full) if full else 0.0
    high = max(0.05, min(1.0, error + curve.reach))
    lines = [
        Series("this score", "a", [(a, r) for _, a, r in curve.points]),
        Series("at most, for all alpha at once", "d", [(a, r + curve.reach) for _, a, r in curve.points]),
        Series("a score that knows nothing", "c", [(0.0, 0.0), (full, share * full)]),
        Series("a perfect score", "b", [(0.0, 0.0), (full * (1 - share), 0.0), (full, error)]),
    ]
    chart = Chart(
        "Risk against coverage",
        Axis("share accepted", 0.0, 1.0, percent=True),
        Axis("accepted and wrong", 0.0, high, percent=True),
        lines,
        [Mark("", 0.0, "live")],
    )
    return chart.html()


def _groups(policy: Policy) -> Html:
    rows = [_group(name, rule, policy) for name, rule in policy.rules.items()]
    head = (
        "group",
        "limit",
        "rows",
        "clusters",
        "floor",
        "acceptance to expect",
        "wrong among the accepted, about",
    )
    parts = [table(head, rows, "Limits, and what to expect")]
    inside = policy.provenance.get("inside") or {}
    if inside:
        found = [(name, f"{part['risk']:.3f}", f"{part['rows']:g}") for name, part in inside.items()]
        parts.append(
            table(
                ("part", "accepted and wrong", "rows"),
                found,
                "Parts without a promise of their own, as calibrated",
            )
        )
    return el("section", el("h2", "By group"), *parts)


def _group(name: str, rule: Rule, policy: Policy) -> tuple[Part, ...]:
    clusters = rule.clusters or "–"
    if isinstance(rule, Infeasible):
        return name, f"infeasible: {rule.reason}", rule.n, clusters, f"{rule.floor:.3f}", "0", "–"
    expected = policy.expected.get(name)
    share = (
        "–" if expected is None else f"{expected.acceptance:.3f} [{expected.low:.3f}, {expected.high:.3f}]"
    )
    error = "–" if expected is None else f"{among_accepted(rule, expected):.3f}"
    return name, f"{rule.value:.3f}", rule.n, clusters, f"{rule.floor:.3f}", share, error
