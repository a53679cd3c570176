"""The OpenAPI document and a page that shows it; the page loads a style sheet of our own and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assent.io.lines import encode
from assent.ledger.entries import Body
from assent.serve.openapi import document
from assent.serve.operations import JSON, AnyOperation

_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;"
    "margin:2rem auto;padding:0 1rem}"
    "code,pre{font-family:ui-monospace,monospace}"
    "pre{overflow-x:auto;padding:.6rem;border:1px solid #8886;border-radius:.4rem}"
    "h2{margin-top:2.2rem;font-size:1.15rem}table{border-collapse:collapse}"
    "td,th{border:1px solid #8886;padding:.2rem .6rem;text-align:left;vertical-align:top}"
)


def routes(operations: Sequence[AnyOperation]) -> list[Route]:
    """Routes for ``/openapi.json``, ``/docs`` and its style sheet; both texts are made once, here."""
    spec = document(operations)
    text, page = encode(spec), _page(spec).encode()

    async def openapi(request: Request) -> Response:
        return Response(text, media_type=JSON)

    async def docs(request: Request) -> Response:
        return Response(page, media_type="text/html; charset=utf-8")

    async def style(request: Request) -> Response:
        return Response(_STYLE, media_type="text/css")

    return [
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/docs", docs, methods=["GET"]),
        Route("/docs/style.css", style, methods=["GET"]),
    ]


def _page(spec: Body) -> str:
    info = spec["info"]
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(info['title'])}: the service</title>",
        '<link rel="stylesheet" href="/docs/style.css"></head><body>',
        f"<h1>{escape(info['title'])} {escape(info['version'])}: the service</h1><p>{escape(info['description'])}</p>",
        '<p>The whole document: <a href="/openapi.json">/openapi.json</a></p><main>',
        *(
            _operation(path, method, op)
            for path, methods in spec["paths"].items()
            for method, op in methods.items()
        ),
        "<h2>Types</h2>",
        *(
            f"<details><summary><code>{escape(name)}</code></summary><pre>{_pretty(shape)}</pre></details>"
            for name, shape in spec["components"]["schemas"].items()
        ),
        "</main></body></html>\n",
    ]
    return "\n".join(parts)


def _operation(path: str, method: str, op: Body) -> str:
    parts = [
        f'<h2 id="{escape(op["operationId"])}"><code>{method.upper()} {escape(path)}</code></h2>',
        f"<p>{escape(op['summary'])}</p>",
    ]
    if "description" in op:
        parts.append(f"<p>{escape(op['description'])}</p>")
    if "parameters" in op:
        rows = (
            f"<tr><td><code>{escape(p['name'])}</code></td><td>{escape(p['in'])}</td>"
            f"<td>{escape(p['description'])}</td></tr>"
            for p in op["parameters"]
        )
        parts.append(f"<table><tr><th>Parameter</th><th>in</th><th></th></tr>{''.join(rows)}</table>")
    body = op.get("requestBody", {}).get("content", {}).get(JSON, {})
    if body:
        parts.append(f"<p>Body</p><pre>{_pretty(body.get('example', body['schema']))}</pre>")
    answer = op["responses"]["200"]["content"]
    for media, content in answer.items():
        example = _pretty(content.get("example", content["schema"]))
        parts.append(f"<p>Answer (<code>{escape(media)}</code>)</p><pre>{example}</pre>")
    statuses = ", ".join(status for status in op["responses"] if status != "200")
    return "\n".join([*parts, f"<p>Errors: {statuses}</p>"])


def _pretty(value: object) -> str:
    return escape(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
