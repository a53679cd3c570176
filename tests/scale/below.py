"""The processes that a test started, and they only: what a test may kill."""

from __future__ import annotations

from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes below one, by what the system says; every thread may have started some."""
    below: list[int] = []
    for place in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            below += map(int, place.read_text().split())
        except OSError:  # it ended meanwhile
            continue
    return [*below, *(grand for one in below for grand in children(one))]


def command_of(pid: int) -> str:
    """What a process was started as; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
