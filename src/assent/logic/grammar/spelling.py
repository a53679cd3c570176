"""Every spelling of every operator, relation and constant that is read."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

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
