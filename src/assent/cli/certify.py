"""A certificate: with this confidence at most so many of the accepted formulas are wrong.

assent certify LEDGER                          everything in the ledger, from what was drawn and answered
assent certify LEDGER --html certificate.html  one page to print and sign, with the fingerprint of the ledger

Nothing is assumed about the requirements: the only chance is our own draw. What was drawn and not answered counts as
wrong. The plan must have been fixed before the first answer, and no audit goes on until it looks good.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from assent.cli import Exit
from assent.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ledger", metavar="LEDGER", help="a file, a postgresql:// address, or an exported ledger"
    )
    parser.add_argument("--confidence", default="0.95", metavar="P", help="how sure (0.95)")
    parser.add_argument(
        "--noisy",
        action="store_true",
        help="reviewers may miss: bound that from planted formulas and second looks, and pay for it",
    )
    parser.add_argument("--html", metavar="FILE", help="write the certificate as one page")
    parser.add_argument("--json", action="store_true", help="the certificate as JSON")


def run(args: argparse.Namespace) -> int:
    import msgspec

    from assent.io.files import write_atomically
    from assent.ledger.outcomes import agreement
    from assent.review.certify import Audit
    from assent.review.open import opened

    with opened(args.ledger) as ledger:
        audit = Audit.read(ledger)
        certified = audit.certificate(args.confidence, agreement(ledger) if args.noisy else None)
        if not certified.accepted:
            raise UsageError("nothing was accepted: there is nothing to certify")
        if not certified.audited:
            raise UsageError("no accepted formula was drawn: review with --audit above 0 first")
        if args.html is not None:
            from assent.review.page import certificate_page

            write_atomically(Path(args.html), certificate_page(ledger, certified).encode())
    if args.json:
        print(msgspec.json.encode(certified).decode())
        return Exit.DONE
    print(certified.sentence)
    print(
        f"Of all {certified.requirements} requirements at most {certified.joint_at_most:.3f} are accepted and wrong."
    )
    if certified.unanswered:
        waiting = certified.unanswered
        print(
            "1 drawn formula waits for an answer and counts as wrong until then."
            if waiting == 1
            else f"{waiting} drawn formulas wait for an answer and count as wrong until then."
        )
    return Exit.DONE
