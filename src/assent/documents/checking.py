"""From documents to decisions: each requirement's logic and names, what the lock knows, and who must be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assent.config.build import Assembly
from assent.documents.desk import Answer, CheckDesk, CheckQuestion
from assent.documents.judgement import Judgement, held, judged, withheld
from assent.documents.lock import Lock, LockEntry, Pins, digest, text_digest
from assent.documents.names import sections_for
from assent.documents.used import names_used
from assent.documents.written import Document, SetAside, WrittenRequirement
from assent.errors import DataError
from assent.logic.ast import Logic
from assent.pipeline.book import Book
from assent.pipeline.which import logic_of
from assent.records import Instruction, Reason
from assent.vocabulary import Vocabulary, choose

if TYPE_CHECKING:
    from assent.documents.behaviours import Behaviours

Step = Callable[[], None]
Asked = tuple[Pins, str | None]
"""What a decision depends on beside the models: pins and domain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSettings:
    """How documents are checked: a logic or a vocabulary for all of them, the section of the vocabulary."""

    logic: str | None = None
    vocabulary: str | Path | None = None
    domain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One requirement with what was decided. ``state``: new, kept (from the lock), changed, or unasked.

    ``suspect`` says what changed since a person last looked: text, vocabulary, logic, policy, or that it is not in
    the lock.
    """

    requirement: WrittenRequirement
    names: Vocabulary | None
    judgement: Judgement
    pins: Pins
    state: str = "new"
    suspect: tuple[str, ...] = ()
    looked: str | None = None
    was: str | None = None
    """The formula that the lock had before it changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Everything about a run of ``assent check``, ready for any output."""

    rows: tuple[Row, ...]
    aside: tuple[SetAside, ...] = ()
    gone: tuple[LockEntry, ...] = ()
    asked: int = 0
    files: tuple[str, ...] = ()
    behaviours: Behaviours | None = None
    """To look at, where an output shows them."""

    @property
    def vocabularies(self) -> dict[str, Vocabulary]:
        """The vocabularies that requirements were read with, by their digest."""
        return {row.names.digest: row.names for row in self.rows if row.names is not None}


@dataclass(frozen=True, slots=True)
class _Work:
    """A requirement with all that its decision depends on, and its entry in the lock."""

    requirement: WrittenRequirement
    sections: Mapping[str, Vocabulary]
    names: Vocabulary | None
    logic: Logic
    pins: Pins
    entry: LockEntry | None

    @property
    def changed(self) -> tuple[str, ...]:
        """The parts of the pins that differ from the lock's; empty without an entry."""
        return () if self.entry is None else self.entry.pins.changed(self.pins)

    @property
    def same_names(self) -> bool:
        """Whether the vocabulary still says the same of all names that the requirement uses."""
        entry = self.entry
        if entry is None or not entry.names:
            return False
        return entry.names == names_used(self.names, self.requirement.text, entry.judgement.best)

    @property
    def spoken_for(self) -> bool:
        """Whether a person vouched for this text: then only the vocabulary can have changed."""
        return self.entry is not None and self.entry.pins.person and self.changed in ((), ("vocabulary",))

    @property
    def fits(self) -> bool:
        return self.entry is not None and (not self.changed or (self.spoken_for and self.same_names))

    @property
    def asks(self) -> bool:
        """Whether models are to be asked."""
        return not self.fits and not self.spoken_for and self.requirement.refused is None


class Crewed(Protocol):
    """Who answers questions, and how many of them at once."""

    @property
    def concurrency(self) -> int: ...

    @property
    def work(self) -> Callable[[CheckQuestion], Awaitable[Answer]]: ...


@dataclass(frozen=True, kw_only=True)
class Checker:
    """Decides documents with the models and policies of an assembly; keeps them in ``book`` and knows ``lock``.

    ``crew``: who answers instead of the assembly's own models; other processes that were made alike.
    ``memory``: judgements of earlier runs, which are not asked for again; each new one is put there at once.
    """

    parts: Assembly
    settings: CheckSettings = field(default_factory=CheckSettings)
    lock: Lock | None = None
    book: Book | None = None
    crew: Crewed | None = None
    memory: MutableMapping[Asked, Judgement] = field(default_factory=dict)

    def prepare(self, documents: Sequence[Document]) -> list[_Work]:
        """What is to be decided; an error of ours where names, logics or policies are wrong."""
        policies: dict[Logic, str] = {}
        digests: dict[int, str] = {}
        work: list[_Work] = []
        for document in documents:
            sections = sections_for(document.file, document.vocabulary, self.settings.vocabulary)
            for requirement in document.requirements:
                domain = requirement.domain if requirement.domain is not None else self.settings.domain
                names = choose(sections, domain, case=f"{requirement.file}:{requirement.line}")
                logic = self._logic(requirement, names)
                if logic not in policies:
                    policies[logic] = digest(self.parts.selective().policy(logic).to_json())
                pins = Pins(
                    text=text_digest(requirement.text),
                    vocabulary="" if names is None else _digest(names, digests),
                    policy=policies[logic],
                    logic=logic.value,
                )
                entry = None if self.lock is None else self.lock.find(requirement, pins)
                work.append(_Work(requirement, sections, names, logic, pins, entry))
        return work

    def _logic(self, requirement: WrittenRequirement, names: Vocabulary | None) -> Logic:
        name = requirement.logic or self.settings.logic
        if name is None:
            return logic_of(requirement.text, names)
        try:
            return Logic(name.lower())
        except ValueError:
            raise DataError(
                f"unknown logic {name!r}: use ltl, stl or spatial",
                file=requirement.file,
                line=requirement.line,
            ) from None

    def waiting(self, work: Sequence[_Work]) -> int:
        """How many requirements a run would ask about."""
        return sum(item.asks and (item.pins, item.requirement.domain) not in self.memory for item in work)

    def locked(self, documents: Sequence[Document]) -> Checked:
        """Only what the lock says: nothing is asked, what is not in it or changed is suspect."""
        work = self.prepare(documents)
        return self._checked(documents, work, {})

    async def run(self, documents: Sequence[Document], step: Step = lambda: None) -> Checked:
        """Decide what the lock does not know, a few at a time; the same text is asked about once."""
        work = self.prepare(documents)
        tasks: dict[Asked, asyncio.Task[Judgement]] = {}
        decided: dict[Asked, Judgement] = {}
        slots = asyncio.Semaphore(self.crew.concurrency if self.crew is not None else self.parts.concurrency)
        try:
            for item in work:
                key = (item.pins, item.requirement.domain)
                if not item.asks:
                    continue
                if key in self.memory:
                    decided[key] = self.memory[key]
                elif key not in tasks:
                    tasks[key] = asyncio.create_task(self._decided(item, slots, step))
            decided |= {key: await task for key, task in tasks.items()}
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
        return self._checked(documents, work, decided)

    async def _decided(self, item: _Work, slots: asyncio.Semaphore, step: Step) -> Judgement:
        requirement = item.requirement
        case = Instruction(
            id=requirement.id, text=requirement.text, logic=item.logic, domain=requirement.domain
        )
        policy = self.parts.policies[item.logic]
        work = (self.crew or CheckDesk(self.parts)).work
        async with slots:
            answer = await work(CheckQuestion(case, item.sections, self.settings.domain))
            if isinstance(answer, str):
                return withheld(item.logic.value, Reason.FAILED, answer)
            if self.book is not None:
                await asyncio.to_thread(self.book.write, answer, policy)
        step()
        judgement = judged(answer, item.names, f"policy {item.pins.policy}, alpha {policy.alpha:g}")
        if judgement.reason != Reason.FAILED:
            self.memory[item.pins, requirement.domain] = judgement
        return judgement

    def _checked(
        self,
        documents: Sequence[Document],
        work: Sequence[_Work],
        decided: Mapping[Asked, Judgement],
    ) -> Checked:
        requirements = [item.requirement for item in work]
        files = tuple(document.file for document in documents)
        return Checked(
            rows=tuple(_row(item, decided.get((item.pins, item.requirement.domain))) for item in work),
            aside=tuple(part for document in documents for part in document.aside),
            gone=() if self.lock is None else tuple(self.lock.gone(requirements, files)),
            asked=len(decided),
            files=files,
        )


def _digest(names: Vocabulary, digests: dict[int, str]) -> str:
    """The digest of a vocabulary, made once; the vocabularies live as long as the work on them."""
    if id(names) not in digests:
        digests[id(names)] = names.digest
    return digests[id(names)]


def _row(item: _Work, decided: Judgement | None) -> Row:
    requirement, entry = item.requirement, item.entry
    row = Row(requirement=requirement, names=item.names, judgement=_PENDING, pins=item.pins)
    if entry is not None and (item.fits or item.spoken_for):
        new = () if item.fits else item.changed
        return replace(
            row,
            judgement=entry.judgement,
            pins=_persons(item.pins) if entry.pins.person else entry.pins,
            state="kept",
            suspect=tuple(dict.fromkeys((*entry.suspect, *new))),
            looked=None if new else entry.looked,
        )
    judgement = _anew(item, decided)
    unasked = decided is None and requirement.refused is None
    changed = () if entry is None else (*entry.suspect, *_telling(item, decided))
    row = replace(
        row,
        judgement=judgement,
        state="unasked" if unasked else "new" if entry is None else "changed",
        suspect=tuple(dict.fromkeys(changed or (("new",) if unasked else ()))),
        was=None if entry is None else entry.judgement.best,
    )
    if entry is None or not entry.pins.person or entry.judgement.best is None:
        return row
    return replace(row, judgement=held(entry.judgement, item.logic.value, decided), pins=_persons(item.pins))


def _anew(item: _Work, decided: Judgement | None) -> Judgement:
    """What is decided about a requirement that the lock does not know as it is."""
    if item.requirement.refused is not None:
        return withheld(item.logic.value, Reason.UNREADABLE, item.requirement.refused)
    if decided is not None:
        return decided
    why = "it is not in the lock"
    if item.entry is not None:
        why = f"the {' and the '.join(item.changed)} changed since the lock was made"
    return withheld(item.logic.value, Reason.UNREADABLE, f"{why}; nothing was asked (--locked)")


def _telling(item: _Work, decided: Judgement | None) -> tuple[str, ...]:
    """What changed and makes the requirement suspect.

    A change of the vocabulary does not, if decision and formula are the same and no name that it uses changed.
    """
    before = None if item.entry is None else item.entry.judgement
    alike = before is not None and decided is not None and _outcome(before) == _outcome(decided)
    if alike and item.same_names:
        return tuple(part for part in item.changed if part != "vocabulary")
    return item.changed


def _outcome(judgement: Judgement) -> tuple[str, str | None]:
    """Decision and formula, for comparing two judgements."""
    return judgement.decision, judgement.best


def _persons(pins: Pins) -> Pins:
    """The pins without a policy, for what a person vouched for."""
    return Pins(pins.text, pins.vocabulary, "", pins.logic)


_PENDING = withheld("ltl", Reason.FAILED, "")


def locked_entries(lock: Lock, rows: Sequence[Row]) -> list[LockEntry]:
    """The entries that a run leaves in the lock. What failed is not kept, so that it is asked again."""
    return [
        lock.entry(
            row.requirement,
            row.pins,
            row.judgement,
            row.suspect,
            row.looked,
            names_used(row.names, row.requirement.text, row.judgement.best),
        )
        for row in rows
        if row.judgement.reason != Reason.FAILED and row.state != "unasked"
    ]
