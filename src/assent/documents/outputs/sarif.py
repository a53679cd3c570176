"""SARIF 2.1.0: abstentions and findings as results with file, line and column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from assent import __version__
from assent.documents.checking import Checked
from assent.documents.lock import digest, text_digest
from assent.documents.outputs.places import RULES, Remark, remarks
from assent.documents.together import Noted
from assent.documents.written import WrittenRequirement
from assent.io.lines import encode

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """One SARIF log with one run."""
    names = list(RULES)
    results = [_result(remark, names, checked) for remark in remarks(checked, findings)]
    rules = [{"id": name, "shortDescription": {"text": meaning}} for name, meaning in RULES.items()]
    driver = {"name": "assent", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return encode({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}).decode()


def _result(remark: Remark, names: list[str], checked: Checked) -> dict[str, object]:
    """What is said of no requirement stands at the beginning of the first document."""
    first, *others = [_location(place) for place in remark.places] or [_beginning(checked.files[0])]
    row: dict[str, object] = {
        "ruleId": remark.rule,
        "ruleIndex": names.index(remark.rule),
        "level": remark.level,
        "message": {"text": remark.text},
        "locations": [first],
        "partialFingerprints": {"requirements/v1": _fingerprint(remark)},
    }
    if others:
        row["relatedLocations"] = [{"id": number, **place} for number, place in enumerate(others, start=1)]
    return row


def _fingerprint(remark: Remark) -> str:
    """The same for the same finding about the same texts, wherever they stand."""
    return digest("\0".join([remark.rule, *sorted(text_digest(place.text) for place in remark.places)]))


def _location(place: WrittenRequirement) -> dict[str, object]:
    region: dict[str, object] = {"startLine": place.line, "startColumn": place.column}
    if place.end is not None:
        region |= {"endLine": place.end[0], "endColumn": place.end[1]}
    region["snippet"] = {"text": place.text}
    return {
        "physicalLocation": {"artifactLocation": {"uri": address(place.file)}, "region": region},
        "logicalLocations": [{"name": place.id, "kind": "member"}],
    }


def _beginning(file: str) -> dict[str, object]:
    return {"physicalLocation": {"artifactLocation": {"uri": address(file)}, "region": {"startLine": 1}}}


def address(file: str) -> str:
    """A path as a URI: relative ones stay relative."""
    path = PurePath(file)
    if path.is_absolute():
        return path.as_uri()
    return quote(path.as_posix().encode("utf-8", "surrogateescape"), safe="/")
