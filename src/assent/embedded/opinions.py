"""Second opinions on a reading: the reverse model (formula -> English) and the second translator.

The right formula is among the best readings far more often than it is the first. The second model tells some of these
apart: ``RerankedTranslator`` orders readings by it, too, as far as labelled rows trust it. The judge hears it again,
and the reverse model as a noisy channel; it is fitted and calibrated on readings chosen so.

The reverse model counts placeholders in the order of the formula: a back-translator never sees the instruction.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assent.embedded.scope import emptiness, says_twice
from assent.embedded.seq2seq import ByTag, Seq2Seq
from assent.embedded.tokens import PLACEHOLDER, TAGS
from assent.embedded.translator import (
    BEST,
    EmbeddedTranslator,
    Translation,
    slips,
    source_of,
)
from assent.errors import ModelError
from assent.lift import Lifted
from assent.lift.linear import linearise
from assent.logic.ast import Compare, Constant, Dist, Formula, Logic, Prop, Relation, Signal, walk


def renumbered(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both with placeholders counted by their first mention in ``first`` (then in ``second``)."""
    names: dict[str, str] = {}
    counts = {"P": 0, "O": 0, "N": 0}
    for token in (*first, *second):
        if token not in names and PLACEHOLDER.fullmatch(token):
            counts[token[0]] += 1
            names[token] = f"{token[0]}{counts[token[0]]}"
    return tuple(names.get(token, token) for token in first), tuple(
        names.get(token, token) for token in second
    )


class ReverseModel:
    """Says a formula in English, and scores how well an instruction says it."""

    def __init__(self, model: Seq2Seq) -> None:
        self.model = model

    def english(self, formula: Formula, logic: Logic) -> str:
        """The most probable sentence, names and numbers put back. FragmentError as ``linearise``."""
        names, numbers = placeholders(formula)
        tokens = linearise(formula, names, numbers)
        said = self.model.best([(TAGS[logic.value], *tokens)], 1)[0][0].tokens
        back = {placeholder: name.replace("_", " ") for name, placeholder in names.items()}
        back.update({placeholder: _decimal(value) for value, placeholder in numbers.items()})
        return _sentence(said, back)

    def log_probs(self, source: Sequence[str], formulas: Sequence[Sequence[str]]) -> list[tuple[float, ...]]:
        """Log probability of each token of the instruction (``source``, tag first), given each formula."""
        tag, text = source[0], source[1:]
        pairs = [renumbered(tokens, text) for tokens in formulas]
        return self.model.score([(tag, *tokens) for tokens, _ in pairs], [said for _, said in pairs])


def placeholders(formula: Formula) -> tuple[dict[str, str], dict[Fraction, str]]:
    """Placeholders for all names and numbers of a formula, counted in its own order."""
    names: dict[str, str] = {}
    numbers: dict[Fraction, str] = {}

    def name(kind: str, text: str) -> None:
        names.setdefault(text, f"{kind}{1 + sum(value[0] == kind for value in names.values())}")

    def number(value: Fraction | None) -> None:
        if value:
            numbers.setdefault(value, f"N{len(numbers) + 1}")

    for node in walk(formula):
        within = getattr(node, "within", None)
        if within is not None:
            number(within.low)
            number(within.high)
        match node:
            case Prop(text) | Compare(Signal(text)):
                name("P", text)
            case Compare(Dist(a, b)):
                name("O", a)
                name("O", b)
            case Relation(_, args):
                for text in args:
                    name("O", text)
        if isinstance(node, Compare) and isinstance(node.right, Constant):
            numbers.setdefault(node.right.value, f"N{len(numbers) + 1}")
    return names, numbers


def _sentence(tokens: Sequence[str], back: Mapping[str, str]) -> str:
    words: list[str] = []
    for token in tokens:
        word = back.get(token, token)
        if words and word in {",", ".", ";", ":", ")", "?", "'s"}:
            words[-1] += word
        else:
            words.append(word)
    text = " ".join(words).replace("( ", "(")
    return text[:1].upper() + text[1:]


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


FILE = "rerank.json"
CONSIDERED = 8
"""Readings that are put in order, whatever number is asked for."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each opinion counts against the translator's own; ``conventions``: what a project means by its words."""

    second: float = 0.0
    conventions: Mapping[str, float] = field(default_factory=dict)

    def merits(self, opinions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """From what ``opinions`` says of some readings: higher is better."""
        own, left_out, second = opinions
        return np.asarray((own + self.second * second) / (1 + self.second) - left_out)

    def leanings(self, lifted: Lifted, found: Sequence[Translation]) -> npt.NDArray[np.float64]:
        """What the project's conventions add to the merits of some readings."""
        if not self.conventions:
            return np.zeros(len(found))
        from assent.embedded.conventions import leaning

        return np.array([leaning(self.conventions, lifted, reading.formula) for reading in found])


def opinions(
    second: Seq2Seq | ByTag, lifted: Lifted, found: Sequence[Translation]
) -> npt.NDArray[np.float64]:
    """For each reading: its log-probability, what its slips cost, and what the second model says."""
    source = source_of(lifted)
    own = [reading.log_p for reading in found]
    left_out = [slips(lifted, reading) for reading in found]
    scored = second.score([source] * len(found), [reading.tokens for reading in found])
    return np.array((own, left_out, [math.fsum(some) for some in scored]), dtype=np.float64)


class RerankedTranslator(EmbeddedTranslator):
    """As its base, in another order."""

    def __init__(self, model: Seq2Seq | ByTag, second: Seq2Seq | ByTag, weights: Weights) -> None:
        super().__init__(model)
        self._second, self._weights = second, weights

    def weighed(
        self, instructions: Sequence[Lifted], n: int = CONSIDERED
    ) -> list[tuple[list[Translation], npt.NDArray[np.float64]]]:
        """Readings in the translator's own order, with their merits."""
        answers = []
        for lifted, found in zip(instructions, super().n_best(instructions, n), strict=True):
            merits = np.zeros(len(found))
            if found:
                merits = self._weights.merits(opinions(self._second, lifted, found))
                merits = merits + self._weights.leanings(lifted, found)
            answers.append((found, merits))
        return answers

    def n_best(self, instructions: Sequence[Lifted], n: int = BEST) -> list[list[Translation]]:
        answers = []
        for found, merits in self.weighed(instructions, max(n, CONSIDERED)):
            order = np.argsort(-merits, kind="stable")[:n]
            if n > 1 and found and 0 not in order:
                order[-1] = (
                    0  # overruled, the translator's own favourite stays a rival that the judge must see
                )
            answers.append(_meant_first([found[i] for i in order]))
        return answers


def _meant_first(found: list[Translation]) -> list[Translation]:
    """A reading that says something goes before those that say nothing, or one thing twice: nobody means these."""
    for place, reading in enumerate(found):
        if not says_twice(reading.formula) and emptiness(reading.formula) is None:
            return [reading, *found[:place], *found[place + 1 :]]
    return found


def read_weights(folder: Path, stored: bytes | None = None) -> Weights:
    """The weights in a folder of models. Missing file: zero weights, i.e. no reranking.

    ``stored``: what is in the file, where that has been read already.
    """
    path = folder / FILE
    if stored is None and not path.exists():
        return Weights()
    try:
        content = json.loads(path.read_bytes() if stored is None else stored)
        plain = Weights(float(content["second"]))
        conventions = content.get("conventions", {})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    if not 0 <= plain.second <= 10:
        raise ModelError(f"{path}: a weight between 0 and 10 is wanted, not {content}")
    if not conventions and isinstance(conventions, dict):
        return plain
    from assent.embedded.conventions import checked

    return replace(plain, conventions=checked(conventions, str(path)))
