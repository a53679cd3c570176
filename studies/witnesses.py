"""Witnesses as questions: would whoever said this accept that trace?

A judge that reads traces is not at hand, so the embedded models are asked through their readings: take the traces that
tell the candidate from each reading, and ask every reading, weighed by its probability, whether it agrees with the
candidate about the trace. The score is the largest share of disagreement over those traces.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import sources

from assent.config.build import embedded_models
from assent.embedded import Embedded
from assent.errors import AssentError
from assent.logic.ast import Formula
from assent.logic.equivalence import equivalent
from assent.logic.semantics import Trace, holds
from assent.policy.labelled import Labelled
from assent.records import parse


def scores(data: Labelled) -> list[float]:
    """One value a row in [0, 1]; cached by the version of the weights."""
    order = sorted(range(len(data)), key=lambda i: (data.rows[i].text, i))
    items = []
    for i in order:
        case, draft = data.rows[i].evidence.instruction, data.rows[i].evidence.draft
        items.append((case.logic.value, case.text, None if draft is None else draft.primary.text))
    keys = [hashlib.sha1(json.dumps(item).encode()).hexdigest() for item in items]
    found = sources.cached("witnesses", embedded_models().version, keys, items, _ask)
    by_row = dict(zip(order, found, strict=True))
    return [float(by_row[i]) for i in range(len(data))]


def _ask(items: list[tuple[str, str, str | None]]) -> list[float]:
    models = embedded_models()
    return [doubt(models, *item) for item in items]


def doubt(models: Embedded, logic: str, text: str, formula: str | None) -> float:
    """The share of the readings, by probability, that reject what the candidate says of the most telling trace."""
    if formula is None:
        return 1.0
    try:
        candidate = parse(formula, logic)
        lifted = models.lift(text, logic)
    except AssentError:
        return 1.0
    readings: dict[Any, tuple[Formula, float]] = {}
    for model in (models.translator, models.second):
        for reading in model.readings(lifted):
            tree, weight = readings.get(reading.formula, (reading.formula, 0.0))
            readings[reading.formula] = (tree, weight + math.exp(reading.log_p))
    total = sum(weight for _, weight in readings.values())
    traces = [trace for tree, _ in readings.values() if (trace := _apart(candidate, tree)) is not None]
    if not traces or total <= 0:
        return 0.0 if readings else 1.0
    return max(
        sum(weight for tree, weight in readings.values() if _says(tree, trace) != _says(candidate, trace))
        / total
        for trace in traces
    )


def _apart(one: Formula, other: Formula) -> Trace | None:
    try:
        return equivalent(one, other, budget=0.5).witness
    except AssentError:
        return None


def _says(formula: Formula, trace: Trace) -> bool:
    return holds(formula, trace)
