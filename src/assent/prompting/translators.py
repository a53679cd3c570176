"""Translators that are asked: a language model with a prompt, or any Python function."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from assent.errors import ModelError
from assent.logic.ast import Logic
from assent.models.base import Model, Prompt, Sampling
from assent.prompting import Transcript, answers, prompts, seed_of
from assent.prompting.prompts.examples import Example, nearest
from assent.records import Candidate, Instruction, candidate_of
from assent.vocabulary import Vocabulary, names_of

Function = Callable[[str, Logic, int | None], str | Awaitable[str]]


class FunctionTranslator:
    """Any Python function as a translator: ``function(text, logic, number) -> formula``.

    ``number`` is None for the candidate and 0, 1, … for the samples. A plain function runs in a thread.
    """

    def __init__(self, function: Function, *, name: str, version: str = "1", samplable: bool = True) -> None:
        self.name, self.samplable = f"{name}@{version}", samplable
        self._function = function

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {"translator": self.name}

    async def first(
        self, case: Instruction, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> Candidate:
        return await self._call(case, vocabulary, None, transcript)

    async def samples(
        self, case: Instruction, vocabulary: Vocabulary | None, numbers: range, transcript: Transcript
    ) -> tuple[Candidate, ...]:
        return tuple([await self._call(case, vocabulary, number, transcript) for number in numbers])

    async def _call(
        self, case: Instruction, vocabulary: Vocabulary | None, number: int | None, transcript: Transcript
    ) -> Candidate:
        start = time.perf_counter()
        if inspect.iscoroutinefunction(self._function):
            said = await self._function(case.text, case.logic, number)
        else:
            said = await asyncio.to_thread(self._function, case.text, case.logic, number)
        if not isinstance(said, str):
            raise ModelError(f"the translator returned {type(said).__name__} where text is expected")
        took = time.perf_counter() - start
        transcript.note("translate", self.name, case.text, said, took)
        return candidate_of(said, case.logic, names_of(vocabulary))


class PromptedTranslator:
    """A language model with a prompt. ``examples`` None means those that come with the package."""

    def __init__(
        self,
        model: Model,
        *,
        temperature: float = 1.0,
        max_tokens: int = 512,
        examples: Sequence[Example] | None = None,
        nearest: int | None = None,
    ) -> None:
        self.model, self.samplable = model, True
        self._greedy = Sampling(temperature=0.0, max_tokens=max_tokens)
        self._warm = Sampling(temperature=temperature, max_tokens=max_tokens)
        self._examples, self._nearest = examples, nearest

    def identity(self, logic: Logic) -> Mapping[str, str]:
        chosen = "" if self._nearest is None else f"+nearest {self._nearest}"
        return {
            "translator": f"{self.model.name}@{self.model.version}",
            "translation_prompt": prompts.fingerprint("translate", logic, self._examples) + chosen,
            "temperature": f"{self._warm.temperature:g}",
        }

    async def first(
        self, case: Instruction, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> Candidate:
        text = await transcript.ask(
            self.model, self._prompt(case, vocabulary), self._greedy, answers.formula_text
        )
        return candidate_of(text, case.logic, names_of(vocabulary))

    async def samples(
        self, case: Instruction, vocabulary: Vocabulary | None, numbers: range, transcript: Transcript
    ) -> tuple[Candidate, ...]:
        prompt = self._prompt(case, vocabulary)
        warm = msgspec.structs.replace(self._warm, seed=seed_of(case.id))
        logs = [Transcript() for _ in numbers]
        drawn = await asyncio.gather(
            *(
                log.ask(self.model, prompt, warm.only(number), answers.formula_text)
                for number, log in zip(numbers, logs, strict=True)
            ),
            return_exceptions=True,
        )
        transcript.add(logs)
        texts: list[str] = []
        for result in drawn:
            if isinstance(result, BaseException):
                raise result
            texts.append(result)
        return tuple(candidate_of(text, case.logic, names_of(vocabulary)) for text in texts)

    def _prompt(self, case: Instruction, vocabulary: Vocabulary | None) -> Prompt:
        names = None if vocabulary is None else vocabulary.phrases
        examples = self._examples
        if examples is not None and self._nearest is not None:
            examples = nearest(case.text, examples, self._nearest)
        return prompts.translation(case.text, case.logic, names=names, examples=examples)
