"""Sort formulas into groups of equal meaning with as few decisions as possible."""

from __future__ import annotations

from collections.abc import Sequence

from assent.errors import FragmentError
from assent.logic.ast import Formula
from assent.logic.canonical import canonical_key
from assent.logic.equivalence.verdict import Level, equivalent


def cluster(
    formulas: Sequence[Formula | None],
    *,
    level: Level = "exact",
    steps: int | None = None,
    budget: float | None = None,
    finite: bool = False,
    axioms: bool = False,
) -> list[int]:
    """The group number of each formula, counted from 0 in order of appearance.

    None stands for something unreadable: it is equal to nothing else. A formula joins the first group whose
    representative it is proven equal to; equality of meaning is transitive, so one comparison a group is
    enough. A comparison that is undecided, or that cannot be made, does not join. ``steps`` and ``budget`` are those
    of ``equivalent``, for each comparison.
    """

    def same(one: Formula, other: Formula) -> bool:
        try:
            return equivalent(one, other, steps=steps, budget=budget, finite=finite, axioms=axioms).equal
        except FragmentError:
            return False

    numbers: list[int] = []
    by_key: dict[str, int] = {}
    representatives: list[tuple[int, Formula]] = []
    groups = 0
    for formula in formulas:
        if formula is None:
            numbers.append(groups)
            groups += 1
            continue
        # Over finite words "not next" is not "next not", which the canonical form takes for granted.
        key = repr(formula) if finite else canonical_key(formula)
        found = by_key.get(key)
        if found is None and level == "exact":
            found = next((number for number, other in representatives if same(formula, other)), None)
        if found is None:
            found = groups
            groups += 1
            representatives.append((found, formula))
        by_key[key] = found
        numbers.append(found)
    return numbers
