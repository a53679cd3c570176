"""Orders to stop, comparisons and idioms in other words than the tables' keep their sense; parts of names stay."""

from __future__ import annotations

import pytest

from assent.errors import FragmentError
from assent.lift import lift, orders, rewording
from assent.vocabulary import Entry, Vocabulary

PLANT = Vocabulary(
    propositions=(
        Entry("mixer_on", "mixer on"),
        Entry("fan_on", "fan running"),
        Entry("pump_on", "pump on"),
        Entry("gate_open", "gate open"),
        Entry("alarm", "alarm sounding"),
        Entry("lamp_on", "lamp lit"),
        Entry("fault", "fault present"),
        Entry("pressure", "pressure", type="number", unit="bar"),
    )
)


def tokens(text: str, vocabulary: Vocabulary = PLANT, logic: str = "stl") -> str:
    return " ".join(lift(text, logic, vocabulary).tokens)


@pytest.mark.parametrize(
    "verb",
    "block inhibit disable suppress prohibit forbid ban suspend deactivate freeze veto withhold".split(),
)
def test_an_order_to_stop_is_one_of_every_thing_in_its_list(verb: str) -> None:
    said = tokens(f"When the gate is open, the controller shall {verb} the mixer, the fan and the pump.")
    assert said == "when P1 , the controller shall not P2 , not P3 and not P4 ."
    said = tokens(f"When the gate is open, the controller shall {verb} the mixer and sound the alarm.")
    assert said == "when P1 , the controller shall not P2 and P3 ."


@pytest.mark.parametrize("verb", ["stop", "halt", "kill", "lock out", "hold back", "switch off", "shut down"])
def test_the_next_order_is_not_denied(verb: str) -> None:
    assert tokens(f"Whenever the alarm sounds, {verb} the pump and light the lamp.") == (
        "whenever P1 , not P2 and P3 ."
    )


@pytest.mark.parametrize("state", ["frozen", "blocked", "interrupted", "locked out", "held back", "vetoed"])
def test_what_is_broken_off_stops(state: str) -> None:
    said = tokens(f"If the alarm sounds, the mixer and the fan shall be {state}.")
    assert said == tokens("If the alarm sounds, the mixer and the fan shall be stopped.")
    assert said.count("not") == 2 or said.endswith("shall not .")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("If the fan gives up, sound the alarm.", "If the fan stops, sound the alarm."),
        ("If the fan packs up, sound the alarm.", "If the fan stops, sound the alarm."),
        ("While the fan is having a rest, light the lamp.", "While the fan is stopped, light the lamp."),
    ],
)
def test_what_gives_up_stops(text: str, same: str) -> None:
    assert tokens(text) == tokens(same)


@pytest.mark.parametrize(
    "said", ["ceases to run", "loses power", "stands still", "stops", "is at rest", "goes down"]
)
def test_what_is_said_of_either_denies_both(said: str) -> None:
    text = tokens(f"Whenever the pump or the fan {said}, light the lamp.")
    assert text.startswith("whenever not P1 or not P2") and text.endswith(", P3 .")


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("surpasses", "exceeds"),
        ("passes", "exceeds"),
        ("overshoots", "exceeds"),
        ("is north of", "is above"),
        ("is upwards of", "is above"),
        ("undershoots", "is below"),
        ("lies beneath", "lies below"),
        ("is shy of", "is below"),
        ("lags behind", "is below"),
        ("sags to", "falls to"),
        ("plummets to", "falls to"),
        ("soars to", "rises to"),
        ("fails to reach", "does not reach"),
        ("tops out at", "reaches"),
        ("is not at most", "is above"),
        ("is not at least", "is below"),
    ],
)
def test_how_a_figure_compares_is_kept(said: str, plain: str) -> None:
    assert tokens(f"If the pressure {said} 5 bar, the fan shall run.") == tokens(
        f"If the pressure {plain} 5 bar, the fan shall run."
    )


@pytest.mark.parametrize("verb", ["subceeds", "eclipses", "approaches", "touches"])
def test_a_verb_before_a_figure_is_no_part_of_a_name(verb: str) -> None:
    assert f"P1 {verb} N1 bar" in tokens(f"If the pressure {verb} 5 bar, the fan shall run.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The mixer shall not stay on for at least 10 s.", "at least"),
        ("The fan may run for no longer than 10 s.", "no longer than"),
        ("The operator gives up the key when the gate is open.", "gives"),
        ("The pump must have a break of 10 s.", "break"),
        ("The fan passes 10 s after the gate is open.", "P1 N1 seconds after P2"),
        ("The fan breaks one of the lamps.", "breaks one of"),
        ("Not only if the gate is open but also if the fan runs, sound the alarm.", "not only if"),
    ],
)
def test_what_means_something_else_stays(text: str, said: str) -> None:
    assert said in tokens(text)


def test_a_verb_that_a_name_has_is_its_own() -> None:
    exits = Vocabulary(propositions=(Entry("exit_blocked", "exit blocked"), Entry("alarm", "alarm sounding")))
    assert tokens("If the exit is blocked, sound the alarm.", exits, "ltl") == "if P1 , P2 ."
    assert tokens("When the alarm sounds, do not block the exit.", exits, "ltl") == "when P1 , do not P2 ."


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("A running mixer rules out an open gate.", "A running mixer excludes an open gate."),
        ("Not one of mixer, fan and pump shall run.", "None of mixer, fan and pump shall run."),
        ("The mixer shall by no means run.", "The mixer shall never run."),
        ("The mixer is bound to run.", "The mixer must run."),
        ("The mixer runs until such time as the gate is open.", "The mixer runs until the gate is open."),
        ("If not only the fan but also the pump runs, stop.", "If both the fan and the pump run, stop."),
        ("The mixer shall run in the absence of a fault.", "The mixer shall run when there is no fault."),
    ],
)  # fmt: skip
def test_idioms_are_said_plainly(said: str, plain: str) -> None:
    assert tokens(said, logic="ltl") == tokens(plain, logic="ltl")


@pytest.mark.parametrize(("said", "sign"), [("quieter", "less"), ("louder", "more"), ("dimmer", "less")])
def test_a_comparative_says_which_way_round(said: str, sign: str) -> None:
    hall = Vocabulary(
        propositions=(Entry("noise", "noise", type="number", unit="dB"), Entry("lamp_on", "lamp on"))
    )
    text = f"If the noise is {said} than 60 dB, the lamp is on."
    assert tokens(text, hall) == f"if P1 is {sign} than N1 db , P2 ."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("At a pressure of up to and including 40 bar the fan runs.", "at P1 at most N1 bar P2 ."),
        ("With a pressure from 8 up to and including 12 bar the fan runs.", "with P1 from N1 to N2 bar P2 ."),
        ("By the end of minute 15 the fan is off.", "by N1 seconds not P1 ."),
    ],
)
def test_ends_of_a_range_are_told(text: str, said: str) -> None:
    assert tokens(text) == said


@pytest.mark.parametrize("said", ["in the third minute", "during minute 4", "from the 4th to the 9th minute"])
def test_a_time_that_people_count_differently_is_refused(said: str) -> None:
    with pytest.raises(FragmentError, match="from when to when"):
        tokens(f"The fan is off {said}.")


def test_what_is_left_of_a_signal_denies_nothing_beside_it() -> None:
    cart = Vocabulary(
        propositions=(
            Entry("at_desk", "person at the desk"),
            Entry("battery", "battery charge", type="number", unit="%"),
        )
    )
    said = tokens("The person is at the desk with less than 40 percent left in the battery.", cart)
    assert said.startswith("P1 with less than N1 percent left in P2")
    assert tokens("The person has left the desk.", cart).startswith("not P1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("If after 30 s everybody left the desk, the lamp is on.", "if after N1 seconds not P1 ,"),
        (
            "The person is at the desk with at least 20 percent left in the battery.",
            "P1 with at least N1 percent left",
        ),
        ("With 20 percent or less of its charge left the lamp is on.", "with N1 percent or less of"),
    ],
)
def test_what_is_left_after_a_time_has_gone(text: str, said: str) -> None:
    cart = Vocabulary(
        propositions=(
            Entry("at_desk", "person at the desk"),
            Entry("lamp_on", "lamp on"),
            Entry("battery", "battery charge", type="number", unit="%"),
        )
    )
    lifted = tokens(text, cart)
    assert lifted.startswith(said)
    assert "not" not in lifted.removeprefix(said)


def test_what_tops_out_elsewhere_is_at_most() -> None:
    assert tokens("The pressure tops out at 5 bar.") == "P1 at most N1 bar ."
    assert tokens("If the fan runs, the pressure tops out at 5 bar.") == "if P1 , P2 at most N1 bar ."


def test_what_is_disabled_is_off() -> None:
    assert tokens("If the lamp is disabled, the alarm sounds.", logic="ltl") == "if not P1 , P2 ."


def test_an_order_behind_a_list_of_orders() -> None:
    text = "When the fault is present, disable the pump and the fan and sound the alarm."
    assert tokens(text, logic="ltl") == "when P1 , not P2 and not P3 and P4 ."


def test_a_verb_before_the_permissible_figure_compares() -> None:
    said = tokens("If the pressure overshoots the permissible 5 bar, stop the pump.")
    assert said == "if P1 exceeds the permissible N1 bar , not P2 ."


def test_orders_are_looked_for_where_there_may_be_any() -> None:
    assert rewording._STOPPING == orders.TRIGGERS


def test_a_text_that_is_too_long_is_refused_before_it_is_reworded() -> None:
    with pytest.raises(FragmentError, match="more than 400"):
        tokens("not only the fan " * 5000)


def test_a_figure_with_a_unit_is_no_number_of_a_name() -> None:
    plant = Vocabulary(
        propositions=(Entry("o2_valve_open", "oxygen valve open"), Entry("pump2_on", "pump 2 running"))
    )
    assert tokens("The oxygen valve is open for 2 s.", plant) == "P1 for N1 seconds ."
    assert tokens("The second pump shall stop within 2 s.", plant) == "P1 shall not within N1 seconds ."
    assert tokens("Pump 2 runs.", plant) == "P1 ."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("When the gate is open, the lamp goes out at once.", "when P1 , not P2 at once ."),
        ("When the gate is open, the lamp goes out in the next step.", "when P1 , not P2 in the next step ."),
        ("If the fault is present in one step and gone in the next, stop.", "and not"),
    ],
)
def test_when_something_goes_is_no_place(text: str, said: str) -> None:
    assert said in tokens(text, logic="ltl")


@pytest.mark.parametrize("said", ["the fan ran in the 20 s before", "the fan may run or not"])
def test_the_past_and_what_may_be_or_not_are_beyond(said: str) -> None:
    assert lift(f"If the gate is open, {said}.", "stl", PLANT).beyond


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Fault!! Open the gate within 5 s!", "P1 ! ! P2 within N1 seconds !"),
        ("If there is a fault, open the gate!!", "if there is P1 , P2 ! !"),
        ("If !fault, open the gate.", "if not P1 , P2 ."),
        ("gate_open & !fault: lamp on", "P1 and not P2 : P3"),
    ],
)
def test_an_exclamation_denies_nothing(text: str, said: str) -> None:
    assert tokens(text) == said
