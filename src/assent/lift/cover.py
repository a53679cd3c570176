"""The words around a name: a clause that only says a name becomes its placeholder, and nothing else.

"The swarm alert has gone off" is ``P1``, "the gate is shut" ``not P1``: articles, auxiliaries and particles around
the words of a mention belong to it. ``plain`` does the same for tokens, whoever made them, so that what networks are
trained on and what lifting hands over look alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assent.lift.clauses import BREAKS
from assent.lift.entries import Known, digit_of
from assent.lift.figures import Word
from assent.lift.idioms import moves_off, out_of_use, sets_off
from assent.lift.linker import Mention
from assent.lift.quantities import MORE_OR_LESS, UNIT_WORDS
from assent.lift.units import is_unit_word

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
SINGULAR = frozenset("is was has 's gets stays remains".split())
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


_STATES_BEHIND = frozenset(["on", "off", "up", "down", "in", "out"])


def said_behind(words: Sequence[Word], mention: Mention) -> list[int]:
    """Small words of the name that are said behind it: "the heater is ON", "the alarm GOES OFF"."""
    out = []
    for i in range(mention.at[-1] + 1, min(mention.at[-1] + 5, len(words))):
        if words[i].text in BREAKS or words[i].value is not None or i == mention.denied:
            break
        if sets_off(words, i, mention.known) or moves_off(words, i):
            out.append(i)
            continue
        place = i + 1 < len(words) and words[i + 1].text in ARTICLES  # "IN the next state"
        if words[i].text in _STATES_BEHIND and words[i].text in mention.known.words and not place:
            out.append(i)
    return out


_COMPARING = frozenset(
    """
    exceed exceeds exceeding exceeded above below under over past beyond more less least most reaches reach reached
    climbs climb drops drop falls fall rises rise rising falling between than tops maximum minimum max min
    """.split()
)


def compares(words: Sequence[Word], i: int) -> bool:
    """ "Slower than 5": the word says the signal and compares it."""
    after = words[i + 1].text if i + 1 < len(words) else ""
    or_so = i > 0 and words[i - 1].text == "or" and words[i].text in MORE_OR_LESS
    return words[i].text in _COMPARING or after == "than" or or_so


def consumed(words: Sequence[Word], mention: Mention) -> list[int]:
    """The words that a mention takes: its own, its number, and small words of its name between them."""
    known = mention.known
    own = [i for i in mention.at if not (known.number and compares(words, i))]
    low, high = mention.at[0], mention.at[-1]
    inner = [i for i in range(low, high + 1) if words[i].text in known.words and words[i].value is None]
    if set(inner) - set(mention.at):
        inner += [i for i in range(low, high + 1) if words[i].text in ("the", "a", "an")]
    figure = []
    if known.digits and not mention.bound:
        near = range(max(0, low - 1), min(len(words), high + 4))
        said = (i for i in near if digit_of(words[i].text) in known.digits or _says(words[i], known))
        figure = [i for i in said if i in mention.at or not _measures(words, i)][:1]
    taken = {*own, *inner, *figure}
    joints = [
        i for i in range(low, high) if words[i].text in ("'s", "-") and i - 1 in taken and i + 1 in taken
    ]
    return [*own, *inner, *figure, *joints, *out_of_use(words, mention.denied)]


def _measures(words: Sequence[Word], i: int) -> bool:
    """ "The O2 valve shuts within 2 s": a figure with a unit is no number of a name."""
    unit = words[i + 1].text if i + 1 < len(words) else ""
    return unit in UNIT_WORDS or is_unit_word(unit)


def _says(word: Word, known: Known) -> bool:
    return word.value is not None and str(word.value) in known.digits


ENDS = BREAKS | frozenset(_BOUNDS.split())
"""Words before which a clause is over."""


def _any(words: str | frozenset[str]) -> str:
    return (
        f"(?:{'|'.join(re.escape(w) for w in (words.split() if isinstance(words, str) else sorted(words)))})"
    )


_NAME = r"[PS](?:\d+|@\S+)"
_AUX = _any(AUXILIARIES)
_END = rf"(?=(?:{_any(ENDS)} |$))"
_OPENS = _any(", ; : . ? ! if when whenever until till unless while once that and or but as after before")
_MODAL = _any("must shall should will may can would might could")
_SOMEBODY = _any("it she he we they i you someone somebody anyone anybody there one")
# "The operation of the fan", "the presence of smoke": nouns that say that it is so.
_NOUNS = "operation presence activation occurrence onset existence running"
# "Shall do the following: a, b and c" asks for each of them.
_DO = "do does perform performs ensure ensures observe observes satisfy satisfies meet meets obey"
_MATTERS = "things actions steps tasks conditions rules requirements"
_TOGETHER = _any("all both")  # "P1 and P2 are BOTH", said of each already; "both eventually" says more
_CLAUSE_OVER = _any(". , ; : ? ! ) until till unless if when whenever while for and or but")
# What to leave out (the group), one rule after the other; tokens stand between single spaces.
_RULES = tuple(
    re.compile(rule)
    for rule in (
        rf"(?<= ){_NAME} (?:{_MODAL} )?(?:not )?((?:{_AUX} )+)(?:{_END}|(?=not {_END}))",
        rf"(?<= ){_NAME} ({_any(_LIGHT)} (?:{_any(_PARTICLES)} )?){_END}",
        rf"(?:(?<=^ )|(?<= ){_OPENS} )({_SOMEBODY} (?:{_AUX} )+)(?=(?:not |no )?{_NAME} )",
        rf"(?<= )({_NAME} )(?=\1)",
        rf"(?<= )({_any(ARTICLES)} )(?=(?:not )?{_NAME} )",
        rf"(?<= )and (?:not )?{_NAME} (?:{_MODAL} )?((?:{_AUX} )*{_TOGETHER} (?:{_AUX} )*)(?={_CLAUSE_OVER} |$)",
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
_SIGNED = rf"(?:not )?{_NAME}"
_OVER = (
    rf"(?= (?:{_any('. , ; while when whenever if unless until till as but for within after during')} |$))"
)
_VERB = _any(KEPT | AUXILIARIES)
_NEITHER = re.compile(
    rf"(?<= )(?P<lead>neither|none of) (?P<list>(?:{_MODAL} )?{_SIGNED}(?: (?:,|(?:, )?nor) {_SIGNED})*"
    rf"(?: (?:, )?(?:nor|(?<!, )and|or) {_SIGNED})(?:(?: {_MODAL})?(?: ,)? nor {_MODAL} {_SIGNED})?"
    rf"(?: {_VERB})*(?: ever)?){_OVER}"
)
_NEVER = re.compile(
    rf"(?<= )(?P<lead>(?:never|(?<=do )not)(?: ever)?(?: {_any('leave have keep let allow')})?) "
    rf"(?P<list>{_SIGNED}(?: (?:, |(?:, )?or ){_SIGNED})+){_OVER}"
)
_NONE = re.compile(rf"(?<= )(no) (?={_NAME} {_END})")
_NONE_OF = re.compile(rf"(?<= )(no) (?={_SIGNED}(?: , {_SIGNED})* nor {_SIGNED} )")
Kept = list[tuple[int, str]]


def plain(tokens: Sequence[str]) -> Kept:
    """The tokens to keep with their places in ``tokens``; those around names that say nothing are left out.

    "P1 is not until" is "not P1 until", and so is "no P1 until"; "never not P1" is "always P1", and "neither P1 nor not
    P2" is "not P1 and P2".
    """
    kept = _denials_first(list(enumerate(tokens)))
    for rule in _RULES:
        kept = _without(kept, rule)
    text = _joined(kept)
    for found in _NONE_OF.finditer(text):
        k = _place(text, found.start(1))
        kept[k] = (kept[k][0], "neither")
    text = _joined(kept)
    for found in _NONE.finditer(text):
        k = _place(text, found.start(1))
        kept[k] = (kept[k][0], "not")
    for found in reversed(list(_TWICE.finditer(text))):
        k = _place(text, found.start(1))
        kept[k : k + 2] = [(kept[k][0], "always" if found.group(1) == "never" else "keep")]
    return _each_turned(kept)


def _each_turned(kept: Kept) -> Kept:
    """ "Neither P1 nor not P2", "never P1 or not P2": where one of them is denied by itself, each says its own sign."""
    for rule in (_NEITHER, _NEVER):
        text = _joined(kept)
        for found in reversed(list(rule.finditer(text))):
            if "not" in found["list"].split():
                first, listed = _place(text, found.start()), _place(text, found.start("list"))
                end = _place(text, found.end() + 1)
                lead = _ALL_OF.get(kept[first][1])
                kept[first:end] = [*([(kept[first][0], lead)] if lead else ()), *_turned(kept[listed:end])]
    return kept


_ALL_OF = {"never": "always", "not": "keep"}


def _turned(listed: Kept) -> Iterator[tuple[int, str]]:
    """Each name of a list with the other sign."""
    for k, (i, token) in enumerate(listed):
        if re.fullmatch(_NAME, token):
            yield from ((i, token),) if k and listed[k - 1][1] == "not" else ((i, "not"), (i, token))
        elif token != "not":
            yield i, {"nor": "and", "or": "and", "ever": "always"}.get(token, token)


def _denials_first(kept: Kept) -> Kept:
    """ "P1 is not ," as "not P1 is ,", unless it is said of several: "P1 and P2 are not"."""
    text = _joined(kept)
    for found in _DENIED.finditer(text):
        listed = _LISTED.search(text[: found.start()])
        singular = bool(SINGULAR & set(found.group(2).split()))
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
