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

from assent.mcp.answers import Decided

QUESTION = "reading"
NONE = "none of these"
_ROUNDS = "2026-07-28"
Context = ServerRequestContext[Any, Any]


def can_ask(context: Context) -> bool:
    """Whether the client says that it can put a form before somebody."""
    known = context.session.client_capabilities
    if known is None or known.elicitation is None:
        return False
    return known.elicitation.form is not None or known.elicitation.url is None


def by_rounds(context: Context) -> bool:
    """Whether questions are results of a call, answered by calling again."""
    return is_version_at_least(context.protocol_version, _ROUNDS)


def question(found: Decided) -> ElicitRequest:
    """Which of the readings is meant? None of them is always there, and a formula of one's own."""
    lines = [
        f"No formula can be vouched for ({found.reason}: {found.detail}). Which one is meant?",
        *(f"{n}. {r.english}   [{r.formula}]" for n, r in enumerate(found.readings, start=1)),
    ]
    if found.difference and len(found.readings) > 1:
        lines += ["1 and 2 differ on:", found.difference]
    numbers = [str(n) for n in range(1, len(found.readings) + 1)]
    schema: dict[str, Any] = {
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


def pause(found: Decided, state: str) -> InputRequiredResult:
    """The question as the result of a call."""
    return InputRequiredResult(input_requests={QUESTION: question(found)}, request_state=state)


async def ask_now(context: Context, found: Decided) -> ElicitResult | None:
    """The question in the middle of a call; None where the client cannot be reached for it."""
    params = question(found).params
    assert isinstance(params, ElicitRequestFormParams)
    with contextlib.suppress(MCPError):
        return await context.session.elicit_form(
            params.message, params.requested_schema, related_request_id=context.request_id
        )
    return None


def choice(found: Decided, answer: object) -> dict[str, Any] | None:
    """What an answer chooses, as the body of ``resolve``; None for a decline, a cancel, or nonsense."""
    if not isinstance(answer, ElicitResult) or answer.action != "accept" or not answer.content:
        return None
    said, own = answer.content.get(QUESTION), answer.content.get("formula")
    asked = {"decision_id": found.decision_id, "by": "agent"}
    if said == NONE:
        return {**asked, "formula": own} if isinstance(own, str) and own.strip() else {**asked, "none": True}
    if isinstance(said, str) and said.isdecimal() and 1 <= int(said) <= len(found.readings):
        return {**asked, "formula": found.readings[int(said) - 1].formula}
    return None
