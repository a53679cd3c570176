"""Policies and models made by hand for the tests of the pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from assent.benchmarks.lazy import Counting
from assent.calibrate.rules import Infeasible, Threshold
from assent.logic.ast import Logic
from assent.models import FunctionModel, Prompt, Sampling
from assent.pipeline import Collector
from assent.policy.policy import GateSettings as Gate
from assent.policy.policy import Policy
from assent.prompting.judges import PromptedBackTranslator, PromptedJudge
from assent.prompting.translators import PromptedTranslator


def threshold(value: float, *, alpha: float = 0.1) -> Threshold:
    return Threshold(
        value=value, alpha=alpha, n=200, floor=0.01, kind="crc", unit="pair", accepted=0.5, risk=0.05
    )


def infeasible(alpha: float = 0.1) -> Infeasible:
    return Infeasible(reason="too few labels", alpha=alpha, n=3, floor=0.5, kind="crc", unit="pair")


def policy_for(
    made_by: Mapping[str, str],
    rules: Mapping[str, Threshold | Infeasible],
    *,
    channel: str = "fusion",
    gate: Gate | None = None,
    fallback: Mapping[str, str] | None = None,
) -> Policy:
    return Policy(
        alpha=0.1,
        rules=dict(rules),
        fingerprint=dict(made_by),
        channel=channel,
        gate=gate,
        fallback=dict(fallback or {}),
    )


def collector_for(model: Any, **more: Any) -> Collector:
    return Collector(
        translator=PromptedTranslator(model),
        back_translator=PromptedBackTranslator(model),
        judge=PromptedJudge(model),
        **more,
    )


def scripted(said: Mapping[str, Any]) -> Counting:
    """A model that answers by task: a string, a list by sample number, or an exception to raise."""

    def answer(prompt: Prompt, sampling: Sampling) -> str:
        key = "samples" if prompt.task == "translate" and sampling.temperature == 1.0 else prompt.task
        found = said[key]
        if isinstance(found, list):
            found = found[sampling.first % len(found)]
        if isinstance(found, Exception):
            raise found
        if isinstance(found, dict):
            return msgspec.json.encode({**found, "nonce": prompt.nonce}).decode()
        return str(found)

    return Counting(FunctionModel(answer, name="scripted", threads=False))


RATINGS = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")


def rated(value: int) -> dict[str, int]:
    return dict.fromkeys(RATINGS, value)


GOOD = {
    "translate": "G(a -> F b)",
    "samples": ["G(a -> F b)"] * 5,
    "back_translate": "Whenever a holds, b holds later.",
    "judge": rated(100),
}
LTL = Logic.LTL
