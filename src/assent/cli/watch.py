"""Can a policy still be trusted? Watch a stream of decisions for drift, and for risk where answers came later.

assent watch LEDGER                    every decision with its draw and its answers; the policy that decided
assent watch FILE --policy P.json      decisions of 'batch --full'; labels are "wrong" (0 or 1) with "q", the
                                       probability with which the row was drawn, in every accepted row

Exit code: 0 nothing speaks against the policies, 1 something does, 2 there is nothing to watch.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.options import add_common
from assent.errors import PolicyError, UsageError

if TYPE_CHECKING:
    from assent.ledger import Ledger
    from assent.policy import Policy
    from assent.review.watching import StreamRow, Watched


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("stream", metavar="LEDGER|FILE", help="a ledger (file or address) or JSON lines")
    add_common(parser)
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(args: argparse.Namespace) -> int:
    found = _ledger(args) if _is_ledger(args.stream) else _file(args)
    if not any(seen.anything for seen, _ in found.values()):
        each = "; ".join(seen.sentence(name) for name, (seen, _) in found.items())
        raise UsageError(
            f"there is nothing to watch in {args.stream}: no score to compare, and no answer. {each}"
        )
    troubles = [said for name, (seen, alpha) in found.items() if (said := seen.trouble(name, alpha))]
    if args.json:
        from dataclasses import asdict

        rows = {name: asdict(seen) for name, (seen, _) in found.items()}
        print(json.dumps({"ok": not troubles, "policies": rows, "troubles": troubles}))
    else:
        for name, (seen, _) in found.items():
            print(seen.sentence(name))
        for said in troubles:
            print(said)
    return Exit.ERROR if troubles else Exit.DONE


def watched(file: str, policies: Mapping[str, Policy]) -> str:
    """What a file says about each policy, by logic; raises ``PolicyError`` where one is no longer to be trusted."""
    said = []
    for logic, (seen, alpha) in _by_logic(file, policies).items():
        if (trouble := seen.trouble(logic, alpha)) is not None:
            raise PolicyError(trouble)
        said.append(seen.sentence(logic))
    return "; ".join(said) or "there is no policy to watch"


def _by_logic(file: str, policies: Mapping[str, Policy]) -> dict[str, tuple[Watched, float]]:
    from assent.io.lines import read_rows
    from assent.review.watching import from_lines
    from assent.review.watching import watched as watch_rows

    rows = list(from_lines(list(read_rows(file)), file))
    streams = {logic: [row for row in rows if row.logic == logic] for logic in policies}
    if not any(streams.values()):
        logics = ", ".join(policies) or "none"
        raise UsageError(
            f"there is nothing to watch in {file}: no decision in a logic of the policies ({logics})"
        )
    return {
        logic: (watch_rows(stream, policies[logic], file=file), policies[logic].alpha)
        for logic, stream in streams.items()
        if stream
    }


def _is_ledger(where: str) -> bool:
    from assent.ledger.database import is_address
    from assent.review.open import is_database

    if not is_address(where) and not Path(where).is_file():
        raise UsageError(f"there is no file or ledger {where!r}")
    return is_address(where) or is_database(Path(where))


def _file(args: argparse.Namespace) -> dict[str, tuple[Watched, float]]:
    from assent.cli.options import assembly

    policies = assembly(args).policies
    return _by_logic(args.stream, {logic.value: policy for logic, policy in policies.items()})


def _ledger(args: argparse.Namespace) -> dict[str, tuple[Watched, float]]:
    from assent.ledger import Ledger
    from assent.review.labels import label_rows
    from assent.review.watching import from_ledger
    from assent.review.watching import watched as watch_rows

    with Ledger.open(args.stream) as ledger:
        rows = label_rows(ledger, logic=args.logic)
        streams: dict[str, list[StreamRow]] = {}
        for row, seen in zip(rows, from_ledger(rows), strict=True):
            if row.policy is not None:
                streams.setdefault(row.policy, []).append(seen)
        if not streams:
            raise UsageError(
                "the ledger holds no decision with its policy and its draw: there is nothing to watch"
            )
        found = {}
        for key, stream in streams.items():
            policy = _policy(ledger, key)
            seen_all = watch_rows(stream, policy, file=args.stream, strict=False)
            found[f"{stream[0].logic} {key[:8]}"] = (seen_all, policy.alpha)
    return found


def _policy(ledger: Ledger, key: str) -> Policy:
    from assent.ledger import Kind
    from assent.ledger.entries import PolicyText as Kept
    from assent.policy import Policy

    kept = ledger.get(Kept, Kind.POLICY, key)
    if kept is None:
        raise PolicyError(f"the ledger does not hold the policy {key} of its decisions")
    return Policy.from_json(kept.text, source=f"policy {key[:8]}")
