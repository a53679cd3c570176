""" "The other one": of two things of a kind the one that was not named before.

With red_cup and blue_cup, "put the red cup on the tray and the other one on the shelf" speaks of the blue one, and so
does "the other cup". Where more than two are of a kind, or both were named, nothing is known by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assent.lift.clauses import BREAKS
from assent.lift.entries import Known, words_of
from assent.lift.figures import Word
from assent.lift.groups import TWINS, of_a_kind, several
from assent.lift.linker import Mention

_LEADS = frozenset("the its their that".split())
_FOLLOWS = BREAKS | frozenset(
    """
    shall must should will may can is are has have stays remains on onto in into to at inside by near beside above
    below over under with goes
    """.split()
)


def other_things(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]
) -> list[Mention]:
    """Mentions of "the other cup" as the cup that was not named; a group or a list stays as it is."""
    out: list[Mention] = []
    for mention in mentions:
        at = _told_by_other(words, mention)
        if at and not mention.group and not several(words, mention, knowns)[0]:
            meant = _not_named(words, mention.known, out, knowns)
            if meant is not None:
                mention = replace(mention, known=meant, others=(), at=at, bound=True)
        out.append(mention)
    return out


def pointed_at(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[Mention]:
    """The same of a scene, with "the other one", "its twin" and "the right one" where just one thing can be meant."""
    out = other_things(words, mentions, knowns)
    taken = {i for mention in out for i in mention.at}
    for i in range(1, len(words)):
        before = [mention for mention in out if mention.at[-1] < i]
        at = _pointing(words, i)
        if at:
            meant = [
                known for m in before if (known := _not_named(words, m.known, before, knowns)) is not None
            ]
        else:
            at, meant = _on_a_side(words, i, before, knowns)
        if len({known.entry.name for known in meant}) == 1 and not taken & set(at):
            out = sorted((*out, Mention(meant[0], at, bound=True)), key=lambda mention: mention.at[0])
    return out


def _on_a_side(
    words: Sequence[Word], i: int, before: Sequence[Mention], knowns: Sequence[Known]
) -> tuple[tuple[int, ...], list[Known]]:
    """ "The right one" beside a left mic: a side is part of a name only where a thing of that kind was named."""
    text, after = words[i].text, words[i + 1].text if i + 1 < len(words) else "."
    if words[i - 1].text != "the" or text not in ("left", "right") or after != "one":
        return (), []
    sided = [k for k in knowns if text in words_of(k.entry.name)]
    return (i, i + 1), [k for k in sided if any(of_a_kind(k, m.known) for m in before if m.known is not k)]


def _told_by_other(words: Sequence[Word], mention: Mention) -> tuple[int, ...]:
    """The words of a mention that "the other" opens, with "other"; none where none does."""
    i = mention.at[0]
    at = mention.at if words[i].text == "other" else (i - 1, *mention.at)
    told = at[0] > 0 and words[at[0]].text == "other" and words[at[0] - 1].text in _LEADS
    return at if told else ()


def _pointing(words: Sequence[Word], i: int) -> tuple[int, ...]:
    """Which words from there say another one without its noun; none where they do not."""
    before, text = words[i - 1].text, words[i].text
    after = words[i + 1].text if i + 1 < len(words) else "."
    if before == "its" and text in TWINS:
        return (i,)
    if before != "the" or text != "other" or not (after == "one" or after in _FOLLOWS):
        return ()
    return (i, i + 1) if after == "one" else (i,)


def _not_named(
    words: Sequence[Word], known: Known, before: Sequence[Mention], knowns: Sequence[Known]
) -> Known | None:
    """Of the two entries of a kind with ``known`` the one that was not named before; None unless just one was."""
    kind = [k for k in knowns if k.number == known.number and of_a_kind(k, known)]
    named = {k.entry.name for m in before for k in (m.known, *m.group, *several(words, m, knowns)[0])}
    left = [k for k in kind if k.entry.name not in named]
    return left[0] if len(kind) == 2 and len(left) == 1 else None
