"""One run, every table and figure: numbers are measured once and written in all forms from there."""

from __future__ import annotations

import html
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assent import __version__
from assent.errors import DataError
from assent.evaluate import drift as drifting
from assent.evaluate import measure, paper, plots, typology
from assent.evaluate.measure import Rows, Settings
from assent.evaluate.table import Cell, Table, plain
from assent.policy.labelled import Labelled

Embed = Callable[[list[str]], npt.NDArray[np.float32]]
LISTED = 50


@dataclass(frozen=True)
class Report:
    """What was measured, as rows and as tables for people."""

    settings: Mapping[str, Any]
    rows: Mapping[str, Rows]
    tables: tuple[Table, ...]
    figures: tuple[plots.Figure, ...] = field(repr=False)

    def to_json(self) -> str:
        body = {**self.rows, "settings": self.settings}
        return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def make(
    data: Labelled,
    settings: Settings,
    *,
    embed: Embed | None = None,
    title: str = "report",
    draw: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """Measure everything once."""
    rows: dict[str, Rows] = {}
    say("ranking")
    rows["overview"] = measure.overview(data)
    rows["auroc"] = measure.auroc(data, settings)
    rows["margins"] = measure.margins(data, settings)
    rows["selection"] = measure.selection(data, settings)
    rows["floors"] = measure.floors(data)
    say("compliance")
    rows["compliance"] = measure.compliance(data, settings)
    rows["executed"] = measure.executed(rows["compliance"])
    rows["exceedances"] = measure.exceedances(rows["compliance"])
    rows["ledger"] = measure.ledger(rows["compliance"], data)
    say("drift")
    p_values = None
    rows["drift"] = []
    if embed is not None:
        rows["drift"], p_values = drifting.drift(data, settings, embed)
    say("labels and errors")
    rows["complementarity"] = measure.complementarity(data)
    rows["conflicts"], summary = typology.conflicts(data)
    rows["conflict_summary"] = [summary]
    rows["labels"] = typology.labels(data)
    rows["sweep"] = measure.sweep(data)
    rows["typology"] = typology.typology(data, settings)
    rows["compliance_summary"] = [_summary(rows["compliance"], unit) for unit in measure.units(data)]
    described = {
        **asdict(settings),
        "title": title,
        "version": __version__,
        "rows": len(data),
        "logics": sorted({row.evidence.instruction.logic.value for row in data.rows}),
        "labels": data.level,
        "channels_not_recorded": measure.missing_channels(data),
        "tiers_too_small_to_split": measure.too_small(data),
        "rows_resplit": len(measure.thinned(data, measure.RESPLIT_ROWS, settings.seed)),
        "gate": _gate_said(data, settings, embed),
    }
    say("figures")
    figures = tuple(plots.figures(data, settings, rows, p_values)) if draw else ()
    return Report(described, rows, tables(described, rows), figures)


def _gate_said(data: Labelled, settings: Settings, embed: Embed | None) -> str:
    if embed is None:
        return "not measured: no embedder"
    rows = drifting.enough(data, settings)
    if not len(rows):
        return f"not measured: no tier has {drifting.FEWEST} units"
    return f"measured on {len(rows)} rows of {', '.join(rows.tiers)}"


def _summary(rows: Rows, unit: str) -> dict[str, Cell]:
    """Cells over their budget, counted as the paper does and at three standard errors."""
    out: dict[str, Cell] = {"unit": unit}
    for method in ("crc", "split"):
        cells = [r for r in rows if r["method"] == method and r["unit"] == unit]
        feasible = [r for r in cells if r["mark"] != "abst."]
        out[f"{method}: cells"] = len(cells)
        out[f"{method}: feasible"] = len(feasible)
        out[f"{method}: over one s.e."] = sum(r["mark"] == "✗" for r in feasible)
        out[f"{method}: over three s.e."] = sum(bool(r["over_three_se"]) for r in feasible)
    return out


def tables(settings: Mapping[str, Any], rows: Mapping[str, Rows]) -> tuple[Table, ...]:
    """The rows as tables for people, the paper's figures beside ours where they exist."""
    logics = settings["logics"]
    logic = logics[0] if len(logics) == 1 else ""
    promise = (
        "Risk is joint: accepted and wrong, over all. α is an average over calibrations. ✓ within α, † over by at "
        "most one s.e., ✗ over by more, abst. no feasible threshold. Unit 'cluster': whole clusters apart, risk "
        "averaged within clusters, promised for a new cluster; unit 'pair': pairs redrawn from the same formulas."
    )
    recorded = ", ".join(settings["channels_not_recorded"]) or "none"
    made = [
        Table.of("overview", "Data", rows["overview"]),
        Table.of(
            "auroc",
            "AUROC by channel and tier",
            [_beside_auroc(r, logic) for r in rows["auroc"]],
            notes=[
                f"Channels that were not recorded: {recorded}.",
                "95 % bootstrap intervals, over clusters where they are declared; 'uninformative' marks intervals "
                "that include 0.5.",
            ],
        ),
        Table.of("margins", "Fusion over the best single channel", rows["margins"]),
        Table.of(
            "selection",
            "Score to selection, tiers merged",
            [_beside_selection(r, logic) for r in rows["selection"]],
        ),
        Table.of("floors", "Smallest α that can be certified", rows["floors"]),
        Table.of(
            "compliance",
            f"Compliance of the channel {settings['channel']!r}",
            _matrix(rows["compliance"], logic),
            notes=[promise, *_splits_said(settings)],
        ),
        Table.of(
            "executed",
            "Errors executed per 150 instructions",
            rows["executed"],
            notes=[paper.INCONSISTENCIES[0]] if logic == "stl" else [],
        ),
        Table.of(
            "exceedances", f"Resplits of {settings['resplits']} with a risk above α", rows["exceedances"]
        ),
        Table.of("compliance_summary", "Cells over their budget", rows["compliance_summary"]),
        Table.of("ledger", "Acceptance ledger", rows["ledger"]),
        Table.of("complementarity", "Do the signals complement one another?", rows["complementarity"]),
        *_about_references(rows),
    ]
    if rows["drift"]:
        notes = [f"The gate: {settings['gate']}.", *(paper.INCONSISTENCIES[1:] if logic == "stl" else ())]
        made.append(
            Table.of(
                "drift",
                "Drift between tiers, α = 0.10",
                [_beside_drift(r, logic) for r in rows["drift"]],
                notes=notes,
            )
        )
    return tuple(made)


def _about_references(rows: Mapping[str, Rows]) -> list[Table]:
    """The tables about labels, references that contradict one another, and kinds of errors."""
    return [
        Table.of("labels", "Exact against canonical labels", rows["labels"]),
        Table.of("conflict_summary", "Conflicting references", rows["conflict_summary"]),
        Table.of(
            "conflicts",
            "Same text, references of different meaning",
            rows["conflicts"][:LISTED],
            notes=[f"The first {LISTED} of {len(rows['conflicts'])}; report.json has all."],
        ),
        Table.of("sweep", "AUROC by mixing weight λ", _by_weight(rows["sweep"])),
        Table.of(
            "typology",
            "Which single change turns the candidate into the reference",
            rows["typology"],
            notes=[f"Of at most {typology.TYPOLOGY_ROWS} wrong rows, drawn by the seed."],
        ),
    ]


def _splits_said(settings: Mapping[str, Any]) -> list[str]:
    said = []
    if settings["tiers_too_small_to_split"]:
        said.append(f"Too few to split: {', '.join(settings['tiers_too_small_to_split'])}.")
    if settings["rows_resplit"] < settings["rows"]:
        said.append(
            f"{settings['rows_resplit']} of {settings['rows']} rows, whole clusters drawn by the seed."
        )
    return said


def _by_weight(rows: Rows) -> Rows:
    """One line for each weight, one column for each group."""
    found: dict[Cell, dict[str, Cell]] = {}
    for row in rows:
        found.setdefault(row["lambda"], {"λ": row["lambda"]})[str(row["group"])] = row["auroc"]
    return list(found.values())


def _beside_auroc(row: dict[str, Cell], logic: str) -> dict[str, Cell]:
    known = paper.AUROC.get(logic, {}).get(str(row["channel"]))
    at = {"D2": 0, "D3": 1, "D4": 2, "all": 3}.get(str(row["group"]))
    return {**row, "paper": None if known is None or at is None else known[at]}


def _beside_selection(row: dict[str, Cell], logic: str) -> dict[str, Cell]:
    known = paper.SELECTION.get(logic, {}).get(str(row["channel"]), (None, None))
    return {**row, "paper: acceptance": known[0], "paper: floor": known[1]}


def _beside_drift(row: dict[str, Cell], logic: str) -> dict[str, Cell]:
    known = paper.DRIFT["gated" if row["gated"] else "no gate"].get(str(row["tested_on"]))
    at = {"D2": 0, "D3": 1, "D4": 2}.get(str(row["calibrated_on"]))
    return {**row, "paper": known[at] if logic == "stl" and known is not None and at is not None else None}


def _matrix(rows: Rows, logic: str) -> Rows:
    """Tiers x alphas, one line for each method and unit, and the paper's line under it."""
    out: Rows = []
    keys = dict.fromkeys((str(r["group"]), str(r["method"]), str(r["unit"])) for r in rows)
    for group, method, unit in keys:
        mine = [r for r in rows if (r["group"], r["method"], r["unit"]) == (group, method, unit)]
        line: dict[str, Cell] = {"group": group, "method": method, "unit": unit}
        for r in mine:
            text = "abst." if r["mark"] == "abst." else f"{r['risk']:.3f} ± {r['se']:.3f} {r['mark']}"
            line[f"α = {r['alpha']:.2f}"] = text
        line["no selection"] = mine[0]["no_selection"]
        out.append(line)
        cells = paper.COMPLIANCE.get(logic, {}).get(group, {}).get(method)
        if cells is not None and unit == "pair":
            beside: dict[str, Cell] = {"group": group, "method": f"paper: {method}", "unit": unit}
            for alpha, cell in zip(paper.ALPHAS, cells, strict=True):
                beside[f"α = {alpha:.2f}"] = "abst." if cell is None else f"{cell[0]:.3f} ± {cell[1]:.3f}"
            beside["no selection"] = paper.ERROR_RATE[logic].get(group)
            out.append(beside)
    return out


def refuse_folder(directory: str | Path) -> None:
    """Raise unless the folder is new, empty or an older report: nothing else is ever replaced."""
    target = Path(directory)
    if target.is_dir() and ((target / "report.json").exists() or not any(target.iterdir())):
        return
    if target.exists():
        raise DataError("exists and is not a report: choose another folder", file=str(target))


def write(report: Report, directory: str | Path) -> Path:
    """Tables in all forms, figures and one page, whole or not at all: a folder beside, then renamed."""
    target = Path(directory)
    refuse_folder(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", file=str(target)) from error
    old = staging / "old"
    try:
        new = staging / "new"
        new.mkdir()
        _fill(report, new)
        if target.exists():
            target.replace(old)
        new.replace(target)
    except BaseException as error:
        if old.exists() and not target.exists():
            old.replace(target)
        if isinstance(error, OSError):
            raise DataError(f"cannot be written: {error.strerror}", file=str(target)) from error
        raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return target


def _fill(report: Report, folder: Path) -> None:
    (folder / "report.json").write_text(report.to_json(), encoding="utf-8")
    markdown = [f"# {plain(str(report.settings['title']))}\n"]
    for table in report.tables:
        (folder / f"{table.name}.csv").write_text(table.csv(), encoding="utf-8")
        (folder / f"{table.name}.tex").write_text(table.latex(), encoding="utf-8")
        markdown.append(table.markdown())
    (folder / "report.md").write_text("\n".join(markdown), encoding="utf-8")
    for figure in report.figures:
        (folder / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
        (folder / f"{figure.name}.png").write_bytes(figure.png)
    (folder / "index.html").write_text(page(report), encoding="utf-8")


STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#1a202c}
table{border-collapse:collapse;font-size:13px}th,td{border-bottom:1px solid #e2e8f0;padding:.25rem .6rem;
text-align:left;white-space:nowrap}th{background:#f7fafc;position:sticky;top:0}.scroll{overflow-x:auto}
.note{color:#4a5568;font-size:13px}figure{margin:1rem 0}figcaption{color:#4a5568;font-size:13px}
figure svg{max-width:100%;height:auto}.figures{display:flex;flex-wrap:wrap;gap:0 1.5rem}nav a{margin-right:.8rem}
"""


def page(report: Report) -> str:
    """One self-contained page: no script, no font, no picture from elsewhere."""
    title = html.escape(str(report.settings["title"]))
    links = "".join(f"<a href='#{t.name}'>{html.escape(t.title)}</a> " for t in report.tables)
    drawings = "".join(
        f"<figure id='figure-{f.name}'>{inline(f.svg)}<figcaption>{html.escape(f.title)}</figcaption></figure>\n"
        for f in report.figures
    )
    settings = html.escape(json.dumps(report.settings, ensure_ascii=False))
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<nav>{links}</nav>\n<div class='figures'>{drawings}</div>\n{''.join(t.html() for t in report.tables)}"
        f"<h2>Settings</h2><p class='note'>{settings}</p></body></html>\n"
    )


def inline(svg: str) -> str:
    """The drawing alone: no XML head, and no metadata, whose addresses look like things to load."""
    return re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
