"""Which words of an instruction name which entry of a vocabulary, and with which polarity."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assent.errors import FragmentError
from assent.lift.clauses import BREAKS, PRONOUNS, has_unit, measures, names_something, segments
from assent.lift.figures import Word
from assent.lift.opposites import DENIES, denies_name, ends_it
from assent.lift.propose import has_content
from assent.lift.stems import ABBREVIATIONS, SYNONYMS, stem
from assent.vocabulary import Entry

# How alike two words are in meaning, 0 to 1.
Guess = Callable[[str, str], float]
ALIKE = 0.4
"""Likeness below which two words speak of different things."""
APART = 0.1
"""By how much the nearest entry must be nearer than the second."""

_NEGATIVE_PREFIX = re.compile(r"(?:un|in|non|dis|de)(?=[a-z]{4})")
# Words of a name that say little by themselves, or next to nothing.
_WEAK = frozenset(["up", "down", "mode"])
_FAINT = frozenset(
    "on in at by of the a an is to for with over out off into from under not no and or has".split()
)
# What may stand between a subject and its state: "the pump IS NOT paused", "the nurse paused THE pump".
_LINKS = frozenset(
    """
    is are was were be been being has have must shall should will may can not never no the a an by
    to stay stays
    """.split()
)
# Verbs and phrases of the logic, not of the world: "keep" is not lane_keeping, "right away" is not away_mode.
_AUXILIARY = frozenset(["keep", "keeps", "kept"])


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``at`` (indices) that speak of ``entry``; ``denied`` those that say its opposite;
    ``rivals`` other entries that they speak of as well; ``guessed``: by meaning, not by name."""

    entry: Entry
    at: tuple[int, ...]
    denied: tuple[int, ...]
    rivals: tuple[Entry, ...] = ()
    guessed: bool = False


Scored = tuple[float, int, Entry, tuple[int, ...]]  # weight, minus first word, entry, words


class Names:
    """The propositions of a vocabulary, prepared for look-up."""

    def __init__(self, entries: Sequence[Entry], guess: Guess | None = None) -> None:
        self.entries = tuple(entries)
        self._guess = guess
        self._stems = {e.name: _name_stems(e) for e in self.entries}
        counts: dict[str, int] = {}
        for stems in self._stems.values():
            for s in stems:
                counts[s] = counts.get(s, 0) + 1
        self._count = counts

    def _weight(self, s: str) -> float:
        """How much a word says about which entry is meant: shared and weak words say little."""
        plain = 0.35 if s in _WEAK else 0.1 if s in _FAINT else 1.0
        return plain / self._count.get(s, 1)

    def find(self, words: Sequence[Word]) -> list[Mention]:
        """Mentions, segment by segment; a word belongs to at most one mention."""
        mentions: list[Mention] = []
        for segment in segments(words):
            mentions += self._in_segment(words, segment) or self._by_meaning(words, segment)
        return mentions

    def _in_segment(self, words: Sequence[Word], segment: list[int]) -> list[Mention]:
        scored = self._scored(words, segment)
        taken: set[int] = set()
        found: list[Mention] = []
        for weight, _, entry, at in scored:
            free = tuple(i for i in at if i not in taken)
            whole, left = (sum(self._best_weight(words[i].text, entry) for i in part) for part in (at, free))
            if not free or left < min(0.5, whole):
                continue
            rivals = [e for w, _, e, a in scored if a == at and abs(w - weight) < 1e-9]
            settled = entry if len(rivals) < 2 else self._settle(words, segment, rivals, free)
            taken.update(free)
            found.append(Mention(settled or entry, free, (), () if settled else tuple(rivals)))
        found += self._again(words, [i for i in segment if i not in taken], found)
        found.sort(key=lambda m: m.at[0])
        taken.update(i for m in found for i in m.at)
        found = [self._with_denials(words, segment, m, taken) for m in found]
        found = [m for m in found if not self._stateless(words, m) or not _leans(words, m, found)]
        taken = {i for m in found for i in m.at}  # what leaned on another mention may be its state
        found = [self._with_denials(words, segment, m, taken) for m in found]
        found = self._with_ends(words, segment, [_closed(words, m) for m in found])
        for mention in found:
            if mention.rivals:
                said = " ".join(words[i].text for i in mention.at)
                names = " or ".join(sorted(e.name for e in mention.rivals))
                raise FragmentError(f"{said!r} may mean {names}: say which")
        return found

    def _scored(self, words: Sequence[Word], segment: list[int]) -> list[Scored]:
        measured = measures(words, segment)
        scored: list[Scored] = []
        for entry in self.entries:
            hits: dict[str, int] = {}
            for i in segment:
                if entry.type == "number" and i and words[i - 1].value is not None:
                    continue  # a unit: "28 volts" does not say whose
                for s in self._matches(words[i].text, entry):
                    hits.setdefault(s, i)
            weight = sum(self._weight(s) for s in hits)
            own = _name_words(entry)
            if hits and any(words[i].text in DENIES.get(w, ()) for w in own for i in segment):
                weight += 0.3  # its opposite is said: "the gate is still" speaks of gate_moving
            if hits and entry.type == "number":
                weight += (0.25 if measured else -0.25) + 0.2 * has_unit(words, segment, entry)
            if weight >= 0.3 or (hits and set(hits) == set(self._stems[entry.name])):
                at = tuple(sorted(set(hits.values())))
                scored.append((weight, -at[0], entry, at))
        scored = self._nearest_faint(words, scored)
        if any(item[0] >= 0.5 for item in scored):  # a weak word counts only where nothing better is said
            scored = [item for item in scored if item[0] >= 0.5]
        elif any(names_something(words, i) for i in segment if all(i not in item[3] for item in scored)):
            return []  # "the boss shows up" does not speak of link_up
        return sorted(scored, key=lambda item: item[:2], reverse=True)

    def _nearest_faint(self, words: Sequence[Word], scored: list[Scored]) -> list[Scored]:
        """A faint word ("on") belongs to the name that stands nearest, and no name begins with it from afar."""
        strong = {
            e.name: [i for i in at if any(s not in _FAINT for s in self._matches(words[i].text, e))]
            for _, _, e, at in scored
        }

        def far(name: str, i: int) -> int:
            return min((abs(i - j) for j in strong[name]), default=99)

        out: list[Scored] = []
        for weight, _, entry, at in scored:
            kept = tuple(
                i
                for i in at
                if i in strong[entry.name]
                or not strong[entry.name]
                or all(far(entry.name, i) <= far(e.name, i) for _, _, e, a in scored if i in a)
            )
            out.append((weight, -kept[0], entry, kept))
        return out

    def _again(self, words: Sequence[Word], rest: list[int], found: Sequence[Mention]) -> list[Mention]:
        """A second mention in one clause, with every word of the name."""
        out: list[Mention] = []
        for mention in found:
            hits = {s: i for i in reversed(rest) for s in self._matches(words[i].text, mention.entry)}
            strong = self._stems[mention.entry.name] - _WEAK - _FAINT
            if strong and strong <= set(hits):
                out.append(Mention(mention.entry, tuple(sorted(set(hits.values()))), ()))
        return out

    def _settle(
        self, words: Sequence[Word], segment: list[int], rivals: Sequence[Entry], at: Sequence[int]
    ) -> Entry | None:
        """Which of several entries that share the words said is meant, by the meaning of the other words."""
        rest = [words[i].text for i in segment if i not in at and has_content(words[i].text)]
        if words[segment[-1]].text == "in":  # "the card goes in"
            rest.append("inserted")
        return self._nearest(rest, rivals)

    def _by_meaning(self, words: Sequence[Word], segment: list[int]) -> list[Mention]:
        """A clause without any word of a name: the entry with a word of like meaning, if one stands out."""
        if self._guess is None or any(words[i].text in PRONOUNS for i in segment):
            return []
        said = [i for i in segment if names_something(words, i)]
        entry = self._nearest([words[i].text for i in said], self.entries)
        if entry is None:
            return []
        guess, own = self._guess, self._strong(entry)
        near = tuple(i for i in said if max(guess(words[i].text, w) for w in own) >= ALIKE)
        at = near[:1] if entry.type == "number" else near
        mention = self._with_denials(words, segment, Mention(entry, at, (), guessed=True), set(at))
        return self._with_ends(words, segment, [mention])

    def _nearest(self, said: Sequence[str], entries: Sequence[Entry]) -> Entry | None:
        if self._guess is None or not said:
            return None
        shared = frozenset.intersection(*map(self._strong, entries)) if len(entries) > 1 else frozenset()
        scores = []
        for entry in entries:
            own = self._strong(entry) - shared
            likes = [max(self._guess(text, w) for text in said) for w in own]
            scores.append(sum(like for like in likes if like >= ALIKE))
        first, second = (*sorted(scores, reverse=True), 0.0)[:2]
        return entries[scores.index(first)] if first >= ALIKE and first - second >= APART else None

    def _strong(self, entry: Entry) -> frozenset[str]:
        return frozenset(w for w in _name_words(entry) if w not in _WEAK and w not in _FAINT)

    def _stateless(self, words: Sequence[Word], mention: Mention) -> bool:
        """Part of a name, without its state: "the pump" for pump_running."""
        said = {s for i in mention.at for s in self._matches(words[i].text, mention.entry)}
        entry = mention.entry
        calls = (_stems_of(entry.name), _stems_of(entry.phrase))
        return not mention.denied and not any(call - _WEAK - _FAINT <= said for call in calls)

    def _best_weight(self, text: str, entry: Entry) -> float:
        return max((self._weight(s) for s in self._matches(text, entry)), default=0.0)

    def _matches(self, text: str, entry: Entry) -> list[str]:
        """Stems of the entry's name that a word of the text stands for; a denied one counts too."""
        own = self._stems[entry.name]
        if text in _AUXILIARY:
            return []
        s = stem(text)
        if s in own:
            return [s]
        s = stem(SYNONYMS.get(text, text))
        if s in own:
            return [s]
        bare = _bare(text)
        if bare in own and bare != s:
            return [bare]
        short = [o for o in own if text.startswith(ABBREVIATIONS.get(o, "\0"))]
        return short or [o for o in own if min(len(s), len(o)) >= 4 and (s.startswith(o) or o.startswith(s))]

    def _with_denials(
        self, words: Sequence[Word], segment: list[int], mention: Mention, taken: set[int]
    ) -> Mention:
        own = _name_words(mention.entry)
        denied: list[int] = []
        nearest = {i: min(abs(i - j) for j in mention.at) for i in segment}
        for i in segment:
            text = words[i].text
            if i in mention.at:
                stems = self._stems[mention.entry.name]
                if text == "nobody" or (
                    stem(text) not in stems and _bare(text) != stem(text) and _bare(text) in stems
                ):
                    denied.append(i)
                elif mention.guessed and denies_name(text, own):
                    denied.append(i)  # opposites are near in meaning
            elif i not in taken and text not in own and nearest[i] <= 8 and denies_name(text, own):
                between = range(max((j for j in mention.at if j < i), default=i), i)
                if not any(words[k].text in ("it", "they") for k in between):
                    denied.append(i)
        return replace(mention, denied=tuple(denied[:1]))

    def _with_ends(
        self, words: Sequence[Word], segment: list[int], found: Sequence[Mention]
    ) -> list[Mention]:
        """ "Stop spraying", "the link is lost": a word that ends something denies the mention next to it."""
        taken = {i for m in found for i in (*m.at, *m.denied)}
        out = list(found)
        for i in segment:
            if i in taken or not out:
                continue
            k = min(range(len(out)), key=lambda k: min(abs(i - j) for j in out[k].at))
            mention = out[k]
            far = min(abs(i - j) for j in mention.at)
            own = _name_words(mention.entry)
            up = i + 1 < len(words) and words[i + 1].text == "up"  # "ends up on" is on
            ends = not up and (ends_it(words[i].text, own) or _left(words, i, own))
            if ends and far <= _REACH and not mention.denied and mention.entry.type != "number":
                out[k] = replace(mention, denied=(i,))
        return out


def pronouns(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """ "It goes down": a pronoun with the opposite of just one state that was named before."""
    used = {i for m in mentions for i in (*m.at, *m.denied)}
    out: list[Mention] = []
    for segment in segments(words):
        for i, j in ((i, j) for i in segment for j in segment if i < j <= i + 3 and j not in used):
            if words[i].text not in ("it", "they"):
                continue
            before = {m.entry.name: m.entry for m in mentions if m.at[-1] < i}
            meant = [
                entry
                for entry in before.values()
                if any(words[j].text in DENIES.get(w, ()) for w in _name_words(entry))
            ]
            if len(meant) == 1:
                out.append(Mention(meant[0], (i,), (j,)))
    return out


def _leans(words: Sequence[Word], mention: Mention, found: Sequence[Mention]) -> bool:
    """Only linking words stand between this mention and another one: it is the other's subject or object."""
    for other in found:
        low, high = sorted((mention.at[0], other.at[0]))
        between = [words[i].text for i in range(low + 1, high) if i not in (*mention.at, *other.at)]
        if other is not mention and all(text in _LINKS for text in between):
            return True
    return False


def _name_words(entry: Entry) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", f"{entry.name} {entry.phrase}".replace("_", " ").lower()))


def _stems_of(phrase: str) -> frozenset[str]:
    words = re.findall(r"[a-z]+", phrase.replace("_", " ").lower())
    return frozenset(stem(w) for w in words if w not in ("the", "a", "an", "is", "of", "by"))


def _name_stems(entry: Entry) -> frozenset[str]:
    return _stems_of(entry.name) | _stems_of(entry.phrase)


def _closed(words: Sequence[Word], mention: Mention) -> Mention:
    """With the small words of the name that stand between its others: "out OF service"."""
    own, (low, high) = _name_words(mention.entry), (mention.at[0], mention.at[-1])
    inner = {i for i in range(low, high + 1) if words[i].text in own and i not in mention.denied}
    if inner - set(mention.at):
        inner |= {i for i in range(low, high + 1) if words[i].text in ("the", "a", "an")}
    return replace(mention, at=tuple(sorted({*mention.at, *inner})))


def _bare(text: str) -> str:
    """The stem without a negative prefix: 'uncalibrated' speaks of 'calibrated'."""
    bare = _NEGATIVE_PREFIX.sub("", text, count=1)
    return stem(SYNONYMS.get(bare, bare)) if bare != text else stem(text)


def join_compounds(words: Sequence[Word], entries: Sequence[Entry]) -> list[Word]:
    """Words that a name writes as one: "no-fly" for nofly, "e-stop" and "emergency stop" for estop."""
    known = frozenset().union(*map(_name_words, entries)) if entries else frozenset()
    known_stems = {stem(w) for w in known if len(w) > 3}
    out: list[Word] = []
    i = 0
    while i < len(words):
        j = i + 2 if i + 2 < len(words) and words[i + 1].text == "-" else i + 1
        if j < len(words) and words[i].text.isalpha() and words[j].text not in BREAKS:
            for joined in (words[i].text + words[j].text, words[i].text[0] + words[j].text):
                known_one = len(joined) > 4 and stem(joined) in known_stems
                if known_one and stem(words[j].text) not in known_stems:
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


_REACH = 4


def _left(words: Sequence[Word], i: int, own: frozenset[str]) -> bool:
    """ "Has left safe mode"."""
    before = words[i - 1].text if i else ""
    return words[i].text == "left" and "left" not in own and before in ("has", "have", "had", "having", "'s")
