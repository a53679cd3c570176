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

from assent.embedded.acts import doubts_of_acts
from assent.embedded.denials import DENIALS, doubts_of_denials, doubts_of_the_unsaid
from assent.embedded.scope import doubts_of_scope, doubts_of_spans, emptiness
from assent.embedded.tokens import PLACEHOLDER
from assent.errors import AssentError
from assent.lift import Lifted
from assent.lift.clauses import aside
from assent.lift.idioms import JUDGING
from assent.lift.propose import has_content
from assent.lift.units import is_unit_word
from assent.logic.ast import (
    Always,
    Compare,
    Constant,
    Formula,
    Logic,
    Next,
    Not,
    Signal,
    atoms,
    walk,
)
from assent.logic.canonical import canonical

_BETWEEN = frozenset(
    ", ; : . ? ! and or but if when whenever until unless while then before after once because except so".split()
)


def doubts(lifted: Lifted, formula: Formula, unknown: Collection[str]) -> tuple[str, ...]:
    """Why the formula must not be accepted for the instruction; ``unknown`` are words that the models read over."""
    found = [*_left_out(lifted, formula), *_boundaries(lifted, formula), *_shares(lifted)]
    if _EXCLUDED.search(lifted.text) and any(
        isinstance(a, Compare) and a.op in (">=", "<=") for a in atoms(formula)
    ):
        found.append("the ends of a range are excluded, and the formula includes them")
    found.extend(_compared_states(lifted, formula))
    found.extend(_of_figures(lifted, formula))
    if _keeps_inside(lifted, formula):
        found.append("'never between' was read as 'always between'")
    if lifted.beyond:
        found.append(f"no formula of this logic can say {', '.join(map(repr, lifted.beyond))}")
    found.extend(f"{part.text!r} was not read: {part.why}" for part in lifted.unread)
    found.extend(lifted.open)
    found.extend(
        f"nothing in the vocabulary is called {clause!r}: add it, or say it by its name"
        for clause in lifted.unnamed or _unread(lifted.tokens, unknown)
    )
    found.extend(
        f"the models do not know the word {word!r}: say 'must', 'must not' or 'never'"
        for word in dict.fromkeys(lifted.tokens)
        if word in JUDGING and word in unknown
    )
    found.extend(_uncompared(lifted, unknown))
    if _denied_twice(lifted.tokens):
        found.append("it is denied twice in a row")
    found.extend(doubts_of_denials(lifted, formula))
    found.extend(doubts_of_scope(lifted, formula))
    found.extend(doubts_of_spans(lifted, formula))
    found.extend(doubts_of_the_unsaid(lifted, formula))
    found.extend(doubts_of_acts(lifted))
    empty = emptiness(formula)
    return (*found, empty) if empty else tuple(found)


def _denied_twice(tokens: Sequence[str]) -> bool:
    """ "Never not", but not "not later than", "not no more than"."""
    return any(
        a in DENIALS
        and b in DENIALS
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
    said = " ".join(lifted.tokens)
    free = {token for found in _EITHER_WAY.finditer(said) for token in found.groups() if token}
    missing = [
        token
        for token in dict.fromkeys(lifted.tokens)
        if PLACEHOLDER.fullmatch(token) and token not in used | free
    ]
    names = [lifted.names[token] for token in missing if token in lifted.names]
    numbers = [f"{float(lifted.numbers[token]):g}" for token in missing if token in lifted.numbers]
    if names:
        yield f"the formula leaves out {', '.join(names)}"
    if _loses_zero(lifted, formula):
        yield "the formula leaves out the number 0"
    if _reaches_zero(lifted, formula):
        yield "reaching zero was read as being at least zero: say 'is zero', or 'is zero or less'"
    # LTL counts in steps: "in 3 steps" is three times next.
    if numbers and not (lifted.logic is Logic.LTL and any(isinstance(part, Next) for part in walk(formula))):
        yield f"the formula leaves out the number {', '.join(numbers)}"


_EITHER_WAY = re.compile(
    r"\b(?:whether or not|regardless of|irrespective of|with or without|no matter (?:if|whether))"
    r"(?: (?:whether|there is|it is))? (?:not )?(P\d+)(?: (?:[^,;.\s]+ ){0,2}or (?:not )?(P\d+))?"
)
"""What changes nothing: "whether or not the PIN is valid"."""
_TO_ZERO = re.compile(
    r"\b(?:reach\w*|hits?|hitting|(?:gets?|drops?|falls?|sinks?|comes?|goes|down) to) (?:zero|0)\b"
)


def _reaches_zero(lifted: Lifted, formula: Formula) -> bool:
    """ "The speed must reach zero" as speed >= 0, which it always is."""
    return bool(_TO_ZERO.search(lifted.text.lower())) and any(
        isinstance(a, Compare) and a.right == Constant(Fraction(0)) and a.op in (">=", ">")
        for a in atoms(formula)
    )


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


_EXCLUDED = re.compile(
    r"\b(?:to|and|-)\s*-?\d[^.;]{0,20}?\W(?:both |with )?(?:the )?"
    r"(?:limits |ends |bounds |endpoints |end points )?(?:are )?"
    r"(?:exclu(?:sive(?:ly)?|ded|ding)|not included|not inclusive)\b"
    r"|\bstrictly (?:between|within|inside|from)\b",
    re.IGNORECASE,
)


_NEVER_BETWEEN = re.compile(
    r"\b(?:never|cannot|(?:must|shall|should|may|can|will) not) (?:ever )?"
    r"(?:be |lie |stay |remain |get |fall |come |go )?(?:to )?(?:between|from) (N\d+)(?: \S+){0,4} (?:and|to) N\d+\b"
)


def _keeps_inside(lifted: Lifted, formula: Formula) -> bool:
    """ "Must never be between 5 and 9" as staying at 5 or more."""
    said = _NEVER_BETWEEN.search(" ".join(lifted.tokens))
    low = None if said is None else Constant(lifted.numbers[said[1]])
    form = canonical(formula) if low is not None else formula
    denied = {node.arg for node in walk(form) if isinstance(node, Not)}
    return any(
        isinstance(a, Compare) and a.right == low and (a.op in (">=", ">")) != (a in denied)
        for a in atoms(form)
    )


_PLACES = (
    r"(?:in|on|inside|within|above|below|under|over|touching|near|beside|next to|close to|far from|far away from"
    r"|(?:to the )?(?:left|right) of)"
)
_BOUND = (
    r"(?:(?:no|not) (?:more|less|higher|lower|greater) than|at most|at least|more than|less than"
    r"|above|below|under|over)"
)
_KEEPS = r"(?:shall|must|should)(?: always| never| not)* (?:be|stay|remain|lie|stand|be kept)"
_PLAIN = re.compile(
    rf"(?:the )?O\d+ {_KEEPS} {_PLACES} (?:the )?O\d+ \."
    rf"|(?:the )?O\d+ {_KEEPS} {_BOUND} N\d+ m (?:and {_BOUND} N\d+ m )?(?:away )?from (?:the )?O\d+ \."
    rf"|P\d+ (?:{_KEEPS} {_BOUND}|(?:shall|must|should) (?:not|never) exceed) N\d+(?P<unit>(?: \S+){{0,4}}) \."
)


def says_plainly(lifted: Lifted) -> bool:
    """Whether the whole instruction is where a thing must be or what a signal must not pass, which formulas say."""
    measured = lifted.logic is Logic.SPATIAL or bool(lifted.signals)
    found = _PLAIN.fullmatch(" ".join(lifted.tokens)) if measured else None
    return found is not None and all(map(_is_unit, (found["unit"] or "").split()))


def _is_unit(word: str) -> bool:
    return word in ("/", "per", "%", "\u00b0") or (is_unit_word(word) and word != "in")


def _compared_states(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """ "More than 8 jobs" read of job_queued, which is so or not."""
    if not lifted.typed:
        return
    states = {name for placeholder, name in lifted.names.items() if placeholder not in lifted.signals}
    for atom in dict.fromkeys(atoms(formula)):
        if isinstance(atom, Compare) and isinstance(atom.left, Signal) and atom.left.name in states:
            yield f"{atom.left.name} is compared with a number, and the vocabulary does not call it one"


_ZERO = re.compile(
    r"(?<![\d.,])0+(?:[.,]0+)?(?![\d.,]*\d)|\b(?:zero|nil|nought|nothing|negative|positive|empt\w+|freez\w+|out of"
    r"|standstill|stationary|still|at rest|vanish\w*)\b",
    re.IGNORECASE,
)
_BY_SO_MUCH = re.compile(
    r"\b(?:ris\w+|rose|drop\w*|fall\w*|fell|increas\w+|decreas\w+|climb\w*|sink\w*|chang\w+|go(?:es)? (?:up|down)) by "
    r"(?:(?:more|less|no more|at least|at most|over|up|under) (?:than |to )?)?N\d"
)


def _of_figures(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """ "Must not exceed the limit" as <= 0; "must not rise by more than 5" as <= 5; "for 30 to 60 s" as a window."""
    said = " ".join(lifted.tokens)
    values = [atom for atom in atoms(formula) if isinstance(atom, Compare) and isinstance(atom.left, Signal)]
    for atom in values:
        if atom.right == Constant(Fraction(0)) and not _ZERO.search(lifted.text):
            yield f"the formula compares {atom.left} with 0, and nobody said zero: say with what"
    if values and _BY_SO_MUCH.search(said):
        yield "by how much a value changes was read as the value: say above or below what it must be"
    lasting = _LASTING.search(said)
    if lasting and any(
        isinstance(part, Always)
        and (part.within.low, part.within.high) == tuple(lifted.numbers[n] for n in lasting.groups())
        for part in walk(formula)
    ):
        yield "a shortest and a longest time were read as a window: say 'for N, and then no longer than ...'"


_LASTING = re.compile(r"\bfor (?:between |from )?(N\d+) (?:(?:seconds )?(?:to|and)|-) (N\d+) seconds\b")


def _shares(lifted: Lifted) -> Iterator[str]:
    """ "95 %" of what? It is a value only where a signal is measured in percent."""
    said = [k for k, token in enumerate(lifted.tokens) if token in ("%", "percent")]
    if said and not lifted.proposed and not lifted.signals:
        yield "a percentage, and no signal that it could be a value of"


_NEAR = frozenset("approach approaches approaching approached near nears nearing nearly".split())


def _uncompared(lifted: Lifted, unknown: Collection[str]) -> Iterator[str]:
    """ "The pressure subceeds 5 bar", "approaches 5 bar": nobody knows how it compares."""
    tokens = lifted.tokens
    for end, token in enumerate(tokens):
        start = next((k for k in range(end - 1, max(-1, end - 6), -1) if tokens[k] in lifted.signals), end)
        between = tokens[start + 1 : end]
        if token not in lifted.numbers or any(word in _BETWEEN for word in between):
            continue
        for word in between:
            if word in _NEAR or (word in unknown and has_content(word)):
                yield f"how does {word!r} compare? Say above, below, at least or at most"


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
