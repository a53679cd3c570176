"""English text as words with their place in the text: contractions opened, numbers recognised."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.durations import spell_durations
from assent.lift.figures import (
    Word,
    is_one_day,
    is_one_unit,
    refuse_compounds,
    refuse_magnitude,
    written_numbers,
)
from assent.lift.quantities import (
    FURTHER,
    NUMBER_WORDS,
    PLAIN_UNIT_WORDS,
    SMALL_NUMBER_WORDS,
    UNIT_WORDS,
    convert,
    number_word_value,
)

_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+(?:\.[0-9]+)?|'[A-Za-z]+|[^\sA-Za-z0-9_]")
MAX_DIGITS = 30
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'", "–": "-", "—": "-", "−": "-"})
_ENDINGS = {"'s": "is", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would", "'m": "am"}
_WHOLE = {"won": "will", "can": "can", "shan": "shall"}
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
_TIME_CONTEXT = frozenset(
    "within first next last least most after before between from to past in for".split()
)
_COUNTED = frozenset(["times", "time", "visits", "occasions"])


def split(text: str) -> list[Word]:
    """Lower-case words and punctuation marks, with contractions opened ("isn't" is two words).

    A number that cannot be read whole is refused: half of it would be another number.
    """
    plain = text.translate(_APOSTROPHES)
    words: list[Word] = []
    for found in _TOKEN.finditer(plain):
        token, start, end = found.group().lower(), found.start(), found.end()
        previous = words[-1] if words else None
        touching = previous is not None and previous.end == start
        if previous is not None and touching and token == "'t" and previous.text.endswith("n"):
            stem = previous.text[:-1]
            words[-1] = replace(previous, text=_WHOLE.get(previous.text, stem), end=end)
            words.append(Word("not", start - 1, end))
        elif touching and token in _ENDINGS:
            words.append(Word(_ENDINGS[token] if token != "'s" else "'s", start, end))
        elif token == "cannot":
            words += [Word("can", start, start + 3), Word("not", start + 3, end)]
        elif token[0] in "0123456789":
            if len(token) > MAX_DIGITS:
                raise FragmentError(f"a number with {len(token)} digits; at most {MAX_DIGITS} are read")
            words.append(Word(token, start, end, Fraction(token)))
        else:
            words.append(Word(token, start, end))
    return spell_durations(written_numbers(words))


def common_unit(words: list[Word]) -> str | None:
    """The time unit of an instruction: the only one it mentions, seconds if it mentions several."""
    named = {UNIT_WORDS[w.text] for k, w in enumerate(words) if _is_unit(words, k)}
    return named.pop() if len(named) == 1 else "s" if named else None


def mark_numbers(words: list[Word], unit: str) -> list[Word]:
    """Durations and bounds become words with a value in ``unit``; counts ("three times") stay words."""
    out: list[Word] = []
    i = 0
    while i < len(words):
        value, used = _number_at(words, i)
        if value is None:
            out.append(words[i])
            i += 1
            continue
        value, used = _with_half(words, i, value, used)
        after = i + used
        if (
            after < len(words)
            and words[after].text in _ORDINAL_ENDINGS
            and words[after].start == words[after - 1].end
        ):
            used, after = used + 1, after + 1
        follower = words[after].text if after < len(words) else ""
        if follower in _COUNTED and not _is_time(words, after) and value.denominator == 1 and value < 20:
            out.append(Word(SMALL_NUMBER_WORDS[int(value)], words[i].start, words[after - 1].end))
        else:
            own = _unit_of(words, after)
            out.append(Word("#", words[i].start, words[after - 1].end, convert(value, own, unit)))
        i += used
    refuse_compounds(out)
    return [replace(w, text="seconds") if _is_unit(out, k) else w for k, w in enumerate(out)]


def _with_half(words: list[Word], i: int, value: Fraction, used: int) -> tuple[Fraction, int]:
    """ "Two and a half" is one number."""
    if [w.text for w in words[i + used : i + used + 3]] == ["and", "a", "half"]:
        return value + Fraction(1, 2), used + 3
    return value, used


def _is_time(words: list[Word], at: int) -> bool:
    """'5 time units' is a duration, '5 times' is a count."""
    return words[at].text == "time" and at + 1 < len(words) and words[at + 1].text in PLAIN_UNIT_WORDS


def _is_unit(words: list[Word], at: int) -> bool:
    """A unit word right after a number (a hyphen may stand between); 'second' alone may be an ordinal."""
    if words[at].text not in UNIT_WORDS or at == 0 or is_one_day(words, at - 1):
        return False
    before = words[at - 1]
    if (before.text == "-" or before.text in FURTHER) and at > 1:
        before = words[at - 2]
    if len(words[at].text) == 1:  # a letter, unless a figure stands before it
        return before.value is not None
    if before.value is not None or before.text in NUMBER_WORDS:
        return True
    return before.text in ("a", "an") and at > 1 and UNIT_WORDS[words[at].text] not in ("d", "w")


def _unit_of(words: list[Word], at: int) -> str | None:
    """The unit of a number ending before ``at``: its own, or that of the range it opens ("5 to 12 s")."""
    for k in range(at, min(at + 5, len(words))):
        text = words[k].text
        if text in UNIT_WORDS and (len(text) > 1 or words[k - 1].value is not None):
            return UNIT_WORDS[text]
        if text in PLAIN_UNIT_WORDS:
            return None
        joins = (
            text in ("-", "to", "and", "or", "a", "an")
            or text in FURTHER
            or words[k].value is not None
            or text in NUMBER_WORDS
        )
        if not joins:
            return None
    return None


def _number_at(words: list[Word], i: int) -> tuple[Fraction | None, int]:
    word = words[i]
    if word.value is not None:
        refuse_magnitude(words, i + 1)
        return word.value, 1
    if is_one_unit(words, i):
        return Fraction(1), 1
    if (word.text not in NUMBER_WORDS and word.text != "a") or is_one_day(words, i):
        return None, 0
    found = number_word_value([w.text for w in words[i : i + 6] if w.text != "-"])
    if found is None:
        return None, 0
    value, used = found
    refuse_magnitude(words, i + used)
    used += sum(w.text == "-" for w in words[i : i + used + 1][1:-1])
    after = words[i + used].text if i + used < len(words) else ""
    if after == "-" and i + used + 1 < len(words):
        after = words[i + used + 1].text
    before = words[i - 1].text if i else ""
    timed = after in UNIT_WORDS or (after in PLAIN_UNIT_WORDS and after != "time")
    timed = timed or (after == "time" and i + used < len(words) and _is_time(words, i + used))
    # "five to twelve seconds": the unit stands after the second number.
    timed = timed or (after in ("to", "and", "or") and _unit_of(words, i + used) is not None)
    if timed or (value > 12 and before in _TIME_CONTEXT):
        return value, used
    return None, 0
