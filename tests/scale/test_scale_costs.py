"""Plans for very many instructions: against a clock that is moved by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.cli import main
from assent.errors import UsageError
from assent.scale.costs import LOCAL, Load, cost

amounts = st.integers(1, 40)


@given(amounts, st.integers(1, 6), amounts, amounts, st.integers(1, 9), st.integers(1, 9))
def test_hours_are_those_of_a_run_played_through(
    n: int, calls: int, at_once: int, workers: int, call: int, model: int
) -> None:
    """Every queue by itself, item by item: the plan is its length up to one item's time (rounds are whole there)."""
    found = cost(
        Load(
            instructions=n,
            calls=calls,
            calls_at_once=at_once,
            workers=workers,
            seconds_per_call=call,
            own_seconds=0.0,
            model_seconds=model,
            driver_seconds=0.0,
        )
    )
    for name, servers, jobs, each in (
        ("calls at once", at_once, n * calls, call),
        ("workers", workers, n, model),
    ):
        ends = [0.0] * servers
        for _ in range(jobs):
            first = min(range(servers), key=lambda k: ends[k])
            ends[first] += each
        assert max(ends) - each < found.parts[name] * 3600 + 1e-6 <= max(ends) + 2e-6
    assert found.hours == max(found.parts.values()) == found.parts[found.bottleneck]


@given(st.floats(1, 1e9), st.floats(1.5, 50))
def test_twice_as_many_take_twice_as_much(n: float, factor: float) -> None:
    one, many = cost(Load(instructions=n, price_prompt=1.0)), cost(
        Load(instructions=n * factor, price_prompt=1.0)
    )  # fmt: skip
    for name in ("calls", "money", "hours", "output_bytes", "cache_bytes"):
        assert getattr(many, name) == pytest.approx(factor * getattr(one, name))


def test_what_must_grow_and_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--scale", "1e6", "--local", "--workers", "2", "--within", "7", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["calls"] == 0 and said["bottleneck"] == "workers"
    assert said["needed"] == {"workers": pytest.approx(1e6 * LOCAL["model_seconds"] / 2 / 3600 / 7)}
    assert main(["plan", "--scale", "1e6", "--requests-per-minute", "500"]) == 0
    assert "the bottleneck: requests a minute" in capsys.readouterr().out
    assert main(["plan", "--scale", "-1"]) == 2 and main(["plan", "l.db", "--scale", "5"]) == 2
    with pytest.raises(UsageError):
        Load(instructions=float("nan"))
