"""What a worker does: decide, compare, explain, export. Runs in the worker's process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from typing import TypeVar

import msgspec

from assent import door
from assent.config.build import Assembly, Options, assemble
from assent.errors import UsageError
from assent.ledger.entries import Body, digest
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
        self._verbs: dict[str, Callable[[Body], object]] = {
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
    def made(cls, setup: Body) -> Workshop:
        """A workshop that is ready: what is wrong with the configuration is an error here, not at the first request."""
        workshop = cls(msgspec.convert(setup, Setup))
        workshop.parts(None).selective().check()
        workshop._warm()
        return workshop

    def do(self, verb: str, body: Body) -> object:
        """The result of a verb; AssentError for what is wrong with the request."""
        return self._verbs[verb](body)

    def run(self, work: Awaitable[T]) -> T:
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
        level = self.setup.alpha if alpha is None else round(alpha, 12)
        if level not in self._parts:
            self._parts[level] = assemble(
                Options(
                    config=self.setup.config,
                    policies=self.setup.policies,
                    vocabulary=self.setup.vocabulary,
                    domain=self.setup.domain,
                    alpha=level,
                )
            )
        return self._parts[level]

    def _warm(self) -> None:
        """One decision nobody asked for, so that the first one asked for does not wait for the models."""
        if self.setup.config is None:
            self.do("translate", {"text": "Always p.", "logic": "ltl"})

    # ---- instructions ----------------------------------------------------------------------------------------

    def _translate(self, body: Body) -> Body:
        """The decision as it is printed, what vouches for it in words, and the text of its policy."""
        request = msgspec.convert(body, schema.TranslateRequest)
        parts = self.parts(request.alpha)
        if request.vocabulary is not None:
            sections = sections_of(request.vocabulary, "the vocabulary")
            parts = replace(parts, collector=replace(parts.collector, vocabularies=sections, domain=None))
        row = {
            name: value
            for name in ("text", "logic", "domain", "cluster")
            if (value := getattr(request, name)) is not None
        }
        case = placed({**row, "id": request.id or "1"}, parts.collector)
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

    def _policy(self, body: Body) -> Body:
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

    def _page(self, body: Body) -> object:
        """The result of a verb of the pages: HTML as text, or an object."""
        from assent.serve.pages.work import do

        return do(self, body)

    def _vocabulary(self, body: Body) -> Body:
        """The names that the service was started with, by domain."""
        return {
            name: msgspec.to_builtins(part) for name, part in self.parts(None).collector.vocabularies.items()
        }

    def _check(self, body: Body) -> Body:
        from assent.serve.checking import checked_text

        request = msgspec.convert(body, schema.CheckRequest)
        return checked_text(request, self.parts(request.alpha), self.setup.ledger, self.run)

    # ---- formulas --------------------------------------------------------------------------------------------

    def _compare(self, body: Body) -> Body:
        request = msgspec.convert(body, schema.CompareRequest)
        (first, second), _ = read_together([request.first, request.second], _logic(request.logic))
        return formulas.compared(first, second, finite=request.finite)[0]

    def _explain(self, body: Body) -> Body:
        request = msgspec.convert(body, schema.ExplainRequest)
        (formula,), logic = read_together([request.formula], _logic(request.logic))
        return formulas.explained(formula, logic, unit=request.unit or UNIT, budget=SEARCH)

    def _export(self, body: Body) -> Body:
        request = msgspec.convert(body, schema.ExportRequest)
        (formula,), _ = read_together([request.formula], _logic(request.logic))
        exported = door.export(
            formula, request.target, instruction=request.instruction, period=request.period
        )
        return {**asdict(exported), "notes": list(exported.notes), "atom_map": dict(exported.atom_map)}

    def _evaluate(self, body: Body) -> Body:
        request = msgspec.convert(body, schema.EvaluateRequest)
        return formulas.evaluated(
            door.evaluate(request.formula, request.trace, logic=request.logic, period=request.period)
        )


def _logic(name: str | None) -> Logic | None:
    return None if name is None else Logic(name)
