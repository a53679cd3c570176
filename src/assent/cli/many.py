"""What ``batch`` and ``collect`` share: many lines in, one line each out, in order, safe to stop."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

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
    from assent.ledger.entries import Body
    from assent.logic.ast import Logic

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


def timing(evidence: Evidence) -> Body:
    """Seconds of calls by role, for the sidecar file: they differ from run to run."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for call in evidence.calls:
        seconds[call.role] += call.seconds
    return {"id": evidence.instruction.id, "seconds": {role: round(s, 6) for role, s in seconds.items()}}


def common_settings(
    verb: str, args: argparse.Namespace, parts: Assembly, logics: Iterable[Logic]
) -> dict[str, object]:
    """What the output of a verb depends on, whether it decides or not; how many processes made it is no part of it."""
    return {
        "verb": verb,
        "logic": args.logic,
        "system": args.system,
        "made_by": {logic.value: parts.collector.made_by(logic) for logic in logics},
        "vocabularies": digest(repr(sorted(parts.collector.vocabularies.items()))),
        "domain": parts.collector.domain,
    }


def work_of(
    args: argparse.Namespace, collector: Collector, handle: Handle
) -> Callable[[Item], Awaitable[Done]]:
    """A line to a result: bad lines become error rows, recorded translations are not asked for again."""

    async def work(item: Item) -> Done:
        try:
            if isinstance(item.row, DataError):
                raise item.row
            logic, file, line = args.logic or "ltl", args.file, item.line
            if is_recorded(item.row) and not args.fresh:
                recorded = collector.known(item.row, logic=logic, system=args.system, file=file, line=line)
                return await handle(recorded.instruction, recorded)
            return await handle(instruction_of(item.row, logic=logic, file=file, line=line), None)
        except (DataError, FormulaError, FragmentError, PolicyError) as error:
            return error_line(item, error)

    return work


@dataclass(frozen=True)
class LineShop:
    """Models, policies and the function that does one line; what each worker makes for itself."""

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
    settings: Callable[[Assembly], Mapping[str, object]]
    kind_of: Callable[[Body], str]
    finish: Callable[[Body, Assembly], Awaitable[None]] | None = None
    close: Callable[[], None] = lambda: None
    counts: Counter[str] = field(default_factory=Counter)

    def said(self, money: float) -> dict[str, str]:
        """How many lines had which outcome so far, and the cost, as text by name."""
        counts = {name: str(count) for name, count in self.counts.items()}
        return counts | ({"cost": f"{money:.4f}"} if money else {})

    async def done(self, item: Item, who: Hands[Item, Done], parts: Assembly) -> Done:
        """The result of one line; ``finish`` has run on it and it is counted, unless it is an error."""
        if isinstance(item.row, DataError):
            return error_line(item, item.row)
        result = await who.work(item)
        if not is_error(result.row):
            if self.finish is not None:
                await self.finish(result.row, parts)
            self.counts[self.kind_of(result.row)] += 1
        return result


def run_bulk(args: argparse.Namespace, bulk: Bulk) -> int:
    """Do all lines, say what came of it, and give the exit code."""
    shop = bulk.make(args, None)
    with (
        input_file(args.file, args.where) as file,
        _output(args.output, args.partition_by) as out,
        hands(args, bulk.make, shop.parts, shop) as who,
    ):
        total, _ = survey(file)
        _refuse_nothing(total, args.file)
        bar = Progress(total, _lines(out), lambda: bulk.said(who.money()), quiet=args.quiet)

        def watch(result: Done) -> None:
            bar.step()
            if args.output is None:
                sys.stdout.write(encode(result.row).decode())
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


def _refuse_nothing(total: int, file: str) -> None:
    """A file without rows is a mistake upstream, not a success."""
    if not total:
        raise DataError(
            "there are no rows, so nothing was done", file="standard input" if file == "-" else file
        )


def _summary(outcome: BatchOutcome, counts: dict[str, str]) -> None:
    failed = sum(outcome.failures.values())
    summary = {"lines": outcome.total, "new": outcome.new, "bad": outcome.bad, "failed": failed, **counts}
    print(encode(summary).decode().strip(), file=sys.stderr)


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
    """The first 16 hexadecimal digits of the text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def dry_run(args: argparse.Namespace) -> int:
    """Calls, tokens and money that full evidence for every line takes at most; answers in the cache cost less."""
    from assent.config.build import Options, assemble
    from assent.models.spending import estimate

    options = Options(config=args.config, vocabulary=args.vocabulary, domain=args.domain, dry=True)
    parts = assemble(options)

    async def handle(case: Instruction, recorded: Evidence | None) -> Done:
        await collect(parts.collector, case, known=recorded)
        return Done({})

    async def main() -> None:
        with input_file(args.file, args.where) as file:
            _refuse_nothing(survey(file)[0], args.file)
            work = work_of(args, parts.collector, handle)
            for item in items(file, frozenset()):
                await work(item)

    run_async(main)
    estimates = [estimate(model.calls, prices) for model, prices in parts.dry]
    total = {
        "calls": sum(part.calls for part in estimates),
        "prompt_tokens": sum(part.prompt_tokens for part in estimates),
        "completion_tokens": sum(part.completion_tokens for part in estimates),
        "money": sum(part.money for part in estimates),
    }
    lines = (f"at most {value:,} {name.replace('_', ' ')}" for name, value in total.items())
    print(encode(total).decode().strip() if args.json else "\n".join(lines))
    return Exit.DONE
