"""Bodies of answers as types; with those of requests (``schema``) they make the OpenAPI document."""

from __future__ import annotations

from typing import Literal

import msgspec

from assent.ledger.entries import Body
from assent.review.card import Card
from assent.serve.schema import Logic


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
    evidence: Body
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
    evidence: Body
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
    policy: Body


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
    evidence: Body
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
    set_aside: list[Body]


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
