"""Whether a mention affirms or denies its name: "the door is shut" denies door_open, "stop spraying" spraying."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assent.lift.clauses import is_tail, segments
from assent.lift.entries import FAINT, Known, affirms, bare, denies, match
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.opposites import OFF, ends_it
from assent.lift.propose import has_content
from assent.lift.stems import stem

_REACH = 8
_ALARMS = frozenset(
    "alarm alert siren bell buzzer horn beeper detector sensor gong whistle klaxon sounder trap airbag".split()
)
_GO = frozenset("go goes going went gone set sets setting".split())
_HAS = frozenset(["has", "have", "had", "having", "'s"])


def with_polarity(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions with the word that denies each, if one does."""
    out = list(mentions)
    taken = {i: k for k, m in enumerate(out) for i in m.at}
    for segment in segments(words):
        here = [k for k, m in enumerate(out) if m.at[0] in segment]
        for k in here:
            inside = next(
                (
                    i
                    for i in out[k].at
                    if _denied_within(words, i, out[k].known)
                    or (words[i].text == "back" and _held_back(words, i, out[k]))
                ),
                None,
            )
            if inside is not None:
                out[k] = replace(out[k], denied=inside)
        for i in segment:
            if i in taken or not here or is_tail(words, i):
                continue
            hit = _denied_by(words, i, out, here)
            if hit is not None and out[hit].denied is None and not out[hit].known.number:
                out[hit] = replace(out[hit], denied=i)
    return out


def _denied_within(words: Sequence[Word], i: int, known: Known) -> bool:
    """Whether a word of the mention itself says the opposite: "closed", "uncalibrated"."""
    text = words[i].text
    if known.number or _sets_off(words, i, known):
        return False
    if _goes_on(words, i):
        return False
    if denies(text, known) or (text in OFF and text not in known.words and not affirms(text, known)):
        return match(text, known)[0] < 0.9  # "locked" looks like a word of "unlocked", and is its opposite
    stems = known.stems
    if stem(text) not in stems and bare(text) != stem(text) and bare(text) in stems:
        return True
    return (ends_it(text, known.words) or _left(words, i, known)) and not match(text, known)[0]


def _denied_by(words: Sequence[Word], i: int, mentions: Sequence[Mention], here: Sequence[int]) -> int | None:
    """Which mention of the clause a word outside them denies."""
    text = words[i].text
    if _goes_on(words, i):
        return None
    reach = {k: min(abs(i - j) for j in mentions[k].at) for k in here}
    near = [k for k in sorted(here, key=lambda k: (reach[k], mentions[k].at[0] > i)) if reach[k] <= _REACH]
    near = [k for k in near if not _other_subject(words, i, mentions[k])]
    for k in near:
        known = mentions[k].known
        if denies(text, known) and text not in known.words and not _sets_off(words, i, known):
            return k
    for k in near[:1]:
        known = mentions[k].known
        plain = text not in known.words and not affirms(text, known) and not _sets_off(words, i, known)
        if plain and text in OFF:
            return k
        if plain and _held_back(words, i, mentions[k]):
            return k
        up = i + 1 < len(words) and words[i + 1].text == "up"  # "ends up on" is on
        if plain and reach[k] <= 4 and not up and (ends_it(text, known.words) or _left(words, i, known)):
            return k
    return None


def _other_subject(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "The pump runs while it is off": what stands behind a pronoun is said of something else."""
    before = max((j for j in mention.at if j < i), default=i)
    return any(words[k].text in ("it", "they") for k in range(before, i))


def _sets_off(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "The alarm goes off" sounds."""
    near = {words[k].text for k in range(max(0, i - 2), min(len(words), i + 2))}
    return (
        words[i].text in (*_GO, "off") and "off" in near and bool(near & _GO) and bool(known.words & _ALARMS)
    )


_BEFORE_OFF = frozenset("sign signs signing signed pull pulls pulling take takes taking kick kicks".split())
_VERBAL = frozenset("to shall must will should not never can may and".split())
_HOLDS = frozenset("hold holds held holding keep keeps kept keeping".split())
_BARS = frozenset("keep keeps kept keeping prevent prevents prevented stop stops bar bars barred".split())
_AWAY = frozenset("out away outside clear off".split())
_LEADING = frozenset("of from the a an its his her their any every under well".split())


def _goes_on(words: Sequence[Word], i: int) -> bool:
    """Looks like a state and is none: "still running", "later still", "signing off", "at the north end"."""
    text = words[i].text
    before = words[i - 1].text if i else ""
    after = words[i + 1].text if i + 1 < len(words) else ""
    if text == "still":
        return before == "later" or (has_content(after) and after not in FAINT)
    return (text == "off" and before in _BEFORE_OFF) or (text == "end" and before not in _VERBAL)


def _held_back(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "Hold the sprinklers back", "keep it from driving", "out of the lobby", "away from its dock"."""
    text = words[i].text
    lead = {words[k].text for k in range(max(0, i - 5), i)}
    if text == "back":
        return bool(lead & _HOLDS)
    if text == "from":
        return bool(lead & _BARS)
    if text not in _AWAY or not mention.known.place or mention.at[0] < i:
        return False
    between = [words[k].text for k in range(i + 1, mention.at[0])]
    led = between[:1] in (["of"], ["from"]) or text == "outside"
    return led and all(word in _LEADING for word in between)


def _left(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Has left safe mode"."""
    before = words[i - 1].text if i else ""
    return words[i].text == "left" and "left" not in known.words and before in _HAS


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
