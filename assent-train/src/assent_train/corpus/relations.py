"""Wordings of the spatial relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.trees import Tree

if TYPE_CHECKING:
    from assent_train.corpus.clauses import Clauses

# Predicates after a form of "be".
BE = {
    "leftOf": ("left of", "left of", "to the left of", "on the left of", "on the left side of", "on the left hand side of"),
    "rightOf": ("right of", "right of", "to the right of", "on the right of", "on the right side of", "on the right hand side of"),
    "above": ("above", "above", "above", "over", "higher than", "on top of"),
    "below": ("below", "below", "below", "under", "underneath", "beneath", "lower than"),
    "closeTo": ("close to", "close to", "near", "near", "next to", "near to", "in the vicinity of", "nearby", "beside"),
    "farFrom": ("far from", "far from", "far away from", "away from", "well away from", "at a distance from", "well clear of"),
    "touch": ("touching", "touching", "in contact with", "in touch with", "in contact with", "against"),
    "ovlp": ("overlapping", "overlapping", "overlapping with", "in overlap with"),
    "partOvlp": ("partly overlapping", "partially overlapping", "partly over", "overlapping part of", "in partial overlap with", "partially inside", "half overlapping"),
    "enclIn": ("inside", "inside", "fully inside", "fully inside", "within", "enclosed in", "fully enclosed in", "in", "enclosed by", "completely inside", "entirely inside", "contained in", "fully enclosed by", "wholly within"),
    "oriented": ("oriented toward", "oriented towards", "facing", "facing toward", "pointed at", "turned toward", "pointing at", "aligned with", "oriented to"),
}  # fmt: skip
# Verbs: third person, infinitive.
VERB = {
    "touch": (("touches", "touch"), ("contacts", "contact"), ("is touching", "be touching")),
    "ovlp": (("overlaps", "overlap"), ("overlaps with", "overlap with"), ("is overlapping", "be overlapping")),
    "partOvlp": (("partly overlaps", "partly overlap"), ("partially overlaps", "partially overlap"), ("overlaps part of", "overlap part of"), ("partly overlaps with", "partly overlap with")),
    "oriented": (("faces", "face"), ("points at", "point at"), ("is oriented toward", "be oriented toward")),
    "enclIn": (("lies inside", "lie inside"), ("sits inside", "sit inside"), ("rests in", "rest in")),
    "closeTo": (("stays near", "stay near"), ("gets close to", "get close to"), ("stays close to", "stay close to")),
    "farFrom": (("stays far from", "stay far from"), ("keeps away from", "keep away from"), ("stays away from", "stay away from")),
    "leftOf": (("lies left of", "lie left of"), ("sits to the left of", "sit to the left of")),
    "rightOf": (("lies right of", "lie right of"), ("sits to the right of", "sit to the right of")),
    "above": (("sits above", "sit above"), ("hovers over", "hover over")),
    "below": (("lies below", "lie below"), ("sits under", "sit under")),
}  # fmt: skip
DISTANCE = {
    "<=": ("at most", "no more than", "not over", "less than or equal to", "not more than", "up to", "a maximum of"),
    "<": ("less than", "below", "under", "smaller than", "strictly less than"),
    ">=": ("at least", "no less than", "not under", "greater than or equal to", "a minimum of"),
    ">": ("more than", "above", "over", "greater than", "larger than", "in excess of"),
    "==": ("exactly", "equal to", "precisely"),
}  # fmt: skip
IS = (*("is",) * 16, "'s", "s", "gets", "stays", "are", "lies", "remains")
IS_NOT = ("is not", "is not", "isn't", "is n't", "isn t", "s not", "'s not", "is not")
MUST = (
    *("must be",) * 14, "has to be", "shall be", "should be", "needs to be", "is", "will be",
    "must get", "has to get", "must lie", "ought to be", "have to be", "is to be", "must come to be", "must move",
)  # fmt: skip
STAY = (
    *("must be",) * 8, "must stay", "must stay", "must stay", "must remain", "has to stay", "stays", "is kept", "must be kept", "remains", "shall stay",
    "has to be", "is", "has to remain", "keeps", "must keep", "shall be", "should stay", "should be", "needs to stay",
)  # fmt: skip
MUST_NOT = (
    "must not be", "must not be", "must not be", "may not be", "shall not be", "cannot be", "is not to be", "has to be not",
    "must stay not", "should not be", "must not get", "must not come", "is not", "can't be", "must be not", "has to not be",
)  # fmt: skip
HELPERS = ("must", "must", "has to", "shall", "should", "needs to", "will", "ought to", "have to", "is to")


def relation(voice: Clauses, atom: Tree, mood: str, negative: bool, when: str = "") -> str:
    """A relation (or its negation) as a clause."""
    pick, roll = voice.pick, voice.roll

    def the(name: str) -> str:
        return name if roll() < (0.55 if voice.casual else 0.2) else f"the {name}"

    if atom[0] == "dist":
        return _distance(voice, atom, mood, negative)
    name, args = atom[1], atom[2]
    a, rest = the(args[0]), [the(x) for x in args[1:]]
    never = "not " if negative else ""
    if when:  # an adverb inside the verb
        fact = mood in {"is", "bare"}
        if name in VERB and not fact and roll() < 0.4:
            return f"{a} {pick(HELPERS)} {when} {never}{pick(VERB[name])[1]} {rest[0]}"
        return f"{a} {'is' if fact else pick(HELPERS)} {when} {never}{'' if fact else 'be '}{_object(voice, name, rest)}"
    if mood == "infinitive":  # after "have" / "let" / "see"
        if name in VERB and roll() < 0.5:
            return f"{a} {never}{pick(VERB[name])[1]} {rest[0]}"
        return f"{a} {never}{pick(('', 'be ', ''))}{_object(voice, name, rest)}"
    if mood == "being":
        return f"{a} {never}being {_object(voice, name, rest)}"
    if mood == "keep":  # after "keep" / "have" / "get": an object and a predicate
        return _kept(voice, name, a, rest, negative)
    if (mood == "bare" or voice.casual) and roll() < 0.55:
        return f"{a} {never}{_object(voice, name, rest)}" if roll() < 0.7 else f"{a} {pick(IS_NOT if negative else IS)} {_object(voice, name, rest)}"
    if name in VERB and roll() < 0.4:
        third, infinitive = pick(VERB[name])
        if negative:
            helper = pick(("does not", "doesn't", "does n't", "never" if mood == "stay" else "does not")) if mood in {"is", "bare"} else pick(("must not", "may not", "shall not", "must never" if mood == "stay" else "must not", "cannot"))
            return f"{a} {helper} {infinitive} {rest[0]}"
        return f"{a} {third} {rest[0]}" if mood in {"is", "bare"} or roll() < 0.1 else f"{a} {pick(HELPERS)} {infinitive} {rest[0]}"
    if negative:
        be = pick(IS_NOT[:7]) if mood in {"is", "bare"} else pick(MUST_NOT)
        if roll() < 0.08 and mood != "bare":
            return f"{a} {pick(('is' , 'must be'))} {pick(('outside', 'out of'))} {rest[0]}" if name == "enclIn" else f"{a} {be} {_object(voice, name, rest)}"
    else:
        be = pick(IS) if mood in {"is", "bare"} else pick(STAY if mood == "stay" else MUST)
    return f"{a} {be} {_object(voice, name, rest)}"


def _kept(voice: Clauses, name: str, a: str, rest: list[str], negative: bool) -> str:
    """An object and a predicate."""
    pick, roll = voice.pick, voice.roll
    if negative and roll() < 0.4:
        if name == "enclIn":
            return f"{a} {pick(('out of', 'out of', 'outside', 'from being inside'))} {rest[0]}"
        return f"{a} from {'touching' if name == 'touch' and roll() < 0.6 else 'being ' + _object(voice, name, rest).removesuffix(rest[-1])} {rest[-1]}"
    return f"{a} {'not ' if negative else ''}{_object(voice, name, rest)}"


def predicate(voice: Clauses, atom: Tree) -> str:
    """What is said of the first object, without naming it."""
    return _object(voice, atom[1], [x if voice.roll() < 0.4 else f"the {x}" for x in atom[2][1:]])


def _object(voice: Clauses, name: str, rest: list[str]) -> str:
    if name == "between":
        return voice.words("object", name=rest[0], name2=rest[1])
    if name == "closerTo":
        to, than = voice.pick((("closer to", "than to"), ("closer to", "than to"), ("nearer to", "than to"), ("closer to", "than")))
        return f"{to} {rest[0]} {than} {rest[1]}"
    return f"{voice.pick(BE[name])} {rest[0]}"


def _distance(voice: Clauses, atom: Tree, mood: str, negative: bool) -> str:
    _, op, a, b, number = atom
    pick = voice.pick
    a, b = (x if voice.roll() < 0.4 else f"the {x}" for x in (a, b))
    unit = pick(("", "", "", "units", "meters", "m", "metres", "cm"))
    amount = f"{pick(DISTANCE[op])} {number} {unit}"
    be = ("is" if mood in {"is", "bare"} else pick(STAY if mood == "stay" else MUST))
    if negative:
        be = "is not" if mood in {"is", "bare"} else "must not be"
    shape = voice.rng.randrange(4)
    if shape == 0 and op in {"<=", "<"}:
        return f"{a} {be} {pick(('within', 'within', 'not farther than'))} {number} {unit} {pick(('of', 'of', 'from'))} {b}" if op == "<=" else f"{a} {be} closer than {number} {unit} to {b}"
    if shape == 1:
        return f"{a} {be} {amount} {pick(('away from', 'from', 'apart from', 'distant from'))} {b}"
    if shape == 2:
        return f"{a} and {b} {be} {amount} apart"
    return f"{pick(('the distance between', 'the distance from', 'distance between', 'the gap between'))} {a} {pick(('and', 'and', 'to'))} {b} {be} {amount}"
