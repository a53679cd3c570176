"""Random SpaTiaL plans: temporal operators inside one another, on both sides of until, and joined.

Free draws of a grammar seldom give two such arms at once, and plans of robots are made of them.
"""

from __future__ import annotations

from collections.abc import Callable

from assent_train.corpus.formulas import Sampler
from assent_train.corpus.trees import Span, Tree


class Planner(Sampler):
    """Draws plans by how deep their temporal operators nest."""

    def number(self) -> str:
        # Two windows of one plan are often equally long, the more windows the more often.
        if self.numbers and self.roll() < min(0.25, 0.03 * self.numbers):
            return f"N{self.rng.randint(1, self.numbers)}"
        self.numbers += 1
        return f"N{self.numbers}"

    def span(self, timed: float | None = None) -> Span:
        roll = self.roll()
        if roll < 0.3:
            return None
        if roll < 0.67:
            return ("0", self.number())
        low = self.number()
        high = self.number()
        if low == high:
            self.numbers += 1
            high = f"N{self.numbers}"
        return (low, high)

    def unary(self, arg: Tree) -> Tree:
        return (self.pick(("F", "G")), self.span(), arg)

    def body(self, most: int = 3) -> Tree:
        """What a plan is about: one relation, or two or three joined."""
        roll = self.roll()
        if most == 1 or roll < 0.35:
            return self.literal()
        if roll < 0.75 or most == 2:
            return self.joined(2)
        return self.joined(3)

    def small(self) -> Tree:
        """An arm without temporal operators."""
        return self.literal() if self.roll() < 0.72 else self.joined(2)

    def arm(self, depth: int) -> Tree:
        """An arm of a joint: operators in a row over one relation as a rule."""
        if depth <= 0:
            return self.small()
        roll = self.roll()
        if roll < 0.8:
            return self.unary(self.arm(depth - 1) if depth > 1 or roll < 0.62 else self.body(2))
        if roll < 0.9:
            return (
                "U",
                self.span(),
                self.small(),
                self.arm(depth - 1) if self.roll() < 0.4 else self.small(),
            )
        return self.joint(depth - 1 if depth > 1 and self.roll() < 0.5 else depth, ("and", "or", "->"))

    def joint(self, depth: int, words: tuple[str, ...] = ("and", "and", "or", "or", "->", "U", "U")) -> Tree:
        """Two arms, at least one of them as deep as asked."""
        deep = self.arm(depth)
        other = self.arm(self.pick((depth, depth, max(0, depth - 1), self.rng.randint(0, depth))))
        left, right = (deep, other) if self.roll() < 0.5 else (other, deep)
        op = self.pick(words)
        if op == "U":
            return ("U", self.span(), left, right)
        if op == "->":
            return ("->", left, right)
        if left[0] == op or right[0] == op:
            flat = [x for side in (left, right) for x in (side[1:] if side[0] == op else (side,))]
            return (op, *flat)
        return (op, left, right)

    def shallow(self) -> Tree:
        """One temporal operator, or two members with one each."""
        roll = self.roll()
        if roll < 0.62:
            return self.unary(self.literal() if self.roll() < 0.7 else self.joined(2))
        if roll < 0.74:
            return ("U", self.span(), self.small(), self.small())
        if roll < 0.9:
            op = self.pick(("and", "and", "or", "->"))
            first, second = self.small(), self.small()
            if self.roll() < 0.3:
                second = self._same_subject(first, second)
            return (op, self.unary(first), self.unary(second))
        op = self.pick(("and", "or", "->"))
        a, b = self.unary(self.literal()), self.literal()
        return (op, a, b) if self.roll() < 0.6 else (op, b, a)

    def middle(self) -> Tree:
        """Two temporal operators deep."""
        roll = self.roll()
        if roll < 0.5:
            return self.unary(self.unary(self.body()))
        if roll < 0.68:
            return self.unary(("U", self.span(), self.small(), self.small()))
        if roll < 0.86:
            op = self.pick(("and", "and", "or", "or", "->"))
            state, arm = self.body(2), self.unary(self.body(2))
            if state[0] == op:
                state = self.literal()
            return self.unary((op, state, arm) if self.roll() < 0.75 else (op, arm, state))
        op = self.pick(("and", "or", "->"))
        return (op, self.unary(self.body(2)), self.unary(self.body(2)))

    def deep(self) -> Tree:
        """Three temporal operators deep, or two with arms."""
        choices: tuple[Callable[[], Tree], ...] = (
            lambda: self.unary(self.unary(self.unary(self.body()))),
            lambda: self.unary(
                self.unary(self.joint(1 if self.roll() < 0.5 else 0, ("U", "and", "or", "->")))
            ),
            lambda: self.unary(self.joint(1)),
            lambda: self.unary(self.joint(1)),
            lambda: self.unary(self.joint(2)),
            lambda: ("U", self.span(), self.arm(2), self.arm(2)),
            lambda: ("U", self.span(), self.arm(2), self.arm(2)),
            lambda: ("U", self.span(), self.arm(self.pick((1, 2))), self.joint(1, ("and", "or", "->", "U"))),
            lambda: ("U", self.span(), self.joint(1, ("and", "or", "->", "U")), self.arm(self.pick((1, 2)))),
            lambda: self.joint(2, ("and", "or", "->")),
            lambda: self.joint(2, ("and", "or", "->")),
            lambda: (
                ("and", self.arm(3), self.arm(2), self.arm(2))
                if self.roll() < 0.3
                else self.joint(2, ("and", "and", "or"))
            ),
        )
        return self.pick(choices)()

    def plan(self) -> Tree:
        roll = self.roll()
        return self.shallow() if roll < 0.18 else self.middle() if roll < 0.46 else self.deep()

    def nest(self, depth: int, budget: int) -> Tree:
        return self.middle()

    def requirement(self) -> Tree:
        return self.plan() if self.roll() < 0.86 else self.pattern(self.pick((2, 2, 3, 3, 4)))
