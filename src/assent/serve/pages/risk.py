"""Risk: what each alpha would mean, honest for all of them at once; risk against coverage; groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import msgspec

from assent.calibrate.audited_band import audited_band
from assent.calibrate.band import cluster_reach, pair_reach
from assent.calibrate.rules import Infeasible, Rule, Threshold
from assent.errors import DataError
from assent.policy.describe import among_accepted, describe
from assent.policy.policy import Policy
from assent.review.labels import LabelRow, columns
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
    points: Sequence[tuple[float, float, float, float]]
    """(threshold, share accepted, share accepted and wrong, at most so large), rising."""
    units: int
    """What was labelled."""
    unit: str
    notes: tuple[str, ...] = field(default=())

    @property
    def reach(self) -> tuple[float, float]:
        """What the band adds to the risk that was seen: at the lowest threshold, and at the highest."""
        (_, _, first, most), (_, _, last, highest) = self.points[0], self.points[-1]
        return most - first, highest - last


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
    rule, curve = policy.rules[group], policy.curves.get(group, ())
    if not curve:
        return None
    clustered = rule.clusters is not None and rule.unit == "cluster"
    units = rule.clusters if clustered and rule.clusters else rule.n
    notes = []
    by_cluster = clustered and all(point.cluster_risk is not None for point in curve)
    if clustered and not by_cluster:
        notes.append("The curve is kept by row: clusters count as equally large.")
    points = [(p.threshold, p.acceptance, p.cluster_risk if by_cluster else p.risk) for p in curve]
    if isinstance(rule, Threshold) and any(t <= rule.value and a > rule.accepted for t, a, _ in points):
        notes.append(
            "What gate and doubts withhold counts here as if it were accepted: less is accepted, and less wrong."
        )
    reach = cluster_reach(units, delta) if clustered else pair_reach(units, delta)
    return Curve(
        f"the calibration of the policy ({rule.n} rows{f' in {units} clusters' if clustered else ''})",
        [(t, a, r or 0.0, (r or 0.0) + reach) for t, a, r in points],
        units,
        "cluster" if clustered else "row",
        tuple(notes),
    )


def of_ledger(rows: Sequence[LabelRow], channel: str, delta: float = DELTA) -> Curve | str:
    """The curve of what was drawn from the ledger, each answer weighted by its draw, or why there is none.

    The band is ``audited_band``: it holds for every threshold at once, whatever the probabilities of the draw. What
    was drawn and not answered counts as wrong. Of a score that was cut short the bound counts, which accepts too early
    rather than too late; what has no score at all is accepted at none.
    """
    drawn = [row for row in rows if row.drawn]
    answered = sum(row.answered for row in drawn)
    if answered < FEWEST:
        return f"{answered} drawn items are answered; from {FEWEST} on there is a curve of your own."
    if len({row.policy for row in rows}) > 1:
        return (
            "The decisions were made under several policies, so earlier answers may have moved the draws: there is no "
            "curve that is honest for every alpha. A ledger for each policy has one."
        )
    scores = [_score(row, channel) for row in rows]
    missing = [score is None for score in scores]
    try:
        data = columns(rows, [1.0 if score is None else score for score in scores], withheld=missing)
    except DataError as error:
        return f"There is no curve of your own: {error}."
    band = audited_band(
        data.scores,
        data.drawn,
        data.answers,
        data.q,
        delta=str(delta),
        least=data.least,
        clusters=data.clusters,
        deferred=data.deferred,
    )
    if not len(band.keys):
        return "No drawn item has a score: there is no curve of your own."
    clusters = None if data.clusters is None else {str(row.cluster) for row in drawn}
    return Curve(
        f"your own stream ({len(rows)} decisions, {len(drawn)} of them drawn)",
        [
            (p.threshold, p.acceptance, p.seen, p.seen + float(more))
            for p, more in zip(band.points(), band.reach, strict=True)
        ],
        len(drawn) if clusters is None else len(clusters),
        "drawn item" if clusters is None else "drawn cluster",
        (_draws(rows), *_waiting(len(drawn) - answered)),
    )


def _draws(rows: Sequence[LabelRow]) -> str:
    """What an answer stands for, in words."""
    chances = sorted({row.q for row in rows if row.q is not None}, reverse=True)
    listed = ", ".join(f"{float(chance):g}" for chance in chances)
    if len(chances) == 1:
        return f"Every item was drawn with probability {listed}, so every answer counts alike."
    return (
        f"Items were drawn with probability {listed}: an answer stands for as many decisions as there are for one that "
        "was drawn with its probability."
    )


def _waiting(count: int) -> tuple[str, ...]:
    return (f"{count} of them are not answered and count as wrong until they are.",) if count else ()


def _score(row: LabelRow, channel: str) -> float | None:
    """The score that was thresholded, or the bound at which lazy scoring stopped."""
    if row.score is not None:
        return row.score
    value = (row.evidence.get("scores") or {}).get(channel)
    return float(value) if isinstance(value, int | float) else None


def position(curve: Curve, alpha: float) -> Position:
    """The largest threshold up to which the band stays at or below alpha; if none does, the labels needed."""
    fits = [*takewhile(lambda point: point[3] <= alpha, curve.points)]
    if not fits:
        room = alpha - curve.points[0][2]
        needed = math.ceil(curve.units * (curve.reach[0] / room) ** 2) if room > 0 else None
        return Position(alpha, None, 0.0, 0.0, None, needed)
    limit, accepted, seen, most = fits[-1]
    return Position(alpha, limit, accepted, seen, min(1.0, most / accepted), None)


# ---- HTML ----------------------------------------------------------------------------------------------------


def risk(policy: Policy, logic: str, rows: Sequence[LabelRow], stream: Html) -> Html:
    """Everything about one policy."""
    group = next(iter(policy.rules))
    own, calibrated = of_ledger(rows, policy.channel), of_policy(policy, group)
    curves = [curve for curve in (calibrated, own) if isinstance(curve, Curve)]
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
        _promise(curve),
        *(el("p", note, class_="help") for note in curve.notes),
        el("label", "Alpha: accepted and wrong at most", for_=key),
        el("input", type="range", id=key, min=0, max=len(ALPHAS) - 1, value=_nearest(start), class_="alpha"),
        el("dl", *_outputs(floor), class_="outputs", aria_live="polite"),
        _coverage(curve),
        class_="panel slider",
        data_positions=msgspec.json.encode(places).decode(),
    )


def _promise(curve: Curve) -> Html:
    """What holds at every position, and what it costs that all of them do."""
    low, high = sorted(curve.reach)
    cost = f"{high:.3f}" if high - low < 0.0005 else f"{low:.3f} to {high:.3f}"
    return el(
        "p",
        "What is promised: with probability ",
        el("strong", f"{1 - DELTA:g}"),
        ", for every position of the slider at once, at most alpha of all instructions of this kind are accepted and "
        "wrong under the limit shown there. So look first and choose afterwards. For that, ",
        f"{cost} is added to what was seen in {curve.units} {curve.unit}s; an alpha that was fixed before looking (as "
        "the one in force) costs less. Moving the slider changes nothing in force.",
        class_="promise",
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
    outputs = [el("div", el("dt", says), el("dd", el("output", "–", data_out=name))) for name, says in names]
    least = "none up to 0.5" if floor is None else f"{floor:g}"
    return [*outputs, el("div", el("dt", "Floor: the smallest alpha these labels carry"), el("dd", least))]


def _coverage(curve: Curve) -> Html:
    """Joint risk against coverage, between a perfect score and none."""
    error = max((seen for _, _, seen, _ in curve.points), default=0.0)
    full = max((share for _, share, _, _ in curve.points), default=1.0)
    share = min(1.0, error / full) if full else 0.0
    high = max(0.05, min(1.0, max((most for *_, most in curve.points), default=0.0)))
    lines = [
        Series("this score", "a", [(a, r) for _, a, r, _ in curve.points]),
        Series("at most, for all alpha at once", "d", [(a, most) for _, a, _, most in curve.points]),
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
        rows_inside = [(name, f"{part['risk']:.3f}", f"{part['rows']:g}") for name, part in inside.items()]
        parts.append(
            table(
                ("part", "accepted and wrong", "rows"),
                rows_inside,
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
