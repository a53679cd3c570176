"""How long it takes to find out what a set of requirements says together, and how much of it is decided.

    assent bench sets                     sets of 20, 50, 100 and 200 requirements
    assent bench sets --sizes 20 --seed 3

The sets are made up: the units of a plant, each with sensors, modes and actuators, coupled by shared names, with
planted conflicts, duplicates and so on. A row a size: processor time, steps, the largest part that shares names,
requirements about which everything was decided, plants found, and findings that nobody planted. Exit code 1 if a
plant was missed or something was invented.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assent.logic.sets import Finding, Requirement

Plant = tuple[str, frozenset[str]]
"""A kind and the ids that a finding must name."""

_UNIT = (
    "G((power_on & sensor{k}) -> F[0,{n}] valve{k})",
    "G(valve{k} -> F[1,{m}] flow{k})",
    "G(level{k} > {c} -> G[0,{n}] pump{k})",
    "G((pump{k} & level{k} < {d}) -> F[0,{m}] !pump{k})",
    "G(fault{k} -> X (!flow{k} U reset{k}))",
    "(!pump{k}) W ready{k}",
    "G(sensor{k} -> F[0,{w}] lamp{k})",
    "G F sensor{k}",
    "G((fault{k} & !reset{k}) -> F[0,{n}] horn{j})",
    "G(horn{k} -> G[0,3] !mute{k})",
)
"""What one unit of the plant is asked; nothing here follows from anything else."""

_PLANTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("duplicate", ("G(sensor{k} -> F[0,{n}] open{k})", "G(!sensor{k} | !G[0,{n}] !open{k})")),
    ("subsumed", ("G(sensor{k} -> F[0,{far}] near{k})", "G(sensor{k} -> F[0,{n}] near{k})")),
    (
        "redundant",
        (
            "G(start{k} -> F[0,{far}] done{k})",
            "G(start{k} -> F[0,{n}] run{k})",
            "G(run{k} -> F[0,{n}] done{k})",
        ),
    ),
    ("vacuous", ("G(leak{k} -> F[0,{n}] stop{k})", "G !leak{k}")),
    ("vacuous", ("G(press{k} -> F[0,{n}] click{k})", "G(press{k} -> G[0,{far}] !click{k})")),
    ("conflict", ("G[0,{far}] cold{k}", "F[0,{n}] (sensor{k} & !cold{k})")),
    ("conflict", ("G F tick{k}", "G(tick{k} -> F[0,{n}] tock{k})", "F G !tock{k}")),
    ("never-triggered", ("G((heat{k} > {d} & heat{k} < {c}) -> F[0,{n}] cool{k})",)),
    ("always-true", ("G(sensor{k} | F[0,{n}] !sensor{k})",)),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 50, 100, 200], metavar="N")
    parser.add_argument("--seed", type=int, default=0, help="of the made-up sets")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def made_up(count: int, seed: int) -> tuple[list[Requirement], set[Plant]]:
    """So many requirements in random order, and what was planted among them (none in sets of fewer than 20)."""
    from assent.logic.parse import read
    from assent.logic.sets import Requirement

    rng = random.Random(seed)
    units = max(1, count // len(_UNIT))
    texts: list[str] = []
    groups: list[tuple[str, list[int]]] = []
    for place, (kind, forms) in enumerate(_PLANTS if count >= 20 else ()):
        for _ in range(1 if place else max(1, count // 60)):
            if len(texts) + len(forms) > 2 * count // 3:
                break
            numbers = _numbers(rng, units, len(groups))
            groups.append((kind, list(range(len(texts), len(texts) + len(forms)))))
            texts += [form.format(**numbers) for form in forms]
    for place in range(count - len(texts)):
        unit, form = divmod(place, len(_UNIT))
        texts.append(_UNIT[form].format(**_numbers(random.Random(seed + unit), units, unit)))
    order = list(range(count))
    rng.shuffle(order)
    ids = {old: f"R{new + 1:03}" for new, old in enumerate(order)}
    plants = {(kind, frozenset(ids[old] for old in members)) for kind, members in groups}
    return [Requirement(ids[old], read(texts[old], "stl")) for old in order], plants


def _numbers(rng: random.Random, units: int, k: int) -> dict[str, int]:
    n, d = rng.randint(2, 30), rng.randint(40, 70)
    return {
        "k": k,
        "j": (k + 1) % max(1, units),
        "n": n,
        "m": rng.randint(3, 40),
        "w": rng.randint(2, 120),
        "far": 2 * n + rng.randint(1, 20),
        "d": d,
        "c": rng.randint(10, d - 10),
    }


@dataclass
class SetsRow:
    """What one set gave."""

    size: int
    seconds: float
    steps: int
    largest: int
    findings: Sequence[Finding]
    plants: set[Plant]

    @property
    def found(self) -> set[Plant]:
        return {(str(f.kind), frozenset(f.requirements)) for f in self.findings if f.decided}

    def as_json(self) -> dict[str, Any]:
        open_ones = {i for f in self.findings if not f.decided for i in f.requirements}
        return {
            "size": self.size,
            "seconds": round(self.seconds, 2),
            "steps": self.steps,
            "largest_part": self.largest,
            "share_decided": round(1 - len(open_ones) / self.size, 3),
            "planted": len(self.plants),
            "found": len(self.found & self.plants),
            "invented": len(self.found - self.plants),
        }


def measure(size: int, seed: int) -> SetsRow:
    """One set, looked at with the default budget."""
    from assent.logic.sets import Together
    from assent.logic.sets.together import default_budget

    requirements, plants = made_up(size, seed)
    budget = default_budget(size)
    start = time.thread_time()
    together = Together(requirements, budget=budget)
    findings = together.findings
    seconds = time.thread_time() - start
    largest = max(len(part.requirements) for part in together.components)
    return SetsRow(size, seconds, budget.spent(), largest, findings, plants)


def run(args: argparse.Namespace) -> int:
    rows = [measure(size, args.seed) for size in args.sizes]
    shown = [row.as_json() for row in rows]
    if args.json:
        print(json.dumps(shown))
    else:
        print("".join(f"{name.replace('_', ' '):>15}" for name in shown[0]))
        for row in shown:
            print("".join(f"{value:>15}" for value in row.values()))
    return int(any(row.found != row.plants for row in rows))
