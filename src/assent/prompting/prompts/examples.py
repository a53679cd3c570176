"""Worked examples for translation prompts: the fixed ones, or the nearest of a user's own."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

_WORD = re.compile(r"[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence and its formula."""

    text: str
    formula: str


@cache
def fixed(logic: str) -> tuple[Example, ...]:
    """The examples that come with the package."""
    text = resources.files(__package__).joinpath(f"examples_{logic}.jsonl").read_text(encoding="utf-8")
    return tuple(Example(**json.loads(line)) for line in text.splitlines())


def nearest(
    text: str,
    pool: Sequence[Example],
    k: int = 8,
    *,
    embed: Callable[[Sequence[str]], Sequence[Sequence[float]]] | None = None,
) -> tuple[Example, ...]:
    """The ``k`` examples most like a text, the nearest last (next to the question).

    Likeness is the cosine of ``embed``, or of words weighted by their rarity in the pool. An example with the
    very text that is asked about is left out: it would hand the answer over.
    """
    others = [example for example in pool if example.text.strip() != text.strip()]
    texts = [text, *(example.text for example in others)]
    first, *rest = _rarity(texts) if embed is None else [dict(enumerate(row)) for row in embed(texts)]
    likeness = [_cosine(first, row) for row in rest]
    order = sorted(range(len(others)), key=lambda i: (-likeness[i], i))[:k]
    return tuple(others[i] for i in reversed(order))


def _rarity(texts: Sequence[str]) -> list[dict[int, float]]:
    counts = [Counter(_WORD.findall(text.lower())) for text in texts]
    seen = Counter(word for count in counts for word in count)
    place = {word: i for i, word in enumerate(seen)}
    return [
        {place[word]: times * math.log(1 + len(texts) / seen[word]) for word, times in count.items()}
        for count in counts
    ]


def _cosine(a: dict[int, float], b: dict[int, float]) -> float:
    dot = sum(value * b.get(place, 0.0) for place, value in a.items())
    size = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return dot / size if size else 0.0
