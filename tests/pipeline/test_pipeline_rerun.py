"""A rerun does again what failed, and nothing else; whatever happens in between, the file ends as if undisturbed."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import DataError
from assent.io import lines
from assent.io.lines import read_rows, write_rows
from assent.pipeline.batch import BatchOutcome, Done, Item, error_line, failure_of, is_error, run, sidecar


def work_with(broken: set[int], asked: list[int] | None = None, stop_at: int | None = None) -> Any:
    async def work(item: Item) -> Done:
        if asked is not None:
            asked.append(item.place)
        await asyncio.sleep(random.random() / 1000)
        if stop_at is not None and item.place >= stop_at:
            raise KeyboardInterrupt
        if isinstance(item.row, DataError):
            return error_line(item, item.row)
        row = {"id": item.row["id"], "logic": "ltl", "text": item.row["text"], "made_by": {}, "error": "mine"}
        cause = "judge: down" if item.place in broken else None
        return Done(row | ({} if cause is None else {"failure": cause}), failure=cause)

    return work


def go(folder: Path, work: Any, **options: Any) -> BatchOutcome:
    return asyncio.run(
        run(folder / "in.jsonl", folder / "out.jsonl", work, settings={"verb": "x"}, concurrency=3, **options)
    )


def prepare(folder: Path, count: int) -> None:
    write_rows(folder / "in.jsonl", [{"id": str(i), "text": f"t{i}"} for i in range(count)])


def ids(folder: Path) -> list[str]:
    return [row["id"] for _, row in read_rows(folder / "out.jsonl")]


def test_failed_lines_are_done_again_and_only_they(tmp_path: Path) -> None:
    prepare(tmp_path, 12)
    first = go(tmp_path, work_with({3, 4, 9}))
    assert first.failures == {"judge: down": 3} and first.bad == 0 and first.complete
    kept = go(tmp_path, work_with(set()), keep_failed=True)
    assert kept.new == 0 and kept.failures == {"judge: down": 3}
    asked: list[int] = []
    again = go(tmp_path, work_with(set(), asked))
    assert sorted(asked) == [3, 4, 9] and not again.failures and again.done == 12
    assert ids(tmp_path) == [str(i) for i in range(12)]
    assert not sidecar(tmp_path / "out.jsonl", "ahead.jsonl").exists()


def test_a_field_called_error_in_the_input_is_no_failure(tmp_path: Path) -> None:
    write_rows(tmp_path / "in.jsonl", [{"id": "1", "text": "x", "error": "of mine", "line": 7}])
    assert not go(tmp_path, work_with(set())).failures
    assert not is_error({"id": "1", "error": "x", "line": 3, "made_by": {}})
    assert is_error({"line": 3, "error": "not valid JSON"})
    assert failure_of({"decision": "abstained", "evidence": {"made_by": {}, "failure": "down"}}) == "down"


def test_a_line_that_is_no_instruction_fails_and_can_be_mended(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id":"0","text":"a"}\nnonsense\n{"id":"2","text":"c"}\n')
    assert go(tmp_path, work_with(set())).bad == 1
    (tmp_path / "in.jsonl").write_text(
        '{"id":"0","text":"a"}\n{"id":"1","text":"b"}\n{"id":"2","text":"c"}\n'
    )
    assert not go(tmp_path, work_with(set())).failures and ids(tmp_path) == ["0", "1", "2"]


@settings(max_examples=25, deadline=None)
@given(st.sets(st.integers(0, 19), max_size=8), st.lists(st.integers(0, 20), max_size=3))
def test_whatever_fails_and_wherever_it_stops_the_end_is_the_same(broken: set[int], stops: list[int]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, 20)
        for stop in stops:
            with contextlib.suppress(KeyboardInterrupt):
                go(folder, work_with(broken, stop_at=stop))
        go(folder, work_with(broken))
        go(folder, work_with(set()))
        assert ids(folder) == [str(i) for i in range(20)]
        assert all(failure_of(row) is None for _, row in read_rows(folder / "out.jsonl"))


def test_a_line_that_is_too_long_is_an_error_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is too long as it comes or only as it would be written: the batch goes on."""
    monkeypatch.setattr(lines, "LONGEST_LINE", 400)
    rows = [{"id": str(i), "text": "x" * (10_000 if i == 1 else 330 if i == 3 else 5)} for i in range(5)]
    write_rows(tmp_path / "in.jsonl", rows)
    outcome = go(tmp_path, work_with(set()))
    assert outcome.complete and outcome.done == 5 and outcome.bad == 2
    written = [row for _, row in read_rows(tmp_path / "out.jsonl")]
    assert [is_error(row) for row in written] == [False, True, False, True, False]
    assert "longer than 400 bytes" in written[1]["error"] and "a line at most 400" in written[3]["error"]
    assert [written[i]["line"] for i in (1, 3)] == [2, 4]
