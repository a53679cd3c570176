"""Published figures beside one's own: 'assent report --paper'.

The figures are data of the study (studies/paper.json); the wheel carries a copy of the file beside this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from assent.errors import ConfigurationError
from assent.evaluate.rows import Drifted, MatrixLine, Numbers, Ranking, Selection
from assent.evaluate.table import ABSTAINED, Cell, Estimate, Table

FILE = "paper.json"
PLACES = (Path(__file__).with_name(FILE), Path(__file__).resolve().parents[3] / "studies" / FILE)
Cells = tuple[tuple[float, float] | None, ...]


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Figures by logic; ``compliance`` has risk and standard error by tier and method, None where it abstained."""

    source: str
    alphas: tuple[float, ...]
    error_rate: dict[str, dict[str, float]]
    auroc: dict[str, dict[str, dict[str, float]]]
    compliance: dict[str, dict[str, dict[str, Cells]]]
    selection: dict[str, dict[str, tuple[float, float]]]
    drift: dict[str, dict[str, dict[str, dict[str, float]]]]
    inconsistencies: dict[str, dict[str, tuple[str, ...]]]


def load() -> Published:
    """The paper's figures; ConfigurationError where they are not installed."""
    place = next((place for place in PLACES if place.is_file()), None)
    if place is None:
        raise ConfigurationError(
            f"the paper's figures are not installed: {FILE} belongs to {PLACES[0].parent}"
        )
    return msgspec.json.decode(place.read_bytes(), type=Published)


def beside(tables: tuple[Table, ...], numbers: Numbers, logic: str, known: Published) -> tuple[Table, ...]:
    """The same tables with the published figures of one logic, and the known inconsistencies as notes."""
    remarks = known.inconsistencies.get(logic, {})
    return tuple(
        replace(table, notes=(*table.notes, *remarks.get(table.name, ())))
        for table in (_with_figures(table, numbers, logic, known) for table in tables)
    )


def _with_figures(table: Table, numbers: Numbers, logic: str, known: Published) -> Table:
    match table.name:
        case "auroc":
            cells = tuple(_auroc(row, known.auroc.get(logic, {})) for row in numbers.auroc)
            return replace(table, beside=(("paper", cells),))
        case "selection":
            return replace(table, beside=_selection(numbers.selection, known.selection.get(logic, {})))
        case "drift":
            drifted = tuple(_drift(row, known.drift.get(logic, {})) for row in numbers.drift)
            return replace(table, beside=(("paper", drifted),))
        case "compliance":
            return replace(table, records=_lines(table, logic, known))
        case _:
            return table


def _auroc(row: Ranking, known: Mapping[str, Mapping[str, float]]) -> float | None:
    return known.get(row.channel, {}).get(row.group)


def _selection(
    rows: tuple[Selection, ...], known: Mapping[str, tuple[float, float]]
) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
    pairs = [known.get(row.channel, (None, None)) for row in rows]
    return (
        ("paper: acceptance", tuple(pair[0] for pair in pairs)),
        ("paper: floor", tuple(pair[1] for pair in pairs)),
    )


def _drift(row: Drifted, known: Mapping[str, Mapping[str, Mapping[str, float]]]) -> float | None:
    kind = known.get("gated" if row.gated else "no gate", {})
    return kind.get(row.tested_on, {}).get(row.calibrated_on)


def _lines(table: Table, logic: str, known: Published) -> tuple[MatrixLine, ...]:
    """The paper's line under ours of the same tier and method; its pairs are not clustered."""
    ours = [line for line in table.records if isinstance(line, MatrixLine)]
    out: list[MatrixLine] = []
    for line in ours:
        out.append(line)
        twins = [other for other in ours if (other.group, other.method) == (line.group, line.method)]
        cells = known.compliance.get(logic, {}).get(line.group, {}).get(line.method)
        if cells is not None and line is twins[-1]:
            made = {alpha: _estimate(cell) for alpha, cell in zip(known.alphas, cells, strict=True)}
            rate = known.error_rate.get(logic, {}).get(line.group)
            out.append(MatrixLine(line.group, f"paper: {line.method}", "pair", made, rate))
    return tuple(out)


def _estimate(cell: tuple[float, float] | None) -> Estimate:
    return Estimate(0.0, 0.0, ABSTAINED) if cell is None else Estimate(*cell)
