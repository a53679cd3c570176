"""Plain text: one requirement a line or a paragraph, headings and remarks told apart."""

from __future__ import annotations

import re

from assent.documents.content import LONGEST_ENTRY, checked_lines
from assent.documents.gather import About, Gatherer, Passage
from assent.documents.sentences import demands, labelled
from assent.documents.written import Document

_UNDERLINE = re.compile(r"\s*([=\-~*#_])\1{2,}\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•–]\s+|\d{1,3}[.)]\s+|\(?[a-z]\)\s+)")
_ENDED = re.compile(r"[.!?:;]['\")\]]*\s*$")
WRAPPED_FROM = 60
"""A line at least so long that ends without a stop may go on in the next one."""


def read_plain(text: str, file: str) -> Document:
    """The requirements of a text file; nothing that is written is left out of both lists."""
    out = Gatherer(file, "text")
    lines = checked_lines(text, file)
    section, block = "", Passage()

    def close() -> None:
        nonlocal block
        if block.text:
            out.entry(block, About(section=section, strict=True))
        block = Passage()

    for number, line in enumerate(lines, start=1):
        following = lines[number] if number < len(lines) else ""
        if not line.strip() or _UNDERLINE.match(line):
            close()
        elif _is_heading(line, following, alone=not block.text):
            close()
            section = line.strip()
            out.aside(section, number, "a heading")
        else:
            if _begins(line, block):
                close()
            bullet = _BULLET.match(line)
            # The figures of "3. The pump ..." count the list; "3.2.1" and "R-3:" are identifiers and stay.
            start = bullet.end() if bullet else len(line) - len(line.lstrip())
            block.add(line[start:].rstrip(), number, start + 1)
    close()
    return out.document()


def _begins(line: str, block: Passage) -> bool:
    """Whether a line begins an entry of its own, and does not go on with the one before."""
    if len(block.text) > LONGEST_ENTRY:
        return True
    if not block.text or _ENDED.search(block.text) or _BULLET.match(line) or labelled(line)[0] is not None:
        return True
    short = len(block.text) < WRAPPED_FROM
    return short and line.lstrip()[:1].isupper() and demands(block.text)


def _is_heading(line: str, following: str, *, alone: bool) -> bool:
    """A line that is underlined, in capitals, or short and without a stop, with nothing around it."""
    title = line.strip()
    if not alone or (demands(title) and not title.isupper()):
        return False
    if _UNDERLINE.match(following) or (
        title.isupper() and len(title.split()) <= 10 and not _ENDED.search(title)
    ):
        return True
    label, _ = labelled(line)
    dotted = label is None or label[0].isdigit()
    return not following.strip() and dotted and len(title.split()) <= 8 and not _ENDED.search(title)
