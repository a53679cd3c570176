"""Parts of the study on small made-up data, each against what a reader can work out by hand."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "studies"))

import gates
import page
import sources
import streams
import summary
import witnesses

from assent.config.build import embedded_models
from assent.evaluate.plots import Figure
from assent.evaluate.rows import OverBudget
from assent.evaluate.table import Table
from recordings import recording, write


@dataclass(frozen=True)
class Strange:
    cells: Annotated[Mapping[str, object], "{}"]


def double(items: list[int]) -> list[int]:
    return [2 * item for item in items]


def test_answers_are_computed_once_and_kept_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sources, "CACHE", tmp_path)
    monkeypatch.setattr(sources, "CHUNK", 2)
    asked: list[int] = []

    def here(work: object, items: list[list[int]], *same: object, name: str = "") -> object:
        for part in items:
            asked.extend(part)
            yield double(part)

    monkeypatch.setattr(sources, "each", here)
    assert sources.cached("x", "v1", ["a", "b", "a", "c"], [1, 2, 1, 3], double) == [2, 4, 2, 6]
    assert sources.cached("x", "v1", ["c", "d"], [3, 4], double) == [6, 8]
    assert asked == [1, 2, 3, 4]
    sources.cached("x", "v2", ["a"], [1], double)  # other weights, other answers
    assert asked == [1, 2, 3, 4, 1]


def test_both_cores_give_what_one_gives() -> None:
    items = [[n, n + 1] for n in range(5)]
    assert list(sources.each(double, items)) == [double(item) for item in items]


def test_a_sample_is_fixed_distinct_and_of_the_stated_size() -> None:
    texts = [f"sentence {n % 500}" for n in range(1000)]
    chosen = streams.sample(texts)
    assert chosen == streams.sample(list(reversed(texts)))
    assert len(chosen) == len(set(chosen)) == streams.SAMPLE
    assert set(chosen) <= set(texts)


def test_the_gate_defers_what_lies_elsewhere_and_little_of_its_own() -> None:
    rng = np.random.default_rng(1)

    def around(centre: int, n: int) -> np.ndarray:  # type: ignore[type-arg]
        points = rng.normal(0, 0.3, (n, 12))
        points[:, centre] += 3
        return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)

    same, away = gates._deferred(around(0, 300), [around(5, 80), around(0, 80)])
    assert away[0] == 1.0
    # Exchangeable with the calibration: at most delta on average, but for the noise of 50 resplits.
    assert same.mean() <= gates.DELTA + 3 * same.std() / np.sqrt(len(same))
    assert away[1] < 0.15


def test_the_choice_of_embedder_is_said_from_the_figures() -> None:
    def power(name: str, mean: float) -> gates.GatePower:
        return gates.GatePower(name, 0.05, 0.04, 0.06, {}, mean)

    assert "number 2 of 2" in gates.verdict([power(gates.SHIPPED, 0.5), power("other", 0.7)])
    said = gates.verdict([power(gates.SHIPPED, 0.8), power("other", 0.7), power(gates.OWN, 0.9)])
    assert "Our own encoder is ahead" in said
    assert "the strongest of 2" in said


def test_a_candidate_that_every_reading_means_is_not_doubted() -> None:
    models = embedded_models()
    text = "Always, if prop_1 holds, then prop_2 holds."
    lifted = models.lift(text, "ltl")
    readings = [r for model in (models.translator, models.second) for r in model.readings(lifted)]
    right = witnesses.doubt(models, "ltl", text, "G(prop_1 -> prop_2)")
    wrong = witnesses.doubt(models, "ltl", text, "F(prop_1 & !prop_2)")
    assert readings
    assert 0.0 <= right < 0.5 < wrong <= 1.0
    assert witnesses.doubt(models, "ltl", text, None) == 1.0


def test_claims_are_counted_from_the_tables() -> None:
    cells = OverBudget("cluster", 18, 17, 2, 1, 18, 18, 9, 6)
    first, second = summary.lines({"x_compliance_summary": (cells, replace(cells, unit="pair"))})
    assert (first.found, first.met) == ("1 of 17", False)
    assert second.found == "6 of 18"


def test_both_forms_of_the_page_say_the_same_and_escape_names() -> None:
    study = page.Study("Title & more", "About **this** and `that`.")
    study.section("One <section>", "First.\n\nSecond.")
    study.table(
        "numbers", "Numbers <b>", [Strange({"a|b": 1.5, "c": None, "d": "<script>"}), Strange({"c": 1})]
    )
    study.add(Figure("f", "drawn", "<?xml?><svg><g/></svg>", b""))
    study.finish()
    markdown, html = study.markdown(), study.html()
    assert "| 1.500 | – | &lt;script> |" in markdown
    assert "<td>1.500</td><td>–</td><td>&lt;script&gt;</td>" in html
    assert "<script" not in html
    assert "<strong>this</strong>" in html
    assert "<svg><g/></svg>" in html
    assert "svg" not in markdown
    assert study.numbers["numbers"][1] == Strange({"c": 1})
    assert isinstance(study.parts[1], Table)


def test_one_system_of_many_has_the_rows_that_it_answered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sources, "judged", lambda data: [0.5] * len(data))
    rows = [
        {"id": str(n), "logic": "ltl", "text": f"go to p{n}", "reference": f"F p{n}",
         "outputs": {"all": f"F p{n}", "also": f"G p{n}", **({"some": f"F p{n}"} if n < 3 else {})}}
        for n in range(5)
    ]  # fmt: skip
    path = write(tmp_path / "systems.jsonl", rows)
    assert sources.systems(path) == ("all", "also", "some")
    assert [row.id for row in sources.recorded_system(path, "some").rows] == ["0", "1", "2"]
    assert sources.recorded_system(path, "also").wrong.all()
    assert set(sources.recorded_system(path, "all").scores("default")) == {0.5}


def test_a_recording_has_acceptance_beside_an_oracle_of_the_same_unit(tmp_path: Path) -> None:
    import recording as recorded

    from assent.evaluate.labels import load

    data = load(write(tmp_path / "rows.jsonl", recording(200, seed=3)))
    data = data.with_scores({"default": data.wrong.astype(float).tolist()})  # a score that knows
    found = [row for row in recorded.against_oracle(data) if (row.score, row.group) == ("default", "all")]
    assert {(row.unit, row.alpha) for row in found} == {
        (u, a) for u in ("cluster", "pair") for a in (0.05, 0.10)
    }
    readable = float((~data.away(None)).mean())  # what is kept back cannot be accepted by any score
    for row in (row for row in found if row.alpha == 0.10):
        assert row.share >= 0.85 * readable
        assert row.risk <= 0.10
