"""Formulas for other tools. Each target says which fragment it takes, rewrites what it can, refuses the rest."""

from __future__ import annotations

from assent.errors import UsageError
from assent.logic.ast import Formula
from assent.logic.export import ltl_tools, other_tools, stl_tools
from assent.logic.export.base import Export, Target

__all__ = ["TARGETS", "Export", "Target", "export"]

TARGETS: dict[str, Target] = {
    target.name: target for target in (*ltl_tools.TARGETS, *stl_tools.TARGETS, *other_tools.TARGETS)
}


def export(formula: Formula, target: str, *, instruction: str | None = None) -> Export:
    """The formula as text that ``target`` runs; FragmentError if it cannot say it."""
    if target not in TARGETS:
        raise UsageError(f"no export target {target!r}; there are {', '.join(TARGETS)}")
    return TARGETS[target].emit(formula, instruction)
