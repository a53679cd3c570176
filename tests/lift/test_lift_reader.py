"""The linker's second look: what the sentence says around a word decides, and so do words that no table knows."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assent.embedded.embedder import Embedder, Guess
from assent.errors import FragmentError
from assent.lift import Lifted, lift
from assent.lift.entries import known_entries
from assent.lift.features import PAIR_FEATURES, WORD_FEATURES
from assent.lift.linker import AROUND, BESIDE, Linker, Mention, context, shipped_linker
from assent.lift.polarity import with_polarity
from assent.lift.questions import questions
from assent.lift.reader import HEADS, REACHES, SentenceReader, Told
from assent.lift.words import split
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


@pytest.mark.parametrize("state", ["everybody has gone ashore", "the boat is deserted"])
def test_words_that_no_table_knows_deny_an_entry(state: str) -> None:
    found = read(f"While {state}, the horn is sounding.")
    assert " ".join(found.tokens) == "while not P1 , P2 ."
    assert not found.open


def test_words_that_no_table_knows_affirm_an_entry() -> None:
    found = read("While people are on the boat, the horn is sounding.")
    assert " ".join(found.tokens) == "while P1 , P2 ."


@pytest.mark.parametrize("state", ["the motor is kept quiescent", "the motor dozes"])
def test_what_may_be_a_denial_is_asked(state: str) -> None:
    assert any("say which" in question for question in read(f"If {state}, the horn is sounding.").open)


@pytest.mark.parametrize(
    ("text", "denial", "asked"),
    [
        ("the hall is zorbed", 0.99, False),
        ("the hall is zorbed", 0.02, False),
        ("the hall is zorbed", 0.7, True),
        ("the hall is not zorbed", 0.99, True),
        ("the hall is no longer zorbed", 0.02, True),
        ("the hall is hardly zorbed", 0.99, True),
    ],
)
def test_a_small_word_beside_what_only_the_reader_judged_is_asked_about(
    text: str, denial: float, asked: bool
) -> None:
    hall = known_entries((Entry(name="hall_occupied", says="hall occupied"),))[0]
    words = split(text, frozenset())
    last = len(words) - 1
    mention = Mention(hall, (1, last), told={last: Told(0.99, denial)}, told_of="hall_occupied")
    signed = with_polarity(words, [mention])
    assert (signed[0].learnt and signed[0].denied == last) == (denial > 0.5)
    assert bool(questions(words, signed, None)) == asked


def test_words_that_turn_round_what_follows_are_part_of_no_name() -> None:
    tokens = " ".join(read("If the boat is far from deserted, the horn is sounding.").tokens)
    assert "far from" in tokens


def test_a_thing_in_other_words_is_asked_where_the_linker_is_not_sure() -> None:
    tanks = Vocabulary(
        propositions=(
            Entry(name="tank_full", says="tank full"),
            Entry(name="pump_on", says="pump on"),
            Entry(name="battery_charged", says="battery charged"),
        )
    )
    found = lift("When the cell is topped up, the pump is on.", "ltl", tanks, GUESS)
    assert any("by its meaning alone" in question for question in found.open)


def test_what_the_reader_said_of_one_entry_is_not_said_of_another() -> None:
    ours, theirs = known_entries(YARD.propositions)[:2]
    mention = Mention(ours, (1,), told={1: Told(0.9, 0.8)}, told_of=ours.entry.name)
    assert mention.look(1) == Told(0.9, 0.8)
    assert replace(mention, known=theirs).look(1) is None


def test_without_a_reader_nothing_is_told() -> None:
    linker = shipped_linker()
    bare = Linker(linker._weights, linker.table, linker._senses)
    words = split("the hooter blares", frozenset())
    linking = bare.linkings(words, known_entries(YARD.propositions), GUESS)[0]
    assert all(not mention.told for mention in linking.mentions)


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
    assert around.shape == (3, 4, AROUND) and beside.shape == (3, BESIDE)


def test_torch_and_the_package_compute_the_same_network() -> None:
    """Two sentences side by side in one batch, of different length and with different entries."""
    pytest.importorskip("torch", reason="torch is not installed")
    folder = Path(__file__).parents[2] / "training"
    if not folder.is_dir():
        pytest.skip("the training programs are not here")
    sys.path.insert(0, str(folder))
    import sentence_reader
    import torch

    draw = np.random.default_rng(5)
    texts = ["the horn is loud # times".split(), "while people are on the boat".split()]
    places, entries = [[1, 3], [1, 5]], [["horn sounding", "light on", "fire"], ["guests aboard"]]
    sentences = [
        sentence_reader.Sentence(
            draw.normal(size=(2, len(names), PAIR_FEATURES + AROUND)).astype(np.float32),
            draw.normal(size=(2, WORD_FEATURES + BESIDE)).astype(np.float32),
            np.zeros(2, np.int64),
            words,
            np.array(at),
            names,
            np.zeros(2),
            draw.dirichlet(np.ones(len(names) + 1), size=2).astype(np.float32),
        )
        for words, at, names in zip(texts, places, entries, strict=True)
    ]
    torch.manual_seed(3)
    net = sentence_reader.ReaderNet(2).eval()
    for layer in (*net.out, net.mean):
        torch.nn.init.normal_(layer.weight, std=0.05)  # they begin at zero, where nothing would be compared
    feeder = sentence_reader.Feeder(sentences, ["the", "is"], GUESS)
    with torch.no_grad():
        scores, against = net(feeder.batch(sentences))
    weights = sentence_reader.stored(net, ["the", "is"])
    common = weights.pop("reader_words").tolist()
    reader = SentenceReader({k.removeprefix("reader_"): v for k, v in weights.items()}, common)
    for n, s in enumerate(sentences):
        rows, wide = slice(2 * n, 2 * n + 2), len(s.phrases)
        look = reader.look(s.texts, places[n], s.phrases, s.first, (s.pairs, s.alone), GUESS)
        chances = torch.softmax(scores[rows], dim=1).numpy()
        assert np.abs(look.chances[:, :wide] - chances[:, :wide]).max() < 0.01
        assert np.abs(look.denied - torch.sigmoid(against[rows, :wide]).numpy()).max() < 0.01


def test_names_are_found_in_domains_that_were_not_trained_on() -> None:
    """Floors on written rows of held-out domains, in whatever words: some points below what was measured."""
    written = pytest.importorskip("assent_train.written", reason="assent-train is not installed")
    for logic, all_there, just in FLOORS:
        rows = [r for r in written.rows() if r.formula is not None and r.logic is logic and _apart(r.domain)]
        rows = sorted(rows, key=lambda r: hashlib.sha1(r.id.encode()).hexdigest())[:200]
        found, same = 0, 0
        for row in rows:
            try:
                lifted = lift(row.text, logic, written.vocabularies()[row.domain], GUESS)
            except FragmentError:
                continue
            found += names_in(row.formula) <= set(lifted.names.values())
            same += names_in(row.formula) == set(lifted.names.values())
        assert found / len(rows) >= all_there, (logic, found, len(rows))
        assert same / len(rows) >= just, (logic, same, len(rows))


FLOORS = ((Logic.LTL, 0.82, 0.78), (Logic.STL, 0.82, 0.78))


def _apart(domain: str) -> bool:
    return hashlib.sha1(domain.encode()).hexdigest()[0] == "7"
