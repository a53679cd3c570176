"""A document that came as text, checked in a worker: each requirement decided and kept, and what they say together."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import msgspec

from assent.config.build import Assembly
from assent.documents.checking import Checked, Checker, CheckSettings
from assent.documents.findings import found_in
from assent.documents.outputs.json import document
from assent.documents.readers import read_documents
from assent.ledger.entries import Body
from assent.pipeline.book import Book
from assent.serve import schema

SUFFIXES = {"markdown": "md", "text": "txt", "csv": "csv", "tsv": "tsv", "jsonl": "jsonl"}
"""What may come as text; the other formats are files and folders."""
Run = Callable[[Awaitable[Checked]], Checked]


def checked_text(request: schema.CheckRequest, parts: Assembly, ledger: str, run: Run) -> Body:
    """The object of ``assent check --json``; what is wrong with the document is an error of the package."""
    with tempfile.TemporaryDirectory(prefix="assent-check-") as folder, Book(ledger) as book:
        file = Path(folder) / f"document.{SUFFIXES[request.format]}"
        file.write_text(request.text, "utf-8")
        names = None
        if request.vocabulary is not None:
            names = Path(folder) / "names.json"
            names.write_bytes(msgspec.json.encode(request.vocabulary))
        checker = Checker(
            parts=replace(parts, collector=replace(parts.collector, vocabularies={}, domain=None)),
            settings=CheckSettings(logic=request.logic, vocabulary=names, domain=request.domain),
            book=book,
        )
        checked = run(checker.run(read_documents([file])))
        report = document(checked, found_in(checked))
    for row in (*report["requirements"], *report["set_aside"]):
        row["file"] = request.name
    return {**report}
