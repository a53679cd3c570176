"""Two entries share the words that were said: what else the sentence says settles which is meant, where it does.

"Wax at 40 °C" is a temperature, not a level; "the chiller" is the one whose name has no more words, not the backup
chiller; "that bundle" is the one that was named before; "both crates" are all of them. What nothing settles stays a
question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assent.lift.clauses import segments
from assent.lift.entries import Known, affirms, denies, match
from assent.lift.figures import Word
from assent.lift.groups import several
from assent.lift.linker import Mention
from assent.lift.measures import figures, fits, is_unit

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
    return out


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
