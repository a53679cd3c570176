"""Parts of an instruction that stand apart from what the formula speaks of: what was left out, or said to a reader.

A requirement speaks of its system; where it does not, it speaks of time, order, occasion or manner ("for the demo:",
"no excuses"). So two things are doubts. A sentence with words of its own that names nothing of the formula: whoever
speaks to the reader does so in such sentences, and a requirement that was left out looks the same. And any part,
however short and wherever it stands (before a colon, in brackets or quotes, between commas, behind a dash), that names
nothing and is more like a remark to the reader ("Ship it.", "not really") than like what people write in such parts.

How much a part is like either is a sum of weights of its words, their pairs, the whole part and its place, learnt from
the nameless parts of written requirements and from remarks (``remarks.txt``, made by ``training/fit_remarks.py``).
docs/hardening.md says how many remarks pass, and how many requirements are doubted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise

from assent.logic.ast import Formula, Relation, atoms
from assent.logic.ast import names as names_in

_NAMED_A = re.compile(
    r"\ba\b(?! +[a-z])|\ba(?= (?:holds?|never|always|eventually|is|does|do|must|shall|should|will|stays?|keeps?"
    r"|becomes?|occurs?|happens?|and|or|until|before|after|implies|then|has|can|cannot|may|within|at"
    r"|unless|while|not)\b)"
    r"|\b(?!a\b)[a-z]\w*"
)
"""Words; "a" only where it is no article."""

_PLAIN_WORDS = frozenset(
    "the and for not but from that this then than all any each every always never ever whenever when "
    "while until unless once after before within during between least most must shall should will has "
    "have had holds hold true false time times moment point some other both either neither only also "
    "again still later sooner next now seconds second minutes minute steps step hours hour what are was "
    "were been being may can cannot does did there here which where whose who how long soon eventually "
    "case same stay stays keep keeps remain become becomes happen happens start end ends begins first "
    "last they them one two three none just following going onward onwards".split()
)
_BRACKETED = re.compile(r"^\s*\(([^()]*)\)\s+|\s*[(\[]\s*([A-Z][^()\[\]]*|[^()\[\]]*[.!]\s*)[)\]]\s*")
"""A bracket that opens the text, or that holds a sentence."""
_STOP = r"(?<=[.!?])(?<!%\srel\.)(?<!%rel\.)(?<!%\sr\.h\.)\s+"  # "60 % rel. humidity" goes on
_ENDS = re.compile(_STOP + r"|(?<=[)\]])\s+(?=[A-Z])|\n")
_PARTS = re.compile(
    _STOP + r"|[\n;,()\[\]{}<>\"\u201c\u201d\u2026|]|:(?=\s|$)|\s['\u2018]|['\u2019](?=[\s.,;]|$)|\.\.+"
    r"|\s[-\u2013\u2014/~*=]+(?=\s)|--+|\u2014"
)
"""Where a part of a sentence may end."""

_QUOTED = re.compile(
    r"\(([^()]*)\)|\[([^\[\]]*)\]|\{([^{}]*)\}|[\"\u201c]([^\"\u201c\u201d]*)[\"\u201d]"
    r"|\s['\u2018]([^'\u2018\u2019]+)['\u2019](?!\w)"
)
_SMALL = frozenset(
    "it is be to in of or so if he she we us as at on by an no do up off me my ii iii iv vi its too than more less "
    "perhaps maybe whatever might could would seldom often".split()
)
_ADDS_NOTHING = re.compile(
    r"(?:(?:this|it|that) )?(?:(?:must|shall|should|will) )?(?:is|are|be|becomes?) true\W*"
    r"|(?:(?:along|together) )?with (?:it|them|that)|equally|likewise|that is(?: to say)?(?: now)?"
    r"|as (?:agreed|before|usual)\W*|no (?:rush|hurry)\W*|not negotiable|nothing found\W*|wrong way round\W*"
    r"|last of all|under it|god forbid|careful now\W*|claim|premise|conclusion|assumption|guarantee",
    re.IGNORECASE,
)
"""What says no more than is said: beside a list ("exactly one of the two, p and q, is true"), or of the rule itself."""
_WORDS = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_NAMED = " \N{SECTION SIGN} "
PLACES = ("head", "sentence", "tail", "start", "middle")
LONGEST = 6
"""Parts of more words count as so long."""


def idle_sentence(text: str, formula: Formula, named: Collection[str] = ()) -> str | None:
    """A sentence with words of its own and none of the formula's names, beside sentences that have some.

    Questions ("Belt off? Then …") and sentences of a few plain words ("If that never happens, it does not run.") are
    let pass. ``named``: parts of the text that were taken for names; with the names, only those of the formula count.
    """
    if isinstance(named, Mapping):
        used = names_in(formula)
        named = [part for part, name in named.items() if name in used]
    apart = _BRACKETED.sub(lambda found: f"\n{found[1] or found[2]}\n", _hidden(text, named))
    for part in _without_names(_ENDS.split(apart), names_of(formula)):
        words = {word for word in re.findall(r"[a-z]{3,}", part.lower()) if word not in _PLAIN_WORDS}
        if len(words) > 1 and not part.endswith(("?", "i.e.", "e.g.")):
            return f"the sentence {part.strip()[:40]!r} speaks of nothing that the formula has"
    return None


def idle_part(text: str, formula: Formula, named: Collection[str] = ()) -> str | None:
    """A part that names nothing and is like a remark, or stands in brackets or quotes.

    ``named``: parts of the text that were taken for names.
    """
    text, names = _hidden(text, named), names_of(formula)
    for place, part in silent_parts(text, names):
        if _ADDS_NOTHING.fullmatch(part):
            continue
        if (words := words_of(part)) and remark_score(words, place) > 0:
            return f"{part.strip()[:40]!r} is like a remark to the reader, not like a part of a requirement"
    for part in _without_names([text, *map("".join, _QUOTED.findall(text))], names):
        if set(re.findall(r"[a-z]{2,}", part.lower())) - _PLAIN_WORDS - _SMALL and not re.search(r"\d", part):
            return f"{part.strip()[:40]!r} stands in brackets or quotes and speaks of nothing that the formula has"
    return None


def _hidden(text: str, named: Collection[str]) -> str:
    """The text with a sign in place of what was taken for names."""
    for part in sorted(filter(None, named), key=len, reverse=True):
        text = text.replace(part, _NAMED)
    return text


def silent_parts(text: str, names: frozenset[str], named: Collection[str] = ()) -> list[tuple[str, str]]:
    """The parts that name nothing, where others do: each with its place."""
    parts = list(_placed(_hidden(text, named)))
    silent = set(_without_names([part for _, part in parts], names))
    return [(place, part) for place, part in parts if part in silent]


def _placed(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text, each with where it stands in its sentence."""
    begin, opens = 0, True
    for end, after in (*(found.span() for found in _PARTS.finditer(text)), (len(text), len(text))):
        if part := text[begin:end].strip():
            closes = part[-1] in ".!?" or text[end : end + 1] == "\n" or not _WORDS.search(text.lower(), end)
            if text[end : end + 1] == ":":
                yield "head", part
            elif opens:
                yield "sentence" if closes else "start", part
            else:
                yield "tail" if closes else "middle", part
            opens = closes
        begin = after


def words_of(part: str) -> tuple[str, ...]:
    """Its words in small letters; every number is a 0."""
    found = _WORDS.findall(part.lower().replace("\u2019", "'"))
    return tuple("0" if word[0].isdigit() else word for word in found)


def keys_of(words: tuple[str, ...]) -> Iterator[str]:
    """What of a part may have a weight: its words, pairs of them (^ and $ are its ends), all of it."""
    yield from words
    bounded = ("^", *words, "$")
    yield from map(" ".join, pairwise(bounded))
    yield f"^ {' '.join(words)} $"


def remark_score(words: tuple[str, ...], place: str, weights: Mapping[str, int] | None = None) -> int:
    """Above 0: more like a remark to the reader than like a nameless part of a requirement."""
    known = remark_weights() if weights is None else weights
    fixed = known[f"{place}:{min(len(words), LONGEST)}"] + known.get(f"{place}: {' '.join(words)}", 0)
    keys = dict.fromkeys(keys_of(words))
    return fixed + sum(known.get(key, 0 if " " in key else known["?"]) for key in keys)


@cache
def remark_weights() -> dict[str, int]:
    """The learnt weights; "?" is that of a word that is not among them, "tail: nope" that of a part at one place."""
    lines = resources.files("assent.scoring").joinpath("remarks.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if not line.startswith("#"))
    return {key: int(weight) for weight, keys in pairs for key in keys.split("|")}


def _without_names(parts: Collection[str], names: frozenset[str]) -> list[str]:
    """The parts that name nothing, where others do."""
    parts = [part for part in parts if part.strip()]
    silent = [part for part in parts if _NAMED.strip() not in part and not _speaks_of(names, part)]
    return silent if len(silent) < len(parts) else []


def names_of(formula: Formula) -> frozenset[str]:
    """The names of a formula as they stand, and the beginnings of their words."""
    found: set[str] = set()
    relations = {atom.name for atom in atoms(formula) if isinstance(atom, Relation)}
    for name in names_in(formula) | relations:
        found |= (
            {name.lower()}
            if len(name) < 3
            else {word[:4] for word in name.lower().split("_") if len(word) > 2}
        )
    return frozenset(found)


def _speaks_of(names: frozenset[str], sentence: str) -> bool:
    """Whether a word of the sentence begins like one of the names; the article "a" is no name."""
    words = _NAMED_A.findall(sentence.lower())
    return any(word[:4] in names or word in names for word in words)
