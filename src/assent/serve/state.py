"""How the service is: health, readiness, counters, and its own description."""

from __future__ import annotations

from starlette.responses import Response

from assent.serve import replies
from assent.serve.operations import Operation, ServiceCall
from assent.serve.routes import json
from assent.serve.tokens import Role

PROMETHEUS = "text/plain"


async def healthz(call: ServiceCall[object]) -> Response:
    """The process answers."""
    return json(call.service.health)


async def readyz(call: ServiceCall[object]) -> Response:
    """A worker can take a job."""
    health = call.service.health
    return json(health, 200 if health["status"] == "ok" else 503)


async def metrics(call: ServiceCall[object]) -> Response:
    """Counters."""
    return Response(call.service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


OPERATIONS = (
    Operation(
        name="healthz",
        method="GET",
        path="/healthz",
        says="The process answers.",
        role=Role.NOBODY,
        answer=replies.Health,
        handler=healthz,
    ),
    Operation(
        name="readyz",
        method="GET",
        path="/readyz",
        says="A worker can take a job; 503 otherwise.",
        role=Role.NOBODY,
        answer=replies.Health,
        handler=readyz,
    ),
    Operation(
        name="metrics",
        method="GET",
        path="/metrics",
        says="Counters in the text format of Prometheus.",
        role=Role.ADMINISTER,
        answer=str,
        media=(PROMETHEUS,),
        handler=metrics,
    ),
)
