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


VIEWS: tuple[tuple[str, Callable[[], str]], ...] = (("/", translate),)
