"""A marked row as lifting would hand it over, if lifting were always right.

Every mark becomes a group of tokens over ``P@name``, ``O@name`` and ``N@value``; words outside marks stay. A mark can
be said in several ways (``sayings``), because lifting replaces sometimes the whole phrase, sometimes a noun of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assent.errors import AssentError
from assent.lift.cover import KEPT
from assent.lift.features import COMPARING
from assent.lift.figures import Word
from assent.lift.opposites import AFFIRMS, denies_name
from assent.lift.propose import has_content
from assent.lift.quantities import NUMBER_WORDS
from assent.lift.stems import stem
from assent.lift.words import mark_numbers, split
from assent.logic.ast import Compare, Constant, Formula, Logic, walk
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary
from assent_train.written.marks import MarkedRow, PhraseMark

PRONOUNS = frozenset(
    "it they them he she there that this those these both one in there its their latter former same".split()
)
ARTICLES = frozenset("the a an its their his her my our your this that these those any every each".split())
_NOT = frozenset("not no never nobody nothing none without n't neither nor".split())
_NUMERIC = NUMBER_WORDS | frozenset(
    "thousand million point minus quarters tenth tenths third thirds halves".split()
)


@dataclass(frozen=True, slots=True)
class GoldGroup:
    """The tokens of one mark, in several sayings; ``literal`` is what it means, None for times and relation words."""

    sayings: tuple[tuple[str, ...], ...]
    mark: PhraseMark
    literal: Formula | None = None


Item = str | GoldGroup


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence as words and groups, and its formula over real names."""

    id: str
    logic: Logic
    items: tuple[Item, ...]
    formula: Formula
    family: str


def template_of(row: MarkedRow, vocabulary: Vocabulary) -> Template | None:
    """None where the numbers said and the numbers meant cannot be matched, or nothing can be meant."""
    items = items_of(row, vocabulary) if row.formula is not None else None
    if items is None or row.formula is None:
        return None
    return Template(row.id, row.logic, items, row.formula, row.family)


def items_of(row: MarkedRow, vocabulary: Vocabulary) -> tuple[Item, ...] | None:
    """The sentence alone; None where the numbers said and the numbers meant cannot be matched."""
    try:
        words = mark_numbers(split(row.text), vocabulary.time_unit)
    except AssentError:
        return None
    entries = {e.name: e for e in (*vocabulary.propositions, *vocabulary.objects, *vocabulary.regions)}
    items: list[Item] = []
    place = 0
    for mark in row.marks:
        inside = [k for k, w in enumerate(words) if mark.start <= w.start < max(mark.end, mark.start + 1)]
        inside = [k for k in inside if k >= place]
        if not inside:
            return None
        items += [_plain(words[k]) for k in range(place, inside[0])]
        group = _group(words, inside, mark, row.logic, entries)
        if group is None:
            return None
        items.append(group)
        place = inside[-1] + 1
    items += [_plain(words[k]) for k in range(place, len(words))]
    return tuple(_with_denials(items, entries))


def _plain(word: Word) -> str:
    if word.value is not None:
        return f"N@{word.value}"
    return "is" if word.text == "'s" else word.text


def _group(
    words: Sequence[Word], inside: list[int], mark: PhraseMark, logic: Logic, entries: dict[str, Entry]
) -> GoldGroup | None:
    own = [words[k] for k in inside]
    if mark.kind == "<":
        return GoldGroup((tuple(map(_plain, own)),), mark)
    if mark.kind == "{":
        values = _valued(own, [Fraction(v) for v in mark.values])
        return None if values is None else GoldGroup((tuple(map(_plain, values)),), mark)
    if logic is Logic.SPATIAL:
        return GoldGroup(_objects(own, mark), mark)
    try:
        literal = read(mark.means, Logic.STL) if "," not in mark.means else None
    except AssentError:
        return None
    if mark.compares and literal is not None:
        return _comparison(own, mark, literal, entries)
    entry = entries[mark.names[0]]
    return GoldGroup(_proposition(own, mark, entry), mark, literal)


def _valued(words: Sequence[Word], wanted: Sequence[Fraction]) -> list[Word] | None:
    """The words with the numbers that the mark gives; None where there are not as many."""
    said = [k for k, w in enumerate(words) if w.value is not None]
    if not wanted:
        return list(words)
    out = list(words)
    if not said and len(wanted) == 1:  # "the very first moment", "half as long": the number as such
        return [
            Word("#", words[0].start, words[-1].end, wanted[0]),
            Word("seconds", words[-1].end, words[-1].end),
        ]
    if len(said) != len(wanted):
        return None
    for k, value in zip(said, wanted, strict=True):
        out[k] = replace(words[k], value=value)
    return out


def _objects(words: Sequence[Word], mark: PhraseMark) -> tuple[tuple[str, ...], ...]:
    texts = [w.text for w in words]
    names = mark.names
    if len(names) > 1:  # "both", "the three of them": what was named before, or said by their names
        return (tuple(texts), _listed([f"the O@{name}" for name in names], texts))
    token = f"O@{names[0]}"
    if all(text in PRONOUNS for text in texts):
        return (tuple(texts), tuple(texts), (token,))
    before = [t for t in texts[:1] if t in ARTICLES]
    prefix = (
        [t for t in texts if t in ("at", "in", "on", "to", "onto", "into", "from", "near")][:1]
        if not before
        else []
    )
    return ((*(prefix if texts[0] in prefix else before), token),)


_ALL = frozenset("both neither either all each none any every two three four five of".split())


def _listed(tokens: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """ "Neither lane": neither the one nor the other."""
    said = [t for t in texts if t in _ALL and t != "of"]
    joint = "nor" if "neither" in said else "or" if {"either", "any", "none"} & set(said) else "and"
    return tuple(" ".join([*said, " , ".join(tokens[:-1]), joint, tokens[-1]]).split())


def name_words(entry: Entry) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", f"{entry.name} {entry.phrase}".replace("_", " ").lower()))


def _heads(words: Sequence[Word], entry: Entry) -> list[int]:
    """Words of the phrase that belong to the name."""
    stems = {stem(w) for w in name_words(entry)} - {"the", "a", "is", "of", "on", "to", "at"}
    return [k for k, w in enumerate(words) if stem(w.text) in stems]


def _proposition(words: Sequence[Word], mark: PhraseMark, entry: Entry) -> tuple[tuple[str, ...], ...]:
    texts = [_plain(w) for w in words]
    token = f"{'S' if entry.type == 'number' else 'P'}@{entry.name}"
    if len(mark.names) > 1:
        return (tuple(texts), _listed([f"P@{name}" for name in mark.names], texts))
    denied = mark.denies
    kept = [t for t in texts if t in KEPT][:1]
    whole = (token, *kept, *(["not"] if denied else [])) if kept else ("not", token) if denied else (token,)
    if all(text in PRONOUNS for text in texts):
        return (whole, tuple(texts), tuple(texts)) if not denied else (whole,)
    if texts[0] in ("any", "every", "each") and not denied:
        whole = (texts[0], *whole)
    lead = (texts[0], *whole) if texts[0] in ("the", "a", "an") and not denied else whole
    return (whole, lead, _around(texts, _heads(words, entry), token, entry, denied=denied))


def _around(texts: list[str], heads: list[int], token: str, entry: Entry, *, denied: bool) -> tuple[str, ...]:
    """The noun alone replaced: "the P is wailing"; its opposite said elsewhere becomes "not"."""
    content = [k for k, t in enumerate(texts) if has_content(t)]
    heads = heads or content[:1] or [0]
    out: list[str] = []
    said_not = False
    own = name_words(entry)
    for k, text in enumerate(texts):
        if k == heads[0]:
            out.append(token)
        elif k in heads:
            continue
        elif denied and not said_not and (text in _NOT or denies_name(text, own)):
            out.append(text if text in _NOT else "not")
            said_not = True
        else:
            out.append(text)
    if denied and not said_not:
        out.insert(out.index(token), "not")
    return tuple(out)


def _comparison(
    words: Sequence[Word], mark: PhraseMark, literal: Formula, entries: dict[str, Entry]
) -> GoldGroup | None:
    constants = [
        node.right.value
        for node in walk(literal)
        if isinstance(node, Compare) and isinstance(node.right, Constant) and node.right.value != 0
    ]
    constants = list(dict.fromkeys(constants))
    words = _one_number(words, constants)
    said = [k for k, w in enumerate(words) if w.value]
    kept = list(words)
    if constants and not said:  # "hold it there": what was said before
        return GoldGroup((tuple(map(_plain, words)),), mark)
    if len(said) != len(constants):
        return None
    wanted = constants if len(constants) < 2 else sorted(constants)
    order = sorted(said, key=lambda k: words[k].value or 0) if len(said) > 1 else said
    for k, value in zip(order, wanted, strict=True):
        kept[k] = replace(words[k], value=value)
        if value < 0 and k and words[k - 1].text in ("-", "minus"):
            kept[k - 1] = replace(words[k - 1], text="")
    entry = entries[mark.names[0]]
    token = f"S@{entry.name}"
    heads = _heads([w if w.value is None else replace(w, text="#") for w in kept], entry)
    heads = [k for k in heads if not (k and kept[k - 1].value is not None)]  # a unit
    texts = [_plain(w) for w in kept]
    if not heads:
        texts = _without_subject(texts)
        first = next((k for k, t in enumerate(texts) if t in ("it", "that", "this")), None)
        texts = (
            [token if k == first else t for k, t in enumerate(texts)]
            if first is not None
            else [token, *texts]
        )
    else:
        texts = [
            token if k == heads[0] else t for k, t in enumerate(texts) if k == heads[0] or k not in heads
        ]
    return GoldGroup((tuple(t for t in texts if t),), mark, literal)


def _without_subject(texts: list[str]) -> list[str]:
    """ "The gauge shows 40 bar": what stands before the comparison names the signal in other words."""
    k = 0
    while k < len(texts) and (texts[k] in ARTICLES or (has_content(texts[k]) and texts[k] not in COMPARING)):
        k += 1
    return texts[k:] if k < len(texts) else texts


def _one_number(words: Sequence[Word], constants: Sequence[Fraction]) -> Sequence[Word]:
    """One number in words that lifting does not read ("eleven and a half volts") as the number that is meant."""
    if len(constants) != 1 or any(w.value for w in words):
        return words
    first = next((k for k, w in enumerate(words) if w.text in _NUMERIC), None)
    if first is None:
        return words
    last = first
    while last + 1 < len(words) and words[last + 1].text in _NUMERIC | {"and", "a", "of", "-"}:
        last += 1
    while words[last].text not in _NUMERIC:
        last -= 1
    return [*words[:first], Word("#", words[first].start, words[last].end, constants[0]), *words[last + 1 :]]


def _with_denials(items: list[Item], entries: dict[str, Entry]) -> list[Item]:
    """ "The lid comes off": a word outside the mark that says the opposite of the name before it is a "not".

    A word of the name itself ("the fan runs") may be lost.
    """
    out: list[Item] = []
    last: Entry | None = None
    since = 0
    for item in items:
        if isinstance(item, GoldGroup):
            plain = item.literal is not None and not item.mark.compares and not item.mark.denies
            last, since = (entries[item.mark.names[0]] if plain else None), 0
        else:
            since += 1
            if item in (".", ";", "when", "if", "until", "while"):
                last = None
            own = name_words(last) if last is not None else frozenset()
            if last is not None and since <= 8 and denies_name(item, own):
                out.append("not")
                continue
            said = item in own or any(item in AFFIRMS.get(word, ()) for word in own)
            if last is not None and since <= 4 and said and has_content(item):
                out.append(GoldGroup(((), (), (item,)), PhraseMark("~", 0, 0, item, "")))  # part of the name
                continue
        out.append(item)
    return out
