"""AUROC and its intervals, curves, fusion, leakage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.calibrate import cluster_crc, crc
from assent.calibrate.fusion import equal, fit_logistic, fuse, fuse_one, mixture
from assent.calibrate.leakage import refuse_overlap
from assent.calibrate.metrics import (
    area_under_risk_coverage,
    auroc,
    auroc_within,
    bootstrap_auroc,
    bootstrap_difference,
    delong_auroc,
    expected_acceptance,
    risk_coverage,
)
from assent.errors import DataError, LeakageError, UsageError

rows = st.lists(st.tuples(st.integers(0, 8).map(lambda k: k / 8), st.booleans()), min_size=1, max_size=40)


@given(rows)
def test_auroc_by_counting_pairs(drawn: list[tuple[float, bool]]) -> None:
    wrong = [s for s, z in drawn if z]
    right = [s for s, z in drawn if not z]
    value = auroc([s for s, _ in drawn], [z for _, z in drawn])
    if not wrong or not right:
        assert value is None
        assert bootstrap_auroc([s for s, _ in drawn], [z for _, z in drawn], seed=0) is None
    else:
        won = sum((a > b) + (a == b) / 2 for a in wrong for b in right)
        assert value == pytest.approx(won / len(wrong) / len(right))


def test_within_strata() -> None:
    """Size explains everything: AUROC is high over all rows and one half within equal sizes."""
    scores, losses, sizes = [0.1] * 4 + [0.9] * 4, [0, 0, 0, 1, 0, 1, 1, 1], ["s"] * 4 + ["l"] * 4
    assert auroc(scores, losses) == 0.75
    assert auroc_within(scores, losses, sizes) == 0.5
    assert auroc_within([0.1, 0.2], [0, 1], ["a", "b"]) is None


def draw(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    wrong = rng.random(n) < 0.4
    return np.clip(rng.normal(0.4 + 0.15 * wrong, 0.15), 0, 1), wrong


def test_intervals_cover() -> None:
    """The true AUROC of the drawn world lies in 95 % intervals about as often as they say."""
    rng = np.random.default_rng(1)
    truth = auroc(*draw(rng, 200_000))
    inside = {"bootstrap": 0, "delong": 0}
    for k in range(150):
        scores, wrong = draw(rng, 120)
        for name, made in (
            ("bootstrap", bootstrap_auroc(scores, wrong, seed=k, draws=200)),
            ("delong", delong_auroc(scores, wrong)),
        ):
            inside[name] += made.low <= truth <= made.high
    assert all(0.88 <= count / 150 <= 0.995 for count in inside.values())


def test_clusters_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    scores, wrong = draw(rng, 40)
    names = np.repeat(np.arange(40), 10)
    alone = bootstrap_auroc(scores[names], wrong[names], seed=3)
    whole = bootstrap_auroc(scores[names], wrong[names], seed=3, clusters=names)
    assert whole.high - whole.low > 2 * (alone.high - alone.low)
    assert whole == bootstrap_auroc(scores[names], wrong[names], seed=3, clusters=names)


def test_difference_of_a_score_to_itself_and_to_noise() -> None:
    rng = np.random.default_rng(4)
    scores, wrong = draw(rng, 400)
    same = bootstrap_difference(scores, scores, wrong, seed=1)
    assert (same.value, same.low, same.high) == (0, 0, 0)
    better = bootstrap_difference(scores, rng.random(400), wrong, seed=1)
    assert better.low > 0
    assert bootstrap_auroc(scores, wrong, seed=1).informative
    assert not bootstrap_auroc(rng.random(60), wrong[:60], seed=1).informative


def test_curve_ends_at_everything() -> None:
    scores, losses = [0.1, 0.1, 0.2, 0.9], [0, 1, 0, 1]
    curve = risk_coverage(scores, losses, clusters=["a", "b", "b", "c"])
    assert [(p.threshold, p.acceptance, p.risk) for p in curve] == [
        (0.1, 0.5, 0.25),
        (0.2, 0.75, 0.25),
        (0.9, 1.0, 0.5),
    ]
    assert [p.cluster_risk for p in curve] == pytest.approx([1 / 6, 1 / 6, 0.5])
    assert len(risk_coverage(np.linspace(0, 1, 5000), [0] * 5000, points=50)) == 50
    assert risk_coverage([], []) == ()
    assert area_under_risk_coverage([0.1, 0.9], [0, 1]) == 0.25
    assert area_under_risk_coverage([0.5, 0.5], [0, 1]) == 0.5


def test_expected_acceptance_is_near_what_new_calibrations_accept() -> None:
    rng = np.random.default_rng(5)
    scores, wrong = draw(rng, 300)
    made = expected_acceptance(lambda at, _: crc(scores[at], wrong[at], alpha=0.1), scores, seed=0)
    fresh = [crc(*draw(rng, 300), alpha=0.1).accepted for _ in range(100)]
    assert made.low < np.mean(fresh) < made.high
    clusters = np.arange(300) // 3
    by_cluster = expected_acceptance(
        lambda at, names: cluster_crc(scores[at], wrong[at], names, alpha=0.1),
        scores,
        seed=0,
        clusters=clusters,
    )
    assert 0 < by_cluster.low < by_cluster.high < 1


def test_mean_fusions() -> None:
    scores = {"back_translation": [0.2, 1.0], "self_consistency": [0.4, 0.0]}
    assert fuse(equal(tuple(scores)), scores).tolist() == pytest.approx([0.3, 0.5])
    assert fuse(mixture("back_translation", "self_consistency", 0.25), scores).tolist() == pytest.approx(
        [0.35, 0.25]
    )
    assert fuse_one(
        equal(tuple(scores)), {"back_translation": 0.2, "self_consistency": 0.4}
    ) == pytest.approx(0.3)
    with pytest.raises(DataError, match="'self_consistency' was not recorded"):
        fuse_one(equal(tuple(scores)), {"back_translation": 0.2})
    with pytest.raises(UsageError):
        mixture("a", "b", 1.5)


def test_learnt_fusion_against_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model", reason="scikit-learn is not installed")
    rng = np.random.default_rng(6)
    columns = {name: np.round(0.05 + 0.9 * rng.random(300), 3) for name in "abc"}
    odds = {name: np.log(values / (1 - values)) for name, values in columns.items()}
    wrong = rng.random(300) < 1 / (1 + np.exp(1 - 2 * odds["a"] - odds["b"] + odds["c"]))
    made = fit_logistic(columns, wrong)
    peer = linear.LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit(
        np.stack(list(odds.values()), 1), wrong
    )
    assert made.weights == pytest.approx(peer.coef_[0].tolist(), abs=1e-3)
    assert made.intercept == pytest.approx(float(peer.intercept_[0]), abs=1e-3)
    monotone = fit_logistic(columns, wrong, monotone=True)
    assert min(monotone.weights) >= 0 and monotone.weights[2] == 0
    assert ((fuse(made, columns) >= 0) & (fuse(made, columns) <= 1)).all()


def test_learnt_fusion_edges() -> None:
    with pytest.raises(DataError, match="one kind only"):
        fit_logistic({"a": [0.1, 0.2]}, [0, 0])
    separable = fit_logistic({"a": [0.0, 0.1, 0.9, 1.0]}, [0, 0, 1, 1])
    assert np.isfinite(separable.weights[0]) and separable.weights[0] > 0


ROWS = {
    "fit": [{"id": "1", "text": "Go home .", "cluster": "a"}],
    "calibration": [{"id": "2", "text": "Stop.", "cluster": "b"}, {"id": "3", "text": "Wait."}],
}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "3", "text": "new"}, "share the id '3'"),
        ({"id": "4", "text": "go  HOME ."}, "share the text 'go home .'"),
        ({"id": "4", "text": "new", "cluster": "b"}, "share the cluster 'b'"),
    ],
)
def test_leakage_is_refused(row: dict[str, str], said: str) -> None:
    refuse_overlap(ROWS)
    refuse_overlap({**ROWS, "test": [{"id": "9", "text": "new", "cluster": "z"}]})
    with pytest.raises(LeakageError, match=said):
        refuse_overlap({**ROWS, "test": [row]})


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.booleans(), st.booleans(), st.integers(0, 3)), min_size=1, max_size=40
    )
)
def test_a_curve_counts_what_is_deferred_as_never_accepted(rows: list[tuple[int, bool, bool, int]]) -> None:
    """Every point against plain counting."""
    scores = [row[0] / 10 for row in rows]
    wrong, away, clusters = ([row[k] for row in rows] for k in (1, 2, 3))
    curve = risk_coverage(scores, wrong, deferred=away, clusters=clusters)
    assert [p.threshold for p in curve] == sorted(
        {s for s, gone in zip(scores, away, strict=True) if not gone}
    )
    for point in curve:
        taken = [s <= point.threshold and not gone for s, gone in zip(scores, away, strict=True)]
        bad = [t and w for t, w in zip(taken, wrong, strict=True)]
        assert point.acceptance == pytest.approx(sum(taken) / len(rows))
        assert point.risk == pytest.approx(sum(bad) / len(rows))
        shares = [
            sum(b for b, c in zip(bad, clusters, strict=True) if c == name) / clusters.count(name)
            for name in set(clusters)
        ]
        assert point.cluster_risk == pytest.approx(sum(shares) / len(shares))
