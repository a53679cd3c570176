"""Who is reviewed: our own coin, its probability fixed beforehand, written down before anybody sees the item.

The coin is a keyed hash of the ledger's secret, the plan and the cluster (the decision itself where it has no
cluster), so it can be checked later and cannot be thrown twice. A cluster is drawn whole: one coin, one
probability, the largest of its members' at the time it is drawn; a member that comes later shares its fate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from assent.ledger.coin import coin, falls, seed_name
from assent.ledger.entries import Body, Draw, Kind, LedgerPlan, Stratum, digest, now, probability
from assent.ledger.log import PAGE, Ledger
from assent.ledger.queue import open_looks

USUAL = {"audit": "0.1", "abstained": "0.3", "twice": "0.1", "plants": "0.05"}
"""The plan where nobody says anything."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one round of drawing did."""

    considered: int
    picked: int


@dataclass(frozen=True, slots=True)
class _Coin:
    """The coin of one cluster."""

    plan: str
    q: str
    toss: int
    seed: str

    @property
    def picks(self) -> bool:
        return falls(self.toss, probability(self.q, "q"))


def draw_new(ledger: Ledger, plan: LedgerPlan) -> Drawn:
    """Throw the coin for every decision that has none yet, and queue those it picks.

    A decision is drawn once: whoever comes second, with whatever plan, finds it done.
    """
    considered = picked = 0
    with ledger.writing("draw"):
        ledger.append(Kind.PLAN, plan.id, "", plan)
        highest: dict[str, str] = {}
        for key, body in _undrawn(ledger):
            cluster, q = cluster_of(key, body), plan.of(stratum_of(body))
            if probability(q, "q") >= probability(highest.get(cluster, "0"), "q"):
                highest[cluster] = q
        for key, body in _undrawn(ledger):
            draw = _draw(ledger, plan, highest, key, body)
            ledger.append(Kind.DRAW, key, digest(draw.cluster), draw)
            considered += 1
            if draw.picked:
                open_looks(ledger, key)
                picked += 1
    return Drawn(considered, picked)


def last_plan(ledger: Ledger) -> LedgerPlan | None:
    """The plan of the latest draw."""
    found = ledger.db.rows("SELECT body FROM assent_entries WHERE kind = 'draw' ORDER BY seq DESC LIMIT 1")
    if not found:
        return None
    return ledger.get(LedgerPlan, Kind.PLAN, msgspec.json.decode(str(found[0][0]), type=Draw).plan)


def next_plan(ledger: Ledger, **given: str | None) -> LedgerPlan:
    """What is given, over the plan of the last draw, over the usual one."""
    last = last_plan(ledger)
    before = {} if last is None else {name: str(getattr(last, name)) for name in USUAL}
    return LedgerPlan(**{name: given.get(name) or before.get(name, usual) for name, usual in USUAL.items()})


def _undrawn(ledger: Ledger) -> Iterator[tuple[str, Body]]:
    """Decisions without a draw, in the order they were made."""
    last = 0
    while True:
        found = ledger.db.rows(
            "SELECT seq, id, body FROM assent_entries d WHERE kind = 'decision' AND seq > ? AND NOT EXISTS "
            "(SELECT 1 FROM assent_entries x WHERE x.kind = 'draw' AND x.id = d.id) "
            f"ORDER BY seq LIMIT {PAGE}",
            (last,),
        )
        for seq, key, body in found:
            last = int(seq or 0)
            yield str(key), msgspec.json.decode(str(body), type=dict)
        if len(found) < PAGE:
            return


def stratum_of(decision: Body) -> Stratum:
    """What the probability may depend on."""
    if decision["decision"] == "accepted":
        return Stratum.ACCEPTED
    return Stratum.ABSTAINED if decision.get("candidate") is not None else Stratum.UNREADABLE


def cluster_of(key: str, decision: Body) -> str:
    """What is drawn together: the declared cluster, or the decision alone."""
    return str(decision.get("cluster") or key)


def _draw(ledger: Ledger, plan: LedgerPlan, highest: dict[str, str], key: str, decision: Body) -> Draw:
    stratum, cluster = stratum_of(decision), cluster_of(key, decision)
    readable = stratum is not Stratum.UNREADABLE
    thrown = _coin(ledger, plan, cluster, highest[cluster])
    picked = readable and thrown.picks
    return Draw(
        decision=key,
        cluster=cluster,
        stratum=stratum,
        q=thrown.q if readable else "0",
        picked=picked,
        twice=picked and falls(coin(ledger.secret, "twice", plan.id, key), probability(plan.twice, "twice")),
        plan=thrown.plan,
        uniform=f"{thrown.toss:016x}",
        seed=thrown.seed,
        made=now(),
    )


def _coin(ledger: Ledger, plan: LedgerPlan, cluster: str, q: str) -> _Coin:
    """The coin that the cluster has already, or a new one."""
    for entry in ledger.about(Kind.DRAW, digest(cluster)):
        earlier = ledger.convert(entry, Draw)
        if earlier.cluster == cluster and earlier.stratum is not Stratum.UNREADABLE:
            return _Coin(earlier.plan, earlier.q, int(earlier.uniform, 16), earlier.seed)
    toss = coin(ledger.secret, "draw", plan.id, cluster)
    return _Coin(plan.id, q, toss, seed_name(ledger.secret))
