"""How the service and its workers speak: a length of four bytes, then MessagePack."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

LONGEST = 1 << 30
HEAD = struct.Struct(">I")
READY = "ready"
DONE, FAILED, PROBLEM = "done", "failed", "problem"
"""What a worker answers: a result, an error of ours, a problem that is an answer of its own."""


def pack(message: object) -> bytes:
    """A message as bytes."""
    body = msgspec.msgpack.encode(message)
    return HEAD.pack(len(body)) + body


def length_of(head: bytes) -> int:
    """The length of the message after ``head``; ValueError for more than ``LONGEST``."""
    (size,) = HEAD.unpack(head)
    if size > LONGEST:
        raise ValueError("a message of more than a gigabyte")
    return int(size)


def unpack(body: bytes) -> Any:
    """The message in bytes that ``pack`` wrote: plain lists, mappings, texts and numbers."""
    return msgspec.msgpack.decode(body)
