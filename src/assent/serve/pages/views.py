"""The views before anything was asked: forms and places for answers, no data, so anybody may load them."""

from __future__ import annotations

from collections.abc import Callable

from assent.serve.pages.frame import page
from assent.serve.pages.markup import Html, el, join


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
        el(
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
        ),
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
            el("section", id="result", aria_live="polite", aria_label="Decision"),
        ]
    )
    return page("translate", "Translate", body)


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


VIEWS: tuple[tuple[str, Callable[[], str]], ...] = (("/", translate), ("/review", review), ("/risk", risk))
