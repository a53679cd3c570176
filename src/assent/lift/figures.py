"""Numbers as people write them in figures: "1,000", ".5", "1 000", "1h30", "250ms"; what is not read whole is refused.

Half a number is another number: "1,000 seconds" read as one second would give a formula that looks fine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn

from assent.errors import FragmentError
from assent.lift.quantities import MAGNITUDES, PLAIN_NUMBERS, SECONDS_IN, UNIT_WORDS, number_word_value

MAX_DIGITS = 30
MAX_EXPONENT = 12
_DIGITS = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Word:
    """One token and the part of the text it came from; ``value`` is set for numbers.

    ``written``: the letters as they were written, for units, where case counts ("MW" is no "mW").
    """

    text: str
    start: int
    end: int
    value: Fraction | None = None
    written: str = field(default="", compare=False)


_OTHER_UNITS = frozenset(
    """
    month months year years fortnight decade ns us \u00b5 \u03bc \u03bcs nanosecond nanoseconds
    microsecond microseconds
    """.split()
)
RANGE = frozenset(["between", "from"])
# After "a second" these tell the duration from the ordinal ("a second visit").
_AFTER_SECOND = frozenset(
    """
    , . ; : ! ? ) of after from before and or if when whenever until then once at later straight by beyond past
    following flat in tops max maximum so
    """.split()
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:[ '][0-9]{3})+(?![0-9']|[ ][0-9]{3})")
_COMMAS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])")
_UNDERLINED = re.compile(r"[0-9]+(?:_[0-9]{3})+(?![0-9])")
_PLAIN = re.compile(r"[0-9]+")
_DECIMALS = re.compile(r"\.[0-9]+")
_EXPONENT = re.compile(r"e([+-]?[0-9]+)(?![\w.])", re.IGNORECASE)
_FRACTION = re.compile(r"/([0-9]+)(?![\w/.])")
# Hours, minutes and seconds written as one word.
_CLOCKED = (
    re.compile(
        r"(?P<h>[0-9]+)h(?P<m>[0-9]+)(?:m|min|mins)?(?:(?P<s>[0-9]+)(?:s|sec)?)?(?!\w)", re.IGNORECASE
    ),
    re.compile(r"(?P<h>[0-9]+)h(?P<s>[0-9]+)s(?!\w)", re.IGNORECASE),
    re.compile(r"(?P<m>[0-9]+)(?:m|min|mins)(?P<s>[0-9]+)(?:s|sec|secs)(?!\w)", re.IGNORECASE),
    re.compile(r"(?P<m>[0-9]+)(?:min|mins)(?P<s>[0-9]+)(?!\w)", re.IGNORECASE),
)
_UNIT_BEHIND = re.compile(r"\s*(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b", re.IGNORECASE)
_SQUARED = re.compile(r"(?:[a-z\u03bc]?m|in|ft|yd)[23](?!\w)", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
# "From the 40th time unit on" counts time, as "from 40 time units on" does.
_POINT_BEFORE = re.compile(r"\b(?:from|after|since|beyond) (?:about )?the $", re.IGNORECASE)
_POINT_BEHIND = re.compile(r" (?:time ?(?:unit|step)|timestep)(?!\w)", re.IGNORECASE)
_ORDINALS = """
    zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
    """.split()
# Letters that may be glued to a figure: what it is measured in.
_GLUED_UNITS = frozenset(
    """
    mm cm dm m km in ft v mv kv a ma w kw mw g mg kg t l ml dl n kn pa kpa mpa hpa bar mbar psi c f hz khz mhz rpm
    mph kmh kph deg db ppm lux lx j kj wh kwh nm cn ph kph bpm knots kt tonnes percent \u03bcm \u03c9 k\u03c9 m\u03c9
    mj gj mwh gwh gw va kva mva var kvar mvar ghz kb mb gb tb kbit mbit gbit ah mah barg bara psig psia mbarg dba ppb
    ntu fnu knm mnm mn gpa cl hl cc ha rad cd lm klx \u03bcs \u03bcg \u03bcl \u03bca \u03bcv \u03bcsv msv sv um bq kbq
    mbq mol mmol yd lb oz ka dbm mmhg
    """.split()
)


def figure_at(text: str, at: int, *, apart: bool) -> tuple[list[Word], int]:
    """The number in figures that begins at ``at``, as words, and where it ends; FragmentError if it is not read whole.

    ``apart``: within brackets, where a comma stands between numbers, not inside one.
    """
    clocked = _clocked(text, at)
    if clocked is not None:
        return clocked
    value, end = _literal(text, at, apart=apart)
    said = text[at:end]
    glued = text[end : end + 1]
    ordinal = _ORDINAL.match(text, end)
    if ordinal and said.isdigit() and _counts_time(text, at, ordinal.end()):
        return [Word(said, at, ordinal.end(), value)], ordinal.end()
    if ordinal and value.denominator == 1 and 0 < value < len(_ORDINALS) and said.isdigit():
        return [Word(_ORDINALS[int(value)], at, ordinal.end())], ordinal.end()
    if glued == "/" and text[end + 1 : end + 2].isdigit():
        return _ratio(text, at, end, value)
    _refuse_glued(text, at, end, apart=apart)
    return [Word(said, at, end, value)], end


def _counts_time(text: str, at: int, end: int) -> bool:
    """Whether an ordinal says from when on: "starting from the 40th time unit"."""
    return bool(_POINT_BEFORE.search(text, 0, at) and _POINT_BEHIND.match(text, end))


def _literal(text: str, at: int, *, apart: bool) -> tuple[Fraction, int]:
    """Digits with their separators, decimals and exponent."""
    patterns = (_UNDERLINED, _PLAIN) if apart else (_GROUPED, _COMMAS, _UNDERLINED, _PLAIN)
    whole = None if text[at] == "." else next(m for p in patterns if (m := p.match(text, at)))
    end = whole.end() if whole else at
    decimals = _DECIMALS.match(text, end)
    end = decimals.end() if decimals else end
    digits = re.sub(r"[ ',_]", "", text[at:end])
    if len(digits) > MAX_DIGITS:
        raise FragmentError(f"a number with {len(digits)} digits; at most {MAX_DIGITS} are read")
    value = Fraction(f"0{digits}" if digits.startswith(".") else digits)
    exponent = _EXPONENT.match(text, end)
    if exponent:
        if abs(int(exponent[1][:6])) > MAX_EXPONENT:
            refuse(text[at : exponent.end()], f"exponents up to {MAX_EXPONENT} are read")
        return value * Fraction(10) ** int(exponent[1]), exponent.end()
    return value, end


def _clocked(text: str, at: int) -> tuple[list[Word], int] | None:
    """ "1h30", "1h30m", "2m30s", "1min30": one duration in seconds."""
    found = next((m for pattern in _CLOCKED if (m := pattern.match(text, at))), None)
    if found is None:
        return None
    hours, minutes, seconds = (int((found.groupdict().get(part) or "0")[:6]) for part in "hms")
    if minutes >= 60 or seconds >= 60 or _UNIT_BEHIND.match(text, found.end()):
        refuse(found.group(), "write the duration as one number")
    value = Fraction(3600 * hours + 60 * minutes + seconds)
    return [
        Word(found.group(), at, found.end(), value),
        Word("seconds", found.end(), found.end()),
    ], found.end()


def _ratio(text: str, at: int, end: int, value: Fraction) -> tuple[list[Word], int]:
    """ "1/2" is a half and "2 1/2" two and a half; "24/7" is always; other divisions are not read."""
    below = _FRACTION.match(text, end)
    said = text[at : below.end() if below else end + 2]
    if said == "24/7":
        return [Word(w, at, at + 4) for w in ("at", "all", "times")], at + 4
    if below is None or int(below[1]) not in (2, 3, 4, 5, 8, 10) or value >= int(below[1]) or "." in said:
        refuse(said, "write a fraction as a decimal")
    return [Word(said, at, below.end(), value / int(below[1]))], below.end()


def _refuse_glued(text: str, at: int, end: int, *, apart: bool) -> None:
    """What stands right behind the digits must be no part of the number."""
    glued, beyond = text[end : end + 1], text[end + 1 : end + 2]
    said = re.match(r"\S+", text[at:])
    shown = said.group().rstrip(".,;:!?)") if said else text[at:end]
    letters = _LETTERS.match(text, end)
    if letters:
        unit = letters.group().lower()
        if (unit not in UNIT_WORDS and unit not in _GLUED_UNITS) or text[
            letters.end() : letters.end() + 1
        ] == "_":
            refuse(shown, "write the number out, apart from what follows it")
        if re.compile(r"[0-9]").match(text, letters.end()) and not _SQUARED.match(text, letters.start()):
            refuse(shown, "write the number out, apart from what follows it")
    elif glued and not glued.isascii() and (glued.isnumeric() or not glued.isprintable()):
        refuse(shown, "write it with the figures 0 to 9")
    elif glued in ("_", "^", "\u00d7", "*") or (
        beyond in _DIGITS and glued not in ("-", " ", "") and not (glued == "," and apart)
    ):
        refuse(shown, "write the number in plain figures, with one point for the decimals")


def refuse_magnitude(words: Sequence[Word], after: int) -> None:
    """ "2 thousandths" are not two, nor are "5 months" five."""
    following = words[after] if after < len(words) else None
    if following is not None and following.text in MAGNITUDES:
        refuse(f"{words[after - 1].text} {following.text}", "write the number in figures")
    divided = after + 1 < len(words) and words[after + 1].text == "/"  # "7 \u03bcS/cm" is no time
    siemens = following is not None and following.written in ("\u03bcS", "uS")
    if following is not None and following.text in _OTHER_UNITS and not divided and not siemens:
        refuse(f"{words[after - 1].text} {following.text}", f"use {', '.join(SECONDS_IN)}")


def refuse_compounds(words: Sequence[Word]) -> None:
    """ "1 minute, 30 seconds" may be one duration or two; "between 1 minute and 90 seconds" are two."""
    for i, word in enumerate(words):
        if word.value is None or i + 2 >= len(words) or words[i + 1].text not in UNIT_WORDS:
            continue
        rest = words[i + 2 :]
        joint = rest[0].text if rest[0].text in ("and", ",") else ""
        rest = rest[1:] if joint else rest
        if [w.text for w in rest[:2]] == ["a", "half"]:
            refuse(f"{words[i + 1].text} and a half", "write the duration as one number")
        if len(rest) < 2 or rest[0].value is None or rest[1].text not in UNIT_WORDS:
            continue
        large, small = (SECONDS_IN[UNIT_WORDS[w.text]] for w in (words[i + 1], rest[1]))
        between = joint == "and" and any(w.text in RANGE for w in words[max(0, i - 3) : i])
        if small < large and not between:
            refuse(f"{words[i + 1].text} {joint} ... {rest[1].text}", "write the duration as one number")


def is_one_unit(words: Sequence[Word], i: int) -> bool:
    """ "A minute" is one minute; "a second" may be an ordinal, unless what stands around it says otherwise."""
    if words[i].text not in ("a", "an") or i + 1 >= len(words) or words[i + 1].text not in UNIT_WORDS:
        return False
    if words[i + 1].text in ("minute", "hour", "millisecond"):
        return i == 0 or words[i - 1].text not in ("half", "quarter")
    following = words[i + 2].text if i + 2 < len(words) else "."
    return (
        words[i + 1].text == "second"
        and i > 0
        and words[i - 1].text not in ("half", "quarter")
        and (following in _AFTER_SECOND)
    )


def spoken_number(words: Sequence[Word], i: int) -> tuple[Fraction, int] | None:
    """The number in words that begins at ``i``, and how many words it takes, hyphens included."""
    texts: list[str] = []
    ends: list[int] = []  # how many words are used when so many texts are
    for k in range(i, min(i + 30, len(words))):
        glued = words[k].text == "-" and 0 < k < len(words) - 1
        if glued and words[k - 1].end == words[k].start and words[k].end == words[k + 1].start and texts:
            continue
        texts.append(words[k].text)
        ends.append(k + 1 - i)
    found = number_word_value(texts)
    return None if found is None else (found[0], ends[found[1] - 1])


_POINTING = frozenset(
    "the this that other another first second third last next each every any which same no".split()
)


def refuse_beside(words: Sequence[Word], i: int, used: int) -> None:
    """ "One forty", "two fifty" and "one-oh-five" are prices, pulses or years: nobody knows how large.

    "The other one ten seconds later" has two numbers in it.
    """
    if words[i].value is not None:
        return
    behind, before = i + used, i - 1
    behind += behind < len(words) and words[behind].text == "-"
    before -= before > 0 and words[before].text == "-"
    digits = PLAIN_NUMBERS | {"oh", "o"}
    if behind < len(words) and words[behind].text in digits:
        refuse(f"{words[i].text} {words[behind].text}", "write it in figures")
    thing = before > 0 and words[before].text == "one" and words[before - 1].text in _POINTING
    if before >= 0 and words[before].text in digits and not thing:
        refuse(f"{words[before].text} {words[i].text}", "write it in figures")


BEFORE_A_DAY = frozenset("within for in than least most of about every half quarter".split())


def is_one_day(words: Sequence[Word], i: int) -> bool:
    """ "One day" is some time, unless what stands before it asks for a duration."""
    if [w.text for w in words[i : i + 2]] != ["one", "day"]:
        return False
    return i == 0 or words[i - 1].text not in BEFORE_A_DAY


def refuse(said: str, remedy: str) -> NoReturn:
    """A number that is not read whole is not read at all."""
    raise FragmentError(f"the number {said!r} is not understood: {remedy}")
