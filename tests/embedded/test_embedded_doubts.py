"""What withholds a candidate whatever its score: facts about the instruction that nobody has read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.embedded import Embedded
from assent.embedded.doubts import doubts
from assent.lift import lift
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary

NAMES = Vocabulary(
    propositions=(Entry("door_open", "door open"), Entry("alarm_on", "alarm on"), Entry("pump_on", "pump on"))
)
STRANGE = frozenset("unicorn dance laundry fold".split())


def found(text: str, formula: str, logic: str = "stl") -> tuple[str, ...]:
    return doubts(lift(text, logic, NAMES), read(formula, logic), STRANGE)


@pytest.mark.parametrize(
    ("text", "formula", "logic"),
    [
        (
            "Whenever the door is open, the alarm is on within 5 seconds.",
            "G(door_open -> F[0,5] alarm_on)",
            "stl",
        ),
        ("Always the alarm is on.", "G alarm_on", "ltl"),
        ("The pump is on until the door is open.", "pump_on U door_open", "ltl"),
    ],
)
def test_what_says_all_of_the_instruction_is_not_doubted(text: str, formula: str, logic: str) -> None:
    assert found(text, formula, logic) == ()


@pytest.mark.parametrize(
    ("text", "formula", "said"),
    [
        (
            "Whenever the door is open, the alarm is on within 5 seconds.",
            "G(door_open -> F alarm_on)",
            "number 5",
        ),
        ("Whenever the door is open, the alarm is on.", "G alarm_on", "leaves out door_open"),
        ("Always the door is open; it must dance.", "G door_open", "it must dance"),
        ("With probability the door is always open.", "G door_open", "'probability'"),
        ("Every other second the door is open.", "G door_open", "'every other'"),
        ("The door is never not open.", "G !door_open", "denied twice"),
        ("The door is open or the door is open.", "G(door_open -> door_open)", "always true"),
        ("The door is always open.", "G door_open & F !door_open", "never be true"),
    ],
)
def test_what_was_not_read_is_said(text: str, formula: str, said: str) -> None:
    assert any(said in doubt for doubt in found(text, formula)), found(text, formula)


def test_steps_of_ltl_are_counted_by_next() -> None:
    lifted = lift("In 3 steps prop_1 holds.", "ltl")
    assert not any("number" in doubt for doubt in doubts(lifted, read("X X X prop_1", "ltl"), ()))
    assert any("number" in doubt for doubt in doubts(lifted, read("F prop_1", "ltl"), ()))


SIGNALS = Vocabulary(
    propositions=(
        Entry("door_open", "door open"),
        Entry("alarm_on", "alarm on"),
        Entry("speed", "speed", type="number", unit="m/s"),
    )
)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "The door may be open.",
            "The door can be open.",
            "You need not open the door.",
            "The door is free to be open.",
        ),
        *(
            "The door does not have to be open.",
            "Staff are allowed to open the door.",
            "The door might be open.",
        ),
        *("The alarm is on if the door was open in the last 10 s.", "The door was open before."),
        *("The alarm is on if over the past 5 minutes the door was open.", "Yesterday the door was open."),
        *("The door opens twice.", "The door opens three times within 5 s.", "The alarm is on 4 times."),
        *(
            "Typically the door is open.",
            "The door is open in 95 % of cases.",
            "Nine times out of ten the door is open.",
        ),
        *("Usually the alarm is on.", "If possible the door is open.", "We would rather have the door open."),
        *(
            "On average the door is open.",
            "The door is open most of the time.",
            "The door is open now and then.",
        ),
        *(
            "Is the door open?",
            "The door is open for too long.",
            "The door is open as often as the alarm is on.",
        ),
    ],
)
def test_what_no_formula_can_say_is_doubted(text: str) -> None:
    lifted = lift(text, "stl", SIGNALS)
    assert any("can say" in d or "not read" in d for d in doubts(lifted, read("G door_open", "stl"), ())), (
        lifted.tokens
    )


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("The door may not be open.", "G !door_open"),
        ("The door must not be open.", "G !door_open"),
        ("The door may only be open while the alarm is on.", "G(door_open -> alarm_on)"),
        ("The door has been open for 5 s.", "G[0,5] door_open"),
        ("The alarm is on until the door is open, which may never happen.", "alarm_on W door_open"),
    ],
)
def test_what_a_formula_can_say_is_not_beyond_it(text: str, formula: str) -> None:
    assert not any("can say" in d for d in doubts(lift(text, "stl", SIGNALS), read(formula, "stl"), ()))


SAID = st.sampled_from(
    [
        *(
            (words, ">=")
            for words in (
                "at least {}",
                "{} or more",
                "no less than {}",
                "at or above {}",
                "not less than {}",
            )
        ),
        *(
            (words, ">")
            for words in ("more than {}", "above {}", "over {}", "in excess of {}", "greater than {}")
        ),
        *(
            (words, "<=")
            for words in ("at most {}", "{} or less", "no more than {}", "up to {}", "at or below {}")
        ),
        *((words, "<") for words in ("less than {}", "below {}", "under {}", "lower than {}")),
    ]
)


@given(SAID, st.sampled_from(["<", "<=", ">", ">="]), st.integers(1, 99), st.booleans())
def test_the_side_of_a_boundary_is_kept(said: tuple[str, str], op: str, value: int, denied: bool) -> None:
    """Read as said, or as the denial of the opposite: no doubt; read with the boundary on the other side: a doubt."""
    words, right = said
    lifted = lift(f"The speed is always {words.format(f'{value} m/s')}.", "stl", SIGNALS)
    formula = read(f"G {'!' if denied else ''}(speed {op} {value})", "stl")
    same_side = {"<": "<>=", ">=": "<>=", ">": "><=", "<=": "><="}
    doubted = any("was read as" in d for d in doubts(lifted, formula, ()))
    assert doubted == (same_side[op] != same_side[right])


def test_zero_is_a_number() -> None:
    lifted = lift("The speed must reach 0 within 5 s.", "stl", SIGNALS)
    assert any("number 0" in d for d in doubts(lifted, read("F[0,5] speed > 5", "stl"), ()))
    assert not any("number 0" in d for d in doubts(lifted, read("F[0,5] speed <= 0", "stl"), ()))


@pytest.mark.parametrize("said", ["must reach zero", "hits zero", "drops to 0", "gets to zero"])
def test_reaching_zero_is_not_being_at_least_zero(said: str) -> None:
    lifted = lift(f"The speed {said} within 5 s.", "stl", SIGNALS)
    assert any("at least zero" in d for d in doubts(lifted, read("F[0,5] speed >= 0", "stl"), ()))
    assert not any("at least zero" in d for d in doubts(lifted, read("F[0,5] speed <= 0", "stl"), ()))


def test_a_percentage_needs_a_signal() -> None:
    lifted = lift("The door is open 95 % of the time.", "stl", NAMES)
    assert any("percentage" in d for d in doubts(lifted, read("G door_open", "stl"), ()))


def test_what_stays_open_is_asked() -> None:
    cards = Vocabulary(propositions=(Entry("card_inserted"), Entry("card_retained")))
    lifted = lift("The card is swallowed.", "ltl", cards)
    assert any(
        "card_inserted or card_retained" in d for d in doubts(lifted, read("F card_retained", "ltl"), ())
    )


PLUG = Vocabulary(propositions=(Entry("plug_blown", "safety plug blown"), Entry("door_open", "door open")))


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("Whenever the safety plug blown is marmalade, the door is open.", True),
        ("Whenever the safety plug blown is true, the door is open.", False),
        ("Whenever the safety plug blown is prohibited, the door is open.", False),
    ],
)
def test_what_a_state_is_said_to_be_is_read_or_asked(text: str, doubted: bool) -> None:
    found = doubts(Embedded().lift(text, "ltl", PLUG), read("G(plug_blown -> door_open)", "ltl"), STRANGE)
    assert any("'marmalade' may mean that plug_blown is so" in doubt for doubt in found) is doubted, found


FLAGS = Vocabulary(
    propositions=tuple(Entry(f"{c}_up", f"{c} flag up") for c in ("red", "yellow", "blue", "black"))
)


@pytest.mark.parametrize(
    ("text", "formula", "said"),
    [
        (
            "While the black flag is up, the other three are down.",
            "G(black_up -> !red_up)",
            "'the other three'",
        ),
        (
            "While the black flag is up, the red flag is up and no other.",
            "G(black_up -> red_up)",
            "'and no other'",
        ),
        ("All four are up at some time.", "F(red_up & blue_up)", "'All four'"),
        ("All four are up at some time.", "F(red_up & blue_up & black_up & yellow_up)", None),
        ("For the other two steps the red flag is up.", "F red_up", None),
        ("The red flag is up for all three steps.", "red_up & X red_up & X X red_up", None),
    ],
)
def test_what_is_said_of_a_set_names_all_of_it(text: str, formula: str, said: str | None) -> None:
    found = [
        d
        for d in doubts(lift(text, "ltl", FLAGS), read(formula, "ltl"), STRANGE)
        if "name each" in d or "not named" in d
    ]
    assert [d for d in found if said and said in d] if said else not found, found


BROKER = Vocabulary(
    propositions=(
        Entry("subscribed", "client subscribed"),
        Entry("published", "client publishing"),
        Entry("accepted", "connection accepted"),
    )
)


def test_a_denial_of_which_a_name_has_taken_the_verb_is_asked() -> None:
    text = "A Client MUST NOT subscribe or publish before its connection has been accepted."
    lifted = Embedded().lift(text, "ltl", BROKER)
    found = doubts(lifted, read("(!subscribed | published) W accepted", "ltl"), STRANGE)
    assert any("share a denial" in doubt for doubt in found), lifted.tokens
