"""Documents and batches in a real browser: a file in, decisions one by one, filters, downloads, the certificate."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from paged import Tab, violations
from served import NAMES, Served

pytest.importorskip("starlette", reason="the service is not installed (assent[serve])")

from assent.errors import UsageError
from assent.serve.pages.documents import HEAD, read, table

TYPED = "door_open: door open\nalarm_on: alarm on"
MARKDOWN = """# Doors

An introduction.

## Requirements

""" + "".join(
    f"- R{k}: Whenever the door is open, the alarm is on within {k} seconds.\n" for k in range(1, 9)
)
HOSTILE = "=1+1 <img src=x onerror=alert(1)> always <script>alert(2)</script>"


def sent(tab: Tab, path: Path, names: str = TYPED) -> Any:
    page = tab.open("/documents")
    page.evaluate(
        """() => { window.seen = []; const line = document.getElementById("batch-line");
        new MutationObserver(() => window.seen.push(line.textContent)).observe(line, { childList: true }); }"""
    )
    if names:
        page.click("#own-names summary")
        page.fill("#names", names)
    page.set_input_files("#file", path)
    page.click("button.primary")
    page.wait_for_selector("#stop", state="hidden")
    return page


def test_markdown_is_decided_live_filtered_and_downloaded(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "doors.md"
    file.write_text(MARKDOWN)
    page = sent(tab, file)
    page.wait_for_selector("#rows tr:nth-child(8)")
    seen = page.evaluate("window.seen")
    assert [line.split(" of ")[0] for line in seen] == [str(k) for k in range(9)]  # each as it came
    assert "accepted" in seen[-1]
    assert "set aside" in page.inner_text("#aside")
    accepted = page.locator("#rows .badge.accepted").count()
    assert accepted >= 1
    page.select_option("#only", "accepted")
    assert page.locator("#rows tr").count() == accepted
    page.select_option("#only", "")
    page.fill("#search", "within 3 seconds")
    assert page.locator("#rows tr").count() == 1
    with page.expect_download() as found:
        page.click("#as-lines")
    rows = [json.loads(line) for line in found.value.path().read_text().splitlines()]
    assert [row["id"] for row in rows] == [f"R{k}" for k in range(1, 9)]
    assert all("decision_id" in row for row in rows)
    with page.expect_download() as found:
        page.click("#as-csv")
    cells = [*csv.DictReader(io.StringIO(found.value.path().read_text()))]
    assert [cell["formula"] for cell in cells] == [row.get("formula", "") for row in rows]


def test_lines_with_markup_stay_text(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "hostile.jsonl"
    file.write_text("".join(json.dumps({"id": f"<b>{k}", "text": HOSTILE}) + "\n" for k in range(2)))
    page = sent(tab, file, "")
    page.wait_for_selector("#rows tr:nth-child(2)")
    assert page.locator("#rows img, #rows script, #rows b").count() == 0
    assert "onerror=alert(1)" in page.inner_text("#rows")
    with page.expect_download() as found:
        page.click("#as-csv")
    (first, *_) = csv.DictReader(io.StringIO(found.value.path().read_text()))
    assert first["text"].startswith("'=")  # no spreadsheet takes it for a formula


def test_what_cannot_be_read_is_said(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text("{")
    page = sent(tab, file)
    said = page.inner_text("#problem [role=alert]")
    assert "broken.jsonl" in said and "/tmp" not in said
    tab.errors = [error for error in tab.errors if "422" not in error]


def test_the_certificate_comes_from_what_was_reviewed(tab: Tab, site: Served) -> None:
    for number in (20, 21):
        text = f"Whenever the door is open, the alarm is on within {number} seconds."
        site.post("/v1/translate", {"text": text, "vocabulary": NAMES, "logic": "stl"})
    site.post("/v1/review/plan", {"audit": "1", "abstained": "1", "twice": "0", "plants": "0"})
    while (card := site.http.get("/v1/review/next").json()["card"]) is not None:
        said = {"formula": card["choices"][0]["formula"]} if card["choices"] else {"none": True}
        site.post("/v1/review/answers", {"item": card["item"], "look": card["look"], **said})
    page = tab.open("/documents")
    with page.expect_download() as found:
        page.click("#certify")
    assert "confidence at most" in page.inner_text("#certificate")
    assert page.inner_text("#certificate") in found.value.path().read_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tab: Tab, axe: str, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "doors.md"
    file.write_text(MARKDOWN)
    tab.page.emulate_media(color_scheme=scheme)
    tab.page.set_viewport_size({"width": 360, "height": 800})
    page = sent(tab, file)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_readers_are_those_of_assent_check() -> None:
    found = read("x.MD", MARKDOWN.encode())
    assert [part["id"] for part in found["requirements"]] == [f"R{k}" for k in range(1, 9)]
    assert found["aside"] and found["vocabulary"] is None
    found = read("../../etc/x.csv", b"id,text,logic\n1,The pump always runs.,LTL\n")
    assert found["requirements"][0]["logic"] == "ltl"
    for name, content in (("x.exe", b""), ("x.json", b"{}"), ("passwd", b""), ("x.csv", b"\xff\xfe\x00\xd8")):
        with pytest.raises(UsageError):
            read(name, content)


def test_a_file_that_is_no_base64_is_refused(site: Served) -> None:
    body = {"name": "x.md", "content": "!!"}
    assert site.post("/page/documents/read", body).status_code == 422
    body["content"] = base64.b64encode(b"- R1: The pump shall always run.\n").decode()
    assert site.post("/page/documents/read", body).json()["requirements"][0]["id"] == "R1"


def test_cells_are_defused() -> None:
    made = table([{"id": "=cmd()", "text": "a\nb", "score": "-1"}])
    (row,) = csv.DictReader(io.StringIO(made))
    assert (row["id"], row["text"], row["score"]) == ("'=cmd()", "a\nb", "-1")
    assert tuple(row) == HEAD
