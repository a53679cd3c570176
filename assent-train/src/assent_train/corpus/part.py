"""What the parts of a speech have in common: whose part they are, and what they draw with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from assent_train.corpus.trees import Tree

if TYPE_CHECKING:
    from assent_train.corpus.speech import Speech


class SpeechPart:
    """One part of a speech: it draws with the speech's generator and asks the other parts through it.

    A part of some speeches only says so by the type of ``speech``.
    """

    def __init__(self, speech: Speech) -> None:
        self.speech = speech
        self.rng, self.casual = speech.rng, speech.casual
        self.pick, self.roll, self.words = speech.pick, speech.roll, speech.words


class Names(Protocol):
    """How propositions are called."""

    lifted: bool  # placeholders, which may stand anywhere; False where real clauses are needed

    def present(self, name: str, mood: str) -> str:
        """A proposition that holds, as a clause."""
        ...

    def absent(self, name: str, mood: str) -> str:
        """A proposition that does not hold."""
        ...

    def amid(self, tree: Tree, mood: str, when: str) -> str:
        """A literal with an adverb inside the verb."""
        ...
