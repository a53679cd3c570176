"""The second look of the linker: what it sees of the first, by a plain count, and the same in any order of entries."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assent.lift.linker import AROUND, BESIDE, context

STEPS = 4096


@st.composite
def looks(draw: st.DrawFn) -> np.ndarray:
    """Chances of up to five words over up to four entries and none, in multiples of 1/4096."""
    words, entries = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    cell = st.integers(0, STEPS)
    rows = [[draw(cell) for _ in range(entries + 1)] for _ in range(words)]
    table = np.array(rows, dtype=np.float64) + 1
    return (table / table.sum(axis=1, keepdims=True)).astype(np.float32)


@given(looks())
def test_neighbours_are_what_stands_beside(chances: np.ndarray) -> None:
    around, beside = context(chances)
    words, entries = chances.shape[0], chances.shape[1] - 1
    assert around.shape == (words, entries, AROUND) and beside.shape == (words, BESIDE)
    rough = np.rint(chances.astype(np.float64) * STEPS) / STEPS
    for i in range(words):
        for e in range(entries):
            assert around[i, e, 0] == np.float32(rough[i, e])
            for column, by in ((1, 1), (2, -1), (3, 2), (4, -2)):
                beyond = i - by < 0 or i - by >= words
                assert around[i, e, column] == (0 if beyond else np.float32(rough[i - by, e]))
            elsewhere = sum(rough[k, e] for k in range(words) if k != i)
            assert around[i, e, 5] == np.float32(min(2, elsewhere))
            others = [rough[i, k] for k in range(entries) if k != e]
            if rough[i, e] < max(rough[i, :-1]):
                assert around[i, e, 7] == np.float32(max(others))
        assert beside[i, 0] == np.float32(rough[i, -1])


@given(looks(), st.randoms(use_true_random=False))
def test_the_order_of_entries_does_not_matter(chances: np.ndarray, rng: np.random.Generator) -> None:
    order = list(range(chances.shape[1] - 1))
    rng.shuffle(order)
    around, beside = context(chances)
    other, alone = context(chances[:, [*order, chances.shape[1] - 1]])
    assert np.array_equal(other, around[:, order]) and np.array_equal(alone, beside)
