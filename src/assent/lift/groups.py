"""One phrase for several names: "both pumps", "neither door", "the two pickups"; and pronouns that carry a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assent.lift.clauses import segments
from assent.lift.entries import Known, affirms, denies, match, words_of
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.opposites import OFF
from assent.lift.propose import has_content

# What is said before several things at once, and how their names are joined.
JOINTS = {
    **dict.fromkeys(("both", "all", "each", "every", "two", "three", "four", "five", "the"), "and"),
    **dict.fromkeys(("either", "any", "one", "some"), "or"),
    **dict.fromkeys(("neither", "no"), "nor"),
}
COUNTS = {"both": 2, "either": 2, "neither": 2, "two": 2, "three": 3, "four": 4, "five": 5}
_SINGULAR = frozenset("either neither each every any no".split())


TWINS = frozenset("twin counterpart companion mate fellow sibling".split())


def is_another(words: Sequence[Word], mention: Mention) -> bool:
    """Whether a mention is of the one that was not named before: "the other one", "its twin" (see ``others``)."""
    return mention.bound and words[mention.at[0]].text in TWINS | {"other", "left", "right"}


def several(words: Sequence[Word], mention: Mention, knowns: Sequence[Known]) -> tuple[list[Known], str]:
    """The entries that a mention speaks of together, and the word that joins them; empty where it speaks of one."""
    i = mention.at[0] if mention.bound else _noun(words, mention)
    text = words[i].text
    lead = [words[k].text for k in range(max(0, i - 3), i)]
    said = [t for t in lead if t in JOINTS and t != "the"]
    if mention.bound:
        return list(mention.group), _joint(words, i, said)
    plural = text.endswith("s") and not text.endswith("ss")
    if not (plural or (said and said[-1] in _SINGULAR and lead and lead[-1] in (*_SINGULAR, "of", "the"))):
        return [], ""
    level, stem = match(text, mention.known)
    if affirms(text, mention.known) or denies(text, mention.known):  # "nobody opens it"
        return [], ""
    if level < 0.9 or (plural and text in mention.known.words) or text in mention.known.states:
        return [], ""
    alike = [k for k in knowns if match(text, k)[1] == stem and of_a_kind(k, mention.known)]
    others = [words[j].text for j in mention.at if j != i]
    alike = [k for k in alike if all(match(t, k)[0] or affirms(t, k) or denies(t, k) for t in others)]
    count = next((COUNTS[t] for t in reversed(said) if t in COUNTS), None)
    if len(alike) < 2 or (count is not None and count != len(alike)) or _numbered(words, mention):
        return [], ""
    if _lettered(words, alike):
        return [], ""
    return alike, JOINTS[said[-1]] if said else "and"


def _noun(words: Sequence[Word], mention: Mention) -> int:
    """ "Have stopped both FANS": where a mention says its thing, behind a verb that says the state."""
    first, *rest = mention.at
    verb = affirms(words[first].text, mention.known) or denies(words[first].text, mention.known)
    behind = (i for i in rest if words[i - 1].text in ("both", "all", "either"))
    return next(behind, first) if verb else first


def both_again(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[Mention]:
    """ "Stop the lamp and the camera, and keep BOTH off": a state behind "both" is said of the two named before."""
    out: list[Mention] = []
    for mention in mentions:
        i = mention.at[0]
        alone = len(mention.at) == 1 and i and words[i - 1].text == "both" and not mention.bound
        two = _two_named(words, out, knowns) if alone else ()
        signs = {_sign(words[i].text, known) for known in two}
        if len(two) == 2 and len(signs) == 1 and None not in signs:
            mention = replace(mention, known=two[0], others=(), group=two, bound=True)
        out.append(mention)
    return out


def _sign(text: str, known: Known) -> bool | None:
    """Whether a word says the state of an entry or its opposite."""
    if known.number:
        return None
    return True if affirms(text, known) else False if denies(text, known) or text in OFF else None


def _two_named(
    words: Sequence[Word], before: Sequence[Mention], knowns: Sequence[Known]
) -> tuple[Known, ...]:
    """The two that were named last: as a group, or joined by "and" or "or"."""
    if not before:
        return ()
    group = tuple(several(words, before[-1], knowns)[0])
    if group or len(before) < 2:
        return group
    one, other = before[-2:]
    between = [word.text for word in words[one.at[-1] + 1 : other.at[0]]]
    more = any(word.text == "," for word in words[one.at[0] - 2 : one.at[0]]) and len(before) > 2
    joined_so = 0 < len(between) < 5 and bool({"and", "or", "nor"} & set(between)) and not more
    return (one.known, other.known) if joined_so and one.known is not other.known else ()


def unpaired(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[str]:
    """ "Both machines", "keep both stopped" where only one was found: what is said of the other is lost."""
    out = []
    for mention in mentions:
        i, known = mention.at[0], mention.known
        lead = words[i - 1].text if i else ""
        if known.number or not _speaks_of_two(words, i, known) or several(words, mention, knowns)[0]:
            continue
        out.append(
            f"'{lead} {words[i].text}' speaks of two, and only {known.entry.name} was found: name them"
        )
    return out


def _speaks_of_two(words: Sequence[Word], i: int, known: Known) -> bool:
    """Whether a thing or state stands alone behind "both" or "neither", and no list begins there."""
    lead, text = words[i - 1].text if i else "", words[i].text
    behind = [word.text for word in words[i + 1 : i + 9]]
    listed = behind[:1] in (["and"], [","], ["-"]) or (
        lead == "neither" and bool({"nor", "or", "and"} & set(behind))
    )
    if lead not in ("both", "neither") or listed:
        return False
    plural = text.endswith("s") and not text.endswith("ss")
    state = affirms(text, known) or denies(text, known) or text in OFF
    return state or (has_content(text) and plural == (lead == "both"))


def _joint(words: Sequence[Word], i: int, said: Sequence[str]) -> str:
    """How the names of a group are joined: "no process" speaks of neither, "at least one client" of one of them."""
    text = words[i].text
    if text in _BARE:
        return JOINTS[_BARE[text]]
    return "and" if not said or said[-1] == "one" else JOINTS[said[-1]]


# What stands for a group by itself, or with its noun, and how it is said before names.
_BARE = {"no": "neither", "neither": "neither", "both": "both", "either": "either", "each": "both"}


def of_a_kind(one: Known, other: Known) -> bool:
    """Names that differ in what tells them apart, not in what is said of them: entry_gate and exit_gate, fan_a."""
    first, second = words_of(one.entry.name), words_of(other.entry.name)
    if first == second:
        return True
    if len(first) == len(second) and denies(second[-1], one):  # left_door_open, right_door_shut
        first, second = (*first[:-1], ""), (*second[:-1], "")
    differing = [k for k, (a, b) in enumerate(zip(first, second, strict=False)) if a != b]
    if len(first) != len(second) or len(differing) != 1:
        return False
    return differing[0] < len(first) - 1 or first[-1].isdigit() or _letters(first[-1], second[-1])


def _letters(*labels: str) -> bool:
    return all(len(label) == 1 and label.isalpha() for label in labels)


def _lettered(words: Sequence[Word], alike: Sequence[Known]) -> bool:
    """ "A requests", "one of the two beds, A or B": letters that tell the names of a group apart say which is meant."""
    labels = {words_of(known.entry.name)[-1] for known in alike}
    said = {word.text for word in words if word.text != "a" or word.written == "A"}
    return _letters(*labels) and bool(labels & said)


def _numbered(words: Sequence[Word], mention: Mention) -> bool:
    """ "Pumps 1 and 2" gives their numbers."""
    i = mention.at[0]
    return i + 1 < len(words) and (words[i + 1].value is not None or words[i + 1].text.isdigit())


def leading(words: Sequence[Word], mention: Mention) -> tuple[str, ...]:
    """What stands before the names of a group: "neither" for "no process", "one OF" for "one process"."""
    i = mention.at[0]
    if not mention.group:
        return ()
    if words[i].text in _BARE:
        return (_BARE[words[i].text],)
    return ("of",) if i and words[i - 1].text == "one" else ()


def joined(tokens: Sequence[str], joint: str) -> tuple[str, ...]:
    """Tokens as a list: "a , b and c"."""
    out: list[str] = []
    for token in tokens[:-1]:
        out += [token, ","] if token is not tokens[-2] else [token]
    return (*out, joint, tokens[-1])


def pronouns(words: Sequence[Word], mentions: Sequence[Mention]) -> list[Mention]:
    """ "It goes down": a pronoun with the opposite of just one state that was named before, and with no other one."""
    used = {i for m in mentions for i in (*m.at, *(() if m.denied is None else (m.denied,)))}
    out: list[Mention] = []
    for segment in segments(words):
        for i in segment:
            if words[i].text not in ("it", "they"):
                continue
            for j in (j for j in segment if i < j <= i + 3 and j not in used):
                before = {m.known.entry.name: m.known for m in mentions if m.at[-1] < i}
                meant = [known for known in before.values() if denies(words[j].text, known)]
                if len(meant) == 1 and not any(affirms(words[j].text, known) for known in before.values()):
                    out.append(Mention(meant[0], (i,), denied=j))
                    break
    return out


def bound(words: Sequence[Word], mentions: Sequence[Mention], knowns: Sequence[Known]) -> list[Mention]:
    """See ``bearers``, which is loaded where names may differ in an index or in who bears them."""
    names = [words_of(known.entry.name) for known in knowns]
    first = {name[0] for name in names}
    if len(first) == len(names) and not any(word.isdigit() for name in names for word in name):
        return list(mentions)
    from assent.lift import bearers

    return bearers.bound(words, mentions, knowns)
