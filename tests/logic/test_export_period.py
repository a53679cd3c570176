"""Tools that count steps: what a step is, is asked for or said."""

from __future__ import annotations

from fractions import Fraction

import pytest

import assent
from assent.errors import FragmentError, UsageError
from assent.logic import read
from assent.logic.export import TARGETS, export, in_steps
from assent.logic.semantics import Trace, holds

SAMPLED = sorted(name for name, target in TARGETS.items() if target.sampled)
TIMELESS = ("spin",)
"""Targets that take no intervals at all."""


def example(target: str, bounds: str) -> assent.Formula:
    if target == "spatial-spec":
        return read(f"F[{bounds}] (cup enclosedin box)", "spatial")
    return read(f"F[{bounds}] a", "stl")


@pytest.mark.parametrize("target", [name for name in SAMPLED if name not in TIMELESS])
def test_fractions_need_a_period_and_are_the_same_in_steps(target: str) -> None:
    fine = example(target, "0.5,1.5")
    with pytest.raises(FragmentError, match=r"a sampling period of 0\.5 or"):
        export(fine, target)
    with pytest.raises(FragmentError, match=r"a period of 0\.4 does not divide 0\.5"):
        export(fine, target, period=Fraction("0.4"))
    made = export(fine, target, period=Fraction("0.25"), instruction="soon")
    assert made.formula == export(example(target, "2,6"), target).formula
    assert "one step (sample) is 0.25 time units" in made.text and "F[0.5,1.5]" in made.text
    assert any("0.25 time units" in note for note in made.notes)


@pytest.mark.parametrize("target", [name for name in SAMPLED if name not in TIMELESS])
def test_without_a_period_the_export_says_what_it_took(target: str) -> None:
    assert (
        "one step (sample) is 1 time unit, because no other period was given"
        in export(example(target, "0,3"), target).text
    )


@pytest.mark.parametrize("target", sorted(set(TARGETS) - set(SAMPLED)))
def test_tools_with_time_of_their_own_take_fractions_and_no_period(target: str) -> None:
    assert "0.5" in export(example(target, "0.5,1.5"), target).text
    with pytest.raises(UsageError, match="takes no sampling period"):
        export(example(target, "0.5,1.5"), target, period=Fraction(1))


def test_steps_mean_what_the_bounds_mean() -> None:
    formula = read("G[0,1](a -> F[0.5,1.5] b)", "stl")
    steps = in_steps(formula, Fraction(1, 2))
    a, b = sorted(assent.logic.ast.atoms(formula), key=str)
    for word in range(1 << 8):
        states = tuple(
            frozenset([*([a] if word >> k & 1 else []), *([b] if word >> k + 4 & 1 else [])])
            for k in range(4)
        )
        assert holds(formula, Trace(states, 3, Fraction(1, 2))) == holds(steps, Trace(states, 3))


@pytest.mark.parametrize("wrong", [0, -1, "soon", float("nan")])
def test_a_period_is_positive(wrong: float | str) -> None:
    with pytest.raises(UsageError, match="positive"):
        assent.export("F[0,1] a", "rtamt", period=wrong)


@pytest.mark.peer
def test_an_exported_rtamt_monitor_runs_with_fractional_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rtamt", reason="rtamt is not installed (extra: peers)")
    made = assent.export("G[0,0.2](a -> F[0,0.3] b)", "rtamt", period=0.1)
    exec(compile(made.text, "monitor", "exec"), {})
    assert capsys.readouterr().out.startswith("[[0")
