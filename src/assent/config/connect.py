"""``[models.NAME]`` sections -> models; ``Connections`` puts cache, retries, limits and the one budget around them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from assent.config.settings import Configuration, ModelSection, shared_cache
from assent.errors import ConfigurationError, MissingExtraError
from assent.logic.ast import Logic
from assent.models import (
    Bucket,
    Cache,
    CommandModel,
    FunctionModel,
    Limits,
    Model,
    Patience,
    Prices,
    RecordedModel,
    Spending,
    SpendingLimit,
    stack,
)
from assent.models.dry import DryModel
from assent.records import candidate_of

if TYPE_CHECKING:
    from assent.config.calls import LedgerCache


class Shared(Protocol):
    """The one budget and the rates of a run whose models are in several processes."""

    @property
    def workers(self) -> int: ...

    def spending(self) -> Spending: ...

    def bucket(self, name: str, per_minute: float | None) -> Bucket: ...


class Connections:
    """The models that a configuration names, each made once; one cache and one budget for all of them.

    With ``shared``, budget and rates are those of all workers of the run, and each has its part of the calls at once.
    """

    def __init__(
        self, cfg: Configuration, *, dry: bool = False, offline: bool = False, shared: Shared | None = None
    ) -> None:
        self._cfg, self._dry, self._offline, self._shared = cfg, dry, offline, shared
        self._cache = open_cache(cfg.cache_place, file=cfg.file)
        self.spending = (
            Spending(SpendingLimit(calls=cfg.budget.calls, tokens=cfg.budget.tokens, money=cfg.budget.money))
            if shared is None
            else shared.spending()
        )
        if cfg.budget.across_runs and not dry and shared is None:
            self._count_earlier_runs()
        self.models: dict[str, Model] = {}
        self.dry: list[tuple[DryModel, Prices]] = []

    def get(self, name: str, key: str) -> Model:
        """The model of this name; ``key`` says where the configuration asks for it."""
        if name not in self.models:
            section = self._cfg.models.get(name)
            if section is None:
                raise ConfigurationError(f"there is no model {name!r}", file=self._cfg.file, key=key)
            self.models[name] = self._stand_in(section, name) if self._dry else self._stacked(section, name)
        return self.models[name]

    def _count_earlier_runs(self) -> None:
        """Begin with what the cache holds: every answer in it was a call, at the price that its model has now."""
        prices = {section.name or name: section for name, section in self._cfg.models.items()}
        for paid in self._cache.paid():
            section = prices.get(paid.name)
            self.spending.calls += paid.calls
            self.spending.prompt_tokens += paid.prompt_tokens
            self.spending.completion_tokens += paid.completion_tokens
            if section is not None:
                price = Prices(section.price_prompt, section.price_completion)
                self.spending.money += price.cost(paid.prompt_tokens, paid.completion_tokens)

    def _stand_in(self, section: ModelSection, name: str) -> Model:
        model = DryModel(section.name or name)
        self.dry.append((model, Prices(section.price_prompt, section.price_completion)))
        return model

    def _stacked(self, section: ModelSection, name: str) -> Model:
        return stack(
            raw_model(section, self._cfg, name, offline=self._offline),
            # What is read from a file costs nothing, and the file may change: it is not kept a second time.
            cache=None if section.kind == "recorded" else self._cache,
            patience=Patience(attempts=section.attempts),
            limits=self._limits(section, name),
            buckets=self._buckets(section, name),
            spending=self.spending,
            prices=Prices(section.price_prompt, section.price_completion),
            compared=section.reported,
        )

    def _limits(self, section: ModelSection, name: str) -> Limits:
        workers = 1 if self._shared is None else self._shared.workers
        if section.concurrency < workers:
            raise ConfigurationError(
                f"allows {section.concurrency} calls at once, and there are {workers} workers",
                file=self._cfg.file,
                key=f"models.{name}.concurrency",
            )
        return Limits(section.concurrency // workers, section.requests_per_minute, section.tokens_per_minute)

    def _buckets(self, section: ModelSection, name: str) -> tuple[Bucket, Bucket] | None:
        if self._shared is None:
            return None
        return (
            self._shared.bucket(f"{name} requests", section.requests_per_minute),
            self._shared.bucket(f"{name} tokens", section.tokens_per_minute),
        )


def raw_model(section: ModelSection, cfg: Configuration, name: str, *, offline: bool = False) -> Model:
    """The model itself, without cache, retries and limits; ``offline`` imports nothing that the configuration names."""
    match section.kind:
        case "openai":
            from assent.models.openai import OpenAIModel

            return OpenAIModel(
                section.name or "",
                base_url=section.base_url or "https://api.openai.com/v1",
                version=section.version,
                key_variable=section.key_variable,
                key_header=section.key_header,
                timeout=section.timeout,
                structured=section.structured,
                body=section.body,
                query=section.query,
                headers=section.headers,
                idempotent=section.idempotent,
            )
        case "command":
            return CommandModel(
                section.command,
                name=section.name,
                version=section.version or "1",
                timeout=section.timeout,
                feed="chat" if section.feed == "chat" else "subject",
            )
        case "python":
            spec, key = section.function or "", f"models.{name}.function"
            function = _not_imported if offline else imported(spec, cfg.file, key)
            label = section.name or section.function or "function"
            return FunctionModel.fed(function, section.feed, name=label, version=section.version or "1")
        case "recorded":
            file = cfg.path(section.file or "")
            version = section.version or "1"
            return RecordedModel.from_file(file, name=section.name, version=version, spell=_spelt)
        case "litellm" | "transformers":
            return _extra_model(section, cfg)


def _extra_model(section: ModelSection, cfg: Configuration) -> Model:
    """Models whose libraries are optional."""
    name = {"litellm": "LiteLLMModel", "transformers": "TransformersModel"}[section.kind]
    try:
        maker = getattr(import_module(f"assent.models.{section.kind}"), name)
    except ImportError as error:
        raise MissingExtraError(f"a model of kind {section.kind!r}", section.kind) from error
    if section.kind == "transformers":
        local: Model = maker(
            cfg.path(section.name or ""),
            adapter=cfg.path(section.adapter) if section.adapter else None,
            device=section.device,
            feed="chat" if section.feed == "chat" else "subject",
            version=section.version,
        )
        return local
    endpoint: Model = maker(
        section.name,
        version=section.version,
        key_variable=section.key_variable,
        base_url=section.base_url,
        timeout=section.timeout,
        structured=section.structured,
        body=section.body,
        headers=section.headers,
    )
    return endpoint


def _not_imported(*_: object) -> str:
    """Stands in for the configured function with ``--offline``; ConfigurationError when it is called."""
    raise ConfigurationError("the function was not imported (--offline)")


def imported(spec: str, file: str, key: str) -> Callable[..., Any]:
    """The function that ``package.module:function`` names; ConfigurationError if there is none."""
    module, _, attribute = spec.partition(":")
    try:
        function = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(f"cannot import {spec!r}: {error}", file=file, key=key) from error
    if not callable(function):
        raise ConfigurationError(f"{spec!r} is not a function", file=file, key=key)
    return function  # type: ignore[no-any-return]


def _spelt(formula: str, logic: str) -> str:
    """A recorded formula as back-translators are shown it: in our own spelling, if it can be read."""
    is_logic = logic in list(Logic)
    return (candidate_of(formula, Logic(logic)).text if is_logic else None) or formula


def open_cache(place: str, *, file: str | None = None) -> Cache | LedgerCache:
    """The call cache at a path or a ``postgresql://`` address; ``file`` is the configuration that names it."""
    if shared_cache(place):
        from assent.config.calls import LedgerCache

        return LedgerCache(place)
    try:
        Path(place).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"cannot be made: {error.strerror}", file=file, key="cache.path") from error
    return Cache(place)
