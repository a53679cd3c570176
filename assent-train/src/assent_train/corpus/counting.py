"""Robot missions in terse human style: visits, orders, patrols, avoidance, counts, reactions.

The formulas are the public semantic templates of mission patterns; counts become nested visits.
"""

from __future__ import annotations

import random
from itertools import pairwise

from assent_train.corpus.trees import Tree

TIMES = {
    1: ("once", "one time", "a single time", "only once" ),
    2: ("twice", "two times", "two separate times", "two different times"),
    3: ("three times", "thrice", "three separate times", "three different times"),
    4: ("four times", "four separate times", "four different times"),
    5: ("five times", "five separate times", "five different times"),
    6: ("six times",),
}  # fmt: skip
WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
GO = (
    "visit", "visit", "visit", "visit", "go to", "go to", "go to", "reach", "reach", "move to", "head to", "travel to", "navigate to", "get to", "arrive at", "walk to", "drive to", "stop by", "make your way to",
    "pass by", "proceed to", "run to", "stop at", "see", "find", "enter", "come to", "swing by", "pass through", "go through", "approach", "go visit", "check", "land at",
)  # fmt: skip
GOING = {
    "visit": "visiting", "go to": "going to", "reach": "reaching", "move to": "moving to", "head to": "heading to", "travel to": "traveling to", "navigate to": "navigating to", "get to": "getting to", "arrive at": "arriving at",
    "walk to": "walking to", "drive to": "driving to", "stop by": "stopping by", "make your way to": "making your way to", "pass by": "passing by", "proceed to": "proceeding to", "run to": "running to", "stop at": "stopping at",
    "see": "seeing", "find": "finding", "enter": "entering", "come to": "coming to", "swing by": "swinging by", "pass through": "passing through", "go through": "going through", "approach": "approaching", "go visit": "visiting", "check": "checking", "land at": "landing at",
}  # fmt: skip


def at_least(p: Tree, n: int) -> Tree:
    """At least n separate visits."""
    if n == 1:
        return ("F", None, p)
    no: Tree = ("not", p)
    return ("F", None, ("and", p, ("U", None, p, ("and", no, ("U", None, no, at_least(p, n - 1))))))


def exactly(p: Tree, n: int) -> Tree:
    """Exactly n separate visits."""
    no: Tree = ("not", p)
    left: Tree = p
    right: Tree = ("or", no, ("G", None, ("or", p, ("G", None, no))))
    for _ in range(n - 1):
        left = ("and", p, ("F", None, ("and", no, ("F", None, left))))
        right = ("or", no, ("G", None, ("or", p, ("G", None, right))))
    return ("M", left, right)


def sequence(props: list[Tree]) -> Tree:
    tree: Tree = ("F", None, props[-1])
    for p in reversed(props[:-1]):
        tree = ("F", None, ("and", p, tree))
    return tree


def ordered(props: list[Tree]) -> Tree:
    members = [("U", None, ("not", b), a) for a, b in pairwise(props)]
    return ("and", *members, ("F", None, props[-1]))


def strictly_ordered(props: list[Tree]) -> Tree:
    once = [("U", None, ("not", a), ("U", None, a, ("U", None, ("not", a), b))) for a, b in pairwise(props)]
    return ("and", ordered(props), *once)


def every(props: list[Tree], make: str) -> Tree:
    def one(p: Tree) -> Tree:
        if make == "patrol":
            return ("G", None, ("F", None, p))
        if make == "avoid":
            return ("G", None, ("not", p))
        return ("F", None, p)

    return one(props[0]) if len(props) == 1 else ("and", *(one(p) for p in props))


class Missions:
    """Draws missions."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.pick = rng.choice
        self.roll = rng.random

    def sentence(self) -> tuple[str, Tree, str]:
        """Text, formula, family; no punctuation as a rule."""
        family = self.pick(FAMILIES)
        text, tree = getattr(self, family)()
        roll = self.roll()
        if roll < 0.05:
            text = f"please {text}"
        elif roll < 0.08:
            text = f"{self.pick(('make sure to', 'ensure to', 'the robot should', 'the task is to', 'be sure to', 'you need to'))} {text}"
        if self.roll() < 0.12:
            text += " ."
        return text, tree, family

    def props(self, low: int = 1, high: int = 5) -> list[Tree]:
        weights = {1: 3, 2: 4, 3: 4, 4: 3, 5: 3}
        sizes = [n for n in range(low, high + 1) for _ in range(weights[n])]
        return [("p", f"P{i}") for i in range(1, self.pick(sizes) + 1)]

    def names(self, props: list[Tree], word: str = "and") -> str:
        """A list: "P1 P2 and P3", with and without commas."""
        all_ = [str(p[1]) for p in props]
        if len(all_) == 1:
            return all_[0]
        sep = self.pick((" ", " ", " ", " , ", f" {word} "))
        return str(sep.join(all_[:-1])) + self.pick((f" {word} ", f" {word} ", f" {word} ", f" , {word} ", " ")) + all_[-1]

    def go(self) -> str:
        roll = self.roll()
        return "visit" if roll < 0.34 else "go to" if roll < 0.54 else self.pick(GO)

    def must(self) -> str:
        return self.pick(("", "", "", "", "you must", "you have to", "you should", "make sure to", "make sure you", "you need to", "always", "ensure that you", "please", "you are required to", "be sure to", "ensure you", "remember to")) if self.roll() < 0.6 else ""

    # -- visits ----------------------------------------------------------------------------------------

    def visit(self) -> tuple[str, Tree]:
        ps = self.props()
        tree = every(ps, "visit")
        g = self.go()
        names = self.names(ps)
        if len(ps) == 1:
            p = names
            return self.pick((f"{g} {p}", f"eventually {g} {p}", f"{g} {p} at some point", f"{self.must()} {g} {p}", f"you have to eventually {g} {p}", f"{g} {p} at least once", f"sometime {g} {p}", f"at some point {g} {p}", f"{p} must be visited", f"sometime along the way {g} {p}", f"eventually you must {g} {p}", f"{p} should be reached eventually")), tree
        if self.roll() < 0.25:
            return self.pick((" ", " and ", " , ", " and also ")).join(f"{self.go()} {p[1]}" for p in ps), tree
        order = self.pick(("in any order", "in no particular order", "in an arbitrary order", "in whatever order", "the order does not matter", "in no specific order", "in random order", "but the order can be arbitrary", "regardless of the order", "in any sequence", "not necessarily in that order"))
        return self.pick((f"{g} {names}", f"{self.must()} {g} {names}", f"{g} {names} {order}", f"{self.must()} {g} {names} {order}", f"eventually {g} {names}", f"{g} all of {names}", f"{g} each of {names}", f"{g} {names} at some point", f"sometime along the way {g} {names}", f"{g} both {names}" if len(ps) == 2 else f"{g} all of the following {names}",
                          f"{g} {names} at least once", f"{g} the following locations {names}", f"{names} must all be visited", f"at some point {g} {names}", f"{g} {names} eventually", f"{g} {names} on your way", f"{self.must()} {g} each of {names} {order}", f"{g} {names} on your travels", f"{g} every one of {names}", f"make sure that {names} are visited", f"make sure {names} are all visited", f"ensure that {names} are each {self.pick(('visited', 'reached'))}", f"{names} must be visited {order}", f"pick any order and {g} {names}", f"do not skip any of {names}", f"without skipping any {g} {names}", f"{g} {names} on your path", f"{g} {names} among other places")), tree  # fmt: skip

    def sequenced_visit(self) -> tuple[str, Tree]:
        ps = self.props(2)
        tree = sequence(ps)
        n = [str(p[1]) for p in ps]
        roll = self.roll()
        if roll < 0.5:
            g = self.go()
            out = f"{g} {n[0]}"
            for i, x in enumerate(n[1:]):
                last = i == len(n) - 2
                link = self.pick(("then", "then", "and then", "and then", "followed by", "and after that", "after that", "afterwards", "and afterwards", "next", "and finally" if last else "then", "finally" if last else "then", ", then", ", and then", "and then to" if g.endswith(" to") else "and then", "then to" if g.endswith(" to") else "then", "before you finally" if last else "and then", "which is then followed by", "and next"))
                verb = "" if link.endswith((" to", "followed by")) or self.roll() < 0.45 else (g if self.roll() < 0.6 else self.go())
                later = self.pick(("", "", "", "", "later", "afterwards", "eventually")) if not verb or self.roll() < 0.2 else ""
                out += f" {link} {verb} {x} {later}"
            return f"{self.must() if self.roll() < 0.25 else ''} {out}", tree
        g, names = self.go(), self.names(ps)
        if roll < 0.85 or len(n) != 2:
            how = self.pick(("in that order", "in this order", "sequentially", "in sequence", "in order", "one after another", "one after the other", "in the given order", "consecutively", "in the listed order", "in the exact order", "in succession", "in that specific order", "in this specific order", "in this sequence", "each after the one before it"))
            extra = " and ".join(f"{b} after {a}" for a, b in pairwise(n))
            return self.pick((f"{g} {names} {how}", f"{g} {names} {how}", f"{self.must()} {g} {names} {how}", f"in sequence {g} {names}", f"{how} {g} {names}", "travel from " + " to ".join(n), f"{g} {names} make sure to {g} {extra}", f"{g} {n[0]} followed by " + " followed by ".join(n[1:]), f"{g} these in order {names}", "go from " + " to ".join(n), f"{g} {names} make sure {extra}", f"start at {n[0]} then " + " then ".join(n[1:])), ), tree
        a, b = n
        # the first named is the later one in some of these
        return self.pick((f"after you have been to {a} {g} {b}", f"{g} {b} after {a}", f"{g} {b} after you {self.go()} {a}", f"after {a} {g} {b}", f"{g} {a} and later {g} {b}", f"once you have visited {a} {g} {b}" if False else f"{g} {a} before eventually going to {b}", f"{g} {a} and from there {self.go()} {b}", f"after {GOING[g]} {a} {self.go()} {b}")), tree

    def ordered_visit(self) -> tuple[str, Tree]:
        ps = self.props(2)
        tree = ordered(ps)
        n = [str(p[1]) for p in ps]
        g = self.go()
        pairs = list(pairwise(n))
        roll = self.roll()
        if roll < 0.2:
            return f"{g} {n[0]} " + " ".join(f"{self.pick(('only then', 'and only then', 'only after that', 'then only after that', 'and only after that'))} {self.pick((g, '', self.go()))} {x}" for x in n[1:]), tree
        if roll < 0.4:
            nots = f"{self.pick((' and ', ' ', ' also ', ' , '))}".join(self.pick((f"do not {g} {b} {self.pick(('until', 'before', 'until you', 'unless you already'))} {self._done(a, g)}", f"{b} {self.pick(('cannot', 'can not', 'must not', 'should not'))} be visited before {a}", f"you {self.pick(('cannot', 'may not', 'must not', 'can not'))} {g} {b} before {a}", f"do not {g} {b} before {a}", f"{g} {b} only after {a}")) for a, b in (pairs if self.roll() < 0.5 else pairs[::-1]))
            front = self.pick((f"{g} {n[-1]} but", f"{g} {n[-1]}", f"{g} {n[-1]} and", f"{g} {self.names(ps)}", f"eventually {g} {n[-1]} but", f"{g} {self.names(ps)} but"))
            if self.roll() < 0.3:
                return f"{nots} {self.pick(('then', 'finally', 'and eventually', 'and finally'))} {g} {n[-1]}", tree
            return f"{front} {nots}", tree
        if roll < 0.6:
            before = " ".join(f"{a} before {b}" for a, b in pairs)
            return self.pick((f"{g} {before}", f"{self.must()} {g} {before}", f"{g} {' '.join(f'{a} before {GOING[g]} {b}' for a, b in pairs)}", f"{g} {self.names(ps)} with {before}", f"{g} {' then '.join(f'{a} before {b}' for a, b in pairs)}", f"{g} {n[-1]} but {' and '.join(f'{g} {a} before {b}' for a, b in pairs)}", f"before {GOING[g]} {n[1]} {g} {n[0]} " + " ".join(f"then before {GOING[g]} {b} {g} {a}" for a, b in pairs[1:]) + f" {self.pick(('finally', 'then'))} {g} {n[-1]}")), tree
        if self.roll() < 0.25:
            return self._ordered_more(n, g, pairs), tree
        if roll < 0.8:
            steps = []
            for i, x in enumerate(n[:-1]):
                rest = n[i + 1 :] if self.roll() < 0.5 else n[i + 1 : i + 2]
                head = "first " if i == 0 and self.roll() < 0.4 else ("then " if i else "")
                steps.append(f"{head}{g} {x} {self.pick(('while avoiding', 'while staying away from', 'without visiting', 'avoiding', 'but not through', 'but not through', 'without going to', 'while not going to', 'but keep avoiding', 'without passing', 'but stay away from', 'but keep away from', 'and do not visit', 'but do not visit', 'without passing through', 'but avoid'))} {self.names([('p', r) for r in rest], 'and')}")
            return " ".join(steps) + f" {self.pick(('finally', 'then', 'and then', 'and finally', 'after that'))} {g} {n[-1]}", tree
        after = " ".join(f"{self.pick(('', 'and', ''))} {g} {b} {self.pick(('only after', 'but only after', 'strictly after', 'only when you have visited', 'no sooner than'))} {self.pick(('', GOING[g]))} {a}" for a, b in pairs[::-1])
        strict = self.pick(("in that strict order", "in the following strict order", "in exactly that order never a later one before an earlier one", "strictly in that order", "never out of order"))
        return self.pick((after, after, f"{g} {self.names(ps)} {strict}", f"{g} {n[0]} first then " + " then ".join(n[1:]) + " you cannot visit " + " or ".join(f"{b} before {a}" for a, b in pairs), f"do not visit the successor before its predecessor in the order {self.names(ps)}")), tree

    def _ordered_more(self, n: list[str], g: str, pairs: list[tuple[str, str]]) -> str:
        strict = self.pick(("in that specific order", "in this strict order", "in exactly this order", "in strict order"))
        turn = self.pick(("do not go out of turn", "no location may be visited out of turn", "do not skip ahead", "never visit a later one before an earlier one", "make sure none is visited too early"))
        rows = [("p", x) for x in n]
        return self.pick((
            f"{g} {n[-1]} but only after {GOING[g]} {self.names(rows[:-1])} {strict}", f"{g} {self.names(rows)} {strict} {turn}", f"{g} {n[0]} " + " ".join(f"only after {a} is visited {g} {b}" for a, b in pairs), " ".join(f"only after you {g} {a} you can {g} {b}" for a, b in pairs),
            f"{g} {n[0]} " + " ".join(f"once you have {self.pick(('been to', 'visited', 'reached'))} {a} {g} {b} but {self.pick(('not earlier', 'not before', 'never before that'))}" for a, b in pairs), " ".join(f"{g} {b} only if you already visited {a}" for a, b in pairs[::-1]), " and ".join(f"{g} {b} after {GOING[g]} {a} do not {g} {b} before" for a, b in pairs),
            " ".join(f"{g} {a} at least once do not {g} {self.names([('p', x) for x in n[i + 1:]], 'or')} before {a} then" for i, a in enumerate(n[:-1])) + f" finally {g} {n[-1]}", f"make your way to {n[-1]} only after {n[-2]} " + " ".join(f"before that make your way to {b} only after {a}" for a, b in pairs[:-1][::-1]) if len(n) > 2 else f"do not {g} {n[1]} until you {g} {n[0]} then {g} {n[1]}",
            " ".join(f"{b} must wait until {a} has been visited" for a, b in pairs) + f" eventually {g} {n[-1]}", f"first {g} {n[0]} " + " ".join(f"and not until then {g} {x}" for x in n[1:]), f"{g} {n[-1]} but {' and '.join(f'before {GOING[g]} {b} you must {g} {a}' for a, b in pairs[::-1])}",
        ))  # fmt: skip

    def _strict_more(self, n: list[str], g: str, one: str) -> str:
        back = self.pick(("never return to a place you have left", "do not go back to any previous location", "never go back to where you have been", "do not revisit any of them", "along the way never come back to an earlier location", "without ever going back to a previous one", "do not revisit previous locations", "you can only visit each of them once", "only visit each location one time", "you may visit each landmark only once"))
        rows = [("p", x) for x in n]
        pairs = list(pairwise(n))
        return self.pick((
            f"go from {' to '.join(n)} in that specific order and {back}", f"{g} {' then '.join(n)} {back}", f"{g} {self.names(rows)} in that order {back}", " and ".join(f"do not {g} {b} until {a} is visited" for a, b in pairs[::-1]) + f" {back}", " and then ".join(f"{g} {a} but do not {g} {self.names([('p', x) for x in n[i + 1:]], 'or')} {'or revisit ' + self.names([('p', x) for x in n[:i]], 'or') if i else ''}" for i, a in enumerate(n[:-1])) + f" and then {g} {n[-1]} but do not revisit {self.names(rows[:-1], 'or')}",
            " ".join(f"{g} {a} {one} avoid {self.names([('p', x) for x in n[i + 1:]], 'or')} before {a} then" for i, a in enumerate(n[:-1])) + f" finally {g} {n[-1]}", " ".join(f"{g} {a} and never {g} it again then" for a in n[:-1]) + f" {g} {n[-1]}", f"{g} {n[0]} {one} but keep away from {n[1]} " + " ".join(f"and then {g} {b} but keep away from {a}" for a, b in pairs),
            " ".join(f"before {GOING[g]} {b} {g} {a} and do not {g} {a} anymore" for a, b in pairs) + f" finally {g} {n[-1]}", f"{g} {n[-1]} only after {n[-2]} {one} " + " ".join(f"before that {g} {b} only after {a} {one}" for a, b in pairs[:-1][::-1]),
        ))  # fmt: skip

    def _done(self, a: str, g: str) -> str:
        return self.pick((f"you {g} {a}", f"{GOING[g]} {a}", f"you have visited {a}", f"{a} is visited", f"{a}", f"you visit {a}", f"{a} has been visited", f"{a} is reached"))

    def strictly_ordered_visit(self) -> tuple[str, Tree]:
        ps = self.props(2)
        tree = strictly_ordered(ps)
        n = [str(p[1]) for p in ps]
        g = self.go()
        pairs = list(pairwise(n))
        roll = self.roll()
        one = self.pick(("exactly once", "only once", "once", "just once", "one time", "only one time"))
        if self.roll() < 0.35:
            return self._strict_more(n, g, one), tree
        if roll < 0.25:
            return f"{g} {n[0]} {' '.join(self.pick(('then', 'and then')) + ' ' + x for x in n[1:])} {self.pick(('visit each', 'visiting each', 'go to each', 'each'))} {self.pick(('landmark', 'location', 'place', 'one', 'of them', 'waypoint'))} {one}", tree
        if roll < 0.45:
            return " ".join(f"{g} {a} {one} {self.pick(('then', 'and then', 'and only then', 'only then'))}" for a in n[:-1]) + f" {g} {n[-1]}", tree
        if roll < 0.6:
            return " ".join(f"{g} {a} {one} {self.pick(('while avoiding', 'without visiting', 'but avoid'))} {self.names([('p', r) for r in n[i + 1 :]])} {self.pick(('then', 'and then', 'after that'))}" for i, a in enumerate(n[:-1])) + f" {self.pick(('finally', ''))} {g} {n[-1]}", tree
        if roll < 0.75:
            nots = self.pick((" and ", " ")).join(f"do not {g} {b} {self.pick(('before', 'until you', 'without first'))} {self._done(a, g)} {self.pick(('', f'visit {a} {one}'))}" for a, b in pairs)
            return f"{g} {self.names(ps)} {one} {nots}", tree
        if roll < 0.87:
            return f"{g} {n[0]} " + " ".join(f"{self.pick(('then', 'only then', 'only after that', 'and then'))} {g} {x} {self.pick(('without returning', 'without revisiting ' + n[i], 'without going back to ' + n[i], 'and never return to ' + n[i]))}" for i, x in enumerate(n[1:])), tree
        return " ".join(f"{g} {b} {self.pick(('but only', 'only'))} after {GOING[g]} {a} {one}" for a, b in pairs[::-1]), tree

    # -- for ever --------------------------------------------------------------------------------------

    def patrolling(self) -> tuple[str, Tree]:
        ps = self.props()
        tree = every(ps, "patrol")
        names, g = self.names(ps), self.go()
        ing = GOING[g]
        order = self.pick(("", "", "", "in any order", "in no specific order", "in an arbitrary order", "in no particular order", "but the order can be arbitrary"))
        return self.pick((f"keep {ing} {names} {order}", f"keep {ing} {names} {order} {self.pick(('infinitely', 'forever', 'an infinite number of times', 'without end', 'over and over', 'indefinitely'))}", f"patrol {names} {order}", f"keep patrolling {names} {order}", f"{g} {names} infinitely often", f"{g} {names} an infinite number of times", f"{g} {names} again and again",
                          f"do not stop {ing} {names} {order}", f"never stop {ing} {names} {order}", f"frequent {names} {order}", f"frequent {names} infinitely {order}", f"{g} {names} repeatedly {order}", f"always keep {ing} {names}", f"continuously {g} {names}", f"{g} {names} over and over again", f"{names} must be visited infinitely often", f"{g} {names} infinitely {order}", f"please keep {ing} {names} {order}",
                          f"{g} {names} forever {order}", f"always {self.pick(('return', 'come back'))} to {names} {order}", f"repeatedly {g} {names}", f"constantly {g} {names} {order}", f"infinitely often {g} {names}", f"{g} {names} infinitely many times", f"you have to keep {ing} {names} {order}", f"surveil {names} {order}", f"keep coming back to {names} {order}", f"{g} {names} time and again", f"make sure {names} {'is' if len(ps) == 1 else 'are'} visited {self.pick(('infinitely', 'infinitely often', 'again and again', 'indefinitely', 'over and over'))} {order}", f"{g} {names} {self.pick(('indefinitely', 'perpetually', 'infinite times', 'in an endless cycle', 'in an endless loop'))} {order}", f"make sure you {g} {names} {self.pick(('infinite times', 'infinitely often', 'repeatedly'))}", f"make sure at any point in time you will {g} {names} {'' if len(ps) == 1 else 'each'} at least once in the future", f"patrol {names} repeatedly {order}", f"do not ever stop {ing} {names}", f"never stop {ing} {names}", f"never stop {ing} {names} {order}", f"do not stop {ing} {names}", f"keep {ing} {names}", f"keep {ing} {names}", f"continue {ing} {names} {self.pick(('forever', 'indefinitely', ''))}", f"always {g} {names} repeatedly", f"cycle through {names} forever {order}")), tree  # fmt: skip

    def global_avoidance(self) -> tuple[str, Tree]:
        ps = self.props()
        tree = every(ps, "avoid")
        names, g = self.names(ps, self.pick(("and", "or"))), self.go()
        ing = GOING[g]
        return self.pick((f"avoid {names}", f"never {g} {names}", f"do not {g} {names}", f"always avoid {names}", f"avoid {names} {self.pick(('forever', 'at all times', 'at all costs', 'always', 'the whole time'))}", f"{names} must {self.pick(('be avoided', 'never be visited', 'not be visited', 'always be avoided', 'never be reached'))}", f"stay away from {names}", f"keep away from {names}", f"always {self.pick(('keep', 'stay'))} away from {names}",
                          f"you {self.pick(('cannot', 'can not', 'must not', 'should not', 'may not', 'can never', 'must never', 'are not allowed to', 'should never', 'are never allowed to'))} {g} {names}", f"avoid {ing} {names}", f"make sure to {self.pick(('not', 'never'))} {g} {self.pick(('', 'any of'))} {names}", f"do not {g} any of {names}", f"stay out of {names}", f"{ing} {names} is {self.pick(('prohibited', 'forbidden', 'not allowed', 'never allowed'))}", f"keep clear of {names}", f"steer clear of {names}",
                          f"never {g} any of {names}", f"{self.pick((' and ', ' ')).join(f'avoid {p[1]}' for p in ps)}", f"{self.pick((' and ', ' ')).join(f'never {g} {p[1]}' for p in ps)}", f"{self.pick((' and ', ' ')).join(f'avoid {ing} {p[1]}' for p in ps)}", f"do not ever {g} {names}", f"{names} are off limits" if len(ps) > 1 else f"{names} is off limits", f"make sure you avoid {names}", f"make sure you never {g} {names}", f"you must avoid {names} at all costs", f"do not make {self.pick(('any visit', 'any single visit', 'a single visit', 'even one visit'))} to {names}", f"you can go anywhere {self.pick(('but', 'except'))} {names}", f"you {self.pick(('cannot', 'can not', 'must not'))} {g} {names} at any time", f"never {g} {self.pick(('either of', 'either one of', 'any one among', 'any among'))} {names}", f"{names} should never be {self.pick(('visited', 'reached', 'entered'))}", f"you are not permitted to {g} {names}", f"no visits to {names} are {self.pick(('allowed', 'permitted'))}", f"bypass {names} at all times", f"always avoid {ing} {names}", f"ensure that {names} {'is' if len(ps) == 1 else 'are'} never visited", f"make sure {names} {'is' if len(ps) == 1 else 'are'} not visited", f"keep avoiding {names}", f"you should stay away from {names}")), tree  # fmt: skip

    def past_avoidance(self) -> tuple[str, Tree]:
        a, b = ("p", "P1"), ("p", "P2")
        g, h = self.go(), self.go()
        see = self.pick((f"you {h} P2", "P2 is observed", "you see P2", "you observe P2", "P2 is visited", "P2 occurs", "P2 is reached", "P2", "you have visited P2", "P2 is seen", "P2 happens", "you get to P2"))
        until = self.pick(("until", "until", "till", "before", "until after"))
        return self.pick((f"avoid P1 {until} {see}", f"do not {g} P1 {until} {see}", f"stay away from P1 {until} {see}", f"you can {g} P1 but only after {see}", f"P2 must be {self.pick(('observed', 'visited', 'reached', 'seen'))} before {GOING[g]} P1", f"never {g} P1 {until} {see}", f"keep away from P1 {until} {see}", f"avoid {GOING[g]} P1 {until} {see}", f"you cannot {g} P1 {until} {see}", f"avoid P1 at all costs {until} {see} first", f"P2 has to be {self.pick(('observed', 'visited', 'seen'))} prior to any visit to P1",
                          f"do not {g} P1 unless {see} first", f"you are not allowed to {g} P1 {until} {see}", f"P1 is off limits {until} {see}", f"{until} {see} do not {g} P1", f"{until} {see} avoid P1", f"only after {see} can you {g} P1", f"you may not {g} P1 as long as P2 has not been {self.pick(('seen', 'visited', 'observed'))}")), ("U", None, ("not", a), b)  # fmt: skip

    def wait(self) -> tuple[str, Tree]:
        a, b = ("p", "P1"), ("p", "P2")
        h = self.go()
        see = self.pick((f"you {h} P2", "P2 is observed", "you see P2", "you observe P2", "P2 occurs", "P2", "you get to P2", "P2 is seen", "P2 happens", "P2 is true", "P2 is detected"))
        until = self.pick(("until", "until", "till", "before"))
        return self.pick((f"{self.pick(('wait', 'stay', 'remain', 'hold position', 'stay put', 'keep waiting', 'stand still'))} {self.pick(('at', 'at', 'in', 'on'))} P1 {until} {see}", f"{self.pick(('you must', 'you have to', 'you should'))} {self.pick(('stay', 'wait', 'remain'))} {self.pick(('at', 'in', 'on'))} P1 {until} {see}", f"do not leave P1 {until} {see}", f"{self.pick(('remain', 'stay', 'wait', 'hold position'))} at P1 {self.pick(('as long as', 'for as long as', 'while'))} P2 {self.pick(('is not seen', 'does not occur', 'has not been seen', 'is not observed', 'has not happened'))}",
                          f"you are not allowed to leave P1 {until} {see}", f"you cannot leave P1 {until} {see}", f"never leave P1 {until} {see}", f"you cannot go anywhere else from P1 {self.pick(('unless', 'until', 'before'))} {see}", f"you can leave P1 only after {see}", f"keep going on P1 {until} {see}", f"you may leave P1 once {see} otherwise stay")), ("U", None, a, b)  # fmt: skip

    # -- counts ----------------------------------------------------------------------------------------

    def lower_restricted_avoidance(self) -> tuple[str, Tree]:
        n = self.rng.randint(1, 5)
        p, g, w = "P1", self.go(), WORDS[n]
        t = self.pick(TIMES[n][:2] if n == 1 else TIMES[n])
        more = f"{w} or more times" if n > 1 else "one or more times"
        sep = self.pick(("", "separate ", "different "))
        return self.pick((f"{g} {p} at least {t}", f"{self.must()} {g} {p} at least {t}", f"{g} {p} {more}", f"{self.must()} {g} {p} {more}", f"{g} {p} no {self.pick(('less', 'fewer'))} than {t}", f"do not {g} {p} {self.pick(('less', 'fewer', 'any fewer', 'any less'))} than {t}", f"{g} {p} a minimum of {t}", f"you have to {g} {p} {w} or more than {w} times", f"{g} {p} {self.pick(('equal or more than', 'equal to or more than', 'not less than', 'not fewer than'))} {t}",
                          f"{p} must be visited at least {t}", f"{g} {p} on at least {w} {sep or 'separate '}{'occasions' if n > 1 else 'occasion'}", f"make at least {w} {sep}visits to {p}", f"{g} {p} {t} at least", f"you cannot complete the task without {GOING[g]} {p} at least {t}", f"{g} {p} then leave {p} at least {t}", f"{g} {p} at least {t} each time you must leave before coming back", f"{p} should be visited {t} or more", f"at least {t} {g} {p}", f"{g} {p} on no fewer than {w} {sep}occasions",
                          f"ensure that you have at least {w} {sep}times where you {g} {p}", f"{g} {p} not just once but at least {t}" if n > 1 else f"{g} {p} at least once", f"you must have been to {p} at least {t}", f"{g} {p} at least {t}", f"you have to {g} {p} at least {t}", f"you need at least {w} {self.pick(('distinct', 'separate', 'different'))} visits to {p}", f"{GOING[g]} {p} less than {t} is {self.pick(('prohibited', 'not allowed', 'forbidden'))}", f"{g} {p} more than {TIMES[n - 1][0]}" if n > 1 else f"{g} {p} at least one time", f"you need at least {w} {sep}visits to {p}", f"the minimum number of times you must {g} {p} is {w}", f"{g} {p} at least {t} or more", f"{p} has to be {self.pick(('visited', 'reached'))} at least {t}", f"you {self.pick(('cannot', 'can not', 'must not'))} {g} {p} {self.pick(('less', 'fewer'))} than {t}", f"do not {g} {p} on any fewer than {w} {sep}{self.pick(('occasions', 'instances'))}", f"you are required to {g} {p} at least {t}", f"the fewest visits allowed to {p} is {w}", f"{g} {p} then leave and come back so that you have been there at least {t}" if n > 1 else f"go through {p}", f"visits to {p} must number {w} or more", f"{g} {p} {t} or more")), at_least(("p", p), n)  # fmt: skip

    def upper_restricted_avoidance(self) -> tuple[str, Tree]:
        n = self.rng.randint(1, 5)
        p, g, w, up = "P1", self.go(), WORDS[n], WORDS[n + 1]
        t = self.pick(TIMES[n][:2] if n == 1 else TIMES[n])
        cannot = self.pick(("cannot", "can not", "must not", "may not", "should not", "are not allowed to", "should never", "must never"))
        return self.pick((f"{g} {p} at most {t}", f"{self.must()} {g} {p} at most {t}", f"you can {g} {p} at most {t}", f"{g} {p} no more than {t}", f"never {g} {p} more than {t}", f"do not {g} {p} more than {t}", f"you {cannot} {g} {p} more than {t}", f"{GOING[g]} {p} more than {t} is {self.pick(('prohibited', 'forbidden', 'not allowed'))}", f"you {cannot} {g} {p} {up} or more times", f"you are not allowed {up} or more visits to {p}", f"{g} {p} {t} at most", f"you can {g} {p} but {t} at most",
                          f"{g} {p} {self.pick(('equal or less than', 'equal to or less than', 'less than or equal to', 'not more than', 'a maximum of', 'up to', 'no more than'))} {t}", f"you may {g} {p} up to {t}", f"never {g} {p} again after you have visited it {t}", f"once you {g} {p} for the {ORDINALS[n]} time {self.pick(('you can never reenter it', 'never go back', 'do not return', 'you cannot go there again'))}", f"{p} {self.pick(('can', 'may', 'should', 'must'))} be visited at most {t}", f"do not {g} {p} {up} or more times", f"{g} {p} {self.pick(('less', 'fewer'))} than {TIMES[n + 1][0]}",
                          f"make at most {w} visits to {p}", f"never {g} {p} more than {t}", f"do not {g} {p} more than {t}", f"you are good to {g} {p} {t} or less", f"it is fine to {g} {p} up to {t}", f"limit your visits to {p} to {w}", f"avoid {GOING[g]} {p} more than {t}", f"you can {g} {p} but only {t} at most", f"no more than {w} {self.pick(('visits', 'separate visits', 'trips'))} to {p}", f"after {GOING[g]} {p} {t} never {g} it again", f"{g} {p} on at most {w} {self.pick(('occasions', 'separate occasions'))}", f"you are allowed to {g} {p} at most {t}", f"you are allowed {self.pick(('at most', 'no more than', 'up to'))} {w} visits to {p}", f"do not {g} {p} any more than {t}", f"the maximum {self.pick(('number of', 'allowed number of', 'permitted number of', 'allowable'))} visits to {p} is {w}", f"you can {g} {p} zero times " + " ".join(TIMES[i][0] for i in range(1, n)) + f" or {TIMES[n][0]}", f"{GOING[g]} {p} for the {ORDINALS[n]} time {self.pick(('bars it from then on', 'locks it afterwards', 'is the last time'))}", f"at most {w} visits to {p} are {self.pick(('allowed', 'permitted'))}", f"you must not have more than {w} visits to {p}", f"you can only {g} {p} up to {t}", f"you {cannot} exceed {w} visits to {p}", f"{p} cannot be visited more than {t}", f"stop {GOING[g]} {p} after {t}")), ("not", at_least(("p", p), n + 1))  # fmt: skip

    def exact_restricted_avoidance(self) -> tuple[str, Tree]:
        n = self.rng.randint(1, 5)
        p, g, w = "P1", self.go(), WORDS[n]
        t = self.pick(TIMES[n][:2] if n == 1 else TIMES[n])
        only = self.pick(("exactly", "exactly", "exactly", "precisely", "only", "just"))
        return self.pick((f"{g} {p} {only} {t}", f"{self.must()} {g} {p} {only} {t}", f"{g} {p} {only} {t} no more no less", f"{g} {p} exactly {t} no more and no less", f"{g} {p} no more and no {self.pick(('less', 'fewer'))} than {t}", f"do not {g} {p} any {self.pick(('more or fewer', 'more or less', 'greater or fewer', 'more or any fewer', 'fewer or more'))} than {t}", f"{g} {p} more or less than {t} is {self.pick(('prohibited', 'not allowed', 'forbidden'))}", f"{p} must be visited {only} {t}", f"make {only} {w} {self.pick(('', 'separate'))} visits to {p}",
                          f"you are required to make exactly {w} {self.pick(('', 'separate', 'different'))} visits to {p}", f"{g} {p} {t} no more no less", f"{g} {p} {t} and {self.pick(('only', 'no more than'))} {t}", f"{g} {p} on exactly {w} {self.pick(('occasions', 'separate occasions', 'different occasions'))}", f"{g} {p} {t} and never again", f"{g} {p} no {self.pick(('fewer or greater', 'more or less', 'more or fewer', 'less or more'))} than {t}", f"{g} {p} {self.pick(('a total of', 'for a total of'))} {t}", f"you must {g} {p} exactly {t}", f"{g} {p} exactly {t} not more not less",
                          f"the number of visits to {p} must be exactly {w}", f"{g} {p} then leave {p} and repeat this exactly {WORDS[n - 1]} more {'times' if n > 2 else 'time'}" if n > 1 else f"{g} {p} exactly once", f"{GOING[g]} {p} must happen exactly {t}", f"exactly {t} {g} {p}", f"make sure you {g} {p} exactly {t}", f"you have to {g} {p} and you cannot go there more or less than {t}", f"{g} {p} {t} and never revisit it", f"you can only {g} and exit {p} exactly {t}", f"{g} {p} exactly {w} {self.pick(('separate', 'different', 'distinct'))} times" if n > 1 else f"{g} {p} exactly one time", f"you must {g} {p} {t} exactly", f"{g} {p} {t} no more", f"{g} {p} at least {t} and at most {t}", f"exactly {w} visits to {p} are {self.pick(('required', 'needed', 'allowed'))}", f"do not {g} {p} more or less than {t}", f"{g} {p} {t} and do not {g} it {self.pick(('anymore', 'any more', 'again'))}", f"{g} {p} {t} then stop {GOING[g]} it", f"{g} {p} {t} and after that never again", f"{g} {p} exactly {t}", f"{g} {p} exactly {t}", f"you must {g} {p} exactly {t}")), exactly(("p", p), n)  # fmt: skip

    # -- reactions -------------------------------------------------------------------------------------

    def _see(self, p: str) -> str:
        return self.pick((f"you {self.go()} {p}", f"you visit {p}", f"{p} occurs", f"{p} is observed", f"you see {p}", f"you observe {p}", f"{p} is visited", f"{p} holds", f"{p} happens", f"you reach {p}", f"you get to {p}", f"{p} is seen"))

    def _do(self, p: str) -> str:
        return self.pick((f"you must {self.go()} {p}", f"you have to {self.go()} {p}", f"{self.go()} {p}", f"{p} must be visited", f"you should {self.go()} {p}", f"{p} should happen", f"{p} must occur", f"{p} should be visited", f"you need to {self.go()} {p}", f"{p} must happen"))

    def reaction(self) -> tuple[str, Tree]:
        a, b = ("p", "P1"), ("p", "P2")
        kind = self.pick(("delayed", "prompt", "prompt", "bound_delay", "bound_delay", "future", "future", "instant", "bound"))
        see, do = self._see("P1"), self._do("P2")
        when = self.pick(("whenever", "once", "when", "if", "every time", "always once", "at any point in time if", "each time", "any time", "after", "always when", "for all times if"))
        if kind == "delayed":
            later = self.pick(("in the future", "at some point in the future", "later", "eventually", "at least once in the future", "afterwards at some point", "at some later time", "later on", "at least one time in the future", "sometime later"))
            return self.pick((f"{when} {see} {do} {later}", f"{do} {later} {when} {see}", f"you can {self.go()} P1 but you have to {self.go()} P2 {later}", f"{when} {see} then {do} {later}", f"{when} {see} in response to it {do} {later}", f"{see} must always be followed by P2 {later}")), ("G", None, ("->", a, ("F", None, b)))
        if kind == "prompt":
            next_ = self.pick(("immediately after that", "immediately afterward", "right after", "right after that", "at the next time instant", "in the next time step", "in the very next step", "immediately after", "right next", "at the next step", "in the next step", "immediately in the next time step"))
            return self.pick((f"{when} {see} {do} {next_}", f"{do} {self.pick(('immediately after', 'right after'))} {see}", f"{self.pick(('immediately after', 'right after'))} {see} {do}", f"you can {self.go()} P1 but {do} {next_}", f"always the response to P1 is P2 {next_}", f"{see} means {do} {next_}", f"{do} {next_} {when} {see}", f"{do} as soon as {see}", f"as soon as {see} {do}", f"{see} then {do} right away in the next step")), ("G", None, ("->", a, ("X", b)))
        if kind == "bound_delay":
            return self.pick((f"you must {self.go()} P1 right before {self.pick(('visiting', 'going to', 'reaching'))} P2 and you must {self.go()} P2 right after {self.pick(('visiting', 'going to', 'reaching'))} P1", f"{self.pick(('once', 'immediately after', 'right after', 'whenever', 'after'))} {see} {do} {self.pick(('', 'immediately', 'right next', 'right after'))} and you {self.pick(('cannot', 'must not', 'can not'))} {self.go()} P2 any other time", f"P1 must be {self.pick(('visited', 'reached'))} right before P2 {self.pick(('and', ''))} P2 must be {self.pick(('visited', 'reached'))} right after P1", f"{do} {self.pick(('immediately after', 'right after'))} {see} and avoid P2 any other time",
                              f"{when} {see} {do} right next and right before you {self.go()} P2 you must {self.go()} P1", f"if and only if {see} {do} in the next time step", f"if {see} only then should P2 be visited in the next step otherwise P2 should not be visited", "P2 must occur in the very next time step after P1 and P1 must happen in the step right before P2", f"you must {self.go()} P2 once {see} and you must avoid P2 any other time", "P2 happens one step after P1 and never otherwise")), ("G", None, ("<->", a, ("X", b)))  # fmt: skip
        if kind == "future":
            avoid = self.pick((f"do not {self.go()} P2", f"never {self.go()} P2", f"you cannot {self.go()} P2", "avoid P2", "you have to avoid P2", f"you are not allowed to {self.go()} P2", "P2 must not be visited", f"you must never {self.go()} P2", "stay away from P2", f"you can not {self.go()} P2"))
            return self.pick((f"{self.pick(('once', 'after', 'as soon as', 'from when'))} {see} {avoid} {self.pick(('', 'any more', 'anymore', 'afterward', 'afterwards', 'again', 'at all costs', 'from then on', 'for all time instances from the next one on', 'forever', 'ever again'))}", f"{avoid} {self.pick(('once', 'after', 'once you have seen that'))} {see}", f"any visit to P2 is not allowed after {see}", "no P2 after P1" if False else f"seeing P1 {self.pick(('locks', 'prevents', 'rules out', 'bars'))} P2 from the next instant on", f"{when} {see} P2 is off limits from the next step on")), ("G", None, ("->", a, ("X", ("G", None, ("not", b)))))
        if kind == "instant":
            same = self.pick(("at the same time", "at the same instant", "simultaneously", "at that very moment", "at once", "immediately at the same time", "in the same time step"))
            return self.pick((f"{when} {see} {do} {same}", f"{do} {same} {when} {see}", f"{same} as {see} {do}")), ("G", None, ("->", a, b))
        return self.pick((f"{see} if and only if {self._see('P2')}", f"P2 must occur exactly when {see}", "P1 and P2 must always happen together", f"{when} {see} {do} at the same time and P2 never happens otherwise", f"P2 happens if and only if {see} at the same time", f"{do} only and always when {see}")), ("G", None, ("<->", a, b))


FAMILIES = (
    "visit", "visit", "sequenced_visit", "sequenced_visit", "ordered_visit", "ordered_visit", "ordered_visit", "strictly_ordered_visit", "strictly_ordered_visit", "patrolling", "global_avoidance", "past_avoidance", "wait",
    *("lower_restricted_avoidance", "upper_restricted_avoidance", "exact_restricted_avoidance") * 3, "patrolling", "global_avoidance", "reaction", "reaction", "reaction",
)  # fmt: skip
