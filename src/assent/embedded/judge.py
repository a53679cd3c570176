"""The offline judge: how probable is a candidate under models that did not write it?

Evidence, each a number that grows with suspicion: the surprise of two English -> formula models at the
candidate and all its canonical equals, how far another reading leads, how many readings share the probability;
the noisy channel (would one have said the instruction to mean this?); names and numbers left out; how surely the names
were found, unknown words, size; whether ``doubts`` speak (what is doubted is withheld
anyway). A
logistic rule fitted on rows apart makes one score in [0, 1] of them. The ratings are expected agreement with what the
two models would have written instead.

Agreement is a share in [0, 1] for each respect, read off the canonical forms: each respect is a bag of small facts;
agreement is what both bags share, over what either has. LTL and STL: logical structure, temporal operators, time
constraints, overall meaning. SpaTiaL: object, spatial, temporal, quantifier_negation.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

from assent.embedded.doubts import doubts
from assent.embedded.opinions import ReverseModel
from assent.embedded.tokens import UNKNOWN
from assent.embedded.translator import (
    EmbeddedTranslator,
    Translation,
    keep,
    key_of,
    omissions,
    source_of,
)
from assent.errors import AssentError, ModelError
from assent.lift import Lifted
from assent.logic.ast import (
    EVER,
    And,
    Compare,
    Dist,
    Formula,
    Logic,
    Not,
    Or,
    Prop,
    Relation,
    children,
    rebuild,
    size,
)
from assent.logic.canonical import canonical, canonical_key
from assent.logic.render import write
from assent.prompting import dimensions
from assent.samebits import exp_of, log1p_of, log_of


@dataclass(frozen=True, slots=True)
class Profile:
    """The bags of one formula."""

    key: str
    logical: Counter[Any]
    temporal: Counter[Any]
    timed: Counter[Any]
    objects: Counter[Any]
    relations: Counter[Any]


@lru_cache(maxsize=4096)
def profile(formula: Formula) -> Profile:
    """Facts of the canonical form: negations stand on atoms only, so a path is temporal operators and joints."""
    form = canonical(formula)
    leaves: list[tuple[str, bool, tuple[tuple[str, int, int], ...]]] = []
    timed: Counter[Any] = Counter()
    objects: Counter[Any] = Counter()
    relations: Counter[Any] = Counter()
    counter = 0

    def visit(node: Formula, path: tuple[tuple[str, int, int], ...]) -> frozenset[str]:
        nonlocal counter
        sign = isinstance(node, Not)
        atom = node.arg if isinstance(node, Not) else node
        if isinstance(atom, Prop | Compare | Relation):
            names = _names(atom)
            leaves.append((" ".join(names), sign, path))
            objects[tuple(sorted(names))] += 1
            relations[write(atom)] += 1
            return frozenset(names)
        counter += 1
        here, below = counter, frozenset[str]()
        label = type(node).__name__
        for number, part in enumerate(children(node)):
            side = 0 if isinstance(node, And | Or) else number
            below |= visit(part, (*path, (label, side, here)))
        within = getattr(node, "within", EVER)
        if within != EVER:
            above = sum(label not in {"And", "Or"} for label, _, _ in path)
            timed[within.low, within.high, below, above] += 1
        return below

    visit(form, ())
    logical: Counter[Any] = Counter((text, sign) for text, sign, _ in leaves)
    temporal: Counter[Any] = Counter()
    for text, _, path in leaves:
        temporal[text, tuple((label, side) for label, side, _ in path if label not in {"And", "Or"})] += 1
    for (a, _, left), (b, _, right) in combinations(leaves[:12], 2):
        shared = [one for one, other in zip(left, right, strict=False) if one[2] == other[2]]
        label = shared[-1][0] if shared else ""
        logical[frozenset((a, b)), label if label in {"And", "Or"} else "joined"] += 1
    return Profile(canonical_key(formula), logical, temporal, timed, objects, relations)


def _names(atom: Prop | Compare | Relation) -> tuple[str, ...]:
    match atom:
        case Prop(name):
            return (name,)
        case Relation(_, args):
            return args
        case Compare(Dist(a, b)):
            return (a, b)
        case Compare():
            return (write(atom),)


def overlap(a: Counter[Any], b: Counter[Any]) -> float:
    either = sum((a | b).values())
    return sum((a & b).values()) / either if either else 1.0


def agreement(a: Formula, b: Formula, logic: Logic) -> dict[str, float]:
    """Agreement in each respect."""
    one, other = profile(a), profile(b)
    logical = overlap(one.logical, other.logical)
    temporal, timed = overlap(one.temporal, other.temporal), overlap(one.timed, other.timed)
    if one.key != other.key and min(logical, temporal, timed) == 1.0 and one.relations == other.relations:
        logical = temporal = 0.9  # the same parts, put together otherwise
    if logic is Logic.SPATIAL:
        return {
            "object": overlap(one.objects, other.objects),
            "spatial": overlap(one.relations, other.relations),
            "temporal": (temporal + timed) / 2,
            "quantifier_negation": logical,
        }
    same = 1.0 if one.key == other.key else (logical + temporal + timed) / 6
    return {
        "logical_structure": logical,
        "temporal_operators": temporal,
        "time_constraints": timed,
        "overall_meaning": same,
    }


DENIAL = 1.0
"""Logarithm of how many times as probable a reading must be, to both translators, that differs in denials alone."""
DIGITS = 9  # of a score, as many as thresholds have
FLOOR = -25.0  # log probability of what a model cannot even spell
FEATURES = (
    *("second", "second_lead", "first", "first_lead", "channel", "wording"),
    *("names_left_out", "numbers_left_out", "foreign", "size", "disagreement"),
    *("linking", "unknown", "spread", "doubted"),
)


@dataclass(frozen=True, slots=True)
class EmbeddedJudgement:
    """``score`` in [0, 1], higher = more suspicious; ``agreement`` in [0, 1] by respect; what they came from.

    ``contradicted`` in [0, 1]: how far both translators prefer another reading; no part of the score.
    """

    score: float
    agreement: Mapping[str, float]
    evidence: Mapping[str, float]
    contradicted: float = 0.0

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


_Seen: TypeAlias = tuple[dict[str, float], dict[str, float], float]
"""Evidence, agreement, contradiction."""


class EmbeddedJudge:
    """Two translators, a reverse model, and the rule that weighs them."""

    def __init__(
        self,
        first: EmbeddedTranslator,
        second: EmbeddedTranslator,
        reverse: ReverseModel,
        weights: Mapping[str, float],
    ) -> None:
        self._models, self._first = {"first": first, "second": second}, first
        self._reverse, self._weights = reverse, dict(weights)
        self._recent: dict[tuple[object, ...], _Seen] = {}

    def judge(
        self, lifted: Lifted, formula: Formula, *, disagreement: float | None = None
    ) -> EmbeddedJudgement:
        """``disagreement``: self-consistency of the translator's samples, in [0, 1].

        Without samples it is 1.0: fail closed.
        """
        seen, agreement, contradicted = self._seen(lifted, formula)
        found = {**seen, "disagreement": 1.0 if disagreement is None else disagreement}
        found["doubted"] = float(self._doubted(lifted, formula))  # not kept: it depends on more of the text
        return EmbeddedJudgement(self.weigh(found), agreement, found, contradicted)

    def _strange(self, source: Sequence[str]) -> list[str]:
        """The words that the first model has no row for."""
        known = self._first.model.known(source)
        return [word for word, form in zip(source, known, strict=True) if form == UNKNOWN]

    def _doubted(self, lifted: Lifted, formula: Formula) -> bool:
        """Whether ``doubts`` speak; without a vocabulary they are about names that nobody gave, and are not heard."""
        if lifted.proposed:
            return False
        return bool(doubts(lifted, formula, frozenset(self._strange(source_of(lifted)))))

    def _seen(self, lifted: Lifted, formula: Formula) -> _Seen:
        """What does not depend on samples; the latest are kept, since judge and second opinion look at the same."""
        key = (*key_of(lifted), lifted.cost, formula)
        known = self._recent.get(key)
        if known is None:
            tokens = _tokens(lifted, formula)
            readings = {name: model.readings(lifted) for name, model in self._models.items()}
            found, contradicted = self._evidence(lifted, formula, tokens, readings)
            known = found, _expected(lifted, formula, readings, found), contradicted
            keep(self._recent, key, known)
        return known

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
    ) -> tuple[dict[str, float], float]:
        """The evidence, and how far both translators prefer another reading."""
        source, key = source_of(lifted), canonical_key(formula)
        found = {"size": log1p_of(size(formula)), "foreign": float(tokens is None)}
        rivals: list[Translation] = []
        preferred: list[float] = []
        masses: list[float] = []
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
            preferred.append((exp_of(rival.log_p) if rival else 0.0) - exp_of(log_mass))
            masses.append(log_mass)
            if rival is not None:
                rivals.append(rival)
        found.update(self._channel(source, tokens, rivals))
        found["names_left_out"], found["numbers_left_out"] = _left_out(lifted, tokens)
        strange = self._strange(source)
        found["linking"], found["unknown"] = log1p_of(max(0.0, lifted.cost)), log1p_of(len(strange))
        found["spread"] = _spread(readings["first"])
        return found, _contradicted(formula, [*zip(readings.values(), masses, strict=True)], preferred)

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


def _spread(readings: Sequence[Translation]) -> float:
    """The entropy of the readings, as if there were no others."""
    shares = [exp_of(reading.log_p) for reading in readings]
    whole = math.fsum(shares)
    parts = [share / whole for share in shares if share > 0.0] if whole > 0.0 else []
    return -math.fsum(part * log_of(part) for part in parts) + 0.0


def _contradicted(
    formula: Formula, read: Sequence[tuple[Sequence[Translation], float]], preferred: Sequence[float]
) -> float:
    """How much more probable another reading is to both translators; 1 where both clearly prefer other denials.

    A denial more or less is a small change for a network and the greatest there is for a requirement. ``read``: what
    each translator read, and the log-probability of the formula to it.
    """
    likelier = [[r.formula for r in found if r.log_p > mass + DENIAL] for found, mass in read]
    if all(likelier):
        key = _undenied_key(formula)
        if all(any(_undenied_key(other) == key for other in others) for others in likelier):
            return 1.0
    return max(0.0, round(min(preferred), DIGITS))


def _undenied_key(formula: Formula) -> str:
    """The canonical form without its denials."""

    def bare(node: Formula) -> Formula:
        if isinstance(node, Not):
            return bare(node.arg)
        return rebuild(node, tuple(bare(part) for part in children(node)))

    return canonical_key(bare(canonical(formula)))


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
