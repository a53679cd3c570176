"""A few hundred rows or fewer: all of them check, by folds, and the shipped weights stay unless that shows a gain.

A network that is tuned on most of the rows reads the others, for every fold; how far to go from the shipped weights
to the tuned ones is chosen by all rows together, and may be not at all. Only then is it tuned on all rows.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

import torch

from assent.embedded import Embedded
from assent.io.files import write_atomically
from assent_train.convert import export
from assent_train.finetune import FinetuneSettings, finetune, start_from
from assent_train.loop import TrainingState
from assent_train.measure import right_on
from assent_train.rows import LabelledPair

FEW = 400
"""Usable rows below which twelve or forty checking rows would be too few to stop by."""
FOLDS = 3
SHARES = (0.5, 1.0)
"""Of the way from the shipped weights to the tuned ones; 0 is always among the choices."""
NOTE = "folds.json"

Tick = Callable[[str], None]


class FoldChanges(TypedDict):
    """One fold: for each share how many of its rows became right and how many wrong; seconds of tuning."""

    changed: dict[str, tuple[int, int]]
    seconds: float


def gentle(settings: FinetuneSettings) -> FinetuneSettings:
    """Few steps, each row seen a dozen times, at least as many written and synthetic pairs beside."""
    return replace(
        settings,
        epochs=4,
        least=250,
        fewest=250,
        share=0.5,
        tokens=1200,
        matrix_rate=0.002,
        other_rate=2.5e-4,
        many=100,
        average=0.9,
    )


@dataclass(frozen=True, slots=True)
class Adapted:
    """What the folds said of one part (a network, names, conventions), and what was made of it.

    A ``share`` of 0: it stays as it is shipped.
    """

    part: str
    share: float
    rows: int
    won: int
    lost: int
    seconds: float


def chosen(counts: Mapping[float, tuple[int, int]]) -> float:
    """The share that wins most rows; 0 where no surplus is clear.

    Clear is a surplus of two rows at least and of more than a standard error: by chance alone, the surplus of
    w + l rows that changed has the root of w + l.
    """
    best, surplus = 0.0, 0
    for share, (won, lost) in counts.items():
        if won - lost > max(1, (won + lost) ** 0.5, surplus):
            best, surplus = share, won - lost
    return best


def dealt(clusters: Sequence[str], folds: int, seed: int) -> list[list[int]]:
    """Rows by number, whole clusters dealt out in a drawn order; fewer folds where there are fewer clusters."""
    names = sorted(set(clusters))
    random.Random(seed).shuffle(names)
    place = {name: number % folds for number, name in enumerate(names)}
    found = [[k for k, name in enumerate(clusters) if place[name] == fold] for fold in range(folds)]
    return [fold for fold in found if fold]


def folds_of(rows: Sequence[LabelledPair], seed: int) -> list[list[LabelledPair]]:
    """The same with the rows themselves."""
    return [[rows[k] for k in fold] for fold in dealt([row.cluster for row in rows], FOLDS, seed)]


def blended(state: TrainingState, first: Mapping[str, torch.Tensor], share: float) -> TrainingState:
    """The state with weights ``share`` of the way from ``first`` to its own."""
    last = state.average.state_dict()
    moved = {key: torch.lerp(first[key].float(), last[key].float(), share) for key in last}
    made = TrainingState(deepcopy(state.network), state.source, state.target)
    made.average.load_state_dict(moved)
    made.seconds = state.seconds
    return made


def adapt(
    folder: Path, name: str, start: Path, rows: Sequence[LabelledPair], settings: FinetuneSettings, tick: Tick
) -> Adapted:
    """``folder/name`` with the adapted network, or without it where the shipped one stays.

    ``rows`` are what may be trained on; those that cannot be said in placeholders only check. A stopped run goes on.
    """
    settings = replace(gentle(settings), minutes=settings.minutes / (FOLDS + 1))
    folds = folds_of(rows, settings.seed)
    note = folder / f"{name}-{NOTE}"
    known: dict[str, FoldChanges] = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
    for number, fold in enumerate(folds if len(folds) > 1 else ()):
        if str(number) not in known:
            tick(f"fold {number + 1} of {len(folds)}")
            others = [row for other in folds if other is not fold for row in other]
            known[str(number)] = _checked(folder, name, start, others, fold, settings)
            write_atomically(note, json.dumps(known).encode() + b"\n")
    counts = {share: _together(known, share) for share in SHARES}
    share, seconds = chosen(counts), sum(fold["seconds"] for fold in known.values())
    won, lost = counts[share or SHARES[-1]]
    if share:
        tick("all rows")
        first, state = _tuned(start, rows, settings, folder / f"checkpoint-{name}.pt")
        export(blended(state, first, share), folder, name, halves=folder)
        seconds += state.seconds
    return Adapted(name, share, len(rows), won, lost, seconds)


def _together(known: Mapping[str, FoldChanges], share: float) -> tuple[int, int]:
    """Rows won and lost by a share over all folds."""
    changed = [fold["changed"][str(share)] for fold in known.values()]
    return sum(won for won, _ in changed), sum(lost for _, lost in changed)


def _tuned(
    start: Path, rows: Sequence[LabelledPair], settings: FinetuneSettings, checkpoint: Path
) -> tuple[Mapping[str, torch.Tensor], TrainingState]:
    """The weights before, with room for new words, and the state after tuning."""
    torch.manual_seed(settings.seed)
    pairs = [row.pair for row in rows if row.target is not None]
    state = start_from(start, pairs, dropout=settings.dropout)
    first = deepcopy(state.average.state_dict())
    return first, finetune(state, pairs, (), settings, checkpoint=checkpoint, tick=lambda *_: None)


def _checked(
    folder: Path,
    name: str,
    start: Path,
    others: Sequence[LabelledPair],
    fold: Sequence[LabelledPair],
    settings: FinetuneSettings,
) -> FoldChanges:
    """What tuning on the others does to the rows of the fold; nothing of it stays in the folder."""
    checkpoint = folder / f"checkpoint-{name}-fold.pt"
    before = right_on(Embedded().translator, fold)
    first, state = _tuned(start, others, settings, checkpoint)
    place, found = folder / "fold", FoldChanges(changed={}, seconds=state.seconds)
    for share in SHARES:
        place.mkdir(exist_ok=True)
        export(blended(state, first, share), place, name, halves=None)
        after = right_on(Embedded(place).translator, fold)
        changes = [int(now) - int(was) for was, now in zip(before, after, strict=True)]
        found["changed"][str(share)] = changes.count(1), changes.count(-1)
        shutil.rmtree(place)
    checkpoint.unlink()
    return found
