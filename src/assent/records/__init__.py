"""What flows through the house: instruction -> draft -> evidence -> decision.

Frozen values, so that evidence collected once can be decided many times. ``assent.records.rows`` stores them, with one
table of fields for both directions.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from assent.errors import DataError, FormulaError, FragmentError
from assent.logic import ast
from assent.logic.ast import Formula, Logic

__all__ = [
    "AT_LEAST",
    "AT_MOST",
    "Abstained",
    "Accepted",
    "Call",
    "Candidate",
    "Decision",
    "Draft",
    "Evidence",
    "GateReading",
    "Instruction",
    "Ratings",
    "Reading",
    "Reason",
    "Score",
    "TextSpan",
    "candidate_of",
    "is_identifier",
    "parse",
    "tier_of",
    "within",
]


Ratings: TypeAlias = dict[str, int | str]
_SURROGATE = re.compile("[\ud800-\udfff]")


class Reason(StrEnum):
    """Why there is no formula."""

    OUT_OF_DOMAIN = "out-of-domain"
    UNREADABLE = "unreadable"
    SUSPICIOUS = "suspicious"
    INFEASIBLE = "infeasible"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class Instruction:
    """What is to be translated; ``extra`` keeps the fields of the input row that we do not know."""

    id: str
    text: str
    logic: Logic
    reference: str | None = None
    group: str | None = None
    cluster: str | None = None
    domain: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """DataError for half a character (a lone surrogate): no file, model or terminal can take it."""
        for name, value in (("id", self.id), ("text", self.text), ("domain", self.domain)):
            if isinstance(value, str) and (half := _SURROGATE.search(value)):
                raise DataError(
                    f"the {name} of the instruction is no text: half a character (U+{ord(half.group()):04X}) stands "
                    f"at column {half.start() + 1}; give it as UTF-8"
                )


@dataclass(frozen=True)
class Candidate:
    """One answer of a translator: as it came, and read, or why it cannot be read."""

    raw: str
    formula: Formula | None = None
    error: str | None = None

    @cached_property
    def text(self) -> str | None:
        """The formula in our own spelling."""
        return None if self.formula is None else str(self.formula)


@dataclass(frozen=True)
class Draft:
    """The candidate and further samples; the candidate is not one of the samples."""

    primary: Candidate
    samples: tuple[Candidate, ...] = ()


AT_MOST, AT_LEAST = "at most", "at least"


@dataclass(frozen=True)
class Score:
    """Nonconformity in [0, 1], higher = more suspicious; ``note`` says so where it is a bound."""

    name: str
    value: float
    note: str = ""

    def __post_init__(self) -> None:
        # `not (0 <= v <= 1)` also refuses NaN, for which every comparison is false.
        if not 0.0 <= self.value <= 1.0:
            raise ValueError(f"score {self.name!r} must lie in [0, 1], and is {self.value!r}")


@dataclass(frozen=True)
class GateReading:
    """What the gate measured: distance to what is known, and its conformal p-value."""

    distance: float
    p_value: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.distance) and 0.0 <= self.p_value <= 1.0):
            raise ValueError(f"not a gate reading: distance {self.distance!r}, p-value {self.p_value!r}")


@dataclass(frozen=True)
class Call:
    """One model call; ``prompt`` is a key of ``Evidence.prompts``. ``seconds`` is not stored."""

    role: str
    model: str
    prompt: str
    answer: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class TextSpan:
    """A part of the instruction: ``text`` stands at [start, end)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything costly about one instruction.

    ``made_by`` is what was asked, ``reported`` which model the endpoint says has answered, by role. ``names`` says
    which part of the instruction was taken for which name, ``unread`` which words nobody read, ``doubts`` why the
    candidate must not be accepted whatever its score. ``censored`` lists the scores that lazy scoring left as
    bounds: enough for the abstention they were made for, and refused by calibration.
    """

    instruction: Instruction
    draft: Draft | None = None
    gate: GateReading | None = None
    back_translation: str | None = None
    judge: Ratings | None = None
    direct_judge: Ratings | None = None
    single_question: int | None = None
    scores: tuple[Score, ...] = ()
    censored: tuple[str, ...] = ()
    made_by: dict[str, str] = field(default_factory=dict)
    reported: dict[str, str] = field(default_factory=dict)
    failure: str | None = None
    calls: tuple[Call, ...] = ()
    prompts: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    unread: tuple[TextSpan, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def formula(self) -> Formula | None:
        """The candidate, if there is one that can be read."""
        return None if self.draft is None else self.draft.primary.formula

    @cached_property
    def tier(self) -> str | None:
        """The tier of the candidate; None where it cannot be read."""
        return None if self.formula is None else tier_of(self.instruction.logic, self.formula)

    def score(self, name: str) -> float | None:
        """The recorded value of a channel, or None."""
        return next((score.value for score in self.scores if score.name == name), None)


@dataclass(frozen=True)
class Reading:
    """One way to read an instruction, in unambiguous English, and how many answers agree with it."""

    formula: Formula
    english: str
    votes: int


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """The formula is vouched for."""

    formula: Formula
    english: str
    score: float
    threshold: float | None
    alpha: float
    evidence: Evidence
    warnings: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        from assent.records.html import accepted_html

        return accepted_html(self)


@dataclass(frozen=True, kw_only=True)
class Abstained:
    """No formula: why, what a person could decide instead, and what to do next.

    ``bound`` is "at least" where ``score`` is what lazy scoring stopped at: enough to withhold the candidate.
    """

    reason: Reason
    detail: str
    alpha: float
    evidence: Evidence
    score: float | None = None
    bound: str = ""
    threshold: float | None = None
    readings: tuple[Reading, ...] = ()
    difference: str | None = None
    advice: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def unread(self) -> tuple[TextSpan, ...]:
        """Words of the instruction that neither lifting nor a model read."""
        return self.evidence.unread

    def _repr_html_(self) -> str:
        from assent.records.html import abstained_html

        return abstained_html(self)


Decision: TypeAlias = Accepted | Abstained


@lru_cache(maxsize=4096)
def parse(formula: str, logic: Logic) -> Formula:
    """``logic.parse.read`` with memory: recorded answers repeat themselves."""
    from assent.logic.parse import read

    return read(formula, logic)


def tier_of(logic: Logic, formula: Formula) -> str:
    """D2, D3 or D4 by the different atoms of a formula (SpaTiaL: by its temporal operators)."""
    count = ast.temporal_count(formula) + 1 if logic is Logic.SPATIAL else len(ast.atoms(formula))
    return "D2" if count <= 2 else "D3" if count == 3 else "D4"


_IDENTIFIER = re.compile(r"[A-Za-z]|[A-Za-z]+[_0-9][A-Za-z0-9_]*")


def is_identifier(part: str, name: str) -> bool:
    """Whether a part of the instruction is itself the name (``prop_1``, ``a``), so that nothing was proposed."""
    return part.lower() == name.lower() and _IDENTIFIER.fullmatch(name) is not None


def candidate_of(raw: str, logic: Logic, names: frozenset[str] | None = None) -> Candidate:
    """Read a translator's text; what cannot be read, or uses a name outside ``names``, is kept with why."""
    try:
        tree = parse(raw, logic)
    except (FormulaError, FragmentError) as error:
        return Candidate(raw, None, str(error).splitlines()[0])
    return within(raw, tree, names)


def within(raw: str, formula: Formula, names: frozenset[str] | None) -> Candidate:
    """A candidate whose formula is known, unless it uses a name outside ``names``."""
    unknown = sorted(ast.names(formula) - names) if names is not None else []
    if unknown:
        return Candidate(raw, None, f"uses {', '.join(unknown)}, which the vocabulary does not have")
    return Candidate(raw, formula)
