"""``assent plan --scale N``: what very many instructions take, and where the bottleneck sits."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assent.scale.costs import Cost

GIVEN = (
    "calls",
    "prompt_tokens",
    "completion_tokens",
    "price_prompt",
    "price_completion",
    "seconds_per_call",
    "calls_at_once",
    "requests_per_minute",
    "tokens_per_minute",
    "model_seconds",
    "workers",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--scale`` and the figures it is calculated from."""
    group = parser.add_argument_group("scale", "calls and tokens are those of one instruction")
    group.add_argument("--scale", type=float, metavar="N", help="plan for N instructions (1e6, 1e9)")
    group.add_argument("--local", action="store_true", help="the embedded models, no calls")
    group.add_argument("--within", type=float, metavar="HOURS", help="what must grow to be done by then")
    for name in GIVEN:
        group.add_argument(f"--{name.replace('_', '-')}", type=float, metavar="X")


def run(args: argparse.Namespace) -> int:
    from assent.cli import Exit
    from assent.errors import UsageError
    from assent.scale.costs import LOCAL, Load, cost

    if args.within is not None and not args.within > 0:
        raise UsageError("--within must be more than 0 hours")
    figures = {name: getattr(args, name) for name in GIVEN if getattr(args, name) is not None}
    estimate = cost(Load(instructions=args.scale, **{**(LOCAL if args.local else {}), **figures}))
    needed = {} if args.within is None else estimate.needed(args.within)
    if args.json:
        print(json.dumps({**asdict(estimate), "needed": needed}))
        return Exit.DONE
    print("\n".join(_lines(estimate)))
    for name, factor in needed.items():
        print(f"within {args.within:g} hours: {factor:,.1f} times as much of: {name}")
    return Exit.DONE


def _lines(cost: Cost) -> list[str]:
    tokens = f"{cost.prompt_tokens:,.0f} tokens asked, {cost.completion_tokens:,.0f} said"
    return [
        f"{cost.instructions:,.0f} instructions: {cost.calls:,.0f} calls, {tokens}, money {cost.money:,.2f}",
        f"{cost.hours:,.2f} hours; the bottleneck: {cost.bottleneck}",
        *(f"  {hours:>14,.2f} hours  {name}" for name, hours in cost.parts.items()),
        f"{cost.output_bytes / 1e9:,.2f} GB of output, {cost.cache_bytes / 1e9:,.2f} GB of cache",
    ]
