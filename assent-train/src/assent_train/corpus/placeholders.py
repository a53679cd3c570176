"""How a placeholder is said as a clause, and its negation: "the P1 must be on", "no P1".

Names have been lifted to placeholders before a model sees a sentence, so that articles, subjects and verbs around them
are noise; they are produced here in all the shapes that lifting leaves.
"""

from __future__ import annotations

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Tree


class Placeholders(SpeechPart):
    """Clauses for atoms that are placeholders, which may stand anywhere in a sentence."""

    lifted = True

    def amid(self, tree: Tree, mood: str, when: str) -> str:
        """A literal with the adverb inside the verb: "the P1 must at some point be on"."""
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        no = "not" if negative else ""
        fact = mood in {"is", "bare"}
        if atom[0] != "p":
            return (
                self.speech.relations.clause(atom, mood, negative, when)
                if atom[0] == "rel"
                else f"{when} {self.speech.literal(tree, mood)}"
            )
        name = atom[1]
        if fact:
            return self.words(
                "amid",
                things=self.speech.leftovers.things,
                name=name,
                when=when,
                no=no,
                leftover=self.speech.leftovers.leftover,
                subject=self.speech.leftovers.subject,
            )
        must = self.words("amid_must")
        return self.words(
            "amid_demand",
            things=self.speech.leftovers.things,
            name=name,
            must=must,
            when=when,
            no=no,
            leftover=self.speech.leftovers.leftover,
            subject=self.speech.leftovers.subject,
            part="no" if negative else "a",
        )

    def _verb(self, mood: str) -> str:
        return (
            self.words("verbs")
            if mood == "is"
            else self.words("keep_verbs")
            if mood == "stay"
            else self.words("must_verbs")
        )

    def present(self, name: str, mood: str) -> str:
        roll = self.roll()
        if mood == "bare" or (self.casual and roll < 0.45):
            return self._fragment(name)
        if roll < 0.5:
            return self.words(
                "present",
                things=self.speech.leftovers.things,
                name=name,
                be=lambda: self.speech.states.be(mood),
            )
        if roll < 0.72:
            return self._being(self.speech.states.be(mood), name)
        if roll < 0.9:
            return f"{self.speech.leftovers.things()} {name} {self._verb(mood)}"
        be = self.words("present_be") if mood != "is" else self.words("there_is_verb")
        return f"there {be} {self.speech.leftovers.article()} {name} {self.speech.leftovers.leftover()}"

    def _being(self, be: str, name: str) -> str:
        """ "it is the P1 active": a subject, a form of "be", and what lifting leaves around the name."""
        around = self.speech.leftovers
        return f"{around.subject()} {be} {around.article()} {name} {around.leftover()}"

    def absent(self, name: str, mood: str) -> str:
        roll = self.roll()
        if mood == "bare" or (self.casual and roll < 0.45):
            return self._absent_fragment(name)
        things, be = self.speech.leftovers.things(), self.speech.states.be(mood)
        if roll < 0.2:
            return self.words("absent", things=things, name=name, denied=lambda: self._denied(be, mood))
        if roll < 0.38:
            return self.words(
                "absent_not", things=things, name=name, be=be, leftover=self.speech.leftovers.leftover
            )
        if roll < 0.46:
            return self.words("absent_off", things=things, name=name, be=be)
        if roll < 0.62:
            return self._being(self._denied(be, mood), name)
        if roll < 0.72:
            return self._being(f"{be} not", name)
        if roll < 0.74:
            return self.words(
                "absent_away",
                subject=self.speech.leftovers.subject,
                be=be,
                name=name,
                leftover=self.speech.leftovers.leftover,
            )
        if roll < 0.84:
            be = self.words("absent_be") if mood != "is" else self.words("there_is_verb")
            return f"there {be} no {name} {self.speech.leftovers.leftover()}"
        verb = self.words("absent_verb") if mood == "is" else self.words("absent_verb_demand")
        return f"{things} {name} {verb}"

    def _denied(self, be: str, mood: str) -> str:
        """The verb phrase denied: must be -> must not be; is -> isn't; has to be -> has to not be."""
        first, _, rest = be.partition(" ")
        if first in {"must", "shall", "should", "will", "ought"}:
            return f"{first} not {rest}"
        if first in {"is", "are", "was"}:
            joined = self.words("not_joined")
            return f"{joined} {rest}" if rest else joined
        if mood == "is":
            return self.words("not")
        return self.words("not_demand", when1=mood == "stay")

    def _fragment(self, name: str) -> str:
        shape = self.rng.randrange(14)
        if shape < 5:
            return f"{name} {self.speech.leftovers.leftover()}"
        if shape < 6:
            return self.words("fragment", name=name)
        if shape < 8:
            return self.words("fragment_on", name=name)
        if shape < 10:
            return self.words("fragment_it_is", name=name)
        if shape < 12:
            return self.words("fragment_article", name=name)
        return self.words("fragment_subject", subject=self.speech.leftovers.subject, name=name)

    def _absent_fragment(self, name: str) -> str:
        shape = self.rng.randrange(14)
        if shape < 4:
            return f"no {name}"
        if shape < 6:
            return f"not {name}"
        if shape < 8:
            return self.words("absent_fragment", name=name)
        if shape < 10:
            return self.words("absent_fragment_is_not", name=name)
        if shape < 12:
            return self.words("absent_fragment_off", name=name)
        if shape < 13:
            return self.words(
                "absent_fragment_away",
                part=lambda: self.words(
                    "absent_fragment_part", part=lambda: "the " + self.words("nouns") + " is"
                ),
                name=name,
            )
        return self.words("absent_fragment_it_is", name=name, leftover=self.speech.leftovers.leftover)
