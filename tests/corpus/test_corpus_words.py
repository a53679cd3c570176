"""Wordings are productions: the code names groups that exist, gives each slot they have, and leaves none unused."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from importlib import resources

import pytest

from assent_train.corpus.engine import GroupCall, Option, Slot, WeightedChoice, Wordings, grammar

GROUPS = grammar(*Wordings.FILES)
CORPUS = resources.files("assent_train.corpus")


def calls() -> Iterator[tuple[str, int, str, set[str]]]:
    """File, line, group and keywords of every call of ``words`` in the generator."""
    for file in CORPUS.iterdir():
        if not file.name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "words"
            ):
                (group,) = node.args
                assert isinstance(group, ast.Constant), (file.name, node.lineno)
                yield file.name, node.lineno, str(group.value), {str(word.arg) for word in node.keywords}


def slots(options: tuple[Option, ...]) -> set[str]:
    """The slots and guards of some wordings, those of the groups they name included."""
    needed: set[str] = set()
    for option in options:
        needed |= asked(option.guard)
        for part in option.parts:
            match part:
                case Slot(name=name):
                    needed.add(name)
                case GroupCall(name=name):
                    needed |= slots_of(name)
                case WeightedChoice():
                    needed |= slots(part.options)
                case _:
                    pass
    return needed


def asked(guard: str) -> set[str]:
    """What a guard asks about: "?!kind.above" is about kind."""
    return {guard.lstrip("!").partition(".")[0]} if guard else set()


def slots_of(group: str) -> set[str]:
    productions = GROUPS[group].options
    return {name for one in productions for name in slots(one.wordings.options) | asked(one.guard)}


def test_every_call_names_a_group_and_gives_its_slots() -> None:
    found = list(calls())
    assert len(found) > 700
    wrong = [row for row in found if row[2] not in GROUPS or slots_of(row[2]) != row[3]]
    assert wrong == []


def test_every_group_is_used() -> None:
    used = {group for _, _, group, _ in calls()}
    inside = {
        part.name
        for choice in GROUPS.values()
        for one in choice.options
        for option in one.wordings.options
        for part in option.parts
        if isinstance(part, GroupCall)
    }
    assert set(GROUPS) - used - inside == set()


def test_a_slot_is_said_only_where_its_wording_is_drawn() -> None:
    """Functions are called once for each wording that needs them, and not for the others."""
    asked: list[str] = []

    def say(name: str) -> str:
        asked.append(name)
        return name

    words = Wordings(random.Random(3))
    said = {words("make", verb="have", said=lambda: say("it"), when="soon") for _ in range(60)}
    assert said == {"have it soon", "soon have it", "soon , have it"}
    assert len(asked) == 60


def test_an_unknown_group_or_a_missing_slot_is_an_error() -> None:
    words = Wordings(random.Random(3))
    with pytest.raises(KeyError):
        words("no_such_group")
    with pytest.raises(KeyError):
        words("make", verb="have")


def test_every_group_has_a_name_that_is_no_number() -> None:
    """ "once_kept_for_good" says what it holds, "f_g_3" does not."""
    assert [name for name in GROUPS if name[-1].isdigit()] == []
