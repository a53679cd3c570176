"""Operators that are said with the verb of a relation, in note form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
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


class FusedNotes(SpeechPart):
    """Operators said with the verb of a relation."""

    speech: Brief

    def said(self, ops: Ops, atom: Tree, negative: bool, now: bool, role: str) -> str:
        """Operators said with the verb of a relation; empty where there is no such way."""
        a, how = self.speech.note_states.name(atom[2][0]), self.speech.note_states.how(atom, negative, True)
        word = "".join(op for op, _ in ops)
        span = ops[0][1]
        still = (
            (" " + self.words("fused_still") + " ")
            if role == "kept"
            else (" " + self.words("fused_still_maybe") + " ")
        )
        when = self.speech.note_windows.once_at(span, now) if span else ""
        said = Fused(a, how, still, when)
        match word:
            case "F":
                return self._once(ops, said, role)
            case "G":
                return self._always(ops, said, atom, negative, now, role)
            case "FG":
                return self._settled(ops, said)
            case "GF":
                return self._again(ops, said, now, role)
            case "GG" | "FF":
                return self._twice(ops, said, atom, negative, now, role)
            case _:
                return ""

    def _once(self, ops: Ops, said: Fused, role: str) -> str:
        """Some time."""
        a, how, still, when = said.name, said.how, said.still, said.when
        span = ops[0][1]
        forms = 5 * [
            lambda: self.words(
                "fused_once",
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
                lambda: self.words(
                    "fused_once_away",
                    a=a,
                    how=how,
                    part=lambda: (
                        self.speech.note_windows.range_(span)
                        if span[0] != "0"
                        else "up to " + self.speech.note_windows.number(span[1])
                    ),
                )
            )
            if span[0] == "0":
                forms.append(
                    lambda: self.words(
                        "fused_once_within",
                        a=a,
                        still=still,
                        n=lambda: self.speech.note_windows.number(span[1]),
                        how=how,
                    )
                )
        elif span is None:
            forms.append(
                lambda: self.words("fused_once_ever", when1=role in {"fact", "goal", "arm"}, a=a, how=how)
            )
        return self.pick(forms)()

    def _always(self, ops: Ops, said: Fused, atom: Tree, negative: bool, now: bool, role: str) -> str:
        """All the time."""
        a, how, span = said.name, said.how, ops[0][1]
        if span is None:
            return self.words(
                "fused_always",
                negative=negative,
                a=a,
                how=lambda: self.speech.note_states.how(atom, False, True),
                how2=how,
                when1=not negative,
                when2=role in {"fact", "goal", "arm"},
                all_at=lambda: self.speech.note_windows.all_at(None, now),
            )
        return self.words(
            "fused_always_window",
            a=a,
            how=how,
            all_at=lambda: self.speech.note_windows.all_at(span, now),
            part="" if role in {"fact", "goal", "arm"} else "keep",
        )

    def _settled(self, ops: Ops, said: Fused) -> str:
        """Some time, and all the time from then."""
        a, how, still, when = said.name, said.how, said.still, said.when
        span, last = ops[0][1], ops[-1][1]
        on = "for good" if last is None else self.speech.note_windows.all_at(last, False)
        forms = 3 * [
            lambda: self.words(
                "fused_settled", a=a, how=how, on=on, when=when, still=still, part=when or "sometime"
            )
        ]
        if span and span[0] == "0":
            forms += [
                lambda: self.words(
                    "fused_settled_within",
                    a=a,
                    still=still,
                    n=lambda: self.speech.note_windows.number(span[1]),
                    how=how,
                    on=on,
                )
            ]
        elif span and span[1] != "inf":
            forms += [
                lambda: self.words(
                    "fused_settled_between",
                    a=a,
                    range=lambda: self.speech.note_windows.range_(span),
                    how=how,
                    on=on,
                )
            ]
        if last is None:
            forms += 3 * [
                lambda: self.words(
                    "fused_settled_for_good",
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
                lambda: self.words(
                    "fused_settled_length",
                    a=a,
                    still=still,
                    n=lambda: self.speech.note_windows.number(span[1]),
                    n2=lambda: self.speech.note_windows.number(last[1]),
                    how=how,
                )
            ]
        return self.pick(forms)()

    def _again(self, ops: Ops, said: Fused, now: bool, role: str) -> str:
        """At every time, some time later."""
        a, how = said.name, said.how
        span, last = ops[0][1], ops[-1][1]
        if span is None:
            if last is None:
                due = f"{a} is always due {how}" if role != "kept" else f"{a} keeps getting {how} for ever"
                return self.words("fused_again", a=a, how=how, due=due)
            if role == "kept":
                return self.words(
                    "fused_again_kept",
                    a=a,
                    how=how,
                    once_at=lambda: self.speech.note_windows.once_at(last, False),
                )
            forms = 4 * [
                lambda: self.words(
                    "fused_again_window",
                    a=a,
                    how=how,
                    once_at=lambda: self.speech.note_windows.once_at(last, False),
                )
            ]
            if last[0] == "0":
                d = self.speech.note_windows.number(last[1])
                forms += 4 * [lambda: self.words("fused_again_never_over", a=a, d=d, how=how)]
            elif last[1] != "inf":
                forms += [
                    lambda: self.words(
                        "fused_again_between",
                        a=a,
                        range=lambda: self.speech.note_windows.range_(last),
                        how=how,
                    )
                ]
            return self.pick(forms)()
        return self.words(
            "fused_again_in_window",
            all_at=lambda: self.speech.note_windows.all_at(span, now),
            a=a,
            part=lambda: (
                " " + self.words("again_part") + " " if last else " " + self.words("fused_again_still") + " "
            ),
            how=how,
            part2=lambda: self.speech.note_windows.once_at(last, False) if last else "",
        )

    def _twice(self, ops: Ops, said: Fused, atom: Tree, negative: bool, now: bool, role: str) -> str:
        """The same operator twice."""
        a, how, still = said.name, said.how, said.still
        word = "".join(op for op, _ in ops)
        span, last = ops[0][1], ops[-1][1]
        if word == "GG" and ops[0][1] is None and last is not None and last[0] == "0":
            return self.words(
                "fused_twice",
                part="" if role in {"fact", "goal", "arm"} else "keep",
                a=a,
                how=how,
                n=lambda: self.speech.note_windows.number(last[1]),
            )
        if (
            word == "GG"
            and ops[0][1] is None
            and negative
            and last is not None
            and last[0] == "0"
            and self.roll() < 0.5
        ):
            return self.words(
                "fused_never_twice",
                a=a,
                how=lambda: self.speech.note_states.how(atom, False, True),
                n=lambda: self.speech.note_windows.number(last[1]),
            )
        if word == "FF" and span and last and "inf" not in {span[1], last[1]} and self.roll() < 0.4:
            first, more = (
                self.speech.note_windows.range_(x)
                if x[0] != "0"
                else f"up to {self.speech.note_windows.number(x[1])}"
                for x in (span, last)
            )
            return self.words("fused_twice_plus", a=a, how=how, first=first, more=more)
        if word == "FF" and last is None and span and span[1] != "inf" and self.roll() < 0.4:
            x = (
                self.speech.note_windows.range_(span)
                if span[0] != "0"
                else self.words("twice_x", n=lambda: self.speech.note_windows.number(span[1]))
            )
            return (
                self.words("fused_twice_past", a=a, still=still, how=how, x=x)
                if not x.startswith("within")
                else f"{a} is {still}due {how} sometime past {self.speech.note_windows.point(span, now)}"
            )
        due = "due " if word == "FF" and self.roll() < 0.4 else ""
        return f"{a} is {due}{how} {self.speech.note_windows.header(ops, now)}"
