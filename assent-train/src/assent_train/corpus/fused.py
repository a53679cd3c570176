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
    still = voice.pick(("still ", "always ", "")) if role == "kept" else voice.pick(("", "", "still "))
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
    forms = [f"{a} is {still}due {how} {when}", f"{a} is {still}due {how} {when}", f"{a} is bound to be {how} {when or 'sometime'}", f"{a} {how} is {'on its way' if not span else 'coming ' + when}", f"{a} gets {how} {when or 'sometime'}"]
    if span and span[1] != "inf":
        forms.append(f"{a} {how} is {voice._range(span) if span[0] != '0' else 'up to ' + voice._n(span[1])} {voice.pick(('off', 'away'))}")
        if span[0] == "0":
            forms.append(f"{a} is {still}within {voice._n(span[1])} of being {how}")
    elif span is None:
        forms.append(f"{a} is ever going {how}" if role in {"fact", "goal", "arm"} else f"{a} is {how} sooner or later")
    return voice.pick(forms)


def _always(voice: Brief, ops: Ops, said: Fused, atom: Tree, negative: bool, now: bool, role: str) -> str:
    """All the time."""
    a, how, span = said.name, said.how, ops[0][1]
    if span is None:
        return voice.pick((f"{a} is never {voice._how(atom, False, True)}" if negative else f"{a} stays {how} for good", f"{a} stays {how}" if not negative else f"{a} never gets {voice._how(atom, False, True)}", f"{a} is {how} for good", f"{a} is {how} {voice.all_at(None, now)}" if role in {"fact", "goal", "arm"} else f"keep {a} {how} {voice.all_at(None, now)}"))
    return voice.pick((f"{a} is {how} {voice.all_at(span, now)}", f"{a} stays {how} {voice.all_at(span, now)}", f"{'' if role in {'fact', 'goal', 'arm'} else 'keep'} {a} {how} {voice.all_at(span, now)}"))


def _settled(voice: Brief, ops: Ops, said: Fused) -> str:
    """Some time, and all the time from then."""
    a, how, still, when = said.name, said.how, said.still, said.when
    span, last = ops[0][1], ops[-1][1]
    on = "for good" if last is None else voice.all_at(last, False)
    forms = [f"{a} ends up {how} {on} {when}", f"{a} is {still}due to end up {how} {on} {when}", f"{when or 'sometime'} {a} is {how} {on}"]
    if span and span[0] == "0":
        forms += [f"{a} is {still}within {voice._n(span[1])} of {voice.pick(('staying', 'being'))} {how} {on}"]
    elif span and span[1] != "inf":
        forms += [f"{a} is {voice._range(span)} from staying {how} {on}"]
    if last is None:
        forms += [f"{a} {voice.pick(('settles', 'winds up', 'comes to rest', 'ends', 'locks in', 'lands'))} {how} for good {when or 'sometime'}", f"{a} is {how} for good {when or 'in the end'}", f"{a} is {still}on its way to staying {how} {when}"]
    elif last[0] == "0" and span and span[0] == "0":
        forms += [f"{a} is {still}within {voice._n(span[1])} of {voice._n(last[1])} {how}", f"{a} is {still}within {voice._n(span[1])} of {voice._n(last[1])} straight {how}"]
    return voice.pick(forms)


def _again(voice: Brief, ops: Ops, said: Fused, now: bool, role: str) -> str:
    """At every time, some time later."""
    a, how = said.name, said.how
    span, last = ops[0][1], ops[-1][1]
    if span is None:
        if last is None:
            due = f"{a} is always due {how}" if role != "kept" else f"{a} keeps getting {how} for ever"
            return voice.pick((f"{a} keeps getting {how}", due, f"{a} is {how} again and again", f"{a} keeps being {how} , again and again", f"{a} keeps returning {how}"))
        if role == "kept":
            return f"at every point {a} is {voice.pick(('', 'due '))}{how} {voice.once_at(last, False)}"
        forms = [f"{a} is always {how} {voice.once_at(last, False)}", f"{a} is always due {how} {voice.once_at(last, False)}", f"{a} always gets {how} {voice.once_at(last, False)}", f"{a} {how} is always coming {voice.once_at(last, False)}"]
        if last[0] == "0":
            d = voice._n(last[1])
            forms += [f"{a} never goes over {d} without being {how}", f"{a} is never more than {d} from being {how}", f"{a} is always within {d} of being {how}", f"{a} is always {d} at most from being {how}"]
        elif last[1] != "inf":
            forms += [f"{a} is always {voice._range(last)} {voice.pick(('from', 'away from', 'off'))} being {how}"]
        return voice.pick(forms)
    return f"{voice.all_at(span, now)} {a} is always {voice.pick(('', 'due ') if last else ('due ', 'still due '))}{how} {voice.once_at(last, False) if last else ''}"


def _twice(voice: Brief, ops: Ops, said: Fused, atom: Tree, negative: bool, now: bool, role: str) -> str:
    """The same operator twice."""
    a, how, still = said.name, said.how, said.still
    word = "".join(op for op, _ in ops)
    span, last = ops[0][1], ops[-1][1]
    if word == "GG" and ops[0][1] is None and last is not None and last[0] == "0":
        return voice.pick((f"{'' if role in {'fact', 'goal', 'arm'} else 'keep'} {a} {how} always , {voice._n(last[1])} ahead too", f"{a} stays {how} for good , {voice._n(last[1])} ahead too", f"{a} is always {how} , {voice._n(last[1])} ahead too"))
    if (word == "GG" and ops[0][1] is None and negative and last is not None and last[0] == "0" and voice.roll() < 0.5):
        return f"{a} is never {voice._how(atom, False, True)} {voice.pick(('again ,', ',', 'at all ,'))} {voice._n(last[1])} {voice.pick(('ahead too', 'beyond too', 'past each moment too'))}"
    if word == "FF" and span and last and "inf" not in {span[1], last[1]} and voice.roll() < 0.4:
        first, more = (voice._range(x) if x[0] != "0" else f"up to {voice._n(x[1])}" for x in (span, last))
        return f"{a} {how} is {first} {voice.pick(('plus', ', plus', 'and then'))} {more} {voice.pick(('away', 'off', 'out', ', away'))}"
    if word == "FF" and last is None and span and span[1] != "inf" and voice.roll() < 0.4:
        x = (voice._range(span) if span[0] != "0" else voice.pick((f"within {voice._n(span[1])}", f"a point within {voice._n(span[1])}")))
        return (f"{a} is {still}due {how} {voice.pick(('past', 'past', 'any time past', 'sometime past'))} {x}" if not x.startswith("within") else f"{a} is {still}due {how} sometime past {voice._point(span, now)}")
    return (f"{a} is {'due ' if word == 'FF' and voice.roll() < 0.4 else ''}{how} {voice.header(ops, now)}")
