"""HTML by construction: whatever is not markup already is escaped when it is put into an element."""

from __future__ import annotations

from collections.abc import Iterable

from assent.review.page import said

_EMPTY = frozenset({"input", "br", "meta", "link", "hr"})


class Html(str):
    """Text that is markup already. Made by ``el`` and ``join``, and by ``drawn`` for our own SVG."""

    __slots__ = ()


Part = str | int | float | None
"""What may stand in an element: text (escaped), a number, markup, or nothing."""


def el(name: str, /, *parts: Part, **attributes: str | int | float | bool | None) -> Html:
    """One element. ``class_`` is ``class``, ``aria_label`` is ``aria-label``; None and False leave an attribute out."""
    attribute_text = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY:
        return Html(f"<{name}{attribute_text}>")
    return Html(f"<{name}{attribute_text}>{join(parts)}</{name}>")


def join(parts: Iterable[Part], between: str = "") -> Html:
    """Parts one after the other, escaped where they are not markup."""
    return Html(said(between).join(_part(part) for part in parts if part is not None))


def drawn(svg: str, says: str, *, class_: str = "drawing") -> Html:
    """A picture that the package has drawn itself (``logic.draw``), in a frame that scrolls by keys too."""
    return el("div", Html(svg), class_=class_, role="group", aria_label=says, tabindex="0")


def table(
    head: Iterable[str], rows: Iterable[Iterable[Part]], caption: str, *, rows_id: str | None = None
) -> Html:
    """A table with a caption and a header to every column."""
    return el(
        "div",
        el(
            "table",
            el("caption", caption),
            el("thead", el("tr", *(el("th", name, scope="col") for name in head))),
            el("tbody", *(el("tr", *(el("td", cell) for cell in row)) for row in rows), id=rows_id),
        ),
        class_="scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def _part(part: Part) -> str:
    return part if isinstance(part, Html) else said(part if isinstance(part, str) else str(part))


def _attribute(key: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{said(str(value))}"'
