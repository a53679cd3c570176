"""Random formulas: requirement patterns, their combinations, and free trees, for each logic."""

from __future__ import annotations

import random
from collections.abc import Callable

from assent_train.corpus.trees import Span, Tree, negate

_USUAL = ("leftOf", "rightOf", "above", "below", "closeTo", "farFrom", "touch", "ovlp", "partOvlp", "enclIn")
RELATIONS_2 = (*_USUAL, "enclIn", *_USUAL, "oriented")
"""Relations of two things, each as often as it is drawn."""


class Sampler:
    """Draws formulas over fresh placeholders; one sampler serves one formula."""

    def __init__(self, rng: random.Random, logic: str, *, comparisons: bool = True) -> None:
        self.rng = rng
        self.logic = logic
        self.pick = rng.choice
        self.roll = rng.random
        self.names = 0
        self.numbers = 0
        self.objects: list[str] = []
        self.reuse = 0.06
        self.comparisons = 0.12 if comparisons and logic == "stl" and rng.random() < 0.22 else 0.0
        self.timed = {"ltl": 0.0, "stl": 0.7, "spatial": 0.6}[logic]
        if logic == "stl" and rng.random() < 0.15:
            self.timed = 0.25

    # -- leaves ----------------------------------------------------------------------------------------

    def number(self) -> str:
        if self.numbers and self.roll() < 0.06:
            return f"N{self.rng.randint(1, self.numbers)}"
        self.numbers += 1
        return f"N{self.numbers}"

    def atom(self) -> Tree:
        if self.logic == "spatial":
            return self._relation()
        if self.names and self.roll() < self.reuse:
            return ("p", f"P{self.rng.randint(1, self.names)}")
        self.names += 1
        name = f"P{self.names}"
        if self.comparisons and self.roll() < self.comparisons * 4:
            return ("cmp", self.pick((">", ">", "<", "<", ">=", "<=", "==")), name, self.number())
        return ("p", name)

    def _object(self, taken: tuple[str, ...] = ()) -> str:
        old = [x for x in self.objects if x not in taken]
        if old and self.roll() < 0.2:
            return self.pick(old)
        self.objects.append(f"O{len(self.objects) + 1}")
        return self.objects[-1]

    def _relation(self) -> Tree:
        roll = self.roll()
        if roll < 0.8:
            a = self._object()
            return ("rel", self.pick(RELATIONS_2), (a, self._object((a,))))
        if roll < 0.96:
            a = self._object()
            b = self._object((a,))
            return ("rel", self.pick(("between", "closerTo")), (a, b, self._object((a, b))))
        a = self._object()
        return ("dist", self.pick(("<=", "<=", "<", ">", ">=", "==")), a, self._object((a,)), self.number())

    def literal(self) -> Tree:
        atom = self.atom()
        return ("not", atom) if self.roll() < 0.27 else atom

    def _same_subject(self, a: Tree, b: Tree) -> Tree:
        """The second relation made to speak of the first one's object, where both are relations."""
        first, second = (x[1] if x[0] == "not" else x for x in (a, b))
        if first[0] != "rel" or second[0] != "rel" or first[2][0] in second[2]:
            return b
        changed: Tree = ("rel", second[1], (first[2][0], *second[2][1:]))
        return ("not", changed) if b[0] == "not" else changed

    def state(self, most: int = 3) -> Tree:
        """One to ``most`` literals joined."""
        roll = self.roll()
        if most == 1 or roll < 0.42:
            return self.literal()
        if most >= 4 and roll > 0.86:
            pair: Tree = (
                ("or", self.literal(), self.literal())
                if self.roll() < 0.7
                else ("->", self.literal(), self.literal())
            )
            return ("and", self.literal(), self.literal(), pair)
        return self.joined(2 if most == 2 or self.roll() < 0.62 else 3)

    def joined(self, count: int) -> Tree:
        if count == 1:
            return self.literal()
        roll = self.roll()
        if count == 2:
            a, b = self.literal(), self.literal()
            if self.logic == "spatial" and self.roll() < 0.15:
                b = self._same_subject(a, b)
            if roll < 0.5:
                return ("and", a, b)
            if roll < 0.85:
                return ("or", a, b)
            if roll < 0.95:
                return ("->", a, b)
            return ("not", ("and" if self.roll() < 0.5 else "or", self.atom(), self.atom()))
        if roll < 0.35:
            return (self.pick(("and", "and", "or")), *(self.literal() for _ in range(count)))
        inner = self.joined(count - 1)
        op = self.pick(("and", "or", "->"))
        if inner[0] == op and op != "->":
            return (op, self.literal(), *inner[1:])
        if op == "->" and inner[0] == "->":
            return ("->", self.literal(), inner[2])
        return (op, inner, self.literal()) if self.roll() < 0.5 else (op, self.literal(), inner)

    def span(self, timed: float | None = None) -> Span:
        chance = self.timed if timed is None else min(timed, self.timed)
        if self.roll() >= chance:
            return None
        roll = self.roll()
        if roll < 0.58:
            return ("0", self.number())
        if roll < 0.95:
            low = self.number()
            return (low, self.number())
        return (self.number(), "inf")

    def once(self, arg: Tree) -> Tree:
        return ("F", self.span(), arg)

    def always(self, arg: Tree) -> Tree:
        return ("G", self.span(), arg)

    def until(self, left: Tree, right: Tree) -> Tree:
        return ("U", self.span(), left, right)

    # -- patterns --------------------------------------------------------------------------------------

    def consequence(self, budget: int) -> Tree:
        """What follows a condition."""
        roll = self.roll()
        small = max(1, min(2, budget))
        if roll < 0.25:
            return self.once(self.state(small))
        if roll < 0.37:
            return self.always(self.state(small))
        if roll < 0.5:
            return self.until(self.conjunction(small), self.state(2 if self.roll() < 0.45 else 1))
        if roll < 0.62:
            return self.state(small)
        if roll < 0.72:
            return self.chain(2, small)
        if roll < 0.8:
            return ("F", self.span(), ("and", self.state(1), ("G", self.span(0.3), self.state(1))))
        if roll < 0.88:
            both = (self.once(self.state(small)), self.always(self.state(small)))
            return ("and", *(both if self.roll() < 0.5 else both[::-1]))
        if roll < 0.95:
            return ("or", self.state(1), self.once(self.state(small)))
        return ("X", self.state(1)) if self.logic == "ltl" else self.once(("G", self.span(), self.state(1)))

    def chain(self, steps: int, size: int = 1) -> Tree:
        tree = self.state(size)
        for _ in range(steps - 1):
            tree = ("and", self.conjunction(size), ("F", self.span(), tree))
        return ("F", self.span(), tree)

    def conjunction(self, size: int = 1) -> Tree:
        """A literal or two joined by and: safe before "then"."""
        return (
            self.literal()
            if self.roll() < (0.75 if size == 1 else 0.5)
            else ("and", self.literal(), self.literal())
        )

    def pattern(self, budget: int) -> Tree:
        """One requirement with about ``budget`` atoms."""
        rest = max(1, budget - 1)
        choices: list[Callable[[], Tree]] = [
            lambda: self.always(self.literal()),
            lambda: self.always(self.state(budget)),
            lambda: ("G", self.span(), ("not", self.atom())),
            lambda: self.once(self.state(budget)),
            lambda: self.once(self.state(budget)),
            lambda: ("F", self.span(), ("G", self.span(0.5 * self.timed), self.state(budget))),
            lambda: ("G", None, self.once(self.state(budget))),
        ]
        if budget >= 2:
            choices += [
                lambda: ("G", None, ("->", self.condition(rest), self.consequence(rest))),
                lambda: ("G", None, ("->", self.condition(rest), self.consequence(rest))),
                lambda: ("G", None, ("->", self.condition(rest), self.consequence(rest))),
                lambda: ("G", None, ("->", self.condition(rest), self.consequence(rest))),
                lambda: ("G", None, ("->", self.condition(rest), self.once(self.state(2)))),
                lambda: ("G", None, ("->", self.state(min(2, rest)), self.state(min(2, rest)))),
                lambda: ("G", None, ("->", self.literal(), self.literal())),
                lambda: self.until(self.state(rest), self.state(1 if rest < 3 else 2)),
                lambda: self.until(self.state(rest), self.state(1)),
                lambda: ("U", self.span(), ("not", self.atom()), self.state(rest)),
                lambda: self.chain(min(budget, self.pick((2, 2, 3, 3, 4)))),
                lambda: self.chain(2, 2),
                lambda: ("->", self.once(self.state(rest)), self.target(rest)),
                lambda: ("->", self.literal(), self.target(rest)),
                lambda: ("->", self.chain(2), self.target(rest)),
            ]
            if self.logic == "ltl":
                choices += [lambda: ("W", self.state(rest), self.literal())]
                if self.roll() < 0.35:
                    choices += [
                        lambda: (self.pick(("R", "M")), self.literal(), self.state(rest)),
                        lambda: ("G", None, ("->", self.literal(), ("X", self.state(1)))),
                    ]
        if self.logic == "spatial" and self.roll() < 0.45:
            return self.nest(self.pick((2, 2, 3, 3)), budget)
        return self.pick(choices)()

    def condition(self, budget: int) -> Tree:
        if self.roll() < 0.1:
            return ("and", self.conjunction(min(2, budget)), self.once(self.state(1)))
        tree = self.state(min(3, budget))
        return (
            tree
            if tree[0] not in {"->", "<->"} and all(x[0] != "->" for x in tree[1:])
            else self.conjunction(budget)
        )

    def target(self, budget: int) -> Tree:
        roll = self.roll()
        small = max(1, min(2, budget))
        if roll < 0.4:
            return self.once(self.state(small))
        if roll < 0.75:
            return self.always(self.state(small))
        return self.until(self.state(small), self.state(1))

    def plan(self) -> Tree:
        """A spatial plan: one, two or three temporal operators deep, or two such plans joined."""
        roll = self.roll()
        if roll < 0.2:
            return self.nest(1, self.pick((2, 3)))
        if roll < 0.5:
            return self.nest(2, self.pick((2, 3, 3, 4)))
        if roll < 0.78:
            return self.nest(3, self.pick((3, 4, 4, 4)))
        op = "and" if self.roll() < 0.8 else "or"
        return (op, self.nest(self.pick((1, 1, 2)), 2), self.nest(self.pick((1, 1, 2, 3)), 2))

    def nest(self, depth: int, budget: int) -> Tree:
        """Temporal operators one inside another, as in SpaTiaL plans."""
        if depth == 0:
            return self.state(min(4, budget))
        roll = self.roll()
        if roll < 0.36:
            return ("F", self.span(), self.nest(depth - 1, budget))
        if roll < 0.7:
            return ("G", self.span(), self.nest(depth - 1, budget))
        if roll < 0.84:
            left = self.nest(max(0, depth - 2), max(1, budget // 2)) if self.roll() < 0.4 else self.state(2)
            return ("U", self.span(), left, self.nest(max(0, depth - 2), max(1, budget // 2)))
        if roll < 0.93 and depth > 1:
            half = max(1, budget // 2)
            return ("->", self.nest(max(0, depth - 2), half), self.nest(depth - 1, half))
        half = max(1, budget // 2)
        return (self.pick(("and", "or")), self.state(half), self.nest(depth - 1, half))

    def requirement(self) -> Tree:
        """A requirement of any tier."""
        if self.logic == "spatial" and self.roll() < 0.72:
            return self.plan()
        if self.roll() < 0.07:
            rule: Tree = ("G", None, ("->", self.literal(), self.literal()))
            other = self.pick((self.once, self.always))(self.state(2))
            return (
                ("and", rule, other) if self.roll() < 0.6 else ("and", rule, other, self.once(self.literal()))
            )
        budget = self.pick((1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6))
        roll = self.roll()
        if budget < 2 or roll < 0.68:
            return self.pattern(budget)
        count = 2 if roll < 0.9 else 3
        each = max(1, budget // count)
        members = tuple(self.pattern(each if self.roll() < 0.6 else each + 1) for _ in range(count))
        if any(m[0] == "->" for m in members):
            members = tuple(sorted(members, key=lambda m: m[0] == "->"))
        op = "and" if self.roll() < 0.68 else "or"
        if op == "or":
            members = tuple(m if m[0] != "->" else self.once(self.state(2)) for m in members)
        return (op, *members)


def not_all(tree: Tree) -> Tree:
    """A requirement denied."""
    return negate(tree)
