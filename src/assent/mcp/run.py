"""Run the protocol on standard input and output, or over HTTP under the service's own guard."""

from __future__ import annotations

import asyncio
import logging

from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from assent.mcp.server import ProtocolServer
from assent.serve.guard import Guard
from assent.serve.problems import Problem
from assent.serve.run import listen_and_serve
from assent.serve.service import Service
from assent.serve.settings import Settings
from assent.serve.tokens import Role

PATH = "/mcp"


def on_stdio(settings: Settings) -> None:
    """Serve one client on standard input and output until it goes away."""
    logging.basicConfig(level=logging.WARNING)
    service = Service(settings)

    async def main() -> None:
        server = ProtocolServer(service).server()
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    try:
        asyncio.run(main())
    finally:
        service.books.close()


def on_http(settings: Settings, *, as_json: bool = False) -> None:
    """Serve over streamable HTTP at ``/mcp``; one line with the address when ready."""
    listen_and_serve(settings, lambda service, failure: mcp_app(service), path=PATH, as_json=as_json)


def mcp_app(service: Service) -> ASGIApp:
    """The protocol behind token and host checks."""
    server = ProtocolServer(service).server()
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=service.limits.body * 2,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=False
        ),  # the guard does it
    )
    return Guard(_Tokens(inner, service), service)


class _Tokens:
    """Answers 401 or 403 to requests without a sufficient token, before the protocol sees them."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            authorization = dict(scope["headers"]).get(b"authorization")
            try:
                self._service.tokens.allow(
                    None if authorization is None else authorization.decode("latin-1"), Role.ASK
                )
            except Problem as problem:
                await problem.response(scope["assent.request_id"])(scope, receive, send)
                return
        await self._app(scope, receive, send)
