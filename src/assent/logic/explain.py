"""A formula explained: English, canonical form, counts, and what to know before trusting it."""

from __future__ import annotations

from dataclasses import dataclass

from assent.logic.ast import Formula, Logic, atoms, children, size, temporal_count
from assent.logic.canonical import canonical
from assent.logic.english import english
from assent.logic.english.say import UNIT
from assent.logic.render import write


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a formula says, in several ways; ``warnings``: always true, never true, or parts that say nothing."""

    logic: str
    formula: str
    words: str
    english: str
    canonical: str
    size: int
    temporal: int
    depth: int
    atoms: tuple[str, ...]
    warnings: tuple[str, ...]
    tree: str

    def __str__(self) -> str:
        return f"{self.formula}\n{self.english}\n\n{self.tree}"


def explain(
    formula: Formula, logic: Logic, *, unit: str = UNIT, budget: float | None = None, plain: bool = False
) -> Explanation:
    """Explain a formula; ``unit`` is said with its times, ``plain`` draws the tree in ASCII."""
    from assent.logic.draw import tree_text
    from assent.logic.equivalence.verdict import warnings

    return Explanation(
        logic=logic.value,
        formula=write(formula),
        words=write(formula, "words"),
        english=english(formula, unit=unit),
        canonical=write(canonical(formula)),
        size=size(formula),
        temporal=temporal_count(formula),
        depth=depth(formula),
        atoms=tuple(write(atom) for atom in atoms(formula)),
        warnings=tuple(warnings(formula, budget=budget)),
        tree=tree_text(formula, plain=plain),
    )


def depth(formula: Formula) -> int:
    """How many operators stand above the deepest atom."""
    level, count = list(children(formula)), 0
    while level:
        level, count = [part for node in level for part in children(node)], count + 1
    return count
