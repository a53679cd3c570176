"""What one cold ``assent translate`` takes and does on this machine: seconds, files executed, formulas, policies.

    python devtools/measure_run.py

Times are the best of several runs, each in a process of its own; counts come from one run under a profiler.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
ARGUMENTS = (
    "translate",
    "Whenever the door is open, the alarm must be on within 5 seconds.",
    "--logic=stl",
    "--vocabulary=examples/vocabulary.toml",
)
COUNTED = {
    "read": ("logic/parse.py", "read"),
    "write": ("logic/render.py", "_written"),
    "policies": ("policy/policy.py", "from_json"),
}
PROFILED = f"""
import contextlib, io, json, sys, threading
from collections import Counter
calls, written = Counter(), set()
def note(frame, event, _):
    if event == "call":
        calls[frame.f_code.co_filename, frame.f_code.co_name] += 1
        if frame.f_code.co_name == "_written":
            written.add((repr(frame.f_locals["formula"]), frame.f_locals["spelling"]))
threading.setprofile(note)
sys.setprofile(note)
from assent.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    assert main({list(ARGUMENTS)!r}) == 0, "the instruction was not accepted"
sys.setprofile(None)
counted = {{name: sum(n for (file, called), n in calls.items() if file.endswith("assent/" + where) and called == what)
           for name, (where, what) in {COUNTED!r}.items()}}
counted["written"] = len(written)
import assent, pathlib
home = str(pathlib.Path(assent.__file__).parent)
counted["files"] = sum(str(getattr(module, "__file__", None)).startswith(home) for module in list(sys.modules.values()))
print(json.dumps(counted))
"""
IMPORT = """
import sys, time
start = time.perf_counter()
import assent
print(time.perf_counter() - start, "numpy" in sys.modules)
"""


def _python(*arguments: str) -> str:
    path = os.pathsep.join(filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ).stdout


def _seconds() -> tuple[float, float]:
    """Wall-clock and processor seconds of one ``assent translate``."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    _python("-m", "assent", *ARGUMENTS)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used


def counts() -> dict[str, int]:
    """Files executed, formulas read from text and written (in all, and different ones), policies read, by one run."""
    found: dict[str, int] = json.loads(_python("-c", PROFILED))
    return found


def rows() -> dict[str, str]:
    """The cells of ARCHITECTURE.md's table that need a run."""
    counts()  # a checkout that was never run computes its canary first: once for all runs
    counted = counts()
    imports = [_python("-c", IMPORT).split() for _ in range(RUNS)]
    fastest = min(float(seconds) for seconds, _ in imports)
    numpy = "with" if any(loaded == "True" for _, loaded in imports) else "without"
    wall, used = map(min, zip(*(_seconds() for _ in range(RUNS)), strict=True))
    return {
        "`assent translate`, cold": f"{wall:.2f} s ({used:.2f} s of processor time)",
        "`import assent`": f"{fastest * 1000:.0f} ms, {numpy} numpy",
        "source files executed by `assent translate`": str(counted["files"]),
        "formulas it reads from text, writes as text": f"{counted['read']}, {counted['write']}",
        "policies it loads": str(counted["policies"]),
    }


if __name__ == "__main__":
    for name, value in rows().items():
        print(f"{name}: {value}")
