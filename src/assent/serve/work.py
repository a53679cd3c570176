"""What a worker does: decide, compare, explain, export. Runs in the worker's process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict, replace
from typing import Any, TypeVar

import msgspec

from assent import door
from assent.config.build import Assembly, Options, assemble
from assent.errors import UsageError
from assent.ledger.entries import digest
from assent.logic.ast import Logic
from assent.logic.english.say import UNIT
from assent.logic.parse import read_together
from assent.pipeline.which import placed
from assent.policy.describe import describe
from assent.policy.policy import Policy
from assent.records import formulas
from assent.records.rows import decision_row
from assent.serve import schema
from assent.serve.reviewing import Reviewing
from assent.vocabulary import sections_of

T = TypeVar("T")
SEARCH = 2.0
"""Seconds for the search behind the warnings of ``explain``."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What every worker is told first."""

    config: str | None = None
    vocabulary: str | None = None
    domain: str | None = None
    policies: tuple[str, ...] = ()
    alpha: float | None = None
    ledger: str


class Workshop:
    """Models and policies in one process. ``do`` runs a verb with its plain body and gives a plain result."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._loop = asyncio.new_event_loop()
        self._parts: dict[float | None, Assembly] = {}
        self._texts: dict[int, tuple[Policy, str]] = {}
        self._reviewing = Reviewing(setup.ledger)
        self._verbs: dict[str, Callable[[Any], Any]] = {
            "translate": self._translate,
            "compare": self._compare,
            "explain": self._explain,
            "export": self._export,
            "evaluate": self._evaluate,
            "policy": self._policy,
            "vocabulary": self._vocabulary,
            "check": self._check,
            "page": self._page,
            "review_next": self._reviewing.next,
            "review_answer": self._reviewing.answer,
            "review_undo": self._reviewing.undo,
            "review_contestable": self._reviewing.contestable,
            "review_contest": self._reviewing.contest,
            "review_draw": self._reviewing.draw,
            "resolve": self._reviewing.resolve,
        }

    @classmethod
    def made(cls, setup: Mapping[str, Any]) -> Workshop:
        """A workshop that is ready: what is wrong with the configuration is an error here, not at the first request."""
        made = cls(msgspec.convert(setup, Setup))
        made.parts(None).selective().check()
        made._warm()
        return made

    def do(self, verb: str, body: Any) -> Any:
        """The result of a verb; AssentError for what is wrong with the request."""
        return self._verbs[verb](body)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something asynchronous."""
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        """End open connections."""
        for parts in self._parts.values():
            self._loop.run_until_complete(parts.close())
        self._loop.close()
        self._reviewing.close()

    def parts(self, alpha: float | None) -> Assembly:
        """Models and policies for a level of risk; made once for each level there are policies for."""
        # As many digits as policies are told apart by: nobody makes it hold one assembly for each spelling.
        wanted = self.setup.alpha if alpha is None else round(alpha, 12)
        if wanted not in self._parts:
            self._parts[wanted] = assemble(
                Options(
                    config=self.setup.config,
                    policies=self.setup.policies,
                    vocabulary=self.setup.vocabulary,
                    domain=self.setup.domain,
                    alpha=wanted,
                )
            )
        return self._parts[wanted]

    def _warm(self) -> None:
        """One decision nobody asked for, so that the first one asked for does not wait for the models."""
        if self.setup.config is None:
            self.do("translate", {"text": "Always p.", "logic": "ltl"})

    # ---- instructions ----------------------------------------------------------------------------------------

    def _translate(self, body: Any) -> dict[str, Any]:
        """The decision as it is printed, what vouches for it in words, and the text of its policy."""
        asked = msgspec.convert(body, schema.TranslateRequest)
        parts = self.parts(asked.alpha)
        if asked.vocabulary is not None:
            sections = sections_of(asked.vocabulary, "the vocabulary")
            parts = replace(parts, collector=replace(parts.collector, vocabularies=sections, domain=None))
        row = {
            name: value
            for name in ("text", "logic", "domain", "cluster")
            if (value := getattr(asked, name)) is not None
        }
        case = placed({**row, "id": asked.id or "1"}, parts.collector)
        decision = self._loop.run_until_complete(parts.selective().decide(case))
        policy = parts.policies[case.logic]
        return {
            "row": decision_row(decision),
            "said": policy.vouching(decision),
            "policy": self._policy_text(policy),
        }

    def _policy_text(self, policy: Policy) -> str:
        """A policy as the ledger keeps it, written once."""
        if id(policy) not in self._texts:
            self._texts[id(policy)] = policy, policy.to_json()
        return self._texts[id(policy)][1]

    def _policy(self, body: Any) -> dict[str, Any]:
        alpha, only = body.get("alpha"), body.get("logic")
        parts = self.parts(alpha)
        rows = []
        for logic, policy in parts.policies.items():
            if only is not None and logic.value != only:
                continue
            plain = msgspec.to_builtins(policy)
            if isinstance(plain.get("gate"), dict):
                plain["gate"] = {k: v for k, v in plain["gate"].items() if k not in ("distances", "clusters")}
            rows.append(
                {
                    "logic": logic.value,
                    "alpha": policy.alpha,
                    "id": digest({"text": self._policy_text(policy)}),
                    "described": describe(policy),
                    "policy": plain,
                }
            )
        if only is not None and not rows:
            raise UsageError(f"there is no policy for {only}")
        return {"policies": rows, "domains": sorted(parts.collector.vocabularies)}

    def _page(self, body: Any) -> Any:
        """What the pages have drawn."""
        from assent.serve.pages.work import do

        return do(self, body)

    def _vocabulary(self, body: Any) -> dict[str, Any]:
        """The names that the service was started with, by domain."""
        return {
            name: msgspec.to_builtins(part) for name, part in self.parts(None).collector.vocabularies.items()
        }

    def _check(self, body: Any) -> dict[str, Any]:
        from assent.serve.checking import checked_text

        asked = msgspec.convert(body, schema.CheckRequest)
        return checked_text(asked, self.parts(asked.alpha), self.setup.ledger, self.run)

    # ---- formulas --------------------------------------------------------------------------------------------

    def _compare(self, body: Any) -> dict[str, Any]:
        asked = msgspec.convert(body, schema.CompareRequest)
        (one, other), _ = read_together([asked.first, asked.second], _logic(asked.logic))
        return formulas.compared(one, other, finite=asked.finite)[0]

    def _explain(self, body: Any) -> dict[str, Any]:
        asked = msgspec.convert(body, schema.ExplainRequest)
        (formula,), logic = read_together([asked.formula], _logic(asked.logic))
        return formulas.explained(formula, logic, unit=asked.unit or UNIT, budget=SEARCH)

    def _export(self, body: Any) -> dict[str, Any]:
        asked = msgspec.convert(body, schema.ExportRequest)
        (formula,), _ = read_together([asked.formula], _logic(asked.logic))
        made = door.export(formula, asked.target, instruction=asked.instruction, period=asked.period)
        return {**asdict(made), "notes": list(made.notes), "atom_map": dict(made.atom_map)}

    def _evaluate(self, body: Any) -> dict[str, Any]:
        asked = msgspec.convert(body, schema.EvaluateRequest)
        return formulas.evaluated(
            door.evaluate(asked.formula, asked.trace, logic=asked.logic, period=asked.period)
        )


def _logic(name: str | None) -> Logic | None:
    return None if name is None else Logic(name)
