"""The documentation site: every verb and every public name has its place, and Python on its pages runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import site_hooks

import assent
from assent.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDES = ("index.md", "vocabulary.md", "calibrating.md", "exporting.md", "python.md")


@pytest.mark.parametrize("name", assent.__all__)
def test_every_public_name_is_on_the_page_of_python(name: str) -> None:
    text = (DOCS / "python.md").read_text("utf-8")
    assert re.search(rf"^::: assent\.(?:[\w.]+\.)?{name}$|`assent\.{name}`", text, re.MULTILINE), name


def test_what_the_page_of_python_takes_from_the_code_exists() -> None:
    from importlib import import_module

    for path in re.findall(r"^::: ([\w.]+)$", (DOCS / "python.md").read_text("utf-8"), re.MULTILINE):
        module, _, name = path.rpartition(".")
        found = getattr(import_module(module), name)
        assert (found.__doc__ or "").strip(), f"{path} has no docstring"


def test_every_verb_has_its_section_with_its_options() -> None:
    page = site_hooks.verbs_page(site_hooks.verb_names())
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == list(VERBS)
    for verb in VERBS:
        assert f"usage: assent {verb}" in page


def test_every_page_is_in_the_navigation() -> None:
    configured = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages = {path.name for path in DOCS.glob("*.md")} | {*site_hooks.MOVED.values(), "verbs.md"}
    assert pages == set(re.findall(r": (\w+\.md)$", configured, re.MULTILINE))


def test_links_of_documents_beside_the_code_lead_to_pages() -> None:
    text = (
        "[a](docs/cli.md#files) [b](ARCHITECTURE.md) [c](https://x.org/y.md) [d](src/assent/weights/card.md)"
    )
    there = "[a](cli.md#files) [b](architecture.md) [c](https://x.org/y.md) [d](weights.md)"
    assert site_hooks.relinked(text, "README.md") == there
    assert site_hooks.relinked("[s](study.html) [u](../ARCHITECTURE.md)", "docs/x.md") == (
        "[s](study_figures.html) [u](architecture.md)"
    )


@pytest.mark.parametrize("name", GUIDES)
def test_python_of_a_guide_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (DOCS / name).read_text("utf-8")
    found = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found
    for block in found:
        exec(compile(block, name, "exec"), {})


@pytest.mark.slow
def test_the_site_is_built_without_warnings_and_reaches_for_nothing(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the docs extra is not installed")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--quiet",
            "--site-dir",
            str(tmp_path / "site"),
        ],
        cwd=ROOT,
        check=True,
        timeout=280,
    )
    pages = list((tmp_path / "site").glob("*.html"))
    assert len(pages) > 20
    for page in pages:
        text = page.read_text("utf-8")
        assert re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=[\"']?(?:https?:)?//", text) == [], (
            page.name
        )
