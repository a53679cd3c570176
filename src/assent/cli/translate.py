"""Turn one instruction into a vouched formula, or abstain (exit code 3) and say why.

With '-' the instruction comes from standard input, and '--format formula' prints the formula and nothing else,
so that the verb can stand in a pipe: an abstention prints nothing there. Without --logic it is found out.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.options import add_common, assembly, run_async, standard_text
from assent.errors import UsageError

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.policy.policy import Policy
    from assent.records import Abstained, Accepted, Decision, Instruction


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the instruction; '-' reads it from stdin")
    add_common(parser)
    parser.add_argument("--format", choices=("text", "formula"), default="text", help="what is printed")
    parser.add_argument("--json", action="store_true", help="the decision with all its evidence")
    parser.add_argument(
        "--full", action="store_true", help="all scores, not only those that the decision needs"
    )
    parser.add_argument(
        "--show-unvouched",
        action="store_true",
        help="on an abstention, print the candidate, marked as not vouched for",
    )
    parser.add_argument("--ledger", metavar="FILE|URL", help="keep the decision there (see 'assent review')")
    parser.add_argument("--ask", action="store_true", help="on an abstention, choose among the readings")
    parser.add_argument(
        "--labels",
        metavar="FILE",
        default="assent-labels.jsonl",
        help="where choices are kept; they may train, and never calibrate (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    from assent.records import Abstained

    text = (standard_text() if args.text == "-" else args.text).strip()
    if not text:
        raise UsageError("the instruction is empty")
    parts = assembly(args, lazy=False if args.full or args.ask else None)
    case = _case(text, args, parts)
    decision, decision_id = _decided(parts, case, args.ledger)
    chosen = _ask(decision) if args.ask and isinstance(decision, Abstained) else None
    if chosen is not None:
        _keep(args.labels, case, chosen)
    if args.json:
        _print_json(decision, decision_id, chosen, parts.policies[case.logic])
    elif args.format == "formula":
        _print_formula(decision, chosen, unvouched=args.show_unvouched)
    else:
        _print_text(decision, chosen, parts.policies[case.logic], args)
    return Exit.ABSTAINED if isinstance(decision, Abstained) and chosen is None else Exit.DONE


def _case(text: str, args: argparse.Namespace, parts: Assembly) -> Instruction:
    from dataclasses import replace

    from assent.logic.ast import Logic
    from assent.records import Instruction

    case = Instruction(id="1", text=text, logic=Logic(args.logic or "ltl"), domain=args.domain)
    if args.logic is not None:
        return case
    from assent.pipeline.which import logic_of

    logic = logic_of(text, parts.collector.vocabulary(case))
    print(f"assent translate: no --logic, taken for {logic.value}", file=sys.stderr)
    return replace(case, logic=logic)


def _decided(parts: Assembly, case: Instruction, ledger: str | None) -> tuple[Decision, str | None]:
    """The decision, and its id in the ledger that it is on disk in."""
    selective = parts.selective()

    async def main() -> Decision:
        try:
            return await selective.decide(case)
        finally:
            await parts.close()

    if ledger is None:
        return run_async(main), None
    from assent.pipeline.book import Book

    with Book(ledger) as book:  # a ledger that cannot be opened is an error before anything is asked
        decision = run_async(main)
        return decision, book.write(decision, parts.policies[case.logic])


# ---- what is printed -----------------------------------------------------------------------------------------


def _print_json(decision: Decision, decision_id: str | None, chosen: str | None, policy: Policy) -> None:
    from assent.io.lines import encode
    from assent.records.rows import decision_row

    row = decision_row(decision)
    row |= {} if decision_id is None else {"decision_id": decision_id}
    row |= {} if chosen is None else {"chosen": chosen}
    row["policy"] = policy.vouching(decision)
    sys.stdout.write(encode(row).decode())


def _print_formula(decision: Decision, chosen: str | None, *, unvouched: bool) -> None:
    from assent.records import Accepted

    if isinstance(decision, Accepted):
        print(decision.formula)
        for line in _warned(decision):
            print(line, file=sys.stderr)
    elif chosen is not None:
        print(chosen)
    else:
        print(f"abstained ({decision.reason}): {decision.detail}", file=sys.stderr)
        if unvouched:
            print(_unvouched(decision), file=sys.stderr)


def _print_text(decision: Decision, chosen: str | None, policy: Policy, args: argparse.Namespace) -> None:
    from assent.records import Abstained

    if chosen is not None:
        print(chosen)
        return
    print(described(decision))
    if args.show_unvouched and isinstance(decision, Abstained):
        print(f"\n{_unvouched(decision)}")
    print("\n".join((policy.vouching(decision), *_warned(decision))))


def _unvouched(decision: Abstained) -> str:
    formula = decision.evidence.formula
    return "There is no candidate." if formula is None else f"NOT VOUCHED FOR  {formula}"


def _warned(decision: Decision) -> list[str]:
    return [f"Note: {warning}." for warning in decision.warnings]


def described(decision: Decision) -> str:
    """A decision for a person."""
    from assent.records import Accepted

    lines = _accepted(decision) if isinstance(decision, Accepted) else _abstained(decision)
    if decision.evidence.names:
        names = (f"{part!r} is {name}" for part, name in decision.evidence.names.items())
        lines += ["", f"Taken for names: {', '.join(names)}"]
    return "\n".join(lines)


def _accepted(decision: Accepted) -> list[str]:
    limit = "" if decision.threshold is None else f", limit {decision.threshold:.3f}"
    return [
        f"accepted  {decision.formula}",
        f"          {decision.english}",
        f"          score {decision.score:.3f}{limit} (alpha {decision.alpha:g})",
    ]


def _abstained(decision: Abstained) -> list[str]:
    lines = [f"abstained  {decision.reason}: {decision.detail}"]
    if decision.readings:
        several = len(decision.readings) > 1
        lines += ["", "It may mean:" if several else "The best reading, not vouched for:"]
        for number, reading in enumerate(decision.readings, start=1):
            lines += [f"  {number}. {reading.formula}", f"     {reading.english}"]
    if decision.difference:
        lines += ["", "1 and 2 differ on:", *(f"  {line}" for line in decision.difference.splitlines())]
    if decision.unread:
        lines += ["", f"Not read: {', '.join(repr(span.text) for span in decision.unread)}"]
    if decision.advice:
        lines += ["", "What you can do:", *(f"  - {step}" for step in decision.advice)]
    return lines


# ---- asking --------------------------------------------------------------------------------------------------


def _ask(decision: Decision) -> str | None:
    """The formula of the reading whose number a person types; None for anything else."""
    from assent.records import Abstained

    if not isinstance(decision, Abstained):
        return None
    print(described(decision), file=sys.stderr)
    if not decision.readings:
        return None
    print(f"\nWhich one is meant? [1-{len(decision.readings)}, or return for none] ", end="", file=sys.stderr)
    sys.stderr.flush()
    answer = sys.stdin.readline().strip()
    if answer.isdecimal() and 1 <= int(answer) <= len(decision.readings):
        return str(decision.readings[int(answer) - 1].formula)
    return None


def _keep(file: str, case: Instruction, chosen: str) -> None:
    """Append the chosen formula to the file of labels as volunteered: it may train, and never calibrates."""
    from assent.io.lines import Appender
    from assent.prompting import seed_of

    row: dict[str, object] = {
        "id": f"asked-{seed_of(f'{case.logic}:{case.text}'):08x}",
        "logic": case.logic.value,
        "text": case.text,
        "reference": chosen,
        "volunteered": True,
    }
    if case.domain is not None:
        row["domain"] = case.domain
    with Appender(file) as labels:
        labels.append(row)
