"""Temporal logic: one syntax tree, read, written, compared, said in English, evaluated, exported.

What is cheap to import is here at once; the rest is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
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
    Logic,
    Negative,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    Signal,
    StrongRelease,
    Term,
    Until,
    WeakUntil,
    atoms,
    children,
    conj,
    disj,
    map_atoms,
    rebuild,
    size,
    temporal_count,
    walk,
)
from assent.logic.canonical import canonical, canonical_key
from assent.logic.dialect import RELATIONS, check
from assent.logic.english import english
from assent.logic.render import write
from assent.rooms import later

if TYPE_CHECKING:
    from assent.logic.english import read_english
    from assent.logic.mutate import Mutation, mutations
    from assent.logic.parse import read

_LATER = {
    "read": "parse",
    "read_english": "english",
    "mutations": "mutate",
    "Mutation": "mutate",
    "Trace": "trace",
    "holds": "semantics",
    "equivalent": "equivalence",
    "cluster": "equivalence",
    "Equivalence": "equivalence",
    "Verdict": "equivalence",
    "satisfiable": "equivalence",
    "valid": "equivalence",
    "vacuous": "equivalence",
}

__all__ = [
    "EVER",
    "FALSE",
    "RELATIONS",
    "TRUE",
    "Abs",
    "Always",
    "And",
    "Arithmetic",
    "Atom",
    "Compare",
    "Const",
    "Constant",
    "Dist",
    "Eventually",
    "Formula",
    "Iff",
    "Implies",
    "Interval",
    "Logic",
    "Mutation",
    "Negative",
    "Next",
    "Not",
    "Or",
    "Prop",
    "Relation",
    "Release",
    "Signal",
    "StrongRelease",
    "Term",
    "Until",
    "WeakUntil",
    "atoms",
    "canonical",
    "canonical_key",
    "check",
    "children",
    "conj",
    "disj",
    "english",
    "map_atoms",
    "mutations",
    "read",
    "read_english",
    "rebuild",
    "size",
    "temporal_count",
    "walk",
    "write",
]
__getattr__ = later(__name__, _LATER)
