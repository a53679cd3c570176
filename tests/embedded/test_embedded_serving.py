"""A network as torch sees it and as it is served are the same function."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the training extra is not installed")

from assent.embedded.seq2seq import Seq2Seq  # noqa: E402 (needs torch, see above)
from assent.embedded.tokens import SPECIAL  # noqa: E402
from assent_train.convert import convert  # noqa: E402
from assent_train.network import NetworkShape, TrainedNetwork, grow  # noqa: E402

SOURCE = (*SPECIAL, *(f"w{i}" for i in range(40)))
TARGET = (*SPECIAL, *(f"t{i}" for i in range(20)))


def network(seed: int = 0) -> TrainedNetwork:
    torch.manual_seed(seed)
    made = TrainedNetwork(
        NetworkShape(len(SOURCE), len(TARGET), width=64, heads=2, encoder=2, decoder=2, inner=128)
    )
    for parameter in made.parameters():  # a fresh network is nearly constant: shake it
        torch.nn.init.normal_(parameter, std=0.15)
    return made.eval()


def torch_log_probs(made: TrainedNetwork, source: list[int], target: list[int]) -> list[float]:
    with torch.no_grad():
        logits = made(torch.tensor([source]), torch.tensor([len(source)]), torch.tensor([[1, *target]]))
    table = logits.log_softmax(-1)[0]
    return [float(table[i, token]) for i, token in enumerate([*target, 2])]


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainedNetwork, Seq2Seq]:
    made, folder = network(), tmp_path_factory.mktemp("exact") / "model"
    convert(made, SOURCE, TARGET, folder, quantization=None)
    return made, Seq2Seq(folder)


@pytest.mark.parametrize(
    ("source", "target"),
    [([5, 6, 7, 8, 9, 10], [4, 5, 6]), ([11], [7]), ([*range(3, 40)], [*range(3, 20)])],
)
def test_scores_are_those_of_the_network(
    exact: tuple[TrainedNetwork, Seq2Seq], source: list[int], target: list[int]
) -> None:
    made, served = exact
    scored = served.score([[SOURCE[i] for i in source]], [[TARGET[i] for i in target]])[0]
    assert scored == pytest.approx(torch_log_probs(made, source, target), abs=2e-4)


def test_padding_changes_nothing(exact: tuple[TrainedNetwork, Seq2Seq]) -> None:
    made, _ = exact
    target = torch.tensor([[1, 4, 5]])
    alone = made(torch.tensor([[5, 6, 7]]), torch.tensor([3]), target)
    padded = made(torch.tensor([[5, 6, 7, 0, 0]]), torch.tensor([3]), target)
    assert torch.allclose(alone, padded, atol=1e-5)


def test_int8_stays_close(tmp_path: Path) -> None:
    made = network(1)
    convert(made, SOURCE, TARGET, tmp_path / "model")
    scored = Seq2Seq(tmp_path / "model").score([[SOURCE[i] for i in (5, 6, 7)]], [[TARGET[4]]])[0]
    assert math.fsum(scored) == pytest.approx(math.fsum(torch_log_probs(made, [5, 6, 7], [4])), abs=1.5)


def test_the_beam_reports_the_log_probability_of_its_output(exact: tuple[TrainedNetwork, Seq2Seq]) -> None:
    _, served = exact
    source = ["w3", "w4", "w5"]
    for hypothesis in served.best([source], 4)[0]:
        if len(hypothesis.tokens) < 200:  # cut output has no end token to score
            assert hypothesis.log_p == pytest.approx(
                math.fsum(served.score([source], [hypothesis.tokens])[0]), abs=0.05
            )


def test_draws_depend_on_their_seed_alone(exact: tuple[TrainedNetwork, Seq2Seq]) -> None:
    _, served = exact
    first = served.sample(["w3", "w4"], 3, seed=7)
    served.sample(["w9"], 2, seed=1)
    assert served.sample(["w3", "w4"], 3, seed=7) == first
    assert served.sample(["w3", "w4"], 3, seed=8) != first


def test_growing_keeps_what_was_learnt() -> None:
    made = network()
    bigger = grow(
        made, {"source": len(SOURCE) + 5, "target": len(TARGET) + 3, "encoder": 3, "decoder": 4}
    ).eval()
    assert len(bigger.encoder) > len(made.encoder) and len(bigger.decoder) > len(made.decoder)
    arguments = torch.tensor([[5, 6]]), torch.tensor([2]), torch.tensor([[1, 4]])
    assert torch.allclose(made(*arguments), bigger(*arguments)[..., : len(TARGET)], atol=1e-5)
