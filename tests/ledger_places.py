"""Empty ledgers on both databases, and decisions to put into them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from postgres_server import new_schema, postgres_server

NewPlace = Callable[[], str]
_count = itertools.count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgres_server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> NewPlace:
    """Each call names a place for a ledger that is not there yet."""
    if request.param == "sqlite":
        return lambda: str(tmp_path / f"ledger{next(_count)}.db")
    url = request.getfixturevalue("server")
    return lambda: new_schema(url, f"s{os.getpid()}_{next(_count)}")


@pytest.fixture
def place(new_place: NewPlace) -> str:
    return new_place()


def decision(
    number: int | str, *, accepted: bool = True, cluster: str | None = None, **more: Any
) -> dict[str, Any]:
    """A decision as ``translate --json`` prints it, with what the ledger looks at."""
    evidence: dict[str, Any] = {
        "id": f"r{number}",
        "logic": "ltl",
        "text": f"requirement {number}: always p",
        "candidate": "G p",
        "formula": "G p",
        "samples": ["G p", "F p", "G p"],
        "scores": {"fused": 0.25},
        "made_by": {"logic": "ltl"},
    }
    if cluster is not None:
        evidence["cluster"] = cluster
    evidence |= more.pop("evidence", {})
    row: dict[str, Any] = {"id": f"r{number}", "alpha": 0.1, "score": 0.25, "threshold": 0.3}
    if accepted:
        row |= {"decision": "accepted", "formula": "G p", "english": "p holds at every time"}
    else:
        row |= {"decision": "abstained", "reason": "suspicious", "detail": "score above the limit"}
    return row | more | {"evidence": evidence}
