"""The pictures of docs/page.md: a service of its own, a few instructions, Debian's Chromium.

python devtools/page_pictures.py        writes docs/assets/page-*.png
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "serve"))

from paged import browser  # noqa: E402 (found beside the tests)
from served import served  # noqa: E402

OUT = ROOT / "docs" / "assets"
NAMES = "door_open: door open\nalarm_on: alarm on\npump_runs: pump runs\nvalve_closed: valve closed"
TEXT = "Whenever the door is open, the alarm is on within 5 seconds."
UNCLEAR = "The door opens before the alarm or the light glimmers unless it rains"
DOCUMENT = """# Pump station

The station has one pump.

## Requirements

- REQ-1: Whenever the door is open, the alarm is on within 5 seconds.
- REQ-2: The pump never runs while the valve is closed.
- REQ-3: If the pump runs, the valve frobnicates unless glorious.
- REQ-4: The alarm is eventually on.
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        place = Path(folder)
        with served(place, "--ledger", str(place / "ledger.db")) as found:
            context = chromium.new_context(viewport={"width": 1000, "height": 800})
            context.set_default_timeout(120_000)
            page = context.new_page()
            _translate(page, found.address)
            _documents(page, found.address, place)
            _review(page, found)
            _trace(page, found.address)
    for file in OUT.glob("page-*.png"):
        print(f"{file.name}: {file.stat().st_size} bytes")


def _translate(page: Any, base: str) -> None:
    page.goto(base)
    page.click("#own-names summary")
    page.fill("#names", NAMES)
    page.fill("#text", TEXT)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".outcome")
    page.click(".evidence summary")
    _taken(page, "translate")
    page.goto(base)
    page.fill("#text", UNCLEAR)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".choose")
    _taken(page, "choose")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    _taken(page, "phone-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1000, "height": 800})


def _documents(page: Any, base: str, place: Path) -> None:
    file = place / "station.md"
    file.write_text(DOCUMENT, encoding="utf-8")
    page.goto(f"{base}/documents")
    page.click("#own-names summary")
    page.fill("#names", NAMES)
    page.click("#own-names summary")
    page.set_input_files("#file", file)
    page.click("button.primary")
    page.wait_for_selector("#rows tr:nth-child(4)")
    _taken(page, "documents")


KINDS = (
    "Whenever the door is open, the alarm is on within {} seconds.",
    "The pump never runs while the valve is closed after {} seconds.",
    "If the pump runs then the valve is not closed for {} seconds.",
    "Eventually within {} seconds the alarm is on.",
)


def _review(page: Any, found: Any) -> None:
    http: httpx.Client = found.http
    entries = (line.split(": ") for line in NAMES.splitlines())
    names = {"propositions": [{"name": name, "says": says} for name, says in entries], "time_unit": "s"}
    for number in range(24):
        text = KINDS[number % 4].format(number + 2)
        asked = {"text": text, "vocabulary": names, "logic": "stl", "id": f"R{number}"}
        http.post("/v1/translate", json=asked, timeout=120).raise_for_status()
    http.post("/v1/review/plan", json={"audit": "1", "abstained": "1", "twice": "0", "plants": "0"})
    page.goto(f"{found.address}/review")
    page.wait_for_selector("[data-item]")
    _taken(page, "review")
    while (card := http.get("/v1/review/next", timeout=120).json()["card"]) is not None:
        right = card["choices"] and "never runs" not in card["text"]
        said = {"formula": card["choices"][0]["formula"]} if right else {"none": True}
        http.post("/v1/review/answers", json={"item": card["item"], "look": card["look"], **said})
    page.goto(f"{found.address}/risk")
    page.select_option("#logic", "stl")
    page.wait_for_selector("#risk:not([aria-busy]) #alpha-1")
    page.focus("#alpha-1")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.evaluate("document.activeElement.blur()")
    _taken(page, "risk")


def _trace(page: Any, base: str) -> None:
    page.goto(f"{base}/trace")
    for _ in range(3):
        page.click("#example")
    page.click("button.primary")
    page.wait_for_selector(".moving")
    page.focus("#scene-at")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    _taken(page, "trace")


def _taken(page: Any, name: str) -> None:
    """The whole page without the passing note at its corner, in few colours."""
    page.wait_for_function("() => document.getElementById('said').textContent === ''")
    file = OUT / f"page-{name}.png"
    page.screenshot(path=file, full_page=True)
    with Image.open(file) as picture:
        small = picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=128)
    small.save(file, optimize=True)


if __name__ == "__main__":
    main()
