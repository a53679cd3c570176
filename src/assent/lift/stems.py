"""Words of one family: stems, everyday words for words of names, abbreviations."""

from __future__ import annotations

import re

# Everyday words for words that names are made of.
SYNONYMS = {
    **dict.fromkeys(("person", "people", "someone", "somebody", "anyone", "anybody", "nobody"), "human"),
    **dict.fromkeys(("belt", "belted", "buckled", "buckle"), "seatbelt"),
    **dict.fromkeys(("grips", "gripping", "gripped", "carrying", "carries"), "holding"),
    **dict.fromkeys(("lamps", "lamp"), "lights"),
    **dict.fromkeys(("finished", "complete", "completed"), "done"),
}

# Forms of one verb, and its noun, that share no stem.
_FAMILIES = """
    pay pays paid paying payment payments; sell sells sold selling sale; send sends sent sending; ring rings rang
    rung ringing; strike strikes struck striking; break breaks broke broken breaking breakage; freeze freezes froze
    frozen freezing; draw draws drew drawn drawing; spin spins spun spinning; feed feeds fed feeding; lose loses
    lost losing loss; swing swings swung swinging; throw throws threw thrown throwing; wind winds wound winding;
    drive drives drove driven driving; grind grinds ground grinding; choose chooses chose chosen choosing choice;
    depart departs departed departing departure; arrive arrives arrived arriving arrival; fly flies flew flown
    flying; speak speaks spoke spoken speaking; sink sinks sank sunk sinking; tear tears tore torn; bend bends bent
    bending; sleep sleeps slept asleep sleeping; steal steals stole stolen theft
"""
IRREGULAR = {word: number for number, family in enumerate(_FAMILIES.split(";")) for word in family.split()}
"""The family of a word; forms of one family say the same."""


# What names shorten, and texts write out.
ABBREVIATIONS = {
    **{
        "ack": "acknowledg",
        "req": "request",
        "cmd": "command",
        "btn": "button",
        "msg": "messag",
        "err": "error",
    },
    **{"pos": "position", "vel": "velocity", "pwr": "power", "batt": "battery", "conn": "connect"},
    **{"nav": "navigat", "obs": "obstacl", "dest": "destination", "sig": "signal", "ctrl": "control"},
    **{"occ": "occup", "adv": "advanc", "lub": "lubric", "hyd": "hydraulic", "emg": "emergency"},
}
_SHORTENED = re.compile(r"[b-df-hj-np-tv-xz]{3,5}")


def shortens(short: str, text: str) -> bool:
    """ "pmp" of pump, "vlv" of valve: three to five consonants of a longer word, in its order, its first among them."""
    if not _SHORTENED.fullmatch(short) or len(text) <= len(short) or text[0] != short[0]:
        return False
    rest = iter(text)
    return all(letter in rest for letter in short)


def stem(word: str) -> str:
    """A crude stem, the same for the usual endings of one word."""
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return f"{word[:-3]}y"
    for ending in ("ings", "ing", "edly", "ed", "es", "s", "ly"):
        if (
            word.endswith(ending)
            and len(word) - len(ending) >= 3
            and not (ending == "s" and word.endswith("ss"))
        ):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


_DERIVED = re.compile(
    r"(?:ations?|itions?|ions?|ments?|ances?|ences?|ings?|edly|ers?|ors?|ed|es|al|ly|s|y)\Z"
)


def root(word: str) -> str:
    """A shorter stem, the same for "doser", "dosed" and "dosing"; three letters at least."""
    short = _DERIVED.sub("", word, count=1)
    if len(short) < 3:
        return word
    if len(short) > 3 and short[-1] == short[-2]:
        short = short[:-1]
    return short.removesuffix("e") if len(short) > 3 else short
