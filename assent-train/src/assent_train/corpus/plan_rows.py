"""Temporal operators in a row, as plans have them: a moment, and from it a stretch, and in it another moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.times import again_until
from assent_train.corpus.trees import Tree, is_literal, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


class PlanRows(SpeechPart):
    """Clauses for a row of temporal operators over a state."""

    speech: Plans

    def _usual_row(self, tree: Tree, mood: str, now: bool) -> str:
        """F and G one inside another, over a state (or over a joint at the end)."""
        inner = tree[2]
        if is_state(inner):
            return self.last(tree, mood, now)
        if tree[0] == "F":
            return (
                self.speech.usual_pairs.moment_then(tree, inner, mood, now)
                if inner[0] == "F"
                else self.speech.usual_pairs.moment_stretch(tree, inner, mood, now)
            )
        return (
            self.speech.usual_pairs.each_then(tree, inner, mood, now)
            if inner[0] == "F"
            else self.speech.usual_pairs.each_stretch(tree, inner, mood, now)
        )

    def _usual_last(self, tree: Tree, mood: str, now: bool) -> str:
        """One operator over a state."""
        op, span, arg = tree
        must = mood in {"must", "stay"}
        roll = self.roll()
        if op == "F":
            return self._last_once(tree, mood, now, roll)
        when = self.speech.plan_times.all_when(span, now)
        if is_literal(arg):
            return self._last_kept(tree, mood, now, roll, when)
        stay = "stay" if must else mood
        if arg[0] == "->" and roll < 0.5:
            return self.words("last", when=when, each_time=lambda: self.speech.moments.each_time(arg, stay))
        if arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and self.roll() < 0.15:
            always = self.words("last_always")
            kept = " and ".join(self.speech.names.amid(x, mood, always) for x in arg[1:])
            return self.words(
                "last_kept_list",
                part=lambda: self.speech.plan_times.stretch(span, now) if span is not None else when,
                kept=kept,
            )
        if arg[0] in {"and", "or"} and roll < 0.15 and all(is_literal(x) for x in arg[1:]):
            return f"{self.speech.state(arg, stay)} {when}"
        if (
            must
            and span is not None
            and arg[0] == "and"
            and all(x[0] == "rel" for x in arg[1:])
            and roll < 0.28
        ):
            kept = " and ".join(
                self.words("last_kept", x_keep=self.speech.literal(x, "keep")) for x in arg[1:]
            )
            return (
                f"{self.speech.plan_times.whole(span, now)} , keep {kept}"
                if self.roll() < 0.6
                else f"keep {kept} {self.speech.plan_times.stretch(span, now)}"
            )
        if roll < 0.35:
            return (
                self.words(
                    "last_stretch",
                    stretch=lambda: self.speech.plan_times.stretch(span, now),
                    arg=lambda: self.speech.state(arg, stay),
                )
                if span is not None
                else f"{when} , {self.speech.state(arg, stay)}"
            )
        if roll < 0.45:
            return (
                f"{self.speech.plan_moments.each_of(span, now)} , {self.speech.state(arg, stay)}"
                if span is not None
                else f"{when} {self.speech.state(arg, stay)}"
            )
        return self.words(
            "last_adverb_first",
            when=when,
            part=lambda: self.words("last_part", must=must),
            arg=lambda: self.speech.state(arg, stay),
        )

    def _last_once(self, tree: Tree, mood: str, now: bool, roll: float) -> str:
        """Eventually a state."""
        span, arg, must = tree[1], tree[2], mood in {"must", "stay"}
        when = self.speech.plan_times.once_when(span, now)
        if is_literal(arg) and arg[0] == "rel" and roll < 0.3:
            what, a = self.speech.relations.predicate(arg), f"the {arg[2][0]}"
            return self.words(
                "last_once",
                a=a,
                part="must be" if must else "is",
                what=what,
                when=when,
                part2="must" if must else "is going to",
                part3="" if must else "be",
                part4="be" if must else "",
                part5="must come" if must else "comes",
                part6="must get" if must else "gets",
                window=lambda: self.speech.plan_times.window(span, now),
            )
        if is_literal(arg) and arg[0] == "rel" and span is not None and span[0] == "0" and roll < 0.38:
            d = self.speech.times.measured(span[1])
            take = "must take" if must else "takes"
            return self.words(
                "last_once_takes",
                take=take,
                d=d,
                name=arg[2][0],
                predicate=lambda: self.speech.relations.predicate(arg),
                arg=lambda: self.speech.literal(arg, "is"),
                part="must be" if must else "is",
            )
        if is_literal(arg) and (now or span is not None) and roll < 0.75:
            return self.speech.clauses.once(tree, "must" if must else mood, now)
        if roll < 0.55 or is_literal(arg):
            if is_literal(arg) and self.roll() < 0.5:
                return f"{self.speech.literal(arg, mood)} {when}"
            return self.words(
                "last_once_adverb_first",
                when=when,
                part=lambda: self.words("last_once_part", must=must),
                arg=lambda: self.speech.state(arg, mood),
            )
        if roll < 0.65 and span is not None:
            return self.words(
                "last_once_window",
                window=lambda: self.speech.plan_times.window(span, now),
                arg=lambda: self.speech.state(arg, mood),
            )
        return self.words(
            "last_once_moment",
            moment=lambda: self.speech.plan_moments.moment(span, mood, now),
            part=lambda: self.words("last_once_at_which", when1=is_literal(arg)),
            arg=lambda: self.speech.state(arg, "is"),
        )

    def _last_kept(self, tree: Tree, mood: str, now: bool, roll: float, when: str) -> str:
        """Always a literal."""
        span, arg, must = tree[1], tree[2], mood in {"must", "stay"}
        if arg[0] == "not" and roll < 0.3 and arg[1][0] == "rel":
            tail = when if span is not None or not now else ""
            never = self.words("last_kept_never")
            if span is not None and self.roll() < 0.4:
                window = self.speech.plan_times.whole(span, now, never=True)
                return f"{window} , {self.speech.names.amid(arg[1], mood, never)}"
            if span is not None and self.roll() < 0.3:
                return (
                    f"{self.speech.literal(arg, mood)} at any time {self.speech.plan_times.common(span, now)}"
                )
            return f"{self.speech.names.amid(arg[1], mood, never)} {tail}"
        if (now or span is not None) and roll < 0.65:
            return self.speech.clauses.always(tree, "must" if must else mood, now)
        if roll < 0.75 and span is None and not now:
            return self.speech.names.amid(arg, mood, self.words("last_kept_always")) + (
                " " + self.words("last_kept_from_then") + " "
            )
        stay = "stay" if must else mood
        if must and arg[0] == "rel" and span is not None and roll < 0.85:
            return self.words(
                "last_kept_keep",
                whole=lambda: self.speech.plan_times.whole(span, now),
                arg_keep=lambda: self.speech.literal(arg, "keep"),
            )
        return (
            f"{self.speech.literal(arg, stay)} {when}"
            if self.roll() < 0.7
            else self.words("last_kept_adverb_first", when=when, arg=lambda: self.speech.literal(arg, stay))
        )

    def nested(self, tree: Tree, mood: str) -> str:
        return self.speech.clause(tree, mood, False)

    def _plain_plan(self, tree: Tree, mood: str) -> str:
        return self.speech.state(tree, mood) if is_state(tree) else self.speech.clause(tree, mood, False)

    def last(self, tree: Tree, mood: str, now: bool) -> str:
        """One operator over a state, so that one moment or all of them is clear."""
        return again_until(
            lambda: self._usual_last(tree, mood, now),
            lambda said: self.speech.plan_moments.is_plain(tree[0], said),
        )

    def row(self, tree: Tree, mood: str, now: bool) -> str:
        inner = tree[2]
        if is_state(inner) or self.roll() < 0.52:
            return self._usual_row(tree, mood, now)
        must = mood in {"must", "stay"}
        if tree[0] == "F":
            return (
                self.speech.once_pairs.once_once(tree, inner, must, now)
                if inner[0] == "F"
                else self.speech.once_pairs.once_kept(tree, inner, must, now)
            )
        return (
            self.speech.each_pairs.each_once(tree, inner, must, now)
            if inner[0] == "F"
            else self.speech.each_pairs.each_kept(tree, inner, must, now)
        )

    def plan_or_state(self, tree: Tree, mood: str) -> str:
        said = self._plain_plan(tree, mood)
        if tree[0] == "U" and not is_state(
            tree[2]
        ):  # "a moment from which a, and this until b" would be heard in two ways
            return self.words("plan_or_state", part=lambda: self.words("plan_or_state_part"), said=said)
        return said
