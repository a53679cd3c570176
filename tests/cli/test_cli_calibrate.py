"""assent calibrate: the policy it writes, and everything that it refuses, with nothing written."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assent.calibrate import Infeasible, Threshold, cluster_crc
from assent.calibrate.exact import marks
from assent.cli import main
from assent.config import build
from assent.config.build import Options
from assent.embedded.memory import FILE, Memory, cluster_of, text_mark
from assent.evaluate.labels import load
from assent.logic.ast import Logic
from assent.logic.parse import read
from assent.pipeline.gate import Gate
from assent.policy.policy import Policy
from recordings import rated, recording, write

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write(tmp_path / "rows.jsonl", recording(120, seed=1))


def test_the_policy_holds_the_rules_of_its_rows(run: Run, rows: Path, tmp_path: Path) -> None:
    code, out, _ = run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", "--json")
    assert code == 0
    policy = Policy.load(tmp_path / "p.json")
    assert json.loads(out) == json.loads((tmp_path / "p.json").read_text())
    body = json.loads(out)
    assert body["schema"] == 1 and body["alpha"] == 0.2 and policy.channel == "fusion"
    data = load(rows)
    assert set(policy.rules) == {row.evidence.tier for row in data.rows}
    for group, rule in policy.rules.items():
        part = data.where(lambda row, group=group: row.evidence.tier == group)  # type: ignore[misc]
        assert part.clusters is not None
        own = cluster_crc(
            part.scores("fusion"),
            part.wrong,
            [str(row.cluster) for row in part.rows],
            alpha="0.2",
            deferred=[kept is not None for kept in part.withheld(None)],
        )
        assert rule == own
        assert {"n", "floor"} <= set(body["rules"][group])
        assert ("infeasible" if isinstance(own, Infeasible) else "threshold") in body["rules"][group]


def test_units(run: Run, rows: Path, tmp_path: Path) -> None:
    code, out, _ = run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", "--unit", "pair")
    assert code == 0 and "warning" in out
    loose = write(tmp_path / "loose.jsonl", recording(60, clusters=None))
    code, _, err = run("calibrate", loose, "--alpha", "0.2", "-o", tmp_path / "q.json", "--unit", "cluster")
    assert code == 2 and "cluster" in err and not (tmp_path / "q.json").exists()


@pytest.mark.parametrize("alpha", ["ten percent", "1.5", "-0.1", "nan", ""])
def test_an_alpha_that_is_none(run: Run, rows: Path, tmp_path: Path, alpha: str) -> None:
    code, out, err = run("calibrate", rows, f"--alpha={alpha}", "-o", tmp_path / "p.json")
    assert (code, out) == (2, "") and "alpha" in err and not (tmp_path / "p.json").exists()


GOOD = recording(3)[0]
BAD: dict[str, tuple[Any, str]] = {
    "no reference": ({"reference": None}, "no reference"),
    "unreadable reference": ({"reference": "G (a ->"}, "reference cannot be read"),
    "no candidate": ({"candidate": None}, "no candidate"),
    "candidate of a wrong type": ({"candidate": 3}, "candidate"),
    "samples of a wrong type": ({"samples": "G a"}, "samples"),
    "score above 1": ({"scores": {"fusion": 1.2}}, r"\[0, 1\]"),
    "score below 0": ({"scores": {"fusion": -0.2}}, r"\[0, 1\]"),
    "score that is no number": ({"scores": {"fusion": "NaN"}}, "float"),
    "score that is text": ({"scores": {"fusion": "high"}}, "evidence record"),
    "scores in a list": ({"scores": [0.5]}, "object"),
    "unknown logic": ({"logic": "mtl"}, "unknown logic 'mtl'"),
    "no text": ({"text": ""}, "text"),
    "rating of a wrong type": ({"judge": {**rated(90), "overall_meaning": "good"}}, "overall_meaning"),
    "rating with a fraction": ({"judge": {**rated(90), "overall_meaning": 90.5}}, "judge|int"),
    "rating above 100": ({"judge": rated(101)}, "101"),
    "rating is missing": ({"judge": {"overall_meaning": 90}}, "logical_structure"),
    "ratings in a list": ({"judge": [90, 90, 90, 90]}, "judge|object"),
    "single question above 100": ({"single_question": 300}, "300"),
    "cut short by lazy scoring": ({"censored": ["fusion"]}, "lazy"),
    "outputs, and no system": ({"candidate": None, "outputs": {"t5": "G a", "pt": "F a"}}, "t5, pt"),
    "outputs of a wrong type": ({"outputs": ["G a"]}, "outputs"),
    "taken id": ({"id": "r0"}, "'r0' is taken by line 1"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("verb", ["calibrate", "report"])
def test_a_bad_row_is_named_and_nothing_is_written(run: Run, tmp_path: Path, name: str, verb: str) -> None:
    changed, said = BAD[name]
    bad = {key: value for key, value in {**GOOD, "id": "bad", **changed}.items() if value is not None}
    file = write(tmp_path / "rows.jsonl", [*recording(3), bad])
    alpha = ("--alpha", "0.1") if verb == "calibrate" else ("--no-default", "--no-gate")
    code, out, err = run(verb, file, *alpha, "-o", tmp_path / "out")
    assert (code, out) == (1, "")
    assert f"{file}:4: " in err
    assert re.search(said, err), err
    assert [entry.name for entry in tmp_path.iterdir()] == ["rows.jsonl"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no rows"),
        (b"\n\n", "no rows"),
        (json.dumps(GOOD).encode() + b'\n{"id": "r1", "lo', ":2: the last line is cut off"),
        (json.dumps(GOOD).encode().replace(b'"r0"', b"NaN") + b"\n", ":1: not valid JSON"),
        (b"[1]\n", ":1: not a JSON object"),
        (b"\xff\xfe{\n", ":1: "),
    ],
)
@pytest.mark.parametrize("verb", ["calibrate", "report"])
def test_a_bad_file(run: Run, tmp_path: Path, content: bytes, said: str, verb: str) -> None:
    (tmp_path / "rows.jsonl").write_bytes(content)
    alpha = ("--alpha", "0.1") if verb == "calibrate" else ()
    code, out, err = run(verb, tmp_path / "rows.jsonl", *alpha, "-o", tmp_path / "out")
    assert (code, out) == (1, "") and said in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["rows.jsonl"]


def test_files_that_are_not_there(run: Run, rows: Path, tmp_path: Path) -> None:
    code, _, err = run("calibrate", tmp_path / "none.jsonl", "--alpha", "0.1", "-o", tmp_path / "p.json")
    assert code == 1 and "none.jsonl: cannot be read" in err
    code, _, err = run("calibrate", rows, "--alpha", "0.1", "-o", tmp_path / "no" / "p.json")
    assert code == 1 and "cannot be written" in err


@pytest.mark.parametrize("error", [0.0, 1.0])
def test_labels_of_one_kind_make_a_policy(run: Run, tmp_path: Path, error: float) -> None:
    file = write(tmp_path / "one.jsonl", recording(60, error=error))
    code, _, _ = run("calibrate", file, "--alpha", "0.2", "-o", tmp_path / "p.json")
    assert code == 0
    for rule in Policy.load(tmp_path / "p.json").rules.values():
        if error == 0.0:
            assert isinstance(rule, Threshold) and rule.accepted == 1
        else:
            assert isinstance(rule, Infeasible) or rule.cluster_risk <= 0.2  # type: ignore[operator]


@pytest.mark.parametrize("n", [1, 2])
def test_very_few_rows_are_infeasible_and_say_so(run: Run, tmp_path: Path, n: int) -> None:
    file = write(tmp_path / "few.jsonl", recording(n, error=0.0))
    code, out, _ = run("calibrate", file, "--alpha", "0.1", "-o", tmp_path / "p.json")
    assert code == 0 and "infeasible" in out


def test_logics_and_channels_that_are_not_there(run: Run, rows: Path, tmp_path: Path) -> None:
    both = write(tmp_path / "both.jsonl", [*recording(9), {**recording(1, logic="stl")[0], "id": "s"}])
    code, _, err = run("calibrate", both, "--alpha", "0.1", "-o", tmp_path / "p.json")
    assert code == 2 and "--logic" in err
    code, _, _ = run("calibrate", both, "--alpha", "0.1", "--logic", "ltl", "-o", tmp_path / "p.json")
    assert code == 0 and Policy.load(tmp_path / "p.json").fingerprint["logic"] == "ltl"
    code, _, err = run("calibrate", rows, "--alpha", "0.1", "--channel", "default", "-o", tmp_path / "q.json")
    assert code == 2 and "'default' was not recorded" in err and not (tmp_path / "q.json").exists()


def test_rows_that_were_tuned_on_are_refused(run: Run, rows: Path, tmp_path: Path) -> None:
    mine = recording(120, seed=1)
    for kind, row in {
        "id": {"id": mine[7]["id"], "text": "new"},
        "text": {"id": "new", "text": mine[7]["text"].upper() + "  "},
        "cluster": {"id": "new", "text": "new", "cluster": mine[7]["cluster"]},
    }.items():
        tuned = write(tmp_path / "tuned.jsonl", [{"id": "z", "text": "z"}, row])
        code, _, err = run(
            "calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", "--trained-on", tuned
        )
        assert code == 1 and f"share the {kind}" in err and str(tuned) in err, err
        assert not (tmp_path / "p.json").exists()
    apart = write(tmp_path / "apart.jsonl", [{"id": "z", "text": "z", "cluster": "z"}])
    code, _, _ = run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", "--trained-on", apart)
    assert code == 0


def test_rows_that_the_models_were_trained_on_are_refused(run: Run, rows: Path, tmp_path: Path) -> None:
    folder = tmp_path / "weights"
    folder.mkdir()
    shape = cluster_of(read("G (door -> F alarm)", "ltl"))  # the shape of a reference, with other names
    cases = {
        "texts": Memory(
            frozenset({text_mark("INSTRUCTION 7 of  kind " + recording(120, seed=1)[7]["text"].split()[-1])}),
            frozenset(),
        ),
        "formulas": Memory(frozenset(), frozenset({shape})),
    }
    for what, memory in cases.items():
        memory.save(folder)
        for source in (folder, folder / FILE):
            code, _, err = run(
                "calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", "--trained-on", source
            )
            assert code == 1 and what in err and "held out" in err
            assert not (tmp_path / "p.json").exists()
    Memory(frozenset({text_mark("other")}), frozenset({cluster_of(read("a U b", "ltl"))})).save(folder)
    assert run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", "--trained-on", folder)[0] == 0
    (folder / FILE).write_text("[]")
    code, _, err = run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "q.json", "--trained-on", folder)
    assert code == 1 and FILE in err
    (folder / FILE).unlink()
    assert run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "q.json", "--trained-on", folder)[0] == 1


def test_every_rule_can_be_asked_for(run: Run, tmp_path: Path) -> None:
    """Each option makes the rule of the library that it names, on the same rows."""
    file = write(tmp_path / "rows.jsonl", recording(400, seed=2, clusters=200))
    fit = [{**row, "text": f"fit {row['text']}"} for row in recording(200, seed=3, clusters=None)]
    other = write(tmp_path / "fit.jsonl", [{**row, "id": f"f{i}"} for i, row in enumerate(fit)])
    kinds = {
        "cluster_crc": (),
        "crc": ("--unit", "pair"),
        "high_probability": ("--delta", "0.1"),
        "conditional": ("--rule", "conditional", "--delta", "0.1", "--fit", other),
        "pair_weighted": ("--rule", "pair-weighted", "--max-size", "3"),
    }
    for kind, options in kinds.items():
        target = tmp_path / f"{kind}.json"
        code, _, err = run("calibrate", file, "--alpha", "0.3", "-o", target, *options)
        assert code == 0, err
        policy = Policy.load(target)
        assert {rule.kind for rule in policy.rules.values()} == {kind}
        assert all(isinstance(rule, Threshold) for rule in policy.rules.values()), policy.rules
        assert all(0 <= one.low <= one.acceptance <= one.high <= 1 for one in policy.expected.values())


def test_nothing_above_the_ceiling_is_ever_accepted(run: Run, rows: Path, tmp_path: Path) -> None:
    code, _, _ = run("calibrate", rows, "--alpha", "1", "-o", tmp_path / "p.json", "--ceiling", "0.25")
    limits = {
        rule.value for rule in Policy.load(tmp_path / "p.json").rules.values() if isinstance(rule, Threshold)
    }
    assert code == 0 and limits == {0.25}  # alpha = 1 would allow everything


def test_broken_ties_are_those_of_the_secret_in_the_policy(run: Run, rows: Path, tmp_path: Path) -> None:
    code, _, _ = run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", "--break-ties")
    policy = Policy.load(tmp_path / "p.json")
    assert code == 0 and policy.tie_secret
    data = load(rows)
    for group, rule in policy.rules.items():
        part = data.where(lambda row, group=group: row.evidence.tier == group)  # type: ignore[misc]
        own = cluster_crc(
            part.scores("fusion"),
            part.wrong,
            [str(row.cluster) for row in part.rows],
            alpha="0.2",
            deferred=[kept is not None for kept in part.withheld(None)],
            ties=marks(policy.tie_secret, [row.text for row in part.rows]),
        )
        assert rule == own and isinstance(rule, Threshold) and rule.tie is not None
    run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "q.json", "--break-ties")
    assert Policy.load(tmp_path / "q.json").tie_secret != policy.tie_secret


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rule", "conditional", "--delta", "0.1"), "--fit"),
        (("--rule", "conditional", "--fit", "x.jsonl"), "delta"),
        (("--fit", "x.jsonl"), "--fit"),
        (("--rule", "high-probability"), "delta"),
        (("--rule", "risk", "--delta", "0.1"), "delta"),
        (("--rule", "pair-weighted"), "size"),
        (("--max-size", "3"), "size"),
        (("--rule", "pair-weighted", "--max-size", "0"), "at most 1"),
        (("--delta", "0"), "delta"),
        (("--delta", "1.5"), "delta"),
        (("--ceiling", "1.5"), "ceiling"),
        (("--ceiling", "nan"), "ceiling"),
    ],
)
def test_rules_that_do_not_go_together(
    run: Run, rows: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    code, out, err = run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", *options)
    assert (code, out) == (2, "") and said in err and not (tmp_path / "p.json").exists()


def test_the_steps_of_the_conditional_rule_come_from_other_rows(run: Run, rows: Path, tmp_path: Path) -> None:
    options = ("--rule", "conditional", "--delta", "0.1", "--fit", rows)
    code, _, err = run("calibrate", rows, "--alpha", "0.2", "-o", tmp_path / "p.json", *options)
    assert code == 1 and "rows.jsonl" in err and not (tmp_path / "p.json").exists()


def test_a_full_disk_leaves_the_old_policy(
    run: Run, rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "p.json"
    assert run("calibrate", rows, "--alpha", "0.2", "-o", target)[0] == 0
    before = target.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("assent.io.files.os.fsync", full)
    code, out, err = run("calibrate", rows, "--alpha", "0.3", "-o", target)
    assert (code, out) == (1, "") and "No space left" in err and "p.json" in err
    assert target.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["p.json", "rows.jsonl"]


def test_evidence_behind_the_shipped_gate_needs_no_configuration(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What 'collect' writes without a configuration, 'calibrate' takes without one, and deferred rows cost nothing."""
    gate = Gate(Words(), np.eye(12, dtype=np.float32), tuple(k / 100 for k in range(30)), neighbours=1)
    made = SimpleNamespace(collector=SimpleNamespace(gates={Logic.LTL: gate}))
    asked: list[Options] = []

    def assembled(options: Options) -> Any:
        asked.append(options)
        return made

    monkeypatch.setattr(build, "assemble", assembled)
    made_by = {"logic": "ltl", "translator": "embedded@1", "gate": gate.name}
    near, far = {"distance": 0.1, "p_value": 0.5}, {"distance": 9.0, "p_value": 0.01}
    rows = [
        {**row, "made_by": made_by, "gate": far if row["candidate"] != row["reference"] else near}
        for row in recording(80)
    ]
    file = write(tmp_path / "rows.jsonl", rows)
    code, _, err = run("calibrate", file, "--alpha", "0.2", "-o", tmp_path / "p.json")
    policy = Policy.load(tmp_path / "p.json")
    assert code == 0, err
    assert asked == [Options(config=None)] and policy.gate == gate.frozen(joint=True)
    assert {rule.value for rule in policy.rules.values() if isinstance(rule, Threshold)} == {1.0}
    made.collector.gates = {}
    code, _, err = run("calibrate", file, "--alpha", "0.2", "-o", tmp_path / "q.json")
    assert code == 2 and "--config" in err and not (tmp_path / "q.json").exists()


class Words:
    """An embedder that is never asked."""

    name = "words"

    def embed(self, texts: list[str]) -> Any:
        raise AssertionError(texts)


def test_registers_without_a_promise_of_their_own_are_listed(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "register": ("formal", "casual")[i % 2]} for i, row in enumerate(recording(120, seed=1))]
    file = write(tmp_path / "rows.jsonl", rows)
    code, out, _ = run("calibrate", file, "--alpha", "0.2", "-o", tmp_path / "p.json", "--groups", "all")
    inside = Policy.load(tmp_path / "p.json").provenance["inside"]
    assert code == 0 and set(inside) == {"formal", "casual", "D2", "D3"} and "no promise of their own" in out
    assert all(0 <= part["risk"] <= part["acceptance"] <= 1 for part in inside.values())
    assert inside["formal"]["rows"] + inside["casual"]["rows"] == 120
