"""What the call cache holds, without asking any model.

assent cache stats                      answers, size, tokens, by model and task
assent cache prune --older-than 30      remove answers older than 30 days (or of one --model)
assent cache export > calls.jsonl       every answer with its prompt; a recorded model replays the file
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.errors import UsageError

if TYPE_CHECKING:
    from assent.config.calls import LedgerCache
    from assent.models.cache import Cache


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("stats", "prune", "export"))
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--config", metavar="FILE", help="the configuration that names the cache")
    where.add_argument(
        "--file",
        metavar="PLACE",
        help="the cache itself: file or postgresql:// (default: .assent/cache.sqlite)",
    )
    parser.add_argument(
        "--older-than", type=_days, metavar="DAYS", help="prune: only answers older than this"
    )
    parser.add_argument("--model", help="prune: only answers of this model")
    parser.add_argument("--version", dest="model_version", help="prune: only answers of this model version")
    parser.add_argument("--all", action="store_true", help="prune: everything")
    parser.add_argument("--json", action="store_true", help="stats and prune: as JSON")


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < float("inf"):
        raise argparse.ArgumentTypeError(f"days are a number from 0 up, not {text!r}")
    return days


def run(args: argparse.Namespace) -> int:
    import msgspec

    from assent.config.connect import open_cache
    from assent.config.settings import shared_cache
    from assent.ledger.postgres import without_password

    place = _place(args)
    if not shared_cache(place) and not Path(place).is_file():
        raise UsageError(f"there is no cache at {place}; name it with --config or --file")
    cache = open_cache(place, file=args.config)
    try:
        match args.action:
            case "stats":
                stats = cache.stats()
                print(
                    msgspec.json.encode(stats).decode()
                    if args.json
                    else _table(without_password(place), msgspec.to_builtins(stats))
                )
            case "prune":
                removed = _prune(cache, args)
                print(f'{{"removed":{removed}}}' if args.json else f"{removed} answers removed")
            case "export":
                for row in cache.rows():
                    sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
    finally:
        cache.close()
    return Exit.DONE


def _place(args: argparse.Namespace) -> str:
    from assent.config import settings as config

    if args.config is not None:
        return config.load(args.config).cache_place
    return config.cache_place(args.file or config.CacheSection().path, Path())


def _prune(cache: Cache | LedgerCache, args: argparse.Namespace) -> int:
    import time

    selection = (args.older_than, args.model, args.model_version)
    if args.all == any(value is not None for value in selection):
        raise UsageError(
            "say what to remove: --older-than DAYS, --model NAME, --version VERSION, or else --all"
        )
    before = None if args.older_than is None else time.time() - args.older_than * 86_400
    return cache.prune(before=before, name=args.model, version=args.model_version)


def _table(place: str, stats: dict[str, object]) -> str:
    lines = [place, f"  answers            {stats['answers']}", f"  bytes              {stats['bytes']}"]
    lines += [f"  prompt tokens      {stats['prompt_tokens']}"]
    lines += [f"  completion tokens  {stats['completion_tokens']}"]
    for title, counts in (("by model", stats["by_model"]), ("by task", stats["by_task"])):
        assert isinstance(counts, dict)
        lines += [f"  {title}:", *(f"    {count:>8}  {name}" for name, count in sorted(counts.items()))]
    return "\n".join(lines)
