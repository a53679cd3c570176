"""What to ask where the words leave it open: which name is meant, whether it is so, whether it is meant at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assent.lift.clauses import BREAKS
from assent.lift.entries import Known, affirms, bare, denies, digit_of, is_under_way, match
from assent.lift.figures import Word
from assent.lift.groups import is_another
from assent.lift.idioms import moves_off, says_something_else, sets_off
from assent.lift.linker import Mention
from assent.lift.opposites import AFFIRMS, DENIES
from assent.lift.polarity import chances_of_denial, is_strange
from assent.lift.propose import has_content
from assent.lift.seen import WordVectors
from assent.lift.stems import stem

OPPOSITE = 0.35
"""From this likeness on to a word that denies the state, a word that no table knows may deny it."""
AHEAD = 0.05
"""By so much it must be more alike to what denies the state than to what affirms it."""
UNSURE = (0.1, 0.9)
"""Where the reader finds a denial so probable, it is asked."""
APART = 0.5
"""So is it where it finds the words of one mention so far apart."""
SURE = 0.9
"""A link by meaning alone that the linker finds so probable is not asked about."""


def questions(
    words: Sequence[Word],
    mentions: Sequence[Mention],
    guess: WordVectors | None,
    knowns: Sequence[Known] = (),
) -> tuple[str, ...]:
    """Each is a doubt: the formula must not be accepted before it is answered."""
    out = [*_which(words, mentions), *_whether(words, mentions, guess)]
    out += _passed_over(words, mentions, knowns)
    out += _whose(words, mentions)
    out += _when(words, mentions)
    if mentions and all(_guessed(words, mention) for mention in mentions):
        out.append("no word of any name was said: say at least one thing by its name")
    else:
        out += _by_meaning(words, mentions)
        out += _more_than_its_name(words, mentions, guess)
    return tuple(dict.fromkeys(out))


def _which(words: Sequence[Word], mentions: Sequence[Mention]) -> Iterator[str]:
    """Two entries are about equally likely meant."""
    for mention in mentions:
        if mention.others:
            names = " or ".join(sorted({mention.known.entry.name, *mention.others}))
            yield f"{_said(words, mention)!r} may mean {names}: say which"


def _passed_over(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]
) -> Iterator[str]:
    """ "The operator has to acknowledge a leak": the word of a name that nothing speaks of, taken for part of another.

    So is a word that undoes one: "a leak must not go unacknowledged".
    """
    named = {mention.known.entry.name for mention in mentions}
    silent = [known for known in knowns if known.entry.name not in named and not known.number]
    owner = {i: mention.known for mention in mentions for i in (*mention.at, *mention.cancelled)}
    for i, word in enumerate(words):
        mine = owner.get(i)
        if mine is None:
            undone = bare(word.text) if word.text.startswith("un") and has_content(word.text) else ""
            meant = [k for k in silent if undone != stem(word.text) and undone in k.stems]
        elif is_strange(word.text, mine) and not mine.number:
            meant = [k for k in silent if match(word.text, k)[0] >= 0.95 and _says_more(word.text, k)]
        else:
            meant = []
        if meant:
            names = " or ".join(sorted(known.entry.name for known in meant[:3]))
            yield f"{word.text!r} may speak of {names}, and was read over: say it by its name"


def _says_more(text: str, known: Known) -> bool:
    """Whether a word of a name says more than what it is about, and is no state that many things have."""
    if text in known.things[:1] or not has_content(text) or text in _STATES:
        return False
    return not known.states or not _is_thing(text, known)


_STATES = frozenset(AFFIRMS).union(*AFFIRMS.values(), *DENIES.values())


_DOES = frozenset(
    "shall must should will would has have needs to is be are always then also immediately not never come comes go "
    "goes".split()
)
_ONE = frozenset("the a an this that each every its our your my whole entire".split())


def _whose(words: Sequence[Word], mentions: Sequence[Mention]) -> Iterator[str]:
    """ "When the fault is active, the robot shall stop": what is said of somebody without a name is not the fault's."""
    taken = {i for mention in mentions for i in mention.at}
    for mention in mentions:
        known, i = mention.known, mention.at[0] - 1
        if known.number or not known.things or any(_is_thing(words[k].text, known) for k in mention.at):
            continue
        if any(words[k].text == known.entry.name.lower() for k in mention.at):  # "the drone is airborne"
            continue
        while i > 0 and words[i].text in _DOES:
            i -= 1
        who = words[i].text
        named = i in taken or _is_thing(who, known) or stem(who) in known.bearers
        acts = 0 < i < mention.at[0] - 1 and has_content(who) and words[i - 1].text in _ONE
        acts = acts and digit_of(who) == ""  # "exactly one of the two is open"
        if acts and not named:
            yield (
                f"{_said(words, mention)!r} is said of {who!r}, which no name speaks of, "
                f"and was taken for {known.entry.name}: add a name for it"
            )


def _is_thing(text: str, known: Known) -> bool:
    """Whether a word says what the entry is about, in a word of its name."""
    return known.told(text) or match(text, known)[1] in {*known.things, *map(stem, known.things)}


def _whether(words: Sequence[Word], mentions: Sequence[Mention], guess: WordVectors | None) -> Iterator[str]:
    """A word of the mention, which no table knows, may say the state or its opposite."""
    for mention in mentions:
        known = mention.known
        denied = mention.denied is not None and not mention.learnt
        if known.number or denied or mention.cancelled:
            continue
        if any(sets_off(words, i, known) or moves_off(words, i) for i in mention.at):
            continue
        if _unclear(words, mention) or (not mention.learnt and _may_be_denied(words, mention, guess)):
            yield f"{_said(words, mention)!r} may mean that {known.entry.name} is so, or that it is not: say which"


def _unclear(words: Sequence[Word], mention: Mention) -> bool:
    """Whether the reader is not sure, or a small word beside what it judged may turn it round."""
    chances = chances_of_denial(words, mention)
    if not chances:
        return False
    low, high = min(chances.values()), max(chances.values())
    mean = sum(chances.values()) / len(chances)
    beside = {words[k].text for i in chances for k in range(max(0, i - 2), i)}
    return UNSURE[0] < mean < UNSURE[1] or high - low > APART or bool(beside & _TURNING)


_TURNING = frozenset(
    "not no never neither nor hardly barely scarcely longer far anything cease ceases".split()
)


def _may_be_denied(words: Sequence[Word], mention: Mention, guess: WordVectors | None) -> bool:
    """By its form, or because it is more alike in meaning to what denies the state."""
    known = mention.known
    if any(_is_negative(words[i].text, known) or _stray(words, i, known) for i in mention.at):
        return True
    strange = [words[i].text for i in mention.at if is_strange(words[i].text, known)]
    able = strange and known.denials and known.states
    return bool(guess is not None and able and _may_deny(strange, known, guess))


def _stray(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "The locks are out" of span_locked: neither said nor denied by it, as far as any table knows."""
    if words[i].text not in ("out", "away") or words[i].text in known.words or affirms(words[i].text, known):
        return False
    ends = i + 1 == len(words) or words[i + 1].text in BREAKS
    return ends and not known.told(words[i].text) and not says_something_else(words, i, known)


def _may_deny(texts: Sequence[str], known: Known, guess: WordVectors) -> bool:
    ours = sorted({*known.states, *known.affirmed} - {"@place"})
    if not ours:
        return False
    theirs = sorted(known.denials)
    likeness = guess(texts, [*theirs, *ours])
    denied, affirmed = likeness[:, : len(theirs)].max(axis=1), likeness[:, len(theirs) :].max(axis=1)
    return bool(((denied >= OPPOSITE) & (denied - affirmed >= AHEAD)).any())


_NEGATIVE = re.compile(r"un[a-z]{3,}(?:ed|en|n|t)|[a-z]{3,}less")


def _is_negative(text: str, known: Known) -> bool:
    """ "Unproven" of provenance_ok: it has the form of a denial, and no table knows of what."""
    knows = text in known.words or known.told(text) or affirms(text, known) or denies(text, known)
    return bool(_NEGATIVE.fullmatch(text)) and has_content(text) and not knows


def _guessed(words: Sequence[Word], mention: Mention) -> bool:
    """Whether the mention says no word of its name, nor its state in another word."""
    known = mention.known
    return not any(
        known.told(words[i].text)
        or match(words[i].text, known)[0]
        or affirms(words[i].text, known)
        or denies(words[i].text, known)
        for i in mention.at
    )


def _when(words: Sequence[Word], mentions: Sequence[Mention]) -> Iterator[str]:
    """ "During calibration" is not when cal_done is so."""
    for mention in mentions:
        before = [word.text for word in words[max(0, mention.at[0] - 2) : mention.at[0]]]
        during = before[-1:] in (["during"], ["throughout"]) or before in (
            ["during", "the"],
            ["throughout", "the"],
        )
        if during and not mention.known.number and not is_under_way(mention.known):
            name = mention.known.entry.name
            yield f"'during {_said(words, mention)}' was taken for {name}, which may be when it is over: say which"


_LEAVES = frozenset("take takes taking took taken lift lifts lifting lifted blast blasts".split())
_SOMEBODY = frozenset("nobody somebody anybody everybody someone anyone everyone one people".split())


def _by_meaning(words: Sequence[Word], mentions: Sequence[Mention]) -> Iterator[str]:
    """ "A safe state" was taken for a name that has none of its words, "the cell is full" for tank_full."""
    for mention in mentions:
        known = mention.known
        if known.number or is_another(words, mention) or _says_thing(words, mention):
            continue
        first = mention.at[0]
        leaves = words[first].text == "off" and first > 0 and words[first - 1].text in _LEAVES
        if leaves or not _sure(words, mention):
            said = f"{words[first - 1].text} off" if leaves else _said(words, mention)
            yield f"{said!r} was taken for {known.entry.name} by its meaning alone: say it by its name"


def _says_thing(words: Sequence[Word], mention: Mention) -> bool:
    """Whether a word of what the name is about is said, or its state where the linker was not asked."""
    known = mention.known
    if any(_is_thing(words[i].text, known) for i in mention.at):
        return True
    return not mention.told and not _guessed(words, mention)


def _sure(words: Sequence[Word], mention: Mention) -> bool:
    """Whether the linker is sure of one of the words that no table knows, and finds each more likely than not."""
    strange = [
        i
        for i in mention.at
        if is_strange(words[i].text, mention.known)
        and words[i].text not in _SOMEBODY
        and not _grown(words[i].text, mention.known)
    ]
    looks = [mention.look(i) for i in strange]
    links = [look.link if look else 0.0 for look in looks]
    return not links or (max(links) >= SURE and min(links) >= 0.5)


def _grown(text: str, known: Known) -> bool:
    """ "Foggy" of fog."""
    return any(len(own) > 2 and text.startswith(own) for own in known.stems)


LIKE_IT = 0.35
"""From this likeness on to a word of the entry, a word that no table knows may say what it says."""
# Words that say no more than that it is so, or who or what is meant: said of names in many systems by people who meant
# just the name (the written corpus).
_BEARING = frozenset(
    """
    absence absent active actuated actuation afresh ahead air along alongside already am another answer anybody
    anyone anyway anywhere appearance application applied apply arrival arrive arrives attached attendance away back
    backs bears become becomes begin begins begun behind beneath beside blink blockage blocks blow blower blown
    bottom box brimming brought budge by call called cancelled cease ceased ceases cessation charge come comes
    command completion contact contain contains crossing descend detection down drawing draws drive drives end ended
    ends engagement enter entered entering entrance entry event everybody everyone excessive exhaustion exists
    extinction fails fed felt fill filling fills flip flow force former forward found front further get gets getting
    give given gives giving go goes going gone got handed hang hangs hard having he heard here him holding immersion
    inserted inside into itself just kept laid lain lasts late latter lay lead leave leaves leaving left let lets
    level lies lift lifted lifts light lights little loses loss lost lying made making me men missing motion much
    near new nobody nothing notice noticed occupation occupies occurs of off old on one onto opening operated
    operation operator other ours out outside passage passed passes pending people persists person persons picked
    ping place placed pop popped pops position pouring presence present pressed progress pull pulled pulling pulls
    pushing put puts putting quits raise raised received registered release releases removal removed rest resting
    resume return ring rotate rotation round run rung running runs safely said sat say says seat see seen selected
    selection send sensed set sets she shines show showing shown shows shut sighting signal signals silence silences
    silent sit sits sitting slip somebody someone something sound sounds spot stand standing stands start started
    starting starts state staying sticks stood stop stopped stopping stops struck stuck subsequent such suspended
    swapped switch switched switches switching system take taken takes taking them they thing through tied top turn
    turned turning turns two up upright us use used view waiting way we went where whirring who with withdrawn
    without works yet you
    """.split()
)


def _more_than_its_name(
    words: Sequence[Word], mentions: Sequence[Mention], guess: WordVectors | None
) -> Iterator[str]:
    """ "If the audience applauds" was taken for audience_seated: it is said of the audience, and is another thing."""
    if guess is None:
        return
    for mention in mentions:
        known = mention.known
        if known.number or not _says_thing(words, mention):
            continue
        strange = [
            words[i].text
            for i in mention.at
            if is_strange(words[i].text, known)
            and not _says_who(words, i)
            and words[i].text not in _BEARING
            and words[i].text not in _SOMEBODY
            and not _grown(words[i].text, known)
        ]
        own = sorted({*known.words, *known.affirmed, *known.denials} - {"@place"})
        if not strange or not own:
            continue
        alike = guess(strange, own).max(axis=1)
        for word, likeness in zip(strange, alike, strict=True):
            if likeness < LIKE_IT:
                name = known.entry.name
                yield f"{word!r} was taken for a part of {name}, and may say something else: add a name for it"


def _says_who(words: Sequence[Word], i: int) -> bool:
    """ "THE MOWER is in its station", "the ticket MACHINE shall": a noun, which says who rather than what."""
    before = words[i - 1].text if i else ""
    after = words[i + 1].text if i + 1 < len(words) else ""
    return before in _ONE or after in _DOES


def _said(words: Sequence[Word], mention: Mention) -> str:
    return " ".join(words[i].text for i in mention.at)
