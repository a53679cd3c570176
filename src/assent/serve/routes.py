"""Instructions and formulas over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.responses import Response, StreamingResponse

from assent.io.lines import encode
from assent.ledger.entries import Body
from assent.serve import replies, schema
from assent.serve.operations import (
    EVENTS,
    JSON,
    NDJSON,
    AnyOperation,
    B,
    Handler,
    Operation,
    Parameter,
    ServiceCall,
)
from assent.serve.problems import Problem
from assent.serve.service import Line
from assent.serve.tokens import Role

KEY = Parameter(
    "Idempotency-Key",
    Annotated[str, Meta(min_length=1, max_length=200)] | None,
    "a name for this request: repeated with it, the request is neither decided nor paid twice",
    place="header",
)
_NAMES = {
    "propositions": [{"name": "door_open", "says": "door open"}, {"name": "alarm_on", "says": "alarm on"}],
    "time_unit": "s",
}
_TEXT = "Whenever the door is open, the alarm is on within 5 seconds."
_FORMULA = "G(door_open -> (F[0,5] alarm_on))"


def json(row: object, status: int = 200) -> Response:
    """``row`` as a JSON response that no cache may store."""
    return Response(encode(row), status, media_type=JSON, headers={"Cache-Control": "no-store"})


# ---- instructions --------------------------------------------------------------------------------------------


async def translate(call: ServiceCall[schema.TranslateRequest]) -> Response:
    """Decide one instruction."""
    return json(await call.service.translate(call.body, call.who, key=call.query["Idempotency-Key"]))


async def batch(call: ServiceCall[schema.BatchRequest]) -> Response:
    """Decide many; decisions are sent as they come, as JSON lines or events."""
    request = call.body
    if len(request.cases) > call.service.limits.batch_lines:
        raise Problem(413, "too-large", f"more than {call.service.limits.batch_lines} instructions")
    lines = call.service.batch(request, call.who, key=call.query["Idempotency-Key"])
    if EVENTS in call.request.headers.get("accept", ""):
        return StreamingResponse(_events(lines), media_type=EVENTS, headers={"Cache-Control": "no-store"})
    return StreamingResponse(
        (encode(line.row) async for line in lines), media_type=NDJSON, headers={"Cache-Control": "no-store"}
    )


async def _events(lines: AsyncIterator[Line]) -> AsyncIterator[bytes]:
    count = failed = 0
    async for line in lines:
        count, failed = count + 1, failed + line.failed
        yield _event("error" if line.failed else "decision", line.row, count)
    yield _event("done", {"lines": count, "failed": failed}, count + 1)


def _event(name: str, row: object, number: int) -> bytes:
    return f"event: {name}\nid: {number}\ndata: ".encode() + encode(row) + b"\n"


def batch_of(lines: bytes, fields: Body, most: int) -> Body:
    """JSON lines as the body of a batch; Problem with the line that cannot be read."""
    cases: list[object] = []
    for number, line in enumerate(lines.splitlines(), start=1):
        if not line.strip():
            continue
        if len(cases) == most:
            raise Problem(413, "too-large", f"more than {most} instructions")
        try:
            cases.append(msgspec.json.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Problem(400, "not-json", "the line is not JSON", line=number) from None
    return {**{name: value for name, value in fields.items() if value is not None}, "cases": cases}


# ---- formulas ------------------------------------------------------------------------------------------------


def job(verb: str) -> Handler[object]:
    """A handler that gives the body to a worker's verb and sends what the worker answers."""

    async def handler(call: ServiceCall[object]) -> Response:
        return json(await call.service.do(verb, call.body))

    return handler


async def policy(call: ServiceCall[object]) -> Response:
    """The policies in force."""
    return json(await call.service.do("policy", {k: call.query[k] for k in ("logic", "alpha")}))


async def targets(call: ServiceCall[object]) -> Response:
    """What formulas can be exported to."""
    return json({"targets": target_rows()})


def target_rows() -> list[dict[str, str]]:
    """The tools that formulas can be exported to, each with the fragment that it takes."""
    from assent.logic.export import TARGETS

    return [{"target": t.name, "tool": t.tool, "fragment": t.fragment} for t in TARGETS.values()]


async def decisions(call: ServiceCall[object]) -> Response:
    """A page of decisions."""
    q = call.query
    return json(
        await call.service.decisions(
            after=q["after"], limit=q["limit"], decision=q["decision"], logic=q["logic"]
        )
    )


async def decision(call: ServiceCall[object]) -> Response:
    """One decision."""
    return json(await call.service.decision(call.query["decision_id"]))


def _on_formulas(
    name: str,
    says: str,
    body: type[B],
    answer: object,
    asked: Body,
    answered: Body | None = None,
) -> AnyOperation:
    """An operation that a worker does under the same name, at ``/v1/NAME``."""
    return Operation(
        name=name,
        method="POST",
        path=f"/v1/{name}",
        says=says,
        body=body,
        asked=asked,
        answer=answer,
        answered=answered,
        handler=job(name),
    )


_LOGIC = Parameter("logic", schema.Logic | None, "only of this logic")
_ALPHA = Parameter("alpha", schema.Alpha | None, "the policies for this risk")
OPERATIONS: tuple[AnyOperation, ...] = (
    Operation(
        name="translate",
        method="POST",
        path="/v1/translate",
        says="Decide one instruction: a vouched formula, or an abstention with its reason and readings.",
        body=schema.TranslateRequest,
        asked={"text": _TEXT, "logic": "stl", "vocabulary": _NAMES},
        answer=replies.DecisionAnswer,
        answered={
            "id": "5f0c6a1be2d34c77",
            "decision": "accepted",
            "formula": _FORMULA,
            "english": "at every time, if door_open holds, then alarm_on holds at some time within 5 seconds",
            "score": 0.04,
            "threshold": 0.31,
            "alpha": 0.1,
            "decision_id": "0f343b0931126a20f133d67c2b018a3b",
            "policy": "Policy: stl, alpha 0.1, channel default",
            "evidence": {"id": "5f0c6a1be2d34c77", "logic": "stl", "text": _TEXT},
        },
        parameters=(KEY,),
        handler=translate,
    ),
    Operation(
        name="batch",
        method="POST",
        path="/v1/batch",
        says=(
            "Decide many instructions; decisions stream in the order of the input as JSON lines, or as server-sent "
            "events (decision, error, done) with 'Accept: text/event-stream'. The body is an object with cases, or "
            "JSON lines."
        ),
        body=schema.BatchRequest,
        asked={"cases": [{"id": "R1", "text": _TEXT}, "The alarm is never on."], "vocabulary": _NAMES},
        answer=replies.DecisionAnswer,
        parameters=(
            KEY,
            Parameter("logic", schema.Logic | None, "for JSON lines: the logic of cases that have none"),
            Parameter("domain", schema.Name | None, "for JSON lines: the section of the vocabulary"),
            Parameter("alpha", schema.Alpha | None, "for JSON lines: the joint risk that is allowed"),
        ),
        media=(NDJSON, EVENTS),
        takes=(JSON, NDJSON),
        most="batch_body",
        handler=batch,
    ),
    _on_formulas(
        "compare",
        "Do two formulas mean the same? If not, a trace that tells them apart.",
        schema.CompareRequest,
        replies.CompareAnswer,
        asked={"first": "G (p -> F q)", "second": "G (!p | F q)"},
        answered={"verdict": "equal", "method": "tableau", "witness": None},
    ),
    _on_formulas(
        "explain",
        "A formula in English, as a tree and in canonical form, with warnings.",
        schema.ExplainRequest,
        replies.ExplainAnswer,
        asked={"formula": _FORMULA, "unit": "seconds"},
    ),
    _on_formulas(
        "export",
        "A formula as text for another tool.",
        schema.ExportRequest,
        replies.ExportAnswer,
        asked={"formula": _FORMULA, "target": "rtamt", "instruction": _TEXT},
    ),
    _on_formulas(
        "evaluate",
        "A formula on a recorded trace: is it true, by how much, where is it broken first.",
        schema.EvaluateRequest,
        replies.EvaluateAnswer,
        asked={"formula": "G(speed < 3)", "trace": {"time": [0, 1, 2], "speed": [1, 2.5, 4]}},
        answered={
            "holds": False,
            "time": "discrete",
            "period": 1.0,
            "samples": 3,
            "open_end": False,
            "robustness": -1.0,
            "first_violation": 2.0,
        },
    ),
    Operation(
        name="targets",
        method="GET",
        path="/v1/export/targets",
        says="The tools that formulas can be exported to.",
        answer=replies.TargetsAnswer,
        handler=targets,
    ),
    Operation(
        name="policy",
        method="GET",
        path="/v1/policy",
        says="What decides: limits by group, what they were calibrated on, and the promise in words.",
        answer=replies.PoliciesAnswer,
        parameters=(_LOGIC, _ALPHA),
        handler=policy,
    ),
    Operation(
        name="decisions",
        method="GET",
        path="/v1/decisions",
        says="Decisions in the order they were made, a page at a time.",
        role=Role.REVIEW,
        answer=replies.DecisionsAnswer,
        parameters=(
            Parameter(
                "after", Annotated[int, Meta(ge=0, le=1 << 62)], "'next' of the page before", default=0
            ),
            Parameter("limit", Annotated[int, Meta(ge=1, le=500)], "how many at most", default=50),
            Parameter("decision", Literal["accepted", "abstained"] | None, "only these"),
            _LOGIC,
        ),
        handler=decisions,
    ),
    Operation(
        name="decision",
        method="GET",
        path="/v1/decisions/{decision_id}",
        says="One decision with its evidence.",
        role=Role.REVIEW,
        answer=replies.StoredDecision,
        parameters=(
            Parameter("decision_id", Annotated[str, Meta(pattern="^[0-9a-f]{32}$")], "its id", place="path"),
        ),
        statuses=(404,),
        handler=decision,
    ),
)
