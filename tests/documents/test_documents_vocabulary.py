"""``assent vocabulary``: names proposed from documents can be loaded, and are mostly those that a person would take."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from documents_kit import HERE
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.cli import main
from assent.documents.names import sections_for
from assent.documents.proposal import as_toml, proposed
from assent.documents.readers import read_document
from assent.documents.written import WrittenRequirement
from assent.lift.stems import stem
from assent.vocabulary import load_vocabulary, sections_of

EXPECTED = json.loads((HERE / "data" / "expected.json").read_text("utf-8"))


def written(*texts: str) -> list[WrittenRequirement]:
    return [
        WrittenRequirement(id=f"R-{n}", text=text, file="a.md", line=n)
        for n, text in enumerate(texts, start=1)
    ]


def test_names_types_units_and_wordings() -> None:
    made = proposed(
        written(
            "Whenever the drain valve is open, the stove shall be off within 5 minutes.",
            "The drain valve is never closed while the stove is on.",
            "If the stone temperature exceeds 200 °C, the red lamp shall be lit.",
            "The temperature shall always stay below 90 °C.",
            "It is lit.",
        )
    )
    entries = {e.name: (e.says, e.type, e.unit) for e in made.vocabulary.propositions}
    assert entries == {
        "drain_valve_open": ("drain valve open", "bool", None),
        "red_lamp_lit": ("red lamp lit", "bool", None),
        "stove_on": ("stove on", "bool", None),
        "stone_temperature": ("stone temperature", "number", "°C"),
        "temperature": ("temperature", "number", "°C"),
    }
    assert made.vocabulary.time_unit == "min"
    text = as_toml(made)
    assert "also: drain valve is open; drain valve is never closed" in text and "R-1, R-2" in text


@pytest.mark.parametrize("name", EXPECTED)
def test_most_names_of_a_document_are_proposed(name: str) -> None:
    """At least four in five of the names that a person gave to the same document, with the right type."""
    file = HERE / "data" / EXPECTED[name]["file"]
    document = read_document(file)
    known = sections_for(str(file), document.vocabulary, None)[""].propositions
    made = {entry.key(): entry.number for entry in proposed(document.requirements).entries}
    keys = {frozenset(map(stem, entry.phrase.lower().split())): entry.type == "number" for entry in known}
    assert sum(made.get(key) == number for key, number in keys.items()) >= 0.8 * len(keys)


WORDS = st.sampled_from(
    """the a pump valve door open closed on off is are shall must never always while when if within 5 3.5 seconds bar °C
    % exceeds below and or not , . ; : ( ) it they running temperature pressure " ' \\ / # = 1,000 x_1 Ω ﬁ""".split()
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.lists(WORDS, max_size=14).map(" ".join), st.text(max_size=30)), max_size=5))
def test_whatever_is_proposed_can_be_loaded(texts: list[str]) -> None:
    made = proposed(written(*texts))
    read = sections_of(tomllib.loads(as_toml(made)), "proposed")[""]
    assert read == made.vocabulary


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(HERE / "data" / "sauna.csv")
    out = tmp_path / "sauna.toml"
    assert main(["vocabulary", file, "-o", str(out)]) == 0
    assert "door_open" in load_vocabulary(out).names
    capsys.readouterr()
    assert main(["vocabulary", file, "-o", str(out)]) == 2
    assert "not overwritten" in capsys.readouterr().err
    assert main(["vocabulary", file, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert sections_of(shown, "shown")[""] == load_vocabulary(out)
    (tmp_path / "empty.txt").write_text("")
    assert main(["vocabulary", str(tmp_path / "empty.txt")]) == 2
