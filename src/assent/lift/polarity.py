"""Whether a mention affirms or denies its name: "the door is shut" denies door_open, "stop spraying" spraying."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assent.lift.clauses import BREAKS, PARTS, is_tail, segments
from assent.lift.entries import FAINT, WHOLE, Known, affirms, bare, denies, match
from assent.lift.figures import Word
from assent.lift.idioms import BE, says_something_else
from assent.lift.linker import Mention
from assent.lift.opposites import NOBODY, OFF, ends_it
from assent.lift.propose import has_content
from assent.lift.stems import stem

_REACH = 8
_HOLDS = frozenset("hold holds holding held keep keeps kept keeping".split())
_RID = frozenset("free clear bare rid empty".split())
_AWAY = frozenset("out away outside clear off".split())
_LEADING = frozenset("of from the a an its his her their any every under well".split())
_KEEPS = frozenset(
    "keep keeps keeping kept stop stops stopped prevent prevents prevented bars block blocks".split()
)
_PAUSES = frozenset(
    "pause pauses pausing break breaks stop stopping interruption interruptions halt gap rest".split()
)
"""What runs without one of these runs on."""
_HAS = frozenset(["has", "have", "had", "having", "'s"])


def with_polarity(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions with the word that denies each, if one does."""
    out = list(mentions)
    taken = {i: k for k, m in enumerate(out) for i in m.at}
    for segment in segments(words):
        here = [k for k, m in enumerate(out) if m.at[0] in segment]
        for k in here:
            lacks = lacking(words, out[k])
            if lacks is not None:
                out[k] = replace(out[k], cancelled=(lacks,))
            for i in out[k].at:
                held = words[i].text == "back" and _held_back(words, i, out[k])
                if held or (_denied_within(words, i, out[k].known) and not _superseded(words, i, out[k])):
                    out[k] = _with_denial(words, out[k], i)
            without = _without(words, out[k]) or in_place(words, out[k])
            if without is not None:
                out[k] = _with_denial(words, out[k], without)
        for i in segment:
            if i in taken or not here or is_tail(words, i):
                continue
            hit = _denied_by(words, i, out, here)
            if hit is not None and not out[hit].known.number:
                out[hit] = _with_denial(words, out[hit], i)
    return [_denied_by_reader(words, mention) for mention in out]


DENIED = 0.5
"""What no table knows denies an entry where the reader finds that so probable."""


def _denied_by_reader(words: Sequence[Word], mention: Mention) -> Mention:
    """ "In the dark" of light_on: what no table knows, and nothing else denies, is denied as the reader tells."""
    chances = chances_of_denial(words, mention)
    if not chances or mention.denied is not None or mention.cancelled:
        return mention
    if sum(chances.values()) / len(chances) < DENIED:
        return mention
    return replace(mention, denied=max(chances), learnt=True)


def chances_of_denial(words: Sequence[Word], mention: Mention) -> dict[int, float]:
    """How probable it is that each word which no table knows says the opposite; none where a table knows the state."""
    known = mention.known
    if known.number or any(_is_state(words[i].text, known) for i in mention.at):
        return {}
    if _none_of(words, mention.at[0]):
        return {}
    looks = {i: mention.look(i) for i in mention.at if is_strange(words[i].text, known)}
    return {i: look.denial for i, look in looks.items() if look is not None}


def _none_of(words: Sequence[Word], i: int) -> bool:
    """ "NO satellite fix", "NOT A child": the reader's verdict is on these, which deny the name by themselves."""
    lead = [word.text for word in words[max(0, i - 3) : i]]
    begins = max((k + 1 for k, text in enumerate(lead) if text in BREAKS), default=0)
    said = " ".join(lead[begins:])
    return re.search(r"(?:^| )(?:no|not (?:a|an|one|any|another))(?: \w+)?$", said) is not None


_APART = frozenset(["out", "away"])
"""Small words that may be a state by themselves: "the mushroom is OUT"."""


def is_strange(text: str, known: Known) -> bool:
    """Whether no table knows what a word says of an entry."""
    return (
        (has_content(text) or (text in _APART and text not in known.words))
        and not known.told(text)
        and not match(text, known)[0]
        and not affirms(text, known)
        and not denies(text, known)
    )


def _without(words: Sequence[Word], mention: Mention) -> int | None:
    """ "The tub is without a dog": the word that parts the words of one name, and denies it."""
    between = range(mention.at[0] + 1, mention.at[-1])
    said = (i for i in between if words[i].text == "without" and i not in mention.at)
    parts = next((i for i in said if not _PAUSES & {word.text for word in words[i + 1 : i + 3]}), None)
    return done_without(words, mention) if parts is None else parts


def transitions(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """ "The fan goes from off to on": each of the two states is said of the fan by itself."""
    out = list(mentions)
    for i in range(len(words) - 3):
        if words[i].text != "from" or words[i + 2].text != "to":
            continue
        pair = (i + 1, i + 3)
        before = [m for m in out if m.at[0] < i and not m.known.number]
        able = [m for m in before if all(_is_state(words[k].text, m.known) for k in pair)]
        if not able or len({denies(words[k].text, able[-1].known) for k in pair}) == 1:
            continue
        known = able[-1].known
        out = [replace(m, at=tuple(k for k in m.at if k not in pair)) for m in out]
        out = [m for m in out if m.at] + [Mention(known, (k,)) for k in pair]
    return sorted(out, key=lambda m: m.at[0])


def _is_state(text: str, known: Known) -> bool:
    return text in known.states or affirms(text, known) or denies(text, known)


def _with_denial(words: Sequence[Word], mention: Mention, i: int) -> Mention:
    """The first word that denies it counts; "nobody has taken it away" says that it is there."""
    if mention.cancelled:
        return mention
    if mention.denied is None:
        return replace(mention, denied=i)
    pair = sorted((mention.denied, i))
    if [words[k].text in NOBODY or _fails_to(words, k) for k in pair] == [True, False]:
        return replace(mention, denied=None, cancelled=tuple(pair))
    return mention


def _fails_to(words: Sequence[Word], i: int) -> bool:
    """ "The ring fails to close": it is not closed."""
    return words[i].text in ("fail", "fails", "failed", "failing") and [
        w.text for w in words[i + 1 : i + 2]
    ] == ["to"]


def _opposes(words: Sequence[Word], i: int, known: Known) -> bool:
    """Whether a word, where it stands, says the opposite of an entry's state: "closed", "uncalibrated", "at rest"."""
    text = words[i].text
    if known.number or text in known.words or says_something_else(words, i, known):
        return False
    if bare(text) == stem(text) and match(text, known)[0] >= 0.7 and not _said_beside(words, i, known):
        return False  # "a cut" of cutter_on
    if denies(text, known) or (text in OFF and not affirms(text, known)):
        return True
    if _ordered(words, i, known):
        return True
    return stem(text) not in known.stems | WHOLE and bare(text) != stem(text) and bare(text) in known.stems


def _said_beside(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "The shutter is shut": the word of the name that this one is like is said by itself."""
    meant = match(words[i].text, known)[1]
    near = (match(word.text, known) for word in (*words[max(0, i - 4) : i], *words[i + 1 : i + 4]))
    return any(level >= 0.95 and said == meant for level, said in near)


def _ordered(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Lift the guard", "raise the ram": a verb in the form of an order, whose participle says the opposite."""
    text = words[i].text
    after = words[i + 1].text if i + 1 < len(words) else ""
    before = words[i - 1].text if i else ""
    if after not in ("the", "its", "all", "both", "their") or before in ("the", "a", "an"):
        return False
    if len(text) < 4 or text in known.words or affirms(text, known):
        return False
    return denies(f"{text.removesuffix('e')}ed", known)


def _denied_within(words: Sequence[Word], i: int, known: Known) -> bool:
    """Whether a word of the mention itself says the opposite."""
    if _opposes(words, i, known) or (_fails_to(words, i) and not known.number):
        return True
    if known.number or says_something_else(words, i, known):
        return False
    text = words[i].text
    ended = ends_it(text, known.words) and not affirms(text, known)  # "the guest leaves" of guest_gone
    return (ended or _left(words, i, known)) and not match(text, known)[0]


def _denied_by(words: Sequence[Word], i: int, mentions: Sequence[Mention], here: Sequence[int]) -> int | None:
    """Which mention of the clause a word outside them denies."""
    text = words[i].text
    reach = {k: min(abs(i - j) for j in mentions[k].at) for k in here}
    near = [k for k in sorted(here, key=lambda k: (reach[k], mentions[k].at[0] > i)) if reach[k] <= _REACH]
    near = [
        k for k in near if not _other_subject(words, i, mentions[k]) and not _parted(words, i, mentions[k])
    ]
    for k in near:
        known = mentions[k].known
        if (denies(text, known) or _ordered(words, i, known)) and _opposes(words, i, known):
            return k
    held = [
        k for k in near if _held_back(words, i, mentions[k]) and (text == "back" or mentions[k].at[-1] > i)
    ]
    if held:
        return held[0]
    if _fails_to(words, i):
        return next((k for k in near if mentions[k].at[-1] > i), None)
    for k in near[:1]:
        known = mentions[k].known
        plain = text not in known.words and not affirms(text, known)
        if not plain or says_something_else(words, i, known):
            return None
        if text in OFF or (reach[k] <= 4 and (ends_it(text, known.words) or _left(words, i, known))):
            return k
    return None


def _other_subject(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "The pump runs while it is off": what stands behind a pronoun is said of something else."""
    before = max((j for j in mention.at if j < i), default=i)
    return any(words[k].text in ("it", "they") for k in range(before, i))


def _superseded(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "A van PARKED with its engine running": the name's own state is said behind it, of another thing."""
    later = [
        k
        for k in mention.at
        if k > i and (words[k].text in mention.known.states or affirms(words[k].text, mention.known))
    ]
    return any(words[k].text in PARTS for k in range(i + 1, max(later, default=i)))


def _parted(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "Tied up behind a closed gate", "parked with the engine on": what stands before these is said of another."""
    return any(words[k].text in PARTS for k in range(i + 1, mention.at[0]))


def _held_back(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "Hold the sprinklers back", "keep it from driving", "out of the lobby", "away from its dock"."""
    text = words[i].text
    lead = {words[k].text for k in range(max(0, i - 5), i)}
    if text == "back":
        return bool(lead & _HOLDS)
    if text == "from":
        return bool(lead & _KEEPS)
    between = [words[k].text for k in range(i + 1, mention.at[0])]
    if text in _RID and between in (["of"], ["of", "the"], ["of", "any"]):
        return True
    if text not in _AWAY or not mention.known.place or mention.at[0] < i:
        return False
    led = between[:1] in (["of"], ["from"]) or text == "outside"
    return led and all(word in _LEADING for word in between)


def _left(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Has left safe mode", "safe mode is left"."""
    before = words[i - 1].text if i else ""
    passive = "mode" in known.words and before in BE
    return words[i].text == "left" and "left" not in known.words and (before in _HAS or passive)


def spoken_states(words: Sequence[Word], mentions: Sequence[Mention]) -> dict[int, bool]:
    """State words outside every mention that say (True) or deny (False) the state of one before them.

    "The lid, the feeder and the smoker shall remain closed, stopped and cold": each clause of states alone speaks of
    what was named before.
    """
    taken = {i for m in mentions for i in (*m.at, *(() if m.denied is None else (m.denied,)))}
    out: dict[int, bool] = {}
    for segment in segments(words):
        said = [i for i in segment if has_content(words[i].text) and words[i].text not in FAINT - OFF]
        if not said or any(i in taken for i in segment):
            continue
        before = [m for m in mentions if m.at[-1] < segment[0] and not m.known.number][-4:]
        verdicts = {i: _verdict(words[i].text, before) for i in said}
        if before and all(v is not None for v in verdicts.values()):
            out.update({i: v for i, v in verdicts.items() if v is not None})
    return out


def _verdict(text: str, before: Sequence[Mention]) -> bool | None:
    for mention in reversed(before):
        if denies(text, mention.known):
            return False
        if affirms(text, mention.known):
            return True
    return False if text in OFF and before else None


# States of a name that say that something is not there, or not enough of it.
_ABSENT = frozenset("off missing gone absent removed lost away empty low".split())
_PRESENT = frozenset("present there here @place".split())
_WITHOUT = frozenset("without no missing lacking lacks lack".split())
_BETWEEN = frozenset("a an any the its his her their".split())
_BE = frozenset("is are was were be been being stay stays remain remains stand stands 's".split())


def lacking(words: Sequence[Word], mention: Mention) -> int | None:
    """The word that says that the thing of a name is not there, where just that is its state."""
    known = mention.known
    if not _absent(known) or any(_says_state(words[i].text, known) for i in mention.at):
        return None
    less = [i for i in mention.at if words[i].text.endswith("less") and match(words[i].text, known)[0]]
    inside = [i for i in mention.at if words[i].text in _WITHOUT]
    before = _before(words, mention)
    if less or inside:
        return (less or inside)[0]
    return before if before is not None and words[before].text in _WITHOUT else None


def done_without(words: Sequence[Word], mention: Mention) -> int | None:
    """ "The ferry must be without passengers": a state, which the word denies."""
    i = _before(words, mention)
    stands = i is not None and i > 0 and words[i].text == "without" and words[i - 1].text in _BE
    return i if stands else None


def is_missed(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Without a cup" speaks of cup_present: of what is there or not, the thing says it all."""
    if known.number or not known.states or not all(state in _PRESENT for state in known.states):
        return False
    level, said = match(words[i].text, known)
    things = known.named - {stem(state) for state in known.states}
    before = _first_before(words, i)
    return level >= 0.9 and things == {said} and before is not None and words[before].text in _WITHOUT


def in_place(words: Sequence[Word], mention: Mention) -> int | None:
    """ "The lid stays in place", "leave the hat where it is": what may be off is on."""
    if "off" not in mention.known.states or any(words[i].text in mention.known.states for i in mention.at):
        return None
    behind = range(mention.at[-1] + 1, min(mention.at[-1] + 5, len(words) - 1))
    for i in behind:
        if words[i].text in BREAKS:
            return None
        said = " ".join(w.text for w in words[i : i + 3])
        if said == "where it is" or (words[i].text == "in" and words[i + 1].text == "place"):
            return i + 1
    return None


def _before(words: Sequence[Word], mention: Mention) -> int | None:
    return _first_before(words, mention.at[0])


def _first_before(words: Sequence[Word], i: int) -> int | None:
    """The word before an article and what it belongs to."""
    at = i - 1
    while at > 0 and words[at].text in _BETWEEN:
        at -= 1
    return at if at >= 0 else None


def _absent(known: Known) -> bool:
    return not known.number and bool(known.states) and all(state in _ABSENT for state in known.states)


def _says_state(text: str, known: Known) -> bool:
    return text in known.states or (affirms(text, known) and text not in _WITHOUT)
