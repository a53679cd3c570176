"""Which reader reads which file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from assent.documents.content import LONGEST_DOCUMENT, decoded, document_text
from assent.documents.gather import told_apart
from assent.documents.written import Document
from assent.errors import UsageError
from assent.io.files import read_bytes

Columns = Mapping[str, str]


def _markdown(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.markdown import read_markdown

    return read_markdown(document_text(path), file)


def _text(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.plain import read_plain

    return read_plain(document_text(path), file)


def _csv(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.tables import read_csv

    return read_csv(document_text(path), file, columns)


def _tsv(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.tables import read_csv

    return read_csv(document_text(path), file, columns, tabs=True)


def _xlsx(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.tables import read_sheet

    return read_sheet(path, file, columns)


def _jsonl(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.tables import read_json_lines

    return read_json_lines(path, file)


def _needs(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.needs import read_needs

    return read_needs(document_text(path), file)


def _doorstop(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.doorstop import read_doorstop, read_doorstop_item

    return read_doorstop(path, file) if path.is_dir() else read_doorstop_item(path, file)


def _strictdoc(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.strictdoc import read_strictdoc

    return read_strictdoc(document_text(path), file)


def _reqif(path: Path, file: str, columns: Columns) -> Document:
    from assent.documents.reqif import read_reqif

    return read_reqif(read_bytes(path, most=LONGEST_DOCUMENT), file, columns)


Reader = Callable[[Path, str, Columns], Document]
FORMATS: dict[str, Reader] = {
    "markdown": _markdown,
    "text": _text,
    "csv": _csv,
    "tsv": _tsv,
    "xlsx": _xlsx,
    "jsonl": _jsonl,
    "needs": _needs,
    "doorstop": _doorstop,
    "strictdoc": _strictdoc,
    "reqif": _reqif,
}
_SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".xlsx": "xlsx",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "needs",
    ".yml": "doorstop",
    ".sdoc": "strictdoc",
    ".reqif": "reqif",
}


def form_of(path: Path) -> str:
    """The format of a file by its name; UsageError if the name does not say."""
    if path.is_dir():
        return "doorstop"
    form = _SUFFIXES.get(path.suffix.lower())
    if form is None:
        suffixes = ", ".join(sorted(_SUFFIXES))
        raise UsageError(f"{path}: the name does not say what it is ({suffixes}); say it with --from FORMAT")
    return form


def read_document(path: str | Path, *, form: str | None = None, columns: Columns | None = None) -> Document:
    """One document. ``form`` is a key of ``FORMATS``; ``columns`` maps id, text, logic, domain to names of columns.

    UsageError if there is no such file or format, DataError or ConfigurationError if it cannot be read.
    """
    place = Path(path)
    if not place.exists():
        raise UsageError(f"there is no file {str(path)!r}")
    return FORMATS[form or form_of(place)](place, str(path), columns or {})


def read_text(text: str, file: str) -> Document:
    """A document that is being written, not the file: Markdown, text or needs, by the name of ``file``.

    UsageError if the name says another format, DataError or ConfigurationError if it cannot be read.
    """
    form = form_of(Path(file))
    content = decoded(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").encode("utf-8", "replace"), file)
    if form == "markdown":
        from assent.documents.markdown import read_markdown

        return read_markdown(content, file)
    if form == "text":
        from assent.documents.plain import read_plain

        return read_plain(content, file)
    if form == "needs":
        from assent.documents.needs import read_needs

        return read_needs(content, file)
    raise UsageError(f"{file}: is not Markdown, text or needs.json")


def read_documents(
    paths: Iterable[str | Path], *, form: str | None = None, columns: Columns | None = None
) -> list[Document]:
    """Several documents; an id that several of them have gets its file before it."""
    return told_apart(
        read_document(path, form=form, columns=columns) for path in dict.fromkeys(map(str, paths))
    )
