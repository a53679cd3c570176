"""A figure in a unit that nobody knows, or that no signal has, is never read without it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.lift import Lifted, lift
from assent.lift.linker import shipped_linker
from assent.lift.measures import conversions, plain_unit
from assent.lift.quantities import size_of
from assent.vocabulary import Entry, Vocabulary

CART = Vocabulary(
    propositions=(
        Entry("speed", "speed of the cart", type="number", unit="m/s"),
        Entry("tension", "rope tension", type="number", unit="kN"),
        Entry("density", "smoke density", type="number", unit="%/m"),
        Entry("free_spaces", "free spaces", type="number", unit="spaces"),
        Entry("pump_2_on", "pump 2 running"),
        Entry("alarm_on", "alarm on"),
    ),
    time_unit="s",
)


@pytest.mark.parametrize(
    "text",
    [
        "speed stays below 3 foo",
        "the alarm is on within 3 blorps",
        "within 3 fortnights the alarm sounds",
        "the alarm is on within 2 to 3 foo",
        "the alarm is on within 3 bar",
    ],
)
def test_a_strange_unit_is_a_doubt(text: str) -> None:
    assert any("3 " in part.text and "unit" in part.why for part in lift(text, "stl", CART).unread)


@pytest.mark.parametrize(
    "text",
    [
        "speed below 3 m/s within 5 s",
        "speed below 3 kilometres an hour within 2 minutes",
        "tension under 14 kN",
        "a smoke density above 4 %/m",
        "with fewer than 3 spaces free, the alarm is on",
        "pump 2 quits within 3 s",
        "when the speed exceeds 3, the alarm is on",
    ],
)
def test_a_unit_of_a_signal_or_of_time_is_none(text: str) -> None:
    assert lift(text, "stl", CART).unread == ()


@given(st.text("bcdfglmnprstvz", min_size=4, max_size=8), st.sampled_from(["below", "above", "at most"]))
def test_whatever_letters_follow_a_figure_they_are_not_read_over(unit: str, how: str) -> None:
    assume(unit not in shipped_linker().table)
    try:
        lifted = lift(f"the alarm is on while the speed is {how} 3 {unit}", "stl", CART)
    except FragmentError:
        return
    assert lifted.unread, lifted.tokens


def read(text: str, unit: str, name: str = "level", time_unit: str = "s") -> Lifted:
    """The text lifted for one signal in this unit."""
    signal = Entry(name, name.replace("_", " "), type="number", unit=unit)
    return lift(text, "stl", Vocabulary((signal, Entry("alarm_on", "alarm on")), time_unit=time_unit))


def numbers(text: str, unit: str, name: str = "level") -> list[Fraction]:
    """The numbers of a text that nobody doubts."""
    lifted = read(text, unit, name)
    assert lifted.unread == () and lifted.unnamed == (), (lifted.unread, lifted.unnamed)
    assert list(lifted.names.values())[:1] == [name]
    return list(lifted.numbers.values())


def doubted(text: str, unit: str, name: str = "level") -> bool:
    try:
        return read(text, unit, name).unread != ()
    except FragmentError:
        return True


OF_INDUSTRY = """
    m3/h m³/h m^3/h l/min l/s L/min kg/m3 kg/m³ W/m2 W/m² mg/l g/l N/mm2 N/mm² g/cm3 m2 m² km2 cm2 mm2 m3 dm3 cm3
    mm3 cc ha µS/cm μS/cm uS/cm mS/cm mS µS rpm 1/min 1/h min-1 kWh Wh MWh MW mW GW kW kVA MVA kvar Nm kNm kN/m N kN
    daN mm/s m/s2 m/s² m/s^2 °/s deg/s rad/s dB(A) dB dBm bar(g) bar(a) barg mbar mPa·s Pa·s ppm ppb pH NTU FNU lux
    lx klx %RH %LEL % %/m cd/m2 cd/m² µm nm MHz GHz kHz kB/s MB GB Mbit/s ms s min h Ah mAh °dH °Bx °Bé l/100km
    kWh/100km Nm3/h Nm³/h Ω kΩ MOhm mmHg mmH2O °C K g t/h kg/h mg/m3 mg/m³ g/m2 µSv/h MBq mmol/l picks/min gpm
    W/(m2K) kg/m2/h EUR persons
    """.split()


CONVERTED = """
    12 m3/h = 200 l/min ; 12 m³/h = 200 l/min ; 12m³/h = 200 l/min ; 18 m^3/h = 5 l/s
    3 cubic metres per hour = 3 m3/h ; three cubic meters an hour = 50 l/min ; 12 l a minute = 18/25 m3/h
    5 m3 per day = 5 m3/d ; 24 m3/d = 1 m3/h ; 12 cc = 3/250 l ; 12 cm³ = 12 ml ; 2 hl = 1/5 m3
    1 cubic foot = 28.316846592 l ; 12 square metres = 12 m² ; 12 sq m = 12 m2 ; 5 ha = 50000 m2 ; 5 km² = 500 ha
    3 square centimetres = 300 mm2 ; 2 metres squared = 20000 cm2 ; 1 in² = 6.4516 cm2 ; 1.2 g/cm³ = 1200 kg/m3
    12 mg/l = 12 g/m3 ; 3 kW/m2 = 3000 W/m2 ; 12 N/mm² = 12 MPa ; 12 MPa = 12 N/mm2 ; 12 kN/m2 = 12 kPa
    2.5 mS/cm = 2500 µS/cm ; 250 µS/cm = 1/4 mS/cm ; 12 mS = 12000 µS ; 12 kWh = 216/5 MJ
    12 kilowatt hours = 12 kWh ; 12 MW = 12000 kW ; 12 kw = 12000 W ; 12 KW = 12 kW ; 12 Mw = 12 MW
    12 Mhz = 12 MHz ; 12 mpa = 120 bar ; 12 newton metres = 12 Nm ; 12 N·m = 12 Nm ; 2 kNm = 2000 Nm
    12 N = 3/250 kN ; 80 nm = 80 Nm ; 12 kn = 12 kN ; 12 kN = 12 kn ; 12 knots = 22.224 km/h ; 12 A = 12000 mA
    12 Ah = 12000 mAh ; 500 rpm = 500 1/min ; 500 1/min = 500 rpm ; 1500 min-1 = 1500 rpm ; 1500 min⁻¹ = 1500 rpm
    2 1/s = 120 1/min ; 65 dBA = 65 dB(A) ; 12 bar (g) = 12 barg ; 12 mbar(g) = 3/250 barg ; 200 ppb = 1/5 ppm
    12 klx = 12000 lux ; 12 kilohms = 12 kOhm ; 2 MΩ = 2000 kΩ ; 6.5 l/100 km = 6.5 l/100km
    6.5 l per 100 km = 6.5 l/100km ; 0.05 l/km = 5 l/100km ; 60 % RH = 60 %RH ; 60 % rel. humidity = 60 %RH
    60 % relative humidity = 60 %RH ; 60 % r.h. = 60 %RH ; 60 % = 60 %RH ; 7.2 pH = 7.2 pH ; pH 7.2 = 7.2 pH
    a pH of 7 = 7 pH ; 12 Mbit/s = 12000 kbit/s ; 12 picks/h = 1/5 picks/min ; 12 picks per hour = 1/5 picks/min
    12 in = 304.8 mm ; 300 ms = 300 ms ; 2 s = 2000 ms ; half a second = 500 ms ; 12 h = 720 min
    12 ms/cm = 12 mS/cm ; 5 nm3/h = 5 Nm3/h ; 1,200 m³/h = 1200 m3/h ; 2.5 thousand m3/h = 2500 m3/h
    """
DOUBTED = """
    350 K ? °C ; 12 °F ? °C ; 3 volts ? m/s ; 12 m2 ? m3 ; 12 m ? m2 ; 12 m² ? m ; 12 m3 ? m3/h ; 12 m3/h ? m3
    12 kg ? kg/m3 ; 12 kg/m3 ? kg ; 12 kg/foo ? kg ; 12 m3/h ? kg/h ; 12 kg/m2/h ? kg/m2 ; 12 W/(m2K) ? W
    12 kN/s ? kN ; 12 m4 ? m3 ; 12 m^4 ? m4 ; 5 Nm3/h ? m3/h ; 5 m3/h ? Nm3/h ; 5 Sm3/h ? Nm3/h ; 12 kWh ? kW
    12 kVA ? kW ; 12 Nm ? J ; 12 mw ? MW ; 12 mW ? MW ; 12 MW ? mW ; 12 mw ? mW ; 12 mhz ? MHz ; 12 mPa ? bar
    12 MPa ? mPa ; 12 mVA ? kVA ; 12 ML ? l ; 12 MG ? g ; 12 Mbar ? bar ; 12 mj ? MJ ; 12 mw/m2 ? MW/m2 ; 12 kB ? MB
    12 Mb ? MB ; 12 mb ? MB ; 12 MB/s ? Mbit/s ; 12 GB ? MB ; 12 knots ? kN ; 12 kN ? m/s ; 3 g ? m/s2 ; 3 m/s2 ? g
    3 rad/s ? °/s ; 50 Hz ? rpm ; 12 bar ? barg ; 12 barg ? bar ; 12 bar(a) ? bar(g) ; 65 dB ? dB(A) ; 65 dB(A) ? dB
    12 dBm ? dB ; 20 % ? %LEL ; 20 % LEL ? % ; 60 % RH ? % ; 12 mmHg ? mbar ; 12 mmH2O ? Pa ; 12 ms/cm ? µS/cm
    12 µs ? µS ; 12 boxes/h ? sheets/min ; 12 °dH ? °C ; 12 foo ? m3/h ; 12 l/km ? l/h ; 12 °E ? °C
    """


def parts(table: str) -> list[str]:
    """The entries of a table, divided by semicolons and line ends."""
    return [part.strip() for part in table.replace("\n", ";").split(";") if part.strip()]


@pytest.mark.parametrize("unit", OF_INDUSTRY)
def test_a_figure_in_just_the_unit_of_its_signal_is_read(unit: str) -> None:
    assert numbers(f"The level never exceeds 12 {unit}.", unit) == [12]
    assert numbers(f"The level stays below 12.5 {unit} for 5 s.", unit) == [Fraction(25, 2), 5]
    assert numbers(f"The level never exceeds 12 {unit}, whatever happens.", unit)[0] == 12
    assert numbers("The level never exceeds 12.", unit) == [12]


@pytest.mark.parametrize(
    "unit", [unit for unit in OF_INDUSTRY if unit not in ("1/min", "1/h", "min-1", "W/(m2K)")]
)
def test_both_ends_of_a_range_are_of_the_unit(unit: str) -> None:
    assert numbers(f"The level is always between 10 and 12 {unit}.", unit) == [10, 12]


@pytest.mark.parametrize(
    ("said", "value", "unit"),
    [(said, *same.split()) for said, _, same in (part.partition(" = ") for part in parts(CONVERTED))],
)
def test_another_unit_of_the_kind_is_converted(said: str, value: str, unit: str) -> None:
    assert numbers(f"The level never exceeds {said}.", unit) == [Fraction(value)]


@pytest.mark.parametrize(("said", "unit"), [tuple(part.split(" ? ")) for part in parts(DOUBTED)])
def test_a_unit_of_another_kind_or_of_no_certain_size_stays_a_doubt(said: str, unit: str) -> None:
    assert doubted(f"The level never exceeds {said}.", unit)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "The level never exceeds 10³ m.",
            "The level never exceeds 12 m³³.",
            "The level never exceeds x².",
        ),
        *(
            "Within 5 s² the alarm is on.",
            "The m² is above 5.",
            "The level² exceeds 5.",
            "The level exceeds 12 m⁴.",
        ),
        *(
            "The level exceeds 12 m³x.",
            "The level exceeds 12 m⁻³.",
            "The level exceeds 12 kg².",
            "It is x^2 for 5 s.",
        ),
    ],
)
def test_powers_of_anything_but_a_unit_are_refused(text: str) -> None:
    with pytest.raises(FragmentError):
        read(text, "m3")


def test_capitals_throughout_say_nothing_about_a_prefix() -> None:
    assert numbers("THE LEVEL NEVER EXCEEDS 12 MW.", "MW") == [12]
    assert numbers("THE LEVEL NEVER EXCEEDS 12 M3/H.", "m3/h") == [12]
    assert numbers("THE LEVEL NEVER EXCEEDS 12 A.", "mA") == [12000]
    assert doubted("THE LEVEL NEVER EXCEEDS 12 MW.", "mW")
    assert doubted("THE LEVEL NEVER EXCEEDS 12 MW.", "kW")


def test_g_of_an_acceleration_is_no_gram() -> None:
    assert numbers("The vibration never exceeds 2 g.", "g", "vibration") == [2]
    assert doubted("The vibration never exceeds 2 kg.", "g", "vibration")
    assert numbers("The load never exceeds 2 kg.", "g", "load") == [2000]


@pytest.mark.parametrize(
    ("text", "unit", "values"),
    [
        ("The level lies between 3 bar and 5 bar.", "mbar", [3000, 5000]),
        ("The level is always between three and five bar.", "mbar", [3000, 5000]),
        ("The level is between 36 and 72 km/h.", "m/s", [10, 20]),
        ("The level lies between 10 l/min and 12 m3/h.", "l/min", [10, 200]),
        ("The level is 12–15 m³/h.", "l/min", [200, 250]),
        ("The level is above 3 bar for 5 s and below 5 bar for 2 min.", "mbar", [3000, 5, 5000, 120]),
        ("The level in m³/h never exceeds 12.", "m³/h", [12]),
        ("If the level stays above 250 ms for more than 5 s, the alarm is on within 2 s.", "ms", [250, 5, 2]),
        ("When the level exceeds 3 s the alarm goes on less than 5 s later.", "ms", [3000, 5]),
        ("The level over 3 s that lasts 20 s means the alarm is on.", "ms", [3000, 20]),
        ("The level never exceeds 12 V a minute later.", "V", [12, 60]),
        ("Within 30 s-1 min the level exceeds 12 min-1.", "rpm", [30, 60, 12]),
    ],
)
def test_each_figure_has_its_own_unit(text: str, unit: str, values: list[int]) -> None:
    assert numbers_of(text, unit) == values


def numbers_of(text: str, unit: str) -> list[Fraction]:
    lifted = read(text, unit)
    assert lifted.unread == ()
    return list(lifted.numbers.values())


@pytest.mark.parametrize(
    ("text", "value"), [("within 5 min the alarm is on", 300), ("the alarm is on within 5 mS", "1/200")]
)
def test_time_bounds_are_as_they_were(text: str, value: int | str) -> None:
    assert numbers_of(text, "m3/h") == [Fraction(value)]


# Written apart from the tables: how many of the last unit of the line one of each is.
EXACTLY = {
    "volume": "m3 1000 | m³ 1000 | dm3 1 | cm3 1/1000 | cc 1/1000 | mm3 1/1000000 | ml 1/1000 | hl 100 | l 1",
    "area": "km2 1000000 | ha 10000 | cm2 1/10000 | cm² 1/10000 | mm2 1/1000000 | ft2 0.09290304 | m2 1",
    "flow": "m3/h 5/18 | l/min 1/60 | l/h 1/3600 | m3/d 5/432 | ml/s 1/1000 | m3/min 50/3 | l/s 1",
    "density": "kg/m3 1/1000 | g/cm3 1 | mg/l 1/1000000 | g/l 1/1000 | kg/l 1 | t/m3 1 | g/ml 1",
    "stress": "N/mm2 1000000 | kN/m2 1000 | MPa 1000000 | bar 100000 | mbar 100 | hPa 100 | Pa 1",
    "energy": "kWh 3600000 | Wh 3600 | MJ 1000000 | kJ 1000 | J 1",
    "power": "MW 1000000 | kW 1000 | W 1",
    "irradiance": "kW/m2 1000 | W/cm2 10000 | W/m2 1",
    "conductivity": "mS/cm 1000 | S/m 10000 | µS/cm 1",
    "speed": "km/h 5/18 | mm/s 1/1000 | m/min 1/60 | kn 463/900 | m/s 1",
    "turning": "1/min 1 | 1/s 60 | 1/h 1/60 | rpm 1",
    "charge": "Ah 1000 | mAh 1",
    "force": "kN 1000 | daN 10 | cN 1/100 | N 1",
    "frequency": "GHz 1000000000 | MHz 1000000 | kHz 1000 | Hz 1",
    "consumption": "l/km 100 | l/100km 1",
    "mass": "t 1000 | g 1/1000 | mg 1/1000000 | kg 1",
    "duration": "ms 1/1000 | min 60 | h 3600 | s 1",
}
PAIRS = [
    (one.split(), other.split())
    for line in EXACTLY.values()
    for one in line.split("|")
    for other in line.split("|")
]


@given(st.sampled_from(PAIRS), st.integers(2, 5000), st.sampled_from([1, 2, 4, 5, 8, 10]))
def test_a_figure_is_converted_exactly(pair: tuple[list[str], list[str]], whole: int, below: int) -> None:
    (said, size), (unit, own) = pair
    assume(
        not (said.startswith("m") and Fraction(size) / Fraction(own) <= Fraction(1, 10**6))
    )  # a slip of case
    value = Fraction(whole, below)
    shown = str(value) if value.denominator == 1 else f"{float(value):g}"
    assume(Fraction(shown) == value)
    assert numbers(f"The level never exceeds {shown} {said}.", unit) == [
        value * Fraction(size) / Fraction(own)
    ]
    assert Fraction(size) / Fraction(own) in conversions(f"below {shown} {said}")


@given(st.sampled_from(OF_INDUSTRY), st.sampled_from(OF_INDUSTRY))
def test_no_unit_is_taken_for_another_of_no_known_size(said: str, unit: str) -> None:
    """A figure is unchanged only in the signal's own unit, or in one of just its size."""
    ours, theirs = size_of(plain_unit(unit)), size_of(plain_unit(said))
    assume(said.lower() != unit.lower() and plain_unit(said) != plain_unit(unit) and theirs != ours)
    assume(
        (said, unit) != ("%", "%RH") and said not in ("s", "ms", "min", "h", "mS")
    )  # times bound windows, too
    try:
        lifted = read(f"The level never exceeds 12 {said}.", unit)
    except FragmentError:
        return
    assert lifted.unread or list(lifted.numbers.values()) != [12], lifted.tokens


def test_without_a_vocabulary_a_unit_is_no_name() -> None:
    lifted = lift("the flow never exceeds 12 m³/h", "stl")
    assert "m3" not in lifted.names.values() and lifted.unread == ()
