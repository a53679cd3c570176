"""Every tool, driven by the SDK's own client: on standard input and output and over HTTP, in both eras of the protocol.

With and without somebody to ask.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult
from served import NAMES, TEXT

from assent.ledger import Kind, Ledger, ReviewLabel
from assent.mcp.answers import object_schema
from assent.mcp.tools import OFFERS
from assent.review.labels import label_rows

VAGUE = "The alarm is on or the door is open until the alarm is on, sort of."
ERAS = ("legacy", "2026-07-28")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("names") / "names.json"
    file.write_text(json.dumps(NAMES))
    return file


def stdio(names: Path, ledger: Path) -> StdioServerParameters:
    arguments = ["-m", "assent", "mcp", "--vocabulary", str(names), "--ledger", str(ledger)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))


def run(work: Callable[[Client], Awaitable[None]], server: Any, **options: Any) -> None:
    async def main() -> None:
        async with Client(server, read_timeout_seconds=120, **options) as client:
            await work(client)

    asyncio.run(main())


def checked(name: str, found: Any) -> dict[str, Any]:
    """Structured content that fits the published schema."""
    assert not found.is_error, found.content
    (offer,) = (offer for offer in OFFERS if offer.name == name)
    jsonschema.validate(found.structured_content, object_schema(offer.gives))
    assert found.content[0].text
    return found.structured_content  # type: ignore[no-any-return]


async def vague(client: Client) -> dict[str, Any]:
    """A decision that is an abstention with readings."""
    found = checked("translate", await client.call_tool("translate", {"text": VAGUE, "logic": "ltl"}))
    assert found["decision"] == "abstained" and found.get("readings"), (
        "write a vaguer sentence: these tests need one"
    )
    return found


@pytest.mark.parametrize("era", ERAS)
def test_every_tool(names: Path, tmp_path: Path, era: str) -> None:
    async def work(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"translate", "compare", "explain", "export", "check_document", "resolve"}
        for tool in tools.values():
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            assert tool.input_schema["type"] == "object" and tool.output_schema is not None
            assert tool.annotations is not None and tool.annotations.destructive_hint is False
        assert tools["compare"].annotations.read_only_hint and not tools["resolve"].annotations.read_only_hint

        seen: list[float] = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            seen.append(done)

        asked = {"text": TEXT, "logic": "stl"}
        row = checked("translate", await client.call_tool("translate", asked, progress_callback=progress))
        assert row["decision"] in ("accepted", "abstained") and row["decision_id"] and seen

        row = checked("compare", await client.call_tool("compare", {"first": "G p", "second": "F p"}))
        assert row["verdict"] == "different" and row["witness"]
        row = checked("explain", await client.call_tool("explain", {"formula": "G p"}))
        assert row["english"]
        row = checked("export", await client.call_tool("export", {"formula": "G p", "target": "spot"}))
        assert row["text"]

        found = await vague(client)  # nobody to ask: the readings are there as structured content
        assert "chosen" not in found
        choice = {
            "decision_id": found["decision_id"],
            "formula": found["readings"][0]["formula"],
            "by": "person",
        }
        row = checked("resolve", await client.call_tool("resolve", choice))
        assert row["how"] == "chosen by an agent" and row["calibrates"] is False

    run(work, stdio(names, tmp_path / "ledger.db"), mode=era)
    with Ledger.open(tmp_path / "ledger.db") as ledger:
        (label,) = ledger.all(ReviewLabel, Kind.LABEL)
        assert label.how == "chosen by an agent" and label.handle == "agent"
        assert not any(row.answered for row in label_rows(ledger))


def test_a_document(names: Path, tmp_path: Path) -> None:
    text = "# Door\n\n- D1: The alarm is never on.\n- D2: The alarm is always on.\n"

    async def work(client: Client) -> None:
        asked = {"text": text, "name": "door.md", "logic": "ltl"}
        found = checked("check_document", await client.call_tool("check_document", asked))
        assert [row["id"] for row in found["requirements"]] == ["D1", "D2"]
        assert {row["file"] for row in found["requirements"]} == {"door.md"}

    run(work, stdio(names, tmp_path / "ledger.db"))
    with Ledger.open(tmp_path / "ledger.db") as ledger:
        assert ledger.counts()["decision"] == 2


def test_errors_are_told_to_the_agent(names: Path, tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        for tool, arguments in (
            ("translate", {"text": ""}),
            ("translate", {"text": "x", "logic": "modal"}),
            ("translate", {}),
            ("compare", {"first": "G (", "second": "p"}),
            ("export", {"formula": "p", "target": "nothing"}),
            ("resolve", {"decision_id": "0" * 32, "none": True}),
            ("resolve", {"decision_id": "0" * 32}),
        ):
            found = await client.call_tool(tool, arguments)
            assert found.is_error and found.content[0].text, (tool, arguments)  # type: ignore[union-attr]
        assert (await client.call_tool("explain", {"formula": "G p"})).is_error is False

    run(work, stdio(names, tmp_path / "ledger.db"))


def test_resources(names: Path, tmp_path: Path) -> None:
    async def work(client: Client) -> None:
        found = {str(row.uri) for row in (await client.list_resources()).resources}
        assert found == {"assent://vocabulary", "assent://policies", "assent://targets"}

        async def read(uri: str) -> Any:
            return json.loads((await client.read_resource(uri)).contents[0].text)  # type: ignore[union-attr]

        (section,) = (await read("assent://vocabulary")).values()
        assert [entry["name"] for entry in section["propositions"]] == ["door_open", "alarm_on"]
        assert {row["logic"] for row in (await read("assent://policies"))["policies"]} == {
            "ltl",
            "stl",
            "spatial",
        }
        assert any(row["target"] == "spot" for row in await read("assent://targets"))
        with pytest.raises(Exception, match="no resource"):
            await read("assent://nothing")

    run(work, stdio(names, tmp_path / "ledger.db"))


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("answer", "labels"),
    [
        ({"action": "accept", "content": {"reading": "1"}}, 1),
        ({"action": "accept", "content": {"reading": "none of these"}}, 1),
        ({"action": "accept", "content": {"reading": "none of these", "formula": "F alarm_on"}}, 1),
        ({"action": "decline"}, 0),
        ({"action": "cancel"}, 0),
    ],
    ids=["one", "none", "own", "decline", "cancel"],
)
def test_an_abstention_asks(
    names: Path, tmp_path: Path, era: str, answer: dict[str, Any], labels: int
) -> None:
    """A choice is kept, marked as an agent's; a decline or a cancel stays an abstention and labels nothing."""
    asked: list[Any] = []

    async def elicited(context: Any, params: Any) -> ElicitResult:
        asked.append(params)
        return ElicitResult(**answer)

    async def work(client: Client) -> None:
        found = await vague(client)
        assert (
            len(asked) == 1 and "none of these" in asked[0].requested_schema["properties"]["reading"]["enum"]
        )
        assert found["decision"] == "abstained" and "formula" not in found
        assert ("chosen" in found) == bool(labels)
        if labels:
            own = answer["content"].get("formula")
            wanted = (
                found["readings"][0]["formula"]
                if answer["content"]["reading"] == "1"
                else own and "F alarm_on"
            )
            assert found["chosen"]["formula"] == wanted and not found["chosen"]["calibrates"]

    run(work, stdio(names, tmp_path / "ledger.db"), mode=era, elicitation_callback=elicited)
    with Ledger.open(tmp_path / "ledger.db") as ledger:
        kept = list(ledger.all(ReviewLabel, Kind.LABEL))
        assert len(kept) == labels and ledger.counts()["decision"] == 1
        assert all(label.how == "chosen by an agent" for label in kept)


@asynccontextmanager
async def with_token(address: str, token: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def test_over_http_with_tokens(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("ask robot robot-token-0123456789\n")
    tokens.chmod(0o600)
    ledger = tmp_path / "ledger.db"
    command = [sys.executable, "-m", "assent", "mcp", "--http", "--port", "0", "--token-file", str(tokens)]
    process = subprocess.Popen(
        [*command, "--ledger", str(ledger)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.endswith("/mcp")
        assert httpx.post(address, json={}).status_code == 401
        wrong = {"Authorization": "Bearer wrong-token-0123456789"}
        assert httpx.post(address, json={}, headers=wrong).status_code == 401
        assert httpx.post(address, json={}, headers={"Host": "evil.example"}).status_code == 421

        async def main() -> None:
            async with with_token(address, "robot-token-0123456789") as client:
                row = await client.call_tool("compare", {"first": "G p", "second": "!F !p"})
                assert checked("compare", row)["verdict"] == "equal"
                row = await client.call_tool("translate", {"text": "Always p.", "logic": "ltl"})
                key = checked("translate", row)["decision_id"]
                await client.call_tool("resolve", {"decision_id": key, "formula": "G p"})

        asyncio.run(main())
    finally:
        process.terminate()
        assert process.wait(60) == 0
        process.stdout.close()
    with Ledger.open(ledger) as found:
        (label,) = found.all(ReviewLabel, Kind.LABEL)
        assert label.handle == "robot" and label.how == "chosen by an agent"
