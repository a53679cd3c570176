"""``--jobs``: who does the lines of ``batch`` and ``collect``, this process or a crew."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.config.connect import Shared
    from assent.scale.crew import Engine, Shop
    from assent.scale.till import Till

T = TypeVar("T")
R = TypeVar("R")
CHUNKS = 4
"""Items that go to a worker at once, times what it does side by side."""
Make = Callable[[argparse.Namespace, "Shared | None"], "Shop[Any, Any]"]


def count(text: str) -> int:
    """A whole number from 1 up."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 up, not {text!r}")
    return int(text)


def add_crew(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=count, metavar="N", help="so many processes (docs/scale.md); default: 1"
    )


@dataclass(frozen=True)
class Hands:
    """Who does the work: the work of one item, how many may be under way, what was spent, how it ends."""

    work: Callable[[Any], Awaitable[Any]]
    concurrency: int
    money: Callable[[], float]
    close: Callable[[], Awaitable[None]]


@contextlib.contextmanager
def hands(args: argparse.Namespace, make: Make, parts: Assembly, shop: Shop[T, R]) -> Iterator[Hands]:
    """This process by itself, or a crew whose workers each make a shop of their own from the same options."""
    if _alone(args):
        yield Hands(shop.work, shop.concurrency, lambda: parts.money, shop.close)
        return
    from assent.scale.crew import Crew

    workers = args.jobs or 1
    with _engine(args, make, parts, workers) as (engine, till):
        each = max(1, shop.concurrency // engine.workers)
        crew: Crew[Any, Any] = Crew(engine, CHUNKS * each)

        async def close() -> None:
            await crew.close()
            await shop.close()

        yield Hands(crew.work, crew.concurrency, lambda: 0.0 if till is None else till.money, close)


def _alone(args: argparse.Namespace) -> bool:
    return args.jobs in (None, 1)


@contextlib.contextmanager
def _engine(
    args: argparse.Namespace, make: Make, parts: Assembly, workers: int
) -> Iterator[tuple[Engine, Till | None]]:
    from assent.scale.processes import Processes
    from assent.scale.till import Counter, Till, served

    if parts.spending is None:
        yield Processes(partial(make, _plain(args), None), workers), None
        return
    till = Till(parts.spending)
    with served(till) as desk:
        maker = partial(make, _plain(args), Counter(desk, workers))
        yield Processes(maker, workers, till.forget_held), till


def _plain(args: argparse.Namespace) -> argparse.Namespace:
    """The options as a worker gets them: each does its part of what is done side by side."""
    side = getattr(args, "concurrency", None)
    each = None if side is None else max(1, side // (args.jobs or 1))
    return argparse.Namespace(**{**vars(args), "concurrency": each})
