"""One requirement put to the models: in this process, or in one of several (``--jobs``)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from assent.config.build import Assembly
from assent.errors import FormulaError, FragmentError
from assent.records import Decision, Instruction
from assent.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A requirement with the names it may speak of; picklable, so that another process may answer it."""

    case: Instruction
    sections: Mapping[str, Vocabulary]
    domain: str | None = None


Answer = Decision | str
"""A decision, or why a formula that a model gave could not be worked with."""


@dataclass(frozen=True)
class CheckDesk:
    """Answers questions with the models and policies of an assembly: the shop of a worker."""

    parts: Assembly

    @property
    def concurrency(self) -> int:
        return self.parts.concurrency

    @property
    def work(self) -> Callable[[CheckQuestion], Awaitable[Answer]]:
        return self._answered

    async def _answered(self, question: CheckQuestion) -> Answer:
        collector = replace(self.parts.collector, vocabularies=question.sections, domain=question.domain)
        try:
            return await replace(self.parts, collector=collector).selective().decide(question.case)
        except (FormulaError, FragmentError) as error:
            return str(error).splitlines()[0]

    async def close(self) -> None:
        await self.parts.close()
