"""Acts that no name says: "the hatch must be inspected" is not "the hatch must be open".

Lifting leaves the verb in the sentence where it belongs to no name, and the networks read over it. Some verbs only say
that it is so ("must show the red lamp", "the bell must be heard"); every other one asks for more than the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assent.lift import Lifted
from assent.lift.idioms import JUDGING
from assent.lift.opposites import AFFIRMS, DENIES
from assent.lift.propose import has_content
from assent.logic.ast import Logic

# Verbs, and what is said in their place ("must be below", "shall be mutually exclusive"), that stand so before or
# behind names in requirements that formulas say.
_BEARING = frozenset(
    """
    abort accept accompany achieve act activate actuation add admit allow answer anybody anyone apply arrest attain
    bar become begin blow bother bring burn cancel cap carry cause clear come complete comprise consider contain
    continue cut delay deliver demand deny disable disregard drive drop effect emit end energise energize engage
    ensure entail enter establish exceed exclude exhibit fall feature find finish fire flash flick flip fly follow
    force forget get give go guarantee happen have hear hit hold ignore imply include inhibit initiate interrupt
    issue keep lack lay lead leave let lie lift light limit lock lose lower maintain make mean meet mirror move
    obtain occasion occupy occur open oblige operate outlast park pass perform permit place precede preclude present
    presuppose prevent produce prohibit provide pull put raise reach rebound reduce refuse refrain reject release
    remain remedy remove render require restart restore result resume retract return rule run satisfy save see send
    set shed show shut sit sound spare squash stand start stay step stop succeed supply suppress suspend sustain
    switch take talk terminate throw tolerate touch treat trigger trip turn undo use visit wail wait want withdraw
    withhold witness yank yield
    accepted accompanied achieved activated admitted answered applied assured attained avoided blocked blown
    broken brought cancelled carried changed cleared commanded commenced committed completed confined continued cut
    deemed deferred delayed depressurised disabled discontinued dispensed displayed diverted done dosed drawn effected
    enabled energised engaged ensured entered established exchanged excluded exercised exhibited fed finished fixed
    flown followed forgotten found freed generated given guaranteed had handed handled heard held hit honoured
    hooked illuminated implemented inhibited initiated inserted interlocked interrupted introduced issued kept latched
    left let lifted limited lit locked lost lowered made maintained manned met missing moved observed omitted
    operated ordered performed placed postponed preceded precluded prepared presented pressed prevented produced
    protected provided pulled put raised reached recovered rectified refused regarded reinstated relieved relit
    remedied removed reserved restarted restored resumed returned ruled satisfied seen sent served set shown shut
    silenced slowed sorted started stopped struck succeeded supplied supposed suppressed suspended sustained switched
    swung taken terminated thrown tolerated transmitted treated triggered turned used visited withheld worked
    absent active alive alone anew anything around available back better beyond bound cold colder complementary
    concurrent concurrently conditional cooler cooled delivered doing down drawing due duty earlier exactly exclusively
    exempt existing false faster fewer forbidden forever free going greater handling heavier high higher home hot hotter
    idle immobile impossible inactive indefinitely infinitely inoperative jointly less lighter limiting long longer low
    lower missing more motionless mutually nil obligatory often one open out outside over past pending permanently
    permitted place possible precisely present prior pumping quick quicker ready right rolling running safe same secure
    shorter silent simultaneously slower solely some somewhere sooner standing still straight subject talking taller
    tantamount there together true twice uninterrupted uninterruptedly unavailable unlawful upright visible warm warmer
    watertight wetter within zero
    called cleaned increased laid reduced retained transmit
    able above against ahead along already anyway below capable continually contradictory equal equivalent even
    everlasting except forbid initially instead into itself merely moreover onto other positive rather round strictly
    thereafter thereupon three through till today two ultimately under unreachable upon well where wherever whilst
    whose with without yet you
    """.split()
)
_MODAL = (
    r"(?:must|shall|should|will|may|can|could|ha(?:s|ve|d) to|needs? to|(?:is|are) to|cannot"
    r"|(?:got|supposed|allowed) to)"
)
_ADVERB = (
    r"(?:(?:not|never|always|also|then|only|at once|immediately|first|still|again|ever|eventually|finally|later"
    r"|promptly|duly|please|just|now|all|both|each|once more|sooner or later|in turn) )*"
)
_SMALL = r"(?:(?:up|on|off|out|down|the|an?|its|their|his|her|that|this|any|every|each|all|both|of|whole|same) ){0,3}"
_DOES = re.compile(rf"\b{_MODAL} {_ADVERB}([a-z]{{3,}}) {_SMALL}(?:not )?[PS]\d+\b")
_IS_DONE = re.compile(
    rf"\b(?:P\d+|it|they|which|that|these|those|this|both) (?:{_MODAL} {_ADVERB}(?:be|get|have been)|to be|is being"
    rf"|ha(?:s|ve|d) {_ADVERB}been) {_ADVERB}([a-z]{{3,}})\b(?! by (?:(?:the|an?|its|not) )*[PS]\d)"
)
# Acts upon a thing that are no state of it, where lifting took them for a part of its name.
_LOOKED_AT = re.compile(
    r"(?:\b(?:be|been|being|gets?|got)(?: \w+ly)?|'s been) "
    r"((?:double-?|re-?)?(?:check|inspect|photograph|confirm|verifi|report|announc|record|examin|test|repair|calibrat"
    r"|measur|document|logg|weigh|audit|review|approv|sign|notifi|inform|encrypt|paint|polish|lubricat|greas|oil"
    r"|wash|dust|wip|swept|swab|count|sketch|copi|servic|replac|adjust|tighten|label|tagg|film|rated|survey)"
    r"(?:ed|d|led)?)\b(?! (?:by|on|off|in|out|up|to be|as) )",
    re.IGNORECASE,
)


_ONLY_UNDONE = re.compile(
    r"\b(?:may|can|must|shall|should|could|to) (?:be )?only (?:be )?((?:un|dis|de)[a-z]{3,})\b", re.IGNORECASE
)


def doubts_of_acts(lifted: Lifted) -> Iterator[str]:
    """A verb that is left in the sentence before or behind a name, and is more than that it is so."""
    if lifted.proposed or lifted.logic is Logic.SPATIAL:
        return
    undone = _ONLY_UNDONE.search(lifted.text)
    if undone and not any(undone[1].lower()[:4] in name.lower() for name in lifted.names.values()):
        yield f"{undone[1]!r} is a change, and was read as a state: say 'when ... is ... and in the next step is not'"
    tokens = " ".join(lifted.tokens)
    left = {found[1] for rule in (_DOES, _IS_DONE) for found in rule.finditer(tokens)}
    for verb in sorted(left):
        if not (verb in _BEARING or verb in JUDGING or verb in _STATES) and has_content(verb):
            yield f"no name says {verb!r}: add one that does, or say what must be so"
    for found in _LOOKED_AT.finditer(lifted.text):
        verb = found[1].lower()
        known = any(verb[:4] in name.lower() for name in lifted.names.values())
        if not known and not any(start <= found.start(1) < end for start, end in lifted.places):
            yield f"{verb!r} was read over: add a name that says it, or say what must be so"


_STATES = frozenset(AFFIRMS).union(*AFFIRMS.values(), *DENIES.values(), DENIES)
