"""One run, every table and figure: numbers are measured once and written in all forms from there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields

import numpy as np
import numpy.typing as npt

from assent import __version__
from assent.errors import UsageError
from assent.evaluate import compliance as complying
from assent.evaluate import drift as drifting
from assent.evaluate import measure, plots, published, typology
from assent.evaluate.measure import MeasureSettings
from assent.evaluate.published import Published
from assent.evaluate.rows import Compliance, Drifted, MatrixLine, Mixed, MixedLine, Numbers
from assent.evaluate.table import Estimate, Table, record
from assent.policy.labelled import Labelled

Embed = Callable[[list[str]], npt.NDArray[np.float32]]
LISTED = 50
PROMISE = (
    "Risk is joint: accepted and wrong, over all. α is an average over calibrations. ✓ within α, † over by at "
    "most one s.e., ✗ over by more, abst. no feasible threshold. Unit 'cluster': whole clusters apart, risk "
    "averaged within clusters, promised for a new cluster; unit 'pair': pairs redrawn from the same formulas."
)


@dataclass(frozen=True, kw_only=True)
class ReportSettings(MeasureSettings):
    """The settings, and what was measured with them."""

    title: str
    version: str
    rows: int
    logics: tuple[str, ...]
    labels: str
    channels_not_recorded: tuple[str, ...]
    tiers_too_small_to_split: tuple[str, ...]
    rows_resplit: int
    rows_without_translation: int
    withheld: Mapping[str, int]
    gate: str
    figures: str


@dataclass(frozen=True)
class Report:
    """What was measured, as rows and as tables for people."""

    about: ReportSettings
    numbers: Numbers
    tables: tuple[Table, ...]
    figures: tuple[plots.Figure, ...] = field(repr=False)

    def to_json(self) -> str:
        kinds = {part.name: getattr(self.numbers, part.name) for part in fields(self.numbers)}
        body = {name: [record(row) for row in rows] for name, rows in kinds.items()}
        body["settings"] = asdict(self.about)  # type: ignore[assignment]
        return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def make(
    data: Labelled,
    settings: MeasureSettings,
    *,
    embed: Embed | None = None,
    title: str = "report",
    draw: bool = True,
    paper: Published | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """Measure everything once.

    Rows without a translation are abstentions: they count wherever acceptance counts, and are not ranked. ``paper`` are
    published figures to show beside. Without matplotlib there are tables and no figures.
    """
    ranked = data.translated
    if not len(ranked):
        raise UsageError("no row has a translation")
    missing = plots.missing() if draw else None
    drift, p_values = _drift(data, settings, embed, say)
    numbers = _measured(data, ranked, settings, drift, say)
    about = _about(data, settings, title, embed, "not drawn" if not draw else missing or "drawn")
    made = tables(about, numbers)
    if paper is not None and len(about.logics) == 1:
        made = published.beside(made, numbers, about.logics[0], paper)
    say("figures")
    figures = plots.figures(ranked, settings, numbers, p_values) if draw and missing is None else ()
    return Report(about, numbers, made, tuple(figures))


def _drift(
    data: Labelled, settings: MeasureSettings, embed: Embed | None, say: Callable[[str], None]
) -> tuple[tuple[Drifted, ...], npt.NDArray[np.float64] | None]:
    if embed is None:
        return (), None
    say("drift")
    return drifting.drift(data, settings, embed)


def _measured(
    data: Labelled,
    ranked: Labelled,
    settings: MeasureSettings,
    drift: tuple[Drifted, ...],
    say: Callable[[str], None],
) -> Numbers:
    say("compliance")
    cells = complying.compliance(data, settings)
    say("ranking, labels and errors")
    conflicts, conflict_count = typology.conflicts(data)
    return Numbers(
        overview=measure.overview(data, settings),
        withheld=measure.withheld(data, settings),
        auroc=measure.auroc(ranked, settings),
        margins=measure.margins(ranked, settings),
        selection=measure.selection(data, settings),
        floors=measure.floors(data, settings),
        compliance=cells,
        executed=complying.executed(cells),
        exceedances=complying.exceedances(cells),
        compliance_summary=tuple(complying.over_budget(cells, unit) for unit in measure.units(data)),
        ledger=complying.ledger(cells),
        unpromised=complying.unpromised(data, settings),
        drift=drift,
        complementarity=measure.complementarity(ranked),
        conflicts=conflicts,
        conflict_summary=(conflict_count,),
        labels=typology.labels(data),
        sweep=measure.sweep(ranked),
        typology=typology.typology(ranked, settings),
    )


def _about(
    data: Labelled, settings: MeasureSettings, title: str, embed: Embed | None, figures: str
) -> ReportSettings:
    return ReportSettings(
        **{part.name: getattr(settings, part.name) for part in fields(settings)},
        title=title,
        version=__version__,
        rows=len(data),
        logics=tuple(sorted(data.columns.logic.present)),
        labels=data.level,
        channels_not_recorded=tuple(measure.missing_channels(data)),
        tiers_too_small_to_split=tuple(measure.too_small(data)),
        rows_resplit=len(measure.thinned(data, measure.RESPLIT_ROWS, settings.seed)),
        rows_without_translation=int((~data.columns.translated).sum()),
        withheld={row.reason: row.rows for row in measure.withheld(data, settings)},
        gate=_gate(data, settings, embed),
        figures=figures,
    )


def _gate(data: Labelled, settings: MeasureSettings, embed: Embed | None) -> str:
    if embed is None:
        return "not measured: no embedder"
    rows = drifting.enough(data, settings)
    if not len(rows):
        return f"not measured: no tier has {drifting.FEWEST} units"
    return f"measured on {len(rows)} rows of {', '.join(rows.tiers)}"


def tables(about: ReportSettings, numbers: Numbers) -> tuple[Table, ...]:
    """The rows as tables for people."""
    made = [
        Table("overview", "Data", numbers.overview),
        Table(
            "withheld",
            "Kept back whatever the score",
            numbers.withheld,
            ("Abstentions of deployment; in the tables of risk and acceptance they count as such.",),
        ),
        *_of_ranking(about, numbers),
        *_of_promises(about, numbers),
        Table("complementarity", "Do the signals complement one another?", numbers.complementarity),
        *_of_references(numbers),
    ]
    if numbers.drift:
        notes = (f"The gate: {about.gate}.",)
        made.append(Table("drift", "Drift between tiers, α = 0.10", numbers.drift, notes))
    return tuple(made)


def _of_ranking(about: ReportSettings, numbers: Numbers) -> list[Table]:
    recorded = ", ".join(about.channels_not_recorded) or "none"
    notes = (
        f"Channels that were not recorded: {recorded}.",
        "95 % bootstrap intervals, over clusters where they are declared; 'uninformative' marks intervals "
        "that include 0.5.",
    )
    return [
        Table("auroc", "AUROC by channel and tier", numbers.auroc, notes),
        Table("margins", "Fusion over the best single channel", numbers.margins),
        Table("selection", "Score to selection, tiers merged", numbers.selection),
        Table("floors", "Smallest α that can be certified", numbers.floors),
    ]


def _of_promises(about: ReportSettings, numbers: Numbers) -> list[Table]:
    """The tables about what the rule does."""
    deployed = (
        "Rules of the candidates' tiers, as 'assent calibrate' makes them, on the test part of each resplit; per row.",
        "Nothing is promised for these parts by themselves: an honest average may hide one above α.",
    )
    return [
        Table(
            "compliance",
            f"Compliance of the channel {about.channel!r}",
            matrix(numbers.compliance),
            (PROMISE, *_splits(about)),
        ),
        Table("executed", "Errors executed per 150 instructions", numbers.executed),
        Table("exceedances", f"Resplits of {about.resplits} with a risk above α", numbers.exceedances),
        Table("compliance_summary", "Cells over their budget", numbers.compliance_summary),
        Table("ledger", "Acceptance ledger", numbers.ledger),
        Table("unpromised", "Parts that carry no promise of their own", numbers.unpromised, deployed),
    ]


def _of_references(numbers: Numbers) -> list[Table]:
    """The tables about labels, references that contradict one another, and kinds of errors."""
    listed = f"The first {LISTED} of {len(numbers.conflicts)}; report.json has all."
    drawn = f"Of at most {typology.TYPOLOGY_ROWS} wrong rows, drawn by the seed."
    change = "Which single change turns the candidate into the reference"
    return [
        Table("labels", "Exact against canonical labels", numbers.labels),
        Table("conflict_summary", "Conflicting references", numbers.conflict_summary),
        Table(
            "conflicts", "Same text, references of different meaning", numbers.conflicts[:LISTED], (listed,)
        ),
        Table("sweep", "AUROC by mixing weight λ", _by_weight(numbers.sweep)),
        Table("typology", change, numbers.typology, (drawn,)),
    ]


def _splits(about: ReportSettings) -> list[str]:
    notes = [
        f"Kept back whatever the score, and counted as abstentions: {sum(about.withheld.values())} rows."
    ]
    if about.tiers_too_small_to_split:
        notes.append(f"Too few to split: {', '.join(about.tiers_too_small_to_split)}.")
    if about.rows_resplit < about.rows:
        notes.append(f"{about.rows_resplit} of {about.rows} rows, whole clusters drawn by the seed.")
    return notes


def _by_weight(rows: tuple[Mixed, ...]) -> tuple[MixedLine, ...]:
    """One line for each weight, one column for each group."""
    weights = dict.fromkeys(row.weight for row in rows)
    return tuple(
        MixedLine(weight, {row.group: row.auroc for row in rows if row.weight == weight})
        for weight in weights
    )


def matrix(rows: tuple[Compliance, ...], *, above: bool = False) -> tuple[MatrixLine, ...]:
    """Tiers x alphas, one line for each method and unit; ``above`` adds how many resplits were over alpha."""
    lines: dict[tuple[str, str, str], list[Compliance]] = {}
    for row in rows:
        lines.setdefault((row.group, row.method, row.unit), []).append(row)
    return tuple(
        MatrixLine(
            cells[0].group,
            cells[0].method,
            cells[0].unit,
            {c.alpha: Estimate(c.risk, c.se, c.mark, c.exceedances if above else None) for c in cells},
            cells[0].no_selection,
        )
        for cells in lines.values()
    )
