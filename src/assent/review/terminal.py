"""The review loop: a card, a key, the answer on disk, the next card."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from assent.errors import AssentError, FormulaError
from assent.ledger.entries import ReviewAnswer, Said
from assent.ledger.queue import TakenError, remaining
from assent.logic.ast import Formula
from assent.logic.render import write
from assent.review.card import Card
from assent.review.meaning import in_english, typed
from assent.review.progress import Forecast, progress
from assent.review.screen import Keys, printable, shown
from assent.review.session import Review

EVERY = 10
"""Answers between two lines about progress."""


Translate = Callable[[str, Card], Formula | None]
"""Free English, and the card it was typed for, into a formula; None where it cannot."""


class Loop:
    """One reviewer in front of one terminal."""

    def __init__(self, review: Review, keys: Keys, out: TextIO, translate: Translate | None = None) -> None:
        self.review, self.keys, self.out, self.translate = review, keys, out, translate
        self.forecast = Forecast(review.ledger)
        self._does: dict[str, Callable[[], None]] = {
            "0": lambda: self._answered(review.say(Said.NONE)),
            "d": lambda: self._answered(review.say(Said.UNSAYABLE)),
            "s": lambda: self._answered(review.say(Said.SKIP)),
            "e": self._type,
        } | {str(n): lambda n=n: self._answered(review.choose(n)) for n in range(1, 10)}

    def run(self) -> int:
        """Until nothing is left, the reviewer stops, or the input ends; how many answers were given."""
        self._say(progress(self.review.ledger))
        self.forecast.ask()
        told = 0
        self.review.advance()
        try:
            while True:
                if self.review.card is None:
                    self._say(
                        f"Nothing is left to review for you.{self._others()} [u] undo  [c] contest  [q] stop"
                    )
                else:
                    self._say(shown(self.review.card))
                if (said := self.forecast.take()) is not None:
                    self._say(said)
                key = self.keys.key()
                if key in (None, "q"):
                    break
                self._do(str(key))
                if self.review.given // EVERY > told:
                    told = self.review.given // EVERY
                    self.forecast.ask()
                    self._say(progress(self.review.ledger))
        finally:
            self.review.leave()
        given = self.review.given
        self._say(f"{given} answer{'' if given == 1 else 's'} given. {progress(self.review.ledger)}")
        return self.review.given

    def _do(self, key: str) -> None:
        try:
            if key == "u":
                self._undo()
            elif key == "c":
                self._contest()
            elif key in self._does and self.review.card is not None:
                self._does[key]()
            else:
                self._say(f"{key!r} means nothing here.")
        except TakenError as error:
            self._say(str(error))
        except AssentError as error:
            if self.review.card is None:
                raise
            self._say(str(error))

    def _others(self) -> str:
        """Second looks, what another holds, and what was skipped."""
        left, _ = remaining(self.review.ledger)
        looks = "1 look waits" if left == 1 else f"{left} looks wait"
        return f" {looks} for another reviewer or another day." if left else ""

    def _answered(self, answer: ReviewAnswer) -> None:
        self._say(f"  kept: {_said(answer)}")

    def _type(self) -> None:
        """A formula or a sentence, read back before it counts."""
        card = self.review.card
        text = self.keys.line("  It means (a formula, or English): ")
        if card is None or not text:
            return
        tree = self._read(text, card)
        if tree is None:
            return
        self._say(
            f"  That says: {in_english(tree)}\n             {write(tree)}\n  Is that what is meant? [y/n]"
        )
        if self.keys.key() == "y":
            self._answered(self.review.say(Said.FORMULA, write(tree), text=text))

    def _read(self, text: str, card: Card) -> Formula | None:
        """A formula, a sentence of the controlled English, or what the translator makes of free English."""
        try:
            return typed(text, card.logic)
        except FormulaError as error:
            found = None if self.translate is None else self.translate(text, card)
            if found is None:
                self._say(f"  not read: {error}")
            return found

    def _undo(self) -> None:
        answer = self.review.undo()
        self._say(
            "  There is no answer of yours to take back."
            if answer is None
            else f"  taken back: {_said(answer)}"
        )

    def _contest(self) -> None:
        """Choose one of the latest answers and say why; one more look settles it."""
        found = self.review.contestable()
        if not found:
            self._say("  There is no answer to contest.")
            return
        for number, (answer, text) in enumerate(found, start=1):
            said = answer.formula or answer.said.value
            self._say(f"  {number}  {printable(text)}\n     {printable(answer.handle)}: {printable(said)}")
        self._say("  Which one? [1-9, anything else: none]")
        key = self.keys.key() or ""
        if not (key.isdecimal() and 1 <= int(key) <= len(found)):
            return
        why = self.keys.line("  Why? ") or ""
        self.review.contest(found[int(key) - 1][0], why)
        self._say("  One more look will settle it.")

    def _say(self, text: str) -> None:
        self.out.write(text + "\n")
        self.out.flush()


def _said(answer: ReviewAnswer) -> str:
    said = {Said.SKIP: "skipped", Said.NONE: "none of these", Said.UNSAYABLE: "cannot be said"}
    return said.get(answer.said) or printable(str(answer.formula))
