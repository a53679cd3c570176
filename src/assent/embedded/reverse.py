"""Formula -> English over placeholders: the second English beside the rule-based one, and the noisy channel."""

from __future__ import annotations

from assent.embedded.seq2seq import Seq2Seq
from assent.embedded.tokens import PLACEHOLDER, TAGS
from assent.lift import Lifted
from assent.logic.ast import Formula


class ReverseModel:
    """Says a formula in English without having seen the instruction, and scores how well an instruction says it."""

    def __init__(self, model: Seq2Seq) -> None:
        self.model = model

    def english(self, lifted: Lifted, formula: Formula) -> str:
        """The most probable sentence, names and numbers put back. FragmentError as ``tokens_of``."""
        tokens = lifted.tokens_of(formula)
        said = self.model.best([(TAGS[lifted.logic.value], *tokens)], 1)[0][0].tokens
        return _sentence(lifted, said)

    def log_probs(self, lifted: Lifted, tokens: tuple[str, ...]) -> tuple[float, ...]:
        """Log probability of each token of the instruction, given the formula's tokens."""
        source = (TAGS[lifted.logic.value], *tokens)
        return self.model.score([source], [lifted.tokens])[0]


def _sentence(lifted: Lifted, tokens: tuple[str, ...]) -> str:
    words: list[str] = []
    for token in tokens:
        if PLACEHOLDER.fullmatch(token):
            number = lifted.numbers.get(token)
            word = lifted.names.get(token, token).replace("_", " ") if number is None else _decimal(number)
        else:
            word = token
        if words and word in {",", ".", ";", ":", ")"}:
            words[-1] += word
        else:
            words.append(word)
    text = " ".join(words).replace("( ", "(")
    return text[:1].upper() + text[1:]


def _decimal(value: object) -> str:
    number = float(value)  # type: ignore[arg-type]
    return str(int(number)) if number == int(number) else f"{number:g}"
