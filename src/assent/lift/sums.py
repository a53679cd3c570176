"""Numbers that must be computed: sums and differences of the numbers that an instruction mentions.

"Held for 20 s, then no later than 5 s after" ends at 20 + 5; "the last ten of sixty seconds" start at 60 - 10. A number
becomes the shortest such sum, so that the same text and formula always give the same tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations

from assent.errors import FragmentError

ADDING = ("+", "-")
MOST_TERMS = 3  # "lasts 20 s, then between 10 and 30 s after" needs two; chains of three waits three

Numbers = Mapping[Fraction, str]


def sum_of(value: Fraction, numbers: Numbers) -> tuple[str, ...]:
    """A number as tokens: zero, a mentioned number, the sum of two of them, or their difference; else FragmentError."""
    plain = _plain(value, numbers)
    if plain is not None:
        return plain
    for terms in combinations(numbers, 2):
        if sum(terms) == value:
            return _added(terms, numbers)
    for large, small in permutations(numbers, 2):
        if large - small == value:
            return (numbers[large], "-", numbers[small])
    return _any(value, numbers)


def bounds_of(low: Fraction, high: Fraction | None, numbers: Numbers) -> tuple[str, ...]:
    """Both ends of a window as tokens; else FragmentError. An end that counts on from the start repeats its terms."""
    start = _start(low, high, numbers)
    if high is None:
        return (*start, "inf")
    if high == low:
        return (*start, *start)
    end = _plain(high, numbers)
    if end is not None:
        return (*start, *end)
    found = [terms for terms in _sums(high, numbers) if low or len(set(terms)) == len(terms)]
    if not found:
        return (*start, *_any(high, numbers))
    best = min(found, key=lambda terms: (len(terms), numbers[terms[0]] != start[0]))
    return (*start, *_added(best, numbers))


def _start(low: Fraction, high: Fraction | None, numbers: Numbers) -> tuple[str, ...]:
    """Where a window starts: a sum of different numbers, or so long before its end."""
    plain = _plain(low, numbers)
    if plain is not None:
        return plain
    different = [terms for terms in _sums(low, numbers) if len(set(terms)) == len(terms)]
    if different and len(different[0]) == 2:
        return _added(different[0], numbers)
    if high is not None and high in numbers and high - low in numbers:
        return (numbers[high], "-", numbers[high - low])
    if different:
        return _added(different[0], numbers)
    return _any(low, numbers)


def _any(value: Fraction, numbers: Numbers) -> tuple[str, ...]:
    """Any sum at all, so that whatever can be read can be written; else FragmentError."""
    signed = [(sign * number, sign, number) for sign in (1, -1) for number in numbers]
    for length in range(2, MOST_TERMS + 1):
        for first in numbers:
            for rest in combinations_with_replacement(signed, length - 1):
                if first + sum(item[0] for item in rest) == value:
                    spelled = [(ADDING[sign < 0], numbers[number]) for _, sign, number in rest]
                    return (numbers[first], *(token for pair in spelled for token in pair))
    raise FragmentError(f"the formula uses the number {value}, which the instruction does not mention")


def first_terms(tokens: Sequence[str]) -> list[str]:
    """The same tokens with the first term of each sum in its place, for those who read the shape alone."""
    out: list[str] = []
    skip = False
    for token in tokens:
        if token in ADDING:
            skip = True
        elif skip:
            skip = False
        else:
            out.append(token)
    return out


def _plain(value: Fraction, numbers: Numbers) -> tuple[str, ...] | None:
    if value == 0:
        return ("0",)
    return (numbers[value],) if value in numbers else None


def _sums(value: Fraction, numbers: Numbers) -> Iterator[tuple[Fraction, ...]]:
    """Terms that add up to ``value``, few before many, in order of mention; one of them may count twice."""
    terms = list(numbers)
    for length in range(2, MOST_TERMS + 1):
        for i, first in enumerate(terms):
            for rest in combinations(terms[i:], length - 1):
                if first + sum(rest) == value:
                    yield (first, *rest)


def _added(terms: Sequence[Fraction], numbers: Numbers) -> tuple[str, ...]:
    tokens = [numbers[terms[0]]]
    for term in terms[1:]:
        tokens += ["+", numbers[term]]
    return tuple(tokens)
