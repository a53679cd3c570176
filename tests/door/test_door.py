"""The front door: what ``import assent`` offers, used as a newcomer would."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import assent
from assent import door
from assent.errors import DataError, FormulaError, PolicyError, UsageError
from assent.logic.ast import Logic
from assent.pipeline.clarify import clarify
from assent.records import Abstained, Evidence, Instruction, Reason
from assent.testing import lenient_policy, scripted
from recordings import recording, write

NAMES = {
    "propositions": [{"name": "door_open", "says": "door open"}, {"name": "alarm_on", "says": "alarm on"}],
    "time_unit": "s",
}
KNOWN = {"open it": "F door_open", "unsure": ["F door_open", "G door_open", "F alarm_on", "G alarm_on"]}


def test_examples_in_the_docstrings_are_true() -> None:
    failed, tried = doctest.testmod(door)
    assert tried > 5 and failed == 0


def test_importing_costs_nothing_and_brings_no_numpy() -> None:
    code = "import sys, assent; assert not {'numpy', 'ctranslate2', 'httpx'} & set(sys.modules); dir(assent)"
    subprocess.run([sys.executable, "-c", code], check=True)
    for name in assent.__all__:
        assert getattr(assent, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = assent.nothing_like_it  # type: ignore[attr-defined]


def test_the_embedded_default_decides_in_one_call() -> None:
    with assent.load("STL", vocabulary=NAMES, alpha=0.10) as translator:
        match translator("Whenever the door is open, the alarm is on within 5 seconds."):
            case assent.Accepted(formula=formula) as accepted:
                assert str(formula) == "G(door_open -> (F[0,5] alarm_on))"
                assert "G(door_open" in accepted._repr_html_() and "G(door_open" in formula._repr_html_()
            case assent.Abstained(readings=readings) as abstained:
                assert readings and "abstained" in abstained._repr_html_()
        found = translator("Zzyzx frobnicates the quux, sudo rm -rf, und zwar sofort!")
        assert isinstance(found, assent.Abstained) and found.detail and found.advice
    with pytest.raises(UsageError, match="closed"):
        translator("open it")


def test_the_logic_is_found_out() -> None:
    with assent.load(vocabulary=NAMES) as translator:
        assert translator("The alarm is never on.").evidence.instruction.logic == "ltl"
        assert translator("The alarm is on within 5 seconds.").evidence.instruction.logic == "stl"
    with assent.load(vocabulary={"objects": ["cup", "plate"], "regions": ["shelf"]}) as translator:
        assert translator("Put the cup left of the plate.").evidence.instruction.logic == "spatial"


def test_calls_work_inside_a_running_loop_and_many_come_in_order() -> None:
    translator = scripted(KNOWN)

    async def main() -> list[str]:
        one = translator("open it")  # as in a notebook
        two = await translator.decide("unsure")
        rest = [type(decision).__name__ async for decision in translator.batch(["open it", "unsure"] * 10)]
        return [type(one).__name__, type(two).__name__, *rest]

    assert asyncio.run(main()) == ["Accepted", "Abstained"] * 11
    assert [type(d).__name__ for d in translator.batch(iter(KNOWN))] == ["Accepted", "Abstained"]
    unknown = translator("never heard of")
    assert isinstance(unknown, assent.Abstained) and unknown.reason == "failed"


def test_cases_are_text_mappings_or_instructions() -> None:
    translator = scripted(KNOWN)
    case = assent.Instruction(id="x", text="open it", logic=assent.Logic.LTL)
    for given in ("open it", {"text": "open it", "id": 7, "more": 1}, case):
        assert isinstance(translator(given), assent.Accepted)
    assert translator({"text": "open it", "more": 1}).evidence.instruction.extra == {"more": 1}
    for nothing in ("", "   ", {"id": "1"}):
        with pytest.raises((UsageError, DataError)):
            translator(nothing)


def test_evidence_to_policy_to_decisions_without_a_file(tmp_path: Path) -> None:
    rows = recording(120, seed=1)
    policy = assent.calibrate(rows, alpha="0.2")
    assert policy.alpha == 0.2 and "<pre>" in policy._repr_html_()
    file = write(tmp_path / "rows.jsonl", rows)
    assert assent.calibrate(file, alpha="0.2") == policy

    class Frame:
        """What pandas looks like from outside."""

        columns = ("id",)

        def to_dict(self, how: str) -> list[dict[str, object]]:
            assert how == "records"
            return [{**row, "domain": float("nan")} for row in rows]

    assert assent.calibrate(Frame(), alpha="0.2") == policy
    with pytest.raises(UsageError, match="which system made them"):
        assent.calibrate([{k: v for k, v in row.items() if k != "system"} for row in rows], alpha="0.2")
    pytest.importorskip("matplotlib", reason="the report extra is not installed")
    page = assent.report(rows, tmp_path / "report", resplits=4)
    assert page.is_file()
    body = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    assert body["settings"]["channel"] == policy.channel  # a report measures what calibrate would deploy


def test_collect_calibrate_and_go_on_with_the_policy() -> None:
    translator = scripted(KNOWN)
    evidence = translator.collect([{"text": "open it", "reference": "F door_open"}] * 30)
    assert len(evidence) == 30 and all(row.formula is not None for row in evidence)
    policy = assent.calibrate(evidence, alpha=0.1)
    assert isinstance(translator.with_policy(policy)("open it"), assent.Accepted)
    with pytest.raises(PolicyError, match="another translator"):
        translator.with_policy(lenient_policy({"logic": "ltl", "translator": "somebody else"}))


def test_formulas_are_read_compared_explained_and_exported() -> None:
    formula = assent.read("globally [3,12] ( p imply finally q )")
    assert (
        assent.write(formula, "words")
        and str(assent.compare(formula, "G[3,12](!p | F q)").verdict) == "equal"
    )
    explained = assent.explain(formula)
    assert explained.logic == "stl" and "p" in explained.english and str(explained)
    assert "p" in str(assent.export(formula, "latex"))
    with pytest.raises(FormulaError):
        assent.read("G (a ->")
    with pytest.raises(UsageError, match="unknown logic"):
        assent.load("mtl")


def test_decisions_are_kept_in_a_ledger(tmp_path: Path) -> None:
    from assent.ledger import Kind, Ledger

    with assent.load("ltl", vocabulary=NAMES, ledger=tmp_path / "book.db") as translator:
        translator("The alarm is never on.")
    with Ledger.open(tmp_path / "book.db") as ledger:
        assert sum(1 for _ in ledger.each(Kind.DECISION)) == 1


@pytest.mark.parametrize("name", ["calibrate", "evaluate"])
def test_a_verb_that_is_asked_for_first_is_its_room(name: str) -> None:
    """Whoever asks first, and in whatever order: the name is the room, and the room can be called."""
    code = f"import assent, sys; v = assent.{name}; assert v is sys.modules['assent.{name}'] and callable(v)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_evaluate_is_a_verb_beside_its_room(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("time,a\n0,1\n1,0\n")
    assert not assent.evaluate("G a", file)
    importlib.import_module("assent.evaluate.table")

    assert assent.evaluate("F !a", str(file)).holds
    with pytest.raises(assent.errors.UsageError, match="positive number"):
        assent.evaluate("F a", {"time": [0], "a": [1]}, period=0)


@pytest.mark.parametrize(
    ("text", "advised"),
    [
        ("The speed stays below 30 always.", True),
        ("Within 3 steps of a fault the light is on, or not.", False),
    ],
)
def test_figures_in_ltl_are_a_case_for_stl(text: str, advised: bool) -> None:
    evidence = Evidence(instruction=Instruction(id="a", text=text, logic=Logic.LTL))
    steps = clarify(Abstained(reason=Reason.SUSPICIOUS, detail="x", alpha=0.1, evidence=evidence)).advice
    assert any("--logic stl" in step for step in steps) is advised
