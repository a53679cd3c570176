"""Keys are cut out of whatever a model, a server or a program says, however they are spelt there.

The spellings: plain, escaped as in JSON, HTML or Python source, percent-encoded, base64 (standard or URL-safe, alone or
in the middle of something longer), hexadecimal. Text is cut before it is decoded, after it was decoded, and before it
is shortened, so that no half of a key is left.
"""

from __future__ import annotations

import base64
import html
import os
import re
from collections.abc import Iterable
from functools import lru_cache

CUT = "[key]"
SHORTEST = 4
"""A key with fewer characters could not be told from ordinary text."""

PLACEHOLDERS = frozenset(
    "none null empty no-key nokey no_key not-needed not_needed unused dummy fake test local anything ollama"
    " lm-studio sk-no-key-required xxxx".split()
)
"""What people write where a server wants no key; ordinary words, no secrets."""

_NAMED = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
_LONG = 8
"""Variables that are only named like a secret are taken for one from so many characters on."""


def is_secret(key: str) -> bool:
    """Is this a key, and not a word in the place of one?"""
    return len(key) >= SHORTEST and key.lower() not in PLACEHOLDERS


class Secrets:
    """Keys that must not be seen."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        secrets = sorted({key for key in keys if is_secret(key)}, key=len, reverse=True)
        self._spellings = [_spelling(key) for key in secrets]

    @classmethod
    def around(cls, key: str | None = None) -> Secrets:
        """A model's own key, and what the environment holds under names like ``…_API_KEY`` or ``…_TOKEN``."""
        values = {os.environ.get(name, "").strip() for name in os.environ if _sounds_secret(name)}
        secret_values = {value for value in values if len(value) >= _LONG and not re.search(r"\s", value)}
        return _known(frozenset(secret_values if key is None else secret_values | {key}))

    def cut(self, text: str) -> str:
        """The text with every spelling of every key replaced by ``[key]``."""
        for spelling in self._spellings:
            text = spelling.cut(text)
        return text

    def cut_bytes(self, raw: bytes) -> bytes:
        """The same for bytes that need not be text."""
        if not self._spellings:
            return raw
        text = raw.decode("utf-8", "surrogateescape")
        return self.cut(text).encode("utf-8", "surrogateescape")


@lru_cache(maxsize=64)
def _known(keys: frozenset[str]) -> Secrets:
    return Secrets(keys)


@lru_cache(maxsize=4096)
def _sounds_secret(name: str) -> bool:
    return _NAMED.search(name) is not None


class _Spelling:
    """How one key can be spelt. Base64 is looked for quickly and cut slowly: it hardly ever occurs."""

    def __init__(self, key: str) -> None:
        raw = key.encode("utf-8", "surrogatepass")
        hexadecimal = "".join(f"(?i:{byte:02x})" for byte in raw)
        self._escaped = re.compile(f"{''.join(map(_character, key))}|{hexadecimal}")
        self._cores = _base64_cores(raw)
        cores = "|".join(map(re.escape, self._cores))
        self._packed = re.compile(f"[\\w+/-]{{0,3}}(?:{cores})[\\w+/-]{{0,3}}={{0,2}}")

    def cut(self, text: str) -> str:
        text = self._escaped.sub(CUT, text)
        return self._packed.sub(CUT, text) if any(core in text for core in self._cores) else text


@lru_cache(maxsize=256)
def _spelling(key: str) -> _Spelling:
    return _Spelling(key)


def _character(character: str) -> str:
    """A character as it is, or escaped in one of the usual ways, once or again and again."""
    code = ord(character)
    percent = "".join(f"%(?:25){{0,4}}{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
    # All repetitions are bounded: a long run of backslashes must not take quadratic time.
    ways = [
        rf"(?i:\\{{1,9}}(?:u0{{0,8}}{code:x}|u\{{0{{0,8}}{code:x}\}}|x0{{0,8}}{code:x}))",
        f"(?i:{percent})",
        rf"(?i:&(?:amp;){{0,4}}\#(?:0{{0,8}}{code}|x0{{0,8}}{code:x});)",
    ]
    if html.escape(character) != character:
        ways.append("&(?:amp;){0,4}" + re.escape(html.escape(character)[1:]))
    ways.append(r"\\{0,9}" + re.escape(character))
    return f"(?:{'|'.join(ways)})"


def _base64_cores(raw: bytes) -> list[str]:
    """The characters of base64 that depend on nothing but the key, at each of the three places it can start."""
    cores = set()
    for before in range(3):
        first, last = -(-8 * before // 6), 8 * (before + len(raw)) // 6
        padded = b"\0" * before + raw + b"\0\0\0"
        for encode in (base64.standard_b64encode, base64.urlsafe_b64encode):
            cores.add(encode(padded).decode()[first:last])
    return sorted(cores)
