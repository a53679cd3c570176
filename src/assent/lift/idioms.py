"""Where a word that often denies does not: "still on", "signs off", "gone in", "leave the van aboard"."""

from __future__ import annotations

from collections.abc import Sequence

from assent.lift.clauses import BREAKS, TURNS_OUT
from assent.lift.entries import Known, affirms, denies, match, words_of
from assent.lift.figures import Word
from assent.lift.units import is_unit_word

_ALARMS = frozenset(
    "alarm alert siren bell buzzer horn beeper detector sensor gong whistle klaxon sounder trap airbag".split()
)
_LIDS = frozenset("lid cover cap hood".split())
_LIGHTS = frozenset("light lights lamp lamps beacon beacons led".split())
_WARNINGS = _ALARMS | {"warning", "notice", "call", "message"}
_SOMEWHERE = frozenset("inside in aboard within".split())
_GO = frozenset("go goes going went gone set sets setting".split())
_STANDS = frozenset(
    """
    stand stands standing stood stay stays staying keep keeps keeping kept hold holds holding held sit sits sitting
    remain remains lie lies lying perfectly completely dead
    """.split()
)
_STANDS_BY = frozenset("stand stands standing stood".split())  # "a guard stands by"
_OFF_ON_ITS_WAY = frozenset(
    """
    sign signs signed signing fire fires fired pull pulls pulled pulling kick kicks send sends sent
    take takes took start starts started set sets show shows hand hands straight fresh
    """.split()
)
_MOVES = frozenset(
    "move moves moved moving drive drives drove driving roll rolls rolled rolling kick kicks kicked kicking".split()
)
_SOUNDS = frozenset("sound sounds sounded".split())
_RUNG = frozenset(["sounded", "blown", "rung"])
_GIVEN = frozenset("get gets getting got take takes taking have has needs given gives".split())
_UPON = frozenset(["on", "in", "at", "against", "upon", "inside"])
_LET_GO = frozenset(["dropped", "released", "jettisoned", "loose", "free"])
_OUT_THERE = frozenset(["there", "at", "into"])
_OUT_OF = frozenset("action service use gear operation commission".split())
_STILL_THERE = frozenset("in inside aboard on there here behind down around under below".split())
_WHOEVER = frozenset("nobody none nothing no anyone anybody soul souls".split())
_CARRY = frozenset(
    "carry carries carried carrying hand hands handed handing give gives print prints find point puts".split()
)
_EMERGES = frozenset("come comes came coming pour pours flow flows spray sprays drip drips".split())
_BREAKS_OUT = frozenset(
    "break breaks broke breaking help helps helping start starts started starting".split()
)
_COMES = frozenset("come comes came coming".split())
_INTO = frozenset("in into out over round through up on past by".split())
_MODAL = frozenset("to must shall will should can may would not never and".split())
_PARTICLES = frozenset(["off", "in", "over", "out"])
BE = frozenset("is are was were be been being 's has have".split())
_RUNNING = frozenset(["on", "running", "active", "cycle", "mode"])
_IS = frozenset("is are was were be".split())
_PREVENTED = frozenset("blocked inhibited suspended disabled suppressed withheld prevented".split())
_FIT = frozenset("ok okay healthy available working aligned ready online".split())

JUDGING = frozenset(
    """
    admissible inadmissible permissible impermissible permitted acceptable unacceptable allowed disallowed allowable
    forbidden prohibited barred banned outlawed ruled tolerable intolerable tolerated untolerated lawful unlawful legal
    illegal verboten taboo mandatory obligatory compulsory essential indispensable imperative vital necessary
    prerequisite possible impossible excluded precluded objectionable undesirable desirable inexcusable unthinkable
    """.split()
)
"""What is said, may be or must be so: a name has these words only where the vocabulary does."""


_NO_WAY = (
    ("out", "of", "the", "question"),
    ("out", "of", "bounds"),
    ("off", "limits"),
    ("off", "-", "limits"),
    ("ruled", "out"),
)


def judges(words: Sequence[Word], i: int, knowns: Sequence[Known]) -> bool:
    """Whether a word judges what is said of things, and is no part or state of a name."""
    if any(_judges_a_state(words, i, known) for known in knowns):
        return True
    text, phrase = words[i].text, _phrase_around(words, i)
    if phrase:
        return not any(phrase[-1] in known.words for known in knowns)
    if text not in JUDGING or not any(w.text in _IS for w in words[max(0, i - 2) : i]):
        return False
    return not any(text in known.words or _is_state(words, i, known) for known in knowns)


def _is_state(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "The gate is barred" of gate_open."""
    near = (w.text for w in words[max(0, i - 5) : i] if w.text not in known.states)
    told = affirms(words[i].text, known) or denies(words[i].text, known)
    return told and any(match(text, known)[0] for text in near)


def _phrase_around(words: Sequence[Word], i: int) -> tuple[str, ...]:
    """The set phrase that the word belongs to: "out of the question"."""
    for phrase in _NO_WAY:
        for start in range(max(0, i - len(phrase) + 1), i + 1):
            if tuple(word.text for word in words[start : start + len(phrase)]) == phrase:
                return phrase
    return ()


def _judges_a_state(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "The gate is barred" tells its state; "the gate open is blocked", "an open gate is banned" forbid it.

    "A running pump is disabled" does not: it is off then.
    """
    if words[i].text not in JUDGING | _PREVENTED:
        return False
    j = i - 1
    if j > 1 and words[j].text == "not":
        j -= 1
    if j < 2 or words[j].text not in _IS:
        return False
    said, before = words[j - 1].text, words[j - 2].text
    if (said in known.states or affirms(said, known)) and said not in known.subject:  # "the LAMP is disabled"
        return True
    adjective = before in known.states or affirms(before, known)
    return words[i].text in JUDGING and adjective and bool(match(said, known)[0])


def says_something_else(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Still on", "signs off", "gone in": where a word that often denies does not."""
    text = words[i].text
    before = words[i - 1].text if i else ""
    after = words[i + 1].text if i + 1 < len(words) else ""
    if _judges_a_state(words, i, known) or _phrase_around(words, i):
        return True
    if text in _PARTICLES:
        return _leads_elsewhere(words, i, known)
    if _becomes(text, before, after) or (text in _STANDS_BY and after == "by"):
        return True
    match text:
        case "on":  # "on detection of a fault"
            return (not before or before in BREAKS) and bool(after) and after not in BREAKS
        case "removal" | "release" | "failure":
            ordered = text == "release" and before in _MODAL
            return not ordered and after != "of" and (text != "failure" or not (after in BREAKS or not after))
        case "still":
            ends = after in BREAKS or after in ("for", "within", "by", "")
            return before not in _STANDS and not (ends and before != "later")
        case "gone":
            return _gone_on(words, i, known)
        case "end" | "leave" | "leaves" | "leaving" | "left":
            return _leaves_otherwise(words, i, known)
        case "rest":
            return _rests_not(words, i)
        case "stop" | "stops" | "stopped" | "stopping":
            return _stops_something(words, i, known)
        case "done" | "finished" | "complete" | "completed":
            return not _is_over(before, known)
        case "back":  # "the gas back on", "the green keeps coming back"
            returns = before in BE | _COMES and "turned" in known.words and "key" not in known.words
            return after in known.words or returns
        case "put":
            return before not in ("stays", "stay", "staying", "stayed", "remains", "remain")
        case "pause" | "interruption":
            return goes_on(words, i)
    return _begins(text, before, after, known) or (text in _GO and sets_off(words, i, known))


def _leaves_otherwise(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Leave the van aboard", "at the end", "left locked": nothing is over, and nobody goes."""
    text, before = words[i].text, words[i - 1].text if i else ""
    if text == "left":
        return _left_there(words, i, known)
    left = text != "end" and _leaves_it(words, i, known)
    return left or (text in ("end", "leave") and before not in _MODAL)


def _left_there(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Left locked", "not a soul is left in there", "anyone left aboard", "40 percent left": what is left stays."""
    if _is_amount_left(words, i):
        return True
    lead = [word.text for word in words[max(0, i - 4) : i]]
    after = words[i + 1].text if i + 1 < len(words) else ""
    if after in _STILL_THERE:
        timed = after in ("in", "on", "under") and i + 2 < len(words) and words[i + 2].value is not None
        return (
            not timed
            and bool(lead)
            and (lead[-1] in _IS or (bool(_WHOEVER & set(lead)) and lead[-1] not in BE))
        )
    if after and after not in BREAKS:
        stays = after in known.states or affirms(after, known) or denies(after, known)
        return stays and lead[-1:] not in (["has"], ["have"], ["had"])
    return bool(_WHOEVER & set(lead)) and lead[-1] not in ("has", "have", "had", "'s")


_OF_AN_AMOUNT = frozenset(
    "or less more fewer of its the charge capacity battery fuel energy is are was were".split()
)


def _is_amount_left(words: Sequence[Word], i: int) -> bool:
    """ "Less than 40 percent LEFT in the battery", "20 percent or less of its charge is left": what remains."""
    for word in reversed(words[max(0, i - 7) : i]):
        if word.value is not None:
            return True
        if word.text not in _OF_AN_AMOUNT and word.text != "%" and not is_unit_word(word.text):
            return False
    return False


def goes_on(words: Sequence[Word], i: int) -> bool:
    """ "Without (any) interruption", "no pause", "a pause"."""
    return words[i - 1].text == "a" or bool(
        {"without", "no"} & {word.text for word in words[max(0, i - 2) : i]}
    )


def out_of_use(words: Sequence[Word], i: int | None) -> range:
    """ "Out OF SERVICE" says no more than "out"."""
    said = [word.text for word in words[i : i + 3]] if i is not None else []
    whole = said[:2] == ["out", "of"] and said[2:] and said[2] in _OUT_OF | {"order", "line"}
    return range(i + 1, i + 3) if i is not None and whole else range(0)


def moves_off(words: Sequence[Word], i: int) -> bool:
    """ "The tram moves off", "the backup has kicked off": they begin."""
    return i > 0 and words[i].text == "off" and words[i - 1].text in _MOVES


def _is_over(before: str, known: Known) -> bool:
    """ "Loading is finished" of what goes on."""
    return before in BE and bool(known.words & _RUNNING or _goes_on(known))


def _rests_not(words: Sequence[Word], i: int) -> bool:
    """ "The rest of the run", but not "at rest" and "gets a rest of 30 s"."""
    before, after = words[i - 1].text if i else "", words[i + 1].text if i + 1 < len(words) else ""
    given = before == "a" and i > 1 and words[i - 2].text in _GIVEN
    return not given and (before not in ("at", "to") or after == "of")


def _gone_on(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Has gone green", "gone in", "the alarm has gone off"."""
    before, after = words[i - 1].text if i else "", words[i + 1].text if i + 1 < len(words) else ""
    changes = after == "from" and [w.text for w in words[i + 3 : i + 4]] == ["to"]
    becomes = after in known.states or affirms(after, known)
    alarmed = bool(known.words & _ALARMS) and (after == "off" or before not in ("is", "'s", "are"))
    rang = bool(known.words & _RUNG) or alarmed
    goes = after in _INTO and not is_time_said(words, i + 1)  # "gone in the next step"
    return changes or goes or after == "down" or becomes or rang


_TIMELY = frozenset(
    "once least most exactly next following latest earliest same very end start second".split()
)


def is_time_said(words: Sequence[Word], i: int) -> bool:
    """Whether a preposition there says when, not where: "at once", "in the next step", "by the latest"."""
    at = i + 1 + (i + 1 < len(words) and words[i + 1].text == "the")
    word = words[at] if at < len(words) else None
    counted = at + 1 < len(words) and words[at + 1].text in ("step", "steps", "cycle", "cycles")
    return word is not None and (word.text in _TIMELY or word.value is not None or counted)


def _stops_something(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "An emergency stop", "without a stop"; of a signal that is clear, "at stop" denies."""
    before, after = words[i - 1].text if i else "", words[i + 1].text if i + 1 < len(words) else ""
    if "without" in [w.text for w in words[max(0, i - 2) : i]] or before in ("emergency", "full"):
        return True
    if "clear" in known.states:
        return before not in ("at", "to") and after not in known.words  # "at stop", "a stop signal"
    return "@place" in known.states


def _leaves_it(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Leave the van aboard": what is left somewhere stays there; "leaves the lobby" does not."""
    named = [k for k in range(i + 1, min(i + 7, len(words))) if match(words[k].text, known)[0] >= 0.8]
    stems = {match(words[k].text, known)[1] for k in named}
    who = words[max(0, i - 3) : i]  # "process 1 leaves the critical section"
    leaver = any(
        match(word.text, known)[0] >= 0.8 and match(word.text, known)[1] not in stems for word in who
    )
    return known.place and len(stems) > 1 and not leaver


def _begins(text: str, before: str, after: str, known: Known) -> bool:
    """ "Rests on the seabed", "trips the alarm", "lets go of the weights": what ends other things begins these."""
    if text in ("rests", "resting", "rested"):
        return after in _UPON
    if text in ("trip", "trips", "tripped", "tripping"):
        return bool(known.words & _ALARMS)
    released = bool(known.words & _LET_GO)
    return text == "go" and (before not in ("let", "lets", "letting") or released)


def _becomes(text: str, before: str, after: str) -> bool:
    """ "Ends up locked" is locked, "winds up shut" shut, "for good" no praise, and "the fan runs on low" runs.

    A wire that stays low is denied.
    """
    if text == "low":
        return before not in BE | _STANDS | _GO or not (after in BREAKS or not after)
    turns_out = (text in TURNS_OUT and after == "up") or (text == "up" and before in TURNS_OUT)
    return turns_out or (text == "good" and before == "for")


def _leads_elsewhere(words: Sequence[Word], i: int, known: Known) -> bool:
    """The same for particles: "signs off", "takes over", "hands out"."""
    before = words[i - 1].text if i else ""
    after = words[i + 1].text if i + 1 < len(words) else ""
    match words[i].text:
        case "off":
            lids = known.words & _LIDS and "open" in known.states
            leads = before in _OFF_ON_ITS_WAY and not match(before, known)[0]  # "the open sign off"
            return bool(lids) or leads or sets_off(words, i, known) or moves_off(words, i)
        case "over":  # "loading is over", not "takes over", "over and over"
            said = any(match(w.text, known)[0] for w in words[max(0, i - 4) : i - 1])
            return before not in BE or not said
        case "out":
            if after == "of" and words[i + 2 : i + 3] and words[i + 2].text in _OUT_OF:
                return False
            if after == "of" and [w.text for w in words[i + 2 : i + 3]] in (["order"], ["line"]):
                return not _fit(known)
            warns = bool(known.words & _WARNINGS) and not known.words & _LIGHTS
            return (
                (after in _OUT_THERE and not is_time_said(words, i + 1))
                or (
                    before in _CARRY | _BREAKS_OUT and not match(before, known)[0]
                )  # "hands out of the gloves"
                or (before in _EMERGES and not known.place)  # water comes out, guests leave
                or warns
                or _out_of_nowhere(words, i, known)
            )
        case "in" if before in ("stay", "stays", "kept", "keep") and "out" in known.states:
            return False
        case "in":
            return after not in BREAKS and after not in ("", "within", "at", "for", "again", "by")
    return False


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
    if known.place and behind[:1] and behind[0] in ("his", "her", "their"):  # "out of his seat"
        return False
    if words_of(known.entry.name)[-1] in _SOMEWHERE and behind[:1] in (["the"], ["its"]):
        return False  # the name says inside, and not of what
    return not any(match(text, known)[0] >= 0.7 for text in behind)


def sets_off(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "The alarm goes off" sounds, and "shall sound off" says no less."""
    before = [word.text for word in words[max(0, i - 2) : i]]
    if words[i].text == "off" and before[-1:] and before[-1] in _SOUNDS and known.words & _ALARMS:
        return before[-1] == "sounds" or before[0] in _MODAL
    if words[i].text not in _GO | {"off"}:
        return False
    near = {words[k].text for k in range(max(0, i - 2), min(len(words), i + 2))}
    return "off" in near and bool(near & _GO) and bool(known.words & _ALARMS)
