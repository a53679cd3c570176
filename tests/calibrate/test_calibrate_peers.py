"""The same numbers as independent implementations, where they overlap: MAPIE, crepes, scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from assent.calibrate import Infeasible, cluster_crc, crc, split
from assent.calibrate.metrics import auroc
from assent.calibrate.rules import gate_rule
from assent.calibrate.selective import high_probability

pytestmark = pytest.mark.peer
SEEDS = range(40)


def draw(seed: int, n: int = 120) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    wrong = rng.random(n) < 0.3
    return np.round(np.clip(rng.normal(0.4 + 0.2 * wrong, 0.2), 0, 1), 2), wrong


@pytest.mark.parametrize("clustered", [False, True])
def test_mapie_conformal_risk_control(clustered: bool) -> None:
    """MAPIE asks for strictly less than alpha and accepts something if nothing fits: levels are off the
    lattice, and infeasible cases are checked against its bound."""
    methods = pytest.importorskip("mapie.risk_control.methods", reason="MAPIE is not installed")
    for seed in SEEDS:
        scores, wrong = draw(seed)
        names = (
            np.random.default_rng(seed).integers(0, 40, len(scores)) if clustered else np.arange(len(scores))
        )
        grid = np.unique(scores)
        lost = (scores[:, None] <= grid) & wrong[:, None]
        losses = np.stack([lost[names == name].mean(axis=0) for name in np.unique(names)])
        _, bounds = methods.get_r_hat_plus(losses, grid, "crc", None, None, None)
        for alpha in (0.0313, 0.0777, 0.1037, 0.2011):
            rule = (
                cluster_crc(scores, wrong, names, alpha=alpha)
                if clustered
                else crc(scores, wrong, alpha=alpha)
            )
            if isinstance(rule, Infeasible):
                assert bounds[0] > alpha
                continue
            theirs = methods.find_best_predict_param(grid, bounds, np.array([alpha]))[0]
            assert [rule.accepts(float(s)) for s in grid] == [s <= theirs for s in grid]


def test_mapie_binomial_p_values() -> None:
    methods = pytest.importorskip("mapie.risk_control.methods", reason="MAPIE is not installed")
    for seed in SEEDS:
        scores, wrong = draw(seed, n=128)  # n * (k / n) is exact in floats, as their ceiling needs
        grid = np.unique(scores)
        risks = ((scores[:, None] <= grid) & wrong[:, None]).mean(axis=0)
        p = methods.compute_hoeffding_bentkus_p_value(risks, len(scores), 0.2, binary=True)[:, 0]
        rule = high_probability(scores, wrong, alpha=0.2, delta=0.1)
        assert [rule.accepts(float(s)) for s in grid] == (p <= 0.1).tolist()


def test_mapie_conformal_quantile() -> None:
    """Split conformal regression around 0 has the same quantile of the right scores as its half-width."""
    regression = pytest.importorskip("mapie.regression", reason="MAPIE is not installed")
    from sklearn.dummy import DummyRegressor

    zero = DummyRegressor(strategy="constant", constant=0.0).fit(np.zeros((2, 1)), np.zeros(2))
    for seed in SEEDS[:10]:
        scores, wrong = draw(seed)
        right = scores[~wrong]
        for alpha in (0.1, 0.25):
            peer = regression.SplitConformalRegressor(zero, confidence_level=1 - alpha, prefit=True)
            peer.conformalize(np.zeros((len(right), 1)), right)
            _, interval = peer.predict_interval(np.zeros((1, 1)))
            assert split(scores, wrong, alpha=alpha).value == pytest.approx(float(interval[0, 1, 0]))


def test_crepes_p_values() -> None:
    base = pytest.importorskip("crepes.base", reason="crepes is not installed")
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        near, new = np.round(rng.random(50), 2), np.round(rng.random(30), 2)
        theirs = base.p_values_batch(near, new, smoothing=False)
        gate = gate_rule(near, delta=0.05)
        assert [float(gate.p_value(float(d))) for d in new] == pytest.approx(theirs.tolist())


def test_scikit_learn_auroc() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    for seed in SEEDS:
        scores, wrong = draw(seed)
        assert auroc(scores, wrong) == pytest.approx(metrics.roc_auc_score(wrong, scores), abs=1e-12)
