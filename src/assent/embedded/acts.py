"""Acts that no name says: "the hatch must be inspected" is not "the hatch must be open".

Lifting leaves the verb in the sentence where it belongs to no name, and the networks read over it. Some verbs only say
that it is so ("must show the red lamp", "the bell must be heard"); every other one asks for more than the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assent.lift import Lifted
from assent.lift.idioms import JUDGING
from assent.lift.propose import has_content
from assent.logic.ast import Logic

# Verbs, and what is said in their place ("must be below", "shall be mutually exclusive"), that stand so before or
# behind names in requirements that formulas say.
_BEARING = frozenset(
    """
    abandoned able abort above absent accept accepted accompanied accompany achieve achieved act activate activated
    active actuation add additionally admit admitted against ahead alive allow alone along already anew answer
    answered anybody anyone anything anyway appear applied apply arise around arrest arrive assured attain attained
    available avoided back bar become been begin begun below beneath better beyond blow blown bother bound bring
    brought burn called cancel cancelled cap capable carried carry cause certainly changed clear cleared coexist
    cold colder come commanded commence commenced committed complementary complete completed comprise concurrent
    concurrently conditional confined consider contain continually continue continued contradictory cooled cooler
    count cut deemed deferred delay delayed deliver delivered demand deny depressurised disable disabled
    discontinued dispensed disregard diverted doing done dosed down drawing drawn drive drop due duty earlier effect
    effected emit enabled end energise energised energize engage engaged ensue ensure ensured entail enter entered
    equal equivalent establish established even everlasting everybody everyone exactly exceed except exclude
    excluded exclusive exclusively exempt exercised exhibit exhibited exist existing fail fall false faster feature
    fed fewer find finish finished fire flash flick flip flow flown fly follow followed forbid forbidden force
    forever forget forgotten found free freed generated get give given go going gone got granted greater guarantee
    guaranteed had handed handling hang happen have hear heard heavier held hence high higher hit hold home honoured
    hooked hotter idle ignore illuminated immobile implemented imply impossible inactive include increased indeed
    indefinitely infinitely inhibit inhibited initially initiate initiated inoperative inserted inside instead
    interlocked interrupt interrupted into introduced invariably irrespective issue issued itself jointly keep kept
    lack laid lapse lasted latched lay lead leave left less let lie lift lifted light lighter limit limited limiting
    lit live lock long longer lose lost low lower lowered made maintain maintained make manned mean meet merely met
    mirror missing more moreover motionless mutually nil nonetheless obligatory oblige obtain occasion occupy occur
    off often omitted one onto open operate operated other out outlast outside over overlap park pass passed past
    pending perform performed permanently permit permitted persist place placed positive possible postponed precede
    preceded precisely preclude precluded prepared present presented pressed presuppose prevail prevent prevented
    prior proceed produce produced prohibit protected provide provided pull pulled pumping put quick quicker raise
    raised rather reach reached ready rebound reduce reduced refrain refuse refused regarded regardless reinstated
    reject release released relieved relit remain remove removed render require reserved restart restarted restore
    restored result resume resumed retained retract return returned right rolling rotate round rule ruled run
    running safe same satisfied satisfy save secure see seen set settle shed shine shorter show shown shut silenced
    silent simply simultaneously sit slowed slower solely some somewhere sooner sound sounded spare squash stand
    standing start started stay step still stop stopped straight strictly struck subject succeed succeeded supplied
    supply supposed suppress suppressed suspend suspended sustain sustained switch switched swung take taken talk
    talking taller tantamount terminate terminated there thereafter thereupon three through throw tick till today
    together tolerate tolerated touch trigger triggered trip true turn turned twice two ultimately unavailable under
    undo uninterrupted uninterruptedly unlawful unreachable upon upright use visible visit visited wail wait want
    warmer watertight well went wetter where wherever whether whilst whose with withdraw withheld withhold within
    without witness worked yank yet yield you zero
    """.split()
)
_MODAL = (
    r"(?:must|shall|should|will|may|can|could|ha(?:s|ve|d) to|needs? to|(?:is|are) to|cannot"
    r"|(?:got|supposed|allowed) to)"
)
_ADVERB = (
    r"(?:(?:not|never|always|also|then|only|at once|immediately|first|still|again|ever|eventually|finally|later"
    r"|please|just|now|all|both|each|once more|sooner or later|in turn|(?!(?:ap|com|sup|re)ply|rely)[a-z]{3,}ly) )*"
)
_SMALL = r"(?:(?:up|on|off|out|down|the|an?|its|their|his|her|that|this|any|every|each|all|both|of|whole|same) ){0,3}"
_DOES = re.compile(rf"\b{_MODAL} {_ADVERB}([a-z]{{3,}}) {_SMALL}(?:not )?[PS]\d+\b")
_IS_DONE = re.compile(
    rf"\b(?:P\d+|it|they|which|that|these|those|this|both) (?:{_MODAL} {_ADVERB}(?:be|get|have been)|to be|is being"
    rf"|ha(?:s|ve|d) {_ADVERB}been) {_ADVERB}([a-z]{{3,}})\b(?! by (?:(?:the|an?|its|not) )*[PS]\d)"
)
# What may stand right behind a name as its verb, or instead of one.
_BEHIND = frozenset(
    """
    about above acting agree agrees ahead air alike alone already alternate although anew anything anywhere apart
    applies around arrives because become becomes beforehand begins behind belong below besides better beyond blinks
    brings burn calls changes clears climbs coincide coincides colder come comes continues cooler covers despite
    dies differ directly disagree down draws drives drop drops earlier ends entirely equals even everything exceed
    exceeds except excepted exclude excludes fails faster finds fires flashes flips follows forms gets give gives
    glow glows goes greater hangs harder high higher hit hits hotter infinitely inside into itself just lasting
    lasts leads leave let lies lifts light lights likewise lower makes meanwhile meets mid moves nearly nevertheless
    none notwithstanding occur occurred occurs off one ones onto onwards opens out outside over overrides passes
    past persists place pls pops position precisely prevails prevents prior prohibited rather reach reaches reads
    really recur recurs refuses releases relights respectively response rises round runs satisfy sees sets she
    shines short show shows sides simultaneously sits slower somebody somewhere sooner spins stands start starts
    state stood straight strictly strikes stronger success surely swings switches take takes thereafter they though
    three through till today together tonight touches travels turns twice two under upon waits warmer wet where
    whichever with without you zero
    """.split()
)
_DOES_ITSELF = re.compile(
    r"\b(?:if|when|whenever|while|until|till|unless|once|after|before|that) (?:not )?(P\d+) "
    rf"{_ADVERB}([a-z]{{3,}})\b(?! (?:below|beneath|under|to|short|behind|back|N\d))"
)
_MUST = re.compile(rf"\b(P\d+) (?:{_MODAL}|ha(?:s|ve|d)) {_ADVERB}([a-z]{{3,}})\b")
# Acts upon a thing that are no state of it, where lifting took them for a part of its name.
_LOOKED_AT = re.compile(
    r"(?:\b(?:be|been|being|gets?|got)(?: \w+ly)?|'s been) "
    r"((?:double-?|re-?)?(?:check|inspect|photograph|confirm|verifi|report|announc|record|examin|test|repair|calibrat"
    r"|measur|document|logg|weigh|audit|review|approv|sign|notifi|inform|encrypt|paint|polish|lubricat|greas|oil"
    r"|wash|dust|wip|swept|swab|count|sketch|copi|servic|replac|adjust|tighten|label|tagg|film|rated|survey)"
    r"(?:ed|d|led)?)\b(?! (?:by|on|off|in|out|up|to be|as) )",
    re.IGNORECASE,
)


_ONLY_UNDONE = re.compile(r"\bonly (?:be )?((?:un|dis|de)[a-z]{3,})\b", re.IGNORECASE)
_ONLY_NOT = re.compile(r"\bonly (?:be )?not\b")


def doubts_of_acts(lifted: Lifted) -> Iterator[str]:
    """A verb left in the sentence before or behind a name that says more than that it is so; an act upon a thing that
    was taken for a part of its name; an undoing read as a state."""
    if lifted.proposed or lifted.logic is Logic.SPATIAL:
        return
    tokens = " ".join(lifted.tokens)
    undone = _ONLY_UNDONE.search(lifted.text)
    if undone and _ONLY_NOT.search(tokens):
        yield f"{undone[1]!r} is a change, and was read as a state: say 'when ... is ... and in the next step is not'"
    left = {found[1] for rule in (_DOES, _IS_DONE) for found in rule.finditer(tokens)} - _BEARING
    alone = (found.groups() for rule in (_DOES_ITSELF, _MUST) for found in rule.finditer(tokens))
    left |= {verb for name, verb in alone if name not in lifted.signals} - _BEHIND - _BEARING
    for verb in sorted(left):
        if verb not in JUDGING and has_content(verb):
            yield f"no name says {verb!r}: add one that does, or say what must be so"
    for found in _LOOKED_AT.finditer(lifted.text):
        verb = found[1].lower()
        known = any(verb[:4] in name.lower() for name in lifted.names.values())
        if not known and not any(start <= found.start(1) < end for start, end in lifted.places):
            yield f"{verb!r} was read over: add a name that says it, or say what must be so"
