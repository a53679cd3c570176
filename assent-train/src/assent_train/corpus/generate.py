"""The front door: endless pairs of placeholder English and prefix formula, reproducible by seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from assent.lift import tidy
from assent.logic.ast import Logic
from assent_train.corpus.counting import Missions
from assent_train.corpus.formulas import Sampler
from assent_train.corpus.idioms import Idioms
from assent_train.corpus.lifted import LiftedWriter
from assent_train.corpus.plan_brief import Brief
from assent_train.corpus.plan_shapes import Planner
from assent_train.corpus.plan_words import Plans
from assent_train.corpus.requirements import Requirements
from assent_train.corpus.runs import Runs
from assent_train.corpus.trees import Tree, prefix, renumber, tier

STYLES = ("lifted", "letters", "runs", "formal", "casual")
MAX_SOURCE = 140
MAX_TARGET = 110
MAX_PLACEHOLDERS = 12  # of each kind, as in lifting
IDIOMS = 0.25  # share of set phrases among requirements

# How often each style is drawn, by logic.
_SHARES = {
    Logic.LTL: ("lifted",) * 6 + ("letters",) * 6 + ("runs",) * 3 + ("formal",) * 4 + ("casual",) * 4,
    Logic.STL: ("lifted",) * 6 + ("formal",) * 4 + ("casual",) * 4,
    Logic.SPATIAL: ("formal",) * 3 + ("casual",) * 2,
}
_LOGICS = (Logic.LTL,) * 9 + (Logic.STL,) * 8 + (Logic.SPATIAL,) * 6

# What the lifter makes of words (see ``assent.lift.words``); "''s" is the one it leaves as it is.
_OPENED = {
    "''s": "'s",
    "isn't": "is not",
    "isnt": "is not",
    "aren't": "are not",
    "doesn't": "does not",
    "don't": "do not",
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "n't": "not",
    "s": "is",
    "'s": "is",
    "–": "-",
    "sec": "seconds",
    "secs": "seconds",
    "minutes": "seconds",
    "ms": "seconds",
    "t": "not",
    "isn": "is",
    "mustn't": "must not",
    "shouldn't": "should not",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence in placeholder tokens (no logic tag) and its formula in prefix tokens."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    logic: Logic
    style: str
    tier: str
    family: str


def pairs(seed: int, *, logic: Logic | None = None, style: str | None = None) -> Iterator[Pair]:
    """Endless pairs; the same seed and choice give the same pairs."""
    rng = random.Random(f"{seed}/{logic}/{style}")
    while True:
        pair = _draw(rng, logic, style)
        if pair is not None:
            yield pair


def _draw(rng: random.Random, logic: Logic | None, style: str | None) -> Pair | None:
    kind = logic or rng.choice(_LOGICS)
    shares = _SHARES[kind]
    if style is not None and style not in shares:
        if logic is not None:
            raise ValueError(
                f"style {style!r} is not spoken in {kind.value}; styles: {', '.join(sorted(set(shares)))}"
            )
        return None
    manner = style or rng.choice(shares)
    text, tree, family = _say(rng, kind, manner)
    target = prefix(tree)
    source = tidy(tokens(text, rng))
    if len(source) > MAX_SOURCE or len(target) > MAX_TARGET:
        return None
    try:
        words, formula = renumber(source, target)
    except KeyError:
        return None
    if _too_many(formula):
        return None
    return Pair(words, formula, kind, manner, tier(tree), family)


def _say(rng: random.Random, logic: Logic, style: str) -> tuple[str, Tree, str]:
    if style == "lifted":
        text, tree, family = LiftedWriter(rng, logic is Logic.STL).sentence()
        if (
            family not in {"short", "fixed"} and rng.random() < 0.15
        ):  # brackets around names are often left out
            text = text.replace("( P", "P").replace(" )", "")
        return text, tree, family
    if style == "letters":
        return Missions(rng).sentence()
    if style == "runs":
        return Runs(rng).sentence()
    if logic is Logic.SPATIAL:
        tree = Planner(rng, logic.value).requirement()
        if style == "casual" and rng.random() < 0.65:
            return Brief(rng, True).sentence(tree), tree, "note"
        return Plans(rng, style == "casual").sentence(tree), tree, "plan"
    if rng.random() < IDIOMS:
        return *Idioms(rng, style == "casual", logic is Logic.STL).idiom(), "idiom"
    wanted = rng.choice(("D2", "D3", "D3", "D4", "D4", "D4"))
    for _ in range(3):
        tree = Sampler(rng, logic.value).requirement()
        if tier(tree) == wanted:
            break
    return Requirements(rng, style == "casual").sentence(tree), tree, "requirement"


def tokens(text: str, rng: random.Random | None = None) -> list[str]:
    """Tokens as lifting leaves them: contractions opened, time units unified; with ``rng``, a little noise."""
    out: list[str] = []
    for word in text.split():
        if out and out[-1] == word and word != "." and not word[0].isupper():
            continue  # "the the", ", ,"
        out.extend(_OPENED[word].split() if word in _OPENED else (word,))
    if out and out[0] == ",":
        out = out[1:]
    if rng is not None:
        roll = rng.random()
        if roll < 0.04:  # people forget commas
            out = [w for w in out if w != "," or rng.random() < 0.5]
        elif roll < 0.055 and len(out) > 4:  # ... and letters
            i = rng.randrange(len(out))
            if out[i] in {"the", "a", "an", "is", "be"}:
                del out[i]
    return out


def _too_many(formula: tuple[str, ...]) -> bool:
    return any(t[0] in "PON" and t[1:].isdigit() and int(t[1:]) > MAX_PLACEHOLDERS for t in formula)


def words(count: int = 300_000, seed: int = 77) -> set[str]:
    """The source words of a sample large enough to hold all but the rarest."""
    return {token for pair in islice(pairs(seed), count) for token in pair.source}
