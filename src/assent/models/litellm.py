"""Everything else that litellm reaches (Anthropic, Gemini, Bedrock …); an extra: ``assent[litellm]``."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from assent.errors import ConfigurationError, MissingExtraError, ModelError
from assent.models.base import Answer, Finish, Prompt, Sampling, Structured, response_format, with_settings
from assent.models.openai import checked_headers
from assent.models.secrets import Secrets

_PASSING = {408, 409, 425, 429}
_DEFAULTS: dict[str, object] = {"base_url": None, "structured": "schema", "body": {}, "headers": {}}


class LiteLLMModel:
    """A model by litellm's name for it (``anthropic/…``). The key comes from a named environment variable.

    ``body`` are further arguments of litellm's ``acompletion``; None drops one of ours.
    """

    def __init__(
        self,
        name: str,
        *,
        version: str | None = None,
        key_variable: str | None = None,
        base_url: str | None = None,
        timeout: float = 60.0,
        structured: Structured = "schema",
        body: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self._key_variable, self._base_url = key_variable, base_url
        self._timeout, self._structured = timeout, structured
        self._extra, self._headers = dict(body or {}), checked_headers(headers)
        settings = {
            "base_url": base_url,
            "structured": structured,
            "body": self._extra,
            "headers": self._headers,
        }
        self.version = with_settings(version or "litellm", settings, _DEFAULTS)

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        return tuple([await self._one(prompt, sampling, index) for index in sampling.indices])

    async def _one(self, prompt: Prompt, sampling: Sampling, index: int) -> Answer:
        complete, key = _library().acompletion, self._key()
        secrets = Secrets.around(key)
        try:
            async with asyncio.timeout(self._timeout):
                reply = await complete(**self._request(prompt, sampling, index), api_key=key)
        except TimeoutError:
            raise ModelError(f"{self.name} gave no answer within {self._timeout:g} s", retry=True) from None
        except Exception as error:
            # litellm's exceptions are one class a provider and status; all carry the HTTP status.
            status = getattr(error, "status_code", None)
            retry = status is None or status in _PASSING or (isinstance(status, int) and status >= 500)
            complaint = secrets.cut(f"{type(error).__name__}: {error}")[:300]
            raise ModelError(f"{self.name} failed ({complaint})", retry=retry) from None
        return self._answer(reply, secrets)

    def _request(self, prompt: Prompt, sampling: Sampling, index: int) -> dict[str, object]:
        fields: dict[str, object] = {
            "model": self.name,
            "messages": [{"role": turn.role, "content": turn.content} for turn in prompt.messages],
            "temperature": sampling.temperature,
            "max_tokens": sampling.max_tokens,
            "top_p": sampling.top_p,
            "stop": list(sampling.stop) or None,
            "seed": sampling.seed_of(index),
            "base_url": self._base_url,
            "timeout": self._timeout,
            "response_format": response_format(prompt, self._structured),
            "extra_headers": self._headers or None,
            "drop_params": True,
            "num_retries": 0,
        }
        fields |= self._extra
        return {field: value for field, value in fields.items() if value is not None}

    def _key(self) -> str | None:
        if self._key_variable is None:
            return None
        key = os.environ.get(self._key_variable, "").strip()
        if not key:
            raise ConfigurationError(f"the environment variable {self._key_variable} holds no key; set it")
        return key

    def _answer(self, reply: Any, secrets: Secrets) -> Answer:
        try:
            choice = reply.choices[0]
            text, finish, usage = choice.message.content, choice.finish_reason, getattr(reply, "usage", None)
        except (AttributeError, IndexError, TypeError) as error:
            complaint = secrets.cut(str(error))[:300]
            raise ModelError(f"{self.name} answered in an unknown shape ({complaint})", retry=True) from None
        if not isinstance(text, str) or not text.strip():
            raise ModelError(f"{self.name} gave an empty answer", retry=True)
        ending: Finish = "stop" if finish == "stop" else "filter" if finish == "content_filter" else "length"
        return Answer(
            text=secrets.cut(text),
            model_version=secrets.cut(str(getattr(reply, "model", "") or "")),
            backend=secrets.cut(str(getattr(reply, "system_fingerprint", "") or "")),
            prompt_tokens=_count(getattr(usage, "prompt_tokens", None)),
            completion_tokens=_count(getattr(usage, "completion_tokens", None)),
            finish=ending,
        )


def _count(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _library() -> Any:
    try:
        return import_module("litellm")
    except ImportError:
        raise MissingExtraError("a model through litellm", "litellm") from None
