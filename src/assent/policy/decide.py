"""Evidence and a policy in, a decision out. Pure: no model is called, nothing is read or written.

Every way to go wrong ends in an abstention with its reason, or in ``PolicyError`` where the policy was made
for something else. Only the last line of ``decide`` accepts. ``withheld`` is what keeps a candidate back
whatever its score; calibration counts such rows as the abstentions that they are.

``withheld_early`` says whether the decision is certain to be an abstention whatever answers may still come. Only
abstentions stop early: an acceptance waits for every score, so that it never rests on a call that would have failed
(calibration counts a failed row as an abstention, and deployment must do the same).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from assent.calibrate.exact import level, mark
from assent.calibrate.rules import Infeasible, Threshold
from assent.errors import PolicyError
from assent.policy.policy import PROPOSED, VOCABULARY, Policy
from assent.records import AT_LEAST, Abstained, Accepted, Decision, Evidence, GateReading, Reason
from assent.scoring import (
    BACK_TRANSLATION,
    CHANNELS,
    SECOND_OPINION,
    SELF_CONSISTENCY,
    ScoreSpan,
    consistency_bounds,
    doubts,
    largest_cluster,
    parts,
    scores,
    span,
)


@dataclass(frozen=True, slots=True)
class Withheld:
    """Why a candidate is kept back whatever its score."""

    reason: Reason
    detail: str


def decide(evidence: Evidence, *, policy: Policy) -> Decision:
    """Accept the candidate, or say why not."""
    policy.check(evidence.made_by, left=(SECOND_OPINION,))
    names = evidence.made_by.get(VOCABULARY)
    policy.check_vocabulary(names)
    if policy.gate is not None and evidence.gate is None and evidence.failure is None:
        raise PolicyError("the policy was calibrated with a gate, and this evidence has no gate reading")

    def abstain(kept: Withheld, score: float | None = None, limit: float | None = None) -> Abstained:
        censored = policy.channel in evidence.censored and score is not None
        return Abstained(
            reason=kept.reason,
            detail=kept.detail,
            alpha=policy.alpha,
            evidence=evidence,
            score=score,
            bound=AT_LEAST if censored else "",
            threshold=limit,
            warnings=_other_names(policy, names),
        )

    if (kept := before_scoring(evidence, policy)) is not None:
        return abstain(kept)
    group = policy.group(evidence)
    assert group is not None and evidence.formula is not None  # before_scoring saw to both
    rule = policy.rule_for(group)
    if isinstance(rule, Infeasible):
        return abstain(Withheld(Reason.INFEASIBLE, _infeasible(rule, _sized(group, policy))))
    score = policy.score(evidence)
    if score is None:
        return abstain(Withheld(Reason.FAILED, f"the score {policy.channel!r} was not recorded"))
    if not acceptor(policy, group, evidence.instruction.text)(score):
        detail = f"score {_shown(evidence, policy, score)} is above {rule.value:.3f}, the limit{_for(group, policy)}"
        return abstain(
            Withheld(Reason.SUSPICIOUS, f"{detail}. {in_words(evidence)}".strip()), score, rule.value
        )
    if SECOND_OPINION in policy.fingerprint and SECOND_OPINION not in evidence.made_by:
        return abstain(Withheld(Reason.FAILED, UNSECONDED), score, rule.value)
    if (kept := withheld(evidence, delta=policy.gate.delta if policy.gate else None)) is not None:
        return abstain(kept, score, rule.value)
    if evidence.censored:
        return abstain(
            Withheld(Reason.FAILED, f"the score {policy.channel!r} was cut short for another decision")
        )
    return Accepted(
        formula=evidence.formula,
        english=say(evidence),
        score=score,
        threshold=rule.value,
        alpha=policy.alpha,
        evidence=evidence,
        warnings=(*_other_names(policy, names), *_screens_nothing(rule, group, policy)),
    )


def before_scoring(evidence: Evidence, policy: Policy) -> Withheld | None:
    """What settles the decision before any score is asked for: failure, gate, changed models, names, no formula."""
    if evidence.failure is not None:
        return Withheld(Reason.FAILED, evidence.failure)
    if policy.defers(evidence):
        assert policy.gate is not None and evidence.gate is not None
        return Withheld(Reason.OUT_OF_DOMAIN, _far(evidence.gate, policy.gate.delta))
    if (drifted := policy.drifted(evidence.reported)) is not None:
        return Withheld(Reason.FAILED, drifted)
    if evidence.draft is None:
        return Withheld(Reason.FAILED, "there is no translation")
    if evidence.formula is None:
        return Withheld(Reason.UNREADABLE, f"not a formula: {evidence.draft.primary.error or 'no text'}")
    if _unnamed(policy, evidence.made_by.get(VOCABULARY)):
        return Withheld(Reason.INFEASIBLE, UNNAMED)
    return None


def withheld(evidence: Evidence, *, delta: float | None) -> Withheld | None:
    """What keeps a candidate back whatever its score; ``delta`` is the gate's level, None without a gate.

    The same question is asked of every calibration row, so that what calibration counts is what deployment does.
    """
    if evidence.failure is not None:
        return Withheld(Reason.FAILED, evidence.failure)
    if delta is not None and deferred(evidence.gate, delta):
        assert evidence.gate is not None
        return Withheld(Reason.OUT_OF_DOMAIN, _far(evidence.gate, delta))
    if evidence.formula is None:
        return Withheld(Reason.UNREADABLE, "not a formula")
    if found := doubts(evidence):
        return Withheld(Reason.SUSPICIOUS, "; ".join(found))
    return None


def deferred(reading: GateReading | None, delta: float) -> bool:
    """The gate keeps the instruction from being translated; strictly below delta."""
    return reading is not None and level(reading.p_value, "p") < level(delta, "delta")


def _unnamed(policy: Policy, names: str | None) -> bool:
    """Names proposed from the text, under a policy that was calibrated with none such."""
    return names == PROPOSED and not policy.knows(names)


UNNAMED = (
    "the names were proposed from the text, and the policy was calibrated with a vocabulary only: name yours with "
    "--vocabulary, or calibrate a policy of your own without one"
)


UNSECONDED = (
    "no second opinion was recorded, and the policy was calibrated with one: ask for it with 'assent collect'"
)


def _other_names(policy: Policy, names: str | None) -> tuple[str, ...]:
    if policy.knows(names) or names == PROPOSED:
        return ()
    return (
        policy.stream
        or "the policy was calibrated with other vocabularies: alpha holds as far as your instructions are like those "
        "of its calibration; for a promise about your own, calibrate on your own",
    )


def _screens_nothing(rule: Threshold, group: str, policy: Policy) -> tuple[str, ...]:
    """Say where the score decides nothing: a limit at the ceiling is the promise kept by the translator alone."""
    ceiling = policy.provenance.get("ceiling", 1.0)
    if rule.value < ceiling:
        return ()
    return (
        f"the limit{_for(group, policy)} is the ceiling ({ceiling:g}), above which nothing is accepted: the "
        "promise holds there without the score, so a larger alpha accepts no more",
    )


def acceptor(policy: Policy, group: str, text: str) -> Callable[[float], bool]:
    """The rule of a group as a function of the score alone."""
    rule = policy.rule_for(group)
    tie = None if policy.tie_secret is None else mark(policy.tie_secret, text)
    return lambda score: rule.accepts(score, tie)


def policy_score(evidence: Evidence, policy: Policy) -> float | None:
    """The score that the policy thresholds: a channel, or its fusion of channels; None where one is missing."""
    known = scores(evidence)
    if policy.fusion is None:
        return known.get(policy.channel)
    if not set(policy.fusion.channels) <= set(known):
        return None
    from assent.calibrate.fusion import fuse_one  # few policies have a fusion of their own

    return fuse_one(policy.fusion, known)


def say(evidence: Evidence) -> str:
    """The candidate in unambiguous English."""
    from assent.logic.english import english

    return "" if evidence.formula is None else english(evidence.formula)


def in_words(evidence: Evidence) -> str:
    """What the scores say, for a person."""
    parts = list(evidence.doubts)
    samples = evidence.draft.samples if evidence.draft is not None else ()
    split = evidence.score(SELF_CONSISTENCY)
    if split is not None and samples and SELF_CONSISTENCY not in evidence.censored:
        agree = round((1 - split) * len(samples))
        parts.append(f"{agree} of {len(samples)} samples mean the same")
    judged = evidence.score(BACK_TRANSLATION)
    if judged is not None:
        parts.append(f"the judge finds {100 * (1 - judged):.0f} % agreement with the instruction")
    low = [name for name, value in (evidence.judge or {}).items() if _doubted(value)]
    if low:
        parts.append("doubts about " + ", ".join(name.replace("_", " ") for name in low))
    return ("; ".join(parts) + ".").capitalize() if parts else ""


def _doubted(value: int | str) -> bool:
    return value < 80 if isinstance(value, int) else value in ("partial", "mismatch")


def _shown(evidence: Evidence, policy: Policy, score: float) -> str:
    """A score that lazy scoring stopped at is a bound, and is not printed as if it were the score."""
    return f"{AT_LEAST} {score:.3f}" if policy.channel in evidence.censored else f"{score:.3f}"


def _for(group: str, policy: Policy) -> str:
    return "" if policy.grouping == "all" else f" for group {_sized(group, policy)}"


_SIZES = {
    "D2": ("at most two", "at most one"),
    "D3": ("three", "two"),
    "D4": ("more than three", "more than two"),
}
"""What a tier counts (``records.tier_of``): names and comparisons, in SpaTiaL temporal operators."""


def _sized(group: str, policy: Policy) -> str:
    """A group with what it holds, where groups are tiers: "D3 (formulas by size; names and comparisons: three)"."""
    if policy.grouping != "tier" or group not in _SIZES:
        return group
    atoms, operators = _SIZES[group]
    spatial = policy.fingerprint.get("logic") == "spatial"
    what = f"temporal operators: {operators}" if spatial else f"names and comparisons: {atoms}"
    return f"{group} (formulas by size; {what})"


def _far(reading: GateReading, delta: float) -> str:
    return (
        f"unlike the instructions that the gate was calibrated on (distance {reading.distance:.3f}, "
        f"p-value {reading.p_value:.4f} below {delta:g})"
    )


def _infeasible(rule: Infeasible, group: str) -> str:
    return f"group {group}: {rule.reason}" + "".join(f"; {advice}" for advice in rule.advice)


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
        low, high = consistency_bounds(largest_cluster(samples), len(samples), total)
        found[SELF_CONSISTENCY] = ScoreSpan(max(low, Fraction(0)), high)
    return found
