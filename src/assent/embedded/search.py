"""Looking for outputs of a network: beam search, draws, and the probability of given ones. The same on every machine.

Log-probabilities are multiples of 1/FINE, so their sums are exact; equals stand in the order of their numbers; draws
come from a keyed hash (the key, the number of the draw, the position), not from a generator with a state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from assent.embedded.network import EncodedSource, Mask, Network, Writing
from assent.samebits import FINE, Array, log_shares, shares

Ids: TypeAlias = tuple[int, ...]
_OUT = -(2.0**40)  # logit, in units of 1/GRID, of what must not be written: no chance at all
_SLACK = 32
HOPELESS = -40.0
"""Log-probability below which a search does not follow an output."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """``start`` opens and ``end`` closes an output of ``least`` to ``longest`` tokens without ``banned`` sequences."""

    start: int
    end: int
    longest: int
    least: int = 0
    banned: tuple[Ids, ...] = ()


@dataclass(slots=True)
class _Tree:
    """The ends of some outputs, and which nodes each of them sees."""

    writing: Writing
    start: int
    outputs: list[Ids] = field(default_factory=list)
    sees: Mask = field(default_factory=lambda: np.zeros((0, 0), dtype=np.bool_))

    def open(self) -> Array:
        """One empty output; logits of its first token."""
        self.outputs, self.sees = [()], np.ones((1, 1), dtype=np.bool_)
        return self.writing.add([self.start], [0], self.sees)

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> Array:
        """Each new output is one of the present ones and a token; logits of what follows."""
        self.outputs = [(*self.outputs[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        sees = self.sees[list(parents)]
        used: Mask = np.asarray(sees.any(axis=0))
        if sees.shape[1] > 2 * int(used.sum()) + _SLACK:
            self.writing.keep(used)
            sees = sees[:, used]
        self.sees = np.concatenate((sees, np.eye(len(parents), dtype=np.bool_)), axis=1)
        return self.writing.add(tokens, [len(self.outputs[0])] * len(parents), self.sees)


def _forbid(logits: Array, outputs: Sequence[Ids], limits: SearchLimits) -> None:
    """Takes all chances from tokens that would end an output too early or complete a banned sequence."""
    if len(outputs[0]) < limits.least:
        logits[:, limits.end] = _OUT
    for banned in limits.banned:
        head, last = banned[:-1], banned[-1]
        if not head:
            logits[:, last] = _OUT
            continue
        for row, output in enumerate(outputs):
            if output[-len(head) :] == head:
                logits[row, last] = _OUT


def beam(network: Network, memory: EncodedSource, n: int, limits: SearchLimits) -> list[tuple[Ids, float]]:
    """The ``n`` most probable outputs that a beam of ``n`` finds, best first (greedy for one).

    An unfinished output goes on for as long as it is more probable than the ``n``-th finished one and, unless it is the
    only one, not hopeless.
    """
    tree = _Tree(Writing(network, memory), limits.start)
    logits, scores = tree.open(), np.zeros(1)
    done: list[tuple[float, Ids]] = []
    for _ in range(limits.longest):
        _forbid(logits, tree.outputs, limits)
        totals = scores[:, None] + log_shares(logits)
        chosen = _highest(totals.reshape(-1), 2 * n)
        parents, tokens = np.divmod(chosen, totals.shape[1])
        ends = tokens == limits.end
        for rank in np.flatnonzero(ends[:n]):
            done.append((float(totals[parents[rank], tokens[rank]]), tree.outputs[parents[rank]]))
        done = sorted(done, key=lambda pair: -pair[0])[:n]
        floor = done[-1][0] if len(done) == n else HOPELESS * FINE if n > 1 else -np.inf
        going = [i for i in np.flatnonzero(~ends)[:n] if totals[parents[i], tokens[i]] > floor]
        if not going:
            break
        parents, tokens = parents[going], tokens[going]
        scores = totals[parents, tokens]
        logits = tree.go_on(parents.tolist(), tokens.tolist())
    else:
        done.extend((float(score), output) for score, output in zip(scores, tree.outputs, strict=True))
    return [(output, score / FINE) for score, output in done[:n]]


def _highest(totals: Array, count: int) -> np.ndarray:
    """Where the ``count`` highest possible numbers stand, highest first, equals in their order."""
    if len(totals) > count:
        least = np.partition(totals, len(totals) - count)[len(totals) - count]
        places = np.flatnonzero(totals >= least)
    else:
        places = np.arange(len(totals))
    places = places[totals[places] > _OUT]
    return places[np.argsort(-totals[places], kind="stable")][:count]


def draws(
    network: Network, memory: EncodedSource, keys: Sequence[str], limits: SearchLimits
) -> list[tuple[Ids, float]]:
    """An output at temperature 1 for each key, which it depends on alone. Draws that agree so far are one row."""
    tree = _Tree(Writing(network, memory), limits.start)
    logits, scores = tree.open(), [0.0] * len(keys)
    rows: dict[int, int] = dict.fromkeys(range(len(keys)), 0)  # draws that go on -> their row
    done: list[Ids] = [()] * len(keys)
    for place in range(limits.longest):
        _forbid(logits, tree.outputs, limits)
        sums, table = np.cumsum(shares(logits), axis=1), log_shares(logits)
        grown: dict[tuple[int, int], int] = {}
        for draw, row in list(rows.items()):
            token = _drawn(sums[row], f"{keys[draw]} {place}")
            scores[draw] += float(table[row, token])
            if token == limits.end:
                del rows[draw]
            else:
                done[draw] += (token,)
                rows[draw] = grown.setdefault((row, token), len(grown))
        if not rows:
            break
        logits = tree.go_on([row for row, _ in grown], [token for _, token in grown])
    return [(output, score / FINE) for output, score in zip(done, scores, strict=True)]


def _drawn(sums: Array, key: str) -> int:
    """A token, from the running sums of its row's weights and 64 bits of the key's hash."""
    bits = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big")
    point = (bits * int(sums[-1])) >> 64
    return int(np.searchsorted(sums, float(point), side="right"))


def score(
    network: Network, memory: EncodedSource, targets: Sequence[Ids], limits: SearchLimits
) -> list[tuple[float, ...]]:
    """Log-probability of each token of each target and of the end after it. Shared beginnings are computed once."""
    nodes: dict[Ids, int] = {}
    for target in targets:
        for length in range(len(target) + 1):
            nodes.setdefault(target[:length], len(nodes))
    sees = np.eye(len(nodes), dtype=np.bool_)
    for prefix, node in nodes.items():  # a prefix comes after its own beginnings
        if prefix:
            sees[node] |= sees[nodes[prefix[:-1]]]
    tokens = [prefix[-1] if prefix else limits.start for prefix in nodes]
    logits = Writing(network, memory).add(tokens, [len(prefix) for prefix in nodes], sees)
    table = log_shares(logits) / FINE
    return [
        tuple(float(table[nodes[target[:place]], token]) for place, token in enumerate((*target, limits.end)))
        for target in targets
    ]
