"""Coverage-guided fuzzing of what is read from files: ``python tests/fuzz/fuzz_files.py READER [--corpus=DIR] [...]``.

READER is evidence, policy, vocabulary, configuration, answers, or a format of documents (markdown, text, csv, tsv,
jsonl, needs, doorstop, strictdoc, reqif; folder: the items of a Doorstop document, parted by lines of ---; xlsx: the
sheet of a workbook, whose other parts are whole). The first input is a whole one; libFuzzer, whose options follow,
changes it, and keeps what reaches new code in DIR, where the next run goes on. Inputs of evidence, policy and
vocabulary may also be edits of whole ones (edits.py); a policy gets the checksum that fits before it is read, and must
be written and read back as it was. A crash is any exception but the package's own.
"""

from __future__ import annotations

import json
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import atheris
from edits import RAW, is_raw, text_of, value_of
from kept import quick_folder, with_corpus

with atheris.instrument_imports(include=["assent"]):
    from assent.config.settings import load
    from assent.documents import doorstop, markdown, needs, plain, reqif, strictdoc, tables
    from assent.documents.readers import read_document
    from assent.errors import AssentError, DataError
    from assent.io.lines import scan_rows
    from assent.logic import Logic
    from assent.policy import Policy
    from assent.policy.policy import _checksum
    from assent.records.rows import evidence_of
    from assent.review.given import read_answer
    from assent.review.meaning import typed
    from assent.vocabulary import load_sections

ROW = {
    "id": "1", "logic": "stl", "text": "a within 3 s", "reference": "F[0,3] a", "candidate": "F[0,3] a", "group": "D2",
    "samples": ["F[0,3] a", "G a"], "back_translation": "a soon", "judge": {"overall_meaning": 90}, "cluster": "c",
    "scores": {"default": 0.25}, "gate": {"distance": 1.0, "p_value": 0.5}, "made_by": {"logic": "stl"},
}  # fmt: skip
NAMES = {
    "hall": {
        "propositions": ["a", {"name": "v", "type": "number", "unit": "m", "range": [0, 9]}],
        "time_unit": "s",
    }
}
SETTINGS = '[translator]\nmodel = "m"\n[models.m]\nkind = "recorded"\nfile = "rows.jsonl"\n'
SHIPPED = sorted(Path(str(resources.files("assent").joinpath("weights/policies"))).glob("*.json"))


def short(value: Any) -> Any:
    """A JSON value with at most two entries of every list, and of a table of rules or curves all."""
    if isinstance(value, dict):
        return {key: short(inner) for key, inner in value.items()}
    return [short(inner) for inner in value[:2]] if isinstance(value, list) else value


POLICIES = tuple(short(json.loads(file.read_text())) for file in SHIPPED)


def policy(file: Path) -> None:
    """A policy as it is, and with the checksum that fits."""
    try:
        body = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        Policy.load(file)
        return
    fitting(body)


def fitting(body: Any) -> None:
    """A policy with the checksum that fits; what is read is written and read back as it was."""
    if isinstance(body, dict):
        body["checksum"] = _checksum({key: value for key, value in body.items() if key != "checksum"})
    read = Policy.from_json(json.dumps(body))
    assert Policy.from_json(read.to_json()) == read


def vocabulary(file: Path) -> None:
    """A vocabulary, and what others make of it: phrases, units, exact ends of ranges."""
    for section in load_sections(file).values():
        assert section.names == set(section.phrases)
        assert section.unit_words
        assert section.digest
        for entry in section.propositions:
            low, high = (Fraction(str(end)) for end in entry.range or (0, 0))
            assert low <= high


def evidence(file: Path) -> None:
    for _, row in scan_rows(file):
        if not isinstance(row, DataError):
            evidence_of(row)


def answers(file: Path) -> None:
    """Rows of answers, and the formula or sentence of each, as ``review --answers`` reads them."""
    for line, row in scan_rows(file):
        if isinstance(row, DataError):
            continue
        try:
            given = read_answer(row, str(file), line)
            if given.text is not None:
                typed(given.text, tuple(Logic)[len(given.text) % 3])
        except AssentError as error:
            str(error).encode("utf-8", "surrogatepass")


ANSWERS = """{"id": "r1", "formula": "G (a -> F[0,3] b)"}
{"id": 2, "none": true}
{"id": "r3", "formula": "at every time, a holds"}
{"id": "r4", "unsayable": true, "skip": false}
"""
DOCUMENTS = {
    "markdown": "# Hall\n\n- R1: The pump shall *always* run.\n- [R2] The `door` shall open within 3 s.\n\n"
    "| ID | Text |\n|---|---|\n| R3 | a \\| b |\n\n```\nR4: no\n```\n",
    "text": "R1: The pump shall always run.\n\nR2 The door shall open\nwithin 3 s.\n",
    "csv": 'id,text,logic\nR1,"The pump, always ""on""",ltl\nR2,The door opens.,stl\n',
    "tsv": "id\ttext\tdomain\nR1\tThe pump runs.\thall\n",
    "jsonl": '{"id": "R1", "text": "The pump runs.", "logic": "ltl"}\n{"id": "R2", "text": "b"}\n',
    "needs": '{"current_version": "1", "versions": {"1": {"needs": {"R1": {"id": "R1", "type": "req", "title": "t", '
    '"content": "The pump shall run.", "status": null}}}}}',
    "doorstop": "active: true\nderived: false\nheader: ''\nlevel: 1.1\nlinks: []\nnormative: true\nref: ''\n"
    "reviewed: null\ntext: |\n  The pump shall run.\n",
    "strictdoc": "[DOCUMENT]\nTITLE: Hall\n\n[REQUIREMENT]\nUID: R1\nTITLE: Pump\nSTATEMENT: >>>\n"
    "The pump shall run.\n<<<\n",
    "reqif": '<?xml version="1.0"?><REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"><CORE-CONTENT>'
    '<REQ-IF-CONTENT><SPEC-TYPES><SPEC-OBJECT-TYPE IDENTIFIER="t"><SPEC-ATTRIBUTES>'
    '<ATTRIBUTE-DEFINITION-STRING IDENTIFIER="d" LONG-NAME="ReqIF.Text"/></SPEC-ATTRIBUTES></SPEC-OBJECT-TYPE>'
    '</SPEC-TYPES><SPEC-OBJECTS><SPEC-OBJECT IDENTIFIER="R1"><VALUES><ATTRIBUTE-VALUE-STRING THE-VALUE="a runs">'
    "<DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>d</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION>"
    "</ATTRIBUTE-VALUE-STRING></VALUES></SPEC-OBJECT></SPEC-OBJECTS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>",
}


INSTRUMENTED = (doorstop, markdown, needs, plain, reqif, strictdoc, tables)
"""Readers that are imported when they are needed: here before, so that their coverage is seen."""


def document(form: str) -> Callable[[Path], object]:
    return lambda file: read_document(file, form=form)


def folder(file: Path) -> None:
    """The parts of an input as the marking file and the items of a Doorstop document."""
    place = file.parent / "doorstop"
    place.mkdir(exist_ok=True)
    for old in place.iterdir():
        old.unlink()
    for number, part in enumerate(file.read_bytes().split(b"\n---\n")[:5]):
        (place / (f"R{number}.yml" if number else doorstop.MARK)).write_bytes(part)
    read_document(place, form="doorstop")


FOLDER = (
    "settings:\n  digits: 1\n  prefix: R\n---\nactive: true\ntext: |\n  The pump shall run.\n---\ntext: b\n"
)
SPACE = "http://schemas.openxmlformats.org"
KIND = f"{SPACE}/officeDocument/2006/relationships"
BOOK = {
    "[Content_Types].xml": f'<Types xmlns="{SPACE}/package/2006/content-types"><Default Extension="rels" ContentType='
    '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName='
    '"/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{SPACE}/package/2006/relationships"><Relationship Id="r1" '
    f'Type="{KIND}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{SPACE}/spreadsheetml/2006/main" xmlns:r="{KIND}"><sheets>'
    '<sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{SPACE}/package/2006/relationships"><Relationship Id="r1" '
    f'Type="{KIND}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
SHEET = (
    f'<worksheet xmlns="{SPACE}/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>id</t>'
    '</is></c><c r="B1" t="inlineStr"><is><t>text</t></is></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2" '
    't="inlineStr"><is><t>The pump runs.</t></is></c></row></sheetData></worksheet>'
)


def workbook(file: Path) -> None:
    """The input as the sheet of a workbook."""
    book = file.with_suffix(".xlsx")
    with zipfile.ZipFile(book, "w") as packed:
        for name, text in BOOK.items():
            packed.writestr(name, text)
        packed.writestr("xl/worksheets/sheet1.xml", file.read_bytes())
    read_document(book, form="xlsx")


READERS: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "evidence": (json.dumps(ROW), evidence),
    "policy": (json.dumps(POLICIES[0]), policy),
    "vocabulary": (json.dumps(NAMES), vocabulary),
    "configuration": (SETTINGS, load),
    "answers": (ANSWERS, answers),
    "folder": (FOLDER, folder),
    "xlsx": (SHEET, workbook),
    **{form: (text, document(form)) for form, text in DOCUMENTS.items()},
}


NAMED = {"configuration": "assent.toml"}
WHOLE: Mapping[str, tuple[str, ...]] = {
    "evidence": (json.dumps(ROW),),
    "policy": tuple(json.dumps(whole) for whole in POLICIES),
    "vocabulary": (json.dumps(NAMES),),
}
"""What inputs may be edits of, by reader."""
VALUES: Mapping[str, Callable[[Any], object]] = {"policy": fitting}
"""Readers that take the edited value itself: it needs no file."""


def main(reader: str, options: list[str]) -> None:
    first, read = READERS[reader]
    with tempfile.TemporaryDirectory(dir=quick_folder()) as place:
        file, corpus = Path(place) / NAMED.get(reader, "input.json"), Path(place) / "corpus"
        corpus.mkdir()
        whole = WHOLE.get(reader, ())
        (corpus / "first").write_bytes((bytes([RAW]) if whole else b"") + first.encode())
        for number in range(len(whole)):
            (corpus / f"whole{number}").write_bytes(bytes([2 * number + 1, 1, 5, number]))

        def target(data: bytes) -> None:
            try:
                if reader in VALUES and not is_raw(data):
                    VALUES[reader](value_of(data, whole))
                    return
                file.write_bytes(text_of(data, whole) if whole else data)
                read(file)
            except AssentError as error:
                str(error).encode("utf-8", "surrogatepass")

        given, kept = with_corpus(options)
        atheris.Setup([sys.argv[0], *given, *kept, str(corpus)], target)
        atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in READERS:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
