"""Every exception that crosses the package border, drawn as a tree.

    AssentError
    ├── UsageError             the call itself is wrong (bad option, bad alpha)          exit 2
    ├── ConfigurationError     a configuration or vocabulary file: names file and key
    ├── DataError              a data file: names file and line
    ├── FormulaError           a formula cannot be read: carries column and caret
    │   └── LimitError         ... because it is beyond a stated limit
    ├── FragmentError          a formula is outside what a target or operation takes
    ├── PolicyError            a policy is damaged, newer, or made for other models
    ├── LeakageError           two sets that must be disjoint are not
    ├── MissingExtraError      an optional dependency is needed: says which extra
    ├── ServiceError           a service (``assent.Client``) refuses, or does not answer
    └── ModelError             a model failed; ``retry`` says whether to try again
        └── BudgetError        the money, token or call budget is used up

What an operator did wrong raises; what the world did (a model down, a nonsense answer) is raised as
``ModelError`` at the model's seam, caught in one place, the collector, and becomes an abstention.
"""

from __future__ import annotations

import re


class AssentError(Exception):
    """Base of all errors raised on purpose by assent. Half characters in a quoted text are spelt out, so that every
    message can be written to a file."""

    exit_code = 1

    def __str__(self) -> str:
        return super().__str__().encode("utf-8", "backslashreplace").decode("utf-8")


class UsageError(AssentError):
    """The call is wrong: an option, an alpha, a combination."""

    exit_code = 2


class ConfigurationError(AssentError):
    """A configuration or vocabulary file is wrong."""

    def __init__(self, message: str, *, file: str | None = None, key: str | None = None) -> None:
        self.file, self.key = file, key
        where = ": ".join(part for part in (file, key) if part)
        super().__init__(f"{where}: {message}" if where else message)


class DataError(AssentError):
    """A data file is wrong at a line."""

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None) -> None:
        self.file, self.line = file, line
        where = (file or "") + (f":{line}" if line is not None else "")
        super().__init__(f"{where}: {message}" if where else message)


class FormulaError(AssentError):
    """Text that is not a formula. ``column`` counts from 1; ``expected`` says what would fit there."""

    def __init__(self, message: str, *, text: str = "", column: int = 1, expected: str | None = None) -> None:
        self.message, self.text, self.column, self.expected = message, text, column, expected
        super().__init__(self.pretty())

    def pretty(self) -> str:
        """The message with the part of the text around the column and a caret under it."""
        said = f"{self.message} (column {self.column})"
        if self.expected:
            said += f"; expected {self.expected}"
        if not self.text:
            return said
        start = max(0, self.column - 1 - 40)
        window = self.text[start : self.column - 1 + 40]
        window = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in window)
        return f"{said}\n  {window}\n  {' ' * (self.column - 1 - start)}^"


class LimitError(FormulaError):
    """A formula beyond a stated limit (length, depth, atoms, interval size)."""


class FragmentError(AssentError):
    """A formula outside the fragment that a target or an operation takes; the message says why."""


class PolicyError(AssentError):
    """A policy that is damaged, newer than this version, or made for other models."""


class LeakageError(AssentError):
    """Rows shared between sets that must be disjoint (by id, text or cluster)."""


class MissingExtraError(AssentError):
    """An optional dependency is needed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs an optional dependency: pip install '.[{extra}]' in a checkout of assent"
        )


class ServiceError(AssentError):
    """A service refuses, or does not answer. ``kind`` is its word for it, ``status`` that of the answer."""

    def __init__(self, message: str, *, kind: str = "unreachable", status: int | None = None) -> None:
        self.kind, self.status = kind, status
        super().__init__(message)


class ModelError(AssentError):
    """A model failed. ``retry`` says whether the same call may succeed later.

    ``unanswered``: there was no answer to the call itself (lost, too late, not now); one may still be on its way.
    """

    def __init__(
        self,
        message: str,
        *,
        retry: bool = False,
        retry_after: float | None = None,
        unanswered: bool = False,
    ) -> None:
        self.retry, self.retry_after, self.unanswered = retry, retry_after, unanswered
        super().__init__(message)


class RefusedError(ModelError):
    """The server refuses us: a wrong key, no rights, an unknown model. No repetition can heal it."""


class BudgetError(ModelError):
    """The budget for calls, tokens or money is used up."""


def kind_of(error: AssentError) -> str:
    """``MissingExtraError`` -> ``missing-extra``: what programs are told."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__.removesuffix("Error")).lower()
