"""The tools that agents may call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from assent.ledger.entries import Body
from assent.mcp import choosing
from assent.mcp.answers import Decided, decided, object_schema, said
from assent.mcp.choosing import Context
from assent.serve import replies, schema
from assent.serve.problems import Problem
from assent.serve.service import Service
from assent.serve.tokens import Who

B = TypeVar("B")
"""The type of what a tool takes."""
B_co = TypeVar("B_co", covariant=True)
CHECKING = 900.0
"""Seconds for a document."""
_TICK = 2.0
"""Seconds between two signs of life while a document is checked."""


@dataclass(frozen=True, slots=True)
class Use(Generic[B_co]):
    """One call of a tool that has passed every check."""

    service: Service
    who: Who
    context: Context
    body: B_co
    params: CallToolRequestParams


Result = CallToolResult | InputRequiredResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Generic[B]):
    """A tool: what it says of itself, what it takes and gives."""

    name: str
    title: str
    says: str
    takes: type[B]
    gives: object
    """The type of the answer, for its schema."""
    run: Callable[[Use[B]], Awaitable[Result]]
    reads: bool = True
    """It leaves nothing behind."""
    again: bool = True
    """Called twice it does no more than once."""

    def tool(self) -> Tool:
        """The tool with its schemas, as clients list it."""
        return Tool(
            name=self.name,
            title=self.title,
            description=self.says,
            input_schema=object_schema(self.takes),
            output_schema=object_schema(self.gives),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads,
                destructive_hint=False,
                idempotent_hint=self.again,
                open_world_hint=False,
            ),
        )


def result(row: object, text: str) -> CallToolResult:
    """Structured content, and the same in words."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=msgspec.to_builtins(row)
    )


async def translate(use: Use[schema.TranslateRequest]) -> Result:
    """Decide; on an abstention with readings ask which is meant, if the client can."""
    await use.context.session.report_progress(0, 1, "deciding")
    if use.params.request_state is not None:
        row = await use.service.decision(use.params.request_state)
        decision = decided(row)
        answers = use.params.input_responses or {}
        return await _resolved(use, row, decision, answers.get(choosing.QUESTION))
    row = await use.service.translate(use.body, use.who)
    decision = decided(row)
    await use.context.session.report_progress(1, 1, decision.decision)
    if decision.decision == "accepted" or not decision.readings or not choosing.can_ask(use.context):
        return result(decision, said(decision))
    if choosing.by_rounds(use.context):
        return choosing.pause(decision, decision.decision_id)
    return await _resolved(use, row, decision, await choosing.ask_now(use.context, decision))


async def _resolved(use: Use[object], row: Body, decision: Decided, answer: object) -> CallToolResult:
    """The abstention; if ``answer`` chooses a reading, with the choice, which is kept and marked as an agent's."""
    choice = choosing.choice(decision, answer)
    if choice is None:
        return result(decision, said(decision))
    resolved = await use.service.do("resolve", {**choice, "handle": use.who.name})
    decision = decided(row, resolved)
    return result(decision, said(decision))


def _job(verb: str, words: Callable[[Body], str]) -> Callable[[Use[object]], Awaitable[Result]]:
    """A tool that a worker's verb answers; ``words`` says the answer for clients that show text."""

    async def run(use: Use[object]) -> Result:
        row = await use.service.do(verb, use.body)
        return result(row, words(row))

    return run


async def check_document(use: Use[schema.CheckRequest]) -> Result:
    """Check a document; every few seconds the client is told that it goes on, so that it does not give up."""
    work = asyncio.ensure_future(use.service.do("check", use.body, deadline=CHECKING))
    count = 0
    try:
        while not (await asyncio.wait({work}, timeout=_TICK))[0]:
            count += 1
            await use.context.session.report_progress(count, None, "checking")
        row = await work
    finally:
        work.cancel()
    await use.context.session.report_progress(count + 1, count + 1, "done")
    lines = [
        f"{r['id']}: {r['decision']} {r.get('formula', r.get('detail', ''))}" for r in row["requirements"]
    ]
    lines += [f"{f['kind']}: {f['detail']}" for f in row["findings"]]
    return result(row, "\n".join(lines) or "no requirement was found")


async def resolve(use: Use[schema.ResolveRequest]) -> Result:
    """Keep a choice, marked as an agent's whatever the request says."""
    request = use.body
    if (request.formula is None) != request.none:
        raise Problem(422, "shape", "a choice is 'formula', or 'none' set to true")
    body = {**msgspec.to_builtins(request), "by": "agent", "handle": use.who.name}
    row = await use.service.do("resolve", body)
    return result(row, f"kept, not vouched for: {row['formula'] or 'none of the readings'}")


def _compared(row: Body) -> str:
    return f"{row['verdict']} ({row['method']})"


OFFERS: tuple[Offer[Any], ...] = (
    Offer(
        name="translate",
        title="Translate an instruction",
        says=(
            "Translate one English instruction into temporal logic (LTL, STL or SpaTiaL). Answers with a formula only "
            "where it can be vouched for at the stated risk; otherwise it abstains and gives readings to choose among. "
            "Never treat a reading as vouched for."
        ),
        takes=schema.TranslateRequest,
        gives=Decided,
        run=translate,
        reads=False,
        again=False,
    ),
    Offer(
        name="compare",
        title="Compare two formulas",
        says="Do two formulas mean the same? Exact; a trace tells them apart where they do not.",
        takes=schema.CompareRequest,
        gives=replies.CompareAnswer,
        run=_job("compare", _compared),
    ),
    Offer(
        name="explain",
        title="Explain a formula",
        says="A formula in unambiguous English, as a tree and in canonical form, with warnings.",
        takes=schema.ExplainRequest,
        gives=replies.ExplainAnswer,
        run=_job("explain", lambda row: "\n".join([row["english"], *row["warnings"]])),
    ),
    Offer(
        name="export",
        title="Export a formula",
        says="A formula as text for another tool (model checkers, monitors); the resource assent://targets lists them.",
        takes=schema.ExportRequest,
        gives=replies.ExportAnswer,
        run=_job("export", lambda row: str(row["text"])),
    ),
    Offer(
        name="check_document",
        title="Check a requirement document",
        says=(
            "Decide every requirement of a document (Markdown, text, CSV, TSV, JSON lines) and say what they say "
            "together: conflicts, duplicates, vacuities."
        ),
        takes=schema.CheckRequest,
        gives=replies.CheckAnswer,
        run=check_document,
        reads=False,
        again=False,
    ),
    Offer(
        name="resolve",
        title="Keep a choice",
        says=(
            "Keep which reading of an abstained decision is meant, or that none is. It is marked as chosen by an "
            "agent: it may train, and never calibrates."
        ),
        takes=schema.ResolveRequest,
        gives=replies.ResolveAnswer,
        run=resolve,
        reads=False,
        again=False,
    ),
)
