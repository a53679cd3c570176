"""A real browser on a real service: what the tests of the page stand on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import pytest
from served import Served, served

__all__ = ["Tab", "axe", "chromium", "site", "tab", "violations"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync "
    "--disable-component-update --disable-dev-shm-usage"
).split()
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""No name is looked up: whatever wanted to leave the machine fails, and is seen as a request."""


class Tab:
    """One tab that remembers what went wrong: errors on the console, errors of scripts, requests that left."""

    def __init__(self, page: Any, base: str) -> None:
        self.page, self.base = page, base
        self.errors: list[str] = []
        self.left: list[str] = []
        self.bytes = 0
        page.on("console", lambda m: m.type in ("error", "warning") and self.errors.append(m.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)
        page.on("response", self._response)
        page.on("dialog", lambda d: (self.errors.append(f"a dialog: {d.message}"), d.dismiss()))

    def _request(self, request: Any) -> None:
        if not request.url.startswith((f"{self.base}/", f"blob:{self.base}/")):
            self.left.append(request.url)

    def _response(self, response: Any) -> None:
        self.bytes += int(response.headers.get("content-length", 0))

    def open(self, path: str) -> Any:
        """Go to a view, and wait until it has asked everything it asks by itself."""
        self.page.goto(self.base + path)
        self.page.wait_for_load_state("networkidle")
        return self.page

    def check(self) -> None:
        """Nothing went wrong and nothing left the origin."""
        assert self.errors == []
        assert self.left == []


@contextmanager
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright, with the network cut."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, OFFLINE])
        try:
            yield found
        finally:
            found.close()


def violations(page: Any, source: str) -> list[str]:
    """What axe finds, of any severity, best practices included."""
    page.evaluate(source)
    found = page.evaluate("async () => (await axe.run()).violations")
    return [f"{v['id']} ({v['impact']}): {json.dumps([n['html'][:200] for n in v['nodes']])}" for v in found]


# ---- fixtures ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser; the tests skip where there is none.

    Its driver keeps an event loop running in this thread: it must be gone before tests of other files run theirs.
    """
    pytest.importorskip("playwright", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with a ledger of its own for each file of tests."""
    folder = tmp_path_factory.mktemp("page")
    with served(folder, "--ledger", str(folder / "ledger.db")) as found:
        yield found


@pytest.fixture
def tab(chromium: Any, site: Served) -> Iterator[Tab]:
    """A fresh tab; afterwards: no error on the console, no request that left the origin."""
    context = chromium.new_context(viewport={"width": 1100, "height": 900})
    context.set_default_timeout(60_000)
    found = Tab(context.new_page(), site.address)
    yield found
    found.check()
    context.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, from a package for tests; it is no part of ours."""
    pytest.importorskip("axe_playwright_python", reason="axe-core is not installed (axe-playwright-python)")
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
