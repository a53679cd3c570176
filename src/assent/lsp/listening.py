"""How an editor is connected: standard input and output, or one connection on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from typing import TYPE_CHECKING, cast

from pygls.protocol import LanguageServerProtocol

if TYPE_CHECKING:
    from assent.lsp.server import RequirementServer

HOST = "127.0.0.1"
_BEGIN = b"Content-"


class OneEditor(LanguageServerProtocol):
    """The protocol for one connection; the server's loop stops when the connection ends."""

    def connection_lost(self, exc: BaseException | None) -> None:
        self._server.loop.stop()


class FirstConnection(asyncio.Protocol):
    """Accepts the first connection whose first bytes are those of the protocol; every other one is closed.

    A web page can make a browser send a request (HTTP) to a port of this machine: it begins otherwise and is closed.
    """

    def __init__(self, server: RequirementServer) -> None:
        self._server, self._first = server, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._first += data
        if self._server.taken or not self._first.startswith(_BEGIN[: len(self._first)]):
            self._transport.close()
        elif len(self._first) >= len(_BEGIN):
            self._server.taken = True
            protocol = self._server.lsp
            protocol.connection_made(self._transport)
            self._transport.set_protocol(protocol)
            protocol.data_received(self._first)


def on_stdio(server: RequirementServer) -> None:
    """Serve one editor on standard input and output; whatever else is printed goes to standard error."""
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    try:
        server.start_io(stdin, stdout)  # type: ignore[arg-type]  # bytes, whatever its types say
    finally:
        server.finish()


def on_tcp(server: RequirementServer, port: int, *, as_json: bool = False) -> None:
    """Serve one editor on a port of this machine, and end with it; OSError if the port is taken."""
    loop = server.loop
    listener = loop.run_until_complete(loop.create_server(lambda: FirstConnection(server), HOST, port))
    port = listener.sockets[0].getsockname()[1]
    print(json.dumps({"host": HOST, "port": port}) if as_json else f"assent lsp: {HOST}:{port}", flush=True)
    try:
        with contextlib.suppress(KeyboardInterrupt, SystemExit):
            loop.run_forever()
    finally:
        listener.close()
        server.finish()
        loop.close()
