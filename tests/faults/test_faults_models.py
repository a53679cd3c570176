"""Models against a server that misbehaves: every fault ends as a retry or an error, never as an answer."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from server import PASSING, Running, running

from assent.errors import ConfigurationError, ModelError
from assent.models import Cache, Limits, Patience, Prompt, Sampling, Spending, close, stack
from assent.models.openai import OpenAIModel
from assent.prompting import answers, prompts

KEY = "sk-test-5f2c/41d8+9a77"
VARIABLE = "ASSENT_TEST_KEY"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture(scope="module")
def calm() -> Iterator[Running]:
    with running() as server:
        yield server


def model_at(server: Running, **options: object) -> OpenAIModel:
    chosen = {"version": "1", "timeout": 20.0, "key_variable": VARIABLE} | options
    return OpenAIModel("double", base_url=server.base_url, **chosen)  # type: ignore[arg-type]


def question(i: int = 0) -> Prompt:
    return prompts.translation(f"Whenever p{i} holds, q{i} follows.", "ltl")


def once(model: OpenAIModel, prompt: Prompt, sampling: Sampling | None = None) -> list[str]:
    async def main() -> list[str]:
        try:
            return [answer.text for answer in await model.generate(prompt, sampling or Sampling())]
        finally:
            await close(model)

    return asyncio.run(main())


def test_a_calm_server_answers_every_task(calm: Running) -> None:
    model = model_at(calm)
    assert once(model, question()) == ["G(a -> F b)"]
    assert once(model, question(), Sampling(n=3, temperature=1.0)) == ["G(a -> F b)"] * 3
    for logic, keys in (("ltl", prompts.RATINGS), ("spatial", prompts.LABELS)):
        prompt = prompts.judge("a", "b", logic)
        (answer,) = asyncio.run(model.generate(prompt, Sampling()))
        assert prompt.nonce
        if logic == "ltl":
            assert answers.ratings(answer, prompt.nonce, keys) == dict.fromkeys(keys, 95)
        else:
            assert answers.labels(answer, prompt.nonce, keys, prompts.LABEL_VALUES)
        assert answer.prompt_tokens
        assert answer.completion_tokens == 7
        assert answer.model_version == "double-2026-01-01"


def test_several_event_loops_one_after_another(calm: Running) -> None:
    model = stack(model_at(calm), limits=Limits(concurrency=1))
    for i in range(3):
        asyncio.run(model.generate(question(i), Sampling()))


def test_the_models_of_an_endpoint(calm: Running) -> None:
    assert asyncio.run(model_at(calm).models()) == ("double",)


@pytest.mark.parametrize("fault", [*PASSING, "400", "401", "echo"])
def test_each_fault_alone_is_an_error_that_says_whether_to_retry(fault: str) -> None:
    # "drip" would be a good answer if one waited for it; nobody waits that long.
    with running(faults=fault, share=1.0, stall=30, most=1000) as server:
        start = time.monotonic()
        with pytest.raises(ModelError) as caught:
            once(model_at(server, timeout=1.0), question())
        assert time.monotonic() - start < 15
    assert caught.value.retry == (fault in PASSING)
    assert (caught.value.retry_after is not None) == (fault == "429")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("fault", ["cut", "nonsense"])
def test_nonsense_is_received_stored_and_refused(fault: str) -> None:
    with running(faults=fault, share=1.0, most=1000) as server:
        prompt = prompts.judge("a", "b", "ltl")
        (answer,) = asyncio.run(model_at(server).generate(prompt, Sampling()))
        assert prompt.nonce
        with pytest.raises(ModelError):
            answers.ratings(answer, prompt.nonce, prompts.RATINGS)


def test_a_server_that_is_not_there() -> None:
    with running() as server:
        pass
    with pytest.raises(ModelError, match="cannot be reached") as caught:
        once(model_at(server), question())
    assert caught.value.retry


def storm(
    server: Running, cache: Path, count: int, *, workers: int = 64
) -> tuple[list[str | None], Spending]:
    """Ask many questions through the whole stack; None for those that were given up."""
    spending = Spending()
    patience = Patience(attempts=9, first_wait=0.02, longest=2.0)
    model = stack(
        model_at(server, timeout=4.0),
        cache=Cache(cache),
        patience=patience,
        limits=Limits(concurrency=workers),
        spending=spending,
    )

    async def one(i: int) -> str | None:
        try:
            return (await model.generate(question(i), Sampling()))[0].text
        except ModelError:
            return None

    async def main() -> list[str | None]:
        try:
            return list(await asyncio.gather(*(one(i) for i in range(count))))
        finally:
            await close(model)

    return asyncio.run(main()), spending


def test_a_storm_of_all_faults_loses_nothing_and_pays_nothing_twice(tmp_path: Path) -> None:
    count = 300
    with running(faults="passing", share=0.4, stall=20, retry_after=0.05) as server:
        said, spending = storm(server, tmp_path / "c.db", count)
        assert said == ["G(a -> F b)"] * count
        first = server.stats()
        assert first["served"] == count
        assert first["repeated"] == 0
        assert all(first[fault] > 0 for fault in PASSING)
        assert spending.spent().calls == first["requests"]
        assert spending.spent().failed == first["requests"] - count
        # Once more: everything is on disk, not one request is made.
        again, second_spending = storm(server, tmp_path / "c.db", count)
        assert again == said
        assert server.stats()["requests"] == first["requests"]
        assert second_spending.spent().calls == 0
        assert second_spending.spent().hits == count


def test_a_server_that_never_recovers_ends_in_errors(tmp_path: Path) -> None:
    with running(faults="429,500,reset,half", share=1.0, most=1000, retry_after=0.01) as server:
        said, _ = storm(server, tmp_path / "c.db", 20)
    assert said == [None] * 20
    assert Cache(tmp_path / "c.db").stats().answers == 0


def test_the_concurrency_limit_holds_on_the_wire(tmp_path: Path) -> None:
    with running(latency=0.02) as server:
        storm(server, tmp_path / "c.db", 60, workers=7)
        assert 2 <= server.stats()["most_in_flight"] <= 7


def test_interrupted_runs_continue(tmp_path: Path) -> None:
    """Cancelled at random moments, then run to the end: no answer that arrived is asked for again."""
    rng = random.Random(5)
    count, cuts, workers = 120, 5, 8

    async def cut(server: Running, calls: int) -> None:
        spending = Spending()
        cache, limits = Cache(tmp_path / "c.db"), Limits(concurrency=workers)
        model = stack(model_at(server), cache=cache, limits=limits, spending=spending)
        todo = asyncio.gather(*(model.generate(question(i), Sampling()) for i in range(count)))
        while spending.calls < calls:
            await asyncio.sleep(0.002)
        todo.cancel()
        await close(model)

    with running(latency=0.02) as server:
        for _ in range(cuts):
            asyncio.run(cut(server, rng.randint(2, 25)))
        said, _ = storm(server, tmp_path / "c.db", count)
        assert said == ["G(a -> F b)"] * count
        # What was on the wire at the cuts may be served again; nothing else.
        stats = server.stats()
        assert stats["requests"] - stats["bodies"] <= cuts * workers
        assert stats["repeated"] <= cuts * workers


@pytest.mark.parametrize("key_header", ["Authorization", "api-key"])
def test_the_key_reaches_the_server_and_nothing_else(
    key_header: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[str] = []
    with running(faults="echo,401,500,half", share=0.5, most=2, answers=_echo_answers(tmp_path)) as server:
        model = stack(
            model_at(server, key_header=key_header),
            cache=Cache(tmp_path / "cache" / "c.db"),
            patience=Patience(attempts=4, first_wait=0.01),
        )

        async def main() -> None:
            for i in range(40):
                try:
                    (answer,) = await model.generate(question(i), Sampling())
                    said.append(answer.text)
                except ModelError as error:
                    said.append(repr(error) + str(error) + repr(error.__context__) + repr(error.__cause__))
            await close(model)

        asyncio.run(main())
    said += [repr(model), repr(model.inner), model.version, caplog.text]
    assert any("status 401" in text for text in said)
    for text in said:
        assert KEY not in text
    stored = b"".join(file.read_bytes() for file in (tmp_path / "cache").iterdir())
    assert b"the server knows" in stored
    assert KEY.encode() not in stored


def _echo_answers(folder: Path) -> str:
    """Answers that contain the key, as a server that logs too much might send."""
    import json

    file = folder / "answers.json"
    text = {f"Whenever p{i} holds, q{i} follows.": f"the server knows {KEY}" for i in range(40)}
    file.write_text(json.dumps(text))
    return str(file)


def test_a_missing_key_and_credentials_in_an_address(monkeypatch: pytest.MonkeyPatch, calm: Running) -> None:
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(ConfigurationError, match=VARIABLE):
        once(model_at(calm), question())
    for address in ("http://me:secret@host/v1", "https://host/v1?key=secret", "ftp://host", "host/v1", ""):
        with pytest.raises(ConfigurationError) as caught:
            OpenAIModel("m", base_url=address)
        assert "secret" not in str(caught.value)


def test_settings_that_change_answers_change_the_version() -> None:
    versions = {
        OpenAIModel("m", **options).version  # type: ignore[arg-type]
        for options in (
            {},
            {"version": "2"},
            {"base_url": "http://127.0.0.1:1/v1"},
            {"structured": "none"},
            {"body": {"reasoning_effort": "low"}},
        )
    }
    assert len(versions) == 5


def test_request_bodies_follow_the_settings() -> None:
    import json

    prompt = prompts.judge("a", "b", "ltl")
    sampling = Sampling(temperature=0.7, seed=3, first=2, stop=("\n",), top_p=0.9)
    body = json.loads(OpenAIModel("m")._request(prompt, sampling))
    assert (body["seed"], body["stop"], body["top_p"], body["temperature"]) == (5, ["\n"], 0.9, 0.7)
    assert body["response_format"]["json_schema"]["schema"] == prompt.schema
    assert "n" not in body
    plain = OpenAIModel("m", structured="none", body={"temperature": None, "max_tokens": None, "x": 1})
    body = json.loads(plain._request(prompt, sampling))
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert "response_format" not in body
    assert body["x"] == 1


def test_the_official_client_talks_to_the_same_server(calm: Running) -> None:
    """So the server is a fair double of the real thing."""
    openai = pytest.importorskip("openai", reason="the official client is not installed (extra: peers)")
    client = openai.OpenAI(base_url=calm.base_url, api_key=KEY, max_retries=0)
    turns = [{"role": turn.role, "content": turn.content} for turn in question().messages]
    made = client.chat.completions.create(model="double", messages=turns, n=2, temperature=1.0)
    assert [choice.message.content for choice in made.choices] == ["G(a -> F b)"] * 2
    assert made.usage.total_tokens == made.usage.prompt_tokens + made.usage.completion_tokens
    assert [model.id for model in client.models.list()] == ["double"]
    with running(faults="429", share=1.0, most=2) as busy:
        strict = openai.OpenAI(base_url=busy.base_url, api_key=KEY, max_retries=0)
        with pytest.raises(openai.RateLimitError):
            strict.chat.completions.create(model="double", messages=turns)
        patient = openai.OpenAI(base_url=busy.base_url, api_key=KEY, max_retries=4)
        assert patient.chat.completions.create(model="double", messages=turns).choices
    with running(faults="401", share=1.0, most=9) as strangers:
        client = openai.OpenAI(base_url=strangers.base_url, api_key=KEY, max_retries=0)
        with pytest.raises(openai.AuthenticationError):
            client.chat.completions.create(model="double", messages=turns)


@pytest.mark.slow  # the library alone takes long to load
def test_litellm_talks_to_the_same_server(calm: Running) -> None:
    pytest.importorskip("litellm", reason="litellm is not installed (extra: litellm)")
    from assent.models.litellm import LiteLLMModel

    options = {"base_url": calm.base_url, "key_variable": VARIABLE, "headers": {"X-Title": "assent"}}
    model = LiteLLMModel("openai/double", timeout=60.0, **options)  # type: ignore[arg-type]
    (answer,) = asyncio.run(model.generate(question(), Sampling()))
    assert (answer.text, answer.finish, answer.completion_tokens) == ("G(a -> F b)", "stop", 7)
    assert "double-2026-01-01" in answer.model_version
    prompt = prompts.judge("a", "b", "ltl")
    (judged,) = asyncio.run(model.generate(prompt, Sampling()))
    assert answers.ratings(judged, prompt.nonce or "", prompts.RATINGS)
    for fault, retry in (("429", True), ("500", True), ("401", False)):
        with running(faults=fault, share=1.0, most=9) as server:
            broken = LiteLLMModel("openai/double", timeout=60.0, **options | {"base_url": server.base_url})  # type: ignore[arg-type]
            with pytest.raises(ModelError) as caught:
                asyncio.run(broken.generate(question(), Sampling()))
        assert caught.value.retry is retry and KEY not in str(caught.value)


@pytest.mark.slow
def test_throughput_is_that_of_the_bare_client() -> None:
    from throughput import measure

    assert measure(calls=1500, workers=64, latency=0.2, rounds=3)["ratio"] >= 0.95
