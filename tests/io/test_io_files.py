"""Files that cannot be written or read end in one clear error, and nothing half-written stays behind."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import AssentError, ConfigurationError, DataError, UsageError
from assent.io import lines
from assent.io.files import read_settings, read_text, standard_input, write_atomically
from assent.io.lines import Appender, placed_rows, read_rows, row_at, scan_rows, write_rows


def append(path: str | Path) -> None:
    with Appender(path) as out:
        out.append({"a": 1})


WRITERS: dict[str, Callable[[str | Path], None]] = {
    "whole": lambda path: write_atomically(path, b"content\n"),
    "rows": lambda path: write_rows(path, [{"a": 1}]),
    "appended": append,
}
WHERE = {
    "no folder": ("missing/out.jsonl", "the folder .*missing does not exist"),
    "a folder": ("folder", "it is a folder"),
    "below a file": ("file/out.jsonl", "."),
    "a pipe": ("pipe", "a device, a pipe or a socket"),
    "/dev/null": ("/dev/null", "a device, a pipe or a socket"),
    "/dev/full": ("/dev/full", "a device, a pipe or a socket"),
    "a link to a device": ("link to null", "a device, a pipe or a socket"),
    "a long name": ("x" * 300, "name too long"),
    "a NUL": ("a\0b", "null|NUL"),
    "a link in a circle": ("circle", "."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link to null").symlink_to("/dev/null")
    (tmp_path / "circle").symlink_to("circle")
    return tmp_path


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("where", WHERE)
def test_places_where_no_file_can_be(folder: Path, where: str, writer: str) -> None:
    name, says = WHERE[where]
    before = sorted(folder.rglob("*"))
    with pytest.raises(DataError, match=rf"(?i)cannot be written.*{says}"):
        WRITERS[writer](folder / name)
    assert sorted(folder.rglob("*")) == before
    assert Path("/dev/null").is_char_device() and (folder / "file").read_text() == "kept"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files have no names here")
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["/proc/self/fd/{}", "/dev/fd/{}", "link"])
def test_the_name_of_an_open_file_is_refused(tmp_path: Path, name: str, writer: str) -> None:
    """``-o /dev/stdout > FILE`` would put the notes of a run into /dev."""
    with (tmp_path / "open").open("w") as stream:
        (tmp_path / "link").symlink_to(f"/proc/self/fd/{stream.fileno()}")
        with pytest.raises(DataError, match="what a process has open"):
            WRITERS[writer](tmp_path / name.format(stream.fileno()))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link", "open"]
    assert (tmp_path / "open").read_text() == ""


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"


def test_long_names_that_the_system_takes(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("x" * 250), b"new")
    assert [file.name for file in tmp_path.iterdir()] == ["x" * 250]


FULL = """
import resource, sys
from pathlib import Path
from assent.errors import DataError
from assent.io.files import write_atomically
from assent.io.lines import Appender, read_rows
folder = Path(sys.argv[1])
write_atomically(folder / "whole", b"old")
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    write_atomically(folder / "whole", b"x" * 20_000)
except DataError as error:
    print(error)
written = 0
with Appender(folder / "rows.jsonl") as out:
    try:
        while True:
            out.append({"row": written, "text": "y" * 700})
            written += 1
    except DataError as error:
        print(error)
assert [row["row"] for _, row in read_rows(folder / "rows.jsonl")] == list(range(written)), written
assert (folder / "whole").read_bytes() == b"old"
print(sorted(file.name for file in folder.iterdir()))
"""


def test_a_full_disk(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], check=True, capture_output=True, text=True, timeout=60
    )
    first, second, left = done.stdout.splitlines()
    assert "whole: cannot be written: File too large" in first
    assert "rows.jsonl: cannot be written: File too large" in second
    assert left == "['rows.jsonl', 'whole']"


def test_an_output_that_is_deleted_in_the_middle(tmp_path: Path) -> None:
    with Appender(tmp_path / "out.jsonl") as out:
        out.append({"a": 1})
        (tmp_path / "out.jsonl").unlink()
        with pytest.raises(DataError, match="was deleted while it was being written"):
            out.append({"a": 2})


def test_a_folder_that_is_deleted_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "place"
    place.mkdir()
    fsync = os.fsync

    def and_gone(handle: int) -> None:
        fsync(handle)
        for file in place.iterdir():
            file.unlink()
        place.rmdir()

    monkeypatch.setattr(os, "fsync", and_gone)
    with pytest.raises(DataError, match="cannot be written"):
        write_atomically(place / "out", b"new")


# ---- reading ----

SETTINGS = {
    "deep TOML": ("a.toml", b"a = " + b"[" * 5_000 + b"]" * 5_000, "too deep"),
    "deep TOML tables": ("a.toml", b"a = " + b"{b = " * 3_000 + b"1" + b"}" * 3_000, "."),
    "deep JSON": ("a.json", b"[" * 100_000 + b"]" * 100_000, "too deep"),
    "deep JSON objects": ("a.json", b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "too deep"),
    "latin-1 TOML": (
        "a.toml",
        'a = 1\nb = "Tür"\n'.encode("latin-1"),
        "line 2: not UTF-8 text: the byte 0xfc",
    ),
    "latin-1 JSON": ("a.json", '{"b": "Tür"}'.encode("latin-1"), "line 1: not UTF-8 text"),
    "UTF-16": ("a.toml", 'b = "Tür"'.encode("utf-16"), "UTF-16"),
    "no table": ("a.json", b"[1, 2]", "not a table"),
    "broken TOML": ("a.toml", b"a = ", "cannot be read"),
    "broken JSON": ("a.json", b"{", "cannot be read"),
    "empty JSON": ("a.json", b"", "cannot be read"),
    "many digits": ("a.json", b'{"a": ' + b"9" * 10_000 + b"}", "cannot be read"),
    "many digits in TOML": ("a.toml", b"a = " + b"9" * 10_000, "cannot be read"),
    "NUL": ("a.toml", b"a = \0", "cannot be read"),
    "too long": ("a.toml", b"#" * 4_000_001, "longer than 4000000 bytes"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    file, content, says = SETTINGS[name]
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ConfigurationError, match=says) as caught:
        read_settings(tmp_path / file)
    assert str(caught.value).count(str(tmp_path / file)) == 1 and len(str(caught.value)) < 600


def test_a_byte_order_mark_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfa = 1\n")
    (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"a": 1}')
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}')
    assert read_settings(tmp_path / "a.toml") == read_settings(tmp_path / "a.json") == {"a": 1}
    assert [row["a"] for _, row in read_rows(tmp_path / "a.jsonl")] == [1, 2]


@pytest.mark.parametrize("path", ["missing", "folder", "a\0b", "circle"])
def test_files_that_cannot_be_opened(folder: Path, path: str) -> None:
    for read in (read_text, lambda path: list(scan_rows(path)), lambda path: list(read_rows(path))):
        with pytest.raises(DataError, match="cannot be read"):
            read(folder / path)  # type: ignore[operator]
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_settings(folder / path)


@given(st.binary(max_size=300), st.sampled_from(["a.toml", "a.json"]))
def test_any_bytes_as_settings(tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(content)
    try:
        assert isinstance(read_settings(path), dict)
    except AssentError as error:
        str(error).encode()


@given(st.lists(st.binary(max_size=80), max_size=8))
def test_any_bytes_as_rows(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("any") / "rows.jsonl"
    path.write_bytes(b"\n".join(parts))
    for number, row in scan_rows(path):
        assert number >= 1 and isinstance(row, dict | DataError)


def test_a_latin_1_line_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"a": 1}\n{"a": "T\xfcr"}\n{"a": 3}\n')
    found = dict(scan_rows(tmp_path / "a.jsonl"))
    assert found[1] == {"a": 1} and found[3] == {"a": 3}
    assert str(found[2]).endswith("a.jsonl:2: not UTF-8 text: the byte 0xfc at place 9; save it as UTF-8")


def test_deep_lines(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n{}\n")
    found = dict(scan_rows(tmp_path / "a.jsonl"))
    assert isinstance(found[1], DataError) and found[2] == {}


SPARSE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))
from assent.errors import AssentError
from assent.io.files import read_settings, read_text
from assent.io.lines import Appender, read_rows, scan_rows
for read in (read_text, read_settings, lambda path: list(scan_rows(path))[-1], lambda path: list(read_rows(path))):
    try:
        print(read(sys.argv[1]))
    except AssentError as error:
        print(error)
"""


def test_ten_gigabytes_without_a_line_end(tmp_path: Path) -> None:
    path = tmp_path / "sparse.json"
    path.write_bytes(b'{"a": 1}')
    os.truncate(path, 10_000_000_000)
    done = subprocess.run(
        [sys.executable, "-c", SPARSE, str(path)], check=True, capture_output=True, text=True, timeout=120
    )
    said = done.stdout.splitlines()
    assert len(said) == 4 and all("longer than" in line for line in said)


def test_a_long_line_is_an_error_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 20)
    (tmp_path / "a.jsonl").write_bytes(b'{"a": 1}\n{"a": "' + b"x" * 50 + b'"}\n{"a": 3}\n')
    found = list(placed_rows(tmp_path / "a.jsonl"))
    assert [number for number, _, _ in found] == [1, 2, 3], "the rows behind it are read"
    assert "longer than 20 bytes; it was not read" in str(found[1][2])
    with (tmp_path / "a.jsonl").open("rb") as stream:
        assert row_at(stream, found[2][1], "a.jsonl", 3) == {"a": 3}
    with pytest.raises(DataError, match="longer than 20 bytes"):
        list(read_rows(tmp_path / "a.jsonl"))


def test_a_line_without_end_is_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 20)
    monkeypatch.setattr(lines, "LONGEST_SKIPPED", 2_000_000)
    (tmp_path / "a.jsonl").write_bytes(b'{"a": 1}\n' + b"x" * 5_000_000 + b'\n{"a": 3}\n')
    found = [row for _, row in scan_rows(tmp_path / "a.jsonl")]
    assert len(found) == 2 and "it and the rest were not read" in str(found[1])
    with pytest.raises(DataError, match="a line has no end"):
        lines.keep_stream(io.BytesIO(b"x" * 5_000_000), tmp_path / "kept", "standard input")


def test_a_long_line_of_a_stream_is_kept_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 20)
    said = b'{"a": 1}\n' + b"x" * 3_000_000 + b'\n{"a": 3}\n'
    lines.keep_stream(io.BytesIO(said), tmp_path / "kept", "standard input")
    assert (tmp_path / "kept").stat().st_size < 100
    first, long, last = [row for _, row in scan_rows(tmp_path / "kept")]
    assert (first, last) == ({"a": 1}, {"a": 3}) and "longer than 20 bytes" in str(long)


def test_a_line_that_nobody_would_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model's answer of control characters is six times as long in JSON, and stands there more than once."""
    monkeypatch.setattr(lines, "LONGEST_LINE", 100)
    file = tmp_path / "rows.jsonl"
    with Appender(file) as rows:
        rows.append({"id": 1})
        with pytest.raises(DataError, match=r"rows\.jsonl: a row of \d+ bytes is not written"):
            rows.append({"id": 2, "said": "\0" * 30})
        rows.append({"id": 3})
    assert [row["id"] for _, row in read_rows(file)] == [1, 3]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"text": "always a", "text": "never a"}', "text"),
        ('{"text":"always a","text":"always a"}', "text"),
        ('{"id": 1, "\\u0074ext": "a", "text": "b"}', "text"),
        ('{"text":"a","scores":{"default":0.9,"default":0.1}}', "default"),
        ('{"text":"a","x":[[{"":1,"":2}]]}', ""),
        ('{"candidate":"G a","n":1e15,"candidate":"F a"}', "candidate"),
    ],
)
def test_a_key_that_occurs_twice_is_an_error_in_its_place(tmp_path: Path, line: str, key: str) -> None:
    """Which of the two was meant nobody knows; other rows stand. Settings in JSON are refused."""
    file = tmp_path / "rows.jsonl"
    file.write_text(f'{{"id": 1}}\n{line}\n{{"id":2,"n":{"9" * 400},"f":1e5}}\n')
    first, twice, last = [row for _, row in scan_rows(file)]
    assert isinstance(twice, DataError)
    assert str(twice) == f"{file}:2: the key {key!r} occurs twice in one object"
    assert not isinstance(first, DataError)
    assert not isinstance(last, DataError)
    settings = tmp_path / "settings.json"
    settings.write_text(line)
    with pytest.raises(ConfigurationError, match="occurs twice in one object"):
        read_settings(settings)


def test_a_pipe_is_read(folder: Path) -> None:
    """``<(command)`` of a shell is a pipe."""
    writing = threading.Thread(target=lambda: (folder / "pipe").write_bytes(b'{"a": 1}\n{"a": 2}\n'))
    writing.start()
    assert [row["a"] for _, row in read_rows(folder / "pipe")] == [1, 2]
    writing.join()


def test_a_closed_standard_input() -> None:
    code = (
        "from assent.errors import UsageError\n"
        "from assent.io.files import standard_input\n"
        "try: print(standard_input().read())\n"
        "except UsageError as error: print(error)"
    )
    shell = f"exec \"{sys.executable}\" -c '{code}' <&-"
    done = subprocess.run(["/bin/sh", "-c", shell], check=True, capture_output=True, text=True, timeout=60)
    assert "standard input is closed" in done.stdout


def test_standard_input_is_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError):
        standard_input()
