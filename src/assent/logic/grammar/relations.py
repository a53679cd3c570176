"""SpaTiaL atoms: ``leftOf(a, b)``, ``a leftof b``, ``a closer b than c``, ``dist(a, b)``, ``a dist b``."""

from __future__ import annotations

from assent.logic.ast import Dist, Relation
from assent.logic.dialect import DISTANCE_WORDS, RELATION_WORDS, RELATIONS
from assent.logic.grammar.build import Operand
from assent.logic.grammar.tokens import Source, Token

_BETWEEN_OBJECTS = {"between": ("and", ","), "closerTo": ("than", ",")}


def relation_ahead(tokens: list[Token], position: int) -> bool:
    """Whether a relation starts here, in call form or infix form."""
    here, following = tokens[position], tokens[position + 1]
    if following.kind == "(":
        return here.value.lower() in RELATION_WORDS
    return following.kind == "name" and following.value.lower() in RELATION_WORDS


def distance_ahead(tokens: list[Token], position: int) -> bool:
    """Whether a distance starts here, in call form or infix form."""
    here, following = tokens[position], tokens[position + 1]
    if following.kind == "(":
        return here.value.lower() in DISTANCE_WORDS
    return following.kind == "name" and following.value.lower() in DISTANCE_WORDS


def read_relation(source: Source, tokens: list[Token], position: int) -> tuple[Operand, int]:
    """The relation or distance that starts here, and the position after it."""
    here, following = tokens[position], tokens[position + 1]
    if following.kind == "(":
        word = here.value.lower()
        args, after = _call(source, tokens, position + 2)
    else:
        word = following.value.lower()
        args, after = _infix(source, tokens, position)
    arity = RELATIONS[RELATION_WORDS[word]].arity if word in RELATION_WORDS else 2
    if len(args) != arity:
        source.fail(f"{word} takes {arity} objects, and here are {len(args)}", here.at)
    node = Relation(RELATION_WORDS[word], args) if word in RELATION_WORDS else Dist(args[0], args[1])
    return Operand(node, here.at, 1), after


def _call(source: Source, tokens: list[Token], position: int) -> tuple[tuple[str, ...], int]:
    args: list[str] = []
    while True:
        args.append(_object(source, tokens[position]))
        separator = tokens[position + 1]
        if separator.kind == ")":
            return tuple(args), position + 2
        if separator.kind != ",":
            source.fail("a list of objects goes on wrongly here", separator.at, "',' or ')'")
        position += 2


def _infix(source: Source, tokens: list[Token], position: int) -> tuple[tuple[str, ...], int]:
    first = _object(source, tokens[position])
    relation = RELATION_WORDS.get(tokens[position + 1].value.lower(), "")
    second = _object(source, tokens[position + 2])
    if relation not in _BETWEEN_OBJECTS:
        return (first, second), position + 3
    joint, last = tokens[position + 3], None
    if joint.value in _BETWEEN_OBJECTS[relation]:
        last = _object(source, tokens[position + 4])
    if last is None:
        source.fail(f"{relation} has three objects", joint.at, repr(_BETWEEN_OBJECTS[relation][0]))
    return (first, second, last), position + 5


def _object(source: Source, token: Token) -> str:
    if token.kind != "name":
        source.fail("here should be an object or region", token.at, "a name")
    return token.value
