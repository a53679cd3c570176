"""What an export is, how formulas are spelt for a tool, and how atoms get names a tool accepts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    OPERATORS,
    Always,
    Atom,
    Compare,
    Const,
    Eventually,
    Formula,
    Interval,
    Next,
    Not,
    Prop,
    Relation,
    atoms,
    children,
    window,
)
from assent.logic.render import decimal, write

_ENCODING = re.compile(r"coding(?=[:=])", re.IGNORECASE)


@dataclass(frozen=True)
class Export:
    """Text for another tool. ``atom_map`` tells what each name in it stands for, ``notes`` what was rewritten."""

    target: str
    text: str
    filename: str
    formula: str
    atom_map: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Head:
    """What stands above every export: the instruction, the formula as it was given, and what time counts in."""

    formula: Formula
    instruction: str | None = None
    time: str | None = None


@dataclass(frozen=True)
class Target:
    """A tool that formulas can be written for.

    ``sampled``: it counts time in steps, so ``emit`` gets a formula whose bounds are whole numbers of steps. Otherwise
    its time is that of the formula.
    """

    name: str
    tool: str
    fragment: str
    emit: Callable[[Formula, Head], Export]
    sampled: bool = True


@dataclass(frozen=True)
class Syntax:
    """Spelling of the operators that a tool has; binary ones are always bracketed."""

    ops: Mapping[str, str]
    interval: Callable[[Interval], str] = lambda within: f"[{bound(within.low)},{bound(within.high)}]"
    spaced: bool = False  # a space between operator and operand, brackets around the whole (LISP-like tools)

    def op(self, name: str) -> str:
        if name not in self.ops:
            raise FragmentError(f"the target has no operator for {name!r}")
        return self.ops[name]

    def timed(self, name: str, within: Interval) -> str:
        return self.op(name) + ("" if within == EVER else self.interval(within))

    def show(self, formula: Formula, atom: Callable[[Atom], str]) -> str:
        """The formula as text; ``atom`` spells an atom."""

        def unary(op: str, arg: Formula) -> str:
            return f"({op} {go(arg)})" if self.spaced else f"{op}({go(arg)})"

        def infix(op: str, parts: Iterable[Formula]) -> str:
            return "(" + f" {op} ".join(map(go, parts)) + ")"

        def go(f: Formula) -> str:
            match f:
                case Const(value):
                    return self.op("true" if value else "false")
                case Prop() | Compare() | Relation():
                    return atom(f)
                case Not() | Next() | Always() | Eventually():
                    return unary(self.timed(OPERATORS[type(f)], window(f)), f.arg)
                case _:
                    return infix(self.timed(OPERATORS[type(f)], window(f)), children(f))

        return go(formula)


def bound(value: object) -> str:
    """An end of an interval as a decimal; infinity as ``inf``."""
    from fractions import Fraction

    return "inf" if value is None else decimal(Fraction(str(value)))


_WORDS = {
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "==": "eq",
    "!=": "ne",
    "-": "minus",
    "+": "plus",
    "*": "times",
}


def spell(atom: Atom) -> str:
    """A name made of the atom's own words: enclIn(cup, box) is enclIn_cup_box, speed > 3.5 is speed_gt_3_5."""
    text = write(atom)
    for sign, word in sorted(_WORDS.items(), key=lambda item: -len(item[0])):
        text = text.replace(sign, f" {word} ")
    return re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "atom"


def name_atoms(
    formula: Formula,
    *,
    reserved: Iterable[str] = (),
    lower: bool = False,
    legal: str = r"[A-Za-z_][A-Za-z0-9_]*",
    prefix: str = "p_",
) -> dict[Atom, str]:
    """A distinct legal name for each atom, its own name wherever that is legal."""
    taken: set[str] = set()
    forbidden = {word.lower() for word in reserved}
    names: dict[Atom, str] = {}
    for atom in atoms(formula):
        name = spell(atom).lower() if lower else spell(atom)
        if name.lower() in forbidden or not re.fullmatch(legal, name):
            name = prefix + name
        stem, count = name, 1
        while name in taken:
            count += 1
            name = f"{stem}_{count}"
        taken.add(name)
        names[atom] = name
    return names


def meanings(names: Mapping[Atom, str]) -> dict[str, str]:
    """Name in the export -> the atom as we write it."""
    return {name: write(atom) for atom, name in names.items()}


def renamed(names: Mapping[Atom, str]) -> tuple[str, ...]:
    """A note for each atom whose name in the export is not its own."""
    return tuple(f"{name} stands for {write(atom)}" for atom, name in names.items() if name != write(atom))


def comment(mark: str, head: Head, notes: Iterable[str] = ()) -> str:
    """Comment lines: the instruction, the formula, what was rewritten, as text that no consumer gives a meaning.

    A comment in one of the first two lines of a Python file may name its encoding, and an encoding may run code: such
    files say theirs in the first line, and no later line looks like it.
    """
    lines = [
        *([f"instruction: {head.instruction}"] if head.instruction else []),
        f"formula: {write(head.formula)}",
    ]
    lines += [*([head.time] if head.time else []), *notes]
    encoding = "# -*- coding: utf-8 -*-\n" if mark == "#" else ""
    return encoding + "".join(f"{mark} {harmless(line)}\n" for line in lines)


def harmless(line: str) -> str:
    """One line of plain ASCII: no line breaks, no encoding of a file, no backslash that joins the next line."""
    plain = "".join(c if c.isprintable() else " " for c in line).encode("ascii", "backslashreplace").decode()
    return _ENCODING.sub(r"\g<0> ", plain).rstrip("\\ ")
