"""When there is no formula to vouch for: ask which reading is meant, through the client, if it can.

Clients of the protocol from 2026-07-28 on get the question as the result of the call and call again with the answer;
earlier ones are asked in the middle of the call. A decline is an abstention, never a label.
"""

from __future__ import annotations

import contextlib
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import is_version_at_least

from assent.ledger.entries import Body
from assent.mcp.answers import Decided

QUESTION = "reading"
NONE = "none of these"
_ROUNDS = "2026-07-28"
Context = ServerRequestContext[Any, Any]


def can_ask(context: Context) -> bool:
    """Whether the client says that it can put a form before somebody."""
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.elicitation is None:
        return False
    return capabilities.elicitation.form is not None or capabilities.elicitation.url is None


def by_rounds(context: Context) -> bool:
    """Whether the client's version takes a question as the result of a call and answers by calling again."""
    return is_version_at_least(context.protocol_version, _ROUNDS)


def question(decision: Decided) -> ElicitRequest:
    """The form that asks which reading is meant; 'none of these' and a formula of one's own may always be chosen."""
    lines = [
        f"No formula can be vouched for ({decision.reason}: {decision.detail}). Which one is meant?",
        *(f"{n}. {r.english}   [{r.formula}]" for n, r in enumerate(decision.readings, start=1)),
    ]
    if decision.difference and len(decision.readings) > 1:
        lines += ["1 and 2 differ on:", decision.difference]
    numbers = [str(n) for n in range(1, len(decision.readings) + 1)]
    schema: dict[str, object] = {
        "type": "object",
        "properties": {
            QUESTION: {
                "type": "string",
                "title": "What is meant",
                "description": "the number of a reading, or none of these",
                "enum": [*numbers, NONE],
            },
            "formula": {
                "type": "string",
                "title": "I mean",
                "description": "with none of these: a formula of your own",
            },
        },
        "required": [QUESTION],
    }
    return ElicitRequest(params=ElicitRequestFormParams(message="\n".join(lines), requested_schema=schema))


def pause(decision: Decided, state: str) -> InputRequiredResult:
    """The question as the result of a call."""
    return InputRequiredResult(input_requests={QUESTION: question(decision)}, request_state=state)


async def ask_now(context: Context, decision: Decided) -> ElicitResult | None:
    """The question in the middle of a call; None where the client cannot be reached for it."""
    params = question(decision).params
    assert isinstance(params, ElicitRequestFormParams)
    with contextlib.suppress(MCPError):
        return await context.session.elicit_form(
            params.message, params.requested_schema, related_request_id=context.request_id
        )
    return None


def choice(decision: Decided, answer: object) -> Body | None:
    """What an answer chooses, as the body of ``resolve``; None for a decline, a cancel, or nonsense."""
    if not isinstance(answer, ElicitResult) or answer.action != "accept" or not answer.content:
        return None
    reading, own = answer.content.get(QUESTION), answer.content.get("formula")
    body = {"decision_id": decision.decision_id, "by": "agent"}
    if reading == NONE:
        return {**body, "formula": own} if isinstance(own, str) and own.strip() else {**body, "none": True}
    if isinstance(reading, str) and reading.isdecimal() and 1 <= int(reading) <= len(decision.readings):
        return {**body, "formula": decision.readings[int(reading) - 1].formula}
    return None
