"""Files that are not what a verb wants: one clear error, exit 1 or 2, nothing left behind, in every verb."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.cli import VERBS, main
from assent.models import Cache

ROW = {"id": "1", "logic": "ltl", "text": "a holds always", "reference": "G a", "candidate": "G a"}
CONFIG = '[translator]\nmodel = "m"\n[models.m]\nkind = "recorded"\nfile = "rows.jsonl"\n'
VOCABULARY = '{"propositions": ["a", {"name": "v", "type": "number", "unit": "m/s"}], "time_unit": "s"}'

READERS: dict[str, tuple[str, list[str]]] = {
    # verb and which file it reads: what the file holds at first, and the command
    "collect": (json.dumps(ROW) + "\n", ["collect", "FILE", "--config", "assent.toml", "--quiet"]),
    "calibrate": (json.dumps(ROW) + "\n", ["calibrate", "FILE", "--alpha", "0.1", "-o", "policy.json"]),
    "report": (json.dumps(ROW) + "\n", ["report", "FILE", "-o", "tables"]),
    "feasibility": (json.dumps(ROW) + "\n", ["feasibility", "FILE"]),
    "configuration": (CONFIG, ["collect", "rows.jsonl", "--config", "FILE", "--quiet"]),
    "doctor": (CONFIG, ["doctor", "--config", "FILE", "--offline"]),
    "vocabulary": (VOCABULARY, ["explain", "F[0,5] a", "--vocabulary", "FILE"]),
    "cache": ("", ["cache", "stats", "--file", "FILE"]),
    "ledger": ("", ["ledger", "stats", "FILE"]),
    "watch": (json.dumps(ROW) + "\n", ["watch", "FILE"]),
    "certify": ("", ["certify", "FILE"]),
    "review": ("", ["review", "FILE"]),
    "policy": (
        '{"schema": 1}',
        ["batch", "rows.jsonl", "--config", "assent.toml", "--policy", "FILE", "--quiet"],
    ),
}
WRITERS: dict[str, list[str]] = {
    "export": ["export", "G a", "--to", "spot", "-o"],
    "explain": ["explain", "G a", "--svg"],
    "compare": ["compare", "G a", "F a", "--svg"],
    "init": ["init", "--force"],
    "collect": ["collect", "rows.jsonl", "--config", "assent.toml", "--quiet", "-o"],
    "calibrate": ["calibrate", "rows.jsonl", "--alpha", "0.1", "-o"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "assent.toml").write_text(CONFIG)
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outcome(command: list[str]) -> int:
    """The exit code; only wrong usage leaves by SystemExit."""
    try:
        return main(command)
    except SystemExit as stop:
        return int(stop.code or 0)


BROKEN: dict[str, bytes] = {
    "latin-1": "{'text': 'Tür'}".encode("latin-1"),
    "utf-16": CONFIG.encode("utf-16"),
    "zeros": bytes(4096),
    "deep-json": b"[" * 60_000,
    "deep-object": b'{"a":' * 60_000,
    "deep-toml": b"a = " + b"[" * 60_000,
    "cut": b'{"id": "1", "lo',
    "digits": b'{"id": 1, "text": "a", "scores": {"default": ' + b"9" * 5000 + b"}}\n",
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("reader", READERS)
def test_broken_files(folder: Path, reader: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, command = READERS[reader]
    (folder / "broken").write_bytes(BROKEN[kind])
    code = outcome(["broken" if word == "FILE" else word for word in command])
    said = capsys.readouterr()
    assert code in (1, 2), said
    assert said.err.strip() or reader == "doctor"
    assert "Traceback" not in said.err
    assert not (folder / "policy.json").exists()


@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("reader", READERS)
def test_any_damage(folder: Path, reader: str, data: st.DataObject) -> None:
    """Bytes cut out, put in or changed: the verb ends with an exit code, never with an error of somebody else's."""
    content, command = READERS[reader]
    damaged = bytearray(content.encode())
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(damaged)))
        until = data.draw(st.integers(at, min(len(damaged), at + 8)))
        damaged[at:until] = data.draw(
            st.binary(max_size=6) | st.sampled_from([b'"', b"{}", b"[[", b"\xff", b"null"])
        )
    (folder / "damaged").write_bytes(bytes(damaged))
    assert outcome(["damaged" if word == "FILE" else word for word in command]) in range(5)


PLACES: dict[str, Callable[[Path], str]] = {
    "missing folder": lambda folder: str(folder / "no" / "such" / "out"),
    "folder": str,
    "device": lambda folder: os.devnull,
    "pipe": lambda folder: str(folder / "pipe"),
    "below a file": lambda folder: str(folder / "rows.jsonl" / "out"),
    "endless name": lambda folder: str(folder / ("x" * 300)),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("writer", WRITERS)
def test_places_where_no_file_can_be(
    folder: Path, writer: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(folder / "pipe")
    before = sorted(folder.rglob("*"))
    assert outcome([*WRITERS[writer], PLACES[place](folder)]) in (1, 2)
    said = capsys.readouterr().err
    assert said.count("\n") >= 1 and "Traceback" not in said
    assert [path for path in sorted(folder.rglob("*")) if ".assent" not in path.parts] == before
    assert not Path(f"{os.devnull}.run.json").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", (["explain", "G a"], ["export", "--list"], ["completion", "fish"]))
def test_a_full_disk_behind_standard_output(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "assent", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("closed", "command"),
    [
        ("<&-", "explain -"),
        ("<&-", "compare -"),
        ("<&-", "collect - --config assent.toml"),
        (">&-", "explain G"),
    ],
)
def test_closed_streams(folder: Path, closed: str, command: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m assent {command} {closed}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (1, 2) and "closed" in done.stderr and "Traceback" not in done.stderr


def test_an_instruction_that_is_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assent", "translate", "-"],
        input="Tür".encode("latin-1"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1 and b"UTF-8" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize("days", ["-1", "nan", "inf", "soon"])
def test_days_that_are_none(folder: Path, days: str) -> None:
    Cache(folder / "cache.sqlite").stats()
    assert outcome(["cache", "prune", "--older-than", days, "--file", "cache.sqlite"]) == 2


def test_a_byte_order_mark_is_no_matter(folder: Path) -> None:
    (folder / "assent.toml").write_bytes(b"\xef\xbb\xbf" + CONFIG.encode())
    assert outcome(["doctor", "--config", "assent.toml", "--offline"]) == 0


@pytest.mark.parametrize("verb", VERBS)
def test_wrong_usage_as_json(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome([verb, "--json", "--no-such-option"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["kind"], error["exit_code"]) == ("usage", 2) and error["message"]


def test_errors_as_json_say_where(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "names.json").write_text('{"propositions": ["a", "A"]}')
    assert outcome(["explain", "G a", "--vocabulary", "names.json", "--json"]) == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["kind"], error["file"], error["key"]) == ("configuration", "names.json", "A")


@pytest.mark.parametrize("half", ["\ud800", "\udced\udca0\udc80", "\udfff"])
@pytest.mark.parametrize("option", ["text", "--domain"])
def test_half_a_character_is_a_clear_error(
    half: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half a character in the arguments: no file, model or terminal can take it."""
    text, more = (f"always {half} a", []) if option == "text" else ("always a", [option, f"x{half}"])
    for as_json in ([], ["--json"]):
        assert main(["translate", text, "--logic", "ltl", *more, *as_json]) == 1
        said = capsys.readouterr()
        assert said.out == "" and "half a character" in said.err and "TypeError" not in said.err


@pytest.mark.parametrize("content", ["", "\n\n", '{"a": 1}\n', '{"logic": "stl", "scores": {}}\n'])
def test_nothing_to_watch_is_no_success(
    folder: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "none.jsonl").write_text(content)
    assert outcome(["watch", "none.jsonl"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "there is nothing to watch in none.jsonl" in said.err


@pytest.mark.parametrize("content", ["", "\n \n"])
@pytest.mark.parametrize(
    "command",
    [
        ["batch", "FILE", "--quiet"],
        ["batch", "FILE", "--quiet", "-o", "out.jsonl"],
        ["batch", "FILE", "--dry-run"],
        ["collect", "FILE", "--quiet"],
        ["calibrate", "FILE", "--alpha", "0.1", "-o", "policy.json"],
        ["report", "FILE", "-o", "tables"],
        ["feasibility", "FILE"],
        ["watch", "FILE"],
        ["check", "FILE", "--from", "text"],
    ],
)
def test_an_empty_file_is_no_success(
    folder: Path, content: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "none.jsonl").write_text(content)
    assert outcome([part.replace("FILE", "none.jsonl") for part in command]) in (1, 2)
    assert capsys.readouterr().err and not (folder / "out.jsonl").exists()
