"""JSON with places: where each value begins and ends, for lines in messages and for edits."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from assent.errors import DataError

DEEPEST = 60
"""Levels of a document."""
_BLANK = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_OTHER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value from ``start`` to ``end`` (characters). ``value``: text, number, ... ; None for objects and arrays.

    ``members``: of an object, by key; of an array under "0", "1", ... ``keys``: where each key begins.
    """

    start: int
    end: int
    value: object = None
    members: dict[str, JsonNode] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    is_object: bool = False

    @property
    def text(self) -> str:
        """The value if it is a text, else the empty one."""
        return self.value if isinstance(self.value, str) else ""


def parsed(text: str, file: str) -> JsonNode:
    """The one value of a JSON text; DataError with the line if it is damaged or too deep."""
    scanner = _Scanner(text, file)
    node = scanner.value(scanner.blank(0), 0)
    end = scanner.blank(node.end)
    if end != len(text):
        raise scanner.error(end, "more follows after the end")
    return node


class _Scanner:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file

    def error(self, at: int, why: str) -> DataError:
        return DataError(f"not valid JSON: {why}", file=self.file, line=self.text.count("\n", 0, at) + 1)

    def blank(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return at if match is None else match.end()

    def value(self, at: int, depth: int) -> JsonNode:
        if depth > DEEPEST:
            raise self.error(at, f"nested deeper than {DEEPEST} levels")
        first = self.text[at : at + 1]
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._array(at, depth)
        if first == '"':
            string, end = self._string(at)
            return JsonNode(at, end, string)
        match = _OTHER.match(self.text, at)
        if match is None:
            raise self.error(at, "a value is missing")
        try:
            return JsonNode(at, match.end(), json.loads(match.group()))
        except ValueError:
            raise self.error(at, "a number with too many digits") from None

    def _string(self, at: int) -> tuple[str, int]:
        if self.text[at : at + 1] != '"':
            raise self.error(at, "a text is missing")
        match = _STRING.match(self.text, at)
        if match is None:
            raise self.error(at, "a text has no end")
        try:
            return str(json.loads(match.group())), match.end()
        except ValueError as error:
            raise self.error(at, str(error)) from None

    def _object(self, at: int, depth: int) -> JsonNode:
        members: dict[str, JsonNode] = {}
        keys: dict[str, int] = {}
        place = self.blank(at + 1)
        if self.text[place : place + 1] == "}":
            return JsonNode(at, place + 1, is_object=True)
        while True:
            key, end = self._string(place)
            if key in members:
                raise self.error(place, f"the key {key!r} is there twice")
            colon = self.blank(end)
            if self.text[colon : colon + 1] != ":":
                raise self.error(colon, "a colon is missing")
            node = self.value(self.blank(colon + 1), depth + 1)
            members[key], keys[key] = node, place
            after = self.blank(node.end)
            sign = self.text[after : after + 1]
            if sign == "}":
                return JsonNode(at, after + 1, None, members, keys, is_object=True)
            if sign != ",":
                raise self.error(after, "a comma is missing")
            place = self.blank(after + 1)

    def _array(self, at: int, depth: int) -> JsonNode:
        members: dict[str, JsonNode] = {}
        place = self.blank(at + 1)
        if self.text[place : place + 1] == "]":
            return JsonNode(at, place + 1)
        while True:
            node = self.value(place, depth + 1)
            members[str(len(members))] = node
            after = self.blank(node.end)
            sign = self.text[after : after + 1]
            if sign == "]":
                return JsonNode(at, after + 1, None, members)
            if sign != ",":
                raise self.error(after, "a comma is missing")
            place = self.blank(after + 1)
