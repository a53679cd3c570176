"""What the vocabulary's own sayings call for: ``also`` means a name and ``opposite`` that it does not hold, always.

The linker weighs; a saying is obeyed, and changes nothing where it is not said. "Parked", said to mean portal_home,
denies no portal_moving any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assent.lift.clauses import segments
from assent.lift.entries import Known, affirms, denies, match
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.opposites import OFF

_SURE = 0.7


def obeyed(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[Mention]:
    """The mentions with those that sayings call for; the words of a saying belong to nothing else."""
    out = list(mentions)
    for segment in segments(words):
        for at, known, denied in _said(words, segment, knowns):
            out = _placed(words, out, segment, at, known, denied=denied)
    return sorted(out, key=lambda mention: mention.at[0])


def _said(
    words: Sequence[Word], segment: Sequence[int], knowns: Sequence[Known]
) -> Iterator[tuple[tuple[int, ...], Known, bool]]:
    """Where a clause says a saying, longest first; each word counts once."""
    sayings = [(text, known, denied) for known in knowns for text, denied in known.sayings]
    texts = [words[i].text if words[i].value is None else "" for i in segment]
    taken: set[int] = set()
    for text, known, denied in sorted(sayings, key=lambda item: -len(item[0])):
        for k in range(len(segment) - len(text) + 1):
            at = tuple(segment[k : k + len(text)])
            if tuple(texts[k : k + len(text)]) == text and not taken & set(at):
                taken |= set(at)
                yield at, known, denied


def _placed(
    words: Sequence[Word],
    mentions: Sequence[Mention],
    segment: Sequence[int],
    at: tuple[int, ...],
    known: Known,
    *,
    denied: bool,
) -> list[Mention]:
    """The mentions with ``at`` as words of ``known``: of a mention there, of the thing beside it, or alone."""
    out, here = [], []
    for mention in mentions:
        left = tuple(i for i in mention.at if i not in at)
        if mention.at[0] in segment and (
            mention.known is known or (left and _lends(words, left, mention, known))
        ):
            here.append(replace(mention, at=left))
        elif left:
            out.append(mention if left == mention.at else replace(mention, at=left, denied=None, others=()))
    here = [mention for mention in here if mention.at]
    near = min(here, key=lambda m: min(abs(i - j) for i in m.at for j in at), default=None)
    out += [mention for mention in here if mention is not near]
    both = tuple(sorted({*at, *(near.at if near is not None else ())}))
    misled = any(words[i].text in OFF or denies(words[i].text, known) for i in at)
    said = Mention(
        known, both, denied=at[0] if denied else None, cancelled=at if misled and not denied else ()
    )
    return [*out, said if near is None else replace(said, told=near.told, told_of=near.told_of)]


def _lends(words: Sequence[Word], left: Sequence[int], mention: Mention, known: Known) -> bool:
    """Whether what else a mention of another name says is said of this one as well, and no state of its own."""
    texts = [words[i].text for i in left]
    own = mention.known
    return all(match(text, known)[0] >= _SURE for text in texts) and not any(
        text in own.states or affirms(text, own) or denies(text, own) for text in texts
    )
