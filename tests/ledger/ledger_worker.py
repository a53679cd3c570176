"""One reviewer as a process: takes looks and answers them until there are none. ``ledger_worker.py PLACE HANDLE``."""

from __future__ import annotations

import secrets
import sys

from assent.ledger import Ledger, LedgerPlan, ReviewAnswer, Said, draw_new, record_all
from assent.ledger.entries import now
from assent.ledger.queue import Session, claim, give
from ledger_places import decision


def main(place: str, handle: str, items: int) -> None:
    """Everybody makes the ledger, writes the same decisions and draws: it must happen once."""
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, [decision(n) for n in range(items)])
        draw_new(ledger, LedgerPlan(audit="0.9", abstained="1", twice="0.5"))
        session = Session.start(handle)
        while (task := claim(ledger, session)) is not None:
            answer = ReviewAnswer(
                id=secrets.token_hex(16),
                item=task.item,
                look=task.look,
                handle=handle,
                said=Said.NONE,
                made=now(),
                wrong=hash((task.item, handle)) % 2 == 0,
            )
            give(ledger, session, answer)
            print(answer.id, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
