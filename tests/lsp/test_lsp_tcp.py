"""The language server on a port: for one editor of this machine, and for no browser."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server is not installed (assent[lsp])")

BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


@contextmanager
def listening(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-m", "assent", "lsp", "--tcp", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            where = server.stdout.readline().split()[-1]
            assert where.startswith("127.0.0.1:")
            yield server, int(where.partition(":")[2])
        finally:
            server.kill()


def framed(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def asked(port: int, data: bytes) -> tuple[socket.socket, bytes]:
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    connection.sendall(data)
    try:
        return connection, connection.recv(65536)
    except ConnectionResetError:
        return connection, b""


def test_a_browser_is_turned_away_and_an_editor_let_in(tmp_path: Path) -> None:
    with listening(tmp_path) as (server, port):
        post = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + framed(BEGIN)
        browser, answer = asked(port, post)
        assert answer == b""
        browser.close()
        first, answer = asked(port, framed(BEGIN))
        assert b'"hoverProvider"' in answer and b"assent.vouch" in answer
        second, answer = asked(port, framed(BEGIN))  # there is one editor
        assert answer == b""
        second.close()
        assert server.poll() is None
        first.close()
        assert server.wait(60) == 0


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        command = [sys.executable, "-m", "assent", "lsp", "--tcp", port]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1 and "Traceback" not in done.stderr and "in use" in done.stderr
