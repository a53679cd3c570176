"""The application: operations from the table, the OpenAPI document, the pages, and the guard around them all.

Everything that is served is mounted in ``create_app``, and nowhere else.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from assent.errors import AssentError
from assent.ledger.entries import Body
from assent.serve import pages, viewer
from assent.serve.guard import NOTES, ROUTE, Guard
from assent.serve.logs import log
from assent.serve.operations import JSON, NDJSON, AnyOperation, B, Endpoint, ServiceCall
from assent.serve.problems import Problem, problem_of
from assent.serve.routes import batch_of
from assent.serve.schema import TranslateRequest
from assent.serve.service import Service
from assent.serve.table import OPERATIONS
from assent.serve.tokens import NOBODY


def create_app(service: Service, failure: list[BaseException] | None = None) -> ASGIApp:
    """Operations, OpenAPI document and pages behind the guard; the service starts and stops with the application.

    An error at the start is appended to ``failure``, because the server that runs the application hides it.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            await service.start()
        except BaseException as error:
            if failure is not None:
                failure.append(error)
            raise
        try:
            yield
        finally:
            await service.close()

    routes: list[BaseRoute] = [
        *(Route(op.path, endpoint(op, service), methods=[op.method]) for op in OPERATIONS),
        *viewer.routes(OPERATIONS),
        *pages.routes(service),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _http_error})
    return Guard(app, service)


def endpoint(op: AnyOperation, service: Service) -> Endpoint:
    """An operation as an endpoint: checks token, parameters and body, calls the handler, answers errors as problems."""

    async def answered(request: Request) -> Response:
        request.scope[ROUTE] = op.path
        try:
            who = service.tokens.allow(request.headers.get("authorization"), op.role) if op.role else None
            query = parameters(op, request)
            body = await _body(op.body, op, request, service, query) if op.body is not None else None
            if who is not None:
                request.scope[NOTES]["who"] = who.name
                if service.settings.log_text and isinstance(body, TranslateRequest):
                    request.scope[NOTES]["text"] = body.text
            return await op.handler(ServiceCall(service, request, who or NOBODY, body, query))
        except Problem as problem:
            return _refused(request, problem)
        except AssentError as error:
            return _refused(request, problem_of(error))
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as error:
            log("error", error=type(error).__name__, trace=traceback.format_exc())
            return _refused(request, Problem(500, "internal", "an error of the service: see its log"))

    return answered


def _refused(request: Request, problem: Problem) -> Response:
    request.scope[NOTES]["problem"] = problem.kind
    return problem.response(request.scope["assent.request_id"])


async def _http_error(request: Request, error: Exception) -> Response:
    """Starlette's own errors (no such path, not with this method) as problems."""
    assert isinstance(error, HTTPException)
    detail = {404: "there is nothing here", 405: "not with this method"}.get(error.status_code, error.detail)
    problem = Problem(error.status_code, f"http-{error.status_code}", detail, headers=error.headers)
    return _refused(request, problem)


def parameters(op: AnyOperation, request: Request) -> Body:
    """The parameters of a request, converted; Problem 422 for one that does not fit."""
    places = {"query": request.query_params, "header": request.headers, "path": request.path_params}
    values: Body = {}
    for parameter in op.parameters:
        value = places[parameter.place].get(parameter.name)
        if value is None:
            values[parameter.name] = parameter.default
            continue
        try:
            values[parameter.name] = msgspec.convert(value, parameter.type, strict=False)
        except msgspec.ValidationError as error:
            raise Problem(422, "parameter", f"{parameter.name}: {error}") from None
        if values[parameter.name] is None:  # the word "null" is no value
            raise Problem(422, "parameter", f"{parameter.name}: a parameter is there or not, never null")
    return values


async def _body(kind: type[B], op: AnyOperation, request: Request, service: Service, query: Body) -> B:
    """The body as ``kind``; Problem where it is too large, too slow, no JSON, or of another shape."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in op.takes:
        raise Problem(415, "not-json", f"send {' or '.join(op.takes)}")
    content = await _read(request, getattr(service.limits, op.most), service.limits.reading)
    try:
        if media == NDJSON:
            shared = {name: query[name] for name in ("logic", "domain", "alpha")}
            return msgspec.convert(batch_of(content, shared, service.limits.batch_lines), kind)
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        raise Problem(422, "shape", str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Problem(400, "not-json", f"the body is not {JSON}") from None


async def _read(request: Request, most: int, seconds: float) -> bytes:
    too_large = Problem(413, "too-large", f"the body has more than {most} bytes")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise too_large
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds + most / 1_000_000):
            async for part in request.stream():
                parts.append(part)
                size += len(part)
                if size > most:
                    raise too_large
    except TimeoutError:
        raise Problem(
            408, "too-slow", "the body did not come in time", headers={"Connection": "close"}
        ) from None
    return b"".join(parts)
