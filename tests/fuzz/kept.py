"""Where a fuzzing run keeps what it found, so that the next one goes on from there, and where it writes its inputs."""

from __future__ import annotations

from pathlib import Path

CORPUS = "--corpus="
MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory: a million files on a disk take an hour longer."""


def quick_folder() -> str | None:
    """Where the file of each input is written: in memory, or where temporary files are if there is no such place."""
    return str(MEMORY) if MEMORY.is_dir() else None


def with_corpus(options: list[str]) -> tuple[list[str], list[str]]:
    """libFuzzer's own options, and the folder of ``--corpus=DIR`` (made if need be), which keeps new inputs."""
    named = [option.removeprefix(CORPUS) for option in options if option.startswith(CORPUS)]
    for name in named:
        Path(name).mkdir(parents=True, exist_ok=True)
    return [option for option in options if not option.startswith(CORPUS)], named[:1]
