"""Train one of the embedded models on the synthetic corpus; run again to go on from the last checkpoint.

    python training/train.py translator      English -> formula, the one that answers
    python training/train.py second          English -> formula, smaller, another seed: the judge's second opinion
    python training/train.py spatial         the translator taken further on SpaTiaL alone, whose sentences are the longest
    python training/train.py reverse         formula -> English: the judge's noisy channel

Each writes ``runs/NAME/checkpoint.pt`` and ``runs/NAME/log.csv``; ``training/export.py runs/NAME`` turns the
checkpoint into int8 weights. ``sh training/make.sh`` runs everything in order.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from assent.embedded.reverse import renumbered
from assent.embedded.tokens import TAGS, TARGETS, Vocabulary
from assent.logic.ast import Logic
from assent_train.batches import Batch, Pair, feed, make_batches, source_vocabulary
from assent_train.corpus.generate import pairs
from assent_train.loop import Plan, State, load, train, with_more_layers, with_more_words
from assent_train.network import Network, Shape

ROOT = Path(__file__).resolve().parent.parent


def _with_tags(drawn: Iterable[Any]) -> list[Pair]:
    return [((TAGS[pair.logic.value], *pair.source), pair.target) for pair in drawn]


def forward_pairs(seed: int, count: int) -> list[Pair]:
    """English -> formula. SpaTiaL, whose sentences are the longest, gets a quarter more than its share."""
    more = count // 4
    return [*_with_tags(islice(pairs(seed), count - more)), *spatial_pairs(seed, more)]


def spatial_pairs(seed: int, count: int) -> list[Pair]:
    """English -> formula, SpaTiaL alone."""
    return _with_tags(islice(pairs(seed, logic=Logic.SPATIAL), count))


def plain_pairs(seed: int, count: int) -> list[Pair]:
    """English -> formula, LTL and STL alone."""
    return _with_tags(islice((pair for pair in pairs(seed) if pair.logic is not Logic.SPATIAL), count))


def backward_pairs(seed: int, count: int) -> list[Pair]:
    """Formula -> English; the logic tag moves to the formula's front, placeholders count in its order."""
    turned: list[Pair] = []
    for left, right in forward_pairs(seed, count):
        formula, text = renumbered(right, left[1:])
        turned.append(((left[0], *formula), text))
    return turned


@dataclass(frozen=True)
class Recipe:
    """What one model is made of."""

    seed: int
    plan: Plan
    width: int
    heads: int
    encoder: int
    decoder: int
    inner: int
    backward: bool = False
    start: str | None = None
    """The run whose weights are taken further, on SpaTiaL alone."""


RECIPES = {
    "translator": Recipe(1, Plan(minutes=253, tokens=6000), 160, 5, 4, 2, 640),
    "second": Recipe(2, Plan(minutes=124, tokens=4500), 128, 4, 2, 2, 512),
    "spatial": Recipe(4, Plan(minutes=232, tokens=6000, cooldown=0.6), 160, 5, 5, 3, 640, start="translator"),
    "reverse": Recipe(3, Plan(minutes=70, tokens=4500), 128, 4, 2, 2, 512, backward=True),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=RECIPES)
    parser.add_argument("--minutes", type=float, help="training time in all, checkpoints included")
    parser.add_argument("--without-spatial", action="store_true", help="go on with LTL and STL alone")
    parser.add_argument("--folder", type=Path, help="where the run lives (default runs/NAME)")
    parser.add_argument("--words-from", type=int, default=150_000, help="pairs read to learn the words")
    args = parser.parse_args()
    torch.set_num_threads(1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # save, and end the feeder too
    recipe = RECIPES[args.name]
    plan = replace(recipe.plan, minutes=args.minutes) if args.minutes else recipe.plan
    folder = args.folder or ROOT / "runs" / args.name
    stream = backward_pairs if recipe.backward else spatial_pairs if recipe.start else forward_pairs
    stream = plain_pairs if args.without_spatial else stream
    torch.manual_seed(recipe.seed)

    sample = stream(77, args.words_from)
    if recipe.backward:
        source, target = Vocabulary(TARGETS), Vocabulary(TARGETS[:3])
        source = source.grown(token for left, _ in sample for token in left)
        target = target.grown(source_vocabulary((right, ()) for _, right in sample).tokens)
    else:
        source = source_vocabulary(sample)
        target = Vocabulary(TARGETS).grown(token for _, right in sample for token in right)
    checkpoint = folder / "checkpoint.pt"
    if recipe.start and not checkpoint.exists():
        state = load(ROOT / "runs" / recipe.start / "checkpoint.pt")
        state.step, state.seconds, state.chunk, state.examples = 0, 0.0, 0, 0
    elif checkpoint.exists():
        state = load(checkpoint)
        state = with_more_words(state, state.source.grown(source.tokens), state.target.grown(target.tokens))
    else:
        shape = Shape(
            len(source), len(target), recipe.width, recipe.heads, recipe.encoder, recipe.decoder, recipe.inner
        )
        state = State(Network(shape), source, target)
    state = with_more_layers(state, recipe.encoder, recipe.decoder)
    print(
        f"{args.name}: {sum(p.numel() for p in state.network.parameters()):,} parameters, "
        f"{len(state.source)} source and {len(state.target)} target tokens, step {state.step}",
        file=sys.stderr,
        flush=True,
    )

    def batches(drawn: list[Pair], seed: int, drop: float) -> list[Batch]:
        return make_batches(drawn, state.source, state.target, tokens=plan.tokens, seed=seed, drop=drop)

    def chunks() -> Iterator[tuple[int, list[Batch]]]:
        for number, drawn in feed(stream, seed=recipe.seed, first=state.chunk, size=8192):
            yield number, batches(drawn, number, plan.drop)

    held_out = batches(stream(99, 1000), 0, 0.0)
    train(
        state,
        plan,
        chunks(),
        folder=folder,
        held_out=held_out,
        report=lambda text: print(text, file=sys.stderr, flush=True),
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
