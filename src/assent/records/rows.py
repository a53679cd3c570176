"""Records as JSON objects: the fixed fields of cases, recorded translations, evidence and decisions.

An evidence line is a superset of a recorded translation, so that what ``collect`` writes is what
``calibrate`` and ``report`` read, and a recorded translation of any source can be decided on. ``FIELDS`` is
the one table of what evidence is stored as; it drives writing, reading, and what counts as an unknown field.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from assent.errors import DataError, FormulaError, FragmentError
from assent.logic.ast import Logic
from assent.records import (
    Abstained,
    Accepted,
    Call,
    Candidate,
    Decision,
    Draft,
    Evidence,
    GateReading,
    Instruction,
    Ratings,
    Reading,
    Reason,
    Score,
    TextSpan,
    candidate_of,
    parse,
)


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its key in the row, its attribute, and the type that it is converted to and from."""

    key: str
    attribute: str
    type: Any
    always: bool = False  # written even when empty


CASE = ("id", "logic", "text", "reference", "group", "cluster", "domain")
OPTIONAL_CASE = CASE[3:]
FIELDS = (
    Field("gate", "gate", GateReading | None),
    Field("back_translation", "back_translation", str | None),
    Field("judge", "judge", Ratings | None),
    Field("direct_judge", "direct_judge", Ratings | None),
    Field("single_question", "single_question", int | None),
    Field("scores", "scores", dict[str, float], always=True),
    Field("censored", "censored", tuple[str, ...]),
    Field("failure", "failure", str | None),
    Field("names", "names", dict[str, str]),
    Field("unread", "unread", tuple[TextSpan, ...]),
    Field("doubts", "doubts", tuple[str, ...]),
    Field("made_by", "made_by", dict[str, str], always=True),
    Field("reported", "reported", dict[str, str]),
    Field("calls", "calls", tuple[Call, ...]),
    Field("prompts", "prompts", dict[str, str]),
)
DRAFT = ("candidate", "formula", "unreadable", "samples", "outputs")
"""How a draft is stored; ``outputs`` (system -> formula) stands for candidate and samples in rows of others."""
CHECKSUM = "checksum"
_KNOWN = frozenset((*CASE, *DRAFT, *(field.key for field in FIELDS), CHECKSUM))
_SEALED = frozenset(("text", "logic", *DRAFT[:4], *(field.key for field in FIELDS))) - {"calls", "prompts"}


def instruction_of(
    row: Mapping[str, Any], *, logic: str | None = None, file: str | None = None, line: int | None = None
) -> Instruction:
    """A case from a user's row: unknown fields are kept, a missing id becomes the line number."""
    name = row.get("logic", logic)
    if name is None:
        raise DataError(
            "no logic: add the field 'logic' (ltl, stl, spatial) or use --logic", file=file, line=line
        )
    if name not in list(Logic):
        raise DataError(f"unknown logic {name!r}: use ltl, stl or spatial", file=file, line=line)
    text = row.get("text")
    if not isinstance(text, str) or not text.strip():
        raise DataError("no instruction: the field 'text' must be a non-empty string", file=file, line=line)
    fields: dict[str, str | None] = {}
    for key in OPTIONAL_CASE:
        value = row.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            raise DataError(f"the field {key!r} must be a string", file=file, line=line)
        fields[key] = value
    identity = row.get("id", line)
    if identity is None or isinstance(identity, bool) or not isinstance(identity, str | int):
        raise DataError("the field 'id' must be a string", file=file, line=line)
    extra = {key: value for key, value in row.items() if key not in _KNOWN}
    return Instruction(id=str(identity), text=text, logic=Logic(name), extra=extra, **fields)


def is_recorded(row: Mapping[str, Any]) -> bool:
    """Whether a row brings a translation with it, so that none need be asked for."""
    return "candidate" in row or "outputs" in row


# ---- writing ---------------------------------------------------------------------------------------------


def evidence_row(evidence: Evidence) -> dict[str, Any]:
    """The line that is stored, with a checksum over everything that a decision depends on."""
    case = evidence.instruction
    row: dict[str, Any] = {"id": case.id, "logic": case.logic.value, "text": case.text}
    row |= {key: value for key in OPTIONAL_CASE if (value := getattr(case, key)) is not None}
    row |= {key: value for key, value in case.extra.items() if key not in _KNOWN}
    if evidence.draft is not None:
        primary = evidence.draft.primary
        row["candidate"] = primary.raw
        row |= {"unreadable": primary.error} if primary.text is None else {"formula": primary.text}
        row["samples"] = [sample.raw for sample in evidence.draft.samples]
    for field in FIELDS:
        value = _builtins(field, getattr(evidence, field.attribute))
        if field.always or value not in (None, [], {}):
            row[field.key] = value
    return {**row, CHECKSUM: checksum(row)}


def _builtins(field: Field, value: Any) -> Any:
    """Plain JSON. Scores become channel -> value; times are left out, since they differ from run to run."""
    if field.key == "scores":
        return {score.name: score.value for score in value}
    if field.key == "calls":
        calls = (msgspec.to_builtins(call) for call in value)
        return [{key: part for key, part in call.items() if key != "seconds" and part != 0} for call in calls]
    plain = msgspec.to_builtins(value)
    return list(plain) if isinstance(plain, tuple) else plain


def checksum(row: Mapping[str, Any]) -> str:
    """Of text, logic and all that was collected; reference, cluster, group and unknown fields may be added later."""
    sealed = {key: value for key, value in row.items() if key in _SEALED}
    return hashlib.sha256(json.dumps(sealed, sort_keys=True).encode()).hexdigest()[:16]


def decision_row(decision: Decision) -> dict[str, Any]:
    """The object of ``translate --json`` (``batch`` writes one a line)."""
    row: dict[str, Any] = {"id": decision.evidence.instruction.id}
    match decision:
        case Accepted():
            row |= {"decision": "accepted", "formula": str(decision.formula), "english": decision.english}
            row |= {"score": decision.score, "threshold": decision.threshold, "alpha": decision.alpha}
            more: dict[str, Any] = {}
        case Abstained():
            row |= {"decision": "abstained", "reason": decision.reason.value, "detail": decision.detail}
            row |= {"score": decision.score, "bound": decision.bound, "threshold": decision.threshold}
            row["alpha"] = decision.alpha
            more = {
                "readings": [reading_row(reading) for reading in decision.readings],
                "difference": decision.difference,
                "unread": msgspec.to_builtins(decision.unread),
                "advice": list(decision.advice),
            }
    row |= more | {"warnings": list(decision.warnings)}
    row = {key: value for key, value in row.items() if value not in (None, [], (), "")}
    return {**row, "evidence": evidence_row(decision.evidence)}


def reading_row(reading: Reading) -> dict[str, Any]:
    """A reading as JSON."""
    return {"formula": str(reading.formula), "english": reading.english, "votes": reading.votes}


# ---- reading ---------------------------------------------------------------------------------------------


def evidence_of(
    row: Mapping[str, Any],
    *,
    logic: str | None = None,
    system: str | None = None,
    names: frozenset[str] | None = None,
    file: str | None = None,
    line: int | None = None,
) -> Evidence:
    """Evidence from a stored line or from a recorded translation of any source.

    ``system`` picks the candidate of a row that has ``outputs``; the other systems are its samples. A row whose
    checksum does not fit, or whose ``formula`` is not what its candidate says, is refused.
    """
    instruction = instruction_of(row, logic=logic, file=file, line=line)
    if CHECKSUM in row and row[CHECKSUM] != checksum(row):
        raise DataError(
            "the evidence was changed after it was written (its checksum does not fit): collect it again",
            file=file,
            line=line,
        )
    try:
        draft, recorded = _draft_of(row, instruction.logic, system, names)
        fields = {field.attribute: _converted(row, field) for field in FIELDS if field.key in row}
    except (msgspec.ValidationError, TypeError, ValueError, OverflowError) as error:
        raise DataError(f"not an evidence record: {error}", file=file, line=line) from error
    except DataError as error:
        raise DataError(str(error), file=file, line=line) from error
    return Evidence(**{"made_by": recorded, **fields, "instruction": instruction, "draft": draft})


def decision_of(row: Mapping[str, Any]) -> Decision:
    """A decision from the object that ``decision_row`` makes; DataError if it is none."""
    try:
        evidence = evidence_of(row["evidence"])
        logic = evidence.instruction.logic
        alpha = float(row["alpha"])
        more: dict[str, Any] = {"threshold": row.get("threshold"), "warnings": tuple(row.get("warnings", ()))}
        if row["decision"] == "accepted":
            formula = parse(row["formula"], logic)
            return Accepted(
                formula=formula,
                english=row["english"],
                score=row["score"],
                alpha=alpha,
                evidence=evidence,
                **more,
            )
        readings = tuple(
            Reading(parse(reading["formula"], logic), reading["english"], reading["votes"])
            for reading in row.get("readings", ())
        )
        return Abstained(
            reason=Reason(row["reason"]),
            detail=row.get("detail", ""),
            alpha=alpha,
            evidence=evidence,
            score=row.get("score"),
            bound=row.get("bound", ""),
            readings=readings,
            difference=row.get("difference"),
            advice=tuple(row.get("advice", ())),
            **more,
        )
    except (KeyError, TypeError, ValueError, FormulaError, FragmentError) as error:
        raise DataError(f"not a decision: {error}") from error


def _converted(row: Mapping[str, Any], field: Field) -> Any:
    value = row[field.key]
    if field.key == "scores":
        scores = msgspec.convert(value if value is not None else {}, dict[str, float])
        return tuple(Score(name, number) for name, number in scores.items())
    if value is None and field.always:
        return {}
    return msgspec.convert(value, field.type)


def _draft_of(
    row: Mapping[str, Any], logic: Logic, system: str | None, names: frozenset[str] | None
) -> tuple[Draft | None, dict[str, str]]:
    """Candidate and samples, and who made them: the system chosen, or the one that the row names."""
    candidate, samples = row.get("candidate"), row.get("samples") or []
    made_by: dict[str, str] = {}
    if "outputs" in row:
        outputs = row["outputs"]
        if not isinstance(outputs, dict):
            raise DataError("the field 'outputs' must be an object: system -> formula")
        if system not in outputs:
            missing = "the row has 'outputs'" if system is None else f"no system {system!r}"
            raise DataError(f"{missing}: choose one of {', '.join(outputs)} with --system")
        candidate = outputs[system]
        samples = [output for name, output in outputs.items() if name != system]
    maker = system if system is not None else row.get("system")
    if isinstance(maker, str) and maker:
        made_by = {"logic": logic.value, "translator": f"recorded {maker}"}
    if candidate is None:
        return None, made_by
    if not isinstance(candidate, str):
        raise DataError("the field 'candidate' must be a string")
    if not isinstance(samples, list) or not all(isinstance(sample, str) for sample in samples):
        raise DataError("the field 'samples' must be a list of strings")
    primary = candidate_of(candidate, logic, names)
    if isinstance(row.get("unreadable"), str):
        # It was refused when it was made, perhaps for a name that the vocabulary of then did not have.
        primary = Candidate(candidate, None, row["unreadable"])
    elif CHECKSUM in row and primary.text is not None and row.get("formula") != primary.text:
        raise DataError("the fields 'formula' and 'candidate' do not say the same: collect the row again")
    return Draft(primary, tuple(candidate_of(sample, logic, names) for sample in samples)), made_by
