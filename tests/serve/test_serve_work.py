"""What a worker does, without its process."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent.errors import UsageError
from assent.ledger import Ledger
from assent.serve.work import Workshop


def test_levels_that_are_the_same_share_their_models(tmp_path: Path) -> None:
    """A client that spells alpha in a thousand ways does not fill memory."""
    where = str(tmp_path / "ledger.db")
    Ledger.open(where, create=True).close()
    workshop = Workshop.made({"ledger": where})
    for number in range(1000):
        workshop.parts(0.05 + number * 1e-16)
    assert len(workshop._parts) <= 3
    for wrong in (0.0500001, 0.07):
        with pytest.raises(UsageError, match="no policy"):
            workshop.parts(wrong)
    workshop.close()
