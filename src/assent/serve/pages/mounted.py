"""Pages, files and fragments as routes."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from assent.serve.guard import ROUTE
from assent.serve.operations import Endpoint
from assent.serve.pages import views
from assent.serve.pages.fragments import OPERATIONS
from assent.serve.service import Service

_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@cache
def static() -> dict[str, tuple[bytes, str]]:
    """Every file that the pages load, by name, with its type; read once."""
    served: dict[str, tuple[bytes, str]] = {}
    for file in files("assent.serve").joinpath("static").iterdir():
        kind = _TYPES.get(file.name[file.name.rfind(".") :])
        if kind is not None:
            served[file.name] = file.read_bytes(), kind
    return served


def mounted(service: Service) -> list[BaseRoute]:
    """Views and files for anybody; fragments for those who may ask."""
    from assent.serve.app import endpoint

    routes: list[BaseRoute] = [
        Route(path, _sent(make(), "text/html"), methods=["GET"]) for path, make in views.VIEWS
    ]
    routes += [
        Route(f"/static/{name}", _sent(content, kind), methods=["GET"])
        for name, (content, kind) in static().items()
    ]
    return routes + [Route(op.path, endpoint(op, service), methods=[op.method]) for op in OPERATIONS]


def _sent(content: str | bytes, kind: str) -> Endpoint:
    """An endpoint that sends ``content``, or 304 to a browser that has it already."""
    body = content.encode() if isinstance(content, str) else content
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}

    async def sent(request: Request) -> Response:
        request.scope[ROUTE] = request.url.path
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=f"{kind}; charset=utf-8", headers=headers)

    return sent
