"""A report as a folder: tables in all forms, figures and one page, whole or not at all."""

from __future__ import annotations

import html
import json
import re
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

from assent.errors import DataError
from assent.evaluate.report import Report
from assent.evaluate.table import plain


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
    markdown = [f"# {plain(report.about.title)}\n"]
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
    title = html.escape(report.about.title)
    links = "".join(f"<a href='#{t.name}'>{html.escape(t.title)}</a> " for t in report.tables)
    drawings = "".join(
        f"<figure id='figure-{f.name}'>{inline(f.svg)}<figcaption>{html.escape(f.title)}</figcaption></figure>\n"
        for f in report.figures
    )
    settings = html.escape(json.dumps(asdict(report.about), ensure_ascii=False))
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
        f"<meta name='viewport' content='width=device-width'><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<nav>{links}</nav>\n<div class='figures'>{drawings}</div>\n{''.join(t.html() for t in report.tables)}"
        f"<h2>Settings</h2><p class='note'>{settings}</p></body></html>\n"
    )


def inline(svg: str) -> str:
    """The drawing alone: no XML head, and no metadata, whose addresses look like things to load."""
    return re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
