"""Run the service until it is told to stop: the socket, uvicorn, signals."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable

import h11
import msgspec
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from assent.errors import ConfigurationError, UsageError
from assent.serve.app import create_app
from assent.serve.logs import log
from assent.serve.service import Service
from assent.serve.settings import Settings

MakeApp = Callable[[Service, list[BaseException]], ASGIApp]
"""An application for a service; why it could not start is put into the list."""


def serve(settings: Settings, *, as_json: bool = False) -> None:
    """Serve; one line with the address on standard output when ready. Returns after a polite stop."""
    listen_and_serve(settings, create_app, as_json=as_json)


def listen_and_serve(settings: Settings, make: MakeApp, *, path: str = "", as_json: bool = False) -> None:
    """``serve`` for an application of one's own; ``path`` is printed behind the address."""
    service = Service(settings)
    if settings.ledger is None:
        log("notice", detail="no --ledger: decisions are kept for as long as the service runs")
    try:
        with listening(settings.host, settings.port) as sock:
            address = _address(sock) + path
            ready_line = msgspec.json.encode({"address": address}).decode() if as_json else address
            asyncio.run(_serve(service, make, sock, ready_line))
    finally:
        service.books.close()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; UsageError if the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends what is small at once (TCP_NODELAY) only on sockets that say they are TCP; without it the second
    # packet of an answer waits up to 40 ms for the client to confirm the first.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host.strip("[]"), port))
    except OSError as error:
        sock.close()
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    return sock


async def _serve(service: Service, make: MakeApp, sock: socket.socket, ready_line: str) -> None:
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # what went wrong is said once, by us
    failure: list[BaseException] = []
    app = make(service, failure)
    config = uvicorn.Config(
        app,
        http=_protocol(service.limits.reading, service.limits.writing),
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=int(service.limits.deadline) + 5,
    )
    server = _Server(config, ready_line)
    for caught in (signal.SIGTERM, signal.SIGINT):  # after a graceful stop there is nothing left to do
        signal.signal(caught, lambda *_: None)
    try:
        await server.serve(sockets=[sock])
    except SystemExit:
        raise failure[0] if failure else ConfigurationError("the service could not be started") from None


class _Server(uvicorn.Server):
    """Prints ``ready_line`` as soon as it listens."""

    def __init__(self, config: uvicorn.Config, ready_line: str) -> None:
        super().__init__(config)
        self._ready_line = ready_line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(self._ready_line, flush=True)


def _address(sock: socket.socket) -> str:
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


TAKEN = 65_536
"""Bytes of what waits for a client that it has to take in the time for a piece of an answer, or all of it."""


class _Patient(H11Protocol):
    """HTTP/1.1 that hangs up on a client whose request line and headers do not come in time, or who takes no answer.

    Closing politely would wait for the client to take what is buffered, so one who does not is cut off.
    """

    _reading: float
    _writing: float
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._unwait()
        elif self._timer is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwait()
        self._taken()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        self._taken()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._hang_up()

    def _hang_up(self) -> None:
        """Close as soon as the client has taken what is left, and do not wait for that without end."""
        self.transport.close()
        if self._stalled is None and self.transport.get_write_buffer_size():
            self._watch()

    def _watch(self) -> None:
        buffered = self.transport.get_write_buffer_size()
        self._stalled = self.loop.call_later(self._writing, self._look, buffered)

    def _look(self, before: int) -> None:
        if self.transport.get_write_buffer_size() > before - TAKEN:
            log("notice", detail="hung up on a client that does not take its answer")
            self.transport.abort()
        else:
            self._watch()

    def _taken(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _wait(self) -> None:
        self._timer = self.loop.call_later(self._reading, self._hang_up)

    def _unwait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _protocol(reading: float, writing: float) -> type[H11Protocol]:
    """``_Patient`` with its times in seconds: the server takes a class."""

    class Patient(_Patient):
        _reading, _writing = reading, writing

    return Patient
