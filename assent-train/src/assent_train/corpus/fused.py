"""Operators that are said with the verb of a relation, in note form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assent_train.corpus.plan_windows import Ops
from assent_train.corpus.trees import Tree

if TYPE_CHECKING:
    from assent_train.corpus.plan_brief import Brief


@dataclass(frozen=True)
class Fused:
    """The parts of such a sentence: the first object, what is said of it, an adverb, and when."""

    name: str
    how: str
    still: str
    when: str


def fused(voice: Brief, ops: Ops, atom: Tree, negative: bool, now: bool, role: str) -> str:
    """Operators said with the verb of a relation; empty where there is no such way."""
    a, how = voice._name(atom[2][0]), voice._how(atom, negative, True)
    word = "".join(op for op, _ in ops)
    span = ops[0][1]
    still = (
        (" " + voice.words("fused_still") + " ")
        if role == "kept"
        else (" " + voice.words("fused_still_2") + " ")
    )
    when = voice.once_at(span, now) if span else ""
    said = Fused(a, how, still, when)
    match word:
        case "F":
            return _once(voice, ops, said, role)
        case "G":
            return _always(voice, ops, said, atom, negative, now, role)
        case "FG":
            return _settled(voice, ops, said)
        case "GF":
            return _again(voice, ops, said, now, role)
        case "GG" | "FF":
            return _twice(voice, ops, said, atom, negative, now, role)
        case _:
            return ""


def _once(voice: Brief, ops: Ops, said: Fused, role: str) -> str:
    """Some time."""
    a, how, still, when = said.name, said.how, said.still, said.when
    span = ops[0][1]
    forms = 5 * [
        lambda: voice.words(
            "once_3",
            a=a,
            still=still,
            how=how,
            when=when,
            part=when or "sometime",
            part2="on its way" if not span else "coming " + when,
        )
    ]
    if span and span[1] != "inf":
        forms.append(
            lambda: voice.words(
                "once_4",
                a=a,
                how=how,
                part=lambda: voice._range(span) if span[0] != "0" else "up to " + voice._n(span[1]),
            )
        )
        if span[0] == "0":
            forms.append(
                lambda: voice.words("once_5", a=a, still=still, n=lambda: voice._n(span[1]), how=how)
            )
    elif span is None:
        forms.append(lambda: voice.words("once_6", when1=role in {"fact", "goal", "arm"}, a=a, how=how))
    return voice.pick(forms)()


def _always(voice: Brief, ops: Ops, said: Fused, atom: Tree, negative: bool, now: bool, role: str) -> str:
    """All the time."""
    a, how, span = said.name, said.how, ops[0][1]
    if span is None:
        return voice.words(
            "always_7",
            negative=negative,
            a=a,
            how=lambda: voice._how(atom, False, True),
            how2=how,
            when1=not negative,
            when2=role in {"fact", "goal", "arm"},
            all_at=lambda: voice.all_at(None, now),
        )
    return voice.words(
        "always_8",
        a=a,
        how=how,
        all_at=lambda: voice.all_at(span, now),
        part="" if role in {"fact", "goal", "arm"} else "keep",
    )


def _settled(voice: Brief, ops: Ops, said: Fused) -> str:
    """Some time, and all the time from then."""
    a, how, still, when = said.name, said.how, said.still, said.when
    span, last = ops[0][1], ops[-1][1]
    on = "for good" if last is None else voice.all_at(last, False)
    forms = 3 * [
        lambda: voice.words("settled", a=a, how=how, on=on, when=when, still=still, part=when or "sometime")
    ]
    if span and span[0] == "0":
        forms += [
            lambda: voice.words("settled_2", a=a, still=still, n=lambda: voice._n(span[1]), how=how, on=on)
        ]
    elif span and span[1] != "inf":
        forms += [lambda: voice.words("settled_3", a=a, range=lambda: voice._range(span), how=how, on=on)]
    if last is None:
        forms += 3 * [
            lambda: voice.words(
                "settled_4",
                a=a,
                how=how,
                part=when or "sometime",
                part2=when or "in the end",
                still=still,
                when=when,
            )
        ]
    elif last[0] == "0" and span and span[0] == "0":
        forms += 2 * [
            lambda: voice.words(
                "settled_5",
                a=a,
                still=still,
                n=lambda: voice._n(span[1]),
                n2=lambda: voice._n(last[1]),
                how=how,
            )
        ]
    return voice.pick(forms)()


def _again(voice: Brief, ops: Ops, said: Fused, now: bool, role: str) -> str:
    """At every time, some time later."""
    a, how = said.name, said.how
    span, last = ops[0][1], ops[-1][1]
    if span is None:
        if last is None:
            due = f"{a} is always due {how}" if role != "kept" else f"{a} keeps getting {how} for ever"
            return voice.words("again_4", a=a, how=how, due=due)
        if role == "kept":
            return voice.words("again_5", a=a, how=how, once_at=lambda: voice.once_at(last, False))
        forms = 4 * [lambda: voice.words("again_6", a=a, how=how, once_at=lambda: voice.once_at(last, False))]
        if last[0] == "0":
            d = voice._n(last[1])
            forms += 4 * [lambda: voice.words("again_7", a=a, d=d, how=how)]
        elif last[1] != "inf":
            forms += [lambda: voice.words("again_8", a=a, range=lambda: voice._range(last), how=how)]
        return voice.pick(forms)()
    return voice.words(
        "again_9",
        all_at=lambda: voice.all_at(span, now),
        a=a,
        part=lambda: (
            " " + voice.words("again_part") + " " if last else " " + voice.words("again_part_2") + " "
        ),
        how=how,
        part2=lambda: voice.once_at(last, False) if last else "",
    )


def _twice(voice: Brief, ops: Ops, said: Fused, atom: Tree, negative: bool, now: bool, role: str) -> str:
    """The same operator twice."""
    a, how, still = said.name, said.how, said.still
    word = "".join(op for op, _ in ops)
    span, last = ops[0][1], ops[-1][1]
    if word == "GG" and ops[0][1] is None and last is not None and last[0] == "0":
        return voice.words(
            "twice",
            part="" if role in {"fact", "goal", "arm"} else "keep",
            a=a,
            how=how,
            n=lambda: voice._n(last[1]),
        )
    if (
        word == "GG"
        and ops[0][1] is None
        and negative
        and last is not None
        and last[0] == "0"
        and voice.roll() < 0.5
    ):
        return voice.words(
            "twice_2", a=a, how=lambda: voice._how(atom, False, True), n=lambda: voice._n(last[1])
        )
    if word == "FF" and span and last and "inf" not in {span[1], last[1]} and voice.roll() < 0.4:
        first, more = (voice._range(x) if x[0] != "0" else f"up to {voice._n(x[1])}" for x in (span, last))
        return voice.words("twice_3", a=a, how=how, first=first, more=more)
    if word == "FF" and last is None and span and span[1] != "inf" and voice.roll() < 0.4:
        x = voice._range(span) if span[0] != "0" else voice.words("twice_x", n=lambda: voice._n(span[1]))
        return (
            voice.words("twice_4", a=a, still=still, how=how, x=x)
            if not x.startswith("within")
            else f"{a} is {still}due {how} sometime past {voice._point(span, now)}"
        )
    return f"{a} is {'due ' if word == 'FF' and voice.roll() < 0.4 else ''}{how} {voice.header(ops, now)}"
