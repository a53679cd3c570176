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
AWAY = {
    "enclIn": ("out of", "out of", "outside", "not in"),
    "ovlp": ("clear of", "clear of", "off", "free of"),
    "touch": ("off", "off", "not touching", "out of contact with"),
    "closeTo": ("not near", "nowhere near"),
    "oriented": ("turned away from", "not facing"),
}


OPEN = (" until ", " till ", " if ", " means ", " supposing ", " in case ", " should ", " given ", " , so ", " mean ", " unless ", " whenever ", " when ")  # what follows could be taken for a part of it


def _tied(tree: Tree) -> bool:
    """A literal, or two joined: "with" or "or" can hold them together."""
    return is_literal(tree) or (tree[0] in {"and", "or"} and len(tree) == 3 and all(map(is_literal, tree[1:])))


class Brief(Windows):
    """Notes."""

    whole: Tree = ()

    def sentence(self, tree: Tree) -> str:
        self.unit = self.words("sentence")
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
            word = self.words("how_word")
            than = self.words("how_than", name=rest[0], name2=rest[1])
            return self.words("how", than=than) if negative else f"{word} {than}"
        if kind == "between":
            return self.words("how_2", part="not " if negative else "", name=rest[0], name2=rest[1])
        if negative and kind in AWAY and self.roll() < 0.6:
            return f"{self.pick(AWAY[kind])} {rest[0]}"
        if kind in {"leftOf", "rightOf"} and self.roll() < 0.06:
            return self.words("how_3", part=lambda: self.words("how_part") if negative else self.words("how_part_2"), name=rest[0], removesuffix=lambda: kind.removesuffix("Of"))
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
            return self.words("literal_2", a=a, part=lambda: self.words("literal_part", when1=mood == "must"), name=PLAIN[atom[1]], name2=lambda: self._name(atom[2][1]))
        how = self._how(atom, negative, True)
        short = "''s" if how.startswith(("left of", "right of")) else "is"
        be = self.words("literal_be", short=short, when1=mood == "must", when2=mood == "stay")
        return f"{a} {be} {how}"

    def _tie(self, tree: Tree, mood: str = "bare") -> str:
        """A literal or two as one thing."""
        if is_literal(tree):
            return self.literal(tree, mood)
        word = self.words("tie_word") if tree[0] == "and" else "or"
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
                forms = 15 * [lambda: self.words("means", a=a, b=b)]
                return self.pick(forms + ([lambda: self.words("means_2", a=a, b=b)] if left[0] == "rel" else []))()
            return self.words("means_3", a=a, right=lambda: self.state(right, self.pick(("bare", "is"))))
        cond, then = self._one(left, "is"), self.state(right, "bare" if self.roll() < 0.5 else "is")
        if left[0] == "not" and is_literal(left) and self.roll() < 0.5:
            return self.words("means_4", then=then, left_part=lambda: self.literal(left[1], "is"))
        forms = 7 * [lambda: self.words("means_5", cond=cond, then=then, when1=left[0] == "rel")]
        if _tied(right) and not conditional(left):
            forms += 8 * [lambda: self.words("means_6", then=then, cond=cond)]
        return self.pick(forms)()

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        if tree[0] == "and" and all(map(is_literal, tree[1:])) and self.roll() < 0.6:
            if len(tree) == 3 and self.roll() < 0.45:
                return self.words("state_5", tree_part=lambda: self.literal(tree[1], mood), tree_part_bare=lambda: self.literal(tree[2], "bare"))
            said = [self.literal(x, mood if i == 0 else "bare" if mood in {"bare", "keep"} else "is") for i, x in enumerate(tree[1:])]
            return " , ".join(said[:-1]) + (" " + self.words("state_6") + " ") + said[-1]
        if tree[0] == "->":
            return self._means(tree)
        if tree[0] == "or" and all(map(is_literal, tree[1:])):
            said = [self.literal(x, mood if i == 0 else self.words("state_said", mood=mood)) for i, x in enumerate(tree[1:])]
            tail = (" " + self.words("state_tail") + " ") if len(said) == 2 and self.roll() < 0.06 else ""
            return self.words("state_7", members=lambda: " , ".join(said[:-1]), part=lambda: "or" if len(said) == 2 else self.words("state_part_2"), name=said[-1], tail=tail)
        if tree[0] == "or" and not conditional(tree) and all(is_literal(x) or (x[0] == "and" and all(map(is_literal, x[1:]))) for x in tree[1:]):
            said = [self._one(x, mood if i == 0 else self.words("state_said_2", mood=mood)) for i, x in enumerate(tree[1:])]
            return self.words("state_8", members=lambda: " , ".join(said[:-1]), name=said[-1])
        return super().state(tree, mood, depth)

    # -- plans -------------------------------------------------------------------------------------------

    def brief(self, tree: Tree, now: bool, role: str = "ask") -> str:
        """Any formula; role: "ask", "kept" (before until: "always" and "still" say that it goes on), "fact"."""
        op = tree[0]
        if is_state(tree):
            return self.words("brief", tree=lambda: self.state(tree)) if now and role == "ask" and is_literal(tree) else self.state(tree)
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
            return (" " + self.words("brief_2") + " ") + " , ".join(said[:-1]) + " , or " + said[-1]
        link = " ; or " if any(word in f" {x} " for x in said[:-1] for word in (*OPEN, " ; ")) else (" " + self.words("brief_link") + " ")
        return (" " + self.words("brief_3") + " ") + link.join(said)

    def _and_brief(self, members: list[Tree], said: list[str], now: bool, lasting: bool, role: str) -> str:
        if ":" in said[-2]:
            return (" " + self.words("and_brief") + " ").join(said)
        light = all(x[0] in {"F", "G"} and _tied(x[2]) for x in members) and not lasting
        if light and not now:  # "a and within 5 more b" counts from a
            light = not any(f" {word} " in f" {x} " for x in said[1:] for word in ("more", "that", "another", "there", "then", "after"))
        if role == "arm":
            return f"{'' if said[0].startswith('both') else 'both '}{(' , and also ' if lasting else ' and ').join(said)}"
        if len(said) > 2 and not lasting and not any(" , " in x for x in said[:-1]):
            return (" " + self.words("join_8") + " ").join(said[:-1]) + (" " + self.words("and_brief_2") + " ") + said[-1]
        if light and self.roll() < 0.5:
            link = " " + self.words("and_brief_link") + " "
            return (" " + self.words("shared_both") + " ") * (link == " and " and not said[0].startswith("both")) + link.join(said)
        return (" " + self.words("and_brief_3") + " ").join(said)

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
            event = self.words("if_brief_event", body=lambda: self._tie(body), part=lambda: self.tail(ops, now) if ops else self.words("if_brief_part") if now else "")
            if " , " not in event and ":" not in event:
                light = is_state(right) and _tied(right)
                return self.words("if_brief", event=event, then=then, light=light)
        cond = self._short(lambda: self.brief(left, now, "arm" if left[0] == "and" else "fact"))
        return self.words("if_brief_2", cond=cond, then=then)

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
            chain = self._chain_of(ops, body, now) if body[0] == "and" and ops[-1][0] == "F" and self.roll() < 0.3 else ""
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
            return self.words("row_of", head=head, body=lambda: self.state(body, self.pick(("is", "bare"))))
        verb = "" if role in {"fact", "goal", "arm"} else self.words("row_of_verb") if ops[-1][0] == "F" else self.words("row_of_verb_2")
        if verb:
            if len(ops) == 1 and self.roll() < 0.5:
                return f"{verb} {self._one(body, 'keep' if verb == 'keep' else 'bare')} {head}"
            return self.words("row_of_2", head=head, part=lambda: "always " if verb == "keep" and ops[-1][1] is not None and (self.roll() < 0.15) else "", verb=verb, body=lambda: self.state(body, "keep" if verb == "keep" else "bare"))
        if len(ops) == 1 and self.roll() < 0.5 and role != "goal":
            return f"{self._one(body, 'is')} {head}"
        return self.words("row_of_3", head=head, body=lambda: self.state(body, self.pick(("is", "bare", "is"))))

    def _around(self, ops: Ops, body: Tree, now: bool, role: str) -> str:
        """Windows behind what they are about, or some in front and some behind."""
        front = 0 if len(ops) < 2 else self.pick((0, 1)) if len(ops) == 2 else self.pick((1, 1, 2))
        if role == "goal" and ops[front][0] == "F" and front == 0:
            return ""  # it would be taken for the window of until
        behind = self.tail(ops[front:], now and not front)
        if behind.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        if len(ops) == 1 and ops[0][0] == "G" and ops[0][1] and ops[0][1][0] == "0" and ops[0][1][1] != "inf" and role not in {"fact", "goal", "arm"} and self.roll() < 0.2:
            return self.words("around", body_keep=lambda: self._tie(body, "keep"), n=lambda: self._n(ops[0][1][1]))
        keep = ops[-1][0] == "G" and role not in {"fact", "goal", "arm"} and self.roll() < 0.35
        said = f"keep {self._tie(body, 'keep')}" if keep else self._tie(body, self.pick(("is", "is", "bare")))
        if ops[-1][0] == "F" and not keep and self.roll() < 0.3:
            due = self.words("around_due")
            said = f"{self._tie(body)} is {'always ' if front and ops[front - 1][0] == 'G' and front == len(ops) - 1 and self.roll() < 0.5 else ''}{due}"
        if not front:
            return f"{said} {behind}"
        return self.words("around_2", header=lambda: self.header(ops[:front], now), part=lambda: self.words("around_part") if len(ops) > 2 or body[0] != "or" else self.words("around_part_2"), said=said, behind=behind)

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
            then = self.words("chain_of_then", d=d) if d else self.words("chain_of_then_2", s=s) if s else self.words("chain_of_then_3")
        else:
            then = self.words("chain_of_then_4", d=d) if d else self.words("chain_of_then_5", s=s) if s else self.words("chain_of_then_6")
        said = f"{then} {self._rest(inner)}".strip()
        if said.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        head = self.header(ops, now)
        if head.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        return self.words("chain_of", head=head, state=lambda: self.literal(state, self.pick(("is", "bare"))), said=said, what=lambda: self._tie(what, self.pick(("is", "bare"))))

    def _until_brief(self, tree: Tree, now: bool) -> str:
        span, left, right = tree[1], tree[2], tree[3]
        goal = self._tie(right, self.pick(("is", "bare"))) if _tied(right) and self.roll() < 0.3 else self.state(right) if is_state(right) else self.brief(right, False, "fact" if span else "goal")
        if span is None and not is_state(right) and right[0] != "G" and not goal.split()[0].startswith(("O", "the", "if", "keep")):
            goal = self.words("until_brief_goal", goal=goal)
        if is_state(left):
            start = "start " if not now and self.roll() < 0.25 else ""
            roll = self.roll()
            if is_literal(left) or (left[0] == "and" and all(map(is_literal, left[1:]))):
                held = (
                    self.words("until_brief_held", start=start, part=lambda: "keeping" if start else self.words("until_brief_part"), left_keep=lambda: self.state(left, "keep"))
                    if roll < 0.5
                    else self.state(left, "is" if roll < 0.75 else "bare")
                )
            else:
                held = f"keep {self._tie(left, 'keep')}" if roll < 0.4 and _tied(left) else self.state(left)
        else:
            held = self._short(lambda: self.brief(left, now, "kept"))
        word = self.words("until_brief_word")
        if span is None:
            when = ""
        elif span[0] == "0":
            d = self._n(span[1])
            when = self.words("until_brief_when", d=d)
        elif span[1] == "inf":
            when = f", after {self._n(span[0])} ,"
        else:
            s = self._range(span)
            when = self.words("until_brief_when_2", s=s, now=now, name=span[0], n=lambda: self._n(span[1]))
        heavy = not is_state(right) and right[0] in {"and", "or", "->"}
        if heavy and not when.endswith(":"):
            when = f"{when.rstrip(' ,')} :" if when else when
        if tree is self.whole and (not is_state(left) or conditional(left)) and self.roll() < (0.4 if ":" in held + goal or heavy else 0.1):
            that = self.words("until_brief_that")
            return self.words("until_brief", held=held, that=that, when=when, goal=goal)
        joint = left[0] == "->" or (not is_state(left) and left[0] in {"and", "or", "U"})
        if joint and left[0] in {"and", "or"} and ":" not in held + goal and not heavy and self.roll() < 0.3:
            both = self.words("until_brief_both") if left[0] == "and" else self.words("until_brief_both_2")
            return f"{held} , {both} {word} {when} {goal}"
        if ":" in held or joint or (not is_state(left) and not heavy and ":" not in goal and self.roll() < 0.3):
            at = when.rstrip(" :")
            lead = self.words("until_brief_lead", joint=joint)
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
