"""Files that are there whole or not at all, JSON lines, and text of others on its way to a terminal or a table.

What models, servers and files say is shown, never sent: an escape sequence cannot move the cursor, change a title or
answer for the user, a bidirectional mark cannot turn a line round, and a cell of a table is no formula.
"""

from __future__ import annotations

_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""Full-width signs too: spreadsheets take them for the plain ones."""


def for_terminal(text: str, *, lines: bool = True) -> str:
    """The text with everything that is not printed spelt out (``\\x1b``, ``\\u202e``).

    With ``lines`` line ends and tabs stay as they are; without, the text stays on one line.
    """
    if text.isprintable():
        return text
    kept = "\n\t" if lines else ""
    return "".join(c if c.isprintable() or c in kept else _spelt(c) for c in text)


def _spelt(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def for_cell(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula: one that begins like it gets an apostrophe.

    Numbers stay as they are.
    """
    begin = text.lstrip(" \xa0\ufeff\u200b")
    if not begin.startswith(_FORMULA) or _is_number(text):
        return text
    return f"'{text}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text == text.strip()
