"""A vocabulary proposed from a document: names, types, units and other wordings, for a person to edit.

Clauses of requirements ("the drain valve is open") become propositions, what is compared with a figure ("the flow
drops below 5 m3/h") becomes a signal. Clauses with the same words, in whatever form, are one name; so are "closed" and
"open" of the same thing. Nothing is decided here: a proposal is vouched for by whoever keeps it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from assent.documents.written import WrittenRequirement
from assent.errors import FragmentError
from assent.lift.figures import Word
from assent.lift.measures import MeasuredFigure, figures, is_unit
from assent.lift.opposites import denies_name
from assent.lift.propose import ARTICLES, clauses
from assent.lift.stems import stem
from assent.lift.words import common_unit, mark_numbers, split
from assent.vocabulary import TIME_UNITS, Entry, Vocabulary

_COMPARING = frozenset(
    """
    above below over under exceed exceeds exceeding exceeded fall falls falling drop drops dropping rise rises rising
    climb climbs lie lies stay stays reach reaches go goes get gets greater larger higher lower smaller least most than
    equal equals beyond past between increase increases decrease decreases beneath up down
    """.split()
)
_EMPTY = frozenset(
    """
    same together apart stretch again run runs running system controller software device unit present case event state
    condition due way maximum minimum order respectively indeed nobody someone somebody anybody
    """.split()
)
_BACK = frozenset("it they them this these that those he she".split())
_JOINING = frozenset(
    """
    is are be been being has have had shall must should will would can may never always not ever still only stay stays
    remain remains keep keeps eventually to a an the
    """.split()
)
"""Words that may stand between a thing and its state: "the store is always locked"."""
_AGENT = frozenset("system controller software device application program".split())
_UNIT = re.compile(r"\s*([°%A-Za-zµμΩ][°%A-Za-zµμΩ0-9/^²³·]*)")
_MOST_WORDS = 5
SHOWN = 3
"""Places that are named beside an entry."""


@dataclass(slots=True)
class Proposed:
    """One name with the wordings that led to it: how often each, and in which requirements."""

    words: tuple[str, ...]
    number: bool = False
    units: Counter[str] = field(default_factory=Counter)
    wordings: Counter[str] = field(default_factory=Counter)
    places: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        joined = re.sub(r"[^a-z0-9]+", "_", "_".join(self.words).lower()).strip("_")
        return joined if re.match(r"[a-z_]", joined) else f"n_{joined}"

    @property
    def says(self) -> str:
        return " ".join(self.words)

    def key(self) -> frozenset[str]:
        return frozenset(map(stem, self.words))


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was made of a document: a vocabulary, and for each name its wordings and where they stand."""

    vocabulary: Vocabulary
    entries: tuple[Proposed, ...]
    unread: tuple[str, ...] = ()
    """Requirements from which no names could be taken."""


def proposed(requirements: Iterable[WrittenRequirement]) -> Proposal:
    """A vocabulary for these requirements; it can be loaded as it is."""
    mentions: list[Proposed] = []
    units: Counter[str] = Counter()
    unread: list[str] = []
    for requirement in requirements:
        try:
            words = split(requirement.text)
            unit = common_unit(words)
            marked = mark_numbers(words, unit or "s")
        except FragmentError:
            unread.append(requirement.id)
            continue
        units.update([unit] if unit in TIME_UNITS else [])
        mentions += _mentions(requirement, marked)
    entries = _unique(_merged(mentions))
    vocabulary = Vocabulary(
        propositions=tuple(_entry(entry) for entry in entries),
        time_unit=(units.most_common(1) or [("s", 0)])[0][0],
    )
    return Proposal(vocabulary, tuple(entries), tuple(unread))


def _entry(entry: Proposed) -> Entry:
    unit = entry.units.most_common(1)[0][0] if entry.units else None
    return Entry(name=entry.name, says=entry.says, type="number" if entry.number else "bool", unit=unit)


def _mentions(requirement: WrittenRequirement, words: Sequence[Word]) -> Iterator[Proposed]:
    """What the clauses of one requirement speak of."""
    joined = _joined(words, clauses(words))
    measured = {
        id(clause): figure for figure in figures(words) if (clause := _subject(joined, figure)) is not None
    }
    for clause in joined:
        figure = measured.get(id(clause))
        named_words = tuple(
            words[i].text for i in clause if _worth(words[i].text, measured=figure is not None)
        )
        if (
            not named_words
            or len(named_words) > _MOST_WORDS
            or _only_unit(words, clause)
            or named_words[-1] in _AGENT
        ):
            continue
        if set(named_words) & _BACK or (figure is None and set(named_words) <= _EMPTY | _COMPARING):
            continue
        start, end = words[clause[0]].start, words[clause[-1]].end
        mention = Proposed(named_words, number=figure is not None, places=[requirement.id])
        mention.wordings[" ".join(requirement.text[start:end].split())] += 1
        if figure is not None and (unit := _unit(requirement.text, words[figure.at])) is not None:
            mention.units[unit] += 1
        yield mention


def _joined(words: Sequence[Word], parts: Sequence[list[int]]) -> list[list[int]]:
    """Clauses with those that go on with them behind an adverb."""
    out: list[list[int]] = []
    for clause in parts:
        between = range(out[-1][-1] + 1, clause[0]) if out else range(0)
        if between and all(words[i].text in _JOINING for i in between):
            out[-1] = [*out[-1], *clause]
        else:
            out.append(list(clause))
    return out


def _worth(word: str, *, measured: bool) -> bool:
    if word in ARTICLES or not re.search(r"[a-z]", word):
        return False
    return not (measured and word in _COMPARING)


def _subject(candidates: Sequence[list[int]], figure: MeasuredFigure) -> list[int] | None:
    """The clause that a figure is compared with: the last one before it that names something."""
    before = [clause for clause in candidates if clause[0] < figure.at]
    return before[-1] if before else None


def _only_unit(words: Sequence[Word], clause: Sequence[int]) -> bool:
    """Whether a clause is the unit behind a figure."""
    return clause[0] > 0 and words[clause[0] - 1].value is not None and len(clause) <= 3


def _unit(text: str, figure: Word) -> str | None:
    match = _UNIT.match(text, figure.end)
    if match is None:
        return None
    unit = match[1]
    return unit if is_unit(unit.lower()) or any(sign in unit for sign in "°%/") else None


def _merged(mentions: Sequence[Proposed]) -> list[Proposed]:
    """Mentions of the same thing as one entry: the same words, opposite words, or a part of the words."""
    entries: dict[frozenset[str], Proposed] = {}
    for mention in sorted(mentions, key=lambda m: (not m.number, -len(m.words))):
        into = (
            entries.get(mention.key())
            or _opposite(mention, entries.values())
            or _whole(mention, entries.values())
        )
        if into is None:
            entries[mention.key()] = mention
        else:
            into.wordings.update(mention.wordings)
            into.units.update(mention.units)
            into.places += mention.places
    return sorted(entries.values(), key=lambda entry: (entry.number, entry.name))


def _opposite(mention: Proposed, entries: Iterable[Proposed]) -> Proposed | None:
    """An entry that differs in one word, which says the opposite."""
    for entry in entries:
        mine, theirs = set(mention.words) - set(entry.words), set(entry.words) - set(mention.words)
        if len(mine) == len(theirs) == 1 and len(entry.words) > 1 and not entry.number:
            (word,), (counterpart,) = mine, theirs
            if denies_name(word, frozenset([counterpart])) or denies_name(counterpart, frozenset([word])):
                if counterpart == "off":  # a name says that something is on
                    entry.words = mention.words
                return entry
    return None


def _whole(mention: Proposed, entries: Iterable[Proposed]) -> Proposed | None:
    """The most frequent entry that has all words of a mention and one more ("the heater" of "heater on").

    Signals are told apart by every word: "temperature" is not "stone temperature".
    """
    if mention.number:
        return None
    key = mention.key()
    larger = [
        entry
        for entry in entries
        if key < entry.key() and not entry.number and (len(key) == 1 or len(entry.key()) - len(key) == 1)
    ]
    return max(larger, key=lambda entry: (len(entry.places), entry.name), default=None)


def _unique(entries: Iterable[Proposed]) -> list[Proposed]:
    """Entries whose names and words differ, so that the file can be loaded."""
    names: set[str] = set()
    phrases: set[str] = set()
    unique = []
    for entry in entries:
        if (
            entry.name not in names
            and entry.says not in phrases
            and re.fullmatch(r"[a-z_][a-z0-9_]*", entry.name)
        ):
            names.add(entry.name)
            phrases.add(entry.says)
            unique.append(entry)
    return unique


def as_toml(proposal: Proposal) -> str:
    """The vocabulary as TOML, each entry with its other wordings and places in a comment."""
    lines = [
        "# Proposed from the document: check every name, remove what is none, join what means the same.",
        f'time_unit = "{proposal.vocabulary.time_unit}"',
        "propositions = [",
    ]
    for entry, mentioned in zip(proposal.vocabulary.propositions, proposal.entries, strict=True):
        parts = [f'name = "{entry.name}"', f"says = {_quoted(entry.says)}"]
        parts += ['type = "number"'] if mentioned.number else []
        parts += [f"unit = {_quoted(entry.unit)}"] if entry.unit else []
        lines.append(f"  {{ {', '.join(parts)} }},{_comment(mentioned)}")
    lines.append("]")
    if proposal.unread:
        lines.append(_plain(f"# No names were taken from: {', '.join(proposal.unread)}"))
    return "\n".join(lines) + "\n"


def _comment(entry: Proposed) -> str:
    others = [wording for wording, _ in entry.wordings.most_common() if wording.lower() != entry.says]
    places = list(dict.fromkeys(entry.places))
    more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    also = f"also: {'; '.join(others[:4])} " if others else ""
    return _plain(f"  # {also}({', '.join(places[:SHOWN])}{more})")


def _plain(text: str) -> str:
    """A comment in one line of printed characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _quoted(text: str | None) -> str:
    return msgspec.json.encode(text or "").decode()
