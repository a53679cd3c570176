"""From an instruction to a decision: collect evidence, decide on it, help where there is no formula.

``SelectiveTranslator`` is a collector and the policies it may decide by.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from assent.errors import PolicyError
from assent.logic.ast import Logic
from assent.pipeline.collect import collect
from assent.pipeline.collector import Collector
from assent.policy.policy import Policy
from assent.records import Accepted, Decision, Evidence, Instruction
from assent.vocabulary import Vocabulary

__all__ = ["Collector", "SelectiveTranslator", "collect"]


class SelectiveTranslator:
    """One policy a logic. A policy that was made for other models is refused before any call."""

    def __init__(
        self,
        collector: Collector,
        policies: Mapping[Logic, Policy],
        *,
        lazy: bool = True,
        helpful: bool = True,
    ) -> None:
        # Not copied: the shipped policies are read when they are first asked for.
        self.collector, self.policies, self.lazy, self.helpful = collector, policies, lazy, helpful

    def check(self) -> None:
        """Refuse, before any call, a policy that was made for other models."""
        for logic, policy in self.policies.items():
            policy.check(self.collector.made_by(logic))

    def policy(self, logic: Logic) -> Policy:
        """The policy for a logic; PolicyError if there is none."""
        if logic not in self.policies:
            logics = ", ".join(self.policies) or "none"
            raise PolicyError(f"there is no policy for {logic.value} (there is one for: {logics})")
        return self.policies[logic]

    async def decide(self, case: Instruction, known: Evidence | None = None) -> Decision:
        """Collect no more than the decision needs, and decide."""
        policy = self.policy(case.logic)
        if known is None or known.draft is None:
            policy.check(self.collector.made_by(case.logic))
            vocabulary = self.collector.vocabulary(case)
            if vocabulary is not None:  # before anything is paid for
                policy.check_vocabulary(vocabulary.digest)
        evidence = await collect(self.collector, case, policy=policy if self.lazy else None, known=known)
        decision = policy.decide(evidence)
        if self.helpful and not isinstance(decision, Accepted):
            from assent.pipeline.clarify import clarify

            # Comparing readings may take a while; others go on meanwhile.
            decision = await asyncio.to_thread(clarify, decision)
        return in_units(decision, self.collector.vocabulary(case))

    def translate(self, text: str, logic: Logic | str = Logic.LTL, *, domain: str | None = None) -> Decision:
        """One instruction, for programs that are not asynchronous."""
        return asyncio.run(self.decide(Instruction(id="1", text=text, logic=Logic(logic), domain=domain)))


def in_units(decision: Decision, names: Vocabulary | None) -> Decision:
    """The decision with English that calls a unit of time as the vocabulary does; without one it stays as it is."""
    if names is None:
        return decision
    from assent.logic.english import english

    if isinstance(decision, Accepted):
        return replace(decision, english=english(decision.formula, unit=names.unit_words))
    readings = (
        replace(one, english=english(one.formula, unit=names.unit_words)) for one in decision.readings
    )
    return replace(decision, readings=tuple(readings))
