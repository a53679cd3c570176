"""What is shipped for pre-commit and for workflows: the commands exist, with these options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from assent.cli import main
from assent.documents.readers import read_document

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
WORKFLOW = ROOT / "examples" / "documents" / "requirements.yml"


def options_of(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[set[str], set[str]]:
    """The options that a command uses, and those that its verb has."""
    program, verb, *arguments = shlex.split(command)
    assert program == "assent"
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    known = set(re.findall(r"--[a-z-]+|(?<=\s)-[a-z]\b", capsys.readouterr().out))
    return {word for word in arguments if re.fullmatch(r"--[a-z-]+|-[a-z]", word)}, known


def test_the_hook(capsys: pytest.CaptureFixture[str]) -> None:
    (hook,) = yaml.safe_load(HOOKS.read_text("utf-8"))
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    used, known = options_of(hook["entry"], capsys)
    assert used == {"--locked"} and used <= known
    assert re.search(hook["files"], "docs/requirements.md") and not re.search(hook["files"], "README.md")


def test_the_workflow(capsys: pytest.CaptureFixture[str]) -> None:
    steps = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]["check"]["steps"]
    commands = [step["run"].split(" || ")[0] for step in steps if "assent check" in step.get("run", "")]
    assert len(commands) == 3
    for command in commands:
        used, known = options_of(command, capsys)
        assert "--locked" in used and used <= known


def test_the_example_is_read() -> None:
    document = read_document(ROOT / "examples" / "documents" / "feeder.md")
    assert [r.id for r in document.requirements] == ["FEED-1", "FEED-2", "FEED-3"]
    assert document.vocabulary[""].names == {"lid_open", "auger_on", "lamp_on", "weight"}
