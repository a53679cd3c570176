"""From rows that people wrote to endless training pairs: other sayings of a mark, rows joined, literals exchanged.

Nothing here invents a sentence: every frame is somebody's. A literal is exchanged only where the formula treats it as
the mark says (``faithful``), so that what is put in its place means the same in both.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from assent.errors import AssentError
from assent.lift import Lifted, tidy
from assent.lift.linear import BEYOND, MAX_PLACEHOLDERS, linearise
from assent.lift.quantities import SMALL_NUMBER_WORDS
from assent.lift.words import split
from assent.logic.ast import (
    And,
    Atom,
    Compare,
    Dist,
    Formula,
    Logic,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Signal,
    atoms,
    map_atoms,
    walk,
)
from assent.logic.dialect import check
from assent_train.written.crossing import placed
from assent_train.written.gold import GoldGroup, Item, Template
from assent_train.written.literals import exchanged, faithful, under_connective
from assent_train.written.phrases import ACTORS, JOINTS, OPENINGS, PLACES
from assent_train.written.synonyms import said_otherwise

Tokens = tuple[str, ...]
MAX_SOURCE, MAX_TARGET = 120, 90
REAL = 0.45  # share of sentences as lifting hands them over
OTHERWISE = (0.5, 0.35, 0.2)  # how often one phrase, a second, a third is said in other words
CROSSED = 0.5  # how often rows of other logics are tried for SpaTiaL
DOUBTS = 0.1  # share of sentences that no formula can say, or none with the names that lifting found
OVERLOOKED = 0.03  # share of sentences in which the words of one name stay as they are
Doubt = tuple[Logic, tuple[Item, ...]]


def held_out(domain: str) -> bool:
    """One domain in sixteen is never trained on."""
    return hashlib.sha1(domain.encode()).hexdigest()[0] == "7"


def template_of_lifted(lifted: Lifted, formula: Formula, case: str) -> Template:
    """A sentence as lifting handed it over, its placeholders named."""
    return Template(case, lifted.logic, items_of_lifted(lifted), formula, "lifted")


def items_of_lifted(lifted: Lifted) -> tuple[Item, ...]:
    """Its tokens alone."""
    named = {p: f"{'S' if p in lifted.signals else p[0]}@{name}" for p, name in lifted.names.items()}
    valued = {p: f"N@{value}" for p, value in lifted.numbers.items()}
    return tuple(named.get(t) or valued.get(t) or t for t in lifted.tokens)


class Composer:
    """Pairs drawn from ``gold`` and ``lifted`` templates; the same generator state gives the same pairs."""

    def __init__(
        self,
        gold: Sequence[Template],
        lifted: Sequence[Template],
        rng: random.Random,
        doubts: Sequence[Doubt] = (),
    ) -> None:
        self._rng = rng
        self._doubts = {logic: [items for kind, items in doubts if kind is logic] for logic in Logic}
        self._gold = {logic: [t for t in gold if t.logic is logic] for logic in Logic}
        self._lifted = {logic: [t for t in lifted if t.logic is logic] for logic in Logic}
        self._comparisons = [
            g
            for t in gold
            for g in t.items
            if isinstance(g, GoldGroup)
            and g.mark.compares
            and g.literal is not None
            and len(g.mark.names) == 1
        ]
        self._places = [
            g
            for t in gold
            for g in t.items
            if isinstance(g, GoldGroup) and g.mark.kind == "<" and g.mark.said.lower() in PLACES
        ]

    def pairs(self, logics: Sequence[Logic]) -> Iterator[tuple[Logic, Tokens, Tokens]]:
        """Endless; logics drawn at random."""
        while True:
            found = self._draw(self._rng.choice(logics))
            if found is not None:
                yield found

    def _template(self, logic: Logic) -> Template:
        real = self._lifted[logic]
        if real and self._rng.random() < REAL:
            return self._rng.choice(real)
        if logic is Logic.SPATIAL:
            return self._crossed() or self._with_other_place(self._rng.choice(self._gold[logic]))
        template = self._rng.choice(self._gold[logic])
        for _ in range(2):
            if self._rng.random() < 0.45:
                template = self._with_other_literal(template)
        return template

    def _draw(self, logic: Logic) -> tuple[Logic, Tokens, Tokens] | None:
        rng = self._rng
        if self._doubts[logic] and rng.random() < DOUBTS:
            return (
                logic,
                numbered(tidy(self._noisy(self._words(rng.choice(self._doubts[logic])))), logic)[0],
                (BEYOND,),
            )
        origin = logic
        if logic is Logic.STL and rng.random() < 0.2:
            origin = Logic.LTL
        template = self._template(origin)
        if rng.random() < OVERLOOKED and (source := self._overlooked(template)) is not None:
            return logic, numbered(tidy(self._noisy(source)), logic)[0], (BEYOND,)
        tokens, formula = self.said(template), template.formula
        if rng.random() < 0.1:
            other = self._template(origin)
            joint = rng.choice(JOINTS)
            more, second = renamed(self.said(other), other.formula, "b")
            tokens = (*_open_ended(tokens), *joint, *more)
            formula = And((formula, second))
        if rng.random() < 0.06:
            tokens = (*rng.choice(OPENINGS), *tokens)
        if rng.random() < 0.04:
            tokens = self._misread(tokens)
        for share in OTHERWISE:
            if rng.random() < share:
                tokens = said_otherwise(tokens, rng)
        if origin is not logic and any(isinstance(node, Next) for node in walk(formula)):
            logic = origin
        return finish(tidy(self._noisy(tokens)), formula, logic)

    def said(self, template: Template) -> Tokens:
        """The sentence, each of its marks in one of its sayings."""
        return self._words(template.items)

    def _words(self, items: Sequence[Item]) -> Tokens:
        out: list[str] = []
        for item in items:
            out += [item] if isinstance(item, str) else self._rng.choice(item.sayings)
        return tuple(out)

    def _overlooked(self, template: Template) -> Tokens | None:
        """The sentence with the words of one mark as they were written: what is left cannot say what was meant."""
        groups = {k: item for k, item in enumerate(template.items) if isinstance(item, GoldGroup)}
        said = [name for group in groups.values() for name in group.mark.names]
        once = [k for k, group in groups.items() if [said.count(name) for name in group.mark.names] == [1]]
        if len(set(said)) < 2 or not once:
            return None
        k = self._rng.choice(once)
        group = groups[k]
        words = tuple(word.text for word in split(group.mark.said) if word.value is None)
        return self._words((*template.items[:k], *words, *template.items[k + 1 :]))

    def _misread(self, tokens: Tokens) -> Tokens:
        """Lifting takes the one who acts for something it knows, which the formula rightly leaves out."""
        actors = [k for k, token in enumerate(tokens) if token in ACTORS]
        if not actors:
            return tokens
        k = self._rng.choice(actors)
        return (
            *tokens[:k],
            f"{'O' if any(t[:2] == 'O@' for t in tokens) else 'P'}@misread",
            *tokens[k + 1 :],
        )

    def _noisy(self, tokens: Tokens) -> list[str]:
        """People forget commas and articles, and full stops at the end."""
        rng = self._rng
        roll = rng.random()
        out = list(tokens)
        if roll < 0.06:
            out = [t for t in out if t != "," or rng.random() < 0.4]
        elif roll < 0.12:
            out = [t for t in out if t not in ("the", "a", "an") or rng.random() < 0.5]
        elif roll < 0.22 and out[-1] == ".":
            out.pop()
        elif roll < 0.26 and out[-1] != ".":
            out.append(".")
        return out

    def _with_other_literal(self, template: Template) -> Template:
        groups = [k for k, item in enumerate(template.items) if faithful(template, item)]
        if not groups:
            return template
        k = self._rng.choice(groups)
        group = template.items[k]
        assert isinstance(group, GoldGroup) and group.literal is not None
        made = self._instead(template, group, group.literal)
        if made is None:
            return template
        sayings, literal = made
        formula = exchanged(template.formula, group.literal, literal)
        items = (
            *template.items[:k],
            replace(group, sayings=sayings, literal=literal),
            *template.items[k + 1 :],
        )
        return replace(template, items=items, formula=formula)

    def _instead(
        self, template: Template, group: GoldGroup, literal: Formula
    ) -> tuple[tuple[Tokens, ...], Formula] | None:
        """Another literal, or a compound one, with how it is said."""
        rng = self._rng
        roll = rng.random()
        if roll < 0.25 and not group.mark.compares:
            name = group.mark.names[0]
            if isinstance(literal, Not):
                return ((f"P@{name}",),), Prop(name)
            return (("not", f"P@{name}"),), Not(Prop(name))
        if roll < 0.6 and template.logic is Logic.STL:
            return self._comparison()
        if under_connective(template.formula, literal) or any(
            t in ("and", "or", "nor", "either", "both", "neither") for t in _around_group(template, group)
        ):
            return None
        other_words, other = (
            self._comparison() if template.logic is Logic.STL and roll < 0.75 else self._fresh()
        )
        first, second = rng.choice(group.sayings), rng.choice(other_words)
        if rng.random() < 0.6:
            words = rng.choice(
                ((*first, "and", *second), ("both", *first, "and", *second), (*first, ",", "and", *second))
            )
            return (words,), And((literal, other))
        words = rng.choice(
            ((*first, "or", *second), ("either", *first, "or", *second), (*first, "or", "else", *second))
        )
        return (words,), Or((literal, other))

    def _fresh(self) -> tuple[tuple[Tokens, ...], Formula]:
        name = f"x{self._rng.randrange(10**6)}"
        if self._rng.random() < 0.3:
            return (("not", f"P@{name}"),), Not(Prop(name))
        return ((f"P@{name}",), ("the", f"P@{name}")), Prop(name)

    def _comparison(self) -> tuple[tuple[Tokens, ...], Formula]:
        """A comparison of the gold rows under a new name; a proposition where none of them compares."""
        if not self._comparisons:
            return self._fresh()
        group = self._rng.choice(self._comparisons)
        assert group.literal is not None
        mark = f"x{self._rng.randrange(10**6)}"
        words, literal = renamed(self._rng.choice(group.sayings), group.literal, mark)
        return (words,), literal

    def _crossed(self) -> Template | None:
        """A frame of another logic, said of places."""
        frames = self._gold[self._rng.choice((Logic.LTL, Logic.STL))]
        if not frames or not self._places or self._rng.random() > CROSSED:
            return None
        tried = (placed(self._rng.choice(frames), self._places, self._rng) for _ in range(4))
        return next((template for template in tried if template is not None), None)

    def _with_other_place(self, template: Template) -> Template:
        if not self._places or self._rng.random() > 0.5:
            return template
        marks = [
            item.mark for item in template.items if isinstance(item, GoldGroup) and item.mark.kind == "<"
        ]
        fit = [
            k
            for k, item in enumerate(template.items)
            if isinstance(item, GoldGroup)
            and item.mark.kind == "<"
            and item.mark.said.lower() in PLACES
            and sum(m.means.lstrip("!") == item.mark.means.lstrip("!") for m in marks) == 1
        ]
        if not fit:
            return template
        k = self._rng.choice(fit)
        old = template.items[k]
        new = self._rng.choice(self._places)
        assert isinstance(old, GoldGroup)
        relation, wanted = old.mark.means, new.mark.means
        if relation.startswith("!") != wanted.startswith("!"):
            return template
        changed: dict[Atom, Formula] = {
            atom: Relation(wanted.lstrip("!"), atom.args)
            for atom in atoms(template.formula)
            if isinstance(atom, Relation) and atom.name == relation.lstrip("!")
        }
        if not changed or any(isinstance(a, Relation) and len(a.args) != 2 for a in changed):
            return template
        items = (*template.items[:k], new, *template.items[k + 1 :])
        return replace(template, items=items, formula=map_atoms(template.formula, changed))


def _open_ended(tokens: Tokens) -> Tokens:
    return tokens[:-1] if tokens and tokens[-1] in (".", "!", ";") else tokens


def _around_group(template: Template, group: GoldGroup) -> list[str]:
    """The words next to a group."""
    k = next(i for i, item in enumerate(template.items) if item is group)
    near: Sequence[Item] = (*template.items[max(0, k - 2) : k], *template.items[k + 1 : k + 3])
    return [item for item in near if isinstance(item, str)]


def renamed(tokens: Tokens, formula: Formula, mark: str) -> tuple[Tokens, Formula]:
    """Both with other names, so that two rows can stand side by side."""

    def fresh(atom: Atom) -> Formula:
        match atom:
            case Prop(name):
                return Prop(f"{mark}_{name}")
            case Compare(Signal(name), op, right):
                return Compare(Signal(f"{mark}_{name}"), op, right)
            case Compare(Dist(a, b), op, right):
                return Compare(Dist(f"{mark}_{a}", f"{mark}_{b}"), op, right)
            case Relation(name, args):
                return Relation(name, tuple(f"{mark}_{arg}" for arg in args))
        return atom

    words = tuple(f"{t[:2]}{mark}_{t[2:]}" if t[:2] in ("P@", "O@", "S@") else t for t in tokens)
    return words, map_atoms(formula, {atom: fresh(atom) for atom in atoms(formula)})


def finish(tokens: Sequence[str], formula: Formula, logic: Logic) -> tuple[Logic, Tokens, Tokens] | None:
    """Placeholders counted by first mention; None where the formula says what the sentence does not mention."""
    source, names, numbers = numbered(tokens, logic)
    try:
        check(formula, logic)
        target = linearise(formula, names, numbers)
    except AssentError:
        return None
    if (
        max(len(names), len(numbers)) > MAX_PLACEHOLDERS
        or len(source) > MAX_SOURCE
        or len(target) > MAX_TARGET
    ):
        return None
    return logic, source, target


def numbered(tokens: Sequence[str], logic: Logic) -> tuple[Tokens, dict[str, str], dict[Fraction, str]]:
    """The tokens with placeholders for ``P@name`` and the like, and what stands for what."""
    names: dict[str, str] = {}
    numbers: dict[Fraction, str] = {}
    counts: dict[str, int] = {}
    out: list[str] = []
    for token in tokens:
        if token[1:2] != "@":
            out.append(token)
        elif token[0] == "N":
            out.append(_number(Fraction(token[2:]), numbers, logic))
        else:
            kind = "O" if token[0] == "O" else "P"
            if token[2:] not in names:
                counts[kind] = counts.get(kind, 0) + 1
                names[token[2:]] = f"{kind}{counts[kind]}"
            placeholder = names[token[2:]]
            out.append(f"S{placeholder[1:]}" if token[0] == "S" else placeholder)
    return tuple(out), names, numbers


def _number(value: Fraction, numbers: dict[Fraction, str], logic: Logic) -> str:
    if value == 0:
        return "0"
    if logic is Logic.LTL and value.denominator == 1 and 0 < value < len(SMALL_NUMBER_WORDS):
        return SMALL_NUMBER_WORDS[int(value)]
    return numbers.setdefault(value, f"N{len(numbers) + 1}")
