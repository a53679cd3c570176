"""Our own counter-based generator: a keyed hash, so that a coin can be checked later and not be thrown twice."""

from __future__ import annotations

import hashlib
from fractions import Fraction

BITS = 64


def coin(secret: bytes, *parts: str) -> int:
    """A whole number below 2**64 that depends on the secret and on every part, and on nothing else."""
    made = hashlib.blake2b(key=secret, digest_size=BITS // 8, person=b"assent coin")
    for part in parts:
        encoded = part.encode()
        made.update(len(encoded).to_bytes(8, "big") + encoded)
    return int.from_bytes(made.digest(), "big")


def falls(toss: int, q: Fraction) -> bool:
    """Whether a coin falls with probability q: exact, and never at 0, always at 1."""
    return toss < q * (1 << BITS)


def seed_name(secret: bytes) -> str:
    """Names a secret without giving it away."""
    return hashlib.sha256(b"assent ledger " + secret).hexdigest()[:16]


def place_of(secret: bytes, item: str) -> str:
    """Where an item stands in the queue: an order drawn once, in which plants cannot be told from the rest."""
    return f"{coin(secret, 'place', item):016x}"
