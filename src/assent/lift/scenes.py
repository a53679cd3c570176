"""Scenes of things and places: their names become placeholders, their distances are in metres.

Loaded where an instruction is one for SpaTiaL.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from assent.lift.actors import handlers
from assent.lift.assemble import Marks
from assent.lift.cover import consumed
from assent.lift.entries import Known
from assent.lift.figures import Word
from assent.lift.groups import joined, several
from assent.lift.linker import Mention
from assent.lift.measures import is_time, unit_after
from assent.lift.pairs import pairs
from assent.lift.quantities import size_of
from assent.lift.units import unit_at


def objects(
    words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known], things: Container[str]
) -> Marks:
    """Names as placeholders; the one who only handles a thing is called a robot, and is none."""
    marks = Marks()
    acting = handlers(words, mentions, things)
    for mention in mentions:
        if mention in acting:
            for i in consumed(words, mention):
                marks.drop(i)
            marks.tokens[mention.at[0]] = ("robot",)
            continue
        group, joint = several(words, mention, knowns)
        tokens = [f"O@{known.entry.name}" for known in group] or [f"O@{mention.known.entry.name}"]
        for i in consumed(words, mention):
            marks.drop(i)
        marks.tokens[mention.at[0]] = joined(tokens, joint) if group else (tokens[0],)
    for at, pair in pairs(words, [m for m in mentions if m not in acting], things):
        for i in at:
            marks.drop(i)
        marks.tokens[at.start] = pair
    return marks


def in_metres(words: Sequence[Word]) -> list[Word]:
    """The words of a scene, whose distances are in metres: "15 cm" is 0.15 m."""
    out = list(words)
    for k, word in enumerate(words):
        unit = unit_after(words, k) if word.value is not None and not is_time(words, k) else None
        size = size_of(unit) if unit is not None else None
        if word.value is None or size is None or size[0] != "length":
            continue
        out[k] = replace(word, value=word.value * size[1])
        said = unit_at(words, k + 1)
        if said is not None and said.end == k + 2:
            out[k + 1] = replace(words[k + 1], text="m")
    return out
