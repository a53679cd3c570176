"""The written corpus as streams of training pairs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice

from assent.embedded import Embedded
from assent.embedded.tokens import TAGS
from assent.errors import AssentError
from assent.lift.sums import ADDING
from assent.logic.ast import Logic
from assent_train.batches import Pair
from assent_train.written import rows, vocabularies
from assent_train.written.compose import (
    Composer,
    Doubt,
    Tokens,
    finish,
    held_out,
    items_of_lifted,
    template_of_lifted,
)
from assent_train.written.gold import Item, Template, items_of, template_of
from assent_train.written.linked import linked


@cache
def doubts(*, kept: bool = True) -> tuple[Doubt, ...]:
    """Sentences that no formula can say, of the domains that are trained on or held out, in both ways of lifting."""
    sections = vocabularies()
    lift = Embedded().lift
    found: list[Doubt] = []
    for row in rows():
        if row.formula is not None or held_out(row.domain) == kept:
            continue
        items = items_of(row, sections[row.domain])
        if items is not None:
            found.append((row.logic, items))
        try:
            lifted = lift(row.text, row.logic, sections[row.domain])
        except AssentError:
            continue
        found.append((row.logic, items_of_lifted(lifted)))
    return tuple(found)


def templates(*, kept: bool = True) -> tuple[tuple[Template, ...], tuple[Template, ...]]:
    """Rows of the domains that are trained on (``kept``) or held out: as they are meant, and as lifting gives them.

    Of the rows that are trained on, other ways to link their names are heard, too, as far as they can say the formula.
    """
    gold, lifted, _ = _read(kept=kept)
    return gold, lifted


def passed_over() -> tuple[Doubt, ...]:
    """Rows that are trained on, as lifting gives them, that lack a name or a number of their formula."""
    return _read(kept=True)[2]


@cache
def _read(*, kept: bool) -> tuple[tuple[Template, ...], tuple[Template, ...], tuple[Doubt, ...]]:
    sections = vocabularies()
    gold: list[Template] = []
    lifted: list[Template] = []
    lost: list[Doubt] = []
    chosen = [row for row in rows() if row.formula is not None and held_out(row.domain) != kept]
    for row, ways in zip(chosen, linked(chosen), strict=True):
        assert row.formula is not None
        meant = template_of(row, sections[row.domain])
        if meant is not None:
            gold.append(meant)
        for number, way in enumerate(ways if kept else ways[:1]):
            try:
                target = way.tokens_of(row.formula)
            except AssentError:
                if number == 0:
                    lost.append((row.logic, items_of_lifted(way)))
                continue
            if meant is not None or not set(target) & set(ADDING):  # else a sum by chance
                lifted.append(template_of_lifted(way, row.formula, row.id))
    return tuple(gold), tuple(lifted), tuple(lost)


@cache
def meant() -> tuple[Template, ...]:
    """Rows of the domains that are trained on, as they are meant: quick, since nothing is lifted."""
    sections = vocabularies()
    found = (template_of(row, sections[row.domain]) for row in rows() if not held_out(row.domain))
    return tuple(template for template in found if template is not None)


def meant_pairs(seed: int, count: int, logics: Sequence[Logic]) -> list[Pair]:
    """As ``written_pairs``, without lifting and doubts: for short runs."""
    composer = Composer(meant(), (), random.Random(f"meant {seed}"))
    return _tagged(islice(composer.pairs(logics), count))


def _tagged(drawn: Iterable[tuple[Logic, Tokens, Tokens]]) -> list[Pair]:
    return [((TAGS[logic.value], *source), target) for logic, source, target in drawn]


def written_pairs(
    seed: int, count: int, logics: Sequence[Logic], *, newest: int = 0, share: float = 0.0
) -> list[Pair]:
    """Composed pairs with their logic's tag; the same seed gives the same ones.

    ``share`` of them come from the ``newest`` rows of the corpus: a network that goes on knows the others already.
    """
    gold, lifted = templates()
    unsayable = (*doubts(), *passed_over())
    young = newest_ids(newest)
    fresh = [t for t in gold if t.id in young], [t for t in lifted if t.id in young]
    some = round(count * share) if all(fresh) else 0
    composer = Composer(gold, lifted, random.Random(f"written {seed}"), unsayable)
    younger = Composer(*fresh, random.Random(f"newest {seed}"), unsayable)
    return _tagged([*islice(composer.pairs(logics), count - some), *islice(younger.pairs(logics), some)])


@cache
def newest_ids(count: int) -> frozenset[str]:
    """The last ``count`` rows, by id: new rows are put behind the others."""
    return frozenset(row.id for row in rows()[-count:]) if count else frozenset()


def held_out_pairs(logics: Sequence[Logic]) -> list[Pair]:
    """Rows of domains never trained on, as lifting gives them, or as they are meant where it does not."""
    gold, lifted = templates(kept=False)
    composer = Composer(gold, lifted, random.Random(0))
    found = {t.id: t for t in (*gold, *lifted) if t.logic in logics}
    pairs: list[Pair] = []
    for template in found.values():
        made = finish(composer.said(template), template.formula, template.logic)
        if made is not None:
            pairs.append(((TAGS[made[0].value], *made[1]), made[2]))
    return pairs


def words_of_rows(at_least: int = 2) -> list[str]:
    """Words that so many rows hold, outside marks or as lifting leaves them: rarer ones are learnt as unknown."""
    counts: Counter[tuple[str, str]] = Counter()
    gold, lifted = templates()
    for template in (*gold, *lifted):
        said = {w for item in template.items for w in _words_of(item) if w[1:2] != "@"}
        counts.update((word, template.id) for word in said)  # a row counts once, however often it is said
    rows_with = Counter(word for word, _ in counts)
    return sorted(word for word, count in rows_with.items() if count >= at_least)


def _words_of(item: Item) -> list[str]:
    return [item] if isinstance(item, str) else [word for saying in item.sayings for word in saying]
