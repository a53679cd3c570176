"""Decisions into the ledger that a run was told to write to."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import TracebackType

from assent.ledger import Ledger, record, record_policy
from assent.policy.policy import Policy
from assent.records import Decision
from assent.records.rows import decision_row


class Book:
    """An open ledger. A decision is on disk before ``write`` returns; several threads may write."""

    def __init__(self, where: str) -> None:
        self._ledger = Ledger.open(where, create=True)
        self._policies: dict[int, str] = {}
        self._lock = threading.Lock()

    def write(self, decision: Decision, policy: Policy) -> str:
        """Keep one decision and the policy that made it; the decision's id."""
        return self.write_row(decision_row(decision), policy)

    def write_row(self, row: Mapping[str, object], policy: Policy) -> str:
        """``write`` for a decision as ``decision_row`` makes it."""
        with self._lock:
            if id(policy) not in self._policies:
                self._policies[id(policy)] = record_policy(self._ledger, policy.to_json())
            return record(self._ledger, row, policy=self._policies[id(policy)])

    def close(self) -> None:
        """Close the ledger; safe to call twice."""
        with self._lock:
            self._ledger.close()

    def __enter__(self) -> Book:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
