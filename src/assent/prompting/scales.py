"""What judges are asked to rate, by name."""

from __future__ import annotations

RATINGS = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")
"""Each from 0 to 100."""
LABELS = ("object", "spatial", "temporal", "quantifier_negation")
"""Of SpaTiaL, each one of ``LABEL_VALUES``."""
LABEL_VALUES = ("match", "partial", "mismatch")
RATING = "rating"
"""The one answer to a single question, from 0 to 100."""
