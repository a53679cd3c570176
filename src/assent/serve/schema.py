"""Bodies of requests as types: requests are checked by them, and the OpenAPI document is made from them.

Fields that a request has beyond these are ignored, above all recorded translations, scores and gate readings: what
the service decides it has asked for itself.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from assent.ledger.entries import Body

LONGEST_TEXT = 20_000
LONGEST_FORMULA = 100_000

Logic = Literal["ltl", "stl", "spatial"]
Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT, description="an instruction in English")]
FormulaText = Annotated[str, Meta(min_length=1, max_length=LONGEST_FORMULA, description="a formula")]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Alpha = Annotated[float, Meta(gt=0, lt=1, description="the joint risk that is allowed")]
Names = Annotated[Body, Meta(description="one section of names, or an object of sections by domain")]


Period = Annotated[float, Meta(gt=0, le=1e9, description="the time between two samples")]


class Asked(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What may be said beside an instruction."""

    logic: Logic | None = None
    vocabulary: Names | None = None
    domain: Name | None = None
    alpha: Alpha | None = None


class TranslateRequest(Asked, frozen=True, kw_only=True, omit_defaults=True):
    """One instruction. Without ``logic`` it is found out; ``id`` and ``cluster`` are kept with the decision."""

    text: Text
    id: Name | None = None
    cluster: Name | None = None


class Case(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One instruction of a batch."""

    text: Text
    id: Name | None = None
    logic: Logic | None = None
    domain: Name | None = None
    cluster: Name | None = None


class BatchRequest(Asked, frozen=True, kw_only=True, omit_defaults=True):
    """Many instructions, and what holds for all of them. Each is a text or an object."""

    cases: list[Text | Case]


class CompareRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Two formulas; ``finite`` compares over finite words."""

    first: FormulaText
    second: FormulaText
    logic: Logic | None = None
    finite: bool = False


class ExplainRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A formula to be said in English."""

    formula: FormulaText
    logic: Logic | None = None
    unit: Name | None = None


class ExportRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A formula for another tool; ``instruction`` goes into the text as a comment."""

    formula: FormulaText
    target: Name
    logic: Logic | None = None
    instruction: Text | None = None
    period: Period | None = None


class EvaluateRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A formula, and a recorded trace as columns by name, times first; ``period`` resamples it."""

    formula: FormulaText
    trace: Annotated[dict[str, list[bool | float]], Meta(min_length=1, max_length=1000)]
    logic: Logic | None = None
    period: Period | None = None


Decimal = Annotated[str, Meta(pattern=r"^(0(\.[0-9]{1,12})?|1(\.0{1,12})?)$", description="a probability")]
Handle = Annotated[str, Meta(min_length=1, max_length=64, description="the reviewer's name, without tokens")]
Key = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class AnswerRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the instruction of an item means: exactly one of ``formula``, ``none``, ``unsayable`` and ``skip``."""

    item: Name
    look: int | None = None
    formula: FormulaText | None = None
    none: bool = False
    unsayable: bool = False
    skip: bool = False
    handle: Handle | None = None


class HandleRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who asks, where the service has no tokens."""

    handle: Handle | None = None


class ContestRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an answer is doubted."""

    answer: Name
    why: Annotated[str, Meta(max_length=2000)] = ""
    handle: Handle | None = None


class PlanRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Probabilities as decimals; what is left out goes on as before."""

    audit: Decimal | None = None
    abstained: Decimal | None = None
    twice: Decimal | None = None
    plants: Decimal | None = None


class ResolveRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is meant by an instruction that was decided: a formula, or none of the readings; who says so."""

    decision_id: Key
    formula: FormulaText | None = None
    none: bool = False
    by: Literal["person", "agent"] = "person"
    handle: Handle | None = None


class CheckRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A requirement document as text; ``name`` is what it is called in the answer."""

    text: Annotated[str, Meta(min_length=1, max_length=1_000_000)]
    name: Name = "document"
    format: Literal["markdown", "text", "csv", "tsv", "jsonl"] = "markdown"
    logic: Logic | None = None
    vocabulary: Names | None = None
    domain: Name | None = None
    alpha: Alpha | None = None
