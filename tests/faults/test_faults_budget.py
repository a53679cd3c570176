"""One budget for all models of a run, whatever each of them costs and however many calls run at once."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from server import running

from assent.config.build import Assembly, Options, assemble
from assent.errors import BudgetError
from assent.logic.ast import Logic
from assent.models import Cache
from assent.pipeline import collect
from assent.records import Instruction

PRICES = {"cheap": (0.5, 2.0), "dear": (5.0, 30.0)}  # for a million tokens
CONFIG = """
second_opinion = false  # the answers of the double belong to no text
[models.cheap]
kind = "openai"
name = "cheap"
version = "1"
base_url = "{url}"
concurrency = 32
price_prompt = 0.5
price_completion = 2.0
[models.dear]
kind = "openai"
name = "dear"
version = "1"
base_url = "{url}"
concurrency = 32
price_prompt = 5.0
price_completion = 30.0
[translator]
model = "cheap"
max_tokens = 64
[back_translator]
model = "dear"
max_tokens = 64
[judge]
model = "dear"
max_tokens = 64
[budget]
{budget}
"""
COUNT = 60


def collect_all(parts: Assembly) -> bool:
    """Whether the budget was enough; everything runs at once."""

    async def main() -> None:
        cases = [Instruction(id=f"i{n}", text=f"instruction {n}", logic=Logic.LTL) for n in range(COUNT)]
        try:
            results = await asyncio.gather(
                *(collect(parts.collector, case) for case in cases), return_exceptions=True
            )
            for result in results:
                if isinstance(result, BaseException):
                    raise result
        finally:
            await parts.close()

    with contextlib.suppress(BudgetError):
        asyncio.run(main())
        return True
    return False


def paid(folder: Path) -> dict[str, float]:
    """What the answers in the cache cost, added up apart from the spending."""
    cache, found = Cache(folder / ".assent" / "cache.sqlite"), {"calls": 0.0, "tokens": 0.0, "money": 0.0}
    for row in cache.rows():
        asked, said = row.answer.prompt_tokens or 0, row.answer.completion_tokens or 0
        prompt, completion = PRICES[row.name]
        found["calls"] += 1
        found["tokens"] += asked + said
        found["money"] += (asked * prompt + said * completion) / 1e6
    cache.close()
    return found


@pytest.mark.parametrize("what", ["calls", "tokens", "money"])
def test_a_budget_holds_over_models_of_different_prices(tmp_path: Path, what: str) -> None:
    with running(latency=0.01) as server:
        file = tmp_path / "assent.toml"
        file.write_text(CONFIG.format(url=server.base_url, budget=""))
        free = assemble(Options(config=str(file)))
        assert collect_all(free)
        whole = paid(tmp_path)
        assert free.spending is not None and free.money == pytest.approx(whole["money"])
        # The server knows one formula, which is said in English once for all instructions.
        assert whole["calls"] == server.stats()["served"] == 7 * COUNT + 1
        folder = tmp_path / "bounded"
        folder.mkdir()
        bound = {"calls": 250, "tokens": int(0.6 * whole["tokens"]), "money": 0.6 * whole["money"]}[what]
        (folder / "assent.toml").write_text(CONFIG.format(url=server.base_url, budget=f"{what} = {bound}"))
        parts = assemble(Options(config=str(folder / "assent.toml")))
        assert not collect_all(parts)
        spent = paid(folder)
        assert spent[what] <= bound
        assert spent[what] >= 0.6 * bound  # it was used, not just refused
        assert parts.money == pytest.approx(spent["money"])
        assert server.stats()["served"] - whole["calls"] == spent["calls"]
