"""Tables in columns: what comes back is what was written, and only the rows that were wanted are read."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.cli import main
from assent.errors import DataError, UsageError
from assent.io.lines import encode
from assent.scale.tables import is_table, lines_of, wanted_of, write_parquet, write_partitions
from recordings import recording, write

pa = pytest.importorskip("pyarrow", reason="needs the extra [parquet]")
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
rows = st.fixed_dictionaries(
    {"id": texts, "text": texts},
    optional={"logic": texts, "group": texts, "evidence": st.dictionaries(texts, values), "more": values},
)


@settings(max_examples=60, deadline=None)
@given(st.lists(rows, max_size=9))
def test_lines_come_back_from_parquet_byte_for_byte(some: list[dict[str, Any]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        lines, table = Path(folder) / "in.jsonl", Path(folder) / "t.parquet"
        lines.write_bytes(b"".join(map(encode, some)))
        assert write_parquet(lines, table) == len(some)
        assert b"".join(lines_of(str(table), {})) == lines.read_bytes()
        for logic in {row["logic"] for row in some if isinstance(row.get("logic"), str)}:
            wanted = [encode(row) for row in some if row.get("logic") == logic]
            assert list(lines_of(str(table), {"logic": logic})) == wanted


def test_tables_of_others_by_their_columns_partitions_and_wishes(tmp_path: Path) -> None:
    from pyarrow import dataset, feather

    table = pa.table(
        {
            "id": ["a", "b", "c"],
            "text": ["x", "y", "z"],
            "logic": ["ltl", "stl", "ltl"],
            "domain": ["d", None, "e"],
        }
    )
    dataset.write_dataset(
        table, tmp_path / "parts", format="parquet", partitioning=["logic"], partitioning_flavor="hive"
    )
    feather.write_feather(table, str(tmp_path / "t.arrow"))
    with (tmp_path / "t.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(table.column_names)
        writer.writerows(["" if cell is None else cell for cell in row.values()] for row in table.to_pylist())
    plain = [
        {"id": "a", "text": "x", "logic": "ltl", "domain": "d"},
        {"id": "b", "text": "y", "logic": "stl"},
        {"id": "c", "text": "z", "logic": "ltl", "domain": "e"},
    ]
    for name in ("t.arrow", "t.csv"):
        assert [json.loads(line) for line in lines_of(str(tmp_path / name), {})] == plain
    assert is_table(str(tmp_path / "parts")) and not is_table(str(tmp_path / "in.jsonl"))
    for name in ("parts", "t.arrow", "t.csv"):
        found = [json.loads(line) for line in lines_of(str(tmp_path / name), {"logic": "ltl", "domain": "e"})]
        assert [row["id"] for row in found] == ["c"]
        with pytest.raises(DataError, match="no column 'group'"):
            list(lines_of(str(tmp_path / name), {"group": "D2"}))


def test_what_is_no_table_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"nonsense")
    (tmp_path / "t.csv").write_text("id,words\n1,x\n")
    (tmp_path / "u.csv").write_text("id,text\n1,x,3\n")
    for name, said in (
        ("t.parquet", "cannot be read"),
        ("t.csv", "no column 'text'"),
        ("u.csv", "more cells"),
    ):
        with pytest.raises(DataError, match=said):
            list(lines_of(str(tmp_path / name), {}))
    with pytest.raises(UsageError):
        wanted_of(["text=x"])
    assert main(["collect", str(tmp_path / "x.jsonl"), "--where", "logic=ltl"]) == 2


def test_collect_and_calibrate_with_tables_give_what_lines_give(tmp_path: Path) -> None:
    file = write(tmp_path / "in.jsonl", recording(60, clusters=None))
    write_parquet(file, tmp_path / "in.parquet")
    lines, table = tmp_path / "out.jsonl", tmp_path / "out.parquet"
    assert main(["collect", str(file), "-o", str(lines), "--quiet"]) == 0
    assert main(["collect", str(tmp_path / "in.parquet"), "-o", str(table), "--quiet"]) == 0
    assert b"".join(lines_of(str(table), {})) == lines.read_bytes()
    policies = []
    for source in (lines, table):
        out = tmp_path / f"{source.suffix}.json"
        assert main(["calibrate", str(source), "--alpha", "0.3", "-o", str(out), "--where", "group=D2"][
            : 6 if source is lines else None
        ]) == 0  # fmt: skip
        policies.append(json.loads(out.read_text()))
    assert policies[0]["rules"]["D2"] == policies[1]["rules"]["D2"]
    assert "D3" in policies[0]["rules"] and "D3" not in policies[1]["rules"]


def test_parts_hold_every_row_once_and_only_those_that_are_wanted_are_read(tmp_path: Path) -> None:
    """--partition-by: a folder for each value; what is read by --where is what stands there, in order."""
    some = [
        {
            "id": f"r{n}",
            "text": f"t {n}",
            "logic": ("ltl", "stl")[n % 2],
            **({"group": f"D{n % 3}"} if n % 5 else {}),
        }
        for n in range(40)
    ]
    lines, target = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    lines.write_bytes(b"".join(map(encode, some)))
    for _ in range(2):  # a second time replaces the first
        assert write_partitions(lines, target, ("logic", "group")) == 40
    assert is_table(str(target))
    assert sorted(lines_of(str(target), {})) == sorted(map(encode, some))
    for logic, group in (("ltl", "D1"), ("stl", "D2")):
        wanted = [encode(row) for row in some if row["logic"] == logic and row.get("group") == group]
        assert wanted and list(lines_of(str(target), {"logic": logic, "group": group})) == wanted
        part = target / f"logic={logic}" / f"group={group}"
        assert sum(len(pa.parquet.read_table(file)) for file in part.glob("*.parquet")) == len(wanted)
    assert not list(tmp_path.glob("*.half"))


def test_parts_from_the_command_line_and_what_is_refused(tmp_path: Path) -> None:
    file, target = write(tmp_path / "in.jsonl", recording(6)), tmp_path / "e.parquet"
    options = ["collect", str(file), "-o", str(target), "--quiet"]
    assert main([*options, "--partition-by", "logic,group"]) == 0
    assert sorted(part.name for part in (target / "logic=ltl").iterdir()) == ["group=D2", "group=D3"]
    assert main([*options, "--partition-by", "logic,text"]) == 2
    assert main(["collect", str(file), "-o", str(tmp_path / "e.jsonl"), "--partition-by", "logic"]) == 2
    other = tmp_path / "other.parquet"
    other.mkdir()
    (other / "mine.txt").write_text("keep me")
    with pytest.raises(DataError, match="choose another"):
        write_partitions(file, other, ("logic",))
    assert (other / "mine.txt").read_text() == "keep me"
