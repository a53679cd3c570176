"""The page: sections, tables and figures in order, as Markdown and as one HTML file that loads nothing."""

from __future__ import annotations

import html
import re
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from assent.evaluate.folder import STYLE, inline
from assent.evaluate.plots import Figure
from assent.evaluate.table import Table, plain

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LONG = 14
"""Tables of more rows are folded in the browser."""
_MARKS = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
    (re.compile(r"\[(.+?)\]\(([\w./-]+)\)"), r"<a href='\2'>\1</a>"),
)
_Result = TypeVar("_Result")
Numbers = dict[str, "tuple[DataclassInstance, ...]"]
"""The typed rows of every table, by its name."""


def say(text: str) -> None:
    print(f"study: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Stage:
    """How long one stage took."""

    stage: str
    seconds: float


class Section:
    def __init__(self, title: str, prose: str) -> None:
        self.title, self.prose = title, prose

    def markdown(self) -> str:
        return f"## {plain(self.title)}\n" + (f"\n{self.prose}\n" if self.prose else "")

    def html(self) -> str:
        return f"<h2>{html.escape(self.title)}</h2>\n{paragraphs(self.prose)}"


class Prose:
    """Paragraphs with **strong** and `code`; two spaces before the end of a line break it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def markdown(self) -> str:
        return self.text + "\n"

    def html(self) -> str:
        return paragraphs(self.text)


Part = Section | Prose | Table | Figure


class Study:
    """Parts in order. A part may still be in the making in another process."""

    def __init__(self, title: str, about: str) -> None:
        self.title, self.about = title, about
        self._parts: list[Part | Future[Sequence[Part]]] = []
        self.times: list[Stage] = []

    def section(self, title: str, prose: str = "") -> None:
        self._parts.append(Section(title, prose))

    def prose(self, text: str) -> None:
        if text:
            self._parts.append(Prose(text))

    def table(
        self,
        name: str,
        title: str,
        rows: Sequence[DataclassInstance],
        notes: Sequence[str] = (),
        without: Sequence[str] = (),
    ) -> None:
        """One more table, unless it has no rows; columns that are empty in every row are left out."""
        if rows:
            self._parts.append(compact(Table(name, title, tuple(rows), tuple(notes), without=tuple(without))))

    def add(self, *parts: Part | Future[Sequence[Part]]) -> None:
        self._parts.extend(parts)

    def first(self, *parts: Part) -> None:
        """Before everything else."""
        self._parts[:0] = parts

    def timed(self, name: str, work: Callable[[], _Result]) -> _Result:
        start = time.perf_counter()
        say(name)
        result = work()
        self.times.append(Stage(name, round(time.perf_counter() - start, 1)))
        return result

    def finish(self) -> None:
        """Wait for what is still being made."""
        done: list[Part | Future[Sequence[Part]]] = []
        for part in self._parts:
            done.extend(part.result() if isinstance(part, Future) else (part,))
        self._parts = done

    @property
    def parts(self) -> list[Part]:
        return [part for part in self._parts if not isinstance(part, Future)]

    @property
    def numbers(self) -> Numbers:
        return {part.name: part.records for part in self.parts if isinstance(part, Table)}

    def markdown(self) -> str:
        body = [part.markdown() for part in self.parts if not isinstance(part, Figure)]
        return "\n".join([f"# {self.title}\n\n{self.about}\n", *body])

    def html(self) -> str:
        """Self-contained: no script, no font, no picture from elsewhere."""
        body = "".join(_html(part) for part in self.parts)
        links = "".join(
            f"<a href='#part-{n}'>{html.escape(part.title)}</a> "
            for n, part in enumerate(p for p in self.parts if isinstance(p, Section))
        )
        for n in range(body.count("<h2>")):
            body = body.replace("<h2>", f"<h2 id='part-{n}'>", 1)
        more = "details{margin:.6rem 0}summary{cursor:pointer;font-weight:600}code{font-size:13px}"
        return (
            f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{html.escape(self.title)}</title>"
            f"<meta name='viewport' content='width=device-width'><style>{STYLE}{more}</style></head>\n"
            f"<body><h1>{html.escape(self.title)}</h1>\n{paragraphs(self.about)}<nav>{links}</nav>\n{body}</body></html>\n"
        )


def _html(part: Part) -> str:
    match part:
        case Figure():
            name, title = html.escape(part.name), html.escape(part.title)
            return f"<figure id='figure-{name}'>{inline(part.svg)}<figcaption>{title}</figcaption></figure>\n"
        case Table():
            made = part.html().replace("<h2 id=", "<h3 id=").replace("</h2>", "</h3>")
            if len(part.rows) <= LONG:
                return made
            rows = f"{len(part.rows)} rows"
            return f"<details><summary>{html.escape(part.title)} ({rows})</summary>\n{made}</details>\n"
        case _:
            return part.html()


def paragraphs(text: str) -> str:
    out = []
    for block in text.split("\n\n"):
        if block.strip():
            text = html.escape(block.strip(), quote=False)
            for pattern, by in _MARKS:
                text = pattern.sub(by, text)
            out.append(f"<p>{text.replace('  ' + chr(10), '<br>' + chr(10))}</p>\n")
    return "".join(out)


def compact(table: Table) -> Table:
    """The table without the columns that are empty in every row."""
    return replace(table, without=(*table.without, *table.empty_columns))
