"""What only stresses what was said: "limits included", "not even for a second", "for as long as the plant exists".

A range is closed as it is, and what must never be is not so for a second either; said again, they bring a number or a
noun that nothing else speaks of. They are left out where that holds, and stay where it does not ("ends excluded",
"not even for 5 seconds").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assent.lift.figures import Word
from assent.lift.rewording import END, joined, place

_ENDS_OF = r"(?:limits|ends|bounds|endpoints|end points|boundaries|limit values|values)"
_FIGURE = r"#\d+(?: second| minute| hour)?"  # a unit said before may have come with it
_LIMITS = re.compile(
    rf"(?: ,| -| \()? (?:(?:with )?(?:both |the |its |all )?(?:two )?{_ENDS_OF}(?: (?:are|being))?"
    rf"(?: (?:both|themselves))? included|including (?:both |the |its )?{_ENDS_OF}|inclusive|inclusively"
    rf"|{_FIGURE} and {_FIGURE} (?:are |being )?(?:both |themselves )?(?:included|allowed|okay|ok|fine))"
    rf"( \))?{END}"
)
_RANGE = re.compile(
    r" (?:between|from|within|range|band) (?:the |of |between |from )*#\d+ [^.;:]*?(?:and|to|-) #\d+ "
)
_OPEN_RANGE = re.compile(r" (?:outside|leaves?|leaving|out|not|never|no|away|anywhere|but|except|exclu\w+) ")
_NOT_EVEN = re.compile(
    r"(?: ,| -| \() not (?:even (?:for )?|for )(?:#1|an?|one|a single|one single) (?:single )?"
    rf"(?:second|moment|instant|minute|heartbeat|split second|millisecond)( \))?{END}"
    rf"|(?: ,| -) not even once{END}"
)
_DENIED = re.compile(
    r" (?:never|not|no(?! -)|nobody|nothing|none|cannot|neither|without) "
)  # the no-fly zone is a name
_EXISTS = re.compile(
    r"(?: ,)?(?: for)? as long as (?:the|this|our|its|my) (?!same )[a-z]+(?: [a-z]+)? (?:exists|is in existence)"
    rf"{END}"
)
_EVER = re.compile(
    r" (?:always|never|again and again|over and over|repeatedly|infinitely often|at all times|every) "
)
_THEN_OR_LATER = re.compile(
    r" (?:either )?then or (?:at any (?:later time|time (?:later|thereafter|afterwards|after that))|(?:at any )?later"
    rf"|ever after(?:wards)?|(?:any ?time )?(?:afterwards|thereafter|after that))(?: on)?{END}"
)


def without_emphasis(words: Sequence[Word]) -> list[Word]:
    """The words without those that only say again what was said."""
    out = list(words)
    for rule in (_limits, _not_even, _exists, _then_or_later):
        out = rule(out)
    return out


def _sentence(text: str, at: int) -> str:
    """What the sentence has said so far."""
    return " " + re.split(r" [.;!?] ", text[: at + 1])[-1].lstrip()


def _limits(words: list[Word]) -> list[Word]:
    """ "Between 20 and 120 m, limits included"; outside of a range the ends would be another matter."""
    text = joined(words)
    for found in reversed(list(_LIMITS.finditer(text))):
        said = _sentence(text, found.start())
        named = re.findall(r"#\d+", found.group())
        ranges = list(_RANGE.finditer(f"{said} "))
        if not ranges or not set(named) <= set(re.findall(r"#\d+", ranges[-1].group())):
            continue
        clause = re.split(r" (?:,|if|when|whenever|while|unless|until) ", said[: ranges[-1].end()])[-1]
        if not _OPEN_RANGE.search(f" {clause} "):
            words = _cut(words, text, found)
    return words


def _not_even(words: list[Word]) -> list[Word]:
    """ "Never above 120 m, not even for a second"."""
    text = joined(words)
    for found in reversed(list(_NOT_EVEN.finditer(text))):
        if _DENIED.search(_sentence(text, found.start())):
            words = _cut(words, text, found)
    return words


def _exists(words: list[Word]) -> list[Word]:
    """ "Again and again, for as long as the tunnel exists"."""
    text = joined(words)
    for found in reversed(list(_EXISTS.finditer(text))):
        if _EVER.search(_sentence(text, found.start())):
            words = _cut(words, text, found)
    return words


def _then_or_later(words: list[Word]) -> list[Word]:
    """ "No malt shall be added then or at any later time" forbids it from then on."""
    text = joined(words)
    for found in reversed(list(_THEN_OR_LATER.finditer(text))):
        clause = re.split(r" [,:] ", _sentence(text, found.start()))[-1]
        if _DENIED.search(f" {clause} "):
            first, end = place(text, found.start()), place(text, found.end())
            said = [replace(words[first], text=t) for t in ("from", "then", "on")]
            words = [*words[:first], *said, *words[end:]]
    return words


def _cut(words: list[Word], text: str, found: re.Match[str]) -> list[Word]:
    """The words without those of a match; brackets go in pairs."""
    group = found.group()
    opened, closed = " ( " in f"{group} ", group.endswith(" )")
    if opened != closed:
        return words
    return [*words[: place(text, found.start())], *words[place(text, found.end()) :]]
