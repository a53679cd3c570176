"""Identifiers before an instruction: "REQ-17:", "[SYS-004]", "3.2.1"."""

from __future__ import annotations

import re

# What stands before a requirement to tell it from others ("REQ-17:", "R12.", "[SYS-004]", "3.2.1", "(4)", "- ") is no
# part of what is required, and its figures are no numbers.
_SPOKEN = (
    r"(?:req(?:uirement)?|rule|item|no|nr|id|clause|section|spec|step|task|case|point|sys|test|article|ticket|job|order"
    r"|issue|story|note)"
)
_CODE = r"[A-Za-z]{1,12}(?:[-_./][A-Za-z]{1,12})*[-_.#]?\d+(?:[-_.]\d+)*[a-z]?"
_LABEL = re.compile(
    rf"""\s*(?:
        \[\s*(?:{_CODE}|\d+(?:\.\d+)*)\s*\]\s*[:.\-]?      # [SYS-004]
      | \(\s*(?:{_CODE}|\d+(?:\.\d+)*|[a-z])\s*\)\s+       # (4), (a)
      | (?:{_CODE})\s*(?:[:)]\s|\.\s|-\s|\|)                  # REQ-17:  R12.
      | {_SPOKEN}\.?\s*\#?\s*\d+(?:[-_.]\d+)*[a-z]?\s*(?:[:.)]|-\s)   # Requirement 12:
      | \d+(?:\.\d+){{2,}}\.?\s*[:)]?\s                     # 3.2.1 The
      | \d+\.\d+\.?(?:\s*[:)]\s|\s+(?=(?:the|when|if|while|where|whenever|each|every|all|as|once|a|an|no)\s))
      | \d+\s*(?:[:)]\s|\.\s)\s*(?=\S)                      # 1)  2.
      | \#\d+\s*[:.)]?\s
      | [*\-]\s+
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_BRACKETED = re.compile(rf"\(\s*{_CODE}\s*\)")


def label_end(text: str, names: frozenset[str] = frozenset()) -> int:
    """Where the identifier at the beginning of an instruction ends; 0 without one.

    ``names``: a label that is a name of the vocabulary (lower case) is a name; so is "(prop_1)", or one of several.
    """
    found = _LABEL.match(text)
    if found is None or found.end() >= len(text):
        return 0
    said = found.group().strip().strip("[]():.|- ").lower()
    placeholder = found.group().lstrip().startswith("(") and (
        "_" in said or _BRACKETED.search(text, found.end())
    )
    return 0 if said in names or placeholder else found.end()
