"""Who is asked about an instruction: the frozen set of roles behind a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assent.errors import UsageError
from assent.logic.ast import Logic
from assent.pipeline.gate import Gate
from assent.prompting import BackTranslator, EmbedderRole, Judge, Scorer, TranslatorRole
from assent.records import Evidence, Instruction
from assent.scoring import CLEARLY_WRONG, SECOND_OPINION
from assent.vocabulary import Vocabulary, choose, names_of

SAMPLES = 5


@dataclass(frozen=True, kw_only=True)
class Collector:
    """Who is asked. ``vocabularies`` maps a domain to its names; empty where any name will do.

    ``second_opinion`` is asked about candidates that it did not both write and judge itself.
    """

    translator: TranslatorRole
    back_translator: BackTranslator | None = None
    judge: Judge | None = None
    direct_judge: Judge | None = None
    single_question: Judge | None = None
    scorers: tuple[Scorer, ...] = ()
    second_opinion: Scorer | None = None
    embedder: EmbedderRole | None = None
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
        made_by = {"logic": logic.value, **self.translator.identity(logic)}
        if self.sampled:
            made_by["samples"] = str(self.samples)
        made_by |= self.judged_by(logic)
        gate = self.gates.get(logic)
        if gate is not None:
            made_by |= {"embedder": gate.embedder.name, "gate": gate.name}
        return made_by | self.seconded_by(logic, made_by)

    def seconded_by(self, logic: Logic, made_by: Mapping[str, str]) -> dict[str, str]:
        """The part of the fingerprint that says who gives the second opinion, and up to where it is no doubt.

        Empty where nobody does: there is none, or what was made so was translated and judged by the same models.
        """
        if self.second_opinion is None:
            return {}
        (own,) = self.second_opinion.identity(logic).values()
        if made_by.get("translator") == made_by.get("judge") == own:
            return {}
        return {SECOND_OPINION: f"{own} up to {CLEARLY_WRONG:g}"}

    def judged_by(self, logic: Logic) -> dict[str, str]:
        """The part of the fingerprint that says who scores."""
        roles = (self.back_translator, self.judge, *self.scorers)
        return {k: v for role in roles if role is not None for k, v in role.identity(logic).items()}

    @property
    def sampled(self) -> bool:
        return self.translator.samplable and self.samples > 0

    def vocabulary(self, case: Instruction) -> Vocabulary | None:
        """The names for an instruction."""
        domain = case.domain if case.domain is not None else self.domain
        return choose(self.vocabularies, domain, case=case.id)

    def known(
        self,
        row: Mapping[str, object],
        *,
        logic: str | None = None,
        system: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> Evidence:
        """A recorded translation read with the vocabulary of its domain; options as ``rows.evidence_of``."""
        from assent.records.rows import evidence_of, instruction_of

        vocabulary = self.vocabulary(instruction_of(row, logic=logic, file=file, line=line))
        names = names_of(vocabulary)
        return evidence_of(row, names=names, logic=logic, system=system, file=file, line=line)
