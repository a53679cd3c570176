"""Short texts that cost a decider much: products of alternatives, wide windows inside wide windows, deep iffs."""

from __future__ import annotations

import random
from collections.abc import Callable

BOUNDS = (0, 0, 1, 3, 100, 999, 99_999, 500_000)
WIDTHS = (0, 1, 2, 7, 63, 800, 4_000, 400_000, 1_000_000)


def window(rng: random.Random, logic: str) -> str:
    """Nothing, an open interval, or a closed one of any width; decimal now and then."""
    if logic == "ltl" or rng.random() < 0.3:
        return ""
    low = rng.choice(BOUNDS)
    if rng.random() < 0.1:
        return f"[{low},inf]"
    high = min(low + rng.choice(WIDTHS), 999_998)
    if rng.random() < 0.1:
        return f"[{low}.{rng.randrange(1000)},{high + 1}.{rng.randrange(10 ** rng.choice([1, 3, 9]))}]"
    return f"[{low},{high}]"


def response_chains(rng: random.Random, logic: str, n: int) -> str:
    inner = "X" if logic == "ltl" else f"G{window(rng, logic)}"
    return " & ".join(f"(F{window(rng, logic)} (p{i} & {inner} p{i + 1}))" for i in range(min(n, 40)))


def untils_by_iff(rng: random.Random, logic: str, n: int) -> str:
    return " <-> ".join(f"(p{i} U{window(rng, logic)} p{i * 7 % n})" for i in range(min(n, 30) + 2))


def nested(rng: random.Random, logic: str, n: int) -> str:
    text = "p0"
    for i in range(rng.randrange(5, 70)):
        w, p = window(rng, logic), f"p{i % n}"
        text = rng.choice(
            [f"({p} U{w} ({text}))", f"(({text}) U{w} {p})", f"G{w} ({p} | {text})", f"F{w} ({p} & {text})"]
        )
    return text


def fairness(rng: random.Random, logic: str, n: int) -> str:
    return " & ".join(f"(G F p{i} -> G F p{(i * 5 + 1) % n})" for i in range(min(n, 30)))


def big_or(rng: random.Random, logic: str, n: int) -> str:
    steps = ["X ", "F ", "G ", ""] if logic == "ltl" else ["F[0,5] ", "G[2,100000] ", "F ", ""]
    part = lambda: f"{rng.choice(['', '!'])}{rng.choice(steps)}p{rng.randrange(n)}"  # noqa: E731
    return " | ".join("(" + " & ".join(part() for _ in range(8)) + ")" for _ in range(25))


def deep_iff(rng: random.Random, logic: str, n: int) -> str:
    text = "p0"
    for i in range(rng.randrange(5, 90)):
        text = f"(({text}) <-> {rng.choice('FG')}{window(rng, logic)} p{i % n})"
    return text


def thresholds(rng: random.Random, logic: str, n: int) -> str:
    if logic == "ltl":
        return fairness(rng, logic, n)
    return " & ".join(f"(F{window(rng, logic)} x > {i})" for i in range(min(95, 2 * n)))


def any_tree(rng: random.Random, logic: str, n: int) -> str:
    ops = rng.choice([["&", "|", "F", "G"], ["U", "R", "&", "|"], ["<->", "F", "G", "U"], ["U"], ["R", "U"]])

    def grow(depth: int) -> str:
        if depth == 0:
            return f"p{rng.randrange(n)}"
        op, w = rng.choice(ops), window(rng, logic)
        if op in "FG":
            return f"{op}{w} ({grow(depth - 1)})"
        return f"(({grow(depth - 1)}) {op}{w if op in 'UR' else ''} ({grow(depth - 1)}))"

    return grow(rng.choice([3, 4, 5, 6]))


FAMILIES: tuple[Callable[[random.Random, str, int], str], ...] = (
    response_chains,
    untils_by_iff,
    nested,
    fairness,
    big_or,
    deep_iff,
    thresholds,
    any_tree,
)


def hostile(seed: int) -> tuple[str, str]:
    """A logic and a formula in it, from a seed."""
    rng = random.Random(seed)
    logic = rng.choice(["ltl", "stl"])
    letters = rng.choice([1, 2, 3, 6, 13, 14, 20, 60, 95])
    return logic, FAMILIES[seed % len(FAMILIES)](rng, logic, letters)
