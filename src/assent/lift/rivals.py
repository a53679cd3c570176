"""Two entries share the words that were said: what else the sentence says settles which is meant, where it does.

"Wax at 40 °C" is a temperature, not a level; "the chiller" is the one whose name has no more words, not the backup
chiller; "that bundle" is the one that was named before; "both crates" are all of them. What nothing settles stays a
question. Names that a clause says in full, although no word of it was linked to them, are found here as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assent.lift.clauses import BREAKS, PASSING, is_idiom, measures, names_something, segments
from assent.lift.entries import FAINT, WEAK, Known, affirms, denies, is_under_way, match
from assent.lift.figures import Word
from assent.lift.groups import several
from assent.lift.linker import Mention
from assent.lift.measures import figures, fits, is_unit
from assent.lift.opposites import OFF
from assent.lift.polarity import is_missed
from assent.lift.settle import is_for
from assent.lift.stems import stem

_POINTING = frozenset("that this said same".split())


def without_rivals(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]
) -> list[Mention]:
    """The mentions, each without the rivals that the rest of the sentence rules out; some change places with one."""
    if not any(mention.others for mention in mentions):
        return list(mentions)
    by_name = {known.entry.name: known for known in knowns}
    out: list[Mention] = []
    for mention in mentions:
        out.append(_settled(words, mention, out, knowns, by_name) if mention.others else mention)
    return [_by_list(words, m, out, by_name) if m.others else m for m in out]


def _by_list(
    words: Sequence[Word], mention: Mention, mentions: Sequence[Mention], by_name: Mapping[str, Known]
) -> Mention:
    """ "The left and the right door": the noun that ends a list says what the others are."""
    behind = [m for m in mentions if m.at[0] > mention.at[-1]]
    between = [w.text for w in words[mention.at[-1] + 1 : behind[0].at[0]]] if behind else []
    if not {"and", "or", "nor"} & set(between) or not all(text in _LISTS for text in between):
        return mention
    nouns = [words[i].text for i in behind[0].at if match(words[i].text, behind[0].known)[0] >= _SURE]
    may_be = [mention.known, *(by_name[name] for name in mention.others if name in by_name)]
    able = [
        k for k in may_be if k is not behind[0].known and any(match(text, k)[0] >= _SURE for text in nouns)
    ]
    return replace(mention, known=able[0], others=()) if len(able) == 1 else mention


def _settled(
    words: Sequence[Word],
    mention: Mention,
    before: Sequence[Mention],
    knowns: Sequence[Known],
    by_name: Mapping[str, Known],
) -> Mention:
    group, _ = several(words, mention, knowns)
    if group and set(mention.others) <= {known.entry.name for known in group}:
        return replace(mention, others=())
    named = [by_name[name] for name in mention.others if name in by_name]
    able = [known for known in (mention.known, *named) if _can_have(words, mention, known)]
    able = [known for known in able if _is_said(words, mention, known)] or able
    if not able:
        return mention
    if len(able) == 1:
        return replace(mention, known=able[0], others=())
    earlier = [m.known for m in before if not m.others and m.known in able]
    if words[max(0, mention.at[0] - 1)].text in _POINTING and earlier:
        return replace(mention, known=earlier[-1], others=())
    affirmed = _by_state([words[i].text for i in mention.at], able)
    if affirmed is not None:
        return replace(mention, known=affirmed, others=())
    whole = [known for known in able if known.named <= {match(words[i].text, known)[1] for i in mention.at}]
    if len(whole) == 1:
        return replace(mention, known=whole[0], others=())
    return replace(mention, known=able[0], others=tuple(k.entry.name for k in able if k is not able[0]))


def _is_said(words: Sequence[Word], mention: Mention, known: Known) -> bool:
    """Whether a word of the mention is one of the name: "unlit" is lantern_lit rather than what is alike."""
    return any(match(words[i].text, known)[0] >= _SURE for i in mention.at)


def _by_state(texts: Sequence[str], able: Sequence[Known]) -> Known | None:
    """ "Raised barriers" are barrier_up, not barrier_down: one is affirmed, the others are denied."""
    said = [k for k in able if any(affirms(text, k) or text in k.states for text in texts)]
    denied = [k for k in able if k not in said and any(denies(text, k) for text in texts)]
    return said[0] if len(said) == 1 and len(denied) == len(able) - 1 else None


def _can_have(words: Sequence[Word], mention: Mention, known: Known) -> bool:
    """Where a figure with a unit stands beside the mention, only what is measured so can be meant."""
    part = next((s for s in segments(words) if mention.at[-1] in s), [])
    behind = [f for f in figures(words) if f.at in part and f.at > mention.at[-1] and f.unit is not None]
    near = [f for f in behind if not any(words[i].value is not None for i in range(mention.at[-1], f.at))]
    near += [f for f in figures(words) if f.unit is not None and _right_before(words, f.at, mention.at[0])]
    return not near or (known.number and known.entry.unit is not None and fits(near[0].unit, known.entry))


_OF = frozenset("in of inside on for at".split())


def _right_before(words: Sequence[Word], at: int, mention: int) -> bool:
    """ "600 degrees in the kiln"."""
    between = [word.text for word in words[at + 1 : mention]] if at < mention <= at + 6 else []
    units = [text for text in between if text not in _OF and text not in ("the", "a", "an", "its", "c")]
    return any(text in _OF for text in between) and all(is_unit(text) for text in units)


_SURE = 0.75
_LIGHT_VERBS = frozenset("set put made make given give taken take".split())


def overlooked(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[Mention]:
    """The mentions, with names that a clause says in full although no word of it was linked to them."""
    out = list(mentions)
    taken = {i for m in mentions for i in m.at}
    for segment in segments(words):
        free = [i for i in segment if i not in taken and _may_name(words, i)]
        if not free:
            continue
        here = {m.known.entry.name for m in mentions if m.at[0] in segment}
        full = [(k, at) for k in knowns if k.entry.name not in here and (at := _in_full(words, free, k))]
        if not here and not full:
            full = [(k, at) for k in knowns if (at := _in_part(words, free, k))]
        if len(full) == 1 and not (full[0][0].number and not measures(words, segment)):
            known, at = full[0]
            out.append(Mention(known, at))
            continue
        for i in free:
            said = [k for k in knowns if k.entry.name not in here and _is_adjective(words, i, k)]
            said = said or ([k for k in knowns if _is_participle(words, i, k)] if i + 1 in taken else [])
            said = said or [k for k in knowns if is_missed(words, i, k)]
            said = said or [k for k in knowns if _goes_on(words, i, k)]
            out += [Mention(said[0], (i,))] if len(said) == 1 and said[0].entry.name not in here else []
    return sorted(out, key=lambda m: m.at[0])


def _is_adjective(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "An UNSOLD lot on the stand", "a BROKEN, insured lot": a state before its thing, of which more is said."""
    text = words[i].text
    level, said = match(text, known)
    wanted = {s for s in known.named if s not in WEAK | FAINT and not s.isdigit()}
    own = level >= _SURE and said in wanted and len(wanted) > 1
    if known.number or text in _LIGHT_VERBS or not (own or _says(text, known)):
        return False
    things = wanted - {said} if own else {stem(thing) for thing in known.things} & known.named
    behind = [word.text for word in words[i + 1 : i + 7]]
    end = next((k for k, other in enumerate(behind) if other in _ENDS_A_NOUN), len(behind))
    return bool(things) and things <= {match(other, known)[1] for other in behind[:end]}


def _is_participle(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "A MANNED ferry" of helm_manned: a participle of the name, before a word of another one."""
    level, said = match(words[i].text, known)
    return level >= 0.8 and said in known.named and words[i].text.endswith("ed") and not known.number


def _goes_on(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "During COMPRESSION the door is shut": what goes on while something else is so."""
    level, said = match(words[i].text, known)
    first = i - 2 if i > 1 and words[i - 1].text in ("the", "a") else i - 1
    during = first >= 0 and words[first].text in ("during", "throughout")
    things = {stem(thing) for thing in known.things}
    return during and level >= _SURE and said in things and not known.number and is_under_way(known)


_ENDS_A_NOUN = (BREAKS | FAINT | {"-", "must", "shall"}) - {","}


def _may_name(words: Sequence[Word], i: int) -> bool:
    text = words[i].text
    return names_something(words, i) and text not in PASSING and not is_idiom(words, i)


def _in_full(words: Sequence[Word], free: Sequence[int], known: Known) -> tuple[int, ...]:
    """The free words that say every word of the name; none where one is missing."""
    wanted = {s for s in known.named if s not in WEAK and s not in FAINT and not s.isdigit()}
    found: dict[str, int] = {}
    for i in free:
        level, said = match(words[i].text, known)
        if level >= _SURE and said in wanted:
            found.setdefault(said, i)
    return tuple(sorted(found.values())) if wanted and set(found) == wanted and not known.digits else ()


def _in_part(words: Sequence[Word], free: Sequence[int], known: Known) -> tuple[int, ...]:
    """The free words that are words of the name."""
    return tuple(
        i
        for i in free
        if match(words[i].text, known)[0] >= _SURE
        and match(words[i].text, known)[1] in known.named - WEAK
        and words[i].text not in _LIGHT_VERBS
        and not known.digits
        and not (known.place and is_for(words, i))
    )


def better_known(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]
) -> list[Mention]:
    """The mentions, each of the entry that fits what is said of it among those that have its words.

    "Gas is cut" is gas_valve_open and not gas_pressure, of which a figure would be said; "the platform is off" is
    platform_turning, not cow_on_platform.
    """
    out: list[Mention] = []
    for mention in _by_shared_state(words, mentions, knowns):
        segment = next((s for s in segments(words) if mention.at[0] in s), [])
        taken = {i for m in mentions if m is not mention for i in m.at}
        near = [words[i].text for i in segment if i not in taken]
        if _can_be_said(mention.known, near, words, segment):
            out.append(mention)
            continue
        rivals = [k for k in knowns if k is not mention.known and _has_words(words, mention, k)]
        able = [k for k in rivals if not k.number and _can_be_said(k, near, words, segment)]
        out.append(replace(mention, known=able[0], others=()) if len(able) == 1 else mention)
    return out


def _has_words(words: Sequence[Word], mention: Mention, known: Known) -> bool:
    """Whether every word that the mention has of its own name is as surely a word of the other entry's name."""
    said = [words[i].text for i in mention.at if match(words[i].text, mention.known)[0] >= _SURE]
    return (
        bool(said)
        and not known.digits ^ mention.known.digits
        and all(match(t, known)[0] >= match(t, mention.known)[0] for t in said)
        and all(match(t, known)[1] in known.named for t in said)
    )


def _can_be_said(known: Known, near: Sequence[str], words: Sequence[Word], segment: Sequence[int]) -> bool:
    """A signal has a figure; what is switched off is no place."""
    if known.number:
        return measures(words, segment) or any(words[i].value is not None for i in segment)
    return not (known.place and any(text in OFF and not denies(text, known) for text in near))


def _by_shared_state(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]
) -> list[Mention]:
    """ "Door and vent closed": what is said of the last of a list is said of the others, and settles which they are."""
    out = list(mentions)
    for k in reversed(range(len(out) - 1)):
        mention, following = out[k], out[k + 1]
        between = [w.text for w in words[mention.at[-1] + 1 : following.at[0]]]
        if not {"and", "or", "nor"} & set(between) or not all(t in _LISTS for t in between):
            continue
        part = next((s for s in segments(words) if following.at[0] in s), [])
        said = [words[i].text for i in part if i > following.at[0] and _says(words[i].text, following.known)]
        if not said or mention.known.number or _says_any(words, mention, said):
            continue
        rivals = [x for x in knowns if x is not mention.known and _has_words(words, mention, x)]
        able = [x for x in rivals if not x.number and _says(said[0], x)]
        if len(able) == 1:
            out[k] = replace(mention, known=able[0], others=())
    return out


_LISTS = frozenset("and or nor , the a an its".split())


def _says(text: str, known: Known) -> bool:
    return not known.number and (text in known.states or affirms(text, known) or denies(text, known))


def _says_any(words: Sequence[Word], mention: Mention, said: Sequence[str]) -> bool:
    """Whether the mention has a state of its own, or can have the one that is said of the list."""
    own = any(_says(words[i].text, mention.known) for i in mention.at)
    return own or _says(said[0], mention.known) or said[0] in OFF
