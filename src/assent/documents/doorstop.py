"""Doorstop: a folder with ``.doorstop.yml`` and one YAML file an item; formulas go into the attribute ``formula``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from assent.documents.content import MOST_REQUIREMENTS, document_text
from assent.documents.edits import Edit, edited, line_end
from assent.documents.gather import About, Gatherer, Passage
from assent.documents.written import Document
from assent.documents.yamls import yaml_value
from assent.errors import DataError

FIELD = "formula"
MARK = ".doorstop.yml"
_KEY = re.compile(rb"^([A-Za-z_][\w-]*):", re.MULTILINE)


def read_doorstop(folder: Path, file: str) -> Document:
    """The active, normative items of a document; others are set aside. DataError if the folder is none."""
    if not (folder / MARK).is_file():
        raise DataError(f"is a folder without {MARK}: no document of Doorstop", file=file)
    out = Gatherer(file, "doorstop")
    items = sorted(path for path in folder.rglob("*.yml") if not path.name.startswith("."))
    if len(items) > MOST_REQUIREMENTS:
        raise DataError(f"has more than {MOST_REQUIREMENTS} items", file=file)
    for path in items:
        if path.parent == folder or not _inner_document(path, folder):
            _item(out, path)
    return out.document()


def read_doorstop_item(path: Path, file: str) -> Document:
    """One item."""
    out = Gatherer(file, "doorstop")
    _item(out, path)
    return out.document()


def _inner_document(path: Path, folder: Path) -> bool:
    """Whether a file belongs to another document inside the folder."""
    return any(
        (parent / MARK).is_file() for parent in path.parents if parent != folder and folder in parent.parents
    )


def _item(out: Gatherer, path: Path) -> None:
    text = document_text(path)
    item = yaml_value(text, str(path))
    if not isinstance(item, dict) or not isinstance(item.get("text", ""), str):
        raise DataError("is no item of Doorstop", file=str(path))
    line, column = _place(text)
    words = " ".join(str(item.get("text", "")).split())
    why = _why_not(item, words)
    if why is not None:
        out.aside(f"{path.stem}: {words or item.get('header') or ''}", line, why)
        return
    section = str(item.get("header") or "")
    out.entry(Passage.of(words, line, column), About(id=path.stem, section=section, file=str(path)))


def _why_not(item: Mapping[str, object], text: str) -> str | None:
    """Why an item is no requirement; None if it is one."""
    if not item.get("active", True):
        return "an item that is not active"
    if not item.get("normative", True):
        return "an item that is not normative"
    return None if text else "an item without text"


def _place(text: str) -> tuple[int, int]:
    """Line and column of an item's text."""
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        match = re.match(r"text:\s*(.*)$", line)
        if match is not None:
            if not re.fullmatch(r"[|>][-+\d]*\s*", match[1]):
                return number, match.start(1) + 1
            following = lines[number] if number < len(lines) else ""
            return number + 1, len(following) - len(following.lstrip()) + 1
    return 1, 1


def item_with(content: bytes, formula: str) -> bytes:
    """An item's file with its attribute ``formula``, at its place in the order of the alphabet.

    An empty formula takes the place of one that is there, and adds nothing.
    """
    end = line_end(content)
    quoted = formula.replace("'", "''")
    new = f"{FIELD}: '{quoted}'".encode() + end
    keys = [(match.group(1).decode(), match.start()) for match in _KEY.finditer(content)]
    for number, (key, start) in enumerate(keys):
        after = keys[number + 1][1] if number + 1 < len(keys) else len(content)
        if key == FIELD:
            return edited(content, [Edit(start, after, new)])
    if not formula:
        return content
    for key, start in keys:
        if key > FIELD:
            return edited(content, [Edit(start, start, new)])
    gap = b"" if not content or content.endswith(b"\n") else end
    return edited(content, [Edit(len(content), len(content), gap + new)])
