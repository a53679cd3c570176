"""Scores: nonconformity in [0, 1], higher = more suspicious.

``channels`` combines the parts (round trip, agreement, judges) into the named channels that policies use.
"""
