"""Pairs of the corpus: readable, renumbered, reproducible, and of one reading."""

from __future__ import annotations

import contextlib
import json
from fractions import Fraction
from itertools import islice

import pytest

from assent.lift.linear import TARGET_TOKENS, delinearise
from assent.logic.ast import Formula, Logic, atoms
from assent.logic.dialect import check
from assent_train.corpus.generate import STYLES, Pair, pairs, words
from assent_train.corpus.trees import prefix, tree_of

COUNT = 1500
TIERS = {1: "D2", 2: "D2", 3: "D3"}


def formula_of(pair: Pair) -> Formula:
    """The formula over the placeholders themselves; the numbers grow with their index."""
    names = {t: t.lower() for t in pair.target if t[0] in "PO" and t[1:].isdigit()}
    numbers = {t: Fraction(int(t[1:])) for t in pair.target if t[0] == "N" and t[1:].isdigit()}
    return delinearise(pair.target, names, numbers)


@pytest.fixture(scope="module")
def sample() -> list[Pair]:
    return list(islice(pairs(11), COUNT))


def test_every_target_is_a_formula_of_its_logic(sample: list[Pair]) -> None:
    read = 0
    for pair in sample:
        assert set(pair.target) <= set(TARGET_TOKENS)
        low_high_swapped = False
        for i, token in enumerate(pair.target):
            if token.endswith("[") and pair.target[i + 2] != "inf" and pair.target[i + 1] != "0":
                low, high = pair.target[i + 1 : i + 3]
                low_high_swapped |= int(low[1:]) > int(high[1:])
        if low_high_swapped:  # numbers said out of order: values decide, placeholders alone cannot
            continue
        formula = formula_of(pair)
        check(formula, pair.logic)
        assert pair.tier == TIERS.get(len(atoms(formula)), "D4")
        read += 1
    assert read > 0.9 * COUNT


def test_placeholders_count_by_first_mention_and_all_targets_are_mentioned(sample: list[Pair]) -> None:
    for pair in sample:
        for kind in "PON":
            seen = list(dict.fromkeys(t for t in pair.source if t[0] == kind and t[1:].isdigit()))
            assert seen == [f"{kind}{i + 1}" for i in range(len(seen))]
            used = {t for t in pair.target if t[0] == kind and t[1:].isdigit()}
            assert used <= set(seen)


def test_words_are_as_lifting_leaves_them(sample: list[Pair]) -> None:
    for pair in sample:
        for token, following in zip(pair.source, (*pair.source[1:], ""), strict=True):
            assert token == token.lower() or token[1:].isdigit(), token
            possessive = token == "'s" and following in {"left", "right"}  # "to O2's left": kept by lifting
            assert (possessive or "'" not in token) and " " not in token, token


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others() -> None:
    first, again, other = (list(islice(pairs(seed), 50)) for seed in (5, 5, 6))
    assert first == again
    assert first != other


@pytest.mark.parametrize("style", STYLES)
def test_a_style_can_be_asked_for(style: str) -> None:
    drawn = list(islice(pairs(3, style=style), 40))
    assert {pair.style for pair in drawn} == {style}


def test_a_style_that_a_logic_does_not_speak_is_an_error() -> None:
    with pytest.raises(ValueError, match="letters"):
        next(pairs(1, logic=Logic.SPATIAL, style="letters"))


def test_all_logics_and_tiers_are_drawn(sample: list[Pair]) -> None:
    drawn = {(pair.logic, pair.tier) for pair in sample}
    assert drawn == {(logic, tier) for logic in Logic for tier in ("D2", "D3", "D4")}


def test_one_sentence_has_one_formula() -> None:
    """Identical sentences with different formulas stay below half a per cent."""
    seen: dict[tuple[Logic, tuple[str, ...]], tuple[str, ...]] = {}
    conflicts = sum(
        seen.setdefault((pair.logic, pair.source), pair.target) != pair.target
        for pair in islice(pairs(2), 6000)
    )
    assert conflicts <= 0.005 * 6000


def test_trees_read_back_what_they_write(sample: list[Pair]) -> None:
    for pair in sample:
        assert tuple(prefix(tree_of(pair.target))) == pair.target


def test_words_cover_new_samples() -> None:
    """The vocabulary taken from one sample leaves next to nothing out of another."""
    known = words(20_000)
    tokens = [token for pair in islice(pairs(123), 500) for token in pair.source]
    assert sum(token not in known for token in tokens) < 0.002 * len(tokens)


def test_no_long_bench_sentence_is_in_the_corpus(sample: list[Pair], request: pytest.FixtureRequest) -> None:
    from assent.errors import FragmentError
    from assent.lift import lift
    from assent.vocabulary import load_sections

    bench = request.config.rootpath / "bench"
    if not bench.is_dir():
        pytest.skip("bench is not in this checkout")
    sections = load_sections(bench / "vocabulary.json")
    texts = set()
    for name in ("ltl", "stl", "spatial"):
        rows = [json.loads(line) for line in (bench / f"{name}.jsonl").read_text().splitlines()][::5]
        for row in rows:
            with contextlib.suppress(FragmentError):  # what is not lifted is not read either
                texts.add(lift(row["text"], name, sections.get(row["domain"])).tokens)
    assert len(texts) > 400
    assert not any(pair.source in texts for pair in sample if len(pair.source) > 12)


def test_set_phrases_come_with_names_said_and_formulas_of_their_logic() -> None:
    for logic in (Logic.LTL, Logic.STL):
        drawn = [
            pair for pair in islice(pairs(3, logic=logic, style="formal"), 600) if pair.family == "idiom"
        ]
        assert len(drawn) > 80
        for pair in drawn:
            check(formula_of(pair), logic)
            said = {t for t in pair.source if t[0] == "P" and t[1:].isdigit()}
            assert {t for t in pair.target if t[0] == "P"} == said
