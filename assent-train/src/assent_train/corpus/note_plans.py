"""SpaTiaL plans in note form, as busy people say them: windows in front or behind, few verbs, hardly a unit.

What stands before a colon covers all that follows, to the end. How rows of windows are read stands in plan_windows.
"due", "on its way" and "coming" are eventualities; a window behind "until" is until's own.
"or" and "and" behind a comma close all that was said since the last colon; an until inside of one of their members
ends with it, so "a, or b until c" is a or (b until c), and (a or b) until c has its goal in front or says "all until".
"with" binds closest; "means" takes all before it in its clause.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from assent_train.corpus.note_states import is_tied
from assent_train.corpus.part import SpeechPart
from assent_train.corpus.plan_windows import Ops
from assent_train.corpus.times import again_until
from assent_train.corpus.trees import Span, Tree, is_literal, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_brief import Brief


OPEN = (
    " until ",
    " till ",
    " if ",
    " means ",
    " supposing ",
    " in case ",
    " should ",
    " given ",
    " , so ",
    " mean ",
    " unless ",
    " whenever ",
    " when ",
)  # what follows could be taken for a part of it


def _row(tree: Tree) -> tuple[list[tuple[str, Span]], Tree]:
    """Operators in a row and what they are about."""
    ops: list[tuple[str, Span]] = []
    while tree[0] in {"F", "G"}:
        ops.append((tree[0], tree[1]))
        tree = tree[2]
    return ops, tree


class NotePlans(SpeechPart):
    """Any formula as a note."""

    speech: Brief

    whole: Tree = ()

    def sentence(self, tree: Tree) -> str:
        self.speech.note_windows.unit = self.words("sentence")
        self.speech.note_states.the = self.pick((0.0, 0.0, 0.5, 0.8))
        self.whole = tree
        said = (
            self.brief(tree, True)
            .rstrip(" ,")
            .replace(" , :", " :")
            .replace(" ,  ,", " ,")
            .replace(" , ,", " ,")
            .replace(" , ;", " ;")
        )
        if self.roll() < 0.85:
            said += " ."
        return said

    def brief(self, tree: Tree, now: bool, role: str = "ask") -> str:
        """Any formula; role: "ask", "kept" (before until: "always" and "still" say that it goes on), "fact"."""
        op = tree[0]
        if is_state(tree):
            return (
                self.words("brief", tree=lambda: self.speech.state(tree))
                if now and role == "ask" and is_literal(tree)
                else self.speech.state(tree)
            )
        if op in {"F", "G"}:
            return self._row_of(tree, now, role)
        if op == "U":
            return self.speech.note_untils.clause(tree, now)
        if op == "->":
            return self._if_brief(tree, now)
        members = list(tree[1:])
        said = [
            self.short(partial(self._member, x, now, "arm" if op == "or" and x[0] == "and" else role))
            for x in members
        ]
        said.sort(key=lambda text: ":" in text)  # a colon reaches to the end
        lasting = any(word in f" {text} " for text in said for word in (*OPEN, " , or "))
        if op == "and":
            return self._and_brief(members, said, now, lasting, role)
        if ":" in said[-2]:
            return "one of these : " + " ; or ".join(said)
        if len(said) > 2 and not lasting and not any(" , " in x for x in said[:-1]):
            return (" " + self.words("brief_either_many") + " ") + " , ".join(said[:-1]) + " , or " + said[-1]
        link = (
            " ; or "
            if any(word in f" {x} " for x in said[:-1] for word in (*OPEN, " ; "))
            else (" " + self.words("brief_link") + " ")
        )
        return (" " + self.words("brief_either") + " ") + link.join(said)

    def _and_brief(self, members: list[Tree], said: list[str], now: bool, lasting: bool, role: str) -> str:
        if ":" in said[-2]:
            return (" " + self.words("and_brief") + " ").join(said)
        light = all(x[0] in {"F", "G"} and is_tied(x[2]) for x in members) and not lasting
        if light and not now:  # "a and within 5 more b" counts from a
            light = not any(
                f" {word} " in f" {x} "
                for x in said[1:]
                for word in ("more", "that", "another", "there", "then", "after")
            )
        if role == "arm":
            both = "" if said[0].startswith("both") else "both "
            return both + (" , and also " if lasting else " and ").join(said)
        if len(said) > 2 and not lasting and not any(" , " in x for x in said[:-1]):
            return (
                (" " + self.words("join_comma_or_semicolon") + " ").join(said[:-1])
                + (" " + self.words("and_brief_last") + " ")
                + said[-1]
            )
        if light and self.roll() < 0.5:
            link = " " + self.words("and_brief_link") + " "
            return (" " + self.words("shared_both") + " ") * (
                link == " and " and not said[0].startswith("both")
            ) + link.join(said)
        return (" " + self.words("and_brief_semicolon") + " ").join(said)

    def _member(self, tree: Tree, now: bool, role: str) -> str:
        if is_state(tree) and not (now and role == "ask"):
            return self.speech.note_states.one(tree, self.pick(("is", "bare")))
        return self.brief(tree, now, role)

    def _if_brief(self, tree: Tree, now: bool) -> str:
        """A condition, one side of it timed."""
        left, right = tree[1], tree[2]
        then = self.short(
            lambda: (
                self.brief(right, now, "kept")
                if not is_state(right)
                else self.speech.note_states.one(right, "is")
            )
        )
        ops, body = _row(left)
        if is_tied(body) and body[0] != "or" and len(ops) < 3 and self.roll() < 0.4:
            event = self.words(
                "if_brief_event",
                body=lambda: self.speech.note_states.tie(body),
                part=lambda: (
                    self.speech.note_windows.tail(ops, now)
                    if ops
                    else self.words("if_brief_part")
                    if now
                    else ""
                ),
            )
            if " , " not in event and ":" not in event:
                light = is_state(right) and is_tied(right)
                return self.words("if_brief", event=event, then=then, light=light)
        cond = self.short(lambda: self.brief(left, now, "arm" if left[0] == "and" else "fact"))
        return self.words("if_brief_clause", cond=cond, then=then)

    def short(self, say: Callable[[], str]) -> str:
        """Words without a colon, if there are any."""
        return again_until(say, lambda said: ":" not in said)

    def _row_of(self, tree: Tree, now: bool, role: str) -> str:
        ops, body = _row(tree)
        if not is_state(body):
            chain = (
                self._chain_of(ops, body, now)
                if body[0] == "and" and ops[-1][0] == "F" and self.roll() < 0.3
                else ""
            )
            return (
                chain
                or f"{self.speech.note_windows.header(ops, now)} : {self.brief(body, False)}".replace(
                    ": :", ":"
                )
            )
        roll = self.roll()
        rel = body if body[0] == "rel" else body[1] if body[0] == "not" and body[1][0] == "rel" else None
        if rel is not None and roll < 0.55:
            said = self.speech.fused.said(ops, rel, body[0] == "not", now, role)
            if said:
                return said
        if is_tied(body) and self.roll() < 0.45:
            said = self._around(ops, body, now, role)
            if said:
                return said
        head = self.speech.note_windows.header(ops, now)
        asks = head.endswith((" for", " without", " with", " of"))
        if asks or head.endswith(("when", "where", ":")):
            return f"{head} {self.speech.state(body, 'keep' if asks else 'is')}"
        if body[0] in {"->", "or"} or (body[0] == "and" and not all(map(is_literal, body[1:]))):
            return self.words(
                "row_of", head=head, body=lambda: self.speech.state(body, self.pick(("is", "bare")))
            )
        verb = (
            ""
            if role in {"fact", "goal", "arm"}
            else self.words("row_of_verb")
            if ops[-1][0] == "F"
            else self.words("row_of_keep")
        )
        if verb:
            if len(ops) == 1 and self.roll() < 0.5:
                return (
                    f"{verb} {self.speech.note_states.one(body, 'keep' if verb == 'keep' else 'bare')} {head}"
                )
            return self.words(
                "row_of_with_verb",
                head=head,
                part=lambda: (
                    "always " if verb == "keep" and ops[-1][1] is not None and (self.roll() < 0.15) else ""
                ),
                verb=verb,
                body=lambda: self.speech.state(body, "keep" if verb == "keep" else "bare"),
            )
        if len(ops) == 1 and self.roll() < 0.5 and role != "goal":
            return f"{self.speech.note_states.one(body, 'is')} {head}"
        return self.words(
            "row_of_plain", head=head, body=lambda: self.speech.state(body, self.pick(("is", "bare", "is")))
        )

    def _around(self, ops: Ops, body: Tree, now: bool, role: str) -> str:
        """Windows behind what they are about, or some in front and some behind."""
        front = 0 if len(ops) < 2 else self.pick((0, 1)) if len(ops) == 2 else self.pick((1, 1, 2))
        if role == "goal" and ops[front][0] == "F" and front == 0:
            return ""  # it would be taken for the window of until
        behind = self.speech.note_windows.tail(ops[front:], now and not front)
        if behind.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        if (
            len(ops) == 1
            and ops[0][0] == "G"
            and ops[0][1]
            and ops[0][1][0] == "0"
            and ops[0][1][1] != "inf"
            and role not in {"fact", "goal", "arm"}
            and self.roll() < 0.2
        ):
            return self.words(
                "around",
                body_keep=lambda: self.speech.note_states.tie(body, "keep"),
                n=lambda: self.speech.note_windows.number(ops[0][1][1]),
            )
        keep = ops[-1][0] == "G" and role not in {"fact", "goal", "arm"} and self.roll() < 0.35
        said = (
            f"keep {self.speech.note_states.tie(body, 'keep')}"
            if keep
            else self.speech.note_states.tie(body, self.pick(("is", "is", "bare")))
        )
        if ops[-1][0] == "F" and not keep and self.roll() < 0.3:
            due = self.words("around_due")
            under = front > 0 and ops[front - 1][0] == "G" and front == len(ops) - 1
            always = "always " if under and self.roll() < 0.5 else ""
            said = f"{self.speech.note_states.tie(body)} is {always}{due}"
        if not front:
            return f"{said} {behind}"
        return self.words(
            "around_both_sides",
            header=lambda: self.speech.note_windows.header(ops[:front], now),
            part=lambda: (
                self.words("around_part") if len(ops) > 2 or body[0] != "or" else self.words("around_colon")
            ),
            said=said,
            behind=behind,
        )

    def _chain_of(self, ops: Ops, body: Tree, now: bool) -> str:
        """F(a and T): the second part counts from the first; "" if it is not that light."""
        state = next((x for x in body[1:] if is_literal(x)), None)
        other = next((x for x in body[1:] if x[0] in {"F", "G"}), None)
        if len(body) != 3 or state is None or other is None:
            return ""
        inner, what = _row(other)
        op, span = inner[0]
        if not is_state(what) or not is_tied(what) or (span and span[1] == "inf"):
            return ""
        d = self.speech.note_windows.number(span[1]) if span and span[0] == "0" else ""
        s = self.speech.note_windows.range_(span) if span and not d else ""
        if op == "F":
            then = (
                self.words("chain_of_then", d=d)
                if d
                else self.words("chain_of_between", s=s)
                if s
                else self.words("chain_of_later")
            )
        else:
            then = (
                self.words("chain_of_for", d=d)
                if d
                else self.words("chain_of_through", s=s)
                if s
                else self.words("chain_of_from_then")
            )
        said = f"{then} {self.speech.note_windows.rest(inner)}".strip()
        if said.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        head = self.speech.note_windows.header(ops, now)
        if head.endswith(("when", "where", "with", "for", "without", ":", "of")):
            return ""
        return self.words(
            "chain_of",
            head=head,
            state=lambda: self.speech.literal(state, self.pick(("is", "bare"))),
            said=said,
            what=lambda: self.speech.note_states.tie(what, self.pick(("is", "bare"))),
        )
