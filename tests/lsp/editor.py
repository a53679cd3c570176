"""An editor: the client of pygls against ``assent lsp`` as a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient

PATIENCE = 120.0
"""Seconds until something that must come counts as missing."""
PUMP = """# Pump 🐱

Time unit: s

## Names

| name | says | type | unit |
|---|---|---|---|
| pump_on | pump on | bool | |
| valve_open | valve open | bool | |
| lamp_on | lamp on | bool | |

## Requirements

- P-1: The pump must stay off until the valve is open.
- P-2: If the valve is open, the lamp shall be on within 5 seconds.

| who | id | requirement |
|---|---|---|
| 🐱🐱 | P-3 | The lamp is never on. |
"""


@attrs.define
class _Actions:
    """The answer to a request for actions; the client's own type takes one with a command for a mere command."""

    id: int | str | None
    result: list[types.CodeAction] | None = None
    jsonrpc: str = "2.0"


def _structured(client: BaseLanguageClient) -> None:
    known = client.protocol.get_result_type

    def result_type(method: str) -> Any:
        return _Actions if method == types.TEXT_DOCUMENT_CODE_ACTION else known(method)

    client.protocol.get_result_type = result_type  # type: ignore[method-assign]


def _into(known: list[Any]) -> Callable[[Any], None]:
    """A function that keeps what it is given; the client puts marks on functions, which methods do not take."""

    def keep(params: Any) -> None:
        known.append(params)

    return keep


class Editor:
    """What was published and said, and the requests that an editor makes."""

    def __init__(self, folder: Path, client: BaseLanguageClient) -> None:
        self.folder, self.client = folder, client
        self.published: list[types.PublishDiagnosticsParams] = []
        self.messages: list[types.ShowMessageParams] = []
        self.asked: list[str] = []
        _structured(client)
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(_into(self.published))
        client.feature(types.WINDOW_SHOW_MESSAGE)(_into(self.messages))
        client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _: self.asked.append("register"))
        client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: self.asked.append("progress"))
        client.feature(types.PROGRESS)(lambda _: None)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def begin(self, **settings: Any) -> types.InitializeResult:
        edits = types.WorkspaceEditClientCapabilities(document_changes=True)
        files = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        capabilities = types.ClientCapabilities(
            workspace=types.WorkspaceClientCapabilities(workspace_edit=edits, did_change_watched_files=files),
            window=types.WindowClientCapabilities(work_done_progress=True),
            **settings,
        )
        params = types.InitializeParams(capabilities=capabilities, root_uri=self.folder.as_uri())
        found = await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())
        return found

    def open(self, name: str, text: str, version: int = 1) -> None:
        document = types.TextDocumentItem(self.uri(name), "markdown", version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def change(self, name: str, text: str, version: int) -> None:
        document = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        changes = [types.TextDocumentContentChangeEvent_Type2(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def save(self, name: str) -> None:
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    async def until(self, ready: Callable[[], Any]) -> Any:
        """The first true value of something that must become true."""
        async with asyncio.timeout(PATIENCE):
            while not (found := ready()):
                await asyncio.sleep(0.02)
            return found

    async def diagnostics(self, name: str, version: int = 1) -> list[types.Diagnostic]:
        """What is published of a version, once it is."""
        found = await self.until(lambda: self.of(name, version))
        return list(found[-1].diagnostics)

    def of(self, name: str, version: int) -> list[types.PublishDiagnosticsParams]:
        return [p for p in self.published if p.uri == self.uri(name) and p.version == version]

    async def hover(self, name: str, line: int, character: int) -> types.Hover | None:
        document = types.TextDocumentIdentifier(self.uri(name))
        params = types.HoverParams(document, types.Position(line, character))
        return await self.client.text_document_hover_async(params)

    async def actions(self, name: str, about: types.Diagnostic) -> list[types.CodeAction]:
        document = types.TextDocumentIdentifier(self.uri(name))
        context = types.CodeActionContext([about])
        params = types.CodeActionParams(document, about.range, context)
        return list(await self.client.text_document_code_action_async(params) or [])

    async def run(self, command: types.Command) -> Any:
        params = types.ExecuteCommandParams(command.command, command.arguments)
        return await self.client.workspace_execute_command_async(params)


@asynccontextmanager
async def editor(folder: Path, *options: str, begin: bool = True) -> AsyncIterator[Editor]:
    """An editor with the real verb behind it; afterwards it is shut down politely, and ends."""
    client = BaseLanguageClient("tests", "1")
    found = Editor(folder, client)
    await client.start_io(sys.executable, "-m", "assent", "lsp", "--wait", "0.2", *options, cwd=folder)
    server = client._server
    assert server is not None and server.stderr is not None
    try:
        if begin:
            await found.begin()
        yield found
        await client.shutdown_async(None)
        client.exit(None)
        async with asyncio.timeout(PATIENCE):
            await server.wait()
        assert b"Traceback" not in await server.stderr.read()
    finally:
        await client.stop()


def slice_of(text: str, span: types.Range) -> str:
    """What a range of UTF-16 units covers, on one line."""
    assert span.start.line == span.end.line
    units = text.split("\n")[span.start.line].encode("utf-16-le")
    return units[2 * span.start.character : 2 * span.end.character].decode("utf-16-le")


def applied(text: str, edit: types.WorkspaceEdit) -> str:
    """The text after an edit of one line."""
    assert edit.document_changes is not None
    (change,) = edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    (one,) = change.edits
    lines = text.split("\n")
    line = lines[one.range.start.line].encode("utf-16-le")
    start, end = 2 * one.range.start.character, 2 * one.range.end.character
    lines[one.range.start.line] = (line[:start] + one.new_text.encode("utf-16-le") + line[end:]).decode(
        "utf-16-le"
    )
    return "\n".join(lines)
