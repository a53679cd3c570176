"""The review queue and choices among readings, over HTTP."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import Response

from assent.serve import replies, schema
from assent.serve.operations import AnyOperation, B, Handler, Operation, Parameter, ServiceCall
from assent.serve.problems import Problem
from assent.serve.routes import job, json
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


def handle_of(call: ServiceCall[object], handle: str | None) -> str:
    """The name that an answer carries: the token's, so that nobody answers as another; else what was said."""
    if call.service.tokens.needed:
        return call.who.name
    return handle or NOBODY_SAID


async def next_card(call: ServiceCall[object]) -> Response:
    """The next card of a reviewer."""
    skip = [item for item in (call.query["skip"] or "").split(",") if item]
    if len(skip) > _SKIPPED:
        raise Problem(422, "parameter", f"skip: more than {_SKIPPED} items")
    body = {"handle": handle_of(call, call.query["handle"]), "skip": skip}
    return json(await call.service.do("review_next", body))


async def contestable(call: ServiceCall[object]) -> Response:
    """Answers that may be doubted."""
    return json(
        await call.service.do("review_contestable", {"handle": handle_of(call, call.query["handle"])})
    )


def _with_handle(verb: str) -> Handler[object]:
    """``routes.job`` with the reviewer's name in the body."""

    async def handler(call: ServiceCall[object]) -> Response:
        body = msgspec.to_builtins(call.body)
        return json(await call.service.do(verb, {**body, "handle": handle_of(call, body.get("handle"))}))

    return handler


def _answering(
    name: str,
    path: str,
    says: str,
    body: type[B],
    answer: object,
    *,
    role: Role = Role.REVIEW,
    statuses: tuple[int, ...] = (),
) -> AnyOperation:
    """An operation that a worker does under the same name for whoever is asking."""
    return Operation(
        name=name,
        method="POST",
        path=path,
        says=says,
        role=role,
        body=body,
        answer=answer,
        statuses=statuses,
        handler=_with_handle(name),
    )


OPERATIONS: tuple[AnyOperation, ...] = (
    _answering(
        "resolve",
        "/v1/resolve",
        "Keep what somebody chose for a decision. It was not drawn: it may train, and never calibrates.",
        schema.ResolveRequest,
        replies.ResolveAnswer,
        role=Role.ASK,
        statuses=(404,),
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
    _answering(
        "review_answer",
        "/v1/review/answers",
        "Answer an item; on disk when this is answered.",
        schema.AnswerRequest,
        replies.AnswerTaken,
        statuses=(409,),
    ),
    _answering(
        "review_undo",
        "/v1/review/undo",
        "Take the latest answer back and ask again; as often as there are answers.",
        schema.HandleRequest,
        replies.UndoAnswer,
        statuses=(409,),
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
    _answering(
        "review_contest",
        "/v1/review/contest",
        "Doubt an answer, one's own or another's: one more look settles it.",
        schema.ContestRequest,
        replies.ContestAnswer,
        statuses=(404, 409),
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
        handler=job("review_draw"),
    ),
)
