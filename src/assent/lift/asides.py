"""Clauses that ask for nothing: prefaces, reasons, manners of speaking, what is said of a run as a whole.

A clause that names nothing is a doubt, because what it asks for would be left out. These ask for nothing: "for the
demo", "no excuses", "drivers lose patience, so ...", "however long the plant operates", "after power-up". A clause
with a figure is never one of them, a condition only where it says that something never comes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ANY = r"(?: [a-z'-]+)"
_RUNS = (
    r"(?:demo|demonstration|trial|drill|test|check|trial run|test run|dry run|acceptance|acceptance test|rehearsal|"
    r"inspection|record|exercise|start|outset|beginning)"
)
_HEADS = (
    r"(?:rules?|law|protocol|procedure|sequence|objective|goal|target|aim|task|job|plan|order|orders|requirement|note|"
    r"notice|reminder|remark|instructions?|policy|principle|safety|demo|drill|trial|test|check|check - up|acceptance|"
    r"checklist|mission|routine|duty|assignment|constraint|condition|specification|agreement|summary|priority|exercise|"
    r"start - up|startup|shutdown|programme|program|point|matter|thing|deal|idea|lesson|wish|request)"
)
_CHATTER = frozenset(
    """
    please pretty yeah yes yep ok okay oi hey ta thanks thank cheers dear mate kiddo folks guys lads team sir madam boss
    honey love look listen mind right tough sorry honest honestly frankly obviously naturally simply simple plain clear
    clearly period full stop understood remember well now then so you everyone everybody all of course indeed really
    seriously surely anyway anyhow alright fine good great promise trust me believe that as the and a bit much very
    """.split()
)
_GREETINGS = frozenset(
    """
    please pretty yeah yes yep ok okay oi hey ta thanks cheers dear mate kiddo folks guys lads sir madam boss honey
    sorry honestly frankly obviously understood seriously
    """.split()
)
_IDLE = tuple(
    re.compile(pattern)
    for pattern in (
        # what is said of this run alone, or of all its time
        rf"(?:for|on|in|during|at|as) (?:the|this|our|my|a|today 's|tonight 's|tomorrow 's){_ANY}? ?{_RUNS}",
        rf"(?:for|on|in|during) (?:this|today 's|tonight 's|tomorrow 's){_ANY}{{1,2}}",
        r"(?:to be|which is to be|it is to be) (?:demonstrated|shown|proved|proven|verified|tested|checked)(?: once)?",
        r"(?:the )?(?:power|switch|switching|start|starting|boot|booting|powering)(?: -)? (?:up|on)(?: of the [a-z]+)?",
        r"(?:the )?(?:startup|commissioning|installation|switch - on|power - on)",
        r"(?:again )?(?:and )?(?:over|for|in|during|throughout) (?:the |its |their )?(?:whole |entire |full )?"
        rf"(?:working |service )?(?:life|lifetime)(?: of (?:the|this|our){_ANY}{{1,2}})?",
        rf"(?:again )?(?:for )?(?:however|no matter how) (?:long|often|many|much|late|far|soon){_ANY}*",
        rf"(?:no matter|whatever|come what may|regardless of){_ANY}*",
        r"without (?:this|that|it)(?: all)? (?:ever )?(?:ending|stopping|ceasing|coming to an end)",
        # what goes on, what is bound to come
        r"(?:(?:shall|must|should|may|can|will|do|does|is|are|is to|are to) )?(?:not|never)(?: be)? (?:interrupted|"
        r"broken off|cut short|let up|shut up|disturbed)",
        r"(?:shall|must|should|is to|has to|will) be (?:carried|seen) (?:through|out)|(?:shall|must) be completed",
        r"(?:remains?|stays?|keeps?) (?:above|below|under|over|at|like|within|inside|there|so)(?: (?:that|there|it))?"
        r"(?: (?:way|value|ever|for good|for ever|forever|always|thereafter))*",
        r"(?:and )?(?:he|she|they|it|one|that|this|somebody|someone) "
        r"(?:'s |is |are |will |does |do |must |shall |has to )?"
        r"(?:definitely |certainly |surely |always |indeed |really |bound to |sure to )?(?:coming|come|comes|happens?|"
        r"turns? up|arrives?|arise|arises|occur|occurs|shows? up|does|do|will|must|come about|follows?)",
    )
)
_MANNERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:and |with )?(?:no|without) (?:\w+ )?(?:excuses?|exceptions?|arguments?|heroics|dithering|skipping|"
        r"discussion|hesitation|messing about|fuss|nonsense|mercy|buts?|ifs|questions?|doubts?|mistake|delay|"
        r"kidding|debate|pauses?|breaks?|gaps?|interruptions?|stopping|switching (?:it )?(?:on|off))"
        r"(?: (?:asked|at all|in between|about it))?",
        r"i (?:am|'m|do|will|would) not (?:arguing|argue|fussy|kidding|joking|care|mind|negotiating|asking|ask)"
        rf"{_ANY}*",
        rf"i (?:reckon|guess|suppose|insist|promise|repeat|swear|beg you|mean it|mean that){_ANY}*",
        r"that (?:'s|is|was) (?:how|why|what|all|it|that|final|fine|important|essential|vital|healthy|safe|"
        rf"an order|the rule){_ANY}*",
        r"(?:who cares|over my dead body|(?:plain and )?simple as that|thick as thieves|end of story|full stop|"
        r"(?:any|every)(?:thing|body|one)? else is (?:nonsense|wrong|an error|forbidden|unacceptable|a fault)|"
        r"make no mistake|mark my words|believe (?:you )?me|as you know|as agreed|as usual|as ever|to be clear|"
        r"to be safe)",
        r"for (?:starters|a start|once|safety(?: 's sake| reasons)?|heaven 's sake|that matter|all i care|sure|"
        rf"example){_ANY}?",
        rf"(?:please )?(?:tell|warn|remind) (?:the|your|my|him|her|them|everyone|everybody){_ANY}*",
        r"(?:the |our |my |your )?[a-z]+(?: [a-z]+)? (?:hates?|loves?|complains?|grumbles?|dislikes?) "
        rf"(?:it|that|this|waiting){_ANY}*",
        r"(?:please )?(?:tidy|clean|clear|sort|set)(?: things| everything| the place)? (?:up|out)?",
    )
)
_LAPSE = re.compile(
    r"(?:and )?(?:nobody|no one|none|no - one|neither|nothing)(?: of (?:them|these))?(?: ever| at all)? [a-z]+"
    r"(?: (?:it|them|so|to|up|about|along))?"
    rf"|(?:that|it|this|he|she|they)(?: (?:does|do|should|will|may))? (?:never|not)(?: ever)?{_ANY}?"
)
_ENDS = frozenset("until till before".split())
_NORMS = frozenset("must shall should never not cannot nobody nothing".split())
_CONDITIONAL = frozenset(
    "if when whenever while unless until till only during in on at with under upon after".split()
)
_CONDITIONS = frozenset("if when whenever until till unless while".split())


def aside(texts: Sequence[str], start: int, end: int) -> bool:
    """Whether the clause ``texts[start:end]`` asks for nothing; the texts around it tell a reason from a rule."""
    clause = list(texts[start:end])
    if any(text == "#" or re.fullmatch(r"N[1-9]\d?", text) for text in clause):
        return False
    said = " ".join(clause)
    before, after = _at(texts, start - 1), _at(texts, end)
    if before in _CONDITIONS:
        return before == "if" and bool(_ENDS & set(texts[:start])) and bool(_LAPSE.fullmatch(said))
    if all(text in _CHATTER for text in clause) or any(p.fullmatch(said) for p in (*_IDLE, *_MANNERS)):
        return True
    opens = start == 0 or before in (".", ";", "!", "?", ":")
    if after == "," and list(texts[end + 1 : end + 4]) == ["i", ".", "e"]:
        return True  # said again, in other words
    if opens and after == ":" and clause[0] not in _CONDITIONAL:
        return bool(_NORMS & set(clause)) or bool(re.search(rf"\b{_HEADS}$", said)) or _occasion(said)
    reason = after == "so" or (after == "," and _at(texts, end + 1) == "so")
    return clause[0] == "because" or (opens and reason and not (_CONDITIONAL | _NORMS) & set(clause))


_DAYS = r"(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|weekend))"
_OCCASION = re.compile(
    rf"(?:(?:for|on|in|during) )?{_DAYS} 's(?P<one>(?: [a-z-]+){{1,3}})"
    rf"|(?P<two>[a-z-]+(?: [a-z-]+){{0,2}}?)(?: (?:for|on|of|planned for|due))? {_DAYS}"
)
_TALK = re.compile(
    r"\b(?:jokes?|quotes?|riddles?|question|quiz|homework|news|headlines?|poem|story|stories|tip|thought|word|fact|trivia"
    r"|menu|weather|forecast|topic|essay|exam|lecture|gossip|rumou?r|horoscope|song|lyrics|saying|proverb|quotation|post"
    r"|tweet|puzzle|sql|code|email|mail|message|report|reading|diary|blog|special|offer)\b"
)


def _occasion(said: str) -> bool:
    """ "Today's dive", "drill for this afternoon": when it is to be done; "today's joke" is no task."""
    found = _OCCASION.fullmatch(said)
    return found is not None and not _TALK.search(said)


def manner(texts: Sequence[str]) -> bool:
    """Whether a clause is a manner of speaking alone, which says nothing of when or how often: "no excuses"."""
    chatter = all(text in _CHATTER for text in texts) and bool(_GREETINGS & set(texts))
    return chatter or any(pattern.fullmatch(" ".join(texts)) for pattern in _MANNERS)


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place] if 0 <= place < len(texts) else ""
