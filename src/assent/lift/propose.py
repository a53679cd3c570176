"""Without a vocabulary: which parts of an instruction are propositions or objects, proposed from the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assent.lift.figures import Word
from assent.lift.quantities import NUMBER_WORDS
from assent.lift.units import measures_a_figure
from assent.logic.ast import Logic

# Words that carry the logic, not the world: they never belong to a proposition.
_STRUCTURE = frozenset(
    """
    if then else when whenever while until unless before after once since and or but either both
    neither nor not no never always ever eventually finally globally sometimes sometime someday soon
    later afterwards afterward at all times time every moment point some any each least most only
    exactly more less than within during between from to in for the first next last following coming
    least that this it there must shall should will would has have had can may might need needs make
    sure ensure please keep keeps stay stays remain remains be is are was were been being do does
    did happens happen happened hold holds held true false case long as so immediately instantly now
    right forever good again still also too otherwise implies imply means whole entire period
    continuously throughout seconds second units unit steps step minutes hours , . ; : ? ! ( ) " ' #
    -
    """.split()
)
ARTICLES = frozenset("the a an its their his her my our your this that these those".split())
_IDENTIFIER = re.compile(r"[a-z]+_[a-z0-9_]+|[a-z]+\d+\Z")
_LETTER = re.compile(r"[a-z]\Z")
_UNIT_LETTERS = frozenset("cfkmshvwgltnj")
_AFTER_ARTICLE = frozenset(
    """
    state step position moment time point process run instant cycle tick turn round stretch row later single
    certain given strictly finite message request
    """.split()
)
# "a" is a proposition, not an article, before one of these, a number or an adverb, or at the end.
_AFTER_LETTER = (
    _STRUCTURE
    | frozenset(
        """
        an equal infinite once twice thrice anymore without onward by with of on off upon via past against till you we
        they proceed happening
        """.split()
    )
) - frozenset("long good true false whole case time moment point period second".split())


def propose(words: Sequence[Word], logic: Logic) -> dict[int, tuple[str, ...] | None]:
    """Marks for ``lift``: identifiers as written, else single letters, else clauses named by their words."""
    kind = "O" if logic is Logic.SPATIAL else "P"
    identifiers = {
        i: (f"{kind}@{w.text}",)
        for i, w in enumerate(words)
        if _IDENTIFIER.match(w.text) and not measures_a_figure(words, i)
    }
    if identifiers:
        return dict(identifiers)
    letters = {i: (f"{kind}@{w.text}",) for i, w in enumerate(words) if _is_letter(words, i)}
    if letters:
        return dict(letters)
    return _objects(words) if logic is Logic.SPATIAL else _clauses(words)


def _is_letter(words: Sequence[Word], i: int) -> bool:
    text = words[i].text
    if not _LETTER.match(text) or text == "i" or _is_unit(words, i):
        return False
    if text != "a":
        return True
    if any(_LETTER.match(w.text) and w.text not in ("a", "i") for w in words):
        return [w.text in _AFTER_ARTICLE for w in words[i + 1 : i + 2]] != [True]
    return _goes_on_after_a_name(words, i)


def _goes_on_after_a_name(words: Sequence[Word], i: int) -> bool:
    following = words[i + 1].text if i + 1 < len(words) else "."
    return following in _AFTER_LETTER or following in NUMBER_WORDS or following.endswith("ly")


_BEFORE_A_NAME = frozenset("an every each any no another the first last next second this that one".split())


def is_name(words: Sequence[Word], i: int) -> bool:
    """Whether a letter that is a name of the vocabulary is meant as one: "a" is an article before a noun."""
    if words[i].text != "a":
        return not _is_unit(words, i)
    following = words[i + 1].text if i + 1 < len(words) else "."
    before = words[i - 1].text if i else ""
    plural = following.endswith("s") and not following.endswith(("ss", "us"))  # "a becomes", but "a process"
    return (
        before in _BEFORE_A_NAME
        or _goes_on_after_a_name(words, i)
        or (plural and len(following) > 1)
        or not following[:1].isalpha()
    )


def _is_unit(words: Sequence[Word], i: int) -> bool:
    """Whether a letter says what a figure is measured in: "110 \u00b0C", "30 km/h", "5 V"."""
    before = words[i - 1] if i else None
    if before is None:
        return False
    return before.text in ("/", "per", "\u00b0") or (
        before.value is not None and words[i].text in _UNIT_LETTERS
    )


def has_content(text: str) -> bool:
    """Whether a word speaks of the world rather than of time, logic or grammar."""
    return text.isalpha() and text not in _STRUCTURE and text not in ARTICLES


def clauses(words: Sequence[Word]) -> list[list[int]]:
    """Runs of words that carry no logic, as lists of indices."""
    out: list[list[int]] = [[]]
    for i, word in enumerate(words):
        if word.text in _STRUCTURE or word.value is not None:
            if word.text not in ARTICLES and not _links(words, i):
                out.append([])
        else:
            out[-1].append(i)
    return [clause for clause in out if clause]


def _links(words: Sequence[Word], i: int) -> bool:
    """Auxiliaries join a subject with its predicate: "the door is open" is one clause."""
    return words[i].text in (
        "is",
        "are",
        "be",
        "has",
        "been",
        "being",
        "must",
        "shall",
        "should",
        "will",
        "to",
    )


def _clauses(words: Sequence[Word]) -> dict[int, tuple[str, ...] | None]:
    marks: dict[int, tuple[str, ...] | None] = {}
    for clause in clauses(words):
        name = "_".join(words[i].text for i in clause if words[i].text not in ARTICLES)
        if not re.match(r"[a-z_][a-z0-9_]*\Z", name):
            continue
        marks.update(dict.fromkeys(clause))
        marks[clause[0]] = (f"P@{name}",)
    return marks


RELATION_WORDS = frozenset(
    """
    left right above below over under close near far away touching touch touches contact overlapping
    overlap overlaps partly partially inside outside enclosed fully completely beside closer side
    top bottom of with distance facing oriented toward towards on off beneath underneath adjacent
    next
    """.split()
)


def _objects(words: Sequence[Word]) -> dict[int, tuple[str, ...] | None]:
    marks: dict[int, tuple[str, ...] | None] = {}
    run: list[int] = []
    for i, word in enumerate([*words, Word(".", 0, 0)]):
        plain = word.text in _STRUCTURE or word.text in RELATION_WORDS or word.value is not None
        if not plain and word.text not in ARTICLES:
            run.append(i)
            continue
        if run and all(re.match(r"[a-z][a-z0-9]*\Z", words[k].text) for k in run):
            marks.update(dict.fromkeys(run))
            marks[run[0]] = (f"O@{'_'.join(words[k].text for k in run)}",)
        run = []
    return marks
