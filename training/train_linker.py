"""Trains the linker: which words of an instruction stand for which entry of a vocabulary.

    python training/train_linker.py ROWS.jsonl VOCABULARY.json [--written FILE.json ...] -o src/assent/weights/linker.npz

Reads rows of the written corpus (parts marked). Each row is seen with its own vocabulary, with parts of it, with
entries of other domains mixed in, and with entries that are called as other rows of the domain call them. One domain in
eight is held out and measured. Two small networks are stored, one for use with word vectors and one without, a table of
words that are seldom or often part of a name, and what was learnt about meaning (``senses.py``). With vectors there is
a second look, which reads the whole sentence and sees what the first one found (``sentence_reader.py``). Takes an hour.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import sentence_reader
import torch
from measure_lifting import Mark, unmarked
from senses import learn
from sentence_reader import Sentence

from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError
from assent.lift.clauses import join_compounds
from assent.lift.entries import Known, affirms, denies, known_entries, match
from assent.lift.features import PAIR_FEATURES, WORD_FEATURES, LinkEvidence, evidence
from assent.lift.figures import Word
from assent.lift.linker import context
from assent.lift.propose import has_content
from assent.lift.reader import NUMERAL
from assent.lift.seen import Senses
from assent.lift.words import mark_numbers, split
from assent.vocabulary import Entry, Vocabulary, load_sections

HIDDEN = 32
IGNORED = frozenset(
    """
    exceeds exceed climbs climb drops drop falls fall rises rise reaches reach above below under over past beyond more
    less than least most between between up down percent degrees higher lower
    """.split()
)
Row = tuple[str, str, list[Mark], str]  # domain, text, marks, logic


def held_out(domain: str) -> bool:
    return hashlib.sha1(domain.split("@", maxsplit=1)[0].encode()).hexdigest()[0] in "7e"


def half(domain: str) -> int:
    """What is learnt about meaning from one half of the domains is used on the other while the linker is trained."""
    return int(hashlib.sha1(domain.encode()).hexdigest()[1], 16) % 2


def read_rows(args: argparse.Namespace) -> tuple[list[Row], dict[str, Vocabulary]]:
    rows: list[Row] = []
    sections: dict[str, Vocabulary] = {}
    for rows_file, names_file in zip(args.files[::2], args.files[1::2], strict=True):
        sections.update(load_sections(names_file))
        for line in Path(rows_file).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            rows.append((row["domain"], *unmarked(row["marked"]), row["logic"]))
    for file in args.written:
        for k, section in enumerate(json.loads(Path(file).read_text(encoding="utf-8"))):
            body = dict(section["vocabulary"])
            for kind in ("propositions", "objects", "regions"):
                body[kind] = [{"name": e} if isinstance(e, str) else e for e in body.get(kind, [])]
            domain = f"{section['domain']}@{Path(file).stem}.{k}"
            sections[domain] = msgspec.convert(body, Vocabulary)
            rows += [(domain, *unmarked(row["marked"]), row["logic"]) for row in section["rows"]]
    return rows, sections


def entries_of(vocabulary: Vocabulary, logic: str) -> tuple[Entry, ...]:
    if logic == "spatial":
        return (*vocabulary.objects, *vocabulary.regions)
    return vocabulary.propositions


def words_of(text: str, vocabulary: Vocabulary, entries: tuple[Entry, ...]) -> list[Word] | None:
    try:
        return join_compounds(mark_numbers(split(text), vocabulary.time_unit), entries)
    except AssentError:
        return None


def label(word: Word, marks: list[Mark], place: dict[str, int]) -> int:
    """The entry's number, -1 for none, -2 where nothing is taught."""
    for mark in marks:
        if mark.start <= word.start < mark.end:
            if mark.kind != "[":
                return -1
            names = mark.names
            if len(names) != 1 or (any(c in mark.says for c in "<>=") and word.text in IGNORED):
                return -2
            return place.get(names[0], -2)
    return -1


def told(word: Word, there: list[Known]) -> bool:
    """A word outside the marks that says the name or the state of one of them again: nothing is taught by it."""
    return any(match(word.text, k)[0] or affirms(word.text, k) or denies(word.text, k) for k in there)


def varied(
    entries: tuple[Entry, ...], named: set[str], others: list[Entry], rng: random.Random
) -> tuple[Entry, ...]:
    """Some entries dropped, some of other domains added."""
    kept = [e for e in entries if e.name in named or rng.random() > 0.3]
    taken = {e.name for e in kept} | {e.phrase.lower() for e in kept}
    for extra in rng.sample(others, min(len(others), rng.randrange(7))):
        if extra.name not in taken and extra.phrase.lower() not in taken:
            kept.append(extra)
            taken |= {extra.name, extra.phrase.lower()}
    rng.shuffle(kept)
    return tuple(kept)


def wordier(
    entries: tuple[Entry, ...], words: list[Word], marks: list[Mark], rng: random.Random
) -> tuple[Entry, ...]:
    """One entry is called by a further word, which the sentence says of something else: "mower driving"."""
    outside = [
        w.text
        for w in words
        if w.value is None and has_content(w.text) and not any(m.start <= w.start < m.end for m in marks)
    ]
    if not outside:
        return entries
    word, chosen = rng.choice(outside), rng.randrange(len(entries))
    entry = entries[chosen]
    longer = msgspec.structs.replace(entry, says=f"{word} {entry.phrase}")
    return (*entries[:chosen], longer, *entries[chosen + 1 :])


_PRONOUNS = re.compile(
    r"\b(?:it|they|them|both|one|that|this|these|those|former|latter|other|same|not|no|never|he|she|him)\b"
)
_LEADING = re.compile(r"^(?:the|a|an|its|his|her|their|our|your|every|each|any|this|that|is|are|be)\s+")


def callings(rows: Sequence[Row]) -> dict[tuple[str, str], list[str]]:
    """What the marks call each entry of each domain, where they affirm it in a few words of their own."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for domain, text, marks, _ in rows:
        for mark in marks:
            said = _LEADING.sub("", text[mark.start : mark.end].lower().strip(" .,;:"))
            plain = mark.kind == "[" and len(mark.names) == 1 and not set(mark.says) & set("!<>=&|")
            spelt = re.fullmatch(r"[a-z][a-z' -]*", said) and not _PRONOUNS.search(said)
            if plain and spelt and len(said.split()) <= 5 and any(map(has_content, said.split())):
                found[domain, mark.names[0]].add(said)
    return {key: sorted(said) for key, said in found.items()}


Called = Mapping[tuple[str, str], Sequence[str]]


def renamed(entries: tuple[Entry, ...], domain: str, called: Called, rng: random.Random) -> tuple[Entry, ...]:
    """Some entries called in other words, most of them by another name, too."""
    out = []
    for entry in entries:
        said = called.get((domain, entry.name))
        if said and rng.random() < 0.45:
            words = rng.choice(said)
            name = re.sub(r"\W+", "_", words) if rng.random() < 0.6 else entry.name
            entry = msgspec.structs.replace(entry, says=words, name=name)
        out.append(entry)
    return tuple(out) if len({entry.name for entry in out}) == len(out) else entries


_DENYING = re.compile(
    r"\b(?:not|no|never|nobody|none|without|neither|nor|nothing|cannot|nowhere|hardly|fails?|failed)\b|n't",
    re.I,
)


def sign(word: Word, text: str, marks: list[Mark], place: Mapping[str, int]) -> int:
    """Whether the mark of a word denies its one name (1) or affirms it (0); -1 where a small word denies, or none is."""
    for mark in marks:
        if mark.start <= word.start < mark.end:
            plain = mark.kind == "[" and len(mark.names) == 1 and not set(mark.says) & set("<>=&|")
            if plain and mark.names[0] in place and not _DENYING.search(text[mark.start : mark.end]):
                return int(mark.says.strip().startswith("!"))
            return -1
    return -1


def word_table(rows: list[Row], sections: dict[str, Vocabulary]) -> dict[str, float]:
    """Log-odds of words being part of a name, for words met in several domains."""
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    domains: dict[str, set[str]] = defaultdict(set)
    for domain, text, marks, logic in rows:
        words = words_of(text, sections[domain], entries_of(sections[domain], logic)) or []
        for word in words:
            if word.value is None and word.text[:1].isalpha():
                named = any(m.kind == "[" and m.start <= word.start < m.end for m in marks)
                (inside if named else outside)[word.text] += 1
                domains[word.text].add(domain)
    base = sum(inside.values()) / sum(outside.values())
    table = {}
    for word, places in domains.items():
        if len(places) >= 3 and inside[word] + outside[word] >= 4:
            odds = math.log((inside[word] + base) / (outside[word] + 1) / base)
            table[word] = round(max(-3.0, min(3.0, odds)), 2)
    return table


def examples(
    rows: list[Row],
    sections: dict[str, Vocabulary],
    table: dict[str, float],
    guess: Guess | None,
    senses: Callable[[str], Senses],
    rounds: int,
    seed: int,
    called: Called | None = None,
) -> list[Sentence]:
    """Features and labels of each row; ``senses`` of a domain: matrices that were not learnt from it.

    More than one of the ``rounds``: entries are left out and others come in; ``called``: some are called otherwise.
    """
    rng = random.Random(seed)
    pool = {
        kind: [(d, e) for d, v in sections.items() for e in entries_of(v, kind)]
        for kind in ("ltl", "spatial")
    }
    out = []
    for _ in range(rounds):
        for domain, text, marks, logic in rows:
            entries = entries_of(sections[domain], logic)
            named = {name for m in marks if m.kind == "[" for name in m.names}
            if rounds > 1 and rng.random() < 0.6:
                drawn = rng.sample(pool["spatial" if logic == "spatial" else "ltl"], 12)
                entries = varied(entries, named, [e for d, e in drawn if d != domain], rng)
            place = {e.name: n for n, e in enumerate(entries)}
            signed = {e.name: n for n, e in enumerate(entries) if e.type != "number"}
            if called is not None:
                entries = renamed(entries, domain, called, rng)
            words = words_of(text, sections[domain], entries)
            if words is None or not entries:
                continue
            if rounds > 1 and rng.random() < 0.1:
                entries = wordier(entries, words, marks, rng)
            knowns = known_entries(entries)
            found = evidence(words, knowns, guess, table, senses=senses(domain), things=logic == "spatial")
            there = [knowns[n] for name, n in place.items() if name in named]
            labels = [label(words[i], marks, place) for i in found.at]
            labels = [
                -2 if y == -1 and told(words[i], there) else y for i, y in zip(found.at, labels, strict=True)
            ]
            if labels:
                signs = [sign(words[i], text, marks, signed) for i in found.at]
                out.append(_sentence(found, labels, signs, words, [known.phrase for known in knowns]))
    return out


def _sentence(
    found: LinkEvidence, labels: list[int], signs: list[int], words: list[Word], phrases: list[str]
) -> Sentence:
    texts = [NUMERAL if word.value is not None else word.text for word in words]
    pairs, alone = found.pairs.astype(np.float16), found.alone.astype(np.float16)
    nothing = np.zeros((0, 0), np.float32)
    return Sentence(
        pairs, alone, np.array(labels), texts, np.array(found.at), phrases, np.array(signs), nothing
    )


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pair = sentence_reader.two_layers(PAIR_FEATURES, HIDDEN)
        self.alone = sentence_reader.two_layers(WORD_FEATURES, 16)

    def forward(self, pairs, alone, mask):
        scores = self.pair(pairs).squeeze(-1).masked_fill(~mask, -1e9)
        return torch.cat([scores, self.alone(alone)], dim=1)


def batches(data: list[Sentence], size: int, rng: random.Random):
    order = list(range(len(data)))
    rng.shuffle(order)
    for start in range(0, len(order), size):
        part = [data[k] for k in order[start : start + size]]
        features = [s.pairs.astype(np.float32) for s in part]
        widest = max(p.shape[1] for p in features)
        pairs = np.concatenate([np.pad(p, ((0, 0), (0, widest - p.shape[1]), (0, 0))) for p in features])
        mask = np.concatenate([np.tile(np.arange(widest) < p.shape[1], (p.shape[0], 1)) for p in features])
        alone = np.concatenate([s.alone.astype(np.float32) for s in part])
        labels = np.concatenate([s.labels for s in part])
        labels = np.where(labels == -1, widest, labels)
        labels = np.where(labels == -2, -100, labels)
        yield torch.tensor(pairs), torch.tensor(alone), torch.tensor(mask), torch.tensor(labels)


def fit(data: list[Sentence], dev: list[Sentence], epochs: int, seed: int) -> Net:
    torch.manual_seed(seed)
    net = Net()
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
    rng = random.Random(seed)
    steps = epochs * (len(data) // 32 + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 5e-3, total_steps=steps + 5)
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for pairs, alone, mask, labels in batches(data, 32, rng):
            loss = torch.nn.functional.cross_entropy(net(pairs, alone, mask), labels, ignore_index=-100)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        if epoch % 4 == 3 or epoch == epochs - 1:
            print(f"epoch {epoch + 1}: loss {total / (len(data) / 32):.4f}  {measured(net, dev)}", flush=True)
    return net


def seen_again(net: Net, data: list[Sentence]) -> list[Sentence]:
    """The same rows for the second look: with what the first one, ``net``, found around each word."""
    out = []
    with torch.no_grad():
        for s in data:
            pairs, alone = torch.tensor(s.pairs.astype(np.float32)), torch.tensor(s.alone.astype(np.float32))
            everything = torch.ones(pairs.shape[:2], dtype=torch.bool)
            first = torch.softmax(net(pairs, alone, everything), dim=1).numpy()
            around, beside = (part.astype(np.float16) for part in context(first))
            both = np.concatenate([s.pairs, around], axis=2), np.concatenate([s.alone, beside], axis=1)
            out.append(replace(s, pairs=both[0], alone=both[1], first=first))
    return out


def measured(net: Net, dev: list[Sentence]) -> str:
    net.eval()
    right = wrong = missed = extra = 0
    with torch.no_grad():
        for pairs, alone, mask, labels in batches(dev, 64, random.Random(0)):
            best, none = net(pairs, alone, mask).argmax(1), pairs.shape[1]
            named = (labels != -100) & (labels != none)
            right += int((named & (best == labels)).sum())
            missed += int((named & (best == none)).sum())
            wrong += int((named & (best != labels) & (best != none)).sum())
            extra += int(((labels == none) & (best != none)).sum())
    return f"held out words: right {right}, missed {missed}, wrong {wrong}, too many {extra}"


def stored(net: Net, prefix: str) -> dict[str, np.ndarray]:
    state = {name.replace(".", "_"): value.numpy() for name, value in net.state_dict().items()}
    return {f"{prefix}_{name}": value.round(4).astype(np.float32) for name, value in state.items()}


def _read(data: list[Sentence], apart: list[Sentence], guess: Guess, args: argparse.Namespace):
    """The weights of the second look."""
    common = sentence_reader.common_words(data)
    feeder = sentence_reader.Feeder([*data, *apart], common, guess)
    torch.manual_seed(1)
    net = sentence_reader.ReaderNet(len(common))
    checkpoint = args.output.with_suffix(".pt")
    sentence_reader.train(net, feeder, data, apart, epochs=args.readings, checkpoint=checkpoint)
    return sentence_reader.stored(net, common)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*")
    parser.add_argument("--written", nargs="*", default=[])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--readings", type=int, default=5, help="epochs of the second look")
    parser.add_argument(
        "--keep", type=Path, help="a linker whose table of words and network without vectors stay as they are"
    )
    parser.add_argument("--most", type=int, default=60_000, help="rows that the networks are trained on")
    parser.add_argument("--all", action="store_true", help="train on the held-out domains, too")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rows, sections = read_rows(args)
    train = [row for row in rows if args.all or not held_out(row[0])]
    dev = [row for row in rows if held_out(row[0])]
    kept = dict(np.load(args.keep)) if args.keep else {}
    table = dict(zip(kept["words"], kept["odds"], strict=True)) if kept else word_table(train, sections)
    print(f"{len(train)} rows to train on, {len(dev)} held out, {len(table)} words in the table", flush=True)
    guess = Guess(Embedder())
    halves = [
        learn([row for row in train if half(row[0]) != k], sections, entries_of, guess, 1) for k in (0, 1)
    ]
    whole = learn(train, sections, entries_of, guess, 1)
    weights = {
        "senses_said": whole.said.astype(np.float16),
        "senses_named": whole.named.astype(np.float16),
    }
    weights |= {name: value for name, value in kept.items() if name.startswith("without_")}
    random.Random(1).shuffle(train)
    mine, called = sorted(train[: args.most], key=lambda row: row[0]), callings(train)
    for prefix, use in (("with", guess),) if kept else (("with", guess), ("without", None)):
        whole_of: Callable[[str], Senses] = lambda _: whole  # noqa: E731
        half_of: Callable[[str], Senses] = lambda domain: halves[half(domain)]  # noqa: E731
        data = examples(mine, sections, table, use, half_of, args.rounds, 1)
        apart = examples(dev, sections, table, use, whole_of, 1, 2)
        net = fit(data, apart, args.epochs, 1)
        weights |= stored(net, prefix)
        if use is not None:
            data += examples(mine, sections, table, use, half_of, 1, 3, called)
            weights |= _read(seen_again(net, data), seen_again(net, apart), guess, args)
    words = np.array(sorted(table))
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("wb") as file:
        np.savez_compressed(
            file, words=words, odds=np.array([table[w] for w in words], dtype=np.float32), **weights
        )
    print(f"{args.output}: {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
