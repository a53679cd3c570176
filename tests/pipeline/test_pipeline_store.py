"""Files of users are read with file and line; files of ours survive being cut off anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import DataError
from assent.io.files import write_atomically
from assent.io.lines import Appender, encode, read_rows, scan_rows, write_rows
from assent.records.rows import evidence_of, instruction_of

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
rows = st.lists(st.dictionaries(st.text(), json_values, max_size=4), max_size=6)


@settings(max_examples=25)
@given(rows)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, given_rows: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("store") / "x.jsonl"
    write_rows(path, given_rows)
    assert [row for _, row in read_rows(path)] == given_rows


@settings(max_examples=40)
@given(rows, st.integers(0, 10_000))
def test_reopening_after_a_cut_keeps_whole_lines_only(
    tmp_path_factory: pytest.TempPathFactory, given_rows: list[dict[str, object]], cut: int
) -> None:
    path = tmp_path_factory.mktemp("store") / "x.jsonl"
    write_rows(path, given_rows)
    content = path.read_bytes()
    kept = content[: cut % (len(content) + 1)]
    path.write_bytes(kept)
    with Appender(path) as file:
        file.append({"id": "new"})
    lines = kept.split(b"\n")[:-1]
    assert path.read_bytes().split(b"\n")[:-1] == [*lines, b'{"id":"new"}']


def test_cut_far_from_the_end_of_a_long_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(encode({"a": 1}) + b'{"b": "' + b"x" * 300_000)
    with Appender(path) as file:
        file.append({"c": 3})
    assert [row for _, row in read_rows(path)] == [{"a": 1}, {"c": 3}]


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 1}\r\n\n  \n[1]\n{"id": 2}\n{"id": "half')
    found = dict(scan_rows(path))
    assert found[1] == {"id": 1} and found[5] == {"id": 2}
    assert isinstance(found[4], DataError) and str(found[4]) == f"{path}:4: not a JSON object"
    assert "cut off" in str(found[6])
    with pytest.raises(DataError, match=r"x\.jsonl:4"):
        list(read_rows(path))


@pytest.mark.parametrize(
    "line", [b"\xff\xfe\n", b"{" * 5000 + b"\n", b'{"a": NaN}\n', b"nonsense\n", b'{"a": 1} {"b": 2}\n']
)
def test_hostile_lines_are_errors_not_crashes(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(line)
    ((number, found),) = scan_rows(path)
    assert number == 1 and isinstance(found, DataError)


def test_missing_file_and_repeated_ids(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        list(read_rows(tmp_path / "no.jsonl"))
    path = tmp_path / "x.jsonl"
    write_rows(path, [{"id": "a"}, {"id": "b"}, {"id": "a"}])
    with pytest.raises(DataError, match=r"x.jsonl:3: the id 'a' is taken by line 1"):
        list(read_rows(path, unique=True))


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with Appender(tmp_path / "x.jsonl"), pytest.raises(DataError, match="another run"):
        Appender(tmp_path / "x.jsonl")
    Appender(tmp_path / "x.jsonl").close()


def test_atomic_write_leaves_the_old_file_if_it_fails(tmp_path: Path) -> None:
    path = tmp_path / "x"
    write_atomically(path, b"old")
    with pytest.raises(TypeError):
        write_atomically(path, "not bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": "x"}, "no logic"),
        ({"text": "x", "logic": "ctl"}, "unknown logic"),
        ({"logic": "ltl"}, "no instruction"),
        ({"logic": "ltl", "text": "   "}, "no instruction"),
        ({"logic": "ltl", "text": 3}, "no instruction"),
        ({"logic": "ltl", "text": "x", "cluster": [1]}, "cluster"),
        ({"logic": "ltl", "text": "x", "id": None}, "id"),
    ],
)
def test_bad_cases_say_what_is_wrong(row: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=rf"f:7: .*{said}"):
        instruction_of(row, file="f", line=7)


def test_unknown_fields_are_kept_and_the_line_is_the_id() -> None:
    case = instruction_of({"logic": "ltl", "text": "x", "holdout": "utt", "cluster": 4}, line=7)
    assert case.id == "7" and case.extra == {"holdout": "utt"} and case.cluster == "4"


def test_outputs_make_candidate_and_samples() -> None:
    row = {"logic": "ltl", "text": "x", "outputs": {"a": "F p", "b": "G p", "c": "F p"}}
    found = evidence_of(row, system="b", line=1)
    assert found.draft is not None
    assert found.draft.primary.raw == "G p" and [s.raw for s in found.draft.samples] == ["F p", "F p"]
    with pytest.raises(DataError, match="no system 'z'"):
        evidence_of(row, system="z", line=1)


@pytest.mark.parametrize(
    "more",
    [
        {"candidate": 3},
        {"candidate": "F p", "samples": "F p"},
        {"candidate": "F p", "samples": [3]},
        {"candidate": "F p", "scores": {"fusion": 2}},
        {"candidate": "F p", "scores": {"fusion": "x"}},
        {"candidate": "F p", "gate": {"distance": 1.0, "p_value": -1.0}},
        {"candidate": "F p", "judge": 3},
    ],
)
def test_bad_evidence_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(DataError):
        evidence_of({"logic": "ltl", "text": "x", **more}, file="f", line=3)
