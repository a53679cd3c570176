"""Ablation: one question about instruction and back-translation, one rating."""

from __future__ import annotations

from fractions import Fraction

from assent.errors import ModelError
from assent.logic.ast import Logic
from assent.models.base import Answer, Prompt
from assent.prompting import answers, prompts
from assent.records import Ratings
from assent.score.roles import Question
from assent.score.roundtrip import PromptedJudge

RATING = "rating"


class SingleQuestion(PromptedJudge):
    """One integer from 0 to 100 under ``rating``."""

    task = "single_question"

    def prompt(self, question: Question) -> Prompt:
        return prompts.single_question(question.text, question.english, question.logic)

    def read(self, answer: Answer, prompt: Prompt, logic: Logic) -> Ratings:
        return {**answers.ratings(answer, prompt.nonce or "", (RATING,))}


def suspicion(rating: int) -> Fraction:
    """1 - rating/100."""
    if isinstance(rating, bool) or not 0 <= rating <= 100:
        raise ModelError(f"the single question was answered with {rating!r}, not 0 to 100")
    return 1 - Fraction(rating, 100)
