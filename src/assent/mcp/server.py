"""The protocol: tools, resources, and errors that an agent can read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
)

from assent import __version__
from assent.errors import AssentError
from assent.mcp.choosing import Context
from assent.mcp.tools import OFFERS, Use
from assent.serve.logs import log
from assent.serve.problems import Problem
from assent.serve.routes import target_rows
from assent.serve.service import Service
from assent.serve.tokens import Role, Who

NAME = "assent"
INSTRUCTIONS = (
    "assent turns English requirements into temporal logic and vouches for a formula, with a stated risk, or abstains. "
    "Use 'translate' with a vocabulary of the project's names. An abstention is an answer: show the readings to "
    "a person. Only accepted formulas are vouched for."
)
RESOURCES = {
    "assent://vocabulary": ("Vocabulary", "the names that the server was started with, by domain"),
    "assent://policies": ("Policies", "what decides for each logic, and its promise in words"),
    "assent://targets": ("Export targets", "the tools that formulas can be exported to"),
}
AGENT = Who("agent", Role.ASK)


class ProtocolServer:
    """One protocol server on one service; the service starts with the first call that needs it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._starting: asyncio.Task[None] | None = None
        self.offers = {offer.name: offer for offer in OFFERS}

    def server(self) -> Server[None]:
        """A server of the protocol with our tools and resources; it starts the service."""
        server: Server[None] = Server(
            NAME,
            version=__version__,
            title="assent",
            instructions=INSTRUCTIONS,
            lifespan=self._lifespan,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )
        server.middleware.append(
            RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=NAME)
        )
        return server

    @asynccontextmanager
    async def _lifespan(self, server: Server[None]) -> AsyncIterator[None]:
        self._starting = asyncio.create_task(self._service.start())
        try:
            yield None
        finally:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
            await self._service.close()

    async def _ready(self) -> Service:
        assert self._starting is not None
        await asyncio.shield(self._starting)
        return self._service

    def _who(self, context: Context) -> Who:
        """The client behind a call: the token's name over HTTP, else an agent."""
        if not self._service.tokens.needed:
            return AGENT
        authorization = None if context.request is None else context.request.headers.get("authorization")
        return self._service.tokens.allow(authorization, Role.ASK)

    async def _list_tools(self, context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[offer.tool() for offer in self.offers.values()])

    async def _call_tool(
        self, context: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        offer = self.offers.get(params.name)
        if offer is None:
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name!r}")
        try:
            who = self._who(context)
            body = msgspec.convert(params.arguments or {}, offer.takes)
            service = await self._ready()
            outcome = await offer.run(Use(service, who, context, body, params))
        except msgspec.ValidationError as error:
            return _failed(str(error))
        except (Problem, AssentError) as error:
            return _failed(str(error))
        log("tool", tool=params.name, who=who.name)
        return outcome

    async def _list_resources(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        rows = [
            Resource(uri=uri, name=name, title=name, description=says, mime_type="application/json")
            for uri, (name, says) in RESOURCES.items()
        ]
        return ListResourcesResult(resources=rows)

    async def _read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(params.uri)
        if uri not in RESOURCES:
            raise MCPError(INVALID_PARAMS, f"there is no resource {uri!r}")
        try:
            self._who(context)
            text = msgspec.json.encode(await self._content(uri)).decode()
        except (Problem, AssentError) as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error
        contents = TextResourceContents(uri=uri, mime_type="application/json", text=text)
        return ReadResourceResult(contents=[contents])

    async def _content(self, uri: str) -> object:
        if uri == "assent://targets":
            return target_rows()
        service = await self._ready()
        if uri == "assent://vocabulary":
            return await service.do("vocabulary", {})
        return await service.do("policy", {})


def _failed(detail: str) -> CallToolResult:
    """An error as the result of a tool, so that the agent reads it and can call again."""
    return CallToolResult(content=[TextContent(type="text", text=detail)], is_error=True)
