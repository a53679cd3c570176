"""Past-time monitors for Ogma, read back and run by an evaluator of our own; stlcg++ run for real."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction

import pytest

from assent.errors import FragmentError
from assent.logic import read
from assent.logic.ast import (
    Always,
    And,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Until,
)
from assent.logic.dense import dense_robustness
from assent.logic.export import export
from assent.logic.semantics import Trace, holds
from assent.logic.timescale import reach_of

Row = dict[str, float | bool]


def bounded(rng: random.Random, depth: int, *, nexts: bool = True) -> Formula:
    if depth == 0:
        return Prop(rng.choice("ab"))
    one, other = (bounded(rng, depth - 1, nexts=nexts) for _ in range(2))
    low = rng.randint(0, 2)
    within = Interval(Fraction(low), Fraction(low + rng.randint(0, 2)))
    kinds: list[Formula] = [
        Not(one),
        And((one, other)),
        Or((one, other)),
        Implies(one, other),
        Iff(one, other),
        Always(one, within),
        Eventually(one, within),
        Until(one, other, within),
        *([Next(one)] if nexts else []),
    ]
    return rng.choice(kinds)


# ---- a reader and evaluator of past-time text ---------------------------------------------------------------------

_TOKEN = re.compile(r"[HO]\[<=\d+\]|<->|->|<=|>=|!=|[\w.]+|\S")


def past_truth(text: str, rows: list[Row]) -> list[bool]:
    """The truth of a bracketed past-time formula at each step; yesterday of the first step is false."""
    tokens = _TOKEN.findall(text)
    at = 0

    def take() -> str:
        nonlocal at
        at += 1
        return tokens[at - 1]

    def term() -> list[float | bool]:
        token = take()
        if token == "(":
            value = joined()
            assert take() == ")"
            return value
        if token == "!":
            return [not x for x in term()]
        if token in ("TRUE", "FALSE"):
            return [token == "TRUE"] * len(rows)
        if token == "Y":
            return [False, *term()[:-1]]
        if found := re.fullmatch(r"([HO])(?:\[<=(\d+)\])?", token):
            inner, back = term(), int(found[2]) if found[2] else len(rows)
            quantify = all if found[1] == "H" else any
            return [quantify(inner[max(0, t - back) : t + 1]) for t in range(len(rows))]
        if re.fullmatch(r"[\d.]+", token):
            return [float(token)] * len(rows)
        return [row[token] for row in rows]

    def joined() -> list[float | bool]:
        value = term()
        while tokens[at] != ")":
            op, other = take(), term()
            value = [_OPERATORS[op](x, y) for x, y in zip(value, other, strict=True)]
        return value

    value = term()
    assert at == len(tokens), tokens[at:]
    return [bool(x) for x in value]


_OPERATORS = {
    "&": lambda x, y: x and y,
    "|": lambda x, y: x or y,
    "->": lambda x, y: (not x) or y,
    "<->": lambda x, y: x == y,
    ">": lambda x, y: x > y,
    "<=": lambda x, y: x <= y,
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
}


def random_rows(rng: random.Random, count: int) -> list[Row]:
    return [{"a": rng.random() < 0.6, "b": rng.random() < 0.5} for _ in range(count)]


def trace_of(rows: list[Row]) -> Trace:
    return Trace(tuple(frozenset(Prop(name) for name, value in row.items() if value) for row in rows))


def test_a_monitor_that_looks_back_says_always_as_soon_as_it_is_known() -> None:
    rng = random.Random(21)
    for _ in range(150):
        body = bounded(rng, rng.randint(1, 3))
        delay = int(reach_of(body) or 0)
        rows = random_rows(rng, delay + 6)
        made = export(Always(body), "ogma")
        found = past_truth(made.formula, rows)
        held = [holds(body, trace_of(rows), t) for t in range(len(rows) - delay)]
        wanted = [all(held[: max(0, t - delay + 1)]) for t in range(len(rows))]
        assert found == wanted, (body, made.formula)


def test_a_formula_about_the_start_is_settled_once() -> None:
    rng = random.Random(22)
    for _ in range(80):
        one, other = bounded(rng, 2), bounded(rng, 1)
        delay = int(max(reach_of(one) or 0, reach_of(other) or 0))
        rows = random_rows(rng, delay + 4)
        found = past_truth(export(And((one, other)), "ogma").formula, rows)
        assert found[-1] == (holds(one, trace_of(rows)) and holds(other, trace_of(rows)))


def test_ogma_gets_variables_types_and_one_requirement() -> None:
    made = export(read("G[2,inf)(speed - 1 <= 3.5 -> F[0,2] b)", "stl"), "ogma", instruction="be quick")
    spec = json.loads(made.text)["assentSpec"]
    assert spec["Other_variables"] == [{"name": "b", "type": "bool"}, {"name": "speed", "type": "real"}]
    (requirement,) = spec["Requirements"]
    assert requirement["fretish"] == "be quick" and requirement["ptLTL"] == made.formula
    rows: list[Row] = [{"speed": 9 if t < 3 else 1, "b": t == 5} for t in range(10)]
    assert past_truth(made.formula, rows) == [True] * 8 + [False] * 2


@pytest.mark.parametrize(
    ("target", "text", "why"),
    [
        ("ogma", "F a", "needs an end"),
        ("ogma", "G(a -> F b)", "needs an end"),
        ("ogma", "G(abs(x) < 2)", "no abs"),
        ("ogma", "G(a -> F[0,600] b)", "at most 500"),
        ("ogma", "G(O > 2)", "cannot call a signal O"),
        ("moonlight", "G X a", "dense time"),
        ("moonlight", "F[2,2] a", "an end after their beginning"),
        ("moonlight", "F[2,inf) a", "an end after their beginning"),
        ("moonlight", "a U[1,2] b", "must start at 0"),
        ("stlcg", "G a", "needs an end"),
        ("stlcg", "G[0,3](x == 2)", "inequalities only"),
    ],
)
def test_what_cannot_be_said_is_refused(target: str, text: str, why: str) -> None:
    with pytest.raises(FragmentError, match=why):
        export(read(text, "stl"), target)


@pytest.mark.peer
def test_stlcg_gives_the_same_verdict_and_margin() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed (extra: transformers)")
    pytest.importorskip("stlcgpp", reason="stlcgpp is not installed (extra: peers)")
    from assent.logic.robustness import robustness

    rng = random.Random(23)
    for _ in range(30):
        formula = bounded(rng, rng.randint(1, 3), nexts=False)
        made = export(formula, "stlcg")
        space: dict[str, object] = {}
        exec(compile(made.text, "export", "exec"), space)
        rows = random_rows(rng, int(reach_of(formula) or 0) + 2)
        signal = torch.tensor([[float(row[name]) for name in space["columns"]] for row in rows])  # type: ignore[attr-defined]
        value = float(space["phi"].robustness(signal))  # type: ignore[attr-defined]
        assert (value > 0) == holds(formula, trace_of(rows)), (formula, made.formula)
    formula = read("G[0,2](abs(x - 2 * y) <= 1.5 -> F[0,1] y > -0.25)", "stl")
    space = {}
    exec(compile(export(formula, "stlcg").text, "export", "exec"), space)
    values = {"x": [1.0, 2.0, 0.5, 3.0], "y": [0.25, 0.75, -1.0, 0.5]}
    signal = torch.tensor([[values[name][t] for name in space["columns"]] for t in range(4)])  # type: ignore[attr-defined]
    assert float(space["phi"].robustness(signal)) == pytest.approx(robustness(formula, values))  # type: ignore[attr-defined]


def in_dense_time(rng: random.Random, depth: int) -> Formula:
    if depth == 0:
        return Prop(rng.choice("ab"))
    one, other = (in_dense_time(rng, depth - 1) for _ in range(2))
    low = Fraction(rng.randint(0, 4), 4)
    within = Interval(low, low + Fraction(rng.randint(1, 6), 4))
    kinds = [Not(one), And((one, other, one)), Implies(one, other), Iff(one, other), Always(one, within)]
    early = Interval(Fraction(0), within.high)
    kinds += [
        Eventually(one, within),
        Until(one, other, early),
        Release(one, other, early),
        Until(one, other),
    ]
    return rng.choice(kinds)  # type: ignore[no-any-return]


@pytest.mark.peer
def test_moonlight_gives_the_same_margin_in_dense_time() -> None:
    pytest.importorskip("moonlight", reason="moonlight is not installed (it needs Java 21)")
    rng = random.Random(24)
    for _ in range(25):
        formula = in_dense_time(rng, rng.randint(1, 2))
        made = export(formula, "moonlight")
        space: dict[str, object] = {}
        exec(compile(made.text, "export", "exec"), space)
        times = [0.5 * k for k in range(16)]
        rows = random_rows(rng, len(times))
        values = [[float(row[name]) for name in space["columns"]] for row in rows]  # type: ignore[attr-defined]
        found = space["monitor"].monitor(times, values)[0][1]  # type: ignore[attr-defined]
        steps = {name: list(zip(times, [row[name] for row in rows], strict=True)) for name in "ab"}
        assert (found > 0) == (dense_robustness(formula, steps, end=times[-1]) > 0), (formula, made.formula)
