"""Few rows: whole clusters check by folds, and the shipped weights stay unless the folds show a clear gain."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the training extra is not installed")

from assent.embedded import Embedded  # noqa: E402
from assent.embedded.opinions import FILE as RERANK  # noqa: E402
from assent_train import few, session  # noqa: E402
from assent_train.batches import source_vocabulary  # noqa: E402
from assent_train.few import SHARES, blended, chosen, folds_of  # noqa: E402
from assent_train.finetune import FinetuneSettings  # noqa: E402
from assent_train.loop import TrainingState  # noqa: E402
from assent_train.network import NetworkShape, TrainedNetwork  # noqa: E402
from assent_train.rows import LabelledPair, load  # noqa: E402

torch.set_num_threads(1)
KINDS = {"always": "G", "sometime": "F", "next": "X", "in the end always": "F G", "over and over": "G F"}
ROWS = [
    {"text": f"{word} p{i} then p{i + 1}", "reference": f"{op}(p{i} -> p{i + 1})", "logic": "ltl"}
    for i in range(1, 6)
    for word, op in KINDS.items()
]
ARGUMENTS: dict[str, Any] = {
    "logic": None,
    "sections": {},
    "domain": None,
    "held_out": 0.2,
    "minutes": 50.0,
    "seed": 0,
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS))
    return path


@pytest.mark.parametrize(
    ("won", "lost", "clear"),
    [(0, 0, False), (1, 0, False), (2, 0, True), (3, 1, False), (4, 1, True), (5, 8, False), (9, 6, False)],
)
def test_a_gain_is_clear_by_two_rows_and_a_standard_error(won: int, lost: int, clear: bool) -> None:
    assert chosen({0.5: (won, lost)}) == (0.5 if clear else 0.0)


def test_of_clear_gains_the_largest_is_taken() -> None:
    assert chosen({0.5: (6, 1), 1.0: (9, 1)}) == 1.0
    assert chosen({0.5: (6, 1), 1.0: (9, 8)}) == 0.5
    assert chosen({0.5: (1, 1), 1.0: (0, 4)}) == 0.0


def test_what_loses_is_hardly_ever_taken_and_what_helps_mostly() -> None:
    """A hundred rows, of which fifteen change; both shares see the same rows."""
    rng = random.Random(8)

    def taken(helps: float) -> float:
        found = 0
        for _ in range(2000):
            won = [sum(rng.random() < helps for _ in range(15)) for _ in SHARES]
            found += chosen({share: (w, 15 - w) for share, w in zip(SHARES, won, strict=True)}) > 0
        return found / 2000

    assert taken(0.25) < 0.01
    assert taken(0.8) > 0.95


def test_folds_keep_clusters_whole_and_every_row_checks_once(file: Path) -> None:
    rows, _ = load(file, None, {}, None)
    folds = folds_of(rows, seed=1)
    assert len(folds) == few.FOLDS
    assert sorted(row.id for fold in folds for row in fold) == sorted(row.id for row in rows)
    names = [{row.cluster for row in fold} for fold in folds]
    assert sum(map(len, names)) == len(set().union(*names))
    alike = [replace(row, cluster="one") for row in rows]
    assert len(folds_of(alike, seed=1)) == 1


def test_between_the_shipped_and_the_tuned_weights() -> None:
    pairs = [(("<ltl>", "zig", "P1"), ("G", "P1"))]
    source = source_vocabulary(pairs, at_least=1)
    shape = NetworkShape(len(source), len(source), width=32, heads=2, encoder=1, decoder=1, inner=64)
    state, other = (TrainingState(TrainedNetwork(shape), source, source) for _ in range(2))
    first, last = other.average.state_dict(), state.average.state_dict()
    for share in (0.0, 0.5, 1.0):
        made = blended(state, first, share).average.state_dict()
        for key, value in made.items():
            assert torch.allclose(value, (1 - share) * first[key] + share * last[key], atol=1e-6)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten pairs an epoch, one epoch."""
    monkeypatch.setattr(
        few,
        "gentle",
        lambda settings: replace(settings, epochs=1, least=10, fewest=0, share=0.1, average=0.5),
    )


def test_a_run_of_few_rows_goes_by_its_folds_and_goes_on_where_it_stopped(
    tmp_path: Path, file: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    real, asked = few._checked, []

    def stopped(*given: Any) -> few.FoldChanges:
        if len(asked) == 2:
            raise KeyboardInterrupt
        asked.append(len(given[4]))
        return real(*given)

    monkeypatch.setattr(few, "_checked", stopped)
    with pytest.raises(KeyboardInterrupt):
        session.train_on(str(file), str(folder), **ARGUMENTS)
    monkeypatch.setattr(few, "_checked", lambda *given: asked.append(len(given[4])) or real(*given))
    result = session.train_on(str(file), str(folder), **ARGUMENTS)
    said, found = result["folds"]
    assert (said["part"], found["part"]) == ("conventions", "translator")
    assert len(asked) == few.FOLDS and sum(asked) == found["rows"] == len(ROWS) - result["held_out"]
    own = folder / "translator"
    assert own.is_dir() == (found["share"] > 0) and (folder / RERANK).exists() == (said["share"] > 0)
    moved = found["share"] > 0 or said["share"] > 0
    assert moved == (Embedded(folder).version != Embedded().version)
    assert not (folder / "fold").exists() and not (folder / "second").exists()
    assert session.train_on(str(file), str(folder), **ARGUMENTS) == result  # nothing is left to do
    assert len(asked) == few.FOLDS


@pytest.mark.parametrize("changed", [(0, 4), (1, 0), (5, 0)])
def test_the_shipped_weights_win_unless_the_folds_show_a_gain(
    tmp_path: Path, file: Path, quick: None, monkeypatch: pytest.MonkeyPatch, changed: tuple[int, int]
) -> None:
    said: dict[str, tuple[int, int]] = {str(share): (0, 0) for share in SHARES} | {"1.0": changed}

    def checked(folder: Path, *given: Sequence[LabelledPair]) -> few.FoldChanges:
        first = not (folder / f"translator-{few.NOTE}").exists()
        return few.FoldChanges(changed=said if first else dict.fromkeys(said, (0, 0)), seconds=1.0)

    monkeypatch.setattr(few, "_checked", checked)
    nothing = few.Adapted("conventions", 0.0, 0, 0, 0, 0.0)
    monkeypatch.setattr(session, "learn", lambda *_: ({}, nothing))
    folder = tmp_path / "out"
    result = session.train_on(str(file), str(folder), **ARGUMENTS)
    gained = changed == (5, 0)
    assert result["folds"][-1]["share"] == (1.0 if gained else 0.0)
    assert (result["folds"][-1]["won"], result["folds"][-1]["lost"]) == changed
    assert (folder / "translator").is_dir() == gained
    if not gained:
        assert result["gain"] == 0.0 and result["gain_interval"] == [0.0, 0.0]
        assert Embedded(folder).version == Embedded().version


def test_gentle_is_gentler() -> None:
    usual = FinetuneSettings()
    soft = few.gentle(usual)
    rows = 100
    slower = (rows / usual.many) ** 0.5
    assert soft.epochs < usual.epochs and soft.share > usual.share
    assert soft.matrix_rate < usual.matrix_rate and soft.matrix_rate <= 2 * usual.matrix_rate * slower
