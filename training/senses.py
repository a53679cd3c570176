"""Learns how people's words for something lie near its name: two matrices over word vectors (``assent.lift.seen.Senses``).

Each marked part of a written row is a question: which entry of its vocabulary (and of some others) do these words speak
of? The matrices are turned until the right one is the nearest.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from measure_lifting import Mark

from assent.embedded.embedder import Guess
from assent.lift.entries import known_entries
from assent.lift.propose import has_content
from assent.lift.seen import Senses
from assent.vocabulary import Entry, Vocabulary

Row = tuple[str, str, list[Mark], str]  # domain, text, marks, logic
WIDTH = 128
EPOCHS = 5
BATCH = 64
STRANGERS = 8  # entries of other domains beside those of the row's own
SHARPNESS = 2.3  # the logarithm of what cosines are multiplied by at first


@dataclass(frozen=True)
class Question:
    """Content words of a mark, and which of the entries of its vocabulary (``place``) they speak of."""

    words: tuple[str, ...]
    place: tuple[str, bool]
    answer: int


def questions(
    rows: Sequence[Row],
    phrases: dict[tuple[str, bool], list[str]],
    entries_of: Callable[[Vocabulary, str], tuple[Entry, ...]],
    sections: dict[str, Vocabulary],
) -> list[Question]:
    """Every mark that speaks of one entry."""
    out = []
    for domain, text, marks, logic in rows:
        place = (domain, logic == "spatial")
        knowns = known_entries(entries_of(sections[domain], logic))
        phrases.setdefault(place, [known.phrase for known in knowns])
        number = {known.entry.name: n for n, known in enumerate(knowns)}
        for mark in marks:
            said = re.findall(r"[a-z]+", text[mark.start : mark.end].lower())
            words = tuple(word for word in said if has_content(word))
            if mark.kind == "[" and len(mark.names) == 1 and mark.names[0] in number and words:
                out.append(Question(words, place, number[mark.names[0]]))
    return out


def learn(
    rows: Sequence[Row],
    sections: dict[str, Vocabulary],
    entries_of: Callable[[Vocabulary, str], tuple[Entry, ...]],
    guess: Guess,
    seed: int,
) -> Senses:
    """Matrices learnt from the marks of these rows."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    phrases: dict[tuple[str, bool], list[str]] = {}
    asked = questions(rows, phrases, entries_of, sections)
    texts = {" ".join(q.words) for q in asked} | {word for q in asked for word in q.words}
    names = sorted(texts | {phrase for there in phrases.values() for phrase in there})
    index = {name: n for n, name in enumerate(names)}
    vectors = torch.from_numpy(
        np.concatenate([guess.vectors(names[k : k + 4096]) for k in range(0, len(names), 4096)])
    )
    entries = {place: torch.tensor([index[p] for p in there]) for place, there in phrases.items() if there}
    strangers = {
        kind: torch.cat([e for p, e in entries.items() if p[1] is kind]) for kind in {p[1] for p in entries}
    }
    start = torch.linalg.qr(torch.randn(vectors.shape[1], vectors.shape[1]))[0][:WIDTH]
    said, named = (torch.nn.Parameter(start.clone()) for _ in range(2))
    sharp = torch.nn.Parameter(torch.tensor(SHARPNESS))
    optimiser = torch.optim.AdamW(
        [{"params": [said, named], "weight_decay": 0.02}, {"params": [sharp], "weight_decay": 0.0}]
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, 3e-3, total_steps=EPOCHS * (len(asked) // BATCH + 1)
    )
    for _ in range(EPOCHS):
        rng.shuffle(asked)
        for k in range(0, len(asked), BATCH):
            batch = asked[k : k + BATCH]
            ours = torch.tensor([index[_view(q.words, index, rng)] for q in batch])
            lists = []
            for q in batch:
                others = strangers[q.place[1]]
                lists.append(torch.cat([entries[q.place], others[torch.randint(len(others), (STRANGERS,))]]))
            offered = torch.nn.utils.rnn.pad_sequence(lists, batch_first=True, padding_value=-1)
            left, right = _unit(vectors[ours] @ said.T), _unit(vectors[offered.clamp(min=0)] @ named.T)
            scores = torch.einsum("bd,bmd->bm", left, right) * sharp.exp()
            scores = scores.masked_fill(offered < 0, -1e9)
            loss = torch.nn.functional.cross_entropy(scores, torch.tensor([q.answer for q in batch]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return Senses(*(m.detach().numpy().astype(np.float16).astype(np.float32) for m in (said, named)))


def _unit(x: torch.Tensor) -> torch.Tensor:
    return x / (x.norm(dim=-1, keepdim=True) + 1e-6)


def _view(words: tuple[str, ...], index: dict[str, int], rng: random.Random) -> str:
    """All the words of a mark, or one of them: the linker asks about both."""
    return rng.choice(words) if rng.random() < 0.35 else " ".join(words)
