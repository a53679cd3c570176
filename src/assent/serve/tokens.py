"""Who may do what: bearer tokens with roles, from a file of lines ``ROLE NAME TOKEN``.

Tokens are compared by a keyed hash, every one of them, in constant time. Without a file (loopback only) whoever can
reach the service may do everything.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import stat
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from assent.errors import ConfigurationError
from assent.io.files import read_text
from assent.serve.problems import Problem

SHORTEST = 16


class Role(IntEnum):
    """Each may do what the ones before it may."""

    NOBODY = 0
    ASK = 1
    REVIEW = 2
    ADMINISTER = 3


@dataclass(frozen=True, slots=True)
class Who:
    """A client: the name that its answers carry, and what it may do."""

    name: str
    role: Role


ANYBODY = Who("local", Role.ADMINISTER)
NOBODY = Who("", Role.NOBODY)


class Tokens:
    """The tokens in force; made with None there are none and every client may do everything."""

    def __init__(self, tokens: dict[str, Who] | None) -> None:
        self._key = secrets.token_bytes(32)
        self._digests = (
            None if tokens is None else [(self._hash(token), who) for token, who in tokens.items()]
        )

    @classmethod
    def read(cls, file: str | None) -> Tokens:
        """The tokens of a file; ConfigurationError for a line that makes no sense or a file that others may read."""
        if file is None:
            return cls(None)
        _private(file)
        tokens: dict[str, Who] = {}
        names: set[str] = set()
        for number, line in enumerate(read_text(Path(file)).splitlines(), start=1):
            parts = line.split()
            if not parts or parts[0].startswith("#"):
                continue
            where = f"line {number}"
            if len(parts) != 3 or parts[0].upper() not in Role.__members__ or parts[0].upper() == "NOBODY":
                raise ConfigurationError("a line is 'ask|review|administer NAME TOKEN'", file=file, key=where)
            role, name, token = parts
            if len(token) < SHORTEST or not token.isascii():
                raise ConfigurationError(
                    f"a token has at least {SHORTEST} plain characters", file=file, key=where
                )
            if token in tokens or name in names or len(name) > 64 or not name.isprintable():
                raise ConfigurationError("each name and each token stands once", file=file, key=where)
            tokens[token] = Who(name, Role[role.upper()])
            names.add(name)
        if not tokens:
            raise ConfigurationError("there is no token in it", file=file)
        return cls(tokens)

    @property
    def needed(self) -> bool:
        """Whether clients must show a token."""
        return self._digests is not None

    def who(self, authorization: str | None) -> Who | None:
        """The client behind a header; None if it shows no token that is known."""
        if self._digests is None:
            return ANYBODY
        scheme, _, token = (authorization or "").partition(" ")
        digest = self._hash(token.strip())
        client: Who | None = None
        for (
            known_digest,
            who,
        ) in self._digests:  # all of them, so that the time taken does not tell which one fits
            if hmac.compare_digest(known_digest, digest):
                client = who
        return client if scheme.lower() == "bearer" else None

    def allow(self, authorization: str | None, role: Role) -> Who:
        """The client, if it may; Problem 401 or 403 otherwise."""
        who = self.who(authorization)
        if who is None:
            raise Problem(
                401,
                "token-needed",
                "send 'Authorization: Bearer TOKEN' with a token of this service",
                headers={"WWW-Authenticate": 'Bearer realm="assent"'},
            )
        if who.role < role:
            raise Problem(403, "role-too-low", f"this needs the role {role.name.lower()}")
        return who

    def _hash(self, token: str) -> bytes:
        return hashlib.blake2b(token.encode("utf-8", "surrogateescape"), key=self._key).digest()


def _private(file: str) -> None:
    try:
        mode = Path(file).stat().st_mode
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", file=file) from error
    if stat.S_ISREG(mode) and mode & 0o077:
        raise ConfigurationError("others may read it: chmod 600", file=file)
