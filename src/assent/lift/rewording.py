"""What is said in other words before names are looked for: emphasis, orders to stop, signs of formulas.

What few texts need is loaded where a word calls for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assent.lift.entries import Known
from assent.lift.figures import Word

# Without one of these nothing is only stressed.
_STRESSING = frozenset(
    "inclusive inclusively included including allowed okay ok fine even moment second instant exists then".split()
)


def without_emphasis(words: list[Word]) -> list[Word]:
    """See ``emphasis``, which is loaded where there may be any."""
    if not _STRESSING & {word.text for word in words}:
        return words
    from assent.lift import emphasis

    return emphasis.without_emphasis(words)


# Without one of these nothing is stopped in other words than usual.
_STOPPING = frozenset(
    """
    block blocks inhibit inhibits disable disables suppress suppresses prohibit prohibits forbid forbids bar bars ban
    bans suspend suspends deactivate deactivates freeze freezes veto vetoes withhold withholds prevent prevents
    interrupt interrupts disallow disallows lock locks hold holds rule call calls blocked frozen vetoed
    interrupted suspended inhibited disabled deactivated held locked without put
    """.split()
)


def stopped(words: list[Word], knowns: Sequence[Known]) -> list[Word]:
    """See ``orders``, which is loaded where there may be any."""
    if not _STOPPING & {word.text for word in words}:
        return words
    from assent.lift import orders

    return orders.stopped(words, knowns)


def at_first(words: Sequence[Word]) -> list[Word]:
    """ "The heater starts out off" is initially off."""
    out = list(words)
    for i in range(len(words) - 1):
        if words[i].text in ("starts", "start") and words[i + 1].text == "out":
            out[i], out[i + 1] = replace(words[i], text="is"), replace(words[i + 1], text="initially")
    return out


def signs_in_words(words: Sequence[Word]) -> list[Word]:
    """ "!pump_on" is not pump_on; "alarm!!" and "Stop!Now" only shout."""
    return [
        replace(word, text="not") if word.text == "!" and _opens_a_word(words, i) else word
        for i, word in enumerate(words)
    ]


def _opens_a_word(words: Sequence[Word], i: int) -> bool:
    """Whether a sign touches the word behind it, and none before it."""
    apart = i == 0 or words[i - 1].end < words[i].start or words[i - 1].text in ("(", "[", "&", "|", ">")
    touches = i + 1 < len(words) and words[i + 1].start == words[i].end
    return apart and touches and words[i + 1].text[:1].isalpha()
