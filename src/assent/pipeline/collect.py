"""Everything costly about one instruction, once: gate, translation, samples, judges, scores.

Each step is a function from evidence to more evidence. Whatever a model does wrong is caught in ``collect``, and
only there, and becomes ``Evidence.failure``; what the operator did wrong (budget, configuration, policy) passes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from assent.errors import (
    BudgetError,
    ConfigurationError,
    DataError,
    ModelError,
    PolicyError,
    RefusedError,
    UsageError,
)
from assent.pipeline.collector import Collector
from assent.policy.decide import before_scoring, spans, withheld_early
from assent.policy.policy import PROPOSED, VOCABULARY, WRITTEN, Policy
from assent.prompting import RATING, Question, Transcript
from assent.records import AT_LEAST, Candidate, Draft, Evidence, Instruction, Score, is_identifier
from assent.scoring import (
    CHANNELS,
    NOT_ASKED,
    SECOND,
    SECOND_OPINION,
    SELF_CONSISTENCY,
    doubts,
    scores,
    span,
)
from assent.scoring.plain import plain_doubts
from assent.vocabulary import Vocabulary

_OPERATOR = (BudgetError, ConfigurationError, DataError, PolicyError, RefusedError, UsageError)
RECORDED = "recorded"


@dataclass(frozen=True)
class Job:
    """One instruction and who is asked about it; ``known`` is what was recorded before and is not asked for again."""

    who: Collector
    case: Instruction
    vocabulary: Vocabulary | None
    policy: Policy | None
    known: Evidence
    log: Transcript = field(default_factory=Transcript)

    @property
    def recorded(self) -> bool:
        return self.known.draft is not None


Step = Callable[[Job, Evidence], Awaitable[Evidence]]


async def collect(
    who: Collector, case: Instruction, *, policy: Policy | None = None, known: Evidence | None = None
) -> Evidence:
    """Evidence about one instruction.

    With a policy, nothing more is asked once the decision is certain to be an abstention; an acceptance always
    has all its scores, so that it cannot rest on a call that would have failed.
    """
    # A record that failed or was cut short may hold half of the samples, and scores without a candidate are
    # the scores of some other candidate: it is asked for again.
    complete = known is not None and known.failure is None and not known.censored and known.draft is not None
    start = replace(known, instruction=case) if known is not None and complete else Evidence(instruction=case)
    job = Job(who, case, who.vocabulary(case), policy, start)
    evidence = start
    for name, step in STEPS:
        try:
            evidence = await step(job, evidence)
        except _OPERATOR:
            raise
        except _Stopped as stop:
            evidence = _failed(stop.evidence, stop.step, stop.error)
            break
        except Exception as error:  # the one place where the world's failures become an outcome
            evidence = _failed(evidence, name, error)
            break
        if policy is not None and _settled(job, evidence, policy):
            break
    return _finished(job, evidence)


class _Stopped(Exception):
    """A step failed after it had gathered something: what there is, where it stopped, and why."""

    def __init__(self, evidence: Evidence, step: str, error: BaseException) -> None:
        super().__init__(str(error))
        self.evidence, self.step, self.error = evidence, step, error


def _failed(evidence: Evidence, step: str, error: BaseException) -> Evidence:
    if isinstance(error, _OPERATOR) or not isinstance(error, Exception):
        raise error
    kind = "" if isinstance(error, ModelError) else f"{type(error).__name__}: "
    return replace(evidence, failure=f"{step}: {kind}{error}")


def _settled(job: Job, evidence: Evidence, policy: Policy) -> bool:
    """Whether nothing that may still be asked can lead to an acceptance."""
    so_far = replace(evidence, made_by=made_by(job, evidence), reported=_reported(job))
    if evidence.draft is None:
        return policy.defers(so_far)
    return before_scoring(so_far, policy) is not None or withheld_early(so_far, policy)


# ---- the steps -------------------------------------------------------------------------------------------


async def read_gate(job: Job, evidence: Evidence) -> Evidence:
    """Measure the distance to the gate's reference set, where there is a gate and no reading is recorded."""
    gate = job.who.gates.get(job.case.logic)
    if gate is None or evidence.gate is not None:
        return evidence
    return replace(evidence, gate=gate.measure(job.case, job.vocabulary))


async def translate(job: Job, evidence: Evidence) -> Evidence:
    """Ask the translator for the candidate, unless a draft is recorded."""
    if evidence.draft is not None:
        return evidence
    primary = await job.who.translator.first(job.case, job.vocabulary, job.log)
    return replace(evidence, draft=Draft(primary))


async def ask(job: Job, evidence: Evidence) -> Evidence:
    """Samples and judges, side by side; one after the other where a policy may stop early."""
    if job.policy is not None and job.policy.channel in CHANNELS:
        return await _one_by_one(job, evidence, job.policy)
    logs = Transcript(), Transcript()
    outcomes = await asyncio.gather(
        _samples(job, evidence, logs[0]), _judges(job, evidence, logs[1]), return_exceptions=True
    )
    job.log.add(logs)
    sampled, judged = outcomes
    error = next((outcome for outcome in outcomes if isinstance(outcome, BaseException)), None)
    merged = evidence
    if not isinstance(judged, BaseException):
        merged = judged
    if not isinstance(sampled, BaseException):
        merged = replace(merged, draft=sampled.draft)
    if error is not None:
        if isinstance(error, _Stopped):
            raise _Stopped(replace(error.evidence, draft=merged.draft), error.step, error.error)
        raise _Stopped(merged, "samples" if error is sampled else "judge", error)
    return merged


async def _one_by_one(job: Job, evidence: Evidence, policy: Policy) -> Evidence:
    """The round trip first (its verdict varies more than that of the samples), then one sample after the other."""
    evidence = await _judges(job, evidence, job.log)
    total = _number_of_samples(job)
    while not job.recorded and len(_draft(evidence).samples) < total:
        if withheld_early(evidence, policy, total=total):
            break
        number = len(_draft(evidence).samples)
        try:
            drawn = await _draw(job, range(number, number + 1), job.log)
        except Exception as error:
            raise _Stopped(evidence, "samples", error) from error
        evidence = replace(evidence, draft=_more(evidence, drawn))
    return evidence


async def _samples(job: Job, evidence: Evidence, log: Transcript) -> Evidence:
    if job.recorded or not job.who.sampled:
        return evidence
    drawn = await _draw(job, range(job.who.samples), log)
    return replace(evidence, draft=_more(evidence, drawn))


def _number_of_samples(job: Job) -> int:
    if job.recorded:
        return len(_draft(job.known).samples)
    return job.who.samples if job.who.sampled else 0


async def _draw(job: Job, numbers: range, log: Transcript) -> tuple[Candidate, ...]:
    drawn = await job.who.translator.samples(job.case, job.vocabulary, numbers, log)
    if len(drawn) != len(numbers):
        raise ModelError(f"{len(drawn)} samples came where {len(numbers)} were asked for")
    return drawn


async def _judges(job: Job, evidence: Evidence, log: Transcript) -> Evidence:
    """Round trip, direct judge and single question, as far as they are configured and not known yet."""
    formula = evidence.formula
    if formula is None:
        return evidence
    who, text, logic = job.who, job.case.text, job.case.logic
    step = "judge"
    try:
        if evidence.judge is None and who.judge is not None and who.back_translator is not None:
            if evidence.back_translation is None:
                step = "back-translation"
                english = await who.back_translator.say(formula, logic, job.vocabulary, log)
                evidence = replace(evidence, back_translation=english)
            step = "judge"
            question = Question(text, logic, formula, evidence.back_translation or "")
            evidence = replace(evidence, judge=await who.judge.rate(question, log))
        question = Question(text, logic, formula, evidence.back_translation or "")
        if evidence.direct_judge is None and who.direct_judge is not None:
            step = "direct judge"
            evidence = replace(evidence, direct_judge=await who.direct_judge.rate(question, log))
        if evidence.single_question is None and who.single_question is not None and question.english:
            step = "single question"
            answer = (await who.single_question.rate(question, log)).get(RATING)
            evidence = replace(evidence, single_question=answer if isinstance(answer, int) else None)
        if who.embedder is not None and question.english:
            from assent.scoring import embedding  # an ablation that few runs ask for

            step = embedding.NAME
            cosine = embedding.score(who.embedder, text, question.english)
            evidence = _with_score(evidence, embedding.NAME, cosine)
    except Exception as error:
        raise _Stopped(evidence, step, error) from error
    return evidence


async def consult(job: Job, evidence: Evidence) -> Evidence:
    """Ask the configured scorers, the embedded judge among them, one after the other; each gets the scores so far."""
    draft = evidence.draft
    if draft is None or draft.primary.formula is None or _scored(job, evidence):
        return evidence
    for scorer in job.who.scorers:
        opinion = await scorer.score(job.case, draft, job.vocabulary, scores(evidence), job.log)
        for name, value in opinion.scores.items():
            evidence = _with_score(evidence, name, value)
        evidence = replace(
            evidence,
            back_translation=evidence.back_translation or opinion.english,
            judge=opinion.ratings if evidence.judge is None else evidence.judge,
            doubts=tuple(dict.fromkeys((*evidence.doubts, *opinion.doubts))),
        )
    return evidence


async def second(job: Job, evidence: Evidence) -> Evidence:
    """Ask for the second opinion where others translated or judged, unless the same one is recorded."""
    draft, role = evidence.draft, job.who.second_opinion
    if role is None or draft is None or draft.primary.formula is None:
        return evidence
    wanted = made_by(job, evidence).get(SECOND_OPINION)
    recorded = evidence.score(SECOND_OPINION) is not None and job.known.made_by.get(SECOND_OPINION) == wanted
    if wanted is None or recorded:
        return evidence
    opinion = await role.score(job.case, draft, job.vocabulary, {}, job.log)
    noted = (doubt for doubt in evidence.doubts if not doubt.startswith(SECOND))
    evidence = replace(evidence, doubts=(*noted, *opinion.doubts))
    return _with_score(evidence, SECOND_OPINION, opinion.scores[SECOND_OPINION])


def _scored(job: Job, evidence: Evidence) -> bool:
    """Whether a recorded row brings all that the policy looks at."""
    if job.policy is None or not job.recorded:
        return False
    return job.policy.score(evidence) is not None


STEPS: tuple[tuple[str, Step], ...] = (
    ("gate", read_gate),
    ("translation", translate),
    ("judge", ask),
    ("score", consult),
    ("second opinion", second),
)


# ---- what is written down --------------------------------------------------------------------------------


def _finished(job: Job, evidence: Evidence) -> Evidence:
    """The evidence with fingerprint, calls, scores and doubts; no doubts are added to what failed or was cut short."""
    log, known = job.log, job.known
    evidence = replace(
        evidence,
        made_by=made_by(job, evidence),
        reported=_reported(job),
        calls=(*known.calls, *log.calls),
        prompts={**known.prompts, **log.prompts},
        names={**known.names, **log.names},
        unread=tuple(dict.fromkeys((*known.unread, *log.unread))),
    )
    missing = _number_of_samples(job) - (len(evidence.draft.samples) if evidence.draft else 0)
    if evidence.draft is not None and evidence.formula is not None and missing > 0:
        cut = [name for name, channel in CHANNELS.items() if SELF_CONSISTENCY in channel.parts]
        evidence = replace(evidence, censored=tuple(cut))
        evidence = _with_bound(job, evidence)
    if evidence.failure is not None:
        return evidence
    final_scores = tuple(Score(name, value) for name, value in scores(evidence).items())
    if evidence.censored:  # it is withheld already
        return replace(evidence, scores=final_scores)
    if not job.recorded and evidence.formula is not None:
        more = plain_doubts(job.case.text, evidence.formula, evidence.names, job.vocabulary)
        evidence = replace(evidence, doubts=tuple(dict.fromkeys((*evidence.doubts, *more))))
    kept = tuple(doubt for doubt in doubts(evidence) if doubt != NOT_ASKED)  # it may still be asked
    return replace(evidence, scores=final_scores, doubts=kept)


def _with_bound(job: Job, evidence: Evidence) -> Evidence:
    """The policy's channel as the bound that lazy scoring stopped at."""
    channel = None if job.policy is None else CHANNELS.get(job.policy.channel)
    if channel is None or channel.name not in evidence.censored:
        return evidence
    low = span(channel, spans(evidence, _number_of_samples(job), channel.parts)).low
    return replace(evidence, scores=(*evidence.scores, Score(channel.name, float(low), AT_LEAST)))


def made_by(job: Job, evidence: Evidence) -> dict[str, str]:
    """The fingerprint: the collector's; for a recorded translation its own, with whoever judged it in this run."""
    if not job.recorded:
        return {**job.who.made_by(job.case.logic), VOCABULARY: _names_from(job)}
    fingerprint = {"logic": job.case.logic.value, "translator": RECORDED, **job.known.made_by}
    if "samples" in fingerprint and evidence.tier is not None:  # an unreadable candidate is not sampled for
        fingerprint["samples"] = str(len(_draft(evidence).samples))
    if any(call.role != SECOND_OPINION for call in job.log.calls):
        fingerprint |= job.who.judged_by(job.case.logic)
    # Nobody is asked about what cannot be read, but it is a row of the same run, and calibrates with the others.
    unread = evidence.formula is None and job.policy is None
    if unread:
        fingerprint = {**job.who.judged_by(job.case.logic), **fingerprint}
    if job.log.calls or unread:  # they read the instruction with the vocabulary of this run
        fingerprint.setdefault(VOCABULARY, _names_from(job))
    return fingerprint | job.who.seconded_by(job.case.logic, fingerprint)


def _names_from(job: Job) -> str:
    """Where the names of the formula come from, as a policy remembers it."""
    if job.vocabulary is not None:
        return job.vocabulary.digest
    names = job.log.names
    return WRITTEN if names and all(map(is_identifier, names, names.values())) else PROPOSED


def _reported(job: Job) -> dict[str, str]:
    return {**job.known.reported, **job.log.reported}


def _draft(evidence: Evidence) -> Draft:
    assert evidence.draft is not None
    return evidence.draft


def _more(evidence: Evidence, drawn: tuple[Candidate, ...]) -> Draft:
    draft = _draft(evidence)
    return replace(draft, samples=(*draft.samples, *drawn))


def _with_score(evidence: Evidence, name: str, value: float) -> Evidence:
    others = tuple(score for score in evidence.scores if score.name != name)
    return replace(evidence, scores=(*others, Score(name, value)))
