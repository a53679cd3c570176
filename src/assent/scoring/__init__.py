"""Scores: nonconformity in [0, 1], higher = more suspicious.

``scores(evidence)`` gives every channel, ``doubts(evidence)`` what forbids acceptance whatever the score;
``channels`` combines the parts (round trip, agreement, judges) into the named channels that policies use.
"""

from assent.scoring.scores import doubts, parts, scores

__all__ = ["doubts", "parts", "scores"]
