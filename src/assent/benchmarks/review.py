"""How many answers a promise of one's own takes: a few drawn by lot, against labelling everything.

    assent bench review                     on recorded/llm_ltl.jsonl of ASSENT_SHARED (or of ../shared); where
                                            there is none, on a made-up stream like it, and it says so
    assent bench review --recording FILE    on recorded translations with references

Streams are redrawn from the recording, so the true risk of every threshold is known; every way of asking sees the same
ones. Draws follow the threshold in use (anytime rule, delta = 0.1).

First table: means over streams in the end. ``broke`` is the share of streams in which a threshold with a true risk
above alpha was ever in use; ``same`` is how many answers the way needs until it accepts as much as "a few of both"
(audit 0.1, abstained 0.3) does in the end.
Second table: answers of a dear way divided by those of this one, with an interval that holds 90 % of 2,000 bootstrap
resamples over streams. "stopped" means that the dear way stops as soon as it accepts as much; otherwise it goes on to
the end of the stream and accepts more. ``at best`` is about what the best probabilities could give against everything,
stopped, in a stream without end, if the error rate at every score were known (here: fitted, rising with the score).
Certificates: at most 5 % wrong with 95 % confidence, the number of audits fixed beforehand so that 4 of 5 documents
pass. Figures of simulated streams, no promise.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from assent.benchmarks._ratios import BenchRatioRow, rising, until
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


@dataclass(frozen=True)
class ReviewWay:
    """Probability of asking about an accepted formula, and about an abstention, once ``first`` items were all asked."""

    accepted: str
    abstained: str
    first: int = 0

    def chances(self, seen: int) -> tuple[str, str]:
        """The two probabilities after so many items."""
        return ("1", "1") if seen < self.first else (self.accepted, self.abstained)


WAYS = {
    "everything": ReviewWay("1", "1"),
    "all abstentions": ReviewWay("0.1", "1"),
    PLAN: ReviewWay("0.1", "0.3"),
    "more audits": ReviewWay("0.2", "0.1"),
    "uniform 0.1": ReviewWay("0.1", "0.1"),
    "uniform 0.3": ReviewWay("0.3", "0.3"),
    "200, then 0.1": ReviewWay("0.1", "0.1", first=STEP),
}
DEAR = ("everything", "all abstentions")
"""What the others are compared with."""
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
        "--streams", type=int, default=100, metavar="N", help="simulated streams of each kind (100)"
    )
    parser.add_argument("--seed", type=int, default=13, metavar="N")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def run(args: argparse.Namespace) -> int:
    if args.items < STEP or args.streams < 1:
        raise UsageError(f"a stream has at least {STEP} items, and there is at least one")
    world = World.of(args.recording)
    streams, ratios = compared(world, args.items, args.streams, args.seed)
    documents = certified(world, args.seed)
    if args.json:
        rows = {
            "streams": [asdict(row) for row in streams],
            "ratios": [asdict(row) for row in ratios],
            "certificates": [asdict(row) for row in documents],
        }
        print(json.dumps({"source": world.source, "items": args.items, **rows}))
    else:
        print(f"{world.source}: {len(world.scores)} rows, {world.wrong.mean():.3f} wrong; ", end="")
        print(f"{args.streams} streams of {args.items} items, delta = {DELTA}")
        print_streams(streams)
        print_ratios(ratios)
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

    def rates(self) -> Floats:
        """Error rates by score, lowest first, rising; 0 at the end for what is withheld."""
        keys, tied = np.unique(self.scores[~self.closed], return_inverse=True)
        counts = np.bincount(tied, minlength=len(keys))
        means = np.bincount(tied, weights=self.wrong[~self.closed], minlength=len(keys)) / counts
        return np.append(rising(np.repeat(means, counts)), np.zeros(int(self.closed.sum())))

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


def compared(
    world: World, items: int, streams: int, seed: int
) -> tuple[list[BenchStreamRow], list[BenchRatioRow]]:
    """Rows for each alpha and way of asking; every way sees the same streams."""
    rows, ratios = [], []
    for alpha in ALPHAS:
        paths = {
            way: np.array([followed(world, alpha, chances, items, seed + k) for k in range(streams)])
            for way, chances in WAYS.items()
        }
        aim = float(paths[PLAN][:, -1, 1].mean())
        for way, path in paths.items():
            answers, acceptance, risk = (float(value) for value in path[:, -1].mean(axis=0))
            rows.append(
                BenchStreamRow(
                    alpha=float(alpha),
                    way=way,
                    answers=answers,
                    acceptance=acceptance,
                    risk=risk,
                    broke=float((path[:, :, 2] > float(alpha)).any(axis=1).mean()),
                    same=until(path, aim) if aim else None,
                )
            )
        rates = world.rates()
        ratios += [BenchRatioRow.of(float(alpha), way, paths, rates, seed) for way in WAYS if way not in DEAR]
    return rows, ratios


def followed(world: World, alpha: str, way: ReviewWay, items: int, seed: int) -> Floats:
    """One stream under the anytime rule: (answers, acceptance, true risk) after every step.

    The grid of thresholds is from every third row (scores only); the score itself is the guess of being wrong. The
    largest bet follows the least probability of the plan in force, which is known before the items are.
    """
    rng = np.random.default_rng(seed)
    state = anytime.start(anytime.even_grid(world.scores[::3]), alpha=alpha, delta=DELTA, least=1)
    path = []
    for step in range(items // STEP):
        chances = way.chances(step * STEP)
        state = msgspec.structs.replace(state, least=min(float(chance) for chance in chances))
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
        f"{'alpha':>6} {'asked about':<16} {'answers':>8} {'accepted':>9} {'risk':>6} {'broke':>6} {'same':>7}"
    )
    for row in rows:
        print(
            f"{row.alpha:>6.2f} {row.way:<16} {row.answers:>8.0f} {row.acceptance:>9.3f} {row.risk:>6.3f} "
            f"{row.broke:>6.2f} {_shown(row.same, 7)}"
        )


def print_ratios(rows: Sequence[BenchRatioRow]) -> None:
    print("times fewer answers [90 % by bootstrap over streams] than")
    print(
        f"{'alpha':>6} {'asked about':<16} {'everything, stopped':>20} {'abstentions, stopped':>21} "
        f"{'all abstentions':>18} {'everything':>18} {'at best':>8}"
    )
    for row in rows:
        print(
            f"{row.alpha:>6.2f} {row.way:<16} {row.everything_stopped!s:>20} {row.abstentions_stopped!s:>21} "
            f"{row.abstentions!s:>18} {row.everything!s:>18} {row.at_best:>8.2f}"
        )
    for alpha in sorted({row.alpha for row in rows}, reverse=True):
        print(aimed([row for row in rows if row.alpha == alpha]))


def aimed(rows: Sequence[BenchRatioRow]) -> str:
    """The ways of one alpha against the aim, in words."""
    best = max(rows, key=lambda row: row.everything_stopped.fewer)
    found = best.everything_stopped
    met = "met" if found.low >= AIM else "not met" if found.high < AIM else "not shown"
    return (
        f"alpha = {best.alpha:g}: {AIM}x fewer than labelling everything and stopping at the same acceptance is {met}; "
        f"most has {best.way}, {found}"
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
