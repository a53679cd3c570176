"""What was found about requirements that share names, kept in the lock: the same formulas are not studied twice.

A study is known by a hash of everything that its findings depend on: ids, formulas, ranges and units of signals, the
budget. One word changed in a formula, and it is another study.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from assent.errors import AssentError, DataError
from assent.logic.ast import Atom, Compare, Logic, Prop, Relation
from assent.logic.parse import read
from assent.logic.render import write
from assent.logic.semantics import Trace
from assent.logic.sets import Finding, FindingKind


class KeptTrace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A behaviour: for each stretch of equal states how many they are, and which atoms are true."""

    stretches: tuple[tuple[int, tuple[str, ...]], ...]
    loop: int | None = None
    step: str = "1"


class KeptFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding as the lock keeps it."""

    kind: str
    requirements: tuple[str, ...]
    detail: str
    witness: KeptTrace | None = None
    decided: bool = True


class SetStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The findings about one part of the documents, under the hash of what they depend on."""

    study: str
    files: tuple[str, ...]
    findings: tuple[KeptFinding, ...] = ()


def kept(findings: Iterable[Finding]) -> tuple[KeptFinding, ...]:
    """Findings as they are kept."""
    return tuple(
        KeptFinding(
            finding.kind.value,
            finding.requirements,
            finding.detail,
            None if finding.witness is None else _kept_trace(finding.witness),
            finding.decided,
        )
        for finding in findings
    )


def restored(findings: Sequence[KeptFinding]) -> list[Finding] | None:
    """The findings again; None if one cannot be read, so that it is studied anew."""
    try:
        return [
            Finding(
                FindingKind(finding.kind),
                finding.requirements,
                finding.detail,
                None if finding.witness is None else _trace(finding.witness),
                finding.decided,
            )
            for finding in findings
        ]
    except (AssentError, ValueError, ZeroDivisionError):
        return None


def _kept_trace(trace: Trace) -> KeptTrace:
    stretches = tuple(
        (last - first + 1, tuple(sorted(write(atom) for atom in state)))
        for first, last, state in trace.stretches()
    )
    return KeptTrace(stretches, trace.loop, str(trace.step))


def _trace(kept_trace: KeptTrace) -> Trace:
    states: list[frozenset[Atom]] = []
    for count, atoms in kept_trace.stretches:
        if not 0 < count <= LONGEST:
            raise ValueError(f"no stretch of a behaviour has {count} states")
        states += [frozenset(map(_atom, atoms))] * count
    return Trace(tuple(states), kept_trace.loop, Fraction(kept_trace.step))


LONGEST = 100_000
"""States of a stretch."""


def _atom(text: str) -> Atom:
    try:
        atom = read(text, Logic.STL)
    except AssentError:
        atom = read(text, Logic.SPATIAL)
    if not isinstance(atom, Prop | Compare | Relation):
        raise DataError(f"{text!r} is no atom")
    return atom
