"""What calls cost: tokens, money, a budget that stops cleanly, an estimate before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from assent.errors import BudgetError, ModelError, UsageError
from assent.models.base import Answer, Model, Prompt, Sampling, Wrapper

CHARACTERS_PER_TOKEN = 3.5  # on the high side for English and formulas, so that estimates err upwards
TOKENS_PER_MESSAGE = 4


def tokens_in(text: str) -> int:
    """An estimate of the tokens in a text."""
    return int(len(text) / CHARACTERS_PER_TOKEN) + 1


def tokens_of(prompt: Prompt) -> int:
    """An estimate of the tokens in a prompt."""
    return sum(TOKENS_PER_MESSAGE + tokens_in(message.content) for message in prompt.messages)


def tokens_used(prompt: Prompt, answers: Iterable[Answer]) -> int:
    """Tokens of a finished call: as reported, else estimated."""
    return sum(sum(_counts(prompt, answer)) for answer in answers)


def _counts(prompt: Prompt, answer: Answer) -> tuple[int, int]:
    """Tokens of prompt and answer, estimated where the endpoint does not report them."""
    prompt_tokens, completion_tokens = answer.prompt_tokens, answer.completion_tokens
    return (
        tokens_of(prompt) if prompt_tokens is None else prompt_tokens,
        tokens_in(answer.text) if completion_tokens is None else completion_tokens,
    )


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens, in any one currency."""

    prompt: float = 0.0
    completion: float = 0.0

    def __post_init__(self) -> None:
        if not (0 <= self.prompt < float("inf") and 0 <= self.completion < float("inf")):
            raise UsageError("prices are numbers from 0 upwards, for a million tokens")

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class SpendingLimit:
    """The most that may be spent; None means no bound."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None


def charges(prompt: Prompt, answers: Iterable[Answer], prices: Prices) -> tuple[int, int, float]:
    """Tokens of the prompt, tokens of the answers and money of one call's answers."""
    counts = [_counts(prompt, answer) for answer in answers]
    prompt_tokens = sum(in_prompt for in_prompt, _ in counts)
    completion_tokens = sum(in_answer for _, in_answer in counts)
    return prompt_tokens, completion_tokens, sum(prices.cost(*pair) for pair in counts)


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """Totals, ready to be printed or written. ``hits`` are answers that cost no call."""

    calls: int = 0
    failed: int = 0
    hits: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0


@dataclass(slots=True)
class Spending:
    """Running totals against a budget, never overrun: calls in flight count with their worst case.

    All models of a run share one spending, each at its own prices.
    """

    budget: SpendingLimit = field(default_factory=SpendingLimit)
    calls: int = 0
    failed: int = 0
    hits: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0
    _held_tokens: int = 0
    _held_money: float = 0.0

    def spent(self) -> Spent:
        return Spent(
            calls=self.calls,
            failed=self.failed,
            hits=self.hits,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            money=self.money,
        )

    def hold(self, tokens: int, money: float) -> None:
        """Set aside the worst case of one call, or raise ``BudgetError`` before it is made."""
        used = self.prompt_tokens + self.completion_tokens
        amounts = (
            self.calls + 1,
            used + self._held_tokens + tokens,
            self.money + self._held_money + money,
        )
        bounds = (self.budget.calls, self.budget.tokens, self.budget.money)
        for unit, amount, bound in zip(("calls", "tokens", "money"), amounts, bounds, strict=True):
            if bound is not None and amount > bound:
                raise BudgetError(
                    f"the budget of {bound} {unit} does not cover the next call "
                    f"(it would come to {amount:.6g} with the calls in flight); "
                    "what was received is kept, and a rerun with a larger budget continues"
                )
        self.calls += 1
        self._held_tokens += tokens
        self._held_money += money

    def release(self, tokens: int, money: float) -> None:
        """Give back what was set aside."""
        self._held_tokens = max(0, self._held_tokens - tokens)
        self._held_money = max(0.0, self._held_money - money)

    def forget_held(self) -> None:
        """Release all that was set aside, after the processes that had set it aside have died."""
        self._held_tokens, self._held_money = 0, 0.0

    def charge(self, prompt: Prompt, answers: Iterable[Answer], prices: Prices) -> None:
        """Book the answers of one call."""
        prompt_tokens, completion_tokens, money = charges(prompt, answers, prices)
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
        self.money += money


@dataclass(slots=True)
class Metered(Wrapper):
    """A model whose every call, failed ones too, is booked in a spending."""

    inner: Model
    spending: Spending
    prices: Prices = field(default_factory=Prices)

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        prompt_tokens, completion_tokens = sampling.n * tokens_of(prompt), sampling.n * sampling.max_tokens
        worst_case = prompt_tokens + completion_tokens, self.prices.cost(prompt_tokens, completion_tokens)
        self.spending.hold(*worst_case)
        try:
            answers = await self.inner.generate(prompt, sampling)
        except ModelError:
            self.spending.failed += 1
            raise
        finally:
            self.spending.release(*worst_case)
        self.spending.charge(prompt, answers, self.prices)
        return answers


class RunEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """What a run would take: an upper bound, since answers are counted at their longest."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    money: float


def estimate(calls: Iterable[tuple[Prompt, Sampling]], prices: Prices | None = None) -> RunEstimate:
    """The cost of calls that have not been made (a dry run)."""
    count = prompt_tokens = completion_tokens = 0
    for prompt, sampling in calls:
        count += sampling.n
        prompt_tokens += sampling.n * tokens_of(prompt)
        completion_tokens += sampling.n * sampling.max_tokens
    money = (prices or Prices()).cost(prompt_tokens, completion_tokens)
    return RunEstimate(
        calls=count, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, money=money
    )
