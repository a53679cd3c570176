"""Rows of temporal operators in note form: in front of what they are about, behind it, or some on each side.

How far words reach, always in the same way:

- in front, windows stand in the order of the formula: the first is the outermost;
- behind, the last said is the outermost ("for 5 within 9" comes true within 9 and then lasts 5), but "plus" and "then"
  add a window to the one before them ("within 9 plus 5": within 9, then within 5 of that);
- what stands in front is outside of what stands behind;
- "past", "from", "after" and "of" count from the point named next: "within 5 of a point in 9 - 12"; "each" and "every" name
  all moments of a window, "a point" and "some point" one of them;
- a bare range ("3 - 8 later", "3 - 8 past ...") is one moment of it; all of it is "from", "through", "all of", "throughout".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from assent_train.corpus.plan_states import PlanStates
from assent_train.corpus.trees import Span

Ops = Sequence[tuple[str, Span]]


def _till(span: Span) -> bool:
    """A window from now to a number."""
    return span is not None and span[0] == "0" and span[1] != "inf"


class Windows(PlanStates):
    """Windows."""

    unit = ""

    def _n(self, number: str) -> str:
        said = f"{number} {self.unit}" if self.roll() < 0.7 else number
        if self.roll() < 0.7:
            self.unit = ""  # said once, it goes without saying
        return said

    def _range(self, span: Sequence[str]) -> str:
        return f"{span[0]} {self.pick(('-', '-', '-', 'to'))} {self._n(span[1])}"

    # -- one operator ------------------------------------------------------------------------------------

    def once_at(self, span: Span, now: bool) -> str:
        if span is None:
            if now:
                return self.pick(("sometime", "sooner or later", "sometime", "eventually", "at some point", "someday", "one day", "some day", "in the end", "in due course", "ultimately", "at some stage"))
            return self.pick(("sooner or later", "sometime", "eventually", "sometime after", "sometime later", "at some later point", "later on", "at some point", "some time on", "in time"))
        if span[1] == "inf":
            return f"after {self._n(span[0])}"
        if span[0] == "0":
            d = self._n(span[1])
            if now:
                return self.pick((*(f"within {d}",) * 6, f"by {d}", f"in the next {d}", f"inside {d}", f"{d} tops", f"in under {d}", f"no later than {d}", f"in {d} or less", f"sometime in the next {d}", f"{d} at most", f"before {d} is up", f"inside of {d}", f"in at most {d}", f"somewhere within {d}", f"{d} max", f"at some point in the next {d}", f"once within {d}"))
            return self.pick((*(f"within {d}",) * 6, f"within {d} more", f"within {d} of that", f"within another {d}", f"in {d} or less", f"inside {d}", f"at most {d} later", f"up to {d} later", f"no more than {d} on", f"{d} tops after", f"within {d} after", f"inside {d} more", f"{d} later at most"))
        s = self._range(span)
        if now:
            return self.pick((f"sometime {s} out", f"in {s}", f"in {s}", f"sometime in {s}", f"{s} ahead", f"sometime {s} from now", f"at some point in {s}", f"once in {s}", f"somewhere in {s}", f"{s} out", f"between {span[0]} and {self._n(span[1])}", f"sometime between {span[0]} and {self._n(span[1])}", f"{s} in", f"{s} on", f"{s} from now", f"no sooner than {span[0]} , no later than {self._n(span[1])}", f"at one point in {s}"))
        return self.pick((*(f"{s} later",) * 3, f"{s} after", f"{s} after that", f"in {s}", f"{s} ahead", f"{s} on", f"{s} on", f"sometime {s} later", f"{s} further on", f"once in {s}", f"{s} down the line", f"between {span[0]} and {self._n(span[1])} later", f"{s} past that", f"at some point {s} on", f"{s} from then"))

    def all_at(self, span: Span, now: bool) -> str:
        if span is None:
            if now:
                return self.pick(("always", "always", "always", "at all times", "all the time", "at every point", "forever", "every moment", "the whole time", "permanently", "constantly", "without a break", "all along"))
            return self.pick(("for good", "for good", "for good", "from then on", "forever", "forever after", "from there on", "always from then", "ever after", "permanently", "from that point on", "without end"))
        if span[1] == "inf":
            return f"from {self._n(span[0])} on"
        if span[0] == "0":
            d = self._n(span[1])
            if now:
                return self.pick((*(f"for {d}",) * 5, *(f"for the next {d}",) * 2, f"for {d} ahead", f"for all of the next {d}", f"throughout the next {d}", f"all through the next {d}", f"for the first {d}", f"the whole of the next {d}", f"for {d} straight", f"for a full {d}", f"over the whole next {d}", f"every moment of the next {d}", f"for {d} solid", f"at every point of the next {d}", f"for {d} from now", f"for {d} on end"))
            return self.pick((*(f"for {d}",) * 4, f"for {d} straight", f"for the next {d}", f"for {d} from then", f"for {d} on end", f"for {d} more", f"for {d} after that", f"for a full {d}", f"for {d} running", f"for another {d}", f"for the {d} after", f"for {d} at a stretch", f"for {d} in a row", f"for {d} without a break"))
        s = self._range(span)
        if now:
            return self.pick((*(f"from {s}",) * 4, f"through {s}", f"from {s} on", f"at every point from {s}", f"throughout {s}", f"all through {s}", f"for all of {s}", f"all of {s}", f"for {s} on", f"every moment from {s}", f"the whole of {s}", f"over all of {s}", f"at each point in {s}", f"the whole time from {s}", f"right through {s}"))
        return self.pick((*(f"from {s} later",) * 2, f"from {s} after", f"through {s} after that", f"from {s} after it", f"from {s} on", f"throughout {s} later", f"all through {s} after", f"for all of {s} after that", f"from {s} later on", f"for {s} on", f"all of {s} later", f"at every point {s} later", f"the whole time {s} on"))

    # -- moments as things -------------------------------------------------------------------------------

    def _point(self, span: Span, now: bool) -> str:
        """One moment of a window, as a thing to count from."""
        a = self.pick(("a point", "a point", "some point", "a moment", "some moment", "a time"))
        if span is None:
            return self.pick(("some point", "some point", "some moment", "some point or other", "some time or other"))
        if span[1] == "inf":
            return f"{a} after {self._n(span[0])}"
        if span[0] == "0":
            d = self._n(span[1])
            return self.pick((f"{a} within {d}", f"{a} within {d}", f"{a} in the next {d}", f"{a} inside {d}", f"{a} at most {d} {'out' if now else 'on'}", f"somewhere within {d}", f"{a} up to {d} {'out' if now else 'later'}"))
        s = self._range(span)
        return self.pick((f"{a} in {s}", f"{a} {s} {'out' if now else 'later'}", f"{a} {s} on", f"somewhere in {s}", f"{a} {s} {'ahead' if now else 'after'}"))

    def _each(self, span: Span, now: bool) -> str:
        """All moments of a window, as things to count from."""
        each = self.pick(("each moment", "every moment", "each point", "every point"))
        if span is None:
            return each if now else f"{each} {self.pick(('from then on', 'after', 'after that', 'onward'))}"
        if span[1] == "inf":
            return f"{each} from {self._n(span[0])} on"
        if span[0] == "0":
            d = self._n(span[1])
            return self.pick((f"{each} of the next {d}", f"{each} of the next {d}", f"{each} in the {'first' if now else 'following'} {d}", f"{each} over the next {d}", f"each of the next {d}"))
        s = self._range(span)
        return self.pick((f"each of {s}", f"{each} of {s}", f"{each} in {s}", f"{each} {s} {'out' if now else 'later'}", f"{each} from {s}"))

    # -- rows --------------------------------------------------------------------------------------------

    def header(self, ops: Ops, now: bool) -> str:
        """The windows of operators in a row, in front of what they are about."""
        if len(ops) > 1 and self.roll() < 0.33:
            start = self.pick((0, 0, 1)) if len(ops) > 2 else 0
            pair = self._pair(ops[start], ops[start + 1], now and not start)
            if pair:
                said = f"{self.header(ops[:1], now)} , {pair}" if start else pair
                return said + self._rest(ops[start + 1 :])
        op, span = ops[0]
        if (op == "G" and span and _till(span) and len(ops) > 1 and ops[1] == ("G", None) and self.roll() < 0.4):
            d = self._n(span[1])
            said = self.pick((f"next {d} and on", f"next {d} and on", f"next {d} and forever", f"next {d} and always after", f"next {d} and beyond", f"for {d} and on", f"for {d} and ever after", f"all of the next {d} and on"))
            return said + self._rest(ops[1:])
        return (self.once_at(span, now) if op == "F" else self.all_at(span, now)) + self._rest(ops)

    def _rest(self, ops: Ops) -> str:
        said = ""
        if len(ops) == 3 and ops[0][0] == "F" and ops[1][0] == ops[2][0] == "G" and ops[1][1] and ops[2][1] and ops[1][1][0] != "0" and "inf" not in {ops[1][1][1], ops[2][1][1]} and self.roll() < 0.4:
            s, more = (self._range(x) if x[0] != "0" else self._n(x[1]) for x in (ops[1][1], ops[2][1]))
            return f" , then {s} {self.pick(('on', 'later', 'after'))} and {more} {self.pick(('past each', 'past each moment', 'on from each', 'after each'))}"
        for i, ((before, _), (op, span)) in enumerate(pairwise(ops)):
            said += " " + self._further(before, op, span, i == len(ops) - 2)
        return said

    def _pair(self, outer: tuple[str, Span], inner: tuple[str, Span], now: bool) -> str:
        """Two operators in one phrase, the inner one counted from the moments of the outer one; "" if there is none."""
        (op, span), (then, last) = outer, inner
        if (span and span[1] == "inf") or (last and last[1] == "inf"):
            return ""
        base = self._point(span, now) if op == "F" else self._each(span, now)
        if then == "F":
            if last is None:
                return self.pick((f"sometime past {base}", f"sometime after {base}", f"eventually past {base}", f"at some time past {base}", f"past {base} , sometime", f"from {base} , eventually", f"at a later time than {base}" if op == "F" else f"sooner or later from {base}", f"past {base}" if op == "F" and span else f"once past {base}"))
            if last[0] == "0":
                d = self._n(last[1])
                return self.pick((f"within {d} of {base}", f"within {d} of {base}", f"from {base} , within {d}", f"up to {d} past {base}", f"at most {d} after {base}", f"inside {d} of {base}", f"no more than {d} past {base}", f"by {d} past {base}"))
            s = self._range(last)
            return self.pick((f"sometime {s} past {base}", f"{s} past {base}", f"{s} after {base}", f"once , {s} past {base}", f"from {base} , {s} later", f"at some time {s} after {base}", f"{s} on from {base}"))
        if last is None:
            forms = [f"from {base} on", f"from {base} on", f"from {base} onward", f"always from {base}", f"for good from {base}", f"ever after {base}", f"for good past {base}", f"forever past {base}"]
            if op == "F":
                forms += [f"from {base} on , always", f"starting at {base} , for good", f"beginning at {base} , always"]
                forms += [f"from within {self._n(span[1])} on"] if span and span[0] == "0" else []
            return self.pick(forms)
        if last[0] == "0":
            d = self._n(last[1])
            forms = [f"for {d} from {base}", f"for {d} from {base}", f"for the {d} after {base}", f"for {d} past {base}", f"from {base} , for {d}", f"all of the {d} after {base}", f"for {d} straight from {base}"]
            if op == "F":
                forms += [f"for {d} starting at {base}", f"for {d} , starting {self.once_at(span, now)} ,", f"for some {d} beginning at {base}", f"for {d} begun at {base}"]
            return self.pick(forms)
        s = self._range(last)
        return self.pick((f"through {s} past {base}", f"from {s} past {base}", f"all through {s} after {base}", f"throughout {s} after {base}", f"all of {s} past {base}", f"from {base} , through {s}", f"from {s} after {base}", f"the whole {s} past {base}"))

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
                inner = (self.all_at(last, True) if last[1] == "inf" else self.pick((f"through {self._range(last)}", f"for {self._range(last)} on", f"from {self._range(last)} on")))
                return f"{inner} {self.pick(('from', 'past', 'after'))} {self._point(span, now)}"
            inner = ("for good" if last is None else f"for {self._n(last[1])}{self.pick(('', '', '', ' straight', ' on end', ' running', ' in a row'))}")
            outer = self.once_at(span, now)
            return self.pick((f"{inner} {outer}", f"{inner} {outer}", f"{inner} , {outer}", f"{inner} starting {outer}", f"{inner} from {self._point(span, now)}", f"{inner} beginning {outer}", f"{inner} , starting {outer}"))
        inner = (self.once_at(last, False) if last else self.pick(("sometime", "eventually", "sooner or later")))
        if span is None:
            outer = self.pick(("every time", "at every point", "from every moment", "from any point", "each time", "at all times", "from anywhere", "at every turn", "whatever the moment"))
        elif _till(span):
            d = self._n(span[1])
            outer = self.pick((f"at every point of the next {d}", f"at every point of the next {d}", f"from each moment of the next {d}", f"every time for {d}", f"throughout the next {d}", f"from any point in the next {d}", f"each time for the next {d}", f"all through the next {d}", f"all the while for {d}"))
        elif span[1] == "inf":
            outer = f"every time from {self._n(span[0])} on"
        else:
            s = self._range(span)
            outer = self.pick((f"at every point of {s}", f"from each moment in {s}", f"all through {s}", f"every time from {s}", f"from any point in {s}", f"each time through {s}", f"throughout {s}"))
        return f"{inner}{self.pick((' ', ' ', ' , '))}{outer}"

    def _further(self, before: str, op: str, span: Span, last: bool) -> str:
        d = self._n(span[1]) if span and span[0] == "0" else ""
        s = self._range(span) if span and span[0] != "0" and span[1] != "inf" else ""
        if span and span[1] == "inf":
            return f", {self.once_at(span, False) if op == 'F' else self.all_at(span, False)}"
        if before == "F" and op == "F":
            if d:
                return self.pick((f"plus {d}", f"plus up to {d}", f"plus up to {d} more", f", then within {d} of that", f"plus {d}", f", then within {d}", f", then within another {d}", f"and up to {d} more", f"with up to {d} on top", f"plus another {d} at most", f", and within {d} from there", f"then {d} at most", f"plus {d} tops", f", then inside {d}", f", then by {d} after"))
            if s:
                return self.pick((f"plus {s}", f", then {s} later", f", then {s} after that", f", then {s} on", f"plus {s}", f"plus {s} more", f"and {s} past that", f"and another {s}", f"then {s} from there", f", and {s} later still", f"plus a further {s}", f"with {s} on top", f", then in {s}"))
            return self.pick((", then sometime after", ", then sooner or later", ", or any time after", "or sometime past that", ", then eventually", "and sometime past that", "or whenever after", "or any time past it", ", then at some later point", "plus whatever it takes", "or later", ", and from there sometime", "or at some later time"))
        if before == "F":
            if d:
                return self.pick((f", for {d}", f", for {d}", f", for {d} straight", f", start {d} where" if last else f", for {d}", f"and for {d}", f", then for {d}", f", then {d} straight", f", for the {d} after", f", and from there for {d}", f", a full {d} of" if last else f", then for {d}", f"begin {d} with" if last else f", for {d}", f", {d} in a row", f", from then for {d}", f", for {d} running", f", a stretch of {d} with" if last else f", for {d} on end"))
            if s:
                return self.pick((f", from {s} after it", f", {s} on throughout", f", through {s} after that", f", from {s} after", f", then through {s}", f", then from {s}", f", then all through {s} later", f", from {s} later on", f", and all of {s} after that", f", then at every point {s} on", f", then throughout {s}", f", through {s} from there", f", then from {s} on", f"then the whole of {s}"))
            return self.pick((", for good", "and from then on", ", and then for good", ", from then on", ", then always", ", then for good", "and ever after", "and on from there", ", then forever", ", and always after that", "and onward", "and permanently from there", ", from there on", "onward"))
        if op == "F":
            if d:
                forms = [f", always within {d}", f", within {d} every time", f", within {d} of each moment", f", each time within {d}", f", always at most {d} later", f", from each within {d}", f", within {d} from any point", f", always inside {d}", f", every moment within {d}", f", within {d} each time"]
                return self.pick(forms + ([f", never wait over {d} for", f", never go over {d} without", f", no gap over {d} without", f", no waiting past {d} for"] if last else []))
            if s:
                return self.pick((f", always {s} later", f", {s} later every time", f", sometime {s} past each moment", f", from each moment , {s} later", f", each time {s} on", f", sometime {s} past each", f", once in {s} past each", f", every time {s} later", f", always {s} on", f", sometime {s} after every one", f", from each , {s} later"))
            forms = [", it is always still coming :", ", there is always a time coming when", ", always sooner or later", ", there must always still come a time with", ", it must always still be coming :", ", always another time when", ", never the last time for", ", always more to come of", ", always eventually", ", there is always a point coming where", ", each time eventually", ", always still due :", ", no end to times when"]
            return self.pick(forms if last else [", always sooner or later", ", there is always a point coming where", ", always eventually", ", from each sooner or later", ", every time eventually", ", there is always a time coming when"])
        if d:
            return self.pick((f"plus {d}", f", and {d} past each moment", f"plus {d}", f", {d} ahead too ,", f"and for {d} from each", f"plus {d} more", f"and the {d} after each", f", each for {d}", f"with {d} more after each", f"and for {d} past each", f", each time for {d}", f", {d} beyond too ,", f"and {d} on top"))
        if s:
            return self.pick((f", all of {s} on from each", f", and all of {s} past each moment", f"plus {s}", f", from each , through {s}", f"and {s} past each", f", each time through {s}", f"with all of {s} after each", f", from {s} past each", f"and from {s} after each", f"and {s} on from each"))
        return self.pick(("and on from each", "and for good from each", "and forever after", "and always after", "and onward", "and on", "and ever after", "and from each onward", "and everything past it", "and beyond", "and all that follows ,", "and for good"))
