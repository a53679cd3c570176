"""The one who handles a thing is no part of the formula: "the ROBOT shall put the jug on the table".

Where the vocabulary has a name for it, that name is meant only where something is said of it: where it moves, stays or
touches. Wherever that may be so, it stays a name.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from assent.lift.figures import Word
from assent.lift.linker import Mention

_ACTORS = frozenset(
    """
    robot cobot bot arm manipulator gripper operator worker technician assistant helper attendant butler
    """.split()
)
_MODALS = frozenset(
    "shall must should will would may can has have needs need to is be ought going required supposed".split()
)
_ADVERBS = frozenset(
    """
    not never always first then also eventually immediately finally lastly next afterwards again at once once only
    subsequently instantly promptly quickly carefully either ever thereafter later now just still and
    """.split()
)
_HANDLES = frozenset(
    """
    put place bring move carry take set lay return throw drop keep leave have get transfer transport deliver stack stow
    store push pull slide drag shift hang position remove toss load insert fetch convey relocate deposit arrange
    puts places brings moves carries takes sets lays returns throws drops keeps leaves gets transfers transports
    delivers stacks stows stores pushes pulls slides drags shifts hangs positions removes tosses loads inserts
    """.split()
)
_DETERMINERS = frozenset(
    "the a an both all each every either two three four of any no this that these those".split()
)
_PRONOUNS = frozenset("it them both these those either neither all".split())
_LISTED = frozenset(", and or never always first a b c".split())
_RELATIONS = frozenset(
    """
    on onto in into inside to at above over under underneath below beneath next near nearby beside left right between
    away far off out from within close closer against back behind touching together apart there here clear upon
    outside further farther up down
    """.split()
)
_BEFORE = frozenset(
    """
    of to from near by with beside above below under over behind touching touches touch between than against in on
    """.split()
)
# What is said of the one who acts: "... and then MOVE to the dock", "without TOUCHING the cup".
_OWN = frozenset(
    """
    go drive come stay remain wait touch approach retreat travel head be stop avoid visit enter follow dock hold grasp
    grip release rest stand
    """.split()
)
_OWN_ING = frozenset(
    """
    going driving coming staying remaining waiting touching approaching retreating travelling heading being stopping
    avoiding visiting entering holding grasping gripping moving returning leaving keeping
    """.split()
)
_EITHER_WAY = frozenset("move return leave keep park get back turn".split())
_JOINS = frozenset("and then , but or ; before after without while when by".split())
_SELF = frozenset("its itself his her him himself he she".split())
_SAYS = frozenset("is are shall must should goes go stays stay touches lies stands has have be put".split())


def handlers(words: Sequence[Word], mentions: Sequence[Mention], things: Container[str]) -> list[Mention]:
    """The mentions that only say who handles one of the ``things`` (names of objects, not of regions)."""
    return [mention for mention in mentions if _only_handles(words, mention, mentions, things)]


def acts(words: Sequence[Word], end: int, marks: Container[int]) -> bool:
    """ "The bench robot | shall PUT the cup ...": whether who was named before ``end`` handles something named behind.

    Who acts is no part of the formula, whatever it is called; ``marks``: where names of the vocabulary stand.
    """
    texts = [word.text for word in words]
    verb = _verb(texts, end)
    if verb is None or texts[verb] in _MODALS or texts[end] not in ("shall", "must", "should", "will", "has"):
        return False
    return verb + 1 in marks or bool(_DETERMINERS & set(texts[verb + 1 : verb + 2]))


def _only_handles(
    words: Sequence[Word], mention: Mention, mentions: Sequence[Mention], things: Container[str]
) -> bool:
    texts = [word.text for word in words]
    last = mention.at[-1]
    if texts[last] not in _ACTORS or mention.group or not _is_subject(texts, mention, mentions):
        return False
    taken = {i for m in mentions if m.known is not mention.known for i in m.at}
    verb = _verb(texts, last + 1)
    handled = {i for m in mentions if m.known.entry.name in things for i in m.at} & taken
    if verb is None or not _puts_somewhere(words, verb, taken, handled):
        return False
    first = not any(i < mention.at[0] for i in taken)
    return not _said_of_it(texts, last, verb, taken, first=first)


def _is_subject(texts: Sequence[str], mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether it begins its clause: "the cup beside the robot" is no robot, nor are "the dog and the robot" one."""
    i = mention.at[0] - 1
    while i >= 0 and texts[i] in ("the", "a", "an", "our", "your"):
        i -= 1
    if i < 0:
        return True
    if texts[i] in _BEFORE:
        return False
    if texts[i] in ("and", "or", "nor"):
        start = max((k for k in range(i) if texts[k] in (",", ";", ".", ":")), default=-1)
        return any(text in _SAYS for text in texts[start + 1 : i])
    return True


def _verb(texts: Sequence[str], i: int) -> int | None:
    """Where the verb of handling stands whose subject ends before ``i``."""
    helped = False
    while i < len(texts) and (texts[i] in _MODALS or texts[i] in _ADVERBS):
        if texts[i] == "have" and helped:
            return i  # "shall HAVE the rose in the vase"
        helped = helped or texts[i] in _MODALS
        i += 1
    return i if i < len(texts) and texts[i] in _HANDLES else None


def _puts_somewhere(words: Sequence[Word], verb: int, taken: set[int], handled: set[int]) -> bool:
    """ "Put the jug ON ...": another thing is handled, and it is said where it goes."""
    found = False
    for i in range(verb + 1, len(words)):
        text = words[i].text
        if i in taken or (not found and text in _PRONOUNS):
            if not found and i in taken and i not in handled:
                return False  # "leave the kitchen to the left"
            found = True
        elif not (text in _DETERMINERS or text in _PRONOUNS or (found and text in _LISTED)):
            return found and text in _RELATIONS and not _of_time(words, i)
    return False


def _of_time(words: Sequence[Word], i: int) -> bool:
    """ "WITHIN 10 s", "AT once", "IN time" say when, not where."""
    after = [word.text for word in words[i + 1 : i + 4]]
    figure = i + 1 < len(words) and words[i + 1].value is not None
    timed = figure and (words[i].text == "in" or "seconds" in after or "steps" in after or "step" in after)
    return timed or after[:1] in (["once"], ["all"], ["time"], ["some"], ["any"], ["no"])


def _said_of_it(texts: Sequence[str], last: int, verb: int, taken: set[int], *, first: bool) -> bool:
    """Whether something later in the sentence may be said of the one who acts.

    ``first``: nothing was named before it, so that a pronoun behind the thing handled may mean it.
    """
    for i in range(verb + 1, len(texts)):
        text, after = texts[i], texts[i + 1] if i + 1 < len(texts) else ""
        if text in _SELF:
            return True
        if text in ("it", "they") and after in ("shall", "must", "should", "may", "will", "touches", "has"):
            return True
        if first and text == "it" and texts[i - 1] in _BEFORE and len({k for k in taken if k < i}) < 2:
            return True
        if text in _OWN_ING and texts[i - 1] in _JOINS:
            return True
        handles = after in _DETERMINERS or after in _PRONOUNS or i + 1 in taken
        if (text in _OWN or (text in _EITHER_WAY and not handles)) and _elided(texts, i):
            return True
    return False


def _elided(texts: Sequence[str], i: int) -> bool:
    """Whether a verb goes on about the subject before: "and shall then MOVE"."""
    i -= 1
    while i > 0 and (texts[i] in _MODALS or texts[i] in _ADVERBS) and texts[i] not in _JOINS:
        i -= 1
    return texts[i] in _JOINS
