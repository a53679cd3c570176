"""Whether a mention affirms or denies its name: "the door is shut" denies door_open, "stop spraying" spraying."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assent.lift.clauses import BREAKS, TURNS_OUT, is_tail, segments
from assent.lift.entries import FAINT, Known, affirms, bare, denies, match, words_of
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.opposites import NOBODY, OFF, ends_it
from assent.lift.propose import has_content
from assent.lift.stems import stem

_REACH = 8
_ALARMS = frozenset(
    "alarm alert siren bell buzzer horn beeper detector sensor gong whistle klaxon sounder trap airbag".split()
)
_LIDS = frozenset("lid cover cap hood".split())
_LIGHTS = frozenset("light lights lamp lamps beacon beacons led".split())
_WARNINGS = _ALARMS | {"warning", "notice", "call", "message"}
_GO = frozenset("go goes going went gone set sets setting".split())
_STANDS = frozenset(
    """
    stand stands standing stood stay stays staying keep keeps keeping kept hold holds holding held sit sits sitting
    remain remains lie lies lying perfectly completely dead
    """.split()
)
_OFF_ON_ITS_WAY = frozenset(
    """
    sign signs signed signing fire fires fired pull pulls pulled pulling kick kicks send sends sent take takes took
    start starts started set sets show shows hand hands straight fresh
    """.split()
)
_UPON = frozenset(["on", "in", "at", "against", "upon", "inside"])
_LET_GO = frozenset(["dropped", "released", "jettisoned", "loose", "free"])
_OUT_THERE = frozenset(["there", "at", "into"])
_CARRY = frozenset(
    "carry carries carried carrying hand hands handed handing give gives print prints find point puts".split()
)
_EMERGES = frozenset("come comes came coming pour pours flow flows spray sprays drip drips".split())
_BREAKS_OUT = frozenset("break breaks broke breaking help helps helping".split())
_INTO = frozenset("in into out over round through up on past by".split())
_MODAL = frozenset("to must shall will should can may would not never and".split())
_HOLDS = frozenset("hold holds holding held keep keeps kept keeping".split())
_RID = frozenset("free clear bare rid empty".split())
_AWAY = frozenset("out away outside clear off".split())
_LEADING = frozenset("of from the a an its his her their any every under well".split())
_KEEPS = frozenset(
    "keep keeps keeping kept stop stops stopped prevent prevents prevented bars block blocks".split()
)
_HAS = frozenset(["has", "have", "had", "having", "'s"])


def with_polarity(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions with the word that denies each, if one does."""
    out = list(mentions)
    taken = {i: k for k, m in enumerate(out) for i in m.at}
    for segment in segments(words):
        here = [k for k, m in enumerate(out) if m.at[0] in segment]
        for k in here:
            for i in out[k].at:
                held = words[i].text == "back" and _held_back(words, i, out[k])
                if held or _denied_within(words, i, out[k].known):
                    out[k] = _with_denial(words, out[k], i)
            without = _without(words, out[k])
            if without is not None:
                out[k] = _with_denial(words, out[k], without)
        for i in segment:
            if i in taken or not here or is_tail(words, i):
                continue
            hit = _denied_by(words, i, out, here)
            if hit is not None and not out[hit].known.number:
                out[hit] = _with_denial(words, out[hit], i)
    return out


def _without(words: Sequence[Word], mention: Mention) -> int | None:
    """ "The tub is without a dog": the word that parts the words of one name, and denies it."""
    between = range(mention.at[0] + 1, mention.at[-1])
    return next((i for i in between if words[i].text == "without" and i not in mention.at), None)


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
    if [words[k].text in NOBODY for k in pair] == [True, False]:
        return replace(mention, denied=None, cancelled=tuple(pair))
    return mention


def _opposes(words: Sequence[Word], i: int, known: Known) -> bool:
    """Whether a word, where it stands, says the opposite of an entry's state: "closed", "uncalibrated", "at rest"."""
    text = words[i].text
    if known.number or text in known.words or _says_something_else(words, i, known):
        return False
    if bare(text) == stem(text) and match(text, known)[0] >= 0.7:  # "a cut" of cutter_on
        return False
    if denies(text, known) or (text in OFF and not affirms(text, known)):
        return True
    if _ordered(words, i, known):
        return True
    return stem(text) not in known.stems and bare(text) != stem(text) and bare(text) in known.stems


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
    if _opposes(words, i, known):
        return True
    if known.number or _says_something_else(words, i, known):
        return False
    text = words[i].text
    ended = ends_it(text, known.words) and not affirms(text, known)  # "the guest leaves" of guest_gone
    return (ended or _left(words, i, known)) and not match(text, known)[0]


def _denied_by(words: Sequence[Word], i: int, mentions: Sequence[Mention], here: Sequence[int]) -> int | None:
    """Which mention of the clause a word outside them denies."""
    text = words[i].text
    reach = {k: min(abs(i - j) for j in mentions[k].at) for k in here}
    near = [k for k in sorted(here, key=lambda k: (reach[k], mentions[k].at[0] > i)) if reach[k] <= _REACH]
    near = [k for k in near if not _other_subject(words, i, mentions[k])]
    for k in near:
        known = mentions[k].known
        if (denies(text, known) or _ordered(words, i, known)) and _opposes(words, i, known):
            return k
    held = [
        k for k in near if _held_back(words, i, mentions[k]) and (text == "back" or mentions[k].at[-1] > i)
    ]
    if held:
        return held[0]
    for k in near[:1]:
        known = mentions[k].known
        plain = text not in known.words and not affirms(text, known)
        if not plain or _says_something_else(words, i, known):
            return None
        if text in OFF or (reach[k] <= 4 and (ends_it(text, known.words) or _left(words, i, known))):
            return k
    return None


def _other_subject(words: Sequence[Word], i: int, mention: Mention) -> bool:
    """ "The pump runs while it is off": what stands behind a pronoun is said of something else."""
    before = max((j for j in mention.at if j < i), default=i)
    return any(words[k].text in ("it", "they") for k in range(before, i))


def _says_something_else(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Still on", "signs off", "gone in": where a word that often denies does not."""
    text = words[i].text
    before = words[i - 1].text if i else ""
    after = words[i + 1].text if i + 1 < len(words) else ""
    if text in _PARTICLES:
        return _leads_elsewhere(words, i, known)
    if _becomes(text, before, after):
        return True
    match text:
        case "on":  # "on detection of a fault"
            return (not before or before in BREAKS) and bool(after) and after not in BREAKS
        case "removal" | "release" | "failure":
            return after != "of" and (text != "failure" or not (after in BREAKS or not after))
        case "still":
            ends = after in BREAKS or after in ("for", "within", "by", "")
            return before not in _STANDS and not (ends and before != "later")
        case "gone":
            changes = after == "from" and [w.text for w in words[i + 3 : i + 4]] == ["to"]
            becomes = after in known.states or affirms(after, known)  # "has gone green"
            rang = bool(known.words & _ALARMS) and (after == "off" or before not in ("is", "'s", "are"))
            return changes or after in _INTO or after == "down" or becomes or rang
        case "end" | "leave":
            return before not in _MODAL
        case "rest":
            return before not in ("at", "to") or after == "of"
        case "stop" | "stops" | "stopped" | "stopping":
            lead = [w.text for w in words[max(0, i - 2) : i]]
            if "without" in lead or before in ("emergency", "full"):
                return True
            signal = before == "at" or after in known.words  # "at stop", "a stop signal"
            return "@place" in known.states or ("clear" in known.states and not signal)
        case "done" | "finished" | "complete" | "completed":
            return before not in _BE or not (known.words & _RUNNING or _goes_on(known))
        case "put":
            return before not in ("stays", "stay", "staying", "stayed", "remains", "remain")
        case "pause":
            return before in ("a", "without")
    return _begins(text, before, after, known) or (text in _GO and _sets_off(words, i, known))


def _begins(text: str, before: str, after: str, known: Known) -> bool:
    """ "Rests on the seabed", "trips the alarm", "lets go of the weights": what ends other things begins these."""
    if text in ("rests", "resting", "rested"):
        return known.place and after in _UPON
    if text in ("trip", "trips", "tripped", "tripping"):
        return bool(known.words & _ALARMS)
    released = bool(known.words & _LET_GO)
    return text == "go" and (before not in ("let", "lets", "letting") or released)


def _becomes(text: str, before: str, after: str) -> bool:
    """ "Ends up locked" is locked, "winds up shut" shut, "for good" no praise, and "the fan runs on low" runs.

    A wire that stays low is denied.
    """
    if text == "low":
        return before not in _BE | _STANDS | _GO or not (after in BREAKS or not after)
    turns_out = (text in TURNS_OUT and after == "up") or (text == "up" and before in TURNS_OUT)
    return turns_out or (text == "good" and before == "for")


_PARTICLES = frozenset(["off", "in", "over", "out"])


def _leads_elsewhere(words: Sequence[Word], i: int, known: Known) -> bool:
    """The same for particles: "signs off", "takes over", "hands out"."""
    before = words[i - 1].text if i else ""
    after = words[i + 1].text if i + 1 < len(words) else ""
    match words[i].text:
        case "off":
            lids = known.words & _LIDS and "open" in known.states
            return bool(lids) or before in _OFF_ON_ITS_WAY or _sets_off(words, i, known)
        case "over":  # "loading is over", not "takes over", "over and over"
            said = any(match(w.text, known)[0] for w in words[max(0, i - 4) : i - 1])
            return before not in _BE or not said
        case "out":
            if after == "of" and [w.text for w in words[i + 2 : i + 3]] in (["order"], ["line"]):
                return not _fit(known)
            warns = bool(known.words & _WARNINGS) and not known.words & _LIGHTS
            return (
                after in _OUT_THERE
                or before in _CARRY | _BREAKS_OUT
                or (before in _EMERGES and not known.place)  # water comes out, guests leave
                or warns
                or _out_of_nowhere(words, i, known)
            )
        case "in" if before in ("stay", "stays", "kept", "keep") and "out" in known.states:
            return False
        case "in":
            return after not in BREAKS and after not in ("", "within", "at", "for", "again", "by")
    return False


_BE = frozenset("is are was were be been being 's has have".split())
_RUNNING = frozenset(["on", "running", "active", "cycle", "mode"])
_FIT = frozenset("ok okay healthy available working aligned ready online".split())


def _goes_on(known: Known) -> bool:
    """Whether the name says what goes on: stamping, loading."""
    return any(word.endswith("ing") and len(word) > 5 for word in words_of(known.entry.name))


def _fit(known: Known) -> bool:
    return bool(known.words & _FIT)


def _out_of_nowhere(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Out of an unlocked state", "straight out of the box": only of the place itself one can be out."""
    if i + 1 >= len(words) or words[i + 1].text != "of":
        return False
    behind = [w.text for w in words[i + 2 : i + 5]]
    return not any(match(text, known)[0] >= 0.7 for text in behind)


def _sets_off(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "The alarm goes off" sounds."""
    near = {words[k].text for k in range(max(0, i - 2), min(len(words), i + 2))}
    return "off" in near and bool(near & _GO) and bool(known.words & _ALARMS)


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
    passive = "mode" in known.words and before in _BE
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
