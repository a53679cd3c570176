"""What the language server asks and shows, without a protocol between: a translator that counts what it is asked."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server is not installed (assent[lsp])")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "documents"))

from documents_kit import Counting
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol.types import Position, PositionEncodingKind, Range

from assent.documents.lock import Lock
from assent.documents.readers import read_text
from assent.errors import UsageError
from assent.lsp.office import DocumentView, Office, OfficeSettings, OpenDocument, StaleError, wanted
from assent.lsp.places import Places, touch
from assent.lsp.said import Page, actions, diagnostics, hover

ANSWERS = {
    "The lamp shall always be on.": "G lamp_on",
    "The lamp shall never be on.": "G !lamp_on",
    "The pump shall run at last.": ("F pump_on", "F pump_on", "G pump_on"),
}
HEAD = '```toml vocabulary\npropositions = ["lamp_on", "pump_on"]\n```\n\n'


def office(models: Counting, handle: str | None = None) -> Office:
    return Office(OfficeSettings(handle=handle), _parts=models.parts)


def look(it: Office, file: Path, *sentences: str, version: int = 1, stale: bool = False) -> DocumentView:
    text = HEAD + "".join(f"- {sentence}\n" for sentence in sentences)
    return asyncio.run(it.look(OpenDocument(str(file), text, version), lambda: stale, lambda: None))


def test_what_did_not_change_is_not_asked_again(tmp_path: Path) -> None:
    always, never, pump = ANSWERS
    models = Counting(ANSWERS)
    it = office(models)
    first = look(it, tmp_path / "a.md", f"R-1: {always}", f"R-2: {never}")
    assert sorted(models.asked) == sorted([always, never])
    assert {noted.kind for noted in first.findings} >= {"conflict"}
    look(it, tmp_path / "a.md", f"R-1: {always}", f"R-2: {never}", f"R-3: {pump}", version=2)
    assert sorted(models.asked) == sorted([always, never, pump])
    again = look(it, tmp_path / "a.md", f"R-2: {never}", f"R-1: {always}", version=3)
    assert len(models.asked) == 3 and not (tmp_path / "assent.lock").exists()
    assert {noted.kind for noted in again.findings} >= {"conflict"}


def test_a_lock_answers_instead_of_the_models(tmp_path: Path) -> None:
    always, _, pump = ANSWERS
    file, models = tmp_path / "a.md", Counting(ANSWERS)
    draft = OpenDocument(str(file), f"{HEAD}- R-1: {always}\n- R-3: {pump}\n", 1)
    view = asyncio.run(office(models, "ada").vouch(draft, "R-3", "F pump_on"))
    assert view.lock == tmp_path / "assent.lock"
    by = {entry.id: entry.judgement.by for entry in Lock.open(view.lock).entries}
    assert by["R-3"] == "ada" and "policy" in str(by["R-1"])
    fresh = Counting(ANSWERS)
    rows = look(office(fresh), file, f"R-1: {always}", f"R-3: {pump}").checked.rows
    assert fresh.asked == [] and [row.judgement.best for row in rows] == ["G lamp_on", "F pump_on"]
    with pytest.raises(UsageError, match="--as NAME"):
        asyncio.run(office(fresh).vouch(draft, "R-3", "F pump_on"))


def test_a_look_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    always, never, _ = ANSWERS
    with pytest.raises(StaleError):
        look(office(Counting(ANSWERS)), tmp_path / "a.md", always, never, stale=True)


def test_the_nearest_lock_up_to_the_open_folder(tmp_path: Path) -> None:
    inner = tmp_path / "docs" / "pump"
    inner.mkdir(parents=True)
    it = office(Counting({}))
    inside = OpenDocument(str(inner / "a.md"), "", 1, (str(tmp_path / "docs"),))
    assert it.lock_for(inside) == tmp_path / "docs" / "assent.lock"
    (tmp_path / "assent.lock").write_bytes(b"")
    assert it.lock_for(inside) == tmp_path / "docs" / "assent.lock"  # what lies above the folder is not ours
    (inner / "assent.lock").write_bytes(b"")
    assert it.lock_for(inside) == inner / "assent.lock"
    assert (
        it.lock_for(OpenDocument(str(tmp_path / "docs" / "b.md"), "", 1)) == tmp_path / "docs" / "assent.lock"
    )


def test_no_rewriting_where_marks_are_part_of_the_sentence(tmp_path: Path) -> None:
    pump = "The pump shall run at last."
    text = f"{HEAD}- R-1: The **pump** shall run at last.\n- R-2: {pump}\n"
    draft = OpenDocument(str(tmp_path / "a.md"), text, 7)
    view = asyncio.run(office(Counting(ANSWERS)).look(draft, lambda: False, lambda: None))
    page = Page(view, "file:///a.md", Places(text))
    whole = Range(Position(0, 0), Position(99, 0))
    titles = [action.title for action in actions(page, whole, diagnostics(page))]
    assert any(t.startswith("R-1: vouch") for t in titles) and any(
        t.startswith("R-2: rewrite") for t in titles
    )
    assert not any(t.startswith("R-1: rewrite") for t in titles)


def test_hovering_shows_text_as_text(tmp_path: Path) -> None:
    view = look(
        office(Counting(ANSWERS)), tmp_path / "a.md", "R-1: The ![x](http://x/y) shall <b>run</b> `now`."
    )
    (row,) = view.checked.rows
    shown = hover(row, view.findings, markdown=True).value
    outside = "".join(shown.split("```")[::2])
    assert "![" not in outside and "<b>" not in outside
    assert "```" not in hover(row, view.findings, markdown=False).value


@pytest.mark.parametrize(
    ("file", "text", "is_wanted"),
    [
        ("a.md", "", True),
        ("a.txt", "", True),
        ("needs.json", '{"versions": {"1": {"needs": {}}}}', True),
        ("package.json", '{"versions": 1}', False),
        ("a.csv", "", False),
        ("a", "", False),
    ],
)
def test_which_documents_are_read(file: str, text: str, is_wanted: bool) -> None:
    assert wanted(file, text) == is_wanted


SIGNS = st.text(alphabet=st.sampled_from("aé🐱\u2028\t ,"), max_size=12)


@settings(max_examples=200)
@given(before=SIGNS, words=SIGNS, after=SIGNS, ends=st.sampled_from(["\n", "\r\n", "\r"]), mark=st.booleans())
def test_places_are_counted_as_the_client_counts(
    before: str, words: str, after: str, ends: str, mark: bool
) -> None:
    first = "Ü🐱 shall never"
    text = ("\ufeff" if mark else "") + f"{first} bark.{ends}{before} x | {words} y{after}{ends}"
    (one, *_) = read_text(text, "a.txt").requirements
    known = {
        PositionEncodingKind.Utf8: "utf-8",
        PositionEncodingKind.Utf16: "utf-16-le",
        PositionEncodingKind.Utf32: "utf-32-le",
    }
    for units, codec in known.items():
        size = len("x".encode(codec))
        span = Places(text, units).of(one)
        assert (span.start.line, span.end.line) == (0, 0)
        raw = text.split(ends, maxsplit=1)[0].encode(codec)
        covered = raw[size * span.start.character : size * span.end.character].decode(codec)
        assert covered == f"{first} bark."
    place = Places(text).line(2)
    assert place.start.line == 1 and touch(place, Places(text).line(2))
    assert not touch(place, Places(text).line(1))
