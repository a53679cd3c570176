"""The service's helpers are used here, too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "serve"))
pytest.importorskip("mcp", reason="the SDK of the protocol is not installed (assent[mcp])")
