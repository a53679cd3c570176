"""The coins: exact, fixed beforehand, thrown once, one a cluster, written down before anybody is asked."""

from __future__ import annotations

import hmac
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from assent.ledger import Draw, Kind, Ledger, LedgerError, LedgerPlan, Stratum, draw_new, record_all
from assent.ledger.coin import coin, falls, seed_name
from ledger_places import decision


@given(st.binary(min_size=32, max_size=32), st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_coins_of_different_parts_differ(secret: bytes, one: list[str], other: list[str]) -> None:
    """Lengths are part of what is hashed: ("ab", "c") is not ("a", "bc")."""
    assert (coin(secret, *one) == coin(secret, *other)) == (one == other)
    assert 0 <= coin(secret, *one) < 1 << 64


@given(st.integers(0, (1 << 64) - 1), st.fractions(0, 1))
def test_a_coin_falls_exactly(toss: int, q: Fraction) -> None:
    assert falls(toss, q) == (Fraction(toss, 1 << 64) < q)
    assert not falls(toss, Fraction(0))
    assert falls(toss, Fraction(1))


def test_coins_are_uniform_and_fall_as_often_as_said() -> None:
    """Fixed secret, 20,000 coins: sixteen bins and the picked share, each wrong with probability 1e-6 at most."""
    tosses = [coin(b"k" * 32, "draw", "plan", str(n)) for n in range(20_000)]
    bins = [0] * 16
    for toss in tosses:
        bins[toss >> 60] += 1
    assert chisquare(bins).pvalue > 1e-6
    for q in ("0.1", "0.3", "0.003"):
        picked = sum(falls(toss, Fraction(q)) for toss in tosses)
        assert binom.ppf(5e-7, 20_000, float(q)) <= picked <= binom.isf(5e-7, 20_000, float(q))


def _draws(ledger: Ledger) -> dict[str, Draw]:
    return {draw.decision: draw for draw in ledger.all(Draw, Kind.DRAW)}


def test_every_decision_gets_one_coin_and_keeps_it(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, [decision(n, accepted=n % 3 > 0) for n in range(60)])
        first = draw_new(ledger, LedgerPlan(audit="0.2", abstained="0.5"))
        draws = _draws(ledger)
        assert first.considered == len(draws) == 60
        assert first.picked == sum(draw.picked for draw in draws.values())
        again = draw_new(ledger, LedgerPlan(audit="1", abstained="1"))
        assert (again.considered, again.picked) == (0, 0)
        assert _draws(ledger) == draws
        for draw in draws.values():
            toss = coin(ledger.secret, "draw", draw.plan, draw.cluster)
            assert draw.uniform == f"{toss:016x}"
            assert draw.picked == (Fraction(toss, 1 << 64) < Fraction(draw.q))
            assert draw.q == ("0.2" if draw.stratum is Stratum.ACCEPTED else "0.5")
            assert hmac.compare_digest(draw.seed, seed_name(ledger.secret))
            assert ledger.secret.hex() not in str(draw)


def test_the_draw_is_in_the_log_before_the_item_is_in_the_queue(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, [decision(n) for n in range(10)])
        draw_new(ledger, LedgerPlan(audit="0.5", abstained="0"))
        queued = {row[0] for row in ledger.db.rows("SELECT item FROM assent_tasks")}
        assert queued == {draw.decision for draw in _draws(ledger).values() if draw.picked}


def test_a_cluster_is_drawn_whole(place: str) -> None:
    """One coin and one probability, the largest of its members'; a late member shares its cluster's fate."""
    with Ledger.open(place, create=True) as ledger:
        kinds = [(True,), (True, True), (False, False), (True, False)]
        record_all(
            ledger,
            [
                decision(f"{c}-{m}", accepted=accepted, cluster=f"c{c}")
                for c in range(60)
                for m, accepted in enumerate(kinds[c % 4])
            ],
        )
        draw_new(ledger, LedgerPlan(audit="0.3", abstained="0.6"))
        record_all(ledger, [decision(f"{c}-late", accepted=False, cluster=f"c{c}") for c in range(60)])
        draw_new(ledger, LedgerPlan(audit="0.9", abstained="1"))
        by_cluster: dict[str, list[Draw]] = {}
        for draw in _draws(ledger).values():
            by_cluster.setdefault(draw.cluster, []).append(draw)
        assert len(by_cluster) == 60
        for name, members in by_cluster.items():
            (q, uniform, picked) = {(draw.q, draw.uniform, draw.picked) for draw in members}.pop()
            assert {(draw.q, draw.uniform, draw.picked) for draw in members} == {(q, uniform, picked)}
            assert q == ("0.3" if int(name[1:]) % 4 < 2 else "0.6")
            assert picked == (Fraction(int(uniform, 16), 1 << 64) < Fraction(q))


def test_what_has_no_candidate_is_never_drawn(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        row = decision(1, accepted=False)
        row["evidence"].pop("formula")
        record_all(ledger, [row])
        draw_new(ledger, LedgerPlan(audit="1", abstained="1"))
        ((draw),) = _draws(ledger).values()
        assert (draw.stratum, draw.picked, draw.q) == (Stratum.UNREADABLE, False, "0")


@pytest.mark.parametrize("q", ["1.1", "-0.1", "nan", "", "a", "1/0"])
def test_a_plan_has_probabilities(q: str) -> None:
    with pytest.raises(LedgerError, match="probability"):
        LedgerPlan(audit=q, abstained="0.1")
