"""What is found in documents: suspects, ambiguous requirements, and what requirements say together."""

from __future__ import annotations

from collections.abc import Iterable

from assent.documents.checking import Checked, Row
from assent.documents.together import Noted, Studies, said_together
from assent.logic.semantics import Trace


def trace_row(trace: Trace) -> dict[str, object]:
    """A behaviour as JSON, in the form of ``assent compare --json``."""
    from assent.logic.render import decimal, write

    return {
        "states": [
            {"from": first, "to": last, "true": sorted(write(atom) for atom in state)}
            for first, last, state in trace.stretches()
        ],
        "loop": trace.loop,
        "step": decimal(trace.step),
    }


_CHANGED = {
    "text": "its text changed",
    "vocabulary": "the vocabulary changed",
    "policy": "the policy changed",
    "logic": "its logic changed",
}


def _why(row: Row) -> str:
    """Why a requirement is suspect, and what was said of it before."""
    if row.suspect == ("new",):
        return "it is not in the lock"
    why = " and ".join(_CHANGED.get(part, part) for part in row.suspect)
    if row.pins.person and row.judgement.by is not None:
        return f"vouched by {row.judgement.by} before {why}: look again ({row.judgement.best})"
    before = f"; it was {row.was}" if row.was is not None and row.was != row.judgement.best else ""
    return f"{why} since it was looked at{before}"


def suspects(checked: Checked, *, strict: bool = False) -> list[Noted]:
    """Requirements that changed since somebody looked; with ``strict`` also what is gone from the documents."""
    noted = []
    for row in checked.rows:
        if not row.suspect:
            continue
        detail = f"{row.requirement.id}: {_why(row)}"
        noted.append(Noted(kind="suspect", requirements=(row.requirement.id,), detail=detail))
    if strict:
        noted += [
            Noted(
                kind="suspect",
                requirements=(entry.id,),
                detail=f"{entry.shown} of {entry.file} is in the lock only",
            )
            for entry in checked.gone
        ]
    return noted


def ambiguous(rows: Iterable[Row]) -> list[Noted]:
    """Requirements that were withheld because they can be read in several ways."""
    return [
        Noted(
            kind="ambiguous",
            requirements=(row.requirement.id,),
            detail=f"{row.requirement.id} may mean: "
            + " / or: ".join(reading.english for reading in row.judgement.readings),
        )
        for row in rows
        if not row.judgement.vouched and len(row.judgement.readings) > 1
    ]


def found_in(
    checked: Checked,
    *,
    strict: bool = False,
    only_vouched: bool = False,
    budget: int | None = None,
    studies: Studies | None = None,
) -> list[Noted]:
    """Every finding about the checked documents, in a fixed order.

    ``budget``: steps of the decider for each requirement. ``studies``: what a lock knows, and takes.
    """
    together = said_together(checked, only_vouched=only_vouched, budget=budget, studies=studies)
    return [*suspects(checked, strict=strict), *ambiguous(checked.rows), *together]
