"""The pages: server-rendered HTML. ``routes`` is what ``app.create_app`` mounts."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from assent.serve.service import Service


def routes(service: Service) -> list[BaseRoute]:
    """The pages of a service."""

    async def front(request: Request) -> Response:
        return RedirectResponse("/docs")

    return [Route("/", front, methods=["GET"])]
