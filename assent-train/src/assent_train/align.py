"""Fit ALIGN's regressions on pairs of token lists (seconds to a few minutes, one thread)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from assent.embedded.align import KINDS, OTHER, Decision, decisions
from assent_train.batches import Pair

MOST_FEATURES, MOST_LABELS = 24_000, 64
SELDOM = 4  # a feature met less often teaches nothing


def fit(pairs: Iterable[Pair], path: Path, *, seed: int = 0, epochs: int = 3) -> dict[str, float]:
    """Write the parameters to ``path`` (.npz); return the share of held-out choices guessed right, by kind."""
    found: dict[str, list[Decision]] = defaultdict(list)
    for source, target in pairs:
        for decision in decisions(source, target):
            found[decision.kind].append(decision)
    stored: dict[str, Any] = {}
    right = {}
    for kind in KINDS:
        arrays, right[kind] = _fit_kind(found[kind], seed=seed, epochs=epochs)
        stored.update({f"{kind}.{name}": value for name, value in arrays.items()})
    np.savez_compressed(path, **stored)
    return right


def _fit_kind(rows: list[Decision], *, seed: int, epochs: int) -> tuple[dict[str, Any], float]:
    torch.manual_seed(seed)
    counts = Counter(name for row in rows for name in row.features)
    kept = [name for name, count in counts.most_common(MOST_FEATURES) if count >= SELDOM and "\n" not in name]
    features = {name: number for number, name in enumerate(kept)}
    labels = [OTHER, *(name for name, _ in Counter(row.label for row in rows).most_common(MOST_LABELS - 1))]
    number_of = {name: number for number, name in enumerate(labels)}
    encoded = [
        ([features[name] for name in row.features if name in features], number_of.get(row.label, 0))
        for row in rows
    ]
    table = nn.EmbeddingBag(len(features), len(labels), mode="sum")
    nn.init.zeros_(table.weight)
    bias = nn.Parameter(torch.zeros(len(labels)))
    optimiser = torch.optim.Adam([table.weight, bias], lr=0.02)
    order = np.random.default_rng(seed).permutation(len(encoded))
    held, train = order[: len(order) // 20], order[len(order) // 20 :]
    size, done = 1024, 0
    steps = epochs * (len(train) // size + 1)
    for epoch in range(epochs):
        shuffled = np.random.default_rng((seed, epoch)).permutation(train)
        for start in range(0, len(shuffled), size):
            for group in optimiser.param_groups:
                group["lr"] = 0.02 * (1 - done / steps) + 1e-4
            logits, wanted = _logits(table, bias, [encoded[i] for i in shuffled[start : start + size]])
            loss = nn.functional.cross_entropy(logits, wanted, label_smoothing=0.02)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            done += 1
    with torch.no_grad():
        logits, wanted = _logits(table, bias, [encoded[i] for i in held])
        share = float((logits.argmax(-1) == wanted).float().mean())
        weights = table.weight.numpy()
    scale = np.abs(weights).max(axis=0, initial=1e-6) / 127
    arrays = {
        "features": np.array("\n".join(features)),
        "labels": np.array("\n".join(labels)),
        "weights": np.round(weights / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": bias.detach().numpy(),
    }
    return arrays, share


def _logits(
    table: nn.EmbeddingBag, bias: torch.Tensor, rows: list[tuple[list[int], int]]
) -> tuple[torch.Tensor, torch.Tensor]:
    offsets = torch.tensor([0, *np.cumsum([len(names) for names, _ in rows])[:-1]])
    flat = torch.tensor([name for names, _ in rows for name in names], dtype=torch.long)
    return table(flat, offsets) + bias, torch.tensor([label for _, label in rows])
