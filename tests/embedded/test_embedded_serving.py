"""A network as torch sees it and as it is served are the same function."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the training extra is not installed")

from assent.embedded.seq2seq import MEANING, Seq2Seq  # noqa: E402 (needs torch, see above)
from assent.embedded.tokens import SPECIAL, TokenVocabulary  # noqa: E402
from assent.errors import ModelError  # noqa: E402
from assent.samebits import FINE  # noqa: E402
from assent_train.convert import convert  # noqa: E402
from assent_train.network import (  # noqa: E402
    MEANING_SIZE,
    NetworkShape,
    TrainedNetwork,
    grow,
    set_meanings,
)

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


WORDS = (*SPECIAL, "open", "shut", "ring", "stop", "blizzard", "drizzle")


def vectors(words: Sequence[str]) -> np.ndarray:
    """Unit vectors in the steps that the package's own have."""
    made = np.random.default_rng(1).normal(size=(len(WORDS), MEANING_SIZE))
    made = np.rint(made / np.linalg.norm(made, axis=1, keepdims=True) * FINE) / FINE
    return made[[WORDS.index(word) for word in words]].astype(np.float32)


def understanding(seed: int = 0) -> TrainedNetwork:
    torch.manual_seed(seed)
    shape = NetworkShape(
        len(WORDS), len(TARGET), width=64, heads=2, encoder=2, decoder=2, inner=128, meaning=MEANING_SIZE
    )
    made = TrainedNetwork(shape)
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.15)
    set_meanings(made, WORDS, vectors)
    return made.eval()


def test_an_unknown_word_is_read_by_its_meaning_as_in_training(tmp_path: Path) -> None:
    """Served without its last two words, the network reads them as it reads words by meaning alone in training."""
    made, known = understanding(), len(WORDS) - 2
    convert(made, WORDS, TARGET, tmp_path / "model", quantization=None)
    whole = Seq2Seq(tmp_path / "model", vectors=vectors)
    by_number = [number + len(WORDS) if number >= known else number for number in (3, 7, 5, 8)]
    wanted = torch_log_probs(made, by_number, [4, 5])
    blind = Seq2Seq(tmp_path / "model", vectors=vectors)
    blind.source = TokenVocabulary(WORDS[:known])
    said = [[WORDS[number] for number in (3, 7, 5, 8)]]
    assert blind.score(said, [["t1", "t2"]])[0] == pytest.approx(wanted, abs=2e-4)
    assert whole.score(said, [["t1", "t2"]])[0] == pytest.approx(
        torch_log_probs(made, [3, 7, 5, 8], [4, 5]), abs=2e-4
    )
    over = torch_log_probs(made, [3, 0, 5, 0], [4, 5])
    assert max(abs(a - b) for a, b in zip(wanted, over, strict=True)) > 2e-3
    assert blind.known(["blizzard", "open"]) == ["<unk>", "open"]


def test_without_vectors_an_unknown_word_is_read_over(tmp_path: Path) -> None:
    made = understanding()
    convert(made, WORDS, TARGET, tmp_path / "model", quantization=None)
    served = Seq2Seq(tmp_path / "model")
    scored = served.score([["open", "zebra"]], [["t1"]])[0]
    assert scored == pytest.approx(torch_log_probs(made, [3, 0], [4]), abs=2e-4)


def test_meanings_added_to_a_network_change_nothing_at_first() -> None:
    made = network()
    bigger = grow(made, {"meaning": MEANING_SIZE}).eval()
    arguments = torch.tensor([[5, 6]]), torch.tensor([2]), torch.tensor([[1, 4]])
    assert torch.allclose(made(*arguments), bigger(*arguments), atol=1e-6)
    more = grow(bigger, {"source": len(SOURCE) + 2}).eval()
    new = torch.tensor([[5, len(SOURCE) + 1]]), torch.tensor([2]), torch.tensor([[1, 4]])
    assert torch.allclose(more(*new), made(torch.tensor([[5, 0]]), *new[1:]), atol=1e-6)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x93NUMPY"])
def test_a_matrix_that_cannot_be_read_is_an_error(tmp_path: Path, content: bytes) -> None:
    convert(understanding(), WORDS, TARGET, tmp_path / "model", quantization=None)
    (tmp_path / "model" / MEANING).write_bytes(content)
    with pytest.raises(ModelError, match="unknown words"):
        Seq2Seq(tmp_path / "model", vectors=vectors)


def test_a_matrix_of_another_shape_is_an_error(tmp_path: Path) -> None:
    convert(understanding(), WORDS, TARGET, tmp_path / "model", quantization=None)
    np.save(tmp_path / "model" / MEANING, np.full((MEANING_SIZE, 64), np.nan, np.float16))
    with pytest.raises(ModelError, match="does not fit"):
        Seq2Seq(tmp_path / "model", vectors=vectors)
