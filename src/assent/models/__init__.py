"""Models: one small protocol, everything else wraps it (see ``base``)."""

from __future__ import annotations

from assent.models.base import Answer, Compared, Message, Model, Prompt, Sampling, call_key, close
from assent.models.cache import Cache
from assent.models.cached import Cached
from assent.models.command import CommandModel
from assent.models.function import FunctionModel
from assent.models.ledger import Budget, Ledger, Metered, Prices
from assent.models.limits import Limited, Limits
from assent.models.recorded import RecordedModel
from assent.models.retry import Patience, Retrying

__all__ = [
    "Answer",
    "Budget",
    "Cache",
    "Cached",
    "CommandModel",
    "Compared",
    "FunctionModel",
    "Ledger",
    "Limited",
    "Limits",
    "Message",
    "Metered",
    "Model",
    "Patience",
    "Prices",
    "Prompt",
    "RecordedModel",
    "Retrying",
    "Sampling",
    "call_key",
    "close",
    "stack",
]


def stack(
    model: Model,
    *,
    cache: Cache | None = None,
    patience: Patience | None = None,
    limits: Limits | None = None,
    ledger: Ledger | None = None,
    prices: Prices | None = None,
    split: bool = True,
    compared: Compared = "model",
) -> Cached:
    """A model with everything around it: cache, retries, limits and ledger, from the outside in."""
    ledger = ledger or Ledger()
    metered = Metered(model, ledger, prices or Prices())
    patient = Retrying(Limited(metered, limits or Limits()), patience or Patience())
    return Cached(patient, cache or Cache(), ledger=ledger, split=split, compared=compared)
