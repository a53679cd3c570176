"""What sentences about the states of a run mean (see ``runs``): a formula of some facts p, q, r and a number n."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from assent_train.corpus.trees import Tree, negate, tree_of

Formula: TypeAlias = Callable[[Sequence[Tree], int], Tree]


def later(tree: Tree, n: int) -> Tree:
    """n states on."""
    for _ in range(n):
        tree = ("X", tree)
    return tree


def row(p: Tree, n: int, op: str = "and") -> Tree:
    """In n states from here, each (or at least one)."""
    tree = p
    for _ in range(n - 1):
        tree = _join(op, p, ("X", tree))
    return tree


def exactly(p: Tree, n: int) -> Tree:
    """In n states from here on."""
    rest: Tree = ("G", None, negate(p))
    for _ in range(n):
        rest = ("U", None, negate(p), _join("and", p, ("X", rest)))
    return rest


def at_most(p: Tree, n: int) -> Tree:
    """In n states or fewer."""
    rest: Tree = ("G", None, negate(p))
    for _ in range(n):
        rest = ("G", None, ("->", p, ("X", rest)))
    return rest


def at_least(p: Tree, n: int) -> Tree:
    """In n states or more."""
    rest: Tree = ("F", None, p)
    for _ in range(n - 1):
        rest = ("F", None, _join("and", p, ("X", rest)))
    return rest


def burst(p: Tree, n: int) -> Tree:
    """In the first n states and never again."""
    rest: Tree = ("G", None, negate(p))
    for _ in range(n):
        rest = _join("and", p, ("X", rest))
    return rest


def only_nth(p: Tree, n: int) -> Tree:
    """In the n-th state and in no other."""
    rest = burst(p, 1)
    for _ in range(n - 1):
        rest = _join("and", negate(p), ("X", rest))
    return rest


def exactly_one_of_first(p: Tree, n: int) -> Tree:
    """One of the first n states and one alone."""
    none, one = negate(p), p
    for _ in range(n - 1):
        one = ("or", _join("and", p, ("X", none)), _join("and", negate(p), ("X", one)))
        none = _join("and", negate(p), ("X", none))
    return one


def _join(op: str, p: Tree, rest: Tree) -> Tree:
    return (op, *(p[1:] if p[0] == op else (p,)), rest)


_COUNTED: Mapping[str, Callable[[Tree, int], Tree]] = {
    "exactly": exactly,
    "at_most": at_most,
    "at_least": at_least,
    "row": lambda p, n: ("F", None, row(p, n)),
    "no_row": lambda p, n: ("G", None, ("not", row(p, n + 1))),
    "nth": lambda p, n: later(p, n - 1),
    "first_states": row,
    "one_of_first": lambda p, n: row(p, n, "or"),
    "exactly_one_of_first": exactly_one_of_first,
    "from_nth": lambda p, n: later(("G", None, p), n - 1),
    "only_nth": only_nth,
    "ahead": later,
    "period": lambda p, n: ("G", None, ("<->", p, later(p, n))),
    "burst": burst,
}
_PAIRED: Mapping[str, Callable[[Tree, Tree, int], Tree]] = {
    "later_after": lambda p, q, n: ("G", None, ("->", p, later(q, n))),
    "common_states": lambda p, q, n: at_least(("and", p, q), n),
    "next_states": lambda p, q, n: ("G", None, ("->", p, ("X", row(q, n)))),
    "next_states_not": lambda p, q, n: ("G", None, ("->", p, ("X", row(negate(q), n)))),
    "within": lambda p, q, n: ("G", None, ("->", p, ("X", row(q, n, "or")))),
}
_WRITTEN = {
    "never_two_in_a_row": "G -> p X ~ p",
    "infinitely": "G F p",
    "finitely": "F G ~ p",
    "almost": "F G p",
    "all_but_one": "U p & ~ p X G p",
    "nowhere": "G ~ p",
    "somewhere": "F p",
    "everywhere": "G p",
    "after_first": "X G p",
    "other_than_first": "X F p",
    "not_after_first": "X G ~ p",
    "not_first_but_second": "& ~ p X p",
    "settles": "F G p",
    "kept": "G -> p G p",
    "gone": "G -> & p X ~ p X G ~ p",
    "one_stretch": "W ~ p W p G ~ p",
    "single_stretch": "U ~ p & p W p G ~ p",
    "alternates": "G <-> p X ~ p",
    "alternates_from": "& p G <-> p X ~ p",
    "same": "| G p G ~ p",
    "changes_once": "| W p G ~ p W ~ p G p",
    "changes_exactly_once": "| & p U p G ~ p & ~ p U ~ p G p",
    "changes_for_ever": "& G F p G F ~ p",
    "rises_at_most_once": "W p W ~ p W p G ~ p",
    "rises": "F & ~ p X p",
    "rises_exactly_once": "U p & ~ p U ~ p & p W p G ~ p",
    "rises_for_ever": "G F & ~ p X p",
    "long_stretches": "& -> p X p G -> & ~ p X p X X p",
    "short_stretches": "G ! & p X & p X p",
    "even_stretches": "& -> p X & p X ~ p G -> & ~ p X p X X & p X ~ p",
    "again": "F & p F & ~ p F p",
    "first_before": "U ~ q & p ~ q",
    "first_before_weak": "W ~ q & p ~ q",
    "not_later": "U ~ q p",
    "only_if_before": "W ~ q p",
    "up_to": "W p q",
    "up_to_strong": "U p q",
    "through": "W p & p q",
    "through_strong": "U p & p q",
    "none_before": "W ~ p q",
    "none_before_strong": "U ~ p q",
    "right_after": "G -> p X q",
    "never_right_after": "G -> p X ~ q",
    "strictly_after": "G -> p X F q",
    "now_or_later": "G -> p F q",
    "just_before": "G -> X q p",
    "just_before_not_first": "& ~ q G -> X q p",
    "between": "G -> & q X F r X U p r",
    "span": "G -> q X W p r",
    "last": "F & p & q X G ~ p",
    "first_with": "W ~ p & p q",
    "first_with_strong": "U ~ p & p q",
    "ever_always": "-> F p G q",
    "ever_never": "-> F p G ~ q",
    "ever_infinitely": "-> F p G F q",
    "one_of_two": "G <-> p ~ q",
    "never_both": "G ! & p q",
    "turns": "G & <-> p ~ q <-> p X ~ p",
    "common": "F & p q",
    "one_of_three": "G | & p & ~ q ~ r | & ~ p & q ~ r & ~ p & ~ q r",
    "never_two": "G & ! & p q & ! & p r ! & q r",
    "twice_then": "G -> & p X p X X q",
    "twice_second": "G -> & p X p X q",
}


def _written(pattern: str) -> Formula:
    tokens = pattern.split()
    return lambda facts, n: tree_of(tokens, dict(zip("pqr", facts, strict=False)))


def _counted(make: Callable[[Tree, int], Tree]) -> Formula:
    return lambda facts, n: make(facts[0], n)


def _paired(make: Callable[[Tree, Tree, int], Tree]) -> Formula:
    return lambda facts, n: make(facts[0], facts[1], n)


FORMULAS: Mapping[str, Formula] = {
    **{name: _counted(make) for name, make in _COUNTED.items()},
    **{name: _paired(make) for name, make in _PAIRED.items()},
    **{name: _written(pattern) for name, pattern in _WRITTEN.items()},
}
