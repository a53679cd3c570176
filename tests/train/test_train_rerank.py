"""Ranking the best readings with other opinions: the order changes, the readings do not; a weight is earned on rows."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from assent.embedded import Embedded
from assent.embedded.opinions import CONSIDERED, FILE, RerankedTranslator, Weights, read_weights
from assent.embedded.translator import EmbeddedTranslator, Translation, omissions
from assent.errors import ModelError
from assent.lift import Lifted, lift
from assent.logic.canonical import canonical_key
from assent.logic.parse import read

pytest.importorskip("torch", reason="the training extra is not installed")

from assent_train.rows import LabelledPair
from assent_train.weigh import FEWEST, choose_weights

TEXT = "Whenever p1 holds, p2 must hold until p3 holds."


class Opinion:
    """Likes formulas whose tokens begin with one of its favourites."""

    def __init__(self, *favourites: str) -> None:
        self.favourites = favourites

    def score(
        self, _texts: Sequence[Sequence[str]], formulas: Sequence[Sequence[str]]
    ) -> list[tuple[float, ...]]:
        return [(0.0 if tokens[0] in self.favourites else -9.0,) for tokens in formulas]


def ranked_by(opinion: Opinion, plain: EmbeddedTranslator) -> RerankedTranslator:
    return RerankedTranslator(plain.model, opinion, Weights(second=10.0))  # type: ignore[arg-type]


class Undecided:
    """Answers F or G, a little in favour of F."""

    def n_best(self, instructions: Sequence[Lifted], n: int = 5) -> list[list[Translation]]:
        both = [
            Translation((op, "P1"), read(f"{op} p1", "ltl"), math.log(p))
            for op, p in (("F", 0.6), ("G", 0.4))
        ]
        return [both[:n] for _ in instructions]


def rows(count: int, reference: str) -> list[LabelledPair]:
    lifted = lift("p1 is kept", "ltl")
    return [
        LabelledPair(str(i), lifted, read(reference, "ltl"), (reference[0], "P1"), "c") for i in range(count)
    ]


def test_an_opinion_changes_the_order_alone() -> None:
    plain = EmbeddedTranslator(Embedded().translator.model)
    lifted = lift(TEXT, "ltl")
    before = plain.n_best([lifted], CONSIDERED)[0]
    heads = {reading.tokens[0] for reading in before}
    assert len(heads) > 1  # or the opinion below could change nothing
    for head in heads:
        ranked = ranked_by(Opinion(head), plain)
        after = ranked.n_best([lifted], CONSIDERED)[0]
        assert after[0].tokens[0] == head
        assert {canonical_key(t.formula) for t in after} == {canonical_key(t.formula) for t in before}
        assert ranked.n_best([lifted], 1)[0] == after[:1]
    none = ranked_by(Opinion(), plain)
    after = none.n_best([lifted], CONSIDERED)[0]
    # A silent opinion makes the translator's own count less beside what is left out, and changes nothing else.
    for count in {omissions(lifted, reading.tokens) for reading in before}:
        alike = [reading for reading in before if omissions(lifted, reading.tokens) == count]
        assert [reading for reading in after if omissions(lifted, reading.tokens) == count] == alike


@pytest.mark.parametrize(
    ("favourite", "reference", "count", "heard"),
    [("G", "G p1", 60, True), ("F", "G p1", 60, False), ("G", "G p1", FEWEST - 1, False)],
    ids=["right opinion", "wrong opinion", "too few rows"],
)
def test_an_opinion_is_heard_as_far_as_it_was_right(
    favourite: str, reference: str, count: int, heard: bool
) -> None:
    usual = Weights(second=7.0)
    weights = choose_weights(Undecided(), Opinion(favourite), rows(count, reference), otherwise=usual)  # type: ignore[arg-type]
    assert (weights == usual) == (count < FEWEST)
    assert (0 < weights.second < 7) == heard


def test_a_folder_says_how_much_and_its_version_knows(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps({"second": 0}))
    assert read_weights(tmp_path) == Weights()
    plain = Embedded(tmp_path)
    version = plain.version
    assert not isinstance(plain.translator, RerankedTranslator)
    (tmp_path / FILE).write_text(json.dumps({"second": 1}))
    assert read_weights(tmp_path) == Weights(second=1.0)
    ranked = Embedded(tmp_path)
    assert isinstance(ranked.translator, RerankedTranslator)
    assert ranked.version != version
    assert ranked.translate(lift(TEXT, "ltl")) is not None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"first": 0.2}',
        '{"second": "much"}',
        '{"second": -1}',
        '{"second": NaN}',
    ],
)
def test_a_damaged_weight_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ModelError, match=FILE):
        read_weights(tmp_path)
