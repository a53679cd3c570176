"""Bundles and certificates as one self-contained page each: no script, nothing loaded, every text escaped."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from assent import __version__
from assent.ledger.entries import Body, Kind, LedgerPlan, ReviewAnswer, now
from assent.ledger.log import Ledger
from assent.ledger.outcomes import agreement
from assent.ledger.transfer import fingerprint
from assent.logic.draw import tree_svg
from assent.review.certify import Certified
from assent.review.meaning import readable

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}"
    "table{border-collapse:collapse;margin:.5rem 0}td,th{border:1px solid #ccd;padding:.25rem .6rem;text-align:left;"
    "vertical-align:top}pre,code{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}"
    "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:1.6rem}svg{max-width:100%}.sign{margin-top:3rem}"
)


def said(value: Any) -> str:
    """Any value as text that is text in a page too; control characters become a mark."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    shown = "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return html.escape(shown)


def whole_page(title: str, parts: Iterable[str], *, style: str = "") -> str:
    """A page that is complete in itself; ``parts`` are HTML already, ``style`` is added to the common one."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{said(title)}</title><style>{_STYLE}{style}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _table(rows: Iterable[Sequence[Any]], head: Sequence[str] = ()) -> str:
    lines = [f"<tr>{''.join(f'<th>{said(name)}</th>' for name in head)}</tr>"] if head else []
    lines += [f"<tr>{''.join(f'<td>{said(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return f"<table>{''.join(lines)}</table>"


def _pairs(found: Mapping[str, Any]) -> str:
    return _table([(name, value) for name, value in found.items() if value not in (None, [], {}, "")])


def bundle_page(bundle: Body) -> str:
    """The page of one decision."""
    case, review, policy = bundle["instruction"], bundle["review"], bundle["policy"]
    parts = [
        f"<h1>{said(bundle['outcome']['decision'])}: {said(case.get('id', ''))}</h1>",
        f"<blockquote>{said(case.get('text', ''))}</blockquote>",
        "<h2>Formula</h2>",
        f"<pre>{said(bundle['formula'] or 'none')}</pre><p>{said(bundle['english'] or '')}</p>",
        _tree(bundle),
        "<h2>Samples and their meanings</h2>",
        _table(
            [
                (s["meaning"], s["role"], s["text"], s["english"] or "cannot be read")
                for s in bundle["samples"]
            ],
            ("meaning", "", "formula", "English"),
        ),
        "<h2>Ratings, gate, scores</h2>",
        _pairs(
            {
                **bundle["ratings"],
                "gate": bundle["gate"],
                "scores": bundle["scores"],
                "doubts": bundle["doubts"],
            }
        ),
        score_line(bundle["outcome"], policy),
        "<h2>Outcome</h2>",
        _pairs(bundle["outcome"]),
        "<h2>Policy</h2>",
        "<p>No policy was kept with this decision.</p>" if policy is None else _policy(policy),
        "<h2>Models</h2>",
        _pairs(bundle["models"]),
        "<h2>Review</h2>",
        _review(review),
        f"<p>Ledger fingerprint <code>{said(bundle['ledger']['fingerprint'])}</code>, decision "
        f"<code>{said(bundle['decision'])}</code>, assent {said(bundle['made_with'])}.</p>",
    ]
    return whole_page(f"Evidence: {case.get('id', '')}", parts)


def _tree(bundle: Body) -> str:
    tree = None if bundle["formula"] is None else readable(bundle["formula"], str(bundle["outcome"]["logic"]))
    return "" if tree is None else tree_svg(tree)


def _policy(policy: Body) -> str:
    rules = [
        (group, rule.get("value", rule.get("reason")), rule.get("n"), rule.get("clusters"), rule.get("kind"))
        for group, rule in policy["rules"].items()
    ]
    about = {
        name: policy[name]
        for name in ("key", "alpha", "delta", "channel", "fingerprint", "provenance", "warnings")
    }
    return _pairs(about) + _table(rules, ("group", "limit", "n", "clusters", "rule"))


def _review(review: Body) -> str:
    draw = review["draw"]
    parts = [f"<p>State: {said(review['state'])}" + _label(review["wrong"]) + "</p>"]
    if draw is not None:
        parts.append(
            _pairs(
                {name: draw[name] for name in ("stratum", "q", "picked", "uniform", "plan", "seed", "made")}
            )
        )
    if review["answers"]:
        rows = [
            (
                a["handle"],
                a["look"],
                a.get("formula") or a["said"],
                a["made"],
                "taken back" if a["taken_back"] else "",
            )
            for a in review["answers"]
        ]
        parts.append(_table(rows, ("reviewer", "look", "answer", "when", "")))
    if review["contests"]:
        parts.append(
            _table(
                [(c["handle"], c["why"], c["made"]) for c in review["contests"]],
                ("contested by", "why", "when"),
            )
        )
    if review["volunteered"]:
        rows = [
            (v["handle"], v.get("formula") or v["said"], v["how"], v["made"], "")
            for v in review["volunteered"]
        ]
        parts.append(_table(rows, ("volunteered by", "answer", "how", "when", "never calibrates")))
    return "\n".join(parts)


def _label(wrong: bool | None) -> str:
    return "" if wrong is None else (": the candidate is wrong" if wrong else ": the candidate is right")


def score_line(outcome: Mapping[str, Any], policy: Mapping[str, Any] | None) -> str:
    """The score on the calibrated line: what is accepted is shaded, calibration scores are ticks."""
    score, limit = outcome.get("score"), outcome.get("threshold")
    if not isinstance(score, int | float):
        return ""
    ticks = [] if policy is None else policy["calibration_scores"]
    shapes = [
        f'<line x1="{_x(s)}" y1="52" x2="{_x(s)}" y2="60" stroke="#99a"/>'
        for s in ticks[:: max(1, len(ticks) // 400)]
    ]
    if isinstance(limit, int | float):
        shapes.append(
            f'<rect x="{_x(0)}" y="36" width="{_x(limit) - _x(0):.1f}" height="16" fill="#cfe8d5"/>'
        )
        shapes.append(f'<text x="{_x(limit)}" y="78" text-anchor="middle">limit {limit:.3f}</text>')
    shapes.append(f'<line x1="{_x(0)}" y1="52" x2="{_x(1)}" y2="52" stroke="#1b1f24"/>')
    shapes.append(
        f'<line x1="{_x(score)}" y1="24" x2="{_x(score)}" y2="60" stroke="#b00020" stroke-width="3"/>'
    )
    shapes.append(f'<text x="{_x(score)}" y="18" text-anchor="middle">score {score:.3f}</text>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 90" width="640" role="img" font-size="13">'
        "<title>The score against the limit; ticks are calibration scores</title>"
        + "".join(shapes)
        + "</svg>"
    )


def _x(value: float) -> float:
    return round(60 + 520 * min(1.0, max(0.0, float(value))), 1)


def certificate_page(ledger: Ledger, certified: Certified) -> str:
    """A certificate to print and sign."""
    handles = Counter(answer.handle for answer in ledger.all(ReviewAnswer, Kind.ANSWER))
    plans = [msgspec.to_builtins(plan) for plan in ledger.all(LedgerPlan, Kind.PLAN)]
    seen = agreement(ledger)
    parts = [
        "<h1>Certificate</h1>",
        f"<p><strong>{said(certified.sentence)}</strong></p>",
        f"<p>Of all {certified.requirements} requirements a share of {certified.joint_at_most:.4f} at most is accepted "
        "and wrong. The statement rests on the draw alone: nothing is assumed about the requirements. What was drawn "
        "and not answered counts as wrong.</p>",
        _pairs(msgspec.to_builtins(certified)),
        "<h2>Plan of draws, fixed beforehand</h2>",
        _table([tuple(plan.values()) for plan in plans], tuple(plans[0]) if plans else ()),
        "<h2>Reviewers</h2>",
        _table(handles.items(), ("handle", "answers")),
        f"<p>{seen.twice} formulas were seen twice, blind: {seen.agree} times with the same result. "
        f"Of {seen.plants} known wrong formulas mixed in, {seen.missed} were called right.</p>",
        f"<p>Ledger fingerprint <code>{said(fingerprint(ledger))}</code>, assent {said(__version__)}, "
        f"{said(now())}.</p>",
        '<p class="sign">Name, date, signature: ______________________________________________</p>',
    ]
    return whole_page("Certificate", parts)
