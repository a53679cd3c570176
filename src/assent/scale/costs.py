"""What very many instructions take: calls, tokens, money, hours and bytes, and where the bottleneck sits.

A calculation from figures that were measured on a small machine (docs/scale.md says how) or that an endpoint states;
every one of them can be given. Nothing is promised: an endpoint that slows down or fails makes it longer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from assent.errors import UsageError

HOUR = 3600.0


@dataclass(frozen=True, kw_only=True)
class Load:
    """Figures for one instruction, and what is at hand. Rates of 0 mean that there is no such limit."""

    instructions: float
    calls: float = 8.0
    prompt_tokens: float = 5470.0
    completion_tokens: float = 480.0
    price_prompt: float = 0.0
    price_completion: float = 0.0
    seconds_per_call: float = 1.0
    calls_at_once: float = 64.0
    requests_per_minute: float = 0.0
    tokens_per_minute: float = 0.0
    own_seconds: float = 0.0023
    driver_seconds: float = 0.0004
    model_seconds: float = 0.0
    workers: float = 8.0
    line_bytes: float = 2500.0
    answer_bytes: float = 1200.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not (math.isfinite(value) and value >= 0):
                raise UsageError(f"{field.name.replace('_', ' ')} must be a number from 0 up, not {value}")
        if min(self.instructions, self.workers, self.calls_at_once) <= 0:
            raise UsageError("instructions, workers and calls at once must be more than 0")


@dataclass(frozen=True, kw_only=True)
class Cost:
    """``hours`` is that of the slowest part, ``bottleneck``; ``parts`` has the hours of each by itself."""

    instructions: float
    calls: float
    prompt_tokens: float
    completion_tokens: float
    money: float
    hours: float
    bottleneck: str
    parts: dict[str, float]
    output_bytes: float
    cache_bytes: float

    def needed(self, hours: float) -> dict[str, float]:
        """By which factor each part that is too slow must grow to be done within so many hours."""
        return {name: took / hours for name, took in self.parts.items() if took > hours}


def cost(load: Load) -> Cost:
    """The cost of a load; parts run side by side, so that the slowest one sets the time."""
    n = load.instructions
    calls, asked, said = n * load.calls, n * load.prompt_tokens, n * load.completion_tokens
    seconds = {
        "workers": n * (load.own_seconds + load.model_seconds) / load.workers,
        "the one process that writes": n * load.driver_seconds,
        "calls at once": calls * load.seconds_per_call / load.calls_at_once,
    }
    if load.requests_per_minute and calls:
        seconds["requests a minute"] = calls / load.requests_per_minute * 60
    if load.tokens_per_minute and calls:
        seconds["tokens a minute"] = (asked + said) / load.tokens_per_minute * 60
    parts = {name: took / HOUR for name, took in seconds.items()}
    slowest = max(parts, key=lambda name: parts[name])
    return Cost(
        instructions=n,
        calls=calls,
        prompt_tokens=asked,
        completion_tokens=said,
        money=(asked * load.price_prompt + said * load.price_completion) / 1e6,
        hours=parts[slowest],
        bottleneck=slowest,
        parts=parts,
        output_bytes=n * load.line_bytes,
        cache_bytes=calls * load.answer_bytes,
    )


LOCAL = {
    "calls": 0.0,
    "prompt_tokens": 0.0,
    "completion_tokens": 0.0,
    "own_seconds": 0.0,
    "model_seconds": 0.101,
}
"""The embedded models: no calls; a decision takes what 'assent bench embedded' says."""
