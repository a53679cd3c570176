"""Words for what no formula of these logics says: permission, the past, chance, averages, wishes, counts, vagueness.

The formula would be about something else, so each is a doubt. The patterns are read off the lifted tokens, where
numbers are ``N1`` and names ``P1``; what also has a plain reading ("may not", "only then may") is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assent.logic.ast import Logic

WORDS = frozenset(
    """
    probability probabilities probably likely unlikely likelihood chance chances odds reliability confidence optional
    entitled practicable percentage usually normally
    typically generally maybe perhaps possibly mostly rarely seldom occasionally sporadically average averaged averages
    median yesterday ago previously formerly preferably ideally roughly approximately nearly almost hopefully
    hardly scarcely somewhat noticeably gently comfortably comfortable appreciably considerably
    """.split()
)
"""Single words; the linker takes none of them for part of a name that does not have it."""
_NUMBER = r"(?:N\d+|0|one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred)"
_LIMITS = (
    r"(?:only|no|not|never|nobody|none|neither|nor|unless|without|nothing|cannot|forbidden|just|tops|most|solely"
    r"|exclusively|alone|nowhere)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SPAN = r"(?:hour|day|shift|minute|batch|mould|part|visit)"
_PATTERNS = {
    "the past": (
        rf"(?:in|over|during|within|for|throughout) the (?:last|past|previous|preceding) (?:{_NUMBER}|few|couple)",
        r"(?:last|previous) (?:night|week|winter|summer|spring|autumn|month|year|evening|shift|run|batch)",
        rf"(?:last|on) {_DAY}\b",
        r"(?:was|were|did|had) .{0,60}?this morning\b",
        r"since (?:the )?last\b",
        r"(?:had|has) already\b",
        r"earlier (?:outing|run|batch|shift|day)",
        rf"(?:{_NUMBER} seconds|{_NUMBER} steps) (?:earlier|ago|before that)\b",
        r"of the previous\b",
        r"(?:in|during|within|over|throughout) the N\d+ seconds (?:before|preceding)(?: that| this|hand)? [.,;?!]",
        r"(?:had|has) (?:already |ever |once )?been .{0,60}? (?:before|yesterday|earlier) [.?!]",
        r"(?:was|were|did) .{0,60}? (?:before|earlier|previously|beforehand) [.?!]",
        r"(?:than|as|like) (?:it|they|she|he) (?:was|were|did)\b",
        r"how long .{0,40}? (?:was|were|has been|had been)\b",
    ),
    "permission": (
        r"(?:feel|is|are|be|am) free to",
        r"(?:need|needs) not\b(?! to be)",
        r"(?:do|does) not (?:need|have) to",
        r"no need (?:to|for)",
        r"not (?:required|obliged|obligatory|mandatory|necessary|compulsory)\b",
        r"(?:at liberty|welcome|entitled) to",
        r"(?:is|are) allowed to\b(?!.{0,80}\bonly\b)(?<!not allowed to)",
        r"(?:ok|okay|fine|all right|alright) (?:to|if|by me)\b",
        r"as (?:he|she|you|they) likes?\b",
        r"with or without\b",
        r"may (?:\w+ )?or (?:may )?not\b(?! be\b| come\b| happen\b)",
        r"under no (?:duty|obligation)",
        r"not a must\b",
        r"if (?:it|he|she|you|they) (?:likes?|wants?|wishes|pleases?|fanc(?:y|ies))\b",
        r"(?:is|are) optional",
    ),
    "chance or share": (
        rf"(?:%|percent) of (?:all|the|its|his|our|cases|runs|times|days|loads|any)(?! (?:{_NUMBER}|tank|way))",
        rf"{_NUMBER} (?:\w+ )?out of (?:a |every )?(?:{_NUMBER}|twenty|hundred)\b",
        rf"{_NUMBER} (?:times|cases|loads) in (?:a |every )?(?:{_NUMBER}|twenty|hundred)\b",
        rf"(?:on|in) (?:at least )?{_NUMBER} (?:%|percent) of\b",
        rf"{_NUMBER} (?:%|percent) (?:reliability|confidence|certainty|sure)",
        r"most of the time",
        r"more often than",
        r"as often as",
        r"(?:half|much) of the time",
        r"tends? to\b",
    ),
    "counts": (
        r"(?:as|twice as) many (?:\w+ ){1,2}as",
        r"as many times\b",
        r"the number of\b",
        rf"(?:per|in an|in any|an|every) {_SPAN} (?:;|:|\.|,) (?:no more|a \w+ is)",
        rf"(?:more than|at most|exactly|over) {_NUMBER} \w+ (?:\w+ )?(?:per|in an|in any|an) (?:{_SPAN}|N\d+|half)",
        rf"{_NUMBER} (?:coats|shots|strokes|blasts|pulls|sparks) ",
        r"more (?:\w+ ){1,3}than (?:\w+ )?(?:openings|starts|drops|pulls|doses|times|occasions)",
        r"(?:even|odd) - numbered",
        r"(?:equally|just as) often",
        r"the (?:number|count) of (?:times|cases)",
        r"once for every",
        r"an? (?:even|odd) number",
        r"every other\b",
        r"every (?:second|third|fourth|fifth) time",
    ),
    "sums and averages": (
        r"(?:in|a) total (?:of|per|over|\.|,)",
        r"the mean\b",
        r"on average",
        r"add(?:s|ed)? up to",
        r"all told",
    ),
    "wishes": (
        r"(?:would|'d) (?:rather|sooner)\b",
        r"rather \w+ than\b",
        r"better .{1,40} than .{1,40} (?:if|all else)",
        r"(?:all else being equal|all the same to|given the choice|if it came to a choice)",
        r"preference\b",
        r"nice (?:if|to)\b",
        r"like it better\b",
        r"(?:would|'d) prefer\b",
        r"if (?:at all |ever |in any way )?possible",
        r"(?:where|wherever|whenever|when) possible",
        r"as (?:far|much|little|few|quickly|long|soon|high|low|well) as (?:possible|practicable|(?:it|you|they) can)",
        r"as (?:little|few|much|rarely) as\b",
        r"tr(?:y|ies) (?:to|and)\b",
        r"do (?:your|its|their) best",
        r"it would be (?:nice|good)",
    ),
    "vague amounts": (
        r"(?:too|so) (?:long|far|much|many|often|high|low|hot|cold|fast|slow|close|near|late|early)\b(?! as)(?! that)",
        r"a (?:bit|little|tad|good deal|lot|while|touch)\b(?! later| after)",
        r"a good N\d+\b",
        r"now and (?:then|again)",
        r"from time to time",
        r"(?:long|fast|slow|high|low|hot|warm|far|close|early|quickly|gently) enough",
        r"in good time",
        r"reasonab(?:le|ly)",
    ),
}
_COMPILED = {
    what: tuple(re.compile(rf"\b{p}" if p[0].isalpha() else p) for p in patterns)
    for what, patterns in _PATTERNS.items()
}
_MAY = re.compile(
    r"\b(?:may|might|could|can|(?:is|are|be) (?:permitted|permissible|admissible|acceptable|allowed|allowable|tolerated"
    r"|tolerable))\b(?! to\b)"
)
# "Which may never happen", "before you can count to three", "an oil can".
_IDLE_MAY = re.compile(
    r"(?:which|that|and|it|this|though|but) (?:may|might|could|can) (?:well |also |even )?"
    r"(?:be |happen |take |last |come )?(?:never|not|always|ever)"
    r"|may or may not|come what may|as (?:it|they) may|may (?:well )?(?:never|be never)"
    r"|can be (?:sure|seen|heard|found)|as \w+ as (?:\w+ ){0,2}can\b|(?:could|can) you\b|you can count\b"
    r"|(?:a|an|the|oil|waste) can\b|(?:so|then|before) (?:\w+ ){1,2}can\b|most .{0,30}\b(?:can|may)\b"
    r"|earliest .{0,30}\bmay\b|(?:could|might|may) (?:take|last|sit)"
)
_LIMITED = re.compile(rf"\b{_LIMITS}\b")
_TIMES = re.compile(rf"\b(?:twice|thrice|(?:{_NUMBER}|several|many|more) times)\b")
_QUESTION = re.compile(r"^(?:how|what|why|who|where|which|is|are|does|did|has|have|was|were)\b[^.;:]*\?\s*$")


def beyond(tokens: Sequence[str], logic: Logic) -> list[str]:
    """Phrases of the instruction that no formula of the logic can say."""
    whole = " ".join(tokens)
    found = [token for token in dict.fromkeys(tokens) if token in WORDS]
    for patterns in _COMPILED.values():
        found += [m.group().strip(" .,:;?!") for p in patterns if (m := p.search(whole))]
    found += _permissions(whole)
    if logic is not Logic.LTL:
        found += [m.group() for m in _TIMES.finditer(whole) if not whole[: m.start()].endswith("at least ")]
    if _QUESTION.match(whole):
        found.append("a question")
    return list(dict.fromkeys(found))


def _permissions(whole: str) -> list[str]:
    """ "May" and "can" permit; with "only", "not", "until" in the sentence they forbid, or limit."""
    out = []
    for sentence in re.split(r"[.;!?]", whole):
        said = _MAY.search(sentence)
        if said and not _IDLE_MAY.search(sentence) and not _LIMITED.search(sentence):
            out.append(said.group())
    return out
