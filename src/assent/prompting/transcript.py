"""Asking a model, and remembering what was asked and said.

One ``Transcript`` an instruction. Every call of every role goes through it, so that evidence holds all
prompts and answers, the refused ones too.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import msgspec

from assent.errors import ModelError
from assent.records import Call, TextSpan

if TYPE_CHECKING:
    from assent.models.base import Answer, Compared, Model, Prompt, Sampling

ATTEMPTS = 3
WARM = 0.5
STRIDE = 1000  # attempt a of sample i has the number i + a * STRIDE

T = TypeVar("T")


class Transcript:
    """The calls of one instruction, in order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.prompts: dict[str, str] = {}
        self._served: dict[str, set[str]] = {}
        self.names: dict[str, str] = {}  # parts of the instruction, and the names they were taken for
        self.unread: list[TextSpan] = []  # words of the instruction that nobody read

    async def ask(self, model: Model, prompt: Prompt, sampling: Sampling, read: Callable[[Answer], T]) -> T:
        """What ``read`` makes of an answer; one that it refuses is asked for again a few times.

        Each attempt is a sample of its own, under a number that no other sample has, so that none is paid
        twice and the cache holds them all.
        """
        for attempt in range(ATTEMPTS):
            (answer,) = await self._generate(model, prompt, _again(sampling, attempt))
            try:
                return read(answer)
            except ModelError as error:
                refused = error
        raise ModelError(f"{model.name} gave {ATTEMPTS} unusable answers, the last: {refused}") from refused

    async def _generate(self, model: Model, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        from assent.models.base import checked  # the embedded models only take notes: they ask no model

        text = "\n".join(f"[{message.role}]\n{message.content}" for message in prompt.messages)
        start = time.perf_counter()
        received = checked(await model.generate(prompt, sampling), sampling, model.name)
        seconds = (time.perf_counter() - start) / len(received)
        key = self.remember(text)
        compared: Compared = getattr(model, "compared", "model")
        for answer in received:
            if served := answer.served_by(compared):
                self._served.setdefault(prompt.task, set()).add(served)
        self.calls += [
            Call(
                role=prompt.task,
                model=f"{model.name}@{answer.served_by() or model.version}",
                prompt=key,
                answer=answer.text,
                tokens_in=answer.prompt_tokens or 0,
                tokens_out=answer.completion_tokens or 0,
                seconds=seconds,
            )
            for answer in received
        ]
        return received

    def note(self, role: str, model: str, prompt: str, answer: str, seconds: float = 0.0) -> None:
        """Remember a call to something that takes no prompt (an embedded model, a function)."""
        self.calls.append(
            Call(role=role, model=model, prompt=self.remember(prompt), answer=answer, seconds=seconds)
        )

    def remember(self, prompt: str) -> str:
        """The key of a prompt: samples share theirs, so it is kept once."""
        key = hashlib.sha256(prompt.encode()).hexdigest()[:16]
        self.prompts.setdefault(key, prompt)
        return key

    def add(self, others: Iterable[Transcript]) -> None:
        """Append what was asked side by side, in a fixed order."""
        for other in others:
            self.calls += other.calls
            self.prompts |= other.prompts
            self.names |= other.names
            self.unread += other.unread
            for role, served in other._served.items():
                self._served.setdefault(role, set()).update(served)

    @property
    def reported(self) -> dict[str, str]:
        """By role, the model that the endpoint says has answered (or all, where they changed meanwhile)."""
        return {role: " + ".join(sorted(served)) for role, served in sorted(self._served.items())}


def _again(sampling: Sampling, attempt: int) -> Sampling:
    """The sampling of an attempt; at temperature 0 the same question has the same answer, so it is warmed."""
    again = sampling.only(sampling.first + attempt * STRIDE)
    if attempt == 0:
        return again
    seed = attempt if again.seed is None else again.seed
    return msgspec.structs.replace(again, temperature=max(again.temperature, WARM), seed=seed)


def seed_of(identity: str) -> int:
    """A seed that belongs to an instruction, so that a run that was stopped goes on as it would have."""
    return int.from_bytes(hashlib.sha256(identity.encode()).digest()[:4], "big") >> 1
