"""The configuration: one TOML file, checked as a whole; errors name file and key.

Only plain values live here; ``assent.config.build`` makes objects of them. Paths are relative to the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_type_hints

import msgspec

from assent.errors import ConfigurationError
from assent.io.files import read_settings

Positive = Annotated[float, msgspec.Meta(gt=0)]
Count = Annotated[int, msgspec.Meta(ge=1)]
Kind = Literal["openai", "litellm", "transformers", "command", "python", "recorded"]


S = TypeVar("S", bound="_Section")


class _Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything that is not known is an error: a misspelt key must not be ignored."""


class ModelSection(_Section, frozen=True):
    """``[models.NAME]``: which keys count depends on ``kind``."""

    kind: Kind
    name: str | None = None
    version: str | None = None
    base_url: str | None = None
    key_variable: str | None = None
    key_header: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9-]+$")] = "Authorization"
    structured: Literal["schema", "object", "none"] = "schema"
    body: dict[str, Any] = {}
    query: dict[str, str] = {}
    headers: dict[str, str] = {}
    idempotent: bool = True
    timeout: Positive = 60.0
    command: tuple[str, ...] = ()
    feed: Literal["subject", "chat", "prompt"] = "subject"
    function: str | None = None
    file: str | None = None
    adapter: str | None = None
    device: str = "cpu"
    reported: Literal["model", "exact", "ignore"] = "model"
    concurrency: Count = 16
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    attempts: Count = 6
    price_prompt: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    price_completion: Annotated[float, msgspec.Meta(ge=0)] = 0.0


class TranslatorSection(_Section, frozen=True):
    """``[translator]``"""

    model: str
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 1.0
    samples: Annotated[int, msgspec.Meta(ge=0, le=100)] = 5
    max_tokens: Count = 512
    examples: str | None = None
    nearest: Count | None = None


class RoleSection(_Section, frozen=True):
    """``[back_translator]``, ``[judge]``: ``model`` names a model, or one that comes with the package."""

    model: str
    max_tokens: Count = 512


class AblationSection(_Section, frozen=True):
    """``[ablations]``: further channels for tables; they take no part in decisions."""

    direct_judge: str | None = None
    single_question: str | None = None
    embedding: bool = False


class GateSection(_Section, frozen=True):
    """``[gate]``: instructions (JSON lines with ``text``) to compare with, and others to calibrate with.

    ``index`` is a folder where the vectors of a large reference set are kept, with an index to search them by; it is
    made when it is not there.
    """

    reference: str
    index: str | None = None
    calibration: str | None = None
    neighbours: Count = 10
    delta: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.05


class BudgetSection(_Section, frozen=True):
    """``[budget]``: the run stops cleanly before it would be exceeded; ``across_runs`` counts what the cache holds."""

    calls: Count | None = None
    tokens: Count | None = None
    money: Positive | None = None
    across_runs: bool = False


class CacheSection(_Section, frozen=True):
    """``[cache]``: a file (also as ``sqlite:///FILE``), or the ``postgresql://`` address of a ledger's database."""

    path: str = ".assent/cache.sqlite"


class Configuration(_Section, frozen=True):
    """The whole file; ``folder`` is where it stands."""

    translator: TranslatorSection
    models: dict[str, ModelSection] = {}
    back_translator: RoleSection | None = None
    judge: RoleSection | None = None
    ablations: AblationSection = AblationSection()
    gate: GateSection | None = None
    policies: tuple[str, ...] = ()
    weights: str | None = None
    vocabulary: str | None = None
    domain: str | None = None
    lazy: bool = True
    second_opinion: bool = True
    concurrency: Count = 16
    cache: CacheSection = CacheSection()
    budget: BudgetSection = BudgetSection()
    file: str = ""

    @property
    def folder(self) -> Path:
        return Path(self.file).parent

    def path(self, relative: str) -> Path:
        return self.folder / Path(relative).expanduser()

    @property
    def cache_place(self) -> str:
        """Where the call cache is: an address as it stands, or a path from where the configuration is."""
        return cache_place(self.cache.path, self.folder)


def shared_cache(place: str) -> bool:
    """Whether a cache is in a database with an address, rather than in a file."""
    if "://" not in place:
        return False
    from assent.ledger.database import is_address  # a file, the usual case, needs nothing of the ledger

    return is_address(place)


def cache_place(place: str, folder: Path) -> str:
    """An address of PostgreSQL as it stands; a file, also one given as ``sqlite:///FILE``, from the folder."""
    if shared_cache(place):
        return place
    return str(folder / Path(place.removeprefix("sqlite:///")).expanduser())


def load(path: str | Path) -> Configuration:
    """Read and check a configuration file."""
    file = str(path)
    try:
        raw = read_settings(path, toml=True)
    except ConfigurationError as error:
        if Path(path).exists():
            raise
        raise ConfigurationError("there is no such file ('assent init' writes one)", file=file) from error
    if "file" in raw:
        raise ConfigurationError("unknown key", file=file, key="file")
    models = raw.get("models", {})
    # Models one by one: the path that msgspec gives leaves out the keys of a mapping.
    for name, body in models.items() if isinstance(models, dict) else ():
        _takes(body, _convert(body, ModelSection, file, f"models.{name}"), file, f"models.{name}")
    configuration = _convert({**raw, "file": file}, Configuration, file)
    _check(configuration)
    return configuration


def _convert(raw: object, section: type[S], file: str, prefix: str = "") -> S:
    try:
        return msgspec.convert(raw, section)
    except msgspec.ValidationError as error:
        message, key = _where(str(error), section)
        raise ConfigurationError(
            message, file=file, key=".".join(filter(None, (prefix, key))) or None
        ) from error
    except RecursionError:
        raise ConfigurationError("nested too deeply to be read", file=file, key=prefix or None) from None


def _where(message: str, section: type[_Section]) -> tuple[str, str | None]:
    """Message and key from msgspec's "... - at `$.models[...].kind`"; what would be right is listed."""
    from assent.io.choices import unknown

    match = re.search(r"^(.*?) - at `\$\.?(.*?)`$", message)
    text, key = (match.group(1), match.group(2) or None) if match else (message, None)
    field = re.search(r"(?:unknown|missing required) field `([^`]+)`", text)
    if field is None:
        choices = get_args(_hints(section).get(key or ""))
        invalid = re.search(r"Invalid enum value '(.*)'", text, re.DOTALL)
        return (unknown("value", invalid.group(1), choices) if invalid and choices else text), key
    inner = _inner(section, key)
    key = f"{key}.{field.group(1)}" if key else field.group(1)
    if "unknown" not in text:
        return "is missing", key
    keys = [name for name in inner.__struct_fields__ if name != "file"] if inner else ()
    return unknown("key", field.group(1), keys), key


def _hints(section: type[_Section]) -> dict[str, object]:
    return get_type_hints(section)


def _inner(section: type[_Section], key: str | None) -> type[_Section] | None:
    """The section that a key of this one holds; None where it is not known."""
    if key is None:
        return section
    kind = _hints(section).get(key)
    for candidate in (kind, *get_args(kind)):
        if isinstance(candidate, type) and issubclass(candidate, _Section):
            return candidate
    return None


_ANY = {
    *("kind", "name", "version", "reported", "concurrency", "requests_per_minute", "tokens_per_minute"),
    *("attempts", "price_prompt", "price_completion"),
}
_ENDPOINT = {"base_url", "key_variable", "structured", "body", "headers", "timeout"}
_TAKES = {
    "openai": _ANY | _ENDPOINT | {"key_header", "query"},
    "litellm": _ANY | _ENDPOINT,
    "transformers": _ANY | {"adapter", "device", "feed"},
    "command": _ANY | {"command", "feed", "timeout"},
    "python": _ANY | {"function", "feed"},
    "recorded": _ANY | {"file"},
}
_NEEDS = {
    "openai": ("name",),
    "litellm": ("name",),
    "transformers": ("name",),
    "command": ("command",),
    "python": ("function",),
    "recorded": ("file",),
}


def _takes(body: Mapping[str, object], section: ModelSection, file: str, key: str) -> None:
    """A key that a kind has no use for was meant for something: it must not be ignored."""
    idle = sorted(set(body) - _TAKES[section.kind])
    if idle:
        raise ConfigurationError(
            f"a model of kind {section.kind!r} has no such key. There are: {', '.join(sorted(_TAKES[section.kind]))}",
            file=file,
            key=f"{key}.{idle[0]}",
        )
    if section.feed == "prompt" and section.kind != "python":
        raise ConfigurationError(
            "only a Python function can be given the prompt itself: use 'subject' or 'chat'",
            file=file,
            key=f"{key}.feed",
        )


def _check(configuration: Configuration) -> None:
    """ConfigurationError for what no section shows alone: a missing key, half a round trip, an unknown model."""
    file = configuration.file
    for name, model in configuration.models.items():
        for key in _NEEDS[model.kind]:
            if not getattr(model, key):
                raise ConfigurationError(
                    f"a model of kind {model.kind!r} needs it", file=file, key=f"models.{name}.{key}"
                )
    _check_names(configuration)
    offline = configuration.judge is not None and configuration.judge.model == "embedded"
    if not offline and (configuration.judge is None) != (configuration.back_translator is None):
        missing = "judge" if configuration.judge is None else "back_translator"
        raise ConfigurationError("the round trip needs [back_translator] and [judge]", file=file, key=missing)
    if offline and configuration.back_translator is not None:
        raise ConfigurationError(
            "the embedded judge has no use for it: remove [back_translator], or name another judge",
            file=file,
            key="back_translator",
        )


def _check_names(configuration: Configuration) -> None:
    """ConfigurationError if a role names a model that there is not."""
    ablations = configuration.ablations
    used = {
        "translator.model": configuration.translator.model,
        "judge.model": configuration.judge.model if configuration.judge else None,
        "back_translator.model": configuration.back_translator.model
        if configuration.back_translator
        else None,
        "ablations.direct_judge": ablations.direct_judge,
        "ablations.single_question": ablations.single_question,
    }
    own = {
        "translator.model": ("embedded",),
        "judge.model": ("embedded",),
        "back_translator.model": ("english", "embedded"),
    }
    for key, model_name in used.items():
        names = [*configuration.models, *own.get(key, ())]
        if model_name is not None and model_name not in names:
            raise ConfigurationError(
                f"there is no model {model_name!r} (there are: {', '.join(names)})",
                file=configuration.file,
                key=key,
            )


KINDS = ("openai", "litellm", "local", "command", "recorded", "embedded")
"""Kinds of users that ``template`` writes for."""


def template(kind: str = "openai") -> str:
    """A commented configuration to start from, for one kind of user."""
    folder = resources.files("assent.config")
    models = folder.joinpath("kinds", f"{kind}.toml").read_text(encoding="utf-8")
    return folder.joinpath("template.toml").read_text(encoding="utf-8").replace("#MODELS#\n", models)
