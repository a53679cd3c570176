"""Formulas said in plain English with their real names: paraphrases, groups of them, and named pairs."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.errors import FormulaError, UsageError
from assent.lift.linear import delinearise, linearise
from assent.logic.ast import Compare, Constant, Dist, Formula, Logic, Prop, Relation, Signal, children, walk
from assent_train.corpus.formulas import Sampler
from assent_train.corpus.names import DOMAINS, OBJECTS, REGIONS, NamedFact
from assent_train.corpus.part import SpeechPart
from assent_train.corpus.requirements import Requirements
from assent_train.corpus.speech import Speech
from assent_train.corpus.trees import Tree, is_placeholder, prefix, renumber, tree_of

_TRIES = 40  # draws per wanted paraphrase before giving up
_GAPS = re.compile(r" ([,.;:?])")


class NamedFacts(SpeechPart):
    """Propositions as clauses of their own: by their facts, or by their names."""

    lifted = False

    def __init__(self, speech: Speech, facts: Mapping[str, NamedFact]) -> None:
        super().__init__(speech)
        self.facts = facts

    def present(self, name: str, mood: str) -> str:
        fact = self.facts.get(name)
        if fact is None:
            verb = {"is": ("holds", "is true"), "bare": ("holds", "")}.get(
                mood, ("must hold", "must be true", "has to hold")
            )
            return f"{name} {self.pick(verb)}"
        return f"{fact.subject} {self._verb_of(mood)} {fact.state}"

    def absent(self, name: str, mood: str) -> str:
        fact = self.facts.get(name)
        if fact is None:
            verb = {"is": ("does not hold", "is false"), "bare": ("is false", "does not hold")}.get(
                mood, ("must not hold", "must be false")
            )
            return f"{name} {self.pick(verb)}"
        if fact.opposite and self.roll() < 0.5:
            return f"{fact.subject} {self._verb_of(mood)} {fact.opposite}"
        return f"{fact.subject} {'is not' if mood in {'is', 'bare'} else 'must not be'} {fact.state}"

    def _verb_of(self, mood: str) -> str:
        if mood in {"is", "bare"}:
            return "is"
        return self.words("verb_of") if mood == "stay" else self.words("verb_of_demand")

    def amid(self, tree: Tree, mood: str, when: str) -> str:
        return f"{when} {self.speech.literal(tree, mood)}"


def plain(rng: random.Random, casual: bool, facts: Mapping[str, NamedFact]) -> Requirements:
    """Requirements with real names; ``facts`` may be empty."""
    return Requirements(rng, casual, lambda speech: NamedFacts(speech, facts))


def finish(text: str, words: Mapping[str, str]) -> str:
    """Placeholders replaced, spaces before punctuation closed, a capital and a full stop."""
    said = " ".join(words.get(token, token) for token in text.split())
    said = re.sub(r"\b(the) the\b", r"\1", said).replace("isnt", "is not")
    said = re.sub(r"\bn't\b", "not", re.sub(r" '?s (?=[a-z])", " is ", said))
    said = _GAPS.sub(r"\1", said).strip(" ,;:")
    if not said.endswith("."):
        said += "."
    names = {name for placeholder, name in words.items() if placeholder[0] == "P"}
    return said if said.split()[0].rstrip("?,;:.") in names else said[0].upper() + said[1:]


def _maps(formula: Formula) -> tuple[dict[str, str], dict[Fraction, str]]:
    """Placeholders for the names and numbers of a formula."""
    names: dict[str, str] = {}
    numbers: dict[Fraction, str] = {}

    def name(text: str, kind: str) -> None:
        names.setdefault(text, f"{kind}{1 + sum(value[0] == kind for value in names.values())}")

    def number(value: Fraction | None) -> None:
        if value:
            numbers.setdefault(value, f"N{len(numbers) + 1}")

    for node in walk(formula):
        match node:
            case Prop(text):
                name(text, "P")
            case Compare(Signal(text), _, Constant(value)):
                name(text, "P")
                number(value)
            case Compare(Dist(a, b), _, Constant(value)):
                name(a, "O")
                name(b, "O")
                number(value)
            case Relation(_, args):
                for arg in args:
                    name(arg, "O")
            case _ if children(node):
                within = getattr(node, "within", None)
                if within is not None:
                    number(within.low)
                    number(within.high)
            case _:
                pass
    return names, numbers


def say(formula: Formula, rng: random.Random, *, facts: Mapping[str, NamedFact] | None = None) -> str:
    """A formula as an English requirement, with its own names and numbers.

    Raises FragmentError for what the corpus has no words for (constants, arithmetic).
    """
    names, numbers = _maps(formula)
    tree = tree_of(linearise(formula, names, numbers))
    words = {placeholder: number_text(value) for value, placeholder in numbers.items()}
    known = {}
    for text, placeholder in names.items():
        words[placeholder] = text.replace("_", " ") if placeholder[0] == "O" else text
        if facts and text in facts:
            known[placeholder] = facts[text]
    return finish(plain(rng, rng.random() < 0.3, known).sentence(tree), words)


def number_text(value: Fraction) -> str:
    """A number as people write it: 12, 0.5."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def paraphrases(formula: Formula, n: int = 5, seed: int = 0) -> list[str]:
    """Up to ``n`` different wordings of one formula; fewer where the corpus knows no more."""
    if n < 1:
        raise UsageError(f"the number of paraphrases must be at least 1, not {n}")
    rng = random.Random(seed)
    found: dict[str, None] = {}
    for _ in range(_TRIES * n):
        found.setdefault(say(formula, rng))
        if len(found) == n:
            break
    return list(found)


@dataclass(frozen=True, slots=True)
class NamedPair:
    """An English requirement with real names, its formula, and the domain its names come from."""

    text: str
    formula: Formula
    logic: Logic
    domain: str


def named_pairs(seed: int, *, logic: Logic | None = None) -> Iterator[NamedPair]:
    """Endless named pairs; the same seed gives the same pairs."""
    rng = random.Random(f"named/{seed}/{logic}")
    while True:
        kind = logic or rng.choice(tuple(Logic))
        formula, domain, facts = named_formula(rng, kind)
        yield NamedPair(say(formula, rng, facts=facts), formula, kind, domain)


def groups(
    seed: int, *, size: int = 3, logic: Logic | None = None
) -> Iterator[tuple[Formula, tuple[str, ...]]]:
    """Endless paraphrase groups: one formula, ``size`` different sentences."""
    rng = random.Random(f"groups/{seed}/{logic}")
    while True:
        kind = logic or rng.choice(tuple(Logic))
        formula, _, facts = named_formula(rng, kind)
        found = dict.fromkeys(say(formula, rng, facts=facts) for _ in range(2 * size))
        if len(found) >= size:
            yield formula, tuple(found)[:size]


def named_formula(rng: random.Random, logic: Logic) -> tuple[Formula, str, Mapping[str, NamedFact]]:
    """A random requirement over one of our domains."""
    while True:
        tree = Sampler(rng, logic.value, comparisons=False).requirement()
        tokens = prefix(tree)
        used, target = renumber(tokens, tokens)
        kinds = {kind: sorted({t for t in used if is_placeholder(t) and t[0] == kind}) for kind in "PON"}
        domain = rng.choice(tuple(DOMAINS)) if logic is not Logic.SPATIAL else "objects"
        pool: Sequence[str] = OBJECTS + REGIONS if domain == "objects" else [f.name for f in DOMAINS[domain]]
        placed = kinds["P"] + kinds["O"]
        if len(placed) > len(pool):
            continue
        names = dict(zip(placed, rng.sample(list(pool), len(placed)), strict=True))
        values = sorted(rng.sample(range(1, 90), len(kinds["N"])))
        numbers = {token: Fraction(value) for token, value in zip(_in_order(used), values, strict=True)}
        try:
            formula = delinearise(target, names, numbers)
        except FormulaError:  # a number used twice may close an interval before it opens
            continue
        return formula, domain, {fact.name: fact for fact in DOMAINS.get(domain, ())}


def _in_order(tokens: Sequence[str]) -> list[str]:
    """Numbers by first mention, so that growing values make every interval open to the right."""
    return list(dict.fromkeys(token for token in tokens if token[0] == "N" and is_placeholder(token)))
