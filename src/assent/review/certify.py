"""A certificate for everything in a ledger: with this confidence at most so many of the accepted are wrong.

Nothing is assumed about the requirements: the chance is our own draw alone. Clusters are drawn whole, so they are
what is counted: at most K clusters hold a wrong formula, and those not audited hold as many as the largest of
them could. What was drawn and not answered counts as wrong.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

import msgspec

from assent.calibrate import exact
from assent.calibrate.certificate import AuditedStratum, certify, certify_strata
from assent.calibrate.noisy import MissRate, certify_noisy, halves, miss_rate
from assent.errors import UsageError
from assent.ledger.entries import Kind, Stratum
from assent.ledger.log import Ledger
from assent.ledger.outcomes import Agreement, drawn
from assent.ledger.settle import ReviewState


@dataclass
class _Unit:
    """A cluster's accepted members (or one accepted decision) under one coin."""

    q: str
    picked: bool
    size: int = 0
    wrong: int = 0
    open: int = 0

    def bad(self, hopeful: bool) -> int:
        """Members that count as wrong; the unanswered too, unless one hopes."""
        return self.wrong + (0 if hopeful else self.open)


class Certified(msgspec.Struct, frozen=True, kw_only=True):
    """What ``assent certify`` says. ``joint_at_most`` is the bound as a share of all requirements."""

    requirements: int
    accepted: int
    abstained: int
    audited: int
    wrong_found: int
    at_most_wrong: int
    confidence: float
    joint_at_most: float
    unanswered: int

    @property
    def sentence(self) -> str:
        """The certificate in words."""
        return (
            f"With {self.confidence:.4g} confidence at most {self.at_most_wrong} of the {self.accepted} accepted "
            f"formulas are wrong ({self.audited} audited by lot, {self.wrong_found} of them counted as wrong)."
        )


@dataclass
class Audit:
    """The audit as it stands."""

    requirements: int = 0
    accepted: int = 0
    audited: int = 0
    units: dict[str, _Unit] = field(default_factory=dict)

    @classmethod
    def read(cls, ledger: Ledger) -> Audit:
        """Count what was drawn and answered; ``UsageError`` unless every decision has its coin."""
        audit = cls()
        for draw, result in drawn(ledger):
            audit.requirements += 1
            if draw.stratum is not Stratum.ACCEPTED:
                continue
            unit = audit.units.setdefault(draw.cluster, _Unit(draw.q, draw.picked))
            audit.accepted += 1
            unit.size += 1
            if result is not None:
                audit.audited += 1
                settled = result.state is ReviewState.SETTLED
                unit.open += not settled
                unit.wrong += settled and result.wrong
        waiting = ledger.counts().get(Kind.DECISION, 0) - audit.requirements
        if waiting:
            raise UsageError(
                f"{waiting} decisions have not been drawn yet: run 'assent review' with the plan first"
            )
        return audit

    @property
    def unanswered(self) -> int:
        """Drawn from the accepted, and not settled."""
        return sum(unit.open for unit in self.units.values())

    def at_most(self, confidence: str, *, hopeful: bool = False) -> int:
        """How many accepted formulas may be wrong; ``hopeful``: if everything still open turns out right."""
        parts = [_part(units, hopeful) for units in self._strata()]
        if not parts:
            return 0
        if len(parts) == 1:
            made = certify(parts[0].accepted, parts[0].audited, parts[0].wrong, confidence=confidence)
        else:
            made = certify_strata(parts, confidence=confidence)
        unseen = sorted((unit.size for unit in self.units.values() if not unit.picked), reverse=True)
        known = sum(unit.bad(hopeful) for unit in self.units.values())
        return known + sum(unseen[: made.at_most - made.wrong])

    def at_most_if_missed(self, confidence: str, seen: Agreement) -> int:
        """``at_most`` where reviewers may call a wrong formula right, as often as plants and second looks allow.

        Half of what may go wrong is spent on that rate, the other half in equal parts on the strata. A cluster with a
        wrong formula is called wrong at least as often as that formula; what is called wrong need not be all that is,
        so as many clusters as may be wrong count whole, the largest first.
        """
        if not self.units:
            return 0
        half = halves(1 - exact.level(confidence, "the confidence"))
        misses = miss_rate(delta=half, planted=seen.plants, missed=seen.missed, both=seen.both, one=seen.one)
        strata = self._strata()
        each = 1 - half - half / len(strata)
        return sum(_most_missed(units, misses, each) for units in strata)

    def _strata(self) -> list[list[_Unit]]:
        """Units with the same probability of being drawn, by that probability."""
        strata: defaultdict[Fraction, list[_Unit]] = defaultdict(list)
        for unit in self.units.values():
            strata[Fraction(unit.q)].append(unit)
        return [strata[q] for q in sorted(strata)]

    def certificate(self, confidence: str, noisy: Agreement | None = None) -> Certified:
        """The certificate as of now; with ``noisy``, for reviewers who may miss."""
        most = self.at_most(confidence) if noisy is None else self.at_most_if_missed(confidence, noisy)
        return Certified(
            requirements=self.requirements,
            accepted=self.accepted,
            abstained=self.requirements - self.accepted,
            audited=self.audited,
            wrong_found=sum(unit.bad(False) for unit in self.units.values()),
            at_most_wrong=most,
            confidence=float(Fraction(confidence)),
            joint_at_most=most / self.requirements if self.requirements else 0.0,
            unanswered=self.unanswered,
        )


def _part(units: list[_Unit], hopeful: bool) -> AuditedStratum:
    return AuditedStratum(
        accepted=len(units),
        audited=sum(unit.picked for unit in units),
        wrong=sum(unit.picked and unit.bad(hopeful) > 0 for unit in units),
    )


def _most_missed(units: list[_Unit], misses: MissRate, confidence: Fraction) -> int:
    """How many formulas of one stratum may be wrong: those of its largest units, as many as may hold a wrong one."""
    part = _part(units, hopeful=False)
    made = certify_noisy(part.accepted, part.audited, part.wrong, misses, confidence=confidence)
    return sum(sorted((unit.size for unit in units), reverse=True)[: made.at_most])
