"""assent: English instructions into temporal logic, vouched for or withheld.

    t = assent.load("stl", vocabulary="names.toml", alpha=0.10)
    decision = t("Whenever the door is open, the alarm is on within 5 s")

Everything here is loaded when it is first used, so that ``import assent`` costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assent import errors as errors
    from assent import testing as testing
    from assent.client import Client as Client
    from assent.door import Batch as Batch
    from assent.door import Translator as Translator
    from assent.door import calibrate as calibrate
    from assent.door import compare as compare
    from assent.door import english as english
    from assent.door import evaluate as evaluate
    from assent.door import explain as explain
    from assent.door import export as export
    from assent.door import load as load
    from assent.door import read as read
    from assent.door import report as report
    from assent.door import write as write
    from assent.logic.ast import Formula as Formula
    from assent.logic.ast import Logic as Logic
    from assent.policy.policy import Policy as Policy
    from assent.records import Abstained as Abstained
    from assent.records import Accepted as Accepted
    from assent.records import Evidence as Evidence
    from assent.records import Instruction as Instruction
    from assent.records import Reading as Reading
    from assent.vocabulary import Vocabulary as Vocabulary

__version__ = "0.2.0"

_HOMES = {
    "Abstained": "assent.records",
    "Accepted": "assent.records",
    "Batch": "assent.door",
    "Client": "assent.client",
    "Evidence": "assent.records",
    "Formula": "assent.logic.ast",
    "Instruction": "assent.records",
    "Logic": "assent.logic.ast",
    "Policy": "assent.policy.policy",
    "Reading": "assent.records",
    "Translator": "assent.door",
    "Vocabulary": "assent.vocabulary",
    "compare": "assent.door",
    "english": "assent.door",
    "explain": "assent.door",
    "export": "assent.door",
    "load": "assent.door",
    "read": "assent.door",
    "report": "assent.door",
    "write": "assent.door",
}
_VERBS = ("calibrate", "evaluate")
"""Rooms whose names are verbs, too: whoever asks for one gets the room, which can be called."""
__all__ = ["__version__", "errors", "testing", *_VERBS, *_HOMES]  # noqa: PLE0604 (the table holds the names once)


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first asked for."""
    if name in ("errors", "testing", *_VERBS):
        return import_module(f"assent.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'assent' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Verb(ModuleType):
    """A room whose name is a verb, too: ``assent.calibrate(rows, alpha=0.1)`` beside ``assent.calibrate.rules``."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return getattr(import_module("assent.door"), self.__name__.rpartition(".")[2])(*args, **options)


class _Package(ModuleType):
    """Importing a room sets it as an attribute of the package; those that are verbs become callable then."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _VERBS and isinstance(value, ModuleType):
            value.__class__ = _Verb
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
