"""Fine-tune the shipped translator on a user's pairs, with fresh synthetic pairs mixed in against forgetting."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from assent.embedded.tokens import SIGNALS, TAGS, TokenVocabulary
from assent.logic.ast import Logic
from assent_train.batches import Pair, make_batches, source_vocabulary, typed
from assent_train.corpus.generate import pairs as synthetic
from assent_train.loop import TrainingState, loss_of, validate, with_more_words
from assent_train.network import NetworkShape, TrainedNetwork
from assent_train.written.streams import meant_pairs


@dataclass(frozen=True)
class FinetuneSettings:
    """Compared on a part of NL2TL's training rows: labels of people are noisy, and must not be learnt by heart."""

    minutes: float = 25.0
    epochs: int = 16
    patience: int = (
        3  # epochs in a row that are clearly worse than the best, counted once half of them are done
    )
    share: float = 0.25  # synthetic pairs among all
    fewest: int = 600  # synthetic pairs an epoch at least: few formulas must not crowd out all others
    least: int = 300  # the user's pairs an epoch at least: few rows are shown several times
    matrix_rate: float = 0.008
    other_rate: float = 1e-3
    many: int = 2000  # pairs for which the rates are meant; with fewer they fall as the square root
    dropout: float = 0.2
    smoothing: float = 0.1
    tokens: int = 3000
    drop: float = 0.1
    average: float = 0.97
    seed: int = 0


def start_from(path: Path, users: Sequence[Pair], *, dropout: float = 0.0) -> TrainingState:
    """The shipped network with room for the user's words."""
    content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    network = TrainedNetwork(NetworkShape(**{**content["shape"], "dropout": dropout}))
    network.load_state_dict({name: value.float() for name, value in content["average"].items()})
    state = TrainingState(network, TokenVocabulary(content["source"]), TokenVocabulary(content["target"]))
    words = source_vocabulary(users, at_least=2)
    targets = (token for _, right in users for token in right)
    return with_signals(
        with_more_words(state, state.source.grown(words.tokens), state.target.grown(targets)), content
    )


def with_signals(state: TrainingState, before: dict[str, Any]) -> TrainingState:
    """Signs for measured numbers that the network ``before`` did not have start as the placeholders they were."""
    new = [token for token in SIGNALS if token not in before["source"] and token in state.source]
    with torch.no_grad():
        for network in (state.network, state.average):
            for token in new:
                ids = state.source.ids
                network.source.weight[ids[token]] = network.source.weight[ids[f"P{token[1:]}"]]
    return state


def finetune(
    state: TrainingState,
    train: Sequence[Pair],
    valid: Sequence[Pair],
    settings: FinetuneSettings,
    *,
    checkpoint: Path,
    tick: Callable[[int, str], None],
) -> TrainingState:
    """The state at the end, or the best on ``valid`` (the shipped weights among them) where the end shows no gain.

    That is: where the best was clearly better, by more than its standard error, or where the end reads ``valid`` no
    better than the shipped weights. ``valid`` may be a few dozen rows, and the rate falls to nothing: the best of many
    epochs would be best by chance. Without ``valid`` the end is kept, and others check (``few``). Goes on from
    ``checkpoint`` if there is one.
    """
    slower = min(1.0, len(train) / settings.many) ** 0.5
    state.optimiser.matrix_rate = settings.matrix_rate * slower
    state.optimiser.other_rate = settings.other_rate * slower
    checks = make_batches(valid, state.source, state.target, tokens=settings.tokens, seed=0, drop=0.0)
    loss_before, right_before = validate(state.average, checks)
    first, waited, best = 0, 0, deepcopy(state.average.state_dict())
    best_score: tuple[float, ...] = (right_before, -loss_before)  # what does harm is not kept
    worse, right = False, right_before
    if checkpoint.exists():
        stored = torch.load(checkpoint, map_location="cpu", weights_only=True)
        state.network.load_state_dict(stored["network"])
        state.average.load_state_dict(stored["average"])
        state.optimiser.load_state_dict(stored["optimiser"])
        first, best, best_score = stored["epoch"], stored["best"], tuple(stored["best_score"])
        waited, state.step, state.seconds = stored["waited"], stored["step"], stored["seconds"]
        worse, right = bool(stored["worse"]), float(stored["right"])
    last = time.monotonic()
    done_for = waited >= settings.patience
    for epoch in range(first, first if done_for else settings.epochs):
        batches = make_batches(
            mixed(train, settings, epoch),
            state.source,
            state.target,
            tokens=settings.tokens,
            seed=settings.seed + epoch,
            drop=settings.drop,
        )
        for number, batch in enumerate(batches):
            done = max(
                (epoch + number / len(batches)) / settings.epochs, state.seconds / (60 * settings.minutes)
            )
            if done >= 1:
                break
            loss = loss_of(state.network, batch, settings.smoothing)
            state.optimiser.zero_grad()
            loss.backward()
            state.optimiser.step(min(1.0, (state.step + 1) / 20) * (1 - done))
            with torch.no_grad():
                for slow, fast in zip(state.average.parameters(), state.network.parameters(), strict=True):
                    slow.lerp_(fast, 1 - settings.average)
            state.step += 1
            state.seconds += time.monotonic() - last
            last = time.monotonic()
        held_loss, right = validate(state.average, checks)
        if (right, -held_loss) > best_score:
            best, best_score = deepcopy(state.average.state_dict()), (right, -held_loss)
        worse = bool(valid) and best_score[0] - right > _noise(best_score[0], len(valid))
        waited = waited + 1 if worse and 2 * (epoch + 1) > settings.epochs else 0
        tick(epoch + 1, f"checked {right:.3f}, best {best_score[0]:.3f}")
        progress = {"epoch": epoch + 1, "waited": waited, "worse": worse, "right": right}
        _save(checkpoint, state, {**progress, "best": best, "best_score": list(best_score)})
        last = time.monotonic()
        if waited >= settings.patience or state.seconds >= 60 * settings.minutes:
            break
    if valid and (worse or right <= right_before):
        state.average.load_state_dict(best)
    return state


def _noise(share: float, rows: int) -> float:
    """The standard error of a share, drawn towards a half (a few rows all right are no certainty); a row at least."""
    share = (share * rows + 1) / (rows + 2)
    return float(max((share * (1 - share) / rows) ** 0.5, 1 / rows))


def mixed(train: Sequence[Pair], settings: FinetuneSettings, epoch: int) -> list[Pair]:
    """The user's pairs (several times where they are few), and fresh ones of the same logics, half of them written."""
    rng = random.Random(settings.seed * 1000 + epoch)
    times = max(1, -(-settings.least // len(train)))
    users = list(train) * times
    logics = {source[0] for source, _ in train}
    fresh = (
        ((TAGS[pair.logic.value], *typed(pair.source, pair.target)), pair.target)
        for pair in synthetic(9_000_000 + settings.seed * 1000 + epoch)
        if TAGS[pair.logic.value] in logics
    )
    count = max(settings.fewest, round(len(users) * settings.share / (1 - settings.share)))
    kinds = [logic for logic in Logic if TAGS[logic.value] in logics]
    written = meant_pairs(settings.seed * 1000 + epoch, count // 2, kinds)
    both = [*users, *written, *islice(fresh, count - len(written))]
    rng.shuffle(both)
    return both


def _save(path: Path, state: TrainingState, progress: dict[str, Any]) -> None:
    content = {
        "network": state.network.state_dict(),
        "average": state.average.state_dict(),
        "optimiser": state.optimiser.state_dict(),
        "step": state.step,
        "seconds": state.seconds,
        **progress,
    }
    beside = path.with_suffix(".part")
    torch.save(content, beside)
    beside.replace(path)
