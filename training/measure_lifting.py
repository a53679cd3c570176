"""How much of what people say survives lifting: refused, reference sayable, links too many, marks found.

    python training/measure_lifting.py ROWS.jsonl VOCABULARY.json [--show KIND] [--plain]
    python training/measure_lifting.py --written FILE.json ... [--show KIND]

The first form reads rows with text and reference, or with marks (``rows.jsonl`` of the written corpus); the second reads
files of written sections (``{"domain", "vocabulary", "rows"}``). A reference is sayable where the instruction hands
over every name and number it needs (sums of two numbers count as said). ``--show missing|refused|extra|marks|unread|unnamed`` prints the
rows behind a figure: only for data whose errors may be read. ``--plain`` measures without word vectors.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError
from assent.lift import Lifted, linkings
from assent.lift.linear import linearise
from assent.logic.ast import Formula
from assent.logic.ast import names as names_in
from assent.logic.parse import read
from assent.vocabulary import Vocabulary, load_sections

MARK = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]|\{([^{}|]*)\|([^{}|]*)\}|<([^<>|]*)\|([^<>|]*)>")


@dataclass(frozen=True)
class Mark:
    """A marked part of a text: where it stands, its kind and what it says."""

    start: int
    end: int
    kind: str  # "[", "{" or "<"
    says: str

    @property
    def names(self) -> list[str]:
        """The names that a ``[`` mark speaks of."""
        return list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", self.says)))


def unmarked(marked: str) -> tuple[str, list[Mark]]:
    """The sentence without its marks, and the marks with their place in it."""
    text, marks, last = "", [], 0
    for found in MARK.finditer(marked):
        text += marked[last : found.start()]
        words, says = next((found[k], found[k + 1]) for k in (1, 3, 5) if found[k] is not None)
        marks.append(Mark(len(text), len(text) + len(words), marked[found.start()], says))
        text += words
        last = found.end()
    return text + marked[last:], marks


@dataclass
class Tally:
    """Counts for one logic."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def line(self, logic: str) -> str:
        c = self.counts
        n, marks = max(c["rows"], 1), max(c["marks"], 1)
        said = (
            f"{logic:8} n {c['rows']:5}  refused {c['refused'] / n:.3f}  sayable {c['sayable'] / n:.3f} "
            f"(names {c['names'] / n:.3f} numbers {c['numbers'] / n:.3f}; in one of four linkings {c['any'] / n:.3f})\n"
            f"{'':8} rows with a link too many {c['extra'] / n:.3f}  unread words {c['unread'] / n:.3f}  unnamed clauses "
            f"{c['unnamed'] / n:.3f}  open links {c['open'] / n:.3f}  {1000 * self.seconds / n:.1f} ms"
        )
        if c["marks"]:
            said += (
                f"\n{'':8} marks {c['marks']}: linked {c['linked'] / marks:.3f}, to another name "
                f"{c['mislinked'] / marks:.3f}, polarity right {c['polarity'] / max(c['poled'], 1):.3f} of {c['poled']}"
            )
        return said


def sayable_numbers(lifted: Lifted, formula: Formula) -> bool:
    """Whether every number is mentioned, or a sum of mentioned ones."""
    names = {name: name for name in names_in(formula)}
    try:
        linearise(formula, names, {value: key for key, value in lifted.numbers.items()})
    except AssentError:
        return False
    return True


def rows_of(args: argparse.Namespace) -> Iterator[tuple[dict[str, Any], Vocabulary]]:
    if not args.written:
        sections = load_sections(args.files[1])
        for line in Path(args.files[0]).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if args.half is None or row.get("half") == args.half:
                yield row, sections[row["domain"]]
        return
    for file in args.files:
        for section in json.loads(Path(file).read_text(encoding="utf-8")):
            vocabulary = section_of(section["vocabulary"])
            for row in section["rows"]:
                yield row, vocabulary


def section_of(body: dict[str, Any]) -> Vocabulary:
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump({"it": body}, file)
        file.flush()
        return load_sections(file.name)["it"]


def judge_marks(tally: Tally, lifted: Lifted, marks: list[Mark], logic: str) -> list[str]:
    wrong = []
    for mark in (m for m in marks if m.kind == "["):
        inside = [s for s in lifted.spans if s.start < mark.end and mark.start < s.end]
        there = {s.name for s in inside}
        for name in mark.names:
            tally.counts["marks"] += 1
            tally.counts["linked"] += name in there
            tally.counts["mislinked"] += name not in there and bool(there)
            if name not in there:
                wrong.append(f"{lifted.text[mark.start : mark.end]!r} is {name}, not {sorted(there)}")
        plain = re.fullmatch(r"!?\w+", mark.says)
        if logic != "spatial" and plain and mark.names[0] in there:
            tally.counts["poled"] += 1
            tokens = tokens_in(lifted, mark)
            denied = sum(token in DENIALS for token in tokens) % 2 == 1
            right = denied == mark.says.startswith("!")
            tally.counts["polarity"] += right
            if not right:
                wrong.append(f"{lifted.text[mark.start : mark.end]!r} is {mark.says}: {' '.join(tokens)}")
    return wrong


DENIALS = frozenset("not no never without neither nor none nobody n't cannot".split())


def tokens_in(lifted: Lifted, mark: Mark) -> list[str]:
    """The lifted tokens that stand where the mark stands."""
    return [
        token
        for token, place in zip(lifted.tokens, lifted.places, strict=True)
        if place[0] < mark.end and mark.start < place[1]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+")
    parser.add_argument("--written", action="store_true")
    parser.add_argument("--half")
    parser.add_argument("--show", choices=("missing", "refused", "extra", "marks", "unread", "unnamed"))
    parser.add_argument("--plain", action="store_true")
    args = parser.parse_args()
    guess = None if args.plain else Guess(Embedder())
    if guess is not None:
        guess("warm", "up")
    tallies: dict[str, Tally] = {}
    for row, vocabulary in rows_of(args):
        logic = row["logic"]
        text, marks = unmarked(row["marked"]) if "marked" in row else (row["text"], [])
        tally = tallies.setdefault(logic, Tally())
        said = judge_row(tally, row, text, marks, vocabulary, guess)
        for kind, what in said:
            if kind == args.show:
                print(f"{row['id']}: {text}\n    {row.get('reference') or row.get('formula')}\n    {what}")
    for logic, tally in sorted(tallies.items()):
        print(tally.line(logic))


def judge_row(
    tally: Tally,
    row: dict[str, Any],
    text: str,
    marks: list[Mark],
    vocabulary: Vocabulary,
    guess: Guess | None,
) -> Iterator[tuple[str, str]]:
    reference = row.get("reference") or row.get("formula")
    formula = read(reference, row["logic"]) if reference else None
    tally.counts["rows"] += formula is not None
    began = time.process_time()
    try:
        several = linkings(text, row["logic"], vocabulary, guess, 4)
        lifted = several[0]
    except AssentError as error:
        tally.counts["refused"] += formula is not None
        yield "refused", str(error)
        return
    finally:
        tally.seconds += time.process_time() - began
    shown = f"{' '.join(lifted.tokens)}   {dict(lifted.names)} {[str(v) for v in lifted.numbers.values()]}"
    wanted = {name for mark in marks if mark.kind == "[" for name in mark.names}
    if formula is not None:
        names, numbers = names_in(formula) <= set(lifted.names.values()), sayable_numbers(lifted, formula)
        tally.counts.update(names=names, numbers=numbers, sayable=names and numbers)
        wanted |= names_in(formula)
        tally.counts["any"] += any(
            names_in(formula) <= set(one.names.values()) and sayable_numbers(one, formula) for one in several
        )
        tally.counts["open"] += bool(lifted.open)
        tally.counts["unnamed"] += bool(lifted.unnamed)
        if lifted.unnamed or lifted.open:
            yield "unnamed", f"{lifted.unnamed} {lifted.open}"
        if lifted.unread:
            tally.counts["unread"] += 1
            yield "unread", f"{[(part.text, part.why) for part in lifted.unread]}"
        if not (names and numbers):
            missing = names_in(formula) - set(lifted.names.values())
            yield "missing", f"{sorted(missing)} {'' if numbers else 'number'}\n    {shown}"
    extra = set(lifted.names.values()) - wanted
    if extra and formula is not None:
        tally.counts["extra"] += 1
        yield "extra", f"{sorted(extra)}\n    {shown}"
    for wrong in judge_marks(tally, lifted, marks, row["logic"]):
        yield "marks", f"{wrong}\n    {shown}"


if __name__ == "__main__":
    main()
