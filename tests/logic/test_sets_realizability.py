"""Realizability is asked of a synthesis tool, and refused without one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assent.errors import FragmentError, UsageError
from assent.logic import read
from assent.logic.sets import Requirement
from assent.logic.sets.realizability import realizable

FAIR = [
    Requirement("R1", read("G(request -> F grant)", "ltl")),
    Requirement("R2", read("G !(grant & stop)", "ltl")),
]
SIDES = {"inputs": ["request"], "outputs": ["grant", "stop"]}


def stand_in(folder: Path, says: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in place of ltlsynt that notes what it is asked and gives one answer."""
    program = folder / "ltlsynt"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {folder}/asked\n{says}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder / "asked"


def test_without_a_tool_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match=r"install one of ltlsynt, strix"):
        realizable(FAIR, **SIDES)


@pytest.mark.parametrize(("word", "answer"), [("REALIZABLE", True), ("UNREALIZABLE", False)])
def test_the_tool_is_asked_once_for_all(
    word: str, answer: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = stand_in(tmp_path, f"echo {word}", monkeypatch)
    found = realizable([*FAIR, Requirement("R3", read("G(speed > 3)", "stl"))], **SIDES)
    assert found.answer is answer and found.asked == ("R1", "R2")
    assert found.left_out == (("R3", "speed > 3 is no proposition"),)
    assert "R1 and R2" in found.detail and "left out: R3" in found.detail
    lines = asked.read_text().splitlines()
    assert lines[1:] == ["--ins=request", "--outs=grant,stop", "--realizability"]
    again = read(lines[0].removeprefix("--formula="), "ltl")
    assert str(again) == "(G(request -> (F grant))) & (G !(grant & stop))"


def test_words_of_the_tool_are_renamed_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = stand_in(tmp_path, "echo REALIZABLE", monkeypatch)
    from assent.logic.ast import Always, Implies, Prop

    realizable([Requirement("R1", Always(Implies(Prop("U"), Prop("b"))))], inputs=["U"], outputs=["b"])
    assert asked.read_text().splitlines()[:2] == ["--formula=G((p_U -> b))", "--ins=p_U"]


def test_a_tool_that_takes_too_long_gives_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, "exec sleep 20", monkeypatch)
    assert realizable(FAIR, **SIDES, seconds=0.2).answer is None


def test_a_tool_that_fails_is_an_error_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, "echo out of memory >&2; exit 2", monkeypatch)
    with pytest.raises(FragmentError, match="out of memory"):
        realizable(FAIR, **SIDES)


def test_names_belong_to_one_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, "echo REALIZABLE", monkeypatch)
    with pytest.raises(UsageError, match="both input and output"):
        realizable(FAIR, inputs=["request", "grant"], outputs=["grant", "stop"])
    with pytest.raises(UsageError, match="stop must be an input or an output"):
        realizable(FAIR, inputs=["request"], outputs=["grant"])
    with pytest.raises(FragmentError, match="no requirement is LTL"):
        realizable([Requirement("R1", read("G(speed > 3)", "stl"))], inputs=[], outputs=[])


@pytest.mark.peer
@pytest.mark.parametrize(
    ("text", "answer"), [("G(request -> F grant)", True), ("G(F request <-> grant)", False)]
)
def test_the_real_tool(text: str, answer: bool) -> None:
    if shutil.which("ltlsynt") is None:
        pytest.skip("ltlsynt is not installed (it comes with Spot)")
    found = realizable([Requirement("R1", read(text, "ltl"))], inputs=["request"], outputs=["grant"])
    assert found.answer is answer
