"""Hostile clients: wrong tokens, hosts and origins, bodies that are too large, too slow or nonsense, paths."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from served import NAMES, TEXT, Served, served

from assent.errors import ConfigurationError, UsageError
from assent.serve.guard import host_name
from assent.serve.settings import Settings
from assent.serve.tokens import Role, Tokens

ASK, REVIEW, ADMIN = "ask-token-0123456789", "review-token-0123456789", "admin-token-0123456789"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("guarded")
    file = folder / "tokens"
    file.write_text(f"# who may do what\nask robot {ASK}\nreview ann {REVIEW}\nadminister root {ADMIN}\n")
    file.chmod(0o600)
    with served(folder, "--token-file", str(file), "--allow-host", "assent.example", "--log-text") as found:
        yield found


def get(service: Served, path: str, token: str | None) -> int:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return service.http.get(path, headers=headers).status_code


def test_no_token_wrong_token_role_too_low(guarded: Served) -> None:
    assert get(guarded, "/v1/policy", None) == 401
    assert get(guarded, "/v1/policy", "wrong-token-0123456789") == 401
    assert get(guarded, "/v1/policy", ASK[:-1]) == 401
    assert guarded.http.get("/v1/policy", headers={"Authorization": f"Basic {ASK}"}).status_code == 401
    assert guarded.http.get("/v1/policy").headers["www-authenticate"].startswith("Bearer")
    table = {
        "/v1/policy": (200, 200, 200),
        "/v1/decisions": (403, 200, 200),
        "/v1/review/next": (403, 200, 200),
        "/metrics": (403, 403, 200),
        "/healthz": (200, 200, 200),
    }
    for path, statuses in table.items():
        assert tuple(get(guarded, path, token) for token in (ASK, REVIEW, ADMIN)) == statuses, path
    assert get(guarded, "/healthz", None) == 200 and get(guarded, "/readyz", None) == 200


def test_nobody_answers_as_another(guarded: Served) -> None:
    """With tokens the reviewer's handle is the token's name, whatever the request says."""
    head = {"Authorization": f"Bearer {REVIEW}"}
    body = {"text": "Always p.", "logic": "ltl"}
    row = guarded.http.post("/v1/translate", json=body, headers=head).json()
    asked = {"decision_id": row["decision_id"], "formula": "G p", "handle": "root"}
    assert guarded.http.post("/v1/resolve", json=asked, headers=head).status_code == 200
    log = [json.loads(line) for line in guarded.log.read_text().splitlines()]
    assert log[-1]["who"] == "ann"


def test_tokens_come_from_a_private_file(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"ask robot {ASK}\n")
    file.chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        Tokens.read(str(file))
    file.chmod(0o600)
    assert Tokens.read(str(file)).allow(f"bearer {ASK}", Role.ASK).name == "robot"
    for wrong in ("ask robot short", f"king robot {ASK}", f"ask a {ASK}\nask b {ASK}", "", f"nobody x {ASK}"):
        file.write_text(wrong)
        with pytest.raises(ConfigurationError):
            Tokens.read(str(file))
    with pytest.raises(ConfigurationError):
        Tokens.read(str(tmp_path / "missing"))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org"])
def test_other_machines_need_tokens(host: str) -> None:
    with pytest.raises(UsageError, match="--token-file"):
        Settings(host=host).check()
    Settings(host=host, token_file="t").check()
    for near in ("127.0.0.1", "127.0.0.9", "::1", "localhost"):
        Settings(host=near).check()


def test_what_keeps_it_from_starting_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "names.json").write_text('{"propositions": ["a", "A"]}')
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for arguments, code, said in (
            (["--port", port], 2, "cannot listen"),
            (["--port", "0", "--vocabulary", "names.json"], 1, "differs from a in case only"),
            (["--port", "0", "--config", "missing.toml"], 1, "missing.toml"),
            (["--port", "0", "--host", "0.0.0.0"], 2, "--token-file"),
            (["--port", "0", "--workers", "0"], 2, "--workers"),
            (["--port", "0", "--alpha", "0.07"], 1, "no policy for alpha"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "assent", "serve", *arguments],
                capture_output=True, text=True, cwd=tmp_path, check=False,
            )  # fmt: skip
            lines = [line for line in done.stderr.splitlines() if not line.startswith("{")]
            assert (done.returncode, done.stdout) == (code, "") and len(lines) == 1, done.stderr
            assert lines[0].startswith("assent serve: ") and said in lines[0]


def test_the_host_must_be_ours(guarded: Served) -> None:
    def status(host: str) -> int:
        return guarded.http.get("/healthz", headers={"Host": host}).status_code

    assert (
        status("localhost:1") == status("10.1.2.3") == status("[::1]:80") == status("assent.example") == 200
    )
    for wrong in (
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "a b",
        "localhost:x",
        "",
    ):
        assert status(wrong) in (400, 421), wrong
    assert host_name("[::1]:80") == "[::1]" and host_name("a/b") is None


def test_pages_of_others_are_refused_and_there_is_no_cors(service: Served) -> None:
    body = {"first": "p", "second": "p"}
    near = {"Origin": service.address}
    assert service.http.post("/v1/compare", json=body, headers=near).status_code == 200
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        found = service.http.post("/v1/compare", json=body, headers=headers)
        assert found.status_code == 403 and "access-control-allow-origin" not in found.headers
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert service.http.get("/docs", headers=link).status_code == 200
    assert service.http.get("/v1/review/next", headers=link).status_code == 403
    asked = service.http.options("/v1/compare", headers={"Access-Control-Request-Method": "POST"})
    assert asked.status_code == 405
    plain = service.http.post("/v1/compare", content=json.dumps(body), headers={"Content-Type": "text/plain"})
    assert plain.status_code == 415  # what a form of another page could send


def test_bodies_that_make_no_sense(service: Served) -> None:
    def status(content: bytes, path: str = "/v1/translate", media: str = "application/json") -> int:
        found = service.http.post(path, content=content, headers={"Content-Type": media})
        assert found.headers["content-type"] == "application/problem+json"
        assert found.json()["request_id"] == found.headers["x-request-id"]
        return found.status_code

    assert status(b"{") == status(b"") == status(b"\xff\xfe") == 400
    assert status(b'{"text": "x", "vocabulary": {"a": ' + b"[" * 100_000) == 400
    assert status(b"[" * 100_000) == 422
    assert status(b"[]") == status(b"{}") == status(b'{"text": 5}') == status(b'{"text": ""}') == 422
    assert status(b'{"text": "x", "logic": "modal"}') == status(b'{"text": "x", "alpha": 2}') == 422
    assert status(b'{"text": "x", "vocabulary": {"propositions": 5}}') == 422
    assert status(b'{"text": "   "}') == 422
    assert status(b'{"text": "\\ud800"}') in (400, 422)
    assert status(b'{"first": "G (", "second": "p"}', "/v1/compare") == 422
    assert status(b'{"formula": "p", "target": "nothing"}', "/v1/export") == 422
    assert status(b'{"text": "x"}\nnonsense', "/v1/batch", "application/x-ndjson") == 400


def test_a_body_that_is_too_large(service: Served) -> None:
    large = json.dumps({"text": "x" * 1_100_000}).encode()
    assert service.http.post("/v1/translate", content=large, headers=_JSON).status_code == 413

    def pieces() -> Iterator[bytes]:  # without a length
        for _ in range(40):
            yield b"x" * 65_536

    with contextlib.suppress(httpx.WriteError):  # the connection may be closed before everything was sent
        assert service.http.post("/v1/translate", content=pieces(), headers=_JSON).status_code == 413
    assert service.post("/v1/translate", {"text": "x" * 30_000}).status_code == 422


_JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/v1/decisions/..%2f..%2fetc",
        "/v1/decisions/%00",
        "/static/../../pyproject.toml",
        "//evil.example/",
        "/v1//translate",
        "/v1/translate/../policy",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/docs/style.css/../../x",
    ],
)
def test_tricks_with_paths(service: Served, path: str) -> None:
    status, text = raw(
        service, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    )
    assert status in (404, 405, 422), text
    assert "root:" not in text and "[project]" not in text


def raw(service: Served, sent: bytes, *, patience: float = 30) -> tuple[int, str]:
    """Bytes as they are; the status (0 if the service hangs up) and everything it said."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=patience) as sock:
        sock.sendall(sent)
        parts = []
        try:
            while part := sock.recv(65536):
                parts.append(part)
        except ConnectionResetError:
            pass
    text = b"".join(parts).decode("utf-8", "replace")
    return (int(text.split()[1]) if text.startswith("HTTP/") else 0), text


def test_slow_clients_are_cut_off(tmp_path: Path) -> None:
    with served(tmp_path, "--reading", "0.5") as service:
        begun = time.monotonic()
        assert raw(service, b"GET /healthz HTTP/1.1\r\nHost: loc")[0] == 0  # a head that never ends
        head = b"POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        assert raw(service, head + b'Content-Length: 50\r\n\r\n{"te')[0] == 408  # a body that never ends
        assert raw(service, b"")[0] == 0
        assert time.monotonic() - begun < 60
        assert service.translate().status_code == 200


def _unread(service: Served, times: int, room: int = 4096) -> socket.socket:
    """A client that asks for much and takes none of it."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    sock.settimeout(60)
    sock.connect(("127.0.0.1", service.port))
    sock.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * times)
    return sock


def _rest(sock: socket.socket) -> int:
    """How many bytes there still are for a client before its connection ends."""
    count = 0
    with sock, contextlib.suppress(ConnectionResetError):
        while part := sock.recv(1 << 20):
            count += len(part)
    return count


def test_clients_that_take_no_answer_are_cut_off_and_stall_nobody(tmp_path: Path) -> None:
    """Their answers fill the buffers, then nothing more is made for them; the connection ends, unread."""
    said = "does not take its answer"
    with served(tmp_path, "--writing", "5") as service:
        size = len(service.http.get("/openapi.json").content)
        times = 16_000_000 // size  # more than the system buffers for a connection
        slow = [_unread(service, times) for _ in range(4)]
        for _ in range(5):  # the others are answered meanwhile
            assert service.translate().status_code == 200
        give_up = time.monotonic() + 120
        while service.log.read_text().count(said) < len(slow):
            assert time.monotonic() < give_up, "a client that takes nothing is still waited for"
            time.sleep(0.2)
        assert all(_rest(sock) < times * size / 2 for sock in slow)
        assert "assent_requests_open 1\n" in service.http.get("/metrics").text  # the one that asks
        with _unread(service, times, 1 << 20) as patient:  # one that does take it gets it all
            count = 0
            while count < times * size:
                count += len(patient.recv(1 << 20))
        assert service.log.read_text().count(said) == len(slow)


def test_a_client_that_goes_away_harms_nobody(service: Served) -> None:
    cases = json.dumps({"cases": [TEXT] * 50, "vocabulary": NAMES}).encode()
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", service.port)) as sock:
            sock.sendall(
                b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + f"Content-Length: {len(cases)}\r\n\r\n".encode()
                + cases
            )
            sock.recv(200)  # the first answer has begun
    assert service.translate().status_code == 200
    give_up = time.monotonic() + 30
    while "assent_jobs_waiting 0" not in service.http.get("/metrics").text:
        assert time.monotonic() < give_up, "the work of those who left goes on"
        time.sleep(0.1)


def test_scripts_are_text(service: Served) -> None:
    bad = "<script>alert('x')</script> & \"quoted\""
    row = service.translate(f"Always {bad}", id=bad).json()
    assert row["evidence"]["text"] == f"Always {bad}" and row["id"] == bad
    names = {"propositions": [{"name": "p", "says": bad}]}
    assert service.post("/v1/translate", {"text": "Always p.", "vocabulary": names}).status_code == 200
    assert (
        service.post("/v1/translate", {"text": "x", "vocabulary": {"propositions": [bad]}}).status_code == 422
    )
    found = service.http.get("/v1/decisions", params={"limit": 500})
    assert found.headers["content-type"] == "application/json"
    assert found.headers["x-content-type-options"] == "nosniff"


def logged(service: Served, request: str) -> str:
    """The log once this request stands in it: its line is written after the answer has been sent."""
    give_up = time.monotonic() + 30
    while f'"request":"{request}"' not in (text := service.log.read_text()):
        assert time.monotonic() < give_up, f"request {request} was never logged"
        time.sleep(0.05)
    return text


def test_the_log_has_no_instructions_unless_asked(service: Served, guarded: Served) -> None:
    secret = f"Always the {os.urandom(8).hex()} is on."
    answer = service.translate(secret)
    assert secret not in logged(service, answer.headers["x-request-id"])
    answer = guarded.post("/v1/translate", {"text": secret}, Authorization=f"Bearer {ASK}")
    text = logged(guarded, answer.headers["x-request-id"])
    assert secret in text and ASK not in text
    for line in text.splitlines():
        assert json.loads(line)["event"]


def test_request_ids(service: Served) -> None:
    assert service.http.get("/healthz", headers={"X-Request-ID": "abc-1"}).headers["x-request-id"] == "abc-1"
    other = service.http.get("/healthz", headers={"X-Request-ID": "a b<script>"}).headers["x-request-id"]
    assert len(other) == 16
