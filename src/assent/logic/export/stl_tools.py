"""Monitors and planners over signals: rtamt, Breach, R2U2 (C2PO), stlpy, metric-temporal-logic."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    Abs,
    Always,
    And,
    Arithmetic,
    Atom,
    Compare,
    Const,
    Constant,
    Dist,
    Eventually,
    Formula,
    Interval,
    Negative,
    Not,
    Or,
    Prop,
    Relation,
    Signal,
    Term,
    Until,
    atoms,
    walk,
)
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
from assent.logic.export.rewrite import fully_bounded, positive, rewrite
from assent.logic.render import decimal

BOOLEAN = "propositions are signals of 0 (false) and 1 (true)"


def signals(formula: Formula) -> list[str]:
    """Names of the real signals, in order of appearance."""
    found: dict[str, None] = {}

    def go(term: Term) -> None:
        match term:
            case Signal(name):
                found.setdefault(name)
            case Arithmetic(_, left, right):
                go(left)
                go(right)
            case Negative(arg) | Abs(arg):
                go(arg)
            case Dist(a, b):
                found.setdefault(f"dist_{a}_{b}")
            case Constant():
                pass
            case _:
                assert_never(term)

    for atom in atoms(formula):
        if isinstance(atom, Compare):
            go(atom.left)
            go(atom.right)
    return list(found)


def term_text(term: Term, signal: str = "{}") -> str:
    """Arithmetic with every operation bracketed; ``signal`` wraps a name."""
    match term:
        case Signal(name):
            return signal.format(name)
        case Dist(a, b):
            return signal.format(f"dist_{a}_{b}")
        case Constant(value):
            return decimal(value)
        case Arithmetic(op, left, right):
            return f"({term_text(left, signal)} {op} {term_text(right, signal)})"
        case Negative(arg):
            return f"(0 - {term_text(arg, signal)})"
        case Abs(arg):
            return f"abs({term_text(arg, signal)})"
        case _:
            assert_never(term)


def _plain(names: dict[Atom, str]) -> dict[Atom, str]:
    """The atoms that become names of their own; comparisons stay comparisons."""
    return {atom: name for atom, name in names.items() if not isinstance(atom, Compare)}


_RTAMT = Syntax(
    {"not": "not", "and": "and", "or": "or", "implies": "implies", "always": "always", "eventually": "eventually",
     "until": "until", "true": "(1 > 0)", "false": "(1 < 0)"},
    lambda within: f"[{bound(within.low)}:{bound(within.high)}]",
)  # fmt: skip
_RTAMT_WORDS = (
    "always eventually until since once historically next prev not and or implies iff xor rise fall abs sqrt exp pow "
    "abs true false input output float int long complex import from specification topic const unless within"
).split()


def rtamt_text(formula: Formula) -> tuple[str, dict[Atom, str]]:
    """The specification alone, and the name of each atom."""
    plain = rewrite(formula, {"implies", "timed until"})
    names = name_atoms(formula, reserved=_RTAMT_WORDS)

    def atom(a: Atom) -> str:
        if isinstance(a, Compare):
            op = a.op if a.op != "==" else "=="
            return f"({term_text(a.left)} {op} {term_text(a.right)})"
        return f"({names[a]} > 0.5)"

    return _RTAMT.show(plain, atom), names


def rtamt(formula: Formula, head: Head) -> Export:
    text, names = rtamt_text(formula)
    variables = [*signals(formula), *_plain(names).values()]
    declared = "".join(f"spec.declare_var({name!r}, 'float')\n" for name in variables)
    example = ", ".join(f"{name!r}: [0.0] * 10" for name in variables)
    notes = (BOOLEAN,)
    script = (
        f"{comment('#', head, (*notes, *renamed(_plain(names))))}import rtamt\n\n"
        f"spec = rtamt.StlDiscreteTimeSpecification()\n{declared}spec.spec = {text!r}\nspec.parse()\n"
        f"trace = {{'time': list(range(10)), {example}}}  # put your samples here\n"
        "print(spec.evaluate(trace))\n"
    )
    return Export("rtamt", script, "monitor_rtamt.py", text, meanings(_plain(names)), notes)


_BREACH = Syntax(
    {"not": "not", "and": "and", "or": "or", "implies": "=>", "always": "alw", "eventually": "ev", "until": "until",
     "true": "true", "false": "false"},
    lambda within: f"_[{bound(within.low)},{bound(within.high)}]",
)  # fmt: skip


def breach(formula: Formula, head: Head) -> Export:
    plain = rewrite(formula, {"implies", "timed until", "from"})
    names = name_atoms(
        formula, reserved=("alw", "ev", "until", "not", "and", "or", "true", "false", "signal", "param")
    )

    def atom(a: Atom) -> str:
        if isinstance(a, Compare):
            return f"({term_text(a.left, '{}[t]')} {a.op} {term_text(a.right, '{}[t]')})"
        return f"({names[a]}[t] > 0.5)"

    text = _infix_breach(plain, atom)
    declared = ", ".join([*signals(formula), *_plain(names).values()])
    notes = (BOOLEAN,)
    body = f"{'signal ' + declared + chr(10) if declared else ''}phi := {text}\n"
    top = comment("#", head, (*notes, *renamed(_plain(names))))
    return Export("breach", top + body, "formula.stl", text, meanings(_plain(names)), notes)


def _infix_breach(formula: Formula, atom: object) -> str:
    """Breach wants its operands in brackets and n-ary connectives nested in pairs."""
    assert callable(atom)

    def go(f: Formula) -> str:
        match f:
            case And(args) | Or(args) if len(args) > 2:
                kind = type(f)
                return go(kind((args[0], kind(args[1:]))))
            case And(args) | Or(args):
                word = "and" if isinstance(f, And) else "or"
                return f"(({go(args[0])}) {word} ({go(args[1])}))"
            case Until(left, right, within):
                return f"(({go(left)}) {_BREACH.timed('until', within)} ({go(right)}))"
            case Always(arg, within):
                return f"({_BREACH.timed('always', within)} ({go(arg)}))"
            case Eventually(arg, within):
                return f"({_BREACH.timed('eventually', within)} ({go(arg)}))"
            case Not(arg):
                return f"(not ({go(arg)}))"
            case _:
                parts = getattr(f, "left", None), getattr(f, "right", None)
                if not isinstance(f, Compare) and parts[0] is not None and parts[1] is not None:
                    return f"(({go(parts[0])}) => ({go(parts[1])}))"
                return _BREACH.show(f, atom)

    return go(formula)


_C2PO = Syntax(
    {"not": "!", "and": "&&", "or": "||", "implies": "->", "iff": "<->", "always": "G", "eventually": "F",
     "until": "U", "release": "R", "true": "true", "false": "false"},
)  # fmt: skip
_C2PO_WORDS = (
    "INPUT DEFINE STRUCT ENUM ATOMIC FTSPEC PTSPEC G F H O U R S T M xor true false bool int float foreach"
).split()


def c2po(formula: Formula, head: Head) -> Export:
    plain = rewrite(formula, {"iff", "implies", "timed until", "timed release"})
    fully_bounded(plain, "R2U2")
    _whole_bounds(plain, "R2U2")
    names = name_atoms(formula, reserved=_C2PO_WORDS)

    def atom(a: Atom) -> str:
        if isinstance(a, Compare):
            return f"({term_text(a.left)} {a.op} {term_text(a.right)})"
        return names[a]

    text = _C2PO.show(plain, atom)
    inputs = [f"  {name}: bool;" for name in _plain(names).values()]
    inputs += [f"  {name}: float;" for name in signals(formula)]
    body = "\n".join(["INPUT", *inputs, "", "FTSPEC", f"  phi: {text};", ""])
    top = comment("--", head, renamed(_plain(names)))
    return Export("c2po", top + body, "formula.c2po", text, meanings(_plain(names)), ())


def _whole_bounds(formula: Formula, tool: str) -> None:
    for node in walk(formula):
        within: Interval | None = getattr(node, "within", None)
        if within is not None and any(
            b is not None and b.denominator != 1 for b in (within.low, within.high)
        ):
            raise FragmentError(
                f"{tool} counts time in whole steps: {bound(within.low)}..{bound(within.high)}"
            )


_MTL = Syntax(
    {"not": "~", "and": "&", "or": "|", "implies": "->", "iff": "<->", "next": "X", "always": "G", "eventually": "F",
     "until": "U", "weak": "W", "true": "TRUE", "false": "FALSE"},
    lambda within: f"[{bound(within.low)}, {bound(None if within.high is None else within.high + Fraction(1, 2))}]",
)  # fmt: skip


def mtl(formula: Formula, head: Head) -> Export:
    plain = rewrite(formula, {"iff", "implies", "next", "weak", "from"})
    names = name_atoms(
        formula, lower=True, legal=r"[a-z_][a-z0-9_]*", reserved=("inf", "and", "or", "iff", "xor")
    )
    text = _MTL.show(plain, lambda atom: names[atom])
    notes = (
        "next is one time unit",
        "until wants its left side up to and at the moment of its right side only before",
    )
    script = (
        f"{comment('#', head, (*notes, *renamed(names)))}import mtl\n\nphi = mtl.parse({text!r})\n"
        f"data = {{{', '.join(f'{name!r}: [(0, False)]' for name in names.values())}}}  # put your trace here\n"
        "print(phi(data, quantitative=False, dt=1))\n"
    )
    return Export("mtl", script, "formula_mtl.py", text, meanings(names), notes)


def stlpy(formula: Formula, head: Head) -> Export:
    plain = rewrite(positive(formula), {"timed until"})
    fully_bounded(plain, "stlpy")
    _whole_bounds(plain, "stlpy")
    names = name_atoms(formula)
    columns = [*signals(formula), *_plain(names).values()]

    def predicate(a: Atom, *, negated: bool) -> str:
        if isinstance(a, Prop | Relation):
            weights, limit, flip = {names[a]: Fraction(1)}, Fraction(1, 2), negated
        else:
            weights, limit = _linear(a)
            flip = (a.op in ("<", "<=")) != negated
        sign = -1 if flip else 1
        row = [str(float(sign * weights.get(name, Fraction(0)))) for name in columns]
        return f"LinearPredicate(np.array([[{', '.join(row)}]]), np.array([{float(sign * limit)}]))"

    def go(f: Formula) -> str:
        match f:
            case Prop() | Compare() | Relation():
                return predicate(f, negated=False)
            case Not(Prop() | Compare() | Relation() as inner):
                return predicate(inner, negated=True)
            case And(args):
                return "(" + " & ".join(map(go, args)) + ")"
            case Or(args):
                return "(" + " | ".join(map(go, args)) + ")"
            case Always(arg, within):
                return f"{go(arg)}.always({bound(within.low)}, {bound(within.high)})"
            case Eventually(arg, within):
                return f"{go(arg)}.eventually({bound(within.low)}, {bound(within.high)})"
            case Until(left, right, within):
                return go(until_by_moments(left, right, within, "stlpy"))
            case Const():
                raise FragmentError("stlpy has no constants: simplify the formula first")
            case _:
                raise FragmentError(f"stlpy has no {type(f).__name__.lower()}")

    text = go(plain)
    notes = (BOOLEAN, "strict and weak inequalities are the same to a solver")
    script = (
        f"{comment('#', head, (*notes, *renamed(_plain(names))))}import numpy as np\n"
        f"from stlpy.STL import LinearPredicate\n\ncolumns = {columns!r}  # rows of the signal y, in this order\n"
        f"phi = {text}\n# phi.robustness(y, 0) for y of shape ({len(columns)}, T)\n"
    )
    return Export("stlpy", script, "formula_stlpy.py", text, meanings(_plain(names)), notes)


MAX_MOMENTS = 200
"""Widest until that is written out."""


def until_by_moments(left: Formula, right: Formula, within: Interval, tool: str) -> Formula:
    """Some moment with right, left at all moments before it. (stlpy's own until wants left at that moment, too.)"""
    low, high = int(within.low), int(within.high or 0)
    if high > MAX_MOMENTS:
        raise FragmentError(
            f"an until that reaches {high} steps is too wide for {tool} (at most {MAX_MOMENTS})"
        )
    moments: list[Formula] = []
    for t in range(low, high + 1):
        now: Formula = Eventually(right, Interval(Fraction(t), Fraction(t)))
        before = Always(left, Interval(Fraction(0), Fraction(t - 1))) if t else None
        moments.append(now if before is None else And((before, now)))
    return moments[0] if len(moments) == 1 else Or(tuple(moments))


def _linear(atom: Compare) -> tuple[dict[str, Fraction], Fraction]:
    """weights · y (op) limit; refuses what is not linear."""
    if atom.op in ("==", "!="):
        raise FragmentError("stlpy takes inequalities only")
    left, first = _weights(atom.left)
    right, second = _weights(atom.right)
    names = {*left, *right}
    return {n: left.get(n, Fraction(0)) - right.get(n, Fraction(0)) for n in names}, second - first


def _weights(term: Term) -> tuple[dict[str, Fraction], Fraction]:
    match term:
        case Signal(name):
            return {name: Fraction(1)}, Fraction(0)
        case Dist(a, b):
            return {f"dist_{a}_{b}": Fraction(1)}, Fraction(0)
        case Constant(value):
            return {}, value
        case Negative(arg):
            inner, constant = _weights(arg)
            return {n: -w for n, w in inner.items()}, -constant
        case Arithmetic("*", left, right):
            (first, c), (second, d) = _weights(left), _weights(right)
            if first and second:
                raise FragmentError("stlpy takes linear comparisons only, and here signals are multiplied")
            return ({n: w * d for n, w in first.items()} | {n: w * c for n, w in second.items()}), c * d
        case Arithmetic(op, left, right):
            (first, c), (second, d) = _weights(left), _weights(right)
            sign = 1 if op == "+" else -1
            total = {
                n: first.get(n, Fraction(0)) + sign * second.get(n, Fraction(0)) for n in {*first, *second}
            }
            return total, c + sign * d
        case Abs():
            raise FragmentError(
                "stlpy takes linear comparisons only, and abs is not linear: write two comparisons"
            )
        case _:
            assert_never(term)


TARGETS = (
    Target(
        "rtamt", "rtamt", "STL; intervals without an end are rewritten; == and != as rtamt has them", rtamt
    ),
    Target("breach", "Breach", "STL over signals", breach, sampled=False),
    Target("c2po", "R2U2 through C2PO", "mission-time LTL: every temporal operator has whole bounds", c2po),
    Target("mtl", "metric-temporal-logic", "MTL over propositions", mtl),
    Target("stlpy", "stlpy", "bounded STL with linear inequalities", stlpy),
)
