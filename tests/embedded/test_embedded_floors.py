"""How often the shipped networks are right on small samples: no change of code may lose a kind of sentence unseen.

The floors lie two standard errors below what the samples gave; samples are of the dev halves alone.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from assent.embedded import Embedded
from assent.logic.parse import read
from assent.vocabulary import load_sections

pytest.importorskip("assent_train", reason="assent-train is not installed")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "training"))
from evaluate import BENCH, SETS, prepare, rows_of, same

SAMPLE = 120


@pytest.mark.parametrize(
    ("name", "floor"),
    [
        ("lang2ltl", 0.87),
        ("nl2tl-ltl", 0.83),
        ("nl2tl-stl", 0.67),
        ("bench-ltl", 0.85),
        ("bench-stl", 0.80),
        ("bench-spatial", 0.95),
    ],
)
def test_as_often_right_as_ever(models: Embedded, name: str, floor: float) -> None:
    if not SETS[name][0].exists():
        pytest.skip(f"{SETS[name][0].name} is not here: it is for measuring only, and not shipped")
    rows = sorted(rows_of(name, "dev"), key=lambda row: hashlib.sha1(row["id"].encode()).hexdigest())[:SAMPLE]
    sections = load_sections(BENCH / "vocabulary.json")
    right = 0
    for row in rows:
        lifted = prepare(row, sections, models.lift)
        answer = models.translate(lifted) if lifted is not None else None
        right += answer is not None and same(answer.formula, read(row["reference"], row["logic"]))
    assert len(rows) == SAMPLE
    assert right >= floor * SAMPLE
