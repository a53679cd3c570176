"""Orders that something shall not be: "block the mixer and the fan", "both are frozen", "lock out the pump".

English has many verbs for one denial, and a table of states holds few of them. Where a thing that knows no such state
of its own is ordered so, they are read as "stop", which every thing of a list takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assent.lift.entries import Known, affirms, denies, match
from assent.lift.figures import Word
from assent.lift.stems import stem

_VERBS = {
    verb: said
    for said, verbs in {
        "stop": """block inhibit disable suppress prohibit forbid bar ban suspend deactivate freeze veto withhold
            prevent interrupt disallow""",
        "stops": """blocks inhibits disables suppresses prohibits forbids bars bans suspends deactivates freezes vetoes
            withholds prevents interrupts disallows""",
    }.items()
    for verb in verbs.split()
}
_PHRASAL = {
    "lock": "out",
    "locks": "out",
    "hold": "back off",
    "holds": "back off",
    "rule": "out",
    "call": "off",
    "calls": "off",
    "put": "off",
}
_BROKEN = frozenset("blocked frozen vetoed interrupted suspended inhibited disabled deactivated".split())
_BROKEN_OFF = {("held", "back"), ("held", "off"), ("locked", "out"), ("without", "power")}
TRIGGERS = frozenset([*_VERBS, *_PHRASAL, *_BROKEN, *(first for first, _ in _BROKEN_OFF)])
_DETERMINERS = frozenset("the its all both any every their either each his her this that these those".split())
_LEADS = frozenset(
    """
    shall must should will to and or then not never also , ; : . - immediately instantly promptly please
    """.split()
)
_BE = frozenset("be is are was were been being stay stays remain remains kept stand stands gets get".split())
_ENDS = frozenset("if when whenever while unless until till before after once ; : . ?".split())


def stopped(words: Sequence[Word], knowns: Sequence[Known]) -> list[Word]:
    """The words with such verbs as forms of "stop"."""
    out: list[Word] = []
    skip = False
    for i, word in enumerate(words):
        if skip:
            skip = False
            continue
        said, length = _order(words, i) if word.text in TRIGGERS else ("", 0)
        thing = _thing(words, i, length, knowns, behind=said != "stopped") if said else []
        if not thing or any(_knows(known, word.text) for known in thing):
            out.append(word)
            continue
        end = words[i + length - 1].end
        out.append(replace(word, text=said, end=end))
        skip = length == 2
    return out


def _order(words: Sequence[Word], i: int) -> tuple[str, int]:
    """The form of "stop" that stands for the verb there, and how many words it takes; ("", 0) where it is none."""
    text = words[i].text
    before = words[i - 1].text if i else ","
    after, behind = (words[k].text if k < len(words) else "" for k in (i + 1, i + 2))
    if before in _BE and text in _BROKEN:
        return "stopped", 1
    if before in _BE and (text, after) in _BROKEN_OFF:
        return "stopped", 2
    form = "stops" if text.endswith("s") else "stop"
    leads = before not in _DETERMINERS if form == "stops" else before in _LEADS
    if not leads:
        return "", 0
    if after in _PHRASAL.get(text, "").split() and behind in _DETERMINERS:
        return form, 2
    if text in _VERBS and after in _DETERMINERS and not _from(words, i):
        return form, 1
    return "", 0


def _from(words: Sequence[Word], i: int) -> bool:
    """ "Prevent the pump FROM running", which is read as it stands."""
    for word in words[i + 1 : i + 12]:
        if word.text == "from":
            return True
        if word.text in _ENDS:
            return False
    return False


def _thing(
    words: Sequence[Word], i: int, length: int, knowns: Sequence[Known], *, behind: bool
) -> list[Known]:
    """The entries that the nearest word of a name speaks of: behind an order, before a state."""
    places = (
        range(i + length, min(i + length + 6, len(words))) if behind else range(i - 1, max(-1, i - 7), -1)
    )
    for k in places:
        if words[k].text in _ENDS:
            return []
        found = [known for known in knowns if not known.number and match(words[k].text, known)[0] >= 0.9]
        if found:
            return [] if not behind and _has_state(words, k, found) else found
    return []


def _has_state(words: Sequence[Word], k: int, knowns: Sequence[Known]) -> bool:
    """ "The door OPEN is blocked", "an OPEN door is inhibited": it is the state that must not be."""
    said = [words[n].text for n in (k - 1, k) if n >= 0]
    return any(
        t not in known.subject and (t in known.states or affirms(t, known) or denies(t, known))
        for t in said
        for known in knowns
    )


def _knows(known: Known, text: str) -> bool:
    """Whether the verb says a state of the entry itself, or the entry is none that stops: "block the gate"."""
    base = text.removesuffix("s") if text in _VERBS else text
    forms = (text, f"{base}ed", f"{base.removesuffix('e')}ed", f"{base}{base[-1]}ed")
    own = stem(base) in known.stems or any(form in known.words for form in forms)
    affirmed = any(affirms(form, known) for form in forms)
    told = any(denies(form, known) for form in forms) and text not in _VERBS
    return own or affirmed or told or not denies("stopped", known)
