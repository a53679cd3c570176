"""Parts of an instruction that stand apart from what the formula speaks of: what was left out, or said to a reader.

A requirement speaks of its system; where it does not, it speaks of time, order, occasion or manner ("for the demo:",
"no excuses"). So two things are doubts. A sentence with words of its own that names nothing of the formula: whoever
speaks to the reader does so in such sentences, and a requirement that was left out looks the same. And any part,
however short and wherever it stands (before a colon, in brackets or quotes, between commas, behind a dash), that names
nothing and speaks of texts, verdicts and those who give them. In such a part the list of words can be long: of 24,000
written requirements 59 are doubted for one there.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from assent.logic.ast import Formula, Relation, atoms
from assent.logic.ast import names as names_in

_NAMED_A = re.compile(
    r"\ba\b(?! +[a-z])|\ba(?= (?:holds?|never|always|eventually|is|does|do|must|shall|should|will|stays?|keeps?"
    r"|becomes?|occurs?|happens?|and|or|until|before|after|implies|then|has|can|cannot|may|within|at"
    r"|unless|while|not)\b)"
    r"|\b(?!a\b)[a-z]\w*"
)
"""Words; "a" only where it is no article."""

_PLAIN_WORDS = frozenset(
    "the and for not but from that this then than all any each every always never ever whenever when "
    "while until unless once after before within during between least most must shall should will has "
    "have had holds hold true false time times moment point some other both either neither only also "
    "again still later sooner next now seconds second minutes minute steps step hours hour what are was "
    "were been being may can cannot does did there here which where whose who how long soon eventually "
    "case same stay stays keep keeps remain become becomes happen happens start end ends begins first "
    "last they them one two three just".split()
)
_BRACKETED = re.compile(r"^\s*\(([^()]*)\)\s+|\s*[(\[]\s*([A-Z][^()\[\]]*|[^()\[\]]*[.!]\s*)[)\]]\s*")
"""A bracket that opens the text, or that holds a sentence."""
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[)\]])\s+(?=[A-Z])|\n")
_PARTS = re.compile(
    r"(?<=[.!?])\s+|[\n;,()\[\]{}<>\"\u201c\u201d\u2026|]|:(?=\s|$)|\s['\u2018]|['\u2019](?=[\s.,;]|$)|\.\.+"
    r"|\s[-\u2013\u2014/~*=]+(?=\s)|--+|\u2014"
)
"""Where a part of a sentence may end."""

_QUOTED = re.compile(
    r"\(([^()]*)\)|\[([^\[\]]*)\]|\{([^{}]*)\}|[\"\u201c]([^\"\u201c\u201d]*)[\"\u201d]"
    r"|\s['\u2018]([^'\u2018\u2019]+)['\u2019](?!\w)"
)
_SMALL = frozenset(
    "it is be to in of or so if he she we us as at on by an no do up off me my ii iii iv vi its too than more less "
    "perhaps maybe whatever might could would seldom often".split()
)

_OF_TEXTS = re.compile(
    # what is said of an answer
    r"\b(?:approv(?:e|es|ed|al|als|ing)|validat\w+|verif(?:y|ies|ied|ying|ication)|certified|certify|certifi\w+tion"
    r"|confirm(?:s|ed|ing|ation)?|vouch\w*|vetted|authentic\w*|genuine(?:ly)?|legit\w*|canonical|authoritative"
    r"|correct(?:ly|ness|ion|ions)?|perfect(?:ly|ion)?|accura\w+|faithful(?:ly)?|excellent|superb|adequate(?:ly)?"
    r"|satisfactory|infallib\w+|spotless|impeccab\w+|unimpeach\w+|indisput\w+|undisputed|undoubted\w*|unquestion\w+"
    r"|reproach|trivial(?:ly)?|quality|gold(?:en)? standard|lgtm|greenli\w+|green light\w*|bless(?:ed|ing)|settled"
    r"|credib\w+|sanction(?:ed|s)?|admissible|objections?|ambiguo\w+|unambiguous\w*|ambiguit\w+|truth\w*|truly"
    r"|confiden\w+|suspicio\w+|abstain\w*|abstention\w*|accept(?:ed|ing|s)? (?:it|this|that|without|as|by|every)"
    r"|looks? (?:good|fine|right|great)|sounds? (?:good|right)|spot on|as intended|nothing wrong|face value|on trust"
    r"|faith|rubber|stamp(?:ed)?|seal of|sign(?:ed|s)? (?:by|with|,)|ratif\w+|sworn|attest\w*|testif\w*|proven"
    r"|undeniabl\w+"
    r"|bona fide|endors\w+|applau\w+|bravo|kudos|congrat\w+|nod (?:it|this|through)|good to go|cleared for|no questions"
    r"|pass (?:it|this|them)|let (?:it|this|that) pass|let in|wins?|no issues?|all good|all clear|all fine|roger"
    r"|sic|harmless"
    r"|favou?rites?|out of (?:one hundred|ten|five)|hundred percent|per ?cent sure|(?:five|gold) stars?|as good as"
    r"|easy one"
    r"|no need (?:to|for)|nothing to (?:see|worry|discuss|check|add|fix|question)|(?:say|answer) (?:yes|so|that)"
    r"|next question"
    r"|move on|stop (?:thinking|reading|asking|here)|look no further|tick the|case closed"
    # who gives it, and how
    r"|graders?|grad(?:e|es|ed|ing)|scor(?:e|es|ed|ing)|ratings?|evaluat\w+|assess\w*|review(?:s|ed|er|ers|ing)?"
    r"|audit(?:or|ors|ed)?|examiners?|adjudicat\w+|referees?|arbit(?:er|ers|rat\w+)|umpires?|jury|tribunal|committee"
    r"|supervisors?|experts?|authors?|authority|headquarters|vendor|professor|panel of|compar(?:e|es|ed|ing|ison)"
    r"|match(?:es|ed|ing)|mismatch\w*|identical|equivalen\w+|agree(?:s|d|ment)?|disagree\w*|consistent|correspond\w*"
    r"|decisions?|determination|generous\w*|lenien\w+|merciful|indulgen\w+|kindly|feel free"
    r"|waiv(?:e|ed|er)|exempt from|hesitat(?:e|ion)|second-guess\w*|scrutin\w+|benefit of|pushback|double-check\w*"
    r"|checked by|checked and|already (?:done|dealt|handled|cleared|checked|tested|known|right|fine)|thumbs"
    # texts
    r"|translat\w+|rendered|renderings?|interpret\w*|paraphras\w+|wordings?|worded|phras(?:e|es|ed|ing)|reword\w*"
    r"|rephras\w+|restat\w+|sentences?|statements?|paragraphs?|readers?|summar(?:y|ies|ise|ize)\w*|quot(?:e|es|ed"
    r"|ation)s?"
    r"|grammar|syntax|semantic\w*|languages?|formulas?|formulae|candidates?|verdicts?|judg\w+|prompts?|instructions?"
    r"|guidelines?|datasets?|solutions?|json|llms?|chatbots?|ai|annotat\w+|labell?ers?|typos?|misprints?|errat\w+"
    r"|versions?"
    r"|drafts?|footnotes?|postscript|addend\w+|disclaimers?|caveats?|preambles?|excerpts?|snippets?|transcripts?"
    r"|boilerplate|placeholders?|dummy|filler text|homework|quiz|fyi|btw|regards|sincerely"
    # what undoes what was said
    r"|kidding|jok(?:e|es|ing)|sarcas\w+|iron(?:y|ic\w*)|satir\w+|pretend\w*|hypothetical\w*|fiction\w*|imaginary"
    r"|disregard\w*|overlook\w*|omit(?:s|ted)?|retract(?:ed|s)?|revok\w+|rescind\w*|supersed\w+|obsolete|outdated"
    r"|out of date|null and|invalid\w*|untrue|a lie|amend(?:ed|ment)?|modif(?:y|ied|ication)|revis(?:e|ed|ion)"
    r"|corrigend\w+|negat(?:e|ed|ion)|invert(?:ed|s)?|contrary|opposite|backwards"
    r"|otherwise (?:stated|noted|told|advised)|says otherwise|not really|changed my mind|on second thoughts?"
    r"|make (?:that|it) (?:never|always|not|a|an|the|sometimes|no|some)|or rather|rather not|hold on|t(?:ake"
    r"|ook) (?:it|that|this)"
    r" back|change of plan|on paper|in theory|that was (?:yesterday|then|before|the|a|an|all|just|only|my|our)"
    r"|used to be|no longer"
    r" (?:true|valid|applies|holds|the case|wanted)|false alarm|as if|yeah right|so (?:they|he|she|people) (?:say"
    r"|says|claim)|allegedly"
    r"|supposedly|not true|or so they|in name only|would be nice"
    r"|irrelevant|meaningless|superfluous|redundant|unnecessary|confidential|passwords?|overrid(?:e|es|den|ing)"
    r"|bypass\w*)\b"
    r"|^\W*(?:wait|signed|not|un?true|wrong|false)\W*$"
    # orders about what was said, of which no part says what they are about
    r"|^\W*(?:now |and |but |then |please |just |so |or )*(?:swap|reverse|flip|invert|drop|strike|scratch|cancel|delete"
    r"|forget|ignore|skip|undo|turn|exchange|discard|remove|erase|accept|mirror|replace|rewrite|simplify|shorten"
    r"|weaken|strengthen|generali[sz]e|leave out|never mind|nevermind|scrap) (?:the (?:two|lot|whole|above|other|order"
    r"|roles|sides|names|condition|rest|first|second|last|part|clause|consequent|antecedent|bound|bounds|time|deadline)"
    r"|it|that|this|them|both|all|everything|either|one|any|every|half)\b",
    re.IGNORECASE,
)
"""Words about texts, verdicts and judges; requirements have them as names, or beside one."""


def idle_sentence(text: str, formula: Formula) -> str | None:
    """A sentence with words of its own and none of the formula's names, beside sentences that have some.

    Questions ("Belt off? Then …") and sentences of a few plain words ("If that never happens, it does not run.") are
    let pass.
    """
    apart = _BRACKETED.sub(lambda found: f"\n{found[1] or found[2]}\n", text)
    sentences = [part for part in _ENDS.split(apart) if part.strip()]
    names = names_of(formula)
    for part in _without_names(sentences, names):
        words = {word for word in re.findall(r"[a-z]{3,}", part.lower()) if word not in _PLAIN_WORDS}
        if len(words) > 1 and not part.endswith(("?", "i.e.", "e.g.")):
            return f"the sentence {part.strip()[:40]!r} speaks of nothing that the formula has"
    return None


def idle_part(text: str, formula: Formula, named: Collection[str] = ()) -> str | None:
    """A part that names nothing and speaks of texts or verdicts, or stands in brackets or quotes.

    ``named``: parts of the text that were taken for names.
    """
    for part in sorted(filter(None, named), key=len, reverse=True):
        text = text.replace(part, _NAMED)
    names = names_of(formula)
    for part in _without_names(_PARTS.split(text), names):
        if found := _OF_TEXTS.search(part):
            return f"{part.strip()[:40]!r} speaks of texts or verdicts ({found.group().strip()!r}), not of the system"
    for part in _without_names([text, *map("".join, _QUOTED.findall(text))], names):
        if set(re.findall(r"[a-z]{2,}", part.lower())) - _PLAIN_WORDS - _SMALL and not re.search(r"\d", part):
            return f"{part.strip()[:40]!r} stands in brackets or quotes and speaks of nothing that the formula has"
    return None


_NAMED = " \N{SECTION SIGN} "


def _without_names(parts: Collection[str], names: frozenset[str]) -> list[str]:
    """The parts that name nothing, where others do."""
    parts = [part for part in parts if part.strip()]
    silent = [part for part in parts if _NAMED.strip() not in part and not _speaks_of(names, part)]
    return silent if len(silent) < len(parts) else []


def names_of(formula: Formula) -> frozenset[str]:
    """The names of a formula as they stand, and the beginnings of their words."""
    found: set[str] = set()
    relations = {atom.name for atom in atoms(formula) if isinstance(atom, Relation)}
    for name in names_in(formula) | relations:
        found |= (
            {name.lower()}
            if len(name) < 3
            else {word[:4] for word in name.lower().split("_") if len(word) > 2}
        )
    return frozenset(found)


def _speaks_of(names: frozenset[str], sentence: str) -> bool:
    """Whether a word of the sentence begins like one of the names; the article "a" is no name."""
    words = _NAMED_A.findall(sentence.lower())
    return any(word[:4] in names or word in names for word in words)
