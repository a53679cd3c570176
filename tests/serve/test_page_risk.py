"""The alpha slider against the band itself, and the Risk view in a real browser."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="the service is not installed (assent[serve])")

from paged import Tab, violations
from served import NAMES, Served

from assent.calibrate.audited_band import audited_band
from assent.calibrate.rules import CurvePoint, Threshold
from assent.ledger import Ledger
from assent.policy.policy import Policy
from assent.review.labels import LabelRow, label_rows
from assent.serve.pages.risk import ALPHAS, DELTA, Curve, of_ledger, of_policy, position


def label_row(score: float, wrong: bool, *, q: str = "1", cluster: str | None = None) -> LabelRow:
    return LabelRow(
        decision="0",
        id="1",
        logic="ltl",
        cluster=cluster,
        accepted=True,
        withheld=False,
        score=score,
        q=Fraction(q),
        drawn=True,
        wrong=wrong,
        policy=None,
        evidence={},
    )


CHANCES = ("1", "0.5", "0.25")
ROWS = st.lists(
    st.tuples(st.integers(0, 20), st.sampled_from([None, False, True]), st.integers(0, 2), st.booleans()),
    min_size=10,
    max_size=80,
)


@given(ROWS, st.sampled_from(ALPHAS), st.booleans())
def test_every_position_is_what_the_weighted_band_says(
    rows: list[tuple[int, bool | None, int, bool]], alpha: float, clustered: bool
) -> None:
    """Whatever the probabilities of the draw; the band itself has its own tests."""
    labelled = [
        replace(
            label_row(s / 20, bool(w), q=CHANCES[k], cluster=f"{k}-{n}" if clustered else None),
            drawn=drawn or k == 0,
            wrong=w if drawn or k == 0 else None,
        )
        for n, (s, w, k, drawn) in enumerate(rows)
    ]
    curve = of_ledger(labelled, "x")
    if sum(row.answered for row in labelled if row.drawn) < 10:
        assert isinstance(curve, str)
        return
    assert isinstance(curve, Curve)
    truth = audited_band(
        [row.score for row in labelled],
        [row.drawn for row in labelled],
        [math.nan if row.wrong is None else float(row.wrong) for row in labelled],
        [float(row.q or 0) for row in labelled],
        delta=str(DELTA),
        least=min(row.q for row in labelled if row.q is not None),
        clusters=[row.cluster for row in labelled] if clustered else None,
    )
    place, rule = position(curve, alpha), truth.rule(str(alpha))
    assert (place.limit is not None) == isinstance(rule, Threshold)
    if isinstance(rule, Threshold):
        assert place.limit == rule.value and place.accepted == pytest.approx(rule.accepted)
        assert place.seen == pytest.approx(rule.risk) and place.seen <= alpha
        assert place.error is not None and 0 <= place.error <= 1
    elif place.needed is not None:  # with so many units the reach would fit
        room = alpha - curve.points[0][2]
        assert curve.reach[0] * math.sqrt(curve.units / place.needed) <= room * (1 + 1e-9)


def test_an_answer_stands_for_what_was_not_drawn() -> None:
    """Ten of forty drawn, all wrong: the naive share of all decisions would be a quarter of the truth."""
    rows = [label_row(0.1, True, q="0.25") for _ in range(10)]
    rows += [replace(label_row(0.1, False, q="0.25"), drawn=False, wrong=None) for _ in range(30)]
    curve = of_ledger(rows, "x")
    assert isinstance(curve, Curve) and "probability 0.25" in curve.notes[0]
    assert curve.points[-1][2] == pytest.approx(1.0) and position(curve, 0.5).limit is None


def test_where_there_is_no_honest_curve_it_is_said() -> None:
    rows = [label_row(0.1, False) for _ in range(20)]
    assert "from 10 on" in str(of_ledger(rows[:9], "x"))
    assert "several policies" in str(of_ledger([*rows, replace(rows[0], policy="other")], "x"))
    assert "no 'cluster'" in str(of_ledger([*rows, replace(rows[0], cluster="c")], "x"))


def test_what_is_not_answered_counts_as_wrong_and_bounds_count_as_scores() -> None:
    rows = [label_row(0.1, False) for _ in range(12)]
    waiting = replace(label_row(0.05, False), wrong=None)
    cut = replace(label_row(0.0, True), score=None, evidence={"scores": {"x": 0.08}})
    away = replace(label_row(0.0, True), score=None)
    curve = of_ledger([*rows, waiting, cut, away], "x")
    assert isinstance(curve, Curve) and len(curve.notes) == 2 and "1 of them" in curve.notes[1]
    assert [(t, round(15 * a), round(15 * r)) for t, a, r, _ in curve.points] == [
        (0.05, 1, 1),
        (0.08, 2, 2),
        (0.1, 14, 2),
    ]
    assert "No drawn item has a score" in str(of_ledger([away] * 10, "x"))


def policy_with(points: list[CurvePoint], **rule: object) -> Policy:
    made = Threshold(
        **{"value": 0.5, "alpha": 0.1, "n": 40, "floor": 0.02, "kind": "crc", "unit": "pair"}  # type: ignore[arg-type]
        | {"accepted": 0.5, "risk": 0.05}
        | rule
    )
    return Policy(alpha=0.1, rules={"all": made}, fingerprint={}, channel="x", curves={"all": tuple(points)})


def test_a_policy_says_where_its_curve_falls_short() -> None:
    plain = [
        CurvePoint(threshold=0.2, acceptance=0.4, risk=0.0),
        CurvePoint(threshold=1, acceptance=1, risk=0.3),
    ]
    curve = of_policy(policy_with(plain), "all")
    assert curve is not None and curve.notes == () and curve.unit == "row"
    many = of_policy(policy_with(plain, accepted=0.1, clusters=4, unit="cluster"), "all")
    assert many is not None and len(many.notes) == 2 and many.units == 4
    kept = [CurvePoint(threshold=0.2, acceptance=0.4, risk=0.0, cluster_risk=0.1)]
    by_cluster = of_policy(policy_with(kept, clusters=4, unit="cluster"), "all")
    assert by_cluster is not None and by_cluster.notes == () and by_cluster.points[0][2] == 0.1
    assert of_policy(policy_with([]), "all") is None


# ---- in the browser ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stream(site: Served) -> Served:
    """A ledger with decisions, drawn by a plan with two probabilities, and all of the drawn answered."""
    for number in range(40):
        text = f"Whenever the door is open, the alarm is on within {number + 2} seconds."
        row = site.post("/v1/translate", {"text": text, "vocabulary": NAMES, "logic": "stl"}).json()
        assert row["evidence"]["formula"] is not None
    assert site.post(
        "/v1/review/plan", {"audit": "0.9", "abstained": "1", "twice": "0", "plants": "0"}
    ).json()["picked"]
    while (card := site.http.get("/v1/review/next").json()["card"]) is not None:
        answer = {"item": card["item"], "look": card["look"], "formula": card["choices"][0]["formula"]}
        assert site.post("/v1/review/answers", answer).json()["status"] == "answered"
    return site


def test_the_slider_moves_everything(tab: Tab, stream: Served) -> None:
    page = tab.open("/risk")
    page.select_option("#logic", "stl")
    page.wait_for_selector("#alpha-1")  # the policy's calibration, and the stream's own answers
    panel = page.locator(".slider").nth(1)
    panel.locator(".alpha").focus()
    page.keyboard.press("Home")
    assert panel.locator("[data-out=alpha]").inner_text() == "0.01"
    assert panel.locator("[data-out=limit]").inner_text() == "nothing can be accepted"
    assert "about" in panel.locator("[data-out=needed]").inner_text()
    start = panel.locator(".marked.live").get_attribute("x1")
    page.keyboard.press("End")
    assert panel.locator("[data-out=alpha]").inner_text() == "0.5"
    assert panel.locator("[data-out=needed]").inner_text() == "none more"
    assert float(panel.locator("[data-out=limit]").inner_text()) > 0
    assert panel.locator(".marked.live").get_attribute("x1") != start
    assert "accepts" in panel.locator(".alpha").get_attribute("aria-valuetext")
    for title in ("Risk against coverage", "Audit", "Acceptance", "Drift"):
        assert page.locator(f"figcaption:has-text('{title}')").count() >= 1
    assert page.locator("caption:has-text('Limits')").count() == 1
    promise = panel.locator(".promise").inner_text()
    assert "with probability 0.9" in promise and "every position of the slider at once" in promise
    assert "drawn with probability" in panel.inner_text()


def test_every_position_that_the_slider_shows_is_kept_by_the_ledger(tab: Tab, stream: Served) -> None:
    """Moved by keys through every alpha: the limits shown are those that the ledger's own rows promise."""
    with Ledger.open(str(stream.log.parent / "ledger.db")) as ledger:
        rows = label_rows(ledger, logic="stl")
    curve = of_ledger(rows, "default")
    assert isinstance(curve, Curve)
    page = tab.open("/risk")
    page.select_option("#logic", "stl")
    page.wait_for_selector("#alpha-1")
    panel = page.locator(".slider").nth(1)
    panel.locator(".alpha").focus()
    page.keyboard.press("Home")
    last = 0.0
    for alpha in ALPHAS:
        limit, accepted = panel.locator("[data-out=limit]"), panel.locator("[data-out=accepted]")
        place = position(curve, alpha)
        assert panel.locator("[data-out=alpha]").inner_text() == f"{alpha:g}"
        shown = "nothing can be accepted" if place.limit is None else f"{place.limit:.3f}"
        assert limit.inner_text() == shown
        share = float(accepted.inner_text().removesuffix(" %"))
        assert share >= last
        last = share
        page.keyboard.press("ArrowRight")
    assert last > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tab: Tab, stream: Served, axe: str, scheme: str) -> None:
    tab.page.emulate_media(color_scheme=scheme)
    for width in (1100, 360):
        tab.page.set_viewport_size({"width": width, "height": 800})
        page = tab.open("/risk")
        page.wait_for_selector("#risk:not([aria-busy]) .slider")
        assert violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
