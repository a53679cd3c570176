"""Fine-tuning: whole formulas apart, words added, a stopped run goes on, refused rows, and it learns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the training extra is not installed")

from assent.embedded import Embedded  # noqa: E402
from assent.embedded.memory import Memory, cluster_of, text_mark  # noqa: E402
from assent.embedded.tokens import TARGETS, TokenVocabulary  # noqa: E402
from assent.embedded.translator import Translation  # noqa: E402
from assent.errors import DataError, LeakageError, UsageError  # noqa: E402
from assent.logic.parse import read  # noqa: E402
from assent_train import session  # noqa: E402
from assent_train.batches import make_batches, source_vocabulary  # noqa: E402
from assent_train.finetune import FinetuneSettings, finetune, mixed  # noqa: E402
from assent_train.loop import TrainingState, validate, with_more_words  # noqa: E402
from assent_train.measure import gain_of, right_on  # noqa: E402
from assent_train.network import NetworkShape, TrainedNetwork  # noqa: E402
from assent_train.rows import load, split  # noqa: E402
from assent_train.session import _jobs, _same_run  # noqa: E402

ROWS = [
    {"text": f"{word} p{i} then p{i + 1}", "reference": f"{op}(p{i} -> p{i + 1})", "logic": "ltl"}
    for i in range(1, 9)
    for word, op in (("always", "G"), ("sometime", "F"), ("next", "X"))
]
torch.set_num_threads(1)
PAIRS = [(("<ltl>", word, "P1"), (op, "P1")) for word, op in (("zig", "G"), ("zag", "F"), ("zog", "X"))]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS))
    return path


def small() -> TrainingState:
    torch.manual_seed(0)
    source, target = source_vocabulary(PAIRS, at_least=1), TokenVocabulary(TARGETS)
    shape = NetworkShape(len(source), len(target), width=32, heads=2, encoder=1, decoder=1, inner=64)
    return TrainingState(TrainedNetwork(shape), source, target)


def test_formulas_alike_but_for_names_and_numbers_stay_together(file: Path) -> None:
    same = {cluster_of(read(text, "stl")) for text in ("F[0,5] (a & b)", "F[0,9] (x & y)")}
    assert len(same) == 1
    assert cluster_of(read("F[0,5] (a | b)", "stl")) not in same
    rows, _ = load(file, None, {}, None)
    assert len(rows) == len(ROWS)
    parts = split(rows, held_out=0.34, seed=3)
    groups = [{row.cluster for row in part} for part in (parts.train, parts.valid, parts.held_out)]
    assert all(groups)
    assert not groups[0] & groups[1] and not groups[0] & groups[2] and not groups[1] & groups[2]
    assert sum(map(len, (parts.train, parts.valid, parts.held_out))) == len(ROWS)


def test_rows_that_cannot_be_read_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(
        json.dumps(ROWS[0]) + "\n" + json.dumps({"text": "x", "reference": "G (", "logic": "ltl"})
    )
    with pytest.raises(DataError) as caught:
        load(path, None, {}, None)
    assert caught.value.line == 2


def test_too_few_formulas_to_hold_out(file: Path) -> None:
    with pytest.raises(DataError):
        split(load(file, None, {}, None)[0][:1], held_out=0.2)


QUICK = FinetuneSettings(
    minutes=60,
    epochs=3,
    least=450,
    share=0.01,
    tokens=120,
    drop=0.0,
    matrix_rate=0.05,
    average=0.9,
    dropout=0.0,
    fewest=0,
    many=1,
)
"""So few pairs, shown so often, that they are learnt by heart."""


def test_it_learns_and_a_stopped_run_goes_on(tmp_path: Path) -> None:
    seen: list[int] = []
    state = finetune(
        small(),
        PAIRS,
        PAIRS,
        QUICK,
        checkpoint=tmp_path / "c.pt",
        tick=lambda epoch, _: seen.append(epoch),
    )
    checks = make_batches(PAIRS, state.source, state.target, tokens=600, seed=0, drop=0.0)
    assert validate(state.average, checks)[1] == 1.0
    again: list[int] = []
    more = FinetuneSettings(**{**QUICK.__dict__, "epochs": 4})
    finetune(
        small(), PAIRS, PAIRS, more, checkpoint=tmp_path / "c.pt", tick=lambda epoch, _: again.append(epoch)
    )
    assert seen == [1, 2, 3]
    assert again == [4]


def test_what_does_harm_is_not_kept_and_is_stopped(tmp_path: Path) -> None:
    learnt = finetune(small(), PAIRS, PAIRS, QUICK, checkpoint=tmp_path / "a.pt", tick=lambda *_: None)
    checks = make_batches(PAIRS, learnt.source, learnt.target, tokens=600, seed=0, drop=0.0)
    before = validate(learnt.average, checks)
    wrong = [(source, PAIRS[(i + 1) % len(PAIRS)][1]) for i, (source, _) in enumerate(PAIRS)]
    seen: list[int] = []
    again = TrainingState(learnt.average.requires_grad_(True), learnt.source, learnt.target)
    spoilt = finetune(
        again,
        wrong,
        PAIRS,
        FinetuneSettings(**{**QUICK.__dict__, "epochs": 20, "patience": 2}),
        checkpoint=tmp_path / "b.pt",
        tick=lambda epoch, _: seen.append(epoch),
    )
    assert validate(spoilt.average, checks) == before
    assert seen[-1] == 12  # half of the epochs, and two more that were clearly worse


def test_a_little_worse_by_chance_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The best of many epochs is the luckiest one: only a clear difference brings it back."""
    import assent_train.finetune as module

    kept = {}
    for name, last in (("lucky", 0.68), ("clear", 0.5)):
        said = iter([(1.0, 0.6), (1.0, 0.7), (1.0, last)])  # before, and after each epoch
        monkeypatch.setattr(module, "validate", lambda *_, said=said: next(said))
        settings = FinetuneSettings(epochs=2, least=30, fewest=0, tokens=300)
        state = finetune(
            small(), PAIRS, PAIRS * 20, settings, checkpoint=tmp_path / f"{name}.pt", tick=lambda *_: None
        )
        stored = torch.load(tmp_path / f"{name}.pt", weights_only=True)
        kept[name] = {
            which
            for which in ("average", "best")
            if all(
                torch.equal(value, stored[which][key]) for key, value in state.average.state_dict().items()
            )
        }
    assert kept == {"lucky": {"average"}, "clear": {"best"}}


def test_new_words_leave_old_answers_as_they_were() -> None:
    state = small()
    bigger = with_more_words(state, state.source.grown(["fresh"]), state.target)
    arguments = torch.tensor([[3, 40]]), torch.tensor([2]), torch.tensor([[1, 4]])
    assert torch.allclose(state.average(*arguments), bigger.average(*arguments), atol=1e-6)


def test_few_rows_are_shown_often_and_only_their_logic_is_mixed_in() -> None:
    rows = mixed(PAIRS, FinetuneSettings(least=60, fewest=0, share=0.5), epoch=0)
    assert len(rows) == 120
    assert {source[0] for source, _ in rows} == {"<ltl>"}
    assert len(mixed(PAIRS, FinetuneSettings(least=60, fewest=100, share=0.5), epoch=0)) == 160


def test_a_folder_belongs_to_one_run(tmp_path: Path, file: Path) -> None:
    rows, _ = load(file, None, {}, None)
    _same_run(tmp_path, rows, 0.2, 0)
    _same_run(tmp_path, rows, 0.2, 0)
    with pytest.raises(UsageError):
        _same_run(tmp_path, rows[:-1], 0.2, 0)


def test_what_cannot_be_compared_is_wrong_and_ends_no_run(file: Path) -> None:
    """Next has no meaning beside decimal bounds: a candidate that has both is not right, and the others still count."""

    class Stub:
        def n_best(self, instructions: list[Any], n: int = 5) -> list[list[Any]]:
            strange = Translation((), read("X p1 & F[0,1.5] p2", "stl"), 0.0)
            return [[strange], [Translation((), rows[1].reference, 0.0)], []]

    rows = load(file, None, {}, None)[0][:3]
    assert right_on(Stub(), rows) == [False, True, False]  # type: ignore[arg-type]


def test_the_gain_has_an_interval_over_clusters() -> None:
    before, after = [False] * 40, [True] * 30 + [False] * 10
    gain, low, high = gain_of(before, after, [str(i // 2) for i in range(40)], seed=0)
    assert gain == pytest.approx(0.75)
    assert 0.4 < low < 0.75 < high <= 1.0


def test_each_network_learns_from_its_own_logics(tmp_path: Path) -> None:
    mixed_rows = [
        *ROWS,
        *(
            {"text": f"{word} a is {place} b.", "reference": f"{op}({relation}(a, b))", "logic": "spatial"}
            for word, op in (("always", "G"), ("eventually", "F"))
            for place, relation in (("left of", "leftOf"), ("above", "above"), ("below", "below"))
        ),
    ]
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in mixed_rows))
    rows, refused = load(path, None, {}, None)
    parts = split(rows, held_out=0.1, valid=0.4, seed=1)
    assert refused == 0
    tags = {job.name: {source[0] for source, _ in job.train} for job in _jobs(parts)}
    assert tags == {
        "translator": {"<ltl>"},
        "spatial": {"<spatial>"},
        "second": {"<ltl>", "<spatial>"},
    }


def test_a_run_writes_what_it_held_out_and_remembers_the_rest(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        session,
        "FinetuneSettings",
        lambda **given: FinetuneSettings(epochs=1, least=24, fewest=0, share=0.2, average=0.5, **given),
    )
    monkeypatch.setattr(session, "FEW", 0)
    folder = tmp_path / "out"
    arguments: dict[str, Any] = {
        "logic": None,
        "sections": {},
        "domain": None,
        "held_out": 0.34,
        "minutes": 5.0,
        "seed": 0,
    }
    result = session.train_on(str(file), str(folder), **arguments)
    held_out = json.loads((folder / "held_out.json").read_text())["ids"]
    trained = Memory.load(folder)
    marks = {text_mark(row["text"]): row for row in ROWS}
    assert len(held_out) == result["held_out"] == len(set(held_out))
    assert set(held_out) | trained.texts == set(marks)
    assert not set(held_out) & trained.texts
    with pytest.raises(LeakageError):
        row = marks[min(trained.texts)]
        trained.refuse([(row["text"] + " once more", read(row["reference"], "ltl"))], str(folder))
    low, high = result["gain_interval"]
    assert low <= result["gain"] <= high
    assert result["gain"] == pytest.approx(result["after"] - result["before"])
    models = Embedded(folder)
    assert models.version != Embedded().version
    assert models.translate(models.lift("always p1 then p2", "ltl")) is not None
    assert session.train_on(str(file), str(folder), **arguments) == result  # nothing is left to do


def test_spatial_weights_are_started_from_where_they_are_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "checkpoints", lambda: tmp_path)
    assert session._start("spatial") == tmp_path / "translator.pt"
    (tmp_path / "spatial.pt").touch()
    assert session._start("spatial") == tmp_path / "spatial.pt"


def test_too_few_rows_say_how_many_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS[:5]))
    with pytest.raises(DataError, match=r"5 of 5 rows.*20"):
        session.train_on(
            str(path),
            str(tmp_path / "out"),
            logic=None,
            sections={},
            domain=None,
            held_out=0.2,
            minutes=1,
            seed=0,
        )
    assert not (tmp_path / "out").exists()
