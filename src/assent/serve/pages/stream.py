"""The stream so far: how much is accepted, whether scores have changed, and what audits say of the risk."""

from __future__ import annotations

from collections.abc import Sequence

from assent.errors import AssentError
from assent.policy.policy import Policy
from assent.review.labels import LabelRow
from assent.review.watching import StreamRow, Watched, from_ledger, watched
from assent.serve.pages.charts import Axis, Chart, Series
from assent.serve.pages.markup import Html, el, join

LOOKS, WORK = 24, 40_000
"""Positions in time at which the charts look, fewer where they would together take more decisions than that."""
LONGEST = 20_000
"""Decisions of a stream that is watched while somebody waits."""
WAITING = "No bound yet: it reaches up to the first drawn item that waits for its answer, in the order of the stream."
RECENT = 50
"""Decisions in a moving average."""


def stream(rows: Sequence[LabelRow], policy: Policy, logic: str) -> Html:
    """Charts over the decisions of one logic, in their order."""
    head = el("h2", "The stream so far")
    if len(rows) < 2:
        return el(
            "section",
            head,
            el("p", "Fewer than two decisions have been drawn from: there is nothing to show yet."),
        )
    decisions = [*from_ledger(rows)]
    return el("section", head, _audit(decisions, policy, logic), _acceptance(rows), _scores(rows, policy))


def _audit(rows: Sequence[StreamRow], policy: Policy, logic: str) -> Html:
    """The bound for the joint risk after each part of the stream; it holds at all times at once."""
    if len(rows) > LONGEST:
        return el("p", f"More than {LONGEST} decisions: 'assent watch' reads such a stream.", class_="help")
    looks = max(1, min(LOOKS, WORK // len(rows)))
    places = sorted({max(1, len(rows) * k // looks) for k in range(1, looks + 1)})
    try:
        watches = [
            (place, watched(rows[:place], policy, file="the ledger", strict=False)) for place in places
        ]
    except AssentError as error:
        return el("p", f"Not watched: {error}.", class_="help")
    last = watches[-1][1]
    trouble = last.trouble(logic, policy.alpha)
    high = max(policy.alpha * 2, 0.2, *(look.high for _, look in watches if look.labels))
    chart = Chart(
        "Audit: the joint risk by the answers, at all times at once",
        Axis("decisions", 0.0, float(len(rows))),
        Axis("accepted and wrong", 0.0, min(1.0, high), percent=True),
        [
            Series("at most", "d", _bound(watches, "high")),
            Series("at least", "a", _bound(watches, "low")),
            Series("alpha", "c", [(0.0, policy.alpha), (float(len(rows)), policy.alpha)]),
        ],
        band=[(float(place), look.low, look.high) for place, look in watches if look.labels],
    )
    sentence = el(
        "p",
        trouble or last.sentence(logic),
        class_="error" if trouble else "",
        role="alert" if trouble else None,
    )
    return join([sentence, chart.html() if last.labels else el("p", WAITING, class_="help")])


def _bound(looks: Sequence[tuple[int, Watched]], name: str) -> list[tuple[float, float]]:
    return [(float(place), float(getattr(look, name))) for place, look in looks if look.labels]


def _acceptance(rows: Sequence[LabelRow]) -> Html:
    flags = [float(row.accepted) for row in rows]
    return Chart(
        f"Acceptance (of the last {min(RECENT, len(rows))})",
        Axis("decisions", 0.0, float(len(rows))),
        Axis("share accepted", 0.0, 1.0, percent=True),
        [Series("accepted", "a", _moving(flags))],
    ).html()


def _scores(rows: Sequence[LabelRow], policy: Policy) -> Html | None:
    """The moving mean of scores beside the mean of the calibration; None with fewer than two scores."""
    scores = [row.score for row in rows if row.score is not None]
    if len(scores) < 2 or not policy.scores:
        return None
    usual = sum(policy.scores) / len(policy.scores)
    return Chart(
        f"Drift: mean score (of the last {min(RECENT, len(scores))})",
        Axis("decisions with a score", 0.0, float(len(scores))),
        Axis("score", 0.0, 1.0),
        [
            Series("this stream", "a", _moving(scores)),
            Series("calibration", "c", [(0.0, usual), (float(len(scores)), usual)]),
        ],
    ).html()


def _moving(values: Sequence[float]) -> list[tuple[float, float]]:
    """Means of the last few values, at no more places than a chart has room for."""
    step = max(1, len(values) // 300)
    means = []
    for end in range(1, len(values) + 1):
        if end % step == 0 or end == len(values):
            last = values[max(0, end - RECENT) : end]
            means.append((float(end), sum(last) / len(last)))
    return means
