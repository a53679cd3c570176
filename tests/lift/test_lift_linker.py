"""The linker: several linkings with costs, deterministic, true to the text, also in domains it was not trained on."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.lift import Lifted, lift, linkings
from assent.logic.ast import Logic
from assent.vocabulary import Entry, Vocabulary

YARD = Vocabulary(
    propositions=(
        Entry("pump_1_on", "pump 1 running"),
        Entry("pump_2_on", "pump 2 running"),
        Entry("entry_gate_open", "entry gate open"),
        Entry("exit_gate_open", "exit gate open"),
        Entry("grid_connected", "connected to the grid"),
        Entry("grid_fault", "grid fault"),
        Entry("mower_driving", "mower driving"),
        Entry("lifted", "lifted off the ground"),
        Entry("siren_on", "siren on"),
        Entry("pressure", "pressure", type="number", unit="bar"),
        Entry("flow", "flow", type="number", unit="kg/min"),
        Entry("temp", "temperature", type="number", unit="\u00b0C"),
    )
)
TABLE = Vocabulary(
    objects=(Entry("cup"), Entry("front_pickup"), Entry("rear_pickup"), Entry("red_box")),
    regions=(Entry("tray"), Entry("work_mat")),
)


def names(text: str, logic: str = "stl") -> list[str]:
    return list(lift(text, logic, TABLE if logic == "spatial" else YARD).names.values())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pump 2 is off", ["pump_2_on"]),
        ("pump no. 1 runs", ["pump_1_on"]),
        ("whenever the exit gate is shut, pump 1 runs", ["exit_gate_open", "pump_1_on"]),
        ("both gates are never open together", ["entry_gate_open", "exit_gate_open"]),
        ("neither pump runs", ["pump_1_on", "pump_2_on"]),
        ("a fault of the grid starts the siren", ["grid_fault", "siren_on"]),
        ("we are connected to the grid again", ["grid_connected"]),
        ("when the mower is lifted, the siren sounds", ["lifted", "siren_on"]),
        ("pump 1, pump 2 and the siren shall all be off", ["pump_1_on", "pump_2_on", "siren_on"]),
    ],
)
def test_words_that_several_names_share(text: str, found: list[str]) -> None:
    assert sorted(names(text)) == sorted(found)


@pytest.mark.parametrize(
    ("text", "found", "values"),
    [
        ("when it is under four bar, the siren is on", ["pressure", "siren_on"], [4]),
        ("the flow stays over a quarter of a kilo a minute", ["flow"], [0.25]),
        ("the flow stays over 15 kg/h", ["flow"], [0.25]),
        ("between 60 and 85 \u00b0C the siren is off", ["temp", "siren_on"], [60, 85]),
        ("the temperature is between 60 and 85 \u00b0C for 5 s", ["temp"], [60, 85, 5]),
        ("the pressure is 5 or more", ["pressure"], [5]),
    ],
)
def test_no_comparison_is_lost(text: str, found: list[str], values: list[float]) -> None:
    lifted = lift(text, "stl", YARD)
    assert sorted(lifted.names.values()) == sorted(found)
    assert [float(value) for value in lifted.numbers.values()] == values
    assert {lifted.names[p] for p in lifted.signals} == {"pressure", "flow", "temp"} & set(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the robot shall put the cup on the tray", ["cup", "tray"]),
        ("the operator keeps the cup in the tray", ["cup", "tray"]),
        ("keep both pickups off the work mat", ["front_pickup", "rear_pickup", "work_mat"]),
    ],
)
def test_the_one_who_acts_is_no_object(text: str, found: list[str]) -> None:
    lifted = lift(text, "spatial", TABLE)
    assert list(lifted.names.values()) == found
    assert lifted.unnamed == ()


WORDS = st.sampled_from(
    """
    the pump 1 2 gate entry exit is open shut closed runs off and or if when until never mower lifted grid siren both
    neither it they pressure over under 5 10 bar seconds s , . connected fault stops goes up down always not the a
    """.split()
)


@given(st.lists(WORDS, max_size=25), st.sampled_from(["ltl", "stl"]))
def test_linkings_are_in_order_true_to_the_text_and_the_same_each_time(words: list[str], logic: str) -> None:
    text = " ".join(words)
    try:
        found = linkings(text, logic, YARD, n=4)
    except FragmentError:
        return
    assert 1 <= len(found) <= 4
    assert [one.cost for one in found] == sorted(one.cost for one in found)
    assert found[0] == lift(text, logic, YARD) == linkings(text, logic, YARD, n=4)[0]
    for one in found:
        check(one, text)
    assert len({(one.tokens, tuple(one.names.items())) for one in found}) == len(found)


def check(lifted: Lifted, text: str) -> None:
    assert set(lifted.names.values()) <= YARD.names
    assert all(text[span.start : span.end] == span.text for span in lifted.spans)
    assert len(lifted.places) == len(lifted.tokens)
    assert all(text[part.start : part.end] == part.text for part in lifted.unread)
    signals = {entry.name for entry in YARD.propositions if entry.type == "number"}
    assert {lifted.names[p] for p in lifted.signals} == signals & set(lifted.names.values())


def test_names_are_found_in_domains_that_were_not_trained_on() -> None:
    """Written rows of held-out domains: most formulas can be said with the best linking."""
    written = pytest.importorskip("assent_train.written", reason="assent-train is not installed")
    from assent.logic.ast import names as names_in

    rows = [row for row in written.rows() if row.formula is not None and _held_out(row.id, row.domain)]
    sayable = dict.fromkeys(Logic, 0)
    for row in rows:
        try:
            found = lift(row.text, row.logic, written.vocabularies()[row.domain])
        except FragmentError:
            continue
        sayable[row.logic] += names_in(row.formula) <= set(found.names.values())
    for logic, least in ((Logic.LTL, 0.75), (Logic.STL, 0.7), (Logic.SPATIAL, 0.85)):
        total = sum(row.logic is logic for row in rows)
        assert total == 0 or sayable[logic] / total >= least, (logic, sayable[logic], total)


def _held_out(case: str, domain: str) -> bool:
    """What ``training/train_linker.py`` kept aside of the first batches; later ones (c01 and on, z901 and on) were
    written farther from the names, which needs word vectors (``test_lift_reader.py``)."""
    return re.match(r"(?:[cw]|z9)\d+-", case) is None and hashlib.sha1(domain.encode()).hexdigest()[0] in "7e"
