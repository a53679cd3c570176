"""The front door: what ``import assent`` offers, in one file.

t = assent.load("stl", vocabulary="names.toml", alpha=0.10)
match t("Whenever the door is open, the alarm is on within 5 s"):
    case assent.Accepted(formula=f): ...
    case assent.Abstained(readings=r): ...
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from assent.errors import UsageError
from assent.logic.ast import Formula, Logic
from assent.logic.equivalence import Equivalence
from assent.logic.export.base import Export
from assent.policy.policy import Policy
from assent.records import Decision, Evidence, Instruction

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.evaluate.handed import Rows
    from assent.logic.explain import Explanation
    from assent.logic.recorded import Outcome
    from assent.logic.render import Spelling
    from assent.pipeline.book import Book
    from assent.policy.policy import Grouping
    from assent.vocabulary import Vocabulary

T = TypeVar("T")
Case: TypeAlias = str | Mapping[str, object] | Instruction
Text: TypeAlias = str | Formula


# ---- translating ---------------------------------------------------------------------------------------------


def load(
    logic: Logic | str | None = None,
    *,
    vocabulary: str | os.PathLike[str] | Mapping[str, object] | Vocabulary | None = None,
    alpha: float | None = None,
    policy: Policy | str | os.PathLike[str] | None = None,
    config: str | os.PathLike[str] | None = None,
    ledger: str | os.PathLike[str] | None = None,
) -> Translator:
    """A translator that vouches for its formulas or abstains.

    Without ``config`` it is the embedded one, offline, under the shipped policies. ``logic`` None: each
    instruction's own, found out from its words. ``vocabulary`` is a file, a mapping of the same shape, or a
    ``Vocabulary``. ``policy`` is one of your own; ``alpha`` chooses among the shipped ones. ``ledger`` is a file or
    URL that every decision is written to.

    >>> import assent
    >>> names = {"propositions": [{"name": "door_open", "says": "door open"}, {"name": "alarm", "says": "alarm on"}]}
    >>> with assent.load("ltl", vocabulary=names) as t:
    ...     decision = t("The alarm is never on.")
    >>> type(decision).__name__ in ("Accepted", "Abstained")
    True
    """
    from assent.config.build import Options, assemble
    from assent.pipeline.book import Book

    own_policy = policy if isinstance(policy, Policy) else None
    files = () if policy is None or own_policy is not None else (str(policy),)
    parts = assemble(
        Options(config=None if config is None else str(config), policies=files, alpha=alpha, lazy=None)
    )
    sections = _sections(vocabulary)
    if sections:
        parts = replace(parts, collector=replace(parts.collector, vocabularies=sections))
    book = None if ledger is None else Book(str(ledger))
    translator = Translator(parts, _logic(logic), book)
    return translator if own_policy is None else translator.with_policy(own_policy)


class Translator:
    """Instructions in, decisions out. Call it, ``await t.decide(...)``, or iterate over ``t.batch(...)``.

    Calls work inside a running event loop, too (notebooks): the work runs on a loop of its own.
    """

    def __init__(self, parts: Assembly, logic: Logic | None = None, book: Book | None = None) -> None:
        self._parts, self._logic, self._book = parts, logic, book
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def __call__(self, text: Case, *, domain: str | None = None) -> Decision:
        """Decide one instruction."""
        return self._run(self._decide(self._case(text, domain))).result()

    async def decide(self, text: Case, *, domain: str | None = None) -> Decision:
        """The same for programs that are asynchronous."""
        return await asyncio.wrap_future(self._run(self._decide(self._case(text, domain))))

    def batch(self, cases: Iterable[Case]) -> Batch:
        """Many instructions, side by side, decisions in the order of the input: ``for`` or ``async for``."""
        return Batch(self, cases)

    def collect(self, cases: Iterable[Case]) -> list[Evidence]:
        """Evidence for many instructions, without deciding: what ``calibrate`` and ``report`` take."""
        from assent.pipeline import collect

        who, width = self._parts.collector, self._parts.concurrency

        async def all_of_them() -> list[Evidence]:
            slots = asyncio.Semaphore(width)

            async def one(case: Instruction) -> Evidence:
                async with slots:
                    return await collect(who, case)

            instructions = [self._case(case, None, number) for number, case in enumerate(cases, start=1)]
            return list(await asyncio.gather(*map(one, instructions)))

        return self._run(all_of_them()).result()

    def with_policy(self, policy: Policy) -> Translator:
        """The same translator under another policy; it is refused if it was made for other models."""
        logic = Logic(policy.fingerprint.get("logic", ""))
        policy.check(self._parts.collector.made_by(logic))
        parts = replace(self._parts, policies={**dict(self._parts.policies), logic: policy})
        return Translator(parts, self._logic, self._book)

    @property
    def policies(self) -> Mapping[Logic, Policy]:
        """The policy that decides for each logic."""
        return self._parts.policies

    def close(self) -> None:
        """End open connections; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        if self._loop is not None and self._thread is not None:
            asyncio.run_coroutine_threadsafe(self._parts.close(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
        if self._book is not None:
            self._book.close()

    def __enter__(self) -> Translator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _decide(self, case: Instruction) -> Decision:
        decision = await self._parts.selective().decide(case)
        if self._book is not None:
            await asyncio.to_thread(self._book.write, decision, self._parts.policies[case.logic])
        return decision

    def _case(self, case: Case, domain: str | None, number: int = 1) -> Instruction:
        from assent.pipeline.which import placed

        if isinstance(case, Instruction):
            return case
        row: dict[str, object] = {"text": case} if isinstance(case, str) else dict(case)
        row.setdefault("id", str(number))
        if domain is not None:
            row["domain"] = domain
        return placed(row, self._parts.collector, self._logic)

    def _run(self, work: Coroutine[object, None, T]) -> Future[T]:
        """On our own loop, in a thread of its own, so that it does not matter whether the caller runs one."""
        if self._closed:
            work.close()
            raise UsageError("this translator is closed")
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="assent", daemon=True)
            self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)


class Batch:
    """Decisions for many instructions, in order; a few are under way at a time, whatever the number."""

    def __init__(self, translator: Translator, cases: Iterable[Case]) -> None:
        self._translator, self._cases = translator, cases

    def __iter__(self) -> Iterator[Decision]:
        for future in self._started():
            yield future.result()

    async def __aiter__(self) -> AsyncIterator[Decision]:
        for future in self._started():
            yield await asyncio.wrap_future(future)

    def _started(self) -> Iterator[Future[Decision]]:
        """Futures in the order of the input, with a window of work ahead of the reader."""
        owner, waiting = self._translator, []
        for number, case in enumerate(self._cases, start=1):
            waiting.append(owner._run(owner._decide(owner._case(case, None, number))))
            if len(waiting) > 2 * owner._parts.concurrency:
                yield waiting.pop(0)
        yield from waiting


def _logic(name: Logic | str | None) -> Logic | None:
    """A logic by name, in any case; None stays None."""
    if name is None:
        return None
    try:
        return Logic(str(name).lower())
    except ValueError:
        raise UsageError(f"unknown logic {name!r}: one of {', '.join(Logic)}") from None


def _sections(
    vocabulary: str | os.PathLike[str] | Mapping[str, object] | Vocabulary | None,
) -> dict[str, Vocabulary]:
    from assent.vocabulary import Vocabulary, load_sections, sections_of

    if vocabulary is None:
        return {}
    if isinstance(vocabulary, Vocabulary):
        return {"": vocabulary}
    if isinstance(vocabulary, Mapping):
        return sections_of(vocabulary, "the vocabulary")
    return load_sections(Path(vocabulary))


# ---- formulas ------------------------------------------------------------------------------------------------


def read(text: str, logic: Logic | str | None = None) -> Formula:
    """A formula from any common spelling; FormulaError with the column where it cannot be read.

    >>> import assent
    >>> str(assent.read("globally ( p imply finally q )"))
    'G(p -> (F q))'
    """
    return _read_all([text], logic)[0][0]


def write(formula: Text, style: Spelling = "symbols") -> str:
    """A formula as text: symbols, words, unicode, prefix, ..."""
    from assent.logic.render import write as spell

    return spell(_formula(formula), style)


def english(formula: Text, *, unit: str | None = None) -> str:
    """What a formula says, in one unambiguous English sentence."""
    from assent.logic.english import english as say

    return say(_formula(formula)) if unit is None else say(_formula(formula), unit=unit)


def compare(first: Text, second: Text, *, logic: Logic | str | None = None) -> Equivalence:
    """Do two formulas mean the same? Exact; a trace tells them apart where they do not.

    >>> import assent
    >>> str(assent.compare("G(p -> q)", "G(!p | q)").verdict)
    'equal'
    """
    from assent.logic.equivalence import equivalent

    if isinstance(first, str) or isinstance(second, str):
        first, second = _read_all([str(first), str(second)], logic)[0]
    return equivalent(first, second)


def explain(formula: Text, *, logic: Logic | str | None = None, unit: str | None = None) -> Explanation:
    """A formula in English, as a tree and in canonical form, with warnings."""
    from assent.logic.english.say import UNIT
    from assent.logic.explain import explain as explained

    (tree,), shared_logic = _read_all([str(formula)], logic)
    return explained(tree, shared_logic, unit=unit or UNIT)


def export(
    formula: Text, target: str, *, instruction: str | None = None, period: float | str | None = None
) -> Export:
    """A formula for another tool (``assent export --list`` names them); ``str()`` of the result is its text.

    ``period`` is the time between two samples of a tool that counts steps; 1 if nothing is said, and the text says so.
    """
    from assent.logic.export import export as exported

    return exported(_formula(formula), target, instruction=instruction, period=_period(period))


def evaluate(
    formula: Text,
    trace: str | os.PathLike[str] | Mapping[str, Sequence[object]],
    *,
    logic: Logic | str | None = None,
    period: float | str | None = None,
) -> Outcome:
    """A formula on a recorded trace: truth, robustness, and the time at which it is broken first.

    ``trace`` is a CSV file (first column time, one column a name) or a mapping of the same shape, times first.
    ``period`` resamples it.

    >>> import assent
    >>> outcome = assent.evaluate("G(speed < 3)", {"time": [0, 1, 2], "speed": [1, 2.5, 4]})
    >>> outcome.holds, outcome.robustness, outcome.first_violation
    (False, -1.0, 2.0)
    """
    from assent.io.traces import read_trace, table_of
    from assent.logic.recorded import on_trace

    table = table_of(trace) if isinstance(trace, Mapping) else read_trace(trace)
    return on_trace(_formula(formula, logic), table.times, table.columns, period=_period(period))


def _formula(formula: Text, logic: Logic | str | None = None) -> Formula:
    return read(formula, logic) if isinstance(formula, str) else formula


def _period(period: float | str | None) -> Fraction | None:
    from assent.io.traces import number_of

    number = None if period is None else number_of(str(period))
    if period is not None and (number is None or number <= 0):
        raise UsageError(f"a sampling period is a positive number, not {period!r}")
    return number


def _read_all(texts: list[str], logic: Logic | str | None) -> tuple[list[Formula], Logic]:
    """Formulas of one logic: the given one, or the first of LTL, STL and SpaTiaL that reads them all."""
    from assent.logic.parse import read_together

    return read_together(texts, _logic(logic))


# ---- promises ------------------------------------------------------------------------------------------------


def calibrate(
    evidence: Rows,
    *,
    alpha: float | str,
    channel: str | None = None,
    delta: float | str | None = None,
    groups: Grouping = "tier",
    system: str | None = None,
    logic: Logic | str | None = None,
    ceiling: float = 1.0,
    any_vocabulary: bool = False,
) -> Policy:
    """A policy from evidence with references: a list of records or rows, a data frame, or a file of JSON lines.

    ``delta`` None promises on average over calibrations; else with probability 1 - delta. ``system`` names who made
    translations that do not say so themselves.
    """
    from assent.calibrate.recipe import Recipe
    from assent.evaluate.handed import labelled_rows
    from assent.policy.make import PolicyPlan, make_policy

    recipe = Recipe(
        alpha=alpha, delta=delta, name="risk" if delta is None else "high-probability", ceiling=ceiling
    )
    data = labelled_rows(evidence, system=system, logic=_logic(logic))
    plan = PolicyPlan(recipe=recipe, channel=channel, grouping=groups, any_vocabulary=any_vocabulary)
    return make_policy(data, plan)


def report(
    evidence: Rows,
    folder: str | os.PathLike[str],
    *,
    channel: str | None = None,
    system: str | None = None,
    logic: Logic | str | None = None,
    resplits: int = 100,
) -> Path:
    """Every table and figure from evidence with references, written to a folder; gives the path of its page."""
    from assent.evaluate import folder as folders
    from assent.evaluate import report as reporting
    from assent.evaluate.handed import labelled_rows
    from assent.evaluate.measure import MeasureSettings
    from assent.policy.make import default_channel

    folders.refuse_folder(Path(folder))
    data = labelled_rows(evidence, system=system, logic=_logic(logic))
    settings = MeasureSettings(channel=default_channel(data, channel), resplits=resplits)
    tables = reporting.make(data, settings, title=Path(folder).name)
    return folders.write(tables, Path(folder)) / "index.html"
