"""English over placeholders -> formula. What comes out is always a formula of the logic, or an honest nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assent.embedded.seq2seq import Hypothesis, Seq2Seq
from assent.embedded.tokens import PLACEHOLDER, TAGS
from assent.errors import AssentError
from assent.lift import Lifted
from assent.logic.ast import Formula
from assent.logic.dialect import check

BEAM = 5
# Log-probability taken off for each thing that the instruction mentions and the formula leaves out: people seldom
# mention a thing for nothing, but sometimes they do.
OMISSION = 1.5


@dataclass(frozen=True, slots=True)
class Translation:
    """One readable output: its tokens, its formula and the logarithm of its probability."""

    tokens: tuple[str, ...]
    formula: Formula
    log_p: float


def source_of(lifted: Lifted) -> tuple[str, ...]:
    """What the models read: the logic's tag, then the instruction's tokens."""
    return (TAGS[lifted.logic.value], *lifted.tokens)


def omissions(lifted: Lifted, tokens: Sequence[str]) -> int:
    """How many names and numbers of the instruction the formula leaves out."""
    mentioned = {token for token in lifted.tokens if PLACEHOLDER.fullmatch(token)}
    return len(mentioned - set(tokens))


def readable(lifted: Lifted, hypothesis: Hypothesis) -> Translation | None:
    """The hypothesis as a formula of the logic, if it is one."""
    try:
        formula = lifted.restore(hypothesis.tokens)
        check(formula, lifted.logic)
    except (AssentError, RecursionError):
        return None
    return Translation(hypothesis.tokens, formula, hypothesis.log_p)


class EmbeddedTranslator:
    """The shipped translator."""

    def __init__(self, model: Seq2Seq) -> None:
        self.model = model

    def n_best(self, instructions: Sequence[Lifted], n: int = BEAM) -> list[list[Translation]]:
        """Readable outputs, best first; an empty list where there is none."""
        beams = self.model.best([source_of(lifted) for lifted in instructions], max(n, BEAM))
        answers = []
        for lifted, beam in zip(instructions, beams, strict=True):
            found = [translation for h in beam if (translation := readable(lifted, h)) is not None]
            found.sort(key=lambda t: -(t.log_p - OMISSION * omissions(lifted, t.tokens)))
            answers.append(found[:n])
        return answers

    def samples(self, lifted: Lifted, k: int, *, seed: int) -> list[Translation | None]:
        """``k`` draws at temperature 1; None for a draw that spells no formula."""
        return [readable(lifted, h) for h in self.model.sample(source_of(lifted), k, seed=seed)]


def surprise(log_probs: Sequence[float]) -> float:
    """Mean nats a token, 0 if nothing was to be said."""
    return -math.fsum(log_probs) / len(log_probs) if log_probs else 0.0
