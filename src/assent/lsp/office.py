"""What is known of open documents: the reading and deciding of ``assent check``, without any protocol.

Nothing is decided twice: the lock knows what was decided before, and what this server decided is kept in memory by
what it depends on (text, names, policy, logic). The lock is read each time and written only when a person chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from assent.config.build import Assembly, Options, assemble
from assent.documents.checking import Asked, Checked, Checker, CheckSettings, locked_entries
from assent.documents.findings import found_in
from assent.documents.judgement import Judgement
from assent.documents.lock import DEFAULT, Lock
from assent.documents.names import sections_for
from assent.documents.readers import form_of, read_text
from assent.documents.studies import SetStudy
from assent.documents.together import Noted, Studies
from assent.documents.vouching import looked_at, vouched_for
from assent.documents.written import Document
from assent.errors import ConfigurationError, UsageError

FORMS = ("markdown", "text", "needs")
REMEMBERED = 20_000
"""Judgements that are kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeSettings:
    """How documents are decided, as the options of ``assent check`` say it; ``handle`` is who chooses readings."""

    options: Options = field(default_factory=Options)
    check: CheckSettings = field(default_factory=CheckSettings)
    lock: str | None = None
    handle: str | None = None
    only_vouched: bool = False
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document as it stands in an editor; ``roots`` are the folders that are open there."""

    file: str
    text: str
    version: int
    roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentView:
    """What is to be shown of one version of a document."""

    draft: OpenDocument
    checked: Checked
    findings: tuple[Noted, ...]
    lock: Path


class NoNamesError(ConfigurationError):
    """A document without any names: nothing could be vouched for."""


class StaleError(Exception):
    """The document changed while it was looked at; the result is dropped."""


def _go_on(stale: Callable[[], bool]) -> None:
    if stale():
        raise StaleError


def wanted(file: str, text: str) -> bool:
    """Whether a document is one that is read: Markdown, text, and of JSON files those of sphinx-needs."""
    try:
        form = form_of(Path(file))
    except UsageError:
        return False
    if form == "needs":
        return '"versions"' in text and '"needs"' in text
    return form in FORMS


@dataclass
class Office:
    """Looks at documents. Everything here is called in one thread; errors of ours are raised as they are."""

    settings: OfficeSettings
    _parts: Assembly | None = None
    _memory: dict[Asked, Judgement] = field(default_factory=dict)
    _studies: dict[str, dict[str, SetStudy]] = field(default_factory=dict)

    async def look(
        self, draft: OpenDocument, stale: Callable[[], bool], step: Callable[[], None]
    ) -> DocumentView:
        """Read the document, decide what is not known, study what requirements say together.

        ``step`` is called after each decision; StaleError if ``stale`` is True before a study.
        """
        return await self._looked(draft, stale, step, lambda checked: checked, write=False)

    async def vouch(self, draft: OpenDocument, identity: str, formula: str) -> DocumentView:
        """A person vouches for a formula: the lock is written, as by ``check --lock --vouch ID=FORMULA``."""
        choices = [f"{identity}={formula}"]
        return await self._chosen(draft, lambda checked: vouched_for(checked, choices, self._handle()))

    async def looked(self, draft: OpenDocument, identity: str) -> DocumentView:
        """A person looked at a suspect: the lock is written, as by ``check --lock --looked ID``."""
        return await self._chosen(draft, lambda checked: looked_at(checked, [identity], self._handle()))

    async def close(self) -> None:
        """Close connections to models."""
        if self._parts is not None:
            await self._parts.close()

    async def _chosen(self, draft: OpenDocument, change: Callable[[Checked], Checked]) -> DocumentView:
        self._handle()
        return await self._looked(draft, lambda: False, lambda: None, change, write=True)

    async def _looked(
        self,
        draft: OpenDocument,
        stale: Callable[[], bool],
        step: Callable[[], None],
        change: Callable[[Checked], Checked],
        *,
        write: bool,
    ) -> DocumentView:
        document = read_text(draft.text, draft.file)
        self._need_names(document)
        lock = Lock.open(self.lock_for(draft))
        checker = Checker(
            parts=self._assembled(), settings=self.settings.check, lock=lock, memory=self._memory
        )
        checked = change(await checker.run([document], step))
        studied = {**lock.studies, **self._studies.get(draft.file, {})}
        studies = Studies(studied, partial(_go_on, stale))
        findings = found_in(
            checked,
            only_vouched=self.settings.only_vouched,
            budget=self.settings.budget,
            studies=studies,
        )
        self._studies[draft.file] = studies.used
        self._forget()
        if write:
            lock.save(locked_entries(lock, checked.rows), checked.files, studies.used.values())
        return DocumentView(draft, checked, tuple(findings), lock.path)

    def _forget(self) -> None:
        """Drop the oldest judgements from memory, so that at most ``REMEMBERED`` are kept."""
        for key in list(self._memory)[:-REMEMBERED]:
            del self._memory[key]

    def _need_names(self, document: Document) -> None:
        """NoNamesError for requirements without names: embedded models would make names up and vouch for nothing."""
        if self.settings.options.config is not None or not document.requirements:
            return
        if not sections_for(document.file, document.vocabulary, self.settings.check.vocabulary):
            place = Path(document.file)
            raise NoNamesError(
                "there is no vocabulary, so nothing was decided: write the names into the document, or propose them "
                f"with 'assent vocabulary {place.name} -o {place.stem}.vocabulary.toml'",
                file=document.file,
            )

    def _assembled(self) -> Assembly:
        """Models and policies, made when they are first needed; a failure is tried again the next time."""
        if self._parts is None:
            self._parts = assemble(self.settings.options)
        return self._parts

    def _handle(self) -> str:
        if not self.settings.handle:
            raise UsageError(
                "nobody is named: start the server with 'assent lsp --as NAME', the lock keeps who it was"
            )
        return self.settings.handle

    def lock_for(self, draft: OpenDocument) -> Path:
        """The lock that was named; else the nearest ``assent.lock`` above the document; else where one will be.

        It is looked for up to the folder that is open in the editor, and made there; without one, beside the document.
        """
        if self.settings.lock is not None:
            return Path(self.settings.lock)
        folder = Path(draft.file).resolve().parent
        roots = {Path(root).resolve() for root in draft.roots}
        above = [folder, *folder.parents]
        root = next((place for place in above if place in roots), folder)
        for place in above[: above.index(root) + 1]:
            if (place / DEFAULT).is_file():
                return place / DEFAULT
        return root / DEFAULT
