"""What tools take and give, as types that their schemas are made from."""

from __future__ import annotations

from typing import Literal

import msgspec

from assent.ledger.entries import Body
from assent.serve import replies, schema


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen among the readings. It came through an agent: it is marked so, and calibrates nothing."""

    formula: str | None
    how: str
    calibrates: bool


class Decided(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision: ``formula`` only where it is vouched for; else why not, the readings, and the words not read."""

    decision: Literal["accepted", "abstained"]
    decision_id: str
    logic: schema.Logic
    alpha: float
    formula: str | None = None
    english: str | None = None
    reason: str | None = None
    detail: str | None = None
    score: float | None = None
    threshold: float | None = None
    readings: list[replies.ReadingAnswer] = []
    difference: str | None = None
    unread: list[replies.Span] = []
    names: dict[str, str] = {}
    advice: list[str] = []
    warnings: list[str] = []
    chosen: Chosen | None = None


def decided(row: Body, resolved: Body | None = None) -> Decided:
    """What the service answered (``row``) without its evidence, with what ``resolve`` answered about a choice."""
    evidence = row["evidence"]
    fields = {name: row[name] for name in Decided.__struct_fields__ if name in row and name != "names"}
    fields |= {"logic": evidence["logic"], "names": evidence.get("names", {})}
    if resolved is not None:
        fields["chosen"] = {name: resolved[name] for name in Chosen.__struct_fields__}
    return msgspec.convert(fields, Decided)


def said(decision: Decided) -> str:
    """A decision in words, for clients that show text."""
    if decision.decision == "accepted":
        return f"accepted: {decision.formula}\n{decision.english}"
    lines = [f"abstained ({decision.reason}): {decision.detail}"]
    lines += [f"{n}. {r.formula}: {r.english}" for n, r in enumerate(decision.readings, start=1)]
    if decision.unread:
        lines.append(f"not read: {', '.join(span.text for span in decision.unread)}")
    lines += decision.advice
    if decision.chosen is not None:
        lines.append(f"chosen, not vouched for: {decision.chosen.formula or 'none of the readings'}")
    return "\n".join(lines)


def object_schema(kind: object) -> Body:
    """The JSON schema of a type with an object at its root, as tools must have it."""
    shape = msgspec.json.schema(kind)
    definitions = dict(shape.get("$defs", {}))
    root = dict(definitions.pop(shape["$ref"].rpartition("/")[2])) if "$ref" in shape else shape
    return {**root, **({"$defs": definitions} if definitions else {})}
