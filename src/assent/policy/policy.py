"""A policy: rules for each group, and everything they were calibrated for, in one readable JSON file.

A policy is refused, never silently applied, when it is damaged, written by a newer version, or used with
another translator, judge, prompt, embedder or level of equivalence than the one it was calibrated for.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assent.calibrate.rules import CurvePoint, Expected, Fusion, Rule, unseen
from assent.errors import AssentError, DataError, PolicyError
from assent.io.files import read_text, write_atomically
from assent.scoring import SECOND_OPINION

if TYPE_CHECKING:
    from assent.records import Decision, Evidence

SCHEMA = 1
Grouping = Literal["tier", "all"]
ALL = "all"
"""The one group of a policy that tells no tiers apart."""
VOCABULARY = "vocabulary"
"""The part of a fingerprint that says where the names came from: a vocabulary's digest, or one of the two below."""
PROPOSED, WRITTEN = "proposed", "written"
"""No vocabulary: names proposed from the text, or standing in it as identifiers (``prop_1``)."""


class GateSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The gate: ``neighbours`` nearest of a reference set, and the distances that calibrate its p-value.

    ``reference`` names or fingerprints the reference set; ``clusters`` gives each distance its cluster.
    ``joint`` says that the thresholds count what the gate defers as harmless (gate and threshold as one
    loss).
    """

    neighbours: int
    delta: float
    distances: tuple[float, ...]
    reference: str
    clusters: tuple[str, ...] | None = None
    joint: bool = False
    view: str = "text"
    """What of an instruction is compared: its text, or its wording with names and numbers taken out (``lifted``)."""


def _advice(part: str, here: str, there: str) -> str:
    """What to do about another ``part``; embedded models are named WEIGHTS-RESULTS (those of this machine)."""
    if part == SECOND_OPINION and not there:
        return (
            "the embedded models give one on what others translate or judge: 'assent collect' adds it to recorded "
            "rows, calibrate on these; or switch it off (second_opinion = false in the configuration) if you know why"
        )
    if part == SECOND_OPINION and not here:
        return "remove second_opinion = false from the configuration, or calibrate again without it"
    if part == SECOND_OPINION and here.split()[:1] == there.split()[:1]:
        return "the cut above which it is a doubt is another one: calibrate again"
    weights, dash, _ = there.partition("-")
    if dash and weights.startswith("embedded@") and here.partition("-")[0] == weights:
        return "the same weights give other results on this machine (docs/same.md): calibrate on it"
    return f"calibrate again, or use the {part} of the policy"


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Rules by group with their fingerprint, provenance and measured behaviour."""

    alpha: float
    rules: dict[str, Rule]
    fingerprint: dict[str, str]
    channel: str
    reported: dict[str, str] = {}
    """By role, the model that the endpoint said it was: a name may point to another one tomorrow."""
    fallback: dict[str, str] = {}
    fusion: Fusion | None = None
    equivalence: str = "exact"
    delta: float | None = None
    gate: GateSettings | None = None
    tie_secret: str | None = None
    scores: tuple[float, ...] = ()
    """Calibration scores, one a cluster: what the drift alarm starts from."""
    curves: dict[str, tuple[CurvePoint, ...]] = {}
    expected: dict[str, Expected] = {}
    provenance: dict[str, Any] = {}
    warnings: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    """Where the names of the calibration rows came from; empty where the rows do not say."""
    any_vocabulary: bool = False
    """The stream brings many vocabularies: another one is pointed out, not refused."""
    grouping: Grouping = "tier"
    """What a rule is for: a tier of the candidate, or all instructions together."""
    stream: str = ""
    """What kind of stream the promise is about, in words, e.g. a domain that calibration never saw."""

    def __post_init__(self) -> None:
        if any(rule.kind == "split" for rule in self.rules.values()):
            raise PolicyError("the split baseline promises nothing about risk and cannot be a policy")
        for group, name in self.fallback.items():
            if name not in self.rules:
                raise PolicyError(f"group {group!r} falls back to {name!r}, which has no rule")

    def rule_for(self, group: str) -> Rule:
        """The rule of a group (or the rule it shares); an unseen group is infeasible."""
        name = self.fallback.get(group, group)
        return self.rules[name] if name in self.rules else unseen(group, self.rules)

    def group(self, evidence: Evidence) -> str | None:
        """The group whose rule decides; None where the candidate cannot be read."""
        return evidence.tier if self.grouping == "tier" or evidence.tier is None else ALL

    def score(self, evidence: Evidence) -> float | None:
        """The score that the policy thresholds; None where it was not recorded."""
        from assent.policy.decide import policy_score

        return policy_score(evidence, self)

    def defers(self, evidence: Evidence) -> bool:
        """Whether the gate keeps the instruction from being translated."""
        from assent.policy.decide import deferred

        return self.gate is not None and deferred(evidence.gate, self.gate.delta)

    def decide(self, evidence: Evidence) -> Decision:
        """Accept the candidate, or say why not; pure."""
        from assent.policy.decide import decide

        return decide(evidence, policy=self)

    def check(self, fingerprint: Mapping[str, str], *, left: Collection[str] = ()) -> None:
        """Refuse use with anything but what the policy was calibrated for; where a part of ``left`` is missing, the
        decision abstains instead."""
        for part in [*self.fingerprint, *(p for p in fingerprint if p not in self.fingerprint)]:
            if part == VOCABULARY:  # a matter of each instruction: ``knows``
                continue
            if part in left and part not in fingerprint:
                continue
            here, there = fingerprint.get(part), self.fingerprint.get(part)
            if here != there:
                raise PolicyError(
                    f"calibrated for another {part}: the policy is for {there or 'none'}, this run has "
                    f"{here or 'none'}; {_advice(part, here or '', there or '')}"
                )

    def drifted(self, reported: Mapping[str, str]) -> str | None:
        """How an endpoint, by its own account, is no longer the one of the calibration; None if nothing says so."""
        for role, there in self.reported.items():
            here = reported.get(role)
            if here is not None and here != there:
                return (
                    f"calibrated with another model: the endpoint reports {here} for {role}, and reported {there} "
                    'then; calibrate again, or set reported = "ignore" for the model if that is the same to you'
                )
        return None

    def knows(self, names: str | None) -> bool:
        """Whether calibration rows had their names from there. Where names are proposed, written ones are no news."""
        if not self.vocabularies or names in self.vocabularies:
            return True
        return names == WRITTEN and PROPOSED in self.vocabularies

    def check_vocabulary(self, names: str | None) -> None:
        """Refuse a vocabulary that the policy was not calibrated with, unless it was made for any.

        Names without a vocabulary are left to the decision, which abstains.
        """
        if not self.knows(names) and not self.any_vocabulary and names != PROPOSED:
            raise PolicyError(
                f"calibrated with another vocabulary: the policy knows {', '.join(self.vocabularies)}, this run has "
                f"{names or 'none'}; use that vocabulary, calibrate again with this one, or calibrate with "
                "--any-vocabulary if the stream brings many"
            )

    def vouching(self, decision: Decision) -> str:
        """Which policy decided, and on how much it was calibrated: one line for a person."""
        group = self.group(decision.evidence)
        rule = self.rule_for(group) if group else None
        base = f"Policy: {self.fingerprint.get('logic')}, alpha {self.alpha:g}, channel {self.channel}"
        if rule is None:
            return base
        clusters = f" in {rule.clusters} clusters" if rule.clusters else ""
        return f"{base}; group {group} calibrated on {rule.n} rows{clusters}"

    def _repr_html_(self) -> str:
        from assent.policy.describe import policy_html

        return policy_html(self)

    def to_json(self) -> str:
        """The file's text: indented, floats exact, with a checksum over all the rest."""
        body = {"schema": SCHEMA, **msgspec.to_builtins(self)}
        return (
            json.dumps({**body, "checksum": _checksum(body)}, indent=2, ensure_ascii=False, allow_nan=False)
            + "\n"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file whole or not at all."""
        write_atomically(Path(path), self.to_json().encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str], fingerprint: Mapping[str, str] | None = None) -> Policy:
        """Read a policy; given a fingerprint, refuse it for anything else."""
        try:
            text = read_text(Path(path))
        except DataError as error:
            raise PolicyError(f"cannot read the policy: {error}") from error
        return cls.from_json(text, fingerprint, source=str(path))

    @classmethod
    def from_json(
        cls, text: str, fingerprint: Mapping[str, str] | None = None, *, source: str = "policy"
    ) -> Policy:
        """``load`` from text."""
        body = _body(text, source)
        claimed = body.pop("checksum", None)
        actual = _checksum(body)
        body.pop("schema")
        try:
            policy = msgspec.convert(body, cls)
        except (AssentError, msgspec.ValidationError, ValueError) as error:
            raise PolicyError(f"{source}: damaged policy: {error}") from error
        if fingerprint is not None:
            policy.check(fingerprint)
        if claimed != actual:
            raise PolicyError(
                f"{source}: damaged policy: its checksum does not fit its content (edited or half written?); "
                "run 'assent calibrate' again"
            )
        return policy


def _body(text: str, source: str) -> dict[str, Any]:
    try:
        body = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"{source}: damaged policy: not JSON ({str(error)[:200]})") from error
    if not isinstance(body, dict) or not isinstance(body.get("schema"), int):
        raise PolicyError(
            f"{source}: not a policy: it has no schema number; 'assent calibrate' writes policies"
        )
    if body["schema"] > SCHEMA:
        raise PolicyError(
            f"{source}: written by a newer version (schema {body['schema']}, this version reads {SCHEMA}); "
            "update assent"
        )
    if body["schema"] < SCHEMA:
        raise PolicyError(f"{source}: damaged policy: there is no schema {body['schema']}")
    return body


def _finite(written: str) -> float:
    """A number as it is written; ValueError for NaN and for what no float can hold."""
    value = float(written)
    if not math.isfinite(value):
        raise ValueError(f"{written[:40]} is no number of a policy")
    return value


def _checksum(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
