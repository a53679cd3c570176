"""Answers that are too long, packed too often, or followed by more: what a server sends is bounded and matched."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import json
import resource
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from assent.errors import ModelError
from assent.models import FunctionModel, Limits, Patience, Prompt, Sampling, stack
from assent.models.bodies import LONGEST
from assent.models.openai import OpenAIModel

KEY = "sk-test-5f2c/41d8+9a77"
Handler = Callable[[bytes, int], Awaitable[list[bytes]]]


def completion(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).encode()


def response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


@contextlib.asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """A server on loopback that answers the n-th request on a connection with what the handler returns."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            turn = 0
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = int(head.split("content-length:")[1].split("\r\n")[0])
                for part in await handler(await reader.readexactly(length), turn):
                    writer.write(part)
                    await writer.drain()
                turn += 1
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSENT_TEST_KEY", KEY)


def asked(sent: bytes, questions: int = 1) -> list[str | ModelError]:
    """What the model makes of a server that always sends these bytes."""

    async def handler(body: bytes, turn: int) -> list[bytes]:
        return [sent]

    async def main() -> list[str | ModelError]:
        async with serving(handler) as url:
            model = OpenAIModel("m", base_url=url, key_variable="ASSENT_TEST_KEY", timeout=20.0)
            said: list[str | ModelError] = []
            for i in range(questions):
                try:
                    said.append((await model.generate(Prompt.of(f"q{i}"), Sampling()))[0].text)
                except ModelError as error:
                    said.append(error)
            await model.close()
            return said

    return asyncio.run(main())


GOOD = completion("G a")
BOMB = gzip.compress(b"[" + b" " * 200_000_000 + b"]", 9, mtime=0)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("identity", GOOD),
        ("gzip", gzip.compress(GOOD, mtime=0)),
        ("GZIP", gzip.compress(GOOD, mtime=0)),
        ("identity, gzip", gzip.compress(GOOD, mtime=0)),
        ("deflate", zlib.compress(GOOD)),
        ("deflate", zlib.compress(GOOD)[2:-4]),
    ],
)
def test_one_encoding_is_read(coding: str, body: bytes) -> None:
    assert asked(response(body, f"Content-Encoding: {coding}")) == ["G a"]


@pytest.mark.parametrize(
    ("headers", "body", "says"),
    [
        (["Content-Encoding: gzip"], BOMB, "more than"),
        (["Content-Encoding: gzip, gzip"], gzip.compress(BOMB, mtime=0), "packed 2 times"),
        (
            ["Content-Encoding: gzip", "Content-Encoding: gzip"],
            gzip.compress(BOMB, mtime=0),
            "packed 2 times",
        ),
        (["Content-Encoding: deflate, gzip, gzip"], gzip.compress(BOMB, mtime=0), "packed 3 times"),
        (["Content-Encoding: br"], b"\x8b\x00", "not asked for"),
        (["Content-Encoding: zstd"], b"\x28\xb5\x2f\xfd", "not asked for"),
        (["Content-Encoding: gzip"], GOOD, "broken body"),
        (["Content-Encoding: gzip"], gzip.compress(GOOD, mtime=0)[:-9], "broken body"),
        (
            ["Content-Encoding: gzip"],
            gzip.compress(GOOD, mtime=0) + gzip.compress(BOMB, mtime=0),
            "broken body",
        ),
        ([], b"[" * 5_000_000, "broken body"),
        ([], b" " * (LONGEST + 1), "more than"),
    ],
)
def test_what_is_too_long_or_packed_too_often(headers: list[str], body: bytes, says: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    (said,) = asked(response(body, *headers))
    assert isinstance(said, ModelError) and says in str(said), said
    assert time.process_time() - start < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000  # kilobytes


@pytest.mark.parametrize("extra", [b"\r\n", b"HTTP/1.1", response(completion("F wrong")), b"x" * 100_000])
@pytest.mark.parametrize("late", [False, True])
def test_bytes_behind_an_answer_are_never_the_next_answer(extra: bytes, late: bool) -> None:
    """Sent in one piece with the answer, or a moment later: each question gets the answer to itself."""
    connections = 0

    async def handler(body: bytes, turn: int) -> list[bytes]:
        nonlocal connections
        connections += turn == 0
        question = json.loads(body)["messages"][0]["content"]
        answer = response(completion(f"G {question}"))
        if not late:
            return [answer + extra]
        return [answer, extra]

    async def main() -> list[str]:
        async with serving(handler) as url:
            model = OpenAIModel("m", base_url=url, timeout=20.0)
            said = []
            for i in range(12):
                said.append((await model.generate(Prompt.of(f"q{i}"), Sampling()))[0].text)
                await asyncio.sleep(0.02 if late else 0)
            await model.close()
            return said

    assert asyncio.run(main()) == [f"G q{i}" for i in range(12)]
    assert connections > 1 or extra == b"\r\n"


def test_a_clean_connection_is_used_again() -> None:
    connections = 0

    async def handler(body: bytes, turn: int) -> list[bytes]:
        nonlocal connections
        connections += turn == 0
        return [response(GOOD)]

    async def main() -> None:
        async with serving(handler) as url:
            model = OpenAIModel("m", base_url=url, timeout=20.0)
            for i in range(20):
                await model.generate(Prompt.of(f"q{i}"), Sampling())
            await model.close()

    asyncio.run(main())
    assert connections == 1


@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request", "401 Unauthorized", "503 Busy"])
@pytest.mark.parametrize(
    "spelt",
    [
        KEY,
        "".join(f"\\u{ord(c):04x}" for c in KEY),
        json.dumps(json.dumps(KEY))[1:-1],
        KEY.replace("/", "%2F").replace("+", "%2B"),
        base64.b64encode(f"user:{KEY}".encode()).decode(),
    ],
)
@pytest.mark.parametrize("padding", [0, 180, 190, 280, 290])
def test_no_half_of_a_key_is_left_by_shortening(status: str, spelt: str, padding: int) -> None:
    for body in (
        b'{"error": {"message": "' + b"x" * padding + spelt.encode() + b'"}}',
        b'{"error": "' + b"x" * padding + spelt.encode() + b'"}',
        b"x" * padding + spelt.encode(),
        b'{"choices": [{"message": {"content": "'
        + spelt.encode()
        + b'"}, "finish_reason": "stop"}], "model": "'
        + spelt.encode()
        + b'"}',
    ):
        (said,) = asked(response(body, status=status))
        for piece in ("sk-test", "sk-te", "5f2c", "41d8", "9a77", "c2stdGVzd", "stdGVz"):
            assert piece not in str(said)


def test_retry_after_beyond_the_patience_ends_at_once() -> None:
    """The call that was told to wait and all that follow fail with the reason, without waiting."""

    async def handler(body: bytes, turn: int) -> list[bytes]:
        return [response(b"{}", "Retry-After: 86400", status="429 Too Many Requests")]

    async def main() -> list[str]:
        async with serving(handler) as url:
            model = stack(OpenAIModel("m", base_url=url, timeout=20.0), limits=Limits(concurrency=2))
            said = []
            for i in range(6):
                with pytest.raises(ModelError) as caught:
                    await model.generate(Prompt.of(f"q{i}"), Sampling())
                assert not caught.value.retry
                said.append(str(caught.value))
            await model.inner.inner.inner.inner.close()  # type: ignore[attr-defined]
            return said

    start = time.monotonic()
    said = asyncio.run(main())
    assert time.monotonic() - start < 5
    assert all("asks to wait" in text and "longer than the 60 s" in text for text in said)


def test_a_short_retry_after_is_waited_for() -> None:
    calls = 0

    def busy(prompt: Prompt, sampling: Sampling) -> str:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise ModelError("busy", retry=True, retry_after=0.2)
        return "G a"

    start = time.monotonic()
    model = stack(FunctionModel(busy), patience=Patience(first_wait=0.01))
    assert asyncio.run(model.generate(Prompt.of("q"), Sampling()))[0].text == "G a"
    assert time.monotonic() - start >= 0.2
