"""One page for the review meeting: complete in itself, no script, readable without colours, printable."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assent.documents.checking import Checked, Row
from assent.documents.together import Noted
from assent.logic.draw import timing_svg, tree_svg
from assent.logic.sets.types import Sample, listed
from assent.review.meaning import readable
from assent.review.page import said, whole_page

_FILTERS = {
    "all": "all",
    "accepted": "vouched for",
    "abstained": "abstained",
    "suspect": "suspect",
    "found": "with findings",
}
_STYLE = (
    "article{border:1px solid #ccd;border-left:.5rem solid #2e7d32;border-radius:.3rem;"
    "padding:.2rem 1rem;margin:1rem 0;break-inside:avoid}article.abstained{border-left-color:#b26a00}"
    "article.suspect{border-left-style:double}"
    "article h3{margin:.4rem 0}blockquote{margin:.4rem 0;font-size:1.05rem}.where,.by{color:#555}"
    ".filters{position:sticky;top:0;background:#fff;padding:.5rem 0;border-bottom:1px solid #ccd}"
    ".filters label{margin-right:1rem}ol{padding-left:1.4rem}"
    ".finding{border-left:.25rem solid #b00020;padding-left:.6rem}"
    "figure{margin:.4rem 0;overflow-x:auto}h1,h3,p,blockquote,td,th,figcaption{overflow-wrap:anywhere}"
    ".wide{table-layout:fixed;width:100%}.wide th:nth-child(-n+2){width:22%}"
    + "".join(
        f"body:has(#show-{name}:checked) article:not(.{name}){{display:none}}"
        for name in _FILTERS
        if name != "all"
    )
    + "@media print{.filters{display:none}article{display:block!important}details::details-content"
    "{content-visibility:visible;display:block}body{max-width:none}}"
)


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """The page."""
    about: dict[str, list[Noted]] = {}
    for noted in findings:
        for name in noted.requirements:
            about.setdefault(name, []).append(noted)
    parts = [
        f"<header><h1>{said(', '.join(checked.files))}</h1>",
        _summary(checked, findings),
        "</header><main>",
        _filters(),
        _findings(findings),
        _allowed(checked),
        "<h2>Requirements</h2>",
        *(
            _requirement(row, about.get(row.requirement.id, []), _forbidden(checked, row))
            for row in checked.rows
        ),
        _aside(checked),
        "</main>",
    ]
    return whole_page("Requirements: " + ", ".join(checked.files), parts, style=_STYLE)


def _summary(checked: Checked, findings: Sequence[Noted]) -> str:
    vouched = sum(row.judgement.vouched for row in checked.rows)
    rows = (
        ("requirements", len(checked.rows)),
        ("vouched for", vouched),
        ("abstained", len(checked.rows) - vouched),
        ("suspect", sum(bool(row.suspect) for row in checked.rows)),
        ("findings", len(findings)),
        ("set aside", len(checked.aside)),
    )
    cells = "".join(f'<tr><th scope="row">{name}</th><td>{count}</td></tr>' for name, count in rows)
    return f"<table><caption>In short</caption>{cells}</table>"


def _filters() -> str:
    buttons = "".join(
        f'<label><input type="radio" name="show" id="show-{name}"{" checked" if name == "all" else ""}> {words}</label>'
        for name, words in _FILTERS.items()
    )
    return f'<fieldset class="filters"><legend>Show requirements</legend>{buttons}</fieldset>'


def _findings(findings: Sequence[Noted]) -> str:
    if not findings:
        return "<h2>Findings</h2><p>None.</p>"
    rows = []
    for noted in findings:
        links = ", ".join(f'<a href="#{_anchor(name)}">{said(name)}</a>' for name in noted.requirements)
        figure = "" if noted.witness is None else f"<figure>{timing_svg(noted.witness)}</figure>"
        rows.append(
            f'<tr><th scope="row">{said(noted.kind)}</th><td>{links}</td><td>{said(noted.said)}{figure}</td></tr>'
        )
    head = '<tr><th scope="col">kind</th><th scope="col">requirements</th><th scope="col">what</th></tr>'
    return f'<h2>Findings</h2><table class="wide">{head}{"".join(rows)}</table>'


def _allowed(checked: Checked) -> str:
    """A behaviour of each part that shares names; nothing if nobody looked for them."""
    if checked.behaviours is None:
        return ""
    figures = [
        f"<figure><figcaption>All of these hold: {said(_members(checked, sample))}.</figcaption>"
        f"{timing_svg(sample.trace)}</figure>"
        for sample in checked.behaviours.allowed
    ]
    none = "<p>None: no part of the requirements can be satisfied, or the budget did not suffice.</p>"
    return f"<h2>What they allow together</h2>{''.join(figures) or none}"


def _forbidden(checked: Checked, row: Row) -> str:
    """A behaviour that only this requirement forbids."""
    sample = None if checked.behaviours is None else checked.behaviours.forbidden.get(row.requirement.id)
    if sample is None:
        return ""
    which = "What it forbids" if len(sample.requirements) == 1 else "What only it forbids"
    return (
        f"<details><summary>{which}</summary><figure><figcaption>Of {said(_members(checked, sample))}."
        f"</figcaption>{timing_svg(sample.trace)}</figure></details>"
    )


def _members(checked: Checked, sample: Sample) -> str:
    """The requirements that a behaviour is about, and whose formula nobody vouches for."""
    ids = set(sample.requirements)
    unvouched = [
        row.requirement.id for row in checked.rows if row.requirement.id in ids and not row.judgement.vouched
    ]
    mark = f" (not vouched for: {listed(unvouched)})" if unvouched else ""
    return listed(sample.requirements) + mark


def _requirement(row: Row, findings: Sequence[Noted], forbidden: str = "") -> str:
    requirement, judgement = row.requirement, row.judgement
    classes = [judgement.decision, *(["suspect"] if row.suspect else []), *(["found"] if findings else [])]
    head = f"{said(requirement.id)}: {'vouched for' if judgement.vouched else 'abstained'}"
    if row.suspect:
        head += f", suspect ({said(', '.join(row.suspect))})"
    parts = [
        f'<article class="{" ".join(classes)}" id="{_anchor(requirement.id)}"><h3>{head}</h3>',
        f'<p class="where">{said(requirement.file)}:{requirement.line} · {said(judgement.logic)}</p>',
        f"<blockquote>{said(requirement.text)}</blockquote>",
        _vouched(row) if judgement.vouched else _abstained(row),
        forbidden,
        *(f'<p class="finding"><b>{said(noted.kind)}</b> {said(noted.said)}</p>' for noted in findings),
        "</article>",
    ]
    return "\n".join(parts)


def _vouched(row: Row) -> str:
    judgement = row.judgement
    return (
        f"<p>{said(judgement.english or '')}</p><pre>{said(judgement.formula or '')}</pre>{_tree(row)}"
        f'<p class="by">Vouched for by {said(judgement.by or "")}</p>'
    )


def _abstained(row: Row) -> str:
    judgement = row.judgement
    parts = [f"<p><b>{said(judgement.reason or '')}</b>: {said(judgement.detail or '')}</p>"]
    if judgement.readings:
        items = "".join(
            f"<li>{said(r.english)}<br><code>{said(r.formula)}</code></li>" for r in judgement.readings
        )
        parts.append(f"<p>It may mean (not vouched for):</p><ol>{items}</ol>")
    if judgement.difference:
        parts.append(f"<p>1 and 2 differ on:</p><pre>{said(judgement.difference)}</pre>")
    if judgement.candidate and not judgement.readings:
        parts.append(f"<p>Candidate, not vouched for:</p><pre>{said(judgement.candidate)}</pre>")
    return "".join(parts) + _tree(row)


def _tree(row: Row) -> str:
    formula = None if row.judgement.best is None else readable(row.judgement.best, row.judgement.logic)
    if formula is None:
        return ""
    of = "" if row.judgement.vouched else " of the candidate"
    return f"<details><summary>Tree{of}</summary><figure>{tree_svg(formula)}</figure></details>"


def _aside(checked: Checked) -> str:
    if not checked.aside:
        return ""
    rows = "".join(
        f"<tr><td>{said(part.file)}:{part.line}</td><td>{said(part.why)}</td><td>{said(part.text)}</td></tr>"
        for part in checked.aside
    )
    head = '<tr><th scope="col">where</th><th scope="col">why</th><th scope="col">text</th></tr>'
    return f'<h2>Set aside</h2><table class="wide">{head}{rows}</table>'


def _anchor(name: str) -> str:
    return escape(
        "r-" + "".join(c if c.isalnum() or c in "-_." else f"_{ord(c):x}_" for c in name), quote=True
    )
