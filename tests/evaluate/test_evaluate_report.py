"""A written report: its fields, that all forms agree, and that it is whole or not there."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Annotated, Any

import pytest

from assent.errors import DataError
from assent.evaluate import folder, plots, published, report
from assent.evaluate.labels import load
from assent.evaluate.measure import MeasureSettings
from assent.evaluate.report import Report
from assent.evaluate.table import Table, shown
from recordings import embed, recording, write

SETTINGS = MeasureSettings(resplits=6, bootstrap=40)
EVIL = "</title><script>alert('$x$ & |')</script>"
FIELDS = {
    "auroc": {"group": str, "channel": str, "value": float, "low": float, "high": float},
    "floors": {"group": str, "channel": str, "n": int, "floor": float},
    "compliance": {
        "group": str, "alpha": float, "method": str, "unit": str, "risk": float, "se": float,
        "acceptance": float, "infeasible_share": float, "exceedances": int,
    },
    "drift": {"calibrated_on": str, "tested_on": str, "gated": bool, "risk": float, "deferred": float},
}  # fmt: skip


def made(place: Path, rows: list[dict[str, Any]], *, title: str = "r", draw: bool = False) -> Report:
    data = load(write(place / "rows.jsonl", rows))
    return report.make(data, SETTINGS, embed=embed, title=title, draw=draw)


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Report:
    rows = recording(80, seed=2)
    for row in rows:
        row["group"] = EVIL if row["group"] == "D3" else "D2"
        row["id"] = f"<script>{row['id']}</script>"
    return made(tmp_path_factory.mktemp("nasty"), rows, title=EVIL, draw=True)


def test_fields_are_those_that_were_promised(nasty: Report) -> None:
    body = json.loads(nasty.to_json())
    assert body["settings"]["resplits"] == 6
    for name, fields in FIELDS.items():
        assert body[name]
        for row in body[name]:
            for key, kind in fields.items():
                assert type(row[key]) is kind, (name, key)
    assert {(r["method"], r["unit"]) for r in body["compliance"]} == {
        (method, unit) for method in ("crc", "split") for unit in ("pair", "cluster")
    }


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    rows = recording(40, seed=3)
    first, again = (made(tmp_path, rows).to_json() for _ in range(2))
    assert first == again
    other = report.make(
        load(tmp_path / "rows.jsonl"),
        MeasureSettings(resplits=6, bootstrap=40, seed=1),
        title="r",
        draw=False,
    )
    assert json.loads(other.to_json())["compliance"] != json.loads(first)["compliance"]


class Page(HTMLParser):
    """Tags, what would be loaded, and the cells of each table."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self._row: list[str] | None = None
        self._cell = self._name = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.loads += [
            str(given[k]) for k in ("src", "href", "xlink:href", "srcset", "action") if given.get(k)
        ]
        if tag == "h2" and "id" in given:
            self._name = str(given["id"])
            self.tables[self._name] = []
        if tag == "tr":
            self._row = []
        self._cell = ""

    def handle_data(self, data: str) -> None:
        self._cell += data

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._row is not None:
            self._row.append(self._cell)
        if tag == "tr" and self._row is not None:
            self.tables[self._name].append(self._row)


def test_the_page_loads_nothing_and_obeys_no_name_from_the_data(nasty: Report, tmp_path: Path) -> None:
    text = (folder.write(nasty, tmp_path / "out") / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert "script" not in page.tags and "link" not in page.tags and "img" not in page.tags
    assert all(address.startswith(("#", "data:image/png;base64,")) for address in page.loads)
    assert not re.search(r"url\((?!#)", text) and "@import" not in text
    assert not [a for a in re.findall(r"https?://[^\s\"'<]+", text) if not a.startswith("http://www.w3.org/")]
    assert html.escape(EVIL) in text
    assert page.tags.count("svg") == len(nasty.figures) > 4
    for file in (tmp_path / "out").glob("*.svg"):
        assert "<script" not in file.read_text(encoding="utf-8")
    assert "<script" not in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_all_forms_of_a_table_agree(nasty: Report, tmp_path: Path) -> None:
    place = folder.write(nasty, tmp_path / "out")
    page = Page((place / "index.html").read_text(encoding="utf-8"))
    markdown = (place / "report.md").read_text(encoding="utf-8")
    for table in nasty.tables:
        expected = [[shown(cell) for cell in row] for row in table.rows]
        assert page.tables[table.name] == [list(table.columns), *expected]
        read = list(csv.reader(io.StringIO((place / f"{table.name}.csv").read_text(encoding="utf-8"))))
        assert read == [
            list(table.columns),
            *[["" if c is None else str(c) for c in row] for row in table.rows],
        ]
        assert table.markdown() in markdown
        latex = (place / f"{table.name}.tex").read_text(encoding="utf-8")
        assert latex.count(r" \\") == 1 + len(table.rows)
    body = json.loads((place / "report.json").read_text(encoding="utf-8"))
    tables = {table.name: table for table in nasty.tables}
    assert [tuple(row.values()) for row in body["floors"]] == list(tables["floors"].rows)
    matrix = [dict(zip(tables["compliance"].columns, row, strict=True)) for row in tables["compliance"].rows]
    for row in body["compliance"]:
        (line,) = [m for m in matrix if all(m[k] == row[k] for k in ("group", "method", "unit"))]
        cell = str(line[f"α = {row['alpha']:.2f}"])
        assert cell == (
            "abst." if row["mark"] == "abst." else f"{row['risk']:.3f} ± {row['se']:.3f} {row['mark']}"
        )


@dataclass(frozen=True)
class Strange:
    cells: Annotated[Mapping[str, str], "{}"]


def test_markdown_and_latex_escape_what_would_end_a_cell() -> None:
    table = Table("t", "Title", (Strange({"a|b": "x|y\n<i>", "c": r"50% \ {_}"}),))
    head, _, row = table.markdown().splitlines()[2:5]
    assert len(re.findall(r"(?<!\\)\|", head)) == 3 and len(re.findall(r"(?<!\\)\|", row)) == 3
    assert "<i>" not in row
    assert r"50\% \textbackslash{} \{\_\}" in table.latex()


def test_a_failure_in_the_middle_leaves_the_old_report(
    nasty: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = folder.write(nasty, tmp_path / "out")
    before = {file.name: file.read_bytes() for file in target.iterdir()}

    def broken(_: Report) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(folder, "page", broken)
        with pytest.raises(KeyboardInterrupt):
            folder.write(nasty, target)
    replace = Path.replace

    def only_away(self: Path, other: Path) -> Path:
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return replace(self, other)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", only_away)
        with pytest.raises(DataError, match="No space left"):
            folder.write(nasty, target)
    assert {file.name: file.read_bytes() for file in target.iterdir()} == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
    folder.write(nasty, target)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_is_no_report_is_not_touched(nasty: Report, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(DataError, match="not a report"):
        folder.write(nasty, tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="not a report"):
        folder.write(nasty, tmp_path / "file")
    with pytest.raises(DataError, match="cannot be written"):
        folder.write(nasty, tmp_path / "file" / "below")


@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny_tiers_still_give_a_report(tmp_path: Path, n: int) -> None:
    rows = [
        *({**row, "group": "D2"} for row in recording(30)),
        *({**row, "id": f"t{i}", "group": "tiny"} for i, row in enumerate(recording(n))),
    ]
    found = made(tmp_path, rows)
    assert {row.group for row in found.numbers.overview} == {"D2", "tiny", "all"}
    assert ("tiny (pair)" in found.about.tiers_too_small_to_split) == (n == 1)
    assert ("tiny" in {row.group for row in found.numbers.compliance}) == (n > 1)
    assert {row.calibrated_on for row in found.numbers.drift} == {"D2"}


@pytest.mark.parametrize(("n", "error"), [(1, 0.0), (2, 0.0), (2, 1.0), (30, 1.0)])
def test_one_row_and_labels_of_one_kind_still_give_a_report(tmp_path: Path, n: int, error: float) -> None:
    found = made(tmp_path, recording(n, error=error, clusters=None), draw=n != 2)
    folder.write(found, tmp_path / "out")
    assert {row.value for row in found.numbers.auroc} == {None}
    assert (tmp_path / "out" / "index.html").exists()


def test_the_paper_stands_beside_only_where_it_is_asked_for(tmp_path: Path) -> None:
    data = load(write(tmp_path / "rows.jsonl", recording(60, logic="stl")))
    known = published.load()
    plain_one = report.make(data, SETTINGS, embed=embed, draw=False)
    beside = report.make(data, SETTINGS, embed=embed, draw=False, paper=known)
    assert "paper" not in "".join(table.markdown() for table in plain_one.tables)
    assert plain_one.numbers == beside.numbers
    tables = {table.name: table for table in beside.tables}
    channel, group, paper = (tables["auroc"].columns.index(name) for name in ("channel", "group", "paper"))
    for row in tables["auroc"].rows:
        assert row[paper] == known.auroc["stl"].get(str(row[channel]), {}).get(str(row[group]))
    assert any(row[paper] == 0.679 for row in tables["auroc"].rows)
    text = tables["compliance"].markdown()
    assert "| D2 | paper: crc | pair | abst. | 0.069 ± 0.006 | 0.133 ± 0.003 |" in text
    assert "0.371 ± 0.003" in text and text.count("paper: ") == 4
    assert set(known.inconsistencies["stl"]["drift"]) <= set(tables["drift"].notes)
    assert known.inconsistencies["stl"]["executed"][0] in tables["executed"].notes


def test_without_matplotlib_there_are_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda _: None)
    found = made(tmp_path, recording(30), draw=True)
    place = folder.write(found, tmp_path / "out")
    assert found.figures == () and "matplotlib" in json.loads(found.to_json())["settings"]["figures"]
    assert not list(place.glob("*.svg")) and (place / "compliance.csv").exists()
