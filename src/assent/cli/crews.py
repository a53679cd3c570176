"""``--jobs``, ``--engine``, ``--address``: who does the lines of ``batch`` and ``collect``, this process or a crew."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from assent.errors import UsageError

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.config.connect import Shared
    from assent.scale.crew import Engine, Shop

T = TypeVar("T")
R = TypeVar("R")
CHUNKS = 4
"""Items that go to a worker at once, times what it does side by side."""
Make = Callable[[argparse.Namespace, "Shared | None"], "Shop[T, R]"]


def count(text: str) -> int:
    """A whole number from 1 up."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 up, not {text!r}")
    return int(text)


def add_crew(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=count, metavar="N", help="so many processes (docs/scale.md); default: 1"
    )
    parser.add_argument(
        "--engine",
        choices=("processes", "ray"),
        default="processes",
        help="whose processes: this machine's (default), or a cluster's",
    )
    parser.add_argument(
        "--address", metavar="A", help="with --engine ray: the cluster; default: one of its own"
    )


@dataclass(frozen=True)
class Hands(Generic[T, R]):
    """Whoever does the work, this process or a crew: ``concurrency`` items at once; ``money``: what was spent."""

    work: Callable[[T], Awaitable[R]]
    concurrency: int
    money: Callable[[], float]
    close: Callable[[], Awaitable[None]]


@contextlib.contextmanager
def hands(
    args: argparse.Namespace, make: Make[T, R], parts: Assembly, shop: Shop[T, R]
) -> Iterator[Hands[T, R]]:
    """This process by itself, or a crew whose workers each make a shop of their own from the same options."""
    if _alone(args):
        yield Hands(shop.work, shop.concurrency, lambda: parts.money, shop.close)
        return
    from assent.scale.crew import Crew

    with _engine(args, make, parts) as (engine, money):
        share = max(1, shop.concurrency // engine.workers)
        crew: Crew[T, R] = Crew(engine, CHUNKS * share)

        async def close() -> None:
            await crew.close()
            await shop.close()

        yield Hands(crew.work, crew.concurrency, money, close)


def _alone(args: argparse.Namespace) -> bool:
    if args.address is not None and args.engine != "ray":
        raise UsageError("--address is for --engine ray")
    return args.jobs in (None, 1) and args.engine != "ray"


Engaged = tuple["Engine", Callable[[], float]]


@contextlib.contextmanager
def _engine(args: argparse.Namespace, make: Make[T, R], parts: Assembly) -> Iterator[Engaged]:
    """The workers, and what was spent by all of them so far."""
    if args.engine == "ray":
        yield _cluster(args, make, parts)
        return
    from assent.scale.processes import Processes
    from assent.scale.till import Counter, Till, served

    workers = args.jobs
    if parts.spending is None:
        yield Processes(partial(make, _plain(args, workers), None), workers), _nothing
        return
    till = Till(parts.spending)
    with served(till) as desk:
        maker = partial(make, _plain(args, workers), Counter(desk, workers))
        yield Processes(maker, workers, till.forget_held), till.money


def _cluster(args: argparse.Namespace, make: Make[T, R], parts: Assembly) -> Engaged:
    from assent.scale.rays import Rays, connected, processors, till_of
    from assent.scale.till import Counter

    ray = connected(args.address)
    workers = args.jobs or processors(ray)
    plain = _plain(args, workers)
    if parts.spending is None:
        return Rays(ray, partial(make, plain, None), workers), _nothing
    desk = till_of(ray, parts.spending)
    return Rays(ray, partial(make, plain, Counter(desk, workers)), workers), desk.money


def _nothing() -> float:
    return 0.0


def _plain(args: argparse.Namespace, workers: int) -> argparse.Namespace:
    """The options as a worker gets them: each does its part of what is done side by side; paths are whole."""
    side = getattr(args, "concurrency", None)
    changed: dict[str, object] = {"concurrency": None if side is None else max(1, side // workers)}
    for name in ("config", "vocabulary"):
        if getattr(args, name, None) is not None:
            changed[name] = str(Path(getattr(args, name)).resolve())
    if getattr(args, "policy", None):
        changed["policy"] = [str(Path(name).resolve()) for name in args.policy]
    return argparse.Namespace(**{**vars(args), **changed})
