"""The page as a whole: quick, small, quiet, closed to others, and behind a token where the service has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from paged import Tab, violations
from served import TEXT, Served, served

PATHS = ("/", "/review", "/risk", "/documents", "/trace")


def test_views_paint_at_once_and_stay_small(
    tab: Tab, site: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    """First paint within a second on loopback; every byte that all views load, counted in the browser."""
    first = "performance.getEntriesByName('first-paint')[0].startTime"
    painted = {path: tab.open(path).evaluate(first) for path in PATHS}
    size = tab.bytes
    for path in PATHS:  # other work on the machine may be in the way of one look
        painted[path] = min([painted[path], *(tab.open(path).evaluate(first) for _ in range(2))])
    with capsys.disabled():
        print(
            f"\nfirst paint in ms: { {path: round(ms) for path, ms in painted.items()} }; {size} bytes in all"
        )
    assert max(painted.values()) < 1000
    assert size < 150_000


def test_the_policy_of_content_allows_only_the_origin(site: Served) -> None:
    for path in (*PATHS, "/static/page.js"):
        answer = site.http.get(path)
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in answer.headers["content-security-policy"]
    tag = site.http.get("/static/page.js").headers["etag"]
    assert site.http.get("/static/page.js", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("path", ["/static/../service.py", "/static/%2e%2e/app.py", "/static/x", "/static/"])
def test_files_beside_the_static_ones_are_not_served(site: Served, path: str) -> None:
    assert site.http.get(path).status_code == 404


def test_fragments_are_refused_to_other_origins_and_without_json(site: Served) -> None:
    body = {"text": TEXT}
    assert site.post("/page/translate", body, Origin="http://elsewhere.example").status_code == 403
    assert site.http.post("/page/translate", content=b"{}").status_code == 415
    assert site.post("/page/translate", {"text": ""}).status_code == 422
    assert site.post("/page/typed", {"decision": "0" * 32, "text": "G p"}).status_code == 404
    assert site.post("/page/chosen", {"decision": "0" * 32}).status_code == 404


def test_the_views_can_be_walked_by_keys(tab: Tab) -> None:
    page = tab.open("/risk")
    page.wait_for_selector("#risk:not([aria-busy]) > *")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_token_is_asked_for_and_kept_in_the_tab(chromium: Any, axe: str, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("ask anna 0123456789abcdef-ask\nreview berta 0123456789abcdef-review\n")
    tokens.chmod(0o600)
    with served(tmp_path, "--token-file", str(tokens)) as found:
        context = chromium.new_context()
        tab = Tab(context.new_page(), found.address)
        page = tab.page
        page.goto(f"{found.address}/")
        page.wait_for_selector("#token-dialog[open]")
        assert violations(page, axe) == []
        page.fill("#token", "0123456789abcdef-wrong")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.getElementById('token').value === ''")  # asked for again
        page.wait_for_selector("#token-dialog[open]")
        page.fill("#token", "0123456789abcdef-ask")
        page.keyboard.press("Enter")
        page.wait_for_selector("#token-dialog:not([open])", state="attached")
        page.fill("#text", TEXT)
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".outcome")
        page.goto(f"{found.address}/review")  # the role is too low for that, and it is said
        page.wait_for_selector("[role=alert]")
        assert "role" in page.inner_text("[role=alert]")
        assert tab.left == [] and all("401" in e or "403" in e for e in tab.errors)
        context.close()
