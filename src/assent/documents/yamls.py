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
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        _refuse_repeats(node, file)
        return None if node is None else loader.construct_document(node)
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError, TypeError) as error:
        cause = " ".join(str(error).split())[:200] or type(error).__name__
        raise ConfigurationError(f"cannot be read as YAML: {cause}", file=file) from error


def _refuse_repeats(node: Any, file: str) -> None:
    """ConfigurationError if a key occurs twice in one mapping of a tree of nodes: nobody can say which was meant."""
    if node is None or isinstance(node.value, str):
        return
    seen: set[str] = set()
    for part in node.value:
        if isinstance(part, tuple):
            key, value = part
            if isinstance(key.value, str) and key.value in seen:
                line = key.start_mark.line + 1
                raise ConfigurationError(f"line {line}: the key {key.value[:60]!r} is there twice", file=file)
            seen.add(str(key.value))
            _refuse_repeats(key, file)
            _refuse_repeats(value, file)
        else:
            _refuse_repeats(part, file)
