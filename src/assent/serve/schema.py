"""Bodies of requests and answers as types: requests are checked by them, and the OpenAPI document is made from them.

Fields that a request has beyond these are ignored, above all recorded translations, scores and gate readings: what
the service decides it has asked for itself.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from assent.review.card import Card

LONGEST_TEXT = 20_000
LONGEST_FORMULA = 100_000

Logic = Literal["ltl", "stl", "spatial"]
Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT, description="an instruction in English")]
FormulaText = Annotated[str, Meta(min_length=1, max_length=LONGEST_FORMULA, description="a formula")]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Alpha = Annotated[float, Meta(gt=0, lt=1, description="the joint risk that is allowed")]
Names = Annotated[
    dict[str, Any], Meta(description="one section of names, or an object of sections by domain")
]


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


# ---- answers -------------------------------------------------------------------------------------------------


class Span(msgspec.Struct, frozen=True):
    """A part of the instruction: ``text`` stands at [start, end)."""

    start: int
    end: int
    text: str


class ReadingAnswer(msgspec.Struct, frozen=True):
    """One way to read an instruction, and how many answers agree with it."""

    formula: str
    english: str
    votes: int


class AcceptedAnswer(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="decision", tag="accepted"
):
    """The formula is vouched for."""

    id: str
    formula: str
    english: str
    score: float
    alpha: float
    evidence: dict[str, Any]
    decision_id: str
    policy: str
    threshold: float | None = None
    warnings: list[str] = []


class AbstainedAnswer(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="decision", tag="abstained"
):
    """No formula: why, the readings a person may choose among, the words that were not read, what to do."""

    id: str
    reason: Literal["out-of-domain", "unreadable", "suspicious", "infeasible", "failed"]
    alpha: float
    evidence: dict[str, Any]
    decision_id: str
    policy: str
    detail: str = ""
    score: float | None = None
    bound: str = ""
    threshold: float | None = None
    readings: list[ReadingAnswer] = []
    difference: str | None = None
    unread: list[Span] = []
    advice: list[str] = []
    warnings: list[str] = []


DecisionAnswer = AcceptedAnswer | AbstainedAnswer


class Stretch(msgspec.Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """Equal states, from a position to a position, and the atoms that are true in them."""

    first: int
    last: int
    true: list[str]


class Witness(msgspec.Struct, frozen=True):
    """A trace on which exactly one of two formulas holds."""

    states: list[Stretch]
    loop: int | None
    step: str
    first_holds: bool
    second_holds: bool


class CompareAnswer(msgspec.Struct, frozen=True):
    """Do they mean the same? Unknown never means equal."""

    verdict: Literal["equal", "different", "unknown"]
    method: str
    witness: Witness | None


class ExplainAnswer(msgspec.Struct, frozen=True):
    """What a formula says, in several ways."""

    logic: Logic
    formula: str
    words: str
    english: str
    canonical: str
    size: int
    temporal: int
    depth: int
    atoms: list[str]
    warnings: list[str]
    tree: str
    tier: str


class EvaluateAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Is it true, by how much, where is it broken first; how time was understood."""

    holds: bool
    time: Literal["discrete", "dense"]
    period: float | None
    samples: int
    open_end: bool
    robustness: float | None = None
    first_violation: float | None = None


class ExportAnswer(msgspec.Struct, frozen=True):
    """Text for another tool."""

    target: str
    text: str
    filename: str
    formula: str
    atom_map: dict[str, str]
    notes: list[str]


class TargetRow(msgspec.Struct, frozen=True):
    """A tool, and the fragment of formulas that it takes."""

    target: str
    tool: str
    fragment: str


class TargetsAnswer(msgspec.Struct, frozen=True):
    """The tools that formulas can be exported to."""

    targets: list[TargetRow]


class PolicyAnswer(msgspec.Struct, frozen=True):
    """What decides for one logic: its promise in words, and the policy itself without the gate's distances."""

    logic: Logic
    alpha: float
    id: str
    described: str
    policy: dict[str, Any]


class PoliciesAnswer(msgspec.Struct, frozen=True):
    """The policies in force, and the vocabularies that the service was started with."""

    policies: list[PolicyAnswer]
    domains: list[str]


class DecisionRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision in a list."""

    decision_id: str
    id: str
    decision: Literal["accepted", "abstained"]
    logic: Logic
    text: str
    formula: str | None = None
    english: str | None = None
    reason: str | None = None
    detail: str | None = None
    score: float | None = None
    threshold: float | None = None
    alpha: float | None = None
    cluster: str | None = None


class DecisionsAnswer(msgspec.Struct, frozen=True):
    """A page; ``next`` is where the following one begins, null at the end."""

    decisions: list[DecisionRow]
    next: int | None


class StoredDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision as it was answered, with its evidence; ``policy`` is the id of the policy's text."""

    decision_id: str
    decision: Literal["accepted", "abstained"]
    logic: Logic
    evidence: dict[str, Any]
    policy: str | None


class CheckedRequirement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One requirement of a document, decided."""

    id: str
    file: str
    line: int
    text: str
    logic: str
    decision: str
    formula: str | None = None
    english: str | None = None
    reason: str | None = None
    detail: str | None = None


class DocumentFinding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What requirements say together: a conflict, a vacuity, a duplicate ..."""

    kind: str
    requirements: list[str]
    detail: str


class CheckAnswer(msgspec.Struct, frozen=True):
    """The object of ``assent check --json``."""

    requirements: list[CheckedRequirement]
    findings: list[DocumentFinding]
    set_aside: list[dict[str, Any]]


class NextAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a reviewer is asked, null where nothing is left for them; how far the review is, and what that is worth."""

    card: Card | None
    waiting: int
    answered: int
    progress: str


class UndoAnswer(NextAnswer, frozen=True, kw_only=True):
    """The answer that was taken back, and its card again."""

    undone: str


class AnswerTaken(msgspec.Struct, frozen=True):
    """What came of an answer; only ``answered`` ones, of drawn items, calibrate."""

    status: Literal["answered", "skipped", "volunteered"]
    answer: str | None


class ContestableRow(msgspec.Struct, frozen=True):
    """An answer that may be doubted."""

    answer: str
    item: str
    text: str
    said: str
    formula: str | None
    handle: str
    made: str


class ContestableAnswer(msgspec.Struct, frozen=True):
    """Recent answers whose blind looks are done."""

    answers: list[ContestableRow]


class ContestAnswer(msgspec.Struct, frozen=True):
    """The id of the contest."""

    contest: str


class PlanAnswer(msgspec.Struct, frozen=True):
    """The plan in force, how many decisions were considered now, and how many of them drawn."""

    audit: str
    abstained: str
    twice: str
    plants: str
    considered: int
    picked: int


class ResolveAnswer(msgspec.Struct, frozen=True):
    """The label that was kept: it may train, and never calibrates."""

    label: str
    formula: str | None
    how: str
    calibrates: bool


class Health(msgspec.Struct, frozen=True):
    """How the service is."""

    status: Literal["ok", "starting", "stopping", "no worker"]
    version: str


class FailedLine(msgspec.Struct, frozen=True):
    """A case of a batch that could not be decided, in its place."""

    id: str
    line: int
    error: str
    kind: str


class ProblemAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    kind: str
    request_id: str = ""
