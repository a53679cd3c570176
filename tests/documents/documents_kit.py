"""A checker whose translator knows its answers by heart and counts what it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from assent.config.build import Assembly
from assent.documents.checking import Checked, Checker, CheckSettings
from assent.documents.lock import Lock
from assent.documents.readers import read_documents
from assent.documents.written import Document, WrittenRequirement
from assent.logic.ast import Logic
from assent.pipeline import Collector
from assent.prompting.translators import FunctionTranslator
from assent.testing import lenient_policy

HERE = Path(__file__).resolve().parent


class Counting:
    """Answers by text; a text that is not known fails. ``asked`` has every text once a candidate was asked for."""

    def __init__(self, answers: Mapping[str, str | Sequence[str]], *, alpha: float = 0.1) -> None:
        self.asked: list[str] = []

        def answer(text: str, _: Logic, number: int | None) -> str:
            if number is None:
                self.asked.append(text)
            known = answers[text]
            if isinstance(known, str):
                return known
            return known[0] if number is None else known[1 + number % (len(known) - 1)]

        collector = Collector(translator=FunctionTranslator(answer, name="scripted"))
        policies = {logic: lenient_policy(collector.made_by(logic), alpha=alpha) for logic in Logic}
        self.parts = Assembly(collector=collector, policies=policies)


def checked(
    files: Sequence[Path],
    models: Counting,
    *,
    lock: Lock | None = None,
    settings: CheckSettings | None = None,
) -> Checked:
    """Documents through the whole of ``check``, with a counting translator."""
    checker = Checker(parts=models.parts, settings=settings or CheckSettings(), lock=lock)
    return asyncio.run(checker.run(read_documents(files)))


def brief(document: Document) -> list[tuple[str, str]]:
    """Ids and texts."""
    return [(requirement.id, requirement.text) for requirement in document.requirements]


def stands_there(requirement: WrittenRequirement, text: str) -> bool:
    """Whether the first word of a requirement stands at its line and column."""
    line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[requirement.line - 1]
    return line[requirement.column - 1 :].startswith(requirement.text.split()[0])
