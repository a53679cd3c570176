"""The views before anything was asked: forms and places for answers, no data, so anybody may load them."""

from __future__ import annotations

from collections.abc import Callable

from assent.serve.pages.documents import SUFFIXES
from assent.serve.pages.frame import page
from assent.serve.pages.markup import Html, el, join, table


def translate() -> str:
    """One instruction in, its decision below."""
    form = el(
        "form",
        el("label", "Instruction, in English", for_="text"),
        el("textarea", id="text", name="text", rows=3, required=True, maxlength=20000, autofocus=True),
        el(
            "div",
            el("div", el("label", "Logic", for_="logic"), _logic()),
            el(
                "div",
                el("label", "Names", for_="domain"),
                el("select", el("option", "from the instruction", value=""), id="domain", name="domain"),
            ),
            class_="row",
        ),
        _names(),
        el(
            "p",
            el("button", "Translate", type="submit", class_="primary"),
            el("button", "Show an example", type="button", id="example"),
            el("span", "Ctrl+Enter translates", class_="help"),
            class_="buttons",
        ),
        id="ask",
    )
    body = join(
        [
            el("h1", "Translate an instruction"),
            form,
            el("section", id="result", aria_label="Decision"),
        ]
    )
    return page("translate", "Translate", body)


def _names() -> Html:
    """Names as people type them."""
    return el(
        "details",
        el("summary", "Names of your own"),
        el(
            "p",
            "One a line: ",
            el("code", "door_open: door open"),
            ". A formula is vouched for only with names "
            "that you gave. JSON as in a vocabulary file works, too.",
            id="names-help",
            class_="help",
        ),
        el("label", "Names and how people call them", for_="names"),
        el(
            "textarea",
            id="names",
            name="names",
            rows=4,
            spellcheck="false",
            aria_describedby="names-help",
        ),
        el(
            "div",
            el(
                "div",
                el("label", "Unit of time", for_="unit"),
                el(
                    "select",
                    *(el("option", u, value=u) for u in ("s", "ms", "min", "h", "steps")),
                    id="unit",
                ),
            ),
            class_="row",
        ),
        id="own-names",
    )


def _logic() -> Html:
    options = (
        ("", "find out"),
        ("ltl", "LTL"),
        ("stl", "STL, with times and signals"),
        ("spatial", "SpaTiaL"),
    )
    return el(
        "select", *(el("option", name, value=value) for value, name in options), id="logic", name="logic"
    )


def review() -> str:
    """One item at a time."""
    body = join(
        [
            el("h1", "Review"),
            el(
                "p",
                "One item at a time, drawn by chance before anybody looks: only drawn items count towards a promise. ",
                "What you answer is saved at once; come back and it goes on where you stopped.",
            ),
            el(
                "div",
                el("label", "You review as", for_="handle"),
                el("input", id="handle", type="text", maxlength=64, autocomplete="username", value="local"),
                class_="row handle",
            ),
            el("p", id="forecast", class_="help"),
            el("section", id="card", aria_label="Review"),
            el(
                "p",
                el("button", el("kbd", "u"), " undo", type="button", id="undo"),
                el("button", el("kbd", "c"), " contest an earlier answer", type="button", id="contest"),
                class_="buttons",
            ),
            el("section", id="contestable", aria_label="Earlier answers"),
            el(
                "details",
                el("summary", "Keys"),
                el(
                    "ul",
                    *(
                        el("li", el("kbd", key), " ", says)
                        for key, says in (
                            ("1", "to 3: this reading is what the instruction means"),
                            ("0", "none of these"),
                            ("e", "type what it means: a formula, or English; it is read back first"),
                            ("d", "cannot be said in this logic"),
                            ("s", "skip: it comes back another time"),
                            ("u", "undo, as often as you like"),
                            ("c", "contest an earlier answer, yours or another's"),
                        )
                    ),
                ),
            ),
        ]
    )
    return page("review", "Review", body)


def risk() -> str:
    """What each alpha would mean."""
    names = (("ltl", "LTL"), ("stl", "STL"), ("spatial", "SpaTiaL"))
    body = join(
        [
            el("h1", "Risk"),
            el("label", "Logic", for_="logic"),
            el("select", *(el("option", name, value=value) for value, name in names), id="logic"),
            el("div", id="risk"),
        ]
    )
    return page("risk", "Risk", body)


def documents() -> str:
    """Many instructions from a file."""
    body = join([el("h1", "Documents"), _upload(), el("div", id="problem"), _decisions(), _certificate()])
    return page("documents", "Documents", body)


def _upload() -> Html:
    return el(
        "form",
        el("label", "File: Markdown, text, CSV or JSON lines", for_="file"),
        el("input", id="file", type="file", accept=SUFFIXES.replace(" ", ","), required=True),
        el(
            "div",
            el("div", el("label", "Logic, where the file says none", for_="logic"), _logic()),
            class_="row",
        ),
        _names(),
        el(
            "p",
            el("button", "Decide all", type="submit", class_="primary"),
            el("button", "Stop", type="button", id="stop", hidden=True),
            class_="buttons",
        ),
        id="upload",
    )


def _decisions() -> Html:
    """Progress, filters, the table that grows, downloads."""
    kinds = (("", "all"), ("accepted", "accepted"), ("abstained", "not vouched for"), ("failed", "failed"))
    only = el("select", *(el("option", name, value=value) for value, name in kinds), id="only")
    head = ("id", "instruction", "decision", "formula, or why not")
    return el(
        "section",
        el(
            "div",
            el("progress", id="batch-progress", value=0, max=1, aria_label="Decided"),
            class_="progress",
        ),
        el("p", id="batch-line", role="status"),
        el("div", id="aside"),
        el(
            "div",
            el("div", el("label", "Show", for_="only"), only),
            el("div", el("label", "With the words", for_="search"), el("input", id="search", type="search")),
            class_="row",
        ),
        el("p", id="shown", class_="help"),
        table(head, (), "Decisions", rows_id="rows"),
        el(
            "p",
            el("button", "Download JSON lines", type="button", id="as-lines"),
            el("button", "Download CSV", type="button", id="as-csv"),
            class_="buttons",
        ),
        id="result",
        hidden=True,
        aria_label="Outcome",
    )


def _certificate() -> Html:
    return el(
        "section",
        el("h2", "Certificate"),
        el(
            "p",
            "For everything in the ledger, from what was drawn and reviewed: at most so many of the accepted are "
            "wrong, with 95 % confidence. What was drawn and not answered counts as wrong.",
        ),
        el("p", id="certificate", role="status"),
        el("p", el("button", "Make the certificate", type="button", id="certify"), class_="buttons"),
    )


def trace() -> str:
    """A formula on a trace."""
    form = el(
        "form",
        el("label", "Formula", for_="formula"),
        _code("formula", 2, None),
        el(
            "div",
            el("div", el("label", "Logic", for_="logic"), _logic()),
            el(
                "div",
                el("label", "Resample every (optional)", for_="period"),
                el("input", id="period", type="text", inputmode="decimal", size=8),
            ),
            class_="row",
        ),
        *_csv(),
        el(
            "p",
            el("button", "Evaluate", type="submit", class_="primary"),
            el("button", "Draw a trace", type="button", id="draw"),
            el("button", "Show an example", type="button", id="example"),
            class_="buttons",
        ),
        id="lab",
    )
    drawing = el("section", id="drawing", aria_label="Drawing", hidden=True)
    result = el("section", id="result", aria_label="Outcome")
    return page("trace", "Trace lab", join([el("h1", "Trace lab"), form, drawing, result]))


def _code(name: str, rows: int, help_: str | None) -> Html:
    return el(
        "textarea",
        id=name,
        rows=rows,
        required=True,
        spellcheck="false",
        class_="code-field",
        aria_describedby=help_,
    )


def _csv() -> tuple[Html, ...]:
    """A trace as text, or from a file."""
    return (
        el("label", "Trace as CSV: the first column is time, every other column a name", for_="csv"),
        _code("csv", 8, "csv-help"),
        el(
            "p",
            "True and false or 1 and 0 for propositions, numbers for signals. For SpaTiaL ",
            *(
                join([el("code", f"robot.{axis}"), after])
                for axis, after in (("x", ", "), ("y", " and "), ("r", " "))
            ),
            "are a disc that moves.",
            id="csv-help",
            class_="help",
        ),
        el(
            "div",
            el(
                "div",
                el("label", "Or from a file", for_="file"),
                el("input", id="file", type="file", accept=".csv,.tsv,.txt"),
            ),
            class_="row",
        ),
    )


VIEWS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("/", translate),
    ("/review", review),
    ("/risk", risk),
    ("/documents", documents),
    ("/trace", trace),
)
