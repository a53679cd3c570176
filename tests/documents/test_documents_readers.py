"""Reading documents: identifiers, headings, remarks, several requirements in one place, encodings, line ends."""

from __future__ import annotations

import codecs
import contextlib
import time
from pathlib import Path

import pytest
from documents_kit import brief, stands_there
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.documents.content import decoded
from assent.documents.gather import told_apart
from assent.documents.markdown import read_markdown
from assent.documents.plain import read_plain
from assent.documents.readers import read_document
from assent.documents.sentences import labelled, requirements_in, sentences
from assent.documents.tables import read_csv
from assent.errors import AssentError, ConfigurationError, DataError, UsageError

KIRO = """# Requirements Document

## Introduction

The feeder portions food. It is sold with a lid.

## Requirements

### Requirement 1

**User Story:** As a cat owner, I want dry food portioned, so that the cat stays slim.

#### Acceptance Criteria

1. WHEN the lid is open THEN the feeder SHALL stop the auger within 2 seconds.
2. IF the bowl is full, THEN the feeder SHALL NOT start the auger.

### Requirement 2: Alarms

#### Acceptance Criteria

1. WHILE the hopper is empty THE feeder SHALL keep the lamp on.
"""


def test_kiro() -> None:
    document = read_markdown(KIRO, "requirements.md")
    assert [r.id for r in document.requirements] == ["1.1", "1.2", "2.1"]
    assert document.requirements[0].text.startswith("WHEN the lid is open THEN the feeder SHALL stop")
    assert all(r.named and stands_there(r, KIRO) for r in document.requirements)
    why = {part.text[:14]: part.why for part in document.aside}
    assert why["User Story: As"] == "asks for nothing" and why["The feeder por"] == "asks for nothing"
    assert why["Requirement 1"] == "a heading"


def test_openspec_scenarios_are_set_aside() -> None:
    text = """### Requirement: Lid switch
The feeder SHALL stop the auger while the lid is open.

#### Scenario: lid opens
- **WHEN** the lid opens
- **THEN** the auger stops
"""
    document = read_markdown(text, "spec.md")
    assert [r.text for r in document.requirements] == [
        "The feeder SHALL stop the auger while the lid is open."
    ]
    steps = [p.text for p in document.aside if p.why == "a step of a scenario"]
    assert steps == ["WHEN the lid opens", "THEN the auger stops"]


def test_markdown_lists_tables_and_marks() -> None:
    text = """- **REQ-17**: The `pump_on` signal shall *never* follow [the alarm](a.md).
- [R-3] The lamp shall be lit.
* 3.2.1 The lid stays shut until the bowl is empty.
- [ ] REQ_9 - The fan runs whenever
  the motor is hot.

| Ref | Req ID | Requirement | Status |
|-----|:------:|-------------|--------|
| a   | T-1    | The lid is never open at night. | open |
| b   | T-2    |             | open |
"""
    document = read_markdown(text, "a.md")
    assert brief(document) == [
        ("REQ-17", "The pump_on signal shall never follow the alarm."),
        ("R-3", "The lamp shall be lit."),
        ("3.2.1", "The lid stays shut until the bowl is empty."),
        ("REQ_9", "The fan runs whenever the motor is hot."),
        ("T-1", "The lid is never open at night."),
    ]
    assert all(stands_there(r, text) for r in document.requirements)
    assert ("a row without a requirement", 10) in [(p.why, p.line) for p in document.aside]


def test_an_identifier_is_no_number_and_a_number_no_identifier() -> None:
    assert labelled("REQ-17: The pump") == ("REQ-17", 8)
    assert labelled("[R-3] The pump")[0] == "R-3"
    assert labelled("3.2.1 The pump")[0] == "3.2.1"
    assert labelled("3. The pump")[0] is None and labelled("(a) The pump")[0] is None
    assert labelled("5 seconds after the start the pump runs") == (None, 0)


def test_sentences_end_where_they_end() -> None:
    assert [
        p.text for p in sentences("Stop within 5 s. The lamp, e.g. The red one, is on. Use max. 3 bar.")
    ] == [
        "Stop within 5 s.",
        "The lamp, e.g. The red one, is on.",
        "Use max. 3 bar.",
    ]


def test_several_requirements_in_one_sentence_are_split_or_refused() -> None:
    split = requirements_in("The lamp shall be on; the fan shall be off, and the lid shall be shut.")
    assert [p.text for p in split] == [
        "The lamp shall be on",
        "the fan shall be off",
        "the lid shall be shut.",
    ]
    (refused,) = requirements_in("When the lid opens, the lamp shall be on; the fan shall be off.")
    assert refused.refused is not None and "several requirements" in refused.refused
    (whole,) = requirements_in("When the lid opens, the lamp shall be on and the fan shall be off.")
    assert whole.refused is None
    _, second = requirements_in("The lamp is on when the lid is open. It shall go off after 5 s.")
    assert second.refused is not None and "points back" in second.refused


def test_a_stem_begins_each_sentence_of_its_list() -> None:
    text = "The feeder shall:\n\n1. Stop the auger while the lid is open\n2. FR-2: Keep the lamp on\n"
    assert brief(read_markdown(text, "a.md")) == [
        ("a:3", "The feeder shall stop the auger while the lid is open"),
        ("FR-2", "The feeder shall keep the lamp on"),
    ]
    other = read_markdown("When hot, the feeder shall do the following:\n\n- stop the auger\n", "a.md")
    assert other.requirements[0].refused is not None


def test_plain_text_with_headings_wrapped_lines_and_remarks() -> None:
    text = """FEEDER
======

1 Auger control

1.1.1 The auger shall stop within 2 s after the lid
      has been opened.
The lamp is on whenever the hopper is empty.
Rationale: people forget.
The casing is green.
"""
    document = read_plain(text, "f.txt")
    assert brief(document) == [
        ("1.1.1", "The auger shall stop within 2 s after the lid has been opened."),
        ("f:8", "The lamp is on whenever the hopper is empty."),
    ]
    assert {(p.text, p.why) for p in document.aside} == {
        ("FEEDER", "a heading"),
        ("1 Auger control", "a heading"),
        ("Rationale: people forget.", "asks for nothing"),
        ("The casing is green.", "asks for nothing"),
    }


def test_csv_columns_by_name_by_map_and_by_separator() -> None:
    text = 'Nr;Text;Logic\nA-1;"The lid; it shall\nstay shut.";STL\nA-2;;\n'
    document = read_csv(text, "a.csv", {})
    assert brief(document) == [("A-1", "The lid; it shall stay shut.")]
    assert document.requirements[0].logic == "stl" and document.requirements[0].line == 2
    odd = read_csv("foo,bar\nX1,The lid shall stay shut.\n", "a.csv", {"id": "foo", "text": "2"})
    assert brief(odd) == [("X1", "The lid shall stay shut.")]
    with pytest.raises(UsageError, match="--columns"):
        read_csv("foo,bar\n1,2\n", "a.csv", {})
    with pytest.raises(UsageError, match="no column 'baz'"):
        read_csv("foo,bar\n1,2\n", "a.csv", {"text": "baz"})


def test_the_same_id_twice_is_an_error_in_a_file_and_told_apart_between_files() -> None:
    with pytest.raises(DataError, match=r"a\.csv:3: the id 'A' is taken by line 2"):
        read_csv("id,text\nA,The lid shall stay shut.\nA,The lamp shall be on.\n", "a.csv", {})
    one = read_csv("id,text\nA,The lid shall stay shut.\n", "a.csv", {})
    two = read_csv("id,text\nA,The lid shall stay shut.\nB,The lamp shall be on.\n", "b.csv", {})
    both = told_apart([one, two])
    assert [r.id for d in both for r in d.requirements] == ["a.csv#A", "b.csv#A", "B"]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le-bom", "utf-16-be-bom"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_do_not_matter(encoding: str, end: str, tmp_path: Path) -> None:
    text = "# Größe\n\n- R-1: The lid shall stay shut at −5 °C.\n- R-2: The lamp is never on.\n".replace(
        "\n", end
    )
    if encoding.endswith("-bom"):
        name = encoding.removesuffix("-bom")
        content = (codecs.BOM_UTF16_LE if name == "utf-16-le" else codecs.BOM_UTF16_BE) + text.encode(name)
    else:
        content = text.encode(encoding)
    (tmp_path / "a.md").write_bytes(content)
    found = read_document(tmp_path / "a.md")
    assert [(r.id, r.line, r.column) for r in found.requirements] == [("R-1", 3, 8), ("R-2", 4, 8)]
    assert found.requirements[0].text == "The lid shall stay shut at −5 °C."


def test_other_encodings_are_refused_clearly(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Die Größe shall never grow.".encode("latin-1"))
    with pytest.raises(DataError, match="not UTF-8 text"):
        read_document(tmp_path / "a.txt")
    with pytest.raises(DataError, match="UTF-16 without its mark"):
        decoded("The lid".encode("utf-16-le"), "a.txt")
    with pytest.raises(UsageError, match="--from FORMAT"):
        (tmp_path / "a.docx").write_bytes(b"PK")
        read_document(tmp_path / "a.docx")


def test_names_in_a_document() -> None:
    table = """## Signals

The time unit is ms.

| Signal | Meaning | Type | Unit | Range |
|---|---|---|---|---|
| `lid_open` | lid open | bool | | |
| weight | bowl weight | number | g | 0..500 |
"""
    section = read_markdown(table, "a.md").vocabulary[""]
    assert section.time_unit == "ms"
    assert [(e.name, e.says, e.type, e.unit, e.range) for e in section.propositions] == [
        ("lid_open", "lid open", "bool", None, None),
        ("weight", "bowl weight", "number", "g", (0.0, 500.0)),
    ]
    fenced = '```toml vocabulary\npropositions = ["lid_open"]\n```\n'
    front = "---\nvocabulary:\n  propositions: [lid_open]\n---\n# A\n"
    plus = '+++\n[vocabulary]\npropositions = ["lid_open"]\n+++\n# A\n'
    for text in (fenced, front, plus):
        assert read_markdown(text, "a.md").vocabulary[""].names == {"lid_open"}
    with pytest.raises(ConfigurationError, match="none of bool, number"):
        read_markdown(table.replace("number", "colour"), "a.md")


# ---- whatever is in a file ------------------------------------------------------------------------------------

LINES = st.sampled_from(
    ["# Title", "- R-1: The lid shall stay shut.", "1. When hot, stop; go.", "| id | text |", "|---|---|", "| a | b |",
     "```toml vocabulary", "```", "---", "+++", "vocabulary:", "> quoted", "<!-- x", "-->", "", "   ", "The x shall:",
     "## Signals", "| name | says |", "| p | q |", "text,id", '"', "a;b;c", "\tx", "It shall be.", "[DOCUMENT]", "====",
     "R-1: again", "\u2028", "**", "`", "\\|", "propositions = [1]", "&a [*a]"]
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.one_of(LINES, st.text(max_size=40)), max_size=12).map("\n".join),
    st.text(alphabet="-*#|:`[]().,;\n\r \tRaA1<>!_~+=\"'", max_size=80),
)


@pytest.mark.parametrize("suffix", [".md", ".txt", ".csv", ".tsv", ".jsonl"])
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS)
def test_a_reader_fails_with_our_own_errors_only(suffix: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"fuzz{suffix}"
    path.write_text(text, "utf-8", errors="surrogatepass", newline="")
    try:
        found = read_document(path)
    except AssentError:
        return
    assert len({r.id for r in found.requirements}) == len(found.requirements)
    for requirement in found.requirements:
        assert requirement.text and requirement.line >= 1 and requirement.column >= 1


@pytest.mark.parametrize("suffix", [".md", ".txt", ".csv", ".tsv", ".jsonl", ".xlsx"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200))
def test_bytes_of_any_kind(suffix: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"fuzz{suffix}"
    path.write_bytes(content)
    with contextlib.suppress(AssentError):
        read_document(path)


@pytest.mark.parametrize(
    "text",
    ["`" * 9_000, "# " + "# " * 4_000, "a" * 20_000_000, "; the a shall b" * 5_000,
     "The lid shall stay shut " * 100_000,
     "|" * 9_000 + "\n|---|", "- " * 4_000, "R-" * 4_000 + "1", "aB" * 4_000 + "-1: x", "(" * 9_000,
     "[" * 9_000 + "1] x",
     "the lid shall\n" * 50_000, "*" * 9_000, "<!--" * 2_000, "1." * 4_000 + " x"],
)  # fmt: skip
@pytest.mark.parametrize("suffix", [".md", ".txt", ".csv"])
def test_a_text_that_would_hang_a_careless_reader(text: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"long{suffix}"
    path.write_text("id,text\nR-1," + text if suffix == ".csv" else text, "utf-8")
    start = time.process_time()
    with contextlib.suppress(AssentError):
        read_document(path)
    assert time.process_time() - start < 20  # seconds of the processor: a hang, not slowness


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_nothing_is_dropped_silently(text: str) -> None:
    """Every word of a text file is in a requirement, in what was set aside, or is an identifier or a mark."""
    import re

    clean = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        found = read_plain(clean, "a.txt")
    except AssentError:
        return
    kept = " ".join([*(f"{r.id} {r.text}" for r in found.requirements), *(p.text for p in found.aside)])
    for word in re.findall(r"[A-Za-z]{3,}", clean):
        assert word in kept
