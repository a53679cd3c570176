"""assent-train: the corpus, the networks and the fine-tuning behind assent's embedded models (needs torch)."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

__version__ = "0.2.0"


def checkpoints() -> Path:
    """The folder with the shipped networks in half precision, where fine-tuning starts."""
    return Path(str(resources.files("assent_train").joinpath("checkpoints")))
