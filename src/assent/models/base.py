"""The one seam to any language model.

    class Model(Protocol):
        name: str                    which model; goes into fingerprints and cache keys
        version: str                 whatever else changes its answers (snapshot, endpoint, adapter)
        async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]

``generate`` returns exactly ``sampling.n`` answers, those with the indices ``first … first + n - 1``, or
raises ``ModelError`` (``retry`` says whether the same call may succeed later). Nothing else crosses the seam.
There is one path and it is asynchronous; a model that blocks does its work in a thread.

Everything else is such a model or wraps one (each wrapper has ``inner``):

    OpenAIModel  LiteLLMModel  TransformersModel  CommandModel  FunctionModel  RecordedModel
    Cached( Retrying( Limited( Metered( model ))))        ``assent.models.stack`` builds this

``FunctionModel`` and ``RecordedModel`` are also the public test doubles.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from assent.errors import ModelError, UsageError

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "filter"]
Structured = Literal["schema", "object", "none"]
Compared = Literal["model", "exact", "ignore"]
"""How much of what an endpoint says about itself a policy is held against."""


class Message(msgspec.Struct, frozen=True):
    """One turn of a chat."""

    role: Role
    content: str


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked, twice: as a chat, and bare for models that take no chat.

    ``subject`` is the bare text that the task is about (an instruction to translate, a formula to say in
    English, an instruction to judge against); sequence-to-sequence models and commands read it and ``logic``,
    chat models read ``messages``. ``inputs`` has every piece of data by name (instruction, english, formula).
    ``schema`` is the JSON schema of the answer, ``nonce`` what the answer must repeat, where a task has them.
    """

    messages: tuple[Message, ...]
    task: str = "ask"
    logic: str = ""
    subject: str = ""
    inputs: dict[str, str] = {}
    nonce: str | None = None
    schema: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        for text in (self.subject, *self.inputs.values(), *(turn.content for turn in self.messages)):
            try:
                text.encode()
            except UnicodeEncodeError:
                raise ModelError(
                    "the prompt holds half characters (lone surrogates), which are no text"
                ) from None

    @classmethod
    def of(cls, text: str) -> Prompt:
        """A prompt that is one user message and nothing else."""
        return cls(messages=(Message("user", text),), subject=text)


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """How to draw answers. Sample ``i`` uses ``seed + i`` where the model takes a seed."""

    temperature: float = 0.0
    top_p: float | None = None
    max_tokens: int = 512
    stop: tuple[str, ...] = ()
    seed: int | None = None
    n: int = 1
    first: int = 0

    def __post_init__(self) -> None:
        if self.n < 1 or self.first < 0 or self.max_tokens < 1:
            raise UsageError("sampling needs n >= 1, first >= 0 and max_tokens >= 1")
        if not 0 <= self.temperature < float("inf"):
            raise UsageError(f"a temperature is a number from 0 upwards, not {self.temperature}")

    @property
    def indices(self) -> range:
        """The sample numbers asked for."""
        return range(self.first, self.first + self.n)

    def only(self, index: int) -> Sampling:
        """The same sampling for the one sample with this number."""
        return msgspec.structs.replace(self, first=index, n=1)

    def many(self, n: int) -> Sampling:
        """The same sampling for ``n`` samples."""
        return msgspec.structs.replace(self, n=n)

    def seed_of(self, index: int) -> int | None:
        """The seed of one sample."""
        return None if self.seed is None else self.seed + index


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer as received. Token counts are None where the model does not report them.

    ``model_version`` and ``backend`` are what an endpoint says about itself: the model that answered, and the
    configuration it runs in; empty where it says nothing. ``finish`` other than ``stop`` means that the text is cut:
    half a formula may read as another formula, so ``assent.prompting.answers`` refuses such answers.
    """

    text: str
    model_version: str = ""
    backend: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish: Finish = "stop"

    @property
    def complete(self) -> bool:
        return self.finish == "stop"

    def served_by(self, compared: Compared = "exact") -> str:
        """Who answered, as far as it is to be compared; empty where that is not known."""
        if compared == "ignore" or not self.model_version:
            return ""
        return self.model_version + (f" ({self.backend})" if self.backend and compared == "exact" else "")


@runtime_checkable
class Model(Protocol):
    """Anything that answers prompts; see the top of this file."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]: ...


class Wrapper:
    """A model around another one, ``inner``: it has its name and version."""

    __slots__ = ()
    inner: Model

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def version(self) -> str:
        return self.inner.version


def call_key(name: str, version: str, prompt: Prompt, sampling: Sampling, index: int) -> str:
    """Content address of one answer: model, version, full prompt, sampling (not its count), sample index."""
    alone = msgspec.structs.replace(sampling, n=1, first=0)
    parts = (name, version, prompt, alone, index)
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).hexdigest()


def checked(answers: tuple[Answer, ...], sampling: Sampling, name: str) -> tuple[Answer, ...]:
    """The answers; ModelError if there are not as many as were asked for."""
    if len(answers) != sampling.n:
        raise ModelError(f"{name} gave {len(answers)} answers where {sampling.n} were asked for", retry=True)
    return answers


async def close(model: object) -> None:
    """Release what a model and everything that it wraps hold open (connections, files)."""
    while model is not None:
        closing = getattr(model, "close", None)
        if closing is not None:
            await closing()
        model = getattr(model, "inner", None)


def bare(prompt: Prompt) -> str:
    """What a task is about, for models that take no chat: its text or, where there are several (a judge), a
    JSON object of them with the nonce that the answer must repeat.
    """
    if len(prompt.inputs) <= 1:
        return prompt.subject
    return msgspec.json.encode({**prompt.inputs, "nonce": prompt.nonce}).decode()


def chat_text(prompt: Prompt) -> str:
    """The whole chat as one text."""
    return "\n\n".join(f"[{turn.role}]\n{turn.content}" for turn in prompt.messages)


def response_format(prompt: Prompt, structured: Structured) -> dict[str, object] | None:
    """How an endpoint is asked for JSON; None where it is not."""
    if prompt.schema is None or structured == "none":
        return None
    if structured == "object":
        return {"type": "json_object"}
    json_schema = {"name": prompt.task, "schema": prompt.schema, "strict": True}
    return {"type": "json_schema", "json_schema": json_schema}


def with_settings(version: str, settings: Mapping[str, object], defaults: Mapping[str, object]) -> str:
    """The version, with a hash of the settings that change answers, where any is not its default."""
    changed = {name: value for name, value in settings.items() if value != defaults[name]}
    if not changed:
        return version
    return f"{version}+{hashlib.sha256(msgspec.json.encode(changed, order='deterministic')).hexdigest()[:12]}"


T = TypeVar("T")


class PerLoop(Generic[T]):
    """A value that belongs to one event loop (connections, a semaphore), made anew when the loop changes.

    Callers may run several loops one after another (``asyncio.run`` for each instruction); a pool or a
    semaphore from a loop that is gone would fail or hang.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._loop: asyncio.AbstractEventLoop | None = None
        self._value: T | None = None

    def get(self) -> T:
        """The value for the running loop."""
        loop = asyncio.get_running_loop()
        if self._value is None or loop is not self._loop:
            self._loop, self._value = loop, self._make()
        return self._value

    def take(self) -> T | None:
        """The value, if there is one for the running loop; it is forgotten here."""
        value = self._value if self._loop is asyncio.get_running_loop() else None
        self._loop = self._value = None
        return value
