"""The round trip: a judge compares the instruction with the candidate said in English.

``S_bt = 1 - mean agreement`` over four dimensions, in exact arithmetic: a threshold is itself a score, so two
scores that are equal must compare as equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assent.errors import ModelError
from assent.logic.ast import Logic
from assent.models.base import Answer, Model, Prompt, Sampling
from assent.prompting import answers, prompts
from assent.prompting.transcript import Transcript
from assent.records import Ratings, parse
from assent.score.roles import Question
from assent.vocabulary import Vocabulary

NAME = "back_translation"
DIMENSIONS, SPATIAL_DIMENSIONS = prompts.RATINGS, prompts.LABELS
LABELS = {"match": Fraction(1), "partial": Fraction(1, 2), "mismatch": Fraction(0)}


def dimensions(logic: Logic) -> tuple[str, ...]:
    return SPATIAL_DIMENSIONS if logic is Logic.SPATIAL else DIMENSIONS


def disagreement(ratings: Mapping[str, object], logic: Logic) -> Fraction:
    """1 - mean agreement; anything but four clean ratings is a failure of the judge, never a number."""
    total = sum((_agreement(name, ratings.get(name), logic) for name in dimensions(logic)), Fraction(0))
    return 1 - total / 4


def _agreement(name: str, value: object, logic: Logic) -> Fraction:
    if logic is Logic.SPATIAL:
        if isinstance(value, str) and value in LABELS:
            return LABELS[value]
        raise ModelError(f"the judge's {name} is {value!r}, not match, partial or mismatch", retry=True)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 100:
        return Fraction(value, 100)
    raise ModelError(f"the judge's {name} is {value!r}, not a whole number from 0 to 100", retry=True)


class PromptedBackTranslator:
    """A language model says the formula in English; it never sees the instruction."""

    def __init__(self, model: Model, *, max_tokens: int = 512) -> None:
        self.model, self._sampling = model, Sampling(temperature=0.0, max_tokens=max_tokens)

    def identity(self, logic: Logic) -> Mapping[str, str]:
        prompt = prompts.fingerprint("back_translate", logic)
        return {"back_translator": f"{self.model.name}@{self.model.version}+{prompt}"}

    async def say(
        self, formula: str, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str:
        names = None if vocabulary is None else vocabulary.phrases
        prompt = prompts.back_translation(formula, logic, names=names)
        return await transcript.ask(self.model, prompt, self._sampling, answers.sentence)


class RenderedBackTranslator:
    """Our own bracketed English: deterministic, free, and without a second model's mistakes."""

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {"back_translator": "assent-english@1"}

    async def say(
        self, formula: str, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str:
        from assent.logic.english import english

        return english(parse(formula, logic))


class PromptedJudge:
    """A language model compares the instruction with the English of the candidate."""

    task = "judge"

    def __init__(self, model: Model, *, max_tokens: int = 512) -> None:
        self.model, self._sampling = model, Sampling(temperature=0.0, max_tokens=max_tokens)

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {self.task: f"{self.model.name}@{self.model.version}+{prompts.fingerprint(self.task, logic)}"}

    async def rate(self, question: Question, transcript: Transcript) -> Ratings:
        prompt = self.prompt(question)
        return await transcript.ask(
            self.model, prompt, self._sampling, lambda answer: self.read(answer, prompt, question.logic)
        )

    def prompt(self, question: Question) -> Prompt:
        return prompts.judge(question.text, question.english, question.logic)

    def read(self, answer: Answer, prompt: Prompt, logic: Logic) -> Ratings:
        """Four clean ratings that repeat the code of the prompt, or ModelError."""
        nonce = prompt.nonce or ""
        if logic is Logic.SPATIAL:
            return {**answers.labels(answer, nonce, SPATIAL_DIMENSIONS, tuple(LABELS))}
        return {**answers.ratings(answer, nonce, DIMENSIONS)}
