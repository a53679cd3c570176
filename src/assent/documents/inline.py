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
    for mark in _MARK.finditer(line):
        if mark["strong"] is not None and not _emphasis(line, mark):
            continue
        yield line[position : mark.start()], position
        for name in ("inside", "words", "escaped"):
            if mark[name] is not None:
                yield mark[name], mark.start(name)
        position = mark.end()
    yield line[position:], position


def _emphasis(line: str, mark: re.Match[str]) -> bool:
    """Whether asterisks or underscores mark emphasis: they touch a word on one side only, and are no part of one."""
    before = line[mark.start() - 1 : mark.start()] or " "
    after = line[mark.end() : mark.end() + 1] or " "
    if before.isspace() and after.isspace():
        return False
    return not (mark.group() == "__" and before.isalnum() and after.isalnum())


def plain(line: str) -> str:
    """``parts`` as one text."""
    return "".join(text for text, _ in parts(line)).strip()
