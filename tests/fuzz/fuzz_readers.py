"""Coverage-guided fuzzing of a reader: ``python tests/fuzz/fuzz_readers.py READER [--corpus=DIR] [libFuzzer options]``.

READER is ltl, stl, spatial or english. An input is raw text or a string of words that the reader knows; the first
inputs are random formulas in every spelling. A crash is any exception but the refusal of a text, a formula that is not
read back as itself, or more than a second of processor time; libFuzzer watches memory (-rss_limit_mb).
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import atheris
from kept import with_corpus

with atheris.instrument_imports(include=["assent.logic"]):
    from assent.errors import FormulaError, FragmentError
    from assent.logic import Logic, canonical, check, read, write
    from assent.logic.dialect import RELATION_WORDS, SPELLINGS
    from assent.logic.english import english, read_english
    from assent.logic.render import Spelling
    from assent.logic.testing import random_formula

SPELLINGS_WRITTEN: tuple[Spelling, ...] = ("symbols", "words", "unicode", "latex")
WORDS = [
    *SPELLINGS,
    *RELATION_WORDS,
    *'a b x p_1 cup "G" abs ( dist( i e t than 3 2.5 -1 1/3 1e5 [0,5] [3:] [2,inf)'.split(),
    *"_{[0,5]} [5,2] . ; LTL: ``` $ \\mathbf{G} \\mathit{p\\_1} \\left( \\right) ( ( ) ) ),".split(),
    *["\n", "\0", "\ud800", "\u200f", "\ufeff"],
]
SENTENCE = (
    "at every time some point the next step if then not both and either or neither holds hold until eventually for "
    "ever up to including within between after time units later it is the case that true false always never from now "
    "on 3 12 0.5 prop_1 a , . ; : cup left of right above below close far touches overlaps inside distance than more "
    "less equals"
).split()
SECONDS = 1.0
RAW = 0
"""First byte of an input that is raw text."""


def text_of(data: bytes, words: list[str]) -> str:
    """Raw text (with lone surrogates for broken bytes), or words picked by the bytes, with or without spaces."""
    if not data or data[0] % 2 == RAW:
        return data[1:].decode("utf-8", "surrogateescape")
    space = " " if data[0] % 4 == 1 else ""
    return space.join([words[byte % len(words)] for byte in data[1:]])


def fuzz_formulas(logic: str, data: bytes) -> None:
    text = text_of(data, WORDS)
    try:
        formula = read(text, logic)
    except FormulaError as error:
        str(error).encode()
        assert 1 <= error.column <= len(text) + 1
        return
    check(formula, logic)
    spelling = SPELLINGS_WRITTEN[len(data) % 4]
    assert read(write(formula, spelling), logic) == formula
    settled = canonical(formula)
    assert canonical(settled) == settled


def fuzz_english(data: bytes) -> None:
    text = text_of(data, SENTENCE)
    logic = tuple(Logic)[len(data) % 3]
    try:
        formula = read_english(text, logic)
    except (FormulaError, FragmentError) as error:  # not this language, or not this logic
        str(error).encode()
        return
    again = read_english(english(formula), logic)
    # An and inside an and is said as one list, so that it is read back as one.
    assert canonical(again) == canonical(formula)
    assert english(again) == english(formula)


def sow(folder: Path, reader: str) -> None:
    """Random formulas to start from."""
    for seed in range(60):
        rng = random.Random(seed)
        logic = rng.choice(tuple(Logic)) if reader == "english" else Logic(reader)
        formula = random_formula(
            rng, logic, operators=seed % 7, comparisons=True, constants=True, decimals=True
        )
        text = english(formula) if reader == "english" else write(formula, SPELLINGS_WRITTEN[seed % 4])
        (folder / str(seed)).write_bytes(bytes([RAW]) + text.encode())


def main(reader: str, options: list[str]) -> None:
    run: Callable[[bytes], None]
    run = fuzz_english if reader == "english" else lambda data: fuzz_formulas(reader, data)

    def target(data: bytes) -> None:
        start = time.process_time()
        run(data)
        assert time.process_time() - start < SECONDS

    with tempfile.TemporaryDirectory() as folder:
        sow(Path(folder), reader)
        given, kept = with_corpus(options)
        atheris.Setup([sys.argv[0], *given, *kept, folder], target)
        atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in (*Logic, "english"):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
