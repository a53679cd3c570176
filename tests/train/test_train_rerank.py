"""Ranking the best readings with ALIGN: the order changes, the readings do not; the weight is earned on rows."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from assent.embedded import Embedded, shipped
from assent.embedded.rerank import FILE, RerankedTranslator, read_weight
from assent.embedded.translator import Translation
from assent.errors import ModelError
from assent.lift import Lifted, lift
from assent.logic.canonical import canonical_key
from assent.logic.parse import read

pytest.importorskip("torch", reason="the training extra is not installed")

from assent.train.rows import Labelled
from assent.train.weigh import FEWEST, choose_weight

TEXT = "Whenever p1 holds, p2 must hold until p3 holds."


class Opinion:
    """Likes formulas whose tokens begin with one of its favourites."""

    def __init__(self, *favourites: str) -> None:
        self.favourites = favourites

    def score(self, _text: Sequence[str], tokens: Sequence[str]) -> dict[str, list[float]]:
        return {"top": [0.0 if tokens[0] in self.favourites else -9.0], "join": []}


class Undecided:
    """Answers F or G, a little in favour of F."""

    def n_best(self, instructions: Sequence[Lifted], n: int = 5) -> list[list[Translation]]:
        both = [
            Translation((op, "P1"), read(f"{op} p1", "ltl"), math.log(p))
            for op, p in (("F", 0.6), ("G", 0.4))
        ]
        return [both[:n] for _ in instructions]


def rows(count: int, reference: str) -> list[Labelled]:
    lifted = lift("p1 is kept", "ltl")
    return [Labelled(str(i), lifted, read(reference, "ltl"), (reference[0], "P1"), "c") for i in range(count)]


def test_align_changes_the_order_alone() -> None:
    plain = Embedded().translator
    lifted = lift(TEXT, "ltl")
    before = plain.n_best([lifted])[0]
    last = before[-1]
    heads = {reading.tokens[0] for reading in before}
    assert len(heads) > 1  # or the opinion below could change nothing
    for head in heads:
        ranked = RerankedTranslator(plain.model, Opinion(head), 10.0)  # type: ignore[arg-type]
        after = ranked.n_best([lifted])[0]
        assert after[0].tokens[0] == head
        assert {canonical_key(t.formula) for t in after} == {canonical_key(t.formula) for t in before}
        assert ranked.n_best([lifted], 1)[0] == after[:1]
    none = RerankedTranslator(plain.model, Opinion(), 10.0)  # type: ignore[arg-type]
    assert none.n_best([lifted])[0][-1] == last


@pytest.mark.parametrize(
    ("favourite", "reference", "count", "heard"),
    [("G", "G p1", 30, True), ("F", "G p1", 30, False), ("G", "G p1", FEWEST - 1, False)],
    ids=["right opinion", "wrong opinion", "too few rows"],
)
def test_align_is_heard_as_far_as_it_was_right(
    favourite: str, reference: str, count: int, heard: bool
) -> None:
    weight = choose_weight(Undecided(), Opinion(favourite), rows(count, reference))  # type: ignore[arg-type]
    assert (weight > 0) == heard


def test_a_folder_says_how_much_and_its_version_knows(tmp_path: Path) -> None:
    assert read_weight(tmp_path) == read_weight(shipped()) == 0.0
    plain = Embedded(tmp_path)
    version = plain.version
    assert not isinstance(plain.translator, RerankedTranslator)
    (tmp_path / FILE).write_text(json.dumps({"align": 0.4}))
    assert read_weight(tmp_path) == 0.4
    ranked = Embedded(tmp_path)
    assert isinstance(ranked.translator, RerankedTranslator)
    assert ranked.version != version


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"align": "much"}', '{"align": -1}', '{"align": NaN}'])
def test_a_damaged_weight_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ModelError, match=FILE):
        read_weight(tmp_path)
