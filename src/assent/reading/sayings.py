"""More of what rules build: comparisons, things and their places, what is said twice.

Every public function here can be called by name from ``grammar.txt``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assent.reading.meaning import (
    Node,
    Terms,
    Time,
    Unsaid,
    both,
    either,
    ever,
    firmly,
    forever,
    implies,
    keep,
    lasting,
    leaf,
    neg,
    nxt,
    stay,
    then,
    timed,
    weak,
)


class Check(NamedTuple):
    """A comparison that waits for its signal: operators and numbers."""

    parts: tuple[tuple[str, str], ...]


def check(*parts: str) -> Check:
    """Operator, number, operator, number, ..."""
    return Check(tuple(zip(parts[::2], parts[1::2], strict=True)))


def compared(signal: str, c: Check) -> Node:
    return both(*(leaf(op, signal, number) for op, number in c.parts))


def again(x: Node, c: Check) -> Node:
    """The signal of the comparison before is compared again."""
    last = x.args[-1] if x.op in ("&", "|") else x
    last = last.args[0] if last.op == "!" else last
    if last.op != "leaf" or len(last.words) != 3 or last.words[0] not in ("<", ">", "<=", ">=", "=="):
        raise Unsaid
    return compared(last.words[1], c)


def plain(x: Node) -> Node:
    """x if it speaks of now alone."""
    if x.op in ("F", "G", "U", "W", "R", "X", "->"):
        raise Unsaid
    return x


def named(p: str) -> Node:
    return leaf(p)


def place(relation: str, a: str, b: str) -> Node:
    """Object a stands in the relation to b; a denied relation starts with "!"."""
    if a == b:
        raise Unsaid
    return neg(leaf(relation[1:], a, b)) if relation.startswith("!") else leaf(relation, a, b)


def places(relation: str, many: Sequence[str], b: str) -> Node:
    return both(*(place(relation, a, b) for a in many))


def many(*objects: object) -> tuple[str, ...]:
    """Objects one after the other, lists opened."""
    out: list[str] = []
    for o in objects:
        out += [o] if isinstance(o, str) else list(o)  # type: ignore[call-overload]
    return tuple(out)


def three(relation: str, a: str, b: str, c: str) -> Node:
    return neg(leaf(relation[1:], a, b, c)) if relation.startswith("!") else leaf(relation, a, b, c)


def near(op: str, a: str, b: str, number: str) -> Node:
    return leaf(f"dist{op}", a, b, number)


def same(x: object) -> object:
    return x


def dur(number: str) -> Terms:
    """A number without a unit as a duration."""
    return () if number == "0" else (number,)


def anyof(x: Node) -> Node:
    """One of a list."""
    return either(*x.args) if x.op == "&" else x


def seq(first: Node, rest: Node) -> Node:
    """First, and some time then the rest."""
    return then(first, rest if rest.op == "F" else ever(rest))


def before(a: Node, b: Node) -> Node:
    """a until b where a is denied; where it is demanded, b waits for it."""
    return (
        weak(a, b) if a.op == "!" or (a.op == "&" and all(x.op == "!" for x in a.args)) else weak(neg(b), a)
    )


def exempt(x: Node, c: Node) -> Node:
    """x unless c."""
    return implies(neg(c), x)


def _body(x: Node) -> Node:
    """What came about, its time left out."""
    while x.op in ("F", "X"):
        x = x.args[0]
    return x.args[-1] if x.op == "&" and x.args[-1].op in ("F", "X") else x


def _demand_same(x: Node, b: Node) -> None:
    body = _body(x)
    if b not in (body, *(body.args if body.op == "&" else ())):
        raise Unsaid


def stay_same(x: Node, b: Node, t: Time) -> Node:
    """What came about is said again, and lasts for t."""
    _demand_same(x, b)
    return stay(x, t)


def forever_same(x: Node, b: Node) -> Node:
    """What came about is said again, and lasts without end."""
    _demand_same(x, b)
    return forever(x)


def keep_same(x: Node, b: Node, end: Node) -> Node:
    """What came about is said again, and lasts until ``end``."""
    _demand_same(x, b)
    return keep(x, end)


def firmly_if(x: Node, b: Node) -> Node:
    """A weak until becomes a strong one where b is what ends it."""
    end = x
    while end.args and end.op != "W":
        end = end.args[-1]
    if end.op != "W" or b not in (end.args[1], *end.args[1].args):
        raise Unsaid
    return firmly(x)


def lapsed(x: Node, c: Node) -> Node:
    """A weak until, of which it is said what holds if its end never comes: c denies the end."""
    end = x
    while end.args and end.op != "W":
        end = end.args[-1]
    if end.op != "W" or neg(c) != end.args[1]:
        raise Unsaid
    return x


def then_of(first: Node, second: Node, c: Node) -> Node:
    """The second counted from c, which the first said."""
    _demand_same(first, c)
    return then(first, second)


def once_only(x: Node) -> Node:
    """Said of this time alone: nothing repeats; what says no time has to come."""
    return x if any(_has(a) for a in (x, *x.args)) else ever(x)


def _has(x: Node) -> bool:
    return x.op in ("F", "G", "U", "W", "R", "X")


def none_within(t: Time, p: str) -> Node:
    """No p in all that time."""
    return none_at(t, named(p))


def none_at(t: Time, x: Node) -> Node:
    """Not x in all that time."""
    if t.op != "F" or t.high is None:
        raise Unsaid
    return timed(lasting(t.low, t.high), neg(x))


def seqx(first: Node, rest: Node) -> Node:
    """First, and in a later step the rest."""
    return then(first, nxt(rest if rest.op == "F" else ever(rest)))


def placed_not(relation: str, several: Sequence[str], b: str) -> Node:
    """None of them stands in the relation to b."""
    return both(*(neg(place(relation, a, b)) for a in several))


def placed_again(x: Node, relation: str, b: str) -> Node:
    """The thing of the relation before stands in another one, too."""
    last = x.args[-1] if x.op == "&" else x
    last = last.args[0] if last.op == "!" else last
    if last.op != "leaf" or len(last.words) < 3 or not last.words[1].startswith("O"):
        raise Unsaid
    return place(relation, last.words[1], b)


def each_plain_not(x: Node) -> Node:
    """Every part denied where all of them are plain names: "P1, P2 and P3 are off"."""
    parts = x.args if x.op == "&" else (x,)
    if any(part.op != "leaf" or len(part.words) > 1 for part in parts):
        raise Unsaid
    return both(*(neg(part) for part in parts))
