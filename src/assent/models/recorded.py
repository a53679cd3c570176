"""Answers that were given before, as a model: a study replays offline, a test needs no network.

Two kinds of files are read, one JSON object a line, told apart by their fields:

* what ``assent cache export`` writes (``key`` and ``answer``): exact replays of calls;
* recorded translations (``text``, ``candidate``, ``samples``, ``back_translation``, ``judge`` …), from any
  source. The candidate answers a translation at temperature 0, the samples answer those above it.

What was not recorded raises ``ModelError``; it is never invented.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from assent.errors import DataError, ModelError
from assent.io.lines import read_rows
from assent.models.base import Answer, Prompt, Sampling, call_key

Row: TypeAlias = Mapping[str, Any]
"""A line of a file of either kind."""
_JUDGES = ("judge", "direct_judge", "single_question")


class RecordedModel:
    """Replays recorded answers under the name and version of the model that gave them.

    ``spell(formula, logic)`` is how a back-translator is shown a formula that was recorded in any spelling.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        *,
        name: str = "recorded",
        version: str = "1",
        spell: Callable[[str, str], str] = lambda formula, logic: formula,
    ) -> None:
        self.name, self.version, self._spell = name, version, spell
        self._calls: dict[str, Answer] = {}
        self._texts: dict[tuple[str, str | None], Row] = {}
        self._formulas: dict[tuple[str, str | None], Row] = {}
        for row in rows:
            self._learn(row)

    @classmethod
    def from_file(
        cls,
        path: Path | str,
        *,
        name: str | None = None,
        version: str = "1",
        spell: Callable[[str, str], str] = lambda formula, logic: formula,
    ) -> RecordedModel:
        """The rows of a file of JSON lines; ``name`` None: the file's own, without its ending."""
        path = Path(path)
        rows = (row for _, row in read_rows(path))
        return cls(rows, name=name or path.stem, version=version, spell=spell)

    def _learn(self, row: Row) -> None:
        if "key" in row and "answer" in row:
            try:
                self._calls[row["key"]] = msgspec.convert(row["answer"], Answer)
            except msgspec.ValidationError as error:
                raise DataError(f"recorded answer {row['key']}: {error}") from error
        elif "text" in row:
            logic = None if row.get("logic") is None else str(row["logic"])
            self._texts.setdefault((row["text"], logic), row)
            candidate = row.get("candidate")
            if isinstance(candidate, str):
                self._formulas.setdefault(
                    (candidate if logic is None else self._spell(candidate, logic), logic), row
                )

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        return tuple(self._one(prompt, sampling, index) for index in sampling.indices)

    def _one(self, prompt: Prompt, sampling: Sampling, index: int) -> Answer:
        call = self._calls.get(call_key(self.name, self.version, prompt, sampling, index))
        if call is not None:
            return call
        text = self._recorded(prompt, sampling, index)
        if text is None:
            raise ModelError(f"{self.name}: no recorded answer for this {prompt.task} call, sample {index}")
        return Answer(text=text)

    def _about(self, rows: Mapping[tuple[str, str | None], Row], prompt: Prompt) -> Row:
        """The row about a text or a formula in a logic; one that names no logic is about any."""
        row = rows.get((prompt.subject, str(prompt.logic)))
        return rows.get((prompt.subject, None), {}) if row is None else row

    def _recorded(self, prompt: Prompt, sampling: Sampling, index: int) -> str | None:
        match prompt.task:
            case "translate":
                row = self._about(self._texts, prompt)
                answer = row.get("candidate")
                if sampling.temperature > 0:
                    samples = row.get("samples", [])
                    answer = samples[index] if index < len(samples) else None
            case "back_translate":
                answer = self._about(self._formulas, prompt).get("back_translation")
            case task if task in _JUDGES:
                row = self._about(self._texts, prompt)
                if "english" in prompt.inputs and not _same(prompt.inputs["english"], row):
                    return None  # a rating of some other English says nothing about this one
                ratings = row.get(task)
                return None if ratings is None else _as_answer(ratings, prompt.nonce)
            case _:
                answer = None
        return answer if isinstance(answer, str) else None


def _same(english: str, row: Row) -> bool:
    """Whether this is the English that was recorded; answers are read as one line without quotes."""
    recorded = row.get("back_translation")
    return isinstance(recorded, str) and english.split() == recorded.strip().strip('"').split()


def _as_answer(ratings: object, nonce: str | None) -> str:
    body = dict(ratings) if isinstance(ratings, Mapping) else {"rating": ratings}
    return msgspec.json.encode(body | ({} if nonce is None else {"nonce": nonce})).decode()
