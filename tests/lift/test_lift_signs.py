"""The sign of a mention: negative forms, what is lacking, words said of something else, states before a thing."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.vocabulary import Vocabulary, sections_of

FERRY = {
    "propositions": [
        {"name": "ferry_moored", "says": "ferry moored"},
        {"name": "helm_manned", "says": "helm manned"},
        {"name": "van_engine_on", "says": "van engine running"},
        {"name": "van_aboard", "says": "van on board"},
        {"name": "van_chocked", "says": "van chocked"},
        {"name": "riders_aboard", "says": "foot passengers on board"},
        {"name": "lantern_lit", "says": "masthead lantern lit"},
        {"name": "lid_off", "says": "hatch lid off"},
        {"name": "gate_shut", "says": "landing gate shut"},
        {"name": "cable_intact", "says": "guide cable intact"},
        {"name": "shutter_open", "says": "ticket shutter open"},
        {"name": "open_sign", "says": "open sign lit"},
        {"name": "cup_present", "says": "cup under the spout"},
        {"name": "driver_in_cab", "says": "driver in the cab"},
        {"name": "defrosting", "says": "freezer defrosting"},
        {"name": "cow_identified", "says": "cow identified"},
        {"name": "cow_in_box", "says": "cow in the box"},
        {"name": "cups_attached", "says": "teat cups attached"},
    ]
}


@pytest.fixture(scope="module")
def names() -> Vocabulary:
    return next(iter(sections_of({"ferry": FERRY}, "ferry").values()))


def said(text: str, names: Vocabulary) -> str:
    lifted = lift(text, "ltl", names)
    return " ".join(lifted.names.get(token, token) for token in lifted.tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the ferry is helmless", "the ferry is not helm_manned"),
        ("the cab is driverless", "not driver_in_cab"),
        ("the lantern is unlit", "not lantern_lit"),
        ("the hatch is lidless", "lid_off"),
        ("without a lid", "lid_off"),
        ("the lid is in place", "not lid_off"),
        ("the cable is broken", "not cable_intact"),
        ("the shutter is shut", "not shutter_open"),
        ("switch the open sign off", "not open_sign"),
        ("the gate fails to shut", "not gate_shut"),
        ("the shutter fails to close", "shutter_open"),
        ("the driver is out of his seat", "not driver_in_cab of his seat"),
        ("the van engine is out of action", "not van_engine_on"),
        ("the van engine gets a rest", "not van_engine_on"),
    ],
)
def test_words_for_a_state_or_its_opposite(text: str, expected: str, names: Vocabulary) -> None:
    assert said(text, names) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the ferry is tied up behind a closed landing gate", "ferry_moored is tied up behind gate_shut"),
        ("a van parked with its engine running", "van_engine_on"),
        ("no defrosting and the sign off", "not defrosting and not open_sign"),
        ("never leave the van aboard", "never leave van_aboard"),
        ("a cow we haven't identified", "not cow_identified"),
        ("a ferry that is neither moored nor manned", "a ferry that is neither ferry_moored nor helm_manned"),
    ],
)
def test_what_is_said_of_something_else_does_not_deny(text: str, expected: str, names: Vocabulary) -> None:
    assert said(text, names) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("never cast off with an unchocked van aboard", "not van_chocked van_aboard"),
        ("the ferry must be without foot passengers", "must be not riders_aboard"),
        ("without a cup the lantern is unlit", "without cup_present not lantern_lit"),
        ("any cow with the cups attached stays", "any cow with cups_attached"),
    ],
)
def test_states_before_a_thing_and_who_bears_them(text: str, expected: str, names: Vocabulary) -> None:
    assert expected in said(text, names)


def test_a_negative_form_that_no_table_knows_is_asked() -> None:
    entries = {"propositions": [{"name": "provenance_ok", "says": "provenance confirmed"}]}
    names = next(iter(sections_of({"sale": entries}, "sale").values()))
    from assent.lift.entries import known_entries
    from assent.lift.linker import Mention
    from assent.lift.questions import questions
    from assent.lift.words import split

    class Unlike:
        """Words that have nothing in common."""

        def __call__(self, first, second):  # type: ignore[no-untyped-def]
            import numpy as np

            return np.zeros((len(first), len(second)), dtype=np.float32)

    words = split("the provenance is unproven")
    mention = Mention(known_entries(names.propositions)[0], (1, 3))
    assert "say which" in questions(words, [mention], Unlike())[0]  # type: ignore[arg-type]
