"""What a clause says as a whole settles its words: a state belongs to the thing beside it, a subject to its verb.

The linker weighs word by word. "The barriers are down" would speak of barrier_up and of barrier_down, "the gate is
closed" of gate_open and of bar_closed, "the mower is lifted" of driving (called "mower driving") and of lifted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assent.lift.clauses import CONTRASTS, PARTS, names_something, segments
from assent.lift.entries import FAINT, WEAK, Known, affirms, denies, match, words_of
from assent.lift.figures import Word
from assent.lift.groups import is_another
from assent.lift.idioms import goes_on
from assent.lift.linker import Mention
from assent.lift.opposites import OFF
from assent.lift.propose import has_content
from assent.lift.quantities import UNIT_WORDS
from assent.lift.stems import root, stem

# What may stand between a subject and its state: "the pump IS NOT paused", "the nurse paused THE pump".
_LINKS = frozenset(
    """
    is are was were be been being has have must shall should will may can not never no the a an by to stay stays in on
    at from neither either its under out of
    """.split()
)
_MODALS = frozenset("shall must should will may can has have had is are".split())


def without_measures(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions without the words that say a time or the ends of a range, and no name."""
    return [_without_bounds(words, mention) for mention in _timeless(words, mentions)]


_BOUNDS = frozenset(
    "outside inside within leaves leave leaving left beyond out off band range window limits".split()
)


def _timeless(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """ "For a full minute" speaks of no garage_full, "without interruption" of no lost mains, "2 s" of no o2."""
    said = {i for i, word in enumerate(words[:-1]) if word.text == "full" and words[i + 1].value is not None}
    said |= {i for i in range(1, len(words)) if words[i].text == "interruption" and goes_on(words, i)}
    said |= {
        i for i, word in enumerate(words[:-1]) if word.value is not None and words[i + 1].text in UNIT_WORDS
    }
    kept = ((mention, tuple(i for i in mention.at if i not in said)) for mention in mentions)
    return [replace(mention, at=at) for mention, at in kept if at]


def _without_bounds(words: Sequence[Word], mention: Mention) -> Mention:
    """ "The pressure leaves the band from 1 to 6 bar", "sags to 5 bar": said of a signal they compare it, and are no
    names."""
    kept = tuple(
        i
        for i in mention.at
        if match(words[i].text, mention.known)[0]
        or not (words[i].text in _BOUNDS or _leads_to_figure(words, i, mention))
    )
    return replace(mention, at=kept) if mention.known.number and kept else mention


def _tells_which(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "Overshoots the PERMISSIBLE 5 bar": a word before the figure that is none of the name's."""
    led = words[i - 1].text in ("the", "its", "a", "an") and words[i].value is None
    return led and has_content(words[i].text) and not match(words[i].text, mention.known)[0]


_LEADS_TO = frozenset("to of at by as near around about the a an towards behind before".split())


def _leads_to_figure(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """Whether a word stands between a name and its figure, so that it says how they compare: "transcends 80"."""
    if not any(k < i and match(words[k].text, mention.known)[0] for k in mention.at):
        return False
    at = i + 1
    while at < min(i + 6, len(words)) and (words[at].text in _LEADS_TO or _tells_which(words, at, mention)):
        at += 1
    text = words[i].text
    unknown = not mention.known.told(text) and has_content(text) and text not in _LEADS_TO
    return unknown and at < len(words) and words[at].value is not None


def settled(words: Sequence[Word], mentions: Sequence[Mention], table: Mapping[str, float]) -> list[Mention]:
    """The mentions without those that are part of another one of their clause, or say too little to be one.

    ``table``: words met in many domains, below zero where they are seldom part of a name.
    """
    out: list[Mention] = []
    for segment in segments(words):
        out += [m for m in mentions if m.at[0] in segment and m.bound]
        here = [_trimmed(words, m) for m in mentions if m.at[0] in segment and not m.bound]
        here = _merged(words, here)
        here = [m for m in here if not _faint(words, m, here, segment, table)]
        here = _states_given(words, here)
        out += [m for m in here if not _leans(words, m, here)]
    return _carried_on(words, sorted(out, key=lambda m: m.at[0]))


def _trimmed(words: Sequence[Word], mention: Mention) -> Mention:
    """ "STANDING on board with its engine live": a mention without what is said of something else before it."""
    for i in range(mention.at[0] + 1, mention.at[-1]):
        before = [words[k].text for k in mention.at if k < i]
        if words[i].text in PARTS and not any(match(text, mention.known)[0] for text in before):
            return replace(mention, at=tuple(k for k in mention.at if k > i))
    return mention


def behind_joints(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]
) -> list[Mention]:
    """ "A ferry that is neither MOORED nor manned": where two states are joined, each name begins with its own."""
    return [_behind_joint(words, mention, knowns) for mention in mentions]


def _behind_joint(words: Sequence[Word], mention: Mention, knowns: Sequence[Known]) -> Mention:
    if any(word.text in ("and", "or") for word in words[max(0, mention.at[0] - 2) : mention.at[0]]):
        return mention  # "the bar and the hatch are not both open"
    for i in range(mention.at[0] + 1, mention.at[-1]):
        later = tuple(k for k in mention.at if k > i)
        joins = words[i].text in ("neither", "both") and words[i - 1].text in _COPULAS | {"not"}
        if joins and [k for k in knowns if _names(words, later, k)] == [mention.known]:
            return replace(mention, at=later)
    return mention


def _names(words: Sequence[Word], at: Sequence[int], known: Known) -> bool:
    """Whether a word is one of the name: "Bob is neither TRYING nor ..." may be said of Alice as well."""
    return any(match(words[i].text, known)[1] in known.named - {""} for i in at)


_COPULAS = frozenset("is are was were be been".split())


def _carried_on(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """ "... and stays off for 5 s": a clause with a state alone goes on about what was named before."""
    out: list[Mention] = []
    for mention in mentions:
        texts = [words[i].text for i in mention.at]
        alone = (
            not mention.bound
            and _unsaid(words, mention)
            and all(_is_state(t, mention.known) or t in WEAK for t in texts)
        )
        before = [
            m for m in out if not m.known.number and all(_is_state(t, m.known) or t in OFF for t in texts)
        ]
        if alone and before:
            mention = replace(mention, known=before[-1].known, others=())
        out.append(mention)
    return out


def _merged(words: Sequence[Word], here: list[Mention]) -> list[Mention]:
    """Words that match another mention of the clause as well, and say nothing more of their own, belong to that one."""
    out = list(here)
    for mention in here:
        for other in out:
            if other.known is mention.known or mention not in out:
                continue
            shared = all(match(words[i].text, other.known)[0] >= 0.7 for i in mention.at)
            more = any(
                match(words[i].text, mention.known)[0] < 0.7 <= match(words[i].text, other.known)[0]
                for i in other.at
            )
            if shared and more and not _says_state(words, mention, here):
                both = tuple(sorted({*mention.at, *other.at}))
                out = [replace(m, at=both) if m is other else m for m in out if m is not mention]
                break
    return out


def with_rivals(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known], table: Mapping[str, float]
) -> list[Mention]:
    """ "The ticket is swallowed": where two entries have the words said, and a word is left over, both may be meant."""
    out = []
    taken = {i for m in mentions for i in m.at}
    for segment in segments(words):
        for mention in (m for m in mentions if m.at[0] in segment):
            rest = [
                i
                for i in segment
                if i not in taken and names_something(words, i) and table.get(words[i].text, 0.1) >= 0
            ]
            shared: list[str] = []
            if (
                rest
                and not mention.bound
                and _partly(words, mention)
                and not _says_state(words, mention, mentions)
            ):
                shared = [
                    k.entry.name
                    for k in knowns
                    if k is not mention.known and all(match(words[i].text, k)[0] >= 0.7 for i in mention.at)
                ]
            out.append(replace(mention, others=(*mention.others, *shared)) if shared else mention)
    return out


def _faint(
    words: Sequence[Word],
    mention: Mention,
    here: Sequence[Mention],
    segment: Sequence[int],
    table: Mapping[str, float],
) -> bool:
    """ "The boss shows up" does not speak of link_up: only a weak word or a state is said, and of something else."""
    known = mention.known
    weak = [_is_weak(words[i].text, known) for i in mention.at]
    if len(known.named) == 1 or not any(weak):
        return False
    if not all(w or match(words[i].text, known)[0] == 0 for i, w in zip(mention.at, weak, strict=True)):
        return False
    taken = {i for m in here for i in m.at}
    return any(
        names_something(words, i)
        and (words[i - 1].text in ("the", "a", "an") or table.get(words[i].text, 0.1) >= 0)
        for i in segment
        if i not in taken and 0 < i < mention.at[-1]
    )


def _is_weak(text: str, known: Known) -> bool:
    level, said = match(text, known)
    return (level > 0 and said in WEAK) or (level == 0 and _is_state(text, known)) or text in known.states


def _says_state(words: Sequence[Word], mention: Mention, here: Sequence[Mention]) -> bool:
    """Whether a word of the mention, or one beside it that is free, says its state or the opposite."""
    taken = {i for m in here if m is not mention for i in m.at}
    near = range(max(0, mention.at[0] - 3), min(len(words), mention.at[-1] + 6))
    known = mention.known
    return any(
        affirms(words[i].text, known) or denies(words[i].text, known) or words[i].text in known.states
        for i in near
        if i not in taken
    )


def _states_given(words: Sequence[Word], here: list[Mention]) -> list[Mention]:
    """A mention by its state alone gives it to a thing of the clause that can have it."""
    out = list(here)
    for mention in here:
        alone = all(_is_state(words[i].text, mention.known) for i in mention.at)
        things = [
            m
            for m in out
            if m is not mention
            and any(not _is_state(words[i].text, m.known) or words[i].text in m.known.subject for i in m.at)
            and not m.known.number
            and all(_can_take(words[i].text, m.known) for i in mention.at)
            and any(affirms(words[i].text, m.known) or denies(words[i].text, m.known) for i in mention.at)
        ]
        if alone and things and mention in out and not mention.known.number and _unsaid(words, mention):
            thing = min(things, key=lambda m: min(abs(i - j) for i in m.at for j in mention.at))
            both = tuple(sorted({*thing.at, *mention.at}))
            out = [replace(m, at=both) if m is thing else m for m in out if m is not mention]
    return out


def _can_take(text: str, known: Known) -> bool:
    """Whether a word says the state of an entry or the opposite, or is a word of its name before the state."""
    return affirms(text, known) or denies(text, known) or text in known.subject


def _unsaid(words: Sequence[Word], mention: Mention) -> bool:
    """Whether the name has words that the mention does not say."""
    said = {match(words[i].text, mention.known)[1] for i in mention.at}
    return len(mention.known.named) > 1 or not mention.known.named & said


def _is_state(text: str, known: Known) -> bool:
    return text in known.states or affirms(text, known) or denies(text, known)


def _leans(words: Sequence[Word], mention: Mention, here: Sequence[Mention]) -> bool:
    """A part of a name, without its state, beside another mention: its subject or object, or the one who acts."""
    known = mention.known
    if known.number or not _partly(words, mention) or _says_state(words, mention, here):
        return False
    if len(here) > 1 and all(match(words[i].text, known)[1] in known.bearers for i in mention.at):
        return True
    if _bears(words, mention, here):
        return True
    own = any(_of_name(words[i].text, known) for i in mention.at)
    for other in here:
        if other is mention or (_partly(words, other) and own and not other.known.number):
            continue
        low, high = sorted((mention, other), key=lambda m: m.at[0])
        between = [words[i].text for i in range(low.at[0] + 1, high.at[0]) if i not in (*low.at, *high.at)]
        if all(text in _LINKS for text in between):
            return True
    after = words[mention.at[-1] + 1].text if mention.at[-1] + 1 < len(words) else ""
    return not own and after in _MODALS


def _of_name(text: str, known: Known) -> bool:
    """Whether a word is one of the name or grown from one: "compression" of compressing."""
    return match(text, known)[1] in known.named or root(text) in map(root, words_of(known.entry.name))


def _bears(words: Sequence[Word], mention: Mention, here: Sequence[Mention]) -> bool:
    """ "Any COW with the cups attached" does not say cow_in_box, "no green for the TRAIN" not train_on_crossing."""
    first = mention.at[0]
    if len(mention.at) > 1:  # "a lost star with the laser on"
        return False
    before = [word.text for word in words[max(0, first - 2) : first]]
    opens = before[-1:] and before[-1] in _EACH and (len(before) == 1 or before[0] in _OPENING)
    if opens and [w.text for w in words[first + 1 : first + 2]] == ["with"]:
        return any(m.at[0] > first for m in here)
    return mention.known.place and is_for(words, first)


def is_for(words: Sequence[Word], i: int) -> bool:
    """ "A green FOR THE train": whom something is for."""
    before = [word.text for word in words[max(0, i - 3) : i]]
    return before[-2:] in (["for", "the"], ["for", "a"], ["for", "any"]) and before[0] not in _WAITING


_EACH = frozenset("a an any every each".split())
_OPENING = frozenset(", ; : . ? ! if when whenever that and once while".split())
_WAITING = frozenset("wait waits waiting look looks looking ask asks call calls except only".split())


def _partly(words: Sequence[Word], mention: Mention) -> bool:
    """Neither every word of the name nor every word of its phrase is said."""
    known = mention.known
    if any(words[i].text.endswith("less") and denies(words[i].text, known) for i in mention.at):
        return False  # "driverless" says it all
    said = {match(words[i].text, known)[1] for i in mention.at}
    weak = WEAK | FAINT
    name = {s for s in known.named if s not in weak and not s.isdigit()}
    phrase = {stem(w) for w in known.entry.phrase.lower().split() if w not in weak and stem(w) in known.stems}
    return not (name and name <= said) and not (phrase and phrase <= said)


_BEING = frozenset("is are be was were being been".split())


def objects_settled(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """ "The conveyor area" is one thing: part of a name right behind another name is none."""
    mentions = [_before_being(words, m) for m in mentions]
    ends = {m.at[-1] for m in mentions}
    return [m for m in mentions if m.at[0] - 1 not in ends or not _partly(words, m)]


def _before_being(words: Sequence[Word], mention: Mention) -> Mention:
    """ "The seals are free of contact": what a thing is said to be is no part of its name."""
    first, last = mention.at[0], mention.at[-1]
    being = next((i for i in range(first + 1, last) if words[i].text in _BEING), None)
    if being is None or any(match(words[i].text, mention.known)[0] for i in mention.at if i > being):
        return mention
    return replace(mention, at=tuple(i for i in mention.at if i < being))


def contradictions(words: Sequence[Word], mentions: Sequence[Mention]) -> list[str]:
    """ "The green box" where only a red one is known."""
    out = []
    for mention in mentions:
        if is_another(words, mention):
            continue
        own = mention.known.words & CONTRASTS
        near = range(max(0, mention.at[0] - 1), mention.at[-1] + 1)
        strange = [
            words[i].text
            for i in near
            if words[i].text in CONTRASTS and words[i].text not in mention.known.words
        ]
        if own and strange and not own & {words[i].text for i in near}:
            out.append(" ".join(words[i].text for i in near))
    return out
