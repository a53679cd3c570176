"""The entries of a vocabulary, taken apart for look-up: their words, stems, states, numbers and units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from assent.lift.opposites import AFFIRMS, DENIES
from assent.lift.stems import ABBREVIATIONS, IRREGULAR, SYNONYMS, root, shortens, stem
from assent.vocabulary import Entry

# Words of a name that say little by themselves, or next to nothing.
WEAK = frozenset(["up", "down", "mode", "state", "status", "level"])
FAINT = frozenset(
    """
    on in at by of the a an is are to for with over out off into from under not no and or has been be its
    """.split()
)
WHOLE = frozenset(
    map(stem, "depress depressed indoor indoors inflow intake display discover inboard inline".split())
)
"""What begins like a denial and is none: a depressed key is pressed."""
_NEGATIVE_PREFIX = re.compile(r"un(?=[a-z]{3})|(?:in|non|dis|de)(?=[a-z]{4})")
# "Cow in the box", "arm under the cow": who is there, or is not.
_PLACE = re.compile(r"\b(?:in|inside|under|at|on|aboard|within)\s+(?:the|a|an|its|his|her)?\s*[a-z]{3,}")
_SPELLED = dict(zip("one two three four five six seven eight nine".split(), "123456789", strict=True))
_SPELLED |= {"zero": "0"}
_SPELLED |= dict(zip("first second third fourth fifth sixth".split(), "123456", strict=True))


# "The light is green (red otherwise)".
_OTHERWISE = re.compile(r"[,;(][^,;()]*\b(?:otherwise|else)\b[^,;()]*\)?", re.IGNORECASE)
_VERBS = frozenset("is are was were has have had does do".split())
_LAST = frozenset(["on", "off", "in", "out"])  # states where a name or its phrase ends with them
_WHERE = frozenset("in inside at under aboard within docked parked seated loaded".split())


@dataclass(frozen=True, slots=True)
class Known:
    """One entry: ``words`` of its name and phrase and their ``stems``; ``named``: stems of the name alone.

    ``things`` and ``states``: its words that say what it is about, and how that is; ``head``: the noun; ``digits``: its
    number; ``affirmed``: words that say its state; ``denials``: words that say its opposite; ``bearers``: stems of its
    phrase that only say who does or is what the name says; ``sayings``: words that the vocabulary says mean it, and
    whether they mean its opposite.
    """

    entry: Entry
    words: frozenset[str]
    stems: frozenset[str]
    named: frozenset[str]
    things: tuple[str, ...]
    states: tuple[str, ...]
    head: str
    digits: frozenset[str]
    phrase: str
    unit: str
    affirmed: frozenset[str]
    denials: frozenset[str]
    bearers: frozenset[str]
    sayings: tuple[tuple[tuple[str, ...], bool], ...] = ()

    @property
    def place(self) -> bool:
        """Whether it says that something is somewhere: at_dock, cow_in_box."""
        return not self.number and "@place" in self.states

    @property
    def subject(self) -> tuple[str, ...]:
        """The words of its name before its state: "left" and "light" of left_light_red; none without a state."""
        *before, last = words_of(self.entry.name)
        return tuple(before) if last in self.states else ()

    @property
    def number(self) -> bool:
        return self.entry.type == "number"

    def told(self, text: str) -> bool:
        """Whether a word is part of a saying of the vocabulary."""
        return any(text in said for said, _ in self.sayings)


@lru_cache(maxsize=256)
def known_entries(entries: tuple[Entry, ...]) -> tuple[Known, ...]:
    """Prepared once for each vocabulary."""
    knowns = [_known(entry) for entry in entries]
    about: dict[str, list[Known]] = {}  # all entries about a thing
    for known in knowns:
        for thing in dict.fromkeys(stem(thing) for thing in known.things):
            about.setdefault(thing, []).append(known)
    return tuple(_beside(known, about) for known in knowns)


def _beside(known: Known, about: Mapping[str, Sequence[Known]]) -> Known:
    """ "The green lamp" is no red one that is off where green_lamp is a name beside red_lamp.

    What another thing has is still a state: "the rear gate is shut" denies rear_gate_open beside front_gate_shut.
    """
    taken: set[str] = set()
    for other in (other for thing in known.things for other in about[stem(thing)]):
        shared = (known.denials & other.words) - known.words
        taken |= {word for word in shared if not _of_another(word, known, other)}
    return replace(known, denials=known.denials - taken) if taken else known


def _of_another(word: str, known: Known, other: Known) -> bool:
    """Whether a word is the state of another thing of the same kind, rather than what tells the two apart."""
    *ours, _ = words_of(known.entry.name)
    *theirs, last = words_of(other.entry.name)
    return bool(ours and theirs) and set(ours) != set(theirs) and word in (last, *AFFIRMS.get(last, ()))


def _known(entry: Entry) -> Known:
    named = words_of(entry.name)
    called = [text for text in entry.called if not text.startswith("not ")]
    said = words_of(" ".join((_OTHERWISE.sub("", entry.phrase), *called)))
    words = frozenset((*named, *said))
    content = [w for w in dict.fromkeys((*named, *said)) if w not in FAINT and not w.isdigit()]
    undone = _undone_by(named, said, content)
    states = [w for w in content if w in AFFIRMS and w not in undone]
    states += [w for w in sorted({*named[-1:], *said[-1:]} & _LAST) if w not in states]
    if _PLACE.search(entry.phrase.lower()) or _WHERE & words:
        states.append("@place")
    spoken = [w for w in dict.fromkeys((*named, *said)) if w in AFFIRMS and w not in undone]  # "up"
    things = [w for w in content if w not in states] or content
    nouns = [w for w in named if w not in FAINT and not w.isdigit() and w not in states]
    return Known(
        entry,
        words,
        frozenset(stem(w) for w in words if w not in FAINT),
        frozenset(stem(w) for w in named if w not in FAINT),
        tuple(things) or tuple(words),
        tuple(states or spoken),
        stem(nouns[-1]) if nouns else "",
        frozenset(w for w in (*named, *(_SPELLED.get(w, "") for w in named)) if w.isdigit()),
        " ".join(dict.fromkeys((*named, *said))),
        (entry.unit or "").lower(),
        _all(AFFIRMS, states or spoken) | _all(DENIES, undone),
        _all(DENIES, (w for w in (*(states or spoken), *content) if w not in undone))
        | (_all(AFFIRMS, undone) - words)
        | frozenset(w for text in entry.called if text.startswith("not ") for w in words_of(text)[1:]),
        _bearers(named, said),
        (
            *((words_of(text), False) for text in entry.also),
            *((words_of(text), True) for text in entry.opposite),
        ),
    )


def _all(table: Mapping[str, frozenset[str]], words: Iterable[str]) -> frozenset[str]:
    return frozenset(text for word in words for text in table.get(word, ()))


def _undone_by(named: Sequence[str], said: Sequence[str], content: Sequence[str]) -> tuple[str, ...]:
    """Words whose own state the last word of a name denies: "lights" of lights_out, "power" of power_lost.

    What says the opposite of such a word says what the name says. "Off" undoes "on" where it ends the phrase as well.
    """
    *_, before, last = ("", "", *named)
    called_off = [w for w in (before, *said[-2:-1]) if w.endswith("ed") and w not in ("switched", "turned")]
    if last == "off" and said[-1:] in ((), ("off",)) and not called_off:
        return ("on", before)
    able = (w for w in content if w not in said[-1:])  # "ramp-down running" runs
    return tuple(w for w in able if last in DENIES.get(w, ()) and last not in AFFIRMS.get(w, ()))


def _bearers(named: Sequence[str], said: Sequence[str]) -> frozenset[str]:
    """ "The mower" of driving, "the mower is driving": its name is what is said of it, not who it is said of."""
    own = {stem(w) for w in named if w not in FAINT}
    own |= {stem(w) for w in said for short in own if w.startswith(ABBREVIATIONS.get(short, "\0"))}
    verb = next((k for k, w in enumerate(said) if w in _VERBS or stem(w) in own), len(said))
    subject = {stem(w) for w in said[:verb] if w not in FAINT}
    predicate = {stem(w) for w in said[verb:] if w not in FAINT}
    return frozenset(subject - own - predicate) if own and own <= predicate else frozenset()


_OVER = frozenset("done finished complete completed over ended passed ok okay failed ready requested".split())


def is_under_way(known: Known) -> bool:
    """Whether it says that something goes on: cleaning_active, but not calibration_done."""
    return not known.number and not _OVER & known.words


def words_of(text: str) -> tuple[str, ...]:
    """Lower-case words of a name or phrase; digits stand apart from letters."""
    return tuple(re.findall(r"[^\W\d_]+|\d+", text.lower()))


def digit_of(text: str) -> str:
    """The figure that a word says: "2", "two" and "second" say "2"; else ""."""
    return text if text.isdigit() else _SPELLED.get(text, "")


def bare(text: str) -> str:
    """The stem without what denies it: 'uncalibrated' speaks of 'calibrated', 'driverless' of a driver."""
    short = _without_denial(text)
    return stem(SYNONYMS.get(short, short)) if short != text else stem(text)


@lru_cache(maxsize=20_000)
def match(text: str, known: Known) -> tuple[float, str]:
    """How surely a word is a word of the entry (0 to 1), and which stem of it."""
    own = sorted(known.stems)  # the order of a set differs from one process to the next
    if text in known.words and text not in FAINT:
        return 1.0, stem(text)
    s = stem(text)
    if s in own:
        return 0.95, s
    other = stem(SYNONYMS.get(text, text))
    if other in own:
        return 0.8, other
    alike = [w for w in sorted(known.words) if text in IRREGULAR and IRREGULAR.get(w) == IRREGULAR[text]]
    if alike:
        return 0.8, stem(alike[0])
    short = bare(text)
    if short in own and short != s:
        return 0.8, short
    for o in own:
        if text.startswith(ABBREVIATIONS.get(o, "\0")) or shortens(o, text):
            return 0.8, o
    for word in sorted(known.words):
        if word not in FAINT and len(word) > 3 and len(text) > 3 and _same_root(word, text):
            return 0.75, stem(word)
    for o in own:
        if min(len(s), len(o)) >= 4 and (s.startswith(o) or o.startswith(s)):
            return 0.7, o
        if min(len(s), len(o)) >= 4 and (s.endswith(o) or o.endswith(s)):
            return 0.6, o
    for o in own:
        if min(len(s), len(o)) >= 4 and len(_common(s, o)) >= max(4, 0.7 * max(len(s), len(o))):
            return 0.5, o
    return 0.0, ""


def _same_root(word: str, text: str) -> bool:
    """ "Doser" and "dosing"; "diversion" of divert, "suspension" of suspended."""
    noun = re.fullmatch(r"(\w{4,})sions?", text)
    return root(word) == root(text) or (noun is not None and root(word) in (f"{noun[1]}t", f"{noun[1]}d"))


def _common(a: str, b: str) -> str:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return a[:n]


def affirms(text: str, known: Known) -> bool:
    """Whether a word says the state of the entry in another word."""
    return text in known.affirmed


def denies(text: str, known: Known) -> bool:
    """Whether a word says the opposite of the entry's state."""
    if text in known.words or affirms(text, known):
        return False
    return text in known.denials or _undone(text, known) or _of_a_family(text, known)


def _of_a_family(text: str, known: Known) -> bool:
    """ "Lowering" where "lowered" says the opposite."""
    if not text.endswith(("s", "ed", "ing")) or len(text) < 6 or stem(text) in known.stems:
        return False
    own = _verbs(known.denials) - _verbs(known.affirmed)
    return stem(text) in own


@lru_cache(maxsize=4096)
def _verbs(words: frozenset[str]) -> frozenset[str]:
    """The stems of words that end as verbs do."""
    return frozenset(stem(w) for w in words if len(w) > 5 and w.endswith(("s", "ed", "ing")))


def _undone(text: str, known: Known) -> bool:
    """ "Unhooked" where "hooked" says the state, "gloveless" of gloves."""
    short = text if stem(text) in WHOLE else _without_denial(text)
    bare_of = text.endswith("less") and stem(short) in known.stems
    return short != text and (bare_of or affirms(short, known))


def _without_denial(text: str) -> str:
    """A word without its negative prefix or ending, if it has one: "unlit", "lidless"."""
    if text.endswith("less") and len(text) > 6:
        return text.removesuffix("less")
    return _NEGATIVE_PREFIX.sub("", text, count=1)


def weights(knowns: Sequence[Known]) -> dict[str, float]:
    """How much each stem says about which entry is meant: shared and weak words say little."""
    counts: dict[str, int] = {}
    for known in knowns:
        for s in known.stems:
            counts[s] = counts.get(s, 0) + 1
    return {s: (0.35 if s in WEAK else 1.0) / n for s, n in counts.items()}
