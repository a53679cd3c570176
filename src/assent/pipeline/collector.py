"""The collector: everything costly about one instruction, once.

The gate comes first; what it defers costs no model call. Whatever a model does wrong is caught here, and only
here, and becomes ``Evidence.failure``; what the operator did wrong (budget, configuration, policy) passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assent.calibrate.policy import Policy
from assent.errors import BudgetError, ConfigurationError, DataError, ModelError, PolicyError, UsageError
from assent.gate import Gate
from assent.logic.ast import Logic
from assent.pipeline.work import Work
from assent.records import Evidence, Instruction
from assent.rows import evidence_of
from assent.score.embedding import Embedder
from assent.score.roles import BackTranslator, Judge, Scorer
from assent.translate import Translator, names_of
from assent.vocabulary import Vocabulary, choose

SAMPLES = 5
_OPERATOR = (BudgetError, ConfigurationError, DataError, PolicyError, UsageError)


@dataclass(frozen=True, kw_only=True)
class Collector:
    """Who is asked. ``vocabularies`` maps a domain to its names; empty where any name will do."""

    translator: Translator
    back_translator: BackTranslator | None = None
    judge: Judge | None = None
    direct_judge: Judge | None = None
    single_question: Judge | None = None
    scorers: tuple[Scorer, ...] = ()
    embedder: Embedder | None = None
    gates: Mapping[Logic, Gate] = field(default_factory=dict)
    samples: int = SAMPLES
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    domain: str | None = None
    _made_by: dict[Logic, dict[str, str]] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        if (self.judge is None) != (self.back_translator is None):
            raise UsageError("the round trip needs a back-translator and a judge, or neither")
        if self.samples < 0:
            raise UsageError(f"the number of samples must be 0 or more, not {self.samples}")

    def made_by(self, logic: Logic) -> dict[str, str]:
        """The fingerprint of whatever the scores depend on. The ablations are not part of it."""
        if logic not in self._made_by:
            self._made_by[logic] = self._fingerprint(logic)
        return self._made_by[logic]

    def _fingerprint(self, logic: Logic) -> dict[str, str]:
        found = {"logic": logic.value, **self.translator.identity(logic)}
        if self.sampled:
            found["samples"] = str(self.samples)
        for role in (self.back_translator, self.judge, *self.scorers):
            if role is not None:
                found |= role.identity(logic)
        gate = self.gates.get(logic)
        if gate is not None:
            found |= {"embedder": gate.embedder.name, "gate": gate.name}
        return found

    @property
    def sampled(self) -> bool:
        return self.translator.samplable and self.samples > 0

    def vocabulary(self, case: Instruction) -> Vocabulary | None:
        """The names for an instruction."""
        domain = case.domain if case.domain is not None else self.domain
        return choose(self.vocabularies, domain, case=case.id)

    def known(self, row: Mapping[str, Any], **options: Any) -> Evidence:
        """A recorded translation read with the vocabulary of its domain; options as ``rows.evidence_of``."""
        vocabulary = self.vocabulary(evidence_of({**row, "samples": []}, **options).instruction)
        return evidence_of(row, names=names_of(vocabulary), **options)

    async def collect(
        self, case: Instruction, *, policy: Policy | None = None, known: Evidence | None = None
    ) -> Evidence:
        """Evidence about one instruction.

        With a policy, no more is asked than its decision needs, and the decision is the same. ``known`` is
        what was recorded before and is not asked for again.
        """
        work = Work(self, case, policy, known)
        try:
            await work.gather()
        except _OPERATOR:
            raise
        except Exception as error:  # the one place where the world's failures become an outcome
            kind = "" if isinstance(error, ModelError) else f"{type(error).__name__}: "
            work.failure = f"{work.step}: {kind}{error}"
        return work.evidence()
