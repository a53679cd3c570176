"""Texts that were written for the command line, in words for somebody who has only the page."""

from __future__ import annotations

import re

_SAID = {
    "name yours with --vocabulary": "name yours under “Names of your own”",
    "('assent review')": "(under “Review”)",
    "decide with --full": "whoever runs the service can have all scores made",
}
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*[a-z])")


def for_page(text: str) -> str:
    """The text without options of a command line: what the page offers instead, or what the option is about."""
    for phrase, better in _SAID.items():
        text = text.replace(phrase, better)
    return _OPTION.sub(lambda option: option.group(1).replace("-", " "), text)
