"""What must happen for a requirement to ask for anything: its trigger, found in the shape of its formula."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from assent.logic.ast import Always, And, Eventually, Formula, Implies, Not, Or, conj
from assent.logic.sets.types import Requirement


class Trigger(NamedTuple):
    """``condition`` as people call it, ``happens`` the formula that is true of behaviours in which it occurs."""

    condition: Formula
    happens: Formula


def triggers_of(requirement: Requirement) -> tuple[Trigger, ...]:
    """The triggers of a requirement: the one that is given, or one for each conjunct that has the shape of one."""
    if requirement.trigger is not None:
        return (Trigger(requirement.trigger, Eventually(requirement.trigger)),)
    return tuple(dict.fromkeys(_found(requirement.formula)))


def _found(formula: Formula) -> list[Trigger]:
    match formula:
        case And(args):
            return [trigger for arg in args for trigger in _found(arg)]
        case Always(arg, within):
            return [Trigger(condition, Eventually(happens, within)) for condition, happens in _found(arg)]
        case Implies(left, right):
            inner = [
                Trigger(conj(left, condition), conj(left, happens)) for condition, happens in _nested(right)
            ]
            return inner or [Trigger(left, left)]
        case Or(args):
            return _guarded(args)
        case _:
            return []


def _nested(right: Formula) -> list[Trigger]:
    """``a -> (b -> c)`` asks for something when a and b happen together."""
    return _found(right) if isinstance(right, Implies) else []


def _guarded(args: tuple[Formula, ...]) -> list[Trigger]:
    """``!a | b`` is ``a -> b`` if exactly one part is a plain denial."""
    denied = [arg.arg for arg in args if isinstance(arg, Not)]
    return [Trigger(denied[0], denied[0])] if len(denied) == 1 and len(args) > 1 else []


def response_without_trigger(requirement: Requirement) -> bool:
    """Does it ask for something within a time that is counted from the very start, on no occasion at all?"""
    match requirement.formula:
        case Eventually(_, within) if requirement.trigger is None:
            return within.high is not None and within.high > Fraction(0)
        case _:
            return False
