"""Inline Markdown: the words without their marks, each part with its column."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(
    r"""
      (?P<code>`+)(?P<inside>.+?)(?P=code)              # `pump_on`
    | !?\[(?P<words>[^\]\[]*)\]\([^)\s]*(?:\s+"[^"]*")?\)  # [words](target)
    | (?P<comment><!--.*?-->)
    | (?P<tag></?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>)
    | (?P<strong>\*{1,3}|~~|__)
    | \\(?P<escaped>[!-/:-@\[-`{-~])
    """,
    re.VERBOSE,
)


def parts(line: str) -> Iterator[tuple[str, int]]:
    """The text of a line without emphasis, links, code marks and comments: (text, offset in the line)."""
    position = 0
    for found in _MARK.finditer(line):
        if found["strong"] is not None and not _emphasis(line, found):
            continue
        yield line[position : found.start()], position
        for name in ("inside", "words", "escaped"):
            if found[name] is not None:
                yield found[name], found.start(name)
        position = found.end()
    yield line[position:], position


def _emphasis(line: str, found: re.Match[str]) -> bool:
    """Whether asterisks or underscores mark emphasis: they touch a word on one side only, and are no part of one."""
    before = line[found.start() - 1 : found.start()] or " "
    after = line[found.end() : found.end() + 1] or " "
    if before.isspace() and after.isspace():
        return False
    return not (found.group() == "__" and before.isalnum() and after.isalnum())


def plain(line: str) -> str:
    """``parts`` as one text."""
    return "".join(text for text, _ in parts(line)).strip()
