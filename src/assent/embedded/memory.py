"""What a model was fine-tuned on, remembered as hashes beside its weights, so that it cannot calibrate too.

No torch here: calibration reads the memory of a training that happened elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from assent.calibrate.leakage import normalised
from assent.embedded.opinions import placeholders
from assent.errors import AssentError, DataError, LeakageError
from assent.io.files import write_atomically
from assent.lift.linear import delinearise, linearise
from assent.logic.ast import Formula
from assent.logic.canonical import canonical_key

FILE = "trained_on.json"
SHOWN = 3


@dataclass(frozen=True)
class Memory:
    """Marks of the texts, and of the formulas up to names and numbers, that weights were fitted to."""

    texts: frozenset[str]
    clusters: frozenset[str]

    @classmethod
    def load(cls, path: str | Path) -> Memory:
        """From a folder of weights, or from the file itself."""
        file = Path(path) / FILE if Path(path).is_dir() else Path(path)
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            return cls(frozenset(content["texts"]), frozenset(content["clusters"]))
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror}", file=str(file)) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DataError("is not what 'assent train' remembers of its rows", file=str(file)) from error

    def save(self, folder: Path) -> None:
        content = {"texts": sorted(self.texts), "clusters": sorted(self.clusters)}
        write_atomically(folder / FILE, json.dumps(content).encode() + b"\n")

    def refuse(self, pairs: Iterable[tuple[str, Formula]], source: str) -> None:
        """Raise ``LeakageError`` if a text, or a formula up to names and numbers, was trained on."""
        texts, clusters = [], []
        for text, formula in pairs:
            if text_mark(text) in self.texts:
                texts.append(text)
            elif cluster_of(formula) in self.clusters:
                clusters.append(text)
        for found, what in ((texts, "texts"), (clusters, "formulas (but for names and numbers)")):
            if found:
                some = ", ".join(repr(text[:60]) for text in found[:SHOWN])
                raise LeakageError(
                    f"{len(found)} rows were trained on in {source} by their {what}, {some} among them: "
                    "calibrate on rows that training held out"
                )


def text_mark(text: str) -> str:
    """What is remembered of a text that was trained on: enough to know it again, not to read it."""
    return hashlib.sha256(normalised(text).encode()).hexdigest()[:16]


def cluster_of(formula: Formula) -> str:
    """One name for all formulas that are canonically the same but for names and numbers."""
    names, numbers = placeholders(formula)
    order = {value: Fraction(rank) for rank, value in enumerate(sorted(numbers), start=1)}
    try:
        tokens = linearise(formula, names, numbers)
        back = {placeholder: order[value] for value, placeholder in numbers.items()}
        form = delinearise(tokens, {placeholder: placeholder for placeholder in names.values()}, back)
    except AssentError:
        form = formula
    return hashlib.sha256(canonical_key(form).encode()).hexdigest()[:16]
