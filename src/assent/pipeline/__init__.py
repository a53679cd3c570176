"""From an instruction to a decision: collect evidence, decide on it, help where there is no formula."""

from assent.pipeline.collect import collect
from assent.pipeline.collector import Collector
from assent.pipeline.selective import SelectiveTranslator

__all__ = ["Collector", "SelectiveTranslator", "collect"]
