"""A full disk and files of ten gigabytes that are not there: every verb refuses, soon, in little memory."""

from __future__ import annotations

import contextlib
import io
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.cli import VERBS, main
from assent.io import lines as line_files
from ledger_places import decision

ROW = {"id": "1", "logic": "ltl", "text": "a holds always", "reference": "G a", "candidate": "G a"}
CONFIG = '[translator]\nmodel = "m"\n[models.m]\nkind = "recorded"\nfile = "rows.jsonl"\n'
DOCUMENT = "# Hall\n\n- R1: The pump shall always run.\n"
SPARSE = 10 * 2**30
MEMORY = 1 * 2**30
"""Bytes that a verb may take for its refusal (a policy of 64 MB is read whole)."""

HUGE = {
    # every verb that reads a file of somebody's; BIG is the sparse file
    "translate policy": "translate hello --logic ltl --policy BIG",
    "translate vocabulary": "translate hello --logic ltl --vocabulary BIG",
    "translate ledger": "translate hello --logic ltl --ledger BIG",
    "batch configuration": "batch rows.jsonl --quiet --config BIG",
    "batch policy": "batch rows.jsonl --quiet --config assent.toml --policy BIG",
    "collect": "collect BIG --quiet --config assent.toml -o out.jsonl",
    "collect recording": "collect rows.jsonl --quiet --config big.toml -o out.jsonl",
    "collect output": "collect rows.jsonl --quiet --config assent.toml -o BIG",
    "calibrate": "calibrate BIG --alpha 0.1 -o policy.json",
    "calibrate ledger": "calibrate --from BIG --alpha 0.1 -o policy.json",
    "feasibility": "feasibility BIG",
    "report": "report BIG -o tables",
    "explain": "explain G --vocabulary BIG",
    "doctor": "doctor --config BIG --offline",
    "doctor vocabulary": "doctor --vocabulary BIG --offline",
    "check": "check BIG --from markdown",
    "check lock": "check notes.md --lock BIG",
    "review": "review BIG",
    "review answers": "review kept.db --answers BIG",
    "certify": "certify BIG",
    "plan": "plan BIG",
    "watch": "watch BIG",
    "watch policy": "watch rows.jsonl --policy BIG",
    "ledger stats": "ledger stats BIG",
    "ledger import": "ledger import new.db BIG",
    "ledger add": "ledger add new.db BIG",
    "ledger policy": "ledger add new.db decided.jsonl --policy BIG",
    "cache": "cache stats --file BIG",
    "serve configuration": "serve --config BIG",
    "serve tokens": "serve --token-file BIG",
    "serve policy": "serve --policy BIG",
    "train": "train BIG -o weights",
}
FULL = {
    # every verb that writes a file
    "export": "export G(a) --to spot -o out",
    "explain": "explain G(a) --svg out",
    "compare": "compare G(a) F(a) --svg out",
    "init": "init out",
    "collect": "collect rows.jsonl --quiet --config assent.toml -o out",
    "calibrate": "calibrate scored.jsonl --alpha 0.5 -o out",
    "report": "report scored.jsonl -o out",
    "ledger import": "ledger import out lines.jsonl",
    "ledger add": "ledger add out decided.jsonl",
    "ledger export": "ledger export kept.db -o out",
    "translate": "translate hello --logic ltl --ledger out",
    "check": "check notes.md --format json -o out",
    "cache": "cache stats --file out",
}
ENDLESS = {
    # every verb that keeps standard input for the time of the run
    "batch": "batch - --quiet --logic ltl",
    "batch resumed": "batch - --quiet --logic ltl -o out.jsonl",
    "dry run": "batch - --dry-run --config assent.toml",
    "collect": "collect - --quiet --config assent.toml -o out.jsonl",
    "ledger import": "ledger import new.db -",
    "ledger add": "ledger add new.db -",
    "review answers": "review kept.db --answers -",
}
NO_FILES = {"bench", "completion"}
"""Verbs that read and write no file of anybody's."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assent.toml").write_text(CONFIG)
    (tmp_path / "big.toml").write_text(CONFIG.replace("rows.jsonl", "BIG"))
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    (tmp_path / "notes.md").write_text(DOCUMENT)
    scored = [{**ROW, "id": str(n), "scores": {"default": n / 100}, "system": "s"} for n in range(40)]
    (tmp_path / "scored.jsonl").write_text("".join(json.dumps(row) + "\n" for row in scored))
    decided = [json.dumps(decision(n, accepted=True, evidence=dict(ROW))) + "\n" for n in range(8)]
    (tmp_path / "decided.jsonl").write_text("".join(decided))
    monkeypatch.chdir(tmp_path)
    # What a library keeps at home is its own affair.
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path.parent / f"{tmp_path.name}-home"))
    return tmp_path


@contextlib.contextmanager
def limited(which: int, most: int) -> Iterator[None]:
    """A limit of the system for a while; the process has more afterwards."""
    soft, hard = resource.getrlimit(which)
    resource.setrlimit(which, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(which, (soft, hard))


def outcome(command: str) -> int:
    try:
        return main(command.split())
    except SystemExit as stop:
        return int(stop.code or 0)


def _in_use() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the memory of a process is read from /proc"
)
@pytest.mark.parametrize("name", HUGE)
def test_ten_gigabytes_are_refused(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "BIG").open("wb") as stream:
        stream.truncate(SPARSE)
    assert outcome("ledger add kept.db decided.jsonl") == 0
    capsys.readouterr()
    begun = time.process_time()
    with limited(resource.RLIMIT_AS, _in_use() + MEMORY):
        code = outcome(HUGE[name])
    said = capsys.readouterr()
    assert code in (1, 2), said
    assert (said.err or said.out).strip() and "Traceback" not in said.err
    assert "unrecognized" not in said.err and "usage:" not in said.err, said.err
    assert time.process_time() - begun < 20, "it read on instead of refusing"
    assert (folder / "BIG").stat().st_size == SPARSE, "somebody else's file was changed"
    assert not (folder / "policy.json").exists()


@pytest.mark.parametrize("room", [0, 100, 5000])
@pytest.mark.parametrize("name", FULL)
def test_no_room_for_a_file(folder: Path, name: str, room: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of at most so many bytes can be written. Whoever gets along with it is done; others say so and leave."""
    assert outcome("ledger add kept.db decided.jsonl") == 0
    assert outcome("ledger export kept.db -o lines.jsonl") == 0
    before = {path for path in folder.rglob("*") if ".assent" not in path.parts}
    capsys.readouterr()
    with limited(resource.RLIMIT_FSIZE, room):
        code = outcome(FULL[name])
    said = capsys.readouterr()
    assert "Traceback" not in said.err and "usage:" not in said.err, said.err
    after = {path for path in folder.rglob("*") if ".assent" not in path.parts} - before
    stray = [path.name for path in after if not path.name.startswith(("out", "kept.db-"))]
    assert stray == []
    if code in (0, 3, 4):  # done, whatever the answer
        return
    assert code in (1, 2) and said.err.strip()
    assert all(path.stat().st_size <= room for path in after if path.is_file())


class Endless(io.RawIOBase):
    """A pipe that goes on for ever: the same bytes again and again; how much was taken is counted."""

    def __init__(self, again: bytes) -> None:
        self._again, self.taken = again, 0

    def readable(self) -> bool:
        return True

    def readinto(self, place: bytearray) -> int:  # type: ignore[override]
        size = len(place)
        start = self.taken % len(self._again)
        place[:] = (self._again * (size // len(self._again) + 2))[start : start + size]
        self.taken += size
        return size


@pytest.fixture
def temporary(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = folder.parent / f"{folder.name}-temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def _feed(again: bytes, monkeypatch: pytest.MonkeyPatch) -> Endless:
    endless = Endless(again)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(endless)))
    return endless


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_input_is_refused(
    folder: Path,
    temporary: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Beyond the limit: one clear error, nothing decided, nothing left behind (the limit is made small here)."""
    assert outcome("ledger add kept.db decided.jsonl") == 0
    capsys.readouterr()
    monkeypatch.setattr(line_files, "LONGEST_STREAM", 1_000_000)
    endless = _feed(json.dumps(ROW).encode() + b"\n", monkeypatch)
    code = outcome(ENDLESS[name])
    said = capsys.readouterr()
    assert code == 1 and said.out == ""
    assert "standard input: longer than 1,000,000 bytes" in said.err and "file" in said.err
    assert endless.taken < 1_100_000
    assert list(temporary.iterdir()) == [] and not (folder / "out.jsonl").exists()


def test_an_endless_line_is_refused(
    folder: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its end is looked for within a limit, and not more than a line is kept on disk."""
    monkeypatch.setattr(line_files, "LONGEST_SKIPPED", 4_000_000)
    endless = _feed(b"\0", monkeypatch)
    code = outcome("batch - --quiet --logic ltl")
    said = capsys.readouterr()
    assert code == 1 and said.out == "" and "standard input: a line has no end" in said.err
    assert endless.taken < line_files.LONGEST_LINE + line_files.LONGEST_SKIPPED + 1_000_000
    assert list(temporary.iterdir()) == []


def test_no_room_for_standard_input(
    folder: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _feed(json.dumps(ROW).encode() + b"\n", monkeypatch)
    with limited(resource.RLIMIT_FSIZE, 100_000):
        code = outcome("batch - --quiet --logic ltl")
    said = capsys.readouterr()
    assert code == 1 and said.out == "" and "standard input: cannot be kept in" in said.err
    assert list(temporary.iterdir()) == []


def test_every_verb_is_tried() -> None:
    """A verb without a file of anybody's is named; verbs that are newer than this list are not held against it."""
    tried = {command.split()[0] for command in (*HUGE.values(), *FULL.values())}
    assert tried | NO_FILES <= set(VERBS)
    assert len(tried) >= 20
