"""The text of a document: any usual Unicode encoding, any line ends, within bounds."""

from __future__ import annotations

import codecs
from pathlib import Path

from assent.errors import DataError
from assent.io.files import read_bytes, text_of

LONGEST_DOCUMENT = 16_000_000
"""Bytes of a document."""
MOST_REQUIREMENTS = 100_000
"""Requirements of a document."""
LONGEST_ENTRY = 10_000
"""Characters of a line, a cell or a paragraph that may be a requirement."""
_MARKED = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def document_text(path: str | Path) -> str:
    """A file as text with ``\\n`` as its line ends; DataError if it cannot be read.

    UTF-8 with or without a byte-order mark, UTF-16 and UTF-32 with one. Anything else (Latin-1, say) is refused:
    a guess would change letters and signs silently.
    """
    return decoded(read_bytes(path, most=LONGEST_DOCUMENT), str(path))


def checked_lines(text: str, file: str) -> list[str]:
    """The lines of a text; DataError if one is longer than a requirement can be."""
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_ENTRY:
            raise DataError(f"the line is longer than {LONGEST_ENTRY} characters", file=file, line=number)
    return lines


def decoded(content: bytes, file: str) -> str:
    """``document_text`` for bytes."""
    for mark, name in _MARKED:
        if content.startswith(mark):
            try:
                text = content.decode(name)
            except UnicodeDecodeError as error:
                raise DataError(f"damaged {name.upper()} text: {error.reason}", file=file) from None
            break
    else:
        text = text_of(content, file=file)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DataError(
            "holds the character NUL: a binary file, or UTF-16 without its mark; save it as UTF-8",
            file=file,
            line=line,
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")
