"""A server that speaks the OpenAI chat protocol and misbehaves on purpose. Loopback only, in its own process.

    python tests/faults/server.py --latency 0.2 --faults 429,500,reset --share 0.3

It prints its port on the first line. Which request gets which fault is decided by a hash of its body and of
how often that body came before, so a run repeats itself; a body is refused at most ``--most`` times in a row,
then it is served. ``GET /stats`` says what happened: ``served`` good answers, and ``repeated``, those sent for a
body that had already been served whole (an answer paid twice). ``POST /hold/N`` keeps back every good answer after the
first N; ``POST /hold/none`` lets them go. ``paid`` counts good answers that were made, whether or not anybody was
left to hear them. With ``--idempotent yes`` a request with the ``Idempotency-Key`` of an earlier one gets that one's
answer, and is not paid (``replayed``).

Faults: 429 (with Retry-After), 500, 503, stall, reset, half (JSON cut off), short (fewer bytes than promised),
types (wrong types), none (no choices), html, empty, drip (very slow bytes), cut (finish_reason length),
nonsense (well-formed, but no usable content), echo (an error that repeats the request's key), 400, 401.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import re
import socket
import struct
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PASSING = ("429", "500", "503", "stall", "reset", "half", "short", "types", "none", "html", "empty", "drip")
NONSENSE = ("cut", "nonsense")
_CODE = re.compile(r"^Code: (\w+)$", re.MULTILINE)
_QUOTED = re.compile(r'^(?:Sentence|Formula|A): (".*")$', re.MULTILINE)
_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests"}


@dataclass
class Double:
    """The server's state and behaviour."""

    latency: float = 0.0
    faults: tuple[str, ...] = ()
    share: float = 0.3
    most: int = 3
    stall: float = 5.0
    retry_after: float = 0.05
    answers: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)
    hold: int | None = None
    idempotent: bool = False
    kept: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    promised: int = 0
    in_flight: int = 0
    most_in_flight: int = 0

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while await self.exchange(reader, writer):
                pass
        writer.close()

    async def exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        start, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        method, path, _ = start.split(" ", 2)
        if path.endswith("/stats"):
            await reply(writer, 200, self.stats())
            return True
        if "/hold/" in path:
            until = path.rpartition("/")[2]
            self.hold = int(until) if until.isdecimal() else None
            await reply(writer, 200, {})
            return True
        if path.endswith("/models"):
            await reply(writer, 200, {"object": "list", "data": [{"id": "double", "object": "model"}]})
            return True
        if method != "POST" or not path.split("?")[0].endswith("/chat/completions"):
            await reply(writer, 404, {"error": {"message": f"no such place: {path}"}})
            return True
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self.chat(writer, headers, body)
        finally:
            self.in_flight -= 1

    async def chat(self, writer: asyncio.StreamWriter, headers: dict[str, str], body: bytes) -> bool:
        key = hashlib.sha256(body).hexdigest()
        self.seen[key] += 1
        fault = self.fault_for(key)
        self.counts["requests"] += 1
        self.counts[fault or "good"] += 1
        once = headers.get("idempotency-key") if self.idempotent and fault is None else None
        if once in self.kept:
            self.counts["replayed"] += 1
            await reply(writer, 200, await asyncio.shield(self.kept[once]))
            self.counts["served"] += 1
            return True
        if once is not None:
            self.kept[once] = asyncio.get_running_loop().create_future()
        if fault is None and self.latency:
            await asyncio.sleep(self.latency)
        if fault is None:
            while self.hold is not None and self.promised >= self.hold:
                await asyncio.sleep(0.01)
            self.promised += 1
            self.counts["paid"] += 1
        good = self.completion(json.loads(body), fault)
        if once is not None:
            self.kept[once].set_result(good)
        if fault is None or fault in ("drip", *NONSENSE):
            if fault == "drip":
                whole = await drip(writer, good, self.stall)
            else:
                await reply(writer, 200, good)
                whole = True
            if whole:
                self.counts["served"] += 1
                self.counts["repeated"] += self.whole[key] > 0
                self.whole[key] += 1
            return whole
        return await self.misbehave(writer, fault, headers, good)

    def fault_for(self, key: str) -> str | None:
        digest = hashlib.sha256(f"{key}:{self.seen[key]}".encode()).digest()
        if not self.faults or digest[0] / 256 >= self.share or self.refused[key] >= self.most:
            self.refused[key] = 0
            return None
        self.refused[key] += 1
        return self.faults[digest[1] % len(self.faults)]

    async def misbehave(
        self, writer: asyncio.StreamWriter, fault: str, headers: dict[str, str], good: dict[str, Any]
    ) -> bool:
        raw = json.dumps(good).encode()
        match fault:
            case "429":
                after = f"Retry-After: {self.retry_after}\r\n"
                await reply(
                    writer, 429, {"error": {"message": "slow down", "code": "rate_limit"}}, extra=after
                )
            case "echo":
                said = f"who is {headers.get('authorization')}?"
                await reply(writer, 401, {"error": {"message": said, "code": "invalid_api_key"}})
            case "400" | "401" | "500" | "503":
                await reply(writer, int(fault), {"error": {"message": f"error {fault} on purpose"}})
            case "stall":
                await asyncio.sleep(self.stall)
                return False
            case "reset":
                # Linger 0: the connection ends with RST, not FIN.
                raw_socket = writer.get_extra_info("socket")
                raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                return False
            case "half":
                await send(writer, 200, raw[: len(raw) // 2])
            case "short":
                await send(writer, 200, raw[: len(raw) // 2], promised=len(raw))
                return False
            case "types":
                await reply(writer, 200, good | {"choices": [{"index": "one", "message": ["G a"]}]})
            case "none":
                await reply(writer, 200, good | {"choices": []})
            case "html":
                await send(writer, 200, b"<html><body>502 Bad Gateway</body></html>", kind="text/html")
            case "empty":
                await reply(writer, 200, spoken("", good))
            case _:
                raise AssertionError(fault)
        return True

    def completion(self, request: dict[str, Any], fault: str | None) -> dict[str, Any]:
        text, finish = self.say(request), "stop"
        if fault == "cut":
            text, finish = text[: max(1, len(text) // 2)], "length"
        if fault == "nonsense":
            text = re.sub(r"\d+", "101", text.replace("match", "maybe")) if "{" in text else "((("
        said = {"role": "assistant", "content": text}
        asked = sum(len(message["content"]) for message in request["messages"]) // 4
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "double-2026-01-01",
            "choices": [
                {"index": i, "message": said, "finish_reason": finish} for i in range(request.get("n") or 1)
            ],
            "usage": {"prompt_tokens": asked, "completion_tokens": 7, "total_tokens": asked + 7},
        }

    def say(self, request: dict[str, Any]) -> str:
        """A plausible answer: ratings for judges, the listed answer for a listed text, else one formula."""
        system, user = request["messages"][0]["content"], request["messages"][-1]["content"]
        if code := _CODE.search(user):
            if "quantifier_negation" in system:
                labels = dict.fromkeys(("object", "spatial", "temporal", "quantifier_negation"), "match")
                return json.dumps({"nonce": code[1], **labels, "reason": "nothing differs"})
            if "logical_structure" in system:
                keys = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")
                return json.dumps({"nonce": code[1], **dict.fromkeys(keys, 95)})
            return json.dumps({"nonce": code[1], "rating": 95})
        quoted = _QUOTED.search(user)
        subject = json.loads(quoted[1]) if quoted else user
        if subject in self.answers:
            return self.answers[subject]
        return (
            "Whenever a holds, b holds at some later time." if user.startswith("Formula:") else "G(a -> F b)"
        )

    def stats(self) -> dict[str, Any]:
        return dict(self.counts) | {"bodies": len(self.seen), "most_in_flight": self.most_in_flight}


def spoken(text: str, good: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return good | {"choices": [choice]}


async def reply(writer: asyncio.StreamWriter, status: int, body: object, *, extra: str = "") -> None:
    await send(writer, status, json.dumps(body).encode(), extra=extra)


async def send(
    writer: asyncio.StreamWriter,
    status: int,
    raw: bytes,
    *,
    promised: int | None = None,
    kind: str = "application/json",
    extra: str = "",
) -> None:
    head = (
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Error')}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(raw) if promised is None else promised}\r\n{extra}\r\n"
    )
    writer.write(head.encode() + raw)
    await writer.drain()


async def drip(writer: asyncio.StreamWriter, body: object, seconds: float) -> bool:
    """A good answer, a few bytes at a time, over some seconds; whether it went out whole."""
    raw = json.dumps(body).encode()
    await send(writer, 200, b"", promised=len(raw))
    pieces = 20
    step = -(-len(raw) // pieces)
    for place in range(0, len(raw), step):
        await asyncio.sleep(seconds / pieces)
        if writer.is_closing():
            return False
        writer.write(raw[place : place + step])
        await writer.drain()
    return True


# ---- for tests: the server as a child process ----


@dataclass(frozen=True)
class Running:
    """A server in another process."""

    port: int
    process: subprocess.Popen[str]

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def stats(self) -> dict[str, int]:
        with _opener().open(f"{self.base_url}/stats", timeout=60) as response:
            return Counter(json.load(response))

    def hold(self, until: int | None) -> None:
        """Keep back good answers after so many in all; None: no more."""
        place = "none" if until is None else str(until)
        with _opener().open(f"{self.base_url}/hold/{place}", data=b"", timeout=60):
            pass


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))


@contextlib.contextmanager
def running(**options: object) -> Iterator[Running]:
    """Start a server with these options (as on the command line) and stop it at the end."""
    argv = [sys.executable, str(Path(__file__).resolve())]
    for name, value in options.items():
        argv += [f"--{name.replace('_', '-')}", ",".join(value) if isinstance(value, tuple) else str(value)]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Running(int(process.stdout.readline()), process)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


async def serve(double: Double, port: int) -> None:
    server = await asyncio.start_server(double.connection, "127.0.0.1", port, backlog=1024, limit=2**22)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before a good answer")
    parser.add_argument("--faults", default="", help="names with commas between; 'passing' for all that pass")
    parser.add_argument("--share", type=float, default=0.3, help="share of requests that get a fault")
    parser.add_argument("--most", type=int, default=3, help="faults in a row for one body")
    parser.add_argument("--stall", type=float, default=5.0, help="seconds that a stall or a drip lasts")
    parser.add_argument("--retry-after", type=float, default=0.05)
    parser.add_argument("--idempotent", choices=("yes", "no"), default="no")
    parser.add_argument(
        "--answers", type=Path, help="JSON object: instruction or formula -> what is answered"
    )
    args = parser.parse_args()
    faults = tuple(
        name
        for given in filter(None, args.faults.split(","))
        for name in (PASSING if given == "passing" else (given,))
    )
    double = Double(
        latency=args.latency,
        faults=faults,
        share=args.share,
        most=args.most,
        stall=args.stall,
        idempotent=args.idempotent == "yes",
        retry_after=args.retry_after,
        answers=json.loads(args.answers.read_text()) if args.answers else {},
    )
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(double, args.port))


if __name__ == "__main__":
    main()
