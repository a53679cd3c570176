"""From English with names to placeholder tokens, and from a model's tokens back to a formula.

The embedded models never see a name or a number: names become ``P1`` (propositions, signals) and ``O1``
(objects, regions), numbers ``N1``, counted by first mention. What they write is put back exactly, so a
formula can hold no number and no name that the instruction does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.clauses import unnamed
from assent.lift.figures import Word
from assent.lift.leftovers import Unread, leftovers
from assent.lift.linear import MAX_PLACEHOLDERS, delinearise, linearise
from assent.lift.measures import in_units_of
from assent.lift.names import Guess, Names, join_compounds, pronouns
from assent.lift.objects import Marks, find_objects
from assent.lift.propose import propose
from assent.lift.words import common_unit, mark_numbers, split
from assent.logic.ast import Formula, Logic
from assent.vocabulary import Entry, Vocabulary

__all__ = ["Lifted", "Span", "Unread", "lift", "tidy"]

VERSION = "3"
"""Part of the fingerprint of whatever reads lifted text: raise it when lifting changes what a text becomes."""
_IDENTIFIER = re.compile(r"[_0-9]")
MAX_WORDS = 400  # an instruction longer than this is not one requirement


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the instruction and the name it was taken for."""

    start: int
    end: int
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Lifted:
    """An instruction as tokens over placeholders, and what the placeholders stand for.

    ``unit`` is the time unit of the numbers, if one was said; ``proposed``: no vocabulary gave the names;
    ``unnamed``: clauses about something that the vocabulary has no name for; ``unread``: words that nobody has read;
    ``places``: where in the text each token stands; ``signals``: placeholders of numbers that are measured.
    """

    text: str
    logic: Logic
    tokens: tuple[str, ...]
    names: Mapping[str, str]
    numbers: Mapping[str, Fraction]
    spans: tuple[Span, ...]
    unit: str | None
    proposed: bool
    unnamed: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    signals: frozenset[str] = frozenset()

    def restore(self, tokens: Sequence[str]) -> Formula:
        """The formula that a model's prefix tokens spell for this instruction."""
        return delinearise(tokens, self.names, self.numbers)

    def tokens_of(self, formula: Formula) -> tuple[str, ...]:
        """A formula as prefix tokens over this instruction's placeholders; else FragmentError."""
        names = {name: placeholder for placeholder, name in self.names.items()}
        numbers = {value: placeholder for placeholder, value in self.numbers.items()}
        return linearise(formula, names, numbers)


def lift(
    text: str, logic: Logic | str, vocabulary: Vocabulary | None = None, guess: Guess | None = None
) -> Lifted:
    """Replace names and numbers by placeholders. Without a vocabulary, names are proposed from the text."""
    logic = Logic(logic)
    words = split(text, frozenset(name.lower() for name in vocabulary.names) if vocabulary else frozenset())
    if len(words) > MAX_WORDS:
        raise FragmentError(
            f"the instruction has {len(words)} words; more than {MAX_WORDS} is not one requirement"
        )
    said = common_unit(words)
    if logic is Logic.LTL and said is not None:
        raise FragmentError(f"the instruction speaks of time in {said}, which LTL cannot say: use STL")
    unit = vocabulary.time_unit if vocabulary else said
    words = mark_numbers(words, unit or "s")
    strange: tuple[str, ...] = ()
    if vocabulary is None or not vocabulary.names:
        marks = propose(words, logic)
    elif logic is Logic.SPATIAL:
        marks = find_objects(words, (*vocabulary.objects, *vocabulary.regions))
    else:
        words = join_compounds(words, vocabulary.propositions)
        marks, signals = _propositions(words, vocabulary.propositions, guess)
        words = in_units_of(words, signals)
        strange = unnamed(words, marks)
    proposed = vocabulary is None or not vocabulary.names
    lifted = _number(text, logic, words, marks, unit, proposed=proposed)
    entries = vocabulary.propositions if vocabulary else ()
    measured = {entry.name for entry in entries if entry.type == "number"}
    lifted = replace(lifted, signals=frozenset(p for p, name in lifted.names.items() if name in measured))
    return replace(lifted, unnamed=strange, unread=tuple(leftovers(words, marks, text, _foreign(vocabulary))))


def _foreign(vocabulary: Vocabulary | None) -> frozenset[str]:
    """Words of the vocabulary with letters beyond ASCII, as the instruction may say them."""
    said = " ".join(vocabulary.phrases.values()).lower().split() if vocabulary else []
    return frozenset(word for word in said if not word.isascii())


def _propositions(
    words: list[Word], entries: Sequence[Entry], guess: Guess | None
) -> tuple[Marks, list[tuple[int, Entry]]]:
    """Marks, and where which signal is named."""
    marks: Marks = {}
    names = {entry.name.lower(): entry for entry in entries}
    for i, word in enumerate(words):  # a name written out as such needs no guessing
        if _IDENTIFIER.search(word.text) and word.text in names:
            marks[i] = (f"P@{names[word.text].name}",)
    mentions = Names(entries, guess).find(words)
    for mention in (*mentions, *pronouns(words, mentions)):
        if any(i in marks for i in mention.at):
            continue
        anchor = mention.at[0]
        for i in mention.at:
            marks[i] = None
        token = f"P@{mention.entry.name}"
        marks[anchor] = (token,)
        for i in mention.denied:
            marks[i] = ("not", token) if i == anchor else ("not",)
    signals = [(mention.at[0], mention.entry) for mention in mentions if mention.entry.type == "number"]
    signals += [
        (i, names[word.text])
        for i, word in enumerate(words)
        if _IDENTIFIER.search(word.text) and word.text in names
    ]
    return marks, signals


_AFTER_POSSESSIVE = frozenset(["left", "right", "top", "side", "bottom"])


def _number(
    text: str, logic: Logic, words: list[Word], marks: Marks, unit: str | None, *, proposed: bool
) -> Lifted:
    """Final tokens: placeholders counted by first mention, quotation marks removed."""
    tokens: list[str] = []
    places: list[tuple[int, int]] = []
    seen: dict[str, str] = {}
    numbers: dict[Fraction, str] = {}
    spans: list[Span] = []
    for i, word in enumerate(words):
        if word.value == 0:
            places.append((word.start, word.end))
            tokens.append("0")  # zero is a word of the target language, too
            continue
        if word.value is not None:
            numbers.setdefault(word.value, f"N{len(numbers) + 1}")
            places.append((word.start, word.end))
            tokens.append(numbers[word.value])
            continue
        for token in _marked(words, i, marks):
            if not tidy([token]):
                continue
            places.append((word.start, word.end))
            if token[1:2] != "@":
                tokens.append(token)
                continue
            kind, name = token[0], token[2:]
            if token not in seen:
                seen[token] = f"{kind}{1 + sum(key[0] == kind for key in seen)}"
            tokens.append(seen[token])
            spans.append(Span(word.start, word.end, text[word.start : word.end], name))
    if max(len(seen), len(numbers)) > MAX_PLACEHOLDERS:
        raise FragmentError(f"more than {MAX_PLACEHOLDERS} names or numbers in one instruction")
    return Lifted(
        text,
        logic,
        tidy(tokens),
        {placeholder: token[2:] for token, placeholder in seen.items()},
        {placeholder: value for value, placeholder in numbers.items()},
        tuple(spans),
        unit,
        proposed,
        places=tuple(places),
    )


def _marked(words: list[Word], i: int, marks: Marks) -> tuple[str, ...]:
    if i in marks:
        return marks[i] or ()
    if words[i].text == "'s":
        following = words[i + 1].text if i + 1 < len(words) else ""
        return ("'s",) if following in _AFTER_POSSESSIVE else ("is",)
    return (words[i].text,)


def tidy(tokens: Sequence[str]) -> tuple[str, ...]:
    """Without quotation marks, which say nothing.

    Brackets around a name stay: they mark lifted sentences, in which "if ( P1 ) then ( P2 )" speaks of now, whereas
    "if the door is open, the light is on" is a rule for all times.
    """
    return tuple(token for token in tokens if token not in ('"', "`", "'", ""))
