"""How an atom, its negation and a combination of them are said as a clause.

Two registers: formal ("the P1 must be on") and casual ("P1 on", "no P1"). Names have been lifted to placeholders
before a model sees a sentence, so that articles, subjects and verbs around them are noise; they are produced here
in all the shapes that lifting leaves.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from assent_train.corpus.relations import predicate, relation
from assent_train.corpus.trees import ATOMS, Tree, is_literal, is_state

SUBJECTS = (
    "the infusion", "the lift",
    "the system", "the system", "the robot", "the drone", "the arm", "the car", "the vehicle", "the elevator",
    "it", "it", "it", "the controller", "the machine", "the pump", "the node", "the unit", "there", "the operator",
    "the gate", "the house", "the door", "its", "the vessel", "a", "the device", "the plant", "the agent", "we", "you",
    "the tank", "the valve", "the line", "the motor", "the train", "the ship", "the boiler", "the server", "the light",
)  # fmt: skip
THINGS = (
    *("",) * 9, *("the",) * 24, "a", "a", "an", "an", "its", "the system", "that the", "all", "any",
    "the drone", "the arm", "the emergency", "the car", "our", "your", "this", "the main", "the left",
)  # fmt: skip
NOUNS = tuple(
    "button floor zone pad line air level sensor mode state alarm warning signal light door gate window valve pump motor brake engine belt lane "
    "track train crew nurse patient dose battery power water soil heating heater fan filter tank pipe room house car drone robot arm gripper part "
    "bin tool station elevator cabin call request message alert disk node backup server link radar anchor bridge deck autopilot ship course port "
    "operator human person driver pilot area region base landing flight path cover lid hatch lamp siren buzzer camera display pressure temperature "
    "speed load weight fuel oil gas smoke fire leak fault error system controller unit device machine conveyor press saw spindle reactor core rod".split()
)
IS = (
    *("is",) * 22, "are", "are", "'s", "s", "has been", "gets", "becomes", "goes", "is being", "was", "comes",
)  # fmt: skip
STAYS = ("stays", "stays", "remains", "keeps", "is kept", "stay", "remain", "is", "continues", "is still")
MUST = (
    *("must be",) * 14, "has to be", "has to be", "has to be", "shall be", "should be", "needs to be", "is",
    "must become", "has to become", "will be", "have to be", "ought to be", "is to be", "must get", "must have",
    "has to", "must", "shall", "should", "are", "gets", "must turn", "must come", "will have to be", "needs to",
)  # fmt: skip
MUST_STAY = (
    *("must be",) * 7, *("must stay",) * 4, *("stays",) * 3, "has to stay", "must remain", "has to remain", "must be kept", "stays", "stays", "must be",
    "shall remain", "must keep", "should stay", "is kept", "remains", "has to be", "must keep being", "shall stay",
    "keeps", "stay", "needs to stay", "must continue to be", "should remain", "is", "must hold",
)  # fmt: skip
TAILS = (
    *("",) * 44, "on", "on", "active", "active", "engaged", "true", "present", "in effect",
    "detected", "running", "down", "up", "open", "ahead", "in place", "observed", "set", "applied", "in progress", "hit", "held", "done", "taken", "sounding", "shut", "full", "raised", "lowered", "together",
    "the case", "by the", "in the", "at the", "in", "sent", "over the", "there", "the", "pressed", "of the", "out",
)  # fmt: skip
OFF = ("off", "off", "inactive", "disengaged", "absent", "false", "down", "not there", "released", "cleared", "out")
VERBS = (
    "holds", "holds", "is true", "occurs", "happens", "is observed", "is detected", "comes", "takes place", "",
    "is the case", "goes on", "comes true", "runs", "shows up", "starts", "opens", "sounds", "leaves", "arrives", "goes off", "kicks in", "turns up", "happens to be",
)  # fmt: skip
MUST_VERBS = (
    "must hold", "must hold", "holds", "has to hold", "must be true", "must occur", "must happen", "shall hold",
    "should hold", "is required", "must come", "has to come true", "needs to hold", "will hold", "must take place",
    "has to occur", "has to happen", "must be observed", "shall occur", "must be the case", "must come true",
    "should happen", "should be true", "must be detected",
)  # fmt: skip
KEEP_VERBS = ("must keep holding", "must hold", "holds", "must go on", "has to hold", "must continue", "keeps holding")


class Clauses:
    """Clauses for state formulas in one register, drawn with one generator of random numbers."""

    lifted = True  # atoms are placeholders that may stand anywhere; False where real clauses are needed

    def __init__(self, rng: random.Random, casual: bool) -> None:
        self.rng = rng
        self.casual = casual
        self.pick = rng.choice
        self.roll = rng.random

    # -- atoms ---------------------------------------------------------------------------------------

    def literal(self, tree: Tree, mood: str) -> str:
        """mood: "is" (as a fact), "must" (as a demand), "stay" (a demand over a stretch), "bare" (a fragment)."""
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        kind = atom[0]
        if kind == "p":
            return self.absent(atom[1], mood) if negative else self.present(atom[1], mood)
        if kind == "cmp":
            return self.comparison(atom, mood, negative)
        return relation(self, atom, mood, negative)

    def amid(self, tree: Tree, mood: str, when: str) -> str:
        """A literal with the adverb inside the verb: "the P1 must at some point be on"."""
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        no = "not" if negative else ""
        fact = mood in {"is", "bare"}
        if atom[0] != "p":
            return relation(self, atom, mood, negative, when) if atom[0] == "rel" else f"{when} {self.literal(tree, mood)}"
        name = atom[1]
        if fact:
            return self.pick((f"{self._things()} {name} is {when} {no} {self.leftover()}", f"{self.subject()} is {when} {no} {name} {self.leftover()}"))
        must = self.pick(("must", "must", "has to", "shall", "should", "will", "needs to", "is to"))
        return self.pick((f"{self._things()} {name} {must} {when} {no} be {self.leftover()}", f"{self._things()} {name} {must} {when} be {no} {self.leftover()}", f"{self.subject()} {must} {when} {no} be {name} {self.leftover()}",
                          f"{self._things()} {name} {must} {when} {no} {self.pick(('hold', 'occur', 'happen', 'stay', 'become', 'come'))} {self.leftover()}", f"there {must} {when} be {'no' if negative else 'a'} {name}"))  # fmt: skip

    def _be(self, mood: str) -> str:
        if mood == "is":
            return self.pick(IS) if self.roll() < 0.85 else self.pick(STAYS)
        if mood == "stay":
            return self.pick(MUST_STAY)
        return self.pick(MUST) if self.roll() < 0.9 else self.pick(MUST_STAY)

    def _verb(self, mood: str) -> str:
        return self.pick(VERBS if mood == "is" else KEEP_VERBS if mood == "stay" else MUST_VERBS)

    def present(self, name: str, mood: str) -> str:
        roll = self.roll()
        if mood == "bare" or (self.casual and roll < 0.45):
            return self._fragment(name)
        if roll < 0.5:
            return f"{self._things()} {name} {self._be(mood)} {self.pick(TAILS)}"
        if roll < 0.72:
            return f"{self.subject()} {self._be(mood)} {self._article()} {name} {self.leftover()}"
        if roll < 0.9:
            return f"{self._things()} {name} {self._verb(mood)}"
        be = self.pick(("is", "must be", "has to be", "exists", "'s", "will be", "shall be") if mood != "is" else ("is", "'s", "are"))
        return f"there {be} {self._article()} {name} {self.leftover()}"

    def absent(self, name: str, mood: str) -> str:
        roll = self.roll()
        if mood == "bare" or (self.casual and roll < 0.45):
            return self._absent_fragment(name)
        things, be = self._things(), self._be(mood)
        if roll < 0.2:
            return f"{things} {name} {self._not(be, mood)} {self.pick(TAILS)}"
        if roll < 0.38:
            return f"{things} {name} {be} {self.pick(('not', 'not', 'not', 'no longer'))} {self.leftover()}"
        if roll < 0.46:
            return f"{things} {name} {be} {self.pick(OFF)}"
        if roll < 0.62:
            return f"{self.subject()} {self._not(be, mood)} {self._article()} {name} {self.leftover()}"
        if roll < 0.72:
            return f"{self.subject()} {be} not {self._article()} {name} {self.leftover()}"
        if roll < 0.74:
            return f"{self.subject()} {be} {self.pick(('away from the', 'outside the', 'outside', 'out of the', 'off the', 'away from'))} {name} {self.leftover()}"
        if roll < 0.84:
            be = self.pick(("is", "must be", "has to be", "shall be", "'s") if mood != "is" else ("is", "'s", "are"))
            return f"there {be} no {name} {self.leftover()}"
        if mood == "is":
            verb = self.pick(("does not hold", "does not occur", "doesn't hold", "is not true", "is false", "is absent",
                              "does not happen", "is not the case", "isn't true", "is not detected", "fails to hold",
                              "has no", "is no longer true", "does not"))  # fmt: skip
        else:
            verb = self.pick(("must not hold", "must not occur", "may not hold", "cannot hold", "shall not hold",
                              "must not happen", "should not hold", "must be false", "is forbidden", "has to be false",
                              "must not be true", "must fail", "must not be the case", "should not happen"))  # fmt: skip
        return f"{things} {name} {verb}"

    def _not(self, be: str, mood: str) -> str:
        """The verb phrase denied: must be -> must not be; is -> isn't; has to be -> has to not be."""
        first, _, rest = be.partition(" ")
        if first in {"must", "shall", "should", "will", "ought"}:
            return f"{first} not {rest}"
        if first in {"is", "are", "was"}:
            joined = self.pick(("is not", "is not", "isn't", "is n't", "are not", "aren't", "is no longer"))
            return f"{joined} {rest}" if rest else joined
        if mood == "is":
            return self.pick(("is not", "does not have", "has no", "isn't", "has not", "does not get", "'s not"))
        return self.pick(("must not be", "may not be", "cannot be", "can't be", "must not", "must never be" if mood == "stay" else "must not be"))

    def _article(self) -> str:
        return self.pick(("", "", "", "the", "a", "an", "in the", "at the", "over the"))

    def leftover(self) -> str:
        roll = self.roll()
        if roll > 0.3:
            return ""
        if roll < 0.14:
            return self.pick(TAILS[44:])
        if roll < 0.24:  # what lifting leaves of "pauses the pump", "runs a backup"
            return self.pick(("the", "the", "a", "it", "by the", "in the", "at the", "its", "an", "from the", "on the"))
        return self.pick(NOUNS) if roll < 0.27 else f"{self.pick(('the', 'a', 'in the'))} {self.pick(NOUNS)}"

    def _things(self) -> str:
        roll = self.roll()
        if roll < 0.93:
            return self.pick(THINGS)
        return f"the {self.pick(NOUNS)}"

    def subject(self) -> str:
        return self.pick(SUBJECTS) if self.roll() < 0.7 else f"{self.pick(('the', 'the', 'the', 'a', ''))} {self.pick(NOUNS)}"

    def _fragment(self, name: str) -> str:
        shape = self.rng.randrange(14)
        if shape < 5:
            return f"{name} {self.leftover()}"
        if shape < 6:
            return f"the {name} {self.pick(('is', 's', 'is on', 'on', ''))}"
        if shape < 8:
            return f"{name} {self.pick(('on', 'is on', 's on', 'up', 'in', 'active', 'stays on', 'stays', 'open', 'down', 's', 'comes', 'shows up', 'runs'))}"
        if shape < 10:
            return f"{self.pick(('it', 'it s', 'it is', 'we', 'you', 'there is', 'there s', 'have the', 'get the', 'get', 'have', 'there s a', 'there is a', 'it gets', 'make it'))} {name}"
        if shape < 12:
            return f"{self.pick(('the', 'a', 'an', 'its', 'be', 'be in', 'with', 'in', 'on', 'keep the'))} {name}"
        return f"{self.subject()} {self.pick(('s', 'is', 'has', '', 'gets', 'stays'))} {name}"

    def _absent_fragment(self, name: str) -> str:
        shape = self.rng.randrange(14)
        if shape < 4:
            return f"no {name}"
        if shape < 6:
            return f"not {name}"
        if shape < 8:
            return f"{name} {self.pick(('not', 'is not', 'isnt', 's not', 'stays not', 'is off', 'not on', 'stays off'))}"
        if shape < 10:
            return f"the {name} {self.pick(('is not', 's not', 'isnt', 'not', 'is off', 'stays not', 'are not'))}"
        if shape < 12:
            return f"{name} {self.pick(('off', 'gone', 'out', 'no more'))}"
        if shape < 13:
            return f"{self.pick(('be', 'is', 'it is', 'it', 'the ' + self.pick(NOUNS) + ' is', ''))} {self.pick(('away from the', 'away from', 'outside', 'outside the', 'out of', 'out of the', 'off', 'off the', 'not the'))} {name}"
        return f"{self.pick(('it', 'it s', 'it is', 'there s', 'there is', 'be'))} {self.pick(('not', 'no'))} {name} {self.leftover()}"

    def comparison(self, atom: Tree, mood: str, negative: bool) -> str:
        _, op, name, number = atom
        the = self.pick(("", "", "the", "the", "its", "the value of", "the level of", "the reading of"))
        unit = self.pick(("", "", "", "", "", "units", "degrees", "meters", "percent", "volts"))
        words = {
            ">": ("above", "over", "greater than", "more than", "higher than", "in excess of"),
            ">=": ("at least", "no less than", "greater than or equal to", "not below", "no lower than", "at or above"),
            "<": ("below", "under", "less than", "lower than", "smaller than", "short of"),
            "<=": ("at most", "no more than", "less than or equal to", "not above", "no higher than", "at or below", "not over"),
            "==": ("equal to", "exactly", "the same as", "precisely"),
        }[op]
        verbs = {">": ("exceeds", "tops", "goes over", "passes", "rises above", "is >"), ">=": ("reaches", "is >="),
                 "<": ("drops below", "falls below", "is <", "dips under"), "<=": ("does not exceed", "is <=", "doesn't exceed"),
                 "==": ("equals", "is ==")}[op]  # fmt: skip
        word = self.pick(words)
        if negative:
            if mood == "is":
                return f"{the} {name} {self.pick(('is not', 'isnt', 'is not'))} {word} {number} {unit}"
            return f"{the} {name} {self.pick(('must not be', 'cannot be', 'must not go', 'may not be', 'shall not be'))} {word} {number} {unit}"
        if mood in {"is", "bare"}:
            if self.roll() < 0.35:
                return f"{the} {name} {self.pick(verbs)} {number} {unit}"
            return f"{the} {name} {self.pick(('is', 'is', 'is', 'stays', 'goes', '', 'remains', 's'))} {word} {number} {unit}"
        be = self._be(mood)
        return f"{the} {name} {be} {word} {number} {unit}"

    # -- combinations --------------------------------------------------------------------------------

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        """A formula without temporal operators, as one clause."""
        op = tree[0]
        if op in ATOMS or is_literal(tree):
            return self.literal(tree, mood)
        if op == "and":
            return self._and(tree[1:], mood, depth)
        if op == "or":
            return self._or(tree[1:], mood, depth)
        if op == "->":
            return self._if(tree[1], tree[2], mood, depth)
        if op == "<->":
            left, right = self.state(tree[1], mood, depth + 1), self.state(tree[2], "is", depth + 1)
            word = self.pick(("if and only if", "exactly when", "precisely when", "just when", "if and only if"))
            return f"{left} {word} {right}"
        inner = tree[1]
        if inner[0] == "or" and len(inner) == 3 and all(x[0] in ATOMS for x in inner[1:]) and self.roll() < 0.6:
            a, b = self.state(inner[1], mood, depth + 1), self.state(inner[2], mood, depth + 1)
            return f"neither {a} nor {b}"
        if inner[0] == "and" and self.roll() < 0.5:
            a, b = self.state(inner[1], "is", depth + 1), self.state(("and", *inner[2:]) if len(inner) > 3 else inner[2], "is", depth + 1)
            return f"{self.pick(('not both', 'it is not true that both', 'never both' if mood == 'stay' else 'not both'))} {a} and {b}"
        return f"{self.pick(NOT_SO)} {self.state(inner, 'is', depth + 1)}"

    def _and(self, args: Sequence[Tree], mood: str, depth: int) -> str:
        said = [self.state(x, mood if i == 0 or self.roll() < 0.7 else "is", depth + 1) for i, x in enumerate(args)]
        if any(x[0] == "->" for x in args[:-1]) or (args[-1][0] == "->" and not self.casual):
            return self.pick((" , and ", " , and ", " and , ", " and ")).join(said)
        shared = self._shared(args, mood, "and") if self.lifted and self.roll() < 0.4 else ""
        if shared:
            return shared
        if len(said) == 2:
            roll = self.roll()
            second = args[1]
            if self.lifted and mood == "bare" and roll > 0.85 and is_literal(second):
                return f"{said[0]} {self.literal(second, 'bare')}"
            if self.lifted and roll < 0.2 and second[0] == "not" and second[1][0] == "p":
                name = second[1][1]
                return f"{said[0]} {self.pick(('without', 'with no', 'but not', 'and not', 'and no', 'but no', 'without the', 'without a', 'outside', 'without being', 'outside the', 'but outside', 'without an', 'without any'))} {name}"
            if self.lifted and roll < 0.24 and second[0] == "p":
                return f"{said[0]} {self.pick(('with', 'together with', 'along with', 'with the', 'along with the', 'while in', 'as well as', 'during', 'on', 'in', 'plus'))} {second[1]} {self.leftover()}"
            if roll < 0.3:
                return f"both {said[0]} and {said[1]}"
            if roll < 0.35:
                return f"{said[0]} and {said[1]} {self.pick(('together', 'at the same time', 'at once', 'simultaneously', 'at the same moment', 'at that moment', 'both'))}"
            word = self.pick(("and", "and", "and", "and", "and", "and", "while", "with", "but", ", and", "and also", "and at the same time", "as"))
            return f"{said[0]} {word} {said[1]}"
        sep = " , " if self.roll() < 0.85 else " and "
        return sep.join(said[:-1]) + self.pick((" and ", " and ", " , and ", " , " if self.casual else " , and ") if mood != "bare" else (" , ", " , ", " and ", " , and ")) + said[-1]

    def _shared(self, args: Sequence[Tree], mood: str, word: str) -> str:
        """Several atoms under one verb or one subject; empty where they have none in common."""
        word = self.pick((word, word, word, f"{word} also" if word == "and" else "or else", "as well as" if word == "and" else word))
        if all(x[0] == "p" for x in args):
            names = [f"{self.pick(('the', 'the', '', '', 'a', 'an', 'its'))} {x[1]}" for x in args]
            body = " , ".join(names[:-1]) + f" {word} " + names[-1]
            both = self.pick(("", "", "both")) if len(args) == 2 and word == "and" else ""
            roll = self.roll()
            be = {"is": ("are", "is", "are", "are being", "stay"), "bare": ("", "on", "are", "", "are on"), "stay": ("must stay", "must be", "must remain", "stay", "have to be", "have to stay")}.get(mood, ("must be", "must be", "have to be", "shall be", "must", "should be", "need to be", "are"))
            if roll < 0.6:
                verb = self.pick(be)
                if both and verb.endswith(" be"):
                    return f"{body} {verb.removesuffix(' be')} both be {self.leftover()}"
                return f"{body} {verb} {both} {self.leftover()}"
            if roll < 0.75 and mood != "bare":
                return f"{self.subject()} {self._be(mood)} {both} {body} {self.leftover()}"
            if roll < 0.9 and mood != "bare" and len(args) > 1:
                first = self.present(args[0][1], mood)
                rest = [f"{n} {self.pick(('', 'on', 'present', 'active', '', 'in', 'open'))}" for n in names[1:]]
                return f"{first} {', ' + ' , '.join(rest[:-1]) if len(rest) > 1 else ''} {word} {rest[-1]}"
            return f"{body} {self.pick(('together', 'at the same time', 'at once', 'both', 'jointly')) if word == 'and' else ''}" if mood == "bare" else ""
        relations = [x[1] if x[0] == "not" else x for x in args]
        if all(x[0] == "rel" for x in relations) and len({x[2][0] for x in relations}) == 1:
            said = self.literal(args[0], mood)
            for whole, atom in zip(args[1:], relations[1:], strict=True):
                no = "not" if whole[0] == "not" else ""
                said += f" {word} {no} {predicate(self, atom)}"
            return said
        return ""

    def _or(self, args: Sequence[Tree], mood: str, depth: int) -> str:
        shared = self._shared(args, mood, "or") if self.lifted and self.roll() < 0.35 else ""
        if shared:
            return f"either {shared}" if self.roll() < 0.15 and shared.lstrip().startswith("the") else shared
        said = [self.state(x, mood if i == 0 or self.roll() < 0.7 else "is", depth + 1) for i, x in enumerate(args)]
        mixed = any(not is_literal(x) for x in args)
        either = self.pick(("either ", "either ", "at least one of the following holds : ")) if self.roll() < (0.85 if mixed or depth else 0.25) else ""
        sep = " , or " if mixed else self.pick((" or ", " or ", " or ", " or ", " , or ", " or else "))
        if len(said) > 2 and self.roll() < 0.8:
            body = " , ".join(said[:-1]) + (" or " if not mixed else " , or ") + said[-1]
        else:
            body = sep.join(said)
        tail = self.pick((" , or both", " , possibly both", " or both", " ( or both )")) if self.roll() < 0.1 and len(said) == 2 and not depth else ""
        return f"{either}{body}{tail}"

    def _if(self, left: Tree, right: Tree, mood: str, depth: int) -> str:
        a, b = self.state(left, "is", depth + 1), self.state(right, mood, depth + 1)
        roll = self.roll()
        if roll < 0.45:
            return f"{self.pick(('if', 'if', 'if', 'if', 'when', 'in case', 'given that', 'provided that'))} {a} {self.pick((',', ',', 'then', ', then'))} {b}"
        if roll < 0.65:
            return f"{b} {self.pick(('if', 'if', 'whenever', 'when', 'in case', 'provided that', 'as long as', 'while'))} {a}"
        if roll < 0.85:
            return f"{a} {self.pick(('means', 'means', 'implies', 'means that', 'implies that', 'requires', 'only if', 'only while', 'only with'))} {b}"
        if left[0] == "not":
            return f"{b} unless {self.state(left[1], 'is', depth + 1)}"
        return f"{self.pick(('with', 'on', 'given'))} {a} , {b}"


NOT_SO = (
    "it is not the case that", "it is not true that", "it must not be the case that", "it must not happen that",
    "it is false that", "it is never allowed that", "not true that", "it must not be that",
)  # fmt: skip
__all__ = ["Clauses", "is_state"]
