"""Keys are cut out of whatever a model, a server or a program says, however they are spelt there.

The spellings: plain, escaped as in JSON, HTML or Python source, percent-encoded, base64 (standard or URL-safe, alone or
in the middle of something longer), base32, hexadecimal; a key of eight characters or more also backwards, in other case
or with marks and spaces between its characters. Text is cut before it is decoded, after it was decoded, and before it
is shortened, so that no half of a key is left.
"""

from __future__ import annotations

import base64
import html
import os
import re
from collections.abc import Iterable, Iterator
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
"""Variables that are only named like a secret are taken for one from so many characters on; and keys of so many are
found in disguise."""
_MARKS = re.compile(r"[\W_]+")
_BARE = re.compile(r"[^\W_]")
_APART = 6
"""Characters that may stand between two of a disguised key's."""


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
        self._forms = _forms(key, raw) if len(key) >= _LONG else ()

    def cut(self, text: str) -> str:
        text = self._escaped.sub(CUT, text)
        text = self._packed.sub(CUT, text) if any(core in text for core in self._cores) else text
        return _without(text, self._forms) if self._forms else text


def _forms(key: str, raw: bytes) -> tuple[str, ...]:
    """What is left of the key's spellings, in small letters and digits alone; forwards and backwards."""
    spelt = {key, raw.hex(), *_base32_cores(raw), *_base64_cores(raw)}
    plain = {_MARKS.sub("", form).lower() for form in spelt}
    return tuple(sorted({way for form in plain if len(form) >= _LONG for way in (form, form[::-1])}))


def _without(text: str, forms: tuple[str, ...]) -> str:
    """The text without any of the forms, whatever case they are in and whatever marks or spaces stand between.

    One pass over the text and one search for each form: the cost grows with the length of the text alone.
    """
    quick = _MARKS.sub("", text).lower()
    if not any(form in quick for form in forms):
        return text
    places = [found.start() for found in _BARE.finditer(text)]
    bare = "".join(text[at].lower()[:1] for at in places)
    found = sorted(
        (places[at], places[at + len(form) - 1] + 1)
        for form in forms
        for at in _occurrences(bare, form)
        if _spread(text[places[at] : places[at + len(form) - 1] + 1], form)
    )
    out, end = [], 0
    for start, stop in found:
        if start >= end:
            out.append(text[end:start] + CUT)
        end = max(end, stop)
    return "".join((*out, text[end:]))


def _occurrences(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def _spread(part: str, form: str) -> bool:
    """Whether at most ``_APART`` characters stand between any two of the form's."""
    return len(part) <= len(form) * (_APART + 1)


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


def _base32_cores(raw: bytes) -> list[str]:
    """The same for base32, at each of the five places."""
    cores = set()
    for before in range(5):
        first, last = -(-8 * before // 5), 8 * (before + len(raw)) // 5
        cores.add(base64.b32encode(b"\0" * before + raw + b"\0" * 5).decode()[first:last])
    return sorted(cores)


def _base64_cores(raw: bytes) -> list[str]:
    """The characters of base64 that depend on nothing but the key, at each of the three places it can start."""
    cores = set()
    for before in range(3):
        first, last = -(-8 * before // 6), 8 * (before + len(raw)) // 6
        padded = b"\0" * before + raw + b"\0\0\0"
        for encode in (base64.standard_b64encode, base64.urlsafe_b64encode):
            cores.add(encode(padded).decode()[first:last])
    return sorted(cores)
