"""Instructions with candidates and samples that mean different things, as decisions."""

from __future__ import annotations

from typing import Any

from ledger_places import decision

CASES: list[tuple[str, str, list[str], str]] = [
    (
        "The pump must run until the tank is full.",
        "pump U full",
        ["pump W full", "pump U full"],
        "pump U full",
    ),
    (
        "The door never opens while moving.",
        "G (moving -> !open)",
        ["!(F (moving & open))"],
        "G (moving -> !open)",
    ),
    ("Eventually the light goes on.", "F light", ["G F light", "F light", "G light"], "G F light"),
    (
        "After an alarm the operator answers.",
        "G (alarm -> F answer)",
        ["F (alarm -> answer)"],
        "G (alarm -> F answer)",
    ),
    ("The valve stays shut.", "G shut", ["shut", "X shut", "F shut"], "G shut"),
    ("If a is true then b is true next.", "G (a -> X b)", ["a -> X b", "G (a -> b)"], "a -> X b"),
]
"""Text, candidate, samples, what is really meant."""


def rows(count: int, *, accepted: int | None = None) -> list[dict[str, Any]]:
    """Decisions in turn from the cases, the first ``accepted`` of them accepted."""
    made = []
    for n in range(count):
        text, candidate, samples, _ = CASES[n % len(CASES)]
        evidence = {"text": f"{text} ({n})", "candidate": candidate, "formula": candidate, "samples": samples}
        made.append(decision(n, accepted=accepted is None or n < accepted, evidence=evidence))
    return made


def meant(number: int) -> str:
    return CASES[number % len(CASES)][3]
