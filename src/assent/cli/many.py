"""What ``batch`` and ``collect`` share: many lines in, one line each out, in order, safe to stop."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.cli import Exit
from assent.cli.crews import Hands, add_crew, count, hands
from assent.cli.options import Progress, add_where, input_file, run_async
from assent.errors import DataError, FormulaError, FragmentError, PolicyError, UsageError
from assent.io import for_terminal
from assent.io.files import checked_target
from assent.io.lines import count_lines, encode
from assent.pipeline import Collector, collect
from assent.pipeline.batch import BatchOutcome, Done, Item, error_line, is_error, items, run, survey
from assent.records import Evidence, Instruction
from assent.records.rows import instruction_of, is_recorded

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.config.connect import Shared

TABLE = ".parquet"
CAUSES = 8
"""Causes of failure that are printed at the end."""
Handle = Callable[[Instruction, Evidence | None], Awaitable[Done]]


def add_bulk(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="JSON lines with 'text' (and 'id', 'logic'), or a table (Parquet, Arrow, CSV); '-' is stdin",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="where the lines go (default: stdout, no resume); or a *.parquet",
    )
    parser.add_argument("--partition-by", metavar="KEYS", help="with -o NAME.parquet: a folder with a part for each "
                        "value of logic, group and/or domain (commas between)")  # fmt: skip
    parser.add_argument("--system", metavar="NAME", help="the candidate of rows with 'outputs'")
    parser.add_argument("--concurrency", type=count, metavar="N", help="instructions side by side")
    add_crew(parser)
    add_where(parser)
    parser.add_argument("--dry-run", action="store_true", help="ask no model; what would it cost at most?")
    parser.add_argument("--fresh", action="store_true",
                        help="ignore translations, scores and gate readings that rows bring along")  # fmt: skip
    parser.add_argument(
        "--keep-failed", action="store_true", help="do not try lines again that failed before"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--json", action="store_true", help="a summary as JSON on stderr at the end")


def timing(evidence: Evidence) -> dict[str, Any]:
    """What differs from run to run: seconds by role."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for call in evidence.calls:
        seconds[call.role] += call.seconds
    return {"id": evidence.instruction.id, "seconds": {role: round(s, 6) for role, s in seconds.items()}}


def work_of(
    args: argparse.Namespace, collector: Collector, handle: Handle
) -> Callable[[Item], Awaitable[Done]]:
    """A line to a result: bad lines become error rows, recorded translations are not asked for again."""

    async def work(item: Item) -> Done:
        try:
            if isinstance(item.row, DataError):
                raise item.row
            where = {"file": args.file, "line": item.line}
            if is_recorded(item.row) and not args.fresh:
                known = collector.known(item.row, logic=args.logic or "ltl", system=args.system, **where)
                return await handle(known.instruction, known)
            return await handle(instruction_of(item.row, logic=args.logic or "ltl", **where), None)
        except (DataError, FormulaError, FragmentError, PolicyError) as error:
            return error_line(item, error)

    return work


@dataclass(frozen=True)
class LineShop:
    """What it takes to do lines: models and policies, and the work of one line."""

    parts: Assembly
    work: Callable[[Item], Awaitable[Done]]

    @property
    def concurrency(self) -> int:
        return self.parts.concurrency

    async def close(self) -> None:
        await self.parts.close()


@dataclass
class Bulk:
    """A verb over lines: how its shop is made, what its output depends on, and what is done with each result here.

    ``finish`` runs in this process, whoever did the line; ``close`` when all is done.
    """

    make: Callable[[argparse.Namespace, Shared | None], LineShop]
    settings: Callable[[Assembly], dict[str, Any]]
    kind_of: Callable[[dict[str, Any]], str]
    finish: Callable[[dict[str, Any], Assembly], Awaitable[None]] | None = None
    close: Callable[[], None] = lambda: None
    counts: Counter[str] = field(default_factory=Counter)

    def said(self, money: float) -> dict[str, str]:
        """What came of the lines so far, for people."""
        found = {name: str(count) for name, count in self.counts.items()}
        return found | ({"cost": f"{money:.4f}"} if money else {})

    async def done(self, item: Item, who: Hands, parts: Assembly) -> Done:
        """A line by whoever does it, and what is to be done with it here."""
        if isinstance(item.row, DataError):
            return error_line(item, item.row)
        done: Done = await who.work(item)
        if not is_error(done.row):
            if self.finish is not None:
                await self.finish(done.row, parts)
            self.counts[self.kind_of(done.row)] += 1
        return done


def run_bulk(args: argparse.Namespace, bulk: Bulk) -> int:
    """Do all lines, say what came of it, and give the exit code."""
    shop = bulk.make(args, None)
    with (
        input_file(args.file, args.where) as file,
        _output(args.output, args.partition_by) as out,
        hands(args, bulk.make, shop.parts, shop) as who,
    ):
        total, _ = survey(file)
        bar = Progress(total, _lines(out), lambda: bulk.said(who.money()), quiet=args.quiet)

        def watch(done: Done) -> None:
            bar.step()
            if args.output is None:
                sys.stdout.write(encode(done.row).decode())
                sys.stdout.flush()

        async def main() -> BatchOutcome:
            try:
                return await run(
                    file,
                    out,
                    lambda item: bulk.done(item, who, shop.parts),
                    settings=bulk.settings(shop.parts),
                    concurrency=who.concurrency,
                    watch=watch,
                    keep_failed=args.keep_failed,
                )
            finally:
                await who.close()
                bulk.close()

        try:
            outcome = run_async(main)
        except KeyboardInterrupt:
            if args.output is not None:
                print("interrupted: the same command goes on from here", file=sys.stderr)
            raise
        finally:
            bar.close()
        if args.json:
            _summary(outcome, bulk.said(who.money()))
    _say_failures(outcome)
    return Exit.ERROR if outcome.failures else Exit.DONE


def _summary(outcome: BatchOutcome, said: dict[str, str]) -> None:
    failed = sum(outcome.failures.values())
    found = {"lines": outcome.total, "new": outcome.new, "bad": outcome.bad, "failed": failed, **said}
    print(encode(found).decode().strip(), file=sys.stderr)


def _say_failures(outcome: BatchOutcome) -> None:
    """How many lines failed, by cause, and what to do; on stderr, also off a terminal."""
    if not outcome.failures:
        return
    count = sum(outcome.failures.values())
    print(f"{count} of {outcome.total} lines failed ({outcome.bad} could not be processed):", file=sys.stderr)
    for cause, times in sorted(outcome.failures.items(), key=lambda item: -item[1])[:CAUSES]:
        first = cause.splitlines()[0] if cause else "no reason given"
        print(f"  {times} x {for_terminal(first[:200], lines=False)}", file=sys.stderr)
    if len(outcome.failures) > CAUSES:
        print(f"  and {len(outcome.failures) - CAUSES} more causes", file=sys.stderr)
    print("the same command tries them again (--keep-failed leaves them)", file=sys.stderr)


@contextlib.contextmanager
def _output(name: str | None, parts: str | None) -> Iterator[Path]:
    if parts is not None and (name is None or not name.endswith(TABLE)):
        raise UsageError(f"--partition-by is for -o NAME{TABLE}")
    if name is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder) / "out.jsonl"
        return
    if not name.endswith(TABLE):
        checked_target(name)  # a folder, a pipe or a device is refused before anything is put beside it
        yield Path(name)
        return
    from assent.scale.tables import partitions_of, write_parquet, write_partitions

    by = () if parts is None else partitions_of(parts)
    lines = Path(f"{name}.jsonl")  # a run that is stopped goes on with it
    checked_target(lines if by else name)
    yield lines
    if by:
        write_partitions(lines, name, by)
    else:
        write_parquet(lines, name)


def _lines(path: Path) -> int:
    return count_lines(path) if path.exists() else 0


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def dry_run(args: argparse.Namespace) -> int:
    """Calls, tokens and money that full evidence for every line takes at most; answers in the cache cost less."""
    from assent.config.build import Options, assemble
    from assent.models.spending import estimate

    options = Options(config=args.config, vocabulary=args.vocabulary, domain=args.domain, dry=True)
    parts = assemble(options)

    async def handle(case: Instruction, known: Evidence | None) -> Done:
        await collect(parts.collector, case, known=known)
        return Done({})

    async def main() -> None:
        with input_file(args.file, args.where) as file:
            work = work_of(args, parts.collector, handle)
            for item in items(file, frozenset()):
                await work(item)

    run_async(main)
    found = [estimate(model.calls, prices) for model, prices in parts.dry]
    total = {
        "calls": sum(part.calls for part in found),
        "prompt_tokens": sum(part.prompt_tokens for part in found),
        "completion_tokens": sum(part.completion_tokens for part in found),
        "money": sum(part.money for part in found),
    }
    said = (f"at most {value:,} {name.replace('_', ' ')}" for name, value in total.items())
    print(encode(total).decode().strip() if args.json else "\n".join(said))
    return Exit.DONE
