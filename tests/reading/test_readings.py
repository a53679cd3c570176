"""The grammar's readings by family, compared with the meaning they should have by the exact decider."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import DataError
from assent.lift.lifted import Lifted
from assent.lift.linear import TARGET_TOKENS, delinearise
from assent.logic.ast import Logic
from assent.logic.equivalence import Verdict, equivalent
from assent.reading import ParsedReading, readings
from assent.reading.chart import grammar, read_rules
from assent.reading.lexicon import lexicon
from assent.reading.meaning import Node, leaf, neg, shift, spelled

FAMILIES = {
    "response": (
        ("ltl", "whenever P1 is on , P2 shall be on .", "G -> P1 P2"),
        ("ltl", "when P1 and P2 , the controller shall eventually P3 .", "G -> & P1 P2 F P3"),
        ("stl", "if S1 exceeds N1 bar , P2 shall be not within N2 seconds .", "G -> > P1 N1 F[ 0 N2 ! P2"),
        ("stl", "P2 shall run for at least N1 seconds after P1 .", "G -> P1 G[ 0 N1 P2"),
        ("stl", "between N1 and N2 seconds after P1 , P2 shall be on .", "G -> P1 F[ N1 N2 P2"),
    ),
    "lists": (
        ("ltl", "while P4 , P1 , P2 and P3 shall all be not .", "G -> P4 & ! P1 & ! P2 ! P3"),
        ("ltl", "while P1 , the machine shall neither P2 nor P3 .", "G -> P1 & ! P2 ! P3"),
        ("ltl", "if P1 , P2 and not P3 , P4 must be on .", "G -> & P1 & P2 ! P3 P4"),
    ),
    "absence": (
        ("ltl", "P1 and P2 shall never be on at the same time .", "G ! & P1 P2"),
        ("ltl", "P1 with P2 is forbidden .", "G ! & P1 P2"),
        ("ltl", "no more than one of P1 , P2 and P3 .", "G & ! & P1 P2 & ! & P1 P3 ! & P2 P3"),
    ),
    "rules inside rules": (
        ("ltl", "except while P1 , the robot shall hold P2 whenever not P3 .", "G -> & ! P3 ! P1 P2"),
        ("ltl", "each time P1 , P2 only after P3 .", "G -> P1 W ! P2 P3"),
        ("ltl", "in P1 , P2 is on whenever not P3 or P4 .", "G -> P1 -> | ! P3 P4 P2"),
        ("ltl", "until P1 , P2 demands both P3 and P4 .", "W -> P2 & P3 P4 P1"),
        ("ltl", "no P1 with P2 .", "G -> P2 ! P1"),
        ("ltl", "P1 needs P2 .", "G -> P1 P2"),
        ("ltl", "no P1 , not P2 , not P3 : only then is P4 .", "G -> P4 & ! P1 & ! P2 ! P3"),
    ),
    "exclusion of many": (
        (
            "ltl",
            "no two of the following conditions shall hold simultaneously : P1 , P2 , P3 .",
            "G & ! & P1 P2 & ! & P1 P3 ! & P2 P3",
        ),
        (
            "ltl",
            "P1 , P2 , P3 : not more than one of them at a time , please .",
            "G & ! & P1 P2 & ! & P1 P3 ! & P2 P3",
        ),
    ),
    "edges and fairness": (
        ("ltl", "should P1 be in one step and not in the next , P2 .", "G -> & P1 X ! P1 X P2"),
        ("ltl", "once P1 , P1 stays .", "G -> P1 G P1"),
        ("ltl", "provided that P1 again and again , P2 again and again .", "-> G F P1 G F P2"),
        ("ltl", "not P1 ? never .", "G P1"),
    ),
    "ends that never come": (
        ("ltl", "on P1 , P2 shall run until P3 , or for ever if not P3 .", "G -> P1 W P2 P3"),
        ("ltl", "if P1 , not P2 until P3 , and if P3 never , P2 stays not .", "G -> P1 W ! P2 P3"),
        (
            "ltl",
            "as soon as P1 , P2 shall until P3 ; if neither comes about , P2 forever .",
            "G -> P1 W P2 P3",
        ),
        (
            "stl",
            "after P1 , P2 for at least N1 seconds and in any case until P3 .",
            "G -> P1 & G[ 0 N1 P2 W P2 P3",
        ),
    ),
    "waiting": (
        ("stl", "nobody waits longer than N1 seconds for P1 after P2 .", "G -> P2 F[ 0 N1 P1"),
        ("stl", "neither with S1 above N1 nor at S2 above N2 shall P3 be .", "G -> | > P1 N1 > P2 N2 ! P3"),
    ),
    "manners of speaking": (
        ("ltl", "P1 iff P2 . no exceptions .", "G <-> P1 P2"),
        ("ltl", "yeah , whenever P1 , P2 , no excuses .", "G -> P1 P2"),
    ),
    "comparisons": (
        ("stl", "N1 degrees or more in S1 , and P2 must be inside N2 seconds .", "G -> >= P1 N1 F[ 0 N2 P2"),
        (
            "stl",
            "with S1 below N1 , the machine shall not P2 and shall have P3 within N2 seconds .",
            "G -> < P1 N1 & ! P2 F[ 0 N2 P3",
        ),
        ("stl", "S1 shall always stay between N1 and N2 degrees .", "G & >= P1 N1 <= P1 N2"),
        ("stl", "S1 shall not exceed N1 m / s at any time .", "G <= P1 N1"),
        ("stl", "while S1 is at N1 % or more , P2 .", "G -> >= P1 N1 P2"),
        ("stl", "while S1 is below N1 or above N2 , P2 .", "G -> | < P1 N1 > P1 N2 P2"),
    ),
    "lasting": (
        (
            "stl",
            "if P1 for N1 seconds straight , P2 within another N2 seconds .",
            "G -> G[ 0 N1 P1 F[ N1 N1 + N2 P2",
        ),
        (
            "stl",
            "after P1 , P2 within N1 seconds and for at least N2 seconds .",
            "G -> P1 F[ 0 N1 G[ 0 N2 P2",
        ),
        ("stl", "never P1 for more than N1 seconds at a stretch .", "G ! G[ 0 N1 P1"),
        ("stl", "P1 at least every N1 seconds .", "G F[ 0 N1 P1"),
    ),
    "until": (
        ("ltl", "when P1 , P2 shall stay on until P3 .", "G -> P1 W P2 P3"),
        ("ltl", "when P1 , P2 stays on until P3 , which must come .", "G -> P1 U P2 P3"),
        ("ltl", "not P1 before P2 .", "W ! P1 P2"),
        ("ltl", "P1 only after P2 .", "W ! P1 P2"),
        ("ltl", "P1 up to and including the moment P2 .", "R P2 P1"),
        (
            "stl",
            "when P1 , P2 shall be on until P3 , which has to happen within N1 seconds .",
            "G -> P1 U[ 0 N1 P2 P3",
        ),
    ),
    "steps": (
        ("ltl", "when P1 , P2 in the next step .", "G -> P1 X P2"),
        ("ltl", "whenever P1 , P2 two steps later .", "G -> P1 X X P2"),
        ("ltl", "whenever P1 , P2 within two steps .", "G -> P1 | P2 X | P2 X P2"),
    ),
    "exceptions": (
        ("ltl", "while P1 , P2 must be on unless P3 .", "G -> & P1 ! P3 P2"),
        ("ltl", "P1 if and only if P2 or P3 .", "G <-> P1 | P2 P3"),
        ("ltl", "P1 only when P2 .", "G -> P1 P2"),
    ),
    "tasks": (
        ("ltl", "first P1 , then P2 , then P3 .", "F & P1 F & P2 F P3"),
        ("ltl", "P1 shall be visited again and again .", "G F P1"),
        ("ltl", "P1 shall eventually be not for good .", "F G ! P1"),
    ),
    "space": (
        ("spatial", "put the O1 in the O2 .", "F enclIn O1 O2"),
        ("spatial", "the O1 must never touch the O2 .", "G ! touch O1 O2"),
        (
            "spatial",
            "whenever the O1 is near the O2 , the O3 shall be above the O2 .",
            "G -> closeTo O1 O2 above O3 O2",
        ),
        ("spatial", "within N1 seconds bring the O1 between the O2 and the O3 .", "F[ 0 N1 between O1 O2 O3"),
        (
            "spatial",
            "put the O1 in the O2 , then the O3 to the left of the O2 .",
            "F & enclIn O1 O2 F leftOf O3 O2",
        ),
    ),
}
CASES = [(family, *case) for family, cases in FAMILIES.items() for case in cases]


def lifted_of(logic: str, text: str) -> Lifted:
    """A sentence over placeholders as lifting hands it over; ``S1`` is a measured P1."""
    words = text.split()
    signals = frozenset(f"P{w[1:]}" for w in words if re.fullmatch(r"S\d", w))
    tokens = tuple(f"P{w[1:]}" if re.fullmatch(r"S\d", w) else w for w in words)
    names = {t: t.lower() for t in tokens if re.fullmatch(r"[PO]\d", t)}
    numbers = {t: Fraction(7 * int(t[1:])) for t in tokens if re.fullmatch(r"N\d", t)}
    return Lifted(text, Logic(logic), tokens, names, numbers, (), None, False, signals=signals)


@pytest.mark.parametrize(("family", "logic", "text", "meant"), CASES)
def test_the_first_reading_means_what_the_sentence_says(
    family: str, logic: str, text: str, meant: str
) -> None:
    lifted = lifted_of(logic, text)
    found = readings(lifted)
    assert found, family
    wanted = delinearise(meant.split(), lifted.names, lifted.numbers)
    verdict = equivalent(lifted.restore(found[0].tokens), wanted).verdict
    assert verdict is Verdict.EQUAL, (found[0], meant)
    assert [r.cost for r in found] == sorted(r.cost for r in found)


def test_a_word_that_no_rule_takes_stays_visible_and_costs() -> None:
    plain = readings(lifted_of("ltl", "whenever P1 , P2 ."))[0]
    odd = readings(lifted_of("ltl", "whenever P1 , P2 allegedly ."))[0]
    assert odd.tokens == plain.tokens
    assert "allegedly" in odd.unread and "allegedly" not in plain.unread
    assert odd.cost > plain.cost


def test_a_name_left_unread_is_told() -> None:
    for found in readings(lifted_of("ltl", "P1 P2 P3 P4 P5 .")):
        read = {token for token in found.tokens if token.startswith("P")}
        assert read | set(found.unread) >= {"P1", "P2", "P3", "P4", "P5"}


def test_no_words_no_reading() -> None:
    assert readings(lifted_of("ltl", ".")) == []
    assert readings(lifted_of("ltl", "hello there")) == []


WORDS = st.sampled_from(
    "P1 P2 S3 N1 seconds not if when , ; until within for after and or never always then shall next step at least "
    "between every before unless only is foo .".split()
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=14), st.sampled_from(["ltl", "stl"]))
def test_whatever_is_said_a_reading_is_a_formula_over_what_was_mentioned(
    words: list[str], logic: str
) -> None:
    lifted = lifted_of(logic, " ".join(words))
    found = readings(lifted, 3)
    assert len(found) <= 3
    for reading in found:
        assert isinstance(reading, ParsedReading)
        lifted.restore(reading.tokens)  # FormulaError where it spells none
        assert set(reading.tokens) <= set(TARGET_TOKENS)
        assert {t for t in reading.tokens if re.fullmatch(r"[PN]\d", t)} <= set(lifted.tokens)


def test_the_same_sentence_has_the_same_readings() -> None:
    lifted = lifted_of("stl", "if S1 exceeds N1 , P2 within N2 seconds unless P3 .")
    assert readings(lifted) == readings(lifted)


def test_lexicon_and_grammar_can_be_read() -> None:
    assert lexicon().after and lexicon("spatial.txt").after and grammar().after


@pytest.mark.parametrize(
    "line", ["A = B", "A -> B = nothing(b)", "A -> b:B = c", "A -> b:B = b.x", "A -> b:B = neg(b"]
)
def test_a_broken_rule_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(DataError, match="line 1"):
        read_rules(line)


def test_counting_on_adds_to_windows_and_makes_points() -> None:
    window = Node("F", (leaf("P1"),), (), ("N2",))
    assert spelled(shift(window, ("N1",))) == ("F[", "N1", "N1", "+", "N2", "P1")
    assert spelled(shift(leaf("P1"), ("N1",))) == ("F[", "N1", "N1", "P1")


def test_denials_cancel_and_turn_comparisons() -> None:
    assert neg(neg(leaf("P1"))) == leaf("P1")
    assert spelled(neg(leaf(">", "P1", "N1"))) == ("<=", "P1", "N1")
