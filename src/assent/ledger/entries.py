"""What the ledger holds, one struct a kind of entry.

An entry is never changed: an answer that is taken back stays, and an ``Undo`` stands behind it. Everything that
belongs to a draw (probability, plan, coin, seed) is written before anybody sees the item.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from assent.ledger.database import LedgerError

Body: TypeAlias = dict[str, Any]


class Kind(StrEnum):
    """The kinds of entries."""

    INSTRUCTION = "instruction"
    EVIDENCE = "evidence"
    DECISION = "decision"
    POLICY = "policy"
    PLAN = "plan"
    DRAW = "draw"
    PLANT = "plant"
    ANSWER = "answer"
    UNDO = "undo"
    CONTEST = "contest"
    LABEL = "label"


class Said(StrEnum):
    """What a reviewer may say."""

    FORMULA = "formula"
    NONE = "none"
    UNSAYABLE = "unsayable"
    SKIP = "skip"


class Stratum(StrEnum):
    """What is known of a decision before anybody looks: the probability of being drawn depends on this alone."""

    ACCEPTED = "accepted"
    ABSTAINED = "abstained"
    UNREADABLE = "nothing to read"
    """There is no candidate: no threshold could accept it, so it is never wrong and never drawn."""


class LedgerPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Probabilities fixed beforehand, as decimals: of the accepted, of the abstained, of a second look, of plants.

    ``plants`` is the share of known wrong formulas that are mixed in, measured against the items drawn.
    """

    audit: str
    abstained: str
    twice: str = "0.1"
    plants: str = "0.05"

    def __post_init__(self) -> None:
        for name in ("audit", "abstained", "twice", "plants"):
            probability(getattr(self, name), name)

    @property
    def id(self) -> str:
        """The same probabilities are the same plan."""
        return digest(msgspec.to_builtins(self))

    def of(self, stratum: Stratum) -> str:
        """The probability that an item of a stratum is drawn."""
        return {Stratum.ACCEPTED: self.audit, Stratum.ABSTAINED: self.abstained}.get(stratum, "0")


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """The coin for one decision, whether it picked it or not.

    ``uniform`` is the coin as 16 hexadecimal digits; it picks where it is below ``q``. ``seed`` names the secret
    that made it (a digest: the secret itself stays in the ledger).
    """

    decision: str
    cluster: str
    stratum: Stratum
    q: str
    picked: bool
    twice: bool
    plan: str
    uniform: str
    seed: str
    made: str


class Plant(msgspec.Struct, frozen=True, kw_only=True):
    """A formula known to be wrong, shown as if it were a candidate; never counted as an item of the stream."""

    id: str
    decision: str
    right: str
    wrong: str
    mutation: str
    made: str


class ReviewAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a reviewer said of an item (a draw or a plant), and what that makes of the candidate.

    ``wrong`` is the label, None for a skip; ``decided`` is False where the decider ran out of its budget and the
    candidate counts as wrong for that. ``typed`` is what was typed instead of chosen.
    """

    id: str
    item: str
    look: int
    handle: str
    said: Said
    made: str
    wrong: bool | None = None
    decided: bool = True
    formula: str | None = None
    typed: str | None = None


class Undo(msgspec.Struct, frozen=True, kw_only=True):
    """An answer is taken back."""

    answer: str
    handle: str
    made: str


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """An answer is doubted: one more look settles it."""

    id: str
    item: str
    answer: str
    handle: str
    why: str
    made: str


class ReviewLabel(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A label that nobody drew (hand-picked, volunteered, come too late): it may train, and never calibrates."""

    id: str
    decision: str
    handle: str
    said: Said
    how: str
    made: str
    wrong: bool | None = None
    formula: str | None = None


class PolicyText(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a policy that decided."""

    text: str


TYPES: dict[Kind, type[msgspec.Struct]] = {
    Kind.PLAN: LedgerPlan,
    Kind.DRAW: Draw,
    Kind.PLANT: Plant,
    Kind.ANSWER: ReviewAnswer,
    Kind.UNDO: Undo,
    Kind.CONTEST: Contest,
    Kind.LABEL: ReviewLabel,
    Kind.POLICY: PolicyText,
}
"""Instructions, evidence and decisions are kept as the JSON objects that they are written as elsewhere."""


def now() -> str:
    """The time of an entry, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def canonical(body: Any) -> bytes:
    """One spelling for one object, so that equal content has one digest."""
    return msgspec.json.encode(body, order="deterministic")


def digest(body: Any) -> str:
    """The content address of an object."""
    return hashlib.blake2b(canonical(body), digest_size=16).hexdigest()


def probability(text: str, name: str) -> Fraction:
    """A decimal between 0 and 1, exactly as written; ``LedgerError`` otherwise."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1:
        raise LedgerError(f"{name} must be a probability between 0 and 1, not {text!r}")
    return value
