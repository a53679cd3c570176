"""A decision as a card, with its evidence below."""

from __future__ import annotations

from collections.abc import Sequence

from assent.ledger.entries import Body
from assent.logic.ast import Formula
from assent.logic.draw import tree_svg
from assent.logic.english import english
from assent.logic.equivalence import cluster
from assent.logic.export.base import Target
from assent.policy.policy import Policy
from assent.review.card import Card
from assent.review.meaning import in_english, readable
from assent.review.page import score_line
from assent.serve.pages import cards
from assent.serve.pages.charts import Axis, Chart, Mark, bars, histogram
from assent.serve.pages.markup import Html, drawn, el, join, table
from assent.serve.pages.sentence import sentence
from assent.serve.pages.words import for_page

REASONS = {
    "out-of-domain": "This is unlike the instructions that calibration has seen.",
    "unreadable": "No formula came of it.",
    "suspicious": "There is a formula, and too much speaks against it.",
    "infeasible": "No promise covers this instruction.",
    "failed": "Something that is needed did not work.",
}


def decision(
    row: Body, policy: Policy, targets: Sequence[Target], card: Card | None, unit: str | None
) -> Html:
    """The whole card: outcome, formula or readings, what to do, evidence."""
    evidence = row["evidence"]
    accepted = row["decision"] == "accepted"
    parts = (
        _accepted(row, targets, unit)
        if accepted
        else join([_abstained(row), None if card is None else cards.choose(card, str(row["decision_id"]))])
    )
    outcome = "Accepted" if accepted else "Not vouched for"
    return el(
        "article",
        el(
            "h2",
            el("span", "✓ " if accepted else "– ", aria_hidden="true"),
            outcome,
            tabindex="-1",
            class_="outcome",
        ),
        sentence(
            str(evidence["text"]),
            evidence.get("names") or {},
            row.get("unread") or evidence.get("unread") or (),
        ),
        parts,
        _notes(row),
        evidence_of(row, policy),
        class_=f"decision {'accepted' if accepted else 'abstained'}",
        data_decision=row["decision_id"],
    )


def _accepted(row: Body, targets: Sequence[Target], unit: str | None) -> Html:
    tree = readable(str(row["formula"]), str(row["evidence"]["logic"]))
    words = str(row["english"]) if tree is None or unit is None else english(tree, unit=unit)
    return join(
        [
            el("p", el("code", row["formula"], class_="formula", id="formula"), class_="formula-line"),
            el("p", words, class_="english"),
            el(
                "form",
                el("button", "Copy formula", type="button", data_copy=row["formula"]),
                el("button", "Copy English", type="button", data_copy=words),
                *_export_fields(targets),
                class_="buttons export",
                data_formula=row["formula"],
                data_logic=row["evidence"]["logic"],
                data_text=row["evidence"]["text"],
            ),
            el("div", id="exported", aria_live="polite"),
            el("p", _promise(row), class_="promise"),
            None if tree is None else el("details", el("summary", "As a tree"), _tree(tree), open=True),
        ]
    )


def _export_fields(targets: Sequence[Target]) -> list[Html]:
    """Which tool, and the time between two of its samples; the page greys that out where a tool takes none."""
    tools = (el("option", t.name, value=t.name, data_sampled="yes" if t.sampled else None) for t in targets)
    return [
        el("label", "Export to", for_="target"),
        el("select", *tools, id="target"),
        el("label", "Time between samples (optional)", for_="export-period"),
        el(
            "input",
            id="export-period",
            type="text",
            inputmode="decimal",
            size=6,
            placeholder="1",
            disabled=not any(t.sampled for t in targets[:1]),  # the first is the one that is chosen
        ),
        el("button", "Export", type="submit"),
    ]


def _promise(row: Body) -> str:
    limit = row.get("threshold")
    allowed = "" if limit is None else f", the limit is {limit:.3f}"
    return (
        f"Of all instructions like these at most {100 * row['alpha']:g} % are accepted and wrong. This one scored "
        f"{row['score']:.3f} (lower is better){allowed}."
    )


def _tree(tree: Formula) -> Html:
    return drawn(tree_svg(tree), "The formula as a tree")


def _abstained(row: Body) -> Html:
    unread = [str(span["text"]) for span in row.get("unread") or ()]
    return join(
        [
            el("p", REASONS.get(str(row["reason"]), ""), class_="reason"),
            el("p", for_page(str(row.get("detail") or "")), class_="help"),
            None
            if not unread
            else el(
                "p",
                "Words that were not read: ",
                join([el("q", word) for word in unread], ", "),
                class_="words",
            ),
            el("h3", "What you can do"),
            el("ul", *(el("li", step) for step in _advice(row, unread))),
        ]
    )


def _advice(row: Body, unread: list[str]) -> list[str]:
    """What to do on this page, then the decision's own advice without steps that name options of the command line."""
    steps = []
    if row["evidence"].get("made_by", {}).get("vocabulary") == "proposed":
        steps.append("Open “Names of your own” above and give the names that the sentence speaks of.")
    if unread:
        steps.append("Say it again without the words that were not read, or put them more plainly.")
    if row.get("readings"):
        steps.append("Choose below what you mean, or write it yourself.")
    return steps + [step for step in row.get("advice") or () if "--" not in step]


def _notes(row: Body) -> Html | None:
    notes = [for_page(str(note)) for note in row.get("warnings") or ()]
    return (
        el("ul", *(el("li", note) for note in notes), class_="notes", aria_label="Notes") if notes else None
    )


# ---- evidence ------------------------------------------------------------------------------------------------


def evidence_of(row: Body, policy: Policy) -> Html:
    """Gate, samples, ratings and score of a decision, in an element that is closed at first."""
    evidence = row["evidence"]
    parts = [_gate(evidence, policy), _samples(evidence), _ratings(evidence), _score(row, policy)]
    return el(
        "details",
        el("summary", "Evidence"),
        *parts,
        el("p", row["policy"], ". Decision ", el("code", row["decision_id"]), "."),
        class_="evidence",
    )


def _gate(evidence: Body, policy: Policy) -> Html | None:
    reading = evidence.get("gate")
    if reading is None or policy.gate is None:
        return None
    distances = [*policy.gate.distances]
    columns = histogram(distances)
    most = max((height for _, _, height in columns), default=1.0)
    ends = [*distances, float(reading["distance"])]
    chart = Chart(
        "How far the wording is from what calibration has seen",
        Axis("distance", min(ends), max(ends)),
        Axis("calibration rows", 0.0, 1.3 * most),
        marks=[Mark("this instruction", float(reading["distance"]))],
        bars=columns,
    )
    return el(
        "section",
        el("h3", "Gate"),
        chart.html(),
        el(
            "p",
            f"A share of {reading['p_value']:.3f} is as far or farther (p-value); below {policy.gate.delta:g} it is "
            "not translated.",
        ),
    )


def _samples(evidence: Body) -> Html | None:
    """The candidate and the samples by what they mean."""
    texts = [str(text) for text in (evidence.get("candidate") or "", *(evidence.get("samples") or ()))]
    trees = [readable(text, str(evidence["logic"])) for text in texts]
    groups: dict[int, list[int]] = {}
    for at, number in enumerate(cluster(trees)):
        groups.setdefault(number, []).append(at)
    rows = []
    for members in sorted(groups.values(), key=lambda group: (0 not in group, -len(group))):
        tree = trees[members[0]]
        words = "cannot be read" if tree is None else in_english(tree)
        name = "the candidate" if 0 in members else "samples"
        rows.append((len(members), el("code", texts[members[0]]), words, name))
    caption = f"{len(texts)} answers, by what they mean"
    return el(
        "section", el("h3", "Samples"), table(("answers", "formula", "in English", "role"), rows, caption)
    )


def _ratings(evidence: Body) -> Html | None:
    rated = [
        (name.replace("_", " "), float(value), 100.0, f"{value} of 100")
        for name, value in (evidence.get("judge") or {}).items()
        if isinstance(value, int)
    ]
    return el("section", el("h3", "The judge's ratings"), bars(rated)) if rated else None


def _score(row: Body, policy: Policy) -> Html | None:
    line = score_line(row, {"calibration_scores": sorted(policy.scores)})
    if not line:
        return None
    bound = f"at least {row['score']:.3f}" if row.get("bound") else f"{row['score']:.3f}"
    return el(
        "section",
        el("h3", "Score"),
        drawn(line, "The score on the calibrated line"),
        el(
            "p",
            f"Score {bound}: 0 speaks for the formula, 1 against it. Ticks are calibration scores; what is shaded "
            "is accepted.",
        ),
    )
