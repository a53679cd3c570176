"""Errors as ``application/problem+json`` (RFC 9457): a slug, a status, what happened and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from assent.errors import (
    AssentError,
    BudgetError,
    FormulaError,
    MissingExtraError,
    ModelError,
    UsageError,
    kind_of,
)
from assent.io.lines import encode
from assent.ledger.database import LedgerError
from assent.ledger.queue import TakenError
from assent.serve.logs import log

CONTENT_TYPE = "application/problem+json"
TITLES = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "Not allowed",
    404: "Not found",
    405: "Not with this method",
    408: "The request came too slowly",
    409: "It conflicts with what is there",
    413: "The request is too large",
    415: "Send JSON",
    421: "Not this host",
    422: "The request makes no sense",
    429: "Too much at once",
    500: "An error of the service",
    501: "Not installed here",
    503: "Not now",
    504: "It took too long",
}


class Problem(Exception):
    """An answer that is an error. ``more`` are further members of the object, ``headers`` of the answer."""

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **more: object,
    ) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail = status, kind, detail
        self.headers, self.more = dict(headers or {}), more

    @classmethod
    def busy(cls, status: int, kind: str, detail: str, seconds: float) -> Problem:
        """A problem that passes: ``Retry-After`` says in how many seconds, at least one."""
        return cls(status, kind, detail, headers={"Retry-After": str(max(1, round(seconds)))})

    def row(self, request_id: str | None = None) -> dict[str, object]:
        """The members of the object that is sent, ``more`` last."""
        row: dict[str, object] = {
            "type": f"urn:assent:problem:{self.kind}",
            "title": TITLES.get(self.status, "Error"),
            "status": self.status,
            "detail": self.detail,
            "kind": self.kind,
        }
        return row | ({} if request_id is None else {"request_id": request_id}) | self.more

    def response(self, request_id: str | None = None) -> Response:
        """The problem as a response with its status and headers."""
        return Response(
            encode(self.row(request_id)), self.status, headers=self.headers, media_type=CONTENT_TYPE
        )


def status_of(error: AssentError) -> int:
    """The status for an error of the package: the request's fault is 422, the world's is 503."""
    if isinstance(error, TakenError):
        return 409
    if isinstance(error, MissingExtraError):
        return 501
    if isinstance(error, LedgerError | ModelError | BudgetError):
        return 503
    return 422


def problem_of(error: AssentError) -> Problem:
    """An error of the package as an answer."""
    more = {
        name: value
        for name in ("column", "expected", "line", "key")
        if (value := getattr(error, name, None)) is not None
    }
    status = status_of(error)
    if isinstance(error, LedgerError) and status == 503:
        log("ledger", detail=str(error))  # it names a file or a server: nothing for clients
        return Problem.busy(503, "ledger", "the ledger cannot be used now: see the service's log", 5)
    detail = error.message if isinstance(error, FormulaError) else str(error)
    if status == 503:
        return Problem(status, kind_of(error), detail, headers={"Retry-After": "5"}, **more)
    return Problem(status, "usage" if isinstance(error, UsageError) else kind_of(error), detail, **more)
