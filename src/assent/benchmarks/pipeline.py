"""What assent itself costs: time of a decision without any model, and memory over a long batch.

    assent bench pipeline                       overhead of a decision, 2,000 of them
    assent bench pipeline --lines 100000        a batch of that many, and how far its memory grows

The models are functions that answer at once; everything else is what a real run does: prompts, answers read and
validated, scores, decision, JSON lines. Exit code 1 if a decision takes 5 ms or memory grows by more than 32 MB
after the first tenth of the batch.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assent.pipeline import SelectiveTranslator

MOST_MILLISECONDS = 5.0
MOST_MEGABYTES = 32.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--decisions", type=int, default=2000, metavar="N", help="to time (2000)")
    parser.add_argument("--lines", type=int, default=0, metavar="N", help="length of the batch (none)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(args: argparse.Namespace) -> int:
    selective = selective_of()
    found: dict[str, Any] = {
        "decisions": args.decisions,
        "milliseconds": _overhead(selective, args.decisions),
    }
    well = found["milliseconds"] < MOST_MILLISECONDS
    if args.lines:
        grown, seconds = _batch(selective, args.lines)
        found |= {"lines": args.lines, "grown_megabytes": grown, "lines_per_second": args.lines / seconds}
        well = well and grown < MOST_MEGABYTES
    print(
        json.dumps(found)
        if args.json
        else "\n".join(f"{key:<18} {value:.6g}" for key, value in found.items())
    )
    return 0 if well else 1


def selective_of(seconds: float = 0.0) -> SelectiveTranslator:
    """A whole pipeline over functions that answer at once, or after some seconds."""
    from assent.calibrate.rules import Threshold
    from assent.logic.ast import Logic
    from assent.models import FunctionModel, Prompt, Sampling
    from assent.pipeline import Collector, SelectiveTranslator
    from assent.policy.policy import Policy
    from assent.prompting import RATINGS as DIMENSIONS
    from assent.prompting.judges import PromptedBackTranslator, PromptedJudge
    from assent.prompting.translators import PromptedTranslator

    def answer(prompt: Prompt, sampling: Sampling) -> str:
        match prompt.task:
            case "translate":
                odd = sampling.first == 3 and len(prompt.subject) % 7 == 0
                return "F(alarm & !door)" if odd else "G(door -> F alarm)"
            case "back_translate":
                return "Whenever the door is open, the alarm rings later."
            case _:
                rating = 60 + len(prompt.subject) * 7 % 41
                return json.dumps({"nonce": prompt.nonce, **dict.fromkeys(DIMENSIONS, rating)})

    async def later(prompt: Prompt, sampling: Sampling) -> str:
        await asyncio.sleep(seconds)
        return answer(prompt, sampling)

    model = FunctionModel(later if seconds else answer, name="function", threads=False)
    collector = Collector(
        translator=PromptedTranslator(model),
        back_translator=PromptedBackTranslator(model),
        judge=PromptedJudge(model),
    )
    rule = Threshold(
        value=0.1, alpha=0.1, n=200, floor=0.01, kind="crc", unit="pair", accepted=0.5, risk=0.05
    )
    made_by = collector.made_by(Logic.LTL)
    policy = Policy(alpha=0.1, rules={"D2": rule}, fingerprint=made_by, channel="fusion")
    return SelectiveTranslator(collector, {Logic.LTL: policy})


def _text(number: int) -> str:
    return f"instruction {number}: whenever the door is open, the alarm rings{' soon' * (number % 9)}"


def _overhead(selective: SelectiveTranslator, count: int) -> float:
    """Milliseconds of processor time for one decision, from the text to the line."""
    from assent.io.lines import encode
    from assent.logic.ast import Logic
    from assent.records import Instruction
    from assent.records.rows import decision_row

    async def main(some: int) -> None:
        for number in range(some):
            case = Instruction(id=str(number), text=_text(number), logic=Logic.LTL)
            encode(decision_row(await selective.decide(case)))

    asyncio.run(main(min(50, count)))
    start = time.process_time()
    asyncio.run(main(count))
    return 1000 * (time.process_time() - start) / count


def _batch(selective: SelectiveTranslator, lines: int) -> tuple[float, float]:
    """Megabytes by which the process grows after the first tenth, and seconds for the whole."""
    from assent.errors import DataError
    from assent.io.lines import encode
    from assent.pipeline.batch import Done, Item, run
    from assent.records.rows import decision_row, instruction_of

    sizes: list[float] = []
    done = 0

    async def work(item: Item) -> Done:
        assert not isinstance(item.row, DataError)
        return Done(decision_row(await selective.decide(instruction_of(item.row, line=item.line))))

    def watch(_: Done) -> None:
        nonlocal done
        done += 1
        if done in (lines // 10, lines):
            sizes.append(_megabytes())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.jsonl"
        with path.open("wb") as stream:
            for number in range(lines):
                stream.write(encode({"id": f"i{number}", "logic": "ltl", "text": _text(number)}))
        start = time.perf_counter()
        asyncio.run(run(path, Path(folder) / "out.jsonl", work, settings={}, concurrency=16, watch=watch))
        return sizes[-1] - sizes[0], time.perf_counter() - start


def _megabytes() -> float:
    """The most memory that the process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
