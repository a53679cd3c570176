"""The characters of an instruction: one spelling for each, nothing invisible, nothing that only looks like a letter.

What a reader cannot see must not change what is read, and half a word is another word. So compatible forms become plain
ones (full-width letters, ligatures, no-break spaces), and control characters, format characters and words that mix
scripts are refused with the column shown. Every character remembers its place in the text as it was given.

An identifier before an instruction ("REQ-17:", "[SYS-004]", "3.2.1") is no part of it: ``label_end``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import NoReturn

from assent.errors import FragmentError
from assent.lift.quantities import NUMBER_WORDS

_PLAIN = {
    **dict.fromkeys("\u2018\u2019\u201b\u2032\u00b4`\u02bc", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2192\u21d2\u27f6\u27f9", " -> "),
    "\u2265": " at least ",
    "\u2264": " at most ",
    "\u2260": " not equal to ",
    "\u2022": " ",
    "\u00b1": " plus or minus ",
    "\u2026": " ... ",
    "\u2103": "\u00b0c",
    "\u2109": "\u00b0f",
}
# Invisible, though Unicode does not call them format characters.
_UNSEEN = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2028, 0x2029, 0x2800, 0x3164, 0xFFA0),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)
_SPACES = frozenset("\t\n\r\x0b\x0c\x85")
# Digits in these forms are powers, footnotes, fractions or bullets: put beside others they make another number.
_NO_PLAIN_DIGIT = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")
_EAST_ASIAN = frozenset(["CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "HANGUL"])
GREEK_UNITS = re.compile(r"[0-9]*(?:\u03bc(?:[a-z]{1,2}|mol|bar)?|\u03bcm[23]|[kmg]?\u03c9)", re.IGNORECASE)
# "m\u00b3", "m^3" and "m3" are one unit; a power of anything else is refused.
_POWER = re.compile(r"(?:\^([23])|([\u00b2\u00b3]))(?![\w^])")
_INVERSE = re.compile(r"(?:(?<=[0-9 ]min)|(?<=[0-9 ][sh]))\u207b\u00b9(?!\w)")
_UNIT_BEFORE = re.compile(
    rf"(?:[0-9(\u00b7*]|\b(?:in|of|{'|'.join(sorted(NUMBER_WORDS))})\s)\s*(?:[kcdmn\u03bcNS]?m|in|ft|yd)\Z"
    r"|(?:/|\bper\s)\s*(?:[kcdmn\u03bcNS]?m|in|ft|yd|s)\Z"
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text in plain characters; ``places[i]`` is where in the given text character ``i`` begins and ends."""

    text: str
    places: tuple[tuple[int, int], ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of the plain text stands in the given one."""
        if start >= end:
            at = (
                self.places[start][0]
                if start < len(self.places)
                else self.places[-1][1]
                if self.places
                else 0
            )
            return at, at
        return self.places[start][0], self.places[end - 1][1]


_DOTS = re.compile(r"\d\s*\.{2,}\s*\d")


def plain(text: str) -> PlainText:
    """The text in plain characters; FragmentError, with the column, for what cannot be seen or only looks alike."""
    out: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]) and ord(text[end]) not in _UNSEEN:
            end += 1
        power = _power(text, at, "".join(out[-14:]))
        for character in power or _plain_of(text, at, end):
            end = at + 2 if power and text[at] == "^" else end
            out.append(character)
            places.append((at, end))
        at = end
    found = PlainText("".join(out), tuple(places))
    _refuse_mixed(found)
    dots = _DOTS.search(found.text)
    if dots is not None:
        _refuse(
            found.places[dots.start()][0], f"writes {dots.group()!r}: say from where to where, or one number"
        )
    return found


def _power(text: str, at: int, before: str) -> str:
    """ "3" for the power in "m\u00b3", "m^3" or "m/s\u00b2", "-" and "1" for those of "min\u207b\u00b9"; else ""."""
    if _INVERSE.match(text, at):
        return "-"
    if text[at] == "\u00b9" and at and _INVERSE.match(text, at - 1):
        return "1"
    found = _POWER.match(text, at)
    if (
        found is None
        or not _UNIT_BEFORE.search(before)
        or unicodedata.combining(text[found.end() :][:1] or " ")
    ):
        return ""
    return found[1] or unicodedata.normalize("NFKC", found[2])


def _plain_of(text: str, at: int, end: int) -> str:
    """One character with its marks, in its plain form."""
    character = text[at]
    if character in _SPACES:
        return " "
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn") or ord(character) in _UNSEEN:
        name = unicodedata.name(character, "no character at all")
        _refuse(at, f"holds U+{ord(character):04X} ({name.lower()}), which cannot be seen: remove it")
    if end == at + 1 and character in _PLAIN:
        if (
            character in "\u2260\u2264\u2265"
            and text[at - 1 : at].isdigit()
            and text[end : end + 1].isdigit()
        ):
            _refuse(at, "compares two figures with each other: say what is compared")
        return _PLAIN[character]
    form = unicodedata.decomposition(character)
    if form.startswith(_NO_PLAIN_DIGIT) and any(
        c.isnumeric() for c in unicodedata.normalize("NFKC", character)
    ):
        return _fraction(text, at, character) if form.startswith("<fraction>") else f"^{character}"
    return unicodedata.normalize("NFKC", text[at:end])


def _fraction(text: str, at: int, character: str) -> str:
    """ "2\u00bd" is two and a half, not twenty-one halves."""
    if at and text[at - 1].isdecimal() and not text[at - 1].isascii():
        _refuse(at, "writes a number in two scripts: use the figures 0 to 9")
    return " " + unicodedata.normalize("NFKC", character).replace("\u2044", "/") + " "


def _script(character: str) -> str:
    name = unicodedata.name(character, "").split(" ")[0]
    return "EAST ASIAN" if name in _EAST_ASIAN else name


def _refuse_mixed(found: PlainText) -> None:
    for word in _WORD.finditer(found.text):
        scripts = {_script(c) for c in word.group() if c.isalpha()}
        if len(scripts) > 1 and not GREEK_UNITS.fullmatch(word.group()):
            names = " and ".join(sorted(script.capitalize() for script in scripts))
            _refuse(
                found.places[word.start()][0],
                f"holds the word {word.group()!r} with letters of several scripts ({names}), "
                "which cannot be told apart by eye: write it in one",
            )


def _refuse(at: int, why: str) -> NoReturn:
    raise FragmentError(f"column {at + 1} of the instruction {why}")


# What stands before a requirement to tell it from others ("REQ-17:", "R12.", "[SYS-004]", "3.2.1", "(4)", "- ") is no
# part of what is required, and its figures are no numbers.
_SPOKEN = (
    r"(?:req(?:uirement)?|rule|item|no|nr|id|clause|section|spec|step|task|case|point|sys|test|article|ticket|job|order"
    r"|issue|story|note)"
)
_CODE = r"[A-Za-z]{1,12}(?:[-_./][A-Za-z]{1,12})*[-_.#]?\d+(?:[-_.]\d+)*[a-z]?"
_LABEL = re.compile(
    rf"""\s*(?:
        \[\s*(?:{_CODE}|\d+(?:\.\d+)*)\s*\]\s*[:.\-]?      # [SYS-004]
      | \(\s*(?:{_CODE}|\d+(?:\.\d+)*|[a-z])\s*\)\s+       # (4), (a)
      | (?:{_CODE})\s*(?:[:)]\s|\.\s|-\s|\|)                  # REQ-17:  R12.
      | {_SPOKEN}\.?\s*\#?\s*\d+(?:[-_.]\d+)*[a-z]?\s*(?:[:.)]|-\s)   # Requirement 12:
      | \d+(?:\.\d+){{2,}}\.?\s*[:)]?\s                     # 3.2.1 The
      | \d+\.\d+\.?(?:\s*[:)]\s|\s+(?=(?:the|when|if|while|where|whenever|each|every|all|as|once|a|an|no)\s))
      | \d+\s*(?:[:)]\s|\.\s)\s*(?=\S)                      # 1)  2.
      | \#\d+\s*[:.)]?\s
      | [*\-]\s+
    )\s*""",
    re.VERBOSE | re.IGNORECASE,
)
_BRACKETED = re.compile(rf"\(\s*{_CODE}\s*\)")


def label_end(text: str, names: frozenset[str] = frozenset()) -> int:
    """Where the identifier at the beginning of an instruction ends; 0 without one.

    ``names``: a label that is a name of the vocabulary (lower case) is a name; so is "(prop_1)", or one of several.
    """
    found = _LABEL.match(text)
    if found is None or found.end() >= len(text):
        return 0
    said = found.group().strip().strip("[]():.|- ").lower()
    placeholder = found.group().lstrip().startswith("(") and (
        "_" in said or _BRACKETED.search(text, found.end())
    )
    return 0 if said in names or placeholder else found.end()
