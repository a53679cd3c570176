"""Which words of an instruction name which entry of a vocabulary, and with which polarity."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assent.lift.figures import Word
from assent.vocabulary import Entry

# Pairs of states: a word of one side, said of a proposition named by the other side, denies it.
_OPPOSITES = (
    ("on", "off"),
    ("open opened opens opening", "closed shut closes close shuts"),
    ("up", "down"),
    ("down lowered", "up raised lifted"),
    ("locked locks lock", "unlocked unlocks unlock"),
    ("low", "high full charged"),
    ("full", "empty"),
    ("dry", "wet moist damp"),
    ("hot", "cold cool"),
    ("near nearby close", "far away gone"),
    ("moving moves move", "still stationary stopped stops stop halted idle parked motionless"),
    ("running runs run", "stopped idle halted stops stop"),
    ("clear free", "blocked occupied obstructed busy"),
    ("night dark nighttime", "day daytime daylight"),
    ("airborne flying", "grounded"),
    ("holding holds hold held", "released drops dropped releases"),
    ("present", "absent missing"),
    ("ready", "unready busy"),
    ("safe", "unsafe dangerous"),
    ("enabled", "disabled"),
    ("active", "inactive"),
    ("connected", "disconnected"),
    ("engaged", "disengaged released"),
    ("armed", "disarmed"),
    ("fastened", "unfastened loose undone"),
    ("left", "right"),
    ("inside in", "outside"),
)
_DENIES: dict[str, frozenset[str]] = {}
for _pair in _OPPOSITES:
    for _ours, _theirs in (_pair, _pair[::-1]):
        for _word in _ours.split():
            _DENIES[_word] = _DENIES.get(_word, frozenset()) | frozenset(_theirs.split())
# States that deny any proposition which does not itself speak of them.
_OFF = frozenset(["off", "inactive", "disabled", "silent", "absent", "deactivated", "disengaged"])
_NEGATIVE_PREFIX = re.compile(r"(?:un|in|non|dis|de)(?=[a-z]{4})")
# Words of a name that say little by themselves, or next to nothing.
_WEAK = frozenset(["up", "down", "mode"])
_FAINT = frozenset("on in at by of the a an is to for with over".split())
# What may stand between a subject and its state: "the pump IS NOT paused", "the nurse paused THE pump".
_LINKS = frozenset(
    """
    is are was were be been being has have must shall should will may can not never no the a an by
    to stay stays
    """.split()
)
# Verbs and phrases of the logic, not of the world: "keep" is not lane_keeping, "right away" is not away_mode.
_AUXILIARY = frozenset(["keep", "keeps", "kept"])
_BREAKS = frozenset(
    ", ; : . ? ! if then until unless while when whenever and or but once before after so".split()
)
# Everyday words for words that names are made of.
_SYNONYMS = {
    **dict.fromkeys(("person", "people", "someone", "somebody", "anyone", "anybody", "nobody"), "human"),
    **dict.fromkeys(("belt", "belted", "buckled", "buckle"), "seatbelt"),
    **dict.fromkeys(("grips", "gripping", "gripped", "carrying", "carries"), "holding"),
    **dict.fromkeys(("lamps", "lamp"), "lights"),
    **dict.fromkeys(("finished", "complete", "completed"), "done"),
}


def stem(word: str) -> str:
    """A crude stem, the same for the usual endings of one word."""
    for ending in ("ings", "ing", "edly", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``at`` (indices) that speak of ``entry``; ``denied`` those that say its opposite."""

    entry: Entry
    at: tuple[int, ...]
    denied: tuple[int, ...]


class Names:
    """The propositions of a vocabulary, prepared for look-up."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
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
        for segment in _segments(words):
            mentions += self._in_segment(words, segment)
        return mentions

    def _in_segment(self, words: Sequence[Word], segment: list[int]) -> list[Mention]:
        scored: list[tuple[float, int, Entry, tuple[int, ...]]] = []
        for entry in self.entries:
            hits: dict[str, int] = {}
            for i in segment:
                for s in self._matches(words[i].text, entry):
                    hits.setdefault(s, i)
            weight = sum(self._weight(s) for s in hits)
            own = _name_words(entry)
            if hits and any(words[i].text in _DENIES.get(w, ()) for w in own for i in segment):
                weight += 0.3  # its opposite is said: "the gate is still" speaks of gate_moving
            if weight >= 0.3 or (hits and set(hits) == set(self._stems[entry.name])):
                at = tuple(sorted(set(hits.values())))
                scored.append((weight, -at[0], entry, at))
        if any(item[0] >= 0.5 for item in scored):  # a weak word counts only where nothing better is said
            scored = [item for item in scored if item[0] >= 0.5]
        scored.sort(key=lambda item: item[:2], reverse=True)
        taken: set[int] = set()
        found: list[Mention] = []
        for weight, _, entry, at in scored:
            free = tuple(i for i in at if i not in taken)
            if not free or sum(self._best_weight(words[i].text, entry) for i in free) < min(0.5, weight):
                continue
            taken.update(free)
            found.append(Mention(entry, free, ()))
        found.sort(key=lambda m: m.at[0])
        found = [self._with_denials(words, segment, m, taken) for m in found]
        return [m for m in found if not self._stateless(words, m) or not _leans(words, m, found)]

    def _stateless(self, words: Sequence[Word], mention: Mention) -> bool:
        """Part of a name, without its state: "the pump" for pump_running."""
        said = {s for i in mention.at for s in self._matches(words[i].text, mention.entry)}
        strong = self._stems[mention.entry.name] - _WEAK - _FAINT
        return not mention.denied and not strong <= said

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
        s = stem(_SYNONYMS.get(text, text))
        if s in own:
            return [s]
        bare = _bare(text)
        if bare in own and bare != s:
            return [bare]
        if len(s) >= 4:
            return [o for o in own if len(o) >= 3 and (s.startswith(o) or o.startswith(s))]
        return []

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
            elif i not in taken and text not in own and nearest[i] <= 8:
                opposite = any(text in _DENIES.get(w, ()) for w in own)
                if opposite or text in _OFF:
                    denied.append(i)
        return Mention(mention.entry, mention.at, tuple(denied[:1]))


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


def _name_stems(entry: Entry) -> frozenset[str]:
    return frozenset(stem(w) for w in _name_words(entry) if w not in ("the", "a", "an", "is", "of", "by"))


def _bare(text: str) -> str:
    """The stem without a negative prefix: 'uncalibrated' speaks of 'calibrated'."""
    bare = _NEGATIVE_PREFIX.sub("", text, count=1)
    return stem(_SYNONYMS.get(bare, bare)) if bare != text else stem(text)


def join_compounds(words: Sequence[Word], entries: Sequence[Entry]) -> list[Word]:
    """Words that a name writes as one: "no-fly" for nofly, "e-stop" and "emergency stop" for estop."""
    known = frozenset().union(*map(_name_words, entries)) if entries else frozenset()
    known_stems = {stem(w) for w in known if len(w) > 3}
    out: list[Word] = []
    i = 0
    while i < len(words):
        j = i + 2 if i + 2 < len(words) and words[i + 1].text == "-" else i + 1
        if j < len(words) and words[i].text.isalpha() and words[j].text not in _BREAKS:
            for joined in (words[i].text + words[j].text, words[i].text[0] + words[j].text):
                if stem(joined) in known_stems and stem(words[j].text) not in known_stems:
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


def _segments(words: Sequence[Word]) -> list[list[int]]:
    """Indices between clause boundaries."""
    out: list[list[int]] = [[]]
    for i, word in enumerate(words):
        if word.text in _BREAKS:
            out.append([])
        elif not (word.text == "away" and i and words[i - 1].text in ("right", "straight")):
            out[-1].append(i)
    return [segment for segment in out if segment]
