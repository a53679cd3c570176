"""How many answers a promise of one's own takes: a few drawn by lot, against labelling everything.

    assent bench review                     on recorded/llm_ltl.jsonl of ASSENT_SHARED (or of ../shared); where
                                            there is none, on a made-up stream like it, and it says so
    assent bench review --recording FILE    on recorded translations with references

Streams are redrawn from the recording, so the true risk of every threshold is known. Draws follow the threshold in
use (anytime rule, delta = 0.1). ``answers`` and ``acceptance`` are those at the end of the stream; ``same`` is how
many answers the way of asking needs until it accepts as much as "a few of both" (audit 0.1, abstained 0.3) does
in the end, and each ``fewer`` compares the column before it with labelling everything. ``broke`` is the share of
streams in which a threshold with a true risk above alpha was ever in use.
Certificates: at most 5 % wrong with 95 % confidence, the number of audits fixed beforehand so that 4 of 5 documents
pass. Figures of simulated streams, no promise.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assent.benchmarks.lazy import found
from assent.calibrate import anytime, crc
from assent.calibrate.certificate import audits_needed, tail
from assent.calibrate.rules import Rule, Threshold
from assent.errors import UsageError

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

ALPHAS = ("0.1", "0.05")
DELTA = "0.1"
STEP = 200
"""Items between two moves of the threshold."""
PLAN = "a few of both"
WAYS: dict[str, tuple[str, str]] = {
    "everything": ("1", "1"),
    "all abstentions": ("0.1", "1"),
    PLAN: ("0.1", "0.3"),
    "more audits": ("0.2", "0.1"),
    "uniform 0.1": ("0.1", "0.1"),
    "uniform 0.3": ("0.3", "0.3"),
}
"""Probability of asking about an accepted formula, and about an abstention."""
REQUIREMENTS, SHARE, CONFIDENCE = 300, Fraction(5, 100), "0.95"
CAREFUL = ("0.01", "0.025")
"""The alphas of the policies whose documents are certified."""
SURE = 0.8
AIM = 2.5
DOCUMENTS = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--recording", metavar="FILE", help="recorded translations with references, JSON lines"
    )
    parser.add_argument(
        "--items", type=int, default=4000, metavar="N", help="instructions of a stream (4000)"
    )
    parser.add_argument(
        "--streams", type=int, default=20, metavar="N", help="simulated streams of each kind (20)"
    )
    parser.add_argument("--seed", type=int, default=13, metavar="N")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def run(args: argparse.Namespace) -> int:
    if args.items < STEP or args.streams < 1:
        raise UsageError(f"a stream has at least {STEP} items, and there is at least one")
    world = World.of(args.recording)
    streams = compared(world, args.items, args.streams, args.seed)
    documents = certified(world, args.seed)
    if args.json:
        rows = {
            "streams": [asdict(row) for row in streams],
            "certificates": [asdict(row) for row in documents],
        }
        print(json.dumps({"source": world.source, "items": args.items, **rows}))
    else:
        print(f"{world.source}: {len(world.scores)} rows, {world.wrong.mean():.3f} wrong; ", end="")
        print(f"{args.streams} streams of {args.items} items, delta = {DELTA}")
        print_streams(streams)
        print_documents(documents)
    return 0


@dataclass(frozen=True)
class World:
    """Scores and labels to draw streams from; ``closed`` rows are withheld whatever their score."""

    source: str
    scores: Floats
    wrong: Flags
    closed: Flags

    @classmethod
    def of(cls, recording: str | None) -> World:
        """The named recording, the one that is found, or a made-up one."""
        if recording is not None:
            return cls.recorded(Path(recording))
        try:
            return cls.recorded(found())
        except UsageError:
            return cls.made_up()

    @classmethod
    def recorded(cls, file: Path) -> World:
        from assent.evaluate.labels import load
        from assent.policy.make import default_channel

        data = load(file)
        closed = np.array([why is not None for why in data.withheld(None)], dtype=np.bool_)
        return cls(file.name, data.scores(default_channel(data)), data.wrong, closed)

    @classmethod
    def made_up(cls, rows: int = 1000) -> World:
        """Most scores near 0, a sixth wrong, unanimous errors among the lowest: like the recorded model."""
        rng = np.random.default_rng(0)
        scores = np.round(0.5 * rng.random(rows) ** 5, 4)
        wrong = rng.random(rows) < np.clip(0.03 + 2 * np.sqrt(scores) / 3, 0, 0.8)
        return cls("made-up stream", scores, wrong, np.zeros(rows, dtype=np.bool_))

    def takes(self, rule: Rule) -> Flags:
        """Which rows a rule accepts."""
        return accepts(rule, self.scores) & ~self.closed


def accepts(rule: Rule, scores: Floats) -> Flags:
    """Which scores a rule accepts: none where it is infeasible."""
    return rule.accepts_all(scores) if isinstance(rule, Threshold) else np.zeros(len(scores), dtype=np.bool_)


@dataclass(frozen=True)
class BenchStreamRow:
    """One way of asking: means over the streams."""

    alpha: float
    way: str
    answers: float
    acceptance: float
    risk: float
    broke: float
    """The share of streams in which a threshold with a true risk above alpha was ever in use (promised: delta)."""
    same: float | None
    """Answers until it accepts as much as the plan does in the end; None: not within the stream."""
    fewer: float | None
    """How many times fewer answers than labelling everything until then."""
    fewer_in_stream: float
    """How many times fewer answers than labelling every item of the stream."""


def compared(world: World, items: int, streams: int, seed: int) -> list[BenchStreamRow]:
    """A row for each alpha and way of asking; every way sees the same streams."""
    rows = []
    for alpha in ALPHAS:
        paths = {
            way: np.array([followed(world, alpha, chances, items, seed + k) for k in range(streams)])
            for way, chances in WAYS.items()
        }
        aim = float(paths[PLAN][:, -1, 1].mean())
        everything = paths["everything"]
        base = until(everything, aim)
        for way, path in paths.items():
            answers, acceptance, risk = (float(value) for value in path[:, -1].mean(axis=0))
            same = until(path, aim)
            rows.append(
                BenchStreamRow(
                    alpha=float(alpha),
                    way=way,
                    answers=answers,
                    acceptance=acceptance,
                    risk=risk,
                    broke=float((path[:, :, 2] > float(alpha)).any(axis=1).mean()),
                    same=same,
                    fewer=None if same is None or base is None else base / same,
                    fewer_in_stream=float(everything[:, -1, 0].mean()) / answers,
                )
            )
    return rows


def followed(world: World, alpha: str, chances: tuple[str, str], items: int, seed: int) -> Floats:
    """One stream under the anytime rule: (answers, acceptance, true risk) after every step.

    The grid of thresholds is from every third row (scores only); the score itself is the guess of being wrong.
    """
    rng = np.random.default_rng(seed)
    least = min(chances, key=float)
    state = anytime.start(anytime.even_grid(world.scores[::3]), alpha=alpha, delta=DELTA, least=least)
    path = []
    for _ in range(items // STEP):
        at, coins = rng.integers(0, len(world.scores), STEP), rng.random(STEP)
        scores, closed = world.scores[at], world.closed[at]
        accepted = accepts(anytime.rule(state), scores) & ~closed
        chance = np.where(accepted, float(chances[0]), float(chances[1]))
        drawn = (coins < chance) & ~closed
        state = anytime.advance(
            state, scores, drawn, world.wrong[at], chance, guesses=scores, deferred=closed
        )
        taken = world.takes(anytime.rule(state))
        path.append((state.answers, taken.mean(), (taken & world.wrong).mean()))
    return np.array(path, dtype=np.float64)


def until(path: Floats, aim: float) -> float | None:
    """Mean answers at the first step at which the mean acceptance is the aim; None where it never is."""
    answers, acceptance = path[:, :, 0].mean(axis=0), path[:, :, 1].mean(axis=0)
    reached = np.flatnonzero(acceptance >= aim - 1e-12)
    return float(answers[reached[0]]) if aim > 0 and len(reached) else None


@dataclass(frozen=True)
class DocumentRow:
    """Certifying documents of one kind: at most ``at_most`` wrong formulas among the ``accepted`` (means)."""

    alpha: float
    kind: str
    accepted: float
    wrong: float
    at_most: int
    everything: float
    """Answers if every accepted formula is looked at."""
    uniform: float | None
    """If requirements are audited whether accepted or not; None: no number short of all does."""
    audits: float | None
    """If only accepted formulas are audited."""
    fewer: float | None


def certified(world: World, seed: int, documents: int = DOCUMENTS) -> list[DocumentRow]:
    """Documents of 300 requirements (5 % of all) and of 300 accepted formulas (5 % of these), for each policy.

    The policies are made by conformal risk control from every third row, the documents drawn from the others.
    """
    rng = np.random.default_rng(seed)
    fit = np.arange(len(world.scores)) % 3 == 0
    aim = int(SHARE * REQUIREMENTS)
    rows = []
    for alpha in CAREFUL:
        made = crc(world.scores[fit], world.wrong[fit] & ~world.closed[fit], alpha=alpha)
        taken, wrong = world.takes(made)[~fit], world.wrong[~fit]
        if not taken.any():
            continue
        at = rng.integers(0, len(taken), (documents, REQUIREMENTS))
        sizes = taken[at].sum(axis=1).tolist()
        bad = (taken & wrong)[at].sum(axis=1).tolist()
        rows.append(_document(float(alpha), "300 requirements", sizes, bad, aim, whole=REQUIREMENTS))
        bad = rng.choice(wrong[taken], (documents, REQUIREMENTS)).sum(axis=1).tolist()
        rows.append(_document(float(alpha), "300 accepted", [REQUIREMENTS] * documents, bad, aim, whole=None))
    return rows


def _document(
    alpha: float, kind: str, sizes: Sequence[int], bad: Sequence[int], aim: int, *, whole: int | None
) -> DocumentRow:
    audits = audits_for(sizes, bad, aim)
    everything = float(np.mean(sizes))
    return DocumentRow(
        alpha=alpha,
        kind=kind,
        accepted=everything,
        wrong=float(np.mean(bad)),
        at_most=aim,
        everything=everything,
        uniform=audits if whole is None else audits_for([whole] * len(sizes), bad, aim),
        audits=audits,
        fewer=None if not audits else everything / audits,
    )


def audits_for(sizes: Sequence[int], bad: Sequence[int], aim: int) -> float | None:
    """Mean audits so that 4 of 5 documents are certified; the number of wrong ones allowed is fixed beforehand."""
    for allowed in range(aim + 1):
        counts = [audits_needed(size, aim, CONFIDENCE, wrong=min(allowed, aim)) for size in sizes]
        audits = [size if count is None else count for size, count in zip(sizes, counts, strict=True)]
        passed = [
            float(tail(size, min(k, size), m, allowed)) for size, k, m in zip(sizes, bad, audits, strict=True)
        ]
        if np.mean(passed) >= SURE:
            return float(np.mean(audits))
    return None


def print_streams(rows: Sequence[BenchStreamRow]) -> None:
    print(
        f"{'alpha':>6} {'asked about':<16} {'answers':>8} {'accepted':>9} {'risk':>6} {'broke':>6} {'fewer':>6}"
        f" {'same':>7} {'fewer':>6}"
    )
    for row in rows:
        print(
            f"{row.alpha:>6.2f} {row.way:<16} {row.answers:>8.0f} {row.acceptance:>9.3f} {row.risk:>6.3f} "
            f"{row.broke:>6.2f} {row.fewer_in_stream:>5.1f}x {_shown(row.same, 7)} {_shown(row.fewer, 5, 1)}x"
        )
    for alpha in sorted({row.alpha for row in rows}, reverse=True):
        print(aimed({row.way: row for row in rows if row.alpha == alpha}))


def aimed(rows: Mapping[str, BenchStreamRow]) -> str:
    """The plan against the aim, in words."""
    plan, all_of_them = rows[PLAN], rows["all abstentions"]
    everything = rows["everything"].same
    until_then = "-" if everything is None else f"{everything / plan.answers:.1f}x"
    return (
        f"alpha = {plan.alpha:g}, {PLAN} ({plan.answers:.0f} answers, aim {AIM}x fewer): {until_then} fewer than "
        f"labelling everything and stopping at the same acceptance, {plan.fewer_in_stream:.1f}x fewer than the whole "
        f"stream ({plan.acceptance:.3f} accepted instead of {rows['everything'].acceptance:.3f}), "
        f"{all_of_them.answers / plan.answers:.1f}x fewer than all its abstentions ({all_of_them.acceptance:.3f})"
    )


def print_documents(rows: Sequence[DocumentRow]) -> None:
    print(f"certificates: at most {int(SHARE * REQUIREMENTS)} wrong with {CONFIDENCE} confidence")
    print(
        f"{'alpha':>6} {'document':<16} {'accepted':>9} {'wrong':>6} {'all':>6} {'uniform':>8} "
        f"{'audits':>7} {'fewer':>6}"
    )
    for row in rows:
        print(
            f"{row.alpha:>6.3f} {row.kind:<16} {row.accepted:>9.0f} {row.wrong:>6.1f} {row.everything:>6.0f} "
            f"{_shown(row.uniform, 8)} {_shown(row.audits, 7)} {_shown(row.fewer, 5, 1)}x"
        )


def _shown(value: float | None, width: int, digits: int = 0) -> str:
    return f"{'-' if value is None else format(value, f'.{digits}f'):>{width}}"
