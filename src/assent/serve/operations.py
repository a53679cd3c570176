"""What one operation over HTTP is made of. Routes and the OpenAPI document are both made from ``table.OPERATIONS``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from assent.ledger.entries import Body
from assent.serve.service import Service
from assent.serve.tokens import Role, Who

B = TypeVar("B")
"""The type of a request's body; ``object`` where the handler does not look at it."""
B_co = TypeVar("B_co", covariant=True)
Endpoint = Callable[[Request], Awaitable[Response]]
JSON, NDJSON, EVENTS = "application/json", "application/x-ndjson", "text/event-stream"


@dataclass(frozen=True, slots=True)
class ServiceCall(Generic[B_co]):
    """One request that has passed every check: its body as the type it was asked for, and who sends it."""

    service: Service
    request: Request
    who: Who
    body: B_co
    query: Body
    """The parameters by name, converted to the types that the operation names."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter in the address or among the headers."""

    name: str
    type: object
    """What ``msgspec.convert`` takes as a type: a class, a union, an annotated type."""
    says: str
    place: str = "query"
    default: object = None


Handler = Callable[[ServiceCall[B]], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[B]):
    """One thing that can be asked: its address, its types, and the function that answers."""

    name: str
    method: str
    path: str
    says: str
    answer: object
    """The type of the answer, for the OpenAPI document."""
    handler: Handler[B]
    role: Role = Role.ASK
    body: type[B] | None = None
    asked: Mapping[str, object] | None = None
    """An example of a body."""
    answered: Mapping[str, object] | None = None
    """An example of an answer."""
    parameters: tuple[Parameter, ...] = ()
    statuses: tuple[int, ...] = field(default=())
    """Errors beyond those that every operation may answer with."""
    media: tuple[str, ...] = (JSON,)
    takes: tuple[str, ...] = (JSON,)
    most: str = "body"
    """The field of ``ClientLimits`` that bounds the bytes of its body."""


AnyOperation = Operation[Any]
"""An operation whatever its body, for those who go through all of them."""
