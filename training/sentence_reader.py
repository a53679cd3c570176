"""The network of the linker's second look (``assent.lift.reader``), and how it is trained; called by ``train_linker.py``."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from assent.embedded.embedder import Guess
from assent.lift.features import PAIR_FEATURES, WORD_FEATURES
from assent.lift.linker import AROUND, BESIDE
from assent.lift.reader import HEADS, NUMERAL, POOLED, REACHES, VECTORS

WIDTH = 112
TURNED = 8  # numbers for each of the ways to compare a word with an entry
OWN = 16  # what a word's row says beside
COMMON = 1500
DROPOUT = 0.2
SIGNS = 0.3
"""How much the words that say an entry's opposite count beside the links."""


@dataclass(frozen=True)
class Sentence:
    """Features with the context of the first look, labels (-1 none, -2 not taught), signs (1 denies, -1 unknown)."""

    pairs: np.ndarray
    alone: np.ndarray
    labels: np.ndarray
    texts: list[str]
    at: np.ndarray
    phrases: list[str]
    signs: np.ndarray
    first: np.ndarray


class Vectors:
    """Every word and phrase once, as a tensor."""

    def __init__(self, texts: set[str], guess: Guess) -> None:
        known = sorted(texts)
        rows = [guess.vectors(known[k : k + 4096]) for k in range(0, len(known), 4096)]
        self.rows, self.place = torch.tensor(np.concatenate(rows)), {text: n for n, text in enumerate(known)}

    def __call__(self, texts: Sequence[str]) -> torch.Tensor:
        return torch.tensor([self.place[text] for text in texts])


@dataclass
class Batch:
    """Sentences side by side; ``owner`` and ``at``: which sentence and place each word that may name something has."""

    pairs: torch.Tensor
    alone: torch.Tensor
    there: torch.Tensor
    labels: torch.Tensor
    signs: torch.Tensor
    words: torch.Tensor
    common: torch.Tensor
    real: torch.Tensor
    told: torch.Tensor
    meant: torch.Tensor
    named: torch.Tensor
    owner: torch.Tensor
    at: torch.Tensor


class Feeder:
    """Sentences to batches."""

    def __init__(self, sentences: Sequence[Sentence], common: Sequence[str], guess: Guess) -> None:
        self.common = {word: n + 1 for n, word in enumerate(common)}
        self.words = Vectors({t for s in sentences for t in s.texts}, guess)
        self.phrases = Vectors({p for s in sentences for p in s.phrases}, guess)

    def batches(self, data: Sequence[Sentence], size: int, rng: random.Random | None) -> Iterator[Batch]:
        """Sentences of about one length together; in a new order each time where ``rng`` is given."""
        order = sorted(range(len(data)), key=lambda k: len(data[k].texts) + (6 * rng.random() if rng else 0))
        chunks = [order[k : k + size] for k in range(0, len(order), size)]
        if rng:
            rng.shuffle(chunks)
        return (self.batch([data[k] for k in chunk]) for chunk in chunks)

    def batch(self, part: Sequence[Sentence]) -> Batch:
        widest, longest = max(s.pairs.shape[1] for s in part), max(len(s.texts) for s in part)
        pairs = [np.pad(s.pairs, ((0, 0), (0, widest - s.pairs.shape[1]), (0, 0))) for s in part]
        there = [np.tile(np.arange(widest) < s.pairs.shape[1], (len(s.labels), 1)) for s in part]
        labels = np.concatenate([s.labels for s in part]).astype(np.int64)
        labels = np.where(labels == -1, widest, np.where(labels == -2, -100, labels))
        words = torch.zeros(len(part), longest, dtype=torch.long)
        common, real = torch.zeros_like(words), torch.zeros(len(part), longest)
        told, shares = torch.zeros(len(part), longest, 5), torch.zeros(len(part), longest, widest)
        phrases = torch.zeros(len(part), widest, dtype=torch.long)
        for b, s in enumerate(part):
            n, at, first = len(s.texts), torch.tensor(s.at.astype(np.int64)), torch.tensor(s.first)
            words[b, :n], real[b, :n] = self.words(s.texts), 1.0
            common[b, :n] = torch.tensor([self.common.get(text, 0) for text in s.texts])
            phrases[b, : len(s.phrases)] = self.phrases(s.phrases)
            told[b, :n, 0] = torch.tensor([float(text == NUMERAL) for text in s.texts])
            told[b, at, 1], told[b, at, 2] = 1.0, first[:, -1]
            best = first[:, :-1].topk(min(2, first.shape[1] - 1), dim=1).values
            told[b, at, 3 : 3 + best.shape[1]] = best
            shares[b, at, : first.shape[1] - 1] = first[:, :-1]
        named = self.phrases.rows[phrases]
        return Batch(
            torch.tensor(np.concatenate(pairs).astype(np.float32)),
            torch.tensor(np.concatenate([s.alone for s in part]).astype(np.float32)),
            torch.tensor(np.concatenate(there)),
            torch.tensor(labels),
            torch.tensor(np.concatenate([s.signs for s in part]).astype(np.float32)),
            self.words.rows[words],
            common,
            real,
            told,
            torch.bmm(shares, named),
            named,
            torch.tensor(np.concatenate([np.full(len(s.labels), b) for b, s in enumerate(part)])),
            torch.tensor(np.concatenate([s.at for s in part]).astype(np.int64)),
        )


def two_layers(inputs: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))


class ReaderNet(nn.Module):
    """As ``assent.lift.reader.SentenceReader`` computes it."""

    def __init__(self, common: int, vector: int = 256) -> None:
        super().__init__()
        self.word, self.told = nn.Linear(vector, WIDTH), nn.Linear(5, WIDTH)
        self.meant = nn.Linear(vector, WIDTH, bias=False)
        self.common = nn.Embedding(common + 1, WIDTH)
        nn.init.normal_(self.common.weight, std=0.3)
        self.around = nn.ModuleList(nn.Linear(3 * WIDTH, WIDTH) for _ in REACHES)
        self.out = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in REACHES)
        self.mean = nn.Linear(WIDTH, WIDTH)
        for layer in (*self.out, self.mean):
            nn.init.zeros_(layer.weight)
        self.ours, self.theirs = nn.Linear(WIDTH, HEADS * TURNED), nn.Linear(vector, HEADS * TURNED)
        self.own = nn.Linear(WIDTH, OWN)
        both = PAIR_FEATURES + AROUND + HEADS
        self.pair, self.alone = two_layers(both, 48), two_layers(WORD_FEATURES + BESIDE + OWN, 24)
        self.sign = two_layers(both + OWN, 32)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, b: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores of each entry and of none; scores of each entry's opposite."""
        real = b.real[..., None]
        x = (
            self.word(b.words * VECTORS)
            + self.common(b.common)
            + self.told(b.told)
            + self.meant(b.meant * VECTORS)
        )
        x = self.drop(x) * real
        for n, reach in enumerate(REACHES):
            padded, length = nn.functional.pad(x, (0, 0, reach, reach)), x.shape[1]
            seen = torch.cat([padded[:, :length], x, padded[:, 2 * reach : 2 * reach + length]], dim=2)
            x = (x + self.out[n](self.drop(torch.relu(self.around[n](seen))))) * real
            if n == POOLED:
                mean = x.sum(1) / b.real.sum(1, keepdim=True)
                x = (x + self.mean(torch.relu(mean))[:, None]) * real
        rows = x[b.owner, b.at]
        ours = self.ours(rows).view(-1, HEADS, TURNED)
        theirs = self.theirs(b.named * VECTORS).view(*b.named.shape[:2], HEADS, TURNED)[b.owner]
        both = torch.cat([b.pairs, torch.einsum("nhd,nehd->neh", ours, theirs)], dim=2)
        own = torch.relu(self.own(rows))
        scores = self.pair(both).squeeze(-1).masked_fill(~b.there, -1e9)
        none = self.alone(torch.cat([b.alone, own], dim=1))
        wide = own[:, None].expand(*both.shape[:2], OWN)
        return torch.cat([scores, none], dim=1), self.sign(torch.cat([both, wide], dim=2)).squeeze(-1)


def common_words(sentences: Sequence[Sentence]) -> list[str]:
    counts = Counter(text for s in sentences for text in s.texts)
    return [word for word, count in counts.most_common(COMMON) if count >= 20]


def loss_of(net: ReaderNet, batch: Batch) -> torch.Tensor:
    scores, against = net(batch)
    loss = nn.functional.cross_entropy(scores, batch.labels, ignore_index=-100)
    rows, column = signed(batch)
    if rows.any():
        loss = loss + SIGNS * nn.functional.binary_cross_entropy_with_logits(
            against[rows, column], batch.signs[rows]
        )
    return loss


def signed(batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Words whose sign is known and that no table matches with their entry, and the entry's column."""
    known = (batch.signs >= 0) & (batch.labels >= 0) & (batch.labels < batch.there.shape[1])
    column = batch.labels.clamp(0, batch.there.shape[1] - 1)
    plain = batch.pairs[torch.arange(len(column)), column, :4].sum(1) == 0
    rows = known & plain
    return rows, column[rows]


def train(
    net: ReaderNet,
    feeder: Feeder,
    data: Sequence[Sentence],
    dev: Sequence[Sentence],
    *,
    epochs: int,
    checkpoint: Path,
    seed: int = 1,
    size: int = 32,
    rate: float = 3e-3,
) -> ReaderNet:
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    steps = epochs * (len(data) // size + 1) + 5
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    rng = random.Random(seed)
    for epoch in range(epochs):
        net.train()
        started, total, count = time.monotonic(), 0.0, 0
        for batch in feeder.batches(data, size, rng):
            loss = loss_of(net, batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total, count = total + float(loss.detach()), count + 1
        seconds = time.monotonic() - started
        print(
            f"epoch {epoch + 1}: loss {total / count:.4f}  {measured(net, feeder, dev)}  {seconds:.0f} s",
            flush=True,
        )
        torch.save(net.state_dict(), checkpoint)
    return net


def measured(net: ReaderNet, feeder: Feeder, dev: Sequence[Sentence]) -> str:
    net.eval()
    tally: Counter[str] = Counter()
    loss = 0.0
    with torch.no_grad():
        for batch in feeder.batches(dev, 64, None):
            scores, against = net(batch)
            best, none, y = scores.argmax(1), scores.shape[1] - 1, batch.labels
            named = (y != -100) & (y != none)
            tally["right"] += int((named & (best == y)).sum())
            tally["missed"] += int((named & (best == none)).sum())
            tally["wrong"] += int((named & (best != y) & (best != none)).sum())
            tally["too many"] += int(((y == none) & (best != none)).sum())
            tally["taught"] += int((y != -100).sum())
            loss += float(nn.functional.cross_entropy(scores, y, ignore_index=-100, reduction="sum"))
            rows, column = signed(batch)
            tally["signs"] += int(rows.sum())
            tally["right signs"] += int(((against[rows, column] > 0) == (batch.signs[rows] > 0)).sum())
    words = ", ".join(f"{name} {tally[name]}" for name in ("right", "missed", "wrong", "too many"))
    signs = tally["right signs"] / max(1, tally["signs"])
    return (
        f"held out words: {words}, loss {loss / tally['taught']:.4f}; signs {signs:.3f} of {tally['signs']}"
    )


def stored(net: ReaderNet, common: Sequence[str]) -> dict[str, np.ndarray]:
    """The weights as ``SentenceReader`` names them."""
    out = {"reader_words": np.array(common), "reader_common": net.common.weight.detach().numpy()}
    for name, value in net.state_dict().items():
        if not name.startswith("common"):
            layer, _, kind = name.rpartition(".")
            out[f"reader_{layer.replace('.', '_')}_{kind}"] = value.numpy()
    return {
        name: value if name == "reader_words" else value.astype(np.float16) for name, value in out.items()
    }
