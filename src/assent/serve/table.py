"""Every operation over HTTP, in one table."""

from __future__ import annotations

from assent.serve import review_routes, routes, state
from assent.serve.operations import AnyOperation

OPERATIONS: tuple[AnyOperation, ...] = (*routes.OPERATIONS, *review_routes.OPERATIONS, *state.OPERATIONS)
