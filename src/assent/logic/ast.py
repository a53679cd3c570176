"""One syntax tree for LTL, STL and SpaTiaL.

Nodes are frozen, hashable and compared by structure. ``And`` and ``Or`` are n-ary. Timed operators carry
``within``, an ``Interval`` that rejects nonsense at birth; ``EVER`` is ``[0, infinity)``, the untimed case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Literal, TypeAlias

from assent.errors import FragmentError


class Logic(StrEnum):
    """Which atoms and operators are legal (see ``dialect.check``)."""

    LTL = "ltl"
    STL = "stl"
    SPATIAL = "spatial"


Number: TypeAlias = Fraction


@dataclass(frozen=True, slots=True)
class Interval:
    """Closed interval of non-negative times; ``high`` is None for infinity."""

    low: Number
    high: Number | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", Fraction(self.low))
        if self.high is not None:
            object.__setattr__(self, "high", Fraction(self.high))
        if self.low < 0:
            raise FragmentError(f"an interval cannot start before 0, and this one starts at {self.low}")
        if self.high is not None and self.high < self.low:
            raise FragmentError(f"an interval cannot end ({self.high}) before it starts ({self.low})")

    @property
    def unbounded(self) -> bool:
        return self.high is None


EVER = Interval(Fraction(0), None)


# ---- terms: what a comparison compares -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signal:
    """A real-valued signal by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A number inside a comparison."""

    value: Number

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", Fraction(self.value))


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``left op right``."""

    op: Literal["+", "-", "*"]
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Negative:
    """Unary minus."""

    arg: Term


@dataclass(frozen=True, slots=True)
class Abs:
    """Absolute value."""

    arg: Term


@dataclass(frozen=True, slots=True)
class Dist:
    """Distance between two objects (SpaTiaL only; symmetric)."""

    a: str
    b: str


Term: TypeAlias = Signal | Constant | Arithmetic | Negative | Abs | Dist
Comparator: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]


# ---- formulas ----------------------------------------------------------------------------------------


class Written:
    """What every node of a formula can do: ``str(formula)`` is its text in our own spelling."""

    __slots__ = ()

    def __str__(self) -> str:
        from assent.logic.render import write

        return write(self)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        """For notebooks: the formula, and what it says in English."""
        from html import escape

        from assent.logic.english import english

        said = english(self)  # type: ignore[arg-type]
        return f"<code>{escape(str(self))}</code><br><span>{escape(said)}</span>"


@dataclass(frozen=True, slots=True)
class Const(Written):
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Prop(Written):
    """An opaque proposition by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Compare(Written):
    """A comparison between two terms."""

    left: Term
    op: Comparator
    right: Term


@dataclass(frozen=True, slots=True)
class Relation(Written):
    """A spatial relation between named objects, ``name`` being a key of ``dialect.RELATIONS``."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not(Written):
    arg: Formula


@dataclass(frozen=True, slots=True)
class And(Written):
    """Two or more conjuncts."""

    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or(Written):
    """Two or more disjuncts."""

    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Implies(Written):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Iff(Written):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Next(Written):
    arg: Formula


@dataclass(frozen=True, slots=True)
class Always(Written):
    """Globally, within an interval."""

    arg: Formula
    within: Interval = EVER


@dataclass(frozen=True, slots=True)
class Eventually(Written):
    """Finally, within an interval."""

    arg: Formula
    within: Interval = EVER


@dataclass(frozen=True, slots=True)
class Until(Written):
    """``right`` comes true at some t' in the interval, and ``left`` holds on [t, t')."""

    left: Formula
    right: Formula
    within: Interval = EVER


@dataclass(frozen=True, slots=True)
class Release(Written):
    """Dual of until: not ((not left) until (not right))."""

    left: Formula
    right: Formula
    within: Interval = EVER


@dataclass(frozen=True, slots=True)
class WeakUntil(Written):
    """``left`` until ``right``, or ``left`` for ever."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class StrongRelease(Written):
    """``right`` until both hold: right until (left and right)."""

    left: Formula
    right: Formula


Atom: TypeAlias = Prop | Compare | Relation
Formula: TypeAlias = (
    Const
    | Prop
    | Compare
    | Relation
    | Not
    | And
    | Or
    | Implies
    | Iff
    | Next
    | Always
    | Eventually
    | Until
    | Release
    | WeakUntil
    | StrongRelease
)

TRUE = Const(True)
FALSE = Const(False)


def children(formula: Formula) -> tuple[Formula, ...]:
    """The direct sub-formulas, left to right."""
    match formula:
        case Const() | Prop() | Compare() | Relation():
            return ()
        case And(args) | Or(args):
            return args
        case Not(arg) | Next(arg):
            return (arg,)
        case Always(arg) | Eventually(arg):
            return (arg,)
        case _:
            return (formula.left, formula.right)


OPERATORS: dict[type, str] = {
    **{Not: "not", And: "and", Or: "or", Implies: "implies", Iff: "iff", Next: "next"},
    **{Always: "always", Eventually: "eventually", Until: "until", Release: "release"},
    **{WeakUntil: "weak", StrongRelease: "strong"},
}
"""The name of every operator, for tables of spellings."""


def window(formula: Formula) -> Interval:
    """The interval of an operator; for ever where it has none."""
    return formula.within if isinstance(formula, Always | Eventually | Until | Release) else EVER


def rebuild(formula: Formula, parts: tuple[Formula, ...]) -> Formula:
    """The same node over other sub-formulas (as many as ``children`` gave)."""
    match formula:
        case Const() | Prop() | Compare() | Relation():
            return formula
        case And():
            return And(parts)
        case Or():
            return Or(parts)
        case Not() | Next():
            return type(formula)(parts[0])
        case Always() | Eventually():
            return type(formula)(parts[0], formula.within)
        case Until() | Release():
            return type(formula)(parts[0], parts[1], formula.within)
        case _:
            return type(formula)(parts[0], parts[1])


def walk(formula: Formula) -> Iterator[Formula]:
    """Every sub-formula, the formula itself first, depth first, left to right, with repetitions."""
    stack = [formula]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def atoms(formula: Formula) -> tuple[Atom, ...]:
    """Distinct atoms in order of first appearance."""
    seen: dict[Atom, None] = {}
    for node in walk(formula):
        if isinstance(node, Prop | Compare | Relation):
            seen.setdefault(node)
    return tuple(seen)


def names(formula: Formula) -> frozenset[str]:
    """Every proposition, signal, object and region that a formula speaks of."""
    return frozenset(name for atom in atoms(formula) for name in _names_of(atom))


def _names_of(part: Atom | Term) -> Iterator[str]:
    match part:
        case Prop(name) | Signal(name):
            yield name
        case Relation(_, args):
            yield from args
        case Dist(a, b):
            yield from (a, b)
        case Compare(left, _, right) | Arithmetic(_, left, right):
            yield from _names_of(left)
            yield from _names_of(right)
        case Negative(arg) | Abs(arg):
            yield from _names_of(arg)
        case Constant():
            pass


def size(formula: Formula) -> int:
    """Number of operators (an n-ary and/or of k arguments counts k - 1)."""
    total = 0
    for node in walk(formula):
        parts = children(node)
        if parts:
            total += max(1, len(parts) - 1)
    return total


def temporal_count(formula: Formula) -> int:
    """Number of temporal operators."""
    temporal = Next | Always | Eventually | Until | Release | WeakUntil | StrongRelease
    return sum(isinstance(node, temporal) for node in walk(formula))


def conj(*parts: Formula) -> Formula:
    """Conjunction of any number: none is true, one is itself."""
    return parts[0] if len(parts) == 1 else And(parts) if parts else TRUE


def disj(*parts: Formula) -> Formula:
    """Disjunction of any number: none is false, one is itself."""
    return parts[0] if len(parts) == 1 else Or(parts) if parts else FALSE


def map_atoms(formula: Formula, rename: dict[Atom, Formula]) -> Formula:
    """The formula with atoms replaced (those not in ``rename`` stay)."""
    if isinstance(formula, Prop | Compare | Relation):
        return rename.get(formula, formula)
    parts = children(formula)
    if not parts:
        return formula
    return rebuild(formula, tuple(map_atoms(part, rename) for part in parts))
