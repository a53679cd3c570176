"""Documents: what a file that was sent holds, decisions as a table for spreadsheets, and the certificate."""

from __future__ import annotations

import base64
import binascii
import csv
import io
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from assent.documents.outputs.csv import cells
from assent.documents.readers import read_document
from assent.documents.written import Document
from assent.errors import AssentError, UsageError
from assent.ledger.entries import Body
from assent.ledger.log import Ledger
from assent.review.certify import Audit
from assent.review.page import certificate_page
from assent.vocabulary import Vocabulary

SUFFIXES = ".md .markdown .txt .text .csv .tsv .jsonl .ndjson"
"""What the page reads; ``assent check`` reads more."""
HEAD = (
    "id",
    "line",
    "text",
    "logic",
    "decision",
    "formula",
    "english",
    "reason",
    "detail",
    "score",
    "decision_id",
)


def read(name: str, content: bytes) -> Body:
    """The requirements of a file: cases for a batch, what must not be asked, what was set aside, names it brings."""
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if suffix not in SUFFIXES.split():
        raise UsageError(f"the page reads {SUFFIXES.replace(' ', ', ')}; 'assent check' reads more")
    with tempfile.TemporaryDirectory(prefix="assent-page-") as folder:
        path = Path(folder, f"document{suffix}")
        path.write_bytes(content)
        try:
            return _rows(read_document(path))
        except AssentError as error:  # said without the place where the file was put for reading
            raise UsageError(str(error).replace(str(path), name)) from None


def decoded(content: str) -> bytes:
    """What a browser sends of a file: base64; UsageError if it is none."""
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error:
        raise UsageError("the content is not base64") from None


def _rows(document: Document) -> Body:
    return {
        "requirements": [
            {
                "id": part.id,
                "line": part.line,
                "text": part.text,
                "logic": None if part.logic is None else part.logic.lower(),
                "domain": part.domain,
                "refused": part.refused,
            }
            for part in document.requirements
        ],
        "aside": [{"line": part.line, "text": part.text, "why": part.why} for part in document.aside],
        "vocabulary": _vocabulary(document.vocabulary),
    }


def _vocabulary(sections: Mapping[str, Vocabulary]) -> Body | None:
    """Sections as a request names them; one without a name is the section itself."""
    if not sections:
        return None
    plain = {name: msgspec.to_builtins(section) for name, section in sections.items()}
    return dict(plain[""]) if set(plain) == {""} else plain


def table(rows: Sequence[Mapping[str, object]]) -> str:
    """Decisions as CSV; no cell is taken for a formula by a spreadsheet."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEAD)
    for row in rows:
        writer.writerow(cells([row.get(name) for name in HEAD]))
    return out.getvalue()


def certificate(ledger: Ledger, confidence: str) -> dict[str, str]:
    """The certificate for everything in the ledger: in a sentence, and as a page to print."""
    certified = Audit.read(ledger).certificate(confidence)
    if not certified.accepted:
        raise UsageError("nothing was accepted: there is nothing to certify")
    if not certified.audited:
        raise UsageError("no accepted formula was drawn for review yet: review first")
    return {"sentence": certified.sentence, "page": certificate_page(ledger, certified)}
