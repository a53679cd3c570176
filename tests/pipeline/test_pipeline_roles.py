"""Any kind of model in any role, from a configuration file to the scores."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.config import settings as config
from assent.config.build import Options, assemble
from assent.errors import ConfigurationError
from assent.io.lines import write_rows
from assent.logic.ast import Logic
from assent.models import Prompt, Sampling
from assent.pipeline import collect
from assent.records import Evidence, Instruction

TEXT = "Whenever a holds, b follows."
FORMULA = "globally (a imply finally b)"  # not in our own spelling
ENGLISH = "Whenever a holds, b holds  later."
RATINGS = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")
LABELS = ("object", "spatial", "temporal", "quantifier_negation")

FUNCTIONS = f"""
import json

def translate(text):
    assert text == {TEXT!r}
    return {FORMULA!r}

async def say(formula):
    assert "G" in formula
    return {ENGLISH!r}

def judge(text, english):
    assert text == {TEXT!r}
    return dict.fromkeys({RATINGS!r}, 90 if english.startswith("Whenever") else 10)

def nonsense(text, english):
    return {{"logical_structure": "rather well"}}

def whole(prompt, sampling):
    if prompt.task == "translate":
        return translate(prompt.subject)
    if prompt.task == "back_translate":
        return {ENGLISH!r}
    return json.dumps({{"nonce": prompt.nonce, **judge(*prompt.inputs.values())}})

def chat(text):
    assert text.startswith("[system]")
    return {FORMULA!r}
"""
PROGRAM = f"""
import json, os, sys
said, task = sys.stdin.read(), os.environ["ASSENT_TASK"]
if task == "translate":
    print({FORMULA!r} if said == {TEXT!r} else "((")
elif task == "back_translate":
    print({ENGLISH!r})
else:
    asked = json.loads(said)
    assert asked["instruction"] == {TEXT!r}, asked
    rating = 90 if asked["english"].startswith("Whenever") else 10
    print(json.dumps(dict(nonce=asked["nonce"], **dict.fromkeys({RATINGS!r}, rating))))
"""
ROW = {
    "text": TEXT,
    "logic": "ltl",
    "candidate": FORMULA,
    "samples": [FORMULA] * 5,
    "back_translation": ENGLISH,
    "judge": dict.fromkeys(RATINGS, 90),
}
MODELS = f"""
[models.whole]
kind = "python"
function = "role_functions:whole"
feed = "prompt"
[models.translate]
kind = "python"
function = "role_functions:translate"
[models.say]
kind = "python"
function = "role_functions:say"
[models.judge]
kind = "python"
function = "role_functions:judge"
[models.nonsense]
kind = "python"
function = "role_functions:nonsense"
[models.chat]
kind = "python"
function = "role_functions:chat"
feed = "chat"
[models.program]
kind = "command"
command = [{json.dumps(sys.executable)}, "program.py"]
[models.file]
kind = "recorded"
file = "recorded.jsonl"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "role_functions.py").write_text(FUNCTIONS)
    (tmp_path / "program.py").write_text(PROGRAM)
    write_rows(tmp_path / "recorded.jsonl", [ROW])
    yield tmp_path
    sys.modules.pop("role_functions", None)


def collected(roles: dict[str, str], models: str = MODELS, logic: Logic = Logic.LTL) -> Evidence:
    sections = "".join(f'[{role}]\nmodel = "{model}"\n' for role, model in roles.items())
    Path("a.toml").write_text(models + sections)
    parts = assemble(Options(config="a.toml"))

    async def main() -> Evidence:
        try:
            return await collect(parts.collector, Instruction(id="1", text=TEXT, logic=logic))
        finally:
            await parts.close()

    return asyncio.run(main())


@pytest.mark.parametrize("translator", ["whole", "translate", "chat", "program", "file", "embedded"])
@pytest.mark.parametrize(
    ("back", "judge"),
    [
        ("say", "judge"),
        ("whole", "program"),
        ("program", "whole"),
        ("file", "file"),
        ("english", "judge"),
        ("embedded", "judge"),
    ],
)
def test_kinds_in_roles(folder: Path, translator: str, back: str, judge: str) -> None:
    if translator == "embedded" and back == "file":
        pytest.skip("the file holds the English of one formula, not of what another translator finds")
    found = collected({"translator": translator, "back_translator": back, "judge": judge})
    assert found.failure is None
    assert found.draft is not None and len(found.draft.samples) == 5
    assert found.judge is not None and tuple(found.judge) == RATINGS
    scores = {score.name: score.value for score in found.scores}
    assert set(scores) == {"back_translation", "self_consistency", "fusion", "second_opinion"}
    if translator != "embedded":
        assert found.draft.primary.text == "G(a -> (F b))"
        assert scores["self_consistency"] == 0.0
    if back not in ("english", "embedded"):
        assert scores["back_translation"] == pytest.approx(0.1)
    roles = {call.role for call in found.calls}
    assert roles == {"translate", "judge", "second_opinion"} | (
        {"back_translate"} if back != "english" else set()
    )


@pytest.mark.parametrize("judge", ["nonsense", "translate", "chat"])
def test_a_judge_without_clean_ratings_fails(folder: Path, judge: str) -> None:
    """Nonsense, a function of another role, and a function whose text does not repeat the code."""
    found = collected({"translator": "translate", "back_translator": "say", "judge": judge})
    assert found.failure is not None and found.failure.startswith("judge")
    assert found.judge is None


def test_the_embedded_judge_takes_any_translator_and_no_back_translator(folder: Path) -> None:
    found = collected({"translator": "program", "judge": "embedded"})
    assert found.failure is None and found.score("default") is not None
    with pytest.raises(ConfigurationError, match="back_translator: the embedded judge has no use for it"):
        collected({"translator": "program", "back_translator": "say", "judge": "embedded"})


def test_spatial_labels_from_a_function(folder: Path) -> None:
    (folder / "role_functions.py").write_text(
        "def f(text):\n    return 'G (a leftOf b)'\n"
        f"def j(text, english):\n    return dict.fromkeys({LABELS!r}, 'match')\n"
    )
    models = """
[models.t]
kind = "python"
function = "role_functions:f"
[models.j]
kind = "python"
function = "role_functions:j"
"""
    roles = {"translator": "t", "back_translator": "english", "judge": "j"}
    found = collected(roles, models, Logic.SPATIAL)
    assert found.failure is None and found.score("fusion") == 0.0


@pytest.mark.parametrize(
    ("section", "where"),
    [
        ('kind = "command"\ncommand = ["cat"]\nbase_url = "http://x"', "models.m.base_url"),
        ('kind = "python"\nfunction = "json:dumps"\ntimeout = 3', "models.m.timeout"),
        ('kind = "recorded"\nfile = "x"\nadapter = "y"', "models.m.adapter"),
        ('kind = "litellm"\nname = "x"\nquery = {a = "b"}', "models.m.query"),
        ('kind = "command"\ncommand = ["cat"]\nfeed = "prompt"', "models.m.feed"),
        ('kind = "openai"\nname = "x"\nreported = "maybe"', "models.m.reported"),
    ],
)
def test_keys_that_a_kind_has_no_use_for_are_errors(folder: Path, section: str, where: str) -> None:
    Path("a.toml").write_text(f'[models.m]\n{section}\n[translator]\nmodel = "m"\n')
    with pytest.raises(ConfigurationError, match=where):
        config.load("a.toml")


def test_headers_of_an_endpoint_hold_no_secret(folder: Path) -> None:
    section = '[models.m]\nkind = "{}"\nname = "x"\nheaders = {{ {} }}\n[translator]\nmodel = "m"\n'
    for kind in ("openai", "litellm"):
        for headers in ('Authorization = "Bearer abc"', 'X-Api-Key = "abc"', 'X-A = "a\\nb"'):
            Path("a.toml").write_text(section.format(kind, headers))
            with pytest.raises(ConfigurationError) as caught:
                assemble(Options(config="a.toml"))
            assert "abc" not in str(caught.value)


def test_litellm_is_given_what_the_configuration_says(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import ModuleType, SimpleNamespace

    sent: list[dict[str, Any]] = []

    async def acompletion(**asked: Any) -> Any:
        sent.append(asked)
        choice = SimpleNamespace(message=SimpleNamespace(content="G a"), finish_reason="stop")
        return SimpleNamespace(choices=[choice], model="claude-x")

    double = ModuleType("litellm")
    double.acompletion = acompletion  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "litellm", double)
    models = """
[models.m]
kind = "litellm"
name = "anthropic/claude-x"
base_url = "http://127.0.0.1:9/v1"
timeout = 7
structured = "object"
body = { top_k = 3 }
headers = { X-Title = "assent" }
"""
    found = collected({"translator": "m"}, models)
    assert found.failure is None and found.reported == {"translate": "claude-x"}
    assert sent[0]["base_url"] == "http://127.0.0.1:9/v1" and sent[0]["timeout"] == 7
    assert sent[0]["top_k"] == 3 and sent[0]["extra_headers"] == {"X-Title": "assent"}
    plain = found.made_by["translator"]
    other = collected({"translator": "m"}, models.replace("127.0.0.1", "127.0.0.2")).made_by["translator"]
    assert plain != other  # answers of two servers are never mixed


def test_prompt_and_sampling_reach_a_function(folder: Path) -> None:
    seen: list[tuple[Prompt, Sampling]] = []

    def function(prompt: Prompt, sampling: Sampling) -> str:
        seen.append((prompt, sampling))
        return FORMULA

    import role_functions

    role_functions.whole = function
    collected({"translator": "whole"})
    assert [sampling.first for _, sampling in seen if sampling.temperature > 0] == [0, 1, 2, 3, 4]
    assert {prompt.logic for prompt, _ in seen} == {"ltl"}
