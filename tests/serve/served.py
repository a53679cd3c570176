"""A service for the tests: a process of its own, on a free port of this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

NAMES = {
    "propositions": [{"name": "door_open", "says": "door open"}, {"name": "alarm_on", "says": "alarm on"}],
    "time_unit": "s",
}
TEXT = "Whenever the door is open, the alarm is on within 5 seconds."


class Served:
    """The process, its address and a client for it."""

    def __init__(self, process: subprocess.Popen[str], address: str, log: Path) -> None:
        self.process, self.address, self.log = process, address, log
        self.port = int(address.rpartition(":")[2])
        self.http = httpx.Client(base_url=address, timeout=250)

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return self.http.post(path, json=body, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def translate(self, text: str = TEXT, key: str | None = None, **more: Any) -> httpx.Response:
        headers = {} if key is None else {"Idempotency_Key": key}
        return self.post("/v1/translate", {"text": text, "vocabulary": NAMES, **more}, **headers)

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        self.http.close()
        if self.process.poll() is None:
            self.process.send_signal(sign)
        return self.process.wait(250)


@contextmanager
def served(folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> Iterator[Served]:
    """``assent serve`` with these arguments, ready."""
    log = folder / f"serve-{os.urandom(4).hex()}.log"
    # Machines that run tests may be busy; deadlines have tests of their own.
    patient = () if "--deadline" in arguments else ("--deadline", "240")
    command = [sys.executable, "-m", "assent", "serve", "--port", "0", *patient, *arguments]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=folder,
            env={**os.environ, **(environment or {})},
        )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address.startswith("http://"), log.read_text()
    found = Served(process, address, log)
    try:
        yield found
    finally:
        found.stop(signal.SIGKILL if process.poll() is None and sys.exc_info()[0] else signal.SIGTERM)
        process.stdout.close()
