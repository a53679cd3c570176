"""Where the measuring data is, if it is here at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ledger_places import new_place, place, server

__all__ = ["new_place", "place", "server"]  # fixtures: places for ledgers, on both databases

# Machines differ in speed; a deadline per example would test the machine, not the code.
settings.register_profile("assent", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("assent")

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("ASSENT_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with data that is measured but not shipped."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the measuring data is not on this machine (set ASSENT_SHARED to its folder)")
    return SHARED
