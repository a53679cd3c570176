"""The embedded models in the pipeline: offline, repeatable, and closed where they cannot read."""

from __future__ import annotations

import asyncio

import pytest

from assent.config.build import PARTS
from assent.embedded import Embedded, shipped
from assent.embedded.roles import OfflineJudge, OfflineTranslator
from assent.logic.ast import Logic
from assent.pipeline import Collector, collect
from assent.records import Evidence, Instruction
from assent.records.rows import evidence_row
from assent.vocabulary import Entry, Vocabulary

LIFT = Vocabulary(propositions=(Entry("door_open", "door open"), Entry("alarm"), Entry("moving")))


@pytest.fixture(scope="module")
def collector() -> Collector:
    missing = [part for part in PARTS if not (shipped() / part).exists()]
    if missing:
        pytest.skip(f"the embedded models are not installed ({', '.join(missing)})")
    models = Embedded()
    return Collector(
        translator=OfflineTranslator(models), scorers=(OfflineJudge(models),), vocabularies={"lift": LIFT}
    )


def case(text: str, logic: Logic = Logic.LTL, identity: str = "a") -> Instruction:
    return Instruction(id=identity, text=text, logic=logic, domain="lift")


def collected(collector: Collector, *cases: Instruction) -> list[Evidence]:
    async def main() -> list[Evidence]:
        return list(await asyncio.gather(*(collect(collector, one) for one in cases)))

    return asyncio.run(main())


def test_everything_is_there_and_within_the_vocabulary(collector: Collector) -> None:
    text = "Whenever the door is open, the alarm rings within 5 seconds."
    (found,) = collected(collector, case(text, Logic.STL))
    assert found.failure is None and found.draft is not None and len(found.draft.samples) == 5
    assert set(found.names.values()) == {"door_open", "alarm"}
    names = {score.name for score in found.scores}
    assert names >= {"default", "self_consistency", "back_translation", "fusion"}
    assert found.back_translation and found.judge


def test_side_by_side_is_as_one_by_one(collector: Collector) -> None:
    texts = [
        "the door is never open while moving",
        "the alarm rings until the door is open",
        "moving forever",
    ]
    cases = [case(text, identity=str(n)) for n, text in enumerate(texts)]
    together = collected(collector, *cases)
    alone = [collected(collector, one)[0] for one in cases]
    assert [evidence_row(one) for one in together] == [evidence_row(one) for one in alone]


@pytest.mark.parametrize("text", ["word " * 500, "?!", "door " * 300, "\N{SNOWMAN}" * 40])
def test_what_cannot_be_read_is_never_a_formula(collector: Collector, text: str) -> None:
    (found,) = collected(collector, case(text))
    readable = found.draft is not None and found.draft.primary.formula is not None
    assert found.failure is not None or not readable or found.score("default") is not None
    if len(text.split()) > 400:
        assert found.draft is not None and found.draft.primary.formula is None
        assert "not one requirement" in str(found.draft.primary.error)
