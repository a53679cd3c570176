"""What one operation over HTTP is made of. Routes and the OpenAPI document are both made from ``table.OPERATIONS``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from assent.serve.service import Service
from assent.serve.tokens import Role, Who

JSON, NDJSON, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """One request that has passed every check: its body as the type it was asked for, and who sends it."""

    service: Service
    request: Request
    who: Who
    body: Any
    query: Mapping[str, Any]
    """The parameters, converted."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter in the address or among the headers."""

    name: str
    type: Any
    says: str
    place: str = "query"
    default: Any = None


Handler = Callable[[ServiceCall], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked."""

    name: str
    method: str
    path: str
    says: str
    answer: Any
    handler: Handler
    role: Role = Role.ASK
    body: Any = None
    asked: Any = None
    """An example of a body."""
    answered: Any = None
    """An example of an answer."""
    parameters: tuple[Parameter, ...] = ()
    statuses: tuple[int, ...] = field(default=())
    """Errors beyond those that every operation may answer with."""
    media: tuple[str, ...] = (JSON,)
    takes: tuple[str, ...] = (JSON,)
    most: str = "body"
    """Which limit its body has."""
