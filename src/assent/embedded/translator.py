"""English over placeholders -> formula. What comes out is a formula of the logic, or None.

``fits`` holds formulas to what names and numbers of an instruction may be: propositions hold, signals are compared,
times bound windows.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assent.embedded.denials import forbidden_times
from assent.embedded.scope import turned_conditions, widened
from assent.embedded.seq2seq import ByTag, Hypothesis, Seq2Seq
from assent.embedded.tokens import PLACEHOLDER, PLACEHOLDERS, SPECIAL, TAGS
from assent.errors import AssentError
from assent.lift import Lifted
from assent.lift.linear import BEYOND, COMPARATORS
from assent.lift.quantities import PLAIN_UNIT_WORDS, SMALL_NUMBER_WORDS, SPOKEN_TIMES
from assent.lift.sums import ADDING
from assent.lift.units import is_unit_word
from assent.logic.ast import (
    EVER,
    Atom,
    Compare,
    Dist,
    Eventually,
    Formula,
    Logic,
    Prop,
    Relation,
    Signal,
    Until,
    atoms,
    walk,
)
from assent.logic.canonical import canonical_key
from assent.logic.dialect import check
from assent.samebits import exp_of, fine, log_of

T = TypeVar("T")
BEST = 5
BEAM = 6  # several spellings are one meaning: with 8, one sentence in seven had fewer than five readings
QUICK = 2
"""The beam that tells linkings apart."""
KEPT = 64
DRAWN = 5  # samples are drawn so many at a time: five at once take a quarter of the time of five one by one
# Log-probability taken off for each thing that the instruction mentions and the formula leaves out: people seldom
# mention a thing for nothing, but sometimes they do.
OMISSION = 1.5
# The same for each condition that is read as its opposite, and for each thing that is forbidden for a time and read as
# absent at some time in it, which people never mean: "whenever the door is not locked", "must not start within 5 s".
# The same for an adverb behind the last of two clauses that is read of both: "either it is so or it stops eventually".
TURNED = 6.0


@dataclass(frozen=True, slots=True)
class Translation:
    """One readable output: its tokens, its formula and the logarithm of its probability."""

    tokens: tuple[str, ...]
    formula: Formula
    log_p: float


def source_of(lifted: Lifted) -> tuple[str, ...]:
    """What the models read: the logic's tag, then the instruction's tokens.

    LTL has no numbers: "3 steps later" counts, and a small count is a word that the models know. A measured number is
    S1 where a proposition would be P1, so that they are not mistaken for one another.
    """
    tokens = (_read(lifted, token) for token in lifted.tokens)
    return (TAGS[lifted.logic.value], *tokens)


def _read(lifted: Lifted, token: str) -> str:
    if token in lifted.signals:
        return f"S{token[1:]}"
    number = lifted.numbers.get(token)
    if number is None or lifted.logic is not Logic.LTL:
        return token
    small = number.denominator == 1 and 0 < number < len(SMALL_NUMBER_WORDS)
    return SMALL_NUMBER_WORDS[int(number)] if small else token


def omissions(lifted: Lifted, tokens: Sequence[str]) -> int:
    """How many names and numbers of the instruction the formula leaves out."""
    mentioned = {token for token in lifted.tokens if PLACEHOLDER.fullmatch(token)}
    return len(mentioned - set(tokens))


def readable(lifted: Lifted, hypothesis: Hypothesis) -> Translation | None:
    """The hypothesis as a formula of the logic, if it is one."""
    try:
        formula = lifted.restore(hypothesis.tokens)
        check(formula, lifted.logic)
    except (AssentError, RecursionError):
        return None
    found = atoms(formula)
    if not found or _says_half(formula):  # no instruction asks for what always or never holds
        return None
    if any(_of_itself(atom) for atom in found):
        return None
    if not lifted.proposed and not fits(lifted, hypothesis.tokens, found):
        return None
    return Translation(hypothesis.tokens, formula, hypothesis.log_p)


def _of_itself(atom: Atom) -> bool:
    """No thing is told to be in itself, or beside itself."""
    match atom:
        case Relation(_, things):
            return len(set(things)) < len(things)
        case Compare(left, _, right):
            return any(isinstance(side, Dist) and side.a == side.b for side in (left, right))
    return False


def _says_half(formula: Formula) -> bool:
    """ "a until eventually b", read as a U (F b), is F b: nothing is left of a name that is only said of the wait.

    Counted visits are written with such untils, of one name: "a again" is !a U (F a).
    """
    untils = (part for part in walk(formula) if isinstance(part, Until) and part.within == EVER)
    return any(
        isinstance(part.right, Eventually)
        and part.right.within == EVER
        and not {*atoms(part.left)} <= {*atoms(part.right)}
        for part in untils
    )


class EmbeddedTranslator:
    """The shipped translator."""

    def __init__(self, model: Seq2Seq | ByTag) -> None:
        self.model = model
        self._recent: dict[tuple[object, ...], list[Translation]] = {}
        self._drawn: dict[tuple[object, ...], list[Hypothesis]] = {}

    def readings(self, lifted: Lifted) -> list[Translation]:
        """``n_best`` of one instruction; the latest ones are kept, since translator and judge both ask."""
        key = key_of(lifted)
        found = self._recent.get(key)
        if found is None:
            found = self.n_best([lifted])[0]
            keep(self._recent, key, found)
        return found

    def n_best(self, instructions: Sequence[Lifted], n: int = BEST) -> list[list[Translation]]:
        """Readable outputs that differ in meaning, best first; an empty list where there is none."""
        beams = self.model.best([source_of(lifted) for lifted in instructions], max(n, BEAM))
        answers = []
        for lifted, beam in zip(instructions, beams, strict=True):
            found = _merged(_readable(lifted, beam) or self._insisted(lifted))
            found = _in_order(lifted, found)
            other = self._other_until(lifted, found) if n > 1 else []
            answers.append(_in_order(lifted, [*found[: n - len(other)], *other]))
        return answers

    def _other_until(self, lifted: Lifted, found: Sequence[Translation]) -> list[Translation]:
        """The best reading with its untils strong where they are weak, and the other way round, unless it is there.

        English says both with one word; who chooses, or what a project means by it, must find the other one.
        """
        swapped = tuple(OTHER_UNTIL.get(token, token) for token in found[0].tokens) if found else ()
        if not found or swapped == found[0].tokens:
            return []
        (values,) = self.model.score([source_of(lifted)], [swapped])
        other = readable(lifted, Hypothesis(swapped, min(0.0, math.fsum(values))))
        known = {canonical_key(translation.formula) for translation in found}
        return [other] if other is not None and canonical_key(other.formula) not in known else []

    def likeliest(self, ways: Sequence[Lifted], weight: float) -> Lifted:
        """Of several ways to link the names of one instruction: what the best reading and the links cost together."""
        beams = self.model.best([source_of(way) for way in ways], QUICK)
        read = [_merged(_readable(way, beam)) for way, beam in zip(ways, beams, strict=True)]
        costs = [
            slips(way, found[0]) - found[0].log_p if found else math.inf
            for way, found in zip(ways, read, strict=True)
        ]
        return min(zip(costs, ways, strict=True), key=lambda pair: pair[0] + weight * pair[1].cost)[1]

    def beyond(self, lifted: Lifted) -> float:
        """How probable it is, in the model's eyes, that no formula says what the instruction asks for."""
        log_p = math.fsum(self.model.score([source_of(lifted)], [(BEYOND,)])[0])
        return exp_of(min(0.0, log_p))  # weights without a word for it find it most improbable

    def _insisted(self, lifted: Lifted) -> list[Translation]:
        """A wider search, without what the instruction cannot mean; then for longer and longer formulas."""
        source, longer = source_of(lifted), 0
        for _ in range(4):
            beam = self.model.best([source], 2 * BEAM, without=_impossible(lifted), longer=longer)[0]
            found = _readable(lifted, beam)
            if found:
                return found
            longer = max(longer + 1, len(beam[0].tokens)) if beam else longer + 1
        return []

    def samples(self, lifted: Lifted, numbers: Iterable[int]) -> list[Translation | None]:
        """One draw at temperature 1 for each number, which it depends on alone; None where it spells no formula."""
        source = source_of(lifted)
        drawn = [self._block(source, number // DRAWN)[number % DRAWN] for number in numbers]
        return [readable(lifted, hypothesis) for hypothesis in drawn]

    def _block(self, source: tuple[str, ...], number: int) -> list[Hypothesis]:
        """Draws ``DRAWN * number`` and so on; the latest ones are kept, since they may be asked for one by one."""
        found = self._drawn.get((source, number))
        if found is None:
            found = self.model.sample(source, DRAWN, seed=_seed(source, number))
            keep(self._drawn, (source, number), found)
        return found


def _in_order(lifted: Lifted, found: Sequence[Translation]) -> list[Translation]:
    """The most probable first, those later that leave out what the instruction mentions."""
    return sorted(found, key=lambda t: slips(lifted, t) - t.log_p)


def slips(lifted: Lifted, found: Translation) -> float:
    """What is taken off a reading for what it leaves out of the instruction, or turns round in it."""
    turned = turned_conditions(lifted, found.formula) + forbidden_times(lifted, found.formula)
    turned += widened(lifted, found.formula)
    return OMISSION * omissions(lifted, found.tokens) + TURNED * turned


OTHER_UNTIL = {"U": "W", "W": "U"}


def key_of(lifted: Lifted) -> tuple[object, ...]:
    """The same words mean other names or other units under another vocabulary."""
    names, numbers = tuple(lifted.names.items()), tuple(lifted.numbers.items())
    return (lifted.logic.value, lifted.tokens, names, numbers, lifted.signals)


def keep(kept: dict[tuple[object, ...], T], key: tuple[object, ...], value: T) -> None:
    """The newest ``KEPT``; two threads may drop the same oldest one."""
    while len(kept) >= KEPT:
        kept.pop(next(iter(kept)), None)
    kept[key] = value


def _readable(lifted: Lifted, beam: Iterable[Hypothesis]) -> list[Translation]:
    return [translation for h in beam if (translation := readable(lifted, h)) is not None]


def _merged(found: Iterable[Translation]) -> list[Translation]:
    """Spellings of one meaning (canonically) as one translation, with the probability of all of them."""
    groups: dict[str, list[Translation]] = {}
    for translation in found:
        groups.setdefault(canonical_key(translation.formula), []).append(translation)
    merged = []
    for members in groups.values():
        best = max(members, key=lambda t: t.log_p)
        log_p = fine(best.log_p + log_of(math.fsum(exp_of(t.log_p - best.log_p) for t in members)))
        merged.append(Translation(best.tokens, best.formula, min(0.0, log_p)))
    return merged


def _impossible(lifted: Lifted) -> list[tuple[str, ...]]:
    """Target sequences that no formula for this instruction may hold."""
    timed = ("G[", "F[", "U[") if lifted.logic is Logic.LTL or not lifted.numbers else ()
    strange = (token for token in PLACEHOLDERS if token not in lifted.tokens)
    backwards = (
        (low, high) for low, a in lifted.numbers.items() for high, b in lifted.numbers.items() if a > b
    )
    return [*((token,) for token in (*strange, *timed, *SPECIAL[:2])), *backwards]


def _seed(source: Sequence[str], number: int) -> int:
    """Of the instruction and the number alone, so that draws can be repeated one by one."""
    digest = hashlib.sha256(f"{number} {' '.join(source)}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % (2**31)


_WINDOWS = ("G[", "F[", "U[")
_JOINS = frozenset(["to", "and", "or", "-", "through"])
_TIMES = frozenset(["seconds"]) | PLAIN_UNIT_WORDS


def fits(lifted: Lifted, tokens: Sequence[str], found: Sequence[Atom]) -> bool:
    """Whether a formula (its tokens and atoms) uses every name and number as what the instruction says it is."""
    return all(_atom_fits(lifted, atom) for atom in found) and _numbers_fit(lifted, tokens)


def _atom_fits(lifted: Lifted, atom: Atom) -> bool:
    """A measured number is compared, and where the instruction speaks of one, nothing else is."""
    measured = {lifted.names[placeholder] for placeholder in lifted.signals}
    match atom:
        case Prop(name):
            return name not in measured
        case Compare(Signal(name), _, _):
            return name in measured or not measured
    return True


def _numbers_fit(lifted: Lifted, tokens: Sequence[str]) -> bool:
    """A number with a time's unit alone bounds no comparison, one with another unit alone no window."""
    if not lifted.signals:
        return True
    said: dict[str, set[bool]] = {}
    for at, token in enumerate(lifted.tokens):
        timed = _is_time(lifted, at) if token in lifted.numbers else None
        if timed is not None:
            said.setdefault(token, set()).add(timed)
    windows, compared = uses(tokens)
    return all(True in said.get(n, {True}) for n in windows) and all(
        False in said.get(n, {False}) for n in compared
    )


def _is_time(lifted: Lifted, at: int) -> bool | None:
    """By the unit behind it, or behind the range that it opens ("between N1 and N2 seconds"); None without one."""
    tokens = lifted.tokens
    for token in tokens[at + 1 : at + 5]:
        if token in _TIMES:
            return True
        if is_unit_word(token) and token not in SPOKEN_TIMES:
            return False
        if token not in _JOINS and token not in lifted.numbers:
            return None
    return None


def uses(tokens: Sequence[str]) -> tuple[set[str], set[str]]:
    """Numbers that bound windows, and numbers that something is compared with, in prefix tokens."""
    windows: set[str] = set()
    compared: set[str] = set()
    for at, token in enumerate(tokens):
        if token in _WINDOWS:
            windows.update(_numbers_after(tokens, at + 1, 2))
        elif token in COMPARATORS:
            compared.update(_numbers_after(tokens, at + 2, 1))
    return windows, compared


def _numbers_after(tokens: Sequence[str], at: int, sums: int) -> Iterator[str]:
    """The terms of so many sums."""
    for _ in range(sums):
        while at < len(tokens):
            yield tokens[at]
            at += 1
            if at >= len(tokens) or tokens[at] not in ADDING:
                break
            at += 1
