"""Further words for a name or for its opposite: obeyed where they are said, without effect elsewhere."""

from __future__ import annotations

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import ConfigurationError
from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary, learnt_sayings, sections_of

PLAIN = Vocabulary(
    propositions=(
        Entry("portal_moving", "the portal is travelling"),
        Entry("portal_home", "the portal stands in its home position"),
        Entry("light_green", "the traffic light shows green"),
        Entry("water_on", "the wash water is running"),
    )
)
TOLD = PLAIN.with_sayings(
    (
        Entry("portal_home", "the portal stands in its home position", also=("parked", "out of harm")),
        Entry("light_green", "the traffic light shows green", opposite=("red", "all dark")),
    ),
    "test",
)


@pytest.mark.parametrize(
    ("text", "tokens", "names"),
    [
        ("The portal is parked.", "P1 .", ["portal_home"]),
        ("The portal travels and is then parked.", "P1 and is then P2 .", ["portal_moving", "portal_home"]),
        ("It is red.", "it is not P1 .", ["light_green"]),
        ("It is never red.", "it is never not P1 .", ["light_green"]),
        ("The yard is all dark until the wash water runs.", "the yard is not P1 until P2 .", None),
        ("The portal is out of harm.", "P1 .", ["portal_home"]),
    ],
)
def test_sayings_are_obeyed(text: str, tokens: str, names: list[str] | None) -> None:
    lifted = lift(text, "ltl", TOLD)
    assert sorted(lifted.names.values()) == sorted(names or ["light_green", "water_on"])
    if "never" not in text:  # "never not" is said as "always"
        assert " ".join(lifted.tokens).split() == tokens.split() or "not" in lifted.tokens
    assert not lifted.open


@given(
    st.lists(st.sampled_from("the portal light water is shows green never until running home , and".split()))
)
def test_without_its_words_a_saying_changes_nothing(words: list[str]) -> None:
    text = f"The portal moves {' '.join(words)}."
    told, plain = lift(text, "ltl", TOLD), lift(text, "ltl", PLAIN)
    assert (told.tokens, told.names, told.cost) == (plain.tokens, plain.names, plain.cost)


def test_a_vocabulary_without_sayings_is_what_it_was() -> None:
    before = b'{"propositions":[{"name":"a","says":"","type":"bool","unit":null,"range":null}],"objects":[],'
    before += b'"regions":[],"time_unit":"s"}'
    assert Vocabulary(propositions=(Entry("a"),)).digest == hashlib.sha256(before).hexdigest()[:12]
    assert TOLD.digest != PLAIN.digest
    assert PLAIN.with_sayings((Entry("portal_home", "something else", also=("parked",)),), "test") == PLAIN


@pytest.mark.parametrize(
    "entries",
    [
        [{"name": "a", "also": ["b"]}, {"name": "b"}],
        [{"name": "a", "also": ["on it"]}, {"name": "b", "opposite": ["On it"]}],
        [{"name": "a", "also": ["x"], "opposite": ["x"]}],
        [{"name": "a", "type": "number", "opposite": ["x"]}],
        [{"name": "a", "also": [" "]}],
    ],
)
def test_what_could_not_be_told_apart_is_refused(entries: list[dict[str, object]]) -> None:
    with pytest.raises(ConfigurationError):
        sections_of({"propositions": entries}, "test")


def test_objects_have_no_opposite() -> None:
    with pytest.raises(ConfigurationError, match="opposite"):
        sections_of({"objects": [{"name": "cup", "opposite": ["mug"]}]}, "test")


def test_learnt_entries_come_back() -> None:
    some = (Entry("a", also=("x y",)), Entry("b", opposite=("z",)))
    assert learnt_sayings(msgspec.json.encode(some), "test") == some
