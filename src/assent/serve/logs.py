"""Structured log: one JSON object a line on standard error. Instructions are in it only where the operator asks."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

import msgspec


def log(event: str, **fields: Any) -> None:
    """Write one line; a closed stream is no reason to stop serving."""
    row = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **fields}
    try:
        sys.stderr.write(msgspec.json.encode(row).decode() + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return
