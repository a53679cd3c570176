"""A vocabulary of our own for named sentences: what is true of what, and how its opposite is called."""

from __future__ import annotations

from dataclasses import dataclass

from assent.vocabulary import Entry, Vocabulary


@dataclass(frozen=True, slots=True)
class NamedFact:
    """A proposition: ``subject`` is ``state``; its negation is "not ``state``" or ``opposite``."""

    name: str
    subject: str
    state: str
    opposite: str = ""


def _facts(text: str) -> tuple[NamedFact, ...]:
    rows = (line.split("|") for line in text.strip().splitlines())
    return tuple(NamedFact(*(cell.strip() for cell in row)) for row in rows)


DOMAINS = {
    "bakery": _facts(
        """
        oven_hot | the oven | hot | cold
        tray_loaded | the tray | loaded | empty
        timer_running | the timer | running | stopped
        dough_risen | the dough | risen
        hood_on | the hood | on | off
        shop_open | the shop | open | closed
        """
    ),
    "swimming pool": _facts(
        """
        pool_covered | the pool | covered | uncovered
        lifeguard_present | the lifeguard | present | absent
        water_clear | the water | clear | murky
        slide_open | the slide | open | closed
        filter_running | the filter | running | stopped
        gate_locked | the gate | locked | unlocked
        """
    ),
    "wind turbine": _facts(
        """
        rotor_spinning | the rotor | spinning | still
        blade_iced | the blade | iced
        wind_strong | the wind | strong | weak
        grid_connected | the grid | connected | disconnected
        technician_aboard | the technician | aboard | away
        beacon_lit | the beacon | lit | dark
        """
    ),
    "telescope": _facts(
        """
        dome_open | the dome | open | closed
        sky_clear | the sky | clear | cloudy
        mirror_cooled | the mirror | cooled
        mount_tracking | the mount | tracking | parked
        exposure_running | the exposure | running | stopped
        log_saved | the log | saved | unsaved
        """
    ),
    "ski lift": _facts(
        """
        chair_occupied | the chair | occupied | empty
        cable_moving | the cable | moving | still
        storm_near | the storm | near | far
        bar_lowered | the bar | lowered | raised
        station_staffed | the station | staffed | unstaffed
        siren_sounding | the siren | sounding | silent
        """
    ),
}
OBJECTS = (
    "teapot",
    "ladle",
    "crate",
    "tablet",
    "mug",
    "lantern",
    "toolbox",
    "basket",
    "vase",
    "kettle",
    "stapler",
    "globe",
)
REGIONS = ("alcove", "dock", "pantry", "loading_bay", "window_sill", "hallway")


def vocabulary(domain: str) -> Vocabulary:
    """The domain's names, as a vocabulary for lifting."""
    if domain == "objects":
        return Vocabulary(objects=tuple(map(Entry, OBJECTS)), regions=tuple(map(Entry, REGIONS)))
    return Vocabulary(
        propositions=tuple(
            Entry(fact.name, f"{fact.subject.removeprefix('the ')} {fact.state}") for fact in DOMAINS[domain]
        )
    )
