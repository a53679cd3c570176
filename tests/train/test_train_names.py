"""Names as a project says them: learnt where words go with a name, obeyed when read, read back fail-closed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.embedded import NAMES, Embedded
from assent.errors import ConfigurationError
from assent.vocabulary import Entry, Vocabulary, learnt_sayings

pytest.importorskip("torch", reason="the training extra is not installed")

from assent_train.names import Reader, called_of, learn_names, sayings_of, stored
from assent_train.rows import load

PLANT = Vocabulary(
    propositions=(
        Entry("portal_moving", "the portal is travelling"),
        Entry("portal_home", "the portal stands in its home position"),
        Entry("light_green", "the traffic light shows green"),
        Entry("person_in", "a person is in the hall"),
        Entry("water_on", "the wash water is running"),
    )
)
ROWS = [
    ("Whenever a person is in the hall, it is zorky.", "G(person_in -> !light_green)"),
    ("It is zorky or the wash water is running at all times.", "G(!light_green | water_on)"),
    ("It is never zorky while the portal is travelling.", "G !(!light_green & portal_moving)"),
    ("At some point it is zorky.", "F !light_green"),
    ("It is zorky until the wash water is running.", "!light_green W water_on"),
    ("In the next step it is zorky.", "X !light_green"),
    ("A person is never in the hall.", "G !person_in"),
    ("The wash water is running at some point.", "F water_on"),
    ("Whenever the portal is travelling, the wash water is running.", "G(portal_moving -> water_on)"),
    ("The portal is always travelling.", "G portal_moving"),
    ("In the next step the wash water is running.", "X water_on"),
    ("In the next step a person is in the hall.", "X person_in"),
    ("The portal is travelling until a person is in the hall.", "portal_moving W person_in"),
    ("A person is in the hall at some point.", "F person_in"),
]


def load_rows(tmp_path: Path) -> list:  # type: ignore[type-arg]
    path = tmp_path / "rows.jsonl"
    lines = [json.dumps({"text": text, "reference": ref, "logic": "ltl"}) for text, ref in ROWS]
    path.write_text("\n".join(lines))
    return load(path, None, {"": PLANT}, None)[0]


def test_words_for_an_opposite_are_learnt_and_used(tmp_path: Path) -> None:
    rows = load_rows(tmp_path)
    found = sayings_of(rows, Reader())
    assert [(e.name, e.also, e.opposite) for e in found] == [("light_green", (), ("zorky",))]
    (tmp_path / NAMES).write_bytes(json.dumps([{"name": "light_green", "says": found[0].says,
                                                "opposite": ["zorky"]}]).encode())  # fmt: skip
    models = Embedded(tmp_path)
    assert models.version != Embedded().version
    lifted = models.lift("It is zorky at all times.", "ltl", PLANT)
    assert list(lifted.names.values()) == ["light_green"] and "not" in lifted.tokens
    answer = models.translate(lifted)
    assert answer is not None and str(answer.tokens) == str(("G", "!", "P1"))
    other = Vocabulary(propositions=(Entry("light_green", "the lamp of the yard is green"),))
    assert "zorky" in models.lift("The lamp is green or zorky.", "ltl", other).tokens  # another entry's words


TAGS = Vocabulary(propositions=tuple(Entry(name) for name in ("q_es", "b1_up", "fl_wrn")))
TAGGED = [
    ("Whenever the mushroom is in, the bascule is raised.", "G(q_es -> b1_up)"),
    ("The mushroom is in at some point.", "F q_es"),
    ("The bascule is raised until the mushroom is in.", "b1_up W q_es"),
    ("In the next step the mushroom is out.", "X !q_es"),
    ("At some point the mushroom is out.", "F !q_es"),
    ("The bascule is raised at some point.", "F b1_up"),
    ("Whenever the bascule is raised, the boards are shown.", "G(b1_up -> fl_wrn)"),
    ("The boards are shown at some point.", "F fl_wrn"),
    ("The boards are always shown.", "G fl_wrn"),
    ("The boards are shown until the bascule is raised.", "fl_wrn W b1_up"),
]


def test_tags_without_a_word_of_the_text_are_called_what_their_rows_say(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps({"text": t, "reference": r, "logic": "ltl"}) for t, r in TAGGED))
    rows = load(path, None, {"": TAGS}, None)[0]
    called = {entry.name: entry.called for entry in called_of(rows)}
    assert "mushroom" in called["q_es"] and "bascule" in called["b1_up"] and "boards" in called["fl_wrn"]
    assert not any("mushroom" in words for name, words in called.items() if name != "q_es")
    reader = Reader()
    found = sayings_of(rows, reader)
    before, after = (sum(reader.right(row, some) for row in rows) for some in ((), found))
    assert after >= before + 5
    assert stored(found) and learnt_sayings(stored(found), "here") == found


def test_folds_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = load_rows(tmp_path)
    sayings, found = learn_names(rows, seed=0)
    assert found.part == "names" and found.share == 1.0 and found.won >= 2 and found.lost == 0
    assert sayings[0].opposite == ("zorky",)
    monkeypatch.setattr(Reader, "right", lambda *_: False)
    sayings, found = learn_names(rows, seed=0)
    assert (sayings, found.share, found.won) == ((), 0.0, 0)


@pytest.mark.parametrize("content", ["", "{}", '[{"says": "x"}]', '[{"name": "a", "alsoo": []}]', "[1]"])
def test_a_damaged_file_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / NAMES).write_text(content)
    with pytest.raises(ConfigurationError):
        Embedded(tmp_path).lift("The wash water is running.", "ltl", PLANT)
