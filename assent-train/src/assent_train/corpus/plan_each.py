"""A second operator inside of "always", said in the less common ways: "each instant is followed by"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.plan_following import is_bond
from assent_train.corpus.trees import Tree, is_literal, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


class EachPairs(SpeechPart):
    """G over F and G over G."""

    speech: Plans

    def each_once(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said = self.speech.rows.plan_or_state(arg, "is")
        at = self.words("at_which") if is_state(arg) else self.words("from_which")
        point, rel, each = (
            self.words("once_once_point"),
            self.speech.plan_times.window(span, False),
            self.speech.plan_moments.each_of(tree[1], now),
        )

        def due() -> str:
            return self.speech.following.due(arg, must, self.speech.plan_times.once_when(span, False))

        forms = 5 * [
            lambda: self.words(
                "each_once",
                instant=lambda: self.speech.plan_moments.instant(tree[1], now),
                followed=lambda: self.speech.following.followed(inner, must),
                each=each,
                part=lambda: self.words("each_once_holds", must=must),
                point=point,
                rel=rel,
                at=at,
                said=said,
                nested=lambda: self.speech.rows.nested(inner, mood),
                when1=is_state(arg) and is_literal(arg),
                part2="must come" if must else "comes",
            )
        ]
        if is_bond(arg):
            be = "be" if must else "is"
            forms += 2 * [lambda: self.words("each_once_due", each=each, due=due)]
            a, _, rest = due().partition(f" {be} ")
            forms += [lambda: self.words("each_once_due_split", a=a, part=be, each=each, rest=rest)]
        if span is not None and span[0] == "0":
            d = self.speech.times.measured(span[1])
            forms += [
                lambda: self.words(
                    "each_once_none_far",
                    instant=lambda: self.speech.plan_moments.instant(tree[1], now),
                    part="may be" if must else "is",
                    d=d,
                    point=point,
                    at=at,
                    said=said,
                )
            ]
            if tree[1] is None and is_literal(arg):
                on = self.words("each_once_always") if now else self.words("each_once_from_then")
                forms += [
                    lambda: self.words(
                        "each_once_every", on=on, arg=lambda: self.speech.literal(arg, mood), d=d
                    )
                ] * 2
        return self.pick(forms)()

    def each_kept(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said, each = self.speech.rows.plan_or_state(arg, mood), self.speech.plan_moments.each_of(tree[1], now)
        forms = 4 * [
            lambda: self.words(
                "each_kept",
                instant=lambda: self.speech.plan_moments.instant(tree[1], now),
                followed=lambda: self.speech.following.followed(inner, must),
                nested=lambda: self.speech.rows.nested(inner, mood),
                instant2=lambda: self.speech.plan_moments.instant(span, False),
                said=said,
            )
        ]
        if span is None:
            forms += [lambda: self.words("each_kept_onward", each=each, said=said)]
        elif span[0] == "0":
            begin = self.words("each_kept_must_follow") if must else self.words("each_kept_follows")
            inside = self.words("each_kept_inside") if is_state(arg) else self.words("period_each_instant")
            forms += [
                lambda: self.words(
                    "each_kept_period",
                    each=each,
                    period=lambda: self.speech.plan_times.period(span[1]),
                    begin=begin,
                    inside=inside,
                    arg=lambda: self.speech.rows.plan_or_state(arg, "is"),
                )
            ]
        if must and arg[0] == "rel" and span is not None:
            forms += [
                lambda: self.words(
                    "each_kept_keep",
                    arg_keep=lambda: self.speech.literal(arg, "keep"),
                    stretch=lambda: self.speech.plan_times.stretch(span, False),
                    each=each,
                )
            ]
        return self.pick(forms)()
