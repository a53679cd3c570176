"""Ablation: the judge compares the instruction with the formula itself, without back-translation."""

from __future__ import annotations

from assent.models.base import Prompt
from assent.prompting import prompts
from assent.score.roles import Question
from assent.score.roundtrip import PromptedJudge


class DirectJudge(PromptedJudge):
    """The same ratings about instruction and formula."""

    task = "direct_judge"

    def prompt(self, question: Question) -> Prompt:
        return prompts.direct_judge(question.text, question.formula, question.logic)
