"""README.md: its Python runs, its commands run, and what it names exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from assent.cli import VERBS, Exit

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    """The lines after ``$`` of the console blocks, continued ones joined."""
    joined = "".join(blocks("console")).replace("\\\n", " ")
    return [line[2:] for line in joined.splitlines() if line.startswith("$ ")]


def inline() -> list[str]:
    """Commands in the running text and in tables."""
    return re.findall(r"`(assent [a-z][^`]*)`", README)


@pytest.mark.parametrize("command", commands())
def test_a_command_runs(command: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "assent"
    done = subprocess.run(
        [sys.executable, "-m", "assent", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    different = arguments[0] == "compare"
    assert done.returncode == (Exit.ABSTAINED if different else Exit.DONE), done.stderr
    assert done.stdout.strip()


def test_there_are_commands_and_python() -> None:
    assert len(commands()) >= 4
    assert len(blocks("python")) >= 3
    assert len(inline()) >= 12


def test_python_runs_from_top_to_bottom(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    space: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), space)
    printed = capsys.readouterr().out
    assert (
        "always(((door_open > 0.5) implies eventually[0:5]" in printed
    )  # the example is accepted and exported
    assert "infeasible" in printed  # two labels carry no promise, and that is said
    assert printed.splitlines()[-1] == "equal"


@pytest.mark.parametrize("command", inline())
def test_a_command_in_the_text_has_its_verb_and_options(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from assent.cli import main

    verb = command.split()[1]
    assert verb in VERBS
    with pytest.raises(SystemExit):
        main([*command.split()[1:3], "--help"] if verb == "bench" else [verb, "--help"])
    known = set(re.findall(r"--[a-z-]+|(?<=\s)-[a-z]\b", capsys.readouterr().out))
    wanted = set(re.findall(r"(?<=\s)--[a-z-]+|(?<=\s)-[a-z]\b", command))
    assert wanted <= known


def test_what_is_installed_exists() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = re.search(r"extras: (.*)", README)
    assert named is not None
    assert set(named[1].split(", ")) <= set(extras)
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"demo", "test"} <= set(re.findall(r"make (\w+)", README)) <= targets


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(name: str) -> None:
    prose = re.sub(r"^```.*?^```", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)#\s]+)", prose)
    assert [link for link in links if not link.startswith("http") and not (ROOT / link).exists()] == []
