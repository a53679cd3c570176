"""Very many formulas into classes of equal meaning: canonical form, then a signature, then a decision.

A formula whose canonical form was seen joins its class at once. Otherwise it is evaluated on a few fixed lassos, by the
names of its propositions: formulas that differ there differ, and only those that agree everywhere are decided on. The
result is that of ``equivalence.cluster``, which asks about every class. Formulas with comparisons, relations or decimal
bounds have no signature (atoms depend on one another) and are compared among themselves and with all others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b

from assent.errors import FragmentError
from assent.logic.ast import Formula, Prop, atoms
from assent.logic.canonical import canonical_key
from assent.logic.equivalence import equivalent
from assent.logic.semantics import Trace, truth

SHAPES = tuple((2 + n % 5, n % (2 + n % 5), (128, 230, 26, 192, 64)[n % 5]) for n in range(40))
"""Length and loop of each lasso, and how often of 256 a name is true there: rules of the kind 'always' are false of
nearly every even lasso, and tell themselves apart where their names are mostly true."""
Signature = tuple[bool, ...]


@dataclass
class Classes:
    """Formulas are added one by one; ``add`` gives the number of the class, counted from 0.

    ``compared`` counts decisions, ``avoided`` those that asking about every class would have taken besides.
    """

    steps: int | None = None
    total: int = 0
    compared: int = 0
    avoided: int = 0
    _keys: dict[bytes, int] = field(default_factory=dict)
    _signed: dict[Signature, list[tuple[int, Formula]]] = field(default_factory=dict)
    _unsigned: list[tuple[int, Formula]] = field(default_factory=list)
    _count: int = 0

    def __len__(self) -> int:
        return self._count

    def add(self, formula: Formula) -> int:
        """The class of a formula: one that it is proven equal to, or a new one."""
        self.total += 1
        key = blake2b(canonical_key(formula).encode(), digest_size=16).digest()
        if key in self._keys:
            return self._keys[key]
        number = self._found(formula)
        self._keys[key] = number
        return number

    def _found(self, formula: Formula) -> int:
        signed = signature(formula)
        if signed is None:
            peers = [pair for bucket in self._signed.values() for pair in bucket] + self._unsigned
            home = self._unsigned
        else:
            home = self._signed.setdefault(signed, [])
            peers = home + self._unsigned
        asked = 0
        for number, other in sorted(peers, key=lambda pair: pair[0]):
            asked += 1
            if self._same(formula, other):
                self.compared += asked
                self.avoided += number + 1 - asked
                return number
        self.compared += asked
        self.avoided += self._count - asked
        home.append((self._count, formula))
        self._count += 1
        return self._count - 1

    def _same(self, one: Formula, other: Formula) -> bool:
        try:
            return equivalent(one, other, steps=self.steps).equal
        except FragmentError:
            return False


def signature(formula: Formula) -> Signature | None:
    """Truth at every position of the fixed lassos; None where atoms are not plain names or time has no step of 1."""
    found = atoms(formula)
    if not all(isinstance(atom, Prop) for atom in found):
        return None
    values: list[bool] = []
    try:
        for number, (length, loop, often) in enumerate(SHAPES):
            states = tuple(
                frozenset(atom for atom in found if _coin(str(atom), number, at) < often)
                for at in range(length)
            )
            values += truth(formula, Trace(states, loop))
    except FragmentError:
        return None
    return tuple(values)


@lru_cache(1 << 16)
def _coin(name: str, lasso: int, at: int) -> int:
    """0 to 255 for each name, lasso and position, the same in every process."""
    return blake2b(f"{lasso} {at} {name}".encode(), digest_size=1).digest()[0]
