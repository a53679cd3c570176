"""A ``[models.NAME]`` section -> the model itself, without cache, retries and limits."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from assent.config import Configuration, ModelSection
from assent.errors import ConfigurationError, MissingExtraError
from assent.models import CommandModel, FunctionModel, Model, RecordedModel


def raw_model(section: ModelSection, cfg: Configuration, name: str) -> Model:
    """The model itself, without cache, retries and limits."""
    where = f"models.{name}"
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
            )
        case "command":
            return CommandModel(
                section.command,
                name=section.name,
                version=section.version or "1",
                timeout=section.timeout,
                feed=section.feed,
            )
        case "python":
            function = imported(section.function or "", cfg.file, f"{where}.function")
            label = section.name or section.function or "function"
            return FunctionModel.of_text(function, name=label, version=section.version or "1")
        case "recorded":
            file = cfg.path(section.file or "")
            return RecordedModel.from_file(file, name=section.name, version=section.version or "1")
        case "litellm" | "transformers":
            return _extra_model(section)


def _extra_model(section: ModelSection) -> Model:
    """Models whose libraries are optional."""
    name = {"litellm": "LiteLLMModel", "transformers": "TransformersModel"}[section.kind]
    try:
        maker = getattr(import_module(f"assent.models.{section.kind}"), name)
    except ImportError as error:
        raise MissingExtraError(f"a model of kind {section.kind!r}", section.kind) from error
    options: dict[str, Any] = {"version": section.version} if section.version else {}
    if section.kind == "transformers" and section.adapter:
        options["adapter"] = section.adapter
    if section.kind == "litellm" and section.key_variable:
        options["key_variable"] = section.key_variable
    made: Model = maker(section.name, **options)
    return made


def imported(spec: str, file: str, key: str) -> Callable[[str], str]:
    """``package.module:function`` as a function."""
    module, _, attribute = spec.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(f"cannot import {spec!r}: {error}", file=file, key=key) from error
    if not callable(found):
        raise ConfigurationError(f"{spec!r} is not a function", file=file, key=key)
    return found  # type: ignore[no-any-return]
