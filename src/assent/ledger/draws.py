"""Who is reviewed: our own coin, its probability fixed beforehand, written down before anybody sees the item.

The coin is a keyed hash of the ledger's secret, the plan and the cluster (the decision itself where it has no
cluster), so it can be checked later and cannot be thrown twice. All members of a cluster share one coin; a
member is picked where the coin is below its own probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from assent.ledger.coin import coin, falls, seed_name
from assent.ledger.entries import Body, Draw, Kind, Plan, Stratum, now, probability
from assent.ledger.log import PAGE, Ledger
from assent.ledger.queue import open_looks


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one round of drawing did."""

    considered: int
    picked: int


def draw_new(ledger: Ledger, plan: Plan) -> Drawn:
    """Throw the coin for every decision that has none yet, and queue those it picks.

    A decision is drawn once: whoever comes second, with whatever plan, finds it done.
    """
    considered = picked = 0
    with ledger.writing("draw"):
        ledger.append(Kind.PLAN, plan.id, "", plan)
        for key, body in _undrawn(ledger):
            draw = _draw(ledger.secret, plan, key, body)
            ledger.append(Kind.DRAW, key, key, draw)
            considered += 1
            if draw.picked:
                open_looks(ledger, key)
                picked += 1
    return Drawn(considered, picked)


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
            yield str(key), _object(str(body))
        if len(found) < PAGE:
            return


def _object(body: str) -> Body:
    found = msgspec.json.decode(body)
    assert isinstance(found, dict)
    return found


def stratum_of(decision: Body) -> Stratum:
    """What the probability may depend on."""
    if decision["decision"] == "accepted":
        return Stratum.ACCEPTED
    return Stratum.ABSTAINED if decision.get("candidate") is not None else Stratum.UNREADABLE


def _draw(secret: bytes, plan: Plan, key: str, decision: Body) -> Draw:
    stratum = stratum_of(decision)
    cluster = str(decision.get("cluster") or key)
    q = plan.of(stratum)
    toss = coin(secret, "draw", plan.id, cluster)
    picked = falls(toss, probability(q, "q"))
    return Draw(
        decision=key,
        cluster=cluster,
        stratum=stratum,
        q=q,
        picked=picked,
        twice=picked and falls(coin(secret, "twice", plan.id, key), probability(plan.twice, "twice")),
        plan=plan.id,
        uniform=f"{toss:016x}",
        seed=seed_name(secret),
        made=now(),
    )
