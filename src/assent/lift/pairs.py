"""Both of them: a phrase that stands for the two objects named before it, where these are sure."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from assent.lift.clauses import BREAKS
from assent.lift.figures import Word
from assent.lift.linker import Mention

_PHRASES = {
    ("both", "of", "them"): ("both", "and"),
    ("the", "two", "of", "them"): ("both", "and"),
    ("them", "both"): ("both", "and"),
    ("either", "of", "them"): ("either", "or"),
    ("neither", "of", "them"): ("neither", "nor"),
}
_CONTAIN = frozenset("in inside into on onto within".split())


def pairs(
    words: Sequence[Word], mentions: Sequence[Mention], things: Container[str]
) -> Iterator[tuple[range, tuple[str, ...]]]:
    """Where such phrases stand, and the tokens in their place; ``things``: names of objects, not of regions."""
    texts = [word.text for word in words]
    for i in range(len(texts)):
        for said, (lead, joint) in _PHRASES.items():
            at = range(i, i + len(said))
            if tuple(texts[i : at.stop]) != said or _beside(texts, at):
                continue
            meant = _meant(texts, i, mentions, things)
            if len(meant) == 2:
                one, other = meant
                yield at, (lead, "the", f"O@{one}", joint, "the", f"O@{other}")


def _beside(texts: Sequence[str], at: range) -> bool:
    """ "They go back, both of them, ..." only repeats it; "in both of them" may speak of regions."""
    before = texts[at.start - 1] if at.start else ""
    after = texts[at.stop] if at.stop < len(texts) else ""
    return before in _CONTAIN or (before in (",", "") and after in (",", ".", "", ";"))


def _meant(texts: Sequence[str], i: int, mentions: Sequence[Mention], things: Container[str]) -> list[str]:
    """The objects named before the clause of the phrase; what is named in the clause itself is set beside them."""
    start = max((k for k in range(i) if texts[k] in BREAKS), default=-1)
    named = [m for m in mentions if m.at[0] < start]
    if any(m.group for m in named):
        return []
    own = {m.known.entry.name for m in mentions if start < m.at[0] < i}
    out = dict.fromkeys(m.known.entry.name for m in named if m.known.entry.name in things)
    return [name for name in out if name not in own]
