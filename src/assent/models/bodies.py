"""Bodies of HTTP answers: bounded, and packed once at most.

A few kilobytes that were packed twice can unpack to gigabytes, so what is packed more than once is not read, and
unpacking stops at the same bound as reading.
"""

from __future__ import annotations

import zlib

from assent.errors import ModelError

LONGEST = 8_000_000
"""Bytes of a body, before and after it is unpacked."""
ACCEPTED = "gzip, deflate"
_EITHER = 32 + zlib.MAX_WBITS  # gzip or zlib, whichever its head says


def too_long(name: str) -> ModelError:
    return ModelError(f"{name} answered with more than {LONGEST} bytes; the rest was not read")


def opened(raw: bytes, encoding: str, name: str) -> bytes:
    """The body as it was before the server packed it; ModelError if that cannot be told within the bound."""
    codings = [word for word in (part.strip().lower() for part in encoding.split(",")) if word]
    codings = [word for word in codings if word != "identity"]
    if not codings:
        return raw
    if len(codings) > 1:
        raise ModelError(
            f"{name} answered with a body packed {len(codings)} times; one content encoding is read"
        )
    if codings[0] not in ("gzip", "x-gzip", "deflate"):
        raise ModelError(
            f"{name} answered in a content encoding that was not asked for (asked for: {ACCEPTED})"
        )
    return _unpacked(raw, codings[0], name)


def _unpacked(raw: bytes, coding: str, name: str) -> bytes:
    bare = (
        coding == "deflate" and raw[:1] and raw[0] & 0x0F != 8
    )  # without zlib's head, as some servers send it
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS if bare else _EITHER)
    try:
        body = unpacker.decompress(raw, LONGEST + 1)
    except zlib.error:
        raise ModelError(f"{name} answered with a broken body (not {coding})", retry=True) from None
    if len(body) > LONGEST:
        raise too_long(name)
    if not unpacker.eof or unpacker.unused_data:
        raise ModelError(
            f"{name} answered with a broken body ({coding} does not end where it should)", retry=True
        )
    return body
