"""Names as people type them into the page: a line each, or a vocabulary file's JSON."""

from __future__ import annotations

import re

import msgspec

from assent.errors import UsageError
from assent.ledger.entries import Body

_LINE = re.compile(r"(?:(signal|object|region)\s+)?([A-Za-z_]\w*)\s*(?:[:=]\s*(.*))?\Z")
_KINDS = {"object": "objects", "region": "regions"}


def vocabulary_of(text: str, unit: str | None) -> Body | None:
    """The vocabulary of a text; None where it is empty. ``UsageError`` names the line that makes no sense.

    Lines are ``name: how people call it``; ``signal``, ``object`` and ``region`` before a name say what it is.
    """
    if not text.strip():
        return None
    if text.lstrip().startswith("{"):
        return _json(text)
    vocabulary: Body = {"propositions": [], "objects": [], "regions": []}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        parts = _LINE.match(line.strip())
        if parts is None:
            raise UsageError(f"names, line {number}: write 'name: how people call it'")
        kind, name, says = parts.groups()
        entry = {"name": name, "says": (says or "").strip(), "type": "number" if kind == "signal" else "bool"}
        vocabulary[_KINDS.get(kind or "", "propositions")].append(entry)
    return vocabulary | {"time_unit": unit or "s"}


def _json(text: str) -> Body:
    try:
        vocabulary = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise UsageError("the names look like JSON and cannot be read as it") from None
    if not isinstance(vocabulary, dict):
        raise UsageError("the names must be an object")
    return vocabulary
