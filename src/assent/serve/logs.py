"""Structured log: one JSON object a line on standard error. Instructions are in it only where the operator asks."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import msgspec


def log(event: str, **fields: object) -> None:
    """Write one line; if standard error is closed, nothing is written and nothing is raised."""
    row = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **fields}
    try:
        sys.stderr.write(msgspec.json.encode(row).decode() + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return
