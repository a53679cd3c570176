"""Turn one instruction into a vouched formula, or abstain (exit code 3) and say why.

With '-' the instruction comes from standard input, and '--format formula' prints the formula and nothing else,
so that the verb can stand in a pipe: an abstention prints nothing there.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from assent.cli import Exit
from assent.cli.options import add_common, assembly, run_async
from assent.errors import UsageError

if TYPE_CHECKING:
    from assent.policy.policy import Policy
    from assent.records import Abstained, Accepted, Decision


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the instruction; '-' reads it from stdin")
    add_common(parser)
    parser.add_argument("--format", choices=("text", "formula"), default="text", help="what is printed")
    parser.add_argument("--json", action="store_true", help="the decision with all its evidence")
    parser.add_argument(
        "--full", action="store_true", help="all scores, not only those that the decision needs"
    )
    parser.add_argument("--ask", action="store_true", help="on an abstention, choose among the readings")
    parser.add_argument(
        "--labels",
        metavar="FILE",
        default="assent-labels.jsonl",
        help="where choices are kept for calibration (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    from assent.io.lines import encode
    from assent.logic.ast import Logic
    from assent.records import Abstained, Instruction
    from assent.records.rows import decision_row

    text = (sys.stdin.read() if args.text == "-" else args.text).strip()
    if not text:
        raise UsageError("the instruction is empty")
    parts = assembly(args, lazy=False if args.full or args.ask else None)
    selective = parts.selective()
    case = Instruction(id="1", text=text, logic=Logic(args.logic or "ltl"), domain=args.domain)

    async def main() -> Decision:
        try:
            return await selective.decide(case)
        finally:
            await parts.close()

    decision = run_async(main)
    chosen = None
    if args.ask and isinstance(decision, Abstained):
        chosen = _ask(decision)
        if chosen is not None:
            _keep(args.labels, decision, chosen)
    if args.json:
        row = decision_row(decision) | ({} if chosen is None else {"chosen": chosen})
        row["policy"] = vouching(parts.policies[case.logic], decision)
        sys.stdout.write(encode(row).decode())
    elif args.format == "formula":
        _print_formula(decision, chosen)
    else:
        print(described(decision) if chosen is None else chosen)
        if chosen is None:
            print("\n".join((vouching(parts.policies[case.logic], decision), *_warned(decision))))
    return Exit.ABSTAINED if isinstance(decision, Abstained) and chosen is None else Exit.DONE


def _warned(decision: Decision) -> list[str]:
    return [f"Note: {warning}." for warning in decision.warnings]


def _print_formula(decision: Decision, chosen: str | None) -> None:
    from assent.records import Accepted

    if isinstance(decision, Accepted):
        print(decision.formula)
        for line in _warned(decision):
            print(line, file=sys.stderr)
    elif chosen is not None:
        print(chosen)
    else:
        print(f"abstained ({decision.reason}): {decision.detail}", file=sys.stderr)


def described(decision: Decision) -> str:
    """A decision for a person."""
    from assent.records import Accepted

    lines = _accepted(decision) if isinstance(decision, Accepted) else _abstained(decision)
    if decision.evidence.names:
        names = (f"{part!r} is {name}" for part, name in decision.evidence.names.items())
        lines += ["", f"Taken for names: {', '.join(names)}"]
    return "\n".join(lines)


def vouching(policy: Policy, decision: Decision) -> str:
    """Which policy decided, and on how much it was calibrated."""
    group = policy.group(decision.evidence)
    rule = policy.rule_for(group) if group else None
    base = f"Policy: {policy.fingerprint.get('logic')}, alpha {policy.alpha:g}, channel {policy.channel}"
    if rule is None:
        return base
    clusters = f" in {rule.clusters} clusters" if rule.clusters else ""
    return f"{base}; group {group} calibrated on {rule.n} rows{clusters}"


def _accepted(decision: Accepted) -> list[str]:
    return [
        f"accepted  {decision.formula}",
        f"          {decision.english}",
        f"          score {decision.score:.3f}, limit {decision.threshold:.3f} (alpha {decision.alpha:g})",
    ]


def _abstained(decision: Abstained) -> list[str]:
    lines = [f"abstained  {decision.reason}: {decision.detail}"]
    if decision.readings:
        lines += [
            "",
            "It may mean:" if len(decision.readings) > 1 else "The best reading, not vouched for:",
        ]
        for number, reading in enumerate(decision.readings, start=1):
            lines += [f"  {number}. {reading.formula}", f"     {reading.english}"]
    if decision.difference:
        lines += ["", "1 and 2 differ on:", *(f"  {line}" for line in decision.difference.splitlines())]
    if decision.advice:
        lines += ["", "What you can do:", *(f"  - {step}" for step in decision.advice)]
    return lines


def _ask(decision: Abstained) -> str | None:
    """Let a person choose; anything but a number of the list is no choice."""
    print(described(decision), file=sys.stderr)
    if not decision.readings:
        return None
    print(
        f"\nWhich one is meant? [1-{len(decision.readings)}, or return for none] ",
        end="",
        file=sys.stderr,
    )
    sys.stderr.flush()
    said = sys.stdin.readline().strip()
    if said.isdecimal() and 1 <= int(said) <= len(decision.readings):
        return str(decision.readings[int(said) - 1].formula)
    return None


def _keep(file: str, decision: Abstained, chosen: str) -> None:
    """The choice is a label: a case with its reference, for later calibration."""
    from assent.io.lines import Appender
    from assent.prompting.transcript import seed_of

    case = decision.evidence.instruction
    row: dict[str, Any] = {
        "id": f"asked-{seed_of(f'{case.logic}:{case.text}'):08x}",
        "logic": case.logic.value,
        "text": case.text,
        "reference": chosen,
    }
    if case.domain is not None:
        row["domain"] = case.domain
    with Appender(file) as labels:
        labels.append(row)
