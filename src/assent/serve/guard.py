"""What every request passes before anything reads it: host and origin, how many at once, and what goes with an answer.

The host check keeps a page of somebody else's from reaching a service on this machine under a name of its own (DNS
rebinding): addresses and ``localhost`` cannot be rebound, other names must be allowed. There is no CORS: a request that
comes from another origin is refused.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import secrets
import time
import traceback
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assent.serve.logs import log
from assent.serve.problems import Problem
from assent.serve.service import Service

SAFE = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ROUTE, NOTES = "assent.route", "assent.notes"
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Guard:
    """An ASGI application around the service's own."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service
        self._hosts = {name.lower() for name in service.settings.hosts} | {"localhost"}
        self._open = 0
        service.metrics.gauge("requests_open", "requests under way", lambda: self._open)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        client_id = headers.get("x-request-id", "")
        request_id = client_id if _ID.fullmatch(client_id) else secrets.token_hex(8)
        scope["assent.request_id"], scope[NOTES] = request_id, {}
        begun, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                answer_headers = MutableHeaders(scope=message)
                answer_headers["X-Request-ID"] = request_id
                for name, value in SAFE.items():
                    answer_headers.setdefault(name, value)
            async with asyncio.timeout(self._service.limits.writing):
                await send(message)

        try:
            self._check(scope, headers)
            if self._open >= self._service.limits.requests:
                raise Problem.busy(429, "busy", f"{self._open} requests are under way already", 1)
            self._open += 1
            try:
                await self._app(scope, receive, answer)
            finally:
                self._open -= 1
        except Problem as problem:
            await problem.response(request_id)(scope, receive, answer)
        except Exception as error:  # the log knows what it was; the client does not learn it
            log("error", request=request_id, error=type(error).__name__, trace=traceback.format_exc())
            if not status:
                await Problem(500, "internal", "an error of the service: see its log").response(request_id)(
                    scope, receive, answer
                )
        finally:
            self._note(scope, request_id, status, time.perf_counter() - begun)

    def _note(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = str(scope.get(ROUTE, "other"))
        self._service.metrics.count("requests", route=route, status=str(status))
        self._service.metrics.observe(route, seconds)
        log(
            "request",
            request=request_id,
            method=scope["method"],
            route=route,
            status=status,
            milliseconds=round(1000 * seconds, 1),
            **scope[NOTES],
        )

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        name = host_name(host)
        if name is None or not (is_address(name) or name.lower() in self._hosts):
            raise Problem(
                421,
                "wrong-host",
                "the service is not asked under this name: whoever runs it can allow the name",
            )
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            raise Problem(403, "other-origin", "requests from pages of another origin are refused")
        # Somebody may follow a link to a page; nothing else may be asked for from elsewhere.
        follows = headers.get("sec-fetch-mode") == "navigate" and not scope["path"].startswith("/v1/")
        elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if origin is None and elsewhere and not (follows and scope["method"] == "GET"):
            raise Problem(403, "other-origin", "requests from pages of another origin are refused")


def host_name(host: str) -> str | None:
    """The name in a Host header without its port; None if it is no such header."""
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?", host)
    return None if match is None else match.group(1)


def is_address(name: str) -> bool:
    """Whether a host is a number, which no name server can point elsewhere."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
