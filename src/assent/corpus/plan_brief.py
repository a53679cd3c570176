"""SpaTiaL plans in note form, as busy people say them: windows in front, few verbs, hardly a unit.

What stands before a colon covers all that follows, to the end. "plus" adds a window to the one before it.
"due", "on its way" and "coming" are eventualities; a window behind "until" is until's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from assent.corpus.plan_states import PlanStates
from assent.corpus.requirements import conditional
from assent.corpus.trees import Span, Tree, is_literal, is_state

NEAR = {
    "leftOf": ("left of", "left of", "to the left of"), "rightOf": ("right of", "right of", "to the right of"), "above": ("above", "above", "over"), "below": ("below", "below", "under"),
    "closeTo": ("near", "near", "near", "close to"), "farFrom": ("far from", "far from", "away from"), "touch": ("touching", "touching", "in contact with"), "ovlp": ("overlapping",),
    "partOvlp": ("partly over", "partly overlapping", "partly in", "partly overlapping"), "enclIn": ("in", "in", "inside", "inside", "fully inside"), "oriented": ("facing", "pointed at"),
}  # fmt: skip
VERBS = {"touch": "touches", "ovlp": "overlaps", "partOvlp": "partly overlaps", "oriented": "faces"}
AWAY = {"enclIn": ("out of", "out of", "outside"), "ovlp": ("clear of", "clear of", "off"), "touch": ("off", "off", "not touching")}


class Brief(PlanStates):
    """Notes."""

    def sentence(self, tree: Tree) -> str:
        self.unit = self.pick(("units", "units", "", "", ""))
        self.the = self.pick((0.0, 0.0, 0.5, 0.8))
        said = self.brief(tree, True)
        if self.roll() < 0.85:
            said += " ."
        return said

    # -- what holds --------------------------------------------------------------------------------------

    def _name(self, name: str) -> str:
        return f"the {name}" if self.roll() < self.the else name

    def _how(self, atom: Tree, negative: bool, bare: bool) -> str:
        """Relation and objects: after "is", after "keep", or alone."""
        kind, rest = atom[1], [self._name(x) for x in atom[2][1:]]
        if kind == "closerTo":
            word = self.pick(("nearer", "closer to", "closer to", "nearer to"))
            than = f"{rest[0]} {self.pick(('than', 'than to'))} {rest[1]}"
            return f"{self.pick(('no closer to', 'no nearer to', 'not closer to', 'no closer to'))} {than}" if negative else f"{word} {than}"
        if kind == "between":
            return f"{'not ' if negative else ''}between {rest[0]} and {rest[1]}"
        if negative and kind in AWAY and self.roll() < 0.6:
            return f"{self.pick(AWAY[kind])} {rest[0]}"
        if kind in {"leftOf", "rightOf"} and self.roll() < 0.06:
            return f"{'not ' if negative else ''}{self.pick(('to', 'on'))} {rest[0]} ''s {kind.removesuffix('Of')}"
        return f"{'not ' if negative else ''}{self.pick(NEAR[kind])} {rest[0]}"

    def literal(self, tree: Tree, mood: str) -> str:
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        if atom[0] == "dist":
            return super().literal(tree, mood)
        a = self._name(atom[2][0])
        if mood in {"keep", "bare", "being"}:
            if negative and mood == "keep" and self.roll() < 0.3:
                return f"{a} from being {self._how(atom, False, True)}"
            return f"{a} {self._how(atom, negative, True)}"
        if not negative and atom[1] in VERBS and self.roll() < 0.5:
            return f"{a} {VERBS[atom[1]]} {self._name(atom[2][1])}"
        how = self._how(atom, negative, True)
        short = "''s" if how.startswith(("left of", "right of")) else "is"
        be = self.pick(("is", "is", "is", short, "" if mood == "must" else "is", "must be" if mood == "must" else "is", "stays" if mood == "stay" else "is"))
        return f"{a} {be} {how}"

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        if tree[0] == "and" and all(map(is_literal, tree[1:])) and self.roll() < 0.6:
            if len(tree) == 3 and self.roll() < 0.45:
                return f"{self.literal(tree[1], mood)} {self.pick(('with', 'with', 'plus', ','))} {self.literal(tree[2], 'bare')}"
            said = [self.literal(x, mood if i == 0 else "bare" if mood in {"bare", "keep"} else "is") for i, x in enumerate(tree[1:])]
            return " , ".join(said[:-1]) + self.pick((" and ", " , ", " , and ")) + said[-1]
        if tree[0] == "->":
            left = self.state(tree[1], "bare") if self.roll() < 0.6 and not conditional(tree[1]) else ""
            right = self.state(tree[2], "bare" if self.roll() < 0.5 else "is")
            if left:
                return f"{left} {self.pick(('means', 'means', 'means', 'has to mean', 'only if', 'must mean'))} {right}"
            cond = self.state(tree[1], "is")
            if tree[1][0] == "not" and is_literal(tree[1]) and self.roll() < 0.5:
                return self.pick((f"{right} unless {self.literal(tree[1][1], 'is')}", f"unless {self.literal(tree[1][1], 'is')} , {right}"))
            return self.pick((f"if {cond} , {right}", f"if {cond} , {right}", f"{right} if {cond}", f"{right} whenever {cond}"))
        if tree[0] == "or" and all(map(is_literal, tree[1:])):
            said = [self.literal(x, mood if i == 0 else self.pick((mood, "bare"))) for i, x in enumerate(tree[1:])]
            return f"{self.pick(('', '', '', 'either '))}{' , '.join(said[:-1])} {self.pick(('or', 'or', ', or'))} {said[-1]}"
        return super().state(tree, mood, depth)

    # -- times -------------------------------------------------------------------------------------------

    def _n(self, number: str) -> str:
        said = f"{number} {self.unit}" if self.roll() < 0.7 else number
        if self.roll() < 0.7:
            self.unit = ""  # said once, it goes without saying
        return said

    def _range(self, span: Sequence[str]) -> str:
        return f"{span[0]} {self.pick(('-', '-', 'to'))} {self._n(span[1])}"

    def once_at(self, span: Span, now: bool) -> str:
        if span is None:
            return self.pick(("sometime", "sooner or later", "sometime", "eventually", "at some point")) if now else self.pick(("sooner or later", "sometime", "eventually", "sometime after"))
        if span[1] == "inf":
            return f"after {self._n(span[0])}"
        if span[0] == "0":
            d = self._n(span[1])
            return self.pick((f"within {d}", f"within {d}", f"within {d}", f"by {d}", f"in the next {d}", f"inside {d}")) if now else self.pick((f"within {d}", f"within {d}", f"within {d} more", f"within {d} of that"))
        s = self._range(span)
        return self.pick((f"sometime {s} out", f"in {s}", f"sometime in {s}", f"{s} ahead", f"sometime {s} from now", f"sometime {s} out")) if now else self.pick((f"{s} later", f"{s} later", f"{s} after", f"{s} after that", f"in {s}", f"{s} ahead", f"{s} on"))

    def all_at(self, span: Span, now: bool) -> str:
        if span is None:
            return self.pick(("always", "always", "at all times", "all the time")) if now else self.pick(("for good", "for good", "from then on", "forever"))
        if span[1] == "inf":
            return f"from {self._n(span[0])} on"
        if span[0] == "0":
            d = self._n(span[1])
            return self.pick((f"for {d}", f"for {d}", f"for the next {d}", f"for the next {d}", f"for {d} ahead")) if now else self.pick((f"for {d}", f"for {d}", f"for {d} straight", f"for the next {d}"))
        s = self._range(span)
        return self.pick((f"from {s}", f"from {s}", f"through {s}", f"from {s} on", f"at every point from {s}")) if now else self.pick((f"from {s} later", f"from {s} after", f"through {s} after that", f"from {s} after it"))

    def header(self, ops: Sequence[tuple[str, Span]], now: bool) -> str:
        """The windows of operators in a row."""
        op, span = ops[0]
        left = len(ops) - 1
        said = self.once_at(span, now) if op == "F" else self.all_at(span, now)
        if op == "G" and len(ops) > 1 and ops[1] == ("G", None) and span is not None and span[0] == "0" and self.roll() < 0.5:
            return f"next {self._n(span[1])} and {self.pick(('on', 'on', 'forever', 'always after'))}"
        for (before, _), (op, span) in pairwise(ops):
            left -= 1
            said += " " + self._further(before, op, span, left == 0)
        return said

    def _further(self, before: str, op: str, span: Span, last: bool) -> str:
        d = self._n(span[1]) if span and span[0] == "0" else ""
        s = self._range(span) if span and span[0] != "0" and span[1] != "inf" else ""
        if span and span[1] == "inf":
            return f", {self.once_at(span, False) if op == 'F' else self.all_at(span, False)}"
        if before == "F" and op == "F":
            if d:
                return self.pick((f"plus {d}", f"plus up to {d}", f"plus up to {d} more", f", then within {d} of that", f"plus {d}"))
            if s:
                return self.pick((f"plus {s}", f", then {s} later", f", then {s} after that", f", then {s} on", f"plus {s}"))
            return self.pick((", then sometime after", ", then sooner or later", ", or any time after", "or sometime past that"))
        if before == "F":
            if d:
                return self.pick((f", for {d}", f", for {d}", f", for {d} straight", f", start {d} where" if last else f", for {d}"))
            if s:
                return self.pick((f", from {s} after it", f", {s} on throughout", f", through {s} after that", f", from {s} after"))
            return self.pick((", for good", "and from then on", ", and then for good", ", from then on"))
        if op == "F":
            if d:
                forms = [f", always within {d}", f", within {d} every time", f", within {d} of each moment"]
                return self.pick(forms + ([f", never wait over {d} for", f", never go over {d} without"] if last else []))
            if s:
                return self.pick((f", always {s} later", f", {s} later every time", f", sometime {s} past each moment", f", from each moment , {s} later"))
            forms = [", it is always still coming :", ", there is always a time coming when", ", always sooner or later", ", there must always still come a time with", ", it must always still be coming :"]
            return self.pick(forms if last else [", always sooner or later", ", there is always a point coming where"])
        if d:
            return self.pick((f"plus {d}", f", and {d} past each moment", f"plus {d}", f", {d} ahead too ,"))
        if s:
            return self.pick((f", {s} on from each", f", and {s} past each moment", f"plus {s}", f", from each , {s} on"))
        return self.pick(("and on from each", "and for good from each", "and forever after", "and always after"))

    # -- plans -------------------------------------------------------------------------------------------

    def brief(self, tree: Tree, now: bool, role: str = "ask") -> str:
        """Any formula; role: "ask", "kept" (before until: "always" and "still" say that it goes on), "fact"."""
        op = tree[0]
        if is_state(tree):
            return f"{self.pick(('right now', 'at the start', 'initially'))} {self.state(tree)}" if now and role == "ask" and is_literal(tree) else self.state(tree)
        if op in {"F", "G"}:
            return self._row_of(tree, now, role)
        if op == "U":
            return self._until_brief(tree, now)
        if op == "->":
            cond = self._short(lambda: self.brief(tree[1], now, "fact"))
            return f"if {cond} , {self.pick(('', '', 'then'))} {self.brief(tree[2], now, 'kept')}"
        members = list(tree[1:])
        said = [self._short(lambda x=x: self.brief(x, now, role)) for x in members]  # type: ignore[misc]
        said.sort(key=lambda text: ":" in text)  # a colon reaches to the end
        if op == "and":
            light = now and all(x[0] in {"F", "G"} and is_state(x[2]) for x in members)
            link = self.pick((" ; and ", " ; plus ", " ; ", " ; also ", " , and " if light else " ; and ", " and " if light else " ; "))
            return (" . also , " if ":" in said[-2] else link).join(said)
        link = self.pick((" , or ", " , or ", " ; or ", " , or else "))
        return ("one of these : " if ":" in said[-2] else self.pick(("either ", "either ", ""))) + (" ; or " if ":" in said[-2] else link).join(said)

    def _short(self, say: Callable[[], str]) -> str:
        """Words without a colon, if there are any."""
        said = say()
        for _ in range(6):
            if ":" not in said:
                break
            said = say()
        return said

    def _row_of(self, tree: Tree, now: bool, role: str) -> str:
        ops: list[tuple[str, Span]] = []
        body = tree
        while body[0] in {"F", "G"}:
            ops.append((body[0], body[1]))
            body = body[2]
        if not is_state(body):
            return f"{self.header(ops, now)} : {self.brief(body, False)}".replace(": :", ":")
        roll = self.roll()
        rel = body if body[0] == "rel" else body[1] if body[0] == "not" and body[1][0] == "rel" else None
        if rel is not None and roll < 0.55:
            said = self._fused(ops, rel, body[0] == "not", now, role)
            if said:
                return said
        head = self.header(ops, now)
        asks = head.endswith((" for", " without", " with"))
        if asks or head.endswith(("when", "where", ":")):
            return f"{head} {self.state(body, 'keep' if asks else 'is')}"
        if body[0] in {"->", "or"} or (body[0] == "and" and not all(map(is_literal, body[1:]))):
            return f"{head} {self.pick((':', ',', ':'))} {self.state(body, self.pick(('is', 'bare')))}"
        verb = "" if role == "fact" else self.pick(("have", "get", "", "")) if ops[-1][0] == "F" else self.pick(("keep", "keep", "", ""))
        if verb:
            if len(ops) == 1 and self.roll() < 0.5:
                return f"{verb} {self.state(body, 'keep' if verb == 'keep' else 'bare')} {head}"
            return f"{head} {self.pick((',', ''))} {'always ' if verb == 'keep' and ops[-1][1] is not None and self.roll() < 0.15 else ''}{verb} {self.state(body, 'keep' if verb == 'keep' else 'bare')}"
        if len(ops) == 1 and self.roll() < 0.5:
            return f"{self.state(body, 'is')} {head}"
        return f"{head} {self.pick((':', ',', ','))} {self.state(body, self.pick(('is', 'bare', 'is')))}"

    def _fused(self, ops: Sequence[tuple[str, Span]], atom: Tree, negative: bool, now: bool, role: str) -> str:
        """Operators said with the verb of a relation; empty where there is no such way."""
        a, how = self._name(atom[2][0]), self._how(atom, negative, True)
        word = "".join(op for op, _ in ops)
        span = ops[0][1]
        still = self.pick(("still ", "always ", "")) if role == "kept" else self.pick(("", "", "still "))
        when = self.once_at(span, now) if span else ""
        if word == "F":
            forms = [f"{a} is {still}due {how} {when}", f"{a} is {still}due {how} {when}", f"{a} is bound to be {how} {when or 'sometime'}", f"{a} {how} is {'on its way' if not span else 'coming ' + when}", f"{a} gets {how} {when or 'sometime'}"]
            if span and span[1] != "inf":
                forms.append(f"{a} {how} is {self._range(span) if span[0] != '0' else 'up to ' + self._n(span[1])} {self.pick(('off', 'away'))}")
                if span[0] == "0":
                    forms.append(f"{a} is {still}within {self._n(span[1])} of being {how}")
            elif span is None:
                forms.append(f"{a} is ever going {how}" if role == "fact" else f"{a} is {how} sooner or later")
            return self.pick(forms)
        if word == "G" and span is None:
            return self.pick((f"{a} is never {self._how(atom, False, True)}" if negative else f"{a} stays {how} for good", f"{a} stays {how}" if not negative else f"{a} never gets {self._how(atom, False, True)}", f"{a} is {how} for good", f"{a} is {how} {self.all_at(None, now)}" if role == "fact" else f"keep {a} {how} {self.all_at(None, now)}"))
        if word == "G":
            return self.pick((f"{a} is {how} {self.all_at(span, now)}", f"{a} stays {how} {self.all_at(span, now)}", f"{'' if role == 'fact' else 'keep'} {a} {how} {self.all_at(span, now)}"))
        last = ops[-1][1]
        if word == "FG":
            on = "for good" if last is None else self.all_at(last, False)
            forms = [f"{a} ends up {how} {on} {when}", f"{a} is {still}due to end up {how} {on} {when}", f"{when or 'sometime'} {a} is {how} {on}"]
            if span and span[0] == "0":
                forms += [f"{a} is {still}within {self._n(span[1])} of {self.pick(('staying', 'being'))} {how} {on}"]
            elif span and span[1] != "inf":
                forms += [f"{a} is {self._range(span)} from staying {how} {on}"]
            return self.pick(forms)
        if word == "GF" and ops[0][1] is None:
            if last is None:
                due = f"{a} is always due {how}" if role != "kept" else f"{a} keeps getting {how} for ever"
                return self.pick((f"{a} keeps getting {how}", due, f"{a} is {how} again and again", f"{a} keeps being {how} , again and again", f"{a} keeps returning {how}"))
            if role == "kept":
                return f"at every point {a} is {self.pick(('', 'due '))}{how} {self.once_at(last, False)}"
            return self.pick((f"{a} is always {how} {self.once_at(last, False)}", f"{a} is always due {how} {self.once_at(last, False)}"))
        if word == "GF":
            return f"{self.all_at(span, now)} {a} is always {self.pick(('', 'due ') if last else ('due ', 'still due '))}{how} {self.once_at(last, False) if last else ''}"
        if word == "GG" and ops[0][1] is None and last is not None and last[0] == "0":
            return self.pick((f"{'' if role == 'fact' else 'keep'} {a} {how} always , {self._n(last[1])} ahead too", f"{a} stays {how} for good , {self._n(last[1])} ahead too", f"{a} is always {how} , {self._n(last[1])} ahead too"))
        if word in {"FF", "GG"}:
            return f"{a} is {'due ' if word == 'FF' and self.roll() < 0.4 else ''}{how} {self.header(ops, now)}"
        return ""

    def _until_brief(self, tree: Tree, now: bool) -> str:
        span, left, right = tree[1], tree[2], tree[3]
        goal = self.state(right) if is_state(right) else self.brief(right, False, "fact")
        if is_state(left):
            start = "start " if not now and self.roll() < 0.25 else ""
            roll = self.roll()
            if is_literal(left) or (left[0] == "and" and all(map(is_literal, left[1:]))):
                held = f"{start}{'keeping' if start else 'keep'} {self.state(left, 'keep')}" if roll < 0.6 else self.state(left, "is" if roll < 0.8 else "bare")
            else:
                held = f"keep {self.state(left, 'is')}" if roll < 0.3 else self.state(left)
        else:
            held = self._short(lambda: self.brief(left, now, "kept"))
        word = self.pick(("until", "until", "until", "till"))
        if span is None:
            when = ""
        elif span[0] == "0":
            when = self.pick((f"by {self._n(span[1])}", f", within {self._n(span[1])} ,", f"within {self._n(span[1])}", f", by {self._n(span[1])} ,"))
        elif span[1] == "inf":
            when = f", after {self._n(span[0])} ,"
        else:
            s = self._range(span)
            when = self.pick((f"in {s}", f", {s} on ,", f", {s} later ,", f"{s} from now :" if now else f", {s} on ,", f", in {s} ,"))
        heavy = not is_state(right) and right[0] in {"and", "or", "->"}
        if heavy and not when.endswith(":"):
            when = f"{when.rstrip(' ,')} :" if when else when
        if ":" in held or (span is None and not is_state(left) and not heavy and ":" not in goal and self.roll() < 0.35):
            return f"until {when.rstrip(' :')} {goal} : {held}"
        if span is not None and is_state(right) and not heavy and self.roll() < 0.35:
            return f"{held} {word} {goal} , {when.strip(' ,:')}"
        comma = "," if not is_state(left) and self.roll() < 0.7 else ""
        return f"{held} {comma} {word} {when} {goal}"


