"""Pages of the documentation site that are made when it is built, so that they cannot grow old.

``verbs.md`` is the ``--help`` of every verb; the documents that stand beside the code (ARCHITECTURE.md and others)
become pages, with links that fit their new place.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).resolve().parent.parent
MOVED = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "src/assent/weights/card.md": "weights.md",
}
"""Documents outside docs/, and the page that each becomes."""
FIGURES = ("docs/study.html", "study_figures.html")
"""A page of its own, which may not have the name that study.md gets."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are made here."""
    from mkdocs.structure.files import File

    pages = {page: relinked((ROOT / source).read_text("utf-8"), source) for source, page in MOVED.items()}
    pages["verbs.md"] = verbs_page(verb_names())
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    files.append(File.generated(config, FIGURES[1], abs_src_path=str(ROOT / FIGURES[0])))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Links of pages in docs/ to documents outside it lead to their pages."""
    return relinked(markdown, "docs/page.md")


def relinked(text: str, source: str) -> str:
    """Links of a document that stands at ``source``, as they must be on a page of docs/."""

    def place(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        if target.startswith(("http:", "https:", "mailto:")):
            return match[0]
        path = os.path.normpath(Path(source).parent / target)
        page = dict([*MOVED.items(), FIGURES]).get(path, path.removeprefix("docs/"))
        return f"]({page}{anchor})"

    return re.sub(r"\]\(([^)#\s]+)(#[^)\s]*)?\)", place, text)


def verb_names() -> list[str]:
    """The verbs, in the order of ``assent --help``."""
    from assent.cli import VERBS

    return list(VERBS)


def verbs_page(verbs: Iterable[str]) -> str:
    """One section a verb, with what ``--help`` prints; a verb whose help cannot be printed fails the build."""
    parts = [
        "# Every verb, every option\n\nWhat `assent VERB --help` prints, made with this site; files, exit codes and "
        "configuration are on [the page before](cli.md)."
    ]
    for verb in verbs:
        parts.append(f"## {verb}\n\n```text\n{help_of(verb)}\n```")
    return "\n\n".join(parts) + "\n"


def help_of(verb: str) -> str:
    """What ``assent VERB --help`` prints, 100 columns wide."""
    from assent.cli import main

    printed = io.StringIO()
    with mock.patch.dict(os.environ, COLUMNS="100"), contextlib.redirect_stdout(printed):
        try:
            main([verb, "--help"])
        except SystemExit as ended:
            if ended.code:
                raise
    return printed.getvalue().strip()
