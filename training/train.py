"""Train one of the embedded models on written and synthetic sentences; run again to go on from the last checkpoint.

    python training/train.py translator      English -> formula for LTL and STL, the one that answers
    python training/train.py spatial         the same for SpaTiaL, whose sentences are the longest
    python training/train.py second          English -> formula, smaller, another seed: the judge's second opinion
    python training/train.py reverse         formula -> English: the judge's noisy channel

Each starts from the shipped network of its name (``--fresh``: from nothing), and writes ``runs/NAME/checkpoint.pt`` and
``runs/NAME/log.csv``; ``training/export.py runs/NAME`` turns the checkpoint into int8 weights. Half of the pairs come from the
written corpus, the other half from the generator (``--written`` sets another share).
"""

from __future__ import annotations

import argparse
import pickle
import random
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import torch

from assent.embedded.opinions import renumbered
from assent.embedded.tokens import SIGNALS, TAGS, TARGETS, TokenVocabulary, untyped
from assent.logic.ast import Logic
from assent_train import checkpoints
from assent_train.batches import Pair, TrainingBatch, feed, make_batches, source_vocabulary, typed
from assent_train.contrast import Contrast, ContrastBatch, contrast_batches, contrast_loss
from assent_train.corpus.generate import pairs
from assent_train.finetune import start_from, with_signals
from assent_train.loop import (
    TrainingPlan,
    TrainingState,
    load,
    loss_of,
    train,
    with_meanings,
    with_more_layers,
    with_more_words,
)
from assent_train.network import NetworkShape, TrainedNetwork
from assent_train.written.streams import held_out_pairs, words_of_rows, written_pairs

ROOT = Path(__file__).resolve().parent.parent
PLAIN = (Logic.LTL, Logic.LTL, Logic.LTL, Logic.STL, Logic.STL)
ALL = (*PLAIN, Logic.SPATIAL)
NEWEST = 0.25
"""Share of the written pairs that come from the newest rows, where ``--newest`` names any."""


def _with_tags(drawn: Iterable[Any]) -> list[Pair]:
    return [((TAGS[pair.logic.value], *typed(pair.source, pair.target)), pair.target) for pair in drawn]


def synthetic(seed: int, count: int, logics: Sequence[Logic]) -> list[Pair]:
    """English -> formula from the generator."""
    if set(logics) == {Logic.SPATIAL}:
        return _with_tags(islice(pairs(seed, logic=Logic.SPATIAL), count))
    return _with_tags(islice((pair for pair in pairs(seed) if pair.logic in logics), count))


def forward_pairs(
    seed: int, count: int, logics: Sequence[Logic], share: float, newest: int = 0
) -> list[Pair]:
    """English -> formula; ``share`` of them from the written corpus, of these a quarter from its ``newest`` rows."""
    written = round(count * share)
    young = {"newest": newest, "share": NEWEST if newest else 0.0}
    if set(logics) == {
        Logic.SPATIAL
    }:  # the language of time is the same: a third of the written pairs are plain ones
        others = written_pairs(seed, written // 3, PLAIN, **young)
        written -= len(others)
    else:
        others = []
    return [
        *synthetic(seed, count - written - len(others), logics),
        *written_pairs(seed, written, logics, **young),
        *others,
    ]


def turned(drawn: Iterable[Pair]) -> list[Pair]:
    """Formula -> English; the logic tag moves to the formula's front, placeholders count in its order."""
    out: list[Pair] = []
    for left, right in drawn:
        formula, text = renumbered(right, [untyped(token) for token in left[1:]])
        out.append(((left[0], *formula), text))
    return out


def backward_pairs(
    seed: int, count: int, logics: Sequence[Logic], share: float, newest: int = 0
) -> list[Pair]:
    return turned(forward_pairs(seed, count, logics, share, newest))


@dataclass(frozen=True)
class Recipe:
    """What one model is made of."""

    seed: int
    plan: TrainingPlan
    width: int
    heads: int
    encoder: int
    decoder: int
    inner: int
    logics: tuple[Logic, ...]
    backward: bool = False


RECIPES = {
    "translator": Recipe(1, TrainingPlan(minutes=90), 160, 5, 4, 2, 640, PLAIN),
    "second": Recipe(2, TrainingPlan(minutes=45, tokens=4500), 128, 4, 2, 2, 512, ALL),
    "spatial": Recipe(4, TrainingPlan(minutes=60), 160, 5, 5, 3, 640, (Logic.SPATIAL,)),
    "reverse": Recipe(3, TrainingPlan(minutes=75, tokens=4500), 128, 4, 3, 3, 512, ALL, backward=True),
}


def first_state(
    name: str, recipe: Recipe, sample: Sequence[Pair], *, fresh: bool, dropout: float
) -> TrainingState:
    """The shipped network with room for the words of ``sample`` and of the written rows, or a new one."""
    shipped = checkpoints() / f"{name}.pt"
    words = words_of_rows()
    if not fresh and shipped.exists():
        return _with_words(start_from(shipped, sample, dropout=dropout), words, backward=recipe.backward)
    if recipe.backward:
        source, target = TokenVocabulary(TARGETS), TokenVocabulary(TARGETS[:3])
        source = source.grown(token for left, _ in sample for token in left)
        target = target.grown(source_vocabulary((right, ()) for _, right in sample).tokens).grown(words)
    else:
        source = source_vocabulary(sample).grown(words)
        target = TokenVocabulary(TARGETS).grown(token for _, right in sample for token in right)
    shape = NetworkShape(
        len(source),
        len(target),
        recipe.width,
        recipe.heads,
        recipe.encoder,
        recipe.decoder,
        recipe.inner,
        dropout,
    )
    return TrainingState(TrainedNetwork(shape), source, target)


def _with_words(state: TrainingState, words: Sequence[str], *, backward: bool) -> TrainingState:
    """Room for the words on the side of English, and for every operator on the other."""
    english, formulas = (state.target, state.source) if backward else (state.source, state.target)
    english, formulas = english.grown(words), formulas.grown(TARGETS)
    return (
        with_more_words(state, formulas, english) if backward else with_more_words(state, english, formulas)
    )


def again(path: Path, recipe: Recipe, *, restart: bool) -> TrainingState:
    """The run's last state with room for words of rows that have come since; ``restart``: its clock set to nothing."""
    state = load(path)
    if restart:
        state.step, state.seconds, state.chunk, state.examples = 0, 0.0, state.chunk, 0
    words = words_of_rows() if recipe.backward else [*SIGNALS, *words_of_rows()]
    grown = _with_words(state, words, backward=recipe.backward)
    return grown if recipe.backward else with_signals(grown, {"source": state.source.tokens})


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=RECIPES)
    parser.add_argument("--minutes", type=float, help="training time in all, checkpoints included")
    parser.add_argument("--written", type=float, default=0.5, help="share of the written corpus")
    parser.add_argument("--newest", type=int, default=0, metavar="N", help="draw more of the last N rows")
    parser.add_argument("--fresh", action="store_true", help="from nothing, not from the shipped network")
    parser.add_argument("--restart", action="store_true", help="the last checkpoint, with a new schedule")
    parser.add_argument("--rate", type=float, default=0.5, help="learning rate against that of a fresh run")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--encoder", type=int, help="layers")
    parser.add_argument(
        "--meant", type=float, default=0.12, help="share of the English words read by their meaning alone"
    )
    parser.add_argument(
        "--bfloat16", action="store_true", help="faster on processors that multiply in bfloat16"
    )
    parser.add_argument("--folder", type=Path, help="where the run lives (default runs/NAME)")
    parser.add_argument(
        "--contrasts",
        type=Path,
        nargs="+",
        default=[],
        help="rows of make_contrasts.py instead of fresh pairs",
    )
    parser.add_argument(
        "--contrast", type=float, default=0.5, help="weight of telling right from wrong readings"
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # save, and end the feeder too
    recipe = RECIPES[args.name]
    plan = replace(recipe.plan, matrix_rate=0.02 * args.rate, other_rate=3e-3 * args.rate)
    plan = replace(plan, warmup=plan.warmup if args.fresh else 40, minutes=args.minutes or plan.minutes)
    plan = replace(plan, bfloat16=args.bfloat16, meant=0.0 if recipe.backward else args.meant)
    folder = args.folder or ROOT / "runs" / args.name
    made = backward_pairs if recipe.backward else forward_pairs
    stream: Callable[[int, int], list[Pair]] = partial(
        made, logics=recipe.logics, share=args.written, newest=args.newest
    )
    torch.manual_seed(recipe.seed)
    checkpoint = folder / "checkpoint.pt"
    if checkpoint.exists():
        state = again(checkpoint, recipe, restart=args.restart)
    else:
        sample = partial(made, logics=recipe.logics, share=0.0)(77, 30_000)
        state = first_state(args.name, recipe, sample, fresh=args.fresh, dropout=args.dropout)
    for network in (state.network, state.average):
        for module in network.modules():
            if hasattr(module, "dropout"):
                module.dropout = args.dropout
    state = with_more_layers(state, args.encoder or state.network.shape.encoder, state.network.shape.decoder)
    if plan.meant:
        state = with_meanings(state)
    print(
        f"{args.name}: {sum(p.numel() for p in state.network.parameters()):,} parameters, "
        f"{len(state.source)} source and {len(state.target)} target tokens, step {state.step}",
        file=sys.stderr,
        flush=True,
    )

    def batches(drawn: Sequence[Pair], seed: int, drop: float, meant: float) -> list[TrainingBatch]:
        return make_batches(
            drawn, state.source, state.target, tokens=plan.tokens, seed=seed, drop=drop, meant=meant
        )

    rows: list[Contrast] = [row for file in args.contrasts for row in pickle.loads(file.read_bytes())]
    if args.contrasts and (recipe.backward or not rows):
        parser.error(
            "--contrasts: rows of make_contrasts.py are for networks that read English, and none are here"
        )

    def told_apart(number: int) -> list[ContrastBatch]:
        some = random.Random(number).sample(rows, min(8192, len(rows)))
        return contrast_batches(
            some,
            state.source,
            state.target,
            tokens=plan.tokens,
            seed=number,
            drop=plan.drop,
            meant=plan.meant,
        )

    def chunks() -> Iterator[tuple[int, list[Any]]]:
        if rows:
            yield from ((number, told_apart(number)) for number in count(state.chunk))
        for number, drawn in feed(stream, seed=recipe.seed, first=state.chunk, size=8192):
            yield number, batches(drawn, number, plan.drop, plan.meant)

    apart = held_out_pairs(sorted(set(recipe.logics)))
    held_out = batches(turned(apart) if recipe.backward else apart, 0, 0.0, 0.0)
    train(
        state,
        plan,
        chunks(),
        folder=folder,
        held_out=held_out,
        report=lambda text: print(text, file=sys.stderr, flush=True),
        loss=partial(contrast_loss, weight=args.contrast) if rows else loss_of,
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
