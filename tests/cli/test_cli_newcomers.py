"""What newcomers stumble over: kinds of configurations, misspellings, completion, colours, time units, budgets."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.calibrate.rules import Expected, Threshold
from assent.cli import VERBS, Terminal, main, wants_colours
from assent.cli.completion import words_of
from assent.cli.translate import described
from assent.config.build import Options, assemble
from assent.config.settings import KINDS, load
from assent.errors import BudgetError, ConfigurationError
from assent.evaluate.table import Table
from assent.logic import read
from assent.logic.ast import Logic
from assent.models import Prompt, Sampling
from assent.pipeline import in_units
from assent.policy.describe import describe
from assent.policy.policy import Policy
from assent.records import Abstained, Accepted, Decision, Evidence, Instruction, Reading, Reason
from assent.records.rows import decision_row
from assent.vocabulary import Entry, Vocabulary

PYTHON = '[translator]\nmodel = "m"\n[models.m]\nkind = "python"\nfunction = "telltale:said"\n'


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_configuration_can_be_read(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "assent.toml"
    assert main(["init", str(file), "--kind", kind]) == 0
    cfg = load(file)
    assert "can run code" in file.read_text()
    assert (cfg.translator.model == "embedded") == (kind == "embedded")
    assert main(["init", str(file), "--kind", kind]) == 2, "a file that is there stays"


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ('[translator]\nmodel = "embedded"\nsample = 3', "translator.sample", "did you mean 'samples'"),
        ('[translater]\nmodel = "embedded"', "translater", "did you mean 'translator'"),
        ('[translator]\nmodel = "m"\n[models.m]\nkind = "opnai"', "models.m.kind", "litellm, transformers"),
        ('[translator]\nmodel = "m"\n[models.m]\nkind = "openai"\nnam = "x"', "models.m.nam", "did you mean 'name'"),
        ('[translator]\nmodel = "m"\n[models.m]\nkind = "recorded"\ndevice = "x"', "models.m.device", "There are: "),
    ],
)  # fmt: skip
def test_misspellings_list_what_there_is(text: str, key: str, says: str, tmp_path: Path,
                                         capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    file = tmp_path / "assent.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError) as caught:
        load(file)
    assert caught.value.key == key and says in str(caught.value)
    assert main(["doctor", "--config", str(file), "--offline"]) == 1
    assert capsys.readouterr().out.count(says) == 1, "each error is said once"


def test_doctor_offline_imports_nothing_of_a_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "telltale.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\ndef said(text):\n    return 'true'\n"
    )
    (tmp_path / "assent.toml").write_text(PYTHON)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["doctor", "--config", str(tmp_path / "assent.toml"), "--offline"]) == 0
    assert not (tmp_path / "ran").exists()
    assert main(["doctor", "--config", str(tmp_path / "assent.toml")]) == 0
    assert (tmp_path / "ran").exists(), "the module would have been noticed"


def test_doctor_looks_at_the_vocabulary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "names.json"

    def found(*more: str) -> dict[str, tuple[bool, str]]:
        main(["doctor", "--vocabulary", str(names), "--offline", "--json", *more])
        rows = json.loads(capsys.readouterr().out)["findings"]
        return {row["check"]: (row["ok"], row["detail"]) for row in rows}

    names.write_text('{"lift": {"propositions": ["a", "b"], "time_unit": "ms"}}')
    well, said = found()["vocabulary"]
    assert well and "2 names, time in ms" in said
    assert not found("--domain", "left")["vocabulary"][0]
    signals = [
        {"name": name, "type": "number", "unit": unit} for name, unit in (("t", "degC"), ("n", "bags"))
    ]
    names.write_text(json.dumps({"propositions": signals}))
    assert found()["vocabulary"][1].endswith("into that of n (bags): say figures in just this unit")
    names.write_text('{"lift": {"propositions": ["a", "A"]}}')
    findings = found()
    assert not findings["vocabulary"][0] and "assembly" not in findings, "each error is said once"


@pytest.mark.parametrize(("unit", "said"), [("ms", "milliseconds"), ("steps", "steps"), ("h", "hours")])
def test_english_says_the_unit_of_the_vocabulary(
    unit: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tmp_path / "names.json"
    names.write_text(json.dumps({"propositions": ["a"], "time_unit": unit}))
    assert main(["explain", "F[0,5] a", "--vocabulary", str(names), "--logic", "STL", "--json"]) == 0
    assert f"5 {said}" in json.loads(capsys.readouterr().out)["english"]


@pytest.mark.parametrize("word", ["STL", "Stl", "stl"])
def test_a_logic_in_capitals(word: str) -> None:
    assert main(["compare", "F[0,5] a", "F[0,5] a", "--logic", word]) == 0


@pytest.mark.parametrize("verb", VERBS)
def test_bash_completes_every_option(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    asked = f"COMP_WORDS=(assent {verb} --); COMP_CWORD=2; _assent; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    found = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
    assert found.stdout.split() == [word for word in words_of(verb) if word.startswith("--")]


def terminal(text: str, *, colours: bool = False) -> str:
    inner = io.StringIO()
    stream = Terminal(inner, colours=colours)
    assert stream.write(text) == len(text)
    return inner.getvalue()


@given(st.text(st.characters(codec="utf-8")))
def test_nothing_that_acts_reaches_the_terminal(text: str) -> None:
    shown = terminal(f"said: {text}.")
    assert all(c.isprintable() or c in "\n\t" for c in shown)


def test_a_progress_bar_may_return_to_the_beginning_of_its_line() -> None:
    assert terminal("\r 50 %") == "\r 50 %"
    assert terminal("\r      \r") == "\r      \r"
    assert terminal("good\rbad") == "good\\x0dbad"


def test_verdicts_have_colours_and_only_at_the_beginning_of_a_line() -> None:
    assert terminal("accepted  G a", colours=True) == "\x1b[32maccepted\x1b[0m  G a"
    assert terminal("is accepted \x1b[31m", colours=True) == "is accepted \\x1b[31m"
    assert not wants_colours({"NO_COLOR": "1"}) and not wants_colours({"TERM": "dumb"})
    assert wants_colours({"NO_COLOR": "", "TERM": "xterm"})


SHOW = """
import pty, sys, os
def read(fd):
    data = os.read(fd, 1024)
    return data
pty.spawn([sys.executable, "-m", "assent", *sys.argv[1:]], read)
"""


@pytest.mark.parametrize("plain", ["", "1"])
def test_on_a_terminal(plain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real thing on a pseudo-terminal: a name with an escape sequence in it, and a colour."""
    monkeypatch.setenv("NO_COLOR", plain)
    monkeypatch.setenv("TERM", "xterm")
    done = subprocess.run(
        [sys.executable, "-c", SHOW, "compare", "G a", "G a"], capture_output=True, check=False, timeout=120
    )
    assert (b"\x1b[32mequal" in done.stdout) == (not plain) and b"equal" in done.stdout
    wrong = subprocess.run(
        [sys.executable, "-c", SHOW, "explain", "G (a \x1b]0;owned\x07"],
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert b"\x1b]0" not in wrong.stdout and b"\x07" not in wrong.stdout


def test_a_budget_across_runs(tmp_path: Path) -> None:
    text = (
        '[translator]\nmodel = "m"\n[models.m]\nkind = "command"\ncommand = ["echo", "true"]\nfeed = "chat"\n'
        "[budget]\ncalls = 3\nacross_runs = {across}\n"
    )

    def asked(across: str, *questions: str) -> None:
        (tmp_path / "assent.toml").write_text(text.format(across=across))
        parts = assemble(Options(config=str(tmp_path / "assent.toml")))

        async def ask() -> None:
            for question in questions:
                await parts.models[0].generate(Prompt.of(question), Sampling())
            await parts.close()

        asyncio.run(ask())

    asked("true", "one", "two")
    asked("true", "one", "three")  # what is in the cache costs nothing; the third call fits
    with pytest.raises(BudgetError):
        asked("true", "four")
    asked("false", "four")


@pytest.mark.parametrize(("ceiling", "more"), [(0.5, True), (1.0, False)])
def test_a_limit_at_the_ceiling_says_what_would_change_it(ceiling: float, more: bool) -> None:
    rule = Threshold(
        value=ceiling, alpha=0.1, n=200, floor=0.01, kind="crc", unit="pair", accepted=0.9, risk=0.01
    )
    below = Threshold(
        value=0.2, alpha=0.1, n=200, floor=0.01, kind="crc", unit="pair", accepted=0.5, risk=0.05
    )
    policy = Policy(
        alpha=0.1,
        rules={"D2": rule, "D3": below},
        fingerprint={"logic": "ltl"},
        channel="fusion",
        expected={name: Expected(acceptance=0.9, low=0.8, high=0.95) for name in ("D2", "D3")},
        provenance={"ceiling": ceiling},
    )
    lines = [line for line in describe(policy).splitlines() if "is the ceiling" in line]
    assert len(lines) == 1 and lines[0].startswith("D2") and "what changes it" in lines[0]
    assert ("a higher --ceiling" in lines[0]) == more


@pytest.mark.parametrize("accepted", [True, False])
def test_translate_says_the_unit_of_the_vocabulary(accepted: bool) -> None:
    formula = read("F[0,5] a", "stl")
    case = Instruction(id="1", text="a within 5 ms", logic=Logic.STL)
    evidence = Evidence(instruction=case, made_by={})
    decision: Decision = (
        Accepted(formula=formula, english="", score=0.0, threshold=1.0, alpha=0.1, evidence=evidence)
        if accepted
        else Abstained(
            reason=Reason.SUSPICIOUS,
            detail="",
            alpha=0.1,
            evidence=evidence,
            readings=(Reading(formula, "", 1),),
        )
    )
    assert "milliseconds" not in described(in_units(decision, None)), "without a vocabulary nobody knows"
    names = Vocabulary(propositions=(Entry("a"),), time_unit="ms")
    said = in_units(decision, names)
    assert "within the next 5 milliseconds" in described(said)
    assert "within the next 5 milliseconds" in json.dumps(decision_row(said)), "the same in JSON"


@dataclass(frozen=True)
class Column:
    name: str
    cells: Annotated[Mapping[str, float], "{}"]


@given(st.sampled_from(["=", "+", "-", "@", " =", "\t="]), st.text(max_size=5))
def test_no_cell_of_a_table_is_a_formula(begin: str, name: str) -> None:
    row_of_data = Column(f"{begin}cmd{name}", {f"{begin}column": -1.5})
    table = Table("t", "title", (row_of_data,))
    first, row = csv.reader(io.StringIO(table.csv()))
    assert not row[0].lstrip().startswith(("=", "+", "-", "@")) and row[1] == "-1.5"
    assert not first[1].lstrip().startswith(("=", "+", "-", "@"))
