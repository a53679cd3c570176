"""The offline judge: how probable is a candidate under models that did not write it?

Evidence, each a number that grows with suspicion: the surprise of two English -> formula models at the
candidate and all its canonical equals, and how far another reading leads; the surprise of ALIGN's local
decisions; the noisy channel (would one have said the instruction to mean this?); names and numbers left out;
how surely the names were found, unknown words, size. A logistic rule fitted on rows apart makes one score in [0, 1]
of them. The ratings are expected agreement with what the two models would have written instead.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assent.embedded.agree import agreement, dimensions
from assent.embedded.align import Align
from assent.embedded.reverse import ReverseModel
from assent.embedded.tokens import UNKNOWN
from assent.embedded.translator import DEAREST, EmbeddedTranslator, Translation, omissions, source_of
from assent.errors import AssentError, ModelError
from assent.lift import Lifted
from assent.logic.ast import Formula, size
from assent.logic.canonical import canonical_key
from assent.samebits import exp_of, log1p_of

DIGITS = 9  # of a score, as many as thresholds have
FLOOR = -25.0  # log probability of what a model cannot even spell
FEATURES = (
    *("second", "second_lead", "first", "first_lead", "align", "align_worst", "channel", "wording"),
    *("names_left_out", "numbers_left_out", "foreign", "size", "disagreement", "grammar", "grammar_lead"),
    *("linking", "unknown"),
)


@dataclass(frozen=True, slots=True)
class EmbeddedJudgement:
    """``score`` in [0, 1], higher = more suspicious; ``agreement`` in [0, 1] by respect; what they came from."""

    score: float
    agreement: Mapping[str, float]
    evidence: Mapping[str, float]

    def ratings(self) -> dict[str, int | str]:
        """The four ratings as any judge gives them: 0-100, or match/partial/mismatch for SpaTiaL."""
        if "object" in self.agreement:
            return {
                name: "match" if value >= 0.8 else "partial" if value >= 0.4 else "mismatch"
                for name, value in self.agreement.items()
            }
        return {name: round(100 * value) for name, value in self.agreement.items()}


def read_rule(path: Path, content: bytes | None = None) -> dict[str, float]:
    """The weights of a stored rule; ``content``: what is in the file, where that has been read already."""
    try:
        weights = json.loads(path.read_bytes() if content is None else content)["weights"]
        rule = {str(name): float(value) for name, value in weights.items()}
        if not all(map(math.isfinite, rule.values())):
            raise ValueError("a weight is not a finite number")
        return rule
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"the judge's rule in {path} cannot be read: {error}") from error


class EmbeddedJudge:
    """Two translators, a reverse model, ALIGN, and the rule that weighs them."""

    def __init__(
        self,
        first: EmbeddedTranslator,
        second: EmbeddedTranslator,
        reverse: ReverseModel,
        align: Align,
        weights: Mapping[str, float],
    ) -> None:
        self._models, self._first = {"first": first, "second": second}, first
        self._reverse, self._align, self._weights = reverse, align, dict(weights)

    def judge(
        self, lifted: Lifted, formula: Formula, *, disagreement: float | None = None
    ) -> EmbeddedJudgement:
        """``disagreement``: self-consistency of the translator's samples, in [0, 1].

        Without samples it counts as complete: what nobody has said cannot agree.
        """
        tokens = _tokens(lifted, formula)
        readings = {name: model.readings(lifted) for name, model in self._models.items()}
        found = self._evidence(lifted, formula, tokens, readings)
        found["disagreement"] = 1.0 if disagreement is None else disagreement
        return EmbeddedJudgement(self.weigh(found), _expected(lifted, formula, readings, found), found)

    def weigh(self, evidence: Mapping[str, float]) -> float:
        """The rule alone: evidence in, score out."""
        total = self._weights.get("bias", 0.0)
        for name, value in evidence.items():
            total += self._weights.get(name, 0.0) * value
        return round(1.0 / (1.0 + exp_of(-max(-40.0, min(40.0, total)))), DIGITS)

    def _evidence(
        self,
        lifted: Lifted,
        formula: Formula,
        tokens: tuple[str, ...] | None,
        readings: Mapping[str, Sequence[Translation]],
    ) -> dict[str, float]:
        source, key = source_of(lifted), canonical_key(formula)
        found = {"size": log1p_of(size(formula)), "foreign": float(tokens is None)}
        rivals: list[Translation] = []
        for name, model in self._models.items():
            own = FLOOR if tokens is None else max(FLOOR, math.fsum(model.model.score([source], [tokens])[0]))
            log_mass, rival = own, None
            for reading in readings[name]:
                if canonical_key(reading.formula) == key:
                    log_mass = max(log_mass, reading.log_p)
                elif rival is None or reading.log_p > rival.log_p:
                    rival = reading
            found[name] = log1p_of(-min(0.0, log_mass))
            lead = (rival.log_p if rival else FLOOR) - log_mass
            found[f"{name}_lead"] = math.copysign(log1p_of(abs(lead)), lead)
            if rival is not None:
                rivals.append(rival)
        choices = [] if tokens is None else self._choices(source, tokens)
        found["align"] = log1p_of(math.fsum(choices)) if choices else log1p_of(10.0)
        found["align_worst"] = log1p_of(max(choices)) if choices else log1p_of(5.0)
        found.update(self._channel(source, tokens, rivals))
        found["names_left_out"], found["numbers_left_out"] = _left_out(lifted, tokens)
        costs = self._first.costs(lifted)
        own = min(DEAREST, costs.get(key, DEAREST))
        lead = own - min(
            (min(DEAREST, cost) for other, cost in costs.items() if other != key), default=DEAREST
        )
        unread = sum(word == UNKNOWN for word in self._first.model.known(source))
        found["linking"], found["unknown"] = log1p_of(max(0.0, lifted.cost)), log1p_of(unread)
        found["grammar"] = log1p_of(max(0.0, own))
        found["grammar_lead"] = math.copysign(log1p_of(abs(lead)), lead)
        return found

    def _choices(self, source: Sequence[str], tokens: Sequence[str]) -> list[float]:
        return [-value for values in self._align.score(source, tokens).values() for value in values]

    def _channel(
        self, source: Sequence[str], tokens: tuple[str, ...] | None, rivals: Sequence[Translation]
    ) -> dict[str, float]:
        """Does the instruction say a rival better than it says the candidate?"""
        if tokens is None:
            return {"channel": log1p_of(10.0), "wording": log1p_of(3.0)}
        said = self._reverse.log_probs(source, [tokens, *(rival.tokens for rival in rivals)])
        totals = [math.fsum(values) for values in said]
        lead = max(totals[1:], default=totals[0] - 5.0) - totals[0]
        wording = -totals[0] / max(1, len(said[0]))
        return {
            "channel": math.copysign(log1p_of(abs(lead)), lead),
            "wording": log1p_of(max(0.0, wording)),
        }


def _tokens(lifted: Lifted, formula: Formula) -> tuple[str, ...] | None:
    try:
        return lifted.tokens_of(formula)
    except AssentError:
        return None


def _left_out(lifted: Lifted, tokens: tuple[str, ...] | None) -> tuple[float, float]:
    if tokens is None:
        return 1.0, 1.0
    names = sum(name not in tokens for name in lifted.names)
    return float(names), float(omissions(lifted, tokens) - names)


def _expected(
    lifted: Lifted,
    formula: Formula,
    readings: Mapping[str, Sequence[Translation]],
    evidence: Mapping[str, float],
) -> dict[str, float]:
    """Mean agreement with the readings, weighed by their probability under their model."""
    totals = dict.fromkeys(dimensions(lifted.logic), 0.0)
    weight = 0.0
    for found in readings.values():
        for reading in found:
            share = exp_of(reading.log_p)
            weight += share
            for name, value in agreement(formula, reading.formula, lifted.logic).items():
                totals[name] += share * value
    if weight <= 0:
        return dict.fromkeys(totals, 0.0)
    mean = {name: total / weight for name, total in totals.items()}
    if "time_constraints" in mean and lifted.numbers:
        mean["time_constraints"] *= 1 - evidence["numbers_left_out"] / (2 * len(lifted.numbers))
    return {name: min(1.0, max(0.0, value)) for name, value in mean.items()}
