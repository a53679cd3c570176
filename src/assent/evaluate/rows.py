"""The rows of every table of a report. A field's name is its key in report.json, the text beside its type its title."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from assent.calibrate.rules import Unit
from assent.evaluate.table import Estimate

Method = Literal["crc", "split"]
BY_ALPHA = "α = {:.2f}"


@dataclass(frozen=True)
class Overview:
    """What one tier holds. ``withheld`` are abstentions whatever the score, ``failed`` those without a translation."""

    group: str
    rows: int
    error: float
    error_per_cluster: float | None
    clusters: int | None
    largest: int | None
    unreadable: int
    undecided: int
    withheld: int
    failed: int


@dataclass(frozen=True)
class KeptBack:
    """How many rows of the file deployment keeps back for one reason, whatever their score."""

    reason: str
    rows: int
    wrong: int


@dataclass(frozen=True)
class Ranking:
    """AUROC of one channel with its interval; all None where labels are of one kind."""

    group: str
    channel: str
    value: float | None
    low: float | None
    high: float | None
    within_equal_size: float | None
    uninformative: bool | None


@dataclass(frozen=True)
class Margin:
    """How much a fused channel is above the best single one."""

    group: str
    channel: str
    best_single: str
    margin: float
    low: float
    high: float


@dataclass(frozen=True)
class Selection:
    """From score to selection, tiers merged."""

    channel: str
    auroc: float | None
    acceptance: Annotated[float, "acceptance at 0.10"]
    floor: float


@dataclass(frozen=True)
class ChannelFloor:
    """The smallest alpha that can be certified."""

    group: str
    channel: str
    n: int
    floor: float
    unit: Unit


@dataclass(frozen=True)
class Compliance:
    """One cell of the compliance matrix. Everything but ``risk_other_weighting`` is counted in ``unit``."""

    group: str
    alpha: float
    method: Method
    unit: Unit
    risk: float
    se: float
    acceptance: float
    infeasible_share: float
    exceedances: int
    mark: str
    over_three_se: bool
    risk_other_weighting: float
    conditional_error: float | None
    no_selection: float


@dataclass(frozen=True)
class MatrixLine:
    """One line of the compliance matrix: a tier, a method and a unit over all alphas."""

    group: str
    method: str
    unit: Unit
    cells: Annotated[Mapping[float, Estimate], BY_ALPHA]
    no_selection: float | None


@dataclass(frozen=True)
class Executed:
    """Wrong formulas that are accepted among 150 instructions; None where a method abstains throughout."""

    group: str
    alpha: float
    unit: Unit
    crc: float | None
    split: float | None
    no_selection: float


@dataclass(frozen=True)
class Exceedances:
    """In how many resplits the test risk was above alpha."""

    group: str
    method: Method
    unit: Unit
    above: Annotated[Mapping[float, int], BY_ALPHA]


@dataclass(frozen=True)
class OverBudget:
    """Cells over their budget, counted as the paper does and at three standard errors."""

    unit: Unit
    crc_cells: Annotated[int, "crc: cells"]
    crc_feasible: Annotated[int, "crc: feasible"]
    crc_over: Annotated[int, "crc: over one s.e."]
    crc_far_over: Annotated[int, "crc: over three s.e."]
    split_cells: Annotated[int, "split: cells"]
    split_feasible: Annotated[int, "split: feasible"]
    split_over: Annotated[int, "split: over one s.e."]
    split_far_over: Annotated[int, "split: over three s.e."]


@dataclass(frozen=True)
class Acceptance:
    """Acceptance against the oracle and against a score that knows nothing, all counted in ``unit``."""

    group: str
    alpha: float
    unit: Unit
    acceptance: float
    oracle: float
    share_of_oracle: float
    uninformative: float
    errors_per_150: float
    no_selection_per_150: float


@dataclass(frozen=True)
class Unpromised:
    """A part of the rows that no rule is made for: what the rules of the candidates' tiers do inside it."""

    kind: str
    part: str
    alpha: float
    rows: int
    error: float
    risk: float
    acceptance: float
    above: Annotated[bool, "above α"]


@dataclass(frozen=True)
class Complementarity:
    """Do the two signals see different errors?"""

    group: str
    inconsistent: float
    error_if_inconsistent: float | None
    error_if_consistent: float | None
    unanimous_errors: int
    auroc: Annotated[Mapping[str, float | None], "AUROC {} among consistent"]


@dataclass(frozen=True)
class Mixed:
    """AUROC at one mixing weight of back-translation and self-consistency."""

    group: str
    weight: float
    auroc: float | None


@dataclass(frozen=True)
class MixedLine:
    """The same, one line a weight."""

    weight: Annotated[float, "λ"]
    auroc: Annotated[Mapping[str, float | None], "{}"]


@dataclass(frozen=True)
class Conflict:
    """Two rows of the same text whose references do not mean the same."""

    id: str
    other_id: str
    verdict: str


@dataclass(frozen=True)
class ConflictCount:
    """How many such pairs there are, and the error rate without the rows concerned."""

    conflicting_pairs: int
    rows_affected: int
    error: float
    error_without_them: float | None


@dataclass(frozen=True)
class LabelChange:
    """Where exact and canonical labels differ."""

    group: str
    wrong_exact: Annotated[int, "wrong (exact)"]
    wrong_canonical: Annotated[int, "wrong (canonical)"]
    labels_that_differ: int
    ids: str


@dataclass(frozen=True)
class ErrorKind:
    """How many wrong candidates one kind of change would repair, by tier."""

    error: str
    tiers: Annotated[Mapping[str, int], "{}"]


@dataclass(frozen=True)
class Drifted:
    """The rule of one tier on another; the last three only behind the gate."""

    calibrated_on: str
    tested_on: str
    gated: bool
    risk: float
    se: float
    deferred: float
    acceptance: float
    calls_avoided_per_150: float | None = None
    rejected_though_acceptable: float | None = None
    of_those_wrong: float | None = None


@dataclass(frozen=True)
class Numbers:
    """Everything that a report measures."""

    overview: tuple[Overview, ...]
    withheld: tuple[KeptBack, ...]
    auroc: tuple[Ranking, ...]
    margins: tuple[Margin, ...]
    selection: tuple[Selection, ...]
    floors: tuple[ChannelFloor, ...]
    compliance: tuple[Compliance, ...]
    executed: tuple[Executed, ...]
    exceedances: tuple[Exceedances, ...]
    compliance_summary: tuple[OverBudget, ...]
    ledger: tuple[Acceptance, ...]
    unpromised: tuple[Unpromised, ...]
    drift: tuple[Drifted, ...]
    complementarity: tuple[Complementarity, ...]
    conflicts: tuple[Conflict, ...]
    conflict_summary: tuple[ConflictCount, ...]
    labels: tuple[LabelChange, ...]
    sweep: tuple[Mixed, ...]
    typology: tuple[ErrorKind, ...]
