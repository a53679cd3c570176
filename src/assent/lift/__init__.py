"""From English with names to placeholder tokens, and from a model's tokens back to a formula.

The embedded models never see a name or a number: names become ``P1`` (propositions, signals) and ``O1``
(objects, regions), numbers ``N1``, counted by first mention. What they write is put back exactly, so a
formula can hold no number and no name that the instruction does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assent.errors import FragmentError
from assent.lift.assemble import Marks, assemble, tidy
from assent.lift.beyond import beyond
from assent.lift.clauses import join_compounds, unknown_things, unnamed
from assent.lift.cover import Cover, compares, consumed, cover, leading, said_behind
from assent.lift.durations import in_figures, spelled_outside
from assent.lift.entries import Known, known_entries, match
from assent.lift.figures import Word, spoken_number
from assent.lift.groups import both_again, bound, joined, pronouns, several, unpaired
from assent.lift.groups import leading as group_lead
from assent.lift.leftovers import Unread, leftovers
from assent.lift.lifted import Lifted, LiftedSpan
from assent.lift.linker import Linking, Mention, shipped_linker
from assent.lift.lists import shared, signs
from assent.lift.measures import figures as measured_figures
from assent.lift.measures import rates, strange_units, unit_words
from assent.lift.polarity import spoken_states, transitions, with_polarity
from assent.lift.propose import is_name, propose
from assent.lift.questions import questions
from assent.lift.rewording import at_first, in_plain_words, signs_in_words, stopped, without_emphasis
from assent.lift.rivals import better_known, overlooked, without_rivals
from assent.lift.seen import WordVectors
from assent.lift.settle import (
    behind_joints,
    contradictions,
    objects_settled,
    settled,
    with_rivals,
    without_measures,
)
from assent.lift.units import STAND_IN, plain_words
from assent.lift.words import common_unit, mark_numbers, split
from assent.logic.ast import Logic
from assent.vocabulary import Entry, Vocabulary

__all__ = ["Lifted", "LiftedSpan", "Unread", "WordVectors", "lift", "linkings", "tidy"]

VERSION = "23"
"""Part of the fingerprint of whatever reads lifted text: raise it when lifting changes what a text becomes."""
MAX_WORDS = 400  # an instruction longer than this is not one requirement
_IDENTIFIER = re.compile(r"[_0-9]")


def lift(
    text: str, logic: Logic | str, vocabulary: Vocabulary | None = None, guess: WordVectors | None = None
) -> Lifted:
    """Replace names and numbers by placeholders. Without a vocabulary, names are proposed from the text.

    FragmentError where the text cannot be read: its characters, its numbers, its units, its length.
    """
    return linkings(text, logic, vocabulary, guess, 1)[0]


def linkings(
    text: str,
    logic: Logic | str,
    vocabulary: Vocabulary | None = None,
    guess: WordVectors | None = None,
    n: int = 4,
) -> list[Lifted]:
    """The best ways to read the names of an instruction, best first, with their ``cost``; at least one, at most n."""
    logic = Logic(logic)
    names = vocabulary.names if vocabulary else frozenset()
    words = split(text, frozenset(name.lower() for name in names))
    if len(words) > MAX_WORDS:
        raise FragmentError(
            f"the instruction has {len(words)} words; more than {MAX_WORDS} is not one requirement"
        )
    words = in_plain_words(without_emphasis(words))
    said = common_unit(words)
    if logic is Logic.LTL and said is not None:
        raise FragmentError(f"the instruction speaks of time in {said}, which LTL cannot say: use STL")
    unit = vocabulary.time_unit if vocabulary else said
    words = mark_numbers(in_figures(words, vocabulary.propositions if vocabulary else ()), unit or "s")
    if logic is Logic.STL:
        words = spelled_outside(words)
    if vocabulary is None or not names:
        marks = Marks({i: tokens or () for i, tokens in propose(words, logic).items()})
        lifted = assemble(text, logic, words, marks, unit, proposed=True)
        units = frozenset(i for at in unit_words(words, ()) for i in at)
        unread = tuple(leftovers(words, marks.tokens, text, (), units))
        return [replace(lifted, unread=unread, beyond=tuple(beyond(lifted.tokens, logic)))]
    spatial = logic is Logic.SPATIAL
    entries = (*vocabulary.objects, *vocabulary.regions) if spatial else vocabulary.propositions
    words = signs_in_words(at_first(join_compounds(words, entries)))
    things = frozenset(entry.name for entry in vocabulary.objects)
    return _linked(text, logic, words, entries, unit, guess, n, _foreign(vocabulary), things)


def _foreign(vocabulary: Vocabulary) -> frozenset[str]:
    """Words of the vocabulary with letters beyond ASCII, as the instruction may say them."""
    said = " ".join(vocabulary.phrases.values()).lower().split()
    return frozenset(word for word in said if not word.isascii())


def _linked(
    text: str,
    logic: Logic,
    words: list[Word],
    entries: tuple[Entry, ...],
    unit: str | None,
    guess: WordVectors | None,
    n: int,
    foreign: frozenset[str],
    things: frozenset[str],
) -> list[Lifted]:
    """The best linkings as lifted texts; those that come out the same count once."""
    knowns = known_entries(entries)
    words = words if logic is Logic.SPATIAL else stopped(words, knowns)
    measured = {entry.name for entry in entries if entry.type == "number"}
    linker = shipped_linker()
    out: list[Lifted] = []
    errors: list[FragmentError] = []
    for linking in linker.linkings(
        words, knowns, guess, n if n == 1 else 2 * n, things=logic is Logic.SPATIAL
    ):
        mentions = without_measures(words, linking.mentions)
        linking = replace(linking, mentions=tuple(_obeyed(words, mentions, knowns)))
        try:
            lifted = _assembled(text, logic, words, knowns, linking, unit, guess, things)
        except FragmentError as error:
            errors.append(error)
            continue
        lifted = replace(
            lifted,
            cost=linking.cost,
            unread=_unread(text, words, entries, linking, foreign),
            signals=frozenset(p for p, name in lifted.names.items() if name in measured),
            typed=bool(measured),
            beyond=tuple(beyond(_unnamed_tokens(words, linking.mentions, rates(words, entries)), logic)),
        )
        if all((lifted.tokens, lifted.names) != (other.tokens, other.names) for other in out):
            out.append(lifted)
    if not out:
        raise errors[0]
    return out[:n]


def _unread(
    text: str, words: Sequence[Word], entries: tuple[Entry, ...], linking: Linking, foreign: frozenset[str]
) -> tuple[Unread, ...]:
    """Words that nobody has read, and figures in units that nobody knows."""
    taken = {i for m in linking.mentions for i in m.at}
    named = {i for m in linking.mentions for i in m.at if match(words[i].text, m.known)[0]}
    strange = strange_units(words, named, entries, shipped_linker().table, text)
    units = frozenset(i for at in unit_words(words, entries) for i in at)
    return (*leftovers(words, taken, text, foreign, units), *strange)


def _unnamed_tokens(
    words: Sequence[Word], mentions: Sequence[Mention], rates: Sequence[range] = ()
) -> list[str]:
    """The words with numbers, their ``rates`` and the very words of names put aside: what else they say."""
    measured = {i for at in rates for i in at}
    named = {i for m in mentions for i in m.at if match(words[i].text, m.known)[0] >= 0.9}
    said = ("N1" if w.value is not None else "P1" if i in named else w.text for i, w in enumerate(words))
    return [text for i, text in enumerate(said) if i not in measured]


def _assembled(
    text: str,
    logic: Logic,
    words: list[Word],
    knowns: Sequence[Known],
    linking: Linking,
    unit: str | None,
    guess: WordVectors | None,
    things: frozenset[str],
) -> Lifted:
    table = shipped_linker().table
    if logic is Logic.SPATIAL:
        from assent.lift.scenes import in_metres, objects

        mentions = _with_identifiers(words, knowns, objects_settled(words, linking.mentions))
        mentions = without_rivals(words, _obeyed(words, mentions, knowns), knowns)
        mentions = _others(words, mentions, knowns, scene=True)
        marks = objects(words, mentions, knowns, things)
        strange = unknown_things(words, marks.tokens, table)
        return replace(
            assemble(text, logic, in_metres(words), marks, unit, proposed=False),
            unnamed=(*strange, *contradictions(words, mentions)),
            open=questions(words, mentions, guess, knowns),
        )
    found = settled(words, bound(words, linking.mentions, knowns), table)
    found = better_known(words, found, knowns)
    found = with_rivals(words, overlooked(words, found, knowns), knowns, table)
    found = _obeyed(words, _with_identifiers(words, knowns, found), knowns)
    mentions = behind_joints(words, without_rivals(words, found, knowns), knowns)
    mentions = _others(words, mentions, knowns, scene=False)
    words = _counted(words, mentions)
    mentions = with_polarity(words, transitions(words, both_again(words, mentions, knowns)))
    mentions += pronouns(words, mentions)
    implied = _implied(words, mentions, knowns) if logic is Logic.STL else []
    marks = _propositions(words, mentions, knowns)
    for i, known in implied:
        marks.before[i] = (f"P@{known.entry.name}",)
    signals = [(m.at[0], m.known.entry) for m in mentions if m.known.number]
    measured = _valued(words, [*signals, *((i, known.entry) for i, known in implied)], unit)
    units = unit_words(words, [known.entry for known in knowns])
    strange = unnamed(words, {*marks.tokens, *marks.before}, table, frozenset(i for at in units for i in at))
    for at in units:
        if not plain_words(words[at.start : at.stop]) and words[at.start - 1].value is not None:
            marks.tokens.setdefault(at.start, (STAND_IN,))
            for i in at:
                marks.drop(i)
    return replace(
        assemble(text, logic, measured, marks, unit, proposed=False),
        unnamed=(*strange, *contradictions(words, mentions)),
        open=(*questions(words, mentions, guess, knowns), *unpaired(words, mentions, knowns)),
    )


def _others(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known], *, scene: bool
) -> list[Mention]:
    """See ``others``, which is loaded where another one is spoken of."""
    pointing = {"other", "its", "one"} if scene else {"other"}
    if pointing.isdisjoint(word.text for word in words):
        return list(mentions)
    from assent.lift.others import other_things, pointed_at

    return (pointed_at if scene else other_things)(words, mentions, knowns)


def _obeyed(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[Mention]:
    """What the vocabulary's own sayings call for, where it has any."""
    if not any(known.sayings for known in knowns):
        return list(mentions)
    from assent.lift.sayings import obeyed

    return obeyed(words, mentions, knowns)


def _implied(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]
) -> list[tuple[int, Known]]:
    """See ``signals``, which is loaded where a figure is measured or compared."""
    measured = measured_figures(words)
    if not measured:
        return []
    from assent.lift.signals import implied_signals

    return implied_signals(words, measured, mentions, knowns)


def _valued(words: list[Word], signals: Sequence[tuple[int, Entry]], time: str | None) -> list[Word]:
    """See ``values``, which is loaded where a signal is spoken of."""
    if not signals:
        return words
    from assent.lift.values import in_units_of

    return in_units_of(words, signals, time)


def _counted(words: list[Word], mentions: Sequence[Mention]) -> list[Word]:
    """ "At least one space is free": a number word before a signal that counts is its value."""
    out = list(words)
    for mention in mentions:
        for i in (mention.at[0] - 1, mention.at[0] - 2):
            if (
                mention.known.number
                and i > 0
                and out[i - 1].text in ("least", "most", "than", "only", "exactly")
            ):
                found = spoken_number(out, i)
                if found is not None and out[i].value is None and i + found[1] <= mention.at[0]:
                    out[i] = replace(out[i], text="#", value=found[0])
    return out


def _with_identifiers(
    words: Sequence[Word], knowns: Sequence[Known], mentions: Sequence[Mention]
) -> list[Mention]:
    """A name written out as such needs no guessing, and for a letter nothing else is said."""
    names = {known.entry.name.lower(): known for known in knowns}
    written = {
        i: names[w.text]
        for i, w in enumerate(words)
        if w.text in names and (_IDENTIFIER.search(w.text) or (len(w.text) == 1 and is_name(words, i)))
    }
    kept = []
    for mention in mentions:
        letter = len(mention.known.phrase) == 1
        free = tuple(i for i in mention.at if i not in written and not letter)
        if free:
            kept.append(replace(mention, at=free))
    kept += [Mention(known, (i,)) for i, known in written.items()]
    return sorted(kept, key=lambda mention: mention.at[0])


def _propositions(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> Marks:
    marks = Marks()
    together = shared(words, mentions)
    for k, mention in enumerate(mentions):
        anchor = mention.at[0]
        group, joint = several(words, mention, knowns)
        token = f"P@{mention.known.entry.name}"
        names = [f"P@{known.entry.name}" for known in group]
        tokens = (*group_lead(words, mention), *joined(names, joint)) if group else (token,)
        if mention.known.number:
            kept = compares(words, anchor)
            tokens = (*tokens, words[anchor].text) if kept else tokens
        for i in consumed(words, mention):
            marks.drop(i)
        marks.tokens[anchor] = tokens
        alike = Cover((), None) if mention.known.number else None
        piece = alike or cover(words, mention, mentions, together=k in together)
        for i in piece.around:
            marks.drop(i)
        denied = anchor if mention.denied == anchor else together.get(k, piece.denied)
        if denied is None and group and not piece.affirmed:
            denied = mention.denied
        turned = piece.affirmed or (piece.denied is not None and piece.denied != mention.denied)
        mixed = [sign != turned for sign in signs(words, mentions, k, group)]
        if mixed:
            marks.tokens[anchor] = _each_denied(tokens, mixed)
            if denied is not None:
                marks.drop(denied)
        elif denied is not None:
            for i in (denied, *(leading(words, mention, denied) if k in together else ())):
                marks.tokens.setdefault(i, ())
            marks.tokens[anchor] = _each_denied(tokens)
            marks.denials[anchor] = denied
        elif mention.denied is not None and not piece.affirmed:
            marks.tokens[mention.denied] = ("not",)
    for mention in mentions:
        for i in said_behind(words, mention):
            marks.drop(i)
    for i, said in spoken_states(words, mentions).items():
        marks.tokens.setdefault(i, () if said else ("not",))
    return marks


def _each_denied(tokens: Sequence[str], denied: Sequence[bool] = ()) -> tuple[str, ...]:
    """ "Both valves are closed": each name by itself is denied, or those that ``denied`` says."""
    left = iter(denied or (True,) * len(tokens))
    return tuple(part for t in tokens for part in (("not", t) if t.startswith("P@") and next(left) else (t,)))
