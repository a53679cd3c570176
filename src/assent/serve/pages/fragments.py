"""What the pages ask: each answer is a piece of HTML, or JSON where a module draws it itself."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import Response

from assent.ledger.entries import Body
from assent.review.card import NEITHER
from assent.serve import schema
from assent.serve.operations import AnyOperation, B, Handler, Operation, ServiceCall
from assent.serve.pages.markup import el
from assent.serve.pages.names import vocabulary_of
from assent.serve.pages.review import contestable
from assent.serve.review_routes import handle_of
from assent.serve.routes import json
from assent.serve.tokens import Role
from assent.vocabulary import sections_of

HTML = "text/html"
Key = schema.Key


class Translate(msgspec.Struct, frozen=True, kw_only=True):
    """The form of the first page; ``names`` as typed."""

    text: schema.Text
    logic: schema.Logic | None = None
    domain: schema.Name | None = None
    names: Annotated[str, Meta(max_length=200_000)] = ""
    unit: schema.Name | None = None


class Typed(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wrote instead of choosing."""

    decision: Key
    text: schema.Text


class NextCard(msgspec.Struct, frozen=True, kw_only=True):
    """Who reviews, and what to pass over."""

    handle: schema.Handle | None = None
    skip: Annotated[list[Key], Meta(max_length=200)] = []


class Which(msgspec.Struct, frozen=True, kw_only=True):
    """Which policy is looked at."""

    logic: schema.Logic


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was chosen (``content`` is base64), and names as typed."""

    name: schema.Name
    content: str
    names: Annotated[str, Meta(max_length=200_000)] = ""
    unit: schema.Name | None = None


class Rows(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions as the page shows them."""

    rows: Annotated[list[dict[str, str]], Meta(max_length=100_000)]


class Confidence(msgspec.Struct, frozen=True, kw_only=True):
    """How sure a certificate is to be."""

    confidence: schema.Decimal = "0.95"


class Traced(msgspec.Struct, frozen=True, kw_only=True):
    """A formula, and a trace as CSV to see it on; ``period`` resamples first."""

    formula: schema.FormulaText
    logic: schema.Logic | None = None
    csv: Annotated[str, Meta(max_length=900_000)] = ""
    period: Annotated[str, Meta(max_length=40)] = ""


class ChosenCard(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a card that nobody drew: a formula, or None for none of them."""

    decision: Key
    formula: schema.FormulaText | None = None


def html(text: str) -> Response:
    """A fragment of HTML as a response that no cache may store."""
    return Response(text, media_type=f"{HTML}; charset=utf-8", headers={"Cache-Control": "no-store"})


async def worked(call: ServiceCall[object], verb: str, **body: object) -> Any:
    """What one of the verbs in ``pages.work`` gives, done by a worker: HTML as text, or an object."""
    return await call.service.do("page", {"verb": verb, **body})


async def translate(call: ServiceCall[Translate]) -> Response:
    """Decide, and show the decision."""
    form = call.body
    names = vocabulary_of(form.names, form.unit)
    request = schema.TranslateRequest(
        text=form.text, logic=form.logic, domain=None if names else form.domain, vocabulary=names
    )
    row = await call.service.translate(request, call.who)
    return html(await worked(call, "decision", row=row, unit=_unit(names)))


def _unit(names: Body | None) -> str | None:
    """How English calls a unit of time under these names."""
    if names is None:
        return None
    sections = sections_of(names, "the names")
    return next(iter(sections.values())).unit_words if len(sections) == 1 else None


async def typed(call: ServiceCall[Typed]) -> Response:
    """What was typed, read back before it counts."""
    form = call.body
    reading = await worked(call, "typed", decision=form.decision, text=form.text)
    return html(
        el(
            "div",
            el("p", "That says: ", el("strong", reading["english"])),
            el("p", el("code", reading["formula"], class_="formula")),
            el(
                "button",
                el("kbd", "y"),
                " Yes, that is what I mean",
                type="button",
                data_choose=reading["formula"],
            ),
            class_="read-back",
        )
    )


async def chosen(call: ServiceCall[ChosenCard]) -> Response:
    """Keep a choice as volunteered."""
    choice = call.body
    body = {"decision_id": choice.decision, "formula": choice.formula, "none": choice.formula is None}
    kept = await call.service.do("resolve", {**body, "handle": handle_of(call, None)})
    return html(
        el(
            "div",
            el("p", "Kept: ", el("code", kept["formula"] or NEITHER), class_="kept", tabindex="-1"),
            el("p", "It is not vouched for: it is your own reading, kept as volunteered.", class_="help"),
            None
            if kept["formula"] is None
            else el("button", "Copy formula", type="button", data_copy=kept["formula"]),
        )
    )


async def domains(call: ServiceCall[object]) -> Response:
    """The vocabularies that the service was started with."""
    return json(await worked(call, "domains"))


async def review_next(call: ServiceCall[NextCard]) -> Response:
    """The card that this reviewer is asked."""
    body = {"handle": handle_of(call, call.body.handle), "skip": call.body.skip}
    queue = await call.service.do("review_next", body)
    return html(await worked(call, "asked", queue=queue))


async def review_undo(call: ServiceCall[NextCard]) -> Response:
    """The latest answer taken back, and its card again."""
    queue = await call.service.do("review_undo", {"handle": handle_of(call, call.body.handle)})
    return html(await worked(call, "asked", queue=queue))


async def review_contestable(call: ServiceCall[NextCard]) -> Response:
    """Answers that may be doubted."""
    recent = await call.service.do("review_contestable", {"handle": handle_of(call, call.body.handle)})
    return html(contestable(recent["answers"]))


async def review_forecast(call: ServiceCall[object]) -> Response:
    """What the next answers buy."""
    return json(await worked(call, "forecast"))


async def risk(call: ServiceCall[Which]) -> Response:
    """What each alpha would mean for one logic, and the stream so far."""
    return html(await worked(call, "risk", logic=call.body.logic))


async def document_read(call: ServiceCall[File]) -> Response:
    """The requirements of a file, and the names they are read with."""
    file = call.body
    typed_in = vocabulary_of(file.names, file.unit)
    content = await worked(call, "read", name=file.name, content=file.content)
    return json({**content, "vocabulary": typed_in or content["vocabulary"]})


async def document_csv(call: ServiceCall[Rows]) -> Response:
    """Decisions for a spreadsheet."""
    text = await worked(call, "csv", rows=call.body.rows)
    return Response(text, media_type="text/csv; charset=utf-8", headers={"Cache-Control": "no-store"})


async def certificate(call: ServiceCall[Confidence]) -> Response:
    """The certificate for everything in the ledger."""
    return json(await worked(call, "certificate", confidence=call.body.confidence))


async def trace(call: ServiceCall[object]) -> Response:
    """A formula on a trace, every part of it over time."""
    return html(await worked(call, "trace", **msgspec.to_builtins(call.body)))


async def trace_columns(call: ServiceCall[object]) -> Response:
    """The columns that a trace for a formula needs."""
    return json(await worked(call, "columns", **msgspec.to_builtins(call.body)))


def _operation(
    path: str,
    handler: Handler[B],
    body: type[B] | None = None,
    *,
    role: Role = Role.ASK,
    most: str = "body",
) -> AnyOperation:
    name = path.rpartition("/")[2]
    return Operation(
        name=name,
        method="GET" if body is None else "POST",
        path=path,
        says=handler.__doc__ or name,
        answer=str,
        handler=handler,
        body=body,
        media=(HTML,),
        role=role,
        most=most,
    )


OPERATIONS: tuple[AnyOperation, ...] = (
    _operation("/page/translate", translate, Translate),
    _operation("/page/typed", typed, Typed),
    _operation("/page/chosen", chosen, ChosenCard),
    _operation("/page/domains", domains),
    _operation("/page/review/next", review_next, NextCard, role=Role.REVIEW),
    _operation("/page/review/undo", review_undo, NextCard, role=Role.REVIEW),
    _operation("/page/review/contestable", review_contestable, NextCard, role=Role.REVIEW),
    _operation("/page/review/forecast", review_forecast, role=Role.REVIEW),
    _operation("/page/risk", risk, Which, role=Role.REVIEW),
    _operation("/page/trace", trace, Traced),
    _operation("/page/trace/columns", trace_columns, Traced),
    _operation("/page/documents/read", document_read, File, most="batch_body"),
    _operation("/page/documents/csv", document_csv, Rows, most="batch_body"),
    _operation("/page/documents/certificate", certificate, Confidence, role=Role.REVIEW),
)
