"""The generator may be rearranged, but its draws stay: the same seed gives the same pairs.

The digests were taken anew when times and relations became productions (the same shares, see docs/corpus.md), and
(LTL, STL) when "eventually a and b for good" got one reading; when the speeches became parts, every pair stayed
as it was.
"""

from __future__ import annotations

import hashlib
from itertools import islice

import pytest

from assent.logic.ast import Logic
from assent_train.corpus import generate
from assent_train.corpus.generate import pairs

KNOWN = {
    "ltl": "c5653c7521538ebe",
    "stl": "3c96d45fe3bf7b96",
    "spatial": "dbed545fcdebfe25",
}


@pytest.mark.parametrize("logic", list(Logic))
def test_the_draws_of_a_seed_are_what_they_were(logic: Logic, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs of two styles, by a digest.

    What lifting makes of the words around a placeholder is its own matter, and not looked at here.
    """
    monkeypatch.setattr(generate, "tidy", lambda said: tuple(t for t in said if t not in ('"', "`", "'", "")))
    digest = hashlib.sha256()
    for style in ("casual", "formal"):
        for pair in islice(pairs(11, logic=logic, style=style), 400):
            digest.update(repr((pair.source, pair.target, pair.tier, pair.family)).encode())
    assert digest.hexdigest()[:16] == KNOWN[logic.value]
