"""What an editor shows of a document that was looked at: diagnostics, what hovering says, and what may be chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    Command,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Location,
    MarkupContent,
    MarkupKind,
    OptionalVersionedTextDocumentIdentifier,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)

from assent.documents.checking import Row
from assent.documents.outputs.places import remarks
from assent.documents.readers import form_of
from assent.documents.together import Noted
from assent.io import for_terminal
from assent.logic.draw import tree_text
from assent.lsp.office import DocumentView
from assent.lsp.places import Places, touch
from assent.review.meaning import readable

SOURCE = "assent"
VOUCH, LOOKED = "assent.vouch", "assent.looked"
"""Commands that write the lock."""
_SEVERITY = {
    "error": DiagnosticSeverity.Error,
    "warning": DiagnosticSeverity.Warning,
    "note": DiagnosticSeverity.Information,
}
_SIGNS = re.compile(r"([\\`*_{}\[\]()#+\-.!<>|~&$:])")
LONGEST_TITLE = 160


@dataclass(frozen=True, slots=True)
class Page:
    """A view in an editor. ``versioned``: the client checks the version of what an edit was made for."""

    view: DocumentView
    uri: str
    places: Places
    versioned: bool = True


def diagnostics(page: Page) -> list[Diagnostic]:
    """Every abstention and finding, at each requirement that it is about; about none: at the first line."""
    notes, places = [], page.places
    for remark in remarks(page.view.checked, page.view.findings):
        spans = [(place, places.of(place)) for place in remark.places]
        for number, (_, span) in enumerate(spans):
            others = [
                DiagnosticRelatedInformation(
                    Location(page.uri, other_span), f"{other.id}: {_shown(other.text)}"
                )
                for at, (other, other_span) in enumerate(spans)
                if at != number
            ]
            notes.append(_diagnostic(span, remark.level, remark.rule, remark.text, others))
        if not spans:
            notes.append(_diagnostic(places.line(1), remark.level, remark.rule, remark.text, []))
    return notes


def failure(message: str, line: int | None, places: Places) -> Diagnostic:
    """An error about the document as a whole, at the line that it names."""
    return _diagnostic(places.line(line or 1), "error", "unreadable", message, [])


def _diagnostic(
    span: Range, level: str, rule: str, text: str, others: list[DiagnosticRelatedInformation]
) -> Diagnostic:
    return Diagnostic(
        range=span,
        message=_shown(text),
        severity=_SEVERITY[level],
        code=rule,
        source=SOURCE,
        related_information=others or None,
    )


def _shown(text: str) -> str:
    return for_terminal(text)


# ---- hovering ------------------------------------------------------------------------------------------------


def hover(row: Row, findings: Sequence[Noted], *, markdown: bool) -> MarkupContent:
    """Decision, English, formula and tree of a requirement, its readings, and what was found about it."""
    parts = list(_paragraphs(row, findings))
    if markdown:
        kind, paragraphs = (
            MarkupKind.Markdown,
            [_fenced(text) if code else _escaped(text) for text, code in parts],
        )
    else:
        kind, paragraphs = MarkupKind.PlainText, [text for text, _ in parts]
    return MarkupContent(kind, "\n\n".join(paragraphs))


def _paragraphs(row: Row, findings: Sequence[Noted]) -> Iterator[tuple[str, bool]]:
    """The paragraphs about a requirement: (text, whether it is code)."""
    judgement = row.judgement
    suspect = f", suspect ({', '.join(row.suspect)})" if row.suspect else ""
    head = f"{row.requirement.id} ({judgement.logic}): "
    if judgement.vouched:
        yield f"{head}vouched for by {judgement.by}{suspect}", False
        yield judgement.english or "", False
        yield judgement.formula or "", True
    else:
        yield f"{head}abstained{suspect}: {judgement.reason}: {judgement.detail}", False
        for number, reading in enumerate(judgement.readings, start=1):
            yield f"It may mean {number}: {reading.english}", False
            yield reading.formula, True
    tree = None if judgement.best is None else readable(judgement.best, judgement.logic)
    if tree is not None:
        yield "Tree:" if judgement.vouched else "Tree of the candidate, which is not vouched for:", False
        yield tree_text(tree), True
    for noted in findings:
        yield f"{noted.kind}: {noted.said}", False


def _escaped(text: str) -> str:
    """The text with every sign of Markdown escaped, in one line."""
    return _SIGNS.sub(r"\\\1", " ".join(_shown(text).split()))


def _fenced(text: str) -> str:
    return f"```text\n{text.replace('```', '')}\n```"


# ---- choosing ------------------------------------------------------------------------------------------------


def actions(page: Page, span: Range, about: Sequence[Diagnostic]) -> list[CodeAction]:
    """Quick fixes for the requirements in a range: vouch for a reading, rewrite by it, or say that one looked."""
    offered: list[CodeAction] = []
    for row in page.view.checked.rows:
        row_span = page.places.of(row.requirement)
        if touch(row_span, span):
            mended = [note for note in about if note.source == SOURCE and note.range == row_span]
            offered += _actions(page, row, mended)
    return offered


def _actions(page: Page, row: Row, about: Sequence[Diagnostic]) -> Iterator[CodeAction]:
    identity, uri, version = row.requirement.id, page.uri, page.view.draft.version
    mended = [note for note in about if note.code in ("abstained", "ambiguous")]
    for reading in () if row.judgement.vouched else row.judgement.readings:
        edit = _rewritten(page, row, reading.english)
        if edit is not None:
            title = _title(f"{identity}: rewrite as: {reading.english}")
            yield CodeAction(title=title, kind=CodeActionKind.QuickFix, diagnostics=mended, edit=edit)
        title = _title(f"{identity}: vouch that it means: {reading.english}")
        vouch = Command(title, VOUCH, [uri, version, identity, reading.formula])
        yield CodeAction(title=title, kind=CodeActionKind.QuickFix, diagnostics=mended, command=vouch)
    if row.suspect:
        mended = [note for note in about if note.code == "suspect"]
        title = _title(f"{identity}: I looked at it; it is no longer suspect")
        looked = Command(title, LOOKED, [uri, version, identity])
        yield CodeAction(title=title, kind=CodeActionKind.QuickFix, diagnostics=mended, command=looked)


def _rewritten(page: Page, row: Row, english: str) -> WorkspaceEdit | None:
    """The sentence replaced by the English of a reading; None where marks or other lines are part of it."""
    requirement = row.requirement
    needs = form_of(Path(requirement.file)) == "needs"
    original = page.places.slice(requirement)
    if needs:
        original = _unescaped(original)
    if " ".join(original.split()) != requirement.text:
        return None
    new = json.dumps(english, ensure_ascii=False)[1:-1] if needs else english
    edits = [TextEdit(page.places.of(requirement), new)]
    if not page.versioned:
        return WorkspaceEdit(changes={page.uri: edits})
    document = OptionalVersionedTextDocumentIdentifier(page.uri, page.view.draft.version)
    return WorkspaceEdit(document_changes=[TextDocumentEdit(document, list(edits))])


def _unescaped(text: str) -> str:
    """The content of a JSON string without its quotes; empty if it is not valid."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return ""


def _title(text: str) -> str:
    return shorten(_shown(text), LONGEST_TITLE, placeholder=" ...")
