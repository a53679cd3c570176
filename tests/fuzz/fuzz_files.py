"""Coverage-guided fuzzing of what is read from files: ``python tests/fuzz/fuzz_files.py READER [libFuzzer options]``.

READER is evidence, policy, vocabulary or configuration. The first input is a whole one; libFuzzer changes it.
A crash is any exception but the package's own.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["assent"]):
    from assent.config.settings import load
    from assent.errors import AssentError, DataError
    from assent.io.lines import scan_rows
    from assent.policy import Policy
    from assent.records.rows import evidence_of
    from assent.vocabulary import load_sections

ROW = {
    "id": "1", "logic": "stl", "text": "a within 3 s", "reference": "F[0,3] a", "candidate": "F[0,3] a", "group": "D2",
    "samples": ["F[0,3] a", "G a"], "back_translation": "a soon", "judge": {"overall_meaning": 90}, "cluster": "c",
    "scores": {"default": 0.25}, "gate": {"distance": 1.0, "p_value": 0.5}, "made_by": {"logic": "stl"},
}  # fmt: skip
NAMES = {
    "hall": {
        "propositions": ["a", {"name": "v", "type": "number", "unit": "m", "range": [0, 9]}],
        "time_unit": "s",
    }
}
SETTINGS = '[translator]\nmodel = "m"\n[models.m]\nkind = "recorded"\nfile = "rows.jsonl"\n'
POLICY = {"schema": 1, "alpha": 0.1, "rules": {}, "fingerprint": {}, "channel": "default", "checksum": ""}


def evidence(file: Path) -> None:
    for _, row in scan_rows(file):
        if not isinstance(row, DataError):
            evidence_of(row)


READERS: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "evidence": (json.dumps(ROW), evidence),
    "policy": (json.dumps(POLICY), Policy.load),
    "vocabulary": (json.dumps(NAMES), load_sections),
    "configuration": (SETTINGS, load),
}


NAMED = {"configuration": "assent.toml"}


def main(reader: str, options: list[str]) -> None:
    first, read = READERS[reader]
    with tempfile.TemporaryDirectory() as folder:
        file, corpus = Path(folder) / NAMED.get(reader, "input.json"), Path(folder) / "corpus"
        corpus.mkdir()
        (corpus / "first").write_text(first)

        def target(data: bytes) -> None:
            file.write_bytes(data)
            try:
                read(file)
            except AssentError as error:
                str(error).encode("utf-8", "surrogatepass")

        atheris.Setup([sys.argv[0], *options, str(corpus)], target)
        atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in READERS:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
