"""A policy for people: what it accepts, what to expect of it, and what it promises."""

from __future__ import annotations

from html import escape

from assent.calibrate.rules import PROMISES, Expected, Infeasible, Threshold
from assent.policy.policy import Policy


def describe(policy: Policy) -> str:
    """A policy for a person: what it accepts, what to expect of it, and what it promises."""
    lines = [f"alpha {policy.alpha:g}, channel {policy.channel}, labels {policy.equivalence}"]
    withheld = policy.provenance.get("withheld")
    if withheld:
        counts = ", ".join(f"{count} {reason}" for reason, count in withheld.items())
        lines.append(f"withheld whatever their score, counted as abstentions: {counts}")
    for group, rule in policy.rules.items():
        unit = f"{rule.n} rows" + (f" in {rule.clusters} clusters" if rule.clusters else "")
        if isinstance(rule, Infeasible):
            lines.append(f"{group}: infeasible with {unit}: {rule.reason}; {'; '.join(rule.advice)}")
            continue
        expected = policy.expected[group]
        lines.append(
            f"{group}: accept up to {rule.value:.4f} ({unit}, floor {rule.floor:.4f}); acceptance to expect "
            f"{expected.acceptance:.3f} [{expected.low:.3f}, {expected.high:.3f}], error among the accepted at most "
            f"about {among_accepted(rule, expected):.3f}"
        )
        if rule.value >= policy.provenance.get("ceiling", 1.0):
            lines.append(f"{group}: {at_ceiling(policy)}")
    inside = policy.provenance.get("inside", {})
    if inside:
        shown = (f"{name} {part['risk']:.3f} of {part['rows']:g} rows" for name, part in inside.items())
        lines.append(
            f"no promise of their own; accepted and wrong on the calibration rows: {', '.join(shown)}"
        )
    lines += [f"warning: {warning}" for warning in policy.warnings]
    lines += [f"promise: {PROMISES[kind]}" for kind in sorted({rule.kind for rule in policy.rules.values()})]
    return "\n".join(lines)


def at_ceiling(policy: Policy) -> str:
    """Said of a group whose limit is the ceiling: alpha is no knob there, and what would make it one."""
    ceiling = policy.provenance.get("ceiling", 1.0)
    more = " or a higher --ceiling (more)" if ceiling < 1 else ""
    return (
        f"the limit is the ceiling ({ceiling:g}), above which nothing is accepted: the promise holds without "
        f"the score, so a larger alpha accepts no more; what changes it: a smaller alpha or a lower --ceiling (fewer)"
        f"{more}, or harder calibration rows"
    )


def among_accepted(rule: Threshold, expected: Expected) -> float:
    """Error among the accepted, out of sample: (L + 1)/(n + 1) over the acceptance to expect, in one weighting."""
    by_cluster = rule.clusters is not None and rule.cluster_risk is not None
    units = rule.clusters if by_cluster else rule.n
    risk = rule.cluster_risk if by_cluster else rule.risk
    if not expected.acceptance or units is None or risk is None:
        return 0.0
    return min(1.0, (risk * units + 1) / (units + 1) / expected.acceptance)


def policy_html(policy: Policy) -> str:
    """The same for notebooks."""
    return f"<pre>{escape(describe(policy))}</pre>"
