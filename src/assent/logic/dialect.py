"""What each logic allows, the spatial relations, the limits of every reader, and every spelling that is read.

The limits are promises: a text or formula beyond one of them is refused with a ``LimitError`` or
``FragmentError`` at once, so that everything behind the reader may rely on them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    Abs,
    Always,
    Arithmetic,
    Compare,
    Constant,
    Dist,
    Eventually,
    Formula,
    Interval,
    Logic,
    Negative,
    Prop,
    Relation,
    Release,
    Signal,
    Term,
    Until,
    atoms,
    children,
)

MAX_LENGTH = 10_000
"""Characters in a text that is read as a formula."""
MAX_DEPTH = 100
"""Operators (and brackets) inside one another; every recursive operation on formulas relies on it."""
MAX_ATOMS = 100
"""Distinct atoms in one formula."""
MAX_BOUND = 1_000_000
"""Largest finite end of an interval, in time units."""
MAX_DIGITS = 30
"""Digits of one number, exponent written out."""

PLAIN_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
"""What a proposition, signal, object or region may be called."""


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """How many arguments a relation has, and which of its forms mean the same."""

    arity: int
    symmetric: bool = False
    """The last two arguments may change places."""
    inverse: str | None = None
    """The relation that says the same with its arguments swapped."""


RELATIONS: dict[str, RelationInfo] = {
    "leftOf": RelationInfo(2, inverse="rightOf"),
    "rightOf": RelationInfo(2, inverse="leftOf"),
    "above": RelationInfo(2, inverse="below"),
    "below": RelationInfo(2, inverse="above"),
    "closeTo": RelationInfo(2, symmetric=True),
    "farFrom": RelationInfo(2, symmetric=True),
    "touch": RelationInfo(2, symmetric=True),
    "ovlp": RelationInfo(2, symmetric=True),
    "partOvlp": RelationInfo(2, symmetric=True),
    "enclIn": RelationInfo(2),
    "between": RelationInfo(3, symmetric=True),
    "closerTo": RelationInfo(3),
    "oriented": RelationInfo(2),
}


def check(formula: Formula, logic: Logic | str) -> None:
    """Refuse a formula that is not of this logic or is beyond a limit."""
    logic = Logic(logic)
    level = [formula]
    depth = 0
    while level:
        if (depth := depth + 1) > MAX_DEPTH:
            raise FragmentError(f"more than {MAX_DEPTH} operators inside one another")
        for node in level:
            _check_node(node, logic)
        level = [part for node in level for part in children(node)]
    if len(atoms(formula)) > MAX_ATOMS:
        raise FragmentError(f"more than {MAX_ATOMS} different atoms")


def _check_node(node: Formula, logic: Logic) -> None:
    match node:
        case Prop(name):
            if logic is Logic.SPATIAL:
                raise FragmentError(f"SpaTiaL has relations between objects, not propositions such as {name}")
            _check_name(name)
        case Compare(left, _, right):
            if logic is Logic.LTL:
                raise FragmentError("LTL has no comparisons; STL has")
            _check_term(left, logic, 1)
            _check_term(right, logic, 1)
        case Relation(name, args):
            if logic is not Logic.SPATIAL:
                raise FragmentError(f"{logic} has no spatial relations such as {name}; SpaTiaL has")
            if name not in RELATIONS:
                raise FragmentError(f"unknown relation {name}; known are {', '.join(RELATIONS)}")
            if len(args) != RELATIONS[name].arity:
                raise FragmentError(f"{name} takes {RELATIONS[name].arity} arguments, not {len(args)}")
            for arg in args:
                _check_name(arg)
        case Always() | Eventually() | Until() | Release():
            check_interval(node.within, logic)
        case _:
            pass


def check_interval(within: Interval, logic: Logic) -> None:
    """Refuse an interval in LTL, or one that ends beyond the limit."""
    if within == EVER:
        return
    if logic is Logic.LTL:
        raise FragmentError("LTL has no intervals; STL has")
    if max(within.low, within.high or 0) > MAX_BOUND:
        raise FragmentError(f"an interval may end at {MAX_BOUND} at most; choose a larger time unit or 'inf'")


def _check_term(term: Term, logic: Logic, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FragmentError(f"more than {MAX_DEPTH} operators inside one another")
    match term:
        case Signal(name):
            if logic is Logic.SPATIAL:
                raise FragmentError(f"SpaTiaL compares distances, not signals such as {name}")
            _check_name(name)
        case Constant():
            pass
        case Arithmetic(_, left, right):
            _check_term(left, logic, depth + 1)
            _check_term(right, logic, depth + 1)
        case Negative(arg) | Abs(arg):
            _check_term(arg, logic, depth + 1)
        case Dist(a, b):
            if logic is not Logic.SPATIAL:
                raise FragmentError(f"{logic} has no distances between objects; SpaTiaL has")
            _check_name(a)
            _check_name(b)
        case _:
            assert_never(term)


def _check_name(name: str) -> None:
    if not PLAIN_NAME.fullmatch(name):
        raise FragmentError(
            f"{name!r} is not a name: a letter or underscore, then letters, digits and underscores"
        )


Kind: TypeAlias = Literal[
    "name",
    "number",
    "unary",
    "binary",
    "const",
    "compare",
    "sum",
    "product",
    "(",
    ")",
    ",",
    "interval",
    "end",
]

_WORDS: dict[tuple[Kind, str], str] = {
    ("unary", "not"): "not negation neg not_t",
    ("unary", "next"): "next",
    ("unary", "always"): "globally always alw",
    ("unary", "eventually"): "finally eventually ev",
    ("binary", "and"): "and",
    ("binary", "or"): "or",
    ("binary", "implies"): "imply implies implies_t",
    ("binary", "iff"): "iff equal equals equivalent",
    ("binary", "until"): "until",
    ("binary", "release"): "release releases",
    ("binary", "weak_until"): "weak_until weakuntil",
    ("binary", "strong_release"): "strong_release strongrelease",
    ("const", "true"): "true",
    ("const", "false"): "false",
}

_SYMBOLS: dict[tuple[Kind, str], str] = {
    ("unary", "not"): r"! ~ ¬ \neg \lnot",
    ("unary", "next"): r"X ○ ◯ \bigcirc \circ",
    ("unary", "always"): r"G □ ◻ ☐ \square \Box",
    ("unary", "eventually"): r"F <> ◇ ◊ ♢ ⋄ \lozenge \Diamond \diamond",
    ("binary", "and"): r"& && ∧ ⋀ /\ \land \wedge",
    ("binary", "or"): r"| || ∨ ⋁ \/ \lor \vee",
    ("binary", "implies"): r"-> --> => ==> → ⇒ ⟶ ⟹ \to \rightarrow \Rightarrow \implies \longrightarrow",
    ("binary", "iff"): r"<-> <--> <=> <==> ↔ ⇔ ⟷ ⟺ ≡ \leftrightarrow \Leftrightarrow \iff \equiv",
    ("binary", "until"): r"U 𝒰 𝐔 \mathcal{U}",
    ("binary", "release"): r"R ℛ 𝐑",
    ("binary", "weak_until"): r"W 𝒲 𝐖",
    ("binary", "strong_release"): r"M ℳ 𝐌",
    ("const", "true"): r"⊤ \top",
    ("const", "false"): r"⊥ \bot",
    ("compare", "<"): r"< \lt",
    ("compare", "<="): r"<= ≤ ⩽ \le \leq \leqslant",
    ("compare", ">"): r"> \gt",
    ("compare", ">="): r">= ≥ ⩾ \ge \geq \geqslant",
    ("compare", "=="): r"== =",
    ("compare", "!="): r"!= ≠ \ne \neq",
    ("sum", "+"): "+",
    ("sum", "-"): "- −",
    ("product", "*"): r"* × · ⋅ \cdot \times",
    ("(", "("): r"(",
    (")", ")"): r")",
    (",", ","): ",",
}

SPELLINGS: Final[dict[str, tuple[Kind, str]]] = {
    spelling: meaning for meaning, row in _SYMBOLS.items() for spelling in row.split()
} | {
    variant: meaning
    for meaning, row in _WORDS.items()
    for word in row.split()
    for variant in (word, word.capitalize(), word.upper())
}
"""A spelling, exactly as written, to the kind of token and the operator that it names."""

PREFIX_LETTERS: Final[dict[str, str]] = {"i": "implies", "e": "iff"}
"""Names that are operators in prefix notation (and names everywhere else)."""

STACKED = re.compile(r"[GFX]{2,}")
"""``GF p``: operators written together."""
GLUED = re.compile(r"[GFX]{2,}[a-z]\w*")
"""``GFp``: one name or three things? Refused."""

_RELATION_WORDS: dict[str, str] = {
    "leftOf": "leftof left_of isleftof",
    "rightOf": "rightof right_of isrightof",
    "above": "above aboveof above_of",
    "below": "below belowof below_of",
    "closeTo": "closeto close_to",
    "farFrom": "farfrom far_from",
    "touch": "touch touches touching",
    "ovlp": "ovlp overlap overlaps overlapping",
    "partOvlp": "partovlp part_ovlp partialovlp partialoverlap partiallyoverlaps partialoverlaps",
    "enclIn": "enclin encl_in enclosedin enclosed_in",
    "between": "between",
    "closerTo": "closerto closer_to closer",
    "oriented": "oriented",
}
RELATION_WORDS: Final[dict[str, str]] = {
    word: relation for relation, row in _RELATION_WORDS.items() for word in row.split()
}
"""Lower-case spelling of a relation to its name."""
DISTANCE_WORDS: Final = frozenset({"dist", "distance"})

UNITS: Final = frozenset(
    "s ms us ns sec secs second seconds min mins minute minutes h hr hrs hour hours day days m mm cm dm km "
    "ft in inch inches mi mile miles kg g mg lb lbs n nm v mv a ma w kw mw hz khz mhz ghz rpm pa kpa bar psi "
    "c f k deg degree degrees rad mps kmh kph mph knots kt kts pct percent steps step units unit l ml".split()
)
"""Names that directly follow a number as its unit; units are refused, never converted in silence."""

INFINITY: Final = frozenset({"inf", "+inf", "infinity", "infinite", "∞", "+∞", "\\infty", "oo"})


def reserved(name: str) -> bool:
    """Whether a name has to be quoted to be read as a name."""
    return (
        name in SPELLINGS
        or name.lower() in ("abs", *DISTANCE_WORDS)
        or bool(STACKED.fullmatch(name) or GLUED.fullmatch(name))
    )
