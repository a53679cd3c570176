"""docs/review.md does what it says: its files are written and its commands run, in its order, in an empty folder."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PAGE = ROOT / "docs" / "review.md"
REFUSED = {"assent plan reviews.db": "at least 10 answers"}


def _steps() -> tuple[dict[str, str], list[str]]:
    files: dict[str, list[str]] = {}
    commands: list[str] = []
    name: str | None = None
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("    "):
            name = None
            continue
        text = line[4:]
        if text.startswith("$ cat "):
            name = text.removeprefix("$ cat ")
            files[name] = []
        elif name is not None:
            files[name].append(text)
        elif text.startswith("assent "):
            commands.append(text)
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}, commands


def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    files, commands = _steps()
    assert set(files) == {"names.toml", "requirements.jsonl", "answers.jsonl"}
    assert len(commands) >= 15
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(Path(p).absolute()) for p in sys.path if p),
    }
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(command)],
            cwd=tmp_path,
            input="1\n" * 6,
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        if command in REFUSED:
            assert REFUSED[command] in done.stderr, command
        else:
            assert done.returncode == 0, f"{command}\n{done.stderr}"
    assert "signature" in (tmp_path / "certificate.html").read_text(encoding="utf-8")
    assert (tmp_path / "R1.html").stat().st_size > 1000
