"""Labels and channels: what a recorded row is turned into."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assent.errors import DataError, UsageError
from assent.evaluate import labels as learn
from assent.evaluate import measure, typology
from assent.evaluate.labels import load
from assent.evaluate.rows import Conflict, ConflictCount, ErrorKind, LabelChange
from assent.logic.equivalence import Equivalence, Verdict
from recordings import rated, recording, write

BASE: dict[str, Any] = {"id": "x", "logic": "ltl", "text": "t", "reference": "G a", "candidate": "G a"}


def one(tmp_path: Path, **fields: Any) -> learn.LabelledRow:
    return load(write(tmp_path / "one.jsonl", [{**BASE, **fields}])).rows[0]


def test_right_and_wrong(tmp_path: Path) -> None:
    assert not one(tmp_path).label.wrong
    assert not one(tmp_path, candidate="!(F !a)").label.wrong
    assert one(tmp_path, candidate="F a").label.wrong


def test_exact_and_canonical_differ_where_only_the_decider_sees_it(tmp_path: Path) -> None:
    row = one(tmp_path, reference="G (a -> (b U b))", candidate="G (a -> b)")
    assert (row.label.wrong, row.label.wrong_canonically) == (False, True)
    file = write(
        tmp_path / "two.jsonl", [{**BASE, "reference": "G (a -> (b U b))", "candidate": "G (a -> b)"}]
    )
    assert load(file).wrong.tolist() == [False]
    canonical = load(file, level="canonical")
    assert canonical.wrong.tolist() == [True]
    (change,) = typology.labels(canonical)
    assert change == LabelChange(change.group, 0, 1, 1, "x")


def test_unreadable_is_wrong_and_as_suspicious_as_can_be(tmp_path: Path) -> None:
    row = one(tmp_path, candidate="G (a ->", judge=rated(100), samples=["G a"] * 5)
    assert row.label.wrong and row.label.wrong_canonically and row.label.decided
    assert row.evidence.tier is None
    assert row.scores["back_translation"] == 1 and row.scores["self_consistency"] == 0
    assert row.scores["fusion"] == 0.5


def test_an_unreadable_row_without_ratings_does_not_lose_the_channel(tmp_path: Path) -> None:
    rows = [{**BASE, "judge": rated(90)}, {**BASE, "id": "y", "candidate": "(("}]
    data = load(write(tmp_path / "a.jsonl", rows))
    assert data.scores("back_translation").tolist() == [pytest.approx(0.1), 1.0]
    assert "direct_judge" not in data.channels


def test_undecided_counts_as_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "equivalent", lambda *_: Equivalence(Verdict.UNKNOWN, "budget", None))
    row = one(tmp_path, reference="G (a -> (b U b))", candidate="G (a -> b)")
    assert row.label.wrong and not row.label.decided


def test_every_channel_by_hand(tmp_path: Path) -> None:
    row = one(
        tmp_path,
        samples=["G a", "G a", "F a", "!(F !a)", "(("],
        judge={**rated(100), "overall_meaning": 60},
        direct_judge=rated(70),
        single_question=95,
    )
    expected = {
        "self_consistency": 0.4,
        "back_translation": 0.1,
        "fusion": 0.25,
        "direct_judge": 0.3,
        "single_question": 0.05,
        "judges_mean": 0.15,
        "judges_max": 0.3,
    }
    assert {name: row.scores[name] for name in expected} == pytest.approx(expected)


def test_recorded_scores_are_not_recomputed(tmp_path: Path) -> None:
    row = one(tmp_path, samples=["G a"] * 5, judge=rated(100), scores={"fusion": 0.125, "mine": 0.5})
    assert row.scores["fusion"] == 0.125 and row.scores["mine"] == 0.5


def test_channels_that_were_not_recorded_are_named_and_never_made_up(tmp_path: Path) -> None:
    rows = [{key: value for key, value in row.items() if key != "judge"} for row in recording(10)]
    data = load(write(tmp_path / "a.jsonl", rows))
    assert set(data.channels) == {"self_consistency", "size"}
    assert "fusion" in measure.missing_channels(data) and "back_translation" in measure.missing_channels(data)
    assert measure.sweep(data) == ()
    with pytest.raises(UsageError, match="'fusion' was not recorded in 10 of 10 rows"):
        data.scores("fusion")


def test_outputs_of_systems(tmp_path: Path) -> None:
    row = {key: value for key, value in BASE.items() if key != "candidate"}
    file = write(
        tmp_path / "o.jsonl", [{**row, "outputs": {"one": "F a", "two": "G a", "three": "G a", "four": "(("}}]
    )
    data = load(file, system="two")
    assert data.wrong.tolist() == [False]
    assert data.scores("self_consistency").tolist() == [pytest.approx(2 / 3)]
    for system in (None, "five"):
        with pytest.raises(DataError, match=r"o\.jsonl:1: .*one, two, three, four"):
            load(file, system=system)


def test_logics_are_told_apart_or_chosen(tmp_path: Path) -> None:
    both = [*recording(6), *({**row, "id": f"s{row['id']}"} for row in recording(6, logic="stl"))]
    file = write(tmp_path / "both.jsonl", both)
    assert load(file).tiers == ("ltl D2", "ltl D3", "stl D2", "stl D3")
    assert load(file, logic="stl").tiers == ("D2", "D3") and len(load(file, logic="stl")) == 6
    with pytest.raises(UsageError, match="no row in spatial, only in ltl, stl"):
        load(file, logic="spatial")


def test_conflicting_references_are_counted_whatever_the_spelling(tmp_path: Path) -> None:
    rows = [
        {**BASE, "id": "1", "text": "Keep a"},
        {**BASE, "id": "2", "text": "keep  a", "reference": "!(F !a)"},
        {**BASE, "id": "3", "text": "keep a", "reference": "F a"},
        {**BASE, "id": "4", "text": "another", "reference": "F a"},
    ]
    found, summary = typology.conflicts(load(write(tmp_path / "c.jsonl", rows)))
    assert found == (Conflict("1", "3", "different"),)
    assert summary == ConflictCount(1, 3, 0.5, 1.0)


def test_typology_names_the_change(tmp_path: Path) -> None:
    rows = [
        {**BASE, "id": "1", "candidate": "F a", "group": "D2"},
        {**BASE, "id": "2", "candidate": "((", "group": "D2"},
        {**BASE, "id": "3", "candidate": "G a", "group": "D2"},
        {**BASE, "id": "4", "candidate": "F (b U (c & X d))", "group": "D3"},
    ]
    found = {
        row.error: row
        for row in typology.typology(load(write(tmp_path / "t.jsonl", rows)), measure.MeasureSettings())
    }
    assert found["unreadable"] == ErrorKind("unreadable", {"D2": 1, "D3": 0})
    assert found["several or other"].tiers["D3"] == 1
    (operator,) = set(found) - {"unreadable", "several or other"}
    assert found[operator].tiers["D2"] == 1


def test_complementarity_by_hand(tmp_path: Path) -> None:
    data = load(write(tmp_path / "a.jsonl", recording(120, seed=4)))
    split = data.scores("self_consistency")
    (everything,) = [row for row in measure.complementarity(data) if row.group == "all"]
    assert everything.inconsistent == pytest.approx(np.mean(split > 0))
    assert everything.error_if_inconsistent == pytest.approx(data.wrong[split > 0].mean())
    assert everything.unanimous_errors == int((data.wrong & (split == 0)).sum())
