"""Many random lassos at once: bit t * lanes + i of a number is the truth at time t on lasso i.

Next is a shift of the whole number, a window takes log2(width) shifts. Letters change at very different rates
from lane to lane, so that short and long windows both meet traces that tell them apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from assent.logic.equivalence.atoms import Group
from assent.logic.equivalence.forms import AND, EV, INF, LIT, NEXT, UNTIL, Forms

_LETTERS_KEPT = 64
_TIMES = 48
"""So many different times are followed at each node when turning points are collected."""
_LONGEST = 1 << 13
"""No frame has many more positions than this."""

Word: TypeAlias = tuple[list[int], int]
"""The letters at each place, as bits, and the place that follows the last one."""


class Frame:
    """``lanes`` lassos of ``length`` positions that all return to ``loop``."""

    def __init__(self, length: int, loop: int, lanes: int) -> None:
        self.length, self.loop, self.lanes = length, loop, lanes
        self.size = length * lanes
        self.full = (1 << self.size) - 1
        self.cost = 1 + (self.size >> 14)
        """Steps of one operation on all lassos."""
        self._letters: dict[int, int] = {}

    def letter(self, number: int) -> int:
        """Random truth of a letter; the same number always gives the same bits."""
        found = self._letters.get(number)
        if found is None:
            found = self._random(random.Random(f"{self.length}/{self.loop}/{self.lanes}/{number}"))
            if len(self._letters) < _LETTERS_KEPT:
                self._letters[number] = found
        return found

    def _random(self, rng: random.Random) -> int:
        """Lane i changes its mind every 2^(i/2 mod rates) steps or so; two lanes in five are mostly on or off."""
        lanes, bits = self.lanes, self.length * self.lanes
        every = self.full // ((1 << lanes) - 1)
        rates = max(1, self.length.bit_length() - 2)
        change = self.full
        for rate in range(1, rates):
            slower = every * sum(1 << i for i in range(lanes) if i // 2 % rates >= rate)
            change &= ~slower | rng.getrandbits(bits)
        rare = every * sum(1 << i for i in range(lanes) if i % 5 == 1)
        often = every * sum(1 << i for i in range(lanes) if i % 5 == 2)
        fresh = rng.getrandbits(bits)
        fresh &= ~rare | rng.getrandbits(bits) & rng.getrandbits(bits)
        fresh |= often & (rng.getrandbits(bits) | rng.getrandbits(bits))
        # Where nothing changes, the value of the step before goes on: filled in by doubling distances.
        known = change | (1 << lanes) - 1
        value, distance = fresh & known, lanes
        while distance < bits:
            value |= (value << distance) & ~known & self.full
            known |= (known << distance) & self.full
            distance *= 2
        return value

    def letters(self, count: int, groups: Sequence[Group]) -> list[int]:
        """The first ``count`` letters; those of a group only ever take its possible valuations."""
        values = [self.letter(i) for i in range(count)]
        for group in groups:
            chosen = [self.full if group.valuations[0] >> k & 1 else 0 for k in range(len(group.letters))]
            for n, valuation in enumerate(group.valuations[1:]):
                here = self.letter(group.letters[n % len(group.letters)] + 1000 * (n + 1))
                for k in range(len(group.letters)):
                    chosen[k] = chosen[k] | here if valuation >> k & 1 else chosen[k] & ~here
            for letter, value in zip(group.letters, chosen, strict=True):
                values[letter] = value
        return values

    def shift(self, x: int, steps: int) -> int:
        """The value ``steps`` later."""
        lanes, period = self.lanes, self.length - self.loop
        if steps > self.loop:
            steps = self.loop + (steps - self.loop) % period
        tail = x >> self.loop * lanes
        while period < steps:
            tail |= tail << period * lanes
            period *= 2
        return ((x | tail << self.length * lanes) >> steps * lanes) & self.full

    def eventually(self, x: int, width: int) -> int:
        width = min(width, self.length - 1)
        covered = 1
        while covered <= width:
            steps = min(covered, width + 1 - covered)
            x |= self.shift(x, steps)
            covered += steps
        return x

    def until(self, p: int, q: int, width: int) -> int:
        width = min(width, self.length - 1)
        covered = 1
        while covered <= width:
            steps = min(covered, width + 1 - covered)
            q |= p & self.shift(q, steps)
            p &= self.shift(p, steps)
            covered += steps
        return q

    def value(self, forms: Forms, i: int, values: dict[int, int]) -> int:
        """The value of node i from those of its arguments (by index, in ``values``) and of the letters."""
        kind = forms.kind[i]
        if kind == AND:
            x = self.full
            for g in forms.args[i]:
                x &= values[g] if g > 0 else ~values[-g]
            return x
        if kind in (NEXT, EV, UNTIL):
            parts = [values[g] if g > 0 else self.full ^ values[-g] for g in forms.args[i]]
            if kind == NEXT:
                return self.shift(parts[0], forms.num[i])
            if kind == EV:
                return self.eventually(parts[0], forms.num[i])
            return self.until(parts[0], parts[1], forms.num[i])
        return self.full

    def lane(self, letters: Sequence[int], lane: int) -> list[int]:
        """The valuations of the letters along one lasso."""
        return [
            sum((x >> t * self.lanes + lane & 1) << i for i, x in enumerate(letters))
            for t in range(self.length)
        ]

    def letter_cost(self) -> int:
        """Steps of drawing a letter."""
        return 6 * self.cost * max(1, self.length.bit_length())

    def node_cost(self, forms: Forms, i: int) -> int:
        """Steps of computing the value of node i."""
        kind = forms.kind[i]
        if kind in (EV, UNTIL):
            doublings = min(forms.num[i], self.length).bit_length()
            return self.cost * doublings * (4 if kind == EV else 8)
        return self.cost * (4 if kind == NEXT else 1 + len(forms.args[i]))


class Aligned(Frame):
    """Letters change only at given times: where the windows of a formula begin and end."""

    def __init__(self, times: Sequence[int], lanes: int) -> None:
        self._times = sorted(times)
        super().__init__(self._times[-1] + 2, self._times[-1] + 1, lanes)

    def letter_cost(self) -> int:
        return 4 * self.cost * len(self._times)

    def _random(self, rng: random.Random) -> int:
        lanes, state, value = self.lanes, rng.getrandbits(self.lanes), 0
        every = self.full // ((1 << lanes) - 1)
        steady = [sum(1 << i for i in range(lanes) if i % 4 > k) for k in range(3)]
        rare = sum(1 << i for i in range(lanes) if i % 3 == 0)
        for start, stop in pairwise([0, *self._times, self.length]):
            change = rng.getrandbits(lanes)
            for mask in steady:
                change &= ~mask | rng.getrandbits(lanes)
            fresh = rng.getrandbits(lanes) & (~rare | rng.getrandbits(lanes) & rng.getrandbits(lanes))
            state = state & ~change | fresh & change
            if stop > start:
                whole = every & (1 << (stop - start) * lanes) - 1
                value |= whole * state << start * lanes
        return value


def turning_points(forms: Forms, *roots: int) -> list[int]:
    """Times at which a window under the roots can begin or end, and their neighbours."""
    offsets: dict[int, set[int]] = {abs(root): {0} for root in roots}
    for i in reversed(forms.below(*roots)):
        mine = offsets.get(i, set())
        kind, num = forms.kind[i], forms.num[i]
        steps = {num} if kind == NEXT else {0, num} if kind in (EV, UNTIL) and num < INF else {0}
        reached = {a + b for a in mine for b in steps}
        if len(reached) > _TIMES:
            reached = set(random.Random(i).sample(sorted(reached), _TIMES)) | {max(reached)}
        for g in forms.args[i]:
            offsets.setdefault(abs(g), set()).update(reached)
        offsets[i] = mine | reached
    last = {t for i, times in offsets.items() if forms.kind[i] == LIT for t in times}
    return sorted({t + d for t in last for d in (0, 1) if t + d > 0})


class Signatures:
    """Values of nodes on one frame, computed on demand."""

    def __init__(self, forms: Forms, frame: Frame, count: int, groups: Sequence[Group]) -> None:
        self.forms, self.frame = forms, frame
        forms.budget.spend(_letters_cost(frame, count, groups))
        self.letters = frame.letters(count, groups)
        self._values: dict[int, int] = {1: frame.full}

    def __getitem__(self, f: int) -> int:
        i = abs(f)
        if i not in self._values:
            for j in self.forms.below(i):
                if j not in self._values:
                    self.forms.budget.spend(self.frame.node_cost(self.forms, j))
                    self.forms.budget.keep(self.frame.size // 8 + 100)
                    self._values[j] = (
                        self.letters[self.forms.num[j]]
                        if self.forms.kind[j] == LIT
                        else self.frame.value(self.forms, j, self._values)
                    )
        return self._values[i] if f > 0 else self.frame.full ^ self._values[i]

    def witness(self, f: int) -> Word | None:
        """A lasso of the frame on which f is true at time 0."""
        now = self[f] & ((1 << self.frame.lanes) - 1)
        if not now:
            return None
        lane = (now & -now).bit_length() - 1
        return self.frame.lane(self.letters, lane), self.frame.loop


def _letters_cost(frame: Frame, count: int, groups: Sequence[Group]) -> int:
    """Steps of drawing all letters, counted as if none had been drawn before."""
    valuations = sum(len(group.valuations) for group in groups)
    chosen = sum(len(group.valuations) * len(group.letters) for group in groups)
    return (count + valuations) * frame.letter_cost() + 2 * chosen * frame.cost


def sampling_cost(
    forms: Forms, frame: Frame, count: int, groups: Sequence[Group], roots: Sequence[int]
) -> int:
    """Steps of evaluating the roots on the frame."""
    nodes = sum(frame.node_cost(forms, i) for i in forms.below(*roots))
    return nodes + _letters_cost(frame, count, groups)


@lru_cache(maxsize=64)
def frame(length: int, loop: int, lanes: int) -> Frame:
    return Frame(length, loop, lanes)


def frames_for(forms: Forms, *roots: int) -> Iterator[Frame]:
    """Frames in which the roots can be true: small ones first, for short witnesses."""
    yield frame(3, 1, 64)
    yield frame(9, 5, 128)
    far = reach(forms, *roots)
    if far > 6:
        size = min(_LONGEST, 1 << (far + 8).bit_length())
        lanes = 64 if size <= 512 else 32
        yield frame(size, size - 1, lanes)
        yield frame(size + 3, size // 3, lanes)
        times = [t for t in turning_points(forms, *roots) if t <= 2 * _LONGEST]
        if times:
            yield Aligned(times, 128)


def reach(forms: Forms, *roots: int) -> int:
    """How far into the future the finite windows and shifts under the roots look, added up along paths."""
    far: dict[int, int] = {}
    for i in forms.below(*roots):
        inner = max((far[abs(g)] for g in forms.args[i]), default=0)
        window = forms.kind[i] in (NEXT, EV, UNTIL) and forms.num[i] < INF
        far[i] = inner + (forms.num[i] if window else 0)
    return max(far[abs(root)] for root in roots)
