"""The written corpus: marks close, names are known, and what is composed from rows means what the rows mean."""

from __future__ import annotations

import dataclasses
import random
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.embedded.tokens import untyped
from assent.errors import DataError, FormulaError
from assent.lift.linear import BEYOND, COMPARATORS, TARGET_TOKENS, delinearise
from assent.logic.ast import And, Logic, Not, Or, Prop, atoms
from assent.logic.equivalence import Verdict, equivalent
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary
from assent_train.written import rows, vocabularies
from assent_train.written.compose import Composer, finish
from assent_train.written.crossing import placed
from assent_train.written.gold import GoldGroup, items_of, template_of
from assent_train.written.literals import faithful
from assent_train.written.marks import row_of, split_marks
from assent_train.written.synonyms import places, said_otherwise

HIVE = Vocabulary(
    propositions=(
        Entry("lid_open", "the lid is open"),
        Entry("fan_on", "the fan is running"),
        Entry("heat", "temperature", type="number", unit="deg"),
    )
)


def made(marked: str, formula: str, logic: str = "stl") -> object:
    row = row_of(
        {"id": "x", "logic": logic, "family": "test", "marked": marked, "formula": formula},
        domain="hive",
        names=HIVE.names,
    )
    template = template_of(row, HIVE)
    assert template is not None
    return template


PLAIN = st.text(st.characters(codec="ascii", exclude_characters="[]{}<>|", min_codepoint=32), max_size=12)


@given(st.lists(st.tuples(PLAIN, st.sampled_from("[{<"), PLAIN, PLAIN), max_size=5), PLAIN)
def test_dropping_marks_gives_the_sentence(parts: list[tuple[str, str, str, str]], end: str) -> None:
    close = {"[": "]", "{": "}", "<": ">"}
    marked = "".join(f"{text}{sign}{said}|{means}{close[sign]}" for text, sign, said, means in parts) + end
    text, marks = split_marks(marked, case="x")
    assert text == "".join(before + said for before, _, said, _ in parts) + end
    assert [(m.kind, m.said, m.means) for m in marks] == [
        (k, said, means.strip()) for _, k, said, means in parts
    ]
    assert all(text[m.start : m.end] == m.said for m in marks)


@pytest.mark.parametrize(
    "marked", ["[the lid|lid_open", "the lid|lid_open]", "[[a|b]|c]", "{5 s|5", "[a|b|c]"]
)
def test_marks_that_do_not_close_are_an_error(marked: str) -> None:
    with pytest.raises(DataError, match="do not close"):
        split_marks(marked, case="x")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"marked": "[the door|door_open]", "formula": "G door_open"}, "vocabulary does not hold"),
        ({"marked": "[the lid|lid_open]", "formula": "G ("}, "x: "),
        ({"marked": "[the lid|lid_open]", "formula": None}, "no doubt"),
        ({"marked": 3, "formula": None}, "needs"),
    ],
)
def test_a_broken_row_is_an_error(fields: dict[str, object], why: str) -> None:
    with pytest.raises(DataError, match=why):
        row_of({"id": "x", "logic": "ltl", "family": "test", **fields}, domain="hive", names=HIVE.names)


def sayings(template: object, seed: int = 0) -> set[str]:
    composer = Composer([template], [], random.Random(seed))  # type: ignore[list-item]
    found = set()
    for _ in range(60):
        pair = finish(composer.said(template), template.formula, template.logic)  # type: ignore
        assert pair is not None
        found.add(f"{' '.join(pair[1])} => {' '.join(pair[2])}")
    return found


def test_a_denied_mark_says_not_and_a_noun_keeps_its_surroundings() -> None:
    found = sayings(
        made("Once [the lid is shut|!lid_open], [the fan|fan_on] stops.", "G(!lid_open -> F !fan_on)")
    )
    assert "once not P1 , P2 not . => G -> ! P1 F ! P2" in found
    assert "once the P1 is not , the P2 not . => G -> ! P1 F ! P2" in found


def test_a_comparison_keeps_its_words_and_its_number() -> None:
    found = sayings(
        made("[At 30 degrees or more|heat >= 30] [the fan|fan_on] runs.", "G(heat >= 30 -> fan_on)")
    )
    assert "S1 at N1 degrees or more P2 runs . => G -> >= P1 N1 P2" in found


def test_times_that_are_said_as_words_have_the_value_of_the_mark() -> None:
    found = sayings(
        made(
            "If [the lid|lid_open] is up for {half a minute|30}, [the fan|fan_on] runs {no later than 5 s after|5}.",
            "G(G[0,30] lid_open -> F[30,35] fan_on)",
        )
    )
    assert all(pair.endswith("=> G -> G[ 0 N1 P1 F[ N1 N1 + N2 P2") for pair in found)


def test_only_literals_that_the_formula_uses_as_marked_are_exchanged() -> None:
    negated_outside = made("[The lid|lid_open] must never come off.", "G !lid_open", "ltl")
    as_marked = made("[The lid is down|!lid_open] all day.", "G !lid_open", "ltl")
    assert [faithful(negated_outside, item) for item in negated_outside.items].count(True) == 0  # type: ignore
    assert [faithful(as_marked, item) for item in as_marked.items].count(True) == 1  # type: ignore


def test_an_exchanged_literal_means_the_same_in_sentence_and_formula() -> None:
    """Oracle: the sentence's own words, read back by hand, for every compound the composer makes."""
    template = made("Always [the lid is down|!lid_open].", "G !lid_open", "ltl")
    composer = Composer([template], [], random.Random(3))  # type: ignore[list-item]
    seen = set()
    for _, source, target in (next(composer.pairs([Logic.LTL])) for _ in range(400)):
        said = " ".join(source).removesuffix(" .")
        found = re.fullmatch(
            r"always (?:(both|either) )?(not )?P1 ?,? ?(?:(and|or)(?: else)? (not |the )?P2)?", said
        )
        if found is None:
            continue  # joined rows, openings, dropped articles
        first = Not(Prop("a")) if found[2] else Prop("a")
        meant = first
        if found[3]:
            second = Not(Prop("b")) if found[4] == "not " else Prop("b")
            meant = And((first, second)) if found[3] == "and" else Or((first, second))
        formula = delinearise(target[1:], {"P1": "a", "P2": "b"}, {})
        assert equivalent(formula, meant).verdict is Verdict.EQUAL, said
        seen.add((found[1], bool(found[2]), found[3]))
    assert len(seen) >= 6


def test_every_row_is_sound_and_most_can_be_said() -> None:
    sections = vocabularies()
    meant = [(row, template_of(row, sections[row.domain])) for row in rows() if row.formula is not None]
    assert len({row.id for row in rows()}) == len(rows())
    said = [
        finish(Composer([t], [], random.Random(0)).said(t), t.formula, t.logic) is not None
        for _, t in meant
        if t is not None
    ]
    assert sum(said) / len(meant) > 0.9


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_composed_pairs_are_formulas_over_what_the_sentence_mentions(seed: int) -> None:
    sections = vocabularies()
    some = random.Random(seed).sample([row for row in rows() if row.formula is not None], 40)
    gold = [t for row in some if (t := template_of(row, sections[row.domain])) is not None]
    composer = Composer(gold, [], random.Random(seed))
    logics = sorted({t.logic for t in gold})
    stream = composer.pairs(logics)
    for _, (_logic, source, target) in zip(range(30), stream, strict=False):
        assert set(target) <= set(TARGET_TOKENS)
        if target == (BEYOND,):
            continue
        used = {token for token in target if token[0] in "PON" and token[1:].isdigit()}
        assert used <= {untyped(token) for token in source}
        compared = {name for op, name in pairwise(target) if op in COMPARATORS}
        assert {f"S{name[1:]}" for name in compared} <= set(source)
        names = {f"{kind}{i}": f"{kind.lower()}{i}" for kind in "PO" for i in range(1, 13)}
        try:
            formula = delinearise(target, names, {f"N{i}": Fraction(10**i) for i in range(1, 13)})
        except FormulaError as error:  # other numbers may turn an interval round; nothing else may go wrong
            assert "interval cannot" in str(error)
        else:
            assert atoms(formula)


def test_what_no_formula_says_is_taught_as_such() -> None:
    template = made("[The fan|fan_on] runs.", "G fan_on", "ltl")
    doubt = (Logic.LTL, template_items("[The lid|lid_open] may be open at {10 s|10} sometimes."))
    composer = Composer([template], [], random.Random(0), [doubt])  # type: ignore[list-item]
    drawn = [next(composer.pairs([Logic.LTL])) for _ in range(300)]
    doubted = [source for _, source, target in drawn if target == ("?",)]
    assert 10 <= len(doubted) <= 55  # 10 % of 300
    assert all("may" in source and "P1" in source for source in doubted)
    with pytest.raises(FormulaError):
        delinearise(("?",), {}, {})


def test_a_sentence_that_lost_a_name_has_no_formula_left() -> None:
    """Three in a hundred sentences keep the words of one mark; with one mark alone nothing would be left to read."""
    template = made(
        "Once [the lid is shut|!lid_open], [the fan|fan_on] stops.", "G(!lid_open -> F !fan_on)", "ltl"
    )
    composer = Composer([template], [], random.Random(0))  # type: ignore[list-item]
    drawn = [next(composer.pairs([Logic.LTL])) for _ in range(1500)]
    lost = [" ".join(source) for _, source, target in drawn if target == (BEYOND,)]
    assert 15 <= len(lost) <= 90  # the expected number is 45
    assert all(("lid" in text) != ("fan" in text) and "P1" in text for text in lost)
    single = made("[The fan|fan_on] runs.", "G fan_on", "ltl")
    alone = Composer([single], [], random.Random(0))  # type: ignore[list-item]
    assert all(next(alone.pairs([Logic.LTL]))[2] != (BEYOND,) for _ in range(200))


def template_items(marked: str):  # type: ignore[no-untyped-def]
    fields: dict[str, object] = {
        "id": "x",
        "logic": "ltl",
        "family": "doubt: test",
        "marked": marked,
        "formula": None,
    }
    return items_of(row_of(fields, domain="hive", names=HIVE.names), HIVE)


def test_phrases_have_other_words_and_the_same_names_and_numbers() -> None:
    text = "whenever P@a is above N@4 bar , P@b must be on within N@5 seconds , and then P@d at once".split()
    found = {" ".join(said_otherwise(text, random.Random(seed))) for seed in range(200)}
    assert any("in excess of N@4 bar" in said for said in found) and any(
        "in N@5 seconds or less" in said for said in found
    )
    for said in found:
        assert [t for t in said.split() if "@" in t] == [t for t in text if "@" in t]
    found_at = places("it rises only if P@a for over N@5 seconds if and only if P@b".split())
    assert [(at, phrase) for at, phrase, _ in found_at] == [
        (2, ("only", "if")),
        (9, ("if", "and", "only", "if")),
    ]


def test_frames_of_time_are_said_of_places() -> None:
    frame = made(
        "When [the lid is down|!lid_open], [the fan is running|fan_on] {5 s|5} later.",
        "G(!lid_open -> F[5,5] fan_on)",
    )
    fields: dict[str, object] = {
        "id": "y",
        "logic": "spatial",
        "family": "t",
        "marked": "[the cup|cup] <outside|!enclIn> [the box|box].",
    }
    kitchen = Vocabulary(objects=(Entry("cup"), Entry("box")))
    row = row_of({**fields, "formula": "G !enclIn(cup,box)"}, domain="k", names=kitchen.names)
    place = template_of(row, kitchen)
    assert place is not None
    outside = next(item for item in place.items if isinstance(item, GoldGroup) and item.mark.kind == "<")
    found = placed(frame, [outside], random.Random(1))  # type: ignore[arg-type]
    assert found is not None
    pair = finish(Composer([found], [], random.Random(0)).said(found), found.formula, found.logic)
    assert pair is not None
    said = "when the O1 is outside the O2 , the O1 is outside the O2 N1 seconds later ."
    other = "when the O1 is outside the O2 , the O2 is outside the O1 N1 seconds later ."
    assert " ".join(pair[1]) in (said, other)
    order = "O1 O2" if " ".join(pair[1]) == said else "O2 O1"
    assert " ".join(pair[2]) == f"G -> ! enclIn O1 O2 F[ N1 N1 ! enclIn {order}"
    noun = made("[The fan|fan_on] runs while [the lid is up|lid_open].", "G(lid_open -> fan_on)", "ltl")
    assert placed(noun, [outside], random.Random(1)) is None  # type: ignore[arg-type]


def test_groups_stay_with_their_marks() -> None:
    template = made("[The fan|fan_on] runs while [the lid is up|lid_open].", "G(lid_open -> fan_on)", "ltl")
    items = template.items  # type: ignore[attr-defined]
    groups = [item for item in items if isinstance(item, GoldGroup) and item.mark.kind == "["]
    assert [g.mark.means for g in groups] == ["fan_on", "lid_open"]
    assert groups[1].literal == read("lid_open", "ltl")


def test_more_is_drawn_of_the_newest_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the pairs from the last row, where that is asked for, and about a third of three rows otherwise."""
    from assent_train.written import streams

    sentences = ("[the lid|lid_open] opens", "[the fan|fan_on] runs", "never [the fan|fan_on]")
    drawn = [
        (f"r{k}", made(text, formula, "ltl"))
        for k, (text, formula) in enumerate(
            zip(sentences, ("F lid_open", "G fan_on", "G !fan_on"), strict=True)
        )
    ]
    gold = tuple(dataclasses.replace(template, id=name) for name, template in drawn)
    monkeypatch.setattr(streams, "templates", lambda: (gold, gold))
    monkeypatch.setattr(streams, "doubts", lambda: ())
    monkeypatch.setattr(streams, "passed_over", lambda: ())
    monkeypatch.setattr(streams, "newest_ids", lambda count: frozenset(["r2"] if count else []))

    def share(**wanted: float) -> float:
        pairs = streams.written_pairs(1, 600, [Logic.LTL], **wanted)
        return sum("never" in source for source, _ in pairs) / len(pairs)

    assert share(newest=1, share=0.5) > share() + 0.2
