"""Files of more rows than are held in memory: the same policy, the same report, and memory that hardly grows."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.benchmarks.rows import made, measured
from assent.calibrate.recipe import Recipe
from assent.errors import DataError
from assent.evaluate import labels, report
from assent.evaluate.filed import Filed
from assent.evaluate.measure import MeasureSettings
from assent.io.lines import placed_rows, row_at, scan_rows
from assent.policy.labelled import Labelled
from assent.policy.make import PolicyPlan, make_policy
from recordings import recording, write


def rows(count: int, *, clusters: int | None = 20) -> list[dict[str, Any]]:
    """With registers, failures, unreadable candidates, texts that occur twice and one channel that is incomplete."""
    found = recording(count, clusters=clusters)
    for number, row in enumerate(found):
        row["register"] = ("plain", "casual")[number % 2]
        if number % 11 == 3:
            row["candidate"] = "G ("
        if number % 17 == 5:
            row["text"] = found[number - 1]["text"]
        if number % 5:
            row["single_question"] = 50 + number % 40
    return found


def both(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Labelled, Labelled]:
    held = labels.load(path)
    monkeypatch.setattr(labels, "HELD", 7)
    filed = labels.load(path)
    assert isinstance(held.rows, tuple) and isinstance(filed.rows, Filed)
    return held, filed


@pytest.mark.parametrize("clusters", [20, None])
def test_policies_are_those_of_rows_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clusters: int | None
) -> None:
    held, filed = both(write(tmp_path / "r.jsonl", rows(120, clusters=clusters)), monkeypatch)
    for grouping in ("tier", "all"):
        plan = PolicyPlan(recipe=Recipe(alpha="0.3"), grouping=grouping, tie_secret="s")
        assert make_policy(filed, plan).to_json() == make_policy(held, plan).to_json()
    assert list(filed.rows) == list(held.rows)
    assert filed.withheld(0.05) == held.withheld(0.05) and filed.channels == held.channels


def test_reports_are_those_of_rows_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = rows(90) + [{**row, "id": f"s{row['id']}"} for row in recording(60, logic="stl", seed=2)]
    held, filed = both(write(tmp_path / "r.jsonl", mixed), monkeypatch)
    about = MeasureSettings(resplits=4, bootstrap=50)
    numbers = np.linspace(0, 1, len(held))
    for one, other in ((held, filed), (held.with_scores({"x": numbers}), filed.with_scores({"x": numbers}))):  # type: ignore[dict-item]
        made_of = [report.make(data, about, draw=False).to_json() for data in (one, other)]
        assert made_of[0] == made_of[1]
    assert [row.scores["x"] for row in filed.with_scores({"x": numbers}).take([5, 2]).rows] == [
        numbers[5],
        numbers[2],
    ]  # type: ignore[dict-item]


def test_columns_are_what_the_rows_say(tmp_path: Path) -> None:
    """Against the rows themselves, by the definitions that stood there before there were columns."""
    from assent.policy.decide import withheld

    data = labels.load(write(tmp_path / "r.jsonl", rows(80)))
    assert data.wrong.tolist() == [row.label.wrong for row in data.rows]
    assert data.columns.translated.tolist() == [row.translated for row in data.rows]
    kept = [withheld(row.evidence, delta=None) for row in data.rows]
    assert data.away(None).tolist() == [one is not None for one in kept]
    assert data.withheld(None) == [None if one is None else one.reason for one in kept]
    assert data.columns.candidate.values() == [row.evidence.tier for row in data.rows]
    known: dict[str | None, int] = {}
    assert data.clusters is not None
    assert data.clusters.tolist() == [known.setdefault(row.cluster, len(known)) for row in data.rows]
    part = data.take([9, 3, 9])
    assert part.wrong.tolist() == data.wrong[[9, 3, 9]].tolist()
    assert part.clusters is not None and part.clusters.tolist()[0] == 0


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "r.jsonl", rows(30))
    _, filed = both(path, monkeypatch)
    path.write_text(path.read_text() + "\n")
    with pytest.raises(DataError, match="was changed"):
        filed.rows[0]


def test_an_id_that_occurs_twice_is_named_with_its_first_line(tmp_path: Path) -> None:
    found = recording(5)
    path = write(tmp_path / "r.jsonl", [*found, {**found[2]}])
    with pytest.raises(DataError, match=r":6: the id 'r2' is taken by line 3"):
        labels.load(path)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=9), max_size=3), max_size=12
    ),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\n\n", "\n  \n"]),
)
def test_rows_are_found_again_at_their_places(some: list[dict[str, Any]], mark: bool, end: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        body = "".join(json.dumps(row, ensure_ascii=False) + end for row in some)
        path.write_bytes(b"\xef\xbb\xbf" * mark + body.encode("utf-8", "surrogatepass"))
        found = list(placed_rows(path))
        assert [(number, row) for number, _, row in found] == list(scan_rows(path))
        with path.open("rb") as stream:
            for number, place, row in reversed(found):
                if not isinstance(row, DataError):
                    assert row_at(stream, place, str(path), number) == row


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_memory_grows_by_columns_not_by_rows(tmp_path: Path) -> None:
    """From 25,000 to 75,000 rows a calibration grows by less than 1,000 bytes a row (they are 900 bytes of text)."""
    few, peaks = rows(40), []
    for count in (25_000, 75_000):
        file = write(tmp_path / f"{count}.jsonl", list(made(few, count)))
        command = [sys.executable, "-m", "assent", "calibrate", str(file), "--alpha", "0.3"]
        peaks.append(measured([*command, "-o", str(tmp_path / "p.json"), "--json"])[0])
    assert (peaks[1] - peaks[0]) * 2**20 / 50_000 < 1000, peaks
