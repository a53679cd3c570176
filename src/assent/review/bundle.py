"""The evidence for one decision as one JSON object, fit for a safety case: everything it rests on, and who looked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from assent import __version__
from assent.errors import UsageError
from assent.ledger.entries import Body, Contest, Draw, Kind, ReviewLabel
from assent.ledger.entries import PolicyText as Kept
from assent.ledger.log import Ledger
from assent.ledger.outcomes import Reviews
from assent.ledger.transfer import fingerprint
from assent.logic.draw import tree_text
from assent.logic.equivalence import cluster
from assent.policy import Policy
from assent.review.meaning import in_english, readable

FORMAT = "assent-evidence 1"
_RATINGS = ("back_translation", "judge", "direct_judge", "single_question")


def bundle(ledger: Ledger, name: str) -> Body:
    """The bundle of a decision, by its key or by the id of its instruction where that means one only."""
    key, decision = _decision(ledger, name)
    evidence = _body(ledger, Kind.EVIDENCE, str(decision["evidence"]))
    logic, candidate = str(decision["logic"]), decision.get("candidate")
    tree = readable(str(candidate), logic) if candidate is not None else None
    return {
        "format": FORMAT,
        "made_with": __version__,
        "decision": key,
        "instruction": _body(ledger, Kind.INSTRUCTION, str(decision["instruction"])),
        "outcome": {k: v for k, v in decision.items() if k not in ("instruction", "evidence", "policy")},
        "formula": candidate,
        "english": None if tree is None else in_english(tree),
        "tree": None if tree is None else tree_text(tree),
        "samples": _samples(str(candidate or ""), evidence, logic),
        "ratings": {part: evidence[part] for part in _RATINGS if evidence.get(part) is not None},
        "gate": evidence.get("gate"),
        "scores": evidence.get("scores") or {},
        "doubts": evidence.get("doubts") or [],
        "policy": _policy(ledger, decision.get("policy"), evidence),
        "models": {"made_by": evidence.get("made_by") or {}, "reported": evidence.get("reported") or {}},
        "review": _review(ledger, key),
        "evidence": evidence,
        "ledger": {"where": ledger.where, "fingerprint": fingerprint(ledger)},
    }


def _decision(ledger: Ledger, name: str) -> tuple[str, Body]:
    entry = ledger.entry(Kind.DECISION, name)
    if entry is not None:
        return name, entry.object()
    found = [entry for entry in ledger.each(Kind.DECISION) if str(entry.object().get("id")) == name]
    if len(found) != 1:
        keys = ", ".join(entry.id for entry in found[:5])
        raise UsageError(
            f"the ledger has no decision {name!r}"
            if not found
            else f"{len(found)} decisions are called {name!r}; name one of them: {keys}"
        )
    return found[0].id, found[0].object()


def _body(ledger: Ledger, kind: Kind, key: str) -> Body:
    entry = ledger.entry(kind, key)
    if entry is None:
        raise UsageError(f"{ledger.where}: damaged: there is no {kind} {key}")
    return entry.object()


def _samples(candidate: str, evidence: Mapping[str, Any], logic: str) -> list[Body]:
    """The candidate and every sample with the meaning they have: equal numbers mean the same."""
    given = [candidate, *(str(sample) for sample in evidence.get("samples") or [])]
    trees = [readable(text, logic) for text in given]
    return [
        {
            "text": text,
            "role": "candidate" if at == 0 else "sample",
            "meaning": number,
            "english": None if tree is None else in_english(tree),
        }
        for at, (text, tree, number) in enumerate(zip(given, trees, cluster(trees), strict=True))
    ]


def _policy(ledger: Ledger, key: Any, evidence: Mapping[str, Any]) -> Body | None:
    kept = None if key is None else ledger.get(Kept, Kind.POLICY, str(key))
    if kept is None:
        return None
    policy = Policy.from_json(kept.text, source=f"policy {key}")
    return {
        "key": key,
        "alpha": policy.alpha,
        "delta": policy.delta,
        "channel": policy.channel,
        "fingerprint": policy.fingerprint,
        "rules": {group: msgspec.to_builtins(rule) for group, rule in policy.rules.items()},
        "provenance": policy.provenance,
        "warnings": list(policy.warnings),
        "calibration_scores": sorted(policy.scores),
    }


def _review(ledger: Ledger, key: str) -> Body:
    reviews = Reviews.read(ledger)
    draw = ledger.get(Draw, Kind.DRAW, key)
    result = reviews.of(key, twice=draw.twice) if draw is not None and draw.picked else None
    return {
        "draw": None if draw is None else msgspec.to_builtins(draw),
        "state": "not drawn" if result is None else result.state.value,
        "wrong": None if result is None or result.state != "settled" else result.wrong,
        "answers": [
            msgspec.to_builtins(answer) | {"taken_back": answer.id in reviews.undone}
            for answer in reviews.answers.get(key, [])
        ],
        "contests": [
            msgspec.to_builtins(ledger.convert(e, Contest)) for e in ledger.about(Kind.CONTEST, key)
        ],
        "volunteered": [
            msgspec.to_builtins(ledger.convert(e, ReviewLabel)) for e in ledger.about(Kind.LABEL, key)
        ],
    }
