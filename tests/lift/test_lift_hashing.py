"""The order of sets differs from one process to the next; what lifting finds must not."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
from assent.lift.entries import known_entries, match
from assent.vocabulary import Entry
known = known_entries((Entry(name="ship_shipping_shipment", says="shipper of shipments"),))[0]
print([match(word, known) for word in ("shipmates", "shipmaster", "shippy", "reshipments")])
"""


def test_the_same_word_is_matched_in_every_process() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(6)
    }
    assert len(said) == 1
