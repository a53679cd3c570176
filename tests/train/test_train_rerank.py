"""Ranking the best readings with other opinions: the order changes, the readings do not; a weight is earned on rows."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assent.embedded import Embedded
from assent.embedded.opinions import CONSIDERED, FILE, Panel, RerankedTranslator, Weights, read_weights
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
    """Likes formulas whose tokens begin with one of its favourites; ALIGN or the second model, as it is asked."""

    def __init__(self, *favourites: str) -> None:
        self.favourites = favourites

    def _of(self, tokens: Sequence[str]) -> float:
        return 0.0 if tokens[0] in self.favourites else -9.0

    def score(self, _text: Sequence[object], tokens: Sequence[Any]) -> Any:
        if isinstance(tokens[0], str):
            return {"top": [self._of(tokens)], "join": []}
        return [(self._of(some),) for some in tokens]


def panel(second: Opinion, align: Opinion) -> Panel:
    return Panel(second, align)  # type: ignore[arg-type]


class Undecided:
    """Answers F or G, a little in favour of F."""

    def n_best(self, instructions: Sequence[Lifted], n: int = 5) -> list[list[Translation]]:
        both = [
            Translation((op, "P1"), read(f"{op} p1", "ltl"), math.log(p))
            for op, p in (("F", 0.6), ("G", 0.4))
        ]
        return [both[:n] for _ in instructions]

    def costs(self, lifted: Lifted) -> dict[str, float]:
        return {}


def rows(count: int, reference: str) -> list[LabelledPair]:
    lifted = lift("p1 is kept", "ltl")
    return [
        LabelledPair(str(i), lifted, read(reference, "ltl"), (reference[0], "P1"), "c") for i in range(count)
    ]


@pytest.mark.parametrize("weights", [Weights(align=10.0), Weights(second=10.0)], ids=["align", "second"])
def test_an_opinion_changes_the_order_alone(weights: Weights) -> None:
    plain = EmbeddedTranslator(Embedded().translator.model, grammar=False)
    lifted = lift(TEXT, "ltl")
    before = plain.n_best([lifted], CONSIDERED)[0]
    heads = {reading.tokens[0] for reading in before}
    assert len(heads) > 1  # or the opinion below could change nothing
    for head in heads:
        ranked = RerankedTranslator(plain.model, panel(Opinion(head), Opinion(head)), weights, grammar=False)
        after = ranked.n_best([lifted], CONSIDERED)[0]
        assert after[0].tokens[0] == head
        assert {canonical_key(t.formula) for t in after} == {canonical_key(t.formula) for t in before}
        assert ranked.n_best([lifted], 1)[0] == after[:1]
    none = RerankedTranslator(plain.model, panel(Opinion(), Opinion()), weights, grammar=False)
    after = none.n_best([lifted], CONSIDERED)[0]
    # A silent opinion makes the translator's own count less beside what is left out, and changes nothing else.
    for count in {omissions(lifted, reading.tokens) for reading in before}:
        alike = [reading for reading in before if omissions(lifted, reading.tokens) == count]
        assert [reading for reading in after if omissions(lifted, reading.tokens) == count] == alike


@pytest.mark.parametrize(
    ("favourite", "reference", "count", "heard"),
    [("G", "G p1", 30, True), ("F", "G p1", 30, False), ("G", "G p1", FEWEST - 1, False)],
    ids=["right opinion", "wrong opinion", "too few rows"],
)
@pytest.mark.parametrize("who", ["align", "second"])
def test_an_opinion_is_heard_as_far_as_it_was_right(
    who: str, favourite: str, reference: str, count: int, heard: bool
) -> None:
    said = {"align": Opinion(), "second": Opinion(), who: Opinion(favourite)}
    usual = Weights(second=7.0, align=7.0)
    weights = choose_weights(Undecided(), panel(**said), rows(count, reference), otherwise=usual)  # type: ignore[arg-type]
    assert (weights == usual) == (count < FEWEST)
    assert (0 < getattr(weights, who) < 7) == heard


def test_a_folder_says_how_much_and_its_version_knows(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(json.dumps({"align": 0, "second": 0}))
    assert read_weights(tmp_path) == Weights()
    plain = Embedded(tmp_path)
    version = plain.version
    assert not isinstance(plain.translator, RerankedTranslator)
    (tmp_path / FILE).write_text(json.dumps({"align": 0.4, "second": 1}))
    assert read_weights(tmp_path) == Weights(align=0.4, second=1.0)
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
        '{"align": 0.2}',
        '{"align": "much", "second": 0}',
        '{"align": -1, "second": 0}',
        '{"align": 0, "second": NaN}',
    ],
)
def test_a_damaged_weight_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ModelError, match=FILE):
        read_weights(tmp_path)
