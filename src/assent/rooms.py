"""Rooms whose names are loaded when they are first asked for, so that a verb executes only what it uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def later(room: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of a room: ``homes`` says in which of its modules each name lives."""

    def find(name: str) -> object:
        if name in homes:
            return getattr(import_module(f"{room}.{homes[name]}"), name)
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return find
