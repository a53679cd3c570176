"""Files that are cut short, hold no numbers, or cannot be written: an error that says where, never a formula."""

from __future__ import annotations

import errno
import json
import math
import os
from pathlib import Path

import pytest
from pipeline_doubles import policy_for, threshold

from assent.config.settings import load
from assent.embedded.judge import EmbeddedJudge, read_rule
from assent.errors import ConfigurationError, DataError, ModelError, PolicyError
from assent.io.lines import Appender
from assent.policy.policy import GateSettings as Gate
from assent.policy.policy import Policy, _checksum
from assent.vocabulary import load_sections

MADE = {"logic": "ltl", "translator": "x@1"}


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf])
def test_a_judge_whose_rule_holds_no_number_is_refused(tmp_path: Path, weight: float) -> None:
    rule = tmp_path / "judge.json"
    rule.write_text(json.dumps({"weights": {"bias": weight, "second": 0.3}}))
    with pytest.raises(ModelError, match=r"judge\.json"):
        read_rule(rule)


def test_evidence_that_is_no_number_is_as_suspicious_as_can_be() -> None:
    judge = EmbeddedJudge(None, None, None, {"bias": -3.0, "second": 0.3})  # type: ignore[arg-type]
    assert judge.weigh({"second": 1.0}) < 0.1
    assert judge.weigh({"second": math.nan}) == 1.0


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9, 0.99])
def test_a_policy_cut_short_is_refused(tmp_path: Path, keep: float) -> None:
    file = tmp_path / "p.json"
    gate = Gate(neighbours=1, delta=0.05, distances=(0.1,) * 30, reference="r")
    policy_for(MADE, {"D2": threshold(0.2)}, gate=gate).save(file)
    whole = file.read_text()
    file.write_text(whole[: int(len(whole) * keep)])
    with pytest.raises(PolicyError, match=r"p\.json"):
        Policy.load(file)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize("at", ["alpha", "scores", "distances", "acceptance", "note"])
def test_a_policy_that_holds_no_number_is_refused_though_its_checksum_fits(
    tmp_path: Path, number: str, at: str
) -> None:
    """Found by fuzzing: such a policy was read, and could not be written again."""
    gate = Gate(neighbours=1, delta=0.05, distances=(0.125,) * 3, reference="r")
    whole = policy_for(MADE, {"D2": threshold(0.2)}, gate=gate)
    body = json.loads(whole.to_json())
    places = {
        "alpha": (body, "alpha"),
        "scores": (body.setdefault("scores", [0.5]), 0),
        "distances": (body["gate"]["distances"], 1),
        "acceptance": (
            body.setdefault("curves", {}).setdefault(
                "D2", [{"threshold": 0.1, "acceptance": 0.1, "risk": 0.1}]
            )[0],
            "acceptance",
        ),
        "note": (body.setdefault("provenance", {}), "note"),
    }
    inside, key = places[at]
    inside[key] = float(number)  # type: ignore[index]
    body.pop("checksum")
    body["checksum"] = _checksum(body)
    file = tmp_path / "p.json"
    text = json.dumps(body)  # which spells 1e999 as Infinity, and so does the checksum
    file.write_text(text.replace("Infinity", "1e999") if "e" in number else text)
    with pytest.raises(PolicyError, match=r"p\.json"):
        Policy.load(file)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"propositions": ["a"',
        '{"propositions": [{"name": NaN}]}',
        "\x00",
        '{"propositions": ["\\ud800"]}',
        '{"hall": {"propositions": [{"name": "a", "says": "b\\udfffc"}]}}',
        '{"\\udc00": {"propositions": ["a"]}}',
    ],
)
def test_a_vocabulary_cut_short_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "names.json"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=r"names\.json"):
        load_sections(file)


@pytest.mark.parametrize("ends", ["[nan, 1.0]", "[0, inf]", "[-inf, 0]", "[9, 0]", "[1e999, 1e999]"])
def test_a_range_without_ends_is_refused(tmp_path: Path, ends: str) -> None:
    """Ranges become exact numbers in what requirements say together: the error comes with the file, not there."""
    file = tmp_path / "names.toml"
    file.write_text(f'[hall]\npropositions = ["a", {{name = "v", type = "number", range = {ends}}}]\n')
    with pytest.raises(ConfigurationError, match=r"names\.toml: hall\.v: a range is two finite numbers"):
        load_sections(file)


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (
            'time_unt = "ms"\npropositions = ["a"]',
            "did you mean 'time_unit'? There are: propositions, objects",
        ),
        (
            'propositions = ["a", {name = "b", typ = "number"}]',
            "did you mean 'type'? There are: name, says, type",
        ),
        ('propositions = ["a"]\nrobots = ["b"]', "There are: propositions, objects, regions, time_unit"),
        ('regions = [{naem = "b"}]', "did you mean 'name'?"),
    ],
)
def test_a_misspelt_key_of_a_vocabulary_lists_those_there_are(
    tmp_path: Path, section: str, said: str
) -> None:
    file = tmp_path / "names.toml"
    file.write_text(f"[hall]\n{section}\n")
    with pytest.raises(ConfigurationError) as refused:
        load_sections(file)
    assert said in str(refused.value)


def test_a_misspelt_model_is_named_before_what_follows_from_it(tmp_path: Path) -> None:
    file = tmp_path / "assent.toml"
    file.write_text('[translator]\nmodel = "embedded"\n[judge]\nmodel = "embeded"\n')
    with pytest.raises(ConfigurationError, match=r"judge\.model: there is no model 'embeded'.*embedded"):
        load(file)


@pytest.mark.parametrize("cut", [True, False])
def test_a_full_disk_never_leaves_half_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: bool
) -> None:
    """What was written before the disk was full is cut off, or else dropped when the file is opened again."""
    file, write = tmp_path / "labels.jsonl", os.write
    with Appender(file) as rows:
        rows.append({"id": 1})
        room = [5]

        def nearly_full(handle: int, data: memoryview) -> int:
            if not room:
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(handle, bytes(data[: room.pop()]))

        def refused(handle: int, length: int) -> None:
            raise OSError(errno.EIO, "No space left, and a broken disk")

        monkeypatch.setattr("assent.io.lines.os.write", nearly_full)
        if not cut:
            monkeypatch.setattr("assent.io.lines.os.ftruncate", refused)
        with pytest.raises(DataError, match="No space left"):
            rows.append({"id": 2})
        monkeypatch.undo()
    assert file.read_bytes().endswith(b"\n") == cut
    with Appender(file) as rows:
        rows.append({"id": 3})
    assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == [1, 3]
