"""Ablation: the judge compares the instruction with the formula itself, without back-translation."""

from __future__ import annotations

from assent import prompts
from assent.logic.ast import Logic
from assent.models.base import Prompt
from assent.score.roundtrip import PromptedJudge


class DirectJudge(PromptedJudge):
    """The same ratings about instruction and formula."""

    task = "direct_judge"

    def prompt(self, text: str, other: str, logic: Logic) -> Prompt:
        return prompts.direct_judge(text, other, logic)
