"""The same bits on every machine: arithmetic, networks, draws, versions."""

from __future__ import annotations

import decimal
import json
import math
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent import samebits as arithmetic
from assent.embedded import PARTS, Embedded, canary, shipped
from assent.embedded.network import GRID, Network, Norm, Writing, _Bounds
from assent.embedded.seq2seq import Seq2Seq, contents
from assent.embedded.stored import Stored
from assent.errors import ModelError, PolicyError
from assent.policy import Policy

decimal.getcontext().prec = 40
SOURCES = (
    ("<ltl>", "whenever", "P1", ",", "P2", "until", "P3"),
    ("<stl>", "P1", "within", "N1", "seconds"),
    ("<ltl>", "never", "P1", "and", "P2", "at", "the", "same", "time"),
)

VAGUE = ("<ltl>", "P1", "<unk>", "P2", "<unk>", "<unk>", "P3")  # many formulas may be meant


@pytest.fixture(scope="module")
def second() -> Seq2Seq:
    return Seq2Seq(shipped() / "second")


# --- arithmetic -------------------------------------------------------------------------------------------------


@given(st.floats(-600, 600))
def test_exp_is_within_two_units_of_the_last_place(x: float) -> None:
    wanted = decimal.Decimal(x).exp()
    assert abs(decimal.Decimal(arithmetic.exp_of(x)) - wanted) <= 2 * decimal.Decimal(math.ulp(float(wanted)))


@given(st.floats(1e-300, 1e300))
def test_log_is_within_two_units_of_the_last_place(x: float) -> None:
    wanted = decimal.Decimal(x).ln()
    unit = max(math.ulp(float(wanted)), 2.0**-54)  # near 1 the leading digits cancel
    assert abs(decimal.Decimal(arithmetic.log_of(x)) - wanted) <= 2 * decimal.Decimal(unit)


@given(st.floats(0, 1024))
def test_cosine_and_sine(angle: float) -> None:
    cos, sin = arithmetic.cos_sin(np.array([angle]))
    assert abs(cos[0] - math.cos(angle)) < 1e-13 and abs(sin[0] - math.sin(angle)) < 1e-13


@given(st.lists(st.integers(-(2**22), 2**22), min_size=1, max_size=30))
def test_log_probabilities_are_those_of_the_logits(logits: list[int]) -> None:
    found = arithmetic.log_shares(np.array([logits], dtype=np.float64))[0] / arithmetic.FINE
    top = max(logits)
    total = sum((decimal.Decimal(x - top) / int(GRID)).exp() for x in logits).ln()
    for x, log_p in zip(logits, found, strict=True):
        wanted = decimal.Decimal(x - top) / int(GRID) - total
        assert abs(decimal.Decimal(float(log_p)) - wanted) <= decimal.Decimal(1.01 / arithmetic.FINE)


@given(seed=st.integers(0, 2**32), rows=st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_products_do_not_depend_on_the_order_of_their_terms(second: Seq2Seq, seed: int, rows: int) -> None:
    """Rows as long as they can be where that is proved, and longer than usual ones where it is checked."""
    generator = np.random.default_rng(seed)
    block = second._network.decoder[0][2]
    for layer, length in ((block.up, block.norm.length), (block.down, 60.0), (block.down, 1e4)):
        x = generator.normal(size=(rows, len(layer.weight))) ** 3
        x = np.trunc(x / np.sqrt((x * x).sum(axis=1, keepdims=True)) * length * layer.grid)
        plain = layer(x)
        by_hand = np.zeros_like(plain)
        for place in generator.permutation(len(layer.weight)):
            by_hand += x[:, place, None] * layer.weight[place].astype(np.float64)
        assert np.array_equal(plain, np.rint(by_hand * layer.factor))


def test_weights_that_could_leave_the_exact_range_are_refused(second: Seq2Seq) -> None:
    network = Network(contents(shipped() / "second")["model.bin"])
    _Bounds().check(network)
    network.decoder[0][2].up.lengths *= 2.0**40
    with pytest.raises(ModelError, match="too large"):
        _Bounds().check(network)


# --- networks ---------------------------------------------------------------------------------------------------


def test_rows_and_sentences_do_not_see_their_neighbours(second: Seq2Seq) -> None:
    targets = [("->", "P1", "P2"), ("->", "P1", "F", "P2"), ("G", "P1"), ("G", "!", "P1"), ("F", "P2")]
    pairs = [(source, target) for source in SOURCES for target in targets]
    together = second.score([source for source, _ in pairs], [target for _, target in pairs])
    backwards = second.score([s for s, _ in reversed(pairs)], [t for _, t in reversed(pairs)])
    alone = [second.score([source], [target])[0] for source, target in pairs]
    fresh = [Seq2Seq(shipped() / "second").score([source], [target])[0] for source, target in pairs[:3]]
    assert together == alone == list(reversed(backwards)) and alone[:3] == fresh


@pytest.mark.parametrize("n", [1, 4, 12])
def test_search_and_scoring_agree_to_the_last_bit(second: Seq2Seq, n: int) -> None:
    for source, found in zip(SOURCES, second.best(SOURCES, n), strict=True):
        assert len(found) == n and [h.log_p for h in found] == sorted((h.log_p for h in found), reverse=True)
        for hypothesis in found:
            assert hypothesis.log_p == math.fsum(second.score([source], [hypothesis.tokens])[0])
        assert found == second.best([source], n)[0]


def test_a_beam_as_wide_as_the_outputs_finds_the_best_of_all(second: Seq2Seq) -> None:
    """Against an enumeration: outputs of one and two tokens."""
    source = SOURCES[2]
    words = ("P1", "P2", "!", "G", "F", "X", "&", "|", "->", "U")
    short = [(a,) for a in words] + [(a, b) for a in words for b in words]
    scores = {
        target: math.fsum(s)
        for target, s in zip(short, second.score([source] * len(short), short), strict=True)
    }
    found = {h.tokens: h.log_p for h in second.best([source], 60)[0]}
    floor = min(found.values())
    assert all(
        found[target] == score for target, score in scores.items() if score > floor and target in found
    )
    likely = [target for target, score in scores.items() if score > max(floor, -12.0)]
    assert set(likely) <= set(found)


def test_banned_sequences_are_not_written_and_outputs_are_long_enough(second: Seq2Seq) -> None:
    plain = second.best([SOURCES[0]], 8)[0]
    banned = plain[0].tokens[:2]
    for hypothesis in second.best([SOURCES[0]], 8, without=[banned, ("no such token",)], longer=4)[0]:
        pairs = list(zip(hypothesis.tokens, hypothesis.tokens[1:], strict=False))
        assert banned not in pairs and len(hypothesis.tokens) > 4


def test_a_draw_depends_on_its_seed_and_number_alone(second: Seq2Seq) -> None:
    many = second.sample(VAGUE, 12, seed=3)
    assert second.sample(VAGUE, 5, seed=3) == many[:5]
    assert second.sample(VAGUE, 12, seed=4) != many
    for draw in many:
        assert draw.log_p == math.fsum(second.score([VAGUE], [draw.tokens])[0])


def test_draws_are_as_frequent_as_they_are_probable(second: Seq2Seq) -> None:
    """Outputs that should come five times or more, within 4.5 standard deviations: fails for less than one set of
    weights in a thousand."""
    count = 600
    drawn = Counter(h.tokens for h in second.sample(VAGUE, count, seed=11))
    common = [h for h in second.best([VAGUE], 20)[0] if math.exp(h.log_p) * count >= 5]
    assert len(common) > 1
    for hypothesis in common:
        p = math.exp(hypothesis.log_p)
        assert abs(drawn[hypothesis.tokens] - p * count) <= 4.5 * math.sqrt(p * (1 - p) * count)


def test_forgetting_nodes_changes_nothing(second: Seq2Seq) -> None:
    network = second._network
    memory = network.encode([3, 4, 5])
    sees = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=np.bool_)
    whole, less = Writing(network, memory), Writing(network, memory)
    for writing in (whole, less):
        writing.add([1, 5, 6], [0, 1, 1], sees)
    less.keep(np.array([True, False, True]))
    a = whole.add([7], [2], np.array([[True, False, True, True]]))
    b = less.add([7], [2], np.ones((1, 3), dtype=np.bool_))
    assert np.array_equal(a, b)


def test_normalisation_is_that_of_the_textbook(second: Seq2Seq) -> None:
    norm: Norm = second._network.encoder_norm
    x = np.rint(np.random.default_rng(0).normal(size=(7, len(norm.gamma))) * 3 * GRID)
    real = x / GRID
    wanted = (real - real.mean(1, keepdims=True)) / np.sqrt(real.var(1, keepdims=True) + 1e-5)
    assert np.allclose(norm(x) / GRID, wanted * norm.gamma + norm.beta, atol=2 / GRID)


@pytest.mark.parametrize("content", [b"", b"\x05\0\0\0", b"\x06\0\0\0\x05\0abc"])
def test_what_is_not_a_file_of_weights_is_refused(content: bytes) -> None:
    with pytest.raises(ModelError):
        Stored(content)


# --- machines ---------------------------------------------------------------------------------------------------

MACHINES = {
    "oldest instructions": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512_SKX AVX512_ICL X86_V3 X86_V4",
    },
    "AVX2, two threads": {
        "OPENBLAS_CORETYPE": "Haswell",
        "OPENBLAS_NUM_THREADS": "2",
        "OMP_NUM_THREADS": "2",
    },
}
PROGRAM = """
import json, sys, numpy as np
from assent.embedded import Embedded, canary
models = Embedded()
lines = canary.observed(models)
texts = ["the pump stops before the valve opens", "never both", "eventually the lamp is on and stays on"]
for text in reversed(texts):
    lifted = models.lift(text, "ltl")
    lines += [repr([(t.tokens, t.log_p) for t in models.n_best(lifted)])]
    lines += [repr([t and t.tokens for t in models.samples(lifted, range(7))])]
rough = np.exp(np.random.default_rng(0).normal(size=(300, 300)).astype(np.float32))
assert not {"ctranslate2", "wordllama", "torch"} & set(sys.modules)
print(json.dumps([lines, (rough @ rough).tobytes().hex()[:4000]]))
"""


def run_on(machine: dict[str, str]) -> tuple[list[str], str]:
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", **machine}
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    lines, rough = json.loads(answer.stdout)
    return lines, rough


@pytest.fixture(scope="module")
def here() -> tuple[list[str], str]:
    return run_on({})


@pytest.mark.parametrize("machine", MACHINES)
def test_other_instructions_and_threads_give_the_same_bits(here: tuple[list[str], str], machine: str) -> None:
    lines, rough = run_on(MACHINES[machine])
    assert lines == here[0] and len(lines) > 20
    if machine == "oldest instructions" and "avx2" in canary._processor():
        assert (
            rough != here[1]
        )  # plain single precision does come out otherwise: the instructions were other ones


# --- versions ---------------------------------------------------------------------------------------------------


def test_a_machine_that_computes_otherwise_refuses_the_policy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = f"embedded@{Embedded().version}"
    stored = Policy.load(next((shipped() / "policies").glob("*.json")))
    policy = msgspec.structs.replace(stored, fingerprint={**stored.fingerprint, "translator": here})
    policy.check(policy.fingerprint)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(canary, "observed", lambda models: ["another machine"])
    fingerprint = {**policy.fingerprint, "translator": f"embedded@{Embedded().version}"}
    assert (
        fingerprint["translator"].split("-")[0] == here.split("-", maxsplit=1)[0]
        and fingerprint["translator"] != here
    )
    with pytest.raises(PolicyError, match="the same weights give other results on this machine"):
        policy.check(fingerprint)


def test_what_was_observed_is_remembered_and_kept_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked: list[str] = []
    monkeypatch.setattr(canary, "observed", lambda models: asked.append("") or ["result"])
    models = Embedded()
    first = canary.remembered(models, "a")
    assert canary.remembered(models, "a") == first and len(asked) == 1
    canary.remembered(models, "b")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "another")
    canary.remembered(models, "a")
    assert len(asked) == 3
    for file in tmp_path.rglob("*"):
        if file.is_file():
            file.write_bytes(b"\xff")
    assert canary.remembered(models, "a") == first and len(asked) == 4


def test_each_file_is_read_once_and_the_word_vectors_are_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[str] = Counter()
    plain = Path.read_bytes

    def counted(self: Path) -> bytes:
        read[str(self)] += 1
        return plain(self)

    tables: list[str] = []
    table = "assent.embedded.embedder._read_table"
    monkeypatch.setattr(Path, "read_bytes", counted)
    import assent.embedded.embedder as vectors

    original = vectors._read_table
    monkeypatch.setattr(table, lambda path: tables.append("") or original(path))
    models = Embedded()
    version = models.version
    lifted = models.lift("whenever the door is open, the alarm rings", "ltl")
    reading = models.translate(lifted)
    assert reading is not None
    models.judge(lifted, reading.formula)
    models.english(reading.formula, "ltl")
    models.embedder.embed(["a", "b"])
    weights = {
        file: times for file, times in read.items() if str(shipped()) in file and "policies" not in file
    }
    assert set(weights.values()) == {1} and len(weights) >= len(PARTS) and len(tables) == 1
    assert models.version == version


def test_without_a_home_folder_it_is_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a user of a container who is in no list of users: nothing is remembered, and nothing crashes."""

    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    monkeypatch.setattr(canary, "observed", lambda models: ["a canary"])
    models = Embedded()
    assert canary.remembered(models, "weights") == canary.digest(models)
