"""What speaks against a candidate whatever its score: signs that the instruction says what the formula does not.

The judge's score is a matter of degree, fitted on instructions that the models can read. These are facts about
what they did not read: a number or a name that the formula leaves out, a clause about something that neither the
vocabulary nor the models know, a word for what no formula of these logics says. To withhold more can only lower
the joint risk, so a policy stays valid whatever is added here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from assent.embedded.tokens import PLACEHOLDER
from assent.errors import AssentError
from assent.lift import Lifted
from assent.lift.asides import aside
from assent.lift.opposites import DENIES
from assent.lift.propose import has_content
from assent.logic.ast import (
    EVER,
    Always,
    And,
    Compare,
    Constant,
    Eventually,
    Formula,
    Implies,
    Logic,
    Next,
    Not,
    Prop,
    Until,
    atoms,
    walk,
)
from assent.logic.equivalence.verdict import satisfiable, valid

_BETWEEN = frozenset(
    ", ; : . ? ! and or but if when whenever until unless while then before after once because except so".split()
)
_DENIALS = frozenset("not never no n't".split())


def doubts(lifted: Lifted, formula: Formula, unknown: Collection[str]) -> tuple[str, ...]:
    """Why the formula must not be accepted for the instruction; ``unknown`` are words that the models read over."""
    found = [*_left_out(lifted, formula), *_boundaries(lifted, formula), *_shares(lifted)]
    if lifted.beyond:
        found.append(f"no formula of this logic can say {', '.join(map(repr, lifted.beyond))}")
    found.extend(f"{part.text!r} was not read: {part.why}" for part in lifted.unread)
    found.extend(lifted.open)
    found.extend(
        f"nothing in the vocabulary is called {clause!r}: add it, or say it by its name"
        for clause in lifted.unnamed or _unread(lifted.tokens, unknown)
    )
    if _denied_twice(lifted.tokens):
        found.append("it is denied twice in a row")
    found.extend(_scope(lifted, formula))
    found.extend(_empty(formula))
    return tuple(found)


def _denied_twice(tokens: Sequence[str]) -> bool:
    """ "Never not", but not "not later than", "not no more than"."""
    return any(
        a in _DENIALS
        and b in _DENIALS
        and c not in ("later", "more", "less", "sooner", "longer", "earlier", "fewer")
        for a, b, c in zip(tokens, tokens[1:], (*tokens[2:], ""), strict=False)
    )


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
    if _loses_zero(lifted, formula):
        yield "the formula leaves out the number 0"
    # LTL counts in steps: "in 3 steps" is three times next.
    if numbers and not (lifted.logic is Logic.LTL and any(isinstance(part, Next) for part in walk(formula))):
        yield f"the formula leaves out the number {', '.join(numbers)}"


def _loses_zero(lifted: Lifted, formula: Formula) -> bool:
    """ "The speed must reach 0": zero is a word, not a placeholder, and a signal must be compared with it."""
    said = [k for k, token in enumerate(lifted.tokens) if token == "0"]
    windows = [
        k for k in said if lifted.tokens[k + 1 : k + 2] in (("to",), ("-",), ("and",), (",",), ("seconds",))
    ]
    compared = any(isinstance(a, Compare) and a.right == Constant(Fraction(0)) for a in atoms(formula))
    return bool(lifted.signals) and len(said) > len(windows) and not compared


# Which side a boundary belongs to: "at least 5" and "below 5" part before 5, "at most 5" and "above 5" behind it.
_BEFORE = re.compile(
    r"(?:at least|no(?:t)? less than|no(?:t)? fewer than|minimum of|no(?:t)? lower than|less than|fewer than|lower than"
    r"|below|under|short of|cooler than|colder than|slower than)$"
)
_BEHIND = re.compile(
    r"(?:at most|no(?:t)? more than|up to|maximum of|no(?:t)? higher than|more than|greater than|higher than|above|over"
    r"|exceed(?:s|ed|ing)?|in excess of|hotter than|warmer than|faster than)$"
)
_THEN = {
    **dict.fromkeys(("more", "above", "higher", "over", "better", "greater"), True),
    **dict.fromkeys(("less", "below", "lower", "under", "fewer"), False),
}


def _boundaries(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """ "At least 5" is not "more than 5": the formula must part its values where the words do, whatever is denied."""
    for atom in atoms(formula):
        if not isinstance(atom, Compare) or not isinstance(atom.right, Constant) or atom.op == "==":
            continue
        value = atom.right.value
        names = [p for p, number in lifted.numbers.items() if number == value] or ["0"] * (value == 0)
        at = [k for k, token in enumerate(lifted.tokens) if token in names]
        ours = {
            c.op in (">=", "<") for c in atoms(formula) if isinstance(c, Compare) and c.right == atom.right
        }
        said = _parts_before(lifted.tokens, at[0]) if len(at) == 1 and len(ours) == 1 else None
        if said is not None and ours != {said[1]}:
            yield f"{said[0]!r} was read as {atom.op} {float(value):g}"


def _parts_before(tokens: Sequence[str], k: int) -> tuple[str, bool] | None:
    """What is said around a number, and whether its values part before it; None where that is left open."""
    for j in range(k + 1, min(k + 5, len(tokens) - 1)):
        if tokens[j] == "or" and tokens[j + 1] in _THEN:
            return f"or {tokens[j + 1]}", _THEN[tokens[j + 1]]
        if PLACEHOLDER.fullmatch(tokens[j]) or tokens[j] in _BETWEEN:
            break
    before = " ".join(tokens[max(0, k - 4) : k])
    at_or = re.search(r"at or (under|below|over|above)$", before)
    if at_or:
        return at_or.group(), at_or[1] in ("over", "above")
    for pattern, answer in ((_BEFORE, True), (_BEHIND, False)):
        found = pattern.search(before)
        if found:
            return found.group(), answer
    return None


def _shares(lifted: Lifted) -> Iterator[str]:
    """ "95 %" of what? It is a value only where a signal is measured in percent."""
    said = [k for k, token in enumerate(lifted.tokens) if token in ("%", "percent")]
    if said and not lifted.proposed and not lifted.signals:
        yield "a percentage, and no signal that it could be a value of"


def _unread(tokens: Sequence[str], unknown: Collection[str]) -> Iterator[str]:
    """Clauses without any name in which a word is unknown: nobody has read what they ask for."""
    start = 0
    for end, token in enumerate((*tokens, ".")):
        if token not in _BETWEEN:
            continue
        clause = tokens[start:end]
        strange = any(len(word) > 1 and has_content(word) and word in unknown for word in clause)
        named = any(PLACEHOLDER.fullmatch(word) for word in clause)
        if strange and not named and not aside(tokens, start, end):
            yield " ".join(clause)
        start = end + 1


def _empty(formula: Formula) -> Iterator[str]:
    """A requirement that nothing can break, or that nothing can meet, is not what was meant."""
    try:
        if valid(formula).answer:
            yield "the formula is always true"
        elif satisfiable(formula).answer is False:
            yield "the formula can never be true"
    except AssentError:
        return


# Denials, "only" and durations that are known to be taken for something else: each was seen to be accepted wrongly,
# with lifting, networks and judge of one mind.
_NOT_ALWAYS = re.compile(
    r"(?:\b(?:not|never|cannot)|n't)\b(?:\s+(?!(?:and|or|but|until|unless|while|when|if)\b)\w+){0,5}?\s+"
    r"(?:always|all the time|for ?ever|permanently|constantly|continuously|the whole time|at all times)\b",
    re.IGNORECASE,
)
# Behind the first of two names: no verb of its own, then the other, then the verb of both.
_TOGETHER = re.compile(
    r"(?: (?!is\b|are\b|be\b|being\b|on\b|off\b|open\b|closed\b|shut\b)\w+){0,2} (?:and|or) (?:the |an? )?(?:\w+ ){1,3}"
    r"(?:are|is|be|being|were|stays?|remains?|keeps?|shall|must|should)\b",
    re.IGNORECASE,
)
_JOINS = frozenset(["and", "or"])
_LISTED = _JOINS | {",", "nor"}
_NOT_UNTIL = re.compile(r"(?:\b(?:not|never|cannot)|n't)\b.*\b(?:until|till|before)\b", re.IGNORECASE)
_SIDES = frozenset(["left", "right"])
_VERBS = frozenset(
    "is are be being was were stays stay remains remain keeps keep shall must should has have 's".split()
)
_OUTSIDE = re.compile(
    r"\boutside\b|\bout of\b|\bleav(?:e|es|ing)\b|\b(?:not|n't) (?:in|inside|within|between)\b|\bbeyond\b",
    re.IGNORECASE,
)
_CONDITION = frozenset("while when if with after once during".split())
_STEPS = re.compile(r"\b(?:then|afterwards?|after (?:that|which)|thereafter)\b", re.IGNORECASE)
_RULE = re.compile(
    r"^(?:on|at|in|for|with|without|as|all|no|not)\b|\b(?:if|when|whenever|while|whilst|once|after|upon|every|each|any|always"
    r"|never|should|unless|provided|given|case|during|until|till|before|means?|where|wherever)\b|as soon as|n't\b|[?:]",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"\bnot\b.*\bfor (?:more|longer) than N\d+ seconds\b")


def _scope(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """Why the candidate may have taken a denial, an "only" or a duration for another; nothing as a rule."""
    always = _NOT_ALWAYS.search(lifted.text)
    if always:
        yield f"{always.group()!r} may mean sometimes not, or never: say 'never', or 'at some time ... not'"
    if _denied_in_part(lifted):
        yield "several things share a denial, and it was read of one of them: say it of each"
    if _turned_round(lifted, formula):
        yield "what stands behind 'only' was read as the reason, not as the condition"
    if _TOO_LONG.search(" ".join(lifted.tokens)) and any(
        isinstance(part, Always) and part.within != EVER and isinstance(part.arg, Not)
        for part in walk(formula)
    ):
        yield "'not ... for longer than' was read as 'not at all for so long'"
    if isinstance(formula, Until) and isinstance(formula.left, Prop) and _NOT_UNTIL.search(lifted.text):
        yield "'not ... until' was read as a promise that the end comes: say so, or say 'if ever'"
    if _opposite_states(lifted):
        yield "things whose names say opposite states share one, and it was read of both alike: say it of each"
    if _against_its_word(lifted):
        yield "a word that says the opposite of a name's state was read as the name"
    if ("outside" in lifted.tokens and _inside_for_a_while(formula)) or _inside_as_condition(lifted, formula):
        yield "'outside' was read as inside"
    if _order_as_rule(lifted.text, formula):
        yield "steps in an order were read as a rule: say 'whenever', or 'at some time ..., and after that ...'"
    if _defeats_itself(formula):
        yield "what is asked for cannot hold together with its condition"


def _inside_for_a_while(formula: Formula) -> bool:
    """A window in which a value stays between two bounds."""
    return any(
        isinstance(part, Always)
        and part.within != EVER
        and {atom.op for atom in atoms(part.arg) if isinstance(atom, Compare)} >= {">=", "<="}
        for part in walk(formula)
    )


def _order_as_rule(text: str, formula: Formula) -> bool:
    """ "Lock the lid, then open the gate" as lid_locked -> gate_open: nothing before "then" is a condition."""
    steps = _STEPS.search(text)
    return (
        steps is not None
        and not _RULE.search(text[: steps.start()])
        and isinstance(formula, Always)
        and isinstance(formula.arg, Implies)
        and not any(isinstance(part, Eventually | Next | Until) for part in walk(formula.arg.right))
    )


def _defeats_itself(formula: Formula) -> bool:
    """ "It is open, then it is closed" as open -> not open: that only says never open."""
    if not isinstance(formula, Always) or not isinstance(formula.arg, Implies):
        return False
    try:
        return satisfiable(And((formula.arg.left, formula.arg.right))).answer is False
    except AssentError:
        return False


def _denied_in_part(lifted: Lifted) -> bool:
    """ "Both valves are closed" as "not P1 and P2", "the lamp and the fan are off" as "P1 and not P2"."""
    tokens, places = lifted.tokens, lifted.places
    if len(places) != len(tokens):
        return False
    for k in range(len(tokens) - 3):
        four = tokens[k : k + 4]
        match ["not" if token == "not" else "and" if token in _JOINS else _named(token) for token in four]:
            case ["not", True, "and", True] if places[k + 1] == places[k + 3]:
                return True  # one word that stands for both
            case [True, "and", "not", True] if (
                tokens[max(0, k - 1)] != "not"
                and not _opposed(lifted, tokens[k], tokens[k + 3])
                and _TOGETHER.match(lifted.text, places[k][1])
            ):
                return True
    return False


def _opposite_states(lifted: Lifted) -> bool:
    """ "The vent and the hatch are closed" of vent_open and hatch_closed, both denied or neither: one must be."""
    tokens, places = lifted.tokens, lifted.places
    if len(places) != len(tokens):
        return False
    named = [k for k, token in enumerate(tokens) if _named(token)]
    joined = [
        (
            set(tokens[a + 1 : b]) - {"not"},
            frozenset(lifted.text[places[a][1] : places[b][0]].lower().split()),
        )
        for a, b in pairwise(named)
    ]
    for first in range(len(named)):
        seen: set[str] = set()
        for last in range(first + 1, len(named)):
            between, words = joined[last - 1]
            if not between or not between <= _LISTED or words & (_VERBS | DENIES.keys()):
                break
            seen |= between
            a, b = named[first], named[last]
            alike = (tokens[max(0, a - 1)] == "not") == (tokens[b - 1] == "not")
            listed = seen & _JOINS or (last < len(joined) and joined[last][0] & _JOINS)
            if alike and listed and _opposed(lifted, tokens[a], tokens[b]):
                return True
    return False


def _opposed(lifted: Lifted, first: str, second: str) -> bool:
    """Whether the names behind two placeholders say opposite states: vent_open and hatch_closed."""
    one, other = (
        frozenset(lifted.names.get(token, "").lower().split("_")) & DENIES.keys() - _SIDES
        for token in (first, second)
    )
    return any(DENIES[word] & other for word in one)


def _against_its_word(lifted: Lifted) -> bool:
    """ "Shut the shutter" as shutter_open: the word found for the name is the opposite of its state."""
    if len(lifted.places) != len(lifted.tokens):
        return False
    for k, (token, (start, end)) in enumerate(zip(lifted.tokens, lifted.places, strict=True)):
        word = lifted.text[start:end].lower()
        own = lifted.names.get(token, "").lower().split("_")
        against = {other for part in own for other in DENIES.get(part, ()) if other not in own}
        swallowed = any(
            len(other) > 3
            and part.startswith(other)
            and re.search(rf"\b{other}\b", lifted.text, re.IGNORECASE)
            for other in against
            for part in own
        )
        if (word in against or swallowed) and lifted.tokens[max(0, k - 1)] not in _DENIALS:
            return True
    return False


def _inside_as_condition(lifted: Lifted, formula: Formula) -> bool:
    """ "Outside 1 to 3 bar, the alarm sounds" as an alarm between 1 and 3 bar."""
    if not _OUTSIDE.search(lifted.text):
        return False
    return any(
        isinstance(part, Implies)
        and any(isinstance(inner, And) and _bounded(inner) for inner in walk(part.left))
        for part in walk(formula)
    )


def _bounded(both: And) -> bool:
    """Whether one signal has a lower and an upper bound in a conjunction."""
    bounds: dict[object, set[str]] = {}
    for part in both.args:
        if isinstance(part, Compare):
            bounds.setdefault(part.left, set()).add(part.op[0])
    return any(ops >= {"<", ">"} for ops in bounds.values())


def _named(token: str) -> bool:
    return PLACEHOLDER.fullmatch(token) is not None


def _turned_round(lifted: Lifted, formula: Formula) -> bool:
    """ "P1 is only allowed while P2" is P1 -> P2: the other way round it says something else."""
    tokens = lifted.tokens
    if tokens.count("only") != 1 or not isinstance(formula, Always) or not isinstance(formula.arg, Implies):
        return False
    only = tokens.index("only")
    at = next((k for k in range(only + 1, len(tokens)) if tokens[k] in _CONDITION), None)
    if at is None:
        return False
    before = {token for token in tokens[:at] if token[:1] in "PS" and _named(token)}
    behind = {token for token in tokens[at:] if token[:1] in "PS" and _named(token)}
    try:
        reason, result = (
            {token for token in lifted.tokens_of(side) if token in lifted.names}
            for side in (formula.arg.left, formula.arg.right)
        )
    except AssentError:
        return False
    return bool(result) and bool(reason) and reason <= behind - before and result <= before - behind
