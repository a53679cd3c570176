"""The embedded models in the roles that the pipeline asks: translator, back-translator, judge, second opinion.

The judge gives ratings and the score of the channel ``default``: it weighs what models that did not write the
candidate think of it, and the self-consistency of those that did. The second opinion is the same judge on candidates
that others wrote or judge.
"""

from __future__ import annotations

import asyncio
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping

from assent.embedded import Embedded, Translation
from assent.embedded.tokens import PLACEHOLDER
from assent.errors import FragmentError
from assent.lift import Lifted
from assent.lift.clauses import PASSING
from assent.lift.propose import has_content
from assent.logic.ast import Formula, Logic
from assent.logic.english import english
from assent.prompting import Opinion, Transcript
from assent.records import Candidate, Draft, Instruction, TextSpan, within
from assent.vocabulary import Vocabulary, names_of

DEFAULT = "default"
"""The channel of the embedded judge (``scoring.scores`` repeats the word, one layer up)."""
SELF_CONSISTENCY = "self_consistency"
SECOND_OPINION = "second_opinion"
"""The score of the second opinion, and its part of the fingerprint (``scoring`` repeats the word, too)."""


class OfflineTranslator:
    """The translator that comes with the package: names and numbers are lifted out, and put back exactly."""

    samplable = True

    def __init__(self, models: Embedded) -> None:
        self._models = models

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {"translator": f"embedded@{self._models.version}"}

    async def first(
        self, case: Instruction, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> Candidate:
        (found,) = await self._run(case, vocabulary, None, transcript)
        return found

    async def samples(
        self, case: Instruction, vocabulary: Vocabulary | None, numbers: range, transcript: Transcript
    ) -> tuple[Candidate, ...]:
        return await self._run(case, vocabulary, numbers, transcript)

    async def _run(
        self,
        case: Instruction,
        vocabulary: Vocabulary | None,
        numbers: range | None,
        transcript: Transcript,
    ) -> tuple[Candidate, ...]:
        start = time.perf_counter()
        try:
            lifted = self._models.lift(case.text, case.logic, vocabulary)
        except FragmentError as error:
            return (Candidate("", None, str(error)),) * (1 if numbers is None else len(numbers))
        transcript.names |= {span.text: span.name for span in lifted.spans}
        if numbers is None:
            transcript.unread += [TextSpan(part.start, part.end, part.text) for part in lifted.unread]
        found = await asyncio.to_thread(self._translate, lifted, numbers)
        seconds = (time.perf_counter() - start) / max(1, len(found))
        for translation in found:
            said = "" if translation is None else " ".join(translation.tokens)
            source = " ".join(lifted.tokens)
            transcript.note("translate", f"embedded@{self._models.version}", source, said, seconds)
        return tuple(self._candidate(translation, vocabulary) for translation in found)

    def _translate(self, lifted: Lifted, numbers: range | None) -> list[Translation | None]:
        if numbers is None:
            return [self._models.translate(lifted)]
        return self._models.samples(lifted, numbers)

    def _candidate(self, found: Translation | None, vocabulary: Vocabulary | None) -> Candidate:
        if found is None:
            return Candidate("", None, "the translator found no formula that can be read")
        return within(str(found.formula), found.formula, names_of(vocabulary))


class Wording:
    """How an instruction is worded: names and numbers are taken out, so that a new domain is no news by itself."""

    name = "lifted"

    def __init__(self, models: Embedded) -> None:
        self._models = models

    def __call__(self, case: Instruction, vocabulary: Vocabulary | None) -> str:
        """The words around names and numbers; the text itself where it cannot be lifted."""
        try:
            tokens = self._models.lift(case.text, case.logic, vocabulary).tokens
        except FragmentError:
            return case.text
        words = [
            _STAND_INS.get(token[0], token) if PLACEHOLDER.fullmatch(token) else token for token in tokens
        ]
        return _without_agent(" ".join(words)) or case.text


_AGENT = re.compile(
    r"(?:^|(?<= ))the ((?:[a-z']+ ){1,3})(?=(?:shall|must|should|will|has to|is to|needs to) )"
)
_NAMELESS = PASSING.difference(("system", "unit")) | frozenset("it thing number".split())


def _without_agent(wording: str) -> str:
    """Whoever "the carillon shall ..." speaks of is a system: calibration can have seen no such name."""

    def system(found: re.Match[str]) -> str:
        agent = all((has_content(w) or w == "unit") and w not in _NAMELESS for w in found.group(1).split())
        return "the system " if agent else found.group()

    return _AGENT.sub(system, wording)


_STAND_INS = {"P": "it", "O": "thing", "N": "number"}


class OfflineBackTranslator:
    """The embedded reverse model says the formula in English; names are said as they are spelt."""

    def __init__(self, models: Embedded) -> None:
        self._models = models

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {"back_translator": f"embedded@{self._models.version}"}

    async def say(
        self, formula: Formula, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str:
        start = time.perf_counter()
        english = await asyncio.to_thread(self._models.english, formula, logic)
        name = f"embedded@{self._models.version}"
        transcript.note("back_translate", name, str(formula), english, time.perf_counter() - start)
        return english


class _Scorer(ABC):
    """The embedded models asked about a candidate: what they say, and a note of it under the name of the role."""

    role: str

    def __init__(self, models: Embedded) -> None:
        self._models = models

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {self.role: f"embedded@{self._models.version}"}

    async def score(
        self,
        case: Instruction,
        draft: Draft,
        vocabulary: Vocabulary | None,
        known: Mapping[str, float],
        transcript: Transcript,
    ) -> Opinion:
        formula = draft.primary.formula
        if formula is None:
            return Opinion()
        start = time.perf_counter()
        opinion, answer = await asyncio.to_thread(self._opinion, case, formula, vocabulary, known)
        name, question = f"embedded@{self._models.version}", f"{case.text}\n{draft.primary.text}"
        transcript.note(self.role, name, question, answer, time.perf_counter() - start)
        return opinion

    @abstractmethod
    def _opinion(
        self, case: Instruction, formula: Formula, vocabulary: Vocabulary | None, known: Mapping[str, float]
    ) -> tuple[Opinion, str]:
        """The opinion, and what the note says of it."""


class OfflineJudge(_Scorer):
    """The embedded judge as a scorer; the same weights, whoever translated."""

    role = "judge"

    def _opinion(
        self, case: Instruction, formula: Formula, vocabulary: Vocabulary | None, known: Mapping[str, float]
    ) -> tuple[Opinion, str]:
        lifted = self._models.lift(case.text, case.logic, vocabulary)
        judged = self._models.judge(lifted, formula, disagreement=known.get(SELF_CONSISTENCY))
        ratings, doubts = judged.ratings(), self._models.doubts(lifted, formula)
        opinion = Opinion(
            scores={DEFAULT: judged.score}, ratings=ratings, english=english(formula), doubts=doubts
        )
        return opinion, f"{judged.score:.6f} {ratings}"


class SecondOpinion(_Scorer):
    """What the embedded judge thinks of a candidate that others wrote or judge.

    Models that obey a text can all be made to say the same, so their samples and ratings have no part in it: the score
    depends on instruction, formula and names alone. The judge's rule was fitted on candidates of its own translator,
    which are seldom far off; where both translators are sure of another reading, the score says at least how sure.
    Where the embedded models cannot tell, it is 1 and a doubt says why.
    """

    role = SECOND_OPINION

    def _opinion(
        self, case: Instruction, formula: Formula, vocabulary: Vocabulary | None, known: Mapping[str, float]
    ) -> tuple[Opinion, str]:
        value, why = self.of(case.text, case.logic, formula, vocabulary)
        return Opinion(scores={SECOND_OPINION: value}, doubts=(why,) if why else ()), f"{value:.6f}"

    def of(
        self, text: str, logic: Logic, formula: Formula, vocabulary: Vocabulary | None
    ) -> tuple[float, str | None]:
        """The score, and why it is 1 where the embedded models cannot tell."""
        try:
            lifted = self._models.lift(text, logic, vocabulary)
            lifted.tokens_of(formula)
        except FragmentError as error:
            return 1.0, _untold(str(error), vocabulary)
        if self._models.translate(lifted) is None:
            return 1.0, _untold("they find no formula for the instruction", vocabulary)
        judged = self._models.judge(lifted, formula, disagreement=0.0)
        return max(judged.score, judged.contradicted), None


def _untold(why: str, vocabulary: Vocabulary | None) -> str:
    names = (
        "name your names with a vocabulary"
        if vocabulary is None
        else "add to the vocabulary what it is called"
    )
    return f"second opinion: the embedded models cannot check the formula ({why}): {names}, or say it in plainer words"
