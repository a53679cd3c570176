"""Any endpoint that speaks the OpenAI chat protocol: OpenAI, Azure, vLLM, Ollama, llama.cpp, LM Studio …

The key comes from a named environment variable and goes into one header. It is cut out of every byte received
before anything looks at it, and out of what was decoded from those bytes (``secrets``), so it cannot reach an answer,
the cache, a log or an error message.
"""

from __future__ import annotations

import asyncio
import email.utils
import math
import os
import time
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import httpx
import msgspec

from assent.errors import ConfigurationError, ModelError, RefusedError
from assent.models import bodies
from assent.models.base import (
    Answer,
    Finish,
    PerLoop,
    Prompt,
    Sampling,
    Structured,
    call_key,
    response_format,
    with_settings,
)
from assent.models.lanes import Lanes
from assent.models.secrets import Secrets

_FINISHES: dict[str | None, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "content_filter": "filter",
    "refusal": "filter",
}
_PASSING = {408, 409, 425, 429}
_NOT_NOW = {*_PASSING, 503}
"""The call itself was not looked at, or is under way under its name (409): it keeps that name."""
_MOST_SPOILT = 10_000
_DEFAULTS: dict[str, object] = {"structured": "schema", "body": {}, "query": {}, "headers": {}}
_SECRET = ("authorization", "cookie", "key", "token", "secret")
_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None
    index: int = 0


class _Usage(msgspec.Struct):
    prompt_tokens: _Count | None = None
    completion_tokens: _Count | None = None


class _Reply(msgspec.Struct):
    choices: list[_Choice]
    model: str | None = None
    system_fingerprint: str | None = None
    usage: _Usage | None = None


class _Problem(msgspec.Struct):
    error: Any = None


_reply = msgspec.json.Decoder(_Reply)
_problem = msgspec.json.Decoder(_Problem)


class OpenAIModel:
    """A chat model at ``base_url`` (the part before ``/chat/completions``).

    ``version`` names the snapshot; without it the endpoint's address stands in, so that answers of two
    servers are never mixed. ``structured``: how JSON is asked for (``schema``, ``object``, ``none``).
    ``body`` adds fields to every request or, with None, drops them (``{"temperature": None}``). ``headers`` are
    sent along; the key is not one of them. With ``idempotent`` every call has a name of its own (``Idempotency-Key``),
    made from what is asked: a call that is made again because its answer was lost is charged once by servers that
    honour it, and others take no notice.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str = "https://api.openai.com/v1",
        version: str | None = None,
        key_variable: str | None = None,
        key_header: str = "Authorization",
        timeout: float = 60.0,
        structured: Structured = "schema",
        body: Mapping[str, object] | None = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        idempotent: bool = True,
    ) -> None:
        url = _checked_url(base_url)
        self.name = name
        self._extra = dict(body or {})
        self._structured = structured
        self._headers = checked_headers(headers)
        settings = {
            "structured": structured,
            "body": self._extra,
            "query": dict(query or {}),
            "headers": self._headers,
        }
        self.version = with_settings(version or f"{url.netloc.decode()}{url.path}", settings, _DEFAULTS)
        base, params = str(url).rstrip("/"), httpx.QueryParams(query)
        self._chat = httpx.URL(f"{base}/chat/completions").copy_merge_params(params)
        self._list = httpx.URL(f"{base}/models").copy_merge_params(params)
        self._extensions = {"timeout": httpx.Timeout(timeout).as_dict()}
        self._key_variable, self._key_header, self._timeout = key_variable, key_header, timeout
        self._idempotent = idempotent
        self._spoilt: Counter[str] = Counter()
        # How many calls run at once is decided by ``Limited`` alone.
        self._lanes = PerLoop(Lanes)

    async def close(self) -> None:
        lanes = self._lanes.take()
        if lanes is not None:
            await lanes.close()

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        call = call_key(self.name, self.version, prompt, sampling, sampling.first)
        try:
            answers = await self._answers(
                prompt, sampling, f"assent-{call}-{sampling.n}-{self._spoilt[call]}"
            )
        except ModelError as error:
            if not error.unanswered:  # what was answered is of no use: the next attempt is another call
                if len(self._spoilt) >= _MOST_SPOILT:
                    self._spoilt.clear()
                self._spoilt[call] += 1
            raise
        self._spoilt.pop(call, None)
        return answers

    async def _answers(self, prompt: Prompt, sampling: Sampling, once: str) -> tuple[Answer, ...]:
        """The answers of one call. Servers that honour its name give the same answer for it, and charge it, once."""
        secrets = Secrets.around(self._key())
        raw = await self._send("POST", self._chat, self._request(prompt, sampling), secrets, once)
        try:
            reply = _reply.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as error:
            complaint = secrets.cut(str(error))
            raise ModelError(f"{self.name} answered with a broken body: {complaint}", retry=True) from None
        if len(reply.choices) != sampling.n:
            raise ModelError(
                f"{self.name} gave {len(reply.choices)} choices where {sampling.n} were asked for", retry=True
            )
        # Without escapes what was decoded is what was received, and that has been cut.
        secrets = secrets if b"\\" in raw else Secrets()
        choices = sorted(reply.choices, key=lambda choice: choice.index)
        return tuple(self._answer(reply, choice, place, secrets) for place, choice in enumerate(choices))

    async def models(self) -> tuple[str, ...]:
        """The models that the endpoint offers; a cheap check of address and key."""
        secrets = Secrets.around(self._key())
        raw = await self._send("GET", self._list, None, secrets)
        try:
            listed = msgspec.json.decode(raw, type=dict[str, Any])
            return tuple(secrets.cut(str(entry["id"])) for entry in listed["data"])
        except (msgspec.MsgspecError, RecursionError, KeyError, TypeError):
            raise ModelError(f"{self._list} did not answer with a list of models") from None

    def _request(self, prompt: Prompt, sampling: Sampling) -> bytes:
        fields: dict[str, object] = {
            "model": self.name,
            "messages": prompt.messages,
            "temperature": sampling.temperature,
            "max_tokens": sampling.max_tokens,
            "top_p": sampling.top_p,
            "stop": sampling.stop or None,
            "seed": sampling.seed_of(sampling.first),
            "n": sampling.n if sampling.n > 1 else None,
            "response_format": response_format(prompt, self._structured),
        }
        fields |= self._extra
        return msgspec.json.encode({field: value for field, value in fields.items() if value is not None})

    def _answer(self, reply: _Reply, choice: _Choice, place: int, secrets: Secrets) -> Answer:
        finish = _FINISHES.get(choice.finish_reason, "length")
        text = secrets.cut(choice.message.content or "")
        if choice.message.refusal:
            finish = "filter"
        if not text.strip() and finish == "stop":
            raise ModelError(f"{self.name} gave an empty answer", retry=True)
        usage = reply.usage or _Usage()
        first = place == 0  # usage covers all choices of a call; it is booked once
        return Answer(
            text=text,
            model_version=secrets.cut(reply.model or ""),
            backend=secrets.cut(reply.system_fingerprint or ""),
            prompt_tokens=usage.prompt_tokens if first else 0,
            completion_tokens=usage.completion_tokens if first else 0,
            finish=finish,
        )

    # ---- transport ----

    async def _send(
        self, method: str, url: httpx.URL, content: bytes | None, secrets: Secrets, once: str = ""
    ) -> bytes:
        key = self._key()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "assent",
            "Accept-Encoding": bodies.ACCEPTED,
            **self._headers,
            **({"Idempotency-Key": once} if once and self._idempotent else {}),
        }
        if key is not None:
            headers[self._key_header] = f"Bearer {key}" if self._key_header == "Authorization" else key
        # A request made ready here skips the client's merging of addresses and headers, a third of its time.
        request = httpx.Request(method, url, content=content, headers=headers, extensions=self._extensions)
        lanes = self._lanes.get()  # made outside of the time-out: the first reads the system's certificates
        try:
            # The client's own time-out is per read: a server that drips would hold a call for ever.
            async with asyncio.timeout(self._timeout):
                status, received, raw = await self._exchange(lanes, request)
        except (TimeoutError, httpx.TimeoutException):
            raise ModelError(
                f"{self.name} gave no answer within {self._timeout:g} s", retry=True, unanswered=True
            ) from None
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError) as error:
            complaint = secrets.cut(f"{type(error).__name__}: {error}")[:300]
            raise ModelError(
                f"{self.name} cannot be reached ({complaint})", retry=True, unanswered=True
            ) from None
        raw = secrets.cut_bytes(bodies.opened(raw, received.get("content-encoding", ""), self.name))
        if status != 200:
            raise self._failure(status, received, raw, secrets)
        return raw

    async def _exchange(self, lanes: Lanes, request: httpx.Request) -> tuple[int, httpx.Headers, bytes]:
        async with lanes.lend() as client:
            response = await client.send(request, stream=True)
            try:
                parts, size = [], 0
                async for part in response.aiter_raw():
                    parts.append(part)
                    size += len(part)
                    if size > bodies.LONGEST:
                        raise bodies.too_long(self.name)
            finally:
                await response.aclose()
            return response.status_code, response.headers, b"".join(parts)

    def _key(self) -> str | None:
        if self._key_variable is None:
            return None
        key = os.environ.get(self._key_variable, "").strip()
        if not key:
            raise ConfigurationError(
                f"the environment variable {self._key_variable} holds no key for {self.name}; set it"
            )
        if not (key.isascii() and key.isprintable()):
            raise ConfigurationError(
                f"the key in {self._key_variable} has characters that no header can carry"
            )
        return key

    def _failure(self, status: int, headers: httpx.Headers, raw: bytes, secrets: Secrets) -> ModelError:
        complaint, code = _complaint(raw, secrets)
        message = f"{self.name} answered with status {status}" + (f": {complaint}" if complaint else "")
        if status in (401, 403):
            message += f" (the key is read from {self._key_variable or 'no environment variable'})"
        if status == 400 and "response_format" in complaint:
            message += ' (set structured = "object" or "none" for endpoints without JSON schemas)'
        if status in (401, 403, 404):
            return RefusedError(message)
        retry = (status in _PASSING or status >= 500) and code != "insufficient_quota"
        after = _retry_after(headers) if retry else None
        return ModelError(message, retry=retry, retry_after=after, unanswered=status in _NOT_NOW)


def _checked_url(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, TypeError) as error:
        raise ConfigurationError(f"not an address: {error}", key="base_url") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigurationError(
            "an address starts with http:// or https:// and names a host", key="base_url"
        )
    if url.userinfo or url.query:
        raise ConfigurationError(
            "no credentials or queries in the address; name an environment variable with key_variable",
            key="base_url",
        )
    return url


def checked_headers(headers: Mapping[str, str] | None) -> dict[str, str]:
    """Headers to send along. One that names a secret belongs into an environment variable, not into a file."""
    for name, value in (headers or {}).items():
        if any(word in name.lower() for word in _SECRET):
            raise ConfigurationError(
                f"{name} would hold a secret: name an environment variable with key_variable (and key_header)",
                key="headers",
            )
        if not (
            name.isascii() and name.replace("-", "").isalnum() and value.isascii() and value.isprintable()
        ):
            raise ConfigurationError(f"{name!r} is no header that can be sent", key="headers")
    return dict(headers or {})


def _complaint(raw: bytes, secrets: Secrets) -> tuple[str, str | None]:
    """The server's own words about a failure, short, and its error code."""
    try:
        error = _problem.decode(raw).error
    except (msgspec.MsgspecError, RecursionError):
        return secrets.cut(raw.decode(errors="replace").strip())[:200], None
    if isinstance(error, dict):
        code = error.get("code")
        return secrets.cut(str(error.get("message", "")))[:300], code if isinstance(code, str) else None
    return ("" if error is None else secrets.cut(str(error))[:300]), None


def _retry_after(headers: httpx.Headers) -> float | None:
    """``Retry-After`` in seconds, whether given as a number or as a date."""
    milliseconds, value = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            seconds = float(milliseconds) / 1000
        elif value is None:
            return None
        elif value.strip().replace(".", "", 1).isdigit():
            seconds = float(value)
        else:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
