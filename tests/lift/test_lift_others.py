"""The one that was not named before: "the other one", "its twin"; letters that tell bearers apart."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.vocabulary import Entry, Vocabulary

COUNTER = Vocabulary(
    objects=tuple(map(Entry, ("white_board", "red_board", "knife", "big_bowl", "small_bowl", "glass_bowl"))),
    regions=(Entry("shelf"), Entry("tray")),
)
STAGE = Vocabulary(objects=tuple(map(Entry, ("left_mic", "right_mic", "drum"))), regions=(Entry("rack"),))
MILL = Vocabulary(
    propositions=(
        Entry("main_live", "main supply live"),
        Entry("backup_live", "backup supply live"),
        Entry("petal_l_open", "left petal open"),
        Entry("petal_r_open", "right petal open"),
        Entry("siren_on", "siren sounding"),
    )
)
SPOOLER = Vocabulary(
    propositions=tuple(
        Entry(f"{letter}_{name}", f"process {letter.upper()} {said}")
        for letter in "ab"
        for name, said in (("wants", "requesting the printer"), ("prints", "printing"))
    )
)


@pytest.fixture(scope="session")
def models() -> Embedded:
    return Embedded()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Put the white board on the shelf and the other one on the tray.",
            "white_board shelf red_board tray",
        ),
        (
            "Put the white board on the shelf and the other board on the tray.",
            "white_board shelf red_board tray",
        ),
        ("Keep the red board on the shelf, and its twin on the tray.", "red_board shelf white_board tray"),
        (
            "Whenever the red board is on the tray, the other is on the shelf.",
            "red_board tray white_board shelf",
        ),
    ],
)
def test_the_other_thing(models: Embedded, text: str, names: str) -> None:
    lifted = models.lift(text, "spatial", COUNTER)
    assert list(lifted.names.values()) == names.split()
    assert not lifted.unnamed and not lifted.open


@pytest.mark.parametrize(
    "text",
    [
        "Put the big bowl on the shelf and the other one on the tray.",  # there are three bowls
        "Put the knife on the shelf and the other one on the tray.",  # of what?
        "Put the red board by the white board and the other one on the tray.",  # both are named
    ],
)
def test_what_is_not_told_is_not_chosen(models: Embedded, text: str) -> None:
    lifted = models.lift(text, "spatial", COUNTER)
    assert "other one" in " ".join(lifted.tokens)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("If the main supply is dead, the other supply shall be live.", ["main_live", "backup_live"]),
        (
            "When the left petal opens, the other petal opens in the next step.",
            ["petal_l_open", "petal_r_open"],
        ),
    ],
)
def test_the_other_state(models: Embedded, text: str, names: list[str]) -> None:
    lifted = models.lift(text, "ltl", MILL)
    assert list(lifted.names.values()) == names
    assert not lifted.unnamed and not lifted.open


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Neither A nor B prints.", "neither P1 nor P2 ."),
        ("A and B never print at the same time.", "P1 and P2 never at the same time ."),
        ("A prints only if B does not.", "P1 only if P2 does not ."),
        ("If A wants to print, B does not print until A has printed.", "if P1 , P2 does not until P3 ."),
    ],
)
def test_a_is_a_letter(models: Embedded, text: str, tokens: str) -> None:
    assert " ".join(models.lift(text, "ltl", SPOOLER).tokens) == tokens


@pytest.mark.parametrize(
    "text", ["A printer never prints while B prints.", "WHENEVER B PRINTS, A PAGE IS DONE."]
)
def test_a_is_an_article(models: Embedded, text: str) -> None:
    lifted = models.lift(text, "ltl", SPOOLER)
    assert not any(name.startswith("a_") for name in lifted.names.values())


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (
            "The left mic is never on the rack without the right one.",
            "the O1 is never on the O2 without the O3 .",
        ),
        ("The drum is to the left of the right mic.", "the O1 is to the left of the O2 ."),
        ("Keep the drum to the right of the left mic.", "keep the O1 to the right of the O2 ."),
        ("Put the drum on the rack, the right one.", "put the O1 on the O2 , the right one ."),
    ],
)
def test_a_side_is_a_name_beside_its_like(models: Embedded, text: str, tokens: str) -> None:
    assert " ".join(models.lift(text, "spatial", STAGE).tokens) == tokens
