"""The groups of ``make attack`` that are texts: nothing of it is accepted, and plain instructions still are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "devtools"))
from attack import DIRECT, TESTED, vouched

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("group", DIRECT)
def test_nothing_is_accepted(group: str) -> None:
    attempts = list(DIRECT[group]())
    assert len(attempts) >= 100
    assert [what for what, held in attempts if not held] == []


@pytest.mark.parametrize(
    ("text", "formula", "logic"),
    [
        ("whenever a, later b", "G(a -> F b)", "ltl"),
        ("a holds within 12 500 s", "F[0,12500] a", "stl"),
        ("a holds within twenty-five seconds", "F[0,25] a", "stl"),
        ("a holds within two and a half seconds", "F[0,2.5] a", "stl"),
        ("a holds within a minute and a half", "F[0,90] a", "stl"),
        ("a holds within 250ms", "F[0,0.25] a", "stl"),
        ("x stays below 50 %", "G x < 0.5", "stl"),
    ],
)
def test_the_same_model_is_believed_where_nothing_is_wrong(text: str, formula: str, logic: str) -> None:
    """Otherwise the attack would hold because nothing is ever accepted."""
    assert vouched(text, formula, logic)


def test_the_tests_that_attack_are_there() -> None:
    for selections in TESTED.values():
        for selection in selections:
            file, _, name = selection.partition("::")
            assert (ROOT / file).exists()
            assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
