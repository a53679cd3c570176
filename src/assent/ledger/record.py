"""Decisions into the ledger: the objects that ``translate --json`` prints, taken apart and kept once each.

Content addresses: the same decision written twice (a run that was killed and went on) is there once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assent.ledger.database import LedgerError
from assent.ledger.entries import Body, Kind, PolicyText, ReviewLabel, Said, digest, now
from assent.ledger.log import Ledger

_CASE = ("id", "logic", "text", "reference", "group", "cluster", "domain")


def record_policy(ledger: Ledger, text: str) -> str:
    """Keep the text of a policy; its id."""
    policy = PolicyText(text=text)
    key = digest({"text": text})
    ledger.append(Kind.POLICY, key, "", policy)
    return key


def record(ledger: Ledger, row: Mapping[str, Any], *, policy: str | None = None) -> str:
    """Keep one decision with its instruction and evidence; the decision's id. ``policy`` is one of ``record_policy``.

    ``row`` is a decision as it is printed: ``decision``, ``formula``, ``score`` ... and ``evidence``.
    """
    (key,) = record_all(ledger, [row], policy=policy)
    return key


def record_all(ledger: Ledger, rows: Iterable[Mapping[str, Any]], *, policy: str | None = None) -> list[str]:
    """``record`` for many, in one transaction."""
    ids = []
    with ledger.writing():
        for row in rows:
            ids.append(_record(ledger, row, policy))
    return ids


def _record(ledger: Ledger, row: Mapping[str, Any], policy: str | None) -> str:
    evidence = row.get("evidence")
    if row.get("decision") not in ("accepted", "abstained") or not isinstance(evidence, Mapping):
        raise LedgerError("a decision to be kept has 'decision' (accepted or abstained) and 'evidence'")
    case: Body = {key: evidence[key] for key in _CASE if evidence.get(key) is not None}
    case_id = digest(case)
    ledger.append(Kind.INSTRUCTION, case_id, case_id, case)
    evidence_id = digest(dict(evidence))
    ledger.append(Kind.EVIDENCE, evidence_id, case_id, dict(evidence))
    body: Body = {key: value for key, value in row.items() if key != "evidence"}
    body |= {
        "instruction": case_id,
        "evidence": evidence_id,
        "candidate": evidence.get("formula"),
        "cluster": evidence.get("cluster"),
        "logic": evidence.get("logic"),
        "policy": policy,
    }
    key = digest(body)
    ledger.append(Kind.DECISION, key, case_id, body)
    return key


def volunteer(
    ledger: Ledger, decision: str, *, handle: str, formula: str | None, wrong: bool | None, how: str
) -> str:
    """Keep a label that nobody drew: it may train, and never calibrates."""
    if ledger.entry(Kind.DECISION, decision) is None:
        raise LedgerError(f"{ledger.where}: there is no decision {decision}")
    body = {"decision": decision, "handle": handle, "formula": formula, "how": how, "made": now()}
    label = ReviewLabel(
        id=digest(body),
        decision=decision,
        handle=handle,
        said=Said.NONE if formula is None else Said.FORMULA,
        how=how,
        made=str(body["made"]),
        wrong=wrong,
        formula=formula,
    )
    ledger.append(Kind.LABEL, label.id, decision, label)
    return label.id
