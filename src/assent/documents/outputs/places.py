"""Where a finding stands, how grave it is, and what each kind says: shared by SARIF, annotations and JUnit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assent.documents.checking import Checked
from assent.documents.together import Noted
from assent.documents.written import WrittenRequirement

ABSTAINED = "abstained"
RULES: Mapping[str, str] = {
    ABSTAINED: "no formula is vouched for",
    "conflict": "no behaviour satisfies all of these requirements",
    "vacuous": "the requirement asks for nothing, because other requirements rule its trigger out",
    "redundant": "several other requirements together imply this one",
    "duplicate": "these requirements mean the same",
    "subsumed": "another requirement implies this one",
    "never-triggered": "the trigger of the requirement can never happen",
    "always-true": "the requirement is true of every behaviour",
    "unconstrained": "nothing is asked of a name, or a response has no trigger",
    "ambiguous": "the requirement can be read in several ways",
    "suspect": "something changed since somebody looked at the requirement",
}
_GRAVE = {"conflict": "error", "unconstrained": "note", "redundant": "note", "subsumed": "note"}

_LOWER = {"error": "warning", "warning": "note", "note": "note"}
"""How grave a finding is that rests on formulas nobody vouches for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something to say at places of documents. ``level`` is error, warning or note."""

    rule: str
    level: str
    text: str
    places: tuple[WrittenRequirement, ...]


def remarks(checked: Checked, findings: Sequence[Noted]) -> Iterator[Remark]:
    """Every abstention and every finding, in the order of the documents."""
    by_id = {row.requirement.id: row.requirement for row in checked.rows}
    for row in checked.rows:
        if not row.judgement.vouched:
            text = f"{row.requirement.id}: {row.judgement.reason}: {row.judgement.detail}"
            failed = row.judgement.reason == "failed"
            yield Remark(
                rule=ABSTAINED, level="error" if failed else "warning", text=text, places=(row.requirement,)
            )
    for noted in findings:
        places = tuple(by_id[name] for name in noted.requirements if name in by_id)
        level = _GRAVE.get(noted.kind, "warning") if noted.decided else "note"
        if noted.unvouched:
            level = _LOWER[level]
        yield Remark(rule=noted.kind, level=level, text=noted.said, places=places)
