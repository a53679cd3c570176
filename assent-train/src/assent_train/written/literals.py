"""Literals of marked rows: when one may take another's place."""

from __future__ import annotations

from assent.logic.ast import (
    And,
    Compare,
    Dist,
    Formula,
    Not,
    Or,
    Prop,
    Relation,
    Signal,
    atoms,
    children,
    rebuild,
    walk,
)
from assent_train.written.gold import GoldGroup, Item, Template


def faithful(template: Template, item: Item) -> bool:
    """Whether the formula uses the mark's name just as the mark says, and no other mark speaks of it."""
    if not isinstance(item, GoldGroup) or item.literal is None or len(item.mark.names) != 1:
        return False
    name = item.mark.names[0]
    if sum(name in other.mark.names for other in template.items if isinstance(other, GoldGroup)) != 1:
        return False
    if isinstance(item.literal, Prop) and any(
        isinstance(node, Not) and node.arg == item.literal for node in walk(template.formula)
    ):
        return False
    left = exchanged(template.formula, item.literal, Prop("x"))
    return left != template.formula and name not in names_of(left)


def names_of(formula: Formula) -> set[str]:
    """Every name a formula uses."""
    found: set[str] = set()
    for atom in atoms(formula):
        match atom:
            case Prop(name):
                found.add(name)
            case Compare(Signal(name), _, _):
                found.add(name)
            case Compare(Dist(a, b), _, _):
                found |= {a, b}
            case Relation(_, args):
                found |= set(args)
    return found


def exchanged(formula: Formula, old: Formula, new: Formula) -> Formula:
    """The formula with ``new`` wherever it held ``old``."""
    if formula == old:
        return new
    parts = children(formula)
    return rebuild(formula, tuple(exchanged(part, old, new) for part in parts)) if parts else formula


def under_connective(formula: Formula, literal: Formula) -> bool:
    """Whether the literal is a direct part of a conjunction, a disjunction or a denial."""
    return any(literal in children(node) for node in walk(formula) if isinstance(node, And | Or | Not))
