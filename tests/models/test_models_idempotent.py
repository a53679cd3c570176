"""Names of calls: one made again because its answer was lost has the same name, every other call another one."""

from __future__ import annotations

import asyncio
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from assent.errors import ModelError
from assent.models import Prompt, Sampling
from assent.models.openai import OpenAIModel

GOOD = {"choices": [{"index": 0, "message": {"content": "G a"}, "finish_reason": "stop"}]}


@contextmanager
def answering(script: list[object]) -> Iterator[tuple[str, list[str | None]]]:
    """A server that follows a script, an entry a request: a status, a body, or to hang up. And the names it heard."""
    heard: list[str | None] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            heard.append(self.headers.get("Idempotency-Key"))
            step = script.pop(0)
            if step == "hang up":
                self.close_connection = True
                return
            status, body = (step, {"error": {"message": "no"}}) if isinstance(step, int) else (200, step)
            raw = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{httpd.server_address[1]}/v1", heard
    finally:
        httpd.shutdown()
        httpd.server_close()


def asked(model: OpenAIModel, *calls: tuple[str, int]) -> list[str]:
    """Make calls one after the other; what was wrong with them."""
    wrong: list[str] = []

    async def main() -> None:
        for text, first in calls:
            try:
                await model.generate(Prompt.of(text), Sampling(first=first, temperature=1.0))
            except ModelError as error:
                wrong.append(f"{error} (unanswered: {error.unanswered})")
        await model.close()

    asyncio.run(main())
    return wrong


@pytest.mark.parametrize("lost", ["hang up", 409, 429, 503, 408])
def test_a_call_whose_answer_was_lost_keeps_its_name(lost: object) -> None:
    with answering([lost, lost, GOOD]) as (url, heard):
        wrong = asked(OpenAIModel("m", base_url=url, version="1"), *[("x", 0)] * 3)
    assert len(set(heard)) == 1 and heard[0], (heard, wrong)


@pytest.mark.parametrize("useless", [500, {"choices": []}, {**GOOD, "choices": "?"}, 400])
def test_an_answer_that_is_of_no_use_is_not_asked_for_again_by_its_name(useless: object) -> None:
    """A server that honours names would give it again."""
    with answering([useless, useless, GOOD]) as (url, heard):
        asked(OpenAIModel("m", base_url=url, version="1"), *[("x", 0)] * 3)
    assert len(set(heard)) == 3


def test_samples_prompts_and_models_have_names_of_their_own() -> None:
    with answering([GOOD] * 5) as (url, heard):
        asked(OpenAIModel("m", base_url=url, version="1"), ("x", 0), ("x", 1), ("y", 0))
        asked(OpenAIModel("n", base_url=url, version="1"), ("x", 0))
        asked(OpenAIModel("m", base_url=url, version="1"), ("x", 0))  # another process, later: the same call
    assert len(set(heard)) == 4 and heard[0] == heard[4]
    assert all(name is not None and len(name) < 256 and name.isascii() for name in heard)


def test_names_can_be_left_out() -> None:
    with answering([GOOD]) as (url, heard):
        asked(OpenAIModel("m", base_url=url, version="1", idempotent=False), ("x", 0))
    assert heard == [None]
