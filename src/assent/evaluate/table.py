"""A table that can be written as Markdown, CSV, LaTeX, HTML and JSON."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assent.io.shown import for_cell, for_terminal

Cell = str | int | float | bool | None
_LATEX = str.maketrans(
    {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "✓": r"\checkmark{}", "†": r"$^\dagger$",
     "✗": r"$\times$", "α": r"$\alpha$", "λ": r"$\lambda$", "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$", "−": "-",
     "→": r"$\to$", "–": "--", "…": r"\dots{}", "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}",
     "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "\n": " "}
)  # fmt: skip
# A name from the data is shown, never obeyed: no cell border, no markup, no second line.
_MARKDOWN = str.maketrans({"|": r"\|", "<": "&lt;", "\n": " ", "\r": " "})


@dataclass(frozen=True)
class Table:
    """Rows of cells under named columns, with notes that belong to the reading of the numbers."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        rows: Sequence[Mapping[str, Cell]],
        columns: Sequence[str] | None = None,
        notes: Sequence[str] = (),
    ) -> Table:
        """From dictionaries; columns default to the keys in order of first appearance."""
        keys = tuple(columns or dict.fromkeys(key for row in rows for key in row))
        return cls(
            name, title, keys, tuple(tuple(row.get(key) for key in keys) for row in rows), tuple(notes)
        )

    def records(self) -> list[dict[str, Cell]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def markdown(self) -> str:
        head = "| " + " | ".join(plain(c) for c in self.columns) + " |"
        rule = "|" + "---|" * len(self.columns)
        body = ["| " + " | ".join(plain(shown(c)) for c in row) + " |" for row in self.rows]
        notes = [f"\n{plain(note)}" for note in self.notes]
        return "\n".join([f"### {plain(self.title)}\n", head, rule, *body, *notes]) + "\n"

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([_cell(column) for column in self.columns])
        for row in self.rows:
            writer.writerow(["" if c is None else _cell(c) if isinstance(c, str) else c for c in row])
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


def _cell(text: str) -> str:
    """A name that somebody gave is neither a formula of a spreadsheet nor, by a bare carriage return, a new row."""
    return for_cell(for_terminal(text, lines=False))
