"""Formula -> English over placeholders: a second English beside the rule-based one, and the noisy channel.

Placeholders are counted in the order of the formula here, since a back-translator never sees the instruction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assent.embedded.seq2seq import Seq2Seq
from assent.embedded.tokens import PLACEHOLDER, TAGS
from assent.lift.linear import linearise
from assent.logic.ast import Compare, Constant, Dist, Formula, Logic, Prop, Relation, Signal, walk


def renumbered(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both with placeholders counted by their first mention in ``first`` (then in ``second``)."""
    names: dict[str, str] = {}
    counts = {"P": 0, "O": 0, "N": 0}
    for token in (*first, *second):
        if token not in names and PLACEHOLDER.fullmatch(token):
            counts[token[0]] += 1
            names[token] = f"{token[0]}{counts[token[0]]}"
    return tuple(names.get(token, token) for token in first), tuple(
        names.get(token, token) for token in second
    )


class ReverseModel:
    """Says a formula in English, and scores how well an instruction says it."""

    def __init__(self, model: Seq2Seq) -> None:
        self.model = model

    def english(self, formula: Formula, logic: Logic) -> str:
        """The most probable sentence, names and numbers put back. FragmentError as ``linearise``."""
        names, numbers = placeholders(formula)
        tokens = linearise(formula, names, numbers)
        said = self.model.best([(TAGS[logic.value], *tokens)], 1)[0][0].tokens
        back = {placeholder: name.replace("_", " ") for name, placeholder in names.items()}
        back.update({placeholder: _decimal(value) for value, placeholder in numbers.items()})
        return _sentence(said, back)

    def log_probs(self, source: Sequence[str], formulas: Sequence[Sequence[str]]) -> list[tuple[float, ...]]:
        """Log probability of each token of the instruction (``source``, tag first), given each formula."""
        tag, text = source[0], source[1:]
        pairs = [renumbered(tokens, text) for tokens in formulas]
        return self.model.score([(tag, *tokens) for tokens, _ in pairs], [said for _, said in pairs])


def placeholders(formula: Formula) -> tuple[dict[str, str], dict[Fraction, str]]:
    """Placeholders for all names and numbers of a formula, counted in its own order."""
    names: dict[str, str] = {}
    numbers: dict[Fraction, str] = {}

    def name(kind: str, text: str) -> None:
        names.setdefault(text, f"{kind}{1 + sum(value[0] == kind for value in names.values())}")

    def number(value: Fraction | None) -> None:
        if value:
            numbers.setdefault(value, f"N{len(numbers) + 1}")

    for node in walk(formula):
        within = getattr(node, "within", None)
        if within is not None:
            number(within.low)
            number(within.high)
        match node:
            case Prop(text) | Compare(Signal(text)):
                name("P", text)
            case Compare(Dist(a, b)):
                name("O", a)
                name("O", b)
            case Relation(_, args):
                for text in args:
                    name("O", text)
        if isinstance(node, Compare) and isinstance(node.right, Constant):
            numbers.setdefault(node.right.value, f"N{len(numbers) + 1}")
    return names, numbers


def _sentence(tokens: Sequence[str], back: Mapping[str, str]) -> str:
    words: list[str] = []
    for token in tokens:
        word = back.get(token, token)
        if words and word in {",", ".", ";", ":", ")", "?", "'s"}:
            words[-1] += word
        else:
            words.append(word)
    text = " ".join(words).replace("( ", "(")
    return text[:1].upper() + text[1:]


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
