"""English text as words with their place in the text: contractions opened, numbers recognised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from assent.lift.characters import PlainText, label_end, plain
from assent.lift.durations import spell_durations
from assent.lift.figures import (
    Word,
    figure_at,
    is_one_day,
    is_one_unit,
    refuse,
    refuse_beside,
    refuse_compounds,
    refuse_magnitude,
    spoken_number,
)
from assent.lift.quantities import (
    FURTHER,
    MORE_OR_LESS,
    NUMBER_WORDS,
    PLAIN_UNIT_WORDS,
    SMALL_NUMBER_WORDS,
    UNIT_WORDS,
    convert,
    part_at,
)
from assent.lift.units import is_rate, is_spoken_unit

_LETTERS = re.compile(r"[^\W\d]\w*(?:[\u0300-\u036f]+\w*)*")
_ENDING = re.compile(r"'[A-Za-z]+")
# A space left out before a duration: "after391 timesteps".
_GLUED_BEFORE = re.compile(
    r"(?:after|within|for|until|from|next|during|between|first)(?=\d+(?:\s*(?:to|and|-)\s*\d+)?\s*"
    r"(?:time\s?(?:unit|step)s?|timesteps?|units?|steps?|seconds?|minutes?|hours?|days?)\b)",
    re.IGNORECASE,
)
# Signs that say what words say.
_SIGNS = {
    ">=": ("at", "least"),
    "=>": ("then",),
    "<=": ("at", "most"),
    "->": ("then",),
    "==": ("equals",),
    "!=": ("not", "equals"),
    ">": ("more", "than"),
    "<": ("less", "than"),
    "=": ("equals",),
    "&": ("and",),
}
_ENDINGS = {"'s": "is", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would", "'m": "am"}
_WHOLE = {"won": "will", "can": "can", "shan": "shall", "ain": "is"}
# Before a number in words, these say that something is measured.
_COMPARING = frozenset(
    "than below above under over exceeds exceed exceeding exceeded past beyond reaches reach reached hits hit".split()
)
_COUNTED = frozenset(["times", "time", "visits", "occasions"])


def split(text: str, names: frozenset[str] = frozenset()) -> list[Word]:
    """Lower-case words and punctuation marks, with contractions opened ("isn't" is two words).

    An identifier before the requirement is left out, unless it is one of ``names``. A number that cannot be read
    whole is refused: half of it would be another number.
    """
    given = plain(text)
    words = [_placed(word, given) for word in _opened(given.text, label_end(given.text, names))]
    return spell_durations(_without_dots_of_units(_without_signs_of_numbers(words)))


def _without_signs_of_numbers(words: list[Word]) -> list[Word]:
    """ "Pump no. 2" and "pump #2" are pump 2."""
    out: list[Word] = []
    for word in words:
        if (
            word.value is not None
            and len(out) > 2
            and [w.text for w in out[-2:]] in (["no", "."], ["nr", "."])
        ):
            del out[-2:]
        elif word.value is not None and len(out) > 1 and out[-1].text == "#" and out[-1].value is None:
            out.pop()
        out.append(word)
    return out


def _without_dots_of_units(words: list[Word]) -> list[Word]:
    """ "60 % rel. humidity" and "60 % r.h. for" go on behind the dot."""
    out: list[Word] = []
    for i, word in enumerate(words):
        said = tuple(w.text for w in out[-3:])
        short = said[-2:] in (("%", "rel"), ("%", "r")) or (said == ("%", "r", "h") and i + 1 < len(words))
        if word.text != "." or not short:
            out.append(word)
    return out


def _placed(word: Word, given: PlainText) -> Word:
    start, end = given.place(word.start, word.end)
    return replace(word, start=start, end=end)


def _opened(text: str, at: int) -> list[Word]:
    words: list[Word] = []
    for word in _tokens(text, at):
        token, start, end = word.text, word.start, word.end
        previous = words[-1] if words else None
        touching = previous is not None and previous.end == start
        if previous is not None and touching and token == "'t" and previous.text.endswith("n"):
            words[-1] = replace(previous, text=_WHOLE.get(previous.text, previous.text[:-1]), end=end)
            words.append(Word("not", start - 1, end))
        elif touching and token in _ENDINGS:
            words.append(Word(_ENDINGS[token] if token != "'s" else "'s", start, end))
        elif token == "cannot":
            words += [Word("can", start, start + 3), Word("not", start + 3, end)]
        else:
            words.append(word)
    return words


def _tokens(text: str, at: int) -> Iterator[Word]:
    """Words, figures and marks as they stand."""
    depth = 0  # "[5,100]" is an interval, "5,100" a number
    last: Word | None = None
    while at < len(text):
        character = text[at]
        found = _GLUED_BEFORE.match(text, at) or _LETTERS.match(text, at)
        if found is None and character == "'":
            found = _ENDING.match(text, at)
        if character.isspace():
            at += 1
            continue
        unit = _unit_with_figures(text, at, last)
        if unit:
            yield from unit
            last = unit[-1]
            at = last.end
            continue
        if found is not None:
            if any(c.isnumeric() and not c.isascii() for c in found.group()):
                refuse(found.group(), "write it with the figures 0 to 9")
            yield (last := Word(found.group().lower(), at, found.end(), written=found.group()))
            at = found.end()
            continue
        if character in "0123456789" or (character == "." and text[at + 1 : at + 2] in _DIGITS):
            figures, at = figure_at(text, at, apart=depth > 0)
            last = figures[-1]
            yield from figures
            continue
        if character.isnumeric():
            refuse(character, "write it with the figures 0 to 9")
        if character == "^" and text[at + 1 : at + 2] in _DIGITS:
            refuse(text[at : at + 2], "only units have powers")
        if _negates(text, at, last):
            figures, end = figure_at(text, at + 1, apart=depth > 0)
            if figures[0].value is None:
                refuse(text[at:end], "write the number out")
            yield (last := replace(figures[0], text=f"-{figures[0].text}", start=at, value=-figures[0].value))
            yield from figures[1:]
            at = end
            continue
        sign = next((s for s in _SIGNS if text.startswith(s, at)), "")
        if sign in ("->", "=>") and _between_figures(text, at, at + len(sign)):
            refuse(text[:at].rsplit(maxsplit=1)[-1] + f" {sign} ...", "write a range with 'to'")
        for word in _SIGNS.get(sign, ()):
            yield (last := Word(word, at, at + len(sign)))
        if not sign:
            depth += (character in "[(") - (character in "])")
            yield (last := Word(character.lower(), at, at + 1))
        at += max(len(sign), 1)


_DIGITS = frozenset("0123456789")
_INVERSE = re.compile(
    r"(min|s|h)\^?-1(?!\w|[.,]\d|\s*(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?)\b)"
)
_RECIPROCAL = re.compile(
    r"1(?=\s?/\s?(?:s|sec|second|min|minute|h|hr|hour|d|day|m|km|m[23])\b)", re.IGNORECASE
)
_HUNDRED_KM = re.compile(r"100\s?km(?!\w)", re.IGNORECASE)


def _unit_with_figures(text: str, at: int, last: Word | None) -> list[Word]:
    """The 1 of "500 1/min" and of "500 min-1" and the 100 km of "6 l/100 km" are no numbers."""
    if last is None:
        return []
    found = _HUNDRED_KM.match(text, at) if last.text in ("/", "per") else None
    if found is None and last.value is not None and last.end < at:
        found = _RECIPROCAL.match(text, at)
    if found is not None:
        return [Word(re.sub(r"\s", "", found.group().lower()), at, found.end())]
    inverse = _INVERSE.match(text, at) if last.value is not None else None
    if inverse is None:
        return []
    return [Word("1", at, at + 1), Word("/", at, at + 1), Word(inverse[1], at, inverse.end())]


def _between_figures(text: str, start: int, end: int) -> bool:
    return text[:start].rstrip()[-1:] in _DIGITS and text[end:].lstrip()[:1] in _DIGITS


def _negates(text: str, at: int, last: Word | None) -> bool:
    """A minus sign right before a figure, which stands between no two things."""
    if text[at] != "-" or text[at + 1 : at + 2] not in _DIGITS:
        return False
    return last is None or (last.end < at and last.value is None) or last.text in ("[", "(", ",", "..")


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
        value, used = _with_part(words, i, value, used)
        after = i + used
        if _denied_sign(out):
            value = -value
            out.pop()
        refuse_magnitude(words, after)
        refuse_beside(words, i, used)
        follower = words[after].text if after < len(words) else ""
        if follower in _COUNTED and not _is_time(words, after) and value.denominator == 1 and 0 <= value < 20:
            out.append(Word(SMALL_NUMBER_WORDS[int(value)], words[i].start, words[after - 1].end))
        else:
            own = _unit_of(words, after)
            if own is not None and value < 0:
                refuse(f"-{-value} {own}", "a duration is not negative")
            out.append(Word("#", words[i].start, words[after - 1].end, convert(value, own, unit)))
        i += used
    refuse_compounds(out)
    out = _with_both_ends(out)
    return [replace(w, text="seconds") if _is_unit(out, k) else w for k, w in enumerate(out)]


_PLUS_OR_MINUS = ("plus", "or", "minus")
# Without one of these, or without a figure, no tolerance is told.
_OF_TOLERANCES = frozenset("plus + give tolerance off away from of different way side direction down".split())


def _with_both_ends(words: list[Word]) -> list[Word]:
    """Tolerances told by their ends; the module is loaded where there may be any."""
    if not _OF_TOLERANCES & {word.text for word in words} or all(word.value is None for word in words):
        return words
    from assent.lift.tolerances import with_both_ends

    return with_both_ends(words)


def _denied_sign(before: list[Word]) -> bool:
    """ "Minus 5", but not "plus or minus 5"."""
    said = tuple(word.text for word in before[-3:])
    return (
        said[-1:] in (("minus",), ("negative",)) and said != _PLUS_OR_MINUS and said[-2:] != ("plus", "minus")
    )


def _with_part(words: list[Word], i: int, value: Fraction, used: int) -> tuple[Fraction, int]:
    """ "Two and a half" and "2 1/2" are one number, and so is "2.5 thousand"."""
    after = i + used
    if [w.text for w in words[after : after + 3]] == ["and", "a", "half"]:
        return value + Fraction(1, 2), used + 3
    following = words[after] if after < len(words) else None
    if following is not None and following.value is not None and words[i].value is not None:
        if "/" not in following.text or value.denominator != 1:
            refuse(f"{words[i].text} {following.text}", "two numbers stand side by side")
        if after + 1 < len(words) and words[after + 1].value is not None:
            refuse(f"{following.text} {words[after + 1].text}", "two numbers stand side by side")
        return value + following.value, used + 1
    if following is not None and words[i].value is not None and following.text in _SCALES:
        return value * _SCALES[following.text], used + 1
    return value, used


_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}


def _is_time(words: list[Word], at: int) -> bool:
    """'5 time units' is a duration, '5 times' is a count."""
    return words[at].text == "time" and at + 1 < len(words) and words[at + 1].text in PLAIN_UNIT_WORDS


def _is_unit(words: list[Word], at: int) -> bool:
    """A unit word right after a number (a hyphen may stand between); 'second' alone may be an ordinal."""
    if words[at].text not in UNIT_WORDS or at == 0 or is_one_day(words, at - 1):
        return False
    if at + 1 < len(words) and words[at + 1].text == "/":  # "7 mS/cm" is no time
        return False
    before = words[at - 1]
    if (before.text == "-" or before.text in FURTHER) and at > 1:
        before = words[at - 2]
    if len(words[at].text) == 1:  # a letter, unless a figure stands before it
        return before.value is not None
    return before.value is not None or before.text in NUMBER_WORDS


def _unit_of(words: list[Word], at: int) -> str | None:
    """The unit of a number ending before ``at``: its own, or that of the range it opens ("5 to 12 s")."""
    for k in range(at, min(at + 5, len(words))):
        text = words[k].text
        if text in UNIT_WORDS and k + 1 < len(words) and k > at and words[k + 1].value is not None:
            return None  # "from 20 to minute 10": the unit is that of the figure behind it
        if text in UNIT_WORDS and _is_unit(words, k):
            return UNIT_WORDS[text]
        if text in UNIT_WORDS and k + 1 < len(words) and words[k + 1].text == "/":
            return None
        if text in UNIT_WORDS and len(text) > 1:
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
        return word.value, 1
    if is_one_unit(words, i) and not (i and is_rate(words, i)):
        return Fraction(1), 1
    part = part_at([w.text for w in words[i : i + 6]])
    if part is not None:
        return part
    if (word.text not in NUMBER_WORDS and word.text != "a") or is_one_day(words, i):
        return None, 0
    found = spoken_number(words, i)
    if found is None:
        return None, 0
    value, used = found
    return (value, used) if _is_measured(words, i, used, value) else (None, 0)


def _opens_a_range(words: list[Word], joint: int) -> bool:
    """ "Between three and five bar": the unit stands after the second number."""
    if joint + 1 >= len(words):
        return False
    found = (Fraction(0), 1) if words[joint + 1].value is not None else spoken_number(words, joint + 1)
    return found is not None and is_spoken_unit(words, joint + 1 + found[1])


def _is_measured(words: list[Word], i: int, used: int, value: Fraction) -> bool:
    """Whether a number in words is a figure: with a unit, compared, or larger than people count things."""
    after = words[i + used].text if i + used < len(words) else ""
    behind = i + used
    if after == "-" and i + used + 1 < len(words):
        behind += 1
        after = words[behind].text
    before = words[i - 1].text if i else ""
    if (
        after in UNIT_WORDS
        or is_spoken_unit(words, behind)
        or (after in PLAIN_UNIT_WORDS and after != "time")
    ):
        return True
    if after == "time" and i + used < len(words) and _is_time(words, i + used):
        return True
    # "five to twelve seconds": the unit stands after the second number.
    if after in ("to", "and", "or") and _unit_of(words, i + used) is not None:
        return True
    if after == "or" and i + used + 1 < len(words) and words[i + used + 1].text in MORE_OR_LESS:
        return True
    if after in ("to", "and", "or", "-") and _opens_a_range(words, behind):
        return True
    single = words[i].text in ("one", "a") and after in ("of", "another", "the", "or")
    if before in ("minus", "negative", "plus") or (before in _COMPARING and not single):
        return True
    return value > 12 or value.denominator > 2
