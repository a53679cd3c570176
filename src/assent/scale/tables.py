"""Tables in columns beside JSON lines: Parquet, Arrow and CSV in, Parquet out; a part of the rows at a time.

A Parquet file of ours has the fields that people ask for as columns, and the whole line as it is in the column
``assent_row``: what comes back is what was written, byte for byte. Tables of others are read by their columns.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from assent.errors import DataError, MissingExtraError, UsageError
from assent.io.files import checked_target, unwritable
from assent.io.lines import encode, scan_rows

ARROW = {".parquet": "parquet", ".arrow": "ipc", ".feather": "ipc"}
CSV = ".csv"
WHOLE = "assent_row"
COLUMNS = ("id", "logic", "group", "domain", "cluster", "text", "decision", "reason", "formula", "failure")
WANTED = ("logic", "group", "domain")
"""What rows can be chosen by before they are read."""
AT_ONCE = 4096
LONGEST_CELL = 16_000_000
MOST_PARTITIONS = 10_000


def is_table(name: str) -> bool:
    """Whether a name is that of a table: by its ending, or a folder with Parquet files (partitions)."""
    path = Path(name)
    return path.suffix.lower() in (*ARROW, CSV) or (path.is_dir() and any(path.rglob("*.parquet")))


def wanted_of(choices: Iterable[str]) -> dict[str, str]:
    """``logic=stl`` ... as a mapping; UsageError for anything else."""
    found: dict[str, str] = {}
    for choice in choices:
        key, sign, value = choice.partition("=")
        if not sign or key not in WANTED or key in found:
            raise UsageError(
                f"--where {choice!r}: once each of {', '.join(f'{name}=...' for name in WANTED)}"
            )
        found[key] = value
    return found


def lines_of(name: str, wanted: Mapping[str, str]) -> Iterator[bytes]:
    """The rows of a table as JSON lines, in its order; only those with the wanted values are read.

    DataError where the table cannot be read, MissingExtraError without pyarrow (CSV needs nothing).
    """
    path = Path(name)
    rows = _csv_rows(path, wanted) if path.suffix.lower() == CSV else _arrow_rows(path, wanted)
    for row in rows:
        whole = row.get(WHOLE)
        if isinstance(whole, str):
            yield whole.encode() + b"\n"
        else:
            yield encode({key: value for key, value in row.items() if value is not None and value != ""})


def _csv_rows(path: Path, wanted: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            _check_columns(reader.fieldnames or (), wanted, path)
            for row in reader:
                if None in row:
                    raise DataError(
                        "has more cells than the first line has names", file=str(path), line=reader.line_num
                    )
                if all(row.get(key) == value for key, value in wanted.items()):
                    yield row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"cannot be read as CSV: {error}", file=str(path)) from error


def _arrow_rows(path: Path, wanted: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    try:
        import pyarrow as pa
        from pyarrow import dataset
    except ImportError as error:
        raise MissingExtraError("a table in Parquet or Arrow", "parquet") from error
    try:
        form = ARROW.get(path.suffix.lower(), "parquet")
        table = dataset.dataset(path, format=form, partitioning="hive")
        _check_columns(table.schema.names, wanted, path)
        chosen = None
        for key, value in wanted.items():
            one = dataset.field(key).cast(pa.string()) == value
            chosen = one if chosen is None else chosen & one
        columns = [WHOLE] if WHOLE in table.schema.names else None
        for batch in table.scanner(columns=columns, filter=chosen, batch_size=AT_ONCE).to_batches():
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read as a table: {error}", file=str(path)) from error


def _check_columns(names: Iterable[str], wanted: Mapping[str, str], path: Path) -> None:
    known = list(names)
    if WHOLE not in known and "text" not in known:
        raise DataError(f"has no column 'text' (it has: {', '.join(known) or 'none'})", file=str(path))
    missing = [key for key in wanted if key not in known]
    if missing:
        raise DataError(f"has no column {missing[0]!r} to choose by", file=str(path))


def as_lines(name: str, wanted: Mapping[str, str], folder: Path) -> Path:
    """A table as a file of JSON lines in ``folder``."""
    path = folder / "table.jsonl"
    with path.open("wb") as stream:
        stream.writelines(lines_of(name, wanted))
    return path


def write_parquet(lines: Path, target: str | Path) -> int:
    """A file of JSON lines as Parquet, some rows at a time; whole or not at all. The number of rows."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError("a table in Parquet", "parquet") from error
    schema = pa.schema([(name, pa.string()) for name in (*COLUMNS, WHOLE)])
    path = checked_target(target)
    half = path.with_name(f"{path.name}.half")
    count = 0
    try:
        with parquet.ParquetWriter(half, schema, compression="zstd") as writer:
            for some in _batches(lines):
                count += len(some)
                writer.write_table(pa.Table.from_pylist(some, schema=schema))
        half.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        half.unlink(missing_ok=True)
    return count


def partitions_of(names: str) -> tuple[str, ...]:
    """``logic,group`` as names of columns; UsageError for anything else."""
    found = tuple(name.strip() for name in names.split(","))
    if len(set(found)) != len(found) or not set(found) <= set(WANTED):
        raise UsageError(f"--partition-by {names!r}: some of {', '.join(WANTED)}, with commas between")
    return found


def write_partitions(lines: Path, target: str | Path, by: Sequence[str]) -> int:
    """``write_parquet`` as a folder with a folder for each value (``logic=ltl/group=D2/part-0.parquet``).

    Rows keep their order within a part. Whole or not at all: a folder that was there before is replaced at the end,
    and only one that holds nothing but such parts. The number of rows.
    """
    try:
        import pyarrow as pa
        from pyarrow import dataset
    except ImportError as error:
        raise MissingExtraError("a table in Parquet", "parquet") from error
    schema = pa.schema([(name, pa.string()) for name in (*COLUMNS, WHOLE)])
    path = Path(target)
    _refuse_other_folder(path, by)
    half, count = path.with_name(f"{path.name}.half"), 0

    def batches() -> Iterator[Any]:
        nonlocal count
        for some in _batches(lines):
            count += len(some)
            yield pa.RecordBatch.from_pylist(some, schema=schema)

    try:
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir()
        dataset.write_dataset(
            batches(),
            half,
            format="parquet",
            schema=schema,
            partitioning=list(by),
            partitioning_flavor="hive",
            file_options=dataset.ParquetFileFormat().make_write_options(compression="zstd"),
            use_threads=False,
            max_partitions=MOST_PARTITIONS,
        )
        shutil.rmtree(path, ignore_errors=True)
        half.replace(path)
    except (OSError, pa.ArrowException) as error:
        if isinstance(error, OSError):
            raise unwritable(path, error) from error
        raise DataError(f"cannot be written as partitions: {error}", file=str(path)) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return count


def _refuse_other_folder(path: Path, by: Sequence[str]) -> None:
    """What is replaced must be partitions of ours, and nothing else."""
    if not path.exists():
        checked_target(path)
        return
    if not path.is_dir() or any(not one.name.startswith(f"{by[0]}=") for one in path.iterdir()):
        raise DataError("exists and does not hold such partitions: choose another output", file=str(path))


def _batches(lines: Path) -> Iterator[list[dict[str, str | None]]]:
    rows = (_columns(row) for _, row in scan_rows(lines))
    while some := list(islice(rows, AT_ONCE)):
        yield some


def _columns(row: dict[str, Any] | DataError) -> dict[str, str | None]:
    if isinstance(row, DataError):
        raise row
    evidence = row["evidence"] if isinstance(row.get("evidence"), dict) else {}
    found: dict[str, str | None] = {WHOLE: encode(row).decode().rstrip("\n")}
    for name in COLUMNS:
        value = row.get(name, evidence.get(name))
        found[name] = None if value is None else value if isinstance(value, str) else str(value)
    return found
