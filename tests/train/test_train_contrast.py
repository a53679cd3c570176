"""Right readings beside wrong ones: sorted by meaning, weighed as a share of all, and learnt from."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the training extra is not installed")

from assent.embedded.tokens import TARGETS, TokenVocabulary  # noqa: E402
from assent.lift.linear import BEYOND  # noqa: E402
from assent_train.batches import source_vocabulary  # noqa: E402
from assent_train.contrast import (  # noqa: E402
    Contrast,
    ContrastBatch,
    contrast,
    contrast_batches,
    contrast_loss,
    log_probabilities,
    meant_by,
)
from assent_train.loop import TrainingPlan, TrainingState, train  # noqa: E402
from assent_train.network import NetworkShape, TrainedNetwork  # noqa: E402

torch.set_num_threads(1)
WORDS = ("zig", "zag", "zog")
RIGHT = {"zig": ("G", "P1"), "zag": ("F", "P1"), "zog": ("X", "P1")}
ROWS = [
    Contrast(("<ltl>", word, "P1"), (RIGHT[word],), tuple(RIGHT[other] for other in WORDS if other != word))
    for word in WORDS
]


def small() -> TrainingState:
    torch.manual_seed(0)
    source = source_vocabulary([(row.source, ()) for row in ROWS], at_least=1)
    target = TokenVocabulary(TARGETS)
    shape = NetworkShape(len(source), len(target), width=32, heads=2, encoder=1, decoder=1, inner=64)
    return TrainingState(TrainedNetwork(shape), source, target)


@torch.no_grad()
def first_among(network: TrainedNetwork, batches: Sequence[ContrastBatch]) -> float:
    """Share of the sentences whose likeliest reading is right, spellings summed."""
    good = rows = 0
    for batch in batches:
        whole, _ = log_probabilities(network, batch)
        for owner in range(len(batch.lengths)):
            mine = batch.owner == owner
            values, right = whole[mine], batch.right[mine]
            best_wrong = values[~right].max() if bool((~right).any()) else torch.tensor(-1e9)
            good += int(torch.logsumexp(values[right], 0) > best_wrong)
            rows += 1
    return good / max(1, rows)


def test_readings_are_right_by_meaning_not_by_spelling() -> None:
    pair = (("<ltl>", "P1", "and", "P2"), ("&", "P1", "P2"))
    readings = [("&", "P1", "P2"), ("&", "P2", "P1"), ("|", "P1", "P2"), ("&", "P1")]
    found = contrast(pair, readings)
    assert found.right == (("&", "P1", "P2"), ("&", "P2", "P1"))
    assert found.wrong == (("|", "P1", "P2"),)  # what spells no formula teaches nothing


def test_where_no_formula_says_it_every_formula_is_wrong() -> None:
    found = contrast((("<ltl>", "P1", "may"), (BEYOND,)), [(BEYOND,), ("G", "P1")])
    assert (found.right, found.wrong) == (((BEYOND,),), (("G", "P1"),))


def test_numbers_keep_apart_in_sums() -> None:
    five, sum_of_two = meant_by(("F[", "N1", "N5", "P1")), meant_by(("F[", "N1", "N3", "+", "N4", "P1"))
    assert five is not None and sum_of_two is not None and five != sum_of_two
    assert meant_by(("G", "G")) is None


def test_a_target_that_cannot_be_spelt_makes_nothing_wrong() -> None:
    found = contrast((("<stl>", "P1"), ("F[", "N2", "N1", "P1")), [("F[", "N1", "N2", "P1")])
    assert found.wrong == ()


def test_to_say_that_nothing_says_it_is_wrong_where_a_formula_does() -> None:
    assert contrast((("<ltl>", "P1"), ("G", "P1")), [(BEYOND,)]).wrong == ((BEYOND,),)


def test_a_share_is_the_right_readings_part_of_all() -> None:
    state = small()
    (batch,) = contrast_batches(ROWS, state.source, state.target, tokens=10_000, seed=1)
    with torch.no_grad():
        whole, tokens = log_probabilities(state.network, batch)
        both = float(contrast_loss(state.network, batch, weight=1.0))
        usual = float(contrast_loss(state.network, batch, weight=0.0))
    lacks = []
    for owner in range(len(ROWS)):
        mine = batch.owner == owner
        chances = [math.exp(value) for value in whole[mine].tolist()]
        good = [c for c, right in zip(chances, batch.right[mine].tolist(), strict=True) if right]
        lacks.append(-math.log(sum(good) / sum(chances)))
    assert both - usual == pytest.approx(sum(lacks) / len(lacks), rel=1e-4)
    wanted = tokens[batch.first]
    assert usual == pytest.approx(-float(wanted.sum()) / int((wanted != 0).sum()), rel=1e-4)


def test_a_source_that_several_targets_share_is_read_as_if_alone() -> None:
    state = small()
    state.network.eval()
    longer = Contrast(("<ltl>", "zig", "zig", "zag", "P1"), (("F", "G", "P1"),), (("G", "P1"),))
    (together,) = contrast_batches([*ROWS, longer], state.source, state.target, tokens=10_000, seed=1)
    with torch.no_grad():
        whole, _ = log_probabilities(state.network, together)
        for number, length in enumerate(together.lengths.tolist()):
            for at in (together.owner == number).nonzero().flatten().tolist():
                logits = state.network.forward(
                    together.source[number : number + 1, :length],
                    together.lengths[number : number + 1],
                    together.target[at : at + 1],
                )
                wanted = together.wanted[at]
                chances = logits[0].log_softmax(dim=-1)
                alone = sum(float(chances[k, int(w)]) for k, w in enumerate(wanted.tolist()) if w != -100)
                assert float(whole[at]) == pytest.approx(alone, abs=1e-3)


def test_every_row_is_in_one_batch_and_batches_keep_their_size() -> None:
    state = small()
    rows = [random.Random(k).choice(ROWS) for k in range(40)]
    batches = contrast_batches(rows, state.source, state.target, tokens=60, seed=2)
    assert sum(len(batch.lengths) for batch in batches) == 40
    assert all(batch.source.numel() + int((batch.wanted != -100).sum()) <= 60 for batch in batches)


def test_a_network_learns_to_put_the_right_reading_first(tmp_path: Path) -> None:
    state = small()
    held = contrast_batches(ROWS, state.source, state.target, tokens=10_000, seed=1)
    before = first_among(state.network, held)
    chunks = (
        (k, contrast_batches(ROWS * 8, state.source, state.target, tokens=200, seed=k)) for k in range(50)
    )
    plan = TrainingPlan(minutes=0.2, warmup=1, tokens=200)
    state = train(
        state,
        plan,
        chunks,
        folder=tmp_path,
        held_out=[],
        report=lambda _: None,
        loss=lambda network, batch: contrast_loss(network, batch, weight=1.0),
    )
    assert before < 1.0
    assert first_among(state.network, held) == 1.0
