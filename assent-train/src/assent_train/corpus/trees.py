"""Light formula trees for generation: nested tuples over placeholders, written as prefix tokens.

A tree is ``("p", "P3")``, ``("cmp", ">", "P1", "N1")``, ``("rel", "leftOf", ("O1", "O2"))``,
``("dist", "<=", "O1", "O2", "N1")``, ``("not", t)``, ``("and", t, u, ...)``, ``("or", t, u, ...)``,
``("->", t, u)``, ``("<->", t, u)``, ``("X", t)``, ``("F" | "G", interval, t)``, ``("U", interval, t, u)``,
``("W" | "R" | "M", t, u)``. An interval is None or a pair of tokens such as ``("0", "N2")``.
Tuples instead of syntax nodes: a training run draws millions of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from assent.errors import FragmentError
from assent.lift.linear import COMPARATORS, RELATION_ARITY

Tree: TypeAlias = tuple[Any, ...]
Span: TypeAlias = tuple[str, str] | None

ATOMS = frozenset({"p", "cmp", "rel", "dist"})
STATE = ATOMS | {"not", "and", "or", "->", "<->"}
_SIGNS = {"not": "!", "and": "&", "or": "|"}


def parts(tree: Tree) -> tuple[Tree, ...]:
    """The direct sub-trees."""
    op = tree[0]
    if op in ATOMS:
        return ()
    if op in {"F", "G", "U"}:
        return tree[2:]
    return tree[1:]


def prefix(tree: Tree) -> list[str]:
    """The target tokens of a tree; and/or of many are nested to the right."""
    out: list[str] = []
    _emit(tree, out)
    return out


def _emit(tree: Tree, out: list[str]) -> None:
    op = tree[0]
    if op == "p":
        out.append(tree[1])
    elif op == "cmp":
        out.extend(tree[1:])
    elif op == "rel":
        out.append(tree[1])
        out.extend(tree[2])
    elif op == "dist":
        out.append("dist" + tree[1])
        out.extend(tree[2:])
    elif op in {"and", "or"}:
        for part in tree[1:-1]:
            out.append(_SIGNS[op])
            _emit(part, out)
        _emit(tree[-1], out)
    elif op in {"F", "G", "U"}:
        span = tree[1]
        if span is None:
            out.append(op)
        else:
            out.append(op + "[")
            out.extend(span)
        for part in tree[2:]:
            _emit(part, out)
    else:
        out.append(_SIGNS.get(op) or str(op))
        for part in tree[1:]:
            _emit(part, out)


def tree_of(
    tokens: Sequence[str],
    known: Mapping[str, object] | None = None,
    spans: Mapping[str, Span] | None = None,
) -> Tree:
    """The tree that prefix tokens spell. Raises FragmentError for constants, which the corpus has no words for.

    In patterns a token may name a tree of ``known`` ("and" in "and" is made one), "F@w" has the interval w of
    ``spans``, and "~" is a negation that is not doubled.
    """
    return _TreeReader(tokens, known or {}, spans or {}).tree()


_UNARY = {"!": "not", "X": "X"}
_TIMED = frozenset("FGU")


class _TreeReader:
    """One walk over prefix tokens."""

    def __init__(self, tokens: Sequence[str], known: Mapping[str, object], spans: Mapping[str, Span]) -> None:
        self._tokens, self._known, self._spans = iter(tokens), known, spans

    def tree(self) -> Tree:
        token = next(self._tokens)
        if token in self._known:
            tree = self._known[token]
            assert isinstance(tree, tuple)
            return tree
        if token in {"&", "|"}:
            return self._joined("and" if token == "&" else "or")
        if token[0] in _TIMED and token[1:2] in {"", "[", "@"}:
            span = self._span(token[1:])
            return (token[0], span, *(self.tree() for _ in range(2 if token[0] == "U" else 1)))
        if token in _UNARY:
            return (_UNARY[token], self.tree())
        if token == "~":
            return negate(self.tree())
        if token in {"->", "<->", "W", "R", "M"}:
            return (token, self.tree(), self.tree())
        return self._atom(token)

    def _joined(self, op: str) -> Tree:
        """The right side of "and" is made one with it, the left side only where it is a known tree (as a target is
        written, "and" goes on to the right)."""
        left, right = self.tree(), self.tree()
        mine = left[0] == op and any(left is tree for tree in self._known.values())
        return (op, *(left[1:] if mine else (left,)), *(right[1:] if right[0] == op else (right,)))

    def _span(self, kind: str) -> Span:
        if kind.startswith("@"):
            return self._spans[kind[1:]]
        return (self._name(), self._name()) if kind else None

    def _atom(self, token: str) -> Tree:
        if token in COMPARATORS:
            return ("cmp", token, self._name(), self._name())
        if token.startswith("dist"):
            return ("dist", token[4:], *(self._name() for _ in range(3)))
        if token in RELATION_ARITY:
            return ("rel", token, tuple(self._name() for _ in range(RELATION_ARITY[token])))
        if is_placeholder(token):
            return ("p", token)
        raise FragmentError(f"the corpus has no words for {token!r}")

    def _name(self) -> str:
        """A placeholder, or the one that a known name stands for."""
        token = next(self._tokens)
        value = self._known.get(token, token)
        return str(value[1] if isinstance(value, tuple) else value)


def is_literal(tree: Tree) -> bool:
    """An atom or a negated atom."""
    return tree[0] in ATOMS or (tree[0] == "not" and tree[1][0] in ATOMS)


def is_state(tree: Tree) -> bool:
    """No temporal operator inside."""
    return tree[0] in STATE and all(is_state(part) for part in parts(tree))


def negate(tree: Tree) -> Tree:
    """The negation without doubling."""
    result: Tree = tree[1] if tree[0] == "not" else ("not", tree)
    return result


def atom_count(tree: Tree) -> int:
    """How many distinct atoms."""
    seen: set[Tree] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        if node[0] in ATOMS:
            seen.add(node)
        else:
            stack.extend(parts(node))
    return len(seen)


def tier(tree: Tree) -> str:
    """D2, D3 or D4: at most two, three, or more distinct atoms."""
    count = atom_count(tree)
    return "D2" if count <= 2 else "D3" if count == 3 else "D4"


def is_placeholder(token: str) -> bool:
    """P7, O2, N1."""
    return token[0] in "PON" and token[1:].isdigit()


def renumber(source: Iterable[str], target: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Placeholders renumbered by first mention in the source, each kind on its own; KeyError when the
    target names what the source does not."""
    names: dict[str, str] = {}
    count = {"P": 0, "O": 0, "N": 0}
    text: list[str] = []
    for token in source:
        if is_placeholder(token):
            new = names.get(token)
            if new is None:
                kind = token[0]
                count[kind] += 1
                new = names[token] = f"{kind}{count[kind]}"
            text.append(new)
        else:
            text.append(token)
    formula = [names[token] if is_placeholder(token) else token for token in target]
    return tuple(text), tuple(formula)
