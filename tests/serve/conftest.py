"""One service for all tests that leave it as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the service is not installed (assent[serve])")
pytest.importorskip("uvicorn", reason="the service is not installed (assent[serve])")

from paged import axe, chromium, site, tab
from served import Served, served

__all__ = ["axe", "chromium", "site", "tab"]  # fixtures: a browser and a service for it


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("service")
    with served(folder, "--ledger", str(folder / "ledger.db")) as found:
        yield found
