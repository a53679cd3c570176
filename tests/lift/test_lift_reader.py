"""The linker's second look: what the sentence says around a word decides, and so do words that no table knows."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from assent.embedded.embedder import Embedder, Guess
from assent.errors import FragmentError
from assent.lift import Lifted, lift
from assent.lift.linker import context, shipped_linker
from assent.lift.reader import HEADS, REACHES, SentenceReader
from assent.logic.ast import Logic
from assent.logic.ast import names as names_in
from assent.vocabulary import Entry, Vocabulary

GUESS = Guess(Embedder())
YARD = Vocabulary(
    propositions=(
        Entry(name="horn_sounding", says="horn sounding"),
        Entry(name="light_on", says="light on"),
        Entry(name="guests_aboard", says="guests aboard"),
        Entry(name="engine_running", says="engine running"),
        Entry(name="hatch_open", says="hatch open"),
        Entry(name="fire", says="fire"),
        Entry(name="speed", says="speed", type="number", unit="km/h"),
    )
)


def read(text: str, logic: str = "ltl") -> Lifted:
    return lift(text, logic, YARD, GUESS)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Whenever the hooter blares, the motor is running.", ["horn_sounding", "engine_running"]),
        ("While there are visitors on the boat, the hatch is open.", ["guests_aboard", "hatch_open"]),
        ("If flames are seen, the horn shall sound.", ["fire", "horn_sounding"]),
    ],
)
def test_names_are_found_in_other_words(text: str, names: list[str]) -> None:
    found = read(text)
    assert list(found.names.values()) == names
    assert "not" not in found.tokens


@pytest.mark.parametrize("state", ["it is pitch dark", "the boat is deserted", "everybody has gone ashore"])
def test_words_that_no_table_knows_deny_an_entry(state: str) -> None:
    found = read(f"While {state}, the horn is sounding.")
    assert " ".join(found.tokens) == "while not P1 , P2 ."
    assert not found.open


def test_words_that_no_table_knows_affirm_an_entry() -> None:
    found = read("While people are on the boat, the horn is sounding.")
    assert " ".join(found.tokens) == "while P1 , P2 ."


def test_what_may_be_a_denial_is_asked() -> None:
    assert any(
        "say which" in question
        for question in read("If the hatch is open, the motor is kept quiescent.").open
    )


def _tiny(width: int = 4, vector: int = 256, seed: int = 1) -> SentenceReader:
    """A reader with drawn weights, for two features of pairs and one of words."""
    draw = np.random.default_rng(seed)
    shapes = {
        "common": (3, width),
        "word_weight": (width, vector),
        "told_weight": (width, 5),
        "meant_weight": (width, vector),
        "mean_weight": (width, width),
        "ours_weight": (2 * HEADS, width),
        "theirs_weight": (2 * HEADS, vector),
        "own_weight": (3, width),
        "pair_0_weight": (5, 2 + HEADS),
        "pair_2_weight": (1, 5),
        "alone_0_weight": (5, 1 + 3),
        "alone_2_weight": (1, 5),
        "sign_0_weight": (5, 2 + HEADS + 3),
        "sign_2_weight": (1, 5),
    }
    for n, _ in enumerate(REACHES):
        shapes |= {f"around_{n}_weight": (width, 3 * width), f"out_{n}_weight": (width, width)}
    return SentenceReader(
        {k: (0.3 * draw.normal(size=s)).astype(np.float32) for k, s in shapes.items()}, ["the", "is"]
    )


def _look(reader: SentenceReader, texts: list[str], at: list[int], phrases: list[str]):
    draw = np.random.default_rng(7)
    first = draw.dirichlet(np.ones(len(phrases) + 1), size=len(at)).astype(np.float32)
    pairs = draw.normal(size=(len(at), len(phrases), 2)).astype(np.float32)
    alone = draw.normal(size=(len(at), 1)).astype(np.float32)
    return reader.look(texts, at, phrases, first, (pairs, alone), GUESS)


def test_a_look_gives_probabilities_for_every_word_and_entry() -> None:
    look = _look(_tiny(), "the horn is loud # times".split(), [1, 3], ["horn sounding", "light on", "fire"])
    assert look.chances.shape == (2, 4) and look.denied.shape == (2, 3)
    assert np.allclose(look.chances.sum(axis=1), 1) and (look.chances >= 0).all()
    assert ((look.denied >= 0) & (look.denied <= 1)).all()


def test_one_entry_alone_and_one_word_alone_can_be_read() -> None:
    look = _look(_tiny(), ["horn"], [0], ["horn sounding"])
    assert look.chances.shape == (1, 2)


def test_what_stands_far_away_counts() -> None:
    """The mean of the sentence carries what no convolution reaches."""
    words = ["horn", *(["is"] * 30), "fire"]
    other = [*words[:-1], "quiet"]
    ours, theirs = (_look(_tiny(), text, [0], ["horn sounding", "fire"]) for text in (words, other))
    assert not np.array_equal(ours.chances, theirs.chances)


def test_a_look_has_the_same_bits_each_time_and_in_any_layout_of_memory() -> None:
    texts, at, phrases = "the horn is loud".split(), [1, 3], ["horn sounding", "light on"]
    reader = _tiny()
    turned = SentenceReader({k: np.asfortranarray(v) for k, v in reader._weights.items()}, ["the", "is"])
    first, again, other = (_look(r, texts, at, phrases) for r in (reader, reader, turned))
    assert first.chances.tobytes() == again.chances.tobytes() == other.chances.tobytes()
    assert first.denied.tobytes() == other.denied.tobytes()


def test_the_context_of_a_first_look_has_its_size() -> None:
    around, beside = context(np.full((3, 5), 0.2, dtype=np.float32))
    assert around.shape[:2] == (3, 4) and beside.shape[0] == 3


def test_torch_and_the_package_compute_the_same_network() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    weights = shipped_linker()._reader._weights  # type: ignore[union-attr]
    draw = np.random.default_rng(3)
    rows = draw.normal(size=(6, weights["around_0_weight"].shape[1])).astype(np.float32)
    layer = torch.nn.functional.linear(
        torch.tensor(rows),
        torch.tensor(weights["around_0_weight"].astype(np.float32)),
        torch.tensor(weights["around_0_bias"].astype(np.float32)),
    )
    ours = shipped_linker()._reader._dense(rows, "around_0")  # type: ignore[union-attr]
    assert np.abs(layer.numpy() - ours).max() < 0.01


def test_names_are_found_in_domains_that_were_not_trained_on() -> None:
    """Floors on written rows of held-out domains, in whatever words: lower than what was measured by three points."""
    written = pytest.importorskip("assent_train.written", reason="assent-train is not installed")
    for logic, least in ((Logic.LTL, FLOORS[0]), (Logic.STL, FLOORS[1])):
        rows = [r for r in written.rows() if r.formula is not None and r.logic is logic and _apart(r.domain)]
        rows = sorted(rows, key=lambda r: hashlib.sha1(r.id.encode()).hexdigest())[:200]
        found = 0
        for row in rows:
            try:
                lifted = lift(row.text, logic, written.vocabularies()[row.domain], GUESS)
            except FragmentError:
                continue
            found += names_in(row.formula) <= set(lifted.names.values())
        assert found / len(rows) >= least, (logic, found, len(rows))


FLOORS = (0.82, 0.82)


def _apart(domain: str) -> bool:
    return hashlib.sha1(domain.encode()).hexdigest()[0] == "7"
