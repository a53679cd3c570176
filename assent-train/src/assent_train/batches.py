"""Pairs of token lists -> batches of ids, sentences of like length together."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from typing import Any, TypeAlias

import numpy as np
import torch

from assent.embedded.tokens import (
    PLACEHOLDER,
    PLACEHOLDERS,
    SIGNAL,
    SIGNALS,
    SPECIAL,
    TAGS,
    TokenVocabulary,
    is_word,
)
from assent.lift.linear import COMPARATORS
from assent_train.network import PAD

Tokens: TypeAlias = Sequence[str]
Pair: TypeAlias = tuple[Tokens, Tokens]
Stream: TypeAlias = Callable[[int, int], list[Pair]]  # (seed, how many) -> pairs
START, END = SPECIAL.index("<s>"), SPECIAL.index("</s>")


@dataclass(frozen=True)
class TrainingBatch:
    source: torch.Tensor
    lengths: torch.Tensor
    target: torch.Tensor  # with the start token in front
    wanted: torch.Tensor  # with the end token behind; -100 where nothing is wanted


def source_vocabulary(pairs: Iterable[Pair], *, at_least: int = 3) -> TokenVocabulary:
    """Tags, placeholders, and every word seen often enough."""
    counts = Counter(token for source, _ in pairs for token in source)
    words = sorted(word for word, count in counts.items() if count >= at_least)
    return TokenVocabulary((*SPECIAL, *TAGS.values(), *PLACEHOLDERS, *SIGNALS)).grown(words)


def _kept(token: str) -> bool:
    return token[0] == "<" or PLACEHOLDER.fullmatch(token) is not None or SIGNAL.fullmatch(token) is not None


def typed(source: Tokens, target: Tokens) -> tuple[str, ...]:
    """The source with S1 for each P1 that the formula compares with a number."""
    after = {name for op, name in pairwise(target) if op in COMPARATORS}
    return tuple(f"S{token[1:]}" if token in after else token for token in source)


def forgetful(tokens: Tokens, share: float, rng: random.Random) -> list[str]:
    """Words forgotten at random, so that a word never met does no harm later."""
    return ["<unk>" if rng.random() < share and not _kept(token) else token for token in tokens]


def read_ids(
    tokens: Tokens, source: TokenVocabulary, rng: random.Random, drop: float, meant: float
) -> list[int]:
    """A sentence as a network reads it: ``drop`` of the words forgotten, ``meant`` of them by their meaning alone."""
    ids = source.encode(forgetful(tokens, drop, rng))
    if not meant:
        return ids
    return [
        number + len(source) if is_word(token) and number and rng.random() < meant else number
        for token, number in zip(tokens, ids, strict=True)
    ]


def make_batches(
    pairs: Sequence[Pair],
    source: TokenVocabulary,
    target: TokenVocabulary,
    *,
    tokens: int,
    seed: int,
    drop: float,
    meant: float = 0.0,
    longest: int = 160,
) -> list[TrainingBatch]:
    """Shuffled batches of about ``tokens`` source and target tokens each."""
    rng = random.Random(seed)
    rows = []
    for left, right in pairs:
        if len(left) <= longest and len(right) <= longest:
            rows.append((read_ids(left, source, rng, drop, meant), target.encode(right)))
    rows.sort(key=lambda row: (len(row[0]) // 6, len(row[1]), rng.random()))  # little padding on either side
    batches, start = [], 0
    while start < len(rows):
        end, width, height = start, 0, 0
        while end < len(rows):
            width = max(width, len(rows[end][0]))
            height = max(height, len(rows[end][1]) + 1)
            if end > start and (end - start + 1) * (width + height) > tokens:
                break
            end += 1
        batches.append(_stack(rows[start:end]))
        start = end
    rng.shuffle(batches)
    return batches


def _stack(rows: Sequence[tuple[list[int], list[int]]]) -> TrainingBatch:
    lefts = [left for left, _ in rows]
    return TrainingBatch(
        padded(lefts, PAD),
        torch.tensor([len(left) for left in lefts]),
        padded([[START, *right] for _, right in rows], END),
        padded([[*right, END] for _, right in rows], -100),
    )


def padded(rows: Sequence[Sequence[int]], fill: int) -> torch.Tensor:
    """Rows of one length, ``fill`` behind the shorter ones."""
    out = np.full((len(rows), max(map(len, rows))), fill, dtype=np.int64)
    for number, row in enumerate(rows):
        out[number, : len(row)] = row
    return torch.from_numpy(out)


def _produce(queue: Any, stream: Stream, seed: int, first: int, size: int) -> None:
    number = first
    while True:
        queue.put((number, stream(seed * 1_000_003 + number, size)))
        number += 1


def feed(stream: Stream, *, seed: int, first: int, size: int) -> Iterator[tuple[int, list[Pair]]]:
    """Chunks of fresh pairs from a process beside this one; chunk ``n`` depends on the seed and ``n`` alone.

    The process is forked, so that it need not read the written rows again, which takes minutes.
    """
    context = get_context("fork")
    queue: Any = context.Queue(maxsize=2)
    worker = context.Process(target=_produce, args=(queue, stream, seed, first, size), daemon=True)
    worker.start()
    try:
        while True:
            yield queue.get(timeout=600)
    finally:
        worker.terminate()
