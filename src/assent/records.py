"""What flows through the house: instruction -> draft -> evidence -> decision.

Frozen structs, so that evidence collected once can be decided many times; ``assent.rows`` stores them.
"""

from __future__ import annotations

import math
import re
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec

from assent.errors import FormulaError, FragmentError
from assent.logic import ast
from assent.logic.ast import Formula, Logic

Ratings: TypeAlias = dict[str, int | str]


class Reason(StrEnum):
    """Why there is no formula."""

    OUT_OF_DOMAIN = "out-of-domain"
    UNREADABLE = "unreadable"
    SUSPICIOUS = "suspicious"
    INFEASIBLE = "infeasible"
    FAILED = "failed"


class Instruction(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be translated; ``extra`` keeps the fields of the input row that we do not know."""

    id: str
    text: str
    logic: Logic
    reference: str | None = None
    group: str | None = None
    cluster: str | None = None
    domain: str | None = None
    extra: dict[str, Any] = {}


class Candidate(msgspec.Struct, frozen=True):
    """One answer of a translator: as it came, and in our own spelling if it can be read."""

    raw: str
    formula: str | None = None
    error: str | None = None

    def tree(self, logic: Logic) -> Formula | None:
        return None if self.formula is None else parse(self.formula, logic)


class Draft(msgspec.Struct, frozen=True):
    """The candidate and further samples; the candidate is not one of the samples."""

    primary: Candidate
    samples: tuple[Candidate, ...] = ()


AT_MOST, AT_LEAST = "at most", "at least"


class Score(msgspec.Struct, frozen=True):
    """Nonconformity in [0, 1], higher = more suspicious; ``note`` says so where it is a bound."""

    name: str
    value: float
    note: str = ""

    def __post_init__(self) -> None:
        # `not (0 <= v <= 1)` also refuses NaN, for which every comparison is false.
        if not 0.0 <= self.value <= 1.0:
            raise ValueError(f"score {self.name!r} must lie in [0, 1], and is {self.value!r}")


class Reading(msgspec.Struct, frozen=True):
    """What the gate read: distance to what is known, and its conformal p-value."""

    distance: float
    p_value: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.distance) and 0.0 <= self.p_value <= 1.0):
            raise ValueError(f"not a gate reading: distance {self.distance!r}, p-value {self.p_value!r}")


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """One model call; ``prompt`` is a key of ``Evidence.prompts``."""

    role: str
    model: str
    prompt: str
    answer: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Everything costly about one instruction.

    ``made_by`` is what was asked, ``reported`` which model the endpoint says has answered, by role. ``names`` says
    which part of the instruction was taken for which name, ``doubts`` why the candidate must not be accepted
    whatever its score. ``censored`` lists the scores that lazy scoring left as bounds: enough for the decision
    they were made for, and refused by calibration.
    """

    instruction: Instruction
    draft: Draft | None = None
    reading: Reading | None = None
    back_translation: str | None = None
    judge: Ratings | None = None
    direct_judge: Ratings | None = None
    single_question: int | None = None
    scores: tuple[Score, ...] = ()
    censored: tuple[str, ...] = ()
    group: str | None = None
    made_by: dict[str, str] = {}
    reported: dict[str, str] = {}
    failure: str | None = None
    calls: tuple[Call, ...] = ()
    prompts: dict[str, str] = {}
    names: dict[str, str] = {}
    doubts: tuple[str, ...] = ()

    def score(self, name: str) -> float | None:
        """The value of a channel, or None where it was not recorded."""
        return next((score.value for score in self.scores if score.name == name), None)


class Alternative(msgspec.Struct, frozen=True):
    """One way to read an instruction, in unambiguous English, and how many answers agree with it."""

    formula: str
    english: str
    votes: int


class Accepted(msgspec.Struct, frozen=True, kw_only=True, tag="accepted", tag_field="decision"):
    """The formula is vouched for."""

    formula: str
    english: str
    score: float
    threshold: float | None  # None where every readable candidate may be accepted
    alpha: float
    evidence: Evidence
    warnings: tuple[str, ...] = ()


class Abstained(msgspec.Struct, frozen=True, kw_only=True, tag="abstained", tag_field="decision"):
    """No formula: why, and what a person could decide instead."""

    reason: Reason
    detail: str
    alpha: float
    evidence: Evidence
    score: float | None = None
    threshold: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    difference: str | None = None
    warnings: tuple[str, ...] = ()


Decision: TypeAlias = Accepted | Abstained


@lru_cache(maxsize=4096)
def parse(formula: str, logic: Logic) -> Formula:
    """``logic.parse.read`` with memory: the same few formulas are read again by every step."""
    from assent.logic.parse import read

    return read(formula, logic)


def group_of(logic: Logic, formula: Formula) -> str:
    """The group whose rule decides: a function of the candidate, as the reference is unknown at run time."""
    count = ast.temporal_count(formula) + 1 if logic is Logic.SPATIAL else len(ast.atoms(formula))
    return "D2" if count <= 2 else "D3" if count == 3 else "D4"


_IDENTIFIER = re.compile(r"[A-Za-z]|[A-Za-z]+[_0-9][A-Za-z0-9_]*")


def is_identifier(part: str, name: str) -> bool:
    """Whether a part of the instruction is itself the name (``prop_1``, ``a``), so that nothing was proposed."""
    return part.lower() == name.lower() and _IDENTIFIER.fullmatch(name) is not None


def candidate_of(raw: str, logic: Logic, names: frozenset[str] | None = None) -> Candidate:
    """Read a translator's text; what cannot be read, or uses a name outside ``names``, is kept with why."""
    from assent.logic.render import write

    try:
        tree = parse(raw, logic)
    except (FormulaError, FragmentError) as error:
        return Candidate(raw, None, str(error).splitlines()[0])
    unknown = sorted(names_in(tree) - names) if names is not None else []
    if unknown:
        return Candidate(raw, None, f"uses {', '.join(unknown)}, which the vocabulary does not have")
    return Candidate(raw, write(tree))


def names_in(formula: Formula) -> frozenset[str]:
    """Every proposition, signal, object and region that a formula speaks of."""
    found: set[str] = set()

    def term(t: ast.Term) -> None:
        match t:
            case ast.Signal(name):
                found.add(name)
            case ast.Dist(a, b):
                found.update((a, b))
            case ast.Arithmetic(_, left, right):
                term(left)
                term(right)
            case ast.Negative(arg) | ast.Abs(arg):
                term(arg)
            case ast.Constant():
                pass

    for atom in ast.atoms(formula):
        match atom:
            case ast.Prop(name):
                found.add(name)
            case ast.Relation(_, args):
                found.update(args)
            case ast.Compare(left, _, right):
                term(left)
                term(right)
    return frozenset(found)
