"""spatial-spec, LaTeX, and our own JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, assert_never

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
    Interval,
    Negative,
    Next,
    Prop,
    Relation,
    Release,
    Signal,
    Term,
    Until,
    children,
)
from assent.logic.export.base import Export, Head, Syntax, Target, bound, comment
from assent.logic.export.rewrite import rewrite
from assent.logic.render import decimal, write

_SPATIAL = Syntax(
    {
        "not": "!t",
        "and": "&",
        "or": "|",
        "implies": "->t",
        "next": "X",
        "always": "G",
        "eventually": "F",
        "until": "U",
    },
    spaced=True,
)
_INFIX = {
    **{"leftOf": "leftof", "rightOf": "rightof", "above": "above", "below": "below", "ovlp": "ovlp"},
    **{"enclIn": "enclosedin", "touch": "touch", "farFrom": "farfrom", "closeTo": "closeto"},
}


def spatial_spec(formula: Formula, head: Head) -> Export:
    """Spatial atoms are wrapped as (G[0,0] (...)): spatial-spec cannot mix bare ones with temporal operators."""
    plain = rewrite(formula, {"implies", "next", "timed until"})

    def atom(a: Atom) -> str:
        match a:
            case Relation("closerTo", (x, near, far)):
                return f"(G[0,0] ({x} closer {near} than {far}))"
            case Relation(name, (x, y)) if name in _INFIX:
                return f"(G[0,0] ({x} {_INFIX[name]} {y}))"
            case Relation(name, _):
                raise FragmentError(f"spatial-spec has no relation {name}")
            case Compare(Dist(x, y), op, Constant(value)) if op in ("<=", ">=", "=="):
                return f"(G[0,0] ({x} dist {y} {op} {decimal(value)}))"
            case Compare():
                raise FragmentError("spatial-spec compares distances with <=, >= or == and a number only")
            case Prop(name):
                raise FragmentError(
                    f"spatial-spec knows relations between objects, not the proposition {name}"
                )
            case _:
                assert_never(a)

    text = _pairs(plain, atom)
    notes = ("its bounded until is evaluated wrongly in version 0.1.1",) if "U[" in text else ()
    script = (
        f"{comment('#', head, notes)}from spatial_spec.logic import Spatial\n\n"
        f"spatial = Spatial()\ntree = spatial.parse({text!r})\n"
        "# spatial.assign_variable(name, object) for each object, then spatial.interpret(tree)\n"
    )
    return Export("spatial-spec", script, "formula_spatial.py", text, {}, notes)


def _pairs(formula: Formula, atom: Any) -> str:
    """Connectives in pairs: the grammar of spatial-spec has no precedence."""
    if isinstance(formula, Const):
        raise FragmentError("spatial-spec has no constants: simplify the formula first")
    args = children(formula)
    if len(args) > 2 and not isinstance(formula, Until):
        kind = And if isinstance(formula, And) else type(formula)
        return _pairs(kind((args[0], kind(args[1:]))), atom)  # type: ignore[call-arg, arg-type]
    if not args:
        return _SPATIAL.show(formula, atom)
    shown = [_pairs(arg, atom) for arg in args]
    match formula:
        case Always(_, within):
            return f"({_SPATIAL.timed('always', within)} {shown[0]})"
        case Eventually(_, within):
            return f"({_SPATIAL.timed('eventually', within)} {shown[0]})"
        case Next():
            return f"(X {shown[0]})"
        case Until(_, _, within):
            return f"({shown[0]} {_SPATIAL.timed('until', within)} {shown[1]})"
    if len(shown) == 1:
        return f"(!t {shown[0]})"
    word = {"And": "&", "Or": "|", "Implies": "->t"}[type(formula).__name__]
    return f"({shown[0]} {word} {shown[1]})"


def latex(formula: Formula, head: Head) -> Export:
    text = write(formula, "latex")
    document = (
        f"{comment('%', head)}\\documentclass{{article}}\n\\usepackage{{amsmath,amssymb}}\n"
        f"\\begin{{document}}\n\\[ {text} \\]\n\\end{{document}}\n"
    )
    return Export("latex", document, "formula.tex", text, {}, ())


def to_data(formula: Formula) -> dict[str, Any]:
    """The tree as plain data: {"op": ..., "args": [...], "within": [low, high or null]?}; see docs/logics.md."""
    match formula:
        case Const(value):
            return {"op": "const", "value": value}
        case Prop(name):
            return {"op": "prop", "name": name}
        case Compare(left, op, right):
            return {"op": "compare", "comparator": op, "args": [_term(left), _term(right)]}
        case Relation(name, args):
            return {"op": "relation", "name": name, "args": list(args)}
        case _:
            pass
    data: dict[str, Any] = {
        "op": _KEYS[type(formula).__name__],
        "args": [to_data(c) for c in children(formula)],
    }
    within = formula.within if isinstance(formula, Always | Eventually | Until | Release) else EVER
    if within != EVER:
        data["within"] = [bound(within.low), None if within.high is None else bound(within.high)]
    return data


_KEYS = {
    **{"Not": "not", "And": "and", "Or": "or", "Implies": "implies", "Iff": "iff", "Next": "next"},
    **{"Always": "always", "Eventually": "eventually", "Until": "until", "Release": "release"},
    **{"WeakUntil": "weak_until", "StrongRelease": "strong_release"},
}


def _term(term: Term) -> dict[str, Any]:
    match term:
        case Signal(name):
            return {"term": "signal", "name": name}
        case Constant(value):
            return {"term": "number", "value": decimal(value)}
        case Dist(a, b):
            return {"term": "dist", "args": [a, b]}
        case Arithmetic(op, left, right):
            return {"term": op, "args": [_term(left), _term(right)]}
        case Negative(arg):
            return {"term": "negative", "args": [_term(arg)]}
        case Abs(arg):
            return {"term": "abs", "args": [_term(arg)]}
        case _:
            assert_never(term)


def from_data(data: dict[str, Any]) -> Formula:
    """Back from ``to_data``."""
    from assent.logic import ast

    try:
        return _from(data, ast)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FragmentError(f"not a formula in JSON form: {error!r}") from error


def _from(data: dict[str, Any], ast: Any) -> Formula:
    match data["op"]:
        case "const":
            return Const(bool(data["value"]))
        case "prop":
            return Prop(data["name"])
        case "compare":
            left, right = (_term_from(t) for t in data["args"])
            return Compare(left, data["comparator"], right)
        case "relation":
            return Relation(data["name"], tuple(data["args"]))
    kind = getattr(ast, {key: name for name, key in _KEYS.items()}[data["op"]])
    args = tuple(_from(part, ast) for part in data["args"])
    if kind in (ast.And, ast.Or):
        made: Formula = kind(args)
        return made
    if "within" in data:
        low, high = data["within"]
        within = Interval(Fraction(low), None if high is None else Fraction(high))
        timed: Formula = kind(*args, within)
        return timed
    plain: Formula = kind(*args)
    return plain


def _term_from(data: dict[str, Any]) -> Term:
    match data["term"]:
        case "signal":
            return Signal(data["name"])
        case "number":
            return Constant(Fraction(data["value"]))
        case "dist":
            return Dist(*data["args"])
        case "negative":
            return Negative(_term_from(data["args"][0]))
        case "abs":
            return Abs(_term_from(data["args"][0]))
        case op:
            left, right = (_term_from(t) for t in data["args"])
            return Arithmetic(op, left, right)


def as_json(formula: Formula, head: Head) -> Export:
    body: dict[str, Any] = {"schema": "assent-formula/1"}
    if head.instruction:
        body["instruction"] = head.instruction
    body |= {"text": write(formula), "formula": to_data(formula)}
    text = json.dumps(body, indent=1, ensure_ascii=False)
    return Export("json", text + "\n", "formula.json", write(formula), {}, ())


TARGETS = (
    Target("spatial-spec", "spatial-spec", "SpaTiaL without between, partOvlp and oriented", spatial_spec),
    Target("latex", "LaTeX", "everything", latex, sampled=False),
    Target("json", "JSON", "everything; docs/logics.md has the schema", as_json, sampled=False),
)
