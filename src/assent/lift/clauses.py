"""Clauses of an instruction: where they end, what in them may name something, and those that name nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence

from assent.lift.entries import words_of
from assent.lift.figures import Word
from assent.lift.propose import RELATION_WORDS, has_content
from assent.lift.quantities import MORE_OR_LESS, PLAIN_UNIT_WORDS, UNIT_WORDS
from assent.lift.stems import stem
from assent.lift.units import measures_a_figure
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
    we us our by with many where straight down holding anyone anybody someone somebody everyone everybody people
    """.split()
)
# A clause with one of these is about time: "the house must reach a state in which".
_STAGES = frozenset(
    "state stage point moment time regime situation stretch period interval condition".split()
)
PRONOUNS = frozenset("it they them both each these those none all either such".split())

PARTS = frozenset("with behind among beside while".split())
"""What stands before these is said of something else: "tied up behind a closed gate"."""
TURNS_OUT = frozenset(
    "end ends ended ending wind winds winding wound finish finishes finished finishing".split()
)
"""Before "up": what it ends up as, it becomes."""

# "Right away" and "from that point on" speak of time.
_IDIOMS: dict[str, Collection[str]] = {
    "away": ("right", "straight"),
    "on": ("point", "then", "now", "moment", "here"),
    **dict.fromkeys(
        ("point", "time", "moment"), ("some", "that", "this", "any", "one", "every", "same", "which")
    ),
    **dict.fromkeys(("end", "outset", "beginning"), ("the", "very")),
    "order": ("that", "this", "any", "in", "whichever", "which", "the"),
    "place": ("in", "take", "takes", "taken", "took", "taking"),
    "course": ("due", "of"),
    "full": ("a", "the"),
    "stopping": ("without", "ever"),
    "stop": ("without",),
    "break": ("a", "without"),
    "home": ("drive",),
    "up": TURNS_OUT,
}


def is_idiom(words: Sequence[Word], i: int) -> bool:
    """A word that, with the one before it, speaks of time or order: "at some point", "in the end"."""
    after = words[i + 1].text if i + 1 < len(words) else ""
    if (words[i].text == "up" and after == "to") or (words[i].text in TURNS_OUT and after == "up"):
        return True
    if words[i].text == "inside" and i + 2 < len(words) and words[i + 1].value is not None:
        return words[i + 2].text in UNIT_WORDS  # "inside an hour" is within it
    if not i or words[i - 1].text not in _IDIOMS.get(words[i].text, ()):
        return False
    if words[i].text == "end":
        return i > 1 and words[i - 2].text in ("in", "at", "until", "without")
    if words[i].text == "full":
        return i + 1 < len(words) and words[i + 1].text in ("second", "minute", "hour", "day", "seconds")
    if words[i].text == "order":
        return words[i - 1].text != "the" or (i > 1 and words[i - 2].text == "in")
    return True


def _dash(words: Sequence[Word], i: int) -> bool:
    """A dash between clauses, not a hyphen."""
    return words[i].text == "-" and 0 < i < len(words) - 1 and words[i - 1].end < words[i].start


def is_tail(words: Sequence[Word], i: int) -> bool:
    """The small word behind the hyphen of "start-up", "non-stop"."""
    if i < 2 or words[i].text not in ("up", "in", "off", "on", "out", "down", "stop", "over"):
        return False
    return (
        words[i - 1].text == "-"
        and words[i - 2].end == words[i - 1].start
        and words[i - 1].end == words[i].start
    )


def _compares_on(words: Sequence[Word], i: int) -> bool:
    """The "or" of "5 or more" and of "at or above 5" ends no clause; that of "below 5 or above 9" does."""
    before, after = (words[k].text if 0 <= k < len(words) else "" for k in (i - 1, i + 1))
    behind = [w for w in words[i + 2 : i + 4] if w.text != "than"]
    another = before != "at" and bool(behind) and behind[0].value is not None
    return (
        words[i].text == "or"
        and (after in MORE_OR_LESS or (before == "at" and after in _COMPARES))
        and not another
    )


def segments(words: Sequence[Word]) -> list[list[int]]:
    """Indices between clause boundaries."""
    out: list[list[int]] = [[]]
    for i, word in enumerate(words):
        if (word.text in BREAKS and not _compares_on(words, i)) or _dash(words, i):
            out.append([])
        elif word.text in ("it", "they") and len(out[-1]) > 2:
            out.append([i])  # what follows is said of something named before
        elif not is_idiom(words, i):
            out[-1].append(i)
    return [segment for segment in out if segment]


_OF_UNITS = frozenset(["\u00b0", "/", "degrees", "degree", "cubic", "square"])


def names_something(words: Sequence[Word], i: int) -> bool:
    """A word that may stand for a name: no unit of a number, no "hotter than"."""
    text = words[i].text
    follower = words[i + 1].text if i + 1 < len(words) else ""
    at = i - 1
    while at > 0 and words[at].text in _OF_UNITS:
        at -= 1
    counted = at >= 0 and words[at].value is not None
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


_OPENS = frozenset("if when whenever until till unless while".split())


def unnamed(
    words: Sequence[Word], marks: Container[int], table: Mapping[str, float], units: Container[int] = ()
) -> tuple[str, ...]:
    """Clauses that speak of nothing in the vocabulary: no formula says what they ask for.

    ``table``: words met in many domains, below zero where they are seldom part of a name. A condition must name
    something, whatever its words: without it, what is left would say far more. ``units``: words that say what a
    figure is measured in, and name nothing.
    """
    found = []
    texts = [word.text for word in words]
    for segment in segments(words):
        opened = segment[0] > 0 and words[segment[0] - 1].text in _OPENS
        said = [i for i in segment if names_something(words, i) and i not in units]
        said = [i for i in said if opened or table.get(words[i].text, 0.1) >= 0]
        if not said or any(i in marks for i in segment):
            continue
        if any(words[i].text in PRONOUNS for i in segment if i <= said[0]):
            continue  # what was named before does it
        if aside(texts, segment[0], segment[-1] + 1) or _acts(words, segment, marks):
            continue
        if _SAID_VALUE.search(" ".join(texts[segment[0] : segment[-1] + 1])) and _marked(
            marks, range(segment[0])
        ):
            continue
        if not any(words[i].text in _STAGES and words[i - 1].text == "a" for i in segment if i):
            found.append(" ".join(words[i].text for i in segment))
    return tuple(found)


def aside(texts: Sequence[str], start: int, end: int) -> bool:
    """See ``asides``, which is loaded where a clause names nothing."""
    from assent.lift import asides

    return asides.aside(texts, start, end)


_SAID_VALUE = re.compile(
    r"^(?:shall |must |should )?(?:be |is )?(?:held|kept|stays?|remains?|keeps?|holds?|maintained|left) (?:it )?"
    r"(?:above|below|at|under|over|within|inside|in) (?:that|this|the same) (?:value|level|limit|mark|figure|threshold"
    r"|range|band)\b"
)
"""What is held above "that value" was named with the value."""
_MODALS = frozenset("shall must should will".split())


def _acts(words: Sequence[Word], segment: Sequence[int], marks: Container[int]) -> bool:
    """ "The station shall, starting at the next step, keep ...": who acts, parted from what it does by an adverbial."""
    last = segment[-1]
    if (
        words[last].text not in _MODALS
        or not 1 < len(segment) < 6
        or words[segment[0]].text not in _DETERMINERS
    ):
        return False
    commas = [i for i in range(last + 1, len(words)) if words[i].text == ","]
    if len(commas) < 2 or commas[0] != last + 1:
        return False
    end = commas[1] + 1
    while end < len(words) and words[end].text not in BREAKS:
        end += 1
    return _marked(marks, range(commas[1] + 1, end))


_DETERMINERS = frozenset("the this our its".split())


def _marked(marks: Container[int], at: range) -> bool:
    return any(i in marks for i in at)


# Said of a thing, these tell it from others of its kind: "the green box" is not the red one.
CONTRASTS = frozenset(
    """
    red green blue yellow white black orange purple pink brown grey gray silver golden big small large little long short
    tall left right upper lower front rear back first second third other inner outer top bottom middle wooden metal
    plastic glass paper round square empty full new old
    """.split()
)
# Who carries out what is asked, and is no object of it.
_ACTORS = frozenset(
    """
    robot robots controller operator system machine agent arm manipulator worker staff crew you we team user technician
    assistant driver hand hands person somebody someone helper cook gardener attendant mechanic
    """.split()
)
# Parts of a thing, which stand for the thing.
_PARTS = frozenset(
    "outline edge edges rim surface interior middle centre center area spot corner reach".split()
)


def unknown_things(
    words: Sequence[Word], marks: Container[int], table: Mapping[str, float]
) -> tuple[str, ...]:
    """ "The hammer", which is no object of the vocabulary; the one who acts is none either way."""
    from assent.lift.actors import acts

    found = []
    for i, word in enumerate(words):
        if word.text not in ("the", "a", "an"):
            continue
        end = i + 1
        while end < len(words) and end not in marks and _is_thing(words, end):
            end += 1
        said = [w.text for w in words[i + 1 : end]]
        passing = all(text in _ACTORS or text in _PARTS or table.get(text, 0.1) < 0 for text in said)
        if said and end not in marks and not passing and not acts(words, end, marks):
            found.append(" ".join(said))
    return tuple(found)


def _is_thing(words: Sequence[Word], i: int) -> bool:
    return names_something(words, i) and words[i].text not in RELATION_WORDS


def join_compounds(words: Sequence[Word], entries: Sequence[Entry]) -> list[Word]:
    """Words that a name writes as one: "no-fly" for nofly, "e-stop" and "emergency stop" for estop."""
    known = frozenset(w for e in entries for w in (*words_of(e.name), *words_of(e.phrase)))
    known_stems = {stem(w) for w in known if len(w) > 3}
    out: list[Word] = []
    i = 0
    while i < len(words):
        j = i + 2 if i + 2 < len(words) and words[i + 1].text == "-" else i + 1
        joinable = words[i].text.isalpha() and not measures_a_figure(words, i)  # "3 m/s tops" stops nothing
        if j < len(words) and joinable and words[j].text not in BREAKS:
            whole, short = words[i].text + words[j].text, words[i].text[0] + words[j].text
            for joined in (whole, short):
                said = stem(joined) in known_stems if joined is whole else joined in known
                if len(joined) > 4 and said and stem(words[j].text) not in known_stems:
                    out.append(Word(joined, words[i].start, words[j].end))
                    i = j + 1
                    break
            else:
                out.append(words[i])
                i += 1
            continue
        out.append(words[i])
        i += 1
    return out
