"""Evidence and a policy in, a decision out. Pure: no model is called, nothing is read or written.

Every way to go wrong ends in an abstention with its reason, or in ``PolicyError`` where the policy was made
for something else. Only the last line of ``decide`` accepts.
"""

from __future__ import annotations

from collections.abc import Callable

from assent.calibrate.fusion import fuse_one
from assent.calibrate.policy import PROPOSED, VOCABULARY, Policy
from assent.calibrate.rules import Infeasible, Threshold
from assent.calibrate.ties import mark
from assent.errors import PolicyError
from assent.records import AT_MOST, Abstained, Accepted, Decision, Evidence, Reading, Reason


def decide(evidence: Evidence, *, policy: Policy) -> Decision:
    """Accept the candidate, or say why not."""
    policy.check(evidence.made_by)
    names = evidence.made_by.get(VOCABULARY)
    policy.check_vocabulary(names)

    def abstain(
        reason: Reason, detail: str, score: float | None = None, limit: float | None = None
    ) -> Abstained:
        return Abstained(
            reason=reason,
            detail=detail,
            alpha=policy.alpha,
            evidence=evidence,
            score=score,
            threshold=limit,
            warnings=_other_names(policy, names),
        )

    if evidence.failure is not None:
        return abstain(Reason.FAILED, evidence.failure)
    if policy.gate is not None:
        if evidence.reading is None:
            raise PolicyError("the policy was calibrated with a gate, and this evidence has no gate reading")
        if deferred(evidence.reading, policy):
            return abstain(Reason.OUT_OF_DOMAIN, _far(evidence.reading, policy.gate.delta))
    if (drifted := policy.drifted(evidence.reported)) is not None:
        return abstain(Reason.FAILED, drifted)
    if evidence.draft is None:
        return abstain(Reason.FAILED, "there is no translation")
    primary = evidence.draft.primary
    if primary.formula is None or evidence.group is None:
        return abstain(Reason.UNREADABLE, f"not a formula: {primary.error or 'no text'}")
    rule = policy.rule_for(evidence.group)
    if isinstance(rule, Infeasible):
        return abstain(Reason.INFEASIBLE, _infeasible(rule, evidence.group))
    if unnamed(policy, names):
        return abstain(Reason.INFEASIBLE, UNNAMED)
    score = channel_score(evidence, policy)
    if score is None:
        return abstain(Reason.FAILED, f"the score {policy.channel!r} was not recorded")
    if not acceptor(policy, evidence.group, evidence.instruction.text)(score):
        detail = f"score {score:.3f} is above {rule.value:.3f}, the limit for group {evidence.group}"
        return abstain(Reason.SUSPICIOUS, f"{detail}. {in_words(evidence)}".strip(), score, rule.value)
    if evidence.doubts:
        return abstain(Reason.SUSPICIOUS, "; ".join(evidence.doubts), score, rule.value)
    if not accountable(evidence, policy):
        return abstain(Reason.FAILED, f"the score {policy.channel!r} was cut short for another decision")
    return Accepted(
        formula=primary.formula,
        english=say(evidence),
        score=score,
        threshold=rule.value,
        alpha=policy.alpha,
        evidence=evidence,
        warnings=(*_other_names(policy, names), *_screens_nothing(rule, evidence.group)),
    )


def hopeless(policy: Policy, group: str, names: str | None) -> bool:
    """Whether no score can lead to an acceptance, so that none need be asked for."""
    return isinstance(policy.rule_for(group), Infeasible) or unnamed(policy, names)


def unnamed(policy: Policy, names: str | None) -> bool:
    """Names proposed from the text, under a policy that was calibrated with none such."""
    return names == PROPOSED and not policy.knows(names)


UNNAMED = (
    "the names were proposed from the text, and the policy was calibrated with a vocabulary only: name yours with "
    "--vocabulary, or calibrate a policy of your own without one"
)


def _other_names(policy: Policy, names: str | None) -> tuple[str, ...]:
    if policy.knows(names) or names == PROPOSED:
        return ()
    return (
        "the policy was calibrated with other vocabularies: alpha holds as far as your instructions are like those of "
        "its calibration; for a promise about your own, calibrate on your own",
    )


def _screens_nothing(rule: Threshold, group: str) -> tuple[str, ...]:
    """A limit of 1 is the promise kept by the translator alone."""
    if rule.value < 1:
        return ()
    return (
        f"the limit for group {group} is 1: every readable formula is accepted there, whatever its score",
    )


def deferred(reading: Reading, policy: Policy) -> bool:
    """The gate keeps the instruction from being translated; strictly below delta."""
    from assent.calibrate.exact import level

    return policy.gate is not None and level(reading.p_value, "p") < level(policy.gate.delta, "delta")


def acceptor(policy: Policy, group: str, text: str) -> Callable[[float], bool]:
    """The rule of a group as a function of the score alone."""
    rule = policy.rule_for(group)
    tie = None if policy.tie_secret is None else mark(policy.tie_secret, text)
    return lambda score: rule.accepts(score, tie)


def channel_score(evidence: Evidence, policy: Policy) -> float | None:
    """The score that the policy thresholds: a recorded channel, or its fusion of recorded channels."""
    if policy.fusion is None:
        return evidence.score(policy.channel)
    found = {name: evidence.score(name) for name in policy.fusion.channels}
    known = {name: value for name, value in found.items() if value is not None}
    return fuse_one(policy.fusion, known) if len(known) == len(found) else None


def accountable(evidence: Evidence, policy: Policy) -> bool:
    """Whether the score may accept: one that lazy scoring cut short may do so only as an upper bound."""
    if policy.fusion is not None:
        return not set(policy.fusion.channels) & set(evidence.censored)
    bounds = (score.note for score in evidence.scores if score.name == policy.channel)
    return policy.channel not in evidence.censored or next(bounds, "") == AT_MOST


def say(evidence: Evidence) -> str:
    """The candidate in unambiguous English."""
    from assent.logic.english import english

    draft = evidence.draft
    tree = None if draft is None else draft.primary.tree(evidence.instruction.logic)
    return "" if tree is None else english(tree)


def in_words(evidence: Evidence) -> str:
    """What the scores say, for a person."""
    said = list(evidence.doubts)
    samples = evidence.draft.samples if evidence.draft is not None else ()
    split = evidence.score("self_consistency")
    if split is not None and samples and "self_consistency" not in evidence.censored:
        agree = round((1 - split) * len(samples))
        said.append(f"{agree} of {len(samples)} samples mean the same")
    judged = evidence.score("back_translation")
    if judged is not None:
        said.append(f"the judge finds {100 * (1 - judged):.0f} % agreement with the instruction")
    if evidence.judge is not None:
        low = {name: value for name, value in evidence.judge.items() if _doubted(value)}
        if low:
            said.append("doubts about " + ", ".join(name.replace("_", " ") for name in low))
    return ("; ".join(said) + ".").capitalize() if said else ""


def _doubted(value: int | str) -> bool:
    return value < 80 if isinstance(value, int) else value in ("partial", "mismatch")


def _far(reading: Reading, delta: float) -> str:
    return (
        f"unlike the instructions that the gate was calibrated on (distance {reading.distance:.3f}, "
        f"p-value {reading.p_value:.4f} below {delta:g})"
    )


def _infeasible(rule: Infeasible, group: str) -> str:
    return f"group {group}: {rule.reason}" + "".join(f"; {advice}" for advice in rule.advice)
