"""The review queue and choices among readings, over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import Response

from assent.serve import replies, schema
from assent.serve.operations import Operation, Parameter, ServiceCall
from assent.serve.problems import Problem
from assent.serve.routes import json
from assent.serve.tokens import Role

NOBODY_SAID = "local"
"""The reviewer's handle where there are no tokens and none was said."""
_SKIPPED = 200
_HANDLE = Parameter("handle", schema.Handle | None, "the reviewer's name, where the service has no tokens")
_SKIP = Parameter(
    "skip",
    Annotated[str, Meta(max_length=200 * 33)] | None,
    f"items to pass over, with commas between them, {_SKIPPED} at most",
)


def handle_of(call: ServiceCall, said: str | None) -> str:
    """The name that an answer carries: the token's, so that nobody answers as another; else what was said."""
    if call.service.tokens.needed:
        return call.who.name
    return said or NOBODY_SAID


async def next_card(call: ServiceCall) -> Response:
    """The next card of a reviewer."""
    skip = [item for item in (call.query["skip"] or "").split(",") if item]
    if len(skip) > _SKIPPED:
        raise Problem(422, "parameter", f"skip: more than {_SKIPPED} items")
    body = {"handle": handle_of(call, call.query["handle"]), "skip": skip}
    return json(await call.service.do("review_next", body))


async def contestable(call: ServiceCall) -> Response:
    """Answers that may be doubted."""
    return json(
        await call.service.do("review_contestable", {"handle": handle_of(call, call.query["handle"])})
    )


def _with_handle(verb: str) -> Any:
    async def handler(call: ServiceCall) -> Response:
        body = msgspec.to_builtins(call.body)
        return json(await call.service.do(verb, {**body, "handle": handle_of(call, body.get("handle"))}))

    return handler


async def draw(call: ServiceCall) -> Response:
    """Draw by a plan."""
    return json(await call.service.do("review_draw", call.body))


OPERATIONS = (
    Operation(
        name="resolve",
        method="POST",
        path="/v1/resolve",
        says="Keep what somebody chose for a decision. It was not drawn: it may train, and never calibrates.",
        body=schema.ResolveRequest,
        answer=replies.ResolveAnswer,
        statuses=(404,),
        handler=_with_handle("resolve"),
    ),
    Operation(
        name="review_next",
        method="GET",
        path="/v1/review/next",
        says=(
            "The card this reviewer holds, or the next of the queue, leased for 15 minutes. New decisions are drawn "
            "first, by the plan in force."
        ),
        role=Role.REVIEW,
        answer=replies.NextAnswer,
        parameters=(_HANDLE, _SKIP),
        handler=next_card,
    ),
    Operation(
        name="review_answer",
        method="POST",
        path="/v1/review/answers",
        says="Answer an item; on disk when this is answered.",
        role=Role.REVIEW,
        body=schema.AnswerRequest,
        answer=replies.AnswerTaken,
        statuses=(409,),
        handler=_with_handle("review_answer"),
    ),
    Operation(
        name="review_undo",
        method="POST",
        path="/v1/review/undo",
        says="Take the latest answer back and ask again; as often as there are answers.",
        role=Role.REVIEW,
        body=schema.HandleRequest,
        answer=replies.UndoAnswer,
        statuses=(409,),
        handler=_with_handle("review_undo"),
    ),
    Operation(
        name="review_contestable",
        method="GET",
        path="/v1/review/contestable",
        says="Recent answers that may be doubted.",
        role=Role.REVIEW,
        answer=replies.ContestableAnswer,
        parameters=(_HANDLE,),
        handler=contestable,
    ),
    Operation(
        name="review_contest",
        method="POST",
        path="/v1/review/contest",
        says="Doubt an answer, one's own or another's: one more look settles it.",
        role=Role.REVIEW,
        body=schema.ContestRequest,
        answer=replies.ContestAnswer,
        statuses=(404, 409),
        handler=_with_handle("review_contest"),
    ),
    Operation(
        name="review_plan",
        method="POST",
        path="/v1/review/plan",
        says="Draw what is new by this plan; later draws go on with it.",
        role=Role.ADMINISTER,
        body=schema.PlanRequest,
        asked={"audit": "0.1", "abstained": "0.3"},
        answer=replies.PlanAnswer,
        handler=draw,
    ),
)
