"""The server itself: what an editor sends, when documents are looked at, and what is sent back.

The loop of the protocol only ever answers from what is known; reading, deciding and studying are done by the worker.
A result is shown only if the document still has the version that it was made for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import uuid
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.server import LanguageServer
from pygls.uris import to_fs_path

from assent import __version__
from assent.errors import AssentError, DataError, UsageError
from assent.lsp.listening import OneEditor
from assent.lsp.office import (
    DocumentView,
    NoNamesError,
    Office,
    OfficeSettings,
    OpenDocument,
    StaleError,
    wanted,
)
from assent.lsp.places import Places, inside
from assent.lsp.said import Page, actions, diagnostics, failure, hover
from assent.lsp.worker import LoopWorker

WAIT = 0.5
"""Seconds without a change before a document is looked at again."""
PROGRESS_AFTER, PROGRESS_EVERY = 1.0, 0.5
"""Seconds until a look that takes long says so, and between its reports."""
WATCHED = ("**/*.vocabulary.toml", "**/*.vocabulary.json", "**/assent.lock")
"""Files beside documents; a change of one of them is looked at, too."""
logger = logging.getLogger(__name__)


@dataclass
class _Open:
    """An open document: how often it was to be looked at, what is under way, what is shown, what was last said."""

    turn: int = 0
    task: asyncio.Task[None] | None = None
    page: Page | None = None
    said: str | None = None
    decided: int = 0


class RequirementServer(LanguageServer):
    """Documents in, diagnostics out; ``wait`` seconds after the last change."""

    def __init__(self, settings: OfficeSettings, *, wait: float = WAIT) -> None:
        super().__init__(
            name="assent",
            version=__version__,
            protocol_cls=OneEditor,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
        )
        self.wait, self.taken = wait, False
        self._office, self._worker = Office(settings), LoopWorker()
        self._open: dict[str, _Open] = {}

    # ---- when a document is looked at --------------------------------------------------------------------

    def changed(self, uri: str, wait: float) -> None:
        """Look at a document after a while; whatever was under way for it is given up."""
        state = self._open.setdefault(uri, _Open())
        state.turn += 1
        if state.task is not None:
            state.task.cancel()
        state.task = self.loop.create_task(self._look(uri, state, state.turn, wait))

    def changed_beside(self) -> None:
        """A vocabulary or a lock changed: look at every open document again."""
        for uri in self._open:
            self.changed(uri, self.wait)

    def closed(self, uri: str) -> None:
        """Forget a document, stop looking at it, and remove its diagnostics."""
        state = self._open.pop(uri, None)
        if state is not None:
            state.turn += 1
            if state.task is not None:
                state.task.cancel()
            self.publish_diagnostics(uri, [])

    async def _look(self, uri: str, state: _Open, turn: int, wait: float) -> None:
        await asyncio.sleep(wait)
        draft = self._draft(uri)
        if draft is None:
            self.publish_diagnostics(uri, [])
            return
        state.decided = 0

        def step() -> None:
            state.decided += 1

        with contextlib.suppress(StaleError):
            async with self._progress(draft.file, state):
                await self._show(
                    uri, state, draft, self._office.look(draft, lambda: state.turn != turn, step)
                )

    async def _show(
        self, uri: str, state: _Open, draft: OpenDocument, work: Coroutine[object, None, DocumentView]
    ) -> bool:
        """Wait for a look and show what it found; False if an error was shown instead.

        Nothing is shown if the document has changed meanwhile.
        """
        turn = state.turn
        try:
            view = await asyncio.wrap_future(self._worker.start(work))
        except AssentError as error:
            if state.turn == turn:
                self._failed(uri, state, draft, error)
            return False
        except (asyncio.CancelledError, StaleError):
            raise
        except Exception:
            logger.exception("looking at %s", draft.file)
            self._say(
                state,
                f"{Path(draft.file).name}: an error of the server; its log says more",
                types.MessageType.Error,
            )
            return False
        if state.turn == turn and self._version(uri) == draft.version:
            units = self.workspace.position_encoding
            state.page = Page(view, uri, Places(draft.text, units), self._versioned())
            state.said = None
            self.publish_diagnostics(uri, diagnostics(state.page), draft.version)
        return True

    def _failed(self, uri: str, state: _Open, draft: OpenDocument, error: AssentError) -> None:
        """Show an error at its line of the document; any other one as a message, once until another follows."""
        state.page = None
        line = getattr(error, "line", None)
        in_document = isinstance(error, DataError) and error.file == draft.file and line is not None
        places = Places(draft.text, self.workspace.position_encoding)
        at_line = [failure(str(error), line, places)] if in_document else []
        self.publish_diagnostics(uri, at_line, draft.version)
        if not in_document:
            kind = types.MessageType.Warning if isinstance(error, NoNamesError) else types.MessageType.Error
            self._say(state, str(error), kind)

    def _say(self, state: _Open, message: str, kind: types.MessageType) -> None:
        if state.said != message:
            state.said = message
            self.show_message(f"assent: {message}", kind)

    # ---- what is asked -----------------------------------------------------------------------------------

    def page(self, uri: str) -> Page | None:
        """What is shown of a document; None if the document has changed since."""
        state = self._open.get(uri)
        page = None if state is None else state.page
        return page if page is not None and page.view.draft.version == self._version(uri) else None

    def hovered(self, uri: str, place: types.Position) -> types.Hover | None:
        """Decision, formula and findings of the requirement at a place; None where there is none."""
        page = self.page(uri)
        if page is None:
            return None
        for row in page.view.checked.rows:
            span = page.places.of(row.requirement)
            if inside(place, span):
                about = [n for n in page.view.findings if row.requirement.id in n.requirements]
                return types.Hover(hover(row, about, markdown=self._markdown()), span)
        return None

    def choices(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The quick fixes for a range; none while the document is being looked at."""
        page = self.page(params.text_document.uri)
        return [] if page is None else actions(page, params.range, params.context.diagnostics)

    async def choose(self, uri: str, version: int, identity: str, formula: str | None) -> bool:
        """Write a person's choice to the lock: a formula, or (None) that a suspect was looked at."""
        state, draft = self._open.get(uri), self._draft(uri)
        if state is None or draft is None or draft.version != version:
            self.show_message("assent: the document has changed; choose again", types.MessageType.Warning)
            return False
        state.turn += 1
        state.said = None
        office = self._office
        look = office.looked(draft, identity) if formula is None else office.vouch(draft, identity, formula)
        written = await self._show(uri, state, draft, look)
        if written:
            self.show_message(
                f"assent: {identity}: written to {self._office.lock_for(draft)}", types.MessageType.Info
            )
        else:  # the choice failed, not the document: what it was is shown again
            self.changed(uri, 0)
        return written

    def finish(self) -> None:
        """Close the models and end the worker's thread."""
        self._worker.close(self._office.close())

    # ---- what the client is and has ----------------------------------------------------------------------

    def _draft(self, uri: str) -> OpenDocument | None:
        """The document as it stands in the editor; None if it is no file that ``wanted`` reads."""
        if not uri.startswith("file:") or uri not in self.workspace.text_documents:
            return None
        document = self.workspace.text_documents[uri]
        file = to_fs_path(uri)
        if file is None or not wanted(file, document.source):
            return None
        folders = [folder.uri for folder in self.workspace.folders.values()]
        roots = [to_fs_path(root) for root in (*folders, self.workspace.root_uri) if root]
        return OpenDocument(
            file, document.source, document.version or 0, tuple(root for root in roots if root)
        )

    def _version(self, uri: str) -> int | None:
        document = self.workspace.text_documents.get(uri)
        return None if document is None else document.version or 0

    def _markdown(self) -> bool:
        capabilities = self.client_capabilities.text_document
        formats = (
            None if capabilities is None or capabilities.hover is None else capabilities.hover.content_format
        )
        return formats is None or types.MarkupKind.Markdown in formats

    def _versioned(self) -> bool:
        capabilities = self.client_capabilities.workspace
        edits = None if capabilities is None else capabilities.workspace_edit
        return bool(edits is not None and edits.document_changes)

    def watches(self) -> bool:
        """Whether the client can tell of files that change."""
        capabilities = self.client_capabilities.workspace
        files = None if capabilities is None else capabilities.did_change_watched_files
        return bool(files is not None and files.dynamic_registration)

    @contextlib.asynccontextmanager
    async def _progress(self, file: str, state: _Open) -> AsyncIterator[None]:
        """Say how far a look is that takes long, to clients that show it."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            yield
            return
        task = self.loop.create_task(self._reported(Path(file).name, state))
        try:
            yield
        finally:
            task.cancel()

    async def _reported(self, name: str, state: _Open) -> None:
        token = str(uuid.uuid4())
        await asyncio.sleep(PROGRESS_AFTER)
        with contextlib.suppress(PyglsError, JsonRpcException):  # a client that refuses
            await self.progress.create_async(token)
            self.progress.begin(token, types.WorkDoneProgressBegin(title=f"assent: {name}"))
            try:
                while True:
                    message = f"{state.decided} requirements decided"
                    self.progress.report(token, types.WorkDoneProgressReport(message=message))
                    await asyncio.sleep(PROGRESS_EVERY)
            finally:
                self.progress.end(token, types.WorkDoneProgressEnd())


def checked_choice(arguments: object, length: int) -> tuple[str, int, list[str]]:
    """The arguments of a command: address, version, and texts; UsageError if they are something else."""
    match arguments:
        case [str(uri), int(version), *others]:
            texts = [text for text in others if isinstance(text, str)]
            if len(texts) == len(others) == length:
                return uri, version, texts
    raise UsageError(f"a command needs an address, a version and {length} texts")
