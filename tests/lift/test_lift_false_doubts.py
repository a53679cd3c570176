"""What only looks strange is no doubt: rates, limits included, not even for a second, who acts, headings, shares."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.lift.leftovers import Unread
from assent.logic.parse import read
from assent.scoring.plain import addressed, plain_doubts
from assent.vocabulary import Entry, Vocabulary

PRESS = Vocabulary(
    propositions=(
        Entry("press_running", "press running"),
        Entry("proof_ok", "proof approved"),
        Entry("heater_on", "heater on"),
        Entry("press_speed", "press speed", type="number", unit="copies/h"),
        Entry("ram_rate", "ram rate", type="number", unit="strokes per minute"),
        Entry("flow", "flow", type="number", unit="l/min"),
        Entry("temp", "temperature", type="number", unit="°C"),
        Entry("level", "tank level", type="number", unit="%"),
        Entry("swell", "swell", type="number", unit="m"),
    ),
    time_unit="s",
)


@pytest.mark.parametrize(
    "text",
    [
        "The press speed shall be at most 50,000 copies per hour.",
        "If the press speed is more than 60000 copies an hour, the heater is on.",
        "The ram rate must be over 20 strokes per minute.",
        "The ram rate must be over 20 strokes/min.",
        "The flow must be at most 5 litres per minute.",
    ],
)
def test_a_rate_that_a_signal_is_measured_in_is_a_value(text: str) -> None:
    lifted = lift(text, "stl", PRESS)
    assert (lifted.beyond, lifted.unread, lifted.unnamed) == ((), (), ())


@pytest.mark.parametrize("counted", ["more than 3 starts per hour", "over 4 jams per shift"])
def test_a_count_of_events_is_still_a_doubt(counted: str) -> None:
    assert lift(f"The press must be running with {counted}.", "stl", PRESS).beyond


@pytest.mark.parametrize(
    "adverbial", ["starting at the next step", "from the next cycle on", "whenever the press is running"]
)
def test_who_acts_may_be_parted_from_what_it_does(adverbial: str) -> None:
    lifted = lift(
        f"When the proof is approved, the station shall, {adverbial}, keep the heater on.", "ltl", PRESS
    )
    assert lifted.unnamed == ()


def test_who_acts_without_a_known_act_is_a_doubt() -> None:
    lifted = lift("When the proof is approved, the gizmo shall, from the next cycle on, dance.", "ltl", PRESS)
    assert "the gizmo shall" in lifted.unnamed


@pytest.mark.parametrize(
    "behind",
    [
        *(
            ", limits included",
            ", both ends included",
            " inclusive",
            " (inclusive)",
            ", including the limits",
        ),
        *(" (20 and 40 are okay)", ", with both limits included", ", ends included"),
    ],
)
def test_a_closed_range_has_its_limits(behind: str) -> None:
    lifted = lift(f"The temperature shall stay between 20 and 40 °C{behind}.", "stl", PRESS)
    assert lifted.tokens == lift("The temperature shall stay between 20 and 40 °C.", "stl", PRESS).tokens


@pytest.mark.parametrize(
    "text",
    [
        "The temperature shall stay between 20 and 40 °C, ends excluded.",
        "If the temperature is outside 20 to 40 °C, limits included, the heater is on.",
        "The temperature shall never be between 20 and 40 °C, limits included.",
        "The temperature shall stay below 40 °C, limits included.",
    ],
)
def test_limits_that_change_something_stay(text: str) -> None:
    assert {"limits", "ends"} & set(lift(text, "stl", PRESS).tokens)


@pytest.mark.parametrize("behind", [", not even for a second", ", not for one moment", " - not even once"])
def test_not_even_for_a_second_is_no_time(behind: str) -> None:
    lifted = lift(f"The temperature must never exceed 40 °C{behind}.", "stl", PRESS)
    assert lifted.tokens == lift("The temperature must never exceed 40 °C.", "stl", PRESS).tokens


@pytest.mark.parametrize(
    "text",
    ["The heater must never be on, not even for 5 seconds.", "The heater is on, not even for a second."],
)
def test_a_time_that_was_said_stays(text: str) -> None:
    assert lift(text, "stl", PRESS).numbers


def test_then_or_later_forbids_from_then_on() -> None:
    said = lift(
        "When the press is running, the heater must not be on then or at any later time.", "ltl", PRESS
    )
    assert "from then on" in " ".join(said.tokens)
    asked = lift("When the press is running, the heater shall be on then or at any later time.", "ltl", PRESS)
    assert "from then on" not in " ".join(asked.tokens)


@pytest.mark.parametrize("behind", [", for as long as the press exists", ", without this ever ending"])
def test_for_ever_names_nothing(behind: str) -> None:
    lifted = lift(f"The heater shall be on again and again{behind}.", "ltl", PRESS)
    assert lifted.unnamed == ()
    assert set(lifted.names.values()) == {"heater_on"}


@pytest.mark.parametrize(
    "head",
    ["Today's dive", "Commissioning this afternoon", "Drill for this afternoon", "For tonight's trial"],
)
def test_a_heading_says_when(head: str) -> None:
    assert lift(f"{head}: get the heater on, then the press running.", "ltl", PRESS).unnamed == ()


@pytest.mark.parametrize(
    "head", ["Today's joke", "Joke for today", "Riddle for tonight", "Weather this morning"]
)
def test_a_heading_that_is_talk_is_a_doubt(head: str) -> None:
    assert lift(f"{head}: get the heater on, then the press running.", "ltl", PRESS).unnamed


def test_that_value_was_named_before() -> None:
    behind = "be held above that value for the 2 minutes that follow."
    assert lift(f"The temperature shall rise above 40 °C within 4 s and {behind}", "stl", PRESS).unnamed == ()


@pytest.mark.parametrize(
    ("said", "value"),
    [("a metre and a half", 1.5), ("two metres and a half", 2.5), ("3 metres and a quarter", 3.25)],
)
def test_measures_and_a_half(said: str, value: float) -> None:
    text = f"The heater is on whenever the swell is over {said}."
    assert [float(n) for n in lift(text, "stl", PRESS).numbers.values()] == [value]
    formula = read(f"G(swell > {value} -> heater_on)", "stl")
    assert not any("number" in doubt for doubt in plain_doubts(text, formula, (), PRESS))


@pytest.mark.parametrize(("said", "value"), [("a fifth", 20), ("four fifths", 80), ("three quarters", 75)])
def test_shares_that_lifting_computes_are_given(said: str, value: int) -> None:
    text = f"The tank level must never exceed {said}."
    assert [float(n) for n in lift(text, "stl", PRESS).numbers.values()] == [value]
    assert plain_doubts(text, read(f"G(level <= {value})", "stl"), (), PRESS) == ()
    assert plain_doubts(text, read(f"G(level <= {value + 1})", "stl"), (), PRESS)


def test_a_third_is_no_exact_share() -> None:
    unread = lift("The tank level must stay below a third.", "stl", PRESS).unread
    assert [type(part) for part in unread] == [Unread]


def test_please_behind_a_name_speaks_of_the_system() -> None:
    text = "The proof approved first, then the press running, in that order please."
    formula = read("F(proof_ok & F press_running)", "ltl")
    assert plain_doubts(text, formula, (), PRESS) == ()
    assert list(addressed("Mark it approved, please, and the press is running.", formula, ["proof approved"]))
