"""Words that a name writes as one: "no-fly" for nofly, "e-stop" and "emergency stop" for estop."""

from __future__ import annotations

from collections.abc import Sequence

from assent.lift.clauses import BREAKS
from assent.lift.entries import words_of
from assent.lift.figures import Word
from assent.lift.stems import stem
from assent.vocabulary import Entry


def join_compounds(words: Sequence[Word], entries: Sequence[Entry]) -> list[Word]:
    """Words that a name writes as one: "no-fly" for nofly, "e-stop" and "emergency stop" for estop."""
    known = frozenset(w for e in entries for w in (*words_of(e.name), *words_of(e.phrase)))
    known_stems = {stem(w) for w in known if len(w) > 3}
    out: list[Word] = []
    i = 0
    while i < len(words):
        j = i + 2 if i + 2 < len(words) and words[i + 1].text == "-" else i + 1
        if j < len(words) and words[i].text.isalpha() and words[j].text not in BREAKS:
            whole, short = words[i].text + words[j].text, words[i].text[0] + words[j].text
            for joined in (whole, short):
                said = stem(joined) in known_stems if joined is whole else joined in known
                if len(joined) > 4 and said and stem(words[j].text) not in known_stems:
                    out.append(Word(joined, words[i].start, words[j].end))
                    i = j + 1
                    break
            else:
                out.append(words[i])
                i += 1
            continue
        out.append(words[i])
        i += 1
    return out
