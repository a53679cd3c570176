"""What rules build: formulas as small trees over placeholders, and the prefix tokens that spell them.

Every public function here can be called by name from ``grammar.txt``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Terms = tuple[str, ...]
"""A number as placeholders to be added up; empty for zero."""


class Node(NamedTuple):
    """``op`` over ``args``; a window where the operator is timed (``high`` None: without end); ``words`` of a leaf."""

    op: str
    args: tuple[Node, ...] = ()
    low: Terms = ()
    high: Terms | None = None
    words: tuple[str, ...] = ()


class Time(NamedTuple):
    """When: ``op`` over a window, or so many steps; ``after``: counted from what was said just before."""

    op: str
    low: Terms = ()
    high: Terms | None = None
    steps: int = 0
    after: bool = False


class Unsaid(Exception):
    """A rule does not fit these parts: the reading is dropped."""


_FLIPPED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def leaf(*words: str) -> Node:
    return Node("leaf", words=words)


def neg(x: Node) -> Node:
    """Not x, the denial taken inside where that is a plain word."""
    if x.op == "!":
        return x.args[0]
    if x.op == "leaf" and x.words[0] in _FLIPPED:
        return leaf(_FLIPPED[x.words[0]], *x.words[1:])
    return Node("!", (x,))


def both(*xs: Node) -> Node:
    return _joined("&", xs)


def either(*xs: Node) -> Node:
    return _joined("|", xs)


def _joined(op: str, xs: Sequence[Node]) -> Node:
    parts = [p for x in xs for p in (x.args if x.op == op else (x,))]
    return Node(op, tuple(dict.fromkeys(parts))) if len(set(parts)) > 1 else parts[0]


def each_not(x: Node) -> Node:
    """Every part denied: "P1 and P2 are off", "neither P1 nor P2"."""
    parts = x.args if x.op in ("&", "|") else (x,)
    return both(*(neg(p) for p in parts))


def exclusive(x: Node) -> Node:
    """No two of them at once."""
    parts = x.args if x.op in ("&", "|") else (x,)
    if len(parts) < 2:
        raise Unsaid
    return both(*(neg(both(a, b)) for i, a in enumerate(parts) for b in parts[i + 1 :]))


def implies(a: Node, b: Node) -> Node:
    return Node("->", (a, b))


def iff(a: Node, b: Node) -> Node:
    return Node("<->", (a, b))


def always(x: Node) -> Node:
    return x if x.op == "G" and not x.low and x.high is None else Node("G", (x,))


def ever(x: Node) -> Node:
    return Node("F", (x,))


def nxt(x: Node, steps: int = 1) -> Node:
    for _ in range(steps):
        x = Node("X", (x,))
    return x


def until(a: Node, b: Node) -> Node:
    return Node("U", (a, b))


def weak(a: Node, b: Node) -> Node:
    return Node("W", (a, b))


def upto(a: Node, b: Node) -> Node:
    """a up to and including b."""
    return Node("R", (b, a))


def one(steps: int) -> int:
    if steps != 1:
        raise Unsaid
    return steps


def within(low: Terms, high: Terms | None) -> Time:
    return Time("F", low, high)


def lasting(low: Terms, high: Terms | None) -> Time:
    return Time("G", low, high)


def steps(k: int) -> Time:
    return Time("X", steps=k)


def steps_within(k: int) -> Time:
    return Time("X|", steps=k)


def steps_lasting(k: int) -> Time:
    return Time("X&", steps=k)


def relative(t: Time) -> Time:
    return t._replace(after=True)


def add(a: Terms, b: Terms) -> Terms:
    return (*a, *b)


def timed(t: Time, x: Node) -> Node:
    """x at the time t."""
    if t.op == "X":
        return nxt(x, t.steps)
    if t.op in ("X|", "X&"):
        op = t.op[1]
        return Node(op, tuple(nxt(x, k) for k in range(t.steps + (op == "|")))) if t.steps > 0 else x
    if t.op == "G" and x.op == "F" and not t.low and t.high is not None and x.high is not None:
        return _mapped_body(x, lambda body: timed(t, body))
    return Node(t.op, (x,), t.low, t.high)


def _mapped_body(x: Node, change: object) -> Node:
    assert callable(change)
    return x._replace(args=(*x.args[:-1], change(x.args[-1])))


def shift(x: Node, by: Terms) -> Node:
    """x counted from ``by`` later on."""
    if not by:
        return x
    if x.op in ("&", "|"):
        return x._replace(args=tuple(shift(a, by) for a in x.args))
    if x.op in ("F", "G"):
        return x._replace(low=add(by, x.low), high=None if x.high is None else add(by, x.high))
    return Node("F", (x,), by, by)


def then(first: Node, second: Node) -> Node:
    """The second counted from the moment of the first."""
    if first.op == "F":
        return _mapped_body(first, lambda body: then(body, second))
    if first.op == "G" and first.high is not None:
        return both(first, shift(second, first.high))
    if first.op == "&" and first.args[-1].op in ("F", "G"):
        return both(*first.args[:-1], then(first.args[-1], second))
    if first.op == "X":
        return _mapped_body(first, lambda body: then(body, second))
    return both(first, second)


def joined(first: Node, second: Node, t: Time) -> Node:
    """Both, the second (already at its time) from the first one's moment where t says so."""
    return then(first, second) if t.after else both(first, second)


def stay(x: Node, t: Time) -> Node:
    """What came about lasts for t."""
    if x.op == "F":
        return _mapped_body(x, lambda body: stay(body, t))
    if x.op == "&" and x.args[-1].op == "F":
        return both(*x.args[:-1], stay(x.args[-1], t))
    return timed(t, x)


def keep(x: Node, end: Node, op: str = "W") -> Node:
    """What came about lasts until ``end``."""
    if x.op == "F":
        return _mapped_body(x, lambda body: keep_on(body, end, op))
    if x.op == "X":
        return _mapped_body(x, lambda body: keep(body, end, op))
    return Node(op, (x, end))


def keep_on(x: Node, end: Node, op: str = "W") -> Node:
    """x now and until ``end``."""
    return both(x, Node(op, (x, end)))


def forever(x: Node) -> Node:
    """What came about lasts without end."""
    if x.op in ("F", "X"):
        return _mapped_body(x, forever)
    return always(x)


def firmly(x: Node) -> Node:
    """Weak untils become strong ones: what ends it is bound to come."""
    if x.op == "W":
        return x._replace(op="U")
    if x.op == "leaf" or not x.args:
        raise Unsaid
    return x._replace(args=(*x.args[:-1], firmly(x.args[-1])))


def firmly_within(x: Node, t: Time) -> Node:
    """Weak untils become strong ones that end within t."""
    if t.op != "F":
        raise Unsaid
    if x.op in ("W", "U"):
        return Node("U", x.args, t.low, t.high)
    if x.op == "leaf" or not x.args:
        raise Unsaid
    return x._replace(args=(*x.args[:-1], firmly_within(x.args[-1], t)))


def respond(c: Node, e: Node) -> Node:
    """A standing rule: whenever c, e; a condition that has lasted puts the effect off."""
    if (
        e.op == "G" and e.args == (c,) and not e.low and e.high is not None
    ):  # so long at least, once it has begun
        return always(implies(neg(c), weak(neg(c), e)))
    if e == c:  # once there, always there
        return always(implies(c, always(c)))
    if c.op == "G" and c.high is not None and not c.low:
        e = shift(e, c.high)
    elif c.op == "&" and c.args[-1].op == "G" and c.args[-1].high is not None:
        e = shift(e, c.args[-1].high or ())
    depth = _steps_in(c)
    return always(implies(c, nxt(e, depth)))


def _steps_in(c: Node) -> int:
    if c.op == "X":
        return 1 + _steps_in(c.args[0])
    return max((_steps_in(a) for a in c.args), default=0) if c.op == "&" else 0


def standing(x: Node) -> Node:
    """A rule for all times, unless it says its time itself."""
    if x.op in ("G", "F", "U", "W", "R"):
        return x
    if x.op == "&" and all(a.op in ("G", "F", "U", "W", "R") for a in x.args):
        return x
    return always(x)


def task(first: Node, rest: Node | None = None) -> Node:
    """Done once, and then the rest."""
    done = first if first.op in ("F", "G", "U", "W") else ever(first)
    return done if rest is None else then(done, rest)


def unless(rule: Node, c: Node) -> Node:
    """The rule where c does not hold."""
    if rule.op == "G" and rule.high is None and rule.args[0].op == "->":
        left, right = rule.args[0].args
        return always(implies(both(left, neg(c)), right))
    if rule.op == "G" and rule.high is None:
        return always(implies(neg(c), rule.args[0]))
    raise Unsaid


_WINDOWED = frozenset("GFU")


def spelled(x: Node) -> tuple[str, ...]:
    """Prefix tokens."""
    if x.op == "leaf":
        return x.words
    if x.op in ("&", "|") and len(x.args) > 2:
        return (x.op, *spelled(x.args[0]), *spelled(Node(x.op, x.args[1:])))
    if x.op in _WINDOWED and (x.low or x.high is not None):
        head: tuple[str, ...] = (
            f"{x.op}[",
            *_number(x.low),
            *(("inf",) if x.high is None else _number(x.high)),
        )
    else:
        head = (x.op,)
    return (*head, *(token for a in x.args for token in spelled(a)))


def _number(terms: Terms) -> tuple[str, ...]:
    if not terms:
        return ("0",)
    out = [terms[0]]
    for term in terms[1:]:
        out += ["+", term]
    return tuple(out)
