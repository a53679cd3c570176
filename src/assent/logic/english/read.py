"""The reader of controlled English: recursive descent, never looking further than the next words.

Commas and colons are for people; the words alone decide. A sentence that the writer would not write may still
be read (``from then on`` is optional), but every sentence has at most one reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, Literal

from assent.errors import FormulaError, FragmentError, LimitError
from assent.logic.ast import (
    EVER,
    Abs,
    Always,
    And,
    Arithmetic,
    Compare,
    Const,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Logic,
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
)
from assent.logic.dialect import MAX_DEPTH, check
from assent.logic.english.say import (
    COMPARATOR_WORDS,
    RELATION_WORDS,
    UNIT,
)
from assent.logic.english.tokens import EnglishTokens

MAX_LENGTH: Final = 400_000  # characters of English

_COMPARATORS: Final = tuple((words.split(), op) for op, words in COMPARATOR_WORDS.items())
_VERBS: Final = tuple(
    (words.split(), relation, positive)
    for relation, (yes, no, _) in RELATION_WORDS.items()
    for words, positive in ((yes, True), (no, False))
)
_STAYS: Final = "it stays true that"
_UP_TO: Final = "up to and including a time at which"


def read_english(
    text: str, logic: Logic | str, *, unit: str = UNIT, says: Mapping[str, str] | None = None
) -> Formula:
    """The formula that ``english`` said, with the same ``unit`` and ``says``; FormulaError otherwise."""
    if len(text) > MAX_LENGTH:
        raise LimitError(f"the sentence has {len(text)} characters; at most {MAX_LENGTH} are read")
    reader = _Reader(text, unit, {phrase: name for name, phrase in (says or {}).items()})
    try:
        formula = reader.sentence()
    except FragmentError as error:
        raise FormulaError(str(error), text=text, column=reader.column) from None
    except RecursionError:
        raise LimitError("the sentence is nested too deeply", text=text, column=reader.column) from None
    check(formula, Logic(logic))
    return formula


class _Reader(EnglishTokens):
    # ---- time phrases ----------------------------------------------------------------------------

    def later(self) -> None:
        if not self.take("from now"):
            self.expect("later")

    def within(self) -> Interval:
        """What follows *at every time*."""
        if self.take("within the next"):
            return Interval(Fraction(0), self.span())
        # Only a number makes these a time: a clause may begin with "at least one of", a name be "between".
        if self.number_after("at least"):
            low, high = self.span(), None
        elif self.number_after("between"):
            low = self.number()
            self.expect("and")
            high = self.span()
        else:
            self.take("from then on")
            return EVER
        self.later()
        return Interval(low, high)

    def moment(self) -> Interval:
        """What follows *exactly*."""
        value = self.span()
        self.later()
        return Interval(value, value)

    def when(self) -> tuple[Literal["every", "some", "no", "next"], Interval | int] | None:
        """A time phrase of *globally*, *finally*, *not finally* or *next*, if one stands here."""
        if self.take("at every time"):
            return "every", self.within()
        if self.take("at some time"):
            return "some", self.within()
        if self.take("at no time"):
            return "no", self.within()
        if self.take("exactly"):
            return "some", self.moment()
        if self.take("throughout the moment exactly"):
            return "every", self.moment()
        if self.take("at the next step"):
            return "next", 1
        if self.peek("after"):
            self.take("after")
            steps = self.number()
            self.expect("steps")
            if steps.denominator != 1 or not 2 <= steps <= MAX_DEPTH:
                self.fail(f"between 2 and {MAX_DEPTH} steps")
            return "next", int(steps)
        return None

    # ---- clauses ---------------------------------------------------------------------------------

    def sentence(self) -> Formula:
        formula = self.clause()
        self.take(".")
        if self.tokens[self.position][0] != "end":
            self.fail("the end of the sentence")
        return formula

    def clause(self) -> Formula:
        if (when := self.when()) is not None:
            return self.timed(when)
        if self.take("if"):
            condition = self.clause()
            self.expect("then")
            return Implies(condition, self.clause())
        if self.take("it is not the case that"):
            return Not(self.clause())
        if self.take("both of these hold"):
            return And(self.items("and", 2))
        if self.take("both"):
            left = self.clause()
            self.expect("and")
            return And((left, self.clause()))
        if self.take("all"):
            count = self.number()
            self.expect("of these hold")
            return And(self.items("and", count))
        if self.take("at least one of these holds"):
            return Or(self.items("or"))
        if self.take("either"):
            left = self.clause()
            self.expect("or")
            right = self.clause()
            self.expect("or both")
            return Or((left, right))
        if self.take("the first of these implies the second"):
            left, right = self.items("and", 2)
            return Implies(left, right)
        if self.take("these two are equivalent"):
            left, right = self.items("and", 2)
            return Iff(left, right)
        lasting = self.lasting(None)
        return self.plain() if lasting is None else lasting

    def timed(self, when: tuple[str, Interval | int], *, body: Formula | None = None) -> Formula:
        amount, within = when
        if body is None and amount == "every" and self.take("not preceded by a time when"):
            assert isinstance(within, Interval)
            unless = self.clause()
            self.expect("it is true that")
            return Release(unless, self.clause(), within)
        if body is None:
            if amount == "no":
                self.expect("is it the case that")
            body = self.clause()
        if isinstance(within, int):
            for _ in range(within):
                body = Next(body)
            return body
        if amount == "every":
            return Always(body, within)
        return Not(Eventually(body, within)) if amount == "no" else Eventually(body, within)

    def items(self, last: str, count: int | Fraction | None = None) -> tuple[Formula, ...]:
        found = [self.clause()]
        while True:
            self.expect(";")
            if self.take(last):
                found.append(self.clause())
                break
            found.append(self.clause())
        if count is not None and count != len(found):
            self.fail(f"{count} items in this list, not {len(found)}")
        return tuple(found)

    def lasting(self, going_on: Formula | None) -> Formula | None:
        """*until* and its relatives, behind the clause that goes on or (None) in front of it."""
        if self.take("until"):
            if self.take("eventually"):
                within = EVER
            elif self.take("exactly"):
                within = self.moment()
            else:
                self.expect("at a time")
                within = self.within()
            end = self.clause()
            return Until(self.stays(going_on), end, within)
        if self.take("for ever or until"):
            end = self.clause()
            return WeakUntil(self.stays(going_on), end)
        if self.take("for ever or " + _UP_TO):
            end = self.clause()
            return Release(end, self.stays(going_on))
        if self.take(_UP_TO):
            end = self.clause()
            return StrongRelease(end, self.stays(going_on))
        return None

    def stays(self, going_on: Formula | None) -> Formula:
        if going_on is not None:
            return going_on
        self.expect(_STAYS)
        return self.clause()

    def plain(self) -> Formula:
        """A literal or a list of propositions, and what may stand behind it."""
        formula, positive = self.literal()
        if positive and (when := self.when()) is not None:
            formula = self.timed(when, body=formula)
        elif (lasting := self.lasting(formula)) is not None:
            return lasting
        if self.take("if and only if"):
            return Iff(formula, self.clause())
        return formula

    # ---- literals --------------------------------------------------------------------------------

    def literal(self) -> tuple[Formula, bool]:
        """A literal or list, and whether it is a single positive one (a time phrase may follow it)."""
        if self.take("neither"):
            first = self.prop()
            self.expect("nor")
            second = self.prop()
            self.expect("holds")
            return And((Not(first), Not(second))), False
        if self.take("none of"):
            names = self.props([])
            self.expect("holds")
            return And(tuple(Not(prop) for prop in names)), False
        if self.take("at least one of"):
            names = self.props([])
            self.expect("holds")
            return Or(tuple(names)), False
        for constant, value in (("truth", True), ("falsity", False)):
            if self.take(constant):
                return self.holds(Const(value))
        if not self.is_name():
            return self.comparison(self.term())
        start = self.position
        subject = self.prop()
        if self.peek("holds") or self.peek("does", "not", "hold"):
            return self.holds(subject)
        if self.take("or"):
            other = self.prop()
            self.expect("or both hold")
            return Or((subject, other)), False
        if self.peek("and") or self.is_name():
            names = self.props([subject])
            self.expect("hold")
            return And(tuple(names)), False
        self.position = start
        return self.relation(self.name())

    def holds(self, atom: Const | Prop) -> tuple[Formula, bool]:
        if self.take("does not hold"):
            return Not(atom), False
        self.expect("holds")
        return atom, True

    def props(self, found: list[Prop]) -> list[Prop]:
        while not self.take("and"):
            found.append(self.prop())
        return [*found, self.prop()]

    def relation(self, subject: str) -> tuple[Formula, bool]:
        for words, relation, positive in _VERBS:
            if self.peek(*words):
                self.position += len(words)
                args = [subject, self.name()]
                if link := RELATION_WORDS[relation][2]:
                    self.expect(link)
                    args.append(self.name())
                atom = Relation(relation, tuple(args))
                return (atom, True) if positive else (Not(atom), False)
        return self.comparison(Signal(subject))

    def comparison(self, left: Term) -> tuple[Formula, bool]:
        if not self.take("is"):
            self.fail("'holds', 'is' or another verb")
        positive = not self.take("not")
        for words, op in _COMPARATORS:
            if self.peek(*words):
                self.position += len(words)
                atom = Compare(left, op, self.term())
                return (atom, True) if positive else (Not(atom), False)
        self.fail("a comparison such as 'greater than', or a relation such as 'left of'")

    # ---- terms -----------------------------------------------------------------------------------

    def term(self) -> Term:
        for phrase, op in (("the sum of", "+"), ("the difference between", "-"), ("the product of", "*")):
            if self.take(phrase):
                left = self.term()
                self.expect("and")
                return Arithmetic(op, left, self.term())  # type: ignore[arg-type]
        if self.take("the negative of"):
            return Negative(self.term())
        if self.take("the absolute value of"):
            return Abs(self.term())
        if self.take("the distance between"):
            a = self.name()
            self.expect("and")
            return Dist(a, self.name())
        if self.take("minus"):
            return Constant(-self.number())
        if self.tokens[self.position][0] == "number":
            value = Constant(self.number())
            return Arithmetic("*", value, self.term()) if self.take("times") else value
        if self.is_name():
            return Signal(self.name())
        self.fail("a signal, a number or an expression such as 'the sum of x and y'")
