"""What models and people put around a formula: labels, code fences, mathematics signs, a full stop."""

from __future__ import annotations

import re

_LABEL = re.compile(
    r"\s*(?:the\s+)?(?:(?:ltl|stl|spatial|mtl|formula|answer|output|translation|specification|result|φ|phi)"
    r"(?:\s+(?:formula|specification|translation|answer|output))?\s*(?::=|:)"
    r"|(?:ltl|stl|spatial)\s+(?:formula|specification)\s*=)\s*",
    re.IGNORECASE,
)
# Only tags that nobody means as a formula: the first line of a fence may also be the start of the formula.
_LANGUAGE = re.compile(
    r"(?:ltl|stl|spatial|text|txt|plaintext|math|latex|tex|logic|formula)?[^\S\n]*\n", re.IGNORECASE
)
_PAIRS = (("```", "```"), ("`", "`"), ("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_LAYERS = 6


def unwrap(text: str) -> tuple[int, int]:
    """Where the formula itself starts and ends."""
    start, end = 0, len(text)
    if end and text[0] == "\N{ZERO WIDTH NO-BREAK SPACE}":
        start = 1
    stopped = False
    for _ in range(_LAYERS):
        before = (start, end)
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if not stopped and start < end and text[end - 1] in ".;" and text[end - 2 : end - 1] != ".":
            end, stopped = end - 1, True
        inner = _peel(text, start, end)
        stopped = stopped and inner == (start, end)
        start, end = inner
        if inner == before:
            break
    return start, end


def _peel(text: str, start: int, end: int) -> tuple[int, int]:
    """One label, fence or pair of signs less."""
    if text.find(":", start, min(end, start + 60)) >= 0 or text.find("=", start, min(end, start + 60)) >= 0:
        label = _LABEL.match(text, start, end)
        if label:
            return label.end(), end
    if text[start : start + 1] in ("`", "$", "\\"):
        for left, right in _PAIRS:
            inner = (start + len(left), end - len(right))
            wrapped = (
                text.startswith(left, start) and text.endswith(right, start, end) and inner[0] <= inner[1]
            )
            if wrapped and left not in text[inner[0] : inner[1]]:
                language = _LANGUAGE.match(text, *inner) if left == "```" else None
                return (language.end(), inner[1]) if language else inner
    return start, end
