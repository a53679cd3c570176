"""Exports say what the formula says: read back by grammars of our own, and run by the real tools where they install."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from assent.errors import FragmentError, UsageError
from assent.logic.ast import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Logic,
    Next,
    Not,
    Or,
    Prop,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    atoms,
    map_atoms,
)
from assent.logic.equivalence import equivalent
from assent.logic.export import TARGETS, export
from assent.logic.export.other_tools import from_data, to_data
from assent.logic.parse import read
from assent.logic.semantics import Trace, holds
from assent.logic.testing import random_formula

BOUNDED = "G[0,3](p -> F[1,2] (q & !r))"


def formulas(logic: str, count: int, seed: int = 1, **kind: object) -> list[Formula]:
    rng = random.Random(seed)
    return [
        random_formula(rng, Logic(logic), operators=rng.randint(1, 6), atoms=3, **kind) for _ in range(count)
    ]  # type: ignore[arg-type]


def small_stl(count: int, seed: int = 1) -> list[Formula]:
    """Bounded formulas over propositions with small bounds, for tools that take time or space."""
    rng = random.Random(seed)

    def interval() -> Interval:
        low = rng.randint(0, 2)
        return Interval(Fraction(low), Fraction(low + rng.randint(0, 3)))

    def go(depth: int) -> Formula:
        if depth == 0:
            return Prop(rng.choice("pqr"))
        kind = rng.choice(("not", "and", "or", "implies", "iff", "always", "eventually", "until"))
        one = go(depth - 1)
        match kind:
            case "not":
                return Not(one)
            case "and":
                return And((one, go(depth - 1)))
            case "or":
                return Or((one, go(depth - 1)))
            case "implies":
                return Implies(one, go(depth - 1))
            case "iff":
                return Iff(one, go(depth - 1))
            case "always":
                return Always(one, interval())
            case "eventually":
                return Eventually(one, interval())
            case _:
                return Until(one, go(depth - 1), interval())

    return [go(rng.randint(1, 3)) for _ in range(count)]


# ---- a reader of our own for the spellings of tools that cannot be installed here ---------------------------

_COMMON = {
    "&": And,
    "|": Or,
    "->": Implies,
    "<->": Iff,
    "U": Until,
    "!": Not,
    "X": Next,
    "G": Always,
    "F": Eventually,
}
_SPELLINGS: dict[str, dict[str, object]] = {
    "spot": {**_COMMON, "R": Release, "W": WeakUntil, "M": StrongRelease, "1": TRUE, "0": FALSE},
    "nusmv": {**_COMMON, "V": Release, "TRUE": TRUE, "FALSE": FALSE},
    "prism": {**_COMMON, "=>": Implies, "<=>": Iff, "R": Release, "W": WeakUntil, "true": TRUE, "false": FALSE},
    "tulip": {**_COMMON, "&&": And, "||": Or, "[]": Always, "<>": Eventually, "True": TRUE, "False": FALSE},
    "c2po": {**_COMMON, "&&": And, "||": Or, "R": Release, "true": TRUE, "false": FALSE},
    "breach": {"and": And, "or": Or, "=>": Implies, "until": Until, "not": Not, "alw": Always, "ev": Eventually,
               "true": TRUE, "false": FALSE},
}  # fmt: skip
_TOKEN = re.compile(
    r'"[^"]*"|[A-Za-z_]\w*\[t\] > 0\.5|<=>|<->|=>|->|&&|\|\||\[\](?!\d)|<>|_?\[[\d.]+,(?:[\d.]+|inf)\]|\w+|\S'
)


def parse_tool(text: str, tool: str, names: dict[str, Atom]) -> Formula:
    """Strict: every binary operator bracketed, every unary one followed by a bracket."""
    words = _SPELLINGS[tool]
    tokens = _TOKEN.findall(text.replace("alw_", "alw _").replace("ev_", "ev _").replace("until_", "until _"))
    at = 0

    def take() -> str:
        nonlocal at
        at += 1
        return tokens[at - 1]

    def interval() -> tuple[Interval, ...]:
        nonlocal at
        found = re.fullmatch(r"_?\[([\d.]+),([\d.]+|inf)\]", tokens[at])
        if not found:
            return ()
        at += 1
        high = None if found.group(2) == "inf" else Fraction(found.group(2))
        return (Interval(Fraction(found.group(1)), high),)

    def go() -> Formula:
        nonlocal at
        token = take()
        if token == "(":
            parts, ops = [go()], []
            while tokens[at] != ")":
                ops.append((words[take()], interval()))
                parts.append(go())
            take()
            if not ops:
                return parts[0]
            kind, within = ops[0]
            assert all(op == ops[0] for op in ops)
            if kind in (And, Or):
                return kind(tuple(parts))  # type: ignore[operator, no-any-return]
            assert len(parts) == 2
            return kind(*parts, *within)  # type: ignore[operator, no-any-return]
        if token in words:
            kind = words[token]
            if kind in (TRUE, FALSE):
                return kind  # type: ignore[return-value]
            within = interval()
            return kind(go(), *within)  # type: ignore[operator, no-any-return]
        return names[token.strip('"').removesuffix("[t] > 0.5")]

    formula = go()
    assert at == len(tokens), tokens[at:]
    return formula


@pytest.mark.parametrize("tool", ["spot", "nusmv", "tulip", "prism"])
def test_ltl_tools_say_the_same(tool: str) -> None:
    for formula in formulas("ltl", 120):
        made = export(formula, tool)
        text = made.formula.removeprefix("P>=1 [ ").removesuffix(" ]")
        back = parse_tool(text, tool, {name: read(said, "ltl") for name, said in made.atom_map.items()})  # type: ignore[misc]
        assert equivalent(back, formula).verdict == "equal", (formula, text)


@pytest.mark.parametrize("tool", ["spot", "nusmv", "tulip", "prism", "c2po", "breach"])
def test_bounded_formulas_say_the_same(tool: str) -> None:
    for formula in small_stl(60):
        made = export(formula, tool)
        text = made.formula.removeprefix("P>=1 [ ").removesuffix(" ]")
        back = parse_tool(text, tool, {name: read(said, "ltl") for name, said in made.atom_map.items()})  # type: ignore[misc]
        assert equivalent(back, formula, budget=10).verdict == "equal", (formula, text)


def test_json_goes_there_and_back() -> None:
    for logic in ("ltl", "stl", "spatial"):
        for formula in formulas(logic, 150):
            body = json.loads(export(formula, "json").text)
            assert from_data(body["formula"]) == formula
            assert to_data(formula) == body["formula"]


def test_latex_is_read_back() -> None:
    for logic in ("ltl", "stl", "spatial"):
        for formula in formulas(logic, 40):
            assert read(export(formula, "latex").formula, logic) == formula


@pytest.mark.parametrize("target", list(TARGETS))
def test_every_target_states_its_fragment_and_carries_the_instruction(target: str) -> None:
    text = {"spatial-spec": "F[0,5] (cup enclosedin box)", "spin": "G(p -> F q)"}.get(target, BOUNDED)
    logic = "spatial" if target == "spatial-spec" else "stl"
    made = export(read(text, logic), target, instruction='Keep "it"\nclosed')
    assert TARGETS[target].fragment and made.filename
    assert "Keep" in made.text
    if not made.filename.endswith(".json"):  # a comment must not run on into the next line
        assert next(line for line in made.text.splitlines() if "closed" in line).lstrip()[0] in "#-/%"


@pytest.mark.parametrize(
    ("target", "text", "why"),
    [
        ("c2po", "G p", "needs an end"),
        ("stlpy", "F p", "needs an end"),
        ("stlpy", "G[0,3] (abs(x) < 2)", "not linear"),
        ("stlpy", "G[0,3] (x * y < 2)", "multiplied"),
        ("spot", "G[0,4000] (p -> F[0,4000] q)", "too wide"),
        ("nusmv", "F[0.5,2] p", "whole"),
        ("spatial-spec", "F[0,5] p", "not the proposition"),
    ],
)
def test_what_a_target_cannot_say_is_refused_with_the_reason(target: str, text: str, why: str) -> None:
    with pytest.raises(FragmentError, match=why):
        export(read(text, "stl"), target)


def test_unknown_target() -> None:
    with pytest.raises(UsageError, match="there are spot"):
        export(Prop("p"), "prolog")


def test_names_stay_distinct_and_legal() -> None:
    made = export(And((Prop("G"), Prop("next"), Prop("p_next"), Prop("Füße"))), "nusmv")
    assert len(set(made.atom_map)) == 4
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) for name in made.atom_map)
    assert "  G : boolean" not in made.text


# ---- the real tools -------------------------------------------------------------------------------------------


def random_trace(rng: random.Random, length: int) -> Trace:
    return Trace(tuple(frozenset(Prop(n) for n in "pqr" if rng.random() < 0.5) for _ in range(length)), None)


def horizon(formula: Formula) -> int:
    own = getattr(formula, "within", None)
    ahead = int(own.high) if own is not None and own.high is not None else 0
    from assent.logic.ast import children

    return ahead + max((horizon(part) for part in children(formula)), default=0)


@pytest.mark.peer
def test_rtamt_gives_the_same_verdict() -> None:
    rtamt = pytest.importorskip("rtamt", reason="rtamt is not installed (extra: peers)")
    rng = random.Random(3)
    for formula in small_stl(40, seed=5):
        made = export(formula, "rtamt")
        trace = random_trace(rng, horizon(formula) + 2)
        spec = rtamt.StlDiscreteTimeSpecification()
        for name in made.atom_map:
            spec.declare_var(name, "float")
        spec.spec = made.formula
        spec.parse()
        data = {n: [1.0 if Prop(n) in s else 0.0 for s in trace.states] for n in made.atom_map}
        value = spec.evaluate({"time": list(range(len(trace.states))), **data})[0][1]
        assert (value > 0) == holds(formula, trace), (formula, made.formula)


@pytest.mark.peer
def test_stlpy_gives_the_same_verdict() -> None:
    pytest.importorskip("stlpy", reason="stlpy is not installed (extra: peers)")
    import numpy as np

    rng = random.Random(4)
    for formula in small_stl(40, seed=6):
        made = export(formula, "stlpy")
        space: dict[str, object] = {}
        exec(compile(made.text, "export", "exec"), space)
        trace = random_trace(rng, horizon(formula) + 2)
        rows = [[1.0 if Prop(n) in s else 0.0 for s in trace.states] for n in space["columns"]]  # type: ignore[attr-defined]
        value = float(np.asarray(space["phi"].robustness(np.array(rows), 0)).item())  # type: ignore[attr-defined]
        assert (value > 0) == holds(formula, trace), (formula, made.formula)


@pytest.mark.peer
def test_metric_temporal_logic_gives_the_same_verdict() -> None:
    mtl = pytest.importorskip("mtl", reason="metric-temporal-logic is not installed (extra: peers)")
    rng = random.Random(5)
    for formula in small_stl(60, seed=7):
        made = export(formula, "mtl")
        trace = random_trace(rng, horizon(formula) + 2)
        phi = mtl.parse(made.formula)
        data = {n: [(t, Prop(n) in s) for t, s in enumerate(trace.states)] for n in made.atom_map}
        assert bool(phi(data, quantitative=False, dt=1)) == holds(formula, trace), (formula, made.formula)


@pytest.mark.peer
def test_ltlf2dfa_accepts_the_same_words() -> None:
    parser = pytest.importorskip("ltlf2dfa.parser.ltlf", reason="ltlf2dfa is not installed (extra: peers)")
    if shutil.which("mona") is None:
        pytest.skip("ltlf2dfa needs the program mona (Debian package mona)")
    rng = random.Random(6)
    for formula in formulas("ltl", 12, seed=8):
        made = export(formula, "ltlf2dfa")
        dot = parser.LTLfParser()(made.formula).to_dfa()
        for _ in range(6):
            used = list(atoms(formula))
            word = [{a for a in used if rng.random() < 0.5} for _ in range(rng.randint(1, 5))]
            names = {name: read(said, "ltl") for name, said in made.atom_map.items()}
            letters = [{name for name, atom in names.items() if atom in state} for state in word]
            trace = Trace(tuple(frozenset(state) for state in word), None)
            assert accepts(dot, letters) == holds(formula, trace), (formula, made.formula, word)


def accepts(dot: str, word: list[set[str]]) -> bool:
    """Run the automaton that ltlf2dfa draws; its labels are Boolean formulas over the atoms."""
    final = (
        set(re.findall(r"(\d+);", dot.split("doublecircle];")[1].split("node", maxsplit=1)[0]))
        if "doublecircle" in dot
        else set()
    )
    state = re.search(r"init -> (\d+)", dot).group(1)  # type: ignore[union-attr]
    edges = re.findall(r"(\d+) -> (\d+) \[label=\"([^\"]*)\"\]", dot)
    for letter in word:
        for source, goal, label in edges:
            if source != state:
                continue
            text = label.replace("~", " not ").replace("&", " and ").replace("|", " or ")
            names = {
                n: n in letter for n in re.findall(r"[a-z][a-z0-9_]*", label) if n not in ("true", "false")
            }
            if eval(text.replace("true", "True").replace("false", "False"), {}, names):
                state = goal
                break
        else:
            return False
    return state in final


@pytest.mark.peer
def test_spatial_spec_parses_what_we_write() -> None:
    """spatial-spec needs an environment of its own (numpy < 2); ASSENT_SPATIAL_SPEC names its Python."""
    import os

    python = os.environ.get("ASSENT_SPATIAL_SPEC")
    if not python or not Path(python).exists():
        pytest.skip("spatial-spec is not installed (set ASSENT_SPATIAL_SPEC to a Python that has it)")
    texts = []
    for formula in formulas("spatial", 120):
        try:
            texts.append(export(formula, "spatial-spec").formula)
        except FragmentError:
            continue
    assert len(texts) >= 20
    code = (
        "import sys, json\nfrom spatial_spec.logic import Spatial\nspatial = Spatial(quantitative=True)\n"
        "print(json.dumps([spatial.parse(t) is not None for t in json.load(sys.stdin)]))"
    )
    done = subprocess.run(
        [python, "-c", code], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    verdicts = json.loads(done.stdout.splitlines()[-1])
    assert all(verdicts), [t for t, ok in zip(texts, verdicts, strict=True) if not ok][:3]


def test_python_snippets_compile() -> None:
    for target in ("rtamt", "stlpy", "mtl", "ltlf2dfa", "tulip"):
        compile(export(read(BOUNDED, "stl"), target, instruction="it's\nso").text, target, "exec")


def test_renaming_keeps_the_formula() -> None:
    formula = read("G (speed > 3.5 -> F[0,2] enclIn_cup)", "stl")
    made = export(formula, "spot")
    names = {name: read(said, "stl") for name, said in made.atom_map.items()}
    back = parse_tool(made.formula, "spot", names)  # type: ignore[arg-type]
    assert equivalent(map_atoms(back, {}), formula).verdict == "equal"
