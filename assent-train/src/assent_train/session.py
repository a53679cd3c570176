"""One run of ``assent train``: read, split, fine-tune, export, measure, remember."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from assent.embedded import NAMES, SECOND, SPATIAL, Embedded, shipped
from assent.embedded.memory import Memory, text_mark
from assent.embedded.opinions import FILE as RERANK
from assent.embedded.opinions import RerankedTranslator, Weights, read_weights
from assent.errors import DataError, UsageError
from assent.io.files import write_atomically
from assent.logic.ast import Logic
from assent.logic.canonical import canonical_key
from assent.vocabulary import Vocabulary
from assent_train import checkpoints
from assent_train.batches import Pair
from assent_train.conventions import learn, ranked
from assent_train.convert import export
from assent_train.few import FEW, Adapted, adapt
from assent_train.finetune import FinetuneSettings, finetune, start_from
from assent_train.measure import gain_of, right_on
from assent_train.names import learn_names, lifted_with, stored
from assent_train.rows import LabelledPair, Split, load, relifted, split
from assent_train.weigh import choose_weights

LEAST = 20
FORMAT = 4
"""Of a folder's checkpoints and split: a run of another one is not gone on with."""
SECOND_SHARE = 0.35
"""Of the time: the second is smaller."""
TRANSLATOR = "translator"
HELD_OUT = "held_out.json"


@dataclass(frozen=True, slots=True)
class _Job:
    """One network to fine-tune: SpaTiaL has its own translator, the other logics share one, the second reads all."""

    name: str
    train: list[Pair]
    valid: list[Pair]


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
    rows, refused = load(file, logic, sections, domain)
    usable = sum(row.target is not None for row in rows)
    if usable < LEAST:
        raise DataError(
            f"only {usable} of {len(rows) + refused} rows can be trained on (their names and numbers found in the "
            f"text); {LEAST} are the least",
            file=file,
        )
    parts = split(rows, held_out=held_out, seed=seed)
    if all(job.name == SECOND for job in _jobs(parts)):
        raise DataError("no formula is left to train on: give more rows, or hold fewer out", file=file)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    _same_run(folder, rows, held_out, seed)
    _remember(folder, parts)
    settings = FinetuneSettings(minutes=minutes, seed=seed)
    parts, named = _named(folder, parts, seed)
    trained = _few(folder, parts, settings) if usable < FEW else _many(folder, parts, settings)
    before = right_on(Embedded().translator, parts.held_out)
    adapted = Embedded(folder)
    after = right_on(adapted.translator, relifted(parts.held_out, adapted.lift))
    gain, low, high = gain_of(before, after, [row.cluster for row in parts.held_out], seed)
    result = {
        "train": trained.rows,
        "folds": [asdict(found) for found in (*named, *trained.folds)],
        "skipped": len(rows) - usable,
        "refused": refused,
        "held_out": len(parts.held_out),
        "held_out_clusters": len({row.cluster for row in parts.held_out}),
        "before": sum(before) / len(before),
        "after": sum(after) / len(after),
        "gain": gain,
        "gain_interval": [low, high],
        "minutes": round(trained.seconds / 60, 1),
    }
    write_atomically(folder / "result.json", json.dumps(result, indent=1).encode() + b"\n")
    return result


@dataclass(frozen=True, slots=True)
class _Trained:
    """What a run spent and, with few rows, what the folds said of each network."""

    rows: int
    seconds: float
    folds: tuple[Adapted, ...] = ()


def _named(folder: Path, parts: Split, seed: int) -> tuple[Split, tuple[Adapted, ...]]:
    """Further sayings for names, and the rows to train on as they are lifted with them."""
    rows = [row for row in (*parts.train, *parts.valid) if row.vocabulary is not None]
    (folder / NAMES).unlink(missing_ok=True)
    if not rows:
        return parts, ()
    learnt, found = learn_names(rows, seed)
    if learnt:
        write_atomically(folder / NAMES, stored(learnt))
        lift = partial(lifted_with, Embedded(), learnt)
        parts = replace(parts, train=relifted(parts.train, lift), valid=relifted(parts.valid, lift))
    return parts, (found,)


def _many(folder: Path, parts: Split, settings: FinetuneSettings) -> _Trained:
    """Every network that has rows, then the order of readings."""
    jobs = _jobs(parts)
    pairs = [pair for job in jobs if job.name != SECOND for pair in job.train]
    spent = 0.0
    for job in jobs:
        share = SECOND_SHARE if job.name == SECOND else (1 - SECOND_SHARE) * len(job.train) / len(pairs)
        spent += _train(folder, job, replace(settings, minutes=settings.minutes * share))
    _refit_order(folder, parts.valid)
    return _Trained(len(pairs), spent)


def _few(folder: Path, parts: Split, settings: FinetuneSettings) -> _Trained:
    """Conventions and translators, each by itself and as far as the folds say; the judge stays as it is shipped."""
    from tqdm import tqdm

    rows = [*parts.train, *parts.valid]
    found = [_conventions(folder, rows, settings.seed)]
    usable = sum(row.target is not None for row in rows)
    for name in (TRANSLATOR, SPATIAL):
        own = [row for row in rows if (row.lifted.logic is Logic.SPATIAL) == (name == SPATIAL)]
        count = sum(row.target is not None for row in own)
        if not count:
            continue
        with tqdm(desc=f"fine-tuning {name}", bar_format="{desc}: {postfix} {elapsed}") as bar:
            share = replace(settings, minutes=settings.minutes * count / usable)
            found.append(adapt(folder, name, _start(name), own, share, bar.set_postfix_str))
    return _Trained(usable, sum(one.seconds for one in found), tuple(found))


def _conventions(folder: Path, rows: Sequence[LabelledPair], seed: int) -> Adapted:
    """What the project means where English leaves it open, beside the shipped weights of the order."""
    usual = Embedded().translator
    if not isinstance(usual, RerankedTranslator):  # a package whose order hears nobody
        return Adapted("conventions", 0.0, len(rows), 0, 0, 0.0)
    learnt, found = learn(ranked(usual, rows), [row.cluster for row in rows], seed)
    (folder / RERANK).unlink(missing_ok=True)
    if learnt:
        weights = replace(read_weights(shipped()), conventions=learnt)
        write_atomically(folder / RERANK, json.dumps(asdict(weights), indent=1).encode() + b"\n")
    return found


def _start(name: str) -> Path:
    """The shipped weights that a network goes on from."""
    own = checkpoints() / f"{name}.pt"
    return own if own.exists() else checkpoints() / f"{TRANSLATOR}.pt"


def _jobs(parts: Split) -> list[_Job]:
    """A network without rows to learn from and rows to stop by stays as the package ships it."""

    def pairs(rows: Sequence[LabelledPair], name: str) -> list[Pair]:
        return [
            row.pair
            for row in rows
            if row.target is not None
            and (name == SECOND or (row.lifted.logic is Logic.SPATIAL) == (name == SPATIAL))
        ]

    jobs = [
        _Job(name, pairs(parts.train, name), pairs(parts.valid, name))
        for name in (TRANSLATOR, SPATIAL, SECOND)
    ]
    return [job for job in jobs if job.train and job.valid]


def _train(folder: Path, job: _Job, settings: FinetuneSettings) -> float:
    """The network fine-tuned and exported; seconds of training."""
    from tqdm import tqdm

    torch.manual_seed(settings.seed)
    state = start_from(_start(job.name), job.train, dropout=settings.dropout)
    with tqdm(total=settings.epochs, desc=f"fine-tuning {job.name}", unit="epoch") as bar:

        def tick(epoch: int, said: str) -> None:
            bar.n = epoch
            bar.set_postfix_str(said)

        checkpoint = folder / f"checkpoint-{job.name}.pt"
        state = finetune(state, job.train, job.valid, settings, checkpoint=checkpoint, tick=tick)
    export(state, folder, job.name, halves=folder)
    return state.seconds


def _refit_order(folder: Path, valid: Sequence[LabelledPair]) -> None:
    """Who is heard, and how much, when readings are put in order."""
    write_atomically(
        folder / RERANK, json.dumps(asdict(Weights())).encode()
    )  # as the translator orders by itself
    models = Embedded(folder)
    weights = choose_weights(models.translator, models.second.model, valid, otherwise=read_weights(shipped()))
    write_atomically(folder / RERANK, json.dumps(asdict(weights)).encode() + b"\n")


def _same_run(folder: Path, rows: Sequence[LabelledPair], held_out: float, seed: int) -> None:
    """A stopped run goes on only with the rows and settings it was started with."""
    digest = hashlib.sha256(f"{FORMAT} {held_out} {seed}".encode())
    for row in rows:  # as the network reads them: another way of lifting is another run, too
        digest.update(f"\n{' '.join(row.lifted.tokens)}\t{canonical_key(row.reference)}".encode())
    mark = digest.hexdigest()
    note = folder / "run.json"
    if note.exists() and json.loads(note.read_text(encoding="utf-8"))["rows"] != mark:
        raise UsageError(
            f"{folder} holds a run on other rows or settings: choose another folder, or remove it"
        )
    write_atomically(note, json.dumps({"rows": mark}).encode() + b"\n")


def _remember(folder: Path, parts: Split) -> None:
    """Before the first step, so that no weights lie anywhere without it."""
    rows = [*parts.train, *parts.valid]
    texts = frozenset(text_mark(row.lifted.text) for row in rows)
    Memory(texts, frozenset(row.cluster for row in rows)).save(folder)
    ids = {"ids": [row.id for row in parts.held_out]}
    write_atomically(folder / HELD_OUT, json.dumps(ids).encode() + b"\n")
