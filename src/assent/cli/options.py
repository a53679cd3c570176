"""Options that the verbs which run models share, and how they become objects."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assent.errors import DataError, UsageError
from assent.io.files import LONGEST_SETTINGS, standard_input, text_of
from assent.logic.ast import Logic

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.config.connect import Shared

T = TypeVar("T")


def add_common(parser: argparse.ArgumentParser, *, policy: bool = True) -> None:
    """``--config`` and what may stand in for parts of it."""
    parser.add_argument(
        "--logic",
        choices=[logic.value for logic in Logic],
        help="target logic; without: found out, or ltl in files",
    )
    parser.add_argument(
        "--config", metavar="FILE", help="configuration (without: the embedded models, offline)"
    )
    parser.add_argument("--vocabulary", metavar="FILE", help="names of your project, JSON or TOML")
    parser.add_argument("--domain", metavar="NAME", help="section of the vocabulary")
    if policy:
        parser.add_argument(
            "--policy", metavar="FILE", action="append", default=[], help="a policy; may be repeated"
        )
        parser.add_argument(
            "--alpha",
            type=level,
            help="the joint risk that is allowed; a policy must be made for it (shipped: 0.05, 0.10, 0.20)",
        )


def add_where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--where", metavar="KEY=VALUE", action="append", default=[],
                        help="of a table (Parquet, Arrow, CSV) only rows with this logic, group or domain")  # fmt: skip


def level(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"alpha must lie between 0 and 1, not {text!r}")
    return value


def assembly(args: argparse.Namespace, *, lazy: bool | None = None, shared: Shared | None = None) -> Assembly:
    """Objects for the parsed options."""
    from assent.config.build import Options, assemble

    return assemble(
        Options(
            config=args.config,
            policies=tuple(getattr(args, "policy", ())),
            vocabulary=args.vocabulary,
            domain=args.domain,
            alpha=getattr(args, "alpha", None),
            concurrency=getattr(args, "concurrency", None),
            lazy=lazy,
            offline=getattr(args, "offline", False),
            shared=shared,
        )
    )


def run_async(main: Callable[[], Awaitable[T]]) -> T:
    """Run to the end; Ctrl-C and a polite kill both cancel the work, which is then safe to go on with."""

    async def guarded() -> T:
        task = asyncio.ensure_future(main())
        with contextlib.suppress(NotImplementedError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await task

    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def standard_text() -> str:
    """Standard input as one text; UsageError if it is closed, DataError if it is not UTF-8 or endless."""
    content = standard_input().read(LONGEST_SETTINGS + 1)
    if len(content) > LONGEST_SETTINGS:
        raise DataError(f"longer than {LONGEST_SETTINGS} bytes", file="standard input")
    return text_of(content, file="standard input")


@contextlib.contextmanager
def rows_file(name: str, where: Sequence[str] = ()) -> Iterator[Path]:
    """The path of a file of rows; a table (Parquet, Arrow, CSV) as JSON lines, kept for the time of the run."""
    if where or Path(name).suffix not in (".jsonl", ".json"):
        from assent.scale.tables import as_lines, is_table, wanted_of

        wanted = wanted_of(where)
        if is_table(name) and Path(name).exists():
            with tempfile.TemporaryDirectory() as folder:
                yield as_lines(name, wanted, Path(folder))
            return
        if where:
            raise UsageError("--where chooses rows of tables (Parquet, Arrow, CSV)")
    yield Path(name)


@contextlib.contextmanager
def input_file(name: str, where: Sequence[str] = ()) -> Iterator[Path]:
    """``rows_file`` that must be there; ``-`` is standard input, kept for the time of the run (within a limit)."""
    if name != "-":
        with rows_file(name, where) as path:
            if not path.is_file():
                raise UsageError(
                    f"there is no file {name!r}" if not path.exists() else f"{name!r} is no file"
                )
            yield path
        return
    from assent.io.lines import keep_stream

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stdin.jsonl"
        keep_stream(standard_input(), path, "standard input")
        yield path


class Progress:
    """A bar on stderr: rate, time left, and what it has cost so far."""

    def __init__(self, total: int, done: int, describe: Callable[[], dict[str, str]], *, quiet: bool) -> None:
        from tqdm import tqdm

        self._describe = describe
        self._bar: Any = tqdm(
            total=total, initial=done, unit="", disable=quiet or None, file=sys.stderr, dynamic_ncols=True
        )

    def step(self) -> None:
        """One more. What it has cost is asked for only when the bar is drawn: it may be far away."""
        if self._bar.update():
            self._bar.set_postfix(self._describe(), refresh=False)

    def close(self) -> None:
        if not self._bar.disable:
            self._bar.set_postfix(self._describe(), refresh=True)
        self._bar.close()
