"""The names that a document's requirements may speak of: in the document itself, or in a file beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from assent.errors import ConfigurationError
from assent.vocabulary import Vocabulary, load_sections, sections_of

HEADING = re.compile(
    r"\b(?:vocabulary|glossary|signals?|names|terms|definitions|data dictionary|variables|propositions)\b",
    re.IGNORECASE,
)
"""Headings under which a table or a list gives names."""
_COLUMNS = {
    "name": "name", "signal": "name", "variable": "name", "proposition": "name", "identifier": "name",
    "term": "name", "says": "says", "called": "says", "phrase": "says", "means": "says", "meaning": "says",
    "words": "says", "wording": "says", "type": "type", "kind": "type", "unit": "unit", "units": "unit",
    "range": "range", "synonyms": "synonyms", "also": "synonyms",
}  # fmt: skip
_TYPES = {
    "bool": "bool", "boolean": "bool", "proposition": "bool", "state": "bool", "event": "bool", "": "bool",
    "flag": "bool", "number": "number", "real": "number", "float": "number", "integer": "number", "int": "number",
    "numeric": "number", "signal": "number", "object": "object", "region": "region",
}  # fmt: skip
_RANGE = re.compile(r"\[?\s*([-+]?\d+(?:\.\d+)?)\s*(?:\.\.+|,|;|to|–|—|-)\s*([-+]?\d+(?:\.\d+)?)\s*\]?\Z")
_TIME_UNIT = re.compile(r"\btime[ _]unit\s*(?:[:=]|is|are)?\s*[`\"']?(ms|s|min|h|steps)\b", re.IGNORECASE)


def table_columns(head: Sequence[str]) -> dict[str, int] | None:
    """Which column of a table says what of a name; None if it is no table of names."""
    places: dict[str, int] = {}
    for number, cell in enumerate(head):
        kind = _COLUMNS.get(cell.strip().lower())
        if kind is not None:
            places.setdefault(kind, number)
    return places if "name" in places and len(places) >= 2 else None


def section_of_table(
    columns: Mapping[str, int], rows: Sequence[Sequence[str]], *, time_unit: str, file: str, line: int
) -> Vocabulary:
    """The names of a table; ConfigurationError with the file if a row is wrong."""
    kinds: dict[str, list[dict[str, object]]] = {"propositions": [], "objects": [], "regions": []}
    for number, row in enumerate(rows, start=line):
        cells = {kind: row[at].strip() for kind, at in columns.items() if at < len(row)}
        if not cells.get("name"):
            continue
        kind = _TYPES.get(cells.get("type", "").lower())
        if kind is None:
            raise ConfigurationError(
                f"line {number}: the type {cells['type']!r} is none of bool, number, object, region",
                file=file,
                key=cells["name"],
            )
        entry: dict[str, object] = {"name": cells["name"]}
        entry |= {key: cells[key] for key in ("says", "unit") if cells.get(key) not in (None, "", "-", "–")}
        if kind == "number":
            entry |= {"type": "number"} | _range(cells.get("range", ""))
        kinds[{"object": "objects", "region": "regions"}.get(kind, "propositions")].append(entry)
    return sections_of({**kinds, "time_unit": time_unit}, file)[""]


def _range(text: str) -> dict[str, object]:
    bounds = _RANGE.match(text.strip())
    return {"range": [float(bounds[1]), float(bounds[2])]} if bounds else {}


def time_unit_in(text: str) -> str | None:
    """The unit of time that a line of a document names ("time unit: s")."""
    match = _TIME_UNIT.search(text)
    return match[1].lower() if match else None


def sections_in(raw: object, file: str) -> dict[str, Vocabulary]:
    """Sections from front matter or a fenced block of a document."""
    if not isinstance(raw, Mapping):
        raise ConfigurationError("the vocabulary must be a table", file=file)
    return sections_of(raw, file)


def beside(file: str) -> Path | None:
    """The vocabulary file that stands beside a document: ``pump.md.vocabulary.toml`` or ``pump.vocabulary.toml``."""
    path = Path(file)
    stems = (path.name, path.stem) if path.suffix else (path.name,)
    files = [
        candidate
        for stem in stems
        for suffix in ("toml", "json")
        if (candidate := path.with_name(f"{stem}.vocabulary.{suffix}")).is_file()
    ]
    if path.is_dir():
        files += [p for p in (path / "vocabulary.toml", path / "vocabulary.json") if p.is_file()]
    if len(files) > 1:
        raise ConfigurationError(
            f"several vocabularies stand beside it ({', '.join(p.name for p in files)}): keep one", file=file
        )
    return files[0] if files else None


def sections_for(
    file: str, inside: Mapping[str, Vocabulary], given: str | Path | None
) -> dict[str, Vocabulary]:
    """The names for a document: those given with the call, else those in it, else those beside it; empty if none.

    ConfigurationError if there are names both in it and beside it: one of the two would be overlooked.
    """
    if given is not None:
        return load_sections(given)
    outside = beside(file)
    if inside and outside is not None:
        raise ConfigurationError(
            f"names stand in the document and in {outside.name}: keep one of them", file=file
        )
    return dict(inside) if inside or outside is None else load_sections(outside)


def settings_text(text: str, language: str, file: str) -> object:
    """A fenced block or front matter in TOML, JSON or YAML; ConfigurationError if it cannot be read."""
    import json
    import tomllib

    try:
        if language == "toml":
            return tomllib.loads(text)
        if language == "json":
            return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"cannot be read as {language.upper()}: {str(error)[:200]}", file=file
        ) from error
    from assent.documents.yamls import yaml_value

    return yaml_value(text, file)
