"""What ``assent check`` gives, one file each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from assent.documents.checking import Checked
from assent.documents.together import Noted

FORMATS = ("table", "html", "csv", "json", "sarif", "github", "junit")
Writer = Callable[[Checked, Sequence[Noted]], str]


def written(form: str, checked: Checked, findings: Sequence[Noted]) -> str:
    """The text of an output; ``form`` is one of ``FORMATS``."""
    module = import_module(f"assent.documents.outputs.{form}")
    writer: Writer = module.text
    return writer(checked, findings)
