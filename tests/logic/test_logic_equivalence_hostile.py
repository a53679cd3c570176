"""Hostile formulas end in an answer or in unknown, within bounded time and memory, and never in an exception."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MEMORY = 1_200_000_000
"""Bytes of address space; the interpreter itself takes about 200 million of them."""

CHILD = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
sys.path.insert(0, {here!r})
from hostile_formulas import hostile
from assent.errors import FormulaError
from assent.logic import read, canonical
from assent.logic.ast import Not
from assent.logic.english import english
from assent.logic.equivalence import cluster, equivalent, warnings
from assent.logic.render import write

for seed in {seeds}:
    logic, text = hostile(seed)
    try:
        f = read(text, logic)
    except FormulaError:
        print(json.dumps([seed, "unread", 0.0]))
        continue
    other = [Not(canonical(Not(f))), Not(f), read(text.replace("p0", "p1", 1).replace("F", "G", 1), logic)][seed % 3]
    for name, work in {{
        "equivalent": lambda: equivalent(f, other).verdict,
        "finite": lambda: equivalent(f, other, finite=True).verdict,
        "canonical": lambda: equivalent(f, other, level="canonical").verdict,
        "cluster": lambda: cluster([f, other, f]),
        "warnings": lambda: list(warnings(f)),
        "english": lambda: len(english(f)),
        "write": lambda: len(write(f)),
    }}.items():
        start = time.process_time()
        work()
        print(json.dumps([seed, name, time.process_time() - start]), flush=True)
"""


def costs(seeds: list[int], timeout: float) -> list[tuple[int, str, float]]:
    """Processor seconds of every operation; fails if one raised, or ran out of memory or time."""
    code = CHILD.format(memory=MEMORY, here=str(Path(__file__).parent), seeds=seeds)
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr[-2000:]
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


# Found by search: each took more than a minute, more than a gigabyte or the whole stack before it was bounded.
FOUND = [9, 17, 38, 41, 65]


@pytest.mark.parametrize("seed", FOUND)
def test_what_was_found(seed: int) -> None:
    for number, name, seconds in costs([seed], 200):
        assert seconds < 20, (number, name)  # about three at most on a quiet machine


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 400, 50))
def test_many(first: int) -> None:
    rows = costs(list(range(first, first + 50)), 3000)
    assert max(seconds for *_, seconds in rows) < 20
    assert sum(name == "unread" for _, name, _ in rows) < 10
