"""The instruction as it was read: over a word the name it was taken for, and a line under words that nobody read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assent.serve.pages.markup import Html, Part, el

_Span = tuple[int, int, str | None]
"""From, to, and the name that the part was taken for (None: not read)."""


def sentence(text: str, names: Mapping[str, str], unread: Iterable[object] = ()) -> Html:
    """The text with its marks; ``unread`` holds spans, or words where only those are known."""
    parts: list[Part] = []
    at = 0
    for start, end, name in _placed([*_unread(text, unread), *_named(text, names)]):
        parts.append(text[at:start])
        word = text[start:end]
        parts.append(
            el("u", word, class_="unread", title="not read") if name is None else _named_word(word, name)
        )
        at = end
    return el("p", *parts, text[at:], class_="sentence")


def _named_word(word: str, name: str) -> Html:
    return el("ruby", word, el("rp", " ("), el("rt", name), el("rp", ")"))


def _placed(spans: list[_Span]) -> list[_Span]:
    """Spans in the order of the text; of two that overlap, the one earlier in the list is kept."""
    placed: list[_Span] = []
    for span in spans:
        if all(span[1] <= start or span[0] >= end for start, end, _ in placed):
            placed.append(span)
    return sorted(placed, key=lambda span: span[:2])


def _unread(text: str, unread: Iterable[object]) -> Iterable[_Span]:
    for part in unread:
        if isinstance(part, Mapping):
            start, end = int(part["start"]), int(part["end"])
            if 0 <= start < end <= len(text):
                yield start, end, None
        else:
            yield from ((start, end, None) for start, end in _occurrences(text, str(part)))


def _named(text: str, names: Mapping[str, str]) -> Iterable[_Span]:
    for part in sorted(names, key=len, reverse=True):
        yield from ((start, end, names[part]) for start, end in _occurrences(text, part))


def _occurrences(text: str, part: str) -> Iterable[tuple[int, int]]:
    if not part.strip():
        return
    words = r"\s+".join(map(re.escape, part.split()))
    for match in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE):
        yield match.span()
