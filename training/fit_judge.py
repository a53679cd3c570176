"""Fit the rule that weighs the judge's evidence: ``judge.json`` (logistic, on the bench's fit part and on written domains that no network is trained on).

python training/fit_judge.py [--weights DIR]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from judging import ROOT, Case, fit_rows, own_output

from assent.embedded import Embedded
from assent.embedded.judge import FEATURES

MOST = 10.0
PRIOR = 0.25  # weight of each piece of evidence (in standard deviations) before any data: all count alike


def logistic(rows: np.ndarray, wrong: np.ndarray, *, ridge: float = 8.0) -> np.ndarray:
    """Weights (bias last) by Newton steps, drawn towards equal ones; none but the bias may fall below zero.

    All evidence is built to grow with suspicion: a negative weight would be noise of a small sample. Equal weights
    are hard to beat at this size, so the sample only corrects them.
    """
    design = np.hstack([rows, np.ones((len(rows), 1))])
    free = np.ones(design.shape[1], bool)
    while True:
        weights = np.zeros(design.shape[1])
        penalty = np.full(design.shape[1], ridge)
        penalty[-1] = 1e-3
        prior = np.full(design.shape[1], PRIOR)
        prior[-1] = 0.0
        part = design[:, free]
        for _ in range(60):
            p = 1 / (1 + np.exp(-part @ weights[free]))
            gradient = part.T @ (p - wrong) + penalty[free] * (weights[free] - prior[free])
            hessian = (part * (p * (1 - p))[:, None]).T @ part + np.diag(penalty[free])
            weights[free] -= np.linalg.solve(hessian, gradient)
        bad = (weights < 0) & free
        bad[-1] = False
        if not bad.any():
            return weights
        free &= ~bad


def level(totals: np.ndarray, wrong: np.ndarray) -> float:
    """The bias under which the mean score of the answers is the share of wrong ones among them.

    Draws teach which evidence tells right from wrong, but more of them are wrong than of the answers that the score is about.
    """
    low, high = -50.0, 50.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (
            (middle, high) if (1 / (1 + np.exp(-totals - middle))).mean() < wrong.mean() else (low, middle)
        )
    return low


def fit(models: Embedded, cases: Sequence[Case]) -> dict[str, float]:
    from assent.embedded.judge import EmbeddedJudge

    judge: EmbeddedJudge = models.plain_judge({})
    found = [judge.judge(c.lifted, c.formula, disagreement=c.disagreement).evidence for c in cases]
    rows = np.array([[evidence[name] for name in FEATURES] for evidence in found])
    scale = np.maximum(
        rows.std(axis=0), PRIOR / MOST
    )  # evidence that the fit part never saw weighs at most MOST
    wrong = np.array([case.wrong for case in cases], float)
    weights = logistic(rows / scale, wrong)
    answers = np.array([not case.drawn for case in cases])
    weights[-1] = level((rows / scale @ weights[:-1])[answers], wrong[answers])
    named = dict(zip(FEATURES, weights[:-1] / scale, strict=True))
    return {
        **{name: round(float(value), 4) for name, value in named.items()},
        "bias": round(float(weights[-1]), 4),
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--weights", type=Path, default=ROOT / "src/assent/weights")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th row (quicker)")
    args = parser.parse_args()
    models = Embedded(args.weights)
    cases = [
        case
        for logic in ("ltl", "stl", "spatial")
        for case in own_output(models, fit_rows(logic)[:: args.every], also_samples=True)
    ]
    weights = fit(models, cases)
    content = {
        "weights": weights,
        "fitted_on": "bench and bench/domains, parts fit; written domains never trained on",
        "cases": len(cases),
    }
    (args.weights / "judge.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{len(cases)} cases, {sum(case.wrong for case in cases)} wrong")
    for name, value in weights.items():
        print(f"{name:18} {value:8.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
