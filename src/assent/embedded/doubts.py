"""What speaks against a candidate whatever its score: signs that the instruction says what the formula does not.

The judge's score is a matter of degree, fitted on instructions that the models can read. These are facts about
what they did not read: a number or a name that the formula leaves out, a clause about something that neither the
vocabulary nor the models know, a word for what no formula of these logics says. To withhold more can only lower
the joint risk, so a policy stays valid whatever is added here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from assent.embedded.tokens import PLACEHOLDER
from assent.errors import AssentError
from assent.lift import Lifted
from assent.lift.propose import has_content
from assent.logic.ast import Formula, Logic, Next, walk
from assent.logic.equivalence.sanity import satisfiable, valid

_BETWEEN = frozenset(
    ", ; : . ? ! and or but if when whenever until unless while then before after once because except so".split()
)
_DENIALS = frozenset("not never no n't".split())
# Frequency, chance, averages, degrees and the past: the formula would be about something else.
_BEYOND = frozenset(
    """
    probability probabilities probably likely unlikely likelihood chance percent percentage usually normally
    typically maybe perhaps possibly mostly rarely seldom occasionally average averaged median yesterday ago
    previously formerly since exists faster slower preferably ideally roughly approximately nearly almost
    """.split()
)

_BEYOND_TOGETHER = ("every other", "as little as", "as few as", "as much as", "as rarely as")


def doubts(lifted: Lifted, formula: Formula, unknown: Collection[str]) -> tuple[str, ...]:
    """Why the formula must not be accepted for the instruction; ``unknown`` are words that the models read over."""
    found = [*_left_out(lifted, formula), *_beyond(lifted.tokens)]
    found.extend(f"{part.text!r} was not read: {part.why}" for part in lifted.unread)
    found.extend(lifted.open)
    found.extend(
        f"nothing in the vocabulary is called {clause!r}: add it, or say it by its name"
        for clause in lifted.unnamed or _unread(lifted.tokens, unknown)
    )
    if any(a in _DENIALS and b in _DENIALS for a, b in zip(lifted.tokens, lifted.tokens[1:], strict=False)):
        found.append("it is denied twice in a row")
    found.extend(_empty(formula))
    return tuple(found)


def _left_out(lifted: Lifted, formula: Formula) -> Iterator[str]:
    try:
        used = set(lifted.tokens_of(formula))
    except (
        AssentError
    ):  # it holds names or numbers of its own, or is no text of the models: the score says so
        return
    missing = [
        token for token in dict.fromkeys(lifted.tokens) if PLACEHOLDER.fullmatch(token) and token not in used
    ]
    names = [lifted.names[token] for token in missing if token in lifted.names]
    numbers = [f"{float(lifted.numbers[token]):g}" for token in missing if token in lifted.numbers]
    if names:
        yield f"the formula leaves out {', '.join(names)}"
    # LTL counts in steps: "in 3 steps" is three times next.
    if numbers and not (lifted.logic is Logic.LTL and any(isinstance(part, Next) for part in walk(formula))):
        yield f"the formula leaves out the number {', '.join(numbers)}"


def _beyond(tokens: Sequence[str]) -> Iterator[str]:
    whole = f" {' '.join(tokens)} "
    said = [token for token in dict.fromkeys(tokens) if token in _BEYOND]
    said += [phrase for phrase in _BEYOND_TOGETHER if f" {phrase} " in whole]
    if said:
        yield f"no formula of this logic can say {', '.join(map(repr, said))}"


def _unread(tokens: Sequence[str], unknown: Collection[str]) -> Iterator[str]:
    """Clauses without any name in which a word is unknown: nobody has read what they ask for."""
    clause: list[str] = []
    for token in (*tokens, "."):
        if token not in _BETWEEN:
            clause.append(token)
            continue
        strange = any(len(word) > 1 and has_content(word) and word in unknown for word in clause)
        if strange and not any(PLACEHOLDER.fullmatch(word) for word in clause):
            yield " ".join(clause)
        clause = []


def _empty(formula: Formula) -> Iterator[str]:
    """A requirement that nothing can break, or that nothing can meet, is not what was meant."""
    try:
        if valid(formula).answer:
            yield "the formula is always true"
        elif satisfiable(formula).answer is False:
            yield "the formula can never be true"
    except AssentError:
        return
