"""A cluster: an actor for each worker and one for the budget, by Ray.

Ray starts actors again that died with their process or node, and does again what they were doing; the driver alone
writes, so that every line is in the output once, and a run whose driver died goes on like any other. The till is an
actor on the driver's node: it is lost only together with the driver.
"""

from __future__ import annotations

import asyncio
import os
import pickle
from collections import deque
from typing import Any

from assent.errors import AssentError, MissingExtraError, ModelError, UsageError
from assent.models import Spending
from assent.scale.crew import Failed, Maker, Result, Shop, chunk_done
from assent.scale.till import Till

STORE = 128 * 1024 * 1024
"""Bytes that a cluster of one's own keeps objects in; rows on their way are small."""
TRIES = 12
"""How often Ray begins some items again after the loss of an actor."""


def connected(address: str | None) -> Any:
    """Ray, joined to the cluster at ``address``, or to one of its own on this machine.

    MissingExtraError without Ray, UsageError where nobody answers at the address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("--engine ray", "ray") from error
    own = {} if address is not None else {"include_dashboard": False, "object_store_memory": STORE}
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, configure_logging=False, **own)
        except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
            raise UsageError(f"no Ray cluster at {address!r}: {error}") from error
    return ray


def processors(ray: Any) -> int:
    """How many workers the cluster has processors for."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class Rays:
    """An engine of ``workers`` actors, one processor each; each has one chunk at a time."""

    def __init__(self, ray: Any, maker: Maker[Any, Any], workers: int) -> None:
        if workers < 1:
            raise UsageError(f"there must be at least one worker, not {workers}")
        self._ray, self._workers = ray, workers
        actor = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=TRIES)(Worker)
        made = pickle.dumps(maker)
        self._actors = [actor.remote(made) for _ in range(workers)]
        self._free: deque[int] = deque(list(range(workers)) * 2)  # one chunk at work, one waiting there

    @property
    def workers(self) -> int:
        return self._workers

    async def do(self, items: list[Any]) -> Result:
        """The results, or the error of ours. ModelError when the workers were lost again and again."""
        number = self._free.popleft()
        try:
            found: Result = pickle.loads(await self._actors[number].do.remote(pickle.dumps(items)))
            return found
        except self._ray.exceptions.RayActorError as error:
            raise ModelError(f"the workers of the cluster were lost {TRIES} times: {error}") from error
        finally:
            self._free.append(number)

    def close(self) -> None:
        """End the actors; safe to call twice."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors = []


class Worker:
    """What an actor is; Ray makes it, and makes it again where it was lost."""

    def __init__(self, maker: bytes) -> None:
        try:
            self._shop: Shop[Any, Any] | Failed = pickle.loads(maker)()
        except AssentError as error:
            self._shop = Failed.of(error)
        self._runner = asyncio.Runner()

    def do(self, items: bytes) -> bytes:
        """Pickled items to their pickled results: Ray's own way of writing objects is slow for many small ones."""
        return pickle.dumps(self._done(pickle.loads(items)))

    def _done(self, items: list[Any]) -> Result:
        if isinstance(self._shop, Failed):
            return self._shop
        try:
            return self._runner.run(chunk_done(self._shop, items))
        except AssentError as error:
            return Failed.of(error)


class RayDesk:
    """The till's desk for workers of a cluster; a till that is gone raises, and nothing is called."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    def hold(self, tokens: int, money: float) -> str | None:
        refused: str | None = self._asked("hold", tokens, money)
        return refused

    def release(self, tokens: int, money: float) -> None:
        self._asked("release", tokens, money)

    def book(self, prompt_tokens: int, completion_tokens: int, money: float) -> None:
        self._asked("book", prompt_tokens, completion_tokens, money)

    def take(self, name: str, per_minute: float, amount: float) -> float:
        return float(self._asked("take", name, per_minute, amount))

    def give_back(self, name: str, amount: float) -> None:
        self._asked("give_back", name, amount)

    def money(self) -> float:
        """What was spent so far."""
        return float(self._asked("money"))

    def _asked(self, what: str, *arguments: Any) -> Any:
        import ray

        try:
            return ray.get(getattr(self._actor, what).remote(*arguments))
        except ray.exceptions.RayError as error:
            raise ModelError(f"the budget of the run cannot be reached: {error}") from error


def till_of(ray: Any, spending: Spending) -> RayDesk:
    """A till as an actor on this node, with what was spent before."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    actor = ray.remote(num_cpus=0, scheduling_strategy=here)(Till).remote(spending)
    return RayDesk(actor)
