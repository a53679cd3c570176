"""Make a policy from recorded translations or evidence with references.

assent calibrate evidence.jsonl --alpha 0.1 -o policy.json

Labels come from the exact decider. Rules are made for each run-time group (D2, D3, D4 by the candidate), over
clusters wherever the data declares them. The policy stores what it was made for and refuses anything else.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from typing import TYPE_CHECKING, Any

from assent.cli import Exit
from assent.errors import DataError, UsageError

if TYPE_CHECKING:
    from assent.calibrate.policy import Gate, Policy
    from assent.calibrate.recipe import Name
    from assent.learn import Labelled

PREFERRED = ("default", "fusion", "back_translation", "self_consistency")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="recorded translations or evidence, JSON lines")
    parser.add_argument("--alpha", required=True, help="the joint risk that is allowed, fixed beforehand")
    parser.add_argument("-o", "--output", metavar="POLICY", required=True, help="the policy to write")
    parser.add_argument("--logic", choices=("ltl", "stl", "spatial"), help="rows of this logic only")
    parser.add_argument("--system", metavar="NAME", help="the candidate, where rows have 'outputs'")
    parser.add_argument("--labels", choices=("exact", "canonical"), default="exact")
    parser.add_argument("--channel", help="the score to threshold (default: the best that was recorded)")
    parser.add_argument("--unit", choices=("cluster", "pair"), help="default: cluster where declared")
    parser.add_argument(
        "--rule",
        choices=("risk", "high-probability", "conditional", "pair-weighted"),
        help="what is promised (docs/statistics.md); default: risk, with --delta high-probability",
    )
    parser.add_argument("--delta", metavar="D", help="hold alpha with probability 1 - D, not on average only")
    parser.add_argument("--fit", metavar="FILE", help="other rows, which fix the steps of --rule conditional")
    parser.add_argument("--max-size", type=int, metavar="M",
                        help="--rule pair-weighted: at most M rows of a cluster count, fixed beforehand")  # fmt: skip
    parser.add_argument("--ceiling", type=float, default=1.0, metavar="S",
                        help="never accept a score above S, even where the promise would hold; default: 1")  # fmt: skip
    parser.add_argument(
        "--break-ties", action="store_true", help="a keyed hash of the text breaks equal scores"
    )
    parser.add_argument("--any-vocabulary", action="store_true",
                        help="the stream brings many vocabularies: another one is noted, not refused")  # fmt: skip
    parser.add_argument("--min-group", type=int, default=0, metavar="N", help="smaller groups share one rule")
    parser.add_argument(
        "--config", metavar="FILE", help="the configuration of 'collect', if there was one (for its gate)"
    )
    parser.add_argument("--trained-on", metavar="PATH", action="append", default=[],
                        help="rows that trained or tuned anything, or a folder of 'assent train': refused")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the policy")


def run(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    from assent.calibrate.exact import level
    from assent.calibrate.recipe import Recipe
    from assent.learn import load, make_policy, small_group_fallback

    level(args.alpha)  # a bad alpha is refused before any work is done
    rule: Name = args.rule or ("risk" if args.delta is None else "high-probability")
    if (rule == "conditional") != (args.fit is not None):
        raise UsageError("--fit is for --rule conditional, and --rule conditional needs --fit")
    Recipe(
        alpha=args.alpha,
        name=rule,
        delta=args.delta,
        over_pairs=args.unit == "pair",
        max_size=args.max_size,
        ceiling=args.ceiling,
    )
    data = load(
        args.file,
        system=args.system,
        level=args.labels,
        logic=args.logic,
        progress=lambda rows: tqdm(rows, desc="labels", unit=" rows", file=sys.stderr, disable=None),
    )
    _refuse_several_logics(data)
    _refuse_training_rows(data, [*args.trained_on, *filter(None, (args.fit,))])
    fingerprint = _fingerprint(data)
    channel = args.channel or next((c for c in PREFERRED if c in data.channels), None)
    if channel is None:
        raise UsageError("no score was recorded in every row: run 'assent collect' on the file first")
    if args.unit == "cluster" and data.clusters is None:
        raise UsageError("--unit cluster needs the field 'cluster' in every row")
    gate, deferred = _gate(data, fingerprint, args.config)
    policy = make_policy(
        data,
        alpha=args.alpha,
        channel=channel,
        fingerprint=fingerprint,
        fallback=small_group_fallback(data, args.min_group),
        rule=rule,
        over_pairs=args.unit == "pair",
        delta=args.delta,
        max_size=args.max_size,
        ceiling=args.ceiling,
        fit=None if args.fit is None else load(args.fit, system=args.system, logic=args.logic),
        tie_secret=secrets.token_hex(16) if args.break_ties else None,
        any_vocabulary=args.any_vocabulary,
        gate=gate,
        deferred=deferred,
        provenance={"file": args.file, "unit": args.unit or ("pair" if data.clusters is None else "cluster")},
    )
    try:
        policy.save(args.output)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", file=args.output) from error
    print(policy.to_json() if args.json else _said(policy), end="" if args.json else "\n")
    return Exit.DONE


def _refuse_several_logics(data: Labelled) -> None:
    logics = sorted({row.evidence.instruction.logic.value for row in data.rows})
    if len(logics) > 1:
        raise UsageError(
            f"the file has rows in {', '.join(logics)}: a policy is for one of them, choose with --logic"
        )


def _refuse_training_rows(data: Labelled, sources: list[str]) -> None:
    """Rows that trained a model, chose a score or fitted a fusion cannot calibrate, by id, text or cluster.

    A source is a file of rows, or what 'assent train' wrote: its folder, or the file in it.
    """
    from pathlib import Path

    from assent.calibrate.leakage import refuse_overlap
    from assent.embedded.memory import FILE, Memory
    from assent.io.lines import read_rows
    from assent.records import parse

    for source in sources:
        if Path(source).is_dir() or Path(source).name == FILE:
            cases = (row.evidence.instruction for row in data.rows)
            pairs = ((case.text, parse(str(case.reference), case.logic)) for case in cases)
            Memory.load(source).refuse(pairs, source)
        else:
            rows = (row for _, row in read_rows(source))
            refuse_overlap({"the calibration rows": data.rows, source: rows})


def _fingerprint(data: Labelled) -> dict[str, str]:
    from assent.calibrate.policy import VOCABULARY

    logic = data.rows[0].evidence.instruction.logic.value
    # Where names come from may differ from row to row; the policy remembers all of it.
    made_by = {
        tuple(sorted((part, said) for part, said in row.evidence.made_by.items() if part != VOCABULARY))
        for row in data.rows
    }
    if len(made_by) > 1:
        raise UsageError(
            "the rows were made by different models, prompts or versions: calibrate each by itself"
        )
    return {"logic": logic, "translator": "recorded", **dict(made_by.pop())}


def _gate(data: Labelled, fingerprint: dict[str, str], config: str | None) -> tuple[Gate | None, Any]:
    """Gate and threshold as one loss, where the evidence has gate readings."""
    if "gate" not in fingerprint:
        return None, None
    from assent.build import Options, assemble
    from assent.calibrate.exact import level

    logic = data.rows[0].evidence.instruction.logic
    gate = assemble(Options(config=config)).collector.gates.get(logic)
    if gate is None or gate.name != fingerprint["gate"]:
        place = "the package" if config is None else config
        raise UsageError(
            f"the evidence was collected behind a gate, and that of {place} is not the one: name the configuration "
            "that it was collected with (--config)"
        )
    delta = level(gate.delta, "delta")
    readings = [row.evidence.reading for row in data.rows]
    deferred = [reading is not None and level(reading.p_value, "p") < delta for reading in readings]
    return gate.frozen(joint=True), deferred


def _said(policy: Policy) -> str:
    from assent.calibrate.rules import PROMISES, Infeasible

    lines = [f"alpha {policy.alpha:g}, channel {policy.channel}, labels {policy.equivalence}"]
    for group, rule in policy.rules.items():
        unit = f"{rule.n} rows" + (f" in {rule.clusters} clusters" if rule.clusters else "")
        if isinstance(rule, Infeasible):
            lines.append(f"{group}: infeasible with {unit}: {rule.reason}; {'; '.join(rule.advice)}")
            continue
        expected = policy.expected[group]
        share = rule.risk / rule.accepted if rule.accepted else 0.0
        lines.append(
            f"{group}: accept up to {rule.value:.4f} ({unit}, floor {rule.floor:.4f}); acceptance to expect "
            f"{expected.acceptance:.3f} [{expected.low:.3f}, {expected.high:.3f}], error among the accepted {share:.3f}"
        )
        if rule.value >= 1:
            lines.append(
                f"{group}: the limit is 1, so every readable formula is accepted, whatever its score"
            )
    lines += [f"warning: {warning}" for warning in policy.warnings]
    lines += [f"promise: {PROMISES[kind]}" for kind in sorted({rule.kind for rule in policy.rules.values()})]
    return "\n".join(lines)
