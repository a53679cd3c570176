"""The names a project uses: propositions, signals, objects and regions, read from a JSON or TOML file.

The file holds one section a domain, ``{domain: {"propositions": [...], "objects": [...], ...}}``, or one such
section alone. An entry is a name, or ``{"name", "says"?, "also"?, "opposite"?, "type"?, "unit"?, "range"?}``.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from assent.errors import ConfigurationError, DataError
from assent.io.files import read_settings

SECTION_KEYS = {"propositions", "objects", "regions", "time_unit"}
_UNIT_WORDS = {"ms": "milliseconds", "s": "seconds", "min": "minutes", "h": "hours", "steps": "steps"}
TIME_UNITS = tuple(_UNIT_WORDS)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One name. ``says`` is how people call it; ``type`` is "bool" or "number" (then it is a signal).

    ``called``: further words that people use when they speak of it ("not loose": or of its opposite); ``also`` and
    ``opposite``: words that mean it, or that it does not hold, wherever they are said.
    """

    name: str
    says: str = ""
    type: str = "bool"
    unit: str | None = None
    range: tuple[float, float] | None = None
    also: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()
    called: tuple[str, ...] = ()

    @property
    def phrase(self) -> str:
        return self.says or self.name.replace("_", " ")


class Vocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One section: what instructions of one domain may speak of."""

    propositions: tuple[Entry, ...] = ()
    objects: tuple[Entry, ...] = ()
    regions: tuple[Entry, ...] = ()
    time_unit: str = "s"

    @property
    def names(self) -> frozenset[str]:
        """Every name a formula may use."""
        return frozenset(self.phrases)

    @property
    def phrases(self) -> dict[str, str]:
        """Every name with how people call it."""
        entries = (*self.propositions, *self.objects, *self.regions)
        return {entry.name: entry.phrase for entry in entries}

    @property
    def unit_words(self) -> str:
        """How English calls a unit of time."""
        return _UNIT_WORDS[self.time_unit]

    @property
    def digest(self) -> str:
        """A short name for exactly these entries: what a policy remembers of the names it was made with."""
        content = msgspec.to_builtins(self)
        for entry in (*content["propositions"], *content["objects"], *content["regions"]):
            for field in (
                "also",
                "opposite",
                "called",
            ):  # an entry without them is what it was before there were any
                if not entry[field]:
                    del entry[field]
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:12]

    def with_sayings(self, learnt: Sequence[Entry], source: str) -> Vocabulary:
        """The same with what ``learnt`` adds to entries of the same name and phrase; a conflict is an error."""
        more = {(entry.name, entry.phrase): entry for entry in learnt}

        def grown(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
            return tuple(_grown(entry, more.get((entry.name, entry.phrase))) for entry in entries)

        section = Vocabulary(
            grown(self.propositions), grown(self.objects), grown(self.regions), self.time_unit
        )
        if section != self:
            _check(section, source, "")
        return section


def _grown(entry: Entry, more: Entry | None) -> Entry:
    if more is None:
        return entry
    also = tuple(dict.fromkeys((*entry.also, *more.also)))
    opposite = tuple(dict.fromkeys((*entry.opposite, *more.opposite)))
    called = tuple(dict.fromkeys((*entry.called, *more.called)))
    return msgspec.structs.replace(entry, also=also, opposite=opposite, called=called)


def learnt_sayings(stored: bytes, source: str) -> tuple[Entry, ...]:
    """What ``assent train`` has learnt to add to entries: a list of them."""
    try:
        return msgspec.json.decode(stored, type=tuple[Entry, ...])
    except msgspec.MsgspecError as error:
        raise ConfigurationError(f"is no list of entries: {error}", file=source) from error


def choose(sections: Mapping[str, Vocabulary], domain: str | None, *, case: str) -> Vocabulary | None:
    """The section for an instruction; None without any. A domain that no section has is the operator's mistake."""
    if not sections:
        return None
    if domain is not None and domain in sections:
        return sections[domain]
    if len(sections) == 1 and (domain is None or "" in sections):
        return next(iter(sections.values()))
    known = ", ".join(sorted(sections))
    raise DataError(f"{case}: no vocabulary for domain {domain!r} (there are {known}); choose one of them")


def load_vocabulary(path: str | Path, domain: str | None = None) -> Vocabulary:
    """The section ``domain`` of a file, or its only section."""
    file = str(path)
    sections = load_sections(path)
    if domain is not None:
        if domain not in sections:
            raise ConfigurationError(
                f"no section {domain!r}; the file has {', '.join(sorted(sections))}", file=file, key=domain
            )
        return sections[domain]
    if len(sections) == 1:
        return next(iter(sections.values()))
    raise ConfigurationError(
        f"the file has several sections ({', '.join(sorted(sections))}): choose one with --domain", file=file
    )


def load_sections(path: str | Path) -> dict[str, Vocabulary]:
    """All sections of a file; a file that is one section alone has the name ''."""
    return sections_of(read_settings(path), str(path))


def sections_of(raw: Mapping[str, Any], source: str) -> dict[str, Vocabulary]:
    """``load_sections`` for what a file would hold; ``source`` is named in errors."""
    if not raw:
        raise ConfigurationError("must be an object with sections, or one section", file=source)
    if raw.keys() & SECTION_KEYS:
        return {"": _section(raw, source, "")}
    return {str(name): _section(body, source, str(name)) for name, body in raw.items()}


def _section(body: Any, file: str, name: str) -> Vocabulary:
    if not isinstance(body, Mapping):
        raise ConfigurationError("a section must be an object", file=file, key=name)
    prepared = dict(body)
    for kind in ("propositions", "objects", "regions"):
        if isinstance(prepared.get(kind), list):
            prepared[kind] = [{"name": e} if isinstance(e, str) else e for e in prepared[kind]]
    try:
        section = msgspec.convert(prepared, Vocabulary)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ConfigurationError(_refusal(str(error)), file=file, key=name or None) from error
    _check(section, file, name)
    return section


def _refusal(message: str) -> str:
    """msgspec's "... - at `$.propositions[2]`", with the keys that there are where one is unknown."""
    from assent.io.choices import unknown

    found = re.fullmatch(r"Object contains unknown field `(.*?)`( - at `.*`)?", message, re.DOTALL)
    if found is None:
        return message
    keys = Entry.__struct_fields__ if found.group(2) else Vocabulary.__struct_fields__
    return unknown("key", found.group(1), keys) + (found.group(2) or "")


def _check(section: Vocabulary, file: str, name: str) -> None:
    names: dict[str, str] = {}
    phrases: dict[str, str] = {}
    for entry in (*section.propositions, *section.objects, *section.regions):
        key = f"{name}.{entry.name}" if name else entry.name

        def refuse(why: str, key: str = key) -> ConfigurationError:
            return ConfigurationError(why, file=file, key=key)

        if not _NAME.match(entry.name):
            raise refuse("a name is letters, digits and _, not starting with a digit")
        # Instructions are read without regard to case, and a phrase can mean one thing only.
        if (other := names.get(entry.name.lower())) is not None:
            same = other == entry.name
            raise refuse("the same name is given twice" if same else f"differs from {other} in case only")
        if (other := phrases.get(entry.phrase.lower())) is not None:
            raise refuse(f"is called the same as {other}: no instruction can tell them apart")
        names[entry.name.lower()] = phrases[entry.phrase.lower()] = entry.name
        for saying in (*entry.also, *entry.opposite, *entry.called):
            if not any(letter.isalnum() for letter in saying):
                raise refuse(f"{saying!r} has no word that could be said")
        for saying in (*entry.also, *entry.opposite):
            if (other := phrases.setdefault(saying.lower(), entry.name)) != entry.name:
                raise refuse(f"{saying!r} is what {other} is called: no instruction can tell them apart")
        if entry.opposite and (entry.type == "number" or entry not in section.propositions):
            raise refuse("only what holds or does not hold has an opposite")
        if {text.lower() for text in entry.also} & {text.lower() for text in entry.opposite}:
            raise refuse("the same words cannot mean it and its opposite")
        if entry.type not in ("bool", "number"):
            raise refuse('type must be "bool" or "number"')
        if entry.range is not None and not -math.inf < entry.range[0] <= entry.range[1] < math.inf:
            raise refuse("a range is two finite numbers, the smaller one first")
    if section.time_unit not in TIME_UNITS:
        raise ConfigurationError(
            f"time_unit must be one of {', '.join(TIME_UNITS)}", file=file, key=name or None
        )


def names_of(vocabulary: Vocabulary | None) -> frozenset[str] | None:
    """The names that a formula may use; None where any name will do."""
    return None if vocabulary is None else vocabulary.names
