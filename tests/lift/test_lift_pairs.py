"""Both of them: the two objects named before, where these are sure."""

import pytest

from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary

SCENE = Vocabulary(
    objects=tuple(Entry(name) for name in "thermos cup jug speaker dog robot".split()),
    regions=tuple(Entry(name) for name in "blanket bench table".split()),
)


def _lifted(text: str) -> str:
    return " ".join(lift(text, "spatial", SCENE).tokens)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (
            "Take the thermos over to the blanket, then set the cup beside it, and then bring both of them to the "
            "bench.",
            "bring both the O1 and the O3 to the O4",
        ),
        (
            "If the cup or the jug touches the speaker, the robot shall move the speaker far away from both of them.",
            "move the O3 far away from both the O1 and the O2",
        ),
        ("When the cup touches the jug, put them both on the table.", "put both the O1 and the O2 on the O3"),
        (
            "When the cup touches the jug, the dog shall not be near either of them.",
            "near either the O1 or the O2",
        ),
    ],
)
def test_both_of_them_are_the_two_named_before(text: str, part: str) -> None:
    assert part in _lifted(text)


@pytest.mark.parametrize(
    "text",
    [
        "When the cup, the jug and the thermos are on the table, bring both of them to the bench.",
        "The cup and the jug go on the table, both of them, within 5 minutes.",
        "When the cup is near the blanket, the dog shall be near both of them.",
        "If the cup and the jug are near the bench and the table, the dog shall be on both of them.",
    ],
)
def test_where_it_is_not_sure_the_words_stay(text: str) -> None:
    assert "both of them" in _lifted(text)
