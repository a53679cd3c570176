"""SpaTiaL plans in note form, as busy people say them: windows in front or behind, few verbs, hardly a unit.

What stands before a colon covers all that follows, to the end. How rows of windows are read stands in plan_windows.
"due", "on its way" and "coming" are eventualities; a window behind "until" is until's own.
"or" and "and" behind a comma close all that was said since the last colon; an until inside of one of their members
ends with it, so "a, or b until c" is a or (b until c), and (a or b) until c has its goal in front or says "all until".
"with" binds closest; "means" takes all before it in its clause.
"""

from __future__ import annotations

from collections.abc import Callable

from assent_train.corpus.fused import fused
from assent_train.corpus.plan_windows import Ops, Windows
from assent_train.corpus.requirements import conditional
from assent_train.corpus.trees import Span, Tree, is_literal, is_state

NEAR = {
    "leftOf": ("left of", "left of", "left of", "to the left of", "on the left of"), "rightOf": ("right of", "right of", "right of", "to the right of", "on the right of"), "above": ("above", "above", "over", "higher than"), "below": ("below", "below", "under", "beneath", "lower than"),
    "closeTo": (*("near",) * 4, "close to", "close by"), "farFrom": ("far from", "far from", "far from", "away from", "well away from", "a long way from"), "touch": ("touching", "touching", "touching", "in contact with", "up against"), "ovlp": ("overlapping", "overlapping", "overlapping with"),
    "partOvlp": ("partly over", "partly overlapping", "partly in", "partly overlapping", "half over", "partly across"), "enclIn": ("in", "in", "in", "inside", "inside", "fully inside", "fully in", "all the way in"), "oriented": ("facing", "facing", "pointed at", "pointing at", "aimed at", "turned to"),
}  # fmt: skip
VERBS = {"touch": "touches", "ovlp": "overlaps", "partOvlp": "partly overlaps", "oriented": "faces"}
PLAIN = {"touch": "touch", "ovlp": "overlap", "partOvlp": "partly overlap", "oriented": "face"}
AWAY = {"enclIn": ("out of", "out of", "outside", "not in"), "ovlp": ("clear of", "clear of", "off", "free of"), "touch": ("off", "off", "not touching", "out of contact with"), "closeTo": ("not near", "nowhere near"), "oriented": ("turned away from", "not facing")}


OPEN = (" until ", " till ", " if ", " means ", " supposing ", " in case ", " should ", " given ", " , so ", " mean ", " unless ", " whenever ", " when ")  # what follows could be taken for a part of it


def _tied(tree: Tree) -> bool:
    """A literal, or two joined: "with" or "or" can hold them together."""
    return is_literal(tree) or (tree[0] in {"and", "or"} and len(tree) == 3 and all(map(is_literal, tree[1:])))


class Brief(Windows):
    """Notes."""

    whole: Tree = ()

    def sentence(self, tree: Tree) -> str:
        self.unit = self.pick(("units", "units", "units", "seconds", "steps", "ticks", *("",) * 8))
        self.the = self.pick((0.0, 0.0, 0.5, 0.8))
        self.whole = tree
        said = self.brief(tree, True).rstrip(" ,").replace(" , :", " :").replace(" ,  ,", " ,").replace(" , ,", " ,").replace(" , ;", " ;")
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
            return (f"{self.pick(('no closer to', 'no nearer to', 'not closer to', 'no closer to'))} {than}" if negative else f"{word} {than}")
        if kind == "between":
            return f"{'not ' if negative else ''}{self.pick(('between', 'between', 'between', 'in between', 'in the middle of'))} {rest[0]} and {rest[1]}"
        if negative and kind in AWAY and self.roll() < 0.6:
            return f"{self.pick(AWAY[kind])} {rest[0]}"
        if kind in {"leftOf", "rightOf"} and self.roll() < 0.06:
            return f"{self.pick(('not on', 'not to', 'off')) if negative else self.pick(('to', 'on'))} {rest[0]} ''s {kind.removesuffix('Of')}"
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
        if negative and atom[1] in PLAIN and self.roll() < 0.2:
            return f"{a} {self.pick(('does not', 'does not', 'must not' if mood == 'must' else 'does not'))} {PLAIN[atom[1]]} {self._name(atom[2][1])}"
        how = self._how(atom, negative, True)
        short = "''s" if how.startswith(("left of", "right of")) else "is"
        be = self.pick(("is", "is", "is", short, "" if mood == "must" else "is", "must be" if mood == "must" else "is", "stays" if mood == "stay" else "is"))
        return f"{a} {be} {how}"

    def _tie(self, tree: Tree, mood: str = "bare") -> str:
        """A literal or two as one thing."""
        if is_literal(tree):
            return self.literal(tree, mood)
        word = (self.pick(("with", "with", "with", "plus", "and", "and", "together with")) if tree[0] == "and" else "or")
        return f"{self.literal(tree[1], mood)} {word} {self.literal(tree[2], 'bare')}"

    def _one(self, tree: Tree, mood: str) -> str:
        """A state without the commas of a list: "a, b, or c" is or of all."""
        if tree[0] in {"and", "or"} and all(map(is_literal, tree[1:])):
            return self._tie(tree, mood) if len(tree) == 3 else f" {tree[0]} ".join(self.literal(x, mood) for x in tree[1:])
        return self.state(tree, mood)

    def _means(self, tree: Tree) -> str:
        """An implication of states."""
        left, right = tree[1], tree[2]
        roll = self.roll()
        if _tied(left) and roll < 0.55:
            a = self._tie(left)
            if _tied(right) and self.roll() < 0.5:
                b = self._tie(right)
                forms = [*(f"{a} means {b}",) * 4, f"{a} calls for {b}", f"{a} requires {b}", f"{a} needs {b}", f"{a} only with {b}", f"{a} , so {b}", f"{b} whenever {a}", f"{b} with every {a}", f"{b} if {a}", f"given {a} , {b}", f"{a} takes {b}", f"{a} has to come with {b}"]
                return self.pick(forms + ([f"no {a} without {b}"] if left[0] == "rel" else []))
            return f"{a} {self.pick(('means', 'means', 'means', 'has to mean', 'only if', 'must mean', 'implies', 'means that', ', so'))} {self.state(right, self.pick(('bare', 'is')))}"
        cond, then = self._one(left, "is"), self.state(right, "bare" if self.roll() < 0.5 else "is")
        if left[0] == "not" and is_literal(left) and self.roll() < 0.5:
            return self.pick((f"{then} unless {self.literal(left[1], 'is')}", f"unless {self.literal(left[1], 'is')} , {then}"))
        forms = [*(f"if {cond} , {then}",) * 3, f"if {cond} then {then}", f"when {cond} , {then}", f"whenever {cond} , {then}", f"with {cond} , {then}" if left[0] == "rel" else f"if {cond} , {then}"]
        if _tied(right) and not conditional(left):
            forms += [*(f"{then} if {cond}", f"{then} whenever {cond}") * 2, f"{then} any time {cond}", f"{then} when {cond}", f"{then} every time {cond}", f"{then} in case {cond}"]
        return self.pick(forms)

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        if tree[0] == "and" and all(map(is_literal, tree[1:])) and self.roll() < 0.6:
            if len(tree) == 3 and self.roll() < 0.45:
                return f"{self.literal(tree[1], mood)} {self.pick(('with', 'with', 'plus', ','))} {self.literal(tree[2], 'bare')}"
            said = [self.literal(x, mood if i == 0 else "bare" if mood in {"bare", "keep"} else "is") for i, x in enumerate(tree[1:])]
            return " , ".join(said[:-1]) + self.pick((" and ", " , ", " , and ")) + said[-1]
        if tree[0] == "->":
            return self._means(tree)
        if tree[0] == "or" and all(map(is_literal, tree[1:])):
            said = [self.literal(x, mood if i == 0 else self.pick((mood, "bare"))) for i, x in enumerate(tree[1:])]
            tail = (self.pick((" , either one", " , one or the other", " or both", " , whichever")) if len(said) == 2 and self.roll() < 0.06 else "")
            return f"{self.pick(('', '', '', 'either '))}{' , '.join(said[:-1])} {'or' if len(said) == 2 else self.pick(('or', ', or', ', or'))} {said[-1]}{tail}"
        if tree[0] == "or" and not conditional(tree) and all(is_literal(x) or (x[0] == "and" and all(map(is_literal, x[1:]))) for x in tree[1:]):
            said = [self._one(x, mood if i == 0 else self.pick((mood, "is"))) for i, x in enumerate(tree[1:])]
            return f"{self.pick(('', 'either '))}{' , '.join(said[:-1])} , or {said[-1]}"
        return super().state(tree, mood, depth)

    # -- plans -------------------------------------------------------------------------------------------

    def brief(self, tree: Tree, now: bool, role: str = "ask") -> str:
        """Any formula; role: "ask", "kept" (before until: "always" and "still" say that it goes on), "fact"."""
        op = tree[0]
        if is_state(tree):
            return (f"{self.pick(('right now', 'at the start', 'initially'))} {self.state(tree)}" if now and role == "ask" and is_literal(tree) else self.state(tree))
        if op in {"F", "G"}:
            return self._row_of(tree, now, role)
        if op == "U":
            return self._until_brief(tree, now)
        if op == "->":
            return self._if_brief(tree, now)
        members = list(tree[1:])
        said = [self._short(lambda x=x: self._member(x, now, "arm" if op == "or" and x[0] == "and" else role)) for x in members]  # type: ignore[misc]
        said.sort(key=lambda text: ":" in text)  # a colon reaches to the end
        lasting = any(word in f" {text} " for text in said for word in (*OPEN, " , or "))
        if op == "and":
            return self._and_brief(members, said, now, lasting, role)
        if ":" in said[-2]:
            return "one of these : " + " ; or ".join(said)
        if len(said) > 2 and not lasting and not any(" , " in x for x in said[:-1]):
            return self.pick(("", "", "", "either ", "one of : ")) + " , ".join(said[:-1]) + " , or " + said[-1]
        link = " ; or " if any(word in f" {x} " for x in said[:-1] for word in (*OPEN, " ; ")) else self.pick((" , or ", " , or ", " , or ", " ; or ", " , or else ", " , otherwise ", " , alternatively "))
        return self.pick(("either ", "either ", "")) + link.join(said)

    def _and_brief(self, members: list[Tree], said: list[str], now: bool, lasting: bool, role: str) -> str:
        if ":" in said[-2]:
            return self.pick((" . also , ", " . also , ", " . and also , ")).join(said)
        light = all(x[0] in {"F", "G"} and _tied(x[2]) for x in members) and not lasting
        if light and not now:  # "a and within 5 more b" counts from a
            light = not any(f" {word} " in f" {x} " for x in said[1:] for word in ("more", "that", "another", "there", "then", "after"))
        if role == "arm":
            return f"{'' if said[0].startswith('both') else 'both '}{(' , and also ' if lasting else ' and ').join(said)}"
        if len(said) > 2 and not lasting and not any(" , " in x for x in said[:-1]):
            return self.pick((" , ", " ; ")).join(said[:-1]) + self.pick((" , and ", " ; and ", " , plus ")) + said[-1]
        if light and self.roll() < 0.5:
            link = self.pick((" , and ", " and ", " , plus ", " , and also ", " plus "))
            return self.pick(("", "", "both ")) * (link == " and " and not said[0].startswith("both")) + link.join(said)
        return self.pick((" ; and ", " ; and ", " ; plus ", " ; ", " ; also ", " ; and also ", " ; plus also ")).join(said)

    def _member(self, tree: Tree, now: bool, role: str) -> str:
        if is_state(tree) and not (now and role == "ask"):
            return self._one(tree, self.pick(("is", "bare")))
        return self.brief(tree, now, role)

    def _if_brief(self, tree: Tree, now: bool) -> str:
        """A condition, one side of it timed."""
        left, right = tree[1], tree[2]
        then = self._short(lambda: self.brief(right, now, "kept") if not is_state(right) else self._one(right, "is"))
        ops, body = _row(left)
        if _tied(body) and body[0] != "or" and len(ops) < 3 and self.roll() < 0.4:
            event = f"{self._tie(body)} {self.tail(ops, now) if ops else self.pick(('right now', 'at the start', '')) if now else ''}"
            if " , " not in event and ":" not in event:
                light = is_state(right) and _tied(right)
                return self.pick((*(f"{event} means {then}",) * 4, f"{event} has to mean {then}", f"{event} means that {then}", f"{event} , so {then}", f"given {event} , {then}", f"{then} if {event}" if light else f"{event} must mean {then}"))
        cond = self._short(lambda: self.brief(left, now, "arm" if left[0] == "and" else "fact"))
        return f"{self.pick(('if', 'if', 'if', 'if', 'in case', 'supposing', 'should it be that'))} {cond} , {self.pick(('', '', 'then'))} {then}"

    def _short(self, say: Callable[[], str]) -> str:
        """Words without a colon, if there are any."""
        said = say()
        for _ in range(6):
            if ":" not in said:
                break
            said = say()
        return said

    def _row_of(self, tree: Tree, now: bool, role: str) -> str:
        ops, body = _row(tree)
        if not is_state(body):
            chain = (self._chain_of(ops, body, now) if body[0] == "and" and ops[-1][0] == "F" and self.roll() < 0.3 else "")
            return chain or f"{self.header(ops, now)} : {self.brief(body, False)}".replace(": :", ":")
        roll = self.roll()
        rel = body if body[0] == "rel" else body[1] if body[0] == "not" and body[1][0] == "rel" else None
        if rel is not None and roll < 0.55:
            said = fused(self, ops, rel, body[0] == "not", now, role)
            if said:
                return said
        if _tied(body) and self.roll() < 0.45:
            said = self._around(ops, body, now, role)
            if said:
                return said
        head = self.header(ops, now)
        asks = head.endswith((" for", " without", " with", " of"))
        if asks or head.endswith(("when", "where", ":")):
            return f"{head} {self.state(body, 'keep' if asks else 'is')}"
        if body[0] in {"->", "or"} or (body[0] == "and" and not all(map(is_literal, body[1:]))):
            return f"{head} {self.pick((':', ',', ':'))} {self.state(body, self.pick(('is', 'bare')))}"
        verb = ("" if role in {"fact", "goal", "arm"} else self.pick(("have", "get", "", "")) if ops[-1][0] == "F" else self.pick(("keep", "keep", "", "")))
        if verb:
            if len(ops) == 1 and self.roll() < 0.5:
                return f"{verb} {self._one(body, 'keep' if verb == 'keep' else 'bare')} {head}"
            return f"{head} {self.pick((',', ''))} {'always ' if verb == 'keep' and ops[-1][1] is not None and self.roll() < 0.15 else ''}{verb} {self.state(body, 'keep' if verb == 'keep' else 'bare')}"
        if len(ops) == 1 and self.roll() < 0.5 and role != "goal":
            return f"{self._one(body, 'is')} {head}"
        return f"{head} {self.pick((':', ',', ','))} {self.state(body, self.pick(('is', 'bare', 'is')))}"

    def _around(self, ops: Ops, body: Tree, now: bool, role: str) -> str:
        """Windows behind what they are about, or some in front and some behind."""
        front = 0 if len(ops) < 2 else self.pick((0, 1)) if len(ops) == 2 else self.pick((1, 1, 2))
        if role == "goal" and ops[front][0] == "F" and front == 0:
            return ""  # it would be taken for the window of until
        behind = self.tail(ops[front:], now and not front)
        if behind.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        if len(ops) == 1 and ops[0][0] == "G" and ops[0][1] and ops[0][1][0] == "0" and ops[0][1][1] != "inf" and role not in {"fact", "goal", "arm"} and self.roll() < 0.2:
            return f"keep {self._tie(body, 'keep')} {self.pick((',', ''))} {self._n(ops[0][1][1])} {self.pick(('ahead', 'long', 'straight', 'on end'))}"
        keep = ops[-1][0] == "G" and role not in {"fact", "goal", "arm"} and self.roll() < 0.35
        said = f"keep {self._tie(body, 'keep')}" if keep else self._tie(body, self.pick(("is", "is", "bare")))
        if ops[-1][0] == "F" and not keep and self.roll() < 0.3:
            due = self.pick(("due", "due", "coming", "on the way", "to come", "on its way", "in store", "bound to come"))
            said = f"{self._tie(body)} is {'always ' if front and ops[front - 1][0] == 'G' and front == len(ops) - 1 and self.roll() < 0.5 else ''}{due}"
        if not front:
            return f"{said} {behind}"
        return f"{self.header(ops[:front], now)} {self.pick((',', ',', ':', '') if len(ops) > 2 or body[0] != 'or' else (',', ':'))} {said} {behind}"

    def _chain_of(self, ops: Ops, body: Tree, now: bool) -> str:
        """F(a and T): the second part counts from the first; "" if it is not that light."""
        state = next((x for x in body[1:] if is_literal(x)), None)
        other = next((x for x in body[1:] if x[0] in {"F", "G"}), None)
        if len(body) != 3 or state is None or other is None:
            return ""
        inner, what = _row(other)
        op, span = inner[0]
        if not is_state(what) or not _tied(what) or (span and span[1] == "inf"):
            return ""
        d = self._n(span[1]) if span and span[0] == "0" else ""
        s = self._range(span) if span and not d else ""
        if op == "F":
            then = self.pick((f"within {d} more", f"within {d} of that", f"within another {d}", f"up to {d} later", f"within {d} from there") if d else (f"{s} later", f"{s} after that", f"{s} further on", f"{s} from there") if s else ("sometime after that", "later on", "eventually from there", "at some point after"))
        else:
            then = self.pick((f"for {d} after that", f"for {d} from then", f"for the {d} after") if d else (f"from {s} after that", f"through {s} after", f"from {s} later") if s else ("from then on", "from there on", "for good after that"))
        said = f"{then} {self._rest(inner)}".strip()
        if said.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        head = self.header(ops, now)
        if head.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        return f"{head} {self.pick((',', '', ':'))} {self.literal(state, self.pick(('is', 'bare')))} {self.pick(('and', ', and', 'and', 'plus'))} {self.pick((',', ''))} {said} {self.pick((',', ''))} {self._tie(what, self.pick(('is', 'bare')))}"

    def _until_brief(self, tree: Tree, now: bool) -> str:
        span, left, right = tree[1], tree[2], tree[3]
        goal = (self._tie(right, self.pick(("is", "bare"))) if _tied(right) and self.roll() < 0.3 else self.state(right) if is_state(right) else self.brief(right, False, "fact" if span else "goal"))
        if (span is None and not is_state(right) and right[0] != "G" and not goal.split()[0].startswith(("O", "the", "if", "keep"))):
            goal = self.pick((f"it is so that {goal}", f"the point where {goal}", f"it holds that {goal}", f"this is so : {goal}", f"we have this : {goal}", f"it is true that {goal}", f"this holds : {goal}"))
        if is_state(left):
            start = "start " if not now and self.roll() < 0.25 else ""
            roll = self.roll()
            if is_literal(left) or (left[0] == "and" and all(map(is_literal, left[1:]))):
                held = (f"{start}{'keeping' if start else self.pick(('keep', 'keep', 'keep', 'leave', 'hold'))} {self.state(left, 'keep')}" if roll < 0.5 else self.state(left, "is" if roll < 0.75 else "bare"))
            else:
                held = f"keep {self._tie(left, 'keep')}" if roll < 0.4 and _tied(left) else self.state(left)
        else:
            held = self._short(lambda: self.brief(left, now, "kept"))
        word = self.pick((*("until",) * 6, "till", "till", "up until", "right up until", "all the way until"))
        if span is None:
            when = ""
        elif span[0] == "0":
            d = self._n(span[1])
            when = self.pick((f"by {d}", f"by {d}", f", within {d} ,", f"within {d}", f", by {d} ,", f", inside {d} ,", f", no later than {d} ,", f", {d} at most ,", f", in {d} or less ,", f", in the next {d} ,", f", {d} tops ,"))
        elif span[1] == "inf":
            when = f", after {self._n(span[0])} ,"
        else:
            s = self._range(span)
            when = self.pick((f"in {s}", f", {s} on ,", f", {s} later ,", f"{s} from now :" if now else f", {s} on ,", f", in {s} ,", f"{s} on ,", f", sometime in {s} ,", f", {s} in ,", f", between {span[0]} and {self._n(span[1])} ,", f", {s} out ,", f", at some point in {s} ,"))
        heavy = not is_state(right) and right[0] in {"and", "or", "->"}
        if heavy and not when.endswith(":"):
            when = f"{when.rstrip(' ,')} :" if when else when
        if tree is self.whole and (not is_state(left) or conditional(left)) and self.roll() < (0.4 if ":" in held + goal or heavy else 0.1):
            that = self.pick(("that", "this", "all that", "all this"))
            return f"{held} . {self.pick((f'{that} until', f'{that} goes on until', f'keep {that} up until', f'{that} holds until', f'{that} stays so until', f'{that} lasts until', 'so it goes until', f'{that} , until'))} {when} {goal}"
        joint = left[0] == "->" or (not is_state(left) and left[0] in {"and", "or", "U"})
        if joint and left[0] in {"and", "or"} and ":" not in held + goal and not heavy and self.roll() < 0.3:
            both = self.pick(("all", "both", "all of it") if left[0] == "and" else ("one or the other", "at least one of them", "either way"))
            return f"{held} , {both} {word} {when} {goal}"
        if (":" in held or joint or (not is_state(left) and not heavy and ":" not in goal and self.roll() < 0.3)):
            at = when.rstrip(" :")
            lead = self.pick(("until", "until", "until", "till", "up until", "keep this up until" if joint else "until"))
            every = " , every time" if left[0] == "U" and ":" not in held and self.roll() < 0.3 else ""
            return f"{lead} {at} {goal} {': ' if heavy or joint or ':' in held or self.roll() < 0.6 else ', '}{held}{every}"
        if span is not None and is_state(right) and not heavy and self.roll() < 0.3:
            return f"{held} {word} {goal} , {when.strip(' ,:')}"
        comma = "," if not is_state(left) and self.roll() < 0.7 else ""
        return f"{held} {comma} {word} {when} {goal}"


def _row(tree: Tree) -> tuple[list[tuple[str, Span]], Tree]:
    """Operators in a row and what they are about."""
    ops: list[tuple[str, Span]] = []
    while tree[0] in {"F", "G"}:
        ops.append((tree[0], tree[1]))
        tree = tree[2]
    return ops, tree
