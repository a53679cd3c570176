"""Readings that say nothing, or one thing twice, stand behind those that say something."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.embedded.opinions import _meant_first
from assent.embedded.translator import Translation
from assent.evaluate.labels import label
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary


@pytest.mark.parametrize(
    ("readings", "first"),
    [
        (["G(p | !p)", "G p", "F p"], "G p"),
        (["G p & F !p", "F p"], "F p"),
        (["G(p & p)", "G(p -> p)", "F q"], "F q"),
        (["G p", "G(p | !p)"], "G p"),
        (["G(p | !p)", "F(p & p)"], "G(p | !p)"),
    ],
)
def test_what_nobody_means_is_not_read_first(readings: list[str], first: str) -> None:
    found = [Translation((), read(text, "ltl"), -float(n)) for n, text in enumerate(readings)]
    ordered = _meant_first(found)
    assert ordered[0].formula == read(first, "ltl")
    assert sorted(ordered, key=lambda r: -r.log_p) == found


ROV = Vocabulary(
    propositions=(
        Entry("thrusters_on", "thrusters running"),
        Entry("tether_taut", "tether taut"),
        Entry("hatch_sealed", "hatch sealed"),
        Entry("leak_detected", "leak detected"),
        Entry("docked", "vehicle docked"),
        Entry("arm_stowed", "arm stowed"),
        Entry("op_ack", "operator acknowledges"),
    )
)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("The vehicle must not dock within 60 s.", "G[0,60] !docked"),
        ("The vehicle must not dock before 60 s have passed.", "G[0,60] !docked"),
        (
            "After a leak is detected, the vehicle must not dock before 30 s have passed.",
            "G(leak_detected -> G[0,30] !docked)",
        ),
        (
            "When a leak is detected, the thrusters shall be off within 2 s.",
            "G(leak_detected -> F[0,2] !thrusters_on)",
        ),
        ("The vehicle docks no sooner than 60 s from now.", "G[0,60] !docked"),
    ],
)
def test_what_must_not_be_for_a_time_is_never_so_in_it(text: str, formula: str) -> None:
    models = Embedded()
    lifted = models.lift(text, "stl", ROV)
    best = models.translate(lifted)
    assert best is not None and not label(best.formula, read(formula, "stl")).wrong, best


@pytest.mark.parametrize(
    ("text", "formula", "said"),
    [
        ("The vehicle must not dock within 60 s.", "F[0,60] !docked", "'must not ... within'"),
        ("The thrusters shall be off within 60 s.", "F[0,60] !thrusters_on", ""),
        ("The vehicle must not undock before the arm is stowed.", "!arm_stowed W docked", "denied twice"),
        (
            "When a leak is detected, keep the thrusters off until the operator acknowledges, then dock.",
            "G(leak_detected -> (!thrusters_on W (op_ack & docked)))",
            "at the same time",
        ),
        (
            "The hatch may be unsealed only when the vehicle has been docked for at least 20 s.",
            "G(!hatch_sealed -> G[0,20] docked)",
            "speaks of the past",
        ),
        (
            "The operator must acknowledge a leak within 15 s.",
            "G(op_ack -> F[0,15] leak_detected)",
            "reason of the other",
        ),
        (
            "The operator has to acknowledge a leak within 15 s.",
            "F[0,15] leak_detected",
            "'acknowledge' may speak of op_ack",
        ),
        ("A leak must not go unacknowledged.", "G !leak_detected", "'unacknowledged' may speak of op_ack"),
        ("The thrusters are off until the operator acknowledges.", "!thrusters_on W op_ack", ""),
    ],
)
def test_seen_by_a_newcomer_to_be_read_wrongly_without_a_doubt(text: str, formula: str, said: str) -> None:
    models = Embedded()
    logic = "stl" if " s" in text and "[" in formula else "ltl"
    found = models.doubts(models.lift(text, logic, ROV), read(formula, logic))
    assert any(said in doubt for doubt in found) if said else not found, found
