"""What persons say about requirements of a lock: that they looked at a suspect, or which formula is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assent.documents.checking import Checked, Row
from assent.documents.judgement import ACCEPTED, Judgement
from assent.errors import UsageError
from assent.logic.ast import Logic
from assent.logic.english import english
from assent.logic.english.say import UNIT
from assent.logic.parse import read

ALL = "all"


def looked_at(checked: Checked, ids: Sequence[str], handle: str | None) -> Checked:
    """Suspects that a person looked at are no longer suspect; UsageError for an id that is none.

    Where somebody vouched for a formula before the text changed, who looks vouches for it now.
    """
    if not ids:
        return checked
    chosen_ids = set(ids)
    suspects = {row.requirement.id for row in checked.rows if row.suspect}
    unknown = chosen_ids - suspects - {ALL}
    if unknown:
        raise UsageError(f"--looked {sorted(unknown)[0]!r}: there is no such suspect")
    rows = (
        _confirmed(row, handle)
        if row.suspect and (ALL in chosen_ids or row.requirement.id in chosen_ids)
        else row
        for row in checked.rows
    )
    return replace(checked, rows=tuple(rows))


def _confirmed(row: Row, handle: str | None) -> Row:
    row = replace(row, suspect=(), looked=handle)
    if not row.judgement.held:
        return row
    return _vouched(row, str(row.judgement.candidate), handle or "")


def vouched_for(checked: Checked, choices: Sequence[str], handle: str | None) -> Checked:
    """Requirements for whose formula a person vouches: ``ID=FORMULA``, or ``ID=2`` for its second reading.

    UsageError for an unknown id or reading, FormulaError if it is no formula. Such an entry rests on no policy.
    """
    formulas: dict[str, str] = {}
    ids = {row.requirement.id for row in checked.rows}
    for part in choices:
        identity = next((i for i in sorted(ids, key=len, reverse=True) if part.startswith(f"{i}=")), None)
        if identity is None:
            raise UsageError(f"--vouch {part!r}: no requirement has this id; write ID=FORMULA")
        formulas[identity] = part[len(identity) + 1 :].strip()
    rows = (
        _vouched(row, formulas[row.requirement.id], handle or "") if row.requirement.id in formulas else row
        for row in checked.rows
    )
    return replace(checked, rows=tuple(rows))


def _vouched(row: Row, choice: str, handle: str) -> Row:
    readings = row.judgement.readings
    if choice.isdecimal():
        if not 1 <= int(choice) <= len(readings):
            raise UsageError(f"--vouch {row.requirement.id}={choice}: it has {len(readings)} readings")
        choice = readings[int(choice) - 1].formula
    logic = Logic(row.judgement.logic)
    formula = read(choice, logic)
    unit = UNIT if row.names is None else row.names.unit_words
    judgement = Judgement(
        decision=ACCEPTED,
        logic=logic.value,
        formula=str(formula),
        english=english(formula, unit=unit),
        by=handle,
    )
    pins = type(row.pins)(row.pins.text, row.pins.vocabulary, "", row.pins.logic)
    return replace(row, judgement=judgement, pins=pins, suspect=(), looked=handle)
