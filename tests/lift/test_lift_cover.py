"""The words around a placeholder: what says nothing but the name is left out, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.lift import lift, tidy
from assent.lift.cover import ARTICLES, AUXILIARIES, plain
from assent.vocabulary import Entry, Vocabulary

ROOM = Vocabulary(
    propositions=(
        Entry("pump_on", "the pump is running"),
        Entry("fan_on", "the fan is on"),
        Entry("gate_open", "the gate is open"),
        Entry("alarm_ack", "the operator acknowledges the alarm"),
        Entry("stabilisers_out", "the stabilisers are out"),
        Entry("light_green", "the light is green (red otherwise)"),
    )
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("whenever the pump has been running, the gate is shut", "whenever P1 , not P2"),
        ("after an acknowledgement of the alarm the fan is on", "after P1 P2"),
        ("the pump and the fan are off", "not P1 and not P2"),
        ("the pump is running and the fan is off", "P1 and not P2"),
        ("the gate is not open until the pump runs", "not P1 until P2"),
        ("the gate is not closed until the pump runs", "P1 until P2"),
        ("the gate shall be open", "P1 shall"),
        ("the gate shall not be open", "P1 shall not"),
        ("the light is red until the stabilisers are in", "not P1 until not P2"),
        ("!pump_on until gate_open", "not P1 until P2"),
        ("there is no pump running", "not P1"),
    ],
)
def test_a_clause_is_its_placeholder(text: str, tokens: str) -> None:
    assert " ".join(lift(text, "ltl", ROOM).tokens) == tokens


_SAID = """
    P1 P2 S3 N1 O1 not no and or , until shall never comes up it there before within seconds red
""".split()
_WORDS = st.sampled_from([*sorted(ARTICLES), *sorted(AUXILIARIES), *_SAID])
_MAY_GO = ARTICLES | AUXILIARIES | frozenset("comes up on in it there here through".split())


@given(st.lists(_WORDS, max_size=14))
def test_only_words_that_say_nothing_are_left_out(tokens: list[str]) -> None:
    kept = plain(tokens)
    places = [place for place, _ in kept]
    assert len(set(places)) == len(places)
    for place, token in kept:
        assert token == tokens[place] or (tokens[place], token) == ("no", "not")
    for place in set(range(len(tokens))) - set(places):
        again = place + 1 < len(tokens) and tokens[place][0] in "PS"
        assert tokens[place] in _MAY_GO or again
    # No name is lost, and as many denials are said as before.
    assert {t for t in tokens if t[0] in "PSNO"} == {t for _, t in kept if t[0] in "PSNO"}
    assert sum(t in ("not", "no") for t in tokens) == sum(t in ("not", "no") for _, t in kept)


@given(st.lists(_WORDS, max_size=14))
def test_names_keep_their_order(tokens: list[str]) -> None:
    names = [t for t in tokens if t[0] in "PS"]
    once = [t for k, t in enumerate(names) if not k or t != names[k - 1]]
    left = [t for t in tidy(tokens) if t[0] in "PS"]
    assert [t for k, t in enumerate(left) if not k or t != left[k - 1]] == once
