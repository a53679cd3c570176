"""The training loop: fresh pairs without end, checkpoints, a moving average of the weights, a log to plot."""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as fn

from assent.embedded.embedder import Embedder
from assent.embedded.tokens import TokenVocabulary
from assent_train.batches import TrainingBatch
from assent_train.network import MEANING_SIZE, NetworkShape, TrainedNetwork, grow, set_meanings
from assent_train.optimise import Muon

PROGRESS = ("step", "seconds", "chunk", "examples")


@dataclass(frozen=True)
class TrainingPlan:
    """How long and how fast. The rate warms up, stays, and falls to nothing over the last part (``cooldown``)."""

    minutes: float = 90.0
    warmup: int = 200
    cooldown: float = 0.35
    matrix_rate: float = 0.02
    other_rate: float = 3e-3
    tokens: int = 6000
    average: float = 0.998
    drop: float = 0.04
    meant: float = 0.0
    """Share of the words that a network with word vectors reads by them alone."""
    checkpoint_seconds: float = 180.0
    bfloat16: bool = False
    """Multiply in bfloat16 (weights, sums and gradients stay as they are): faster where the processor knows it."""

    def rate(self, step: int, seconds: float) -> float:
        left = max(0.0, 1.0 - seconds / (self.minutes * 60))
        return min(1.0, (step + 1) / self.warmup) * min(1.0, left / self.cooldown if self.cooldown else 1.0)


@dataclass
class TrainingState:
    """All that a run needs to go on later."""

    network: TrainedNetwork
    source: TokenVocabulary
    target: TokenVocabulary
    average: TrainedNetwork = field(init=False)
    optimiser: Muon = field(init=False)
    step: int = 0
    seconds: float = 0.0
    chunk: int = 0
    examples: int = 0

    def __post_init__(self) -> None:
        if self.network.meaning is not None:
            set_meanings(self.network, self.source.tokens, Embedder().embed)
        self.average = deepcopy(self.network).requires_grad_(False)
        self.average.eval()
        self.optimiser = Muon(self.network)

    def save(self, path: Path, plan: TrainingPlan) -> None:
        """Written beside and moved into place, so that a broken write leaves the old one."""
        content = {
            "shape": self.network.shape.to_dict(),
            "source": self.source.tokens,
            "target": self.target.tokens,
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "progress": {name: getattr(self, name) for name in PROGRESS},
            "plan": asdict(plan),
        }
        beside = path.with_suffix(".part")
        torch.save(content, beside)
        beside.replace(path)


def load(path: Path) -> TrainingState:
    """A checkpoint as a state to go on from."""
    content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    network = TrainedNetwork(NetworkShape(**content["shape"]))
    network.load_state_dict(content["network"])
    state = TrainingState(network, TokenVocabulary(content["source"]), TokenVocabulary(content["target"]))
    state.average.load_state_dict(content["average"])
    state.optimiser.load_state_dict(content["optimiser"])
    for name, value in content["progress"].items():
        setattr(state, name, value)
    return state


def with_more_words(state: TrainingState, source: TokenVocabulary, target: TokenVocabulary) -> TrainingState:
    """The same run with larger vocabularies (the optimiser's memory starts afresh)."""
    if (len(source), len(target)) == (len(state.source), len(state.target)):
        return state
    return _grown(state, source, target, source=len(source), target=len(target))


def with_more_layers(state: TrainingState, encoder: int, decoder: int) -> TrainingState:
    """The same run with a deeper network (the optimiser's memory starts afresh)."""
    if (encoder, decoder) == (state.network.shape.encoder, state.network.shape.decoder):
        return state
    return _grown(state, state.source, state.target, encoder=encoder, decoder=decoder)


def with_meanings(state: TrainingState) -> TrainingState:
    """The same run with word vectors beside the words' own rows; they add nothing until it has learnt something."""
    if state.network.meaning is not None:
        return state
    return _grown(state, state.source, state.target, meaning=MEANING_SIZE)


def _grown(
    state: TrainingState, source_words: TokenVocabulary, target_words: TokenVocabulary, **sizes: int
) -> TrainingState:
    bigger = TrainingState(grow(state.network, sizes), source_words, target_words)
    bigger.average = grow(state.average, sizes, like=bigger.network).requires_grad_(False)
    bigger.average.vectors.copy_(bigger.network.vectors)
    bigger.average.eval()
    for name in PROGRESS:
        setattr(bigger, name, getattr(state, name))
    return bigger


def loss_of(network: TrainedNetwork, batch: TrainingBatch, smoothing: float = 0.0) -> torch.Tensor:
    logits = network(batch.source, batch.lengths, batch.target)
    return fn.cross_entropy(
        logits.flatten(0, 1), batch.wanted.flatten(), ignore_index=-100, label_smoothing=smoothing
    )


Loss = Callable[[TrainedNetwork, Any], torch.Tensor]
"""Of a network on a batch of whatever kind ``chunks`` holds."""


@torch.no_grad()
def validate(network: TrainedNetwork, batches: Sequence[TrainingBatch]) -> tuple[float, float]:
    """Mean loss a token, and the share of sentences whose every token comes first (given the right ones before)."""
    total, tokens, right, rows = 0.0, 0, 0, 0
    for batch in batches:
        logits = network(batch.source, batch.lengths, batch.target)
        wanted = batch.wanted
        count = int((wanted != -100).sum())
        total += float(fn.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=-100)) * count
        tokens += count
        right += int(((logits.argmax(-1) == wanted) | (wanted == -100)).all(dim=1).sum())
        rows += len(wanted)
    return total / max(1, tokens), right / max(1, rows)


def train(
    state: TrainingState,
    plan: TrainingPlan,
    chunks: Iterable[tuple[int, list[Any]]],
    *,
    folder: Path,
    held_out: Sequence[TrainingBatch],
    report: Callable[[str], None],
    loss: Loss = loss_of,
) -> TrainingState:
    """Go on until the plan's minutes are used up; ``folder`` gets ``checkpoint.pt`` and ``log.csv``."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return _train(state, plan, chunks, folder, held_out, report, loss)
    except (KeyboardInterrupt, SystemExit):
        state.save(folder / "checkpoint.pt", plan)
        raise


def _train(
    state: TrainingState,
    plan: TrainingPlan,
    chunks: Iterable[tuple[int, list[Any]]],
    folder: Path,
    held_out: Sequence[TrainingBatch],
    report: Callable[[str], None],
    loss_on: Loss,
) -> TrainingState:
    state.optimiser.matrix_rate, state.optimiser.other_rate = plan.matrix_rate, plan.other_rate
    state.optimiser.number = torch.bfloat16 if plan.bfloat16 else torch.float32
    last, saved, losses = time.monotonic(), time.monotonic(), []
    for number, batches in chunks:
        last = time.monotonic() if time.monotonic() - last > 30 else last  # waiting is not training
        for batch in batches:
            rate = plan.rate(state.step, state.seconds)
            if rate <= 0:
                break
            with torch.autocast("cpu", torch.bfloat16, enabled=plan.bfloat16):
                loss = loss_on(state.network, batch)
            state.optimiser.zero_grad()
            loss.backward()
            state.optimiser.step(rate)
            keep = min(plan.average, (state.step + 1) / (state.step + 10))
            with torch.no_grad():
                for slow, fast in zip(state.average.parameters(), state.network.parameters(), strict=True):
                    slow.lerp_(fast, 1 - keep)
            losses.append(float(loss.detach()))
            state.step += 1
            state.examples += len(batch.lengths)
            now = time.monotonic()
            state.seconds += now - last
            last = now
            if not math.isfinite(losses[-1]):
                raise FloatingPointError(f"the loss is {losses[-1]} at step {state.step}")
        state.chunk = number + 1
        finished = plan.rate(state.step, state.seconds) <= 0
        if finished or time.monotonic() - saved > plan.checkpoint_seconds:
            loss_held, right = validate(state.average, held_out)
            row = [
                state.step,
                round(state.seconds),
                state.examples,
                round(sum(losses) / max(1, len(losses)), 4),
            ]
            row += [round(loss_held, 4), round(right, 4), round(plan.rate(state.step, state.seconds), 4)]
            _log(folder / "log.csv", row)
            state.save(folder / "checkpoint.pt", plan)
            report(
                f"step {row[0]} · {row[1]} s · {row[2]} examples · loss {row[3]} · held out {row[4]}, "
                f"{100 * right:.1f} % of sentences · rate {row[6]}"
            )
            saved, losses, last = time.monotonic(), [], time.monotonic()
        if finished:
            break
    return state


def _log(path: Path, row: list[Any]) -> None:
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(
                ["step", "seconds", "examples", "loss", "held_out_loss", "held_out_exact", "rate"]
            )
        writer.writerow(row)
