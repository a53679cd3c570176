"""A Python callable as a model; also the test double at the seam."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from assent.errors import AssentError, ModelError
from assent.models.base import Answer, Prompt, Sampling

Said: TypeAlias = str | Answer
Function: TypeAlias = Callable[[Prompt, Sampling], Said | Awaitable[Said]]


class FunctionModel:
    """Calls ``function(prompt, sampling)`` once a sample (``sampling.first`` is its number).

    A plain function runs in a thread, so it may block, and must bear being called from several; with
    ``threads=False`` it runs where it is (for quick ones). A coroutine function is awaited.
    """

    def __init__(
        self, function: Function, *, name: str = "function", version: str = "1", threads: bool = True
    ) -> None:
        self.name, self.version = name, version
        self._function, self._threads = function, threads and not inspect.iscoroutinefunction(function)

    @classmethod
    def of_text(cls, function: Callable[[str], str], *, name: str, version: str = "1") -> FunctionModel:
        """A model from a function of the bare text: an instruction in, a formula out."""
        return cls(lambda prompt, _: function(prompt.subject), name=name, version=version)

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        return tuple([await self._one(prompt, sampling.only(index)) for index in sampling.indices])

    async def _one(self, prompt: Prompt, sampling: Sampling) -> Answer:
        try:
            if self._threads:
                said = await asyncio.to_thread(self._function, prompt, sampling)
            else:
                said = self._function(prompt, sampling)
            if inspect.isawaitable(said):
                said = await said
        except AssentError:
            raise
        except Exception as error:
            raise ModelError(f"{self.name} raised {type(error).__name__}: {error}") from error
        match said:
            case Answer():
                return said
            case str():
                return Answer(text=said, model_version=self.version)
            case _:
                raise ModelError(f"{self.name} returned {type(said).__name__} where text is expected")
