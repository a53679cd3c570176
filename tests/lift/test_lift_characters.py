"""Characters nobody can see, or that only look like letters, change nothing unnoticed; spans stay true to the text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.lift import lift
from assent.lift.characters import label_end, plain
from assent.vocabulary import Entry, Vocabulary

HALL = Vocabulary(propositions=(Entry("door_open"), Entry("lights_on")))
SENTENCE = "The door is never open while the lights are not on for 30 seconds"
INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u2060\ufeff\u202a\u202e\u2066\u2069\u061c\u180e\u034f\u115f\u3164\u2800\ufe0f"
    "\x00\x08\x1b\x7f\u2028\ue000\U000e0041"
)


@given(st.sampled_from(INVISIBLE), st.integers(0, len(SENTENCE)))
@example("\u00ad", SENTENCE.index("30") + 1)
@example("\ufeff", SENTENCE.index("never") + 1)
def test_what_cannot_be_seen_is_refused_with_its_column(character: str, at: int) -> None:
    with pytest.raises(FragmentError, match=f"column {at + 1} "):
        lift(SENTENCE[:at] + character + SENTENCE[at:], "stl", HALL)


LOOKALIKES = {
    "o": "\u043e",
    "e": "\u0435",
    "n": "\u0578",
    "a": "\u0430",
    "p": "\u0440",
    "i": "\u0456",
    "t": "\u03c4",
}


@given(st.integers(0, len(SENTENCE) - 1), st.sampled_from(sorted(LOOKALIKES.values())))
def test_a_letter_of_another_script_is_refused_or_reported(at: int, letter: str) -> None:
    changed = SENTENCE[:at] + letter + SENTENCE[at + 1 :]
    try:
        lifted = lift(changed, "stl", HALL)
    except FragmentError:
        return
    assert any(part.start <= at < part.end for part in lifted.unread), lifted.unread


@given(st.characters(min_codepoint=128), st.integers(0, len(SENTENCE)))
def test_no_strange_character_is_read_over(character: str, at: int) -> None:
    """Put anywhere: refused, reported as unread, or no more than what plain characters say."""
    changed = SENTENCE[:at] + character + SENTENCE[at:]
    try:
        lifted = lift(changed, "stl", HALL)
    except FragmentError:
        return
    if not lifted.unread:
        unit = character in "\u00b0\u2103\u2109\u2126\u03a9\u03c9\u00b5\u03bc" and SENTENCE[
            :at
        ].rstrip().endswith("0")
        assert plain(character).text.isascii() or unit, (character, lifted.tokens)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("\uff34he door is \uff4fpen within \uff13\uff10 s", "The door is open within 30 s"),
        ("the door isn\u2019t open", "the door isn't open"),
        ("the door\u00a0is\u2003open", "the door is open"),
        ("the \ufb02oor door is open", "the floor door is open"),
        ("the door is open \u2192 the lights are on", "the door is open then the lights are on"),
        ("the door is open for \u2265 5 s", "the door is open for at least 5 s"),
    ],
)
def test_compatible_characters_are_read_as_plain_ones(written: str, meant: str) -> None:
    assert lift(written, "stl", HALL).tokens == lift(meant, "stl", HALL).tokens


@given(st.text(max_size=60))
def test_places_refer_to_the_text_as_given(text: str) -> None:
    try:
        found = plain(text)
    except FragmentError:
        return
    assert len(found.places) == len(found.text)
    assert all(0 <= start < end <= len(text) for start, end in found.places)
    assert [place[0] for place in found.places] == sorted(place[0] for place in found.places)
    for character, (start, end) in zip(found.text, found.places, strict=True):
        if text[start:end].isalnum() and text[start:end].isascii():
            assert character == text[start:end]


@pytest.mark.parametrize(
    "label",
    [
        *(
            "REQ-17: ",
            "R12. ",
            "[SYS-004] ",
            "SYS-REQ-0042: ",
            "3.2.1 ",
            "(4) ",
            "1) ",
            "Requirement 12: ",
            "T1: ",
        ),
        *("req_7 - ", "#12 ", "2. ", "[12] ", "FR-3.1: ", "- ", "Rule no. 3: ".replace("no. ", "")),
    ],
)
def test_an_identifier_is_no_number(label: str) -> None:
    lifted = lift(f"{label}the door is open within 5 s", "stl", HALL)
    assert list(lifted.numbers.values()) == [5]
    assert lifted.tokens == lift("the door is open within 5 s", "stl", HALL).tokens
    assert lifted.unread == ()
    assert all(lifted.text[s.start : s.end] == s.text for s in lifted.spans)


@pytest.mark.parametrize("text", ["5 s after that the door is open", "3.5 s is the limit", "10: 5 s", "5"])
def test_a_figure_that_says_something_is_no_identifier(text: str) -> None:
    assert label_end(text) in (0, len("10: "))


@pytest.mark.parametrize(
    "text", ["( prop_1 ) holds until p.", "(prop_2) or (prop_3).", "(p1) holds until (p2)."]
)
def test_a_placeholder_in_brackets_is_no_identifier(text: str) -> None:
    assert label_end(text) == 0
    assert label_end("(R12) The door is open.") > 0


def test_a_name_is_no_identifier() -> None:
    names = Vocabulary(propositions=(Entry("p1"), Entry("p2")))
    assert list(lift("p1: p2 must follow", "ltl", names).names.values()) == ["p1", "p2"]


@pytest.mark.parametrize("between", ["..", "...", "\u2025", "\u2026"])
def test_dots_between_figures_are_refused(between: str) -> None:
    with pytest.raises(FragmentError, match="from where to where"):
        lift(f"the door is open within 1{between}01 seconds", "stl")
