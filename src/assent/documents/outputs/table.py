"""A table for the terminal: each requirement with its decision, then what was found, then what was set aside."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Sequence

from assent.documents.checking import Checked, Row
from assent.documents.together import Noted

MOST_ASIDE = 12
"""Parts that were set aside and are listed; the others are counted."""


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """Lines no wider than the terminal where words allow it."""
    width = max(60, min(120, shutil.get_terminal_size((100, 24)).columns))
    lines: list[str] = []
    for row in checked.rows:
        lines += _requirement(row, width)
    if findings:
        lines += ["", "Found:"]
        for noted in findings:
            lines += _wrapped(f"{noted.kind}: {noted.said}", "  ", width)
    lines += _aside(checked, width)
    lines += ["", _summary(checked, findings)]
    return "\n".join(lines) + "\n"


def _requirement(row: Row, width: int) -> list[str]:
    requirement, judgement = row.requirement, row.judgement
    mark = " suspect" if row.suspect else ""
    head = f"{judgement.decision:<9}{mark}  {requirement.id}  {judgement.logic}  {requirement.file}:{requirement.line}"
    lines = [head, *_wrapped(requirement.text, "    ", width)]
    if judgement.vouched:
        lines += _wrapped(str(judgement.formula), "    ", width, first="  = ")
    else:
        lines += _wrapped(f"{judgement.reason}: {judgement.detail}", "    ", width, first="  ? ")
        for number, reading in enumerate(judgement.readings, start=1):
            lines += _wrapped(
                f"{reading.formula}: {reading.english}", "       ", width, first=f"    {number}. "
            )
    return lines


def _aside(checked: Checked, width: int) -> list[str]:
    if not checked.aside:
        return []
    lines = ["", f"Set aside ({len(checked.aside)}):"]
    for part in checked.aside[:MOST_ASIDE]:
        short = textwrap.shorten(part.text, max(20, width - 40), placeholder=" ...")
        lines.append(f"  {part.file}:{part.line}  {part.why}: {short}")
    unlisted = checked.aside[MOST_ASIDE:]
    if unlisted:
        counts = Counter(part.why for part in unlisted)
        lines.append("  and " + ", ".join(f"{count} x {why}" for why, count in counts.most_common()))
    return lines


def _summary(checked: Checked, findings: Sequence[Noted]) -> str:
    vouched = sum(row.judgement.vouched for row in checked.rows)
    total = len(checked.rows)
    kept = sum(row.state == "kept" for row in checked.rows)
    parts = [f"{total} requirements", f"{vouched} vouched for", f"{total - vouched} abstained"]
    parts += [f"{kept} from the lock"] if kept else []
    parts.append(f"{len(findings)} findings")
    return ", ".join(parts)


def _wrapped(text: str, indent: str, width: int, *, first: str | None = None) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    ) or [indent.rstrip()]
