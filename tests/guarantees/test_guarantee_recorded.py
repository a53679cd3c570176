"""Rules from reviewed streams on recorded scores: the promise kept, the naive loop beside it failing, the price.

Items are drawn with replacement from the recorded translations, so the true risk of a threshold is known.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from guarantee_harness import REACH, breaks

from assent.calibrate import Threshold, crc
from assent.calibrate.anytime import advance, even_grid, rule, start
from assent.calibrate.audited import audited_crc
from assent.calibrate.certificate import certify
from assent.evaluate.labels import load

ALPHA, DELTA = 0.1, 0.1


class Recorded:
    def __init__(self, file: Path) -> None:
        data = load(file, level="canonical")
        self.scores, self.wrong = data.scores("fusion"), data.wrong.astype(bool)

    def draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        at = rng.integers(0, len(self.scores), n)
        return self.scores[at], self.wrong[at]

    def takes(self, made: object, scores: np.ndarray) -> np.ndarray:
        return made.accepts_all(scores) if isinstance(made, Threshold) else np.zeros(len(scores), bool)

    def risk(self, made: object) -> float:
        return float((self.takes(made, self.scores) & self.wrong).mean())

    def acceptance(self, made: object) -> float:
        return float(self.takes(made, self.scores).mean())


@pytest.fixture(scope="module")
def recorded(shared: Path) -> Recorded:
    return Recorded(shared / "recorded" / "llm_ltl.jsonl")


def test_audited_rule_and_the_loop_that_labels_abstentions(recorded: Recorded) -> None:
    """200 labels, then a stream of 1,000 under that policy, reviewed by chance or (naively) where it abstained."""
    rng = np.random.default_rng(91)
    audited, once, thrice = [], [], []
    for _ in range(150):
        scores, wrong = recorded.draw(rng, 200)
        made = crc(scores, wrong, alpha=ALPHA)
        stream, bad = recorded.draw(rng, 1000)
        chance = np.where(recorded.takes(made, stream), 0.1, 0.5)
        drawn = rng.random(1000) < chance
        audited.append(recorded.risk(audited_crc(stream, drawn, bad, chance, alpha=ALPHA, least="0.1")))
        for k in range(3):
            abstained = ~recorded.takes(made, stream)
            scores, wrong = np.r_[scores, stream[abstained]], np.r_[wrong, bad[abstained]]
            made = crc(scores, wrong, alpha=ALPHA)
            (once if k == 0 else thrice if k == 2 else []).append(recorded.risk(made))
            stream, bad = recorded.draw(rng, 1000)
    assert not breaks(audited, ALPHA) and np.mean(audited) > 0.075
    assert breaks(once, ALPHA)
    assert breaks(thrice, ALPHA) and np.mean(thrice) > np.mean(once)


def followed(
    recorded: Recorded, rng: np.random.Generator, accepted: float, abstained: float, items: int
) -> tuple[bool, float, int]:
    """A stream whose draws follow the threshold in use: was a bad one ever in use, acceptance in the end, answers."""
    state = start(even_grid(recorded.scores[::3]), alpha=ALPHA, delta=DELTA, least=min(accepted, abstained))
    for _ in range(items // 200):
        scores, wrong = recorded.draw(rng, 200)
        chance = np.where(recorded.takes(rule(state), scores), accepted, abstained)
        state = advance(state, scores, rng.random(200) < chance, wrong, chance, guesses=scores)
    made = rule(state)
    return recorded.risk(made) > ALPHA, recorded.acceptance(made), state.answers


def test_anytime_rule_with_a_fraction_of_the_answers(recorded: Recorded) -> None:
    """A tenth of the accepted and 30 % of the abstentions against all abstentions, over 4,000 instructions."""
    rng = np.random.default_rng(92)
    few = [followed(recorded, rng, 0.1, 0.3, 4000) for _ in range(30)]
    many = [followed(recorded, rng, 0.1, 1.0, 4000) for _ in range(15)]
    assert not breaks([bad for bad, _, _ in few], DELTA)
    answers = [np.mean([n for _, _, n in runs]) for runs in (few, many)]
    assert answers[1] > 2.5 * answers[0]
    # The same acceptance: a loss of more than 0.02 would have to be chance (one in 10,000).
    less, more = (np.array([share for _, share, _ in runs]) for runs in (few, many))
    error = (less.var(ddof=1) / len(less) + more.var(ddof=1) / len(more)) ** 0.5
    assert more.mean() - less.mean() < 0.02 + REACH * error


def test_certificates_for_recorded_documents(recorded: Recorded) -> None:
    """300 accepted requirements, 90 audited: true with 95 %, whatever the document (here sorted by score)."""
    rng = np.random.default_rng(93)
    false = []
    for _ in range(300):
        scores, wrong = recorded.draw(rng, 400)
        document = wrong[np.argsort(scores, kind="stable")][:300]
        found = int(document[rng.choice(300, 90, replace=False)].sum())
        false.append(certify(300, 90, found).at_most < document.sum())
    assert not breaks(false, 0.05)
