"""Connections for many calls at once: one client a call, lent out and taken back.

httpx's own pool looks at every connection for every other one on each request; with 64 connections that took
ten times the processor time of the calls themselves. A lane is a client with a single connection, so the pool
has nothing to search, and the lane used last, whose connection is warm, is lent out first.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

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
        if self._closed:
            await client.aclose()
        else:
            self._idle.append(client)

    async def close(self) -> None:
        self._closed = True
        while self._idle:
            await self._idle.pop().aclose()
