"""The gate's power against shifted streams, for each embedder, and its false deferral without shift."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from assent.build import embedded_models
from assent.experiments.measure import Rows
from assent.gate import build

Embed = Callable[[list[str]], npt.NDArray[np.float32]]
DELTA = 0.05
SEED = 20260101


class Named:
    """An embedder by name."""

    def __init__(self, name: str, embed: Embed) -> None:
        self.name, self._embed = name, embed

    def embed(self, texts: list[str]) -> npt.NDArray[np.float32]:
        return self._embed(texts)


def embedders() -> list[Named]:
    """Those that are installed here: ours, and for comparison wordllama and MiniLM."""
    found = [Named(f"shipped: {embedded_models().embedder.name}", embedded_models().embedder.embed)]
    try:
        from pathlib import Path

        import wordllama

        model: Any = wordllama.WordLlama.load(
            cache_dir=Path(wordllama.__file__).parent, disable_download=True
        )
        found.append(
            Named("wordllama", lambda texts: np.asarray(model.embed(texts, norm=True), dtype=np.float32))
        )
    except ImportError:
        pass
    return found


def power(streams: dict[str, list[str]], pairs: list[tuple[str, str]]) -> Rows:
    """Share deferred: within a stream (should be at most delta) and from one stream to another."""
    out: Rows = []
    for embedder in embedders():
        for home, away in pairs:
            if min(len(set(streams.get(name, ()))) for name in (home, away)) < 60:
                continue
            rng = np.random.default_rng(SEED)
            texts = list(dict.fromkeys(streams[home]))
            order = rng.permutation(len(texts))
            n = min(len(texts), 900)
            cut = [texts[int(i)] for i in order[:n]]
            reference, calibration, test = cut[: n // 3], cut[n // 3 : 2 * n // 3], cut[2 * n // 3 :]
            gate = build(embedder, reference, calibration, delta=DELTA)
            away_texts = list(dict.fromkeys(streams[away]))
            shifted = [away_texts[int(i)] for i in rng.permutation(len(away_texts))[:300]]
            same = np.mean([gate.read(t).p_value < DELTA for t in test])
            moved = np.mean([gate.read(t).p_value < DELTA for t in shifted])
            se = float(np.sqrt(same * (1 - same) / len(test)))
            out.append(
                {
                    "embedder": embedder.name,
                    "calibrated on": home,
                    "stream": away,
                    "false deferral": float(same),
                    "low": float(max(0, same - 1.96 * se)),
                    "high": float(same + 1.96 * se),
                    "deferred under shift": float(moved),
                }
            )
    return out
