"""Load from outside: the program wrk asks the service, and says how long the answers took.

wrk is small beside a client in Python, and what it takes of the machine is measured: on two cores that share is missing
to the workers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from assent.errors import UsageError

PATIENCE = 120
"""Seconds that wrk waits for one answer."""
DONE = """
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("FIGURES %d %d %d %d %d %d %d\\n", summary.requests, summary.duration,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50), latency:percentile(99), latency.max, e.status))
end
"""
EACH = """
local number, bodies = FIRST, {BODIES}
request = function()
  number = number + 1
  local body = bodies[number % #bodies + 1]:gsub("@N@", number)
  return wrk.format("POST", "PATH", {["Content-Type"] = "application/json"}, body)
end
"""
REVIEW = """
local lanes, item, look = 0, nil, nil
setup = function(thread)
  thread:set("handle", "bench" .. lanes)
  lanes = lanes + 1
end
request = function()
  if item == nil then return wrk.format("GET", "/v1/review/next?handle=" .. handle) end
  local body = string.format('{"item":"%s","look":%s,"handle":"%s","none":true}', item, look, handle)
  item = nil
  return wrk.format("POST", "/v1/review/answers", {["Content-Type"] = "application/json"}, body)
end
response = function(status, headers, body)
  local found = body:match('"item":"(%x+)"')
  if found ~= nil then item, look = found, body:match('"look":(%d+)') end
end
"""
"""Every thread is a reviewer: it asks for a card, answers it, and asks for the next."""


@dataclass(frozen=True, slots=True)
class WrkLoad:
    """What wrk is told: a script, and how many threads it needs (one, or one for each connection)."""

    script: str
    threads_are_connections: bool = False

    @classmethod
    def posting(cls, path: str, bodies: list[object], first: int) -> WrkLoad:
        """The bodies by turns, ``@N@`` in them counted up from ``first``, so that no request is like another."""
        shown = ", ".join(f"[==[{json.dumps(body)}]==]" for body in bodies)
        made = EACH.replace("FIRST", str(first)).replace("BODIES", shown).replace("PATH", path)
        return cls(made)

    @classmethod
    def reviewing(cls) -> WrkLoad:
        """Cards and answers by turns."""
        return cls(REVIEW, threads_are_connections=True)


def is_there() -> bool:
    """Whether wrk can be run."""
    return shutil.which("wrk") is not None


def ask(address: str, load: WrkLoad, connections: int, seconds: float) -> dict[str, float]:
    """Load for so many seconds; UsageError where wrk is missing or says nothing.

    ``client_share`` is what wrk itself took of one core.
    """
    if not is_there():
        raise UsageError("the load is made by wrk: install it (Debian: apt install wrk)")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "load.lua"
        script.write_text(load.script + DONE)
        threads = connections if load.threads_are_connections else 1
        command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{max(1, round(seconds))}s"]
        command += ["--timeout", f"{PATIENCE}s", "-s", str(script), address]
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, spent = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        return _figures(said, (spent.ru_utime + spent.ru_stime) / (time.perf_counter() - begun))


def _figures(said: str, share: float) -> dict[str, float]:
    found = next((line.split()[1:] for line in said.splitlines() if line.startswith("FIGURES")), None)
    if found is None:
        raise UsageError(f"wrk gave no figures: {said[:200]!r}")
    requests, microseconds, failed, p50, p99, longest, refused = map(int, found)
    return {
        "requests": requests,
        "failed": failed,
        "refused": refused,
        "per_second": 1e6 * requests / max(microseconds, 1),
        "p50_ms": p50 / 1000,
        "p99_ms": p99 / 1000,
        "max_ms": longest / 1000,
        "client_share": share,
    }
