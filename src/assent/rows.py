"""Records as JSON objects: the fixed fields of cases, recorded translations, evidence and decisions.

An evidence line is a superset of a recorded translation, so that what ``collect`` writes is what
``calibrate`` and ``report`` read, and a recorded translation of any source can be decided on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from assent.errors import DataError
from assent.logic.ast import Logic
from assent.records import (
    Call,
    Candidate,
    Decision,
    Draft,
    Evidence,
    Instruction,
    Ratings,
    Reading,
    Score,
    candidate_of,
    group_of,
)

_CASE = ("id", "logic", "text", "reference", "group", "cluster", "domain")
_EVIDENCE = (
    *("candidate", "formula", "unreadable", "samples", "outputs", "back_translation", "judge"),
    *("direct_judge", "single_question", "scores", "censored", "gate", "runtime_group", "failure"),
    *("made_by", "reported", "calls", "prompts", "names", "doubts"),
)


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
    for key in ("reference", "group", "cluster", "domain"):
        value = row.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            raise DataError(f"the field {key!r} must be a string", file=file, line=line)
        fields[key] = value
    extra = {key: value for key, value in row.items() if key not in _CASE and key not in _EVIDENCE}
    identity = row.get("id", line)
    if identity is None or isinstance(identity, bool) or not isinstance(identity, str | int):
        raise DataError("the field 'id' must be a string", file=file, line=line)
    return Instruction(id=str(identity), text=text, logic=Logic(name), extra=extra, **fields)


def evidence_row(evidence: Evidence) -> dict[str, Any]:
    """The line that is stored. Times are left out: they differ from run to run (see ``Call.seconds``)."""
    case = evidence.instruction
    row: dict[str, Any] = {"id": case.id, "logic": case.logic.value, "text": case.text}
    for key in ("reference", "group", "cluster", "domain"):
        if (value := getattr(case, key)) is not None:
            row[key] = value
    row |= case.extra
    if evidence.draft is not None:
        primary = evidence.draft.primary
        row["candidate"] = primary.raw
        if primary.formula is not None:
            row["formula"] = primary.formula
        else:
            row["unreadable"] = primary.error
        row["samples"] = [sample.raw for sample in evidence.draft.samples]
    for key in ("back_translation", "judge", "direct_judge", "single_question"):
        if (value := getattr(evidence, key)) is not None:
            row[key] = value
    row["scores"] = {score.name: score.value for score in evidence.scores}
    if evidence.censored:
        row["censored"] = list(evidence.censored)
    if evidence.reading is not None:
        row["gate"] = {"distance": evidence.reading.distance, "p_value": evidence.reading.p_value}
    if evidence.group is not None:
        row["runtime_group"] = evidence.group
    if evidence.failure is not None:
        row["failure"] = evidence.failure
    if evidence.names:
        row["names"] = evidence.names
    if evidence.doubts:
        row["doubts"] = list(evidence.doubts)
    row["made_by"] = evidence.made_by
    if evidence.reported:
        row["reported"] = evidence.reported
    if evidence.calls:
        calls = (msgspec.to_builtins(call) for call in evidence.calls)
        row["calls"] = [{key: value for key, value in call.items() if key != "seconds"} for call in calls]
        row["prompts"] = evidence.prompts
    return row


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

    ``system`` picks the candidate of a row that has ``outputs``; the other systems are its samples.
    """
    instruction = instruction_of(row, logic=logic, file=file, line=line)
    candidate, samples = row.get("candidate"), row.get("samples") or []
    recorded: dict[str, str] = {}  # a policy for one system is not one for another
    if "outputs" in row:
        if not isinstance(row["outputs"], dict):
            raise DataError("the field 'outputs' must be an object: system -> formula", file=file, line=line)
        outputs = dict(row["outputs"])
        if system not in outputs:
            said = "the row has 'outputs'" if system is None else f"no system {system!r}"
            raise DataError(f"{said}: choose one of {', '.join(outputs)} with --system", file=file, line=line)
        candidate = outputs.pop(system)
        samples = list(outputs.values())
        recorded = {"logic": instruction.logic.value, "translator": f"recorded {system}"}
    if not isinstance(samples, list) or not all(isinstance(sample, str) for sample in samples):
        raise DataError("the field 'samples' must be a list of strings", file=file, line=line)
    draft: Draft | None = None
    group: str | None = None
    if candidate is not None:
        if not isinstance(candidate, str):
            raise DataError("the field 'candidate' must be a string", file=file, line=line)
        primary = candidate_of(candidate, instruction.logic, names)
        if isinstance(row.get("unreadable"), str):
            # It was refused when it was made, perhaps for a name that the vocabulary of then did not have.
            primary = Candidate(candidate, None, row["unreadable"])
        draft = Draft(primary, tuple(candidate_of(sample, instruction.logic, names) for sample in samples))
        tree = primary.tree(instruction.logic)
        group = None if tree is None else group_of(instruction.logic, tree)
    scores = row.get("scores") or {}
    if not isinstance(scores, dict):
        raise DataError("the field 'scores' must be an object: channel -> number", file=file, line=line)
    try:
        return Evidence(
            instruction=instruction,
            draft=draft,
            group=group,
            reading=None if row.get("gate") is None else msgspec.convert(row["gate"], Reading),
            scores=tuple(Score(name, float(value)) for name, value in scores.items()),
            back_translation=msgspec.convert(row.get("back_translation"), str | None),
            judge=msgspec.convert(row.get("judge"), Ratings | None),
            direct_judge=msgspec.convert(row.get("direct_judge"), Ratings | None),
            single_question=msgspec.convert(row.get("single_question"), int | None),
            censored=msgspec.convert(row.get("censored", ()), tuple[str, ...]),
            made_by=msgspec.convert(row.get("made_by", recorded), dict[str, str]),
            reported=msgspec.convert(row.get("reported", {}), dict[str, str]),
            failure=msgspec.convert(row.get("failure"), str | None),
            calls=msgspec.convert(row.get("calls", ()), tuple[Call, ...]),
            prompts=msgspec.convert(row.get("prompts", {}), dict[str, str]),
            names=msgspec.convert(row.get("names", {}), dict[str, str]),
            doubts=msgspec.convert(row.get("doubts", ()), tuple[str, ...]),
        )
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise DataError(f"not an evidence record: {error}", file=file, line=line) from error


def decision_row(decision: Decision) -> dict[str, Any]:
    """The object of ``translate --json`` (``batch`` writes one a line)."""
    evidence = decision.evidence
    row: dict[str, Any] = {"id": evidence.instruction.id}
    row |= {key: value for key, value in msgspec.to_builtins(decision).items() if value not in (None, [], ())}
    row["evidence"] = evidence_row(evidence)
    return row
