"""Verbose rules over lifted propositions: in case that ..., then all of the following conditions are true: ..."""

from __future__ import annotations

from assent_train.corpus.lifted_leaves import LiftedPart, Said
from assent_train.corpus.trees import Span, Tree


class LiftedRules(LiftedPart):
    """The lifted styles with the verbose rules."""

    def rule(self) -> Said:
        """G(condition -> consequence)."""
        if self.timed and self.roll() < 0.12:
            return self.brief()
        cond, left = self.condition()
        cons, right = self.consequence()
        opening = self.words("openings")
        front = (" " + self.words("rule_front") + " ") if self.roll() < 0.5 else ""
        then = self.words("rule_then_word")
        if then == "," and not front and cond.endswith(")"):
            then = ", then"
        if self.roll() < 0.12:
            word = self.words("rule_word")
            text = f"{cons} {word} {cond}"
            return (text if self.roll() < 0.6 else self.words("rule_globally", text=text)), (
                "G",
                None,
                ("->", left, right),
            )
        if self.roll() < 0.03:
            return self.words("rule_following", cond=cond, cons=cons), ("G", None, ("->", left, right))
        if self.timed and self.roll() < 0.04:
            p, x = self.draw.atom()
            span, part = self.draw.interval()
            p = self.words("rule_name", p=p)
            if self.roll() < 0.25:
                text = self.words("rule_never", p=p, part=part, cond=cond)
                return text, ("G", None, ("->", left, ("G", span, ("not", x))))
            text = self.words("rule_after", p=p, part=part, cond=cond)
            return text, ("G", None, ("->", left, ("F", span, x)))
        if self.roll() < 0.04:
            p, x = self.draw.atom()
            span, where = self.window()
            return self.words("rule_cause", cond=cond, p=p, where=where), (
                "G",
                None,
                ("->", left, ("F", span, x)),
            )
        if (
            opening == "if"
            and not front
            and not (cond.startswith("the ") or "following" in then or "response" in then)
            and not any(word in cond + cons for word in ("which ", "transition action", "before the "))
        ):
            front = " " + self.words("rule_front") + " "  # a bare "if" is no rule for all times in this style
        return f"{front}{opening} {cond} {then} {cons}", ("G", None, ("->", left, right))

    def brief(self) -> Said:
        """The same in a few words: whenever ( P1 ) happens , ( P2 ) will always hold true for the next ..."""
        (a, x), (b, y), (c, z) = self.draw.atom(), self.draw.atom(), self.draw.atom()
        roll = self.roll()
        left: Tree = x
        if roll < 0.5:
            cond, p, q, goal, held = f"{a} {self.words('brief_seen')}", b, c, y, z
        else:
            op = self.pick(("and", "or"))
            cond = self.words("brief_ors", a=a, b=b) if op == "or" else self.words("brief_both", a=a, b=b)
            left, p, goal = (op, x, y), c, z
            q, held = self.draw.atom()
        span, part = self.draw.interval()
        where = self.words("brief_where", part=part)
        manner = self.roll()
        right: Tree
        if manner < 0.4:
            name = self.words("brief_name", p=p)
            cons, right = f"{name} {self.words('brief_once', where=where)}", ("F", span, goal)
            if self.roll() < 0.2:
                cons = self.words("brief_front", name=name, where=where)
        elif manner < 0.7:
            cons, right = f"{p} {self.words('brief_always', part=part)}", ("G", span, goal)
        elif manner < 0.85:
            cons = f"{p} {self.words('brief_once', where=where)} {self.words('brief_before', a=q)}"
            right = ("U", span, held, goal)
        else:
            cons, right = self.words("brief_until", p=p, b=q, where=where), ("U", span, goal, held)
        opening = self.words("brief_opening")
        if manner < 0.4 and roll > 0.5 and self.roll() < 0.15 and "action" in cons:
            opening = "if"  # with a consequence in the style of these rules
        return self.words("brief_rule", opening=opening, cond=cond, cons=cons), (
            "G",
            None,
            ("->", left, right),
        )

    def scene(self) -> Said:
        p, x = self.draw.atom()
        roll = self.roll()
        if roll < 0.45:
            return p, x
        if roll < 0.82:
            return self.words("scene", p=p), x
        if roll < 0.92:
            return self.words("scene_seen", p=p), x
        return self.words("scene_denied", p=p), ("not", x)

    def condition(self) -> Said:
        if self.timed and self.roll() < 0.03:
            return self.lasting()
        if self.timed and self.roll() < 0.04:
            (a, x), (b, y) = self.draw.atom(), self.draw.atom()
            return self.words("brief_ors", a=a, b=b), ("or", x, y)
        a, x = self.scene()
        roll = self.roll()
        if roll < 0.5:
            return a, x
        b, y = self.scene()
        op = "and" if roll < 0.78 else "or"
        text = f"{a} {self.pick((op, ', ' + op))} {b}"
        tree: Tree = (op, x, y)
        if roll > 0.96:
            c, z = self.scene()
            return f"{text} , or {c}", ("or", tree, z)
        return text, tree

    def result(self) -> Said:
        """A member of the consequence that holds at the same moment."""
        p, x = self.draw.atom()
        roll = self.roll()
        if roll < 0.38:
            return p, x
        if roll < 0.55:
            return self.words("result", p=p), x
        if roll < 0.75:
            return self.words("result_scene_later", p=p, part=lambda: self.words("result_part")), x
        if roll < 0.83:
            return self.words("result_at_once", p=p), x
        if roll < 0.9:
            return self.words("result_name", p=p), x
        if roll < 0.94:
            return self.words("result_denied", p=p), ("not", x)
        return self.words("result_must_at_once", p=p), x

    def plain(self) -> Said:
        p, x = self.draw.atom()
        if self.roll() < 0.55:
            return p, x
        return self.words("plain", p=p), x

    def consequence(self) -> Said:
        roll = self.roll()
        if roll < (0.1 if self.timed else 0.25):
            return self.result()
        if roll < (0.2 if self.timed else 0.7):
            (a, x), (b, y) = self.result(), self.result()
            op = self.pick(("and", "or"))
            return f"{a} {self.pick((op, ', ' + op))} {b}", (op, x, y)
        if roll < (0.45 if self.timed else 0.78):
            return self.someday()
        if roll < (0.6 if self.timed else 0.84):
            return self.settled()
        if roll < (0.72 if self.timed else 0.89):
            return self.throughout()
        if roll < (0.85 if self.timed else 0.96):
            return self.lasting()
        return self.recurring()

    def window(self) -> tuple[Span, str]:
        """Which stretch ahead: "within the next N1 to N2 time units", or the whole future."""
        if not self.timed or self.roll() < 0.15:
            return None, self.words("future")
        span, words = self.draw.interval()
        if self.roll() < 0.06:
            n = self.draw.number()
            return (n, "inf"), f"after {n} time units"
        return span, self.words("lifted_window", part=words) if self.roll() < 0.92 else f"within {words}"

    def someday(self) -> Said:
        span, where = self.window()
        said, x = self.plain()
        last = self.words("lastly")
        return self.words("someday", where=where, last=last, said=said, span=span), ("F", span, x)

    def held(self, first: str) -> tuple[str, Span]:
        """... and this condition lasts: the words, the interval."""
        steady = self.words("held_steady")
        must = self.words("held_must")
        hold = self.words("held_hold")
        this = self.words("held_this")
        link = " " + self.words("held_link") + " "
        if (
            not self.timed and self.roll() < 0.25
        ):  # without intervals in the logic, a stretch is just "from then on"
            words = self.draw.interval()[1] if self.roll() < 0.5 else f"{self.draw.number()} time units"
            return self.words(
                "held",
                first=first,
                link=link,
                part=lambda: self.words("held_part"),
                this=this,
                must=must,
                steady=steady,
                hold=hold,
                part2=words,
            ), None
        if not self.timed or self.roll() < 0.35:
            return self.words(
                "held_for_good", first=first, link=link, this=this, must=must, steady=steady, hold=hold
            ), None
        span, words = self.draw.interval()
        return self.words(
            "held_between", first=first, link=link, this=this, must=must, steady=steady, hold=hold, part=words
        ), span

    def settled(self) -> Said:
        span, where = self.window()
        said, x = self.plain()
        last = self.words("settled_last")
        roll = self.roll()
        if roll < 0.15:
            return self.words("lifted_settled", last=last, where=where, said=said), (
                "F",
                span,
                ("G", None, x),
            )
        if roll < 0.45:
            text, inner = self.held(self.words("lifted_settled_named", last=last, where=where, said=said))
            return text, ("F", span, ("G", inner, x))
        if roll < 0.8:
            return self.words("lifted_settled_steady", last=last, where=where, said=said), (
                "F",
                span,
                ("G", None, x),
            )
        inner, words = self.draw.interval()
        if not self.timed:  # a stretch is just "from then on"
            inner, words = None, words if self.roll() < 0.5 else f"{words.split()[0]} time units"
        return self.words("lifted_settled_between", last=last, where=where, part=words, said=said), (
            "F",
            span,
            ("G", inner, x),
        )

    def throughout(self) -> Said:
        said, x = self.plain()
        window = self.roll() < 0.25  # "in the next N1 to N2 time units P1": only with brackets does it last
        self.draw.fixed = self.draw.fixed or window
        if not self.timed:
            text = (
                self.words("throughout_future", said=said) if window else self.words("throughout", said=said)
            )
            return text, ("G", None, x)
        if window and self.roll() < 0.15:
            return self.words("throughout_future", said=said), ("G", None, x)
        span, words = self.draw.interval()
        if window:
            return self.words("throughout_window", part=words, said=said), ("G", span, x)
        if self.roll() < 0.4:
            text, span2 = self.held(said)
            return text, ("G", span2, x)
        if self.roll() < 0.3:
            return self.words("throughout_name", p=f"( {x[1]} )", part=words), ("G", span, x)
        return self.words("throughout_between", part=words, said=said), ("G", span, x)

    def lasting(self) -> Said:
        """until, said forwards and backwards."""
        (a, x), (b, y) = self.plain(), self.plain()
        span, where = self.window()
        steady = self.words("held_steady")
        if self.roll() < 0.5:
            until = self.words("lasting_until")
            this = self.words("lasting_this")
            must = self.words("lasting_must")
            return self.words(
                "lasting",
                a=a,
                this=this,
                must=must,
                steady=steady,
                until=until,
                b=b,
                where=where,
                span=span,
                part=lambda: self.words("lasting_part"),
            ) if self.roll() < 0.6 or span else self.words(
                "lasting_continues", a=a, this=this, must=must, until=until, b=b
            ), ("U", span, x, y)
        before = self.words("lasting_before")
        return self.words(
            "lasting_moment",
            part=lambda: self.words("lasting_part"),
            where=where,
            b=b,
            before=before,
            steady=steady,
            a=a,
        ), ("U", span, x, y)

    def recurring(self) -> Said:
        """G F: for every moment ahead, a moment after it."""
        said, x = self.plain()
        outer: Span = None
        each = self.words("recurring_each")
        if self.timed and self.roll() < 0.85:
            outer, words = self.draw.interval()
            each = self.words("recurring_each_between", part=words)
        inner, where = self.window()
        last = self.words("settled_last")
        text = self.words("recurring_text", each=each, last=last, where=where, said=said)
        return text, ("G", outer, ("F", inner, x))
