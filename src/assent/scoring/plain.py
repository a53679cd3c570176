"""Doubts that need no model, for whoever translated: numbers, vacuity, hidden characters, texts that speak to a model.

They are cautious in one direction only: a doubt withholds, and what they do not see is left to the scores.

Texts that speak to whoever reads them instead of speaking of a system have marks of a conversation, the reader's work
(ratings, instructions, translations), the text itself ("this sentence"), or a formula to be repeated. Requirements use
none of these words, or one of them by chance ("the heart rate stays below 100", "the answer is sent"). So one word is
enough where no requirement has it, and two of different kinds are needed elsewhere. Whoever knows the lists can word
around them; docs/hardening.md says how often that succeeded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from assent.errors import AssentError
from assent.lift.characters import GREEK_UNITS
from assent.lift.measures import conversions
from assent.logic.ast import (
    Compare,
    Constant,
    Formula,
    Prop,
    atoms,
    names,
    walk,
)
from assent.scoring.apart import idle_part, idle_sentence
from assent.scoring.wordings import (
    TIMED,
    asked_once,
    bounds,
    broken_words,
    easily_misread,
    half_a_window,
    steps_as_time,
    unsure_figures,
)
from assent.vocabulary import Vocabulary

_MARKS = re.compile(
    r"```|<\||\|>|\[/?inst\]|<</?sys>>|</?[a-z]+\s*/?>|~{3,}|#{3,}|\{\{|\}\}|/\*|\*/|-{3,}|\{\s*\""
    r"|\"role\"|\\n\\n|>>>|\]\(#|=="
    r"|(?:^|[\n.;,!?({\[])\s*(?:system|assistant|user|human|role|rating|grade|score|verdict|(?:final )?answer)\s*[:=]"
    r"|\bq:.*\ba:|\b(\d{2,})/\1\b"
    r"|\b(?:begin|start|end)(?:ning)? of (?:the )?(?:system|instructions?|prompt|message|text)"
    r"|\b(?:begin|end) system\b|\bnew (?:instructions?|task|rules?)\s*:"
    r"|(?:\b\w+\s*[:=]\s*(?:match|100)\b.*){2}|\b(?:decision|status|confidence|result|output)\"?\s*[:=]"
    r"|\bend (?:of )?instructions?\b"
    r"|<!--|-->|%%|\*{3}|(?:^|\n|[.!?]\s)\s*(?:#|//|@\w|\*\*|\[[^\]]{3,}\])"
    r"|(?:^|\n|[.!?]\s)\s*(?:note to (?!self)\w+|comment|observation|thought|tool(?: \w+)?|context)\s*:"
    r"|\b(?:logical_structure|temporal_operators|time_constraints|overall_meaning|quantifier_negation)\b",
    re.IGNORECASE | re.DOTALL,
)
"""How conversations, prompts and answers are written down."""

_ALWAYS = re.compile(
    r"\b(?:jailbreak\w*|nonce|translations?|translators?|formulas?|formulae|verdicts?|evaluators?"
    r"|lenien\w+|chatbots?|llms?"
    r"|paraphras\w+|examiners?|pay no attention|rubrics?"
    r"|encodings?|phrasing|semantics?|grading|graded|graders?|parsers?|permissive(?:ly)?|guardrails?"
    r"|uncensored|gpt\w*"
    r"|openai|anthropic|personas?|role-?play\w*|synonym\w*|indistinguishable|interchangeabl[ey]"
    r"|ground truth|benchmarks?"
    r"|annotat\w+|propositions?|predicates?|paragraphs?|benefit of the doubt|unfair\w*|verbatim|foregoing|convinc\w+"
    r"|persua\w+|truthful\w*|flawless\w*|superb|endors(?:e|es|ed|ing|ement)|ratif\w+|pre-?approved|overrul\w+"
    r"|assessors?|apprais\w+|comparing|maintainers?|lawyers?|congratulations|checkers?|critiques?|superseded?"
    r"|both say|the solution reads|for the record|wav(?:e|es|ed|ing) (?:it|this|them|\w+ one) through"
    r"|let (?:it|this|them|that) through|back[ -]?translat\w+"
    r"|(?:correct|right|expected|desired|intended|proper) (?:solution|result|output|answer|response"
    r"|reading|rendering|version)"
    r"|judg(?:e|es|ed|ing|e?ments?)|sudo|language models?|as an ai|developer mode|the system prompt"
    r"|(?:full|top) (?:marks|points)|you are now|output only|print only|act as an?|admin override"
    r"|same meaning|mean the same"
    r"|(?:re(?:spond|ply)|answer) with (?:the|a|an|full|only|\d+|yes)(?! (?:error|alarm|code)))\b",
    re.IGNORECASE,
)
"""Words that no requirement needs."""

_ITSELF = re.compile(
    r"\b(?:this|the (?:above|following|next|previous|last|preceding)|both|these|those) "
    r"(?:texts?|sentences?|lines?|words?|inputs?|messages?|instructions?|statements?|pairs?|prompts?)\b"
    r"|\b(?:instructions?|texts?|sentences?|lines|checks?|rules) (?:above|below|before this)\b"
    r"|\beverything (?:above|before)\b|\b(?:the above and|the following as)\b"
    r"|\b(?:(?:rate|score|grade|mark|translate|approve|accept|treat|say) (?:this|it|that|all|everything|every)"
    r"|give (?:this|all|everything|every|it (?:the|full|a (?:rating|score|hundred)|100)))\b"
    r"(?=.{0,40}\b(?:100|full|perfect|highest|maximum|top|match|correct|well|as|to|into|with|ratings?"
    r"|scores?|true)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""The text speaks of itself, or of what is to be done with it."""

_UNDO = re.compile(
    r"\b(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass|set aside)\b.{0,40}"
    r"\b(?:instructions?|rules?|guidelines?|directions?|prompts?|above|told|checks?|verification)\b"
    r"|\b(?:skip|drop) (?:your|the|all|any|every)\b.{0,20}\b(?:instructions?|rules?|guidelines?|checks?"
    r"|verification)\b"
    r"|(?:^|[.;:!?,\n]|\b(?:and|then|please|to|must|you|always|just))\s*"
    r"(?:rate|score|grade|mark|rating|ratings)\b.{0,30}\b(?:100|full|perfect|highest|maximum|match|well|top)\b"
    r"|\b(?:do not|don't|never|stop|no need to) (?:rate|score|grade|evaluat\w+|rating|scoring|grading"
    r"|compare|comparing"
    r"|look for differences)\b|\b(?:comparison|evaluation|assessment) (?:must succeed|is over|ends?)\b",
    re.IGNORECASE | re.DOTALL,
)
"""What is to be left undone, or rated."""

_KINDS = {
    "address": re.compile(
        r"\b(?:you|your|please|kindly|dear|whoever|boss|admin\w*|pretend|imagine|remember|suppose|assume|consider"
        r"|treat|obedient|generous|assistant|reviewers?|graders?|authors?|models?|from now on|from here on"
        r"|no matter what|developers?|ai|hello|trust|whatever|regardless|let us|hey|i am|colleagues?|favou?rs?|anyone"
        r"|everyone|never mind|trusted|human in the loop)\b",
        re.IGNORECASE,
    ),
    "work": re.compile(
        r"\b(?:instructions?|guidelines?|texts?|sentences?|statements?|agree|agrees|agreed|agreement|ratings?"
        r"|scores?|grades?|marks?|evaluat\w+|assess\w*|compar(?:e|es|ing|ison)|criteria|differences?|answers?|reply"
        r"|respond|say (?:that|so|yes|\d+)|role|prompts?|approved?|objections?|translate|deduct\w*"
        r"|equivalen\w+|coincid\w+"
        r"|conclu\w+|evaluations?|accura\w+|identical\w*|inputs?|tokens?|verify|verification|wordings?"
        r"|sign(?:ed)?[ -]?off|faithful\w*"
        r"|authori[sz]\w+|the same thing|entries like|earlier directions?|this (?:one|entry))\b",
        re.IGNORECASE,
    ),
    "praise": re.compile(
        r"\b(?:perfect|flawless|best|harmless|equal|one hundred|satisfied"
        r"|highest|maximum|top|100|match(?:es)?|correct|ideal|approved?|yes|positive|void|joke)\b",
        re.IGNORECASE,
    ),
}
"""Words that requirements have too; two kinds in one sentence are suspicious."""
_NOUN = re.compile(
    r"\b(?!(?:a|an|the|this|that|all|any|every|each|your|my|its|full|high|top|good|best|highest|both"
    r"|give|gives|and|or|to|of|set|with|for|say|no)\b)[a-z]+[ -]"
    r"(?:rates?|ratings?|scores?|grades?|marks?|models?|texts?|statements?)\b"
    r"|\b(?:rates?|scores?|grades?) of the\b|\brates? of\b",
    re.IGNORECASE,
)
"""A compound noun ("heart rate", "load rating") is a quantity of the system."""
_FOREIGN = re.compile(
    r"\b(?:und|nicht|alle|mit|vorherige\w*|anweisung\w*|les|des|toutes?|tous|avec|pour|las|los|el|todas?"
    r"|todos?|con|por"
    r"|que|gli|delle|tutte|n[aã]o|regeln|reglas|r[eè]gles|instrucciones|istruzioni|ignorier\w+|ignorez"
    r"|olvida|ignora)\b",
    re.IGNORECASE,
)

_NOTATION = re.compile(
    r"(?:^|[.!?:;]\s|\b(?i:is|be|emit|write|token|output|return|produce|print|as|say|answer|echo|repeat"
    r"|type)\s)\s*[FGX] [a-z_]\w*"
)
"""An operator and a name, as formulas are written, where a sentence or what is to be said begins ("axis X moves")."""


def addressed(text: str, formula: Formula | None = None, phrases: Collection[str] = ()) -> Iterator[str]:
    """Why a text is taken to speak to a reader; nothing if it is not. With the candidate: also if it is spelt out.

    ``phrases``: what the candidate's names are called, which speaks of the system ("the proof approved, please").
    """
    for pattern in (_MARKS, _ALWAYS, _ITSELF, _UNDO, _NOTATION):
        if found := pattern.search(text):
            yield _speaks_to_a_model(found.group())
            return
    for sentence in re.split(r"[.!?\n]+\s", text):
        if suspicious := _together(_NOUN.sub(" ", _without_phrases(sentence, phrases))):
            yield _speaks_to_a_model(" … ".join(suspicious))
            return
    if len(foreign := {word.lower() for word in _FOREIGN.findall(text)}) > 1:
        yield f"{', '.join(sorted(foreign)[:3])!r}: not English all through"
        return
    if formula is not None and _spelt(text, formula):
        yield "it holds the formula itself, which a translation is to find"


def _without_phrases(sentence: str, phrases: Collection[str]) -> str:
    """The sentence without names of two words and more, said in one piece: "the proof is approved"."""
    for phrase in phrases:
        said = [re.escape(word) for word in phrase.split()]
        if len(said) > 1:
            between = r"(?: (?:is|are|be|has|have|been|gets?|got))* "
            sentence = re.sub(rf"\b{between.join(said)}\b", " ", sentence, count=1, flags=re.IGNORECASE)
    return sentence


def _together(sentence: str) -> list[str]:
    """Words of a sentence that are harmless alone: about the reader's work, with an address or with praise."""
    found = {name: {word.lower() for word in kind.findall(sentence)} for name, kind in _KINDS.items()}
    if not found["work"]:
        return sorted(found["address"]) if len(found["address"]) > 2 else []
    others = sorted((found["address"] | found["praise"]) - found["work"])
    return [min(found["work"]), others[0]] if others else []


def _spelt(text: str, formula: Formula) -> bool:
    """Whether a text of words has the formula in it, written as a formula."""
    written = re.sub(r"\s", "", str(formula))
    flat = re.sub(r"\s", "", text)
    return not isinstance(formula, Prop) and written in flat and len(flat) > len(written)


def _speaks_to_a_model(part: str) -> str:
    return f"{' '.join(part.split())[:40]!r} speaks to a model, not of the system"


_DIGITS = re.compile(
    r"(?<![\w.])-?\d+(?:[.,]\d+)?(?![\d.]*(?:k\b|e[-+]?\d|(?!(?:[a-z\u00b5\u03bc]?m|in|ft|yd)[23]\b)[a-z]+\d)|\w*_)",
    re.IGNORECASE,
)
"""Not the first part of "2h30", "5e-3" or "2.5k": half a number is no number."""
_GROUPS = re.compile(r"(?<=\d)[\s'’_](?=\d{3}\b)")
_AND_A_HALF = re.compile(r"\b(\d+|[a-z]+) and (?:a|one) (half|quarter)\b", re.IGNORECASE)
_UNITS_AND_A_HALF = re.compile(r"\b(\d+|[a-z]+) [a-z]+s and a (half|quarter)\b", re.IGNORECASE)
_PERCENT = re.compile(
    r"%|\bper ?cent|\bcm\b|centi|hundredth|\bhalf\b|\bquarter|\b(?:fif|eigh|ten)ths?\b", re.IGNORECASE
)
_ONE_UNIT = re.compile(r"\b(second|minute|hour|day|week)\b", re.IGNORECASE)
_WORDS = {
    **{word: Fraction(value) for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )},
    **{"thirty": Fraction(30), "forty": Fraction(40), "fifty": Fraction(50), "sixty": Fraction(60)},
    **{"seventy": Fraction(70), "eighty": Fraction(80), "ninety": Fraction(90), "hundred": Fraction(100)},
    **{"thousand": Fraction(1000), "half": Fraction(1, 2), "quarter": Fraction(1, 4), "dozen": Fraction(12)},
    **{"once": Fraction(1), "twice": Fraction(2), "quarters": Fraction(1, 4)},
    **{f"{part}th{s}": Fraction(1, n) for part, n in (("fif", 5), ("eigh", 8), ("ten", 10)) for s in ("", "s")},
}  # fmt: skip
_SCALES = tuple(Fraction(n) for n in (1, 60, 3600, 1000, 60_000, 3_600_000, 24, 86_400)) + tuple(
    Fraction(1, n) for n in (60, 3600, 1000, 60_000)
)
_HUNDREDTHS = (Fraction(100), Fraction(1, 100))
_CONFUSABLE = frozenset("асеорхуіјѕԁһкмтнвгАВСЕНІЈКМОРЅТХУαοντυικρηΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսցհԱՕՍ")
"""Letters of other scripts that look like Latin ones."""


def plain_doubts(
    text: str, formula: Formula, named: Collection[str] = (), vocabulary: Vocabulary | None = None
) -> tuple[str, ...]:
    """Why a candidate must not be accepted for an instruction, whatever its scores.

    ``named``: parts of the text that were taken for names.
    """
    phrases = {} if vocabulary is None else vocabulary.phrases
    known = frozenset(re.findall(r"[^\W\d_]+", " ".join((*phrases, *phrases.values())).lower()))
    return (
        *_characters(text),
        *_to_a_model(text, formula, named, phrases),
        *unsure_figures(text, formula),
        *easily_misread(text, formula),
        *broken_words(text, formula, known),
        *steps_as_time(text, formula, None if vocabulary is None else vocabulary.time_unit),
        *half_a_window(text, formula),
        *asked_once(text, formula),
        *_numbers(text, formula),
        *_vacuous(formula),
    )


def _characters(text: str) -> Iterator[str]:
    """Characters that hide or look like others: what a person sees is not what is read."""
    for column, char in enumerate(text, start=1):
        kind = unicodedata.category(char)
        if kind in ("Cf", "Cc", "Co", "Cs", "Cn") and char not in "\n\r\t":
            yield f"an invisible character (U+{ord(char):04X}) stands at column {column}"
            return
    for word in re.findall(r"\w+", text):
        scripts = {unicodedata.name(char, "?").split()[0] for char in word if char.isalpha()}
        if GREEK_UNITS.fullmatch(word):  # "k\u03a9"
            continue
        if len(scripts) > 1 and scripts & {"CYRILLIC", "GREEK", "FULLWIDTH", "ARMENIAN", "CHEROKEE"}:
            yield f"the word {word!r} mixes letters of different scripts"
            return
        if not word.isascii() and all(_looks_latin(char) for char in word if char.isalpha()):
            yield f"the word {word!r} is written in letters of other scripts that look like Latin ones"
            return


def _looks_latin(char: str) -> bool:
    return char in _CONFUSABLE or unicodedata.name(char, "").startswith("FULLWIDTH LATIN")


def _to_a_model(
    text: str, formula: Formula, named: Collection[str], phrases: Mapping[str, str]
) -> Iterator[str]:
    """Words to the reader, or a part apart from what the formula speaks of."""
    yield from addressed(text, formula, [phrases[name] for name in names(formula) if name in phrases])
    if idle := idle_sentence(text, formula, named) or idle_part(text, formula, named):
        yield idle


def _numbers(text: str, formula: Formula) -> Iterator[str]:
    """A number of the formula that no number of the text, in any unit, and no sum of two of them gives."""
    used = sorted(set(_used(formula)) - {Fraction(0), Fraction(1)})
    if not used:
        return
    said = sorted(set(_numbers_in(text)))
    scaled: dict[Fraction, set[Fraction]] = {}
    scales = {*_SCALES, *conversions(text), *(_HUNDREDTHS if _PERCENT.search(text) else ())}
    for number in said:
        for scale in scales:
            scaled.setdefault(number * scale, set()).add(number)
    for value in used:
        if value not in scaled and not _sum_of_two(value, scaled):
            yield f"the formula has the number {float(value):g}, which the instruction does not give"
            return


def _sum_of_two(value: Fraction, scaled: Mapping[Fraction, set[Fraction]]) -> bool:
    """Whether two different numbers of the text, each in some unit, add up to the value (or differ by it)."""
    for one, sources in scaled.items():
        for other in (value - one, value + one):
            if other in scaled and len(scaled[other] | sources) > 1:
                return True
    return False


def _numbers_in(text: str) -> Iterator[Fraction]:
    """Numbers in digits and in words, each whole: "an hour" is one, "12 500" is not 12, "twenty-five" is not 20."""
    for whole, part in _AND_A_HALF.findall(text):  # "a minute and a half": one and a half minutes
        value = Fraction(whole) if whole.isdecimal() else _WORDS.get(whole.lower(), Fraction(1))
        yield value + _WORDS[part.lower()]
    for whole, part in _UNITS_AND_A_HALF.findall(text):  # "two metres and a half"
        if whole.isdecimal() or whole.lower() in _WORDS:
            yield (Fraction(whole) if whole.isdecimal() else _WORDS[whole.lower()]) + _WORDS[part.lower()]
    rest = _GROUPS.sub("", _AND_A_HALF.sub(" ", text))
    for some in (rest, re.sub(r"(?<=\d),(?=\d{3}\b)", "", rest)):
        for match in _DIGITS.finditer(some):
            yield abs(Fraction(match.group().replace(",", ".")))
    if _ONE_UNIT.search(rest):
        yield Fraction(1)
    yield from _in_words(rest.lower())


def _in_words(text: str) -> Iterator[Fraction]:
    """Number words; two side by side are one number, and neither of them alone."""
    for run in re.findall(r"[a-z]+(?:[\s-]+[a-z]+)*", text):
        known = [_WORDS.get(word) for word in re.findall(r"[a-z]+", run)]
        for place, one in enumerate(known):
            before = known[place - 1] if place else None
            after = known[place + 1] if place + 1 < len(known) else None
            if one is not None and after is not None:
                yield from (one + after, one * after)
            elif one is not None and before is None:
                yield one


def _used(formula: Formula) -> Iterator[Fraction]:
    for node in walk(formula):
        if isinstance(node, TIMED):
            yield from bounds(node.within)
    for atom in atoms(formula):
        if isinstance(atom, Compare):
            yield from (abs(part.value) for part in (atom.left, atom.right) if isinstance(part, Constant))


def _vacuous(formula: Formula) -> Iterator[str]:
    """Always true or never true: nobody asks for that."""
    from assent.logic.equivalence.verdict import satisfiable, valid

    try:
        if satisfiable(formula).answer is False:
            yield "the formula is false on every trace"
        elif valid(formula).answer:
            yield "the formula is true on every trace"
    except AssentError:  # e.g. next beside decimal bounds: nothing is known
        return
