"""Numbers and durations in English, and the units that are known: kinds, sizes, how they are written and called.

Sizes are exact, in the plain unit of each kind. A kind that ends in "alone" has one unit, which is never converted.
"""

from __future__ import annotations

from fractions import Fraction

from assent.errors import FragmentError

SECONDS_IN = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
    "w": Fraction(604800),
}
UNIT_WORDS = {
    **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds", "millis"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
    **dict.fromkeys(("week", "weeks"), "w"),
}
LONG_UNIT_WORDS = frozenset(word for word in UNIT_WORDS if len(word) > 2)
FURTHER = frozenset("more further additional extra".split())
"""May stand between a number and its unit, and say from when it counts."""
# Words after a number that say it is a time, without saying in which unit.
PLAIN_UNIT_WORDS = frozenset(
    """
    unit units step steps timestep timesteps tick ticks cycle cycles sample samples time moments
    instants
    """.split()
)
MORE_OR_LESS = frozenset(
    """
    more less fewer higher lower above below over under greater better worse colder cooler hotter warmer faster slower
    """.split()
)
"""After "5 or", these say that something is compared with it."""
# A number in words before one of these is measured in it.
MEASURES = frozenset(
    """
    degree degrees celsius percent bar millibar volt volts amp amps ampere watt watts kilowatt kilowatts metre metres
    meter meters centimetre centimetres centimeter centimeters millimetre millimetres millimeter millimeters kilometre
    kilometres kilometers litre litres liter liters kilo kilos kilogram kilograms gram grams tonne tonnes ton tons
    newton newtons rpm revolutions knot knots hertz decibel decibels ppm lux
    """.split()
)
_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """.split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: i for i, word in enumerate(_ONES)} | {word: 10 * i for i, word in enumerate(_TENS, 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
MAGNITUDES = frozenset(
    """
    hundred hundreds thousand thousands million millions billion billions dozen dozens score scores tenth tenths
    hundredth hundredths thousandth thousandths
    """.split()
)
PLAIN_NUMBERS = frozenset(_VALUES)
NUMBER_WORDS = PLAIN_NUMBERS | {"hundred", "thousand", "million", "half", "quarter", "dozen"}
SMALL_NUMBER_WORDS = tuple(_ONES)


def number_word_value(words: list[str]) -> tuple[Fraction, int] | None:
    """Value of the number that starts ``words``, and how many words it takes ('twenty five': 2)."""
    if not words:
        return None
    first = words[0]
    if first in ("half", "quarter") and words[1:2] in (["a"], ["an"]):
        return (Fraction(1, 2) if first == "half" else Fraction(1, 4)), 2
    if first == "dozen" or words[:2] == ["a", "dozen"]:
        return Fraction(12), 1 + (first == "a")
    if first in ("a", "one") and words[1:2] and words[1] in _SCALES:
        value, used = _whole(["one", *words[1:]])
        return Fraction(value), used
    if first not in _VALUES:
        return None
    value, used = _whole(words)
    if words[used : used + 1] == ["point"] and words[used + 1 : used + 2] and words[used + 1] in _ONES[:10]:
        return _with_decimals(value, words, used + 1)
    return Fraction(value), used


_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "eighth": 8, "tenth": 10, "hundredth": 100}


def part_at(words: list[str]) -> tuple[Fraction, int] | None:
    """ "A tenth of a", "three quarters of an", "half a": part of one unit, and how many words say so."""
    at, times = 0, 1
    if words[:1] and (words[0] in ("a", "an") or words[0] in _ONES[1:10]):
        times = 1 if words[0] in ("a", "an") else _VALUES[words[0]]
        at = 1
    below = _PARTS.get(words[at].removesuffix("s")) if at < len(words) else None
    if below is None or (at == 0 and words[0] != "half") or (times > 1) != words[at].endswith("s"):
        return None
    after = words[at + 1 : at + 3]
    if after and after[0] == "of" and after[1:] and after[1] in ("a", "an"):
        return Fraction(times, below), at + 3
    if at == 0 and after and after[0] in ("a", "an"):
        return Fraction(1, 2), 2
    return None


def _with_decimals(value: int, words: list[str], at: int) -> tuple[Fraction, int]:
    """ "One point two five"."""
    digits = ""
    while at < len(words) and words[at] in _ONES[:10]:
        digits, at = digits + str(_VALUES[words[at]]), at + 1
    return Fraction(f"{value}.{digits}"), at


def _whole(words: list[str]) -> tuple[int, int]:
    """A whole number in words: "two thousand three hundred and five"."""
    total, part, used = 0, 0, 0
    limit = 10**12  # each scale must be smaller than the one before
    value, used = _below_hundred(words)
    part = value
    while used < len(words):
        word = words[used]
        if word in _SCALES and (part if word == "hundred" else total + part):
            scale = _SCALES[word]
            if scale >= limit and scale > 100:
                break
            if scale == 100:
                part *= 100
            else:
                total, part, limit = total + part * scale, 0, scale
            used += 1
            continue
        skip = 1 if word == "and" else 0
        after_scale = words[used - 1] in _SCALES
        following = words[used + skip] if used + skip < len(words) else ""
        if not after_scale or _VALUES.get(following, 0) == 0:
            break
        more, taken = _below_hundred(words[used + skip :])
        part, used = part + more, used + skip + taken
    return total + part, used


def _below_hundred(words: list[str]) -> tuple[int, int]:
    value = _VALUES[words[0]]
    if value >= 20 and len(words) > 1 and 1 <= _VALUES.get(words[1], 0) <= 9:
        return value + _VALUES[words[1]], 2
    return value, 1


def convert(value: Fraction, unit: str | None, to: str) -> Fraction:
    """A duration in another unit; unitless numbers stay as they are, and nothing says how long a step is."""
    if unit is None:
        return value
    if to not in SECONDS_IN:
        raise FragmentError(f"the instruction counts in {unit} and the vocabulary in {to}: say it in {to}")
    return value * SECONDS_IN[unit] / SECONDS_IN[to]


_PREFIXES = {"n": -9, "\u03bc": -6, "m": -3, "c": -2, "d": -1, "": 0, "h": 2, "k": 3, "M": 6, "G": 9}


def _pairs(table: str) -> dict[str, str]:
    """What stands before each sign of equality is written for what stands behind it."""
    return {said: unit for said, _, unit in (pair.partition("=") for pair in table.split())}


_SPOKEN_PREFIXES = _pairs("nano=n micro=\u03bc milli=m centi=c deci=d hecto=h kilo=k mega=M giga=G")
_SPOKEN = _pairs(
    """
    metre=m meter=m gram=g litre=l liter=l volt=V amp=A ampere=A watt=W newton=N pascal=Pa bar=bar hertz=Hz joule=J
    ohm=\u03a9 siemens=S bit=bit
    """
)


def _scaled(symbol: str, prefixes: str, base: Fraction = Fraction(1)) -> dict[str, Fraction]:
    """The unit with each prefix ("-": without one)."""
    each = [prefix.replace("-", "") for prefix in prefixes.split()]
    return {f"{prefix}{symbol}": base * Fraction(10) ** _PREFIXES[prefix] for prefix in each}


LENGTHS = {
    **_scaled("m", "n \u03bc m c d - k"),
    **{"inch": Fraction("0.0254"), "ft": Fraction("0.3048"), "yd": Fraction("0.9144")},
}
PRESSURES = {
    **_scaled("Pa", "m - h k M G"),
    **_scaled("bar", "\u03bc m -", Fraction(100_000)),
    **{"psi": Fraction("6894.757293168"), "atm": Fraction(101_325), "torr": Fraction(101_325, 760)},
}
_KNOT = Fraction(1852, 3600)
_ALONE = "%LEL %UEL %vol %mas dB dB(A) dB(C) dBm hp lm pH NTU FNU \u00b0dH \u00b0Bx gal mmHg gravity".split()
_SIZES: dict[str, dict[str, Fraction]] = {
    "length": {**LENGTHS, "mile": Fraction("1609.344"), "100km": Fraction(100_000)},
    "area": {**{f"{unit}2": size**2 for unit, size in LENGTHS.items()}, "ha": Fraction(10_000)},
    "volume": {
        **_scaled("l", "\u03bc m c d - h"),
        **{f"{unit}3": 1000 * size**3 for unit, size in LENGTHS.items()},
    },
    "normal volume": {"Nm3": Fraction(1000), "Nl": Fraction(1)},
    "standard volume": {"Sm3": Fraction(1)},
    "length by time": {"kn": _KNOT, "knot": _KNOT},
    "voltage": _scaled("V", "\u03bc m - k M"),
    "current": _scaled("A", "n \u03bc m - k"),
    "power": _scaled("W", "\u03bc m - k M G"),
    "apparent power": _scaled("VA", "m - k M"),
    "reactive power": _scaled("var", "m - k M"),
    "energy": {**_scaled("J", "m - k M G"), **_scaled("Wh", "m - k M G", Fraction(3600))},
    "charge": _scaled("Ah", "m - k"),
    "force": {**_scaled("N", "m c - k M"), "daN": Fraction(10)},
    "torque": {**_scaled("Nm", "m - k M"), "Ncm": Fraction(1, 100)},
    "mass": {
        **_scaled("g", "\u03bc m - k"),
        **{"t": Fraction(1_000_000), "oz": Fraction("28.349523125"), "lb": Fraction("453.59237")},
    },
    "pressure": PRESSURES,
    "gauge pressure": {f"{unit}(g)": size for unit, size in PRESSURES.items()},
    "absolute pressure": {f"{unit}(a)": size for unit, size in PRESSURES.items()},
    "viscosity": _scaled("Pa\u00b7s", "m -"),
    "frequency": _scaled("Hz", "m - k M G"),
    "turns": {"rev": Fraction(1), "1": Fraction(1)},
    "conductance": _scaled("S", "n \u03bc m - k"),
    "resistance": _scaled("\u03a9", "\u03bc m - k M"),
    "angle or temperature": {"deg": Fraction(1)},
    "angle in radians": {"rad": Fraction(1), "mrad": Fraction(1, 1000)},
    "temperature in fahrenheit": {"fahrenheit": Fraction(1)},
    "temperature in kelvin": {"K": Fraction(1)},
    "share": {"%": Fraction(1)},
    "humidity": {"%RH": Fraction(1)},
    "parts": {"ppm": Fraction(1), "ppb": Fraction(1, 1000)},
    "light": {"lux": Fraction(1), "klx": Fraction(1000)},
    "candela": _scaled("cd", "m - k"),
    "amount": _scaled("mol", "n \u03bc m -"),
    "decay": _scaled("Bq", "m - k M G"),
    "dose": _scaled("Sv", "n \u03bc m -"),
    "data in bits": _scaled("bit", "- k M G"),
    "data in binary bytes": {f"{p}iB": Fraction(1024) ** n for n, p in enumerate("KMG")},
    "time squared": {"s2": Fraction(1)},
    # Of several sizes, or of a kind of their own: read where the signal has them, never converted.
    **{f"{word} alone": {word: Fraction(1)} for word in _ALONE},
    **{f"data in {word}": {word: Fraction(1)} for word in ("kB", "MB", "GB", "TB")},
}
TIMES = {
    **{"ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60)},
    **{"h": Fraction(3600), "d": Fraction(86_400)},
}
KNOWN = {unit: (kind, size) for kind, units in _SIZES.items() for unit, size in units.items()}
_SAME_KIND = {"force by area": "pressure"}  # N/m2 is Pa
NAMES = {
    **{
        f"{spoken}{name}": f"{prefix}{symbol}"
        for name, symbol in _SPOKEN.items()
        for spoken, prefix in {**_SPOKEN_PREFIXES, "": ""}.items()
        if f"{prefix}{symbol}" in KNOWN
    },
    **_pairs(
        """
        kilo=kg tonne=t ton=t pound=lb ounce=oz gallon=gal horsepower=hp foot=ft feet=ft inch=inch inches=inch
        yard=yd mile=mile hectare=ha knot=knot kelvin=K percent=% decibel=dB radian=rad revolution=rev
        degree=deg celsius=deg centigrade=deg fahrenheit=fahrenheit candela=cd lumen=lm mole=mol becquerel=Bq
        sievert=Sv centipoise=mPa\u00b7s kilohm=k\u03a9 megohm=M\u03a9
        """
    ),
}
SPELT = {
    **{unit: unit for unit in KNOWN if unit not in ("1", "gravity", "knot", "Nl")},
    **{f"u{unit[1:]}": unit for unit in KNOWN if unit.startswith("\u03bc")},
    **{f"{prefix}L": f"{prefix}l" for prefix in ("", "\u03bc", "m", "c", "d", "h")},
    **{f"{prefix}Ohm": f"{prefix}\u03a9" for prefix in ("", "m", "k", "M")},
    **_pairs(
        """
        lx=lux cc=cm3 rpm=rev/min kmh=km/h kph=km/h mph=mile/h mps=m/s kt=knot kts=knot lbs=lb lpm=l/min sqm=m2
        cbm=m3 in2=inch2 in3=inch3 Mb=Mbit kb=kbit Gb=Gbit KB=kB kbps=kbit/s Mbps=Mbit/s Gbps=Gbit/s dBA=dB(A)
        dBC=dB(C) barg=bar(g) bara=bar(a) mbarg=mbar(g) psig=psi(g) psia=psi(a) cP=mPa\u00b7s mPas=mPa\u00b7s
        Pas=Pa\u00b7s C=deg \u00b0=deg degC=deg degF=fahrenheit uL=\u03bcl
        """
    ),
}
SPOKEN_TIMES = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds", "msec"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "d"),
}
FOLDED: dict[str, set[str]] = {}
for _spelling, _unit in SPELT.items():
    FOLDED.setdefault(_spelling.lower(), set()).add(_unit)
USUALLY = {"mv": "mV", "ma": "mA", "mpa": "MPa"}
"""Written without care for case, these mean one of the sizes they might."""
SCALED_NAMES = frozenset(
    f"{prefix}{name}"
    for name in _SPOKEN.keys() - {"bit", "siemens"}
    for prefix in (*_SPOKEN_PREFIXES, "")
    if f"{prefix}{name}" in NAMES
)


def size_of(unit: str) -> tuple[str, Fraction] | None:
    """What kind of unit it is, and how large; None for one we do not know."""
    above, per, below = unit.partition("/")
    over, under = part_size(above), part_size(below)
    if not per:
        return over
    if over is None and below in TIMES and above.isalpha():  # "picks/min"
        over = above, Fraction(1)
    if over is None or under is None:
        return None
    kind = f"{over[0]} by {under[0]}"
    return _SAME_KIND.get(kind, kind), over[1] / under[1]


def part_size(unit: str) -> tuple[str, Fraction] | None:
    return ("time", TIMES[unit]) if unit in TIMES else KNOWN.get(unit)


def sizes_like(unit: str) -> set[Fraction]:
    """The sizes of all units of a kind: for "km/h" those of every length by every time."""
    size = size_of(unit)
    return set() if size is None else _sizes_of(size[0])


def _sizes_of(kind: str) -> set[Fraction]:
    found = set((TIMES if kind == "time" else _SIZES.get(kind, {"": Fraction(1)})).values())
    for parts in (kind, *(other for other, same in _SAME_KIND.items() if same == kind)):
        over, _, under = parts.rpartition(" by ")
        if over and " by " not in over:
            found |= {a / b for a in _sizes_of(over) for b in _sizes_of(under)}
    return found


def has_twin(unit: str) -> bool:
    """Whether a unit with the other case of its prefix is one, too: mW and MW."""
    above = unit.partition("/")[0]
    return above[:1] in ("m", "M") and above[:1].swapcase() + above[1:] in KNOWN
