"""The seam: keys, samplings, functions, commands, recordings."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import ConfigurationError, DataError, ModelError, UsageError
from assent.models import (
    Answer,
    CommandModel,
    FunctionModel,
    Model,
    Prompt,
    RecordedModel,
    Sampling,
    call_key,
    stack,
)
from assent.prompting import prompts

ASK = Prompt.of("Say it.")


def test_all_models_are_models() -> None:
    for model in (
        FunctionModel(lambda p, s: ""),
        CommandModel(["true"]),
        RecordedModel([]),
        stack(RecordedModel([])),
    ):
        assert isinstance(model, Model)


@given(st.integers(0, 9), st.integers(1, 9), st.integers(0, 9))
def test_the_key_does_not_depend_on_how_many_are_drawn(index: int, n: int, first: int) -> None:
    one = call_key("m", "1", ASK, Sampling(temperature=1.0), index)
    assert one == call_key("m", "1", ASK, Sampling(temperature=1.0, n=n, first=first), index)


def test_the_key_depends_on_everything_else() -> None:
    sampling = Sampling(temperature=1.0)
    variants = [
        ("m", "1", ASK, sampling, 0),
        ("m2", "1", ASK, sampling, 0),
        ("m", "2", ASK, sampling, 0),
        ("m", "1", Prompt.of("Say it"), sampling, 0),
        ("m", "1", msgspec.structs.replace(ASK, task="judge"), sampling, 0),
        ("m", "1", msgspec.structs.replace(ASK, nonce="1"), sampling, 0),
        ("m", "1", msgspec.structs.replace(ASK, schema={"type": "object"}), sampling, 0),
        ("m", "1", ASK, sampling, 1),
        *(
            ("m", "1", ASK, msgspec.structs.replace(sampling, **change), 0)
            for change in (
                {"temperature": 0.5},
                {"top_p": 0.9},
                {"max_tokens": 9},
                {"stop": (".",)},
                {"seed": 1},
            )
        ),
    ]
    assert len({call_key(*variant) for variant in variants}) == len(variants)
    # A name and a version that run together are still told apart.
    assert call_key("a", "bc", ASK, sampling, 0) != call_key("ab", "c", ASK, sampling, 0)


@pytest.mark.parametrize(
    "wrong",
    [{"n": 0}, {"first": -1}, {"max_tokens": 0}, {"temperature": -1.0}, {"temperature": float("nan")}],
)
def test_a_sampling_refuses_nonsense(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Sampling(**wrong)


def test_half_characters_are_refused_at_the_seam() -> None:
    with pytest.raises(ModelError, match="surrogates"):
        prompts.translation("the door \ud800 opens", "ltl")


def test_a_function_is_asked_once_a_sample_with_its_number() -> None:
    model = FunctionModel(lambda prompt, sampling: f"{prompt.subject}{sampling.first}/{sampling.n}")
    answers = asyncio.run(model.generate(ASK, Sampling(n=3, first=4)))
    assert [answer.text for answer in answers] == ["Say it.4/1", "Say it.5/1", "Say it.6/1"]


def test_a_function_may_be_a_coroutine_and_may_not_return_rubbish() -> None:
    async def later(prompt: Prompt, sampling: Sampling) -> str:
        await asyncio.sleep(0)
        return "late"

    (answer,) = asyncio.run(FunctionModel(later).generate(ASK, Sampling()))
    assert answer.text == "late"
    with pytest.raises(ModelError, match="NoneType"):
        asyncio.run(FunctionModel(lambda p, s: None).generate(ASK, Sampling()))  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="ZeroDivisionError"):
        asyncio.run(FunctionModel(lambda p, s: str(1 / 0)).generate(ASK, Sampling()))


def python(code: str, **options: object) -> CommandModel:
    return CommandModel([sys.executable, "-c", code], **options)  # type: ignore[arg-type]


def test_a_command_reads_stdin_and_its_environment() -> None:
    code = (
        "import os, sys; print(sys.stdin.read(), *(os.environ['ASSENT_' + k] for k in "
        "('TASK', 'LOGIC', 'SAMPLE', 'TEMPERATURE', 'SEED')))"
    )
    prompt = prompts.translation("the door; rm -rf $HOME `id`", "stl")
    answers = asyncio.run(python(code).generate(prompt, Sampling(temperature=1.0, seed=7, n=2)))
    assert [answer.text for answer in answers] == [
        "the door; rm -rf $HOME `id` translate stl 0 1.0 7",
        "the door; rm -rf $HOME `id` translate stl 1 1.0 8",
    ]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit('no idea')", "exit code 1: no idea"),
        ("print('G(a)'); raise SystemExit(3)", "exit code 3"),
        ("", "wrote nothing"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe')", "not UTF-8"),
        ("print('x' * 1_100_000)", "more than"),
        ("import time; time.sleep(30)", "no answer within"),
    ],
)
def test_a_command_that_fails_gives_no_answer(code: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        asyncio.run(python(code, timeout=2.0 if "sleep" in code else 20.0).generate(ASK, Sampling()))


def test_a_command_that_does_not_exist_or_is_a_string() -> None:
    with pytest.raises(ModelError, match="cannot be started"):
        asyncio.run(CommandModel(["/no/such/program"]).generate(ASK, Sampling()))
    with pytest.raises(ConfigurationError):
        CommandModel("echo G(a)")


def test_another_script_under_the_same_interpreter_is_another_model() -> None:
    """Neither the cache nor a policy may take one for the other."""
    one, other = python("print('G(a)')"), python("print('F(a)')")
    assert one.name == other.name and one.version != other.version
    assert one.version == python("print('G(a)')").version != python("print('G(a)')", feed="chat").version


ROW = {
    "text": "Do it.",
    "candidate": "F it",
    "samples": ["F it", "G it"],
    "back_translation": "It happens.",
    "judge": {"logical_structure": 95},
}


def test_recorded_translations_answer_every_role() -> None:
    model = RecordedModel([ROW])

    def said(prompt: Prompt, sampling: Sampling) -> list[str]:
        return [answer.text for answer in asyncio.run(model.generate(prompt, sampling))]

    assert said(prompts.translation("Do it.", "ltl"), Sampling()) == ["F it"]
    assert said(prompts.translation("Do it.", "ltl"), Sampling(temperature=1.0, n=2)) == ["F it", "G it"]
    assert said(prompts.back_translation("F it", "ltl"), Sampling()) == ["It happens."]
    asked = prompts.judge("Do it.", "It happens.", "ltl")
    assert json.loads(said(asked, Sampling())[0]) == {"logical_structure": 95, "nonce": asked.nonce}


def test_a_recording_for_one_logic_does_not_answer_for_another() -> None:
    rows = [{**ROW, "logic": "ltl"}, {**ROW, "logic": "stl", "candidate": "F[0,5] it"}]
    for logic, formula in (("ltl", "F it"), ("stl", "F[0,5] it")):
        (answer,) = asyncio.run(
            RecordedModel(rows).generate(prompts.translation("Do it.", logic), Sampling())
        )
        assert answer.text == formula
    with pytest.raises(ModelError, match="no recorded answer"):
        asyncio.run(RecordedModel(rows[:1]).generate(prompts.translation("Do it.", "stl"), Sampling()))


@pytest.mark.parametrize(
    ("prompt", "sampling"),
    [
        (prompts.translation("Do it!", "ltl"), Sampling()),
        (prompts.translation("Do it.", "ltl"), Sampling(temperature=1.0, first=2)),
        (prompts.back_translation("G it", "ltl"), Sampling()),
        (prompts.judge("Do it.", "It never happens.", "ltl"), Sampling()),
        (prompts.direct_judge("Do it.", "F it", "ltl"), Sampling()),
        (ASK, Sampling()),
    ],
)
def test_what_was_not_recorded_is_never_invented(prompt: Prompt, sampling: Sampling) -> None:
    with pytest.raises(ModelError, match="no recorded answer"):
        asyncio.run(RecordedModel([ROW]).generate(prompt, sampling))


def test_a_damaged_recording_names_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"text": "a"}\n\n{"text": \n')
    with pytest.raises(DataError, match=r"rows.jsonl:3"):
        RecordedModel.from_file(file)
    with pytest.raises(DataError):
        RecordedModel([{"key": "1", "answer": {"text": 3}}])


def test_a_cut_answer_says_so() -> None:
    assert Answer(text="G(a)").complete
    assert not Answer(text="G(a", finish="length").complete
