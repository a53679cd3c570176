"""Clauses of an instruction: where they end, what in them may name something, and those that name nothing."""

from __future__ import annotations

from collections.abc import Container, Sequence

from assent.errors import FragmentError
from assent.lift.figures import Word
from assent.lift.propose import RELATION_WORDS, has_content
from assent.lift.quantities import PLAIN_UNIT_WORDS
from assent.lift.stems import stem
from assent.vocabulary import Entry

BREAKS = frozenset(
    """
    , ; : . ? ! if then until till unless while when whenever and or nor but once before after so means
    implies
    """.split()
)
_COMPARES = frozenset(
    "than above below under over exceed exceeds exceeding reaches negative positive".split()
)
# Words of requirements, not of what they are about.
PASSING = frozenset(
    """
    requirement required require requires system state case guaranteed happen occur occurs place instant
    instants step steps second day which what who starting beginning start starts begin begins started end ends
    sooner later earlier onwards onward permanently initially indefinitely furthermore moreover besides addition
    additionally regardless independently event possibly come comes coming things thing suppose assume assuming
    provided condition conditions included inclusive there one ones stage reached reach reaches get gets getting got
    go goes going back infinitely often directly exactly very single occasion occasions achieved tops max maximum
    minimum even i e ie eg g mean future presently on off out without top applies apply continues continue well of
    infinite time times moment moments point points period periods stretch stretches interval window regime
    situation instance duration somewhere sometime anytime meanwhile simultaneously together same true met
    satisfied fulfilled given such two three following latter former way outset initial happening latest earliest
    further row meantime rest remainder mission task run job certain over another other late including standing
    rule something ultimately due course line recurrently repeatedly constantly interruption exception break
    through throughout need needs want wants take guarantee guarantees plus see leave continuing continuously
    pass passes passed thereafter follow follows followed up under ahead full span vicinity gap inside
    we us our by with many where straight down holding
    """.split()
)
# A clause with one of these is about time: "the house must reach a state in which".
_STAGES = frozenset(
    "state stage point moment time regime situation stretch period interval condition".split()
)
PRONOUNS = frozenset("it they them both each these those none all either such".split())


# "Right away" and "from that point on" speak of time.
_IDIOMS = {"away": ("right", "straight"), "on": ("point", "then", "now", "moment", "here")}


def _dash(words: Sequence[Word], i: int) -> bool:
    """A dash between clauses, not a hyphen."""
    return words[i].text == "-" and 0 < i < len(words) - 1 and words[i - 1].end < words[i].start


def segments(words: Sequence[Word]) -> list[list[int]]:
    """Indices between clause boundaries."""
    out: list[list[int]] = [[]]
    for i, word in enumerate(words):
        if word.text in BREAKS or _dash(words, i):
            out.append([])
        elif not (i and words[i - 1].text in _IDIOMS.get(word.text, ())):
            out[-1].append(i)
    return [segment for segment in out if segment]


def names_something(words: Sequence[Word], i: int) -> bool:
    """A word that may stand for a name: no unit of a number, no "hotter than"."""
    text = words[i].text
    follower = words[i + 1].text if i + 1 < len(words) else ""
    counted = i > 0 and words[i - 1].value is not None
    return has_content(text) and text not in PASSING and not counted and follower != "than"


def measures(words: Sequence[Word], segment: Sequence[int]) -> bool:
    """Whether a clause compares something with a number that is not a time."""
    for i in segment:
        follower = words[i + 1].text if i + 1 < len(words) else ""
        if words[i].text in _COMPARES:
            return True
        if words[i].value is not None and follower != "seconds" and follower not in PLAIN_UNIT_WORDS:
            return True
    return False


def has_unit(words: Sequence[Word], segment: Sequence[int], entry: Entry) -> bool:
    unit = stem((entry.unit or "").lower())
    return bool(unit) and any(
        stem(words[i].text) == unit and words[i - 1].value is not None for i in segment if i
    )


_OPENS = frozenset("if when whenever until till unless while".split())


def unnamed(words: Sequence[Word], marks: Container[int]) -> tuple[str, ...]:
    """Clauses that speak of nothing in the vocabulary: no formula says what they ask for.

    A condition among them is refused at once: without it, what is left would say far more.
    """
    found = []
    for segment in segments(words):
        said = [i for i in segment if names_something(words, i)]
        if not said or any(i in marks for i in segment):
            continue
        if any(words[i].text in PRONOUNS for i in segment if i <= said[0]):
            continue  # what was named before does it
        phrase = " ".join(words[i].text for i in segment)
        if _opened(words, segment):
            raise FragmentError(
                f"nothing in the vocabulary is called {phrase!r}: add it, or say it by its name"
            )
        if not any(words[i].text in _STAGES and words[i - 1].text == "a" for i in segment if i):
            found.append(phrase)
    return tuple(found)


def _opened(words: Sequence[Word], segment: Sequence[int]) -> bool:
    """Whether a condition begins here."""
    return segment[0] > 0 and words[segment[0] - 1].text in _OPENS


def refuse_unknown(words: Sequence[Word], marks: Container[int], partly: Container[int]) -> None:
    """ "The hammer", which is no object of the vocabulary, and "the green box" where only a red one is.

    ``partly``: words that stand for an object of which they are only a part.
    """
    for i, word in enumerate(words):
        if word.text not in ("the", "a", "an"):
            continue
        end = i + 1
        while end < len(words) and end not in marks and _is_thing(words, end):
            end += 1
        if end > i + 1 and (end not in marks or end in partly):
            phrase = " ".join(w.text for w in words[i + 1 : end + (end in partly)])
            raise FragmentError(
                f"no object or region of the vocabulary is called {phrase!r}: add it, or say it by its name"
            )


def _is_thing(words: Sequence[Word], i: int) -> bool:
    return names_something(words, i) and words[i].text not in RELATION_WORDS
