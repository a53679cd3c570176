"""The litellm wrapper against a double of the library: what it sends, and how failures come back."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from assent.errors import ConfigurationError, MissingExtraError, ModelError
from assent.models import Sampling
from assent.models.litellm import LiteLLMModel
from assent.prompting import prompts

KEY = "sk-secret-0123456789"


class Failure(Exception):
    def __init__(self, status_code: int | None) -> None:
        self.status_code = status_code
        super().__init__(f"{status_code} for {KEY}")


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A stand-in for litellm; ``reply`` is what it returns or raises, ``sent`` what it was given."""
    state: dict[str, Any] = {"reply": said(f"G a {KEY}"), "sent": []}

    async def acompletion(**asked: Any) -> Any:
        state["sent"].append(asked)
        if isinstance(state["reply"], Exception):
            raise state["reply"]
        return state["reply"]

    double = ModuleType("litellm")
    double.acompletion = acompletion  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "litellm", double)
    monkeypatch.setenv("ASSENT_TEST_KEY", KEY)
    return state


def said(text: object, finish: str = "stop") -> SimpleNamespace:
    choice = SimpleNamespace(message=SimpleNamespace(content=text), finish_reason=finish)
    usage = SimpleNamespace(prompt_tokens=11, completion_tokens=3)
    return SimpleNamespace(choices=[choice], usage=usage, model="claude-x")


def model() -> LiteLLMModel:
    return LiteLLMModel("anthropic/claude-x", key_variable="ASSENT_TEST_KEY")


def test_a_call(library: dict[str, Any]) -> None:
    prompt = prompts.judge("a", "b", "ltl")
    answers = asyncio.run(model().generate(prompt, Sampling(n=2, seed=5)))
    assert [answer.text for answer in answers] == ["G a [key]"] * 2
    assert answers[0].prompt_tokens == 11
    first, second = library["sent"]
    assert (first["seed"], second["seed"], first["num_retries"]) == (5, 6, 0)
    assert first["api_key"] == KEY
    assert first["response_format"]["json_schema"]["schema"] == prompt.schema


@pytest.mark.parametrize(
    ("status", "retry"), [(429, True), (500, True), (None, True), (400, False), (401, False)]
)
def test_failures_say_whether_to_retry_and_never_the_key(
    library: dict[str, Any], status: int | None, retry: bool
) -> None:
    library["reply"] = Failure(status)
    with pytest.raises(ModelError) as caught:
        asyncio.run(model().generate(prompts.translation("a", "ltl"), Sampling()))
    assert caught.value.retry is retry
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("reply", [said(""), said(None), said(3), SimpleNamespace(choices=[]), None])
def test_answers_of_another_shape_are_errors(library: dict[str, Any], reply: object) -> None:
    library["reply"] = reply
    with pytest.raises(ModelError) as caught:
        asyncio.run(model().generate(prompts.translation("a", "ltl"), Sampling()))
    assert caught.value.retry


def test_a_cut_answer_says_so(library: dict[str, Any]) -> None:
    library["reply"] = said("G(a", "length")
    (answer,) = asyncio.run(model().generate(prompts.translation("a", "ltl"), Sampling()))
    assert not answer.complete


def test_what_is_missing_is_named(library: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASSENT_TEST_KEY")
    with pytest.raises(ConfigurationError, match="ASSENT_TEST_KEY"):
        asyncio.run(model().generate(prompts.translation("a", "ltl"), Sampling()))
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(MissingExtraError, match=r"'\.\[litellm\]' in a checkout"):
        asyncio.run(model().generate(prompts.translation("a", "ltl"), Sampling()))
