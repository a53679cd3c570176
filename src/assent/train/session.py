"""One run of ``assent train``: read, split, fine-tune, export, measure, remember."""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from assent.embedded import shipped
from assent.embedded.seq2seq import Seq2Seq
from assent.embedded.translator import EmbeddedTranslator
from assent.errors import DataError, UsageError
from assent.logic.canonical import canonical_key
from assent.logic.equivalence import Verdict, equivalent
from assent.train.align import fit as fit_align
from assent.train.convert import convert
from assent.train.finetune import Settings, finetune, mixed, start_from
from assent.train.memory import Memory, text_mark
from assent.train.rows import Labelled, load, split
from assent.vocabulary import Vocabulary


def train_on(
    file: str,
    output: str,
    *,
    logic: str | None,
    sections: Mapping[str, Vocabulary],
    domain: str | None,
    held_out: float,
    minutes: float,
    seed: int,
) -> dict[str, Any]:
    """Weights in ``output``, and what they are worth on the rows held out."""
    from tqdm import tqdm

    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    rows = load(file, logic, sections, domain)
    usable = [row for row in rows if row.target is not None]
    if len(usable) < 20:
        raise DataError(
            f"only {len(usable)} of {len(rows)} rows can be trained on; 20 are the least", file=file
        )
    parts = split(rows, held_out=held_out, seed=seed)
    settings = Settings(minutes=minutes, seed=seed)
    pairs = [row.pair for row in parts.train if row.target is not None]
    checks = [row.pair for row in parts.valid if row.target is not None]
    _same_run(folder, rows, held_out, seed)
    torch.manual_seed(seed)
    state = start_from(shipped() / "translator.pt", pairs)
    with tqdm(total=settings.epochs, desc="fine-tuning", unit="epoch") as bar:

        def tick(epoch: int, said: str) -> None:
            bar.n = epoch
            bar.set_postfix_str(said)

        state = finetune(state, pairs, checks, settings, checkpoint=folder / "checkpoint.pt", tick=tick)
    _export(folder, state)
    fit_align(
        [pair for epoch in range(3) for pair in mixed(pairs, settings, 100 + epoch)], folder / "align.npz"
    )
    before = right_on(shipped() / "translator", parts.held_out)
    after = right_on(folder / "translator", parts.held_out)
    _remember(folder, [*parts.train, *parts.valid])
    gain, low, high = _gain(before, after, [row.cluster for row in parts.held_out], seed)
    result = {
        "train": len(pairs),
        "skipped": len(rows) - len(usable),
        "held_out": len(parts.held_out),
        "held_out_clusters": len({row.cluster for row in parts.held_out}),
        "before": sum(before) / len(before),
        "after": sum(after) / len(after),
        "gain": gain,
        "gain_interval": [low, high],
        "minutes": round(state.seconds / 60, 1),
    }
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return result


def right_on(weights: Path, rows: Sequence[Labelled]) -> list[bool]:
    """Is the best readable answer exactly equivalent to the reference? Nothing readable is wrong."""
    answers = EmbeddedTranslator(Seq2Seq(weights)).n_best([row.lifted for row in rows])
    found = []
    for row, answer in zip(rows, answers, strict=True):
        formula = answer[0].formula if answer else None
        found.append(
            formula is not None
            and (
                canonical_key(formula) == canonical_key(row.reference)
                or equivalent(formula, row.reference, budget=1.0).verdict is Verdict.EQUAL
            )
        )
    return found


def _export(folder: Path, state: Any) -> None:
    convert(state.average, state.source.tokens, state.target.tokens, folder / "translator")
    halves = {name: value.half() for name, value in state.average.state_dict().items()}
    content = {
        "shape": state.average.shape.to_dict(),
        "source": state.source.tokens,
        "target": state.target.tokens,
        "average": halves,
    }
    torch.save(content, folder / "translator.pt")


def _same_run(folder: Path, rows: Sequence[Labelled], held_out: float, seed: int) -> None:
    """A stopped run goes on only with the rows and settings it was started with."""
    content = f"{held_out} {seed} " + " ".join(text_mark(row.lifted.text) for row in rows)
    mark = hashlib.sha256(content.encode()).hexdigest()
    note = folder / "run.json"
    if note.exists() and json.loads(note.read_text(encoding="utf-8"))["rows"] != mark:
        raise UsageError(
            f"{folder} holds a run on other rows or settings: choose another folder, or remove it"
        )
    note.write_text(json.dumps({"rows": mark}) + "\n", encoding="utf-8")


def _remember(folder: Path, rows: Sequence[Labelled]) -> None:
    texts = frozenset(text_mark(row.lifted.text) for row in rows)
    Memory(texts, frozenset(row.cluster for row in rows)).save(folder)


def _gain(
    before: Sequence[bool], after: Sequence[bool], clusters: Sequence[str], seed: int
) -> tuple[float, float, float]:
    """Mean gain with a bootstrap interval over clusters."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(clusters):
        groups[name].append(int(after[index]) - int(before[index]))
    members = list(groups.values())
    rng = random.Random(seed)
    means = []
    for _ in range(2000):
        drawn = [value for _ in members for value in members[rng.randrange(len(members))]]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    flat = [value for group in members for value in group]
    return sum(flat) / len(flat), means[49], means[1950]
