"""needs.json, Doorstop, StrictDoc, ReqIF, XLSX: what is read, and formulas written back with nothing else touched."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from documents_kit import Counting, brief, checked
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.documents.checking import Checked
from assent.documents.doorstop import item_with, read_doorstop
from assent.documents.needs import needs_with, read_needs
from assent.documents.readers import read_document, read_documents
from assent.documents.reqif import read_reqif, reqif_with
from assent.documents.spans import parsed
from assent.documents.strictdoc import read_strictdoc, sdoc_with
from assent.documents.writeback import write_back
from assent.errors import AssentError, DataError, UsageError

FORMULA = "G(rain -> !lid_open) & F[0,5] \"x\" <= 'y'"
FORMULAS = st.sampled_from(
    [FORMULA, "G !a", "F[0,5] a", "G(a -> (b U c))", "a & b | c", "x > 3.5", "(dist(a, b) <= 0.3)", "p <-> q"]
)

NEEDS = """{
    "created": "2026-01-01",
    "current_version": "1.0",
    "project": "Hive — Ü",
    "versions": {
        "0.9": {"needs": {"OLD": {"id": "OLD", "type": "req", "content": "The old one shall stay."}}},
        "1.0": {
            "needs": {
                "BH_1": {
                    "id": "BH_1", "title": "Lid",
                    "type": "req",
                    "content": "The lid shall never be open\\nwhile it rains — ever.",
                    "tags": ["a", "b"],
                    "x": 1.50
                },
              "BH_2": {"id": "BH_2", "type": "req", "title": "T",
                  "content": "The scale is always on.", "formula": "old"},
                "T_1": {"id": "T_1", "title": "Test", "type": "test", "content": "Open the lid."}
            }
        }
    }
}
"""
SDOC = """[DOCUMENT]
TITLE: Hive

[[SECTION]]
TITLE: Weighing

[REQUIREMENT]
UID: BH-1
TITLE: Lid
STATEMENT: >>>
The lid shall never be open
while it rains.
<<<
RATIONALE: Wet bees.
RELATIONS:
- TYPE: Parent
  VALUE: BH-2

[REQUIREMENT]
UID: BH-2
STATEMENT: The scale is always on.
COMMENT: Formula: G old

[[/SECTION]]
"""
ITEM = """active: true
derived: false
header: ''
level: 1.0
links: []
normative: true
ref: ''
reviewed: null
text: |
  The lid shall never be open
  while it rains.
"""
REQIF = """<?xml version="1.0" encoding="UTF-8"?>
<REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <THE-HEADER>
    <REQ-IF-HEADER IDENTIFIER="h1">
      <CREATION-TIME>2026-01-01T00:00:00Z</CREATION-TIME>
      <REQ-IF-TOOL-ID>hand</REQ-IF-TOOL-ID>
      <REQ-IF-VERSION>1.0</REQ-IF-VERSION>
      <SOURCE-TOOL-ID>hand</SOURCE-TOOL-ID>
      <TITLE>Hive</TITLE>
    </REQ-IF-HEADER>
  </THE-HEADER>
  <CORE-CONTENT>
    <REQ-IF-CONTENT>
      <DATATYPES>
        <DATATYPE-DEFINITION-STRING IDENTIFIER="dt-s" LAST-CHANGE="2026-01-01T00:00:00Z"
          LONG-NAME="String" MAX-LENGTH="9999"/>
        <DATATYPE-DEFINITION-XHTML IDENTIFIER="dt-x" LAST-CHANGE="2026-01-01T00:00:00Z" LONG-NAME="Rich"/>
      </DATATYPES>
      <SPEC-TYPES>
        <SPEC-OBJECT-TYPE IDENTIFIER="t1" LAST-CHANGE="2026-01-01T00:00:00Z" LONG-NAME="Requirement">
          <SPEC-ATTRIBUTES>
            <ATTRIBUTE-DEFINITION-STRING IDENTIFIER="a-id" LAST-CHANGE="2026-01-01T00:00:00Z"
              LONG-NAME="ReqIF.ForeignID">
              <TYPE><DATATYPE-DEFINITION-STRING-REF>dt-s</DATATYPE-DEFINITION-STRING-REF></TYPE>
            </ATTRIBUTE-DEFINITION-STRING>
            <ATTRIBUTE-DEFINITION-XHTML IDENTIFIER="a-text" LAST-CHANGE="2026-01-01T00:00:00Z" LONG-NAME="ReqIF.Text">
              <TYPE><DATATYPE-DEFINITION-XHTML-REF>dt-x</DATATYPE-DEFINITION-XHTML-REF></TYPE>
            </ATTRIBUTE-DEFINITION-XHTML>
            <ATTRIBUTE-DEFINITION-STRING IDENTIFIER="a-f" LAST-CHANGE="2026-01-01T00:00:00Z" LONG-NAME="Formula">
              <TYPE><DATATYPE-DEFINITION-STRING-REF>dt-s</DATATYPE-DEFINITION-STRING-REF></TYPE>
            </ATTRIBUTE-DEFINITION-STRING>
          </SPEC-ATTRIBUTES>
        </SPEC-OBJECT-TYPE>
      </SPEC-TYPES>
      <SPEC-OBJECTS>
        <SPEC-OBJECT IDENTIFIER="o1" LAST-CHANGE="2026-01-01T00:00:00Z">
          <VALUES>
            <ATTRIBUTE-VALUE-STRING THE-VALUE="BH-1">
              <DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a-id</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION>
            </ATTRIBUTE-VALUE-STRING>
            <ATTRIBUTE-VALUE-XHTML>
              <DEFINITION><ATTRIBUTE-DEFINITION-XHTML-REF>a-text</ATTRIBUTE-DEFINITION-XHTML-REF></DEFINITION>
              <THE-VALUE>
                <xhtml:div>The lid shall <xhtml:b>never</xhtml:b> be open<xhtml:br/>while it rains.</xhtml:div>
              </THE-VALUE>
            </ATTRIBUTE-VALUE-XHTML>
          </VALUES>
          <TYPE><SPEC-OBJECT-TYPE-REF>t1</SPEC-OBJECT-TYPE-REF></TYPE>
        </SPEC-OBJECT>
        <SPEC-OBJECT IDENTIFIER="o2" LAST-CHANGE="2026-01-01T00:00:00Z" DESC="a &gt; b > c">
          <VALUES>
            <ATTRIBUTE-VALUE-XHTML>
              <DEFINITION><ATTRIBUTE-DEFINITION-XHTML-REF>a-text</ATTRIBUTE-DEFINITION-XHTML-REF></DEFINITION>
              <THE-VALUE><xhtml:div>The scale is always on.</xhtml:div></THE-VALUE>
            </ATTRIBUTE-VALUE-XHTML>
            <ATTRIBUTE-VALUE-STRING THE-VALUE='G &lt;old&gt;'>
              <DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a-f</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION>
            </ATTRIBUTE-VALUE-STRING>
          </VALUES>
          <TYPE><SPEC-OBJECT-TYPE-REF>t1</SPEC-OBJECT-TYPE-REF></TYPE>
        </SPEC-OBJECT>
        <SPEC-OBJECT IDENTIFIER="o3" LAST-CHANGE="2026-01-01T00:00:00Z">
          <VALUES/>
          <TYPE><SPEC-OBJECT-TYPE-REF>t1</SPEC-OBJECT-TYPE-REF></TYPE>
        </SPEC-OBJECT>
      </SPEC-OBJECTS>
    </REQ-IF-CONTENT>
  </CORE-CONTENT>
</REQ-IF>
"""
ENDS = pytest.mark.parametrize("end", ["\n", "\r\n"])
RAIN, SCALE = "The lid shall never be open while it rains.", "The scale is always on."


# ---- reading --------------------------------------------------------------------------------------------------


def test_needs() -> None:
    document = read_needs(NEEDS, "needs.json")
    assert brief(document) == [
        ("BH_1", "The lid shall never be open while it rains — ever."),
        ("BH_2", SCALE),
    ]
    assert [r.line for r in document.requirements] == [12, 17]
    assert [(p.text, p.why) for p in document.aside] == [("Open the lid.", "a need of type 'test'")]
    with pytest.raises(DataError, match="no 'versions'"):
        read_needs("{}", "needs.json")


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=12,
    ),
    st.sampled_from([None, 2]),
)
def test_places_of_json_are_true(value: object, indent: int | None) -> None:
    """Each member's text, cut out by its place, is its value again; the oracle is the standard library."""
    text = json.dumps(value, indent=indent)
    waiting = [(parsed(text, "a.json"), value)]
    while waiting:
        node, expected = waiting.pop()
        assert json.loads(text[node.start : node.end]) == expected
        if isinstance(expected, dict):
            assert list(node.members) == list(expected)
            waiting += [(node.members[key], expected[key]) for key in expected]
        elif isinstance(expected, list):
            waiting += [(node.members[str(i)], part) for i, part in enumerate(expected)]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}[]":,0123456789.eE-+truefalsn \n\\u', max_size=40))
def test_json_that_is_damaged_is_our_own_error(text: str) -> None:
    """Whatever we read the standard library reads, too, and the other way round (keys twice are refused here)."""
    try:
        parsed(text, "a.json")
    except DataError as error:
        if "twice" not in str(error) and "deeper" not in str(error):
            with pytest.raises((ValueError, RecursionError)):
                json.loads(text, parse_constant=int)
    else:
        json.loads(text)


def test_strictdoc() -> None:
    document = read_strictdoc(SDOC, "a.sdoc")
    assert brief(document) == [("BH-1", RAIN), ("BH-2", SCALE)]
    assert [(r.line, r.column) for r in document.requirements] == [(11, 1), (21, 12)]
    assert document.requirements[0].section == "Weighing"
    assert ("Wet bees.", "the rationale of a requirement") in [(p.text, p.why) for p in document.aside]
    with pytest.raises(DataError, match="has no <<<"):
        read_strictdoc(SDOC.replace("<<<", ""), "a.sdoc")


def test_reqif_by_usual_and_given_attributes() -> None:
    document = read_reqif(REQIF.encode(), "a.reqif", {})
    assert brief(document) == [("BH-1", RAIN), ("o2", SCALE)]
    assert document.aside[0].why == "an object without text"
    odd = REQIF.replace("ReqIF.Text", "Prose")
    assert brief(read_reqif(odd.encode(), "a.reqif", {"text": "Prose"})) == brief(document)
    with pytest.raises(UsageError, match="no attribute is called 'Poem'"):
        read_reqif(odd.encode(), "a.reqif", {"text": "Poem"})


@pytest.mark.parametrize(
    "text",
    ["<a/>", "<REQ-IF>", '<!DOCTYPE x [<!ENTITY a "b">]><REQ-IF>&a;</REQ-IF>', "", "<REQ-IF>" + "<a>" * 500],
)
def test_xml_that_is_no_reqif(text: str) -> None:
    with pytest.raises(DataError):
        read_reqif(text.encode(), "a.reqif", {})


def test_xlsx(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book = openpyxl.Workbook()
    book.active.title = "Cover"
    book.active.append(["Hive", "2026"])
    sheet = book.create_sheet("Requirements")
    for cells in (
        ["Req ID", "Requirement", "Logic"],
        ["BH-1", RAIN, None],
        [None, None, None],
        ["BH-2", SCALE, "LTL"],
    ):
        sheet.append(cells)
    book.save(tmp_path / "hive.xlsx")
    document = read_document(tmp_path / "hive.xlsx")
    assert brief(document) == [("BH-1", RAIN), ("BH-2", SCALE)]
    assert [r.line for r in document.requirements] == [2, 4] and document.requirements[1].logic == "ltl"
    assert document.aside[0].why == "in the sheet 'Cover', which has no requirements"


# ---- writing back ----------------------------------------------------------------------------------------------


def only_inserted(before: bytes, after: bytes, removed: tuple[bytes, ...] = ()) -> bool:
    """Whether ``after`` is ``before`` with some bytes put in, once ``removed`` are taken out of ``before``."""
    for part in removed:
        before = before.replace(part, b"", 1)
    rest = iter(after)
    return all(byte in rest for byte in before)


@ENDS
def test_needs_byte_by_byte(end: str) -> None:
    content = NEEDS.replace("\n", end).encode()
    after = needs_with(content, "n.json", {"BH_1": FORMULA, "BH_2": "G on", "T_1": ""})
    said = json.dumps(FORMULA, ensure_ascii=False)
    blank = end + " " * 20
    expected = content.replace(
        'rains — ever."'.encode(), f'rains — ever.",{blank}"formula": {said}'.encode()
    ).replace(b'"formula": "old"', b'"formula": "G on"')
    assert after == expected
    assert needs_with(after, "n.json", {"BH_1": FORMULA, "BH_2": "G on"}) == after
    assert needs_with(content, "n.json", {"BH_1": "", "BH_2": ""}) == content.replace(b'"old"', b'""')
    marked = b"\xef\xbb\xbf" + content
    assert needs_with(marked, "n.json", {"BH_1": FORMULA, "BH_2": "G on"}) == b"\xef\xbb\xbf" + expected


@ENDS
def test_strictdoc_byte_by_byte(end: str) -> None:
    content = SDOC.replace("\n", end).encode()
    after = sdoc_with(content, "a.sdoc", {"BH-1": FORMULA, "BH-2": "G on"})
    expected = SDOC.replace("Wet bees.\n", f"Wet bees.\nCOMMENT: Formula: {FORMULA}\n").replace(
        "G old", "G on"
    )
    assert after == expected.replace("\n", end).encode()
    assert sdoc_with(content, "a.sdoc", {"BH-1": ""}) == content
    grammar = SDOC.replace("TITLE: Hive\n", "TITLE: Hive\n\n[GRAMMAR]\nELEMENTS:\n- TAG: REQUIREMENT\n  FIELDS:\n"
                           "  - TITLE: FORMULA\n    TYPE: String\n    REQUIRED: False\n")  # fmt: skip
    assert b"<<<\nFORMULA: G on\nRATIONALE" in sdoc_with(grammar.encode(), "a.sdoc", {"BH-1": "G on"})


@ENDS
def test_doorstop_byte_by_byte(end: str) -> None:
    content = ITEM.replace("\n", end).encode()
    after = item_with(content, FORMULA)
    quoted = FORMULA.replace("'", "''")
    assert (
        after
        == ITEM.replace("header: ''\n", f"formula: '{quoted}'\nheader: ''\n").replace("\n", end).encode()
    )
    assert item_with(after, FORMULA) == after and item_with(content, "") == content
    assert item_with(after, "") == after.replace(quoted.encode(), b"")


@ENDS
@pytest.mark.parametrize("prefix", ["", "r:"])
def test_reqif_byte_by_byte(end: str, prefix: str) -> None:
    source = re.sub(r"<(/?)([A-Z])", rf"<\1{prefix}\2", REQIF) if prefix else REQIF
    source = source.replace('xmlns="', 'xmlns:r="') if prefix else source
    content = source.replace("\n", end).encode()
    after = reqif_with(content, "a.reqif", {"BH-1": FORMULA, "o2": "G on"}, {})
    assert only_inserted(content, after, (b"'G &lt;old&gt;'",))
    assert len(after) < len(content) + 400 and after.count(b"a-f") == content.count(b"a-f") + 1
    assert reqif_with(after, "a.reqif", {"BH-1": FORMULA, "o2": "G on"}, {}) == after
    assert brief(read_reqif(after, "a.reqif", {})) == brief(read_reqif(content, "a.reqif", {}))
    with pytest.raises(UsageError, match="no attribute 'Proof' of type string"):
        reqif_with(content, "a.reqif", {"BH-1": FORMULA}, {}, "Proof")


@settings(max_examples=60, deadline=None)
@given(first=FORMULAS, second=FORMULAS)
def test_what_is_written_again_is_as_if_written_once(first: str, second: str) -> None:
    writers = (
        lambda content, formula: needs_with(content, "n.json", {"BH_1": formula}),
        lambda content, formula: sdoc_with(content, "a.sdoc", {"BH-1": formula}),
        item_with,
        lambda content, formula: reqif_with(content, "a.reqif", {"BH-1": formula}, {}),
    )
    for write, source in zip(writers, (NEEDS, SDOC, ITEM, REQIF), strict=True):
        assert write(write(source.encode(), first), second) == write(source.encode(), second)


# ---- the packages that own the formats --------------------------------------------------------------------------


def test_reqif_is_read_back_by_its_package(tmp_path: Path) -> None:
    parser = pytest.importorskip("reqif.parser", reason="reqif is not installed")
    (tmp_path / "a.reqif").write_bytes(
        reqif_with(REQIF.encode(), "a.reqif", {"BH-1": FORMULA, "o2": "G on"}, {})
    )
    bundle = parser.ReqIFParser.parse(str(tmp_path / "a.reqif"))
    found = {
        item.identifier: {a.definition_ref: a.value for a in item.attributes}
        for item in bundle.core_content.req_if_content.spec_objects
    }
    assert found["o1"]["a-f"] == FORMULA and found["o1"]["a-id"] == "BH-1" and found["o2"]["a-f"] == "G on"


def test_doorstop_takes_what_was_written(tmp_path: Path) -> None:
    core = pytest.importorskip("doorstop.core", reason="doorstop is not installed")
    folder = tmp_path / "reqs"
    folder.mkdir()
    (folder / ".doorstop.yml").write_text("settings:\n  digits: 3\n  prefix: REQ\n  sep: ''\n")
    (folder / "REQ001.yml").write_text(ITEM)
    (folder / "REQ002.yml").write_text(ITEM.replace("normative: true", "normative: false"))
    document = read_doorstop(folder, "reqs")
    assert brief(document) == [("REQ001", RAIN)] and document.requirements[0].line == 10
    assert [part.why for part in document.aside] == ["an item that is not normative"]
    (folder / "REQ001.yml").write_bytes(item_with((folder / "REQ001.yml").read_bytes(), FORMULA))
    item = next(i for i in core.Document(str(folder), root=str(tmp_path)) if str(i.uid) == "REQ001")
    assert item.get("formula") == FORMULA and item.text.replace("\n", " ") == RAIN
    before = (folder / "REQ001.yml").read_bytes()
    item.save()  # what Doorstop itself writes has the attribute at the same place
    assert re.findall(rb"^\w+:", (folder / "REQ001.yml").read_bytes(), re.MULTILINE) == re.findall(
        rb"^\w+:", before, re.MULTILINE
    )


@pytest.mark.slow
def test_strictdoc_takes_what_was_written(tmp_path: Path) -> None:
    program = shutil.which("strictdoc")
    if program is None:
        pytest.skip("strictdoc is not installed")
    (tmp_path / "a.sdoc").write_bytes(sdoc_with(SDOC.encode(), "a.sdoc", {"BH-1": FORMULA, "BH-2": "G on"}))
    subprocess.run(
        [program, "export", str(tmp_path), "--formats=json", "--output-dir", str(tmp_path / "out")],
        check=True,
    )
    (found,) = (tmp_path / "out" / "json").rglob("*.json")
    text = found.read_text("utf-8")
    assert json.dumps(f"Formula: {FORMULA}")[1:-1] in text and "Formula: G on" in text


@pytest.mark.slow
def test_sphinx_needs_takes_what_was_written(tmp_path: Path) -> None:
    program = shutil.which("sphinx-build")
    if program is None or not _has_sphinx_needs(program):
        pytest.skip("sphinx-needs is not installed")
    content = needs_with(NEEDS.encode(), "needs.json", {"BH_1": FORMULA, "BH_2": "G on"})
    (tmp_path / "needs.json").write_bytes(content)
    (tmp_path / "conf.py").write_text(
        'extensions = ["sphinx_needs"]\nneeds_fields = {"formula": {"description": "f", "nullable": True}}\n'
        "needs_build_json = True\n"
    )
    (tmp_path / "index.rst").write_text("Hive\n====\n\n.. needimport:: needs.json\n")
    subprocess.run([program, "-q", "-b", "needs", str(tmp_path), str(tmp_path / "out")], check=True)
    found = json.loads((tmp_path / "out" / "needs.json").read_text("utf-8"))
    needs = next(iter(found["versions"].values()))["needs"]
    assert needs["BH_1"]["formula"] == FORMULA and needs["BH_2"]["formula"] == "G on"


def _has_sphinx_needs(program: str) -> bool:
    """Whether the Python behind ``sphinx-build`` has sphinx-needs."""
    python = Path(program).with_name("python")
    tried = subprocess.run([str(python), "-c", "import sphinx_needs"], capture_output=True, check=False)
    return tried.returncode == 0


# ---- the whole way ------------------------------------------------------------------------------------------------


def test_formulas_into_every_kind_of_document(tmp_path: Path) -> None:
    (tmp_path / "needs.json").write_text(NEEDS.replace(" — ever", ""), "utf-8")
    (tmp_path / "a.sdoc").write_text(SDOC, "utf-8")
    (tmp_path / "a.reqif").write_text(REQIF, "utf-8")
    (tmp_path / "reqs").mkdir()
    (tmp_path / "reqs" / ".doorstop.yml").write_text("settings: {prefix: REQ}\n")
    (tmp_path / "reqs" / "REQ001.yml").write_text(ITEM)
    files = [tmp_path / name for name in ("needs.json", "a.sdoc", "a.reqif", "reqs")]
    models = Counting({RAIN: "G(rain -> !lid)", SCALE: ["G a", "G b", "F c", "G d"]})
    found = checked(files, models)
    assert write_back(read_documents(files), found, {}) == 4
    assert '"formula": "G(rain -> !lid)"' in (tmp_path / "needs.json").read_text("utf-8")
    assert '"formula": ""' in (tmp_path / "needs.json").read_text("utf-8")  # no longer vouched for
    assert "COMMENT: Formula: G(rain -> !lid)" in (tmp_path / "a.sdoc").read_text("utf-8")
    assert 'THE-VALUE="G(rain -&gt; !lid)"' in (tmp_path / "a.reqif").read_text("utf-8")
    assert "formula: 'G(rain -> !lid)'" in (tmp_path / "reqs" / "REQ001.yml").read_text("utf-8")
    again = checked(files, models)
    assert [r.requirement.text for r in again.rows] == [r.requirement.text for r in found.rows]
    assert write_back(read_documents(files), again, {}) == 0


def test_a_document_without_a_place_for_formulas_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"- {RAIN}\n")
    with pytest.raises(UsageError, match="not to markdown"):
        write_back(read_documents([tmp_path / "a.md"]), Checked(rows=()), {})


PARTS = st.sampled_from(
    ["[DOCUMENT]", "TITLE: a", "[REQUIREMENT]", "UID: R-1", "STATEMENT: >>>", "The lid shall stay shut.", "<<<",
     "text: |",     "  The lid shall stay shut.", "active: true", "text: [", "? x", "- a: &b c", "*b",
     '{"versions": {', '"1": {"needs": {',
     '"R": {"content": "The lid shall stay shut."', "}}}}", "<REQ-IF>", "<SPEC-OBJECT IDENTIFIER='a'>", "<VALUES/>",
     "</SPEC-OBJECT>", "</REQ-IF>", "<THE-VALUE>", "!!python/object:os.system x"]
)  # fmt: skip


@pytest.mark.parametrize("suffix", [".json", ".yml", ".sdoc", ".reqif"])
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.lists(st.one_of(PARTS, st.text(max_size=20)), max_size=10).map("\n".join))
def test_a_reader_fails_with_our_own_errors_only(suffix: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"fuzz{suffix}"
    path.write_bytes(text.encode("utf-8", "replace"))
    try:
        found = read_document(path)
    except AssentError:
        return
    assert len({r.id for r in found.requirements}) == len(found.requirements)


@pytest.mark.parametrize("suffix", [".json", ".yml", ".sdoc", ".reqif"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=120))
def test_bytes_of_any_kind(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"fuzz{suffix}"
    path.write_bytes(content)
    try:
        read_document(path)
    except AssentError:
        return
