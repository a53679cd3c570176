"""The frame of every view."""

from __future__ import annotations

from assent import __version__
from assent.serve.pages.markup import Html, el, join

LINKS = (
    ("/", "translate", "Translate"),
    ("/review", "review", "Review"),
    ("/risk", "risk", "Risk"),
    ("/documents", "documents", "Documents"),
    ("/trace", "trace", "Trace lab"),
)


def page(view: str, title: str, body: Html) -> str:
    """A whole page; ``view`` names its module under ``static``."""
    head = join(
        [
            el("meta", charset="utf-8"),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("meta", name="color-scheme", content="light dark"),
            el("title", f"{title} · assent"),
            el("link", rel="icon", href="/static/icon.svg", type="image/svg+xml"),
            el("link", rel="stylesheet", href="/static/style.css"),
            el("link", rel="modulepreload", href="/static/page.js"),
            el("script", type="module", src=f"/static/{view}.js"),
        ]
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{_body(view, body)}</body></html>\n'


def _body(view: str, body: Html) -> Html:
    links = [
        el("li", el("a", name, href=href, aria_current="page" if key == view else None))
        for href, key, name in LINKS
    ]
    return join(
        [
            el("a", "Skip to the content", class_="skip", href="#main"),
            el(
                "header",
                el("a", "assent", class_="brand", href="/", aria_label="assent, to the first page"),
                el("nav", el("ul", *links), aria_label="Views"),
            ),
            el("main", body, id="main", tabindex="-1"),
            _token(),
            el("p", id="said", role="status", class_="quiet-status"),
            el(
                "footer",
                el(
                    "p",
                    f"assent {__version__} · ",
                    el("a", "API", href="/docs"),
                    " · nothing leaves this machine",
                ),
            ),
        ]
    )


def _token() -> Html:
    """Asked for where the service has tokens; it stays in this tab."""
    return el(
        "dialog",
        el(
            "form",
            el("h2", "A token is needed"),
            el("p", "Ask whoever runs this service. It is kept in this tab until you close it."),
            el("label", "Token", for_="token"),
            el("input", id="token", type="password", autocomplete="off", required=True),
            el("p", el("button", "Go on", type="submit")),
            method="dialog",
        ),
        id="token-dialog",
        aria_label="A token is needed",
    )
