"""A translator of one's own, calibrated and used: everything runs here, in a few seconds, without any service.

The translator knows three patterns and guesses the rest, as real ones do. Its samples disagree more often where it
guesses; self-consistency sees that, and calibration finds out how far it can be trusted.

    python examples/own_translator.py
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import re

from assent.calibrate.recipe import Recipe
from assent.evaluate.labels import labelled
from assent.logic.ast import Logic
from assent.pipeline import Collector, SelectiveTranslator, collect
from assent.policy.make import PolicyPlan, make_policy
from assent.prompting.translators import FunctionTranslator
from assent.records import Accepted, Evidence, Instruction

PATTERNS = {
    r"whenever (\w+), (\w+) follows": "G({0} -> F {1})",
    r"never (\w+) with (\w+)": "G !({0} & {1})",
    r"(\w+) until (\w+)": "{0} U {1}",
    r"(\w+) unless (\w+)": "{0} W {1}",  # the translator below does not know this one
}
NAMES = ("door", "alarm", "moving", "overload", "fire", "night")


def translate(text: str, logic: Logic, number: int | None) -> str:
    """Known patterns are right; anything else is a guess, another one for each sample."""
    for pattern, formula in list(PATTERNS.items())[:3]:
        if found := re.fullmatch(pattern, text):
            return formula.format(*found.groups())
    names = [word for word in text.split() if word in NAMES]
    seed = hashlib.sha256(f"{text}/{number}".encode()).digest()
    return (
        random.Random(seed).choice(["G({0} | {1})", "{0} U {1}", "F({0} & {1})", "{0} W {1}"]).format(*names)
    )


def cases() -> list[Instruction]:
    """Every pattern with every pair of names, with the formula that is right."""
    pairs = [(a, b) for a in NAMES for b in NAMES if a != b]
    texts = {"whenever {}, {} follows": 0, "never {} with {}": 1, "{} until {}": 2, "{} unless {}": 3}
    formulas = list(PATTERNS.values())
    return [
        Instruction(
            id=text.format(*pair),
            text=text.format(*pair),
            logic=Logic.LTL,
            reference=formulas[place].format(*pair),
        )
        for text, place in texts.items()
        for pair in pairs
    ]


def main() -> None:
    collector = Collector(translator=FunctionTranslator(translate, name="patterns", version="1"))
    known = cases()
    random.Random(1).shuffle(known)

    async def evidence() -> list[Evidence]:
        return [await collect(collector, case) for case in known]

    data = labelled(asyncio.run(evidence()))
    print(f"{len(data)} labelled translations, {int(data.wrong.sum())} of them wrong")
    policy = make_policy(data, PolicyPlan(recipe=Recipe(alpha=0.02), channel="self_consistency"))
    selective = SelectiveTranslator(collector, {Logic.LTL: policy})
    for text in ("whenever smoke, sprinkler follows", "door unless fire"):
        decision = selective.translate(text)
        said = decision.formula if isinstance(decision, Accepted) else f"{decision.reason}: {decision.detail}"
        print(f"{text!r} -> {type(decision).__name__}: {said}")


if __name__ == "__main__":
    main()
