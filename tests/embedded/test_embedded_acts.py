"""A verb that no name says withholds the formula; one that only says that it is so does not."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.embedded.acts import doubts_of_acts
from assent.embedded.doubts import doubts
from assent.embedded.judge import _spread
from assent.embedded.scope import doubts_of_scope
from assent.embedded.translator import Translation
from assent.logic.equivalence import Verdict, equivalent
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary

NAMES = Vocabulary(
    propositions=(
        Entry("hatch_open", "hatch open"),
        Entry("pump_on", "pump running"),
        Entry("leak_detected", "leak detected"),
        Entry("red_lamp", "red lamp lit"),
        Entry("bell_rung", "bell rung"),
        Entry("docked", "rover docked"),
        Entry("pressure", "pressure", type="number", unit="bar"),
    )
)


lift = Embedded().lift


def found(text: str, logic: str = "stl") -> tuple[str, ...]:
    return tuple(doubts_of_acts(lift(text, logic, NAMES)))


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("An operator shall confirm the leak within 10 s.", "confirm"),
        ("A leak must be reported within 10 s.", "reported"),
        ("When the pump is on, somebody must check the hatch within 30 s.", "check"),
        ("When the pump is on, the hatch has to be inspected within 30 s.", "inspected"),
        ("If there is a leak, the pump must be photographed.", "photographed"),
        ("The pump must not run until the leak has been examined.", "examined"),
        ("The leak shall eventually be reviewed by a human being.", "reviewed"),
        ("The rover may only undock if the hatch is open.", "undock"),
    ],
)
def test_an_act_that_no_name_says_is_doubted(text: str, verb: str) -> None:
    assert any(repr(verb) in doubt for doubt in found(text))


@pytest.mark.parametrize(
    "text",
    [
        "The pump shall keep running while the hatch is open.",
        "A leak shall switch the pump off within 10 s.",
        "The panel must show the red lamp until the hatch is open.",
        "The pressure shall be below 5 bar within 10 s.",
        "The hatch must be kept open.",
        "The hatch shall be opened only with the pump off.",
        "When the bell has been rung, the hatch must be open within 5 s.",
        "The leak shall be answered by the red lamp within 2 s.",
        "The rover may only dock if the hatch is open.",
    ],
)
def test_a_verb_that_says_that_it_is_so_is_not(text: str) -> None:
    assert found(text) == ()


def test_a_word_of_the_name_is_no_act_beyond_it() -> None:
    names = Vocabulary(
        propositions=(Entry("leak_reported", "leak reported"), Entry("undocking", "undocking"))
    )
    for text in (
        "A leak must be reported within 10 s.",
        "The rover may only be undocking after a leak is reported.",
    ):
        assert tuple(doubts_of_acts(lift(text, "stl", names))) == ()


def test_if_ever_is_doubted_where_it_was_read_of_the_whole_run() -> None:
    whole, each = (
        read("(F leak_detected) -> (F !pump_on)", "ltl"),
        read("G(leak_detected -> F !pump_on)", "ltl"),
    )
    lifted = lift("If a leak is ever detected, the pump must eventually stop.", "ltl", NAMES)
    assert any("whole run" in doubt for doubt in doubts_of_scope(lifted, whole))
    assert not any("whole run" in doubt for doubt in doubts_of_scope(lifted, each))
    said = lift(
        "If a leak is ever detected, the pump stops at some time, be it earlier or later.", "ltl", NAMES
    )
    assert not any("whole run" in doubt for doubt in doubts_of_scope(said, whole))


STAGE = Vocabulary(
    propositions=(
        Entry("curtain_up", "curtain up"),
        Entry("trapdoor_open", "trapdoor open"),
        Entry("spotlight_on", "spotlight on"),
        Entry("microphone_live", "microphone live"),
        Entry("orchestra_playing", "orchestra playing"),
        Entry("audience_seated", "audience seated"),
        Entry("bell_ringing", "bell ringing"),
        Entry("noise_level", "noise level", type="number", unit="dB"),
    )
)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("If the audience applauds, the curtain must be up.", "applauds"),
        ("Whenever the audience is laughing, the orchestra must not be playing.", "laughing"),
        ("If the microphone crackles, the spotlight must be on.", "crackles"),
        ("The curtain stays up until the orchestra has been thanked.", "thanked"),
        ("Whenever the curtain is up, the spotlight must be red.", "red"),
        ("Once the orchestra is playing, the spotlight shall be moved.", "moved"),
    ],
)
def test_a_word_within_a_name_that_is_no_part_of_it_is_asked(text: str, word: str) -> None:
    assert any(repr(word) in question for question in lift(text, "stl", STAGE).open)


@pytest.mark.parametrize(
    "text",
    [
        "When the audience sits down, the bell stops.",
        "When the curtain goes up, the spotlight must come on within 3 s.",
        "The orchestra shall fall silent whenever the microphone is live.",
        "If the noise level climbs above 80 dB, the microphone must be switched off.",
    ],
)
def test_words_that_say_the_name_are_not_asked(text: str) -> None:
    assert not any("may say something else" in question for question in lift(text, "stl", STAGE).open)


def test_what_falls_is_no_longer_up_and_what_is_unmuted_is_live() -> None:
    falls = lift("When the curtain falls, the bell must be ringing.", "ltl", STAGE)
    assert "not" in falls.tokens
    unmuted = lift("The microphone must be unmuted whenever the curtain is up.", "ltl", STAGE)
    assert "not" not in unmuted.tokens


@pytest.mark.parametrize(
    ("text", "formula", "doubt"),
    [
        ("The noise level must not exceed the limit.", "G(noise_level <= 0)", "nobody said zero"),
        ("The noise level must not rise by more than 5 dB.", "G(noise_level <= 5)", "by how much"),
        (
            "The bell rings for 30 to 60 s when the curtain is up.",
            "G(curtain_up -> G[30,60] bell_ringing)",
            "shortest",
        ),
        (
            "The spotlight is on until 30 s after the curtain is up.",
            "G(curtain_up -> G[0,30] spotlight_on)",
            "some time after",
        ),
        (
            "When the bell rings, either the curtain is up or the spotlight is on eventually.",
            "G(bell_ringing -> F(curtain_up | spotlight_on))",
            "behind the last of two",
        ),
        (
            "If the trapdoor was open, the spotlight must be on.",
            "G(trapdoor_open -> spotlight_on)",
            "so before",
        ),
        (
            "Whenever the curtain is up, the bell must have rung.",
            "G(curtain_up -> bell_ringing)",
            "so before",
        ),
    ],
)
def test_readings_that_lose_a_part_are_doubted(text: str, formula: str, doubt: str) -> None:
    found = doubts(lift(text, "stl", STAGE), read(formula, "stl"), ())
    assert any(doubt in each for each in found), found


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("The noise level must never be above zero.", "G(noise_level <= 0)"),
        ("The spotlight is on until the curtain is up.", "spotlight_on U curtain_up"),
        ("The curtain must not be up before the bell has rung.", "!curtain_up W bell_ringing"),
        (
            "When the bell rings, either the curtain is up or the spotlight is on.",
            "G(bell_ringing -> (curtain_up | spotlight_on))",
        ),
    ],
)
def test_readings_that_lose_nothing_are_not(text: str, formula: str) -> None:
    assert doubts(lift(text, "stl", STAGE), read(formula, "stl"), ()) == ()


def test_going_off_is_said_of_both() -> None:
    names = Vocabulary(
        propositions=(
            Entry("fault", "fault"),
            Entry("cooling_on", "cooling on"),
            Entry("heater_on", "heater on"),
        )
    )
    lifted = lift("When there is a fault, cooling and heater go off within 1 s.", "stl", names)
    one = read("G(fault -> F[0,1](cooling_on & !heater_on))", "stl")
    assert any("share a denial" in doubt for doubt in doubts(lifted, one, ()))


def test_what_changes_nothing_need_not_be_in_the_formula() -> None:
    said = "Whether or not the spotlight is on, the bell rings when the curtain is up."
    formula = read("G(curtain_up -> bell_ringing)", "stl")
    assert doubts(lift(said, "stl", STAGE), formula, ()) == ()
    other = "With the spotlight on, the bell rings when the curtain is up."
    assert any("leaves out spotlight_on" in doubt for doubt in doubts(lift(other, "stl", STAGE), formula, ()))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "When the bell rings, either the curtain is up or the spotlight is on eventually.",
            "G(bell_ringing -> (curtain_up | F spotlight_on))",
        ),
        (
            "Whenever the bell rings, the curtain is up or the spotlight is on then or later.",
            "G(bell_ringing -> (curtain_up | F spotlight_on))",
        ),
        (
            "Eventually the curtain is up and the spotlight stays on for good.",
            "F(curtain_up & G spotlight_on)",
        ),
        ("The curtain or the spotlight is on eventually.", "F(curtain_up | spotlight_on)"),
        (
            "When the bell rings, the orchestra or the microphone shall be on sooner or later.",
            "G(bell_ringing -> F(orchestra_playing | microphone_live))",
        ),
    ],
)
def test_an_adverb_behind_the_last_of_two_clauses_is_said_of_it_alone(text: str, meant: str) -> None:
    first = Embedded().n_best(lift(text, "ltl", STAGE), 1)[0]
    assert equivalent(first.formula, read(meant, "ltl")).verdict is Verdict.EQUAL


def test_unlocked_is_no_state_of_what_is_not_open() -> None:
    names = Vocabulary(
        propositions=(
            Entry("door_open", "door open"),
            Entry("bomb_armed", "bomb armed"),
            Entry("lamp", "lamp on"),
        )
    )
    for text in (
        "When the door is unlocked, the lamp must be on.",
        "If the bomb is unsafe, the lamp must be on.",
    ):
        lifted = lift(text, "ltl", names)
        formula = read("G(door_open -> lamp)" if "door" in text else "G(bomb_armed -> lamp)", "ltl")
        assert doubts(lifted, formula, ()) != ()


@pytest.mark.parametrize(
    "text",
    [
        "The hatch must be automatically closed within 5 s.",
        "The pump must immediately stop when the hatch is open.",
        "The pump must run regardless of the hatch being open.",
        "The pressure must be kept safely below 5 bar.",
    ],
)
def test_manner_is_no_act(text: str) -> None:
    assert found(text) == ()


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("When the pump rattles, the red lamp must be on.", "rattles"),
        ("If the rover always whistles, the red lamp must be on.", "whistles"),
        ("The leak must be sent to the operator within 5 s.", "sent"),
        ("The pump must whistle while the hatch is open.", "whistle"),
    ],
)
def test_what_a_name_does_beyond_being_so_is_doubted_or_asked(text: str, verb: str) -> None:
    lifted = lift(text, "stl", NAMES)
    said = (*doubts_of_acts(lifted), *lifted.open, *lifted.unnamed, *(part.text for part in lifted.unread))
    assert any(verb in each for each in said), lifted.tokens


def test_the_past_is_doubted_whatever_follows_it() -> None:
    lifted = lift("If the trapdoor was open, the bell must ring within 5 s.", "stl", STAGE)
    assert any(
        "so before" in doubt
        for doubt in doubts(lifted, read("G(trapdoor_open -> F[0,5] bell_ringing)", "stl"), ())
    )
    tasks = lift("By the tenth second the bell must have rung.", "stl", STAGE)
    assert not any("so before" in doubt for doubt in doubts(tasks, read("F[0,10] bell_ringing", "stl"), ()))


def test_windows_that_are_asked_for_are_no_lost_durations() -> None:
    said = "When the curtain is up, the bell rings for between 5 and 10 seconds after the trapdoor is open."
    lifted = lift(said, "stl", STAGE)
    window, both = (
        read("G(curtain_up -> G[5,10] bell_ringing)", "stl"),
        read("G(curtain_up -> bell_ringing U[5,10] !bell_ringing)", "stl"),
    )
    assert any("shortest" in doubt for doubt in doubts(lifted, window, ()))
    assert not any("shortest" in doubt for doubt in doubts(lifted, both, ()))


def test_what_is_said_either_way_ends_with_its_clause() -> None:
    lifted = lift("Whether or not the spotlight is on, the bell or the orchestra must be on.", "stl", STAGE)
    assert any(
        "leaves out orchestra_playing" in doubt for doubt in doubts(lifted, read("G bell_ringing", "stl"), ())
    )


def test_the_judge_hears_doubts_whichever_text_came_first() -> None:
    """Both texts are the same tokens to the networks; only one of them speaks of the past."""
    now, past = (
        "If the trapdoor is open, the bell must ring.",
        "If the trapdoor was open, the bell must ring.",
    )
    formula = read("G(trapdoor_open -> bell_ringing)", "stl")
    assert lift(now, "stl", STAGE).tokens == lift(past, "stl", STAGE).tokens
    judged = []
    for order in ((now, past), (past, now)):
        models = Embedded()
        judged.append({text: models.judge(models.lift(text, "stl", STAGE), formula) for text in order})
    assert judged[0] == judged[1]
    assert [judged[0][text].evidence["doubted"] for text in (now, past)] == [0.0, 1.0]
    assert judged[0][now].score < judged[0][past].score


def test_readings_spread_where_they_share_the_probability() -> None:
    formula = read("G bell_ringing", "stl")
    sure = [Translation((), formula, log_p) for log_p in (-0.01, -9.0)]
    torn = [Translation((), formula, log_p) for log_p in (-0.7, -0.7)]
    assert _spread([]) == _spread(sure[:1]) == 0.0
    assert _spread(sure) < 0.01 < 0.69 < _spread(torn) < 0.7


def test_the_name_of_a_no_fly_zone_denies_nothing() -> None:
    names = Vocabulary(propositions=(Entry("gps_lock", "GPS lock"), Entry("in_nofly", "in the no-fly zone")))
    said = "Whenever the drone has GPS lock, it must be in the no-fly zone then or later."
    first = Embedded().n_best(lift(said, "ltl", names), 1)[0]
    assert equivalent(first.formula, read("G(gps_lock -> F in_nofly)", "ltl")).verdict is Verdict.EQUAL
