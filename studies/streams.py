"""Streams of instructions for the gate: fixed random samples of distinct sentences, no formula, no label."""

from __future__ import annotations

import random
from dataclasses import dataclass

import sources

SEED = 20260101
SAMPLE = 300
"""Distinct sentences of a stream at most: a third each for the gate's reference, its calibration and its test."""
AWAY = 100
"""Distinct sentences of a shifted stream at most."""

FAMILIES = {
    "visits": ("visit", "sequenced_visit", "ordered_visit", "strictly_ordered_visit", "patrolling"),
    "avoidance": ("global_avoidance", "lower_restricted_avoidance", "upper_restricted_avoidance",
                  "exact_restricted_avoidance", "future_avoidance", "past_avoidance"),
    "reactions": ("delayed_reaction", "prompt_reaction", "bound_delay", "wait"),
}  # fmt: skip
"""Lang2LTL's patterns by kind."""
TIERS = ("D2", "D3", "D4")
LEAST = 60
"""Sentences that a stream must have to be a calibration stream."""


@dataclass(frozen=True)
class Shift:
    """A gate calibrated on ``home`` meets ``away``; ``kind`` is the heading that it counts under."""

    kind: str
    home: str
    away: str


def sample(texts: list[str], size: int = SAMPLE) -> list[str]:
    """Distinct sentences in random order, the same for the same stream."""
    found = sorted(set(texts))
    random.Random(SEED).shuffle(found)
    return found[:size]


def streams() -> dict[str, list[str]]:
    """Every stream that this machine has data for, by name."""
    found: dict[str, list[str]] = {}
    for logic in ("ltl", "stl", "spatial"):
        found[f"bench {logic}"] = [row["text"] for row in sources.rows_of(sources.BENCH / f"{logic}.jsonl")]
    folder = sources.SHARED / "data"
    if folder.is_dir():
        nl2tl = sources.rows_of(folder / "nl2tl_lifted.jsonl")
        for logic in ("ltl", "stl"):
            mine = [row for row in nl2tl if row["logic"] == logic]
            found[f"nl2tl {logic}"] = [row["text"] for row in mine]
            for tier in TIERS:
                found[f"nl2tl {logic} {tier}"] = [row["text"] for row in mine if row["group"] == tier]
        lang2ltl = sources.rows_of(folder / "lang2ltl_utterances.jsonl")
        found["lang2ltl"] = [row["text"] for row in lang2ltl]
        for family, patterns in FAMILIES.items():
            found[f"lang2ltl {family}"] = [row["text"] for row in lang2ltl if row["group"] in patterns]
        for pattern in sorted({row["group"] for row in lang2ltl}):
            found[f"lang2ltl {pattern}"] = [row["text"] for row in lang2ltl if row["group"] == pattern]
            found[f"lang2ltl but {pattern}"] = [row["text"] for row in lang2ltl if row["group"] != pattern]
        found["uav"] = [row["text"] for row in sources.rows_of(folder / "uav_nl2stl_lifted.jsonl")]
    return {name: sample(texts) for name, texts in found.items() if texts}


def shifts(known: dict[str, list[str]]) -> list[Shift]:
    """The shifted streams of the protocol, as far as their data is here."""
    wanted = [
        Shift("tier to tier", f"nl2tl {logic} {home}", f"nl2tl {logic} {away}")
        for logic in ("ltl", "stl")
        for home in TIERS
        for away in TIERS
        if home != away
    ]
    wanted += [Shift("NL2TL to UAV", f"nl2tl {logic}", "uav") for logic in ("ltl", "stl")]
    wanted += [
        Shift("kind of pattern to kind of pattern", f"lang2ltl {home}", f"lang2ltl {away}")
        for home in FAMILIES
        for away in FAMILIES
        if home != away
    ]
    patterns = sorted(pattern for group in FAMILIES.values() for pattern in group)
    wanted += [
        Shift("pattern left out", f"lang2ltl but {pattern}", f"lang2ltl {pattern}")
        for pattern in patterns
        if len(known.get(f"lang2ltl {pattern}", ())) >= LEAST
    ]
    wanted += [Shift("LTL to SpaTiaL wording", home, "bench spatial") for home in ("bench ltl", "nl2tl ltl")]
    wanted += [
        Shift("source to source", home, away)
        for home, away in (("nl2tl ltl", "lang2ltl"), ("nl2tl ltl", "bench ltl"), ("bench ltl", "nl2tl ltl"))
    ]
    return [s for s in wanted if len(known.get(s.home, ())) >= LEAST and known.get(s.away)]


def texts_of(known: dict[str, list[str]]) -> list[str]:
    """Every sentence that has to be embedded, once, in a fixed order."""
    wanted: set[str] = set()
    for shift in shifts(known):
        wanted.update(known[shift.home], known[shift.away][:AWAY])
    return sorted(wanted)
