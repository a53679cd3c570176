"""Readings that say nothing, or one thing twice, stand behind those that say something."""

from __future__ import annotations

import pytest

from assent.embedded.opinions import _meant_first
from assent.embedded.translator import Translation
from assent.logic.parse import read


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
