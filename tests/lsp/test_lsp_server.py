"""``assent lsp`` as an editor uses it: a real client, the real verb, the embedded models."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server is not installed (assent[lsp])")

from editor import PUMP, applied, editor, slice_of
from lsprotocol import types

from assent.cli import main
from assent.config.build import shipped_policies

LTL_ONLY = next(file for file in shipped_policies() if file.endswith("ltl-0.10.json"))


UNSURE = {
    "decision": "abstained",
    "logic": "ltl",
    "reason": "suspicious",
    "detail": "samples differ",
    "candidate": "!pump_on U valve_open",
    "readings": [
        {
            "formula": "!pump_on W valve_open",
            "english": "For ever or until valve_open holds, it stays true that pump_on does not hold.",
        },
        {
            "formula": "!pump_on U valve_open",
            "english": "pump_on does not hold until eventually valve_open holds.",
        },
    ],
}
SOON = {
    "decision": "accepted",
    "logic": "stl",
    "formula": "G(valve_open -> (F[0,5] lamp_on))",
    "english": "At every time, if valve_open holds, then lamp_on holds at some time within the next 5 seconds.",
    "by": "policy",
}
NEVER = {
    "decision": "accepted",
    "logic": "ltl",
    "formula": "G !lamp_on",
    "english": "Never lamp_on.",
    "by": "policy",
}


def decided(files: list[str], judgements: dict[str, Any]) -> None:
    """A lock in which these decisions stand, whatever the models of the day would say."""
    main(["check", *files, "--lock", "--quiet", "-o", "out"])
    Path("out").unlink()
    rows = [json.loads(line) for line in Path("assent.lock").read_text("utf-8").splitlines()]
    known = [
        {**row, "judgement": judgements.get(row.get("id"), row.get("judgement"))}
        for row in rows[1:]
        if "id" in row
    ]
    assert {row["id"] for row in known} >= set(judgements)
    Path("assent.lock").write_text("".join(f"{json.dumps(row)}\n" for row in [rows[0], *known]), "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pump.md").write_text(PUMP, "utf-8")
    decided(["pump.md"], {"P-1": UNSURE, "P-2": SOON, "P-3": NEVER})
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    main(["check", *options, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_it_shows_what_check_says_where_it_stands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = check(capsys, "pump.md", "--locked")
    before = (folder / "assent.lock").read_bytes()
    texts = {row["id"]: row["text"] for row in said["requirements"]}
    expected = [("abstained", r["text"]) for r in said["requirements"] if r["decision"] == "abstained"]
    expected += [(f["kind"], texts[name]) for f in said["findings"] for name in f["requirements"]]
    assert {kind for kind, _ in expected} >= {"abstained", "ambiguous", "conflict"}

    async def session() -> None:
        async with editor(folder) as it:
            it.open("pump.md", PUMP)
            found = await it.diagnostics("pump.md")
            assert sorted((str(d.code), slice_of(PUMP, d.range)) for d in found) == sorted(expected)
            assert all(d.source == "assent" for d in found)
            conflict = next(d for d in found if d.code == "conflict")
            assert conflict.message.startswith("(not vouched for) ")
            assert conflict.severity == types.DiagnosticSeverity.Warning
            related = [slice_of(PUMP, other.location.range) for other in conflict.related_information or []]
            assert slice_of(PUMP, conflict.range) not in related and set(related) < set(texts.values())
            it.client.text_document_did_close(
                types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(it.uri("pump.md")))
            )
            await it.until(lambda: it.published[-1].diagnostics == [])
            assert it.messages == [] and "register" in it.asked

    asyncio.run(session())
    assert sorted(place.name for place in folder.iterdir()) == ["assent.lock", "pump.md"]
    assert (folder / "assent.lock").read_bytes() == before  # nothing is written by looking


def test_hovering_shows_english_formula_and_tree(folder: Path) -> None:
    async def session() -> None:
        async with editor(folder) as it:
            it.open("pump.md", PUMP)
            await it.diagnostics("pump.md")
            vouched = await it.hover("pump.md", 15, 20)
            assert vouched is not None and isinstance(vouched.contents, types.MarkupContent)
            assert "vouched for" in vouched.contents.value
            assert "G(valve_open -> (F[0,5] lamp_on))" in vouched.contents.value
            assert "within the next 5 seconds" in vouched.contents.value and "└" in vouched.contents.value
            unsure = await it.hover("pump.md", 14, 20)
            assert unsure is not None and isinstance(unsure.contents, types.MarkupContent)
            assert "It may mean 2" in unsure.contents.value and "ambiguous" in unsure.contents.value
            assert await it.hover("pump.md", 0, 2) is None and await it.hover("none.md", 0, 0) is None

    asyncio.run(session())


def test_a_reading_rewrites_the_sentence(folder: Path) -> None:
    async def session() -> None:
        async with editor(folder) as it:
            it.open("pump.md", PUMP)
            found = await it.diagnostics("pump.md")
            about = next(d for d in found if d.code == "ambiguous")
            offered = await it.actions("pump.md", about)
            rewrite = next(a for a in offered if "rewrite" in a.title and "until eventually" in a.title)
            assert rewrite.edit is not None and rewrite.diagnostics == [about]
            changed = applied(PUMP, rewrite.edit)
            assert "- P-1: pump_on does not hold until eventually valve_open holds.\n" in changed
            it.change("pump.md", changed, 2)
            after = await it.diagnostics("pump.md", 2)
            assert not {"abstained", "ambiguous"} & {d.code for d in after}
            assert "conflict" in {d.code for d in after}

    asyncio.run(session())


def test_a_person_vouches_for_a_reading(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def session() -> None:
        async with editor(folder, "--as", "ada") as it:
            it.open("pump.md", PUMP)
            about = next(d for d in await it.diagnostics("pump.md") if d.code == "abstained")
            offered = await it.actions("pump.md", about)
            vouch = next(a for a in offered if "vouch" in a.title and "For ever or until" in a.title)
            assert vouch.command is not None
            assert await it.run(vouch.command) is True
            assert "abstained" not in {d.code for d in it.published[-1].diagnostics}
            assert "assent.lock" in it.messages[-1].message
            stale = types.Command("x", vouch.command.command, [it.uri("pump.md"), 99, "P-1", "G pump_on"])
            assert await it.run(stale) is False and "has changed" in it.messages[-1].message
            wrong = types.Command("x", vouch.command.command, ["pump.md"])
            assert await it.run(wrong) is False and it.messages[-1].type == types.MessageType.Error

    asyncio.run(session())
    said = check(capsys, "pump.md", "--locked")
    row = next(r for r in said["requirements"] if r["id"] == "P-1")
    assert (row["decision"], row["formula"], row["vouched_by"]) == (
        "accepted",
        "!pump_on W valve_open",
        "ada",
    )
    # A choice is no label: nothing but the lock was written, and a lock calibrates nothing.
    assert sorted(place.name for place in folder.iterdir()) == ["assent.lock", "pump.md"]


def test_nobody_vouches_without_a_name(folder: Path) -> None:
    before = (folder / "assent.lock").read_bytes()

    async def session() -> None:
        async with editor(folder) as it:
            it.open("pump.md", PUMP)
            about = next(d for d in await it.diagnostics("pump.md") if d.code == "abstained")
            vouch = next(a for a in await it.actions("pump.md", about) if a.command is not None)
            assert vouch.command is not None and await it.run(vouch.command) is False
            assert "--as NAME" in it.messages[-1].message
            await it.until(lambda: it.published[-1].diagnostics)

    asyncio.run(session())
    assert (folder / "assent.lock").read_bytes() == before


def test_the_lock_is_respected_and_suspects_are_looked_at(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(capsys, "pump.md", "--lock", "--vouch", "P-3=F lamp_on", "--as", "bob")

    async def session() -> None:
        async with editor(folder, "--as", "ada") as it:
            it.open("pump.md", PUMP)
            found = await it.diagnostics("pump.md")
            assert "suspect" not in {d.code for d in found}
            kept = await it.hover("pump.md", 19, 20)
            assert kept is not None and "F lamp_on" in kept.contents.value and "bob" in kept.contents.value
            it.change("pump.md", PUMP.replace("5 seconds", "6 seconds"), 2)
            found = await it.diagnostics("pump.md", 2)
            (suspect,) = [d for d in found if d.code == "suspect"]
            assert suspect.range.start.line == 15 and "its text changed" in suspect.message
            (looked,) = [a for a in await it.actions("pump.md", suspect) if "I looked" in a.title]
            assert looked.command is not None and await it.run(looked.command) is True
            assert "suspect" not in {d.code for d in it.published[-1].diagnostics}

    asyncio.run(session())
    (folder / "pump.md").write_text(PUMP.replace("5 seconds", "6 seconds"), "utf-8")
    assert "suspect" not in {f["kind"] for f in check(capsys, "pump.md", "--locked")["findings"]}


@pytest.mark.parametrize(
    ("options", "text", "kind", "said"),
    [
        ([], "- The lid shall never be open.\n", types.MessageType.Warning, "there is no vocabulary"),
        (["--policy", "none.json"], PUMP, types.MessageType.Error, "none.json"),
        (["--vocabulary", "none.toml"], PUMP, types.MessageType.Error, "none.toml"),
        (["--policy", LTL_ONLY], PUMP, types.MessageType.Error, "there is no policy for stl"),
        (["--alpha", "0.33"], PUMP, types.MessageType.Error, "no policy for alpha"),
    ],
)
def test_what_is_missing_is_said_once(
    folder: Path, options: list[str], text: str, kind: types.MessageType, said: str
) -> None:
    async def session() -> None:
        async with editor(folder, *options) as it:
            it.open("x.md", text)
            assert await it.diagnostics("x.md") == []
            await it.until(lambda: it.messages)
            it.change("x.md", text + "\n", 2)
            await it.diagnostics("x.md", 2)
            assert [(m.type, said in m.message) for m in it.messages] == [(kind, True)]

    asyncio.run(session())


def test_an_error_in_the_document_is_shown_in_its_line(folder: Path) -> None:
    async def session() -> None:
        async with editor(folder) as it:
            twice = PUMP.replace("P-2", "P-1")
            it.open("pump.md", twice)
            (found,) = await it.diagnostics("pump.md")
            assert "is taken by line 15" in found.message and found.range.start.line == 15
            assert slice_of(twice, found.range).startswith("- P-1: If the valve")
            it.change("pump.md", PUMP, 2)
            assert len(await it.diagnostics("pump.md", 2)) > 1
            it.open("needs.json", '{"versions": {"1":\n {"needs": oops}}}')
            (found,) = await it.diagnostics("needs.json")
            assert "not valid JSON" in found.message and found.range.start.line == 1
            it.open("package.json", '{"name": "x"}')
            it.open("code.py", "x must be y\n")
            await it.until(lambda: [p for p in it.published if p.uri == it.uri("code.py")])
            assert [p.diagnostics for p in it.published if "package" in p.uri] == [[]]
            assert it.messages == []

    asyncio.run(session())


def test_needs_and_text(folder: Path) -> None:
    names = (
        'propositions = [{name = "pump_on", says = "pump on"}, {name = "valve_open", says = "valve open"}]\n'
    )
    (folder / "pump.vocabulary.toml").write_text(names, "utf-8")
    said = "The pump must stay off until\tthe valve is open."
    need = {"id": "N-1", "type": "req", "content": said}
    needs = {"current_version": "1", "versions": {"1": {"needs": {"N-1": need}}}}
    written = json.dumps(needs, indent=1)
    plain = f"T-1: {said}\n"
    (folder / "pump.json").write_text(written, "utf-8")
    (folder / "pump.txt").write_text(plain, "utf-8")
    decided(["pump.json", "pump.txt"], {"N-1": UNSURE, "T-1": UNSURE})

    async def session() -> None:
        async with editor(folder) as it:
            it.open("pump.json", written)
            found = await it.diagnostics("pump.json")
            about = next(d for d in found if d.code == "abstained")
            assert slice_of(written, about.range) == said.replace("\t", "\\t")
            rewrite = next(a for a in await it.actions("pump.json", about) if a.edit is not None)
            assert rewrite.edit is not None
            again = json.loads(applied(written, rewrite.edit))
            assert again["versions"]["1"]["needs"]["N-1"]["content"].endswith(".")
            it.open("pump.txt", plain)
            found = await it.diagnostics("pump.txt")
            about = next(d for d in found if d.code == "abstained")
            assert slice_of(plain, about.range) == said

    asyncio.run(session())


def test_only_the_last_version_counts_and_answers_come_meanwhile(folder: Path) -> None:
    many = PUMP + "".join(
        f"- Q-{n}: If the pump is on for {n + 1} seconds, the valve shall be open within {n + 2} seconds.\n"
        for n in range(40)
    )

    async def session() -> None:
        async with editor(folder) as it:
            it.open("pump.md", many)
            slowest = 0.0
            for version in range(2, 12):
                it.change("pump.md", f"{many}\n<!-- {version} -->\n", version)
                start = time.monotonic()
                assert await it.hover("pump.md", 14, 20) is None  # nothing is known of this version yet
                slowest = max(slowest, time.monotonic() - start)
                await asyncio.sleep(0.1)
            it.change("pump.md", PUMP, 12)
            await it.diagnostics("pump.md", 12)
            assert {p.version for p in it.published} == {12}
            assert slowest < 5.0  # a look at 43 requirements takes longer

    asyncio.run(session())
