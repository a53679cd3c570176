"""Windows as letters: a mixed pair becomes an LTL pair, with facts about the windows that were proved apart.

Every largest finite window (and every long next) is replaced by a fresh letter. Valuations of these letters and of the
real ones that no random lasso shows are suspected to be impossible; small combinations are proved so, and
the rest of the proof is LTL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from assent.logic.equivalence.atoms import Group
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.forms import EV, INF, LIT, NEXT, UNTIL, Forms
from assent.logic.equivalence.lassos import Signatures

MAX_FEATURES = 9
"""Letters and windows whose combinations are looked at together."""
_SHORT = 2

Impossible = Callable[[int], bool]
"""Is a form false at every time of every word? May raise Exhausted."""


def windows_as_letters(
    forms: Forms, roots: Sequence[int], fresh: int, *, inwards: bool
) -> tuple[list[int], dict[int, int]]:
    """The roots with windows replaced, and which letter stands for which node.

    With ``inwards`` a next is moved into the windows first, so that all of them start at the same time.
    """
    letters: dict[int, int] = {}
    done: dict[tuple[int, int], int] = {}

    def letter(f: int) -> int:
        if abs(f) not in letters:
            letters[abs(f)] = fresh + len(letters)
        return forms.letter(letters[abs(f)]) * (1 if f > 0 else -1)

    def compute(i: int, steps: int) -> int:
        kind, num = forms.kind[i], forms.num[i]
        if kind == NEXT and (inwards or num > _SHORT):
            return replace(forms.args[i][0], steps + num) if inwards else letter(i)
        if kind == LIT:
            return forms.shift(steps, i) if steps <= _SHORT else letter(forms.shift(steps, i))
        if kind in (EV, UNTIL) and num < INF:
            return letter(forms.shift(steps, i))
        return forms.rebuilt(i, tuple(replace(part, steps) for part in forms.args[i]))

    def replace(h: int, steps: int) -> int:
        i = abs(h)
        if (i, steps) not in done:
            done[i, steps] = compute(i, steps)
        return done[i, steps] if h > 0 else -done[i, steps]

    return [replace(root, 0) for root in roots], {number: i for i, number in letters.items()}


def lemmas(
    forms: Forms,
    roots: Sequence[int],
    windows: dict[int, int],
    seen: Sequence[Signatures],
    impossible: Impossible,
    budget: Budget,
) -> Group | None:
    """What the letters of the abstracted roots can be at one time; None if there are too many.

    Raises Exhausted if the budget does not last.
    """
    features = {forms.num[i]: i for i in forms.below(*roots) if forms.kind[i] == LIT}
    features |= windows
    if len(features) > MAX_FEATURES:
        return None
    letters, nodes = tuple(features), list(features.values())
    shown = _shown(nodes, seen, budget)
    excluded: list[tuple[int, int]] = []
    for mask, value in _suspects(len(nodes), shown):
        if any(value & m == v and mask & m == m for m, v in excluded):
            continue
        parts = [node if value >> k & 1 else -node for k, node in enumerate(nodes) if mask >> k & 1]
        try:
            if impossible(forms.conj(parts)):
                excluded.append((mask, value))
        except Exhausted:
            continue
    valuations = (v for v in range(1 << len(nodes)) if not any(v & m == value for m, value in excluded))
    return Group(letters, tuple(valuations))


def _shown(nodes: Sequence[int], seen: Sequence[Signatures], budget: Budget) -> set[int]:
    """Valuations of the nodes that occur at some time on some random lasso."""
    shown: set[int] = set()
    for signatures in seen:
        cells = [(0, signatures.frame.full)]
        budget.part().keep((signatures.frame.size // 8 + 100) << len(nodes))
        for k, node in enumerate(nodes):
            value = signatures[node]
            budget.spend(3 * len(cells) * signatures.frame.cost)
            cells = [
                (word | on << k, part)
                for word, places in cells
                for on, part in ((1, places & value), (0, places & ~value))
                if part
            ]
        shown.update(word for word, _ in cells)
    return shown


def _suspects(count: int, shown: set[int]) -> Iterator[tuple[int, int]]:
    """Smallest combinations (which nodes, which values) of up to three that never occur."""
    for size in (1, 2, 3):
        for places in combinations(range(count), size):
            mask = sum(1 << k for k in places)
            occurring = {word & mask for word in shown}
            for choice in range(1 << size):
                value = sum(1 << k for n, k in enumerate(places) if choice >> n & 1)
                if value not in occurring:
                    yield mask, value
