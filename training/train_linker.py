"""Trains the linker: which words of an instruction stand for which entry of a vocabulary.

    python training/train_linker.py ROWS.jsonl VOCABULARY.json [--written FILE.json ...] -o src/assent/weights/linker.npz

Reads rows of the written corpus (parts marked). Each row is seen with its own vocabulary, with parts of it, and with
entries of other domains mixed in. One domain in eight is held out and measured. Two small networks are stored, one for
use with word vectors and one without, a table of words that are seldom or often part of a name, and what was learnt
about meaning (``senses.py``). With vectors there is a second look, which sees what the first one found around each word.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import torch
from measure_lifting import Mark, unmarked
from senses import learn

from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError
from assent.lift.clauses import join_compounds
from assent.lift.entries import Known, affirms, denies, known_entries, match
from assent.lift.features import PAIR_FEATURES, WORD_FEATURES, evidence
from assent.lift.figures import Word
from assent.lift.linker import context
from assent.lift.propose import has_content
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
):
    """Features and labels of each row; ``senses`` of a domain: matrices that were not learnt from it."""
    rng = random.Random(seed)
    pool = {
        kind: [(d, e) for d, v in sections.items() for e in entries_of(v, kind)]
        for kind in ("ltl", "spatial")
    }
    out = []
    for k in range(rounds):
        for domain, text, marks, logic in rows:
            entries = entries_of(sections[domain], logic)
            named = {name for m in marks if m.kind == "[" for name in m.names}
            if k:
                others = [
                    e
                    for d, e in rng.sample(pool["spatial" if logic == "spatial" else "ltl"], 12)
                    if d != domain
                ]
                entries = varied(entries, named, others, rng)
            words = words_of(text, sections[domain], entries)
            if k and words is not None and entries and rng.random() < 0.2:
                entries = wordier(entries, words, marks, rng)
            if words is None or not entries:
                continue
            found = evidence(
                words, known_entries(entries), guess, table, senses=senses(domain), things=logic == "spatial"
            )
            place = {e.name: n for n, e in enumerate(entries)}
            there = [known for known in known_entries(entries) if known.entry.name in named]
            labels = [label(words[i], marks, place) for i in found.at]
            labels = [
                -2 if y == -1 and told(words[i], there) else y for i, y in zip(found.at, labels, strict=True)
            ]
            if labels:
                out.append((found.pairs, found.alone, np.array(labels)))
    return out


class Net(torch.nn.Module):
    def __init__(self, pair: int = PAIR_FEATURES, alone: int = WORD_FEATURES) -> None:
        super().__init__()
        self.pair = torch.nn.Sequential(
            torch.nn.Linear(pair, HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, 1)
        )
        self.alone = torch.nn.Sequential(torch.nn.Linear(alone, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))

    def forward(self, pairs, alone, mask):
        scores = self.pair(pairs).squeeze(-1).masked_fill(~mask, -1e9)
        return torch.cat([scores, self.alone(alone)], dim=1)


def batches(data, size: int, rng: random.Random):
    order = list(range(len(data)))
    rng.shuffle(order)
    for start in range(0, len(order), size):
        part = [data[k] for k in order[start : start + size]]
        widest = max(p.shape[1] for p, _, _ in part)
        pairs = np.concatenate([np.pad(p, ((0, 0), (0, widest - p.shape[1]), (0, 0))) for p, _, _ in part])
        mask = np.concatenate([np.tile(np.arange(widest) < p.shape[1], (p.shape[0], 1)) for p, _, _ in part])
        alone = np.concatenate([a for _, a, _ in part])
        labels = np.concatenate([y for _, _, y in part])
        labels = np.where(labels == -1, widest, labels)
        labels = np.where(labels == -2, -100, labels)
        yield torch.tensor(pairs), torch.tensor(alone), torch.tensor(mask), torch.tensor(labels)


def fit(data, dev, epochs: int, seed: int) -> Net:
    torch.manual_seed(seed)
    net = Net(data[0][0].shape[2], data[0][1].shape[1])
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


def seen_again(net: Net, data) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The same rows for the second look: with what the first one, ``net``, found around each word."""
    out = []
    with torch.no_grad():
        for pairs, alone, labels in data:
            everything = torch.ones(pairs.shape[:2], dtype=torch.bool)
            chances = torch.softmax(net(torch.tensor(pairs), torch.tensor(alone), everything), dim=1).numpy()
            around, beside = context(chances)
            both = np.concatenate([pairs, around], axis=2), np.concatenate([alone, beside], axis=1)
            out.append((*both, labels))
    return out


def measured(net: Net, dev) -> str:
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*")
    parser.add_argument("--written", nargs="*", default=[])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--keep", type=Path, help="a linker whose table of words and network without vectors stay as they are"
    )
    parser.add_argument("--most", type=int, default=10_000, help="rows that the networks are trained on")
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
    for prefix, use in (("with", guess),) if kept else (("with", guess), ("without", None)):
        data = examples(
            sorted(train[: args.most], key=lambda row: row[0]),
            sections,
            table,
            use,
            lambda domain: halves[half(domain)],
            args.rounds,
            1,
        )
        apart = examples(dev, sections, table, use, lambda _: whole, 1, 2)
        net = fit(data, apart, args.epochs, 1)
        weights |= stored(net, prefix)
        if use is not None:
            again = fit(seen_again(net, data), seen_again(net, apart), args.epochs, 1)
            weights |= stored(again, f"{prefix}_again")
    words = np.array(sorted(table))
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("wb") as file:
        np.savez_compressed(
            file, words=words, odds=np.array([table[w] for w in words], dtype=np.float32), **weights
        )
    print(f"{args.output}: {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
