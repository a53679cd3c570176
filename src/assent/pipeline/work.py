"""The work on one instruction, step by step: gate, translation, then as many scores as are wanted."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from assent.calibrate.policy import PROPOSED, VOCABULARY, WRITTEN, Policy
from assent.errors import ModelError, UsageError
from assent.pipeline.decide import acceptor, deferred, hopeless
from assent.prompting.transcript import Transcript
from assent.records import (
    AT_LEAST,
    AT_MOST,
    Candidate,
    Draft,
    Evidence,
    Instruction,
    Score,
    group_of,
    is_identifier,
)
from assent.score import agreement
from assent.score.channels import CHANNELS, DIRECT, SINGLE, Channel, Span, scores_of, settled, span
from assent.score.embedding import NAME as EMBEDDING
from assent.score.embedding import score as cosine_score
from assent.score.roles import Question
from assent.score.roundtrip import disagreement
from assent.score.single import RATING, suspicion

if TYPE_CHECKING:
    from assent.pipeline.collector import Collector


class Work:
    """The state of one collection."""

    def __init__(
        self, who: Collector, case: Instruction, policy: Policy | None, known: Evidence | None
    ) -> None:
        self.who, self.case, self.policy = who, case, policy
        # A record that failed or was cut short may hold half of the samples, and scores without a candidate are
        # the scores of some other candidate: it is asked for again.
        whole = known is not None and known.failure is None and not known.censored and known.draft is not None
        self.known = known if known is not None and whole else Evidence(instruction=case)
        self.step = "start"
        self.failure: str | None = None
        self.log = Transcript()
        self.reading = self.known.reading
        self.primary: Candidate | None = self.known.draft.primary if self.known.draft else None
        self.samples: tuple[Candidate, ...] = self.known.draft.samples if self.known.draft else ()
        self.english = self.known.back_translation
        self.judge, self.direct, self.single = (
            self.known.judge,
            self.known.direct_judge,
            self.known.single_question,
        )
        self.parts: dict[str, Fraction] = {}
        self.more: dict[str, float] = {}
        self.bound: Score | None = None
        self.doubts: tuple[str, ...] = self.known.doubts
        self.vocabulary = who.vocabulary(case)

    async def gather(self) -> None:
        """Gate, translation, then as many scores as are wanted."""
        gate = self.who.gates.get(self.case.logic)
        if gate is not None and self.reading is None:
            self.step = "gate"
            self.reading = gate.read(self.case.text)
        if self.policy is not None and self.reading is not None and deferred(self.reading, self.policy):
            return
        if self.primary is None:
            self.step = "translation"
            self.primary = await self.who.translator.first(self.case, self.vocabulary, self.log)
        if self.policy is not None and self.policy.drifted(self._reported()) is not None:
            return  # it will be withheld, so nothing more is paid for
        group = self.group
        if self.policy is None:
            await self._everything()
        elif group is not None and not hopeless(self.policy, group, self._made_by().get(VOCABULARY)):
            channel = CHANNELS.get(self.policy.channel)
            # Scorers of one's own may doubt, so they are always heard.
            if self.policy.fusion is None and channel and self._askable(channel) and not self.who.scorers:
                await self._lazily(channel, self.policy, group)
            else:
                await self._everything()

    def _askable(self, channel: Channel) -> bool:
        """Whether the channel's parts can be asked for one at a time."""
        judged = self.judge is not None or self.who.judge is not None
        return set(channel.parts) <= {agreement.NAME, *(("back_translation",) if judged else ())}

    async def _lazily(self, channel: Channel, policy: Policy, group: str) -> None:
        """Ask until no answer that may still come can change the decision.

        The round trip first: its verdict varies more than that of the samples, which mostly agree.
        """
        accepts = acceptor(policy, group, self.case.text)
        wanted = set(channel.parts)
        spans = {name: Span() for name in channel.parts}
        asked = 0
        total = len(self.samples) if self.known.draft else self.who.samples
        if agreement.NAME in wanted:
            self._need_samples(total)
        while (verdict := settled(where := span(channel, spans), accepts)) is None:
            if "back_translation" in wanted and "back_translation" not in self.parts:
                await self._round_trip(self.log)
                value = self.parts["back_translation"]
                spans["back_translation"] = Span(value, value)
            else:
                if len(self.samples) <= asked:
                    self.step = "samples"
                    self.samples += await self._draw(range(asked, asked + 1), self.log)
                asked += 1
                largest = agreement.largest_cluster(self.samples[:asked], self.case.logic)
                spans[agreement.NAME] = Span(*agreement.bounds(largest, asked, total))
                if asked == total:
                    self.parts[agreement.NAME] = spans[agreement.NAME].low
        if channel.of(self.parts) is None:
            value, note = (where.high, AT_MOST) if verdict else (where.low, AT_LEAST)
            self.bound = Score(channel.name, float(value), note)

    async def _everything(self) -> None:
        """All scores; samples and judges are asked side by side, and written down in a fixed order."""
        left, right = Transcript(), Transcript()
        results = await asyncio.gather(self._all_samples(left), self._judges(right), return_exceptions=True)
        self.log.add((left, right))
        for place, result in enumerate(results):
            if isinstance(result, BaseException):
                self.step = self.step if place else "samples"
                raise result
        draft = self._draft()
        if draft is None or draft.primary.formula is None or self._scored():
            return
        self.step = "score"
        for scorer in self.who.scorers:
            known = {score.name: score.value for score in scores_of(self.parts, self.more)}
            opinion = await scorer.score(self.case, draft, self.vocabulary, known, self.log)
            self.more |= opinion.scores
            self.english = self.english or opinion.english
            self.doubts = tuple(dict.fromkeys((*self.doubts, *opinion.doubts)))
            if self.judge is None and opinion.ratings is not None:
                self.judge = opinion.ratings
                self.parts["back_translation"] = disagreement(opinion.ratings, self.case.logic)

    def _scored(self) -> bool:
        """Whether all that the policy looks at is there already."""
        if self.policy is None:
            return False
        fusion = self.policy.fusion
        wanted = {self.policy.channel} if fusion is None else set(fusion.channels)
        found = {score.name for score in (*scores_of(self.parts, self.more), *self.known.scores)}
        return wanted <= found

    async def _all_samples(self, log: Transcript) -> None:
        if not self.known.draft and self.who.sampled:
            self.samples = await self._draw(range(self.who.samples), log)
        if self.samples:
            self.parts[agreement.NAME] = agreement.score(self.samples, self.case.logic)

    async def _judges(self, log: Transcript) -> None:
        if self.primary is None:
            return
        formula = self.primary.formula
        if self.judge is not None or self.who.judge is not None or formula is None:
            await self._round_trip(log)
        if formula is None:
            return
        text, logic = self.case.text, self.case.logic
        question = Question(text, logic, formula, self.english or "")
        if self.direct is None and self.who.direct_judge is not None:
            self.direct = await self.who.direct_judge.rate(question, log)
        if self.direct is not None:
            self.parts[DIRECT] = disagreement(self.direct, logic)
        if self.single is None and self.who.single_question is not None and self.english is not None:
            answer = (await self.who.single_question.rate(question, log)).get(RATING)
            self.single = answer if isinstance(answer, int) else None
        if self.single is not None:
            self.parts[SINGLE] = suspicion(self.single)
        if self.who.embedder is not None and self.english is not None:
            self.more[EMBEDDING] = cosine_score(self.who.embedder, text, self.english)

    async def _round_trip(self, log: Transcript) -> None:
        """S_bt; an unreadable candidate has 1 without any call."""
        logic = self.case.logic
        if self.primary is None or self.primary.formula is None:
            self.parts["back_translation"] = Fraction(1)
            return
        if self.judge is None:
            if self.who.judge is None or self.who.back_translator is None:
                raise UsageError("the policy needs a back-translator and a judge, and none is configured")
            if self.english is None:
                self.step = "back-translation"
                self.english = await self.who.back_translator.say(
                    self.primary.formula, logic, self.vocabulary, log
                )
            self.step = "judge"
            question = Question(self.case.text, logic, self.primary.formula, self.english)
            self.judge = await self.who.judge.rate(question, log)
        self.parts["back_translation"] = disagreement(self.judge, logic)

    async def _draw(self, numbers: range, log: Transcript) -> tuple[Candidate, ...]:
        drawn = await self.who.translator.samples(self.case, self.vocabulary, numbers, log)
        if len(drawn) != len(numbers):
            raise ModelError(f"{len(drawn)} samples came where {len(numbers)} were asked for")
        return drawn

    def _need_samples(self, total: int) -> None:
        if total < 1 or not (self.known.draft or self.who.translator.samplable):
            raise UsageError("the policy needs samples, and this translator gives none")

    @property
    def group(self) -> str | None:
        tree = None if self.primary is None else self.primary.tree(self.case.logic)
        return None if tree is None else group_of(self.case.logic, tree)

    def _draft(self) -> Draft | None:
        return None if self.primary is None else Draft(self.primary, self.samples)

    def _made_by(self) -> dict[str, str]:
        """Recorded translations say themselves who made them, but not who judged them here: whoever was asked."""
        if self.known.draft is None:
            return {**self.who.made_by(self.case.logic), VOCABULARY: self._names_from()}
        found = {"logic": self.case.logic.value, "translator": "recorded", **self.known.made_by}
        if "samples" in found and self.group is not None:  # an unreadable candidate is not sampled for
            found["samples"] = str(len(self.samples))
        judges = (self.who.back_translator, self.who.judge, *self.who.scorers) if self.log.calls else ()
        for role in judges:
            found |= role.identity(self.case.logic) if role is not None else {}
        if judges:  # they read the instruction with the vocabulary of this run
            found.setdefault(VOCABULARY, self._names_from())
        return found

    def _names_from(self) -> str:
        """Where the names of the formula come from, as a policy remembers it."""
        if self.vocabulary is not None:
            return self.vocabulary.digest
        names = self.log.names
        return WRITTEN if names and all(map(is_identifier, names, names.values())) else PROPOSED

    def _reported(self) -> dict[str, str]:
        return {**self.known.reported, **self.log.reported}

    def evidence(self) -> Evidence:
        """What was found, even if something failed on the way."""
        scores = scores_of(self.parts, self.more)
        known = tuple(score for score in self.known.scores if score.name not in {s.name for s in scores})
        bound = () if self.bound is None else (self.bound,)
        return msgspec.structs.replace(
            self.known,
            instruction=self.case,
            draft=self._draft(),
            reading=self.reading,
            back_translation=self.english,
            judge=self.judge,
            direct_judge=self.direct,
            single_question=self.single,
            scores=(*scores, *bound, *known),
            censored=tuple(score.name for score in bound),
            group=self.group,
            made_by=self._made_by(),
            reported=self._reported(),
            failure=self.failure,
            calls=(*self.known.calls, *self.log.calls),
            prompts={**self.known.prompts, **self.log.prompts},
            names={**self.known.names, **self.log.names},
            doubts=self.doubts,
        )
