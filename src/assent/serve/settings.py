"""What the service is told when it starts."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

from assent.errors import UsageError

LOOPBACK = "127.0.0.1"
PORT = 8765


@dataclass(frozen=True, kw_only=True)
class ClientLimits:
    """What a client may take; bytes, seconds and counts."""

    body: int = 1_000_000
    batch_body: int = 64_000_000
    batch_lines: int = 100_000
    requests: int = 256
    """Requests under way at once; one more is answered with 429."""
    waiting: int = 128
    """Jobs that may wait for a worker; one more is answered with 429."""
    deadline: float = 30.0
    """For one job, waiting included."""
    reading: float = 10.0
    """For a client to send its head, and again its body."""
    writing: float = 60.0
    """For a client to take a piece of an answer."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything ``assent serve`` can be told."""

    host: str = LOOPBACK
    port: int = PORT
    workers: int = 1
    ledger: str | None = None
    token_file: str | None = None
    config: str | None = None
    vocabulary: str | None = None
    domain: str | None = None
    policies: tuple[str, ...] = ()
    alpha: float | None = None
    hosts: tuple[str, ...] = ()
    """Names beside ``localhost`` and IP addresses under which the service may be asked."""
    log_text: bool = False
    limits: ClientLimits = field(default_factory=ClientLimits)

    def check(self) -> None:
        """UsageError for what would be unsafe or makes no sense."""
        if self.workers < 1:
            raise UsageError("--workers must be a whole number from 1 up")
        if (
            min(self.limits.deadline, self.limits.reading, self.limits.writing) <= 0
            or self.limits.waiting < 0
        ):
            raise UsageError("--deadline, --reading and --writing must be positive, and --waiting 0 or more")
        if not 0 <= self.port <= 65535:
            raise UsageError("--port must lie between 0 and 65535")
        if self.token_file is None and not is_loopback(self.host):
            raise UsageError(
                f"{self.host} can be reached from other machines: name a file of tokens with --token-file, "
                "or listen on 127.0.0.1"
            )


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
