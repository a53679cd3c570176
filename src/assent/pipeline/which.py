"""Which logic an instruction is for, where nobody says: relations -> SpaTiaL, times or quantities -> STL, else LTL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from assent.errors import UsageError
from assent.logic.ast import Logic
from assent.records import Instruction
from assent.records.rows import instruction_of
from assent.vocabulary import Vocabulary

if TYPE_CHECKING:
    from assent.pipeline.collector import Collector

_TIME = re.compile(
    r"\b(\d+([.,]\d+)?\s*-?\s*|"
    r"(a|an|one|two|three|four|five|six|ten|twelve|fifteen|twenty|thirty|sixty|half an?)[\s-]+)"
    r"(ms|milliseconds?|s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|time units?|ticks?)\b",
    re.IGNORECASE,
)
_RELATION = re.compile(
    r"\b(left of|right of|to the (left|right) of|above|below|underneath|on top of|inside|enclosed|next to|close to|"
    r"far from|between|touch(es|ing)?|overlap(s|ping)?|closer to|oriented|facing)\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"[<>≤≥=]|\b(above|below|over|under|exceeds?|at least|at most|less than|more than|between)\s+-?\d",
    re.IGNORECASE,
)


def logic_of(text: str, vocabulary: Vocabulary | None = None) -> Logic:
    """The logic that can say the instruction, by its words and by what the vocabulary names."""
    has_objects = vocabulary is not None and bool(vocabulary.objects or vocabulary.regions)
    has_propositions = vocabulary is None or bool(vocabulary.propositions)
    if has_objects and not has_propositions:
        return Logic.SPATIAL
    if has_objects and _RELATION.search(text) and not _COMPARISON.search(text):
        return Logic.SPATIAL
    if _TIME.search(text) or _COMPARISON.search(text) or _names_a_number(text, vocabulary):
        return Logic.STL
    return Logic.LTL


def _names_a_number(text: str, vocabulary: Vocabulary | None) -> bool:
    """Whether a numeric signal is spoken of together with a digit."""
    if vocabulary is None or not re.search(r"\d", text):
        return False
    words = set(re.findall(r"[a-z]+", text.lower()))
    numeric = (entry for entry in vocabulary.propositions if entry.type == "number")
    return any(
        words & set(re.findall(r"[a-z]+", f"{entry.name} {entry.phrase}".lower())) for entry in numeric
    )


def placed(row: Mapping[str, object], collector: Collector, logic: Logic | None = None) -> Instruction:
    """A case as an instruction with its logic: its own, ``logic``, or found out from its words.

    UsageError if there is no text, DataError if a field is wrong or the domain has no vocabulary.
    """
    text = row.get("text")
    if not isinstance(text, str) or not text.strip():
        raise UsageError("the instruction is empty")
    if row.get("logic") is None:
        draft = instruction_of({**row, "logic": "ltl"})
        row = {**row, "logic": (logic or logic_of(text, collector.vocabulary(draft))).value}
    return instruction_of(row)
