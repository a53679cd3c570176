"""Annotations of GitHub Actions: one workflow command a place."""

from __future__ import annotations

from collections.abc import Sequence

from assent.documents.checking import Checked
from assent.documents.outputs.places import remarks
from assent.documents.together import Noted

_COMMAND = {"error": "error", "warning": "warning", "note": "notice"}


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """Lines such as ``::warning file=pump.md,line=4,col=3,title=abstained::REQ-17: ...``; nothing if all is well."""
    lines = []
    for remark in remarks(checked, findings):
        command, message = _COMMAND[remark.level], _data(remark.text)
        title = f"title={_property(remark.rule)}"
        if not remark.places:
            lines.append(f"::{command} {title}::{message}")
        for place in remark.places:
            where = f"file={_property(place.file)},line={place.line},col={place.column}"
            lines.append(f"::{command} {where},{title}::{message}")
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    """A text in which nothing begins a command of its own."""
    printable = "".join(c if c.isprintable() or c in "\r\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return printable.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
