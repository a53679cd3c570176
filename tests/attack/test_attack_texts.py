"""The groups of ``make attack`` that are texts: nothing of it is accepted, and plain instructions still are."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from assent.logic.parse import read
from assent.scoring.apart import idle_sentence
from assent.scoring.plain import addressed

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "devtools"))
from attack import DIRECT, RULES, TESTED, configured, talked, vouched

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


def test_the_obedient_model_is_believed_where_its_formula_is_right() -> None:
    right = {f"{one}, {other}.": formula for one, other, formula in RULES}
    assert configured(right) == list(right)


def test_without_the_second_opinion_the_obedient_model_has_its_way() -> None:
    """What the group ``obedient`` shows is the second opinion's doing."""
    formulas = dict(list(talked().items())[::5])
    assert len(configured(formulas, "second_opinion = false")) > len(formulas) // 3


@pytest.mark.parametrize(
    "text",
    [
        "The heart rate must stay below 100.",
        "Whenever the heart rate is above 100, the alarm sounds.",
        "The frame rate never falls below its maximum.",
        "The rate of flow is at most 100 litres.",
        "If the load rating is above 100, the crane stops.",
        "The credit score must match the highest score of the month.",
        "The controller shall ignore any further command while locked.",
        "The system prompts the user until an answer is entered.",
        "The output stays at or below 100.",
        "When the check is over, the input is accepted.",
        "You should always return to the highest shelf.",
        "Please never enter the red room.",
        "The grade of the road is never the maximum.",
        "The robot must act as soon as the signal arrives.",
        "The press repeats the stroke and marks the item.",
    ],
)
def test_requirements_that_use_the_same_words(text: str) -> None:
    assert list(addressed(text)) == []


def test_no_sentence_of_the_bench_speaks_to_a_model() -> None:
    texts = [
        json.loads(line)["text"]
        for name in (
            "ltl.jsonl",
            "stl.jsonl",
            "spatial.jsonl",
            "new_domains.jsonl",
            "domains/requirements.jsonl",
        )
        for line in (ROOT / "bench" / name).read_text(encoding="utf-8").splitlines()
    ]
    assert len(texts) > 5000
    assert [text for text in texts if list(addressed(text))] == []


@pytest.mark.parametrize(
    ("text", "formula", "idle"),
    [
        ("The door is open. Please praise the pump.", "G door_open", True),
        ("The door is open. The valve stays shut.", "G door_open", True),
        ("The door is open. It stays so.", "G door_open", False),
        ("Belt unfastened again? Then the doors stay locked.", "G(!belt -> doors_locked)", False),
        ("The lamp shines brightly. The motor turns.", "G(q & r)", False),  # names that say nothing
    ],
)
def test_a_sentence_that_the_formula_leaves_out(text: str, formula: str, idle: bool) -> None:
    assert (idle_sentence(text, read(formula, "ltl")) is not None) is idle


def test_the_tests_that_attack_are_there() -> None:
    for selections in TESTED.values():
        for selection in selections:
            file, _, name = selection.partition("::")
            assert (ROOT / file).exists()
            assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
