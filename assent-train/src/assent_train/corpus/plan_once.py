"""A second operator inside of "eventually", said in the less common ways: "a moment that opens a period"."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.plan_following import is_bond
from assent_train.corpus.trees import Tree, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans

Forms = list[Callable[[], str]]
"""Ways to say something, one of which is called; more likely ones stand in it more often."""


class OncePairs(SpeechPart):
    """F over F and F over G."""

    speech: Plans

    def once_once(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said = self.speech.rows.plan_or_state(arg, "is")
        at = self.words("at_which") if is_state(arg) else self.words("from_which")
        point, when = self.words("once_once_point"), self.speech.plan_times.once_when(tree[1], now)
        later = self.speech.plan_times.window(span, False)
        forms = 4 * [
            lambda: self.words(
                "once_once",
                some_moment=lambda: self.speech.plan_moments.some_moment(tree[1], now),
                nested=lambda: self.speech.rows.nested(inner, mood),
                hold=lambda: self.speech.following.hold(must),
                nested2=lambda: self.speech.rows.nested(inner, "is"),
                moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
                point=point,
                later=later,
                at=at,
                said=said,
            )
        ]
        if is_bond(arg):
            forms += (
                2
                * [
                    lambda: self.words(
                        "once_once_due",
                        moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
                        due=lambda: self.speech.following.due(
                            arg, False, self.speech.plan_times.once_when(span, False)
                        ),
                        when=when,
                        due2=lambda: self.speech.following.due(
                            arg, must, self.speech.plan_times.once_when(span, False)
                        ),
                    )
                ]
                * 2
            )
            forms += [
                lambda: self.words(
                    "once_once_leads_to",
                    moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
                    arg=lambda: self.speech.plan_moments.being(arg),
                    later=later,
                )
            ]
        if span is not None:
            forms += self._counted(tree, inner, must, now, (when, point, at, said))
        return self.pick(forms)()

    def _counted(
        self, tree: Tree, inner: Tree, must: bool, now: bool, words: tuple[str, str, str, str]
    ) -> Forms:
        """With the time of the inner one counted: when, the word for a point, "at which", what is said."""
        (when, point, at, said), span = words, inner[1]
        mood, be = ("must", "must be") if must else ("is", "are")
        if span[0] == "0":
            d = self.speech.times.measured(span[1])
            return 3 * [
                lambda: self.words(
                    "once_once_within",
                    when=when,
                    be=be,
                    d=d,
                    point=point,
                    at=at,
                    said=said,
                    period=lambda: self.speech.plan_times.period(span[1]),
                    part="must open" if must else "opens",
                    part2="must begin" if must else "begins",
                )
            ]
        return 2 * [
            lambda: self.words(
                "once_once_between",
                when=when,
                be=be,
                name=span[0],
                name2=span[1],
                seconds=self.speech.plan_times.seconds,
                point=point,
                at=at,
                said=said,
                moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
            )
        ]

    def once_kept(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        """A moment, and a stretch that begins there."""
        span, mood = inner[1], "must" if must else "is"
        when = self.speech.plan_times.once_when(tree[1], now)
        forms = 2 * [
            lambda: self.words(
                "once_kept",
                some_moment=lambda: self.speech.plan_moments.some_moment(tree[1], now),
                nested=lambda: self.speech.rows.nested(inner, mood),
                hold=lambda: self.speech.following.hold(must),
                nested2=lambda: self.speech.rows.nested(inner, "is"),
            )
        ]
        if span is None:
            forms += self._for_good(tree, inner[2], must, now, when)
        elif span[0] == "0":
            forms += self._for_long(tree, inner, must, now, when)
        else:
            forms += self._between(tree, inner, mood, now)
        return self.pick(forms)()

    def _for_good(self, tree: Tree, arg: Tree, must: bool, now: bool, when: str) -> Forms:
        """A stretch without an end."""
        mood = "must" if must else "is"
        said, ever = self.speech.rows.plan_or_state(arg, "is"), self.words("forever")
        forms: Forms = []
        if not is_state(arg):
            forms += 2 * [
                lambda: self.words(
                    "once_kept_each",
                    moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
                    of_each=lambda: self.speech.following.of_each(arg, True),
                )
            ]
        forms += 4 * [
            lambda: self.words(
                "once_kept_for_good",
                some_moment=lambda: self.speech.plan_moments.some_moment(tree[1], now),
                part=lambda: self.words("once_kept_holds", must=must),
                said=said,
                when=when,
                part2="must become" if must else "becomes",
                part3="must start" if must else "starts",
                ever=ever,
                part4="must begin" if must else "begins",
            )
        ]
        if arg[0] == "not" and is_bond(arg):
            never = self.speech.names.amid(arg[1], "is", self.words("once_kept_never_word"))
            forms += 4 * [
                lambda: self.words(
                    "once_kept_never",
                    moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
                    never=never,
                    some_moment=lambda: self.speech.plan_moments.some_moment(tree[1], now),
                )
            ]
        return forms + (self._bond_for_good(tree, arg, must, now, (when, ever)) if is_bond(arg) else [])

    def _bond_for_good(self, tree: Tree, arg: Tree, must: bool, now: bool, words: tuple[str, str]) -> Forms:
        """One relation without an end: when, "for ever"."""
        when, ever = words
        mood = "must" if must else "is"
        atom = arg[1] if arg[0] == "not" else arg
        what = f"{'not ' if arg[0] == 'not' else ''}{self.speech.relations.predicate(atom)}"
        forms = 2 * [
            lambda: self.words(
                "once_kept_subject",
                name=atom[2][0],
                part="must" if must else "is",
                when=when,
                part2="be " if must else "",
                what=what,
                ever=ever,
                part3=lambda: self.words("once_kept_must_turn") if must else self.words("once_kept_turns"),
            )
        ]
        forms += [
            lambda: self.words(
                "once_kept_followed",
                moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
                arg=lambda: self.speech.plan_moments.being(arg),
                ever=ever,
            )
        ]
        if tree[1]:
            forms += [
                lambda: self.words(
                    "once_kept_due",
                    due=lambda: self.speech.following.due(arg, must, ever),
                    common=lambda: self.speech.plan_times.common(tree[1], now),
                )
            ]
        return forms

    def _for_long(self, tree: Tree, inner: Tree, must: bool, now: bool, when: str) -> Forms:
        """A stretch of a length."""
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        period = self.speech.plan_times.period(span[1])
        begin = self.words("once_kept_must_begin") if must else self.words("once_kept_begins")
        lead = self.words("once_kept_lead", when=when, period=period, begin=begin)
        if is_state(arg):
            said = self.speech.state(arg, "is")
            forms = 3 * [lambda: self.words("once_kept_period_state", lead=lead, said=said)]
        else:
            forms = 5 * [
                lambda: self.words(
                    "once_kept_period_each",
                    lead=lead,
                    of_each=lambda: self.speech.following.of_each(arg, False),
                )
            ]
        if is_bond(arg):
            d = self.speech.times.measured(span[1])
            forms += 3 * [
                lambda: self.words(
                    "once_kept_run_of",
                    when=when,
                    d=d,
                    name=span[1],
                    period=period,
                    arg=lambda: self.speech.plan_moments.being(arg),
                    begin=begin,
                    moment=lambda: self.speech.plan_moments.moment(tree[1], mood, now),
                    part=lambda: self.words("once_kept_length", d=d, period=period),
                    part2="must come" if must else "comes",
                )
            ]
        return forms

    def _between(self, tree: Tree, inner: Tree, mood: str, now: bool) -> Forms:
        """A stretch from one time to another, counted from the moment."""
        span, arg = inner[1], inner[2]
        stretch = f"{span[0]} to {span[1]} {self.speech.plan_times.seconds()}"
        said = self.speech.rows.plan_or_state(arg, "is")

        def moment() -> str:
            return self.speech.plan_moments.moment(tree[1], mood, now)

        forms = 2 * [lambda: self.words("once_kept_between", moment=moment, stretch=stretch, said=said)]
        if is_state(arg):
            forms += [lambda: self.words("once_kept_stretch_from", moment=moment, stretch=stretch, said=said)]
        return forms
