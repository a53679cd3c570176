"""What speaks for a word standing for an entry: shared words, stems, states, meaning, numbers, the clause around it.

``Evidence`` holds one row of features for each (word, entry) pair and one for each word alone, which the linker turns
into probabilities. The order of the features is part of the stored weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assent.lift.beyond import WORDS as BEYOND_WORDS
from assent.lift.clauses import PASSING, is_idiom, is_tail, measures, segments
from assent.lift.entries import FAINT, WEAK, Known, digit_of, match, weights
from assent.lift.figures import Word
from assent.lift.idioms import judges
from assent.lift.leftovers import is_amount
from assent.lift.measures import figures, fits, is_unit, plain_unit
from assent.lift.propose import ARTICLES, RELATION_WORDS, has_content
from assent.lift.seen import Floats, Seen, Senses, WordVectors
from assent.lift.units import measures_a_figure

PAIR_FEATURES = 60
WORD_FEATURES = 22
FIGURE = 9
"""The feature that says whether a figure beside the word is the entry's number."""
_WINDOW = 2
COMPARING = frozenset(
    """
    than above below under over exceed exceeds exceeding exceeded reaches reach reached past beyond climbs climb drops
    drop falls fall rises rise rising falling between least most hits hit excess short minimum maximum max min higher
    lower greater fewer tops cap capped limited limit
    """.split()
)
_NO_NAMES = COMPARING | BEYOND_WORDS


@dataclass(frozen=True)
class LinkEvidence:
    """``at``: the words that may stand for a name; ``pairs[k, e]``, ``alone[k]``: their features."""

    at: tuple[int, ...]
    pairs: Floats
    alone: Floats


def evidence(
    words: Sequence[Word],
    knowns: Sequence[Known],
    guess: WordVectors | None,
    table: Mapping[str, float],
    *,
    senses: Senses | None = None,
    things: bool = False,
    rarity: Mapping[str, float] | None = None,
) -> LinkEvidence:
    """Features of every word that may name something; ``table``: how often a word was seen inside names.

    ``senses``: what was learnt about how names are spoken of;
    ``things``: the entries are objects and regions, and words for places are no part of their names; ``rarity``: what
    each stem says about which entry is meant, where ``knowns`` are some of many.
    """
    parts = segments(words)
    segment_of = {i: part for part in parts for i in part}
    at = tuple(
        i
        for part in parts
        for i in part
        if may_name(words, i, knowns) and not (things and _is_place(words, i, knowns))
    )
    pairs = np.zeros((len(at), len(knowns), PAIR_FEATURES), dtype=np.float32)
    alone = np.zeros((len(at), WORD_FEATURES), dtype=np.float32)
    if not at or not knowns:
        return LinkEvidence(at, pairs, alone)
    seen = Seen(words, at, knowns, segment_of, rarity if rarity is not None else weights(knowns))
    meaning = _meaning(seen, guess, senses)
    own = _own(seen, table)
    blocks = (own, meaning, _covered(seen), _runs(seen), _numeric(seen))
    width = sum(block.shape[2] for block in blocks)
    if width != PAIR_FEATURES:
        raise AssertionError(f"{width} features where the weights know {PAIR_FEATURES}")
    pairs[:] = np.concatenate(blocks, axis=2)
    alone[:] = _alone(seen, meaning, table)
    return LinkEvidence(at, pairs, alone)


def may_name(words: Sequence[Word], i: int, knowns: Sequence[Known]) -> bool:
    """A word that may belong to a name: it speaks of the world, or is a word of a name itself."""
    word = words[i]
    if word.value is not None or not word.text[:1].isalpha() or _is_unit(words, i) or is_tail(words, i):
        return False
    named = any(word.text in k.words and word.text not in FAINT for k in knowns)
    if is_idiom(words, i) or (
        not named and (word.text in COMPARING or word.text in BEYOND_WORDS or is_amount(word.text))
    ):
        return False
    if judges(words, i, knowns):
        return False
    return has_content(word.text) or named


def _is_place(words: Sequence[Word], i: int, knowns: Sequence[Known]) -> bool:
    """ "Left of", unless it is part of a name that goes on: "the left screw"."""
    text = words[i].text
    if text not in RELATION_WORDS:
        return False
    following = [w.text for w in words[i + 1 : i + 2]]
    return not any(
        text in k.words and (len(k.words) == 1 or any(match(t, k)[0] for t in following)) for k in knowns
    )


def _is_unit(words: Sequence[Word], i: int) -> bool:
    """ "5 bar", "5 km / h": what a figure is measured in names nothing."""
    before = words[i - 1] if i else None
    if before is not None and before.value is not None:
        return is_unit(words[i].text) or measures_a_figure(words, i)
    if measures_a_figure(words, i):
        return True
    return before is not None and before.text in ("/", "\u00b0") and len(words[i].text) <= 3


def _own(seen: Seen, table: Mapping[str, float]) -> Floats:
    """The word itself against the entry (16 features)."""
    out = seen.empty(16)
    words = seen.words
    for n, i in enumerate(seen.at):
        behind = words[i + 1].text if i + 1 < len(words) else ""
        figure = _figure_after(words, i)
        odds = table.get(words[i].text, 0.0)
        for e, known in enumerate(seen.knowns):
            s, level = seen.stems[n][e], float(seen.matched[n, e])
            own = level > 0 and s in known.named
            out[n, e] = (
                level >= 0.99,
                0.9 <= level < 0.99,
                0.6 <= level < 0.9,
                0 < level < 0.6,
                seen.rarity.get(s, 0.0) if level else 0.0,
                level > 0 and s == known.head,
                level > 0 and s in WEAK,
                seen.said[n, e],
                seen.unsaid[n, e],
                1.0 if figure and figure in known.digits else -1.0 if figure and known.digits else 0.0,
                level > 0 and len(known.stems) == 1,
                behind in known.words and bool(level or seen.said[n, e]),
                own,
                level > 0 and not own,
                odds if level else 0.0,
                odds if not level else 0.0,
            )
    return out


def _figure_after(words: Sequence[Word], i: int) -> str:
    """The figure that numbers a thing: "pump 2", "pump no. 2", "the second pump"."""
    for k in (i + 1, i + 2):
        if k < len(words):
            text = words[k].text
            value = words[k].value
            unit = words[k + 1].text if k + 1 < len(words) else ""
            if value is not None and value.denominator == 1 and unit != "seconds":
                return str(value)
            if digit_of(text) and k == i + 1:
                return digit_of(text)
            if text not in ("no", "number", ".", "#", "-"):
                break
    before = words[i - 1].text if i else ""
    return digit_of(before) if not before.isdigit() and before not in ("one", "two", "three") else ""


def _meaning(seen: Seen, guess: WordVectors | None, senses: Senses | None) -> Floats:
    """Likeness in meaning (16 features): the word, its neighbours and its clause against the entry, and margins."""
    out = seen.empty(16)
    if guess is None:
        return out
    words, at, knowns, segment_of = seen.words, seen.at, seen.knowns, seen.segment_of
    texts = [words[i].text for i in at]
    windows = [_window(words, i, segment_of[i]) for i in at]
    clauses = [" ".join(words[j].text for j in segment_of[i] if has_content(words[j].text)) for i in at]
    ours = [*texts, *windows, *clauses]
    theirs: list[str] = []
    for known in knowns:
        theirs += [*known.things, *known.states, known.phrase]
    where = {text: k for k, text in enumerate(dict.fromkeys(theirs))}
    unique = list(dict.fromkeys(ours))
    row = {text: k for k, text in enumerate(unique)}
    likeness = guess(unique, list(where))
    for e, known in enumerate(knowns):
        things = likeness[:, [where[w] for w in known.things]].max(axis=1)
        states = likeness[:, [where[w] for w in known.states]].max(axis=1) if known.states else 0 * things
        phrase = likeness[:, where[known.phrase]]
        word, window, clause = (np.array([row[t] for t in part]) for part in (texts, windows, clauses))
        out[:, e, 0], out[:, e, 1], out[:, e, 2] = things[word], states[word], phrase[word]
        out[:, e, 3], out[:, e, 4] = things[window], phrase[window]
        out[:, e, 5] = phrase[clause]
    if senses is not None:
        learnt = senses.likeness(guess, unique, [known.phrase for known in knowns])
        for k, part in enumerate((texts, windows, clauses)):
            out[:, :, 10 + k] = learnt[[row[t] for t in part]]
    for k, source in ((6, 0), (7, 4), (8, 5), (9, 2), (13, 10), (14, 11), (15, 12)):
        out[:, :, k] = _margin(out[:, :, source])
    return out


def _margin(scores: Floats) -> Floats:
    """By how much each entry is ahead of the best other one."""
    if scores.shape[1] < 2:
        return np.asarray(scores, dtype=np.float32)
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.asarray(scores - np.where(scores >= best, second, best), dtype=np.float32)


def _window(words: Sequence[Word], i: int, segment: Sequence[int]) -> str:
    near = [j for j in segment if abs(j - i) <= _WINDOW and has_content(words[j].text)]
    return " ".join(words[j].text for j in near) or words[i].text


def _covered(seen: Seen) -> Floats:
    """How much of the entry's name the clause says (14 features), here and elsewhere, against the other entries."""
    out = seen.empty(14)
    whole = np.array([sum(seen.rarity[s] for s in k.stems) for k in seen.knowns], dtype=np.float32)
    for members in _grouped([seen.segment_of[i][0] for i in seen.at]):
        total, state = _said(seen, members)
        share = total / np.maximum(whole, 1e-6)
        ahead = _margin((total + 0.3 * state)[None, :])[0]
        places = np.array([seen.at[n] for n in members])
        weighed = seen.weighed[members]
        for n in members:
            away = np.abs(places - seen.at[n])[:, None]
            nearest = np.where(weighed > 0.2, away, 9).min(axis=0)
            elsewhere = np.where((away > 0) & (away <= 4), weighed, 0.0)
            others = elsewhere.max(axis=0)
            out[n, :, 0], out[n, :, 1], out[n, :, 2] = np.minimum(total, 2), share, ahead
            out[n, :, 3], out[n, :, 4] = np.minimum(nearest, 9) / 9, others
            out[n, :, 5] = seen.weighed[n]
            out[n, :, 6] = _margin(seen.weighed[n][None, :])[0]
            out[n, :, 7] = (seen.weighed[n] > 0) * ahead
            out[n, :, 8] = state
            out[n, :, 9] = np.minimum(nearest, 9).min() < 9
            out[n, :, 10] = _margin((total * (nearest <= 5))[None, :])[0]
            out[n, :, 11] = _rivals(others)
    for members in _grouped(seen.wide):
        total, state = _said(seen, members)
        out[members, :, 12] = state
        out[members, :, 13] = (seen.weighed[members] > 0) * _margin((total + 0.3 * state)[None, :])
    return out


def _grouped(keys: Sequence[int]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for n, key in enumerate(keys):
        groups.setdefault(key, []).append(n)
    return list(groups.values())


def _said(seen: Seen, members: Sequence[int]) -> tuple[Floats, Floats]:
    """For each entry how much of its name some words say, and whether they say its state or the opposite."""
    total = np.zeros(len(seen.knowns), dtype=np.float32)
    for e in range(len(seen.knowns)):
        best: dict[str, float] = {}
        for n in members:
            s = seen.stems[n][e]
            if s:
                best[s] = max(best.get(s, 0.0), float(seen.weighed[n, e]))
        total[e] = sum(best.values())
    state = np.maximum(seen.said[members], seen.unsaid[members]).max(axis=0)
    return total, np.asarray(state, dtype=np.float32)


def _rivals(scores: Floats) -> Floats:
    """For each entry the best score of another one."""
    if len(scores) < 2:
        return np.zeros_like(scores)
    ordered = np.sort(scores)
    return np.asarray(np.where(scores >= ordered[-1], ordered[-2], ordered[-1]), dtype=np.float32)


def _runs(seen: Seen) -> Floats:
    """Words of the phrase that stand together as it has them (4 features): "in the charging station"."""
    out = seen.empty(4)
    words = seen.words
    where = {i: n for n, i in enumerate(seen.at)}
    for e, known in enumerate(seen.knowns):
        i = 0
        while i < len(words):
            j, strong = i, 0
            while (
                j < len(words) and words[j].value is None and _in_phrase(words[j].text, known, inside=j > i)
            ):
                strong += words[j].text not in _SMALL
                j += 1
            for k in range(i, j):
                if k in where:
                    out[where[k], e, 0] = min(strong, 4) / 4
            i = max(j, i + 1)
    out[:, :, 1] = _margin(out[:, :, 0])
    out[:, :, 2] = np.stack([_rivals(row) for row in out[:, :, 0]])
    stems = np.array([max(len(k.stems), 1) for k in seen.knowns], dtype=np.float32)
    out[:, :, 3] = np.minimum(4 * out[:, :, 0] / stems, 1)
    return out


_SMALL = FAINT | ARTICLES


def _in_phrase(text: str, known: Known, *, inside: bool) -> bool:
    return (
        match(text, known)[0] >= 0.9
        or text in known.words
        or (inside and text in ("the", "a", "an", "is", "are"))
    )


def _numeric(seen: Seen) -> Floats:
    """Signals and numbers (10 features)."""
    out = seen.empty(10)
    words = seen.words
    measured = figures(words)
    for n, i in enumerate(seen.at):
        segment = seen.segment_of[i]
        compared = float(measures(words, segment))
        near = float(any(words[j].value is not None for j in range(i, min(i + 6, len(words)))))
        comparing = float(any(words[j].text in COMPARING for j in range(i, min(i + 5, len(words)))))
        nearest = min(measured, key=lambda f: abs(f.at - i) + 3 * (f.at < i), default=None)
        close = nearest is not None and -6 <= nearest.at - i <= 9
        for e, known in enumerate(seen.knowns):
            number = float(known.number)
            suits = close and nearest is not None and nearest.unit is not None and known.number
            fit = nearest is not None and fits(nearest.unit, known.entry)
            same = suits and nearest is not None and plain_unit(known.entry.unit) == nearest.unit
            out[n, e] = (
                number,
                number * compared,
                number * near,
                number * comparing,
                float(suits and fit),
                float(suits and not fit),
                float(same),
                number * close,
                (1 - number) * compared,
                (1 - number) * close,
            )
    return out


def _alone(seen: Seen, meaning: Floats, table: Mapping[str, float]) -> Floats:
    """The word alone (22 features): does it look like part of any name at all?"""
    out = np.zeros((len(seen.at), WORD_FEATURES), dtype=np.float32)
    words, at = seen.words, seen.at
    best = seen.weighed.max(axis=1)
    surest = seen.matched.max(axis=1)
    for members in _grouped([seen.segment_of[i][0] for i in at]):
        for n in members:
            text = words[at[n]].text
            before = words[at[n] - 1].text if at[n] else ""
            after = words[at[n] + 1].text if at[n] + 1 < len(words) else "."
            rival = max((float(best[m]) for m in members if m != n), default=0.0)
            out[n] = (
                1.0,
                table.get(text, 0.0),
                float(text in table),
                float(text in PASSING),
                float(before in ARTICLES),
                float(after in _AFTER_A_SUBJECT),
                float(text.endswith("ing")),
                float(text.endswith("ed")),
                float(text.endswith("s")),
                float(text.endswith("ly")),
                float(before in _BEFORE_A_STATE),
                float(after == "than"),
                rival,
                min(len(members), 6) / 6,
                float(max(seen.said[n].max(), seen.unsaid[n].max())),
                float(meaning[n, :, 0].max()),
                float(best[n]),
                float(surest[n]),
                table.get(text, 0.0) * float(surest[n] > 0),
                float(has_content(text)),
                float(meaning[n, :, 10].max()),
                float(meaning[n, :, 11].max()),
            )
    return out


_AFTER_A_SUBJECT = frozenset("is are has must shall should will stays remains".split())
_BEFORE_A_STATE = frozenset("is are be been 's stays remains".split())
