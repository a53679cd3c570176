"""Which bearer of a family a clause speaks of, and what it says of it: see ``families``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from assent.lift.clauses import BREAKS, names_something, segments
from assent.lift.cover import ARTICLES, AUXILIARIES
from assent.lift.entries import FAINT, Known, affirms, denies, digit_of, match
from assent.lift.families import Family, families
from assent.lift.figures import Word
from assent.lift.groups import COUNTS, JOINTS
from assent.lift.linker import Mention
from assent.lift.propose import is_name
from assent.lift.quantities import PLAIN_UNIT_WORDS, UNIT_WORDS
from assent.lift.stems import stem

_WHOLE = re.compile(r"([a-z]+)(\d+)")
_LISTS = frozenset([",", "and", "or", "nor"])
_PRONOUNS = frozenset("it he she its his her they their".split())
_THEM = frozenset("they them neither both either each".split())
_LIKEWISE = frozenset("likewise same similarly also too so".split())
_ORDINALS = frozenset("first second third fourth fifth sixth".split())
_PARTICLES = frozenset(["on", "in", "out", "off"])
_VERBS = AUXILIARIES | frozenset(["do", "does", "did"])
_SHALL = frozenset("shall must should will may can".split())
_ONES = frozenset("least most exactly only than just".split())
_SURE = 0.7


@dataclass(frozen=True, slots=True)
class Bearer:
    """Words ``at`` that say who: the bearers with these ``labels``."""

    at: tuple[int, ...]
    labels: tuple[str, ...]


Said = tuple[tuple[int, ...], int, Bearer | None]  # words, predicate, of whom


def bound(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[Mention]:
    """The mentions, those of families with the bearer and the predicate that are said."""
    out = list(mentions)
    texts = {word.text for word in words}
    for family in families(tuple(knowns)):
        if family.may_be_said(texts):
            out = _Reader(words, family, out).read()
    return out


class _Reader:
    """One family in one instruction, clause by clause."""

    def __init__(self, words: Sequence[Word], family: Family, mentions: Sequence[Mention]) -> None:
        self.words, self.family, self.mentions = words, family, mentions
        self.bearers = _bearers(words, family)
        self.last: Bearer | None = None
        self.predicate: int | None = None
        self.waiting: list[Bearer] = []
        self.out: list[Mention] = []
        self.taken: set[int] = set()

    def read(self) -> list[Mention]:
        if not self.bearers:
            return list(self.mentions)
        for part in segments(self.words):
            self._clause(part)
        kept = [m for m in self.mentions if not self.taken & set(m.at)]
        return sorted((*kept, *self.out), key=lambda m: m.at[0])

    def _clause(self, part: Sequence[int]) -> None:
        here = [b for b in self.bearers if b.at[0] in part]
        said = self._predicates(part, here)
        for at, p, bearer in said:
            bearer = bearer or self._meant(part, at)
            if bearer is None:
                continue
            for listed in self.waiting:
                self._say(listed, (), p)
            self.waiting = []
            self._say(bearer, () if self._opens_list(bearer, at) else at, p)
            self.taken |= set(at)
            self.last, self.predicate = (bearer if bearer in here else self.last), p
        told = [bearer for _, _, bearer in said]
        for bearer in (b for b in here if b not in told):
            self._alone(bearer, part)
        if here and len(self.family.predicates) == 1:  # what else was linked there is said again
            self.predicate = 0

    def _say(self, bearer: Bearer, at: Sequence[int], p: int, others: tuple[str, ...] = ()) -> None:
        knowns = [k for label in bearer.labels if (k := self.family.predicates[p].get(label)) is not None]
        if knowns and len(knowns) == len(bearer.labels):
            group = tuple(knowns) if len(knowns) > 1 else ()
            places = tuple(sorted({*bearer.at, *at}))
            self.taken |= set(places)
            self.out.append(Mention(knowns[0], places, others=others, group=group, bound=True))

    def _opens_list(self, bearer: Bearer, at: Sequence[int]) -> bool:
        """ "An acknowledgement from core 1 or core 2": the predicate before a list is said of all of it."""
        if not bearer.at or bearer.at[0] < at[0]:
            return False
        return self._followed(bearer)

    def _alone(self, bearer: Bearer, part: Sequence[int]) -> None:
        """A bearer of which its own clause says nothing: part of a list, or the last predicate is meant."""
        if part[-1] == bearer.at[-1] and self._listed(part, bearer):
            self.waiting.append(bearer)
        else:
            listed, self.waiting = self.waiting, []
            if self.predicate is not None and not self._says_more(part, bearer):
                for one in (*listed, bearer):
                    self._say(one, (), self.predicate, others=self._others(one, part))
        self.last = bearer

    def _listed(self, part: Sequence[int], bearer: Bearer) -> bool:
        """Whether another bearer follows in a list, and the clause says nothing else."""
        return self._followed(bearer) and not self._says_more(part, bearer)

    def _followed(self, bearer: Bearer) -> bool:
        end = at = bearer.at[-1] + 1
        while at < len(self.words) and self.words[at].text in _LISTS | ARTICLES:
            at += 1
        return at > end and any(b.at[0] == at for b in self.bearers)

    def _says_more(self, part: Sequence[int], bearer: Bearer) -> bool:
        """Whether its clause says something of a bearer that is no predicate of the family: "moves to floor 2"."""
        rest = [i for i in part if i not in bearer.at]
        end = part[-1]
        following = self.words[end + 1].text if end + 1 < len(self.words) else ""
        particle = self.words[end].text in _PARTICLES and following != "it"  # "is not in it" goes on
        others = {i for m in self.mentions if not set(m.at) & set(bearer.at) for i in m.at}
        said = (i for i in rest if self.words[i].text not in _LIKEWISE | _PRONOUNS and i not in others)
        return particle or any(names_something(self.words, i) for i in said)

    def _others(self, bearer: Bearer, part: Sequence[int]) -> tuple[str, ...]:
        """ "And likewise client 1": where several things were said of client 0, no one of them is meant alone."""
        if not _LIKEWISE & {self.words[i].text for i in part} or self.last is None:
            return ()
        said = {self.family.predicate_of(m.known) for m in self.out if self._is_of(m, self.last)}
        names = (q[bearer.labels[0]].entry.name for p, q in enumerate(self.family.predicates) if p in said)
        return tuple(names) if len(said) > 1 else ()

    def _is_of(self, mention: Mention, bearer: Bearer) -> bool:
        return any(q.get(label) is mention.known for q in self.family.predicates for label in bearer.labels)

    def _meant(self, part: Sequence[int], at: Sequence[int]) -> Bearer | None:
        """Whom a predicate without a bearer is said of: "until IT is granted", "NEITHER is", "one of THEM is"."""
        texts = {i: self.words[i].text for i in part if i < at[0]}
        if any(names_something(self.words, i) for i, text in texts.items() if text not in _PRONOUNS | _THEM):
            return None
        one = len({b.labels for b in self.bearers}) == 1
        several = self.last is not None and len(self.last.labels) > 1
        told = [i for i, text in texts.items() if text in (_THEM if several else _PRONOUNS)]
        if self.last is not None and told:
            return replace(self.last, at=tuple(told[-1:]) if several else ())
        if not any(set(at) & set(m.at) and self._may_be(m) for m in self.mentions):
            return None
        if self.last is None:  # "once in the section, core 2 stays there"
            return replace(self.bearers[0], at=()) if one else None
        return replace(self.last, at=()) if not several and self._goes_on(part, at) else None

    def _may_be(self, mention: Mention) -> bool:
        names = {known.entry.name for q in self.family.predicates for known in q.values()}
        return bool(names & {mention.known.entry.name, *mention.others})

    def _goes_on(self, part: Sequence[int], at: Sequence[int]) -> bool:
        """ "Core 0 is in the section AND WAITING", "OR HAS given up waiting": no subject of its own."""
        joint = self.words[part[0] - 1].text if part[0] else ""
        lead = [self.words[i].text for i in part if i < at[0]]
        verbal = not lead or lead[0] in _VERBS or all(text in FAINT for text in lead[1:])
        return joint in ("and", "or", "but", "nor") and verbal and lead[:1] not in (["the"], ["a"], ["an"])

    def _predicates(self, part: Sequence[int], here: Sequence[Bearer]) -> list[Said]:
        """Which words of a clause say a predicate, and of whom: words of its own, states, or else what was linked."""
        taken = {i for b in here for i in b.at}
        free = [i for i in part if i not in taken]
        said = [(i, p, _nearest(here, i)) for i, p in self._said(free, self._names)]
        left = [b for b in here if all(b is not bearer for _, _, bearer in said)]
        unused = [i for i in free if all(i != k for k, _, _ in said)]
        if left or not here:
            said += [
                (i, p, _nearest(left, i)) for i, p in self._said(unused, self._tells) if left or not said
            ]
        for mention in (m for m in self.mentions if m.at[0] in part):
            p = self.family.predicate_of(mention.known)
            rest = [i for i in mention.at if i in free and all(i != k for k, _, _ in said)]
            if p is not None and all(q == p for _, q, _ in said):
                said += [(i, p, _nearest(here, i)) for i in rest]
        return _together(said)

    def _said(self, free: Sequence[int], says: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
        for i in free:
            able = [p for p in range(len(self.family.predicates)) if says(i, p)]
            if len(able) == 1:
                yield i, able[0]

    def _names(self, i: int, p: int) -> bool:
        """Whether a word is one that only this predicate has."""
        level, s = match(self.words[i].text, next(iter(self.family.predicates[p].values())))
        return level >= _SURE and s in self.family.own[p]

    def _tells(self, i: int, p: int) -> bool:
        """Whether a word says the state of the predicate or its opposite: "inside", "core 0 has got in"."""
        known = next(iter(self.family.predicates[p].values()))
        text = self.words[i].text
        behind = self.words[i + 1].text if i + 1 < len(self.words) else "."
        if (text in FAINT and behind not in BREAKS) or (text == "there" and behind in AUXILIARIES):
            return False
        return affirms(text, known) or denies(text, known)


def _nearest(here: Sequence[Bearer], i: int) -> Bearer | None:
    """The bearer before a predicate, or else behind it: "a wait of core 0"."""
    before = [b for b in here if b.at[0] < i]
    behind = [b for b in here if b.at[0] > i]
    return before[-1] if before else behind[0] if behind else None


def _together(said: Sequence[tuple[int, int, Bearer | None]]) -> list[Said]:
    """The words of one predicate and bearer as one, in the order of the text."""
    out: dict[tuple[int, Bearer | None], list[int]] = {}
    for i, p, bearer in said:
        out.setdefault((p, bearer), []).append(i)
    return sorted(((tuple(sorted(at)), p, bearer) for (p, bearer), at in out.items()), key=lambda one: one[0])


def _bearers(words: Sequence[Word], family: Family) -> list[Bearer]:
    """Those that are named, and those that are told from these: "the first one", "the other robot"."""
    named = list(_named(words, family))
    if not family.counted or not named:
        return named
    taken = {i for bearer in named for i in bearer.at}
    told = (_pointed(words, i, family, named) for i in range(1, len(words)) if i not in taken)
    return sorted((*named, *(bearer for bearer in told if bearer is not None)), key=lambda one: one.at[0])


def _pointed(words: Sequence[Word], i: int, family: Family, named: Sequence[Bearer]) -> Bearer | None:
    """ "The second pump, and the FIRST", "robot 1 or the OTHER one", "only if THAT ROBOT is": one of those named."""
    text, before, after = (words[k].text if k < len(words) else "" for k in (i, i - 1, i + 1))
    noun = stem(after) in family.nouns
    at = (i, i + 1) if noun or after == "one" else (i,)
    if not (len(at) > 1 or not after or after in BREAKS | _VERBS | _SHALL):
        return None
    earlier = {bearer.labels for bearer in named if bearer.at[0] < i}
    last = next(iter(earlier)) if len(earlier) == 1 else ()
    if text in _ORDINALS and before == "the" and not noun and "0" not in family.labels:
        counted = any(words[bearer.at[0]].text in _ORDINALS for bearer in named)
        return Bearer(at, (digit_of(text),)) if counted and digit_of(text) in family.labels else None
    if len(last) == 1 and text == "that" and noun:
        return Bearer(at, last)
    if len(last) == 1 and text == "other" and before == "the" and len(family.labels) == 2:
        return Bearer(at, tuple(label for label in family.labels if label not in last))
    return None


def _named(words: Sequence[Word], family: Family) -> Iterator[Bearer]:
    for i, word in enumerate(words):
        if not family.counted:
            if word.text in family.labels and (word.text != "a" or _is_letter(words, i)):
                yield Bearer((i,), (word.text,))
        elif (whole := _WHOLE.fullmatch(word.text)) and stem(whole[1]) in family.nouns:
            if whole[2] in family.labels:
                yield Bearer((i,), (whole[2],))
        elif stem(word.text) in family.nouns:
            found = list(_numbered(words, i, family)) or list(_ordinals(words, i, family))
            yield from found or _several(words, i, family)


def _is_letter(words: Sequence[Word], i: int) -> bool:
    """ "Neither A nor B prints": a letter, where "a printer", "A printer" and "STOP A PRINTER" have an article."""
    shouted = any(len(w.text) > 1 and w.written.isupper() for w in words[max(0, i - 1) : i + 2])
    inside = i > 0 and words[i - 1].text not in _OPENINGS and not shouted
    return (inside and words[i].written == "A") or is_name(words, i)


_OPENINGS = frozenset([".", "!", "?", ":", ";"])


def _numbered(words: Sequence[Word], i: int, family: Family) -> Iterator[Bearer]:
    """ "Process 0", "processes 0 and 1"."""
    at = i + 1
    while at < len(words) and words[at].text in ("number", "no", "-"):
        at += 1
    if _label(words, at) not in family.labels:
        return
    yield Bearer((*range(i, at), at), (_label(words, at),))
    while True:
        following = at + 1
        while following < len(words) and words[following].text in _LISTS:
            following += 1
        more = following > at + 1 and _label(words, following) in family.labels
        alternative = words[following - 1].text in ("or", ",") or _plural(words[i].text)
        if not more or words[following].value is None or not alternative or _measures(words, following):
            return
        yield Bearer((following,), (_label(words, following),))
        at = following


def _measures(words: Sequence[Word], i: int) -> bool:
    """ "Pump 1 or 2 seconds later": a number with a unit is no label."""
    following = words[i + 1].text if i + 1 < len(words) else ""
    return following in UNIT_WORDS or following in PLAIN_UNIT_WORDS


def _label(words: Sequence[Word], i: int) -> str:
    if i >= len(words) or words[i].text in _ORDINALS:
        return ""
    value = words[i].value
    return str(value) if value is not None else digit_of(words[i].text)


def _ordinals(words: Sequence[Word], i: int, family: Family) -> Iterator[Bearer]:
    """ "The second floor", "the first and the second floor"; who counts from zero has no first."""
    at = i
    while at and "0" not in family.labels and words[at - 1].text in _ORDINALS:
        label = digit_of(words[at - 1].text)
        if label not in family.labels:
            return
        yield Bearer((at - 1, i) if at == i else (at - 1,), (label,))
        at -= 1
        while at and words[at - 1].text in _LISTS | ARTICLES:
            at -= 1


def _several(words: Sequence[Word], i: int, family: Family) -> Iterator[Bearer]:
    """ "Both processes", "neither client", "at least one client": all of them."""
    lead = [w.text for w in words[max(0, i - 3) : i]]
    said = [t for t in lead if t in JOINTS and t != "the"]
    count = next((COUNTS[t] for t in reversed(said) if t in COUNTS), len(family.labels))
    one = lead[-1:] == ["one"] and bool(_ONES & set(lead))
    quantified = lead[-1:] and lead[-1] in JOINTS and lead[-1] not in ("the", "one")
    if count == len(family.labels) and (
        one or quantified or (_plural(words[i].text) and lead[-1:] != ["of"])
    ):
        yield Bearer((i - 1, i) if lead[-1:] == ["no"] else (i,), family.labels)


def _plural(text: str) -> bool:
    return text.endswith("s") and not text.endswith("ss")
