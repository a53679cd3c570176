"""Which messages of an editor do what."""

from __future__ import annotations

import contextlib

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from assent.errors import UsageError
from assent.lsp.said import LOOKED, VOUCH
from assent.lsp.server import WATCHED, RequirementServer, checked_choice


def _opened(server: RequirementServer, params: types.DidOpenTextDocumentParams) -> None:
    server.changed(params.text_document.uri, 0)


def _changed(server: RequirementServer, params: types.DidChangeTextDocumentParams) -> None:
    server.changed(params.text_document.uri, server.wait)


def _saved(server: RequirementServer, params: types.DidSaveTextDocumentParams) -> None:
    server.changed(params.text_document.uri, 0)


def _closed(server: RequirementServer, params: types.DidCloseTextDocumentParams) -> None:
    server.closed(params.text_document.uri)


def _beside(server: RequirementServer, params: types.DidChangeWatchedFilesParams) -> None:
    server.changed_beside()


def _hover(server: RequirementServer, params: types.HoverParams) -> types.Hover | None:
    return server.hovered(params.text_document.uri, params.position)


def _actions(server: RequirementServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    return server.choices(params)


async def _vouch(server: RequirementServer, arguments: object) -> bool:
    return await _chosen(server, arguments, 2)


async def _looked(server: RequirementServer, arguments: object) -> bool:
    return await _chosen(server, arguments, 1)


async def _chosen(server: RequirementServer, arguments: object, length: int) -> bool:
    """Write the choice of a command: a requirement's id, and for ``VOUCH`` its formula; False if it failed."""
    try:
        uri, version, (identity, *formula) = checked_choice(arguments, length)
    except UsageError as error:
        server.show_message(f"assent: {error}", types.MessageType.Error)
        return False
    return await server.choose(uri, version, identity, formula[0] if formula else None)


async def _begun(server: RequirementServer, params: types.InitializedParams) -> None:
    """Ask to be told of vocabularies and locks that change."""
    if server.watches():
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        registration = types.Registration("assent-beside", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        with contextlib.suppress(
            JsonRpcException
        ):  # a client that refuses tells of saved documents all the same
            await server.register_capability_async(types.RegistrationParams([registration]))


def with_features(server: RequirementServer) -> RequirementServer:
    """The server with every message that it understands."""
    server.feature(types.INITIALIZED)(_begun)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_beside)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_actions)
    server.command(VOUCH)(_vouch)
    server.command(LOOKED)(_looked)
    return server
