"""The gate: distances by an independent formula, p-values that keep their promise, leaks refused."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from numpy.typing import NDArray

from assent.errors import LeakageError, ModelError, PolicyError, UsageError
from assent.logic.ast import Logic
from assent.pipeline import gate
from assent.records import Instruction
from assent.vocabulary import Vocabulary


class Hashed:
    """A deterministic embedder: texts with the same first word lie close together."""

    name = "hashed@1"

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> NDArray[np.float32]:
        def vector(said: str) -> NDArray[np.float64]:
            seed = int.from_bytes(hashlib.sha256(said.encode()).digest()[:8], "big")
            return np.random.default_rng(seed).normal(size=16)

        return (vector(text.split(maxsplit=1)[0]) + 0.3 * vector(text)).astype(np.float32)


def texts(word: str, count: int) -> list[str]:
    return [f"{word} number {i}" for i in range(count)]


def test_distance_is_the_mean_over_the_nearest() -> None:
    known = gate.vectors(Hashed(), texts("lift", 40))
    point = gate.vectors(Hashed(), ["lift something else"])
    by_hand = sorted(
        np.sqrt(((known[i].astype(float) - point[0].astype(float)) ** 2).sum()) for i in range(40)
    )
    assert gate.distances(point, known, 10)[0] == pytest.approx(np.mean(by_hand[:10]), rel=1e-12)


def test_known_instructions_pass_and_strange_ones_are_deferred() -> None:
    built = gate.build(Hashed(), texts("lift", 100), [f"lift case {i}" for i in range(200)])
    strange = [built.read(f"poem {i}").p_value for i in range(20)]
    assert max(strange) < 0.05
    # The share deferred among exchangeable instructions stays at delta (mean 0.05, s.e. 0.01 and the draw's own).
    fresh = [built.read(f"lift fresh {i}").p_value < 0.05 for i in range(400)]
    assert np.mean(fresh) < 0.05 + 0.06


def test_p_value_counts_ties_as_far() -> None:
    built = gate.Gate(Hashed(), gate.vectors(Hashed(), texts("lift", 12)), (1.0,) * 10 + (2.0,) * 20)
    assert float(built.rule.p_value(2.0)) == 21 / 31
    assert float(built.rule.p_value(2.1)) == 1 / 31
    assert float(built.rule.p_value(0.5)) == 1.0


def test_a_gate_that_cannot_defer_is_an_error() -> None:
    with pytest.raises(UsageError, match="never defer"):
        gate.build(Hashed(), texts("lift", 20), [f"lift case {i}" for i in range(19)])
    gate.build(Hashed(), texts("lift", 20), [f"lift case {i}" for i in range(20)])
    with pytest.raises(UsageError, match="never defer"):
        gate.build(Hashed(), texts("lift", 20), [f"lift c {i}" for i in range(40)], clusters=["a", "b"] * 20)
    with pytest.raises(UsageError, match="neighbours"):
        gate.build(Hashed(), texts("lift", 5), [f"lift case {i}" for i in range(40)])


def test_overlap_is_refused() -> None:
    with pytest.raises(LeakageError):
        gate.build(Hashed(), texts("lift", 20), ["Lift  NUMBER 3", *(f"lift case {i}" for i in range(30))])


def test_a_policy_brings_its_gate_back_and_refuses_another_reference() -> None:
    built = gate.build(Hashed(), texts("lift", 30), [f"lift case {i}" for i in range(40)])
    again = gate.Gate.thawed(built.frozen(), Hashed(), built.reference)
    assert again.read("lift me") == built.read("lift me")
    with pytest.raises(PolicyError, match="another reference"):
        gate.Gate.thawed(built.frozen(), Hashed(), built.reference[:-1])


def test_vectors_without_direction_are_failures() -> None:
    class Broken:
        name = "broken"

        def __init__(self, value: float) -> None:
            self.value = value

        def embed(self, texts: list[str]) -> NDArray[np.float32]:
            return np.full((len(texts), 3), self.value, dtype=np.float32)

    for value in (0.0, float("nan"), float("inf")):
        with pytest.raises(ModelError, match="direction"):
            gate.vectors(Broken(value), ["x"])


class FirstWord:
    """A view that compares the first word only."""

    name = "first word"

    def __call__(self, case: Instruction, vocabulary: Vocabulary | None) -> str:
        return f"lift {case.text.split()[0]}"


def test_a_gate_compares_what_its_view_shows_and_the_policy_remembers_which() -> None:
    built = gate.build(Hashed(), texts("lift", 30), [f"lift case {i}" for i in range(40)], view=FirstWord())
    case = Instruction(id="1", text="number and whatever else", logic=Logic.LTL)
    assert built.measure(case, None) == built.read("lift number")
    stored = built.frozen()
    assert (
        stored.view == "first word"
        and built.name != gate.build(Hashed(), texts("lift", 30), [f"lift case {i}" for i in range(40)]).name
    )
    again = gate.Gate.thawed(stored, Hashed(), built.reference, FirstWord())
    assert again.measure(case, None) == built.measure(case, None)
    with pytest.raises(PolicyError, match="first word"):
        gate.Gate.thawed(stored, Hashed(), built.reference)
