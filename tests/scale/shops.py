"""Shops for workers of the tests: what a worker process imports, by name."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

from assent.errors import DataError, MissingExtraError


class Squares:
    """Squares; says who made them. What it is asked is noted in a folder, so that a test can kill whoever did it."""

    concurrency = 3

    def __init__(self, folder: str = "", pause: float = 0.0) -> None:
        self.folder, self.pause = folder, pause

    async def work(self, item: Any) -> Any:
        if item == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if item == "die once":
            mark = Path(self.folder) / "died"
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return "lived"
        if item == "threads":
            return {name: os.environ.get(name) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
        if item == "wrong":
            raise DataError("is wrong", file="f", line=3)
        if item == "extra":
            raise MissingExtraError("this", "that")
        await asyncio.sleep(self.pause)
        return (item, item * item)

    async def close(self) -> None:
        pass


def make(folder: str = "", pause: float = 0.0) -> Squares:
    return Squares(folder, pause)


def refused() -> Squares:
    raise MissingExtraError("a shop", "that")


class Calls:
    """Asks the till before each of its calls, like a model behind a budget."""

    concurrency = 2

    def __init__(self, counter: Any) -> None:
        self.purse, self.tap = counter.spending(), counter.bucket("m requests", 600.0)

    async def work(self, item: int) -> tuple[str, float]:
        from assent.errors import BudgetError
        from assent.models import Answer, Message, Prices, Prompt

        prompt = Prompt(task="translate", logic="ltl", messages=(Message("user", "x"),))
        wait = self.tap.take(1)
        try:
            self.purse.hold(10, 1.0)
        except BudgetError as error:
            return str(error), wait
        time.sleep(0.001)
        self.purse.charge(
            prompt, [Answer(text="y", prompt_tokens=4, completion_tokens=6)], Prices(100_000, 100_000)
        )
        self.purse.release(10, 1.0)
        return "called", wait

    async def close(self) -> None:
        pass
