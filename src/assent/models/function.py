"""A Python callable as a model; also the test double at the seam."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, TypeAlias

import msgspec

from assent.errors import AssentError, ModelError
from assent.models.base import Answer, Prompt, Sampling, chat_text
from assent.models.secrets import Secrets

Said: TypeAlias = str | Answer | Mapping[str, object]
Function: TypeAlias = Callable[[Prompt, Sampling], Said | Awaitable[Said]]


class FunctionModel:
    """Calls ``function(prompt, sampling)`` once a sample (``sampling.first`` is its number).

    A plain function runs in a thread, so it may block, and must bear being called from several; with
    ``threads=False`` it runs where it is (for quick ones). A coroutine function is awaited. A judge may
    return its ratings as a mapping.
    """

    def __init__(
        self, function: Function, *, name: str = "function", version: str = "1", threads: bool = True
    ) -> None:
        self.name, self.version = name, version
        self._function, self._threads = function, threads and not inspect.iscoroutinefunction(function)

    @classmethod
    def fed(
        cls,
        function: Callable[..., Said | Awaitable[Said]],
        feed: Literal["subject", "chat", "prompt"] = "subject",
        *,
        name: str,
        version: str = "1",
    ) -> FunctionModel:
        """A model from a function of the data alone, of the whole chat as text, or of prompt and sampling.

        The data: a translator is given the instruction, a back-translator the formula, a judge the instruction
        and the English (a direct judge: the formula).
        """
        match feed:
            case "subject":
                return cls(lambda prompt, _: function(*_data(prompt)), name=name, version=version)
            case "chat":
                return cls(lambda prompt, _: function(chat_text(prompt)), name=name, version=version)
            case "prompt":
                return cls(function, name=name, version=version)

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        return tuple([await self._one(prompt, sampling.only(index)) for index in sampling.indices])

    async def _one(self, prompt: Prompt, sampling: Sampling) -> Answer:
        try:
            if self._threads:
                returned = await asyncio.to_thread(self._function, prompt, sampling)
            else:
                returned = self._function(prompt, sampling)
            if inspect.isawaitable(returned):
                returned = await returned
        except AssentError:
            raise
        except Exception as error:
            complaint = Secrets.around().cut(f"{type(error).__name__}: {error}")[:1000]
            raise ModelError(f"{self.name} raised {complaint}") from error
        match returned:
            case Answer():
                return returned
            case str():
                return Answer(text=returned)
            case Mapping():
                return Answer(text=self._encoded(returned, prompt.nonce))
            case _:
                raise ModelError(f"{self.name} returned {type(returned).__name__} where text is expected")

    def _encoded(self, ratings: Mapping[str, object], nonce: str | None) -> str:
        """Ratings as JSON with the nonce added.

        They are values, not text that an instruction could have put there, so the nonce need not come from the model.
        """
        try:
            return msgspec.json.encode(dict(ratings) | ({} if nonce is None else {"nonce": nonce})).decode()
        except (TypeError, ValueError) as error:
            raise ModelError(f"{self.name} returned what is no JSON: {error}") from error


def _data(prompt: Prompt) -> tuple[str, ...]:
    return tuple(prompt.inputs.values()) or (prompt.subject,)
