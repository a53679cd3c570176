"""Small recordings made by rule: what is right, wrong, consistent and clustered is known beforehand."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

RATINGS = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")
FORMULAS = {
    "ltl": {
        "D2": ("G (a -> F b)", "F (a & F b)", "G (a -> G b)"),
        "D3": ("G (a -> F (b & c))", "F a & (b U c)", "G (a -> (b U c))"),
    },
    "stl": {
        "D2": ("G[0,9] (a -> F[0,4] b)", "F[0,5] (a & b)", "G[0,9] (a -> F[0,5] b)"),
        "D3": ("G[0,20] (a -> F[2,6] (b & c))", "F[0,5] (a & b & c)", "G[0,20] (a -> F[2,7] (b & c))"),
    },
}


def rated(value: int) -> dict[str, int]:
    return dict.fromkeys(RATINGS, value)


def recording(
    n: int, *, logic: str = "ltl", seed: int = 0, error: float = 0.25, clusters: int | None = 20
) -> list[dict[str, Any]]:
    """Two tiers; the wrong ones are rated lower on average and their samples disagree more often."""
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        tier = ("D2", "D3")[i % 2]
        right, other, wrong = FORMULAS[logic][tier]
        number = rng.randrange(clusters) if clusters else i
        reference = (right, other)[number % 2]
        bad = rng.random() < error
        suspicious = rng.random() < (0.7 if bad else 0.2)
        samples = [reference] * 5
        for k in range(rng.randrange(1, 4) if suspicious else 0):
            samples[k] = wrong
        row = {
            "id": f"r{i}",
            "logic": logic,
            "text": f"instruction {i} of kind {number}",
            "reference": reference,
            "candidate": wrong if bad else reference,
            "samples": samples,
            "back_translation": "said in English",
            "judge": rated(rng.randrange(40, 90) if suspicious else rng.randrange(80, 101)),
            "group": tier,
            "system": "a recorded model",
        }
        if clusters:
            row["cluster"] = f"{tier}-{number}"
        rows.append(row)
    return rows


def write(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def embed(texts: list[str]) -> Any:
    """Vectors by a hash of the words: the same text is the same vector, nothing is shifted."""
    import numpy as np

    return np.array([np.random.default_rng(abs(hash_of(t))).normal(size=16) for t in texts], dtype=np.float32)


def hash_of(text: str) -> int:
    import hashlib

    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
