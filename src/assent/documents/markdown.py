"""Markdown: lists, tables, paragraphs, EARS sections, Kiro's requirements.md, OpenSpec's requirements.

Identifiers come from the entry itself ("REQ-17: ..."), from its table's column, or from the heading above it ("###
Requirement 2" with "3. WHEN ..." is 2.3). Names may stand in front matter (``vocabulary``), in a fenced block whose
first line says ``vocabulary``, or in a table below a heading such as "Vocabulary" or "Signals".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assent.documents import names
from assent.documents.cells import CellColumns, columns_of
from assent.documents.content import LONGEST_ENTRY, checked_lines
from assent.documents.gather import About, Gatherer, Passage
from assent.documents.inline import parts, plain
from assent.documents.sentences import demands, labelled
from assent.documents.written import Document
from assent.errors import ConfigurationError
from assent.vocabulary import Entry, Vocabulary

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*)$")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})\s*$")
_ITEM = re.compile(r"(\s*)(?:([-*+])|(\d{1,9})[.)])(\s+)(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(.*)$")
_RULE = re.compile(r"\s*(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$")
_SEPARATOR = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_STEM = re.compile(r"\b(?:shall|must|will|should)(?:\s+not)?\s*:\s*$", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:requirement|feature|story|epic|rule)\s*#?\s*(\d+(?:\.\d+)*)\b", re.IGNORECASE)
_PROSE = re.compile(
    r"\b(?:introduction|overview|background|scope|purpose|references?|notes?|rationale|history|changes|changelog|"
    r"context|why|motivation|open questions|out of scope|non-goals|contents?)\b",
    re.IGNORECASE,
)
_STEP = re.compile(r"^(?:given|when|then|and|but)\b", re.IGNORECASE)


@dataclass
class _Open:
    """The block that is being read: an item of a list or a paragraph."""

    passage: Passage
    indent: int = -1
    ordinal: str | None = None

    @property
    def is_item(self) -> bool:
        return self.indent >= 0


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.lines = checked_lines(text, file)
        self.out = Gatherer(file, "markdown")
        self.at = 0
        self.section = ""
        self.heading_id: str | None = None
        self.block: _Open | None = None
        self.stems: list[tuple[int, str]] = []
        self.time_unit = "s"

    def read(self) -> Document:
        self._front_matter()
        while self.at < len(self.lines):
            self._line()
        self._close()
        return self.out.document()

    # ---- lines ---------------------------------------------------------------------------------------------

    def _line(self) -> None:
        line = self.lines[self.at]
        following = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""
        if (fence := _FENCE.match(line)) is not None:
            self._fenced(fence)
        elif line.lstrip().startswith("<!--"):
            self._comment()
        elif (heading := _HEADING.match(line)) is not None:
            self._heading(plain(heading[2].rstrip().rstrip("#")))
        elif "|" in line and "-" in following and _SEPARATOR.match(following) and "|" in following:
            self._table()
        elif self._is_setext(line, following):
            self._heading(plain(line))
            self.at += 1
        elif not line.strip() or _RULE.match(line):
            self._close()
            self.at += 1
        elif line.lstrip().startswith(">"):
            self._close()
            self.out.aside(plain(line.lstrip()[1:]), self.at + 1, "a quotation")
            self.at += 1
        else:
            self._text(line)

    def _is_setext(self, line: str, following: str) -> bool:
        return bool(
            line.strip() and self.block is None and _SETEXT.match(following) and not _ITEM.match(line)
        )

    def _text(self, line: str) -> None:
        """A line of an item or of a paragraph."""
        item = _ITEM.match(line)
        self.time_unit = names.time_unit_in(line) or self.time_unit
        start = len(line) - len(line.lstrip())
        if item is not None:
            self._close()
            start = item.end()
            self.block = _Open(Passage(), len(item[1].expandtabs(4)), item[3])
        elif self.block is None:
            self.block = _Open(Passage())
            if start == 0:
                self.stems.clear()
        elif len(self.block.passage.text) > LONGEST_ENTRY or (
            labelled(plain(line))[0] is not None and not self.block.is_item
        ):
            self._close()
            self.block = _Open(Passage())
        first = True
        for text, offset in parts(line[start:].rstrip()):
            if first:
                self.block.passage.add(text, self.at + 1, start + offset + 1)
                first = not text
            else:
                self.block.passage.join(text, self.at + 1, start + offset + 1)
        self.at += 1

    def _heading(self, title: str) -> None:
        self._close()
        self.stems.clear()
        label, start = labelled(f"{title} ")
        numbered = _NUMBERED.match(title)
        if numbered is not None:
            self.heading_id = numbered[1]
        elif label is not None and not label[0].isdigit():
            self.heading_id = label
        elif not re.match(
            r"(?:ears\s+)?(?:acceptance criteria|criteria|requirements?)\b", title, re.IGNORECASE
        ):
            self.heading_id = None
        self.section = title[start:].strip() or title
        self.out.aside(title, self.at + 1, "a heading")
        self.at += 1

    def _comment(self) -> None:
        self._close()
        first = self.at
        while self.at < len(self.lines) and "-->" not in self.lines[self.at]:
            self.at += 1
        self.at += 1
        self.out.aside(" ".join(self.lines[first : self.at]), first + 1, "a comment")

    # ---- blocks --------------------------------------------------------------------------------------------

    def _close(self) -> None:
        """Hand over the block that ends here."""
        block, self.block = self.block, None
        if block is None or not block.passage.text.strip():
            return
        passage, text = block.passage, block.passage.text.strip()
        about = About(
            id=self._identity(block), section=self.section, strict=not block.is_item or self._prose()
        )
        line, column = passage.place(0)
        self.stems = [stem for stem in self.stems if stem[0] < block.indent] if block.is_item else []
        if names.HEADING.search(self.section) and not demands(text):
            self.out.aside(text, line, "about names", column)
        elif block.is_item and "scenario" in self.section.lower() and _STEP.match(text):
            self.out.aside(text, line, "a step of a scenario", column)
        elif _STEM.search(text) and self._goes_on():
            self.stems.append((block.indent, text.rstrip(": ")))
            self.out.aside(text, line, "begins the sentences of the list below", column)
        elif text.endswith(":") and demands(text) and self._goes_on():
            why = "its parts stand in the list below: write each of them as a sentence"
            self.out.refuse(passage, about, why)
        else:
            self.out.entry(self._with_stem(passage), about)

    def _with_stem(self, passage: Passage) -> Passage:
        if not self.stems:
            return passage
        label, start = labelled(passage.text)
        sentence = Passage()
        line, column = passage.place(start)
        sentence.add(f"{label}:" if label else "", line, column)
        sentence.add(self.stems[-1][1], line, column)
        begin = len(sentence.text) + 1
        sentence.follow(passage, start)
        lowered = sentence.text[begin : begin + 1].lower()
        if len(lowered) == 1 and sentence.text[begin + 1 : begin + 2].islower():
            sentence.text = sentence.text[:begin] + lowered + sentence.text[begin + 1 :]
        return sentence

    def _goes_on(self) -> bool:
        """Whether the next line with text is an item of a list."""
        following = (line for line in self.lines[self.at :] if line.strip())
        return _ITEM.match(next(following, "")) is not None

    def _identity(self, block: _Open) -> str | None:
        if (
            self.heading_id is None
            or labelled(block.passage.text)[0] is not None
            or not demands(block.passage.text)
        ):
            return None
        if block.ordinal is not None:
            return f"{self.heading_id}.{block.ordinal}"
        if block.is_item:
            return None
        identity, self.heading_id = self.heading_id, None
        return identity

    def _prose(self) -> bool:
        return _PROSE.search(self.section) is not None

    # ---- tables, names -------------------------------------------------------------------------------------

    def _table(self) -> None:
        self._close()
        first = self.at
        rows: list[list[tuple[str, int]]] = []
        while self.at < len(self.lines) and "|" in self.lines[self.at]:
            rows.append(_cells(self.lines[self.at]))
            self.at += 1
        head = [plain(text) for text, _ in rows[0]]
        body = rows[2:]
        about_names = names.table_columns(head)
        if about_names is not None and names.HEADING.search(self.section):
            texts = [[plain(text) for text, _ in row] for row in body]
            self._keep_names(
                "",
                names.section_of_table(
                    about_names, texts, time_unit=self.time_unit, file=self.out.file, line=first + 3
                ),
            )
            self.out.aside(" | ".join(head), first + 1, "a table of names")
            return
        columns = columns_of(head)
        if columns.text is None:
            for number, row in enumerate(rows, start=first + 1):
                if number != first + 2:
                    line_text = " | ".join(plain(text) for text, _ in row)
                    self.out.aside(line_text, number, "a table without a column of requirements")
            return
        self.out.aside(" | ".join(head), first + 1, "the head of a table")
        for number, row in enumerate(body, start=first + 3):
            self._row(columns, columns.text, row, number)

    def _row(self, columns: CellColumns, at: int, row: list[tuple[str, int]], number: int) -> None:
        def cell(place: int | None) -> str | None:
            return (plain(row[place][0]) or None) if place is not None and place < len(row) else None

        if at >= len(row) or not plain(row[at][0]):
            self.out.aside(" | ".join(plain(text) for text, _ in row), number, "a row without a requirement")
            return
        passage, (text, column) = Passage(), row[at]
        for part, offset in parts(text):
            passage.join(part, number, column + offset)
        about = About(
            id=cell(columns.id), logic=cell(columns.logic), domain=cell(columns.domain), section=self.section
        )
        self.out.entry(passage, about)

    def _fenced(self, fence: re.Match[str]) -> None:
        self._close()
        first, mark, info = self.at, fence[1], fence[2].lower().split()
        self.at += 1
        while self.at < len(self.lines) and not self.lines[self.at].strip().startswith(mark):
            self.at += 1
        body = "\n".join(self.lines[first + 1 : self.at])
        self.at += 1
        if "vocabulary" in info:
            language = next((word for word in info if word in ("toml", "json", "yaml")), "toml")
            raw = names.settings_text(body, language, self.out.file)
            for domain, section in names.sections_in(raw, self.out.file).items():
                self._keep_names(domain, section)
            self.out.aside("vocabulary", first + 1, "names")
        else:
            self.out.aside(body, first + 1, "a block of code")

    def _front_matter(self) -> None:
        mark = self.lines[0].strip()
        if mark not in ("---", "+++"):
            return
        end = next((i for i, line in enumerate(self.lines[1:], start=1) if line.strip() == mark), None)
        if end is None:
            return
        body = "\n".join(self.lines[1:end])
        if mark == "+++" or re.search(r"^vocabulary\s*:", body, re.MULTILINE):
            raw = names.settings_text(body, "toml" if mark == "+++" else "yaml", self.out.file)
            if isinstance(raw, dict) and "vocabulary" in raw:
                for domain, section in names.sections_in(raw["vocabulary"], self.out.file).items():
                    self._keep_names(domain, section)
        self.out.aside(body, 2, "front matter")
        self.at = end + 1

    def _keep_names(self, domain: str, section: Vocabulary) -> None:
        earlier = self.out.vocabulary.get(domain)
        if earlier is None:
            self.out.vocabulary[domain] = section
            return
        merged = {
            kind: [*getattr(earlier, kind), *getattr(section, kind)]
            for kind in ("propositions", "objects", "regions")
        }
        self.out.vocabulary[domain] = joined(merged, earlier.time_unit, self.out.file)


def joined(kinds: dict[str, list[Entry]], time_unit: str, file: str) -> Vocabulary:
    """Several tables of names as one section; ConfigurationError if a name is given twice."""
    import msgspec

    raw = {kind: [msgspec.to_builtins(entry) for entry in entries] for kind, entries in kinds.items()}
    return names.sections_in({**raw, "time_unit": time_unit}, file)[""]


def _cells(line: str) -> list[tuple[str, int]]:
    """The cells of a table row with their columns; ``\\|`` is no border."""
    cells: list[tuple[str, int]] = []
    start, inside = 0, False
    for place, character in enumerate(line):
        if character == "`":
            inside = not inside
        if character == "|" and not inside and line[place - 1 : place] != "\\":
            cells.append((line[start:place], start))
            start = place + 1
    cells.append((line[start:], start))
    if cells and not cells[0][0].strip():
        cells.pop(0)
    if cells and not cells[-1][0].strip():
        cells.pop()
    return [(text.strip(), at + 1 + len(text) - len(text.lstrip())) for text, at in cells]


def read_markdown(text: str, file: str) -> Document:
    """The requirements of a Markdown file; ConfigurationError if the names in it are wrong."""
    try:
        return _Reader(text, file).read()
    except RecursionError:
        raise ConfigurationError("nested too deeply to be read", file=file) from None
