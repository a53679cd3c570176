"""Learning to tell the right reading from the network's own wrong ones.

Trained on right answers alone, a network has the right formula among its best eight far more often than first. Here
it sees its own best readings of a sentence beside the right one, and learns to give the right ones a greater share of
what they all get together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import torch
from torch.nn import functional as fn

from assent.embedded.tokens import PLACEHOLDER, TokenVocabulary
from assent.errors import AssentError
from assent.lift.linear import BEYOND, delinearise
from assent.logic.ast import Formula
from assent_train.batches import END, START, Pair, forgetful, padded, read_ids
from assent_train.measure import same
from assent_train.network import PAD, TrainedNetwork

Tokens = tuple[str, ...]
WIDE = 8
"""Readings of a sentence that are looked at."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A sentence, what it means in one or more spellings, and what a network took it for."""

    source: Tokens
    right: tuple[Tokens, ...]
    wrong: tuple[Tokens, ...]


def meant_by(tokens: Sequence[str]) -> Formula | None:
    """The formula over placeholders, its numbers ascending and no sum of others; None where the tokens spell none.

    The numbers are small, since the decider takes far longer over wide windows.
    """
    names = {t: t.lower() for t in tokens if PLACEHOLDER.fullmatch(t) and t[0] != "N"}
    numbers = {
        t: Fraction(4 * 3 ** int(t[1:]) + 1) for t in tokens if PLACEHOLDER.fullmatch(t) and t[0] == "N"
    }
    try:
        return delinearise(tokens, names, numbers)
    except (AssentError, RecursionError):
        return None


def contrast(pair: Pair, readings: Sequence[Tokens]) -> Contrast:
    """The readings sorted into right and wrong; those that spell no formula are left out.

    Where the target itself cannot be spelt (a window whose end is a smaller number than its start), nothing is wrong.
    """
    source, target = tuple(pair[0]), tuple(pair[1])
    nothing_says_it = target == (BEYOND,)
    wanted = None if nothing_says_it else meant_by(target)
    right: list[Tokens] = [target]
    wrong: list[Tokens] = []
    for reading in readings if wanted is not None or nothing_says_it else ():
        if reading == target:
            continue
        formula = meant_by(reading)
        if formula is None and reading != (BEYOND,):
            continue
        same_meaning = wanted is not None and formula is not None and same(formula, wanted)
        (right if same_meaning else wrong).append(reading)
    return Contrast(source, tuple(right), tuple(wrong))


Readings = Callable[[Sequence[Sequence[str]], int], Sequence[Sequence[Tokens]]]
"""The best readings of each sentence, as many as asked for."""


def contrasts(
    readings: Readings, pairs: Sequence[Pair], *, drop: float = 0.0, seed: int = 0, wide: int = WIDE
) -> Iterator[Contrast]:
    """What a network reads, beside what is meant; ``drop`` of the words are kept from it.

    A network knows the rows it was trained on: with a word less it makes the mistakes that it makes elsewhere.
    """
    rng = random.Random(seed)
    shown = [forgetful(pair[0], drop, rng) for pair in pairs]
    for pair, found in zip(pairs, readings(shown, wide), strict=True):
        yield contrast(pair, found)


@dataclass(frozen=True)
class ContrastBatch:
    """``owner``: the sentence of each target; ``right``: whether it says what is meant; ``first``: whether it is the
    spelling that the row has."""

    source: torch.Tensor
    lengths: torch.Tensor
    target: torch.Tensor
    wanted: torch.Tensor
    owner: torch.Tensor
    right: torch.Tensor
    first: torch.Tensor


def contrast_batches(
    rows: Sequence[Contrast],
    source: TokenVocabulary,
    target: TokenVocabulary,
    *,
    tokens: int,
    seed: int,
    drop: float = 0.0,
    meant: float = 0.0,
    longest: int = 160,
) -> list[ContrastBatch]:
    """Shuffled batches of about ``tokens`` tokens on each side; ``drop`` and ``meant`` as for ``read_ids``."""
    rng = random.Random(seed)
    rows = [row for row in rows if len(row.source) <= longest and all(len(t) <= longest for t in row.right)]

    def lefts_of(part: Sequence[Contrast]) -> list[list[int]]:
        return [read_ids(row.source, source, rng, drop, meant) for row in part]

    ordered = sorted(rows, key=lambda row: (len(row.source) // 5, len(row.right[0]), rng.random()))
    batches: list[ContrastBatch] = []
    part: list[Contrast] = []
    held = 0
    for row in ordered:
        size = len(row.source) + sum(len(t) + 1 for t in (*row.right, *row.wrong))
        if part and held + size > tokens:
            batches.append(_stacked(part, lefts_of(part), target))
            part, held = [], 0
        part.append(row)
        held += size
    if part:
        batches.append(_stacked(part, lefts_of(part), target))
    rng.shuffle(batches)
    return batches


def _stacked(rows: Sequence[Contrast], lefts: Sequence[list[int]], target: TokenVocabulary) -> ContrastBatch:
    rights = [
        (owner, target.encode(tokens), number < len(row.right), number == 0)
        for owner, row in enumerate(rows)
        for number, tokens in enumerate((*row.right, *row.wrong))
    ]
    return ContrastBatch(
        padded(lefts, PAD),
        torch.tensor([len(ids) for ids in lefts]),
        padded([[START, *ids] for _, ids, _, _ in rights], END),
        padded([[*ids, END] for _, ids, _, _ in rights], -100),
        torch.tensor([owner for owner, _, _, _ in rights]),
        torch.tensor([good for _, _, good, _ in rights]),
        torch.tensor([one for _, _, _, one in rights]),
    )


def log_probabilities(network: TrainedNetwork, batch: ContrastBatch) -> tuple[torch.Tensor, torch.Tensor]:
    """Of each target as a whole, and of each of its tokens (0 where nothing is wanted)."""
    logits = network.forward(batch.source, batch.lengths, batch.target, batch.owner)
    tokens = -fn.cross_entropy(
        logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=-100, reduction="none"
    ).view(batch.wanted.shape)
    return tokens.sum(dim=1), tokens


def contrast_loss(network: TrainedNetwork, batch: ContrastBatch, weight: float) -> torch.Tensor:
    """The usual loss on what the rows have, plus ``weight`` times what the right readings lack of all shares."""
    whole, tokens = log_probabilities(network, batch)
    count = (batch.wanted[batch.first] != -100).sum()
    usual = -tokens[batch.first].sum() / count
    rows = len(batch.lengths)
    everything = _log_sums(whole, batch.owner, rows)
    right = _log_sums(whole.masked_fill(~batch.right, -1e9), batch.owner, rows)
    return usual + weight * (everything - right).mean()


def _log_sums(values: torch.Tensor, owner: torch.Tensor, rows: int) -> torch.Tensor:
    """The logarithm of the sum of exponentials of each owner's values."""
    most = torch.full((rows,), -1e9).scatter_reduce(0, owner, values.detach(), "amax")
    sums = torch.zeros(rows).scatter_add(0, owner, (values - most[owner]).exp())
    return most + sums.log()
