"""Model checkers and automata tools: Spot, NuSMV/nuXmv, PRISM, TuLiP, LTLf2DFA."""

from __future__ import annotations

import shlex

from assent.logic.ast import EVER, Always, Atom, Eventually, Formula, Next, Release, Until, walk
from assent.logic.export.base import (
    Export,
    Head,
    Syntax,
    Target,
    bound,
    comment,
    meanings,
    name_atoms,
    renamed,
)
from assent.logic.export.rewrite import rewrite, unroll

_UNTIMED = frozenset(("iff", "implies", "next", "release"))


def _timed(formula: Formula) -> bool:
    timed = Always | Eventually | Until | Release
    return any(isinstance(node, timed) and node.within != EVER for node in walk(formula))


def untimed(formula: Formula, has: frozenset[str]) -> Formula:
    """Intervals unrolled into next, then only the operators that the tool has."""
    plain = unroll(formula) if _timed(formula) else formula
    return rewrite(plain, has | {"timed", "timed until", "from"})


_SPOT = Syntax(
    {"not": "!", "and": "&", "or": "|", "implies": "->", "iff": "<->", "next": "X", "always": "G", "eventually": "F",
     "until": "U", "release": "R", "weak": "W", "strong": "M", "true": "1", "false": "0"}
)  # fmt: skip


def spot_text(formula: Formula) -> tuple[str, dict[Atom, str]]:
    """A formula as Spot and the synthesis tools read it, and the names of its atoms (no word of Spot's)."""
    plain = untimed(formula, _UNTIMED | {"weak", "strong"})
    names = name_atoms(formula, reserved=("true", "false", "xor", *"GFXURWMV"))
    return _SPOT.show(plain, lambda atom: names[atom]), names


def spot(formula: Formula, head: Head) -> Export:
    plain = untimed(formula, _UNTIMED | {"weak", "strong"})
    names = name_atoms(formula)
    text = _SPOT.show(plain, lambda atom: f'"{names[atom]}"')
    script = f"{comment('#', head, renamed(names))}ltl2tgba {shlex.quote(text)}\n"
    return Export("spot", script, "formula.sh", text, meanings(names))


_NUSMV = Syntax({**_SPOT.ops, "release": "V", "true": "TRUE", "false": "FALSE"})
_NUSMV_WORDS = (
    "MODULE DEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC COMPUTE NAME INVARSPEC "
    "FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF COMPWFF IN MIN MAX MIRROR PRED "
    "PREDICATES process array of boolean integer real word word1 bool signed unsigned extend resize sizeof uwconst "
    "swconst EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF EBG ABG case esac mod next init union in xor xnor "
    "self TRUE FALSE count abs max min W R M"
).split()


def nusmv(formula: Formula, head: Head) -> Export:
    plain = untimed(formula, _UNTIMED)
    names = name_atoms(formula, reserved=_NUSMV_WORDS)
    text = _NUSMV.show(plain, lambda atom: names[atom])
    variables = "".join(f"  {name} : boolean;\n" for name in names.values())
    body = f"MODULE main\nVAR\n{variables or '  unused : boolean;' + chr(10)}LTLSPEC {text}\n"
    model = comment("--", head, renamed(names)) + body
    return Export("nusmv", model, "formula.smv", text, meanings(names))


_PRISM = Syntax(
    {"not": "!", "and": "&", "or": "|", "implies": "=>", "iff": "<=>", "next": "X ", "always": "G", "eventually": "F",
     "until": "U", "release": "R", "weak": "W", "true": "true", "false": "false"},
    lambda within: f"[{bound(within.low)},{bound(within.high)}]",
)  # fmt: skip
_PRISM_WORDS = (
    "A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards endsystem false "
    "formula filter func F global G init invariant I int label max mdp min module X nondeterministic observable "
    "observables of Pmax Pmin P pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S stochastic system true U "
    "W"
).split()


def prism(formula: Formula, head: Head) -> Export:
    plain = rewrite(formula, {"iff", "implies", "next", "release", "weak", "timed until"})
    names = name_atoms(formula, reserved=_PRISM_WORDS)
    text = f"P>=1 [ {_PRISM.show(plain, lambda atom: chr(34) + names[atom] + chr(34))} ]"
    labels = "".join(f'label "{name}" = {name};\n' for name in names.values())
    top = comment("//", head, renamed(names))
    return Export("prism", f"{top}{labels}{text}\n", "formula.props", text, meanings(names))


_TULIP = Syntax(
    {"not": "!", "and": "&&", "or": "||", "implies": "->", "iff": "<->", "next": "X", "always": "[]",
     "eventually": "<>", "until": "U", "true": "True", "false": "False"}
)  # fmt: skip


def tulip(formula: Formula, head: Head) -> Export:
    plain = untimed(formula, frozenset(("iff", "implies", "next")))
    names = name_atoms(formula, legal=r"[A-EH-QSTV-WYZa-z_][A-Za-z0-9_]*", reserved=("true", "false", "next"))
    text = _TULIP.show(plain, lambda atom: names[atom])
    script = (
        f"{comment('#', head, renamed(names))}"
        f"from tulip.spec import parser\n\nformula = {text!r}\ntree = parser.parse(formula)\nprint(tree)\n"
    )
    return Export("tulip", script, "formula_tulip.py", text, meanings(names))


_LTLF = Syntax(
    {"not": "!", "and": "&", "or": "|", "implies": "->", "iff": "<->", "next": "X", "always": "G", "eventually": "F",
     "until": "U", "release": "R", "true": "true", "false": "false"}
)  # fmt: skip


def ltlf2dfa(formula: Formula, head: Head) -> Export:
    if any(isinstance(node, Next) for node in walk(formula)) or _timed(formula):
        finite = "over finite traces: next means that a next moment exists"
    else:
        finite = "over finite traces"
    plain = untimed(formula, frozenset(("iff", "implies", "next", "release")))
    names = name_atoms(
        formula, lower=True, legal=r"[a-z][a-z0-9_]*", prefix="p_", reserved=("true", "false", "last")
    )
    text = _LTLF.show(plain, lambda atom: names[atom])
    script = (
        f"{comment('#', head, (finite, *renamed(names)))}"
        "from ltlf2dfa.parser.ltlf import LTLfParser\n\n"
        f"formula = LTLfParser()({text!r})\nprint(formula.to_dfa())  # needs MONA\n"
    )
    return Export("ltlf2dfa", script, "formula_ltlf.py", text, meanings(names), (finite,))


TARGETS = (
    Target("spot", "Spot", "LTL; bounded intervals are unrolled into X", spot),
    Target("nusmv", "NuSMV and nuXmv", "LTL; bounded intervals are unrolled into X", nusmv),
    Target("prism", "PRISM", "LTL with F[a,b], G[a,b], U[a,b] inside P>=1", prism),
    Target("tulip", "TuLiP", "LTL; bounded intervals are unrolled into X", tulip),
    Target("ltlf2dfa", "LTLf2DFA", "LTL over finite traces; bounded intervals are unrolled into X", ltlf2dfa),
)
