"""A state that is said once of several things: "the heater and the fan are off", "close the valve and the vent".

Each thing of the list gets its own sign from the word: "the vent and the hatch are closed" denies vent_open and affirms
hatch_closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assent.lift.clauses import segments
from assent.lift.cover import ARTICLES, AUXILIARIES, ENDS, KEPT, SINGULAR
from assent.lift.entries import Known, affirms, denies
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.opposites import AFFIRMS, denies_name
from assent.lift.polarity import is_strange

# Words of a name that say a thing, although tables of states have them: "the heater and the fan are off".
_THINGS = frozenset(
    """
    heater light lights lamp lamps alarm warning alert fault frost leak smoke flood error emergency storm power mains
    supply cover lid guard hood cap screen display jam order night rain obstacle obstruction intruder person people
    pedestrian motion nozzle steam gas fire flame fog
    """.split()
)
_JOINTS = frozenset([",", "and", "or", "nor"])
_EVERY = frozenset("any all both its every each".split())
_VERBS = AUXILIARIES | KEPT | frozenset(["do", "does", "did"])
_CEASES = frozenset("cease ceases ceased ceasing quit quits end ends ended".split())
_LOSES = frozenset("lose loses losing".split())  # power, of things that can stop; contact, of others
_NOBODY = frozenset(["nobody", "nothing", "from", "back"])


def shared(words: Sequence[Word], mentions: Sequence[Mention]) -> dict[int, int]:
    """Denials said once of several: number of each mention that is denied -> the word that denies it."""
    out: dict[int, int] = {}
    for k, mention in enumerate(mentions):
        state = state_of(words, mentions, k)
        if state is None:
            continue
        thing = [i for i in mention.at if i != state]
        before = state < thing[0]
        chain = _after(words, mentions, k) if before else _before(words, mentions, k, state)
        while chain and not _able(words, mentions[chain[-1]], state):
            chain.pop()
        if chain and mention.denied == state:
            out[k] = state
        out.update((n, state) for n in chain if denied_by(words[state].text, mentions[n].known))
    return {**_carried(words, mentions), **out}


def _carried(words: Sequence[Word], mentions: Sequence[Mention]) -> dict[int, int]:
    """ "The door is shut, and so is the hatch", "nor shall the hatch", "the same goes for the hatch and the vent".

    Their state is the last one said before that they can have.
    """
    out: dict[int, int] = {}
    pointing: set[int] = set()
    for k, mention in enumerate(mentions):
        if not _points_back(words, mentions, k, listed=k - 1 in pointing):
            continue
        states = (state_of(words, mentions, n) for n in reversed(range(k)))
        said = next((i for i in states if i is not None and _able(words, mention, i)), None)
        if said is None:
            continue
        pointing.add(k)
        if denied_by(words[said].text, mention.known):
            out[k] = said
    return out


def denied_by(text: str, known: Known) -> bool:
    """Whether a state, said of an entry among others, says its opposite."""
    ceases = text in _CEASES or (text in _LOSES and denies("stopped", known))
    opposed = denies(text, known) or denies_name(text, known.words) or ceases
    return opposed and not affirms(text, known)


def _points_back(words: Sequence[Word], mentions: Sequence[Mention], k: int, *, listed: bool) -> bool:
    """Whether a mention is all that is said anew; ``listed``: so is the mention before it."""
    at, end = mentions[k].at[0] - 1, mentions[k].at[-1] + 1
    if end < len(words) and words[end].text not in ENDS:
        return False
    while at > 0 and words[at].text in ARTICLES:
        at -= 1
    lead = ["", "", *(w.text for w in words[: at + 1])][-3:]
    again = lead[1] in ("so", "nor") and lead[2] in _VERBS
    alike = lead[0] in ("same", "likewise") and lead[2] in ("for", "to", "of")
    return again or alike or lead[1:] == ["likewise", "for"] or (listed and lead[2] in _JOINTS)


def signs(words: Sequence[Word], mentions: Sequence[Mention], k: int, group: Sequence[Known]) -> list[bool]:
    """ "Both doors are shut" of left_door_open and right_door_shut: which the state denies; [] where all are alike."""
    state = state_of(words, mentions, k)
    if state is None:
        return []
    denied = [denied_by(words[state].text, known) for known in group]
    return denied if len(set(denied)) > 1 else []


def state_of(words: Sequence[Word], mentions: Sequence[Mention], k: int) -> int | None:
    """The word that denies a mention of a thing, or else the one that says its state."""
    mention = mentions[k]
    if mention.known.number or mention.cancelled:
        return None
    if mention.denied is not None:
        told = words[mention.denied].text not in _NOBODY and mention.at != (mention.denied,)
        return mention.denied if told else None
    said = [i for i in _near(words, mentions, k) if _says_state(words[i].text, mention)]
    if not said and len(mention.at) > 1:  # "the belt is on"
        said = [i for i in mention.at[-1:] if words[i].text in AFFIRMS]
    things = [i for i in mention.at if i not in said]
    return said[-1] if said and things and (said[-1] > things[-1] or said[-1] < things[0]) else None


def _near(words: Sequence[Word], mentions: Sequence[Mention], k: int) -> Iterator[int]:
    """The words of a mention, and the free ones behind it in its clause."""
    at = mentions[k].at
    taken = {i for n, m in enumerate(mentions) if n != k for i in (*m.at, m.denied)}
    part = next((s for s in segments(words) if at[-1] in s), [])
    yield from (i for i in part if i in at or (i > at[-1] and i not in taken))


def _says_state(text: str, mention: Mention) -> bool:
    known = mention.known
    if text in _THINGS or text in known.subject:
        return False
    return affirms(text, known) or text in known.states


def _before(words: Sequence[Word], mentions: Sequence[Mention], k: int, state: int) -> list[int]:
    """The mentions of the list that ends with mention ``k``."""
    chain: list[int] = []
    first = k
    singular = any(words[i].text in SINGULAR for i in range(mentions[k].at[0], state))
    while True:
        at = mentions[first].at[0] - 1
        while at > 0 and words[at].text in ARTICLES:
            at -= 1
        joint = words[at].text if at > 0 else ""
        if joint not in _JOINTS or (first == k and joint == ","):
            return chain
        while at > 0 and words[at].text in _JOINTS:
            at -= 1
        found = next((n for n, m in enumerate(mentions) if at in m.at or at == m.denied), None)
        if found is None or found == first or not _listed(words, mentions[found]):
            return chain
        if first == k and singular and joint == "and" and not _of(words, mentions[found].at[0]):
            return chain
        chain.append(found)
        first = found


def _of(words: Sequence[Word], i: int) -> bool:
    """ "None OF THE gate and the barrier is down"."""
    return "of" in (w.text for w in words[max(0, i - 2) : i])


def _after(words: Sequence[Word], mentions: Sequence[Mention], k: int) -> list[int]:
    """The mentions of the list that begins with mention ``k``, up to where one has a verb of its own."""
    chain: list[int] = []
    last = k
    while True:
        at = mentions[last].at[-1] + 1
        if at >= len(words) or words[at].text not in _JOINTS:
            ends = at >= len(words) or words[at].text in ENDS
            return chain if ends or not chain else []
        while at < len(words) and words[at].text in _JOINTS | ARTICLES | _EVERY:
            at += 1
        found = next((n for n, m in enumerate(mentions) if at == m.at[0]), None)
        if found is None or not _listed(words, mentions[found]):
            over = found is None or _is_ordered(words, mentions[found])
            return chain if words[at - 1].text in _JOINTS and over else []
        chain.append(found)
        last = found


def _listed(words: Sequence[Word], mention: Mention) -> bool:
    """Whether a mention names a thing alone, so that the state of another may be said of it."""
    known = mention.known
    if known.number or mention.denied is not None or mention.cancelled or _is_ordered(words, mention):
        return False
    if any(i and _is_verb(words, i - 1) for i in mention.at):  # "is live" says more than a thing
        return False
    if any(is_strange(words[i].text, known) for i in mention.at):  # "the siren wails"
        return False
    if any(words[i].text in _WHERE for i in range(mention.at[0], mention.at[-1])):  # "visitor at the door"
        return False
    return not any(_says_state(words[i].text, mention) or _goes_on(words[i].text, known) for i in mention.at)


def _is_ordered(words: Sequence[Word], mention: Mention) -> bool:
    """ "Stop the pump and LIGHT the lamp": a verb before its thing, which nothing else is said of."""
    first = mention.at[0]
    after = words[first + 1].text if first + 1 < len(words) else ""
    return len(mention.at) > 1 and after in ARTICLES and first + 1 not in mention.at


_WHERE = frozenset("at in inside on under aboard".split())


def _goes_on(word: str, known: Known) -> bool:
    """ "Defrosting and lights off": what goes on is more than a thing."""
    return word.endswith("ing") and word in known.words and len(word) > 5


def _is_verb(words: Sequence[Word], i: int) -> bool:
    """Whether a word is an auxiliary, unless it stands before its subject: "so IS pump 1"."""
    return words[i].text in AUXILIARIES and not (i and words[i - 1].text in ("so", "nor"))


def _able(words: Sequence[Word], mention: Mention, state: int) -> bool:
    """Whether it names a thing alone, of which the state is known to be said."""
    text = words[state].text
    said = denied_by(text, mention.known) or affirms(text, mention.known)
    return said and _listed(words, mention)
