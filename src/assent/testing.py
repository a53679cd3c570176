"""For your own tests: formulas by the thousand, and translators that answer as they are told.

from assent.testing import formulas, scripted

@given(formulas("stl"))
def test_my_exporter(formula): ...

t = scripted({"open the door": "F door_open"}, alpha=0.1)     # an assent.Translator without any model
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assent.calibrate.rules import Threshold
from assent.config.build import Assembly
from assent.door import Translator
from assent.logic.ast import Logic
from assent.logic.testing import formulas, random_formula
from assent.pipeline import Collector
from assent.policy.policy import Policy
from assent.prompting.translators import FunctionTranslator
from assent.scoring import SELF_CONSISTENCY

__all__ = ["formulas", "lenient_policy", "random_formula", "scripted"]


def scripted(
    answers: Mapping[str, str | Sequence[str]],
    *,
    logic: Logic | str = Logic.LTL,
    alpha: float = 0.1,
    limit: float = 0.0,
) -> Translator:
    """A translator that knows a few instructions by heart, under a policy that accepts up to ``limit``.

    An answer is one formula for candidate and samples, or a list: the candidate, then the samples in turn. An
    instruction that is not in ``answers`` fails, which ends in an abstention.
    """

    def answer(text: str, _: Logic, number: int | None) -> str:
        known = answers[text]
        if isinstance(known, str):
            return known
        return known[0] if number is None else known[1 + number % (len(known) - 1)]

    chosen = Logic(str(logic).lower())
    collector = Collector(translator=FunctionTranslator(answer, name="scripted"))
    policy = lenient_policy(collector.made_by(chosen), alpha=alpha, limit=limit)
    return Translator(Assembly(collector=collector, policies={chosen: policy}), chosen)


def lenient_policy(made_by: Mapping[str, str], *, alpha: float = 0.1, limit: float = 0.0) -> Policy:
    """A policy for tests: it accepts any tier up to ``limit`` on the self-consistency score, and promises nothing."""
    rule = Threshold(
        value=limit, alpha=alpha, n=1, floor=0.0, kind="crc", unit="pair", accepted=0.0, risk=0.0
    )
    return Policy(
        alpha=alpha,
        rules=dict.fromkeys(("D2", "D3", "D4"), rule),
        fingerprint=dict(made_by),
        channel=SELF_CONSISTENCY,
        any_vocabulary=True,
    )
