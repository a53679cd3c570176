"""What is lacking: "without a lid" and "lidless" say lid_off, "no power" power_lost; a lid in place denies lid_off."""

from __future__ import annotations

from collections.abc import Sequence

from assent.lift.clauses import BREAKS
from assent.lift.entries import Known, affirms, match
from assent.lift.figures import Word
from assent.lift.linker import Mention
from assent.lift.stems import stem

# States of a name that say that something is not there, or not enough of it.
_ABSENT = frozenset("off missing gone absent removed lost away empty low".split())
_PRESENT = frozenset("present there here @place".split())
_WITHOUT = frozenset("without no missing lacking lacks lack".split())
_BETWEEN = frozenset("a an any the its his her their".split())
_BE = frozenset("is are was were be been being stay stays remain remains stand stands 's".split())


def lacking(words: Sequence[Word], mention: Mention) -> int | None:
    """The word that says that the thing of a name is not there, where just that is its state."""
    known = mention.known
    if not _absent(known) or any(_says_state(words[i].text, known) for i in mention.at):
        return None
    less = [i for i in mention.at if words[i].text.endswith("less") and match(words[i].text, known)[0]]
    inside = [i for i in mention.at if words[i].text in _WITHOUT]
    before = _before(words, mention)
    if less or inside:
        return (less or inside)[0]
    return before if before is not None and words[before].text in _WITHOUT else None


def done_without(words: Sequence[Word], mention: Mention) -> int | None:
    """ "The ferry must be without passengers": a state, which the word denies."""
    i = _before(words, mention)
    stands = i is not None and i > 0 and words[i].text == "without" and words[i - 1].text in _BE
    return i if stands else None


def is_missed(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "Without a cup" speaks of cup_present: of what is there or not, the thing says it all."""
    if known.number or not known.states or not all(state in _PRESENT for state in known.states):
        return False
    level, said = match(words[i].text, known)
    things = known.named - {stem(state) for state in known.states}
    before = _first_before(words, i)
    return level >= 0.9 and things == {said} and before is not None and words[before].text in _WITHOUT


def in_place(words: Sequence[Word], mention: Mention) -> int | None:
    """ "The lid stays in place", "leave the hat where it is": what may be off is on."""
    if "off" not in mention.known.states or any(words[i].text in mention.known.states for i in mention.at):
        return None
    behind = range(mention.at[-1] + 1, min(mention.at[-1] + 5, len(words) - 1))
    for i in behind:
        if words[i].text in BREAKS:
            return None
        said = " ".join(w.text for w in words[i : i + 3])
        if said == "where it is" or (words[i].text == "in" and words[i + 1].text == "place"):
            return i + 1
    return None


def _before(words: Sequence[Word], mention: Mention) -> int | None:
    return _first_before(words, mention.at[0])


def _first_before(words: Sequence[Word], i: int) -> int | None:
    """The word before an article and what it belongs to."""
    at = i - 1
    while at > 0 and words[at].text in _BETWEEN:
        at -= 1
    return at if at >= 0 else None


def _absent(known: Known) -> bool:
    return not known.number and bool(known.states) and all(state in _ABSENT for state in known.states)


def _says_state(text: str, known: Known) -> bool:
    return text in known.states or (affirms(text, known) and text not in _WITHOUT)
