"""Rows of temporal operators in note form: in front of what they are about, behind it, or some on each side.

How far words reach, always in the same way:

- in front, windows stand in the order of the formula: the first is the outermost;
- behind, the last said is the outermost ("for 5 within 9" comes true within 9 and then lasts 5), but "plus" and "then"
  add a window to the one before them ("within 9 plus 5": within 9, then within 5 of that);
- what stands in front is outside of what stands behind;
- "past", "from", "after" and "of" count from the point named next: "within 5 of a point in 9 - 12"; "each" and "every"
  name all moments of a window, "a point" and "some point" one of them;
- a bare range ("3 - 8 later", "3 - 8 past ...") is one moment of it; all of it is "from", "through", "all of",
  "throughout".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Span

if TYPE_CHECKING:
    from assent_train.corpus.plan_brief import Brief


Ops = Sequence[tuple[str, Span]]


def _till(span: Span) -> bool:
    """A window from now to a number."""
    return span is not None and span[0] == "0" and span[1] != "inf"


class NoteWindows(SpeechPart):
    """Windows in note form."""

    speech: Brief

    unit = ""

    def number(self, number: str) -> str:
        said = f"{number} {self.unit}" if self.roll() < 0.7 else number
        if self.roll() < 0.7:
            self.unit = ""  # said once, it goes without saying
        return said

    def range_(self, span: Sequence[str]) -> str:
        return self.words("range", name=span[0], n=lambda: self.number(span[1]))

    def once_at(self, span: Span, now: bool) -> str:
        if span is None:
            if now:
                return self.words("note_once_now")
            return self.words("note_once_then")
        if span[1] == "inf":
            return f"after {self.number(span[0])}"
        if span[0] == "0":
            d = self.number(span[1])
            if now:
                return self.words("note_once_within_now", d=d)
            return self.words("note_once_within_then", d=d)
        s = self.range_(span)
        if now:
            return self.words("note_once_between_now", s=s, name=span[0], n=lambda: self.number(span[1]))
        return self.words("note_once_between_then", s=s, name=span[0], n=lambda: self.number(span[1]))

    def all_at(self, span: Span, now: bool) -> str:
        if span is None:
            if now:
                return self.words("note_all_now")
            return self.words("note_all_then")
        if span[1] == "inf":
            return f"from {self.number(span[0])} on"
        if span[0] == "0":
            d = self.number(span[1])
            if now:
                return self.words("note_all_within_now", d=d)
            return self.words("note_all_within_then", d=d)
        s = self.range_(span)
        if now:
            return self.words("note_all_between_now", s=s)
        return self.words("note_all_between_then", s=s)

    def point(self, span: Span, now: bool) -> str:
        """One moment of a window, as a thing to count from."""
        a = self.words("point_a")
        if span is None:
            return self.words("point")
        if span[1] == "inf":
            return f"{a} after {self.number(span[0])}"
        if span[0] == "0":
            d = self.number(span[1])
            return self.words(
                "point_within", a=a, d=d, part="out" if now else "on", part2="out" if now else "later"
            )
        s = self.range_(span)
        return self.words(
            "point_between", a=a, s=s, part="out" if now else "later", part2="ahead" if now else "after"
        )

    def _each(self, span: Span, now: bool) -> str:
        """All moments of a window, as things to count from."""
        each = self.words("note_each_moment")
        if span is None:
            return each if now else self.words("note_each_then", each=each)
        if span[1] == "inf":
            return f"{each} from {self.number(span[0])} on"
        if span[0] == "0":
            d = self.number(span[1])
            return self.words("note_each_within", each=each, d=d, part="first" if now else "following")
        s = self.range_(span)
        return self.words("note_each_between", s=s, each=each, part="out" if now else "later")

    def header(self, ops: Ops, now: bool) -> str:
        """The windows of operators in a row, in front of what they are about."""
        if len(ops) > 1 and self.roll() < 0.33:
            start = self.pick((0, 0, 1)) if len(ops) > 2 else 0
            pair = self._pair(ops[start], ops[start + 1], now and not start)
            if pair:
                said = f"{self.header(ops[:1], now)} , {pair}" if start else pair
                return said + self.rest(ops[start + 1 :])
        op, span = ops[0]
        if (
            op == "G"
            and span
            and _till(span)
            and len(ops) > 1
            and ops[1] == ("G", None)
            and self.roll() < 0.4
        ):
            d = self.number(span[1])
            said = self.words("header_said", d=d)
            return said + self.rest(ops[1:])
        return (self.once_at(span, now) if op == "F" else self.all_at(span, now)) + self.rest(ops)

    def rest(self, ops: Ops) -> str:
        said = ""
        if (
            len(ops) == 3
            and ops[0][0] == "F"
            and ops[1][0] == ops[2][0] == "G"
            and ops[1][1]
            and ops[2][1]
            and ops[1][1][0] != "0"
            and "inf" not in {ops[1][1][1], ops[2][1][1]}
            and self.roll() < 0.4
        ):
            s, more = (self.range_(x) if x[0] != "0" else self.number(x[1]) for x in (ops[1][1], ops[2][1]))
            return " " + self.words("rest", s=s, more=more) + " "
        for i, ((before, _), (op, span)) in enumerate(pairwise(ops)):
            said += " " + self._further(before, op, span, i == len(ops) - 2)
        return said

    def _pair(self, outer: tuple[str, Span], inner: tuple[str, Span], now: bool) -> str:
        """Two operators in one phrase, the inner one counted from the moments of the outer one; "" if there is none."""
        (op, span), (then, last) = outer, inner
        if (span and span[1] == "inf") or (last and last[1] == "inf"):
            return ""
        base = self.point(span, now) if op == "F" else self._each(span, now)
        if then == "F":
            if last is None:
                return self.words("note_pair_once", base=base, when1=op == "F", when2=op == "F" and span)
            if last[0] == "0":
                d = self.number(last[1])
                return self.words("note_pair_once_within", d=d, base=base)
            s = self.range_(last)
            return self.words("note_pair_once_between", s=s, base=base)
        if last is None:
            forms = 8 * [lambda: self.words("note_pair_from", base=base)]
            if op == "F":
                forms += 3 * [lambda: self.words("note_pair_from_always", base=base)]
                forms += (
                    [lambda: self.words("note_pair_from_within", n=lambda: self.number(span[1]))]
                    if span and span[0] == "0"
                    else []
                )
            return self.pick(forms)()
        if last[0] == "0":
            d = self.number(last[1])
            forms = 7 * [lambda: self.words("note_pair_for", d=d, base=base)]
            if op == "F":
                forms += 4 * [
                    lambda: self.words(
                        "note_pair_for_starting", d=d, base=base, once_at=lambda: self.once_at(span, now)
                    )
                ]
            return self.pick(forms)()
        s = self.range_(last)
        return self.words("note_pair_through", s=s, base=base)

    def tail(self, ops: Ops, now: bool) -> str:
        """One or two operators behind what they are about."""
        op, span = ops[0]
        if len(ops) == 1:
            return self.once_at(span, now) if op == "F" else self.all_at(span, now)
        then, last = ops[1]
        if self.roll() < 0.45:
            said = self._pair(ops[0], ops[1], now)
            if said and " , " not in said:
                return said
        if op == then:  # "plus" and "then" count on
            return self.header(ops, now)
        if op == "F":
            if last and last[0] != "0":
                inner = (
                    self.all_at(last, True)
                    if last[1] == "inf"
                    else self.words("tail_inner", range=lambda: self.range_(last))
                )
                return self.words("tail", inner=inner, point=lambda: self.point(span, now))
            inner = "for good" if last is None else self.words("tail_for", n=lambda: self.number(last[1]))
            outer = self.once_at(span, now)
            return self.words("tail_kept", inner=inner, outer=outer, point=lambda: self.point(span, now))
        inner = self.once_at(last, False) if last else self.words("tail_sometime")
        if span is None:
            outer = self.words("tail_outer")
        elif _till(span):
            d = self.number(span[1])
            outer = self.words("tail_each_within", d=d)
        elif span[1] == "inf":
            outer = f"every time from {self.number(span[0])} on"
        else:
            s = self.range_(span)
            outer = self.words("tail_each_between", s=s)
        return self.words("tail_again", inner=inner, outer=outer)

    def _further(self, before: str, op: str, span: Span, last: bool) -> str:
        d = self.number(span[1]) if span and span[0] == "0" else ""
        s = self.range_(span) if span and span[0] != "0" and span[1] != "inf" else ""
        if span and span[1] == "inf":
            return f", {self.once_at(span, False) if op == 'F' else self.all_at(span, False)}"
        if before == "F" and op == "F":
            if d:
                return self.words("further_once_once_within", d=d)
            if s:
                return self.words("further_once_once_between", s=s)
            return self.words("further_once_once")
        if before == "F":
            if d:
                return self.words("further_once_kept_within", d=d, last=last)
            if s:
                return self.words("further_once_kept_between", s=s)
            return self.words("further_once_kept")
        if op == "F":
            if d:
                forms = 10 * [lambda: self.words("further_each_once_within", d=d)]
                return self.pick(
                    forms + (4 * [lambda: self.words("further_each_once_never_over", d=d)] if last else [])
                )()
            if s:
                return self.words("further_each_once_between", s=s)
            forms = 13 * [lambda: self.words("further_each_once_last")]
            return self.pick(forms)() if last else self.words("further_each_once")
        if d:
            return self.words("further_each_kept_within", d=d)
        if s:
            return self.words("further_each_kept_between", s=s)
        return self.words("further_each_kept")
