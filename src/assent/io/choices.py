"""What a misspelt key or value of a file was meant to be; loaded when there is one."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

_LONGEST = 60


def unknown(kind: str, written: str, choices: Sequence[str]) -> str:
    """``unknown key: did you mean 'samples'? There are: ...``"""
    if not choices:
        return f"unknown {kind}"
    near = get_close_matches(written, choices, n=1)
    hint = f" did you mean {near[0]!r}?" if near else f" {written[:_LONGEST]!r}."
    return f"unknown {kind}:{hint} There are: {', '.join(choices)}"
