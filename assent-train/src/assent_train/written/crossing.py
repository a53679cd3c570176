"""Frames of one logic in another: a rule about propositions said of places, since the language of time is the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from assent.logic.ast import Formula, Logic, Not, Relation
from assent_train.written.gold import GoldGroup, Item, Template
from assent_train.written.literals import exchanged, faithful

OBJECTS = tuple("abcde")


def placed(template: Template, places: Sequence[GoldGroup], rng: random.Random) -> Template | None:
    """The row with every clause about a name as one about two things; None where a name has no clause of its own."""
    spoken = [item for item in template.items if isinstance(item, GoldGroup) and item.mark.kind == "["]
    if not spoken or not all(_is_clause(template, group) for group in spoken):
        return None
    things = rng.sample(OBJECTS, rng.randint(2, min(len(OBJECTS), len(spoken) + 1)))
    items, formula = list(template.items), template.formula
    for group in spoken:
        assert group.literal is not None
        words, literal = _clause(rng.choice(places), *rng.sample(things, 2))
        formula = exchanged(formula, group.literal, literal)
        items[items.index(group)] = replace(group, sayings=(words,), literal=literal)
    return Template(template.id, Logic.SPATIAL, tuple(items), formula, template.family)


def _is_clause(template: Template, item: Item) -> bool:
    return isinstance(item, GoldGroup) and len(item.mark.said.split()) >= 3 and faithful(template, item)


def _clause(place: GoldGroup, first: str, second: str) -> tuple[tuple[str, ...], Formula]:
    relation = place.mark.means
    atom: Formula = Relation(relation.lstrip("!"), (first, second))
    words = ("the", f"O@{first}", "is", *place.sayings[0], "the", f"O@{second}")
    return words, Not(atom) if relation.startswith("!") else atom
