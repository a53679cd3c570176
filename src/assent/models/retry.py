"""Try again what can succeed later: backoff with jitter, the server's ``Retry-After`` honoured."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from assent.errors import ModelError
from assent.models.base import Answer, Model, Prompt, Sampling, Wrapper


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to keep trying. ``longest`` bounds one wait; a server that asks for more is given up."""

    attempts: int = 6
    first_wait: float = 0.5
    longest: float = 60.0

    def too_long(self, seconds: float | None) -> bool:
        """Does a server ask for more than is waited?"""
        return seconds is not None and seconds > self.longest

    def wait(self, attempt: int, error: ModelError, rng: random.Random) -> float | None:
        """Seconds before the next attempt (``attempt`` counts from 1), or None to give up."""
        if not error.retry or attempt >= self.attempts:
            return None
        if self.too_long(error.retry_after):
            return None
        ceiling = min(self.longest, self.first_wait * 2.0 ** (attempt - 1))
        # Never sooner than the server asks; the jitter keeps callers that failed together apart.
        return (error.retry_after or 0.0) + rng.uniform(0.5, 1.0) * ceiling


def asks_to_wait(message: str, seconds: float, patience: Patience) -> ModelError:
    """The error for a server that asks for more patience than there is: said at once, and not tried again."""
    return ModelError(
        f"{message}; it asks to wait {seconds:.0f} s, longer than the {patience.longest:g} s that are waited:"
        " run again later"
    )


@dataclass(slots=True)
class Retrying(Wrapper):
    """A model that repeats calls which failed for a passing reason."""

    inner: Model
    patience: Patience = field(default_factory=Patience)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: random.Random = field(default_factory=random.Random)

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        attempt = 1
        while True:
            try:
                return await self.inner.generate(prompt, sampling)
            except ModelError as error:
                seconds = self.patience.wait(attempt, error, self.rng)
                if seconds is None:
                    if self.patience.too_long(error.retry_after):
                        raise asks_to_wait(str(error), error.retry_after or 0.0, self.patience) from error
                    if attempt > 1:
                        error.add_note(f"given up after {attempt} attempts")
                    raise
            await self.sleep(seconds)
            attempt += 1
