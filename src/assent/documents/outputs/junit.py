"""JUnit: a suite a document, a case a requirement; an abstention or a finding is a failure, a failed model an error."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from assent.documents.checking import Checked, Row
from assent.documents.outputs.places import ABSTAINED
from assent.documents.together import Noted

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """The document as XML."""
    top = ElementTree.Element("testsuites", name="assent check")
    about: dict[str, list[Noted]] = {}
    for noted in findings:
        for name in noted.requirements or ("",):
            about.setdefault(name, []).append(noted)
    for file in dict.fromkeys(row.requirement.file for row in checked.rows):
        rows = [row for row in checked.rows if row.requirement.file == file]
        _suite(top, file, [(_name(row), row, about.pop(row.requirement.id, [])) for row in rows])
    if about:  # names that nobody constrains, entries that are in the lock only
        _suite(top, "findings", [(name or "the whole", None, noted) for name, noted in about.items()])
    ElementTree.indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(top, encoding="unicode") + "\n"


def _name(row: Row) -> str:
    return f"{row.requirement.id} (line {row.requirement.line})"


def _suite(top: ElementTree.Element, name: str, cases: Sequence[tuple[str, Row | None, list[Noted]]]) -> None:
    suite = ElementTree.SubElement(top, "testsuite", name=_clean(name), tests=str(len(cases)))
    failures = errors = 0
    for title, row, findings in cases:
        case = ElementTree.SubElement(suite, "testcase", name=_clean(title), classname=_clean(name))
        problems = [(noted.kind, noted.said) for noted in findings]
        failed = row is not None and row.judgement.reason == "failed"
        if row is not None and not row.judgement.vouched:
            problems.insert(0, (ABSTAINED, f"{row.judgement.reason}: {row.judgement.detail}"))
        if problems:
            kinds = ", ".join(dict.fromkeys(kind for kind, _ in problems))
            tag = "error" if failed else "failure"
            failure = ElementTree.SubElement(case, tag, type=kinds, message=_clean(problems[0][1]))
            failure.text = _clean("\n".join(f"{kind}: {text}" for kind, text in problems))
            failures, errors = failures + (not failed), errors + failed
    suite.set("failures", str(failures))
    suite.set("errors", str(errors))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
