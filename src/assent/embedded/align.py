"""ALIGN: local decisions of a formula, each read off the words around the propositions.

A formula over placeholders is taken apart into small choices: for every atom the chain of unary operators on it, for
neighbouring atoms (in the order of the text) the connective that joins them and what stands on it, for three in a row
which two are grouped, and the operators at the top. A multinomial logistic regression for each kind of choice, on the
words nearby, says how probable the choice is. It knows nothing of the translator, and it is served with numpy alone.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise, product
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assent.embedded.tokens import PLACEHOLDER, untyped
from assent.errors import ModelError
from assent.lift.linear import COMPARATORS, RELATION_ARITY
from assent.lift.sums import first_terms
from assent.samebits import FINE, GRID, Array, log_shares

KINDS = ("chain", "join", "over", "group", "top", "atom")
OTHER = "?"
KEPT = 512
Words: TypeAlias = Sequence[str]
_UNARY = frozenset(["!", "X", "G", "F"])
_BINARY = frozenset(["->", "<->", "U", "R", "W", "M"])


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice: what kind, which label, and the features it should be read from."""

    kind: str
    label: str
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the prefix tree: ``label`` with its interval abstracted, ``names`` for atoms."""

    label: str
    parts: tuple[_Node, ...] = ()
    names: tuple[str, ...] = ()


def _flat(node: _Node, label: str) -> tuple[_Node, ...]:
    """The parts of a nested conjunction or disjunction, which has no grouping of its own."""
    return node.parts if node.label == label else (node,)


def _tree(tokens: Words) -> _Node:
    tokens = first_terms(tokens)
    position = 0

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1]

    def bound(token: str) -> str:
        return token if token in {"0", "inf"} else "n"

    def go() -> _Node:
        token = take()
        if token in _UNARY:
            return _Node(token, (go(),))
        if token in {"&", "|"}:
            return _Node(token, tuple(part for side in (go(), go()) for part in _flat(side, token)))
        if token in _BINARY:
            return _Node(token, (go(), go()))
        if token in {"G[", "F[", "U["}:
            label = f"{token}{bound(take())}{bound(take())}"
            return _Node(label, (go(), go()) if token == "U[" else (go(),))
        if token in COMPARATORS:
            return _Node(token, (), (take(), take()))
        if token.startswith("dist"):
            return _Node(token, (), (take(), take(), take()))
        if token in RELATION_ARITY:
            return _Node(token, (), tuple(take() for _ in range(RELATION_ARITY[token])))
        return _Node("", (), (token,))

    return go()


@dataclass(frozen=True, slots=True)
class _Leaf:
    """An atom with the path from the root: (node label, which child) for every node above it."""

    node: _Node
    path: tuple[tuple[str, int, int], ...]  # (label, child number, identity of the node)
    start: int
    end: int


def _leaves(root: _Node, text: Words) -> list[_Leaf]:
    """All atoms, placed in the text where their names are mentioned closest together."""
    places: dict[str, list[int]] = {}
    for index, word in enumerate(text):
        if PLACEHOLDER.fullmatch(word):
            places.setdefault(word, []).append(index)
    found: list[_Leaf] = []
    taken: set[int] = set()
    stack: list[tuple[_Node, tuple[tuple[str, int, int], ...]]] = [(root, ())]
    counter = 0
    while stack:
        node, path = stack.pop()
        if node.parts:
            counter += 1
            here = counter
            for number in reversed(range(len(node.parts))):
                stack.append((node.parts[number], (*path, (node.label, number, here))))
        elif node.names and all(name in places for name in node.names):
            picks = _tightest([places[name] for name in node.names], taken)
            taken.update(picks)
            found.append(_Leaf(node, path, min(picks), max(picks)))
    found.sort(key=lambda leaf: (leaf.start, leaf.end))
    return found


def _tightest(options: list[list[int]], taken: set[int]) -> tuple[int, ...]:
    """One mention of each name, close together, rather those that no other atom has taken."""
    choices = islice(product(*options), 200)
    return min(
        choices, key=lambda picks: (max(picks) - min(picks) + 4 * sum(p in taken for p in picks), picks)
    )


def _chain(path: Sequence[tuple[str, int, int]]) -> tuple[str, int]:
    """The unary operators right above, outermost first, and how much of the path they take."""
    labels: list[str] = []
    for label, _, _ in reversed(path):
        if label[0] not in "!XGF":
            break
        labels.append(label)
    return " ".join(reversed(labels)), len(labels)


# Readings of one sentence ask for the same stretches again and again: the words around them are kept.


@lru_cache(KEPT)
def _window(text: tuple[str, ...], start: int, end: int, tag: str) -> tuple[str, ...]:
    """Words near a stretch: by place up to three away, in pairs, and loosely up to seven."""
    return tuple(_near(text, start, end, tag))


def _near(text: Words, start: int, end: int, tag: str) -> Iterator[str]:
    for step in range(1, 8):
        for side, index in (("-", start - step), ("+", end + step)):
            word = _plain(text, index)
            if step <= 3:
                yield f"{tag}{side}{step}:{word}"
                yield f"{tag}{side}{step}:{word} {_plain(text, index + (1 if side == '-' else -1))}"
            yield f"{tag}{side}~:{word}"


def _plain(text: Words, index: int) -> str:
    if index < 0 or index >= len(text):
        return "<edge>"
    word = text[index]
    return word[0] if PLACEHOLDER.fullmatch(word) else word


@lru_cache(KEPT)
def _between(text: tuple[str, ...], start: int, end: int, tag: str) -> tuple[str, ...]:
    """The words inside a stretch."""
    return tuple(_inside(text, start, end, tag))


def _inside(text: Words, start: int, end: int, tag: str) -> Iterator[str]:
    words = [_plain(text, index) for index in range(start + 1, end)][:25]
    yield f"{tag}len:{min(len(words), 12)}"
    yield f"{tag}all:{' '.join(words[:6])}"
    for index, word in enumerate(words):
        yield f"{tag}w:{word}"
        yield f"{tag}b:{words[index - 1] if index else '<edge>'} {word}"
        if index > 1:
            yield f"{tag}t:{words[index - 2]} {words[index - 1]} {word}"


def _opening(text: Words, stop: int, tag: str) -> Iterator[str]:
    """The words before the first mention."""
    words = [_plain(text, index) for index in range(min(stop, 12))]
    for index, word in enumerate(words):
        yield f"{tag}w:{word}"
        yield f"{tag}b:{words[index - 1] if index else '<edge>'} {word}"


def decisions(text: Words, tokens: Words) -> list[Decision]:
    """Every choice of a formula, with what it should be read from. ``text`` starts with the logic's tag."""
    text = tuple(text)
    text = tuple(untyped(word) for word in text)
    root = _tree(tokens)
    leaves = _leaves(root, text)
    tag = text[0] if text else ""
    out: list[Decision] = []
    count = f"k:{min(len(leaves), 6)}"
    for number, leaf in enumerate(leaves):
        chain, _ = _chain(leaf.path)
        features = [tag, count, f"i:{min(number, 4)}", *_window(text, leaf.start, leaf.end, "")]
        features += _between(text, leaf.start, leaf.end, "in:")
        out.append(Decision("chain", chain, tuple(features)))
        if leaf.node.label:
            first = leaf.node.names[0]
            order = ">" if text[leaf.start] == first else "<"
            inner = (*_between(text, leaf.start, leaf.end, ""), *_window(text, leaf.start, leaf.end, "o"))
            out.append(Decision("atom", leaf.node.label + order, (tag, *inner)))
    meets: list[int] = []
    for left, right in pairwise(leaves):
        depth = _shared(left, right)
        meets.append(depth)
        label, side, _ = left.path[depth]
        turned = label[0] in "-URWM" and label != "<->" and side > right.path[depth][1]
        joint = f"~{label}" if turned else label
        near = (
            tag,
            count,
            *_between(text, left.end, right.start, ""),
            *(f"f:{f}" for f in _opening(text, leaves[0].start, "")),
            *_edges(text, left.start, right.end),
        )
        out.append(Decision("join", joint, near))
        over, _ = _chain(left.path[:depth])
        out.append(Decision("over", over, near))
    for number, (low, high) in enumerate(pairwise(meets)):
        a, b, c = leaves[number : number + 3]
        label = "=" if low == high else "l" if low > high else "r"
        mixed = (
            f"{a.path[low][0]}|{b.path[high][0]}",
            *_between(text, a.end, b.start, "l"),
            *_between(text, b.end, c.start, "r"),
            *_edges(text, a.start, c.end),
        )
        out.append(Decision("group", label, (tag, count, *mixed)))
    top, _ = _top(root)
    if leaves:
        rest = (
            *_opening(text, leaves[0].start, "o"),
            *_edges(text, leaves[0].start, leaves[-1].end),
            *(f"s:{_plain(text, index)}" for index in range(1, len(text))),
        )
        out.append(Decision("top", top, (tag, count, *rest)))
    return out


def _edges(text: Words, start: int, end: int) -> Iterator[str]:
    for step in (1, 2, 3):
        yield f"e-{step}:{_plain(text, start - step)}"
        yield f"e+{step}:{_plain(text, end + step)}"


def _shared(left: _Leaf, right: _Leaf) -> int:
    """Index in both paths of the lowest node above both leaves."""
    depth = -1
    for (_, _, a), (_, _, b) in zip(left.path, right.path, strict=False):
        if a != b:
            break
        depth += 1
    return max(depth, 0)


def _top(root: _Node) -> tuple[str, _Node]:
    labels, node = [], root
    while len(node.parts) == 1:
        labels.append(node.label)
        node = node.parts[0]
    labels.append(node.label if node.parts else ".")
    return " ".join(labels), node


@dataclass(frozen=True, slots=True)
class AlignTable:
    """One regression: whole weights (features x labels), what a step of them is worth by label, and the bias."""

    features: dict[str, int]
    labels: dict[str, int]
    weights: NDArray[np.int8]
    scale: Array
    bias: Array


class Align:
    """The fitted regressions."""

    def __init__(self, tables: dict[str, AlignTable]) -> None:
        self._tables = tables
        self._recent: dict[Decision, float] = {}

    @classmethod
    def load(cls, path: Path, content: bytes | None = None) -> Align:
        """From a file, or from what is in it where that has been read already. ModelError if there is none."""
        if content is None and not path.is_file():
            raise ModelError(f"the judge's local decisions are missing: {path}")
        with np.load(path if content is None else io.BytesIO(content), allow_pickle=False) as stored:
            tables = {}
            for kind in KINDS:
                features = {name: i for i, name in enumerate(str(stored[f"{kind}.features"]).split("\n"))}
                labels = {name: i for i, name in enumerate(str(stored[f"{kind}.labels"]).split("\n"))}
                scale, bias = (
                    stored[f"{kind}.{name}"].astype(np.float64) * GRID for name in ("scale", "bias")
                )
                tables[kind] = AlignTable(features, labels, stored[f"{kind}.weights"], scale, bias)
        return cls(tables)

    def log_p(self, decision: Decision) -> float:
        """Log probability of the choice; a label never met in training counts as the rest of them together."""
        found = self._recent.get(decision)  # readings of one sentence share most of their choices
        if found is None:
            if len(self._recent) >= KEPT:
                self._recent.clear()
            found = self._recent[decision] = self._log_p(decision)
        return found

    def _log_p(self, decision: Decision) -> float:
        table = self._tables[decision.kind]
        known = [table.features[name] for name in decision.features if name in table.features]
        total = table.weights[known].sum(axis=0, dtype=np.int64)  # whole numbers: the same in any order
        logits = np.rint(total * table.scale + table.bias)
        chosen = table.labels.get(decision.label, table.labels[OTHER])
        return float(log_shares(logits[None])[0, chosen]) / FINE

    def score(self, text: Words, tokens: Words) -> dict[str, list[float]]:
        """Log probabilities of all choices of a formula, by kind."""
        found: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for decision in decisions(text, tokens):
            found[decision.kind].append(self.log_p(decision))
        return found
