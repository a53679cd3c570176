"""Inputs that change a whole, valid JSON value part by part, so that they come past its outer checks."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

RAW = 0
"""First byte of an input that is raw text (any even one); an odd one is followed by edits, three bytes each."""
MOST_EDITS, MOST_PLACES = 12, 400
"""Of one input: copies of copies grow without end otherwise."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 10**18, -(10**18), 2**63, 10**400, 0.0, -0.0, 0.5, 1.5, -0.5, 1e-320),
    *(1e308, float("nan"), float("inf"), float("-inf"), 0.1 + 0.2, 1 / 3, "", "a", "all", "D2", "default", "text"),
    *("lifted", "cluster", "pair", "crc", "anytime", "split", "threshold", "infeasible", "1", "0.5", "\0"),
    *("\ud800", "\u200f", "x" * 300, [], {}, [[]], [0.5], ["a"], [1, 2], {"a": 1}, {"": {}}, [None], {"a": None}),
)  # fmt: skip


def is_raw(data: bytes) -> bool:
    """Whether an input is raw text behind its first byte."""
    return not data or data[0] % 2 == RAW


def text_of(data: bytes, wholes: tuple[str, ...]) -> bytes:
    """Raw text as it is, or one of the whole values (JSON) with the edits of the input, as JSON."""
    return data[1:] if is_raw(data) else json.dumps(value_of(data, wholes)).encode()


def value_of(data: bytes, wholes: tuple[str, ...]) -> Any:
    """One of the whole values with the edits of the input."""
    value = json.loads(wholes[data[0] // 2 % len(wholes)])
    for start in range(1, min(len(data) - 2, 3 * MOST_EDITS), 3):
        value = _edited(value, *data[start : start + 3])
    return value


def _edited(value: Any, which: int, how: int, what: int) -> Any:
    """One place (by number, in reading order) replaced, removed, doubled, renamed or exchanged for another part."""
    places = _places(value, [])
    if not places:
        return deepcopy(VALUES[what % len(VALUES)])
    if len(places) > MOST_PLACES:
        return value
    inside, key = places[(which + 256 * (how // 8)) % len(places)]
    other, name = places[what % len(places)]
    match how % 8:
        case 0:
            del inside[key]
        case 1:
            inside[key] = [inside[key], deepcopy(inside[key])]
        case 2 if isinstance(inside, dict):
            inside[str(VALUES[what % len(VALUES)])] = inside.pop(key)
        case 3:
            inside[key] = deepcopy(other[name])
        case 4 if isinstance(inside, dict):
            inside[str(name)] = deepcopy(other[name])
        case _:
            inside[key] = deepcopy(VALUES[what % len(VALUES)])
    return value


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every place below a value, in reading order: what holds it, and its key or number there."""
    if isinstance(value, dict):
        for key, inner in value.items():
            found.append((value, key))
            if isinstance(inner, dict | list):
                _places(inner, found)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            found.append((value, number))
            if isinstance(inner, dict | list):
                _places(inner, found)
    return found
