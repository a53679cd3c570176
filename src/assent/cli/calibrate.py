"""Make a policy from recorded translations or evidence with references.

assent calibrate evidence.jsonl --alpha 0.1 -o policy.json

assent calibrate --from decisions.db --alpha 0.1 -o policy.json

Labels come from the exact decider, or, with --from, from reviewers and the draws that picked what they saw. Rules
are made for each run-time group (D2, D3, D4 by the candidate), over clusters wherever the data declares them. The
policy stores what it was made for and refuses anything else.
"""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.options import add_where, progress_bar, rows_file
from assent.errors import UsageError
from assent.io.files import checked_target

if TYPE_CHECKING:
    from assent.calibrate.recipe import Name, Recipe
    from assent.policy.labelled import Labelled
    from assent.policy.make import PolicyPlan
    from assent.policy.policy import GateSettings, Policy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="recorded translations or evidence, JSON lines or a table"
    )
    add_where(parser)
    parser.add_argument("--from", dest="ledger", metavar="LEDGER",
                        help="what was drawn and answered there ('assent review'), in place of FILE")  # fmt: skip
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
    parser.add_argument("--afterwards", action="store_true",
                        help="--from with --delta: alpha may be chosen after looking; costs acceptance")  # fmt: skip
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
    parser.add_argument("--groups", choices=("tier", "all"), default="tier",
                        help="a rule for each tier of the candidate, or one for all instructions")  # fmt: skip
    parser.add_argument("--min-group", type=int, default=0, metavar="N", help="smaller groups share one rule")
    parser.add_argument(
        "--config", metavar="FILE", help="the configuration of 'collect', if there was one (for its gate)"
    )
    parser.add_argument("--trained-on", metavar="PATH", action="append", default=[],
                        help="rows that trained or tuned anything, or a folder of 'assent train': refused")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the policy")


def run(args: argparse.Namespace) -> int:
    if (args.file is None) == (args.ledger is None):
        raise UsageError("give either FILE or --from LEDGER")
    if args.afterwards and args.ledger is None:
        raise UsageError("--afterwards is for --from LEDGER")
    checked_target(args.output)  # before minutes of work, not after
    policy = _from_file(args) if args.ledger is None else _from_ledger(args)
    policy.save(args.output)
    from assent.policy.describe import describe

    print(policy.to_json() if args.json else describe(policy), end="" if args.json else "\n")
    return Exit.DONE


def _from_ledger(args: argparse.Namespace) -> Policy:
    from assent.review.open import opened
    from assent.review.promise import policy_from

    with opened(args.ledger) as ledger:
        return policy_from(
            ledger,
            alpha=args.alpha,
            logic=args.logic,
            delta=args.delta,
            channel=args.channel,
            afterwards=args.afterwards,
        )


def _from_file(args: argparse.Namespace) -> Policy:
    from assent.calibrate.recipe import Recipe
    from assent.evaluate.labels import load
    from assent.policy.make import make_policy

    rule: Name = args.rule or ("risk" if args.delta is None else "high-probability")
    if (rule == "conditional") != (args.fit is not None):
        raise UsageError("--fit is for --rule conditional, and --rule conditional needs --fit")
    recipe = Recipe(  # bad options are refused before any work is done
        alpha=args.alpha,
        name=rule,
        delta=args.delta,
        over_pairs=args.unit == "pair",
        max_size=args.max_size,
        ceiling=args.ceiling,
    )
    with rows_file(args.file, args.where) as file:  # rows are looked at again until the policy is made
        data = load(
            file,
            system=args.system,
            level=args.labels,
            logic=args.logic,
            progress=lambda rows: progress_bar(rows, "labels", "rows"),
        )
        return make_policy(data, _plan(args, data, recipe))


def _plan(args: argparse.Namespace, data: Labelled, recipe: Recipe) -> PolicyPlan:
    """How the policy is to be made; what must not calibrate is refused."""
    from assent.evaluate.labels import load
    from assent.io.lines import read_rows
    from assent.policy.make import PolicyPlan, is_memory, refuse_training_rows

    sources = [*args.trained_on, *filter(None, (args.fit,))]
    refuse_training_rows(
        data,
        {name: Path(name) if is_memory(name) else (row for _, row in read_rows(name)) for name in sources},
    )
    if args.unit == "cluster" and data.clusters is None:
        raise UsageError("--unit cluster needs the field 'cluster' in every row")
    return PolicyPlan(
        recipe=recipe,
        channel=args.channel,
        grouping=args.groups,
        min_group=args.min_group,
        tie_secret=secrets.token_hex(16) if args.break_ties else None,
        gate=_gate(data, args.config),
        any_vocabulary=args.any_vocabulary,
        fit=None if args.fit is None else load(args.fit, system=args.system, logic=args.logic),
        provenance={"file": args.file, "unit": args.unit or ("pair" if data.clusters is None else "cluster")},
    )


def _gate(data: Labelled, config: str | None) -> GateSettings | None:
    """The gate that the evidence was collected behind; its deferrals and the threshold are one loss."""
    name = data.rows[0].evidence.made_by.get("gate")
    if name is None:
        return None
    from assent.config.build import Options, assemble

    logic = data.rows[0].evidence.instruction.logic
    gate = assemble(Options(config=config)).collector.gates.get(logic)
    if gate is None or gate.name != name:
        place = "the package" if config is None else config
        raise UsageError(
            f"the evidence was collected behind a gate, and that of {place} is not the one: name the configuration "
            "that it was collected with (--config)"
        )
    return gate.frozen(joint=True)
