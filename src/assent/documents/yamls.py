"""YAML of others, read safely: no tags, no aliases that grow, our own errors."""

from __future__ import annotations

from typing import Any

from assent.errors import ConfigurationError, MissingExtraError


def yaml_value(text: str, file: str) -> Any:
    """The value that a YAML text spells; ConfigurationError if it is damaged, MissingExtraError without PyYAML."""
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("YAML", "documents") from None
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                raise ConfigurationError("YAML aliases are not read", file=file)
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError, TypeError) as error:
        cause = " ".join(str(error).split())[:200] or type(error).__name__
        raise ConfigurationError(f"cannot be read as YAML: {cause}", file=file) from error
