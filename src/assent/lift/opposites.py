"""Words that say the opposite of a state: "shut" of door_open, "lost" of any link, "stop" of whatever goes on."""

from __future__ import annotations

# Pairs of states: a word of one side, said of a proposition named by the other side, denies it.
_OPPOSITES = (
    ("on", "off"),
    ("open opened opens opening", "closed shut closes close shuts"),
    ("up", "down"),
    ("down lowered", "up raised lifted"),
    ("locked locks lock", "unlocked unlocks unlock released"),
    ("low", "high full charged"),
    ("full", "empty"),
    ("dry", "wet moist damp"),
    ("hot warm heater heating heated", "cold cool"),
    ("near nearby close", "far away gone"),
    ("moving moves move", "still stationary stopped stops stop halted idle parked motionless"),
    ("running runs run", "stopped idle halted stops stop"),
    ("clear free", "blocked occupied obstructed busy"),
    ("night dark nighttime", "day daytime daylight"),
    ("airborne flying", "grounded"),
    ("holding holds hold held", "released drops dropped releases"),
    ("present", "absent missing"),
    ("ready", "unready busy"),
    ("safe", "unsafe dangerous"),
    ("enabled", "disabled"),
    ("active", "inactive"),
    ("connected", "disconnected"),
    ("engaged", "disengaged released"),
    ("armed", "disarmed"),
    ("fastened buckled", "unfastened unbuckled loose undone"),
    ("left", "right"),
    ("inside in", "outside"),
    ("ok okay correct valid", "wrong incorrect invalid bad false"),
    ("deployed extended unfolded", "stowed folded retracted"),
    ("inserted", "removed ejected withdrawn"),
    ("attached mounted fitted", "detached removed off"),
    ("clean", "dirty soiled filthy"),
    ("sealed", "open opened unsealed"),
    ("visible", "hidden invisible"),
    ("muted silenced", "audible"),
    ("tight", "loose leaky"),
    ("awake", "asleep sleeping"),
    ("online", "offline"),
    ("healthy", "faulty broken"),
    ("working", "broken faulty"),
    ("done finished complete completed", "unfinished incomplete"),
    ("started starts starting", "stopped stops stopping"),
    ("rising climbing", "falling dropping"),
    ("increasing", "decreasing"),
    ("arrived arriving arrives", "departed departing leaving"),
    ("entered entering enters", "left leaving exiting"),
    ("accepted approved granted", "rejected denied refused"),
    ("succeeded success", "failed failure"),
    ("occupied", "vacant"),
    ("pressed", "released"),
    ("charging", "discharging"),
    ("accelerating", "decelerating slowing braking"),
    ("dispensed", "withheld"),
    ("connected", "unplugged"),
    ("awake alive", "asleep dead"),
    ("full", "emptied empties"),
    ("empty", "refilled filled"),
    ("fitted", "loose unfitted"),
    ("loaded", "removed unloaded"),
)
DENIES: dict[str, frozenset[str]] = {}
"""What denies a proposition with this word in its name."""
AFFIRMS: dict[str, frozenset[str]] = {}
for _pair in _OPPOSITES:
    for _ours, _theirs in (_pair, _pair[::-1]):
        for _word in _ours.split():
            DENIES[_word] = DENIES.get(_word, frozenset()) | frozenset(_theirs.split())
            AFFIRMS[_word] = AFFIRMS.get(_word, frozenset()) | frozenset(_ours.split())
# How people say a state that a name gives in one word, and its opposite: the state, other words for it, its denials.
# Without other words for it, it is no state but a thing, and what undoes it.
_SAYINGS = (
    (
        "on active",
        """on lit running runs run going working works operating operates active started starts start burning burns
        glowing shining sounding sounds ringing rings blaring wailing spinning spins turning turns humming powered live
        playing blowing blows alight engaged activated energised switched""",
        """off dead out dark silent stopped stops stop stopping idle cold unlit quiet extinguished killed still
        halted halts stationary inactive resting mute hush""",
    ),
    (
        "open opened",
        "open opened opens opening ajar up lifted raised uncovered unlatched",
        "closed shut closes close shuts closing shutting down blocked sealed covered lowered",
    ),
    (
        "closed shut",
        "closed shut closes close shuts closing shutting down sealed lowered",
        "open opened opens opening ajar up lifted raised",
    ),
    (
        "locked latched bolted",
        "locked locks lock locking latched bolted secured fastened fast secure",
        "unlocked unlocks unlock unlocking unlatched released loose open free undone",
    ),
    (
        "moving motion driving rolling turning spinning walking",
        """moving moves move motion turning turns travelling travels driving drives rolling rolls going underway walking
        spinning spins rotating rotates""",
        """still stationary stopped stops stop stopping halted halts halt idle parked motionless standing stands stand
        rest standstill""",
    ),
    (
        "running",
        "running runs run going working works turning turns operating started starts start spinning on",
        "off stopped stops stop stopping idle halted halts still stationary dead standing standstill",
    ),
    (
        "present",
        "there here around present nearby detected seen arrives arrived turns shows",
        "absent missing gone away left leaves leaving empty nobody",
    ),
    ("near nearby", "near nearby close around by approaching approaches", "far away gone"),
    ("empty", "empty dry drained", "full loaded filled occupied"),
    ("full", "full filled topped", "empty drained"),
    ("up raised", "up raised lifted risen hoisted rises", "down lowered dropped fallen falls fell lowers"),
    ("up raised", "", "drops"),
    ("down lowered", "down lowered dropped lowers descends", "up raised lifted raises rises"),
    (
        "fault faulty failed error",
        "fault faulty failed fails broken trips tripped error failure",
        "healthy ok okay fine cleared clears resolved repaired fixed lifts",
    ),
    ("ok okay", "ok okay fine healthy good", "fails failed failing failure dead out broken"),
    ("pressed pushed hit", "pressed pushed hit hits pushes presses punched press push", "released"),
    ("applied set engaged", "applied set engaged on bites grips", "off released lifted lets disengaged"),
    ("loaded", "loaded full filled aboard", "empty unloaded"),
    ("aboard", "aboard embarked", "ashore disembarked"),
    ("connected", "connected plugged hooked coupled attached", "unplugged disconnected detached uncoupled"),
    ("clear free", "clear free empty unobstructed", "blocked occupied obstructed busy"),
    (
        "sounding ringing playing",
        "sounding sounds ringing rings blaring wailing playing plays",
        "silent quiet off mute",
    ),
    ("lit burning", "lit burning burns alight glowing on shining", "out dark off extinguished unlit dead"),
    ("occupied", "occupied taken busy someone somebody", "free vacant empty nobody clear"),
    (
        "flowing spraying pumping",
        "flowing flows runs running spraying sprays",
        "off stopped stops stop dry shut",
    ),
    ("ready", "ready set prepared", "unready"),
    (
        "@place",
        "in inside there occupied present aboard seated docked enters entered arrives arrived reaches returns returned",
        """out outside away gone left leaves leave leaving departs departed depart empty emptied empties vacant vacated
        free exits exited""",
    ),
    ("manned seated", "manned seated taken", "empty unmanned vacant"),
    (
        "lit light lights lamp lamps",
        "lit on burning glowing shining bright",
        "out dark off unlit dead extinguished",
    ),
    ("green", "green go proceed", "red amber danger stop"),
    ("red", "red", "green"),
    ("clear", "clear green proceed", "danger stop"),
    (
        "alarm warning alert fault frost leak smoke flood error emergency storm",
        "active raised sounding up on pending present standing",
        "clears cleared clear lifted lifts over quiet silent silenced silences ends ended gone subsides resolved fixed",
    ),
    (
        "ok okay healthy available power mains supply online",
        "back restored returns returned recovers healthy ok fine good available",
        "fails failed failing fail lost dies died tripped trips trip broken faulty bad gone",
    ),
    (
        "on running active online burning lit playing",
        "on up running",
        """down tripped trips trip dies died fails failed failing kill kills killing killed paused pauses pause
        suspended doused silence""",
    ),
    (
        "holding carrying gripping",
        "holding holds held gripping grips carrying carries",
        "released releases drops dropped down empty",
    ),
    (
        "empty low",
        "empty low dry drained",
        "full filled refilled refills refill topped loaded replenished enough",
    ),
    ("full", "full filled topped", "empty emptied empties emptying drained unloaded"),
    ("pulled drawn", "pulled drawn", "released idle"),
    ("engaged applied", "engaged applied", "disengaged disengagement disengages released lifted"),
    ("open opened", "open opened", "closure"),
    ("wet damp", "wet damp moist", "dry dries dried"),
    (
        "detected visible seen",
        "detected visible seen",
        "unseen hidden vanishes vanished disappears lost gone",
    ),
    (
        "lost",
        "lost gone failed fails down dead off",
        "back there healthy good up restored present returns returned ok fine available working",
    ),
    ("low", "low", "fine good ok charged full"),
    (
        "blocked clogged occupied booked reserved",
        "taken",
        "free freed clear cleared unobstructed vacated vacant clean",
    ),
    ("frozen", "frozen", "thawed thaws"),
    ("paid", "paid settled", "owed owes unpaid outstanding"),
    ("extended", "extended out", "in retracted"),
    ("passed", "passed", "failed fails"),
    ("sterile", "sterile clean", "dirty contaminated"),
    ("loaded attached", "loaded attached", "removal removed bare"),
    ("running", "running", "parked finished"),
    ("moving", "moving", "frozen stilled"),
    ("order", "broken", "serviceable working"),
    ("@place", "back", "deserted bare departure vacates"),
    ("jam", "", "cleared clears lifts lifted dries resolved"),
    ("leak warning alert alarm", "", "dries"),
    ("high strong", "", "drops dropped dies calm subsides eases eased"),
    ("stable steady", "", "unstable unsteady"),
    (
        "seated sitting posted manned",
        "",
        "standing stands vacant empty empties unattended unmanned deserted rises",
    ),
    ("out", "out extended", "in retracted"),
    ("in", "in inside", "out outside gone"),
    ("moving turning spinning driving rolling running on", "", "rests rest put"),
    ("clear free", "", "crowded full"),
    ("blocked clogged", "", "clears"),
    ("ok okay", "", "drops dropped"),
    ("locked latched bolted", "", "opens opened"),
    ("cover lid guard hood cap on fitted attached", "", "removed removal"),
    ("clamped", "", "empty loose"),
    ("screen display on", "", "black blank"),
    (
        "on running active online burning lit playing sounding ringing spinning flowing spraying",
        "",
        """unpowered asleep dormant stalled stalls stall muted mute hushed hush doused snuffed extinguish extinguishes
        unplugged lapses halt cut cuts unplug unlit disabled""",
    ),
    ("open opened", "", "slammed shuttered fastened bolted latched plugged capped barred locked"),
    ("closed shut sealed", "", "unsealed uncovered gaping ajar open opened"),
    (
        "locked latched bolted clamped fastened buckled",
        "",
        "unbolted undone unclamped unclipped unhooked unsecured released",
    ),
    (
        "@place present here inside aboard",
        "",
        "elsewhere evacuated withdrawn withdraws abandoned unattended unmanned unoccupied vanished vanishes",
    ),
    ("ok okay healthy fine normal", "", "faulty defective wrong bad down"),
    ("fault faulty error defect", "", "sound normal rectified repaired mended remedied"),
    ("rain raining", "", "dry"),
    ("low empty", "", "plenty ample sufficient enough replenished"),
    (
        "attached connected fitted hooked clipped coupled plugged",
        "",
        "unhooked unclipped undone loose off detached",
    ),
    ("extended deployed out unfolded", "", "stowed folded retracted tucked"),
    ("armed", "", "safe safed"),
    ("manual", "", "automatic auto"),
    ("automatic auto", "", "manual manually"),
    ("upright", "", "tilted tipped tilting askew"),
    ("valid", "valid", "expired invalid void"),
    ("pressed pushed held", "", "released untouched"),
    ("sharp", "", "blunt dull"),
    ("tied harnessed tethered leashed moored chained", "", "loose free freed released release untied"),
    (
        "broken torn burst cracked damaged",
        "broken torn cracked damaged",
        "whole intact unbroken undamaged sealed mended",
    ),
    (
        "intact whole",
        "intact whole unbroken sound",
        "broken torn burst cracked snapped snaps damaged severed",
    ),
    ("flat", "flat dead empty drained exhausted", "charged full fresh"),
    ("met", "met reached", "missed unmet"),
    ("thick dense", "thick dense heavy", "thin thins thinned clears cleared lifts lifted"),
    ("moored", "moored berthed", "adrift drifting unmoored slipped"),
    ("guarded gloved gloves", "", "bare exposed"),
    ("dark", "dark night nightfall darkness", "light bright daylight"),
    ("charging", "charging plugged", "unplugged disconnected"),
    ("off", "off uncovered", "covered"),
    ("live", "live unmuted", "muted mute"),
    ("obstacle obstruction intruder person people pedestrian", "", "clear clears cleared"),
    ("full", "", "clear clears cleared dimmed"),
    ("locked latched bolted clamped engaged pressed held", "", "freed release"),
    ("booked reserved occupied", "", "unreserved unbooked unlet"),
    ("lit burning", "", "cold"),
    ("on running active online power supply mains", "", "failure outage stoppage shutdown stilled"),
    ("clipped harnessed hooked", "", "unclip unclips unhook unhooks"),
    ("waiting", "", "clears cleared gone"),
    ("occupied taken reserved booked", "", "unoccupied available"),
    (
        "stopped halted",
        "stopped halts halt standing standstill rest dead still stationary",
        "driving going turning",
    ),
    ("@place", "", "clear clears cleared removed removal"),
    ("asleep sleeping", "asleep sleeps sleeping dozing snoring", "awake wakes woken woke wakened"),
    ("awake", "awake wakes woken woke", "asleep sleeping sleeps dozing snoring"),
    ("gone departed", "gone leaves leave leaving left departs departed", "back returns returned here"),
    ("loose untied", "loose untied", "tied tethered leashed chained harnessed"),
    ("muted silenced silent quiet", "muted silent quiet silenced off mute", "unmuted audible loud"),
    ("allowed permitted enabled", "allowed permitted enabled", "blocked barred disabled forbidden denied"),
    ("calm", "calm quiet calmed settled", "restless agitated upset angry cross aggressive foul"),
    (
        """fault faulty error defect overload shutdown jam jammed blocked frost ice iced fog snow pause paused leak
        spill""",
        "",
        "removed removal withdrawn cleared clears clear lifted lifts recovered disappeared vanished freed",
    ),
    ("fire flame ember spark blaze", "", "out dead extinguished doused quenched"),
    ("low cold weak", "", "recovered recovers restored normal"),
    ("high hot strong", "", "normal down falls fallen falling recovered weak"),
    ("full", "", "room space"),
    ("empty low", "", "available"),
    ("slack", "slack loose", "taut tight tense"),
    ("taut tight tensioned", "taut tight", "slack loose"),
    ("secured secure", "secured secure", "loose released release unsecured free freed"),
    ("stowed", "stowed away", "out deployed unfolded"),
    ("flying airborne", "flying airborne aloft", "landed landing lands grounded down"),
    ("clamped gripped fastened", "", "open opened opens release releases released"),
    ("busy", "busy", "empty quiet free idle"),
    ("ok okay healthy", "", "breaks break broke"),
    ("broken torn", "broken gone snapped snaps torn", ""),
    ("away", "away gone", "back returned returns returning here there"),
    ("out", "", "back returned indoors"),
    ("pulled turned", "", "back withdrawn"),
    ("expired", "expired over", "running going"),
    ("open opened", "", "folded furled closing closure"),
    ("nozzle steam gas", "", "shut closed"),
    ("driven moving running on shaking oscillating stirring", "", "idling idles"),
    ("seated sitting", "", "up"),
    ("closed", "", "released"),
    ("brake brakes handbrake clutch", "", "released release releases releasing lifted"),
    ("locked bolted latched", "", "withdrawn withdraw withdraws"),
    ("flooded", "flooded", "dry drained draining drains"),
    ("hot", "", "cooled lukewarm"),
    ("near nearby", "", "passed past"),
    ("closed shut", "", "reopened reopen reopens reopening"),
    ("extended", "", "retract retracts"),
    ("armed", "", "disarm disarms"),
    ("ok okay healthy", "", "poor lacking"),
    ("wide", "wide spread apart", "narrow closed together"),
    ("up raised lifted", "suspended hanging aloft", "lower"),
    ("down lowered", "", "raise"),
    ("power mains supply current charging", "", "interruption"),
    ("stuck jammed seized wedged", "stuck jammed seized wedged", "free freed loose released unstuck"),
)
for _named, _alike, _unlike in _SAYINGS:
    for _word in _named.split():
        if _alike:
            AFFIRMS[_word] = AFFIRMS.get(_word, frozenset()) | frozenset(_alike.split())
        DENIES[_word] = (DENIES.get(_word, frozenset()) | frozenset(_unlike.split())) - AFFIRMS.get(
            _word, frozenset()
        )

# States that deny any proposition which does not itself speak of them.
OFF = frozenset(
    """
    off inactive disabled silent absent deactivated disengaged lost gone dead dark quiet extinguished missing idle
    barred banned inhibited suppressed withheld unlit standstill rest idling low
    """.split()
)
# Said before or after the name of what goes on, or stays, these say that it does no longer.
_ENDS = frozenset(
    """
    stop stops stopped stopping cease ceases ceased quit quits lose loses losing loss disappear disappears vanish
    vanishes leaves leaving exit exits exited end ends ended nothing nobody kill kills killed killing barred
    inhibited suppressed suspended absence lack cessation withdrawal removal stoppage shutdown disappearance termination
    deactivation disconnection outage go over disappeared vanished done finished complete completed extinction
    """.split()
)
NOBODY = frozenset(["nobody", "nothing"])
_FINISHED = frozenset("done finished complete completed over end ended stop stopped lost loss empty".split())


def denies_name(text: str, own: frozenset[str]) -> bool:
    """Whether a word, said of a proposition whose name has the words ``own``, says its opposite."""
    if text in own or any(text in AFFIRMS.get(word, ()) for word in own):
        return False
    return any(text in DENIES.get(word, ()) for word in own) or text in OFF


def ends_it(text: str, own: frozenset[str]) -> bool:
    """Whether a word says that what has the words ``own`` in its name stops, or that nothing does it."""
    finished = text not in NOBODY and own & _FINISHED  # "nobody in the deep end": the end is a place there
    return text in _ENDS and text not in own and not finished
