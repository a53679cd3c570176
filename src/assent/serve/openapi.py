"""The OpenAPI 3.1 document, made from the table of operations and the types of their bodies."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from assent import __version__
from assent.ledger.entries import Body
from assent.serve import replies
from assent.serve.operations import EVENTS, JSON, NDJSON, AnyOperation, Parameter
from assent.serve.problems import CONTENT_TYPE, TITLES
from assent.serve.tokens import Role

_PLACE = "#/components/schemas/{name}"
_EVERY = (401, 403, 421, 429, 500, 503, 504)
_BODY = (400, 408, 413, 415, 422)


def document(operations: Sequence[AnyOperation]) -> Body:
    """The whole document as plain JSON."""
    types: list[object] = [replies.ProblemAnswer, replies.FailedLine]
    types += [kind for op in operations for kind in (op.answer, op.body) if kind not in (None, str)]
    schemas, components = msgspec.json.schema_components(types, ref_template=_PLACE)
    by_type = dict(zip(map(str, types), schemas, strict=True))
    paths: dict[str, Body] = {}
    for op in operations:
        paths.setdefault(op.path, {})[op.method.lower()] = _operation(op, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "assent",
            "version": __version__,
            "description": (
                "English instructions into temporal logic: vouched for, or withheld. Errors are problem+json "
                "(RFC 9457). Unknown fields of a request are ignored, recorded translations and scores among them."
            ),
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(op: AnyOperation, by_type: Body) -> Body:
    row: Body = {
        "operationId": op.name,
        "summary": op.says,
        "responses": {"200": _answer(op, by_type)} | _problems(op, by_type),
    }
    if op.role is not Role.NOBODY:
        row["security"] = [{"token": []}, {}]
        row["description"] = f"Needs the role '{op.role.name.lower()}' where the service has tokens."
    if op.parameters:
        row["parameters"] = [_parameter(parameter) for parameter in op.parameters]
    if op.body is not None:
        content: Body = {JSON: {"schema": by_type[str(op.body)]}}
        if op.asked is not None:
            content[JSON]["example"] = op.asked
        if NDJSON in op.takes:
            content[NDJSON] = {"schema": {"type": "string", "description": "one case a line"}}
        row["requestBody"] = {"required": True, "content": content}
    return row


def _answer(op: AnyOperation, by_type: Body) -> Body:
    content: Body = {}
    for media in op.media:
        if media == JSON:
            content[media] = {"schema": by_type[str(op.answer)]}
            if op.answered is not None:
                content[media]["example"] = op.answered
        else:
            content[media] = {"schema": {"type": "string", "description": _STREAMED.get(media, "text")}}
    return {"description": "Done", "content": content}


_STREAMED = {
    NDJSON: "one decision a line (the answer of translate), or {id, line, error, kind} in its place",
    EVENTS: "events 'decision' and 'error' with the same objects as data, 'done' at the end",
}


def _problems(op: AnyOperation, by_type: Body) -> Body:
    statuses = {*op.statuses}
    if op.role is not Role.NOBODY:
        statuses |= {*_EVERY}
        statuses |= {422} if op.parameters else set()
        statuses |= {*_BODY} if op.body is not None else set()
    else:
        statuses |= {421, 429, 500}
    content = {CONTENT_TYPE: {"schema": by_type[str(replies.ProblemAnswer)]}}
    return {str(status): {"description": TITLES[status], "content": content} for status in sorted(statuses)}


def _parameter(parameter: Parameter) -> Body:
    shape = msgspec.json.schema(parameter.type)
    if parameter.default is not None:
        shape["default"] = parameter.default
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.place == "path",
        "description": parameter.says,
        "schema": _without_null(shape),
    }


def _without_null(shape: Body) -> Body:
    """A parameter is there or not; it is never null."""
    options = [part for part in shape.get("anyOf", []) if part != {"type": "null"}]
    if len(options) == 1:
        return {**{key: value for key, value in shape.items() if key != "anyOf"}, **options[0]}
    if None in shape.get("enum", []):
        return {**shape, "enum": [value for value in shape["enum"] if value is not None]}
    return shape
