"""Options that the verbs which run models share, and how they become objects."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assent.errors import DataError, MissingExtraError, UsageError
from assent.io.files import LONGEST_SETTINGS, standard_input, text_of
from assent.logic.ast import Logic

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.config.connect import Shared
    from assent.serve.settings import ClientLimits, Settings

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


@contextlib.contextmanager
def needs_extra(what: str, extra: str, modules: Collection[str]) -> Iterator[None]:
    """Imports that need an extra: MissingExtraError if one of its ``modules`` is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in modules:
            raise
        raise MissingExtraError(what, extra) from None


def service_settings(
    args: argparse.Namespace, *, limits: ClientLimits | None = None, log_text: bool = False
) -> Settings:
    """The settings that ``serve`` and ``mcp`` take from their options, checked; UsageError if they make no sense."""
    from assent.serve.settings import ClientLimits, Settings

    settings = Settings(
        host=args.host,
        port=args.port,
        workers=args.workers,
        ledger=args.ledger,
        token_file=args.token_file,
        config=args.config,
        vocabulary=args.vocabulary,
        domain=args.domain,
        policies=tuple(args.policy),
        alpha=args.alpha,
        hosts=tuple(args.allow_host),
        log_text=log_text,
        limits=limits or ClientLimits(),
    )
    settings.check()
    return settings


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

        filters = wanted_of(where)
        if is_table(name) and Path(name).exists():
            with tempfile.TemporaryDirectory() as folder:
                yield as_lines(name, filters, Path(folder))
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


def progress_bar(rows: Iterable[T], title: str, unit: str) -> Iterable[T]:
    """The rows, with a progress bar on a terminal as they are taken."""
    from tqdm import tqdm

    bar: Iterable[T] = tqdm(rows, desc=title, unit=f" {unit}", file=sys.stderr, disable=None)
    return bar


class Progress:
    """A bar on stderr: rate, time left, and what it has cost so far."""

    def __init__(self, total: int, done: int, describe: Callable[[], dict[str, str]], *, quiet: bool) -> None:
        from tqdm import tqdm

        self._describe = describe
        self._bar = tqdm(
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
