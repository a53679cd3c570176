"""Sweeping: sub-formulas that agree on all random lassos are proved equal, bottom up, and merged.

The big question falls apart into small ones. In each, parts that both sides share are replaced by fresh
letters first: what is equal for any value of a part is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.forms import AND, CONST, FALSE, LIT, TRUE, Forms
from assent.logic.equivalence.lassos import Signatures

Prover = Callable[[int, int, Budget], bool]
"""Are two forms equal? May raise Exhausted; False means that they differ."""


def abstracted(forms: Forms, f: int, g: int, fresh: int) -> tuple[int, int, dict[int, int]]:
    """f and g with their largest common temporal parts as letters, numbered from ``fresh`` on.

    Also returns which letter stands for which node.
    """
    below_f, below_g = forms.below(f), set(forms.below(g))
    # A side that occurs inside the other one (p U q in its own unfolding) must stay open.
    common = {i for i in below_f if i in below_g and forms.kind[i] not in (CONST, LIT, AND)}
    common -= {abs(forms.split(f)[1]), abs(forms.split(g)[1])}
    letters: dict[int, int] = {}
    done: dict[int, int] = {}

    def replace(h: int) -> int:
        i = abs(h)
        if i not in done:
            if i in common:
                letters[i] = fresh + len(letters)
                done[i] = forms.letter(letters[i])
            elif forms.args[i]:
                done[i] = forms.rebuilt(i, tuple(replace(part) for part in forms.args[i]))
            else:
                done[i] = i
        return done[i] if h > 0 else -done[i]

    return replace(f), replace(g), {letter: i for i, letter in letters.items()}


def sweep(
    forms: Forms, signatures: Sequence[Signatures], pair: tuple[int, int], prove: Prover, budget: Budget
) -> tuple[int, int]:
    """The pair with equal sub-formulas merged as far as the prover gets within the budget."""
    known: dict[tuple[int, ...], list[int]] = {}
    merged: dict[int, int] = {1: TRUE}

    def image(h: int) -> int:
        return merged[abs(h)] if h > 0 else -merged[abs(h)]

    def settle(h: int) -> int:
        if forms.kind[abs(h)] == CONST:
            return h
        h, sign = (h, 1) if signatures[0][h] & 1 == 0 else (-h, -1)
        values = tuple(s[h] for s in signatures)
        peers = known.setdefault(values, [] if any(values) else [FALSE])
        for peer in peers:
            if peer == h:
                return sign * peer
        if forms.kind[abs(h)] != LIT:
            for peer in peers:
                try:
                    if prove(h, peer, budget):
                        return sign * peer
                except Exhausted:
                    if budget.left() <= 0:
                        break
        peers.append(h)
        return sign * h

    for i in forms.below(*pair):
        if i not in merged:
            new = forms.rebuilt(i, tuple(image(part) for part in forms.args[i]))
            merged[i] = settle(new) if budget.left() > 0 else new
    return image(pair[0]), image(pair[1])
