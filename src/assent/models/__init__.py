"""Models: one small protocol, everything else wraps it (see ``base``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.rooms import later

if TYPE_CHECKING:
    from assent.models.base import Answer, Compared, Message, Model, Prompt, Sampling, call_key, close
    from assent.models.cache import Cache
    from assent.models.cached import Cached
    from assent.models.command import CommandModel
    from assent.models.function import FunctionModel
    from assent.models.limits import Bucket, Limited, Limits
    from assent.models.recorded import RecordedModel
    from assent.models.retry import Patience, Retrying
    from assent.models.spending import Metered, Prices, Spending, SpendingLimit
    from assent.models.stacked import stack

__all__ = [
    "Answer",
    "Bucket",
    "Cache",
    "Cached",
    "CommandModel",
    "Compared",
    "FunctionModel",
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
    "Spending",
    "SpendingLimit",
    "call_key",
    "close",
    "stack",
]
__getattr__ = later(
    __name__,
    {
        **dict.fromkeys(
            ("Answer", "Compared", "Message", "Model", "Prompt", "Sampling", "call_key", "close"), "base"
        ),
        "Cache": "cache",
        "Cached": "cached",
        "CommandModel": "command",
        "FunctionModel": "function",
        **dict.fromkeys(("Bucket", "Limited", "Limits"), "limits"),
        "RecordedModel": "recorded",
        **dict.fromkeys(("Patience", "Retrying"), "retry"),
        **dict.fromkeys(("SpendingLimit", "Metered", "Prices", "Spending"), "spending"),
        "stack": "stacked",
    },
)
