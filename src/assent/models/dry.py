"""A model that is never asked: it notes every call that would be made, and answers plausibly at once.

A dry run puts it in the place of real models; ``estimate`` then says what the calls would cost.
"""

from __future__ import annotations

import msgspec

from assent.models.base import Answer, Prompt, Sampling


class DryModel:
    """Stands in for the model of this name and version. ``calls`` is what it was asked."""

    def __init__(self, name: str, version: str = "dry") -> None:
        self.name, self.version = name, version
        self.calls: list[tuple[Prompt, Sampling]] = []

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        # Only what the estimate needs is kept: a run may have a hundred thousand lines.
        self.calls.append((msgspec.structs.replace(prompt, schema=None), sampling))
        return (Answer(text=_plausible(prompt)),) * sampling.n


def _plausible(prompt: Prompt) -> str:
    if prompt.schema is not None:
        fields: dict[str, dict[str, object]] = prompt.schema.get("properties", {})
        body = {name: _value(field) for name, field in fields.items()}
        return msgspec.json.encode({**body, "nonce": prompt.nonce}).decode()
    # A formula of every logic and every vocabulary.
    return "true" if prompt.task == "translate" else "This is always the case."


def _value(field: dict[str, object]) -> object:
    choices = field.get("enum")
    if isinstance(choices, list):
        return choices[0]
    return 100 if field.get("type") == "integer" else "nothing differs"
