"""docs/logics.md says what the reader does: every spelling, every refusal, every limit in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assent.errors import FormulaError
from assent.logic import canonical, dialect, read
from assent.logic.dialect import SPELLINGS

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "logics.md").read_text(encoding="utf-8")
ROWS = {
    "not": "not", "and": "and", "or": "or", "imply": "implies", "iff": "iff", "next": "next", "globally": "always",
    "finally": "eventually", "until": "until", "release": "release", "weak until": "weak_until",
    "strong release": "strong_release",
}  # fmt: skip


def table(heading: str) -> list[list[str]]:
    section = DOCS.split(f"## {heading}", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


@pytest.mark.parametrize("row", table("Spellings that are read"), ids=lambda row: row[0])
def test_every_spelling(row: list[str]) -> None:
    if row[0] in ("", "true, false"):
        return
    for spelling in re.findall(r"`([^`]+)`", " ".join(row[1:])):
        if spelling in ("[]", "X[3]"):
            continue
        one = f"{spelling} a" if row[0] in ("not", "next", "globally", "finally") else f"a {spelling} b"
        plain = next(word for word, (_, meaning) in SPELLINGS.items() if meaning == ROWS[row[0]])
        assert read(one, "ltl") == read(one.replace(spelling, plain), "ltl"), spelling


def test_every_constant() -> None:
    for spelling in ("true", "1", "⊤", "\\top"):
        assert read(spelling, "ltl") == read("true", "ltl")
        assert spelling in DOCS


@pytest.mark.parametrize("row", [row for row in table("Limits") if "MAX_" in row[0]], ids=lambda row: row[0])
def test_every_limit(row: list[str]) -> None:
    assert getattr(dialect, row[0].strip("`")) == int(row[1].replace(",", ""))


@pytest.mark.parametrize(
    "text", ["a ^ b", "F[5] a", "GFp", "F[0,5s] a", "x > 3 m/s", "0 < x < 5", "G[0,5) a", "a b"]
)
def test_refused_as_said(text: str) -> None:
    with pytest.raises(FormulaError):
        read(text, "stl")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("!(x > 3)", "x <= 3"),
        ("2x > 6", "x > 3"),
        ("a <-> b", "(!a | b) & (!b | a)"),
        ("a W b", "b R (a | b)"),
    ],
)
def test_canonical_as_said(one: str, other: str) -> None:
    assert canonical(read(one, "stl")) == canonical(read(other, "stl"))
