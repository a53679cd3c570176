"""Connections for many calls at once: one client a call, lent out and taken back.

httpx's own pool looks at every connection for every other one on each request; with 64 connections that took
ten times the processor time of the calls themselves. A lane is a client with a single connection, so the pool
has nothing to search, and the lane used last, whose connection is warm, is lent out first.

A connection on which a server said more than its answer is closed: the rest would be taken for the answer to the
next question. (Bytes that arrive later are seen by httpcore, which does not use an idle connection that can be read.)
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

_ONE = httpx.Limits(max_connections=1, max_keepalive_connections=1)


class Lanes:
    """Idle clients for one event loop."""

    def __init__(self) -> None:
        self._trust = ssl.create_default_context()  # slow to make, so it is shared
        self._idle: list[httpx.AsyncClient] = []
        self._closed = False

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client for one call. After an error its connection is in doubt, and it is not lent again."""
        client = self._idle.pop() if self._idle else httpx.AsyncClient(limits=_ONE, verify=self._trust)
        try:
            yield client
        except BaseException:
            await client.aclose()
            raise
        if self._closed or _left_over(client):
            await client.aclose()
        else:
            self._idle.append(client)

    async def close(self) -> None:
        self._closed = True
        while self._idle:
            await self._idle.pop().aclose()


def _left_over(client: httpx.AsyncClient) -> bool:
    """Are there bytes behind the answer? Also True where that cannot be found out: a new connection is only slower."""
    try:
        pool = client._transport._pool  # type: ignore[attr-defined]  # httpx has no public way to ask
        return any(_behind(connection) for connection in pool.connections)
    except AttributeError:
        return True


def _behind(connection: Any) -> bool:
    if connection.is_closed():
        return False
    trailing, _ = connection._connection._h11_state.trailing_data
    return bool(trailing)
