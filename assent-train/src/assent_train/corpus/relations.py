"""Clauses for spatial relations and distances; their wordings are productions (``productions/places.txt``)."""

from __future__ import annotations

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Tree

OF_THREE = frozenset({"between", "closerTo"})
"""Relations of three things: they have no verb of their own."""
FACTS = frozenset({"is", "bare"})
SIDES = {"<": "less", "<=": "most", ">": "more", ">=": "least", "==": "equal"}
"""What the productions call a comparison."""


class Relations(SpeechPart):
    """Clauses for relations and distances."""

    def clause(self, atom: Tree, mood: str, negative: bool, when: str = "") -> str:
        """A relation (or its negation) as a clause; ``when`` is an adverb inside the verb."""
        if atom[0] == "dist":
            return self._distance(atom, mood, negative)
        kind = atom[1]
        a, *rest = [self._the(x) for x in atom[2]]
        never = "not " if negative else ""
        if when:
            return self._amid(kind, a, rest, f"{when} {never}", mood in FACTS)
        if mood == "infinitive":  # after "have" / "let" / "see"
            if kind not in OF_THREE and self.roll() < 0.5:
                return f"{a} {never}{self.words('infinitive_of_place', kind=kind)} {rest[0]}"
            return f"{a} {never}{self.words('maybe_be')} {self._object(kind, rest)}"
        if mood == "being":
            return f"{a} {never}being {self._object(kind, rest)}"
        if mood == "keep":  # after "keep" / "have" / "get": an object and a predicate
            return self._kept(kind, a, rest, negative)
        if (mood == "bare" or self.casual) and self.roll() < 0.55:
            if self.roll() < 0.7:
                return f"{a} {never}{self._object(kind, rest)}"
            be = self.words("place_is_not") if negative else self.words("place_is")
            return f"{a} {be} {self._object(kind, rest)}"
        if kind not in OF_THREE and self.roll() < 0.4:
            return f"{a} {self._verb(kind, mood, negative)} {rest[0]}"
        return self._with_be(kind, a, rest, mood, negative)

    def predicate(self, atom: Tree) -> str:
        """What is said of the first object, without naming it."""
        return self._object(atom[1], [x if self.roll() < 0.4 else f"the {x}" for x in atom[2][1:]])

    def _the(self, name: str) -> str:
        return name if self.roll() < (0.55 if self.casual else 0.2) else f"the {name}"

    def _amid(self, kind: str, a: str, rest: list[str], when: str, fact: bool) -> str:
        if kind not in OF_THREE and not fact and self.roll() < 0.4:
            verb = self.words("infinitive_of_place", kind=kind)
            return f"{a} {self.words('place_helper')} {when}{verb} {rest[0]}"
        if fact:
            return f"{a} is {when}{self._object(kind, rest)}"
        return f"{a} {self.words('place_helper')} {when}be {self._object(kind, rest)}"

    def _verb(self, kind: str, mood: str, negative: bool) -> str:
        """A verb for a relation, as a fact or a demand."""
        if negative:
            helper = (
                self.words("does_not", stay=mood == "stay")
                if mood in FACTS
                else self.words("verb_must_not", stay=mood == "stay")
            )
            return f"{helper} {self.words('infinitive_of_place', kind=kind)}"
        if mood in FACTS or self.roll() < 0.1:
            return self.words("verb_of_place", kind=kind)
        return f"{self.words('place_helper')} {self.words('infinitive_of_place', kind=kind)}"

    def _with_be(self, kind: str, a: str, rest: list[str], mood: str, negative: bool) -> str:
        if negative and kind == "enclIn" and mood != "bare" and self.roll() < 0.08:
            return self.words("is_outside", a=a, name=rest[0])
        return f"{a} {self._be(mood, negative)} {self._object(kind, rest)}"

    def _be(self, mood: str, negative: bool) -> str:
        if negative:
            return self.words("place_is_not") if mood in FACTS else self.words("place_must_not")
        if mood in FACTS:
            return self.words("place_is")
        return self._must_be(mood)

    def _must_be(self, mood: str) -> str:
        return self.words("place_stays") if mood == "stay" else self.words("place_must")

    def _kept(self, kind: str, a: str, rest: list[str], negative: bool) -> str:
        """An object and a predicate."""
        if not negative or self.roll() >= 0.4:
            return f"{a} {'not ' if negative else ''}{self._object(kind, rest)}"
        if kind == "enclIn":
            return self.words("kept_outside", a=a, name=rest[0])
        if kind == "touch" and self.roll() < 0.6:
            return f"{a} from touching {rest[-1]}"
        return f"{a} from being {self._object(kind, rest)}"

    def _object(self, kind: str, rest: list[str]) -> str:
        if kind == "between":
            return self.words("object", name=rest[0], name2=rest[1])
        if kind == "closerTo":
            return self.words("closer", name=rest[0], name2=rest[1])
        return f"{self.words('place', kind=kind)} {rest[0]}"

    def _distance(self, atom: Tree, mood: str, negative: bool) -> str:
        _, op, a, b, number = atom
        a, b = (x if self.roll() < 0.4 else f"the {x}" for x in (a, b))
        if negative:
            be = "is not" if mood in FACTS else "must not be"
        else:
            be = "is" if mood in FACTS else self._must_be(mood)
        kind, unit = SIDES[op], self.words("unit_of_length")
        return self.words(
            "distance_clause",
            a=a,
            b=b,
            be=be,
            number=number,
            unit=unit,
            amount=lambda: self.words("distance", kind=kind),
            close=op in {"<", "<="},
            near=lambda: self.words("distance_near", kind=kind, number=number, unit=unit, b=b),
        )
