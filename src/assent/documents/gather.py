"""Entries of a document (a list item, a cell, a paragraph) become requirements and what is set aside."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from assent.documents.content import LONGEST_ENTRY, MOST_REQUIREMENTS
from assent.documents.sentences import Piece, demands, labelled, requirements_in, why_not
from assent.documents.written import Document, SetAside, WrittenRequirement
from assent.errors import DataError
from assent.vocabulary import Vocabulary

EXACT = frozenset({"markdown", "text", "needs"})
"""Formats whose passages know the place of every character."""


class Passage:
    """A text put together from parts of lines, which knows where each character stands in the file."""

    def __init__(self) -> None:
        self.text = ""
        self._starts: list[int] = []
        self._places: list[tuple[int, int]] = []

    @classmethod
    def of(cls, text: str, line: int, column: int = 1) -> Passage:
        """A text that begins at one place."""
        passage = cls()
        passage.add(text, line, column)
        return passage

    def add(self, text: str, line: int, column: int = 1) -> None:
        """Put a part behind what is there, with a blank between them."""
        if not text:
            return
        if self.text and not self.text[-1].isspace():
            self.text += " "
        self._starts.append(len(self.text))
        self._places.append((line, column))
        self.text += text

    def join(self, text: str, line: int, column: int) -> None:
        """Put a part directly behind what is there."""
        if text:
            self._starts.append(len(self.text))
            self._places.append((line, column))
            self.text += text

    def follow(self, other: Passage, start: int) -> None:
        """Put ``other`` from a character on behind what is there, with a blank between them, each part in its place."""
        ends = [*other._starts[1:], len(other.text)]
        first = True
        for begin, end in zip(other._starts, ends, strict=True):
            begin = max(begin, start)
            if begin < end:
                append = self.add if first else self.join
                append(other.text[begin:end], *other.place(begin))
                first = False

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character."""
        if not self._starts:
            return 1, 1
        part = max(0, bisect_right(self._starts, offset) - 1)
        line, column = self._places[part]
        return line, column + offset - self._starts[part]


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is known of an entry beside its text."""

    id: str | None = None
    logic: str | None = None
    domain: str | None = None
    section: str = ""
    strict: bool = False
    """Only sentences that demand something ("shall", "never") are requirements: running text."""
    file: str | None = None
    """Where the entry stands, if not in the file of the document (a folder of files)."""


class Gatherer:
    """Takes the entries of one file in order and gives the document."""

    def __init__(self, file: str, form: str) -> None:
        self.file, self.form = file, form
        self._written: list[WrittenRequirement] = []
        self._aside: list[SetAside] = []
        self._ids: dict[str, int] = {}
        self.vocabulary: dict[str, Vocabulary] = {}

    def aside(self, text: str, line: int, why: str, column: int = 1) -> None:
        """Keep what is no requirement, with the reason; blank text is nothing."""
        if text.strip():
            self._aside.append(
                SetAside(file=self.file, line=line, column=column, text=" ".join(text.split()), why=why)
            )

    def entry(self, passage: Passage, about: About) -> None:
        """Read one entry: its identifier, its requirements, its remarks. One that is too long is refused."""
        if len(passage.text) > LONGEST_ENTRY:
            self.refuse(passage, about, f"longer than {LONGEST_ENTRY} characters")
            return
        label, start = labelled(passage.text)
        identity = about.id or label
        body = passage.text[start:]
        requirements: list[Piece] = []
        for piece in requirements_in(body):
            strict = about.strict and not (label and not requirements)
            why = why_not(piece.text) if not strict else None if demands(piece.text) else "asks for nothing"
            if why is None and piece.start and not demands(piece.text):
                why = "a remark beside a requirement"
            if why is None:
                requirements.append(piece)
            else:
                line, column = passage.place(start + piece.start)
                self.aside(piece.text, line, why, column)
        for number, piece in enumerate(requirements, start=1):
            suffix = f".{number}" if len(requirements) > 1 else ""
            self._keep(passage, start, piece, identity and f"{identity}{suffix}", about, entry=identity)

    def refuse(self, passage: Passage, about: About, why: str) -> None:
        """Keep an entry as a requirement that must not be translated as it stands."""
        label, start = labelled(passage.text)
        piece = Piece(passage.text[start:].strip(), 0, why)
        self._keep(passage, start, piece, about.id or label, about, entry=about.id or label)

    def _keep(
        self,
        passage: Passage,
        start: int,
        piece: Piece,
        identity: str | None,
        about: About,
        *,
        entry: str | None,
    ) -> None:
        line, column = passage.place(start + piece.start)
        last = passage.place(start + piece.start + len(piece.text) - 1)
        has_id = identity is not None
        identity = identity if identity is not None else self._made_up(line)
        if identity in self._ids:
            raise DataError(
                f"the id {identity!r} is taken by line {self._ids[identity]}", file=self.file, line=line
            )
        self._ids[identity] = line
        if len(self._written) >= MOST_REQUIREMENTS:
            raise DataError(f"has more than {MOST_REQUIREMENTS} requirements", file=self.file)
        self._written.append(
            WrittenRequirement(
                id=identity,
                text=" ".join(piece.text.split()),
                file=about.file or self.file,
                line=line,
                column=column,
                logic=about.logic,
                domain=about.domain,
                section=about.section,
                named=has_id,
                refused=piece.refused,
                entry=entry,
                end=(last[0], last[1] + 1) if self.form in EXACT else None,
            )
        )

    def _made_up(self, line: int) -> str:
        """An identifier from the place, for a requirement that has none."""
        base = f"{PurePath(self.file).stem}:{line}"
        identity, number = base, 1
        while identity in self._ids:
            number += 1
            identity = f"{base}.{number}"
        return identity

    def document(self) -> Document:
        """Everything so far."""
        return Document(
            file=self.file,
            format=self.form,
            requirements=tuple(self._written),
            aside=tuple(self._aside),
            vocabulary=dict(self.vocabulary),
        )


def told_apart(documents: Iterable[Document]) -> list[Document]:
    """Documents in which an id of several files has its file before it ("door.md#R-1"), so that each is unique."""
    all_documents = list(documents)
    owners: dict[str, set[str]] = {}
    for document in all_documents:
        for requirement in document.requirements:
            owners.setdefault(requirement.id, set()).add(document.file)
    return [_qualified(document, owners) for document in all_documents]


def _qualified(document: Document, owners: Mapping[str, set[str]]) -> Document:
    if all(len(owners[requirement.id]) == 1 for requirement in document.requirements):
        return document
    renamed = (
        replace(requirement, id=f"{document.file}#{requirement.id}")
        if len(owners[requirement.id]) > 1
        else requirement
        for requirement in document.requirements
    )
    return replace(document, requirements=tuple(renamed))
