"""What may calibrate: rows with the probability of their draw, and nothing else."""

from __future__ import annotations

import secrets
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from assent.calibrate.audited import audited_crc
from assent.calibrate.rules import Infeasible
from assent.errors import DataError
from assent.ledger import (
    Kind,
    Ledger,
    LedgerError,
    LedgerPlan,
    ReviewAnswer,
    Said,
    draw_new,
    record,
    record_all,
    record_policy,
    volunteer,
)
from assent.ledger.entries import now
from assent.ledger.queue import Session, claim, give
from assent.review.labels import columns, label_rows
from assent.testing import lenient_policy
from ledger_places import decision


def _row(n: int, score: float, *, accepted: bool, cluster: str | None = None) -> dict[str, object]:
    return decision(n, accepted=accepted, cluster=cluster, score=score, evidence={"scores": {"fused": score}})


def _answer_all(ledger: Ledger, wrong: dict[str, bool]) -> None:
    session = Session.start("ann")
    while (task := claim(ledger, session)) is not None:
        entry = ledger.entry(Kind.DECISION, task.item)
        assert entry is not None
        give(
            ledger,
            session,
            ReviewAnswer(
                id=secrets.token_hex(8),
                item=task.item,
                look=task.look,
                handle="ann",
                said=Said.NONE,
                made=now(),
                wrong=wrong[entry.object()["id"]],
            ),
        )


def test_every_coin_is_a_row_with_its_probability(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, [_row(n, n / 50, accepted=n < 30) for n in range(50)])
        unreadable = _row(50, 1.0, accepted=False)
        del unreadable["evidence"]["formula"]  # type: ignore[attr-defined]
        record(ledger, unreadable)
        draw_new(ledger, LedgerPlan(audit="0.3", abstained="0.6", twice="0"))
        _answer_all(ledger, {f"r{n}": n % 7 == 0 for n in range(50)})
        found = label_rows(ledger)
        assert [row.id for row in found] == [f"r{n}" for n in range(51)]
        for n, row in enumerate(found[:50]):
            assert row.q == Fraction("0.3" if n < 30 else "0.6")
            assert row.wrong == ((n % 7 == 0) if row.drawn else None)
            assert row.score == n / 50
        assert (found[50].withheld, found[50].q, found[50].drawn) == (True, None, False)
        made = columns(found, [row.score or 1.0 for row in found])
        rule = audited_crc(
            made.scores,
            made.drawn,
            made.answers,
            made.q,
            alpha="0.5",
            least=made.least,
            deferred=made.deferred,
        )
        assert rule.n == 51


def test_volunteered_labels_never_come_along(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        keys = record_all(ledger, [_row(n, 0.1, accepted=True) for n in range(5)])
        draw_new(ledger, LedgerPlan(audit="0", abstained="0"))
        for key in keys:
            volunteer(ledger, key, handle="ann", formula="F p", wrong=True, how="hand-picked")
        assert [row.wrong for row in label_rows(ledger)] == [None] * 5
        assert not any(row.drawn for row in label_rows(ledger))


def test_a_label_whose_probability_is_unknown_is_refused(place: str) -> None:
    """An answer smuggled into the log about something that was never drawn."""
    with Ledger.open(place, create=True) as ledger:
        (key,) = record_all(ledger, [_row(1, 0.1, accepted=True)])
        draw_new(ledger, LedgerPlan(audit="0", abstained="0"))
        answer = ReviewAnswer(id="a", item=key, look=1, handle="ann", said=Said.NONE, made=now(), wrong=False)
        ledger.append(Kind.ANSWER, answer.id, key, answer)
        with pytest.raises(LedgerError, match="never drawn"):
            label_rows(ledger)


def test_drawn_and_unanswered_is_wrong_for_the_rule(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        record_all(ledger, [_row(n, 0.1, accepted=True) for n in range(40)])
        draw_new(ledger, LedgerPlan(audit="1", abstained="1", twice="0"))
        found = label_rows(ledger)
        made = columns(found, [0.1] * 40)
        assert np.isnan(made.answers).all()
        lazy = audited_crc(made.scores, made.drawn, made.answers, made.q, alpha="0.1", least=made.least)
        _answer_all(ledger, {f"r{n}": False for n in range(40)})
        made = columns(label_rows(ledger), [0.1] * 40)
        done = audited_crc(made.scores, made.drawn, made.answers, made.q, alpha="0.1", least=made.least)
        assert (lazy.accepts(0.1), done.accepts(0.1)) == (False, True)


def test_clusters_are_drawn_whole_for_the_rule_and_mixed_streams_refused(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        made = [_row(n, 0.2, accepted=n % 2 == 0, cluster=f"c{n % 20}") for n in range(60)]
        del made[7]["evidence"]["formula"]  # type: ignore[attr-defined]
        record_all(ledger, made)
        draw_new(ledger, LedgerPlan(audit="0.3", abstained="0.6", twice="0"))
        _answer_all(ledger, {f"r{n}": False for n in range(60)})
        found = label_rows(ledger)
        c = columns(found, [0.2] * 60)
        rule = audited_crc(
            c.scores,
            c.drawn,
            c.answers,
            c.q,
            alpha="0.5",
            least=c.least,
            clusters=c.clusters,
            deferred=c.deferred,
        )
        assert rule.clusters == 20
        record(ledger, _row(99, 0.2, accepted=True))
        draw_new(ledger, LedgerPlan(audit="0.3", abstained="0.6"))
        with pytest.raises(DataError, match="have no 'cluster'"):
            columns(label_rows(ledger), [0.2] * 61)


def test_the_least_probability_is_that_of_the_plan_and_not_what_happened_to_occur(tmp_path: Path) -> None:
    """What occurs depends on the scores, and a bet must not know them; a policy that accepts nothing audits nothing."""
    accepts = lenient_policy({"translator": "t"}, limit=0.1)
    nothing = Infeasible(reason="too few", alpha=0.1, n=5, floor=0.2, kind="crc", unit="pair")
    refuses = msgspec.structs.replace(accepts, rules=dict.fromkeys(accepts.rules, nothing))
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        names = [record_policy(ledger, policy.to_json()) for policy in (accepts, refuses)]
        plans = [("0.1", "0.3"), ("1", "1"), ("0", "0.3")]
        for turn, (audit, abstained) in enumerate(plans):
            for k, name in enumerate(names):
                made = [_row(10 * (2 * turn + k) + n, 0.5, accepted=False) for n in range(10)]
                record_all(ledger, made, policy=name)
            draw_new(ledger, LedgerPlan(audit=audit, abstained=abstained))
        found = label_rows(ledger)
        assert {row.q for row in found} == {Fraction("0.3"), Fraction(1)}
        least = columns(found, [0.5] * 60).leasts.reshape(6, 10)
        assert (least == np.array([0.1, 0.3, 1, 1, 0.3, 0.3])[:, None]).all()
        assert columns(found, [0.5] * 60).least == Fraction("0.1")
