"""A model with everything around it."""

from __future__ import annotations

from assent.models.base import Compared, Model
from assent.models.cache import Cache
from assent.models.cached import Cached, Store
from assent.models.limits import Bucket, Limited, Limits
from assent.models.retry import Patience, Retrying
from assent.models.spending import Metered, Prices, Spending


def stack(
    model: Model,
    *,
    cache: Store | None = None,
    patience: Patience | None = None,
    limits: Limits | None = None,
    spending: Spending | None = None,
    prices: Prices | None = None,
    split: bool = True,
    compared: Compared = "model",
    buckets: tuple[Bucket, Bucket] | None = None,
) -> Cached:
    """A model with everything around it: cache, retries, limits and spending, from the outside in."""
    spending = spending or Spending()
    metered = Metered(model, spending, prices or Prices())
    patience = patience or Patience()
    limited = Limited(metered, limits or Limits(), patience=patience, buckets=buckets)
    patient = Retrying(limited, patience)
    return Cached(patient, cache or Cache(), spending=spending, split=split, compared=compared)
