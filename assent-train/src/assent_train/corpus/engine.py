"""Weighted productions in text files (``productions/*.txt``), and the small engine that draws from them.

    idiom.upon *2 ?timed          a production of the group "idiom", its weight in the group, when it may be drawn
        let p prop                what is drawn first, in order: a name, its kind, further words for the kind
        = G -> p F@w q            what it means: prefix tokens over these names (``trees.tree_of``)
        *3 <start> {p.event} ...  an alternative with its weight; "?p.no" before it: only where that holds of p

In an alternative ``[a|b|]`` is one of these, possibly nothing; ``<start>`` is what the group "start" gives;
``{p.event}`` is what the voice says for p in a manner; ``{pairs*step/and}`` is what the group "step" gives for each
member of the list "pairs", joined by "and"; "-" alone is no words at all.
A voice (``Idioms``, ``Missions``) knows the kinds, the manners and what guards ask.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Generic, Protocol, TypeAlias, TypeVar

from assent_train.corpus.trees import Span, Tree, tree_of

T = TypeVar("T", bound="Weighted")
Scope: TypeAlias = Mapping[str, object]
_HEAD = re.compile(r"(\w+)(?:\.\w+)?(?: \*([\d.]+))?(?: \?(!?[\w.]+))?")
_OPTION = re.compile(r"(?:\*([\d.]+) ?)?(?:\?(!?[\w.]+) ?)?(.*)")
_MARK = re.compile(r"[\[\]|]|<\w+>|\{\w+(?:\.\w+)?(?:\*\w+(?:/[^}]*)?)?\}")
_SLOT = re.compile(r"(\w+)(?:\.(\w+))?(?:\*(\w+)(?:/(.*))?)?")


class Weighted(Protocol):
    """Something that is drawn by weight, where its guard holds."""

    @property
    def weight(self) -> float: ...

    @property
    def guard(self) -> str: ...


class WeightedChoice(Generic[T]):
    """One of several by weight."""

    def __init__(self, options: Sequence[T]) -> None:
        self.options = tuple(options)
        self._guarded = any(option.guard for option in self.options)
        self._sums = list(accumulate(option.weight for option in self.options))

    def one(self, rng: random.Random, allowed: Callable[[str], bool]) -> T:
        """IndexError if no guard holds."""
        if not self._guarded:
            return rng.choices(self.options, cum_weights=self._sums)[0]
        open_ = [option for option in self.options if not option.guard or allowed(option.guard)]
        return rng.choices(open_, [option.weight for option in open_])[0]


@dataclass(frozen=True, slots=True)
class Slot:
    """``{name.manner}``, or ``{name*step/link}`` with one ``step`` for each member of a list."""

    name: str
    manner: str = ""
    step: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class GroupCall:
    """``<name>``."""

    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """One wording: plain text, slots, groups and choices in a row."""

    weight: float
    guard: str
    parts: tuple[str | Slot | GroupCall | WeightedChoice[Option], ...]


@dataclass(frozen=True, slots=True)
class Let:
    """What is drawn before anything is said: a name, its kind, and further words for the kind."""

    name: str
    kind: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Production:
    """Draws, a meaning (none if it is words alone), and wordings."""

    weight: float
    guard: str
    lets: tuple[Let, ...]
    meaning: tuple[str, ...]
    wordings: WeightedChoice[Option]


@dataclass(frozen=True, slots=True)
class Clause:
    """Wordings with their meaning."""

    text: str
    tree: Tree


@dataclass(frozen=True, slots=True)
class Window:
    """A time: what it means as an interval, and the group of words that say it, with what they need."""

    span: Span
    group: str
    scope: Scope = field(default_factory=dict)


class Voice(Protocol):
    """Whoever draws from a grammar."""

    def kind(self, kind: str, words: Sequence[str], scope: Scope) -> object:
        """The value of a ``let``; KeyError for a kind that is not the voice's own."""
        ...

    def say(self, value: object, manner: str) -> str:
        """What stands for a value that is neither text nor a clause nor a window."""
        ...

    def holds(self, value: object, asked: str) -> bool:
        """Whether a guard holds of a value."""
        ...


# ---- reading ---------------------------------------------------------------------------------------------------


@cache
def grammar(*names: str) -> Mapping[str, WeightedChoice[Production]]:
    """The productions of some files by group; ValueError where a line cannot be read or a group is not there."""
    folder = resources.files(__package__).joinpath("productions")
    return read_grammar("\n".join(folder.joinpath(f"{name}.txt").read_text("utf-8") for name in names))


def read_grammar(text: str) -> Mapping[str, WeightedChoice[Production]]:
    """``grammar`` of a text."""
    groups: dict[str, list[Production]] = {}
    for head, body in _blocks(text):
        found = _HEAD.fullmatch(head)
        if found is None:
            raise ValueError(f"not the head of a production: {head!r}")
        groups.setdefault(found[1], []).append(_production(float(found[2] or 1), found[3] or "", body))
    made = {name: WeightedChoice(productions) for name, productions in groups.items()}
    missing = {used for draw in made.values() for used in _groups_of(draw)} - set(made)
    if missing:
        raise ValueError(f"no production for {', '.join(sorted(missing))}")
    return made


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    head, body = "", list[str]()
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line[0] != " ":
            if head:
                yield head, body
            head, body = line.strip(), []
        else:
            body.append(line.strip())
    if head:
        yield head, body


def _production(weight: float, guard: str, body: Sequence[str]) -> Production:
    lets: list[Let] = []
    options: list[Option] = []
    meaning: tuple[str, ...] = ()
    for line in body:
        if line.startswith("let "):
            _, name, kind, *words = line.split()
            lets.append(Let(name, kind, tuple(words)))
        elif line.startswith("= "):
            meaning = tuple(line[2:].split())
        else:
            options.append(_option(line))
    if not options:
        raise ValueError(f"a production without a wording: {body}")
    return Production(weight, guard, tuple(lets), meaning, WeightedChoice(options))


def _option(line: str) -> Option:
    found = _OPTION.fullmatch(line)
    assert found is not None
    text = "" if found[3] == "-" else found[3]
    parts, end = _parts(text, 0)
    if end != len(text):
        raise ValueError(f"a bracket too many: {line!r}")
    return Option(float(found[1] or 1), found[2] or "", parts)


def _parts(text: str, start: int) -> tuple[tuple[str | Slot | GroupCall | WeightedChoice[Option], ...], int]:
    """Parts up to "|", "]" or the end, and where that is."""
    parts: list[str | Slot | GroupCall | WeightedChoice[Option]] = []
    while mark := _MARK.search(text, start):
        if mark.start() > start:
            parts.append(text[start : mark.start()])
        start = mark.end()
        match mark[0][0]:
            case "<":
                parts.append(GroupCall(mark[0][1:-1]))
            case "{":
                parts.append(_slot(mark[0][1:-1]))
            case "[":
                choice, start = _choice(text, start)
                parts.append(choice)
            case _:
                return tuple(parts), mark.start()
    return (*parts, text[start:]) if start < len(text) else tuple(parts), len(text)


def _slot(text: str) -> Slot:
    found = _SLOT.fullmatch(text)
    assert found is not None
    return Slot(found[1], found[2] or "", found[3] or "", found[4] or "")


def _choice(text: str, start: int) -> tuple[WeightedChoice[Option], int]:
    options = []
    while True:
        parts, end = _parts(text, start)
        options.append(Option(1.0, "", parts))
        if end == len(text):
            raise ValueError(f"a bracket is not closed: {text!r}")
        start = end + 1
        if text[end] == "]":
            return WeightedChoice(options), start


def _groups_of(draw: WeightedChoice[Production]) -> Iterator[str]:
    stack = [option for production in draw.options for option in production.wordings.options]
    while stack:
        for part in stack.pop().parts:
            match part:
                case GroupCall(name):
                    yield name
                case Slot(step=step) if step:
                    yield step
                case WeightedChoice():
                    stack.extend(part.options)
                case _:
                    pass


# ---- drawing ---------------------------------------------------------------------------------------------------


class Speaker:
    """Draws from one grammar for one voice."""

    def __init__(
        self, rng: random.Random, productions: Mapping[str, WeightedChoice[Production]], voice: Voice
    ) -> None:
        self._rng, self._productions, self._voice = rng, productions, voice

    def clause(self, group: str, scope: Scope) -> Clause:
        """Wordings of a group with their meaning."""
        production = self._one(group, scope)
        inner = self._bound(production, scope)
        known = {name: value.tree if isinstance(value, Clause) else value for name, value in inner.items()}
        spans = {name: value.span for name, value in inner.items() if isinstance(value, Window)}
        return Clause(self._wording(production, inner), tree_of(production.meaning, known, spans))

    def text(self, group: str, scope: Scope) -> str:
        """Wordings of a group."""
        production = self._one(group, scope)
        return self._wording(production, self._bound(production, scope))

    def _one(self, group: str, scope: Scope) -> Production:
        return self._productions[group].one(self._rng, lambda guard: self._allowed(guard, scope))

    def _wording(self, production: Production, scope: Scope) -> str:
        option = production.wordings.one(self._rng, lambda guard: self._allowed(guard, scope))
        return self._said(option, scope)

    def _bound(self, production: Production, scope: Scope) -> Scope:
        if not production.lets:
            return scope
        inner = dict(scope)
        for let in production.lets:
            inner[let.name] = self._value(let, inner)
        return inner

    def _value(self, let: Let, scope: Scope) -> object:
        """A group gives a clause (or a text, if it means nothing); everything else is the voice's."""
        draw = self._productions.get(let.kind)
        if draw is None:
            return self._voice.kind(let.kind, let.words, scope)
        meant = any(production.meaning for production in draw.options)
        return self.clause(let.kind, scope) if meant else self.text(let.kind, scope)

    def _allowed(self, guard: str, scope: Scope) -> bool:
        denied, plain = guard.startswith("!"), guard.lstrip("!")
        name, _, asked = plain.partition(".")
        value = scope[name]
        return (self._voice.holds(value, asked) if asked else bool(value)) != denied

    def _said(self, option: Option, scope: Scope) -> str:
        return "".join(self._part(part, scope) for part in option.parts)

    def _part(self, part: str | Slot | GroupCall | WeightedChoice[Option], scope: Scope) -> str:
        match part:
            case str():
                return part
            case GroupCall(name):
                return self.text(name, scope)
            case WeightedChoice():
                return self._said(part.one(self._rng, lambda guard: self._allowed(guard, scope)), scope)
            case Slot(step=""):
                return self._value_said(scope[part.name], part.manner)
            case Slot():
                return self._list_said(part, scope)

    def _list_said(self, slot: Slot, scope: Scope) -> str:
        members = scope[slot.name]
        assert isinstance(members, Sequence)
        return f" {slot.link} ".join(self.text(slot.step, {**scope, **member}) for member in members)

    def _value_said(self, value: object, manner: str) -> str:
        match value:
            case str() if not manner:
                return value
            case Clause():
                return value.text
            case Window():
                return self.text(value.group, value.scope)
            case _:
                return self._voice.say(value, manner)


class Wordings:
    """Wordings alone: what a group says, where slots hold texts or functions that say one if it is needed."""

    FILES = ("requirements", "plans", "notes", "lifted", "times", "places")

    def __init__(self, rng: random.Random) -> None:
        self._speaker = Speaker(rng, grammar(*self.FILES), self)

    def __call__(self, group: str, /, **scope: object) -> str:
        """One wording of a group; KeyError if there is no such group or a slot is not given."""
        return self._speaker.text(group, scope)

    def kind(self, kind: str, words: Sequence[str], scope: Scope) -> object:
        raise KeyError(kind)  # these groups draw nothing but words

    def say(self, value: object, manner: str) -> str:
        assert callable(value), value
        return str(value())

    def holds(self, value: object, asked: str) -> bool:
        return value == asked  # "?kind.above": for one kind alone
