"""The writer of controlled English, and the words that it shares with the reader."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple, assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    Abs,
    Always,
    And,
    Arithmetic,
    Atom,
    Comparator,
    Compare,
    Const,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Negative,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    Signal,
    StrongRelease,
    Term,
    Until,
    WeakUntil,
    conj,
    disj,
)

UNIT: Final = "time units"

# A relation is said "<a> <words> <b>", negated "<a> <negated words> <b>"; the three-place ones join b and c
# with the third entry.
RELATION_WORDS: Final[dict[str, tuple[str, str, str | None]]] = {
    "leftOf": ("is left of", "is not left of", None),
    "rightOf": ("is right of", "is not right of", None),
    "above": ("is above", "is not above", None),
    "below": ("is below", "is not below", None),
    "closeTo": ("is close to", "is not close to", None),
    "farFrom": ("is far from", "is not far from", None),
    "touch": ("touches", "does not touch", None),
    "ovlp": ("overlaps", "does not overlap", None),
    "partOvlp": ("partly overlaps", "does not partly overlap", None),
    "enclIn": ("is enclosed in", "is not enclosed in", None),
    "between": ("is between", "is not between", "and"),
    "closerTo": ("is closer to", "is not closer to", "than to"),
    "oriented": ("is oriented towards", "is not oriented towards", None),
}

COMPARATOR_WORDS: Final[dict[Comparator, str]] = {
    "<": "less than",
    "<=": "at most",
    ">": "greater than",
    ">=": "at least",
    "==": "equal to",
    "!=": "different from",
}

# Words that stand where a name could stand; a name that looks like one of them is quoted.
RESERVED: Final = frozenset(
    "after all and at both does either exactly falsity for hold holds if is it minus neither none nor not or "
    "overlaps partly than the then these throughout touches truth until up".split()
)

PLAIN_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def quote(text: str) -> str:
    """The text in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name(text: str) -> str:
    """A name as given, in quotes if it could be taken for something else."""
    if PLAIN_NAME.fullmatch(text) and text.casefold() not in RESERVED:
        return text
    return quote(text)


def singular(unit: str) -> str:
    """``time units`` -> ``time unit``; short units such as ``s`` have no plural."""
    return unit[:-1] if len(unit) > 2 and unit.endswith("s") else unit


def number(value: Fraction) -> str:
    """An exact decimal where there is one, otherwise ``1 over 3``; negative ones begin with ``minus``."""
    if value < 0:
        return "minus " + number(-value)
    if value.denominator == 1:
        return str(value.numerator)
    places, scale = 0, value.denominator
    for prime in (2, 5):
        power = 0
        while scale % prime == 0:
            scale, power = scale // prime, power + 1
        places = max(places, power)
    if scale != 1:
        return f"{value.numerator} over {value.denominator}"
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


# How much a clause asks of its reader: plain ones may stand inside "both ... and ...", conditional ones are
# kept out of "if ..., then ...".
PLAIN, COMPOUND, CONDITIONAL = 0, 1, 2
Amount = Literal["every", "some", "no", "a"]


class SaidClause(NamedTuple):
    """A clause; ``led`` if it opens with a time phrase, ``simple`` if *until* may follow it directly."""

    text: str
    weight: int = PLAIN
    led: bool = False
    simple: bool = False


def english(formula: Formula, *, unit: str = UNIT, says: Mapping[str, str] | None = None) -> str:
    """The formula as one sentence of controlled English.

    An *and* inside an *and* (an *or* inside an *or*) is said as one list; apart from that ``read_english`` gives
    back the very same formula.

    ``unit`` names the time unit. ``says`` describes propositions: ``{"door_open": "the door is open"}`` lets
    the sentence say ``"the door is open" holds``. ``read_english`` takes the same two.
    """
    try:
        text = _Writer(unit, dict(says or {})).clause(formula, top=True).text
    except RecursionError:
        raise FragmentError("the formula is nested too deeply to be said in English") from None
    if text.split(" ", 1)[0].rstrip(",") in RESERVED:
        text = text[0].upper() + text[1:]
    return text + "."


def _after(word: str, clause: SaidClause) -> str:
    """``then`` + clause, with a comma where the clause opens with a time phrase."""
    return f"{word}, {clause.text}" if clause.led and word[-1] != "," else f"{word} {clause.text}"


def _flat(kind: type[And] | type[Or], formula: Formula) -> tuple[Formula, ...]:
    """The arguments of an and (or) with those of ands (ors) directly inside it: one list reads better."""
    found, stack = [], [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, And | Or) and isinstance(node, kind):
            stack.extend(reversed(node.args))
        else:
            found.append(node)
    return tuple(found)


def _names(parts: list[str]) -> str:
    return ", ".join(parts[:-1]) + " and " + parts[-1]


@dataclass(frozen=True)
class _Writer:
    unit: str
    says: dict[str, str]

    # ---- atoms -----------------------------------------------------------------------------------

    def prop(self, prop: str) -> str:
        described = self.says.get(prop)
        if described is None or sum(other == described for other in self.says.values()) > 1:
            return name(prop)
        return quote(described)

    def literal(self, atom: Atom | Const, positive: bool = True) -> str:
        match atom:
            case Const(value):
                return f"{'truth' if value else 'falsity'} {'holds' if positive else 'does not hold'}"
            case Prop(prop):
                return f"{self.prop(prop)} {'holds' if positive else 'does not hold'}"
            case Compare(left, op, right):
                verb = "is" if positive else "is not"
                return f"{self.term(left)} {verb} {COMPARATOR_WORDS[op]} {self.term(right)}"
            case Relation(relation, args):
                if relation not in RELATION_WORDS or len(args) != 2 + (relation in ("between", "closerTo")):
                    raise FragmentError(f"no English words for the relation {relation}/{len(args)}")
                yes, no, link = RELATION_WORDS[relation]
                said = f"{name(args[0])} {yes if positive else no} {name(args[1])}"
                return said if link is None else f"{said} {link} {name(args[2])}"
            case _:
                assert_never(atom)

    def term(self, term: Term) -> str:
        match term:
            case Signal(signal):
                return name(signal)
            case Constant(value):
                return number(value)
            case Arithmetic("*", Constant(value), right) if value >= 0:
                return f"{number(value)} times {self.term(right)}"
            case Arithmetic("+", left, right):
                return f"the sum of {self.term(left)} and {self.term(right)}"
            case Arithmetic("-", left, right):
                return f"the difference between {self.term(left)} and {self.term(right)}"
            case Arithmetic(_, left, right):
                return f"the product of {self.term(left)} and {self.term(right)}"
            case Negative(arg):
                return f"the negative of {self.term(arg)}"
            case Abs(arg):
                return f"the absolute value of {self.term(arg)}"
            case Dist(a, b):
                return f"the distance between {name(a)} and {name(b)}"
            case _:
                assert_never(term)

    # ---- time phrases ----------------------------------------------------------------------------

    def span(self, value: Fraction) -> str:
        return f"{number(value)} {singular(self.unit) if value == 1 else self.unit}"

    def when(self, amount: Amount, within: Interval, top: bool) -> str:
        later = "from now" if top else "later"
        low, high = within.low, within.high
        if low == high:
            moment = f"exactly {self.span(low)} {later}"
            return f"throughout the moment {moment}" if amount == "every" else moment
        if within == EVER and amount == "a":
            return "eventually"
        head = f"at {amount} time"
        if within == EVER:
            return head if top else f"{head} from then on"
        if high is None:
            return f"{head} at least {self.span(low)} {later}"
        if low == 0:
            return f"{head} within the next {self.span(high)}"
        return f"{head} between {number(low)} and {self.span(high)} {later}"

    # ---- clauses ---------------------------------------------------------------------------------

    def clause(self, formula: Formula, top: bool, post: bool = True) -> SaidClause:
        """One clause. ``top``: no time phrase above it. ``post``: its own may stand behind it."""
        match formula:
            case Const() | Prop() | Compare() | Relation():
                return SaidClause(self.literal(formula), simple=True)
            case Not(arg):
                return self.negation(arg, top, post)
            case And():
                args = _flat(And, formula)
                return self.conjunction(args, top) if len(args) > 1 else self.clause(conj(*args), top, post)
            case Or():
                args = _flat(Or, formula)
                return self.disjunction(args, top) if len(args) > 1 else self.clause(disj(*args), top, post)
            case Implies(left, right):
                return _implication(self.clause(left, top), self.clause(right, top))
            case Iff(left, right):
                return _equality(self.clause(left, top), self.clause(right, top, post=False), _joins(left))
            case Next():
                return self.next(formula, top, post)
            case Always(arg, within):
                return self.timed(self.when("every", within, top), arg, post)
            case Eventually(arg, within):
                return self.timed(self.when("some", within, top), arg, post)
            case Until(left, right, within):
                when = self.when("a", within, top)
                return self.until(f"until {when}" if within == EVER else f"until, {when},", left, right)
            case WeakUntil(left, right):
                return self.until("for ever or until", left, right)
            case Release(left, right, within) if within != EVER:
                head, unless = self.when("every", within, top), self.clause(left, False)
                body = self.clause(right, False)
                said = f"{head} not preceded by a time when {unless.text}, {_after('it is true that', body)}"
                return SaidClause(said, max(COMPOUND, unless.weight, body.weight), led=True)
            case Release(left, right):
                return self.until("for ever or up to and including a time at which", right, left)
            case StrongRelease(left, right):
                return self.until("up to and including a time at which", right, left)
            case _:
                assert_never(formula)

    def timed(self, when: str, arg: Formula, post: bool) -> SaidClause:
        if post and isinstance(arg, Prop | Compare | Relation):
            return SaidClause(f"{self.literal(arg)} {when}")
        body = self.clause(arg, top=False)
        return SaidClause(f"{when}, {body.text}", body.weight, led=True)

    def next(self, formula: Next, top: bool, post: bool) -> SaidClause:
        steps, arg = 1, formula.arg
        while isinstance(arg, Next):
            steps, arg = steps + 1, arg.arg
        return self.timed("at the next step" if steps == 1 else f"after {steps} steps", arg, post)

    def until(self, link: str, going_on: Formula, end: Formula) -> SaidClause:
        """``going_on`` link ``end``, or link ``end``, it stays true that ``going_on``."""
        first = self.clause(going_on, top=False)
        second = self.clause(end, top=False, post=False)
        weight = max(COMPOUND, first.weight, second.weight)
        # "p does not hold for ever" could be taken for "not for ever": only a plain until follows a negation.
        if first.simple and (link.startswith("until") or not isinstance(going_on, Not)):
            return SaidClause(f"{first.text} {_after(link, second)}", weight)
        return SaidClause(f"{_after(link, second)}, {_after('it stays true that', first)}", weight, led=True)

    def negation(self, arg: Formula, top: bool, post: bool) -> SaidClause:
        match arg:
            case Const() | Prop() | Compare() | Relation():
                return SaidClause(self.literal(arg, positive=False), simple=True)
            case Eventually(inner, within) if within.low != within.high:
                when = self.when("no", within, top)
                if post and isinstance(inner, Prop | Compare | Relation):
                    return SaidClause(f"{self.literal(inner)} {when}")
                body = self.clause(inner, top=False)
                return SaidClause(f"{when} {_after('is it the case that', body)}", body.weight, led=True)
            case _:
                body = self.clause(arg, top)
                return SaidClause(_after("it is not the case that", body), max(COMPOUND, body.weight))

    def conjunction(self, args: tuple[Formula, ...], top: bool) -> SaidClause:
        positive = [arg.name for arg in args if isinstance(arg, Prop)]
        if len(positive) == len(args):
            return SaidClause(f"{_names([self.prop(p) for p in positive])} hold", COMPOUND, simple=True)
        negative = [arg.arg.name for arg in args if isinstance(arg, Not) and isinstance(arg.arg, Prop)]
        if len(negative) == len(args):
            said = [self.prop(p) for p in negative]
            none = f"neither {said[0]} nor {said[1]}" if len(said) == 2 else f"none of {_names(said)}"
            return SaidClause(f"{none} holds", COMPOUND, simple=True)
        if len(args) == 2:
            first, second = self.clause(args[0], top), self.clause(args[1], top, post=False)
            chained = second.led and second.weight == COMPOUND
            if first.weight == PLAIN and not first.led and (second.weight == PLAIN or chained):
                return SaidClause(f"both {first.text} {_after('and', second)}", COMPOUND)
            return _listed("both of these hold", "and", first, second)
        return _listed(f"all {len(args)} of these hold", "and", *(self.clause(arg, top) for arg in args))

    def disjunction(self, args: tuple[Formula, ...], top: bool) -> SaidClause:
        positive = [self.prop(arg.name) for arg in args if isinstance(arg, Prop)]
        if len(positive) == len(args):
            if len(args) == 2:
                return SaidClause(f"{positive[0]} or {positive[1]} or both hold", COMPOUND, simple=True)
            return SaidClause(f"at least one of {_names(positive)} holds", COMPOUND, simple=True)
        if len(args) == 2:
            first, second = self.clause(args[0], top), self.clause(args[1], top, post=False)
            if first.weight == second.weight == PLAIN and not first.led:
                return SaidClause(f"either {first.text} {_after('or', second)}, or both", COMPOUND)
            return _listed("at least one of these holds", "or", first, second)
        return _listed("at least one of these holds", "or", *(self.clause(arg, top) for arg in args))


def _implication(first: SaidClause, second: SaidClause) -> SaidClause:
    if first.weight == CONDITIONAL:
        return _listed("the first of these implies the second", "and", first, second)
    return SaidClause(f"{_after('if', first)}, {_after('then', second)}", CONDITIONAL)


def _equality(first: SaidClause, second: SaidClause, joins: bool) -> SaidClause:
    """``joins``: whether *if and only if* may follow the first."""
    if CONDITIONAL in (first.weight, second.weight) or not joins:
        return _listed("these two are equivalent", "and", first, second)
    return SaidClause(f"{first.text} {_after('if and only if', second)}", CONDITIONAL)


def _listed(head: str, last: str, *items: SaidClause) -> SaidClause:
    text = "; ".join(item.text for item in items[:-1]) + f"; {_after(last, items[-1])}"
    return SaidClause(f"{head}: {text}", max(COMPOUND, *(item.weight for item in items)))


def _joins(formula: Formula) -> bool:
    """Whether *if and only if* may follow: a literal, perhaps with a time behind it, or a list of names."""
    match formula:
        case Const() | Prop() | Compare() | Relation():
            return True
        case Not(arg):
            return isinstance(arg, Const | Prop | Compare | Relation)
        case And(args) | Or(args):
            return all(isinstance(arg, Prop) for arg in args)
        case Always(arg) | Eventually(arg) | Next(arg):
            return isinstance(arg, Prop | Compare | Relation)
        case _:
            return False
