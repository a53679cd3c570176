"""A table of typed rows, and its one renderer: Markdown, CSV, LaTeX, HTML and JSON.

A row is a frozen dataclass. A field is a column; its title is the field's name, or the text it is annotated with. A
field that holds a mapping is a column for each key, its title a format of the key. Numbers stay numbers until they are
written.
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache, cached_property
from typing import TYPE_CHECKING, get_type_hints

from assent.io import for_cell, for_terminal

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ABSTAINED = "abst."
_LATEX = str.maketrans(
    {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "✓": r"\checkmark{}", "†": r"$^\dagger$",
     "✗": r"$\times$", "α": r"$\alpha$", "λ": r"$\lambda$", "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$", "−": "-",
     "→": r"$\to$", "–": "--", "…": r"\dots{}", "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}",
     "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "\n": " "}
)  # fmt: skip
# A name from the data is shown, never obeyed: no cell border, no markup, no second line.
_MARKDOWN = str.maketrans({"|": r"\|", "<": "&lt;", "\n": " ", "\r": " "})


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error, the mark of the compliance matrix, and how many resplits were above alpha."""

    value: float
    se: float
    mark: str = ""
    above: int | None = None

    def __str__(self) -> str:
        if self.mark == ABSTAINED:
            return ABSTAINED
        above = "" if self.above is None else f"({self.above})"
        return " ".join(part for part in (f"{self.value:.3f} ± {self.se:.3f}", self.mark, above) if part)


@dataclass(frozen=True, slots=True)
class Between:
    """A figure with the ends of its interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


Cell = str | int | float | bool | Estimate | Between | None
Record = dict[str, object]
"""A row as JSON has it: by the names of its fields."""


@dataclass(frozen=True)
class Table:
    """Typed rows under a title, with notes that belong to the reading of the numbers.

    ``beside`` are further columns, one cell a row; ``without`` are the titles of columns that are not shown.
    """

    name: str
    title: str
    records: tuple[DataclassInstance, ...]
    notes: tuple[str, ...] = ()
    beside: tuple[tuple[str, tuple[Cell, ...]], ...] = ()
    without: tuple[str, ...] = ()

    @cached_property
    def _cells(self) -> list[dict[str, Cell]]:
        more = [
            {title: cells[i] for title, cells in self.beside if cells[i] is not None}
            for i in range(len(self.records))
        ]
        return [{**cells_of(row), **extra} for row, extra in zip(self.records, more, strict=True)]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Titles in the order of their first appearance."""
        titles = dict.fromkeys(title for row in self._cells for title in row)
        titles |= dict.fromkeys(title for title, _ in self.beside)
        return tuple(title for title in titles if title not in self.without)

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(tuple(row.get(title) for title in self.columns) for row in self._cells)

    @property
    def empty_columns(self) -> tuple[str, ...]:
        """Titles of the columns without a cell in any row."""
        return tuple(t for i, t in enumerate(self.columns) if all(row[i] is None for row in self.rows))

    def markdown(self) -> str:
        head = "| " + " | ".join(plain(c) for c in self.columns) + " |"
        rule = "|" + "---|" * len(self.columns)
        body = ["| " + " | ".join(plain(shown(c)) for c in row) + " |" for row in self.rows]
        notes = [f"\n{plain(note)}" for note in self.notes]
        return "\n".join([f"### {plain(self.title)}\n", head, rule, *body, *notes]) + "\n"

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([_defused(column) for column in self.columns])
        for row in self.rows:
            writer.writerow([_csv(cell) for cell in row])
        return out.getvalue()

    def latex(self) -> str:
        def line(cells: Sequence[str]) -> str:
            return " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"

        body = "\n".join(line([shown(c) for c in row]) for row in self.rows)
        return (
            f"% {plain(self.title)}\n\\begin{{tabular}}{{{'l' * len(self.columns)}}}\n\\hline\n{line(self.columns)}\n"
            f"\\hline\n{body}\n\\hline\n\\end{{tabular}}\n"
        )

    def html(self) -> str:
        head = "".join(f"<th>{html.escape(c)}</th>" for c in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(shown(c))}</td>" for c in row) + "</tr>\n"
            for row in self.rows
        )
        notes = "".join(f"<p class='note'>{html.escape(note)}</p>\n" for note in self.notes)
        return (
            f"<h2 id='{self.name}'>{html.escape(self.title)}</h2>\n<div class='scroll'><table><thead><tr>{head}"
            f"</tr></thead>\n<tbody>{body}</tbody></table></div>\n{notes}"
        )


def cells_of(row: DataclassInstance) -> dict[str, Cell]:
    """The cells of a row by the titles of their columns."""
    found: dict[str, Cell] = {}
    for name, title in _titles(type(row)).items():
        value = getattr(row, name)
        if isinstance(value, Mapping):
            found.update({title.format(key): cell for key, cell in value.items()})
        else:
            found[title] = value
    return found


@cache
def _titles(kind: type[DataclassInstance]) -> dict[str, str]:
    """The title of each field: what it is annotated with, or its name."""
    hints = get_type_hints(kind, include_extras=True)
    named = {field.name: getattr(hints[field.name], "__metadata__", ()) for field in fields(kind)}
    return {name: str(given[0]) if given else name.replace("_", " ") for name, given in named.items()}


def record(row: DataclassInstance) -> Record:
    """A row for JSON."""
    return asdict(row)


def plain(text: str) -> str:
    """Text for a line of Markdown."""
    return text.translate(_MARKDOWN)


def shown(cell: Cell) -> str:
    """A cell for people: three decimals, a dash for what does not exist."""
    match cell:
        case None:
            return "–"
        case bool():
            return "yes" if cell else "no"
        case float():
            return f"{cell:.3f}"
        case _:
            return str(cell)


def _csv(cell: Cell) -> str | int | float:
    """A cell for a spreadsheet: numbers in full, texts defused."""
    match cell:
        case None:
            return ""
        case str():
            return _defused(cell)
        case Estimate() | Between():
            return str(cell)
        case _:
            return cell


def _defused(text: str) -> str:
    """A name that somebody gave is neither a formula of a spreadsheet nor, by a bare carriage return, a new row."""
    return for_cell(for_terminal(text, lines=False))
