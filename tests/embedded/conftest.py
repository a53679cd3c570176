"""The shipped networks, loaded once for each file of tests."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded, shipped


@pytest.fixture(scope="module")
def models() -> Embedded:
    if not (shipped() / "translator").is_dir():
        pytest.skip("no weights in this checkout")
    return Embedded()
