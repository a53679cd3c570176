"""Lifting: what becomes a placeholder, with which polarity, and that nothing is lost on the way back."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError, FormulaError, FragmentError
from assent.lift import MAX_WORDS, lift
from assent.lift.linear import TARGET_TOKENS, delinearise, linearise
from assent.lift.words import mark_numbers, split
from assent.logic.ast import (
    Always,
    And,
    Compare,
    Constant,
    Dist,
    Eventually,
    Implies,
    Interval,
    Logic,
    Not,
    Prop,
    Relation,
    Signal,
    Until,
    atoms,
)
from assent.vocabulary import Entry, Vocabulary

CAR = Vocabulary(
    propositions=(
        Entry("door_open"),
        Entry("lights_on"),
        Entry("calibrated"),
        Entry("estop"),
        Entry("gate_down"),
    ),
)
KITCHEN = Vocabulary(objects=(Entry("red_block"), Entry("cup")), regions=(Entry("sorting_zone"),))


def said(text: str, logic: str = "stl", vocabulary: Vocabulary | None = None) -> str:
    return " ".join(lift(text, logic, vocabulary).tokens)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Whenever (prop_3) holds, ( prop_1 ) holds.", "whenever ( P1 ) holds , ( P2 ) holds ."),
        ("visit a then b", "visit P1 then P2"),
        ("visit a at most three times", "visit P1 at most three times"),
        ("prop_2 within 5 to 12 time units", "P1 within N1 to N2 time units"),
        ("p1 within two minutes", "P1 within N1 seconds"),
        ("prop_1 isn't true until prop_2", "P1 is not true until P2"),
    ],
)
def test_without_vocabulary(text: str, tokens: str) -> None:
    assert said(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The door must be open.", "P1 must ."),
        ("the arm is uncalibrated", "not P1"),
        ("keep the lights off", "keep not P1"),
        ("keep the lights on", "keep P1"),
        ("the door stays shut", "P1 stays not"),
        ("hit the emergency stop", "hit P1"),
        ("no e-stop", "not P1"),
        ("the gate is up", "not P1"),
    ],
)
def test_names_and_their_opposites(text: str, tokens: str) -> None:
    assert said(text, vocabulary=CAR) == tokens


def test_objects_are_found_by_longest_match() -> None:
    lifted = lift("Keep the red block in the sorting zone, next to the cup.", "spatial", KITCHEN)
    assert dict(lifted.names) == {"O1": "red_block", "O2": "sorting_zone", "O3": "cup"}


def test_a_condition_outside_the_vocabulary_is_doubted() -> None:
    assert lift("If the weather is nice, the door must be open.", "ltl", CAR).unnamed == (
        "the weather is nice",
    )
    assert said("If it is so, the door must be open.", vocabulary=CAR) == "if it is so , P1 must ."


def test_a_guess_may_name_a_phrase_that_shares_no_word() -> None:
    text = "if the bulbs are on, the door is open"
    lifted = lift(text, "ltl", CAR, Guess(Embedder()))
    assert dict(lifted.names) == {"P1": "lights_on", "P2": "door_open"}


def test_units_are_brought_to_the_vocabulary_unit() -> None:
    lifted = lift("door open for two minutes, lights on within 200 ms or 5 s", "stl", CAR)
    assert sorted(lifted.numbers.values()) == [Fraction(1, 5), 5, 120]


def test_a_single_unit_is_kept_without_vocabulary_and_said() -> None:
    lifted = lift("prop_1 within 3 minutes", "stl")
    assert (list(lifted.numbers.values()), lifted.unit) == ([3], "min")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("twenty-five seconds", [25]),
        ("one hundred and two seconds", [102]),
        ("half a minute", [Fraction(1, 2)]),
        ("five to twelve seconds", [5, 12]),
        ("a 20-second period", [20]),
        ("3.5 s", [Fraction(7, 2)]),
        ("the one that matters", []),
        ("twice, three times", []),
    ],
)
def test_numbers(text: str, values: list[Fraction]) -> None:
    unit = "min" if "minute" in text else "s"
    assert [w.value for w in mark_numbers(split(text), unit) if w.value is not None] == values


def test_too_long_an_instruction_is_refused() -> None:
    with pytest.raises(FragmentError, match="not one requirement"):
        lift("word " * (MAX_WORDS + 1), "ltl")


NAMES = {"P1": "a", "P2": "b", "O1": "cup", "O2": "box", "O3": "lid"}
NUMBERS = {"N1": Fraction(3), "N2": Fraction(15, 2)}
INVERSE = ({v: k for k, v in NAMES.items()}, {v: k for k, v in NUMBERS.items()})


@pytest.mark.parametrize(
    "formula",
    [
        Always(Implies(Prop("a"), Eventually(Prop("b"), Interval(Fraction(0), Fraction(3))))),
        Until(Not(Prop("a")), Prop("b"), Interval(Fraction(3), None)),
        And((Prop("a"), Prop("b"), Not(Prop("a")))),
        Compare(Signal("a"), ">=", Constant(Fraction(15, 2))),
        Compare(Dist("cup", "box"), "<", Constant(Fraction(3))),
        Relation("between", ("cup", "box", "lid")),
    ],
)
def test_linear_form_goes_there_and_back(formula: object) -> None:
    tokens = linearise(formula, *INVERSE)  # type: ignore[arg-type]
    assert set(tokens) <= set(TARGET_TOKENS)
    assert delinearise(tokens, NAMES, NUMBERS) == formula


def test_names_outside_the_instruction_have_no_linear_form() -> None:
    with pytest.raises(FragmentError, match="does not mention"):
        linearise(Prop("zebra"), *INVERSE)
    with pytest.raises(FragmentError, match="number 8"):
        linearise(Always(Prop("a"), Interval(Fraction(0), Fraction(8))), *INVERSE)


@given(st.lists(st.sampled_from(TARGET_TOKENS), max_size=12))
def test_any_tokens_are_a_formula_over_known_names_or_an_error(tokens: list[str]) -> None:
    try:
        formula = delinearise(tokens, NAMES, NUMBERS)
    except AssentError:
        return
    for atom in atoms(formula):
        if isinstance(atom, Prop):
            assert atom.name in NAMES.values()
    assert delinearise(linearise(formula, *INVERSE), NAMES, NUMBERS) == formula


@pytest.mark.parametrize("tokens", [[], ["&", "P1"], ["P1", "P2"], ["P9"], ["F[", "N2", "N1", "P1"], ["G["]])
def test_broken_tokens_are_an_error(tokens: list[str]) -> None:
    with pytest.raises(FormulaError):
        delinearise(tokens, NAMES, NUMBERS)


@given(st.text(max_size=200), st.sampled_from(list(Logic)))
def test_any_text_is_lifted_or_refused(text: str, logic: Logic) -> None:
    for vocabulary in (None, CAR, KITCHEN):
        try:
            lifted = lift(text, logic, vocabulary)
        except FragmentError:
            continue
        for span in lifted.spans:
            assert text[span.start : span.end] == span.text


def test_bench_mentions_are_found(shared) -> None:  # type: ignore[no-untyped-def]
    """On a random half of the bench at least 97 % of the instructions name just the atoms of their reference."""
    from assent.vocabulary import load_sections

    sections = load_sections(shared / "bench" / "vocabulary.json")
    rng = random.Random(1)
    for logic in ("ltl", "stl", "spatial"):
        rows = [json.loads(line) for line in (shared / "bench" / f"{logic}.jsonl").read_text().splitlines()]
        rows = rng.sample(rows, len(rows) // 2)
        right = 0
        for row in rows:
            vocabulary = sections[row["domain"]]
            words = set(row["reference"].replace("(", " ").replace(")", " ").replace(",", " ").split())
            try:
                right += set(lift(row["text"], logic, vocabulary).names.values()) == words & vocabulary.names
            except FragmentError:
                continue
        assert right / len(rows) >= 0.97, logic


def test_letters_are_not_hours() -> None:
    """Sentences about places called s and h."""
    assert said("visit a, then s and h", "ltl") == "visit P1 , then P2 and P3"
    assert lift("reach h at most one, s or h", "ltl").numbers == {}
    assert lift("visit b once 3 or h", "ltl").unit is None


def numbers(text: str, unit: str = "s") -> list[Fraction]:
    entries = (Entry("door_open"), Entry("lights_on"), Entry("speed", type="number"))
    return list(lift(text, "stl", Vocabulary(propositions=entries, time_unit=unit)).numbers.values())


def test_steps_are_not_seconds() -> None:
    assert numbers("the door is open within 5 steps", "steps") == [5]
    assert numbers("the door is open between 1 minute and 90 seconds") == [60, 90]
    with pytest.raises(FragmentError, match="counts in min and the vocabulary in steps"):
        numbers("the door is open within 2 minutes", "steps")


def test_ltl_cannot_say_seconds() -> None:
    """The default logic of the command line: a bound that is left out makes another formula."""
    with pytest.raises(FragmentError, match="use STL"):
        lift("the alarm is on within 5 seconds", "ltl")
    assert lift("p1 holds for the next 5 steps", "ltl").numbers == {"N1": 5}


def test_objects_that_are_called_alike_are_not_guessed() -> None:
    both = Vocabulary(objects=(Entry("big_box"), Entry("big_boxes"), Entry("cup")))
    lifted = lift("keep the cup left of the big box", "spatial", both)
    assert any("big_box or big_boxes" in question for question in lifted.open)
