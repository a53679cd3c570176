"""The bench of new domains is what its README says: readable, within its vocabularies, and parted by domain."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from assent.io.lines import read_rows
from assent.logic import read
from assent.logic.ast import Compare, Prop, atoms, names
from assent.vocabulary import load_sections

BENCH = Path(__file__).resolve().parent.parent.parent / "bench" / "domains"
ROWS = [row for _, row in read_rows(BENCH / "requirements.jsonl", unique=True)]
PART = json.loads((BENCH / "partition.json").read_text(encoding="utf-8"))
SECTIONS = load_sections(BENCH / "vocabulary.json")


def test_every_reference_is_readable_and_within_its_vocabulary() -> None:
    for row in ROWS:
        section = SECTIONS[row["domain"]]
        numeric = {entry.name for entry in section.propositions if entry.type == "number"}
        for text in filter(None, (row["reference"], row.get("second_reading"))):
            formula = read(text, row["logic"])
            assert names(formula) <= section.names, row["id"]
            assert not any(isinstance(atom, Prop) and atom.name in numeric for atom in atoms(formula)), row[
                "id"
            ]
            assert row["logic"] == "stl" or not any(
                isinstance(atom, Compare) and row["logic"] == "ltl" for atom in atoms(formula)
            )


@pytest.mark.parametrize(
    ("logic", "domains", "calibration"), [("ltl", 60, 30), ("stl", 60, 30), ("spatial", 32, 20)]
)
def test_there_are_enough_domains_and_rows(logic: str, domains: int, calibration: int) -> None:
    count = Counter(row["domain"] for row in ROWS if row["logic"] == logic)
    assert len(count) >= domains and min(count.values()) >= 16
    assert sum(PART[domain] == "calibration" for domain in count) >= calibration
    parts = defaultdict(set)
    for domain in count:
        parts[PART[domain]].add(domain)
    assert set(parts) == {"fit", "gate", "calibration", "test"}


def test_no_sentence_stands_twice_nor_in_the_corpus() -> None:
    def key(text: str) -> str:
        return re.sub(r"\W+", " ", text.lower()).strip()

    texts = Counter(key(row["text"]) for row in ROWS)
    assert max(texts.values()) == 1
    written = pytest.importorskip("assent_train.written", reason="assent-train is not installed")
    assert not set(texts) & {key(row.text) for row in written.rows()}
    assert not set(PART) & {domain.replace(" ", "_") for domain in written.vocabularies()}


def test_styles_are_mixed_and_open_rows_say_both_readings() -> None:
    registers = Counter(row["register"] for row in ROWS)
    assert min(registers[name] for name in ("formal", "ears", "casual")) > len(ROWS) / 4
    assert all(row.get("second_reading") for row in ROWS if row.get("ambiguous"))
