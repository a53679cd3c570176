"""What the gate compares: wordings, without the names of things and of whoever acts."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.embedded.roles import Wording
from assent.embedded.seq2seq import Hypothesis
from assent.embedded.translator import readable
from assent.logic.ast import Logic
from assent.records import Instruction
from assent.vocabulary import Entry, Vocabulary

HALL = Vocabulary(propositions=(Entry("bell", "bell ringing"), Entry("lamp_on", "lamp on")))
TABLE = Vocabulary(objects=(Entry("cup"), Entry("jug"), Entry("tray")))


def wording(models: Embedded, text: str) -> str:
    return Wording(models)(Instruction(id="one", text=text, logic=Logic.LTL), HALL)


@pytest.mark.parametrize("agent", ["carillon", "ventilation unit", "system", "old clock tower"])
def test_who_acts_is_a_system(models: Embedded, agent: str) -> None:
    said = wording(models, f"When the lamp is on, the {agent} shall not ring the bell.")
    assert said == wording(models, "When the lamp is on, the system shall not ring the bell.")
    assert "the system shall " in said


@pytest.mark.parametrize(
    "text", ["The bell shall ring.", "The next step shall see the bell ringing.", "It shall ring the bell."]
)
def test_names_and_words_of_time_are_nobody(models: Embedded, text: str) -> None:
    assert "system" not in wording(models, text)


@pytest.mark.parametrize(
    "tokens",
    ["enclIn O1 O1", "G touch O1 O1", "dist<= O1 O1 N1", "closerTo O1 O2 O2"],
)
def test_nothing_is_told_to_be_in_itself(models: Embedded, tokens: str) -> None:
    lifted = models.lift("Keep the cup within 0.3 m of the tray and near the jug.", "spatial", TABLE)
    assert readable(lifted, Hypothesis(tuple(tokens.split()), -1.0)) is None


@pytest.mark.parametrize("tokens", ["enclIn O1 O2", "G touch O2 O1", "closerTo O1 O2 O3"])
def test_two_things_may_be_told_of_each_other(models: Embedded, tokens: str) -> None:
    lifted = models.lift("Keep the cup within 0.3 m of the tray and near the jug.", "spatial", TABLE)
    assert readable(lifted, Hypothesis(tuple(tokens.split()), -1.0)) is not None
