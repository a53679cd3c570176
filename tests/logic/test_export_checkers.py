"""SystemVerilog assertions, Spin and Storm: read by the real tools, and found to say what the formula says."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from assent.errors import FragmentError
from assent.logic import read
from assent.logic.ast import (
    FALSE,
    TRUE,
    Always,
    And,
    Compare,
    Constant,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Signal,
    Until,
    WeakUntil,
    temporal_count,
)
from assent.logic.equivalence import equivalent, valid
from assent.logic.export import export
from assent.logic.semantics import Trace, holds
from assent.logic.testing import random_formula

# ---- SystemVerilog assertions ------------------------------------------------------------------------------------

_BINARY = {"and": And, "or": Or, "implies": Implies, "iff": Iff, "s_until": Until, "until": WeakUntil}
_UNARY = {"not": Not, "s_nexttime": Next, "always": Always, "s_eventually": Eventually}
_TOKEN = re.compile(r"\[\d+:\d+\]|1'b[01]|<=|>=|==|!=|[\w.]+|\S")


def read_sva(text: str) -> Formula:
    """Strictly: every operator stands in brackets of its own."""
    tokens = _TOKEN.findall(text)
    at = 0

    def take() -> str:
        nonlocal at
        at += 1
        return tokens[at - 1]

    def go() -> Formula:
        nonlocal at
        token = take()
        if token != "(":
            return {"1'b1": TRUE, "1'b0": FALSE}.get(token, Prop(token))
        if tokens[at] in _UNARY:
            kind = _UNARY[take()]
            within = ()
            if found := re.fullmatch(r"\[(\d+):(\d+)\]", tokens[at]):
                at += 1
                within = (Interval(Fraction(found[1]), Fraction(found[2])),)
            node = kind(go(), *within)
        elif tokens[at + 1] in ("<", ">", "<=", ">="):
            node = Compare(Signal(take()), take(), Constant(Fraction(take())))  # type: ignore[arg-type]
        else:
            parts, ops = [go()], []
            while tokens[at] != ")":
                ops.append(take())
                parts.append(go())
            assert len(set(ops)) == 1
            kind = _BINARY[ops[0]]
            node = kind(tuple(parts)) if kind in (And, Or) else kind(*parts)  # type: ignore[arg-type, assignment]
        assert take() == ")"
        return node

    formula = go()
    assert at == len(tokens)
    return formula


def sva_samples() -> list[Formula]:
    rng = random.Random(11)
    made = [random_formula(rng, "ltl", operators=rng.randint(1, 6), atoms=3) for _ in range(40)]
    made += [
        random_formula(rng, "stl", operators=rng.randint(1, 4), atoms=3, max_bound=5, comparisons=False)
        for _ in range(40)
    ]
    return [*made, read("G((a & speed > 3.5) -> F[0,4] b)", "stl")]


def test_sva_says_the_same() -> None:
    for formula in sva_samples():
        try:
            made = export(formula, "sva")
        except FragmentError:
            continue
        back = read_sva(made.formula)
        assert equivalent(back, formula, steps=30_000_000).verdict == "equal", (formula, made.formula)


@pytest.mark.peer
def test_slang_compiles_every_assertion() -> None:
    pyslang = pytest.importorskip("pyslang", reason="pyslang is not installed (extra: peers)")
    words = Prop("always"), Prop("clk"), Prop("Füße")
    hard = [
        Always(Or((*words, Compare(Signal("wire"), "<=", Constant(Fraction(-3, 2)))))),
        read("G(abs(x - 2 * y) <= 0.5 -> F[0,3] z)", "stl"),
        read("F[0,3] dist(cup, box) <= 0.5 & G leftOf(cup, box)", "spatial"),
    ]
    for formula in [*sva_samples(), *hard]:
        text = export(formula, "sva", instruction="said").text
        unit = pyslang.ast.Compilation()
        unit.addSyntaxTree(pyslang.syntax.SyntaxTree.fromText(text))
        assert not [d.code for d in unit.getAllDiagnostics() if d.isError()], text


# ---- Spin --------------------------------------------------------------------------------------------------------


def test_spin_refuses_what_it_has_no_word_for() -> None:
    for text in ("G(a -> X b)", "F[0,5] a"):
        with pytest.raises(FragmentError, match="neither next nor time"):
            export(read(text, "stl"), "spin")


def test_spin_gets_an_environment_only_of_few_propositions() -> None:
    many = Always(Or(tuple(Prop(f"p{k}") for k in range(9))))
    made = export(many, "spin")
    assert made.text.count("d_step") == 1 and any("of your own" in note for note in made.notes)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120)


@pytest.mark.peer
def test_spin_finds_a_violation_exactly_if_the_formula_is_not_valid(tmp_path: Path) -> None:
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        pytest.skip("spin and gcc are not installed (Debian packages spin, gcc)")
    texts = [
        "F G a -> G F a",
        "G F a -> F G a",
        "(a R b) -> b",
        "(a M b) -> F a",
        "G(a -> F b)",
        "!(a U b) -> G !b",
    ]
    formulas = [read(text, "ltl") for text in (*texts, "(a W b) -> (a | b)", "(a <-> b) -> F !a")]
    seen = set()
    for number, formula in enumerate(formulas):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "model.pml").write_text(export(formula, "spin", instruction="x").text)
        run(folder, "spin", "-a", "model.pml")
        run(folder, "gcc", "-O0", "-w", "-o", "pan", "pan.c")
        errors = int(re.search(r"errors: (\d+)", run(folder, "./pan", "-a").stdout)[1])  # type: ignore[index]
        right = valid(formula).answer
        seen.add(right)
        assert (errors == 0) == right, formula
    assert seen == {True, False}


# ---- Storm -------------------------------------------------------------------------------------------------------

COINS = """dtmc
module coins
  a : bool init false;
  b : bool init false;
  [] true -> 0.25:(a'=false)&(b'=false) + 0.25:(a'=true)&(b'=false)
    + 0.25:(a'=false)&(b'=true) + 0.25:(a'=true)&(b'=true);
endmodule
label "a" = a;
label "b" = b;
"""


@pytest.mark.peer
def test_storm_gives_a_formula_about_coins_the_share_of_words_on_which_it_is_true(tmp_path: Path) -> None:
    stormpy = pytest.importorskip("stormpy", reason="stormpy is not installed (extra: peers)")
    file = tmp_path / "coins.prism"
    file.write_text(COINS)
    program = stormpy.parse_prism_program(str(file))
    letters = [Prop("a"), Prop("b")]
    states = [
        frozenset(p for p, on in zip(letters, bits, strict=True) if on) for bits in product((0, 1), repeat=2)
    ]
    words = [Trace((frozenset(), *rest), 3) for rest in product(states, repeat=3)]
    for text in (
        "F[1,2] (a & b)",
        "G[1,2](a -> F[0,1] b)",
        "a U[1,3] b",
        "(!b) U[0,2] (a & X b)",
        "G[0,2](a <-> !b)",
        "F[2,3] a -> b",
    ):
        formula = read(text, "stl")
        made = export(formula, "storm")
        asked = made.formula.replace("P>=1", "P=?")
        properties = stormpy.parse_properties(asked, program)
        model = stormpy.build_model(program, properties)
        found = stormpy.model_checking(model, properties[0]).get_value(model.initial_states[0])
        assert found == pytest.approx(sum(holds(formula, word) for word in words) / len(words), abs=1e-9), (
            text
        )


@pytest.mark.peer
def test_storm_reads_every_property() -> None:
    stormpy = pytest.importorskip("stormpy", reason="stormpy is not installed (extra: peers)")
    rng = random.Random(13)
    for _ in range(40):
        formula = random_formula(rng, "ltl", operators=rng.randint(1, 6), atoms=3)
        if temporal_count(formula):
            assert len(stormpy.parse_properties(export(formula, "storm").formula)) == 1
