"""The grammar as data: rules with a cost and the function that builds their meaning, in a trie of right-hand sides."""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from assent.errors import DataError
from assent.reading import meaning, sayings

Values = tuple[object, ...]
Action = Callable[[Values], object]
MISSING = 0.15  # what leaving out an element marked with "?" costs
_FUNCTIONS = {
    name: value
    for room in (meaning, sayings)
    for name, value in vars(room).items()
    if callable(value) and not name.startswith("_")
}


@dataclass(frozen=True, slots=True)
class Rule:
    """``left`` from the parts that lead to a state; ``build`` takes their values."""

    left: str
    cost: float
    build: Action


@dataclass(slots=True)
class RuleState:
    """A prefix of right-hand sides: what may follow, and which rules are complete."""

    after: dict[str, RuleState] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)


_READING = threading.Lock()
"""CPython 3.11 counts the depth of syntax trees for all threads together: two that make them at once may fail."""


def grammar() -> RuleState:
    """The rules of ``grammar.txt``, read once, by one thread; DataError where a line is broken."""
    with _READING:
        return _read_once()


@cache
def _read_once() -> RuleState:
    return read_rules(resources.files("assent.reading").joinpath("grammar.txt").read_text(encoding="utf-8"))


def read_rules(text: str) -> RuleState:
    """A trie of the rules in a text, one a line: ``LEFT -> A b:B C? D|E = function(b) @0.5``."""
    root = RuleState()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        found = re.fullmatch(r"(\w+) -> (.+?) = (.+?)(?: @([\d.]+))?", line)
        if found is None:
            raise DataError(f"grammar, line {number}: not a rule: {line}")
        left, right, expression, cost = found.groups()
        for parts, extra in _variants(right.split()):
            _add(root, left, parts, expression, float(cost or 0) + extra, number)
    return root


def _variants(parts: Sequence[str]) -> Iterator[tuple[list[str], float]]:
    """Every way to leave out optional parts and to choose between alternatives."""
    if not parts:
        yield [], 0.0
        return
    label, _, symbols = parts[0].rpartition(":")
    optional = symbols.endswith("?")
    for rest, cost in _variants(parts[1:]):
        for symbol in symbols.rstrip("?").split("|"):
            yield [f"{label}:{symbol}", *rest], cost
        if optional:
            yield rest, cost + MISSING


def _add(root: RuleState, left: str, parts: Sequence[str], expression: str, cost: float, number: int) -> None:
    labels = [part.partition(":")[0] for part in parts]
    state = root
    for part in parts:
        state = state.after.setdefault(part.partition(":")[2], RuleState())
    try:
        build = _action(ast.parse(expression, mode="eval").body, labels)
    except (SyntaxError, KeyError, ValueError) as error:
        raise DataError(f"grammar, line {number}: {expression}: {error}") from error
    state.rules.append(Rule(left, cost, build))


def _action(expression: ast.expr, labels: Sequence[str]) -> Action:
    """A function of the parts' values; only calls of the functions in ``meaning``, labels and constants."""
    match expression:
        case ast.Name(id=name):
            place = labels.index(name)
            return lambda values: values[place]
        case ast.Constant(value=value):
            return lambda _: value
        case ast.Call(func=ast.Name(id=name), args=arguments):
            function = _FUNCTIONS[name]
            actions = [_action(argument, labels) for argument in arguments]
            return lambda values: function(*[action(values) for action in actions])
        case ast.Tuple(elts=[]):
            return lambda _: ()
    raise ValueError("only calls, labels and constants")
