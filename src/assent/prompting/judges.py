"""Language models as back-translators and judges, and our own bracketed English as a back-translator."""

from __future__ import annotations

from collections.abc import Mapping

from assent.logic.ast import Formula, Logic
from assent.models.base import Answer, Model, Prompt, Sampling
from assent.prompting import LABEL_VALUES, LABELS, RATING, RATINGS, Question, Transcript, answers, prompts
from assent.records import Ratings
from assent.vocabulary import Vocabulary

"""The key of the single question's answer."""


class PromptedBackTranslator:
    """A language model says the formula in English; it never sees the instruction."""

    def __init__(self, model: Model, *, max_tokens: int = 512) -> None:
        self.model, self._sampling = model, Sampling(temperature=0.0, max_tokens=max_tokens)

    def identity(self, logic: Logic) -> Mapping[str, str]:
        prompt = prompts.fingerprint("back_translate", logic)
        return {"back_translator": f"{self.model.name}@{self.model.version}+{prompt}"}

    async def say(
        self, formula: Formula, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str:
        names = None if vocabulary is None else vocabulary.phrases
        prompt = prompts.back_translation(str(formula), logic, names=names)
        return await transcript.ask(self.model, prompt, self._sampling, answers.sentence)


class RenderedBackTranslator:
    """Our own bracketed English: deterministic, free, and without a second model's mistakes."""

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {"back_translator": "assent-english@1"}

    async def say(
        self, formula: Formula, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str:
        from assent.logic.english import english

        return english(formula)


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
            return {**answers.labels(answer, nonce, LABELS, LABEL_VALUES)}
        return {**answers.ratings(answer, nonce, RATINGS)}


class DirectJudge(PromptedJudge):
    """Ablation: the same ratings about the instruction and the formula itself, without back-translation."""

    task = "direct_judge"

    def prompt(self, question: Question) -> Prompt:
        return prompts.direct_judge(question.text, str(question.formula), question.logic)


class SingleQuestion(PromptedJudge):
    """Ablation: one question about instruction and back-translation, one integer from 0 to 100."""

    task = "single_question"

    def prompt(self, question: Question) -> Prompt:
        return prompts.single_question(question.text, question.english, question.logic)

    def read(self, answer: Answer, prompt: Prompt, logic: Logic) -> Ratings:
        return {**answers.ratings(answer, prompt.nonce or "", (RATING,))}
