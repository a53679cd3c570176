"""The words around a name: a clause that only says a name becomes its placeholder, and nothing else.

"The swarm alert has gone off" is ``P1``, "the gate is shut" ``not P1``: articles, auxiliaries and particles around
the words of a mention belong to it. ``plain`` does the same for tokens, whoever made them, so that what networks are
trained on and what lifting hands over look alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assent.lift.clauses import BREAKS
from assent.lift.entries import Known, affirms, denies
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.opposites import denies_name

ARTICLES = frozenset(["the", "a", "an"])
AUXILIARIES = frozenset(
    "is are was were be been being has have had having 's gets get got getting am".split()
)
KEPT = frozenset(
    "must shall should will may can would might could stay stays remain remains keep keeps".split()
)
"""Verbs of a clause that say more than its name: what has to be, and what goes on."""
_SMALL = (
    ARTICLES
    | AUXILIARIES
    | frozenset(
        """
        of in at on by with into from onto its their his her our your my under over - run runs ran gone goes go come
        comes turned turns become becomes seen found put set switched begun began begin begins start starts started
        holds contains
        """.split()
    )
)
_SINGULAR = frozenset("is was has 's gets stays remains".split())
_VERBS_OF = {
    "back": frozenset("hold holds holding held".split()),
    "still": frozenset("stand stands standing stood sit sits sitting".split()),
    "away": frozenset("take takes taken taking took go goes going gone".split()),
    "go": frozenset(["let", "lets", "letting"]),
    **dict.fromkeys(
        ("off", "out", "down"), frozenset("switch switches switched turn turns turned shut shuts".split())
    ),
}
_NOTS = frozenset(["not", "no"])
_SOMEONE = frozenset(["we", "i", "you", "they", "one"])
_PARTICLES = frozenset("up on in there here through".split())
_LIGHT = "comes come coming came goes go going turns turn turning turned shows show showing appears"
# Where what is said of a name is over: the rest of the sentence is about time, order or another name.
_BOUNDS = """
    ) for within in at by from during throughout with without every each always never only sooner eventually as
    immediately again forever whereupon because except though although which who whether either neither both
"""


@dataclass(frozen=True, slots=True)
class Cover:
    """``around``: words that say nothing but the name; ``denied``: the word that denies it in one piece with it.

    ``affirmed``: it is denied twice, "is not closed".
    """

    around: tuple[int, ...]
    denied: int | None
    affirmed: bool = False


def cover(
    words: Sequence[Word], mention: Mention, mentions: Sequence[Mention], *, together: bool = False
) -> Cover:
    """What belongs to a mention beside its own words; the words of other mentions end it.

    ``together``: it is denied by a word that is said of several.
    """
    taken = {i for m in mentions if m is not mention for i in m.at}
    at = sorted({*mention.at, *(() if mention.denied is None else (mention.denied,))})
    around: list[int] = []
    nots: list[int] = []
    whole = True
    for left, right in pairwise(at):
        between = range(left + 1, right)
        free = all(words[i].value is None and i not in taken for i in between)
        said_of = any(words[i].text in _NOTS for i in between)  # "a cow WE HAVE not identified"
        verbs = _VERBS_OF.get(words[right].text, frozenset()) if right == mention.denied else frozenset()
        verbs |= _SOMEONE if said_of else frozenset()
        if free and all(_belongs(words, i, mention, verbs) for i in between):
            nots += [i for i in between if words[i].text in _NOTS]
            around += between
        else:
            whole = False
    denials = [*nots, *(() if mention.denied is None else (mention.denied,))]
    trailing = _trailing(words, at[-1], taken)
    if mention.cancelled:
        verbs_of = (i for d in mention.cancelled for i in leading(words, mention, d))
        return Cover((*around, *mention.cancelled, *verbs_of), None, affirmed=True)
    if whole and len(nots) == 1 and len(denials) == 2:
        return Cover((*around, *denials, *trailing), None, affirmed=True)
    if not whole or len(denials) > 1 or together:
        around, denials = [i for i in around if words[i].text in ARTICLES or not denials], []
    lead = leading(words, mention, denials[0]) if denials else ()
    return Cover((*around, *lead, *trailing), denials[0] if denials else None)


def _belongs(words: Sequence[Word], i: int, mention: Mention, verbs: frozenset[str]) -> bool:
    """Whether a word between those of a mention says nothing else: "call TO THE brigade", "has BEGUN TO ring"."""
    text = words[i].text
    if text == "any" and words[i - 1].text == "of":  # "free OF ANY dispute"
        return True
    if text == "to":  # what has to be is more than its name
        return words[i - 1].text not in AUXILIARIES | _NOTS
    return text in _SMALL or text in verbs or text in _NOTS or text in mention.known.words


def leading(words: Sequence[Word], mention: Mention, denied: int) -> tuple[int, ...]:
    """ "HOLD back the grinder", "TAKE the cup away": the verb of the word that denies."""
    at = denied - 1
    while at > 0 and (at in mention.at or words[at].text in ARTICLES):
        at -= 1
    return (at,) if at >= 0 and words[at].text in _VERBS_OF.get(words[denied].text, ()) else ()


def _trailing(words: Sequence[Word], last: int, taken: Collection[int]) -> range:
    """ "Film is IN.": a particle that ends the clause."""
    at = last + 1
    while at < len(words) and words[at].text in AUXILIARIES and at not in taken:
        at += 1
    following = words[at + 1].text if at + 1 < len(words) else "."
    ends = at < len(words) and words[at].text in _PARTICLES and at not in taken and following in BREAKS
    return range(last + 1, at + 1) if ends else range(0)


# Words of a name that say a thing, although tables of states have them: "the heater and the fan are off".
_THINGS = frozenset(
    """
    heater light lights lamp lamps alarm warning alert fault frost leak smoke flood error emergency storm power mains
    supply cover lid guard hood cap screen display jam order night rain obstacle obstruction intruder person people
    pedestrian motion nozzle steam gas fire flame fog
    """.split()
)
_JOINTS = frozenset([",", "and", "or", "nor"])
_NOBODY = frozenset(["nobody", "nothing", "from", "back"])


def shared(words: Sequence[Word], mentions: Sequence[Mention]) -> dict[int, int]:
    """Denials said once of several: number of each mention that is denied -> the word that denies it.

    "The heater and the fan are off", "close the valve and the vent": each is denied by itself.
    """
    out: dict[int, int] = {}
    for k, mention in enumerate(mentions):
        denied = mention.denied
        thing = [i for i in mention.at if i != denied]
        if denied is None or not thing or mention.known.number or words[denied].text in _NOBODY:
            continue
        before = denied < thing[0]
        chain = _after(words, mentions, k, denied) if before else _before(words, mentions, k, denied)
        if chain:
            out[k] = denied
            out.update((n, denied) for n in chain if not affirms(words[denied].text, mentions[n].known))
    return out


def _before(words: Sequence[Word], mentions: Sequence[Mention], k: int, denied: int) -> list[int]:
    """The mentions of the list that ends with mention ``k``."""
    chain: list[int] = []
    first = k
    singular = any(words[i].text in _SINGULAR for i in range(mentions[k].at[0], denied))
    while True:
        at = mentions[first].at[0] - 1
        while at > 0 and words[at].text in ARTICLES:
            at -= 1
        joint = words[at].text if at > 0 else ""
        if joint not in _JOINTS or (first == k and (joint == "," or (singular and joint == "and"))):
            return chain
        while at > 0 and words[at].text in _JOINTS:
            at -= 1
        found = next((n for n, m in enumerate(mentions) if at in m.at or at == m.denied), None)
        if found is None or found == first or not _listed(words, mentions[found], denied):
            return chain
        chain.append(found)
        first = found


def _after(words: Sequence[Word], mentions: Sequence[Mention], k: int, denied: int) -> list[int]:
    """The mentions of the list that begins with mention ``k``, up to where one has a verb of its own."""
    chain: list[int] = []
    last = k
    while True:
        at = mentions[last].at[-1] + 1
        if at >= len(words) or words[at].text not in _JOINTS:
            ends = at >= len(words) or words[at].text in _ENDS
            return chain if ends or not chain else []
        while at < len(words) and words[at].text in _JOINTS | ARTICLES:
            at += 1
        found = next((n for n, m in enumerate(mentions) if at == m.at[0]), None)
        if found is None or not _listed(words, mentions[found], denied):
            return chain if words[at - 1].text in _JOINTS and found is None else []
        chain.append(found)
        last = found


def _listed(words: Sequence[Word], mention: Mention, denied: int) -> bool:
    """Whether a mention names a thing alone, of which the word that denies another can be said."""
    known = mention.known
    if known.number or mention.denied is not None or mention.cancelled:
        return False
    text = words[denied].text
    if any(i and words[i - 1].text in AUXILIARIES for i in mention.at):  # "is live" says more than a thing
        return False
    if not (denies_name(text, known.words) or denies(text, known) or affirms(text, known)):
        return False
    said = [words[i].text for i in mention.at if words[i].text not in _THINGS]
    if any(words[i].text in _WHERE for i in range(mention.at[0], mention.at[-1])):  # "visitor at the door"
        return False
    return not any(affirms(word, known) or word in known.states or _goes_on(word, known) for word in said)


_WHERE = frozenset("at in inside on under aboard".split())


def _goes_on(word: str, known: Known) -> bool:
    """ "Defrosting and lights off": what goes on is more than a thing."""
    return word.endswith("ing") and word in known.words and len(word) > 5


_ENDS = BREAKS | frozenset(_BOUNDS.split())


def _any(words: str | frozenset[str]) -> str:
    return (
        f"(?:{'|'.join(re.escape(w) for w in (words.split() if isinstance(words, str) else sorted(words)))})"
    )


_NAME = r"[PS](?:\d+|@\S+)"
_AUX = _any(AUXILIARIES)
_END = rf"(?=(?:{_any(_ENDS)} |$))"
_OPENS = _any(", ; : . ? ! if when whenever until till unless while once that and or but as after before")
_MODAL = _any("must shall should will may can would might could")
_SOMEBODY = _any("it she he we they i you someone somebody anyone anybody there one")
# "The operation of the fan", "the presence of smoke": nouns that say that it is so.
_NOUNS = "operation presence activation occurrence onset existence running"
# "Shall do the following: a, b and c" asks for each of them.
_DO = "do does perform performs ensure ensures observe observes satisfy satisfies meet meets obey"
_MATTERS = "things actions steps tasks conditions rules requirements"
# What to leave out (the group), one rule after the other; tokens stand between single spaces.
_RULES = tuple(
    re.compile(rule)
    for rule in (
        rf"(?<= ){_NAME} (?:{_MODAL} )?(?:not )?((?:{_AUX} )+)(?:{_END}|(?=not {_END}))",
        rf"(?<= ){_NAME} ({_any(_LIGHT)} (?:{_any(_PARTICLES)} )?){_END}",
        rf"(?:(?<=^ )|(?<= ){_OPENS} )({_SOMEBODY} (?:{_AUX} )+)(?=(?:not |no )?{_NAME} )",
        rf"(?<= )({_NAME} )(?=\1)",
        rf"(?<= )({_any(ARTICLES)} )(?=(?:not )?{_NAME} )",
        rf"(?<= )((?:the |an? )?{_any(_NOUNS)} of )(?={_NAME} )",
        rf"(?<= ){_NAME} (operation ){_END}",
        rf"(?<= ){_MODAL} (not not ){_END}",
        rf"(?<= )({_any(_DO)} (?:all (?:of )?)?the following (?:{_any(_MATTERS)} )?: )",
    )
)
_DENIED = re.compile(rf"(?<= )({_NAME}) ((?:{_AUX} )*)not {_END}")
_LISTED = re.compile(rf" {_NAME} (?:, )?(?P<joint>and|or|nor|,) (?:{_any(ARTICLES)} )?\Z")
_SOON_OVER = _any(". , ; : again until till unless before")
_TWICE = re.compile(
    rf"(?<= )(never|(?<=do )not|(?<=shall )not|(?<=must )not) not (?={_NAME} (?:{_SOON_OVER} |$))"
)
_NONE = re.compile(rf"(?<= )(no) (?={_NAME} {_END})")
Kept = list[tuple[int, str]]


def plain(tokens: Sequence[str]) -> Kept:
    """The tokens to keep with their places in ``tokens``; those around names that say nothing are left out.

    "P1 is not until" is "not P1 until", and so is "no P1 until"; "never not P1" is "always P1".
    """
    kept = _denials_first(list(enumerate(tokens)))
    for rule in _RULES:
        kept = _without(kept, rule)
    text = _joined(kept)
    for found in _NONE.finditer(text):
        k = _place(text, found.start(1))
        kept[k] = (kept[k][0], "not")
    for found in reversed(list(_TWICE.finditer(text))):
        k = _place(text, found.start(1))
        kept[k : k + 2] = [(kept[k][0], "always" if found.group(1) == "never" else "keep")]
    return kept


def _denials_first(kept: Kept) -> Kept:
    """ "P1 is not ," as "not P1 is ,", unless it is said of several: "P1 and P2 are not"."""
    text = _joined(kept)
    for found in _DENIED.finditer(text):
        listed = _LISTED.search(text[: found.start()])
        singular = bool(_SINGULAR & set(found.group(2).split()))
        if listed is None or (singular and listed["joint"] in ("and", ",")):
            name, denial = _place(text, found.start(1)), _place(text, found.end()) - 1
            kept.insert(name, kept.pop(denial))
    return kept


def _joined(kept: Kept) -> str:
    return f" {' '.join(token for _, token in kept)} "


def _place(text: str, at: int) -> int:
    """Which token begins there."""
    return text.count(" ", 0, at) - 1


def _without(kept: Kept, rule: re.Pattern[str]) -> Kept:
    text = _joined(kept)
    gone: set[int] = set()
    for found in rule.finditer(text):
        first = _place(text, found.start(1))
        gone.update(range(first, first + found.group(1).count(" ")))
    return [item for k, item in enumerate(kept) if k not in gone] if gone else kept
