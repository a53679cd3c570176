"""What a reader makes of a file: requirements as they are written, and what was set aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assent.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRequirement:
    """One requirement as it stands in a document. Lines and columns count from 1.

    ``named``: the id stands in the document; otherwise it was made from the place. ``refused``: why the text must
    not be handed to a translator as it is; None if it may. ``entry``: the id of the entry that it is, or is a part of.
    ``end``: line and column behind its last character, where the format says it exactly (Markdown, text, needs).
    """

    id: str
    text: str
    file: str
    line: int
    column: int = 1
    logic: str | None = None
    domain: str | None = None
    section: str = ""
    named: bool = False
    refused: str | None = None
    entry: str | None = None
    end: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A part of a document that is no requirement, and why it was not taken for one."""

    file: str
    line: int
    text: str
    why: str
    column: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file that was read. ``vocabulary``: sections by domain that stand in the file itself; empty without any."""

    file: str
    format: str
    requirements: tuple[WrittenRequirement, ...]
    aside: tuple[SetAside, ...] = ()
    vocabulary: Mapping[str, Vocabulary] = field(default_factory=dict)
