"""Stopping early: is the decision certain to be an abstention, whatever the answers that may still come?

Only abstentions stop early. An acceptance waits for every score, so that it never rests on a call that would have
failed: calibration counts a failed row as an abstention, and deployment must do the same.
"""

from __future__ import annotations

from fractions import Fraction

from assent.calibrate.rules import Infeasible
from assent.policy.decide import acceptor
from assent.policy.policy import Policy
from assent.records import Evidence
from assent.scoring import agreement, parts
from assent.scoring.channels import BACK_TRANSLATION, CHANNELS, SELF_CONSISTENCY, ScoreSpan, span


def withheld_early(evidence: Evidence, policy: Policy, *, total: int | None = None) -> bool:
    """Whether the candidate will be withheld whatever comes; ``total`` is how many samples there will be."""
    group = policy.group(evidence)
    if group is None or isinstance(policy.rule_for(group), Infeasible):
        return True
    channel = CHANNELS.get(policy.channel)
    if channel is None or policy.fusion is not None or total is None:
        return False
    return not acceptor(policy, group, evidence.instruction.text)(
        float(span(channel, spans(evidence, total, channel.parts)).low)
    )


def spans(evidence: Evidence, total: int, wanted: tuple[str, ...]) -> dict[str, ScoreSpan]:
    """Where each part of a channel must lie, given the answers so far and ``total`` samples at the end."""
    known = parts(evidence)
    found = {name: ScoreSpan() for name in wanted}
    if BACK_TRANSLATION in found and BACK_TRANSLATION in known:
        found[BACK_TRANSLATION] = ScoreSpan(known[BACK_TRANSLATION], known[BACK_TRANSLATION])
    samples = evidence.draft.samples if evidence.draft is not None else ()
    if SELF_CONSISTENCY in found and samples and total >= len(samples):
        low, high = agreement.bounds(agreement.largest_cluster(samples), len(samples), total)
        found[SELF_CONSISTENCY] = ScoreSpan(max(low, Fraction(0)), high)
    return found
