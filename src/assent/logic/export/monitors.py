"""Monitors made by other tools: Copilot through Ogma (past time), stlcg++ (PyTorch), MoonLight (dense time)."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
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
    Iff,
    Implies,
    Interval,
    Negative,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    Signal,
    Term,
    Until,
    children,
    rebuild,
)
from assent.logic.export.base import (
    Export,
    Head,
    Syntax,
    Target,
    bound,
    comment,
    harmless,
    meanings,
    name_atoms,
    renamed,
)
from assent.logic.export.rewrite import fully_bounded, positive, rewrite
from assent.logic.export.stl_tools import BOOLEAN, signals, term_text, until_by_moments
from assent.logic.render import decimal, write
from assent.logic.timescale import reach_of

MAX_DELAY = 500
"""Steps that a past-time monitor may lag behind: each is a Y of its own."""

_IDENT = r"[A-Za-z][A-Za-z0-9_]*"
_OGMA_WORDS = "pre X G F Y Z H O S T V U TRUE FALSE FTP LAST xor".split()


def ogma(formula: Formula, head: Head) -> Export:
    """A component specification whose requirement looks back: it speaks of a moment as soon as its future is known."""
    for name in signals(formula):
        if not re.fullmatch(_IDENT, name) or name in _OGMA_WORDS:
            raise FragmentError(
                f"Ogma cannot call a signal {name}: letters, digits and _ only, and no operator"
            )
    names = name_atoms(formula, reserved=[*_OGMA_WORDS, *signals(formula)], legal=_IDENT)
    parts = formula.args if isinstance(formula, And) else (formula,)
    text = " & ".join(_looking_back(part, names) for part in parts)
    flags: dict[Atom, str] = {a: name for a, name in names.items() if not isinstance(a, Compare)}
    variables = [{"name": name, "type": "bool"} for name in flags.values()]
    variables += [{"name": name, "type": "real"} for name in signals(formula)]
    # Ogma writes the description into comments of the code that it makes.
    said = harmless(head.instruction or write(head.formula))
    requirement = {"name": "phi", "ptLTL": f"({text})", "CoCoSpecCode": "", "fretish": said}
    body = {
        "Functions": [],
        "Internal_variables": [],
        "Other_variables": variables,
        "Requirements": [requirement],
    }
    notes = (
        "the monitor speaks of a moment when its windows are over, that many steps later",
        *renamed(flags),
    )
    about = {"formula": write(head.formula), "notes": [*([head.time] if head.time else []), *notes]}
    whole = json.dumps({"assentSpec": body, "assentNotes": about}, indent=1)
    return Export("ogma", whole + "\n", "formula_ogma.json", f"({text})", meanings(flags), notes[:1])


def _looking_back(part: Formula, names: dict[Atom, str]) -> str:
    """``always φ`` as: so far, φ has held at every moment whose windows are over; another formula for the start."""
    body, always = part, False
    if isinstance(part, Always) and part.within.unbounded:  # G[a,inf) is always: in a steps
        low = part.within.low
        body, always = (Always(part.arg, Interval(low, low)) if low else part.arg), True
    plain = rewrite(body, {"implies", "iff", "next", "timed until"})
    fully_bounded(plain, "a monitor that looks back")
    delay = int(reach_of(plain) or 0)
    if delay > MAX_DELAY:
        raise FragmentError(
            f"the formula looks {delay} steps ahead, and a past-time monitor at most {MAX_DELAY}"
        )
    known = _before("TRUE", delay)
    start = known if always else f"({known} & (! {_before('TRUE', delay + 1)}))"
    return f"(H ({start} -> {_past(plain, delay, names)}))"


def _before(text: str, steps: int) -> str:
    return "(Y " * steps + text + ")" * steps


def _past(f: Formula, ago: int, names: dict[Atom, str]) -> str:
    """What f says of the moment so many steps ago; its future, seen from there, is past by now."""

    def at(part: Formula) -> str:
        return _past(part, ago, names)

    match f:
        case Const(value):
            return "TRUE" if value else "FALSE"
        case Prop() | Relation():
            return _before(names[f], ago)
        case Compare(left, op, right):
            sign = "=" if op == "==" else op
            return _before(f"({_ogma_term(left)} {sign} {_ogma_term(right)})", ago)
        case Not(arg):
            return f"(! {at(arg)})"
        case And(args):
            return "(" + " & ".join(map(at, args)) + ")"
        case Or(args):
            return "(" + " | ".join(map(at, args)) + ")"
        case Implies(left, right):
            return f"({at(left)} -> {at(right)})"
        case Iff(left, right):
            return f"({at(left)} <-> {at(right)})"
        case Next(arg):
            return _past(arg, ago - 1, names)
        case Always(arg, within) | Eventually(arg, within):
            inner = int(reach_of(arg) or 0)
            low, high = int(within.low), int(within.high or 0)
            word = "H" if isinstance(f, Always) else "O"
            window = f"({word}[<={high - low}] {_past(arg, inner, names)})"
            return _before(window, ago - high - inner)
        case Until(left, right, within):
            return at(until_by_moments(left, right, within, "a monitor that looks back"))
        case _:
            raise FragmentError(f"a monitor that looks back has no {type(f).__name__.lower()}")


def _ogma_term(term: Term) -> str:
    match term:
        case Signal(name):
            return name
        case Dist(a, b):
            return f"dist_{a}_{b}"
        case Constant(value):
            return decimal(value) if value >= 0 else f"(0 - {decimal(-value)})"
        case Arithmetic(op, left, right):
            return f"({_ogma_term(left)} {op} {_ogma_term(right)})"
        case Negative(arg):
            return f"(0 - {_ogma_term(arg)})"
        case Abs():
            raise FragmentError("Ogma's expressions have no abs: write two comparisons")
        case _:
            assert_never(term)


# ---- stlcg++ -----------------------------------------------------------------------------------------------------


def stlcg(formula: Formula, head: Head) -> Export:
    """A Python script that builds the formula of differentiable robustness."""
    plain = rewrite(positive(formula), {"timed until"})
    fully_bounded(plain, "stlcg++")
    names = name_atoms(formula)
    flags: dict[Atom, str] = {a: name for a, name in names.items() if not isinstance(a, Compare)}
    columns = [*signals(formula), *flags.values()]

    def margin(a: Atom) -> str:
        if isinstance(a, Prop | Relation):
            return f"s[..., {columns.index(names[a])}] - 0.5"
        if a.op in ("==", "!="):
            raise FragmentError("stlcg++ takes inequalities only")
        left, right = _torch_term(a.left, columns), _torch_term(a.right, columns)
        return f"{left} - {right}" if a.op in (">", ">=") else f"{right} - {left}"

    def go(f: Formula) -> str:
        match f:
            case Prop() | Compare() | Relation():
                return f"GreaterThan(Predicate({write(f)!r}, lambda s: {margin(f)}), 0.0)"
            case Not(Prop() | Compare() | Relation() as inner):
                return f"Negation({go(inner)})"
            case And(args) | Or(args):
                word = "And" if isinstance(f, And) else "Or"
                text = go(args[-1])
                for arg in reversed(args[:-1]):
                    text = f"{word}({go(arg)}, {text})"
                return text
            case Always(arg, within) | Eventually(arg, within):
                span = f"[{int(within.low)}, {int(within.high or 0)}]"
                return f"{type(f).__name__}({go(arg)}, interval={span})"
            case Until(left, right, within):
                return go(until_by_moments(left, right, within, "stlcg++"))
            case _:
                raise FragmentError(f"stlcg++ has no {type(f).__name__.lower()}")

    text = go(plain)
    least = int(reach_of(plain) or Fraction(0)) + 1
    notes = (BOOLEAN, f"a signal needs at least {least} samples", "strict and weak inequalities are the same")
    script = (
        f"{comment('#', head, (*notes, *renamed(flags)))}from stlcgpp.formula import (\n"
        "    Always,\n    And,\n    Eventually,\n    GreaterThan,\n    Negation,\n    Or,\n    Predicate,\n)\n\n"
        f"columns = {columns!r}  # of the signal, in this order\nphi = {text}\n"
        f"# phi.robustness(signal) for a float tensor of shape [time, {len(columns)}]\n"
    )
    return Export("stlcg", script, "formula_stlcg.py", text, meanings(flags), notes)


def _torch_term(term: Term, columns: list[str]) -> str:
    match term:
        case Signal(name):
            return f"s[..., {columns.index(name)}]"
        case Dist(a, b):
            return f"s[..., {columns.index(f'dist_{a}_{b}')}]"
        case Constant(value):
            return f"({float(value)!r})"
        case Arithmetic(op, left, right):
            return f"({_torch_term(left, columns)} {op} {_torch_term(right, columns)})"
        case Negative(arg):
            return f"(-{_torch_term(arg, columns)})"
        case Abs(arg):
            return f"({_torch_term(arg, columns)}).abs()"
        case _:
            assert_never(term)


# ---- MoonLight ---------------------------------------------------------------------------------------------------

_MOONLIGHT = Syntax(
    {"not": "!", "and": "&", "or": "|", "implies": "->", "always": "globally", "eventually": "eventually",
     "until": "until", "true": "true", "false": "false"},
    lambda within: f" [{bound(within.low)}, {bound(within.high)}]",
    spaced=True,
)  # fmt: skip
_MOONLIGHT_WORDS = (
    "signal space edges domain formula type real int bool boolean minmax globally eventually until since historically "
    "once somewhere everywhere escape reach surround true false abs min max if else in locations phi"
).split()


def moonlight(formula: Formula, head: Head) -> Export:
    """A Python script that loads the formula into MoonLight, whose signals keep a value until the next one."""
    plain = rewrite(_dense(formula), {"implies", "timed until", "from"})
    names = name_atoms(formula, reserved=[*_MOONLIGHT_WORDS, *signals(formula)])
    for name in signals(formula):
        if not re.fullmatch(_IDENT, name) or name in _MOONLIGHT_WORDS:
            raise FragmentError(
                f"MoonLight cannot call a signal {name}: letters, digits and _ only, and no keyword"
            )

    def atom(a: Atom) -> str:
        if isinstance(a, Compare):
            if a.op == "!=":
                raise FragmentError("MoonLight has no !=")
            return f"({term_text(a.left)} {a.op} {term_text(a.right)})"
        return f"({names[a]} > 0.5)"

    text = _MOONLIGHT.show(_in_pairs(plain), atom)
    flags: dict[Atom, str] = {a: name for a, name in names.items() if not isinstance(a, Compare)}
    columns = [*signals(formula), *flags.values()]
    declared = " ".join(f"real {name};" for name in columns)
    notes = (BOOLEAN, "dense time: each value lasts until the next one")
    script = (
        f"{comment('#', head, (*notes, *renamed(flags)))}from moonlight import ScriptLoader\n\n"
        f"columns = {columns!r}  # of the values, in this order\n"
        f"script = ScriptLoader.loadFromText({f'signal {{ {declared} }} domain minmax; formula phi = {text};'!r})\n"
        "script.setMinMaxDomain()\nmonitor = script.getMonitor('phi')\n"
        "# monitor.monitor(times, values) for times that start at 0 and one list of values a time\n"
    )
    return Export("moonlight", script, "monitor_moonlight.py", text, meanings(flags), notes)


def _dense(f: Formula) -> Formula:
    """Release by its definition; what MoonLight cannot say in dense time is refused."""
    parts = tuple(_dense(part) for part in children(f))
    node = rebuild(f, parts) if parts else f
    match node:
        case Next():
            raise FragmentError("next has no meaning in dense time")
        case Release(left, right, within):
            node = Not(_dense(Until(Not(left), Not(right), within)))
        case Until() if node.within.low:
            raise FragmentError(
                "MoonLight's until forgets its left side before the window: the window must start at 0"
            )
        case _:
            pass
    for part in (node, *children(node)):
        within = getattr(part, "within", EVER)
        if within != EVER and (within.high is None or within.high == within.low):
            raise FragmentError("MoonLight takes windows with an end after their beginning, or none at all")
    return node


def _in_pairs(f: Formula) -> Formula:
    """And and or of two parts each."""
    parts = tuple(_in_pairs(part) for part in children(f))
    match f:
        case And() | Or() if len(parts) > 2:
            return type(f)((parts[0], _in_pairs(type(f)(parts[1:]))))
        case _:
            return rebuild(f, parts) if parts else f


TARGETS = (
    Target(
        "ogma", "Copilot, through Ogma", "bounded formulas, and always of them, as past-time monitors", ogma
    ),
    Target("stlcg", "stlcg++", "bounded STL with inequalities", stlcg),
    Target(
        "moonlight",
        "MoonLight",
        "STL in dense time; windows that end after they begin, until from 0",
        moonlight,
        sampled=False,
    ),
)
