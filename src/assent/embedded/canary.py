"""What a few fixed sentences give, as a short digest: part of the version, and so of every policy's fingerprint.

The networks compute the same bits everywhere (``assent.samebits``), as far as numpy and the tokenizer keep their
promises. On a machine where they do not, the digest is another one, and policies that were calibrated elsewhere are
refused. It takes less than a second and is remembered for these weights, this code, these libraries and this processor.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING

from assent.errors import AssentError
from assent.io.files import cache_folder, write_atomically
from assent.vocabulary import Entry, Vocabulary

if TYPE_CHECKING:
    from assent.embedded import Embedded

LIBRARIES = ("numpy", "tokenizers", "wordllama")
ROOMS = ("embedded", "lift", "logic")
NAMES = Vocabulary(propositions=(Entry("door_open", "the door is open"), Entry("alarm", "the alarm rings")))
PROBES = (
    ("ltl", "whenever the door is open, the alarm rings until the door is not open", NAMES),
    ("stl", "if the door is open, then within 5 seconds the alarm rings for at least 20 seconds", NAMES),
    ("spatial", "the cup is always left of the plate, and eventually the spoon touches the cup", None),
)
DRAWS = range(5)
SPLIT = 0.2


def observed(models: Embedded) -> list[str]:
    """Readings, draws, scores, back-translations and vectors of the fixed sentences, spelt out to the last bit."""
    lines = []
    for logic, text, names in PROBES:
        try:
            lifted = models.lift(text, logic, names)
            readings = models.n_best(lifted)
            lines += [f"{' '.join(reading.tokens)} {reading.log_p!r}" for reading in readings]
            lines += [repr(draw and (draw.tokens, draw.log_p)) for draw in models.samples(lifted, DRAWS)]
            for reading in readings[:1]:
                judged = models.judge(lifted, reading.formula, disagreement=SPLIT)
                lines += [f"{judged.score!r} {sorted(judged.evidence.items())}"]
                lines += [models.english(reading.formula, logic)]
        except AssentError as error:
            lines.append(f"{logic}: {error}")
        lines.append(models.embedder.embed([text]).tobytes().hex())
    return lines


def digest(models: Embedded) -> str:
    """Eight hexadecimal digits of ``observed``."""
    return hashlib.sha256("\n".join(observed(models)).encode()).hexdigest()[:8]


def remembered(models: Embedded, weights: str) -> str:
    """``digest``, computed once for each combination of weights (their digest), code, libraries and processor."""
    try:
        file = cache_folder("canary") / _key(weights)
    except RuntimeError:  # a user without a home folder
        return digest(models)
    try:
        known = file.read_text(encoding="ascii")
        if len(known) == 8:
            return known
    except (OSError, ValueError):
        pass  # not there yet, or unreadable: computed now
    found = digest(models)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, found.encode())
    except OSError:
        pass  # a machine without a place to remember computes it again
    return found


def _key(weights: str) -> str:
    """Changes with whatever might change what comes out."""
    parts = [weights, sys.version, platform.platform(), _processor()]
    parts += [f"{name} {metadata.version(name)}" for name in LIBRARIES]
    parts += [f"{name}={os.environ.get(name)}" for name in ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES")]
    root = Path(str(resources.files("assent")))
    for room in ROOMS:
        for file in sorted((root / room).rglob("*.py")):
            stat = file.stat()
            parts.append(f"{file} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _processor() -> str:
    """Model and instruction sets of the processor, where the system says them."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            lines = file.read(8192).splitlines()
    except OSError:
        return platform.processor()
    wanted = ("model name", "flags", "Features", "CPU part")
    return "\n".join(line for line in lines if line.startswith(wanted))
