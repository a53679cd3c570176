"""What is asked of formulas, as JSON objects: the same for the command line, the service and agents."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from assent.logic.ast import Formula, Logic
from assent.logic.english.say import UNIT
from assent.logic.recorded import Outcome
from assent.logic.semantics import Trace
from assent.records import tier_of


def compared(
    first: Formula, second: Formula, *, level: str = "exact", **options: Any
) -> tuple[dict[str, Any], Trace | None]:
    """``{"verdict", "method", "witness"}``, and the trace behind it; options as ``equivalence.equivalent``."""
    from assent.logic.equivalence import equivalent

    found = equivalent(first, second, level=level, **options)  # type: ignore[arg-type]
    shown = None if found.witness is None else _witness(first, second, found.witness)
    return {"verdict": str(found.verdict), "method": found.method, "witness": shown}, found.witness


def _witness(first: Formula, second: Formula, witness: Trace) -> dict[str, Any]:
    from assent.logic.render import decimal, write
    from assent.logic.semantics import holds

    return {
        "states": [
            {"from": start, "to": last, "true": sorted(write(atom) for atom in state)}
            for start, last, state in witness.stretches()
        ],
        "loop": witness.loop,
        "step": decimal(witness.step),
        "first_holds": holds(first, witness),
        "second_holds": holds(second, witness),
    }


def explained(
    formula: Formula, logic: Logic, *, unit: str = UNIT, budget: float | None = None, plain: bool = False
) -> dict[str, Any]:
    """The fields of ``logic.explain.Explanation`` and the tier."""
    from assent.logic.explain import explain

    return asdict(explain(formula, logic, unit=unit, budget=budget, plain=plain)) | {
        "tier": tier_of(logic, formula)
    }


def exported(
    formula: Formula, target: str, *, instruction: str | None = None, period: Fraction | None = None
) -> dict[str, Any]:
    """The fields of ``logic.export.Export``; FragmentError if the target cannot say the formula."""
    from assent.logic.export import export

    made = asdict(export(formula, target, instruction=instruction, period=period))
    return {**made, "notes": list(made["notes"]), "atom_map": dict(made["atom_map"])}


def evaluated(found: Outcome) -> dict[str, Any]:
    """What a formula is worth on a trace; what there is nothing to say of is left out."""
    row: dict[str, Any] = {"holds": found.holds}
    if found.robustness is not None:
        row["robustness"] = found.robustness
    if found.first_violation is not None:
        row["first_violation"] = found.first_violation
    period = None if found.period is None else float(found.period)
    return row | {"time": found.time, "period": period, "samples": found.samples, "open_end": found.open_end}
