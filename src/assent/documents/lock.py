"""``assent.lock``: what was decided about each requirement, so that only what changed is asked again.

One JSON object a line, sorted by file and id, so that two branches merge line by line. An entry is known by file and
id (requirements without an id: by their text). It holds hashes of the text and of the vocabulary, the fingerprint of
the policy, the logic, the decision, who vouched, and why it is suspect. A changed text, policy, or name that it uses
makes it suspect until a person has looked at it (``--looked``); what a person vouched for is never dropped by that.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath
from textwrap import shorten

import msgspec
from msgspec.structs import astuple

from assent.documents.judgement import Judgement
from assent.documents.studies import SetStudy
from assent.documents.written import WrittenRequirement
from assent.errors import DataError
from assent.io.files import write_atomically
from assent.io.lines import encode, read_rows

SCHEMA = 1
DEFAULT = "assent.lock"
_HEAD = "assent.lock"


class Pins(msgspec.Struct, frozen=True):
    """What a decision rests on. A person's word rests on no policy: then ``policy`` is empty."""

    text: str
    vocabulary: str
    policy: str
    logic: str

    @property
    def person(self) -> bool:
        """Whether a person vouched, and not a policy."""
        return not self.policy

    def changed(self, now: Pins) -> tuple[str, ...]:
        """The parts (text, vocabulary, logic, policy) in which ``now`` differs from these pins."""
        parts = [
            part for part in ("text", "vocabulary", "logic") if getattr(self, part) != getattr(now, part)
        ]
        if self.policy and self.policy != now.policy:
            parts.append("policy")
        return tuple(parts)


class LockEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One requirement in the lock. ``looked`` is who has looked at it since it changed.

    ``names``: what the vocabulary said of the names that it uses (``used.names_used``); empty if that is not known.
    """

    file: str
    id: str
    named: bool = False
    pins: Pins
    judgement: Judgement
    suspect: tuple[str, ...] = ()
    looked: str | None = None
    names: str = ""
    begins: str = ""
    """How the text of a requirement without an id begins, so that people know it."""

    @property
    def shown(self) -> str:
        """What people know it by."""
        return f'"{self.begins}"' if self.begins else self.id


def digest(text: str) -> str:
    """A short name for exactly this text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def text_digest(text: str) -> str:
    """A short name for the words of a requirement: blanks and line breaks between them do not count."""
    return digest(" ".join(text.split()))


class Lock:
    """The entries of a lock file, found by requirement. Reading raises DataError if the file is damaged or newer."""

    def __init__(
        self, path: str | Path, entries: Iterable[LockEntry] = (), studies: Iterable[SetStudy] = ()
    ) -> None:
        self.path = Path(path)
        self.studies = {study.study: study for study in studies}
        self._named: dict[tuple[str, str], LockEntry] = {}
        self._by_text: dict[tuple[str, str], list[LockEntry]] = {}
        self.entries = tuple(entries)
        for entry in self.entries:
            if entry.named:
                self._named[entry.file, entry.id] = entry
            else:
                self._by_text.setdefault((entry.file, entry.pins.text), []).append(entry)

    @classmethod
    def open(cls, path: str | Path, *, must_exist: bool = False) -> Lock:
        """The lock in a file; empty where there is none yet."""
        place = Path(path)
        if not place.exists():
            if must_exist:
                raise DataError(
                    "there is no lock: make it with 'assent check FILE... --lock'", file=str(path)
                )
            return cls(place)
        rows = read_rows(place)
        number, head = next(rows, (1, {}))
        schema = head.get(_HEAD)
        if not isinstance(schema, int) or schema < 1:
            raise DataError("is no lock of assent", file=str(path), line=number)
        if schema > SCHEMA:
            raise DataError(f"was written by a newer version (schema {schema})", file=str(path), line=number)
        entries, studies = [], []
        for line, row in rows:
            try:
                if "study" in row:
                    studies.append(msgspec.convert(row, SetStudy))
                else:
                    entries.append(msgspec.convert(row, LockEntry))
            except (msgspec.ValidationError, RecursionError) as error:
                raise DataError(f"no entry of a lock: {error}", file=str(path), line=line) from None
        return cls(place, entries, studies)

    def name_of(self, file: str) -> str:
        """A document's name as the lock keeps it: relative to the lock's folder, so that a checkout may move."""
        try:
            relative = os.path.relpath(Path(file).resolve(), self.path.resolve().parent)
        except ValueError:  # another drive
            relative = str(Path(file).resolve())
        return Path(relative).as_posix()

    def find(self, requirement: WrittenRequirement, pins: Pins | None = None) -> LockEntry | None:
        """The entry of a requirement, whether or not it still fits.

        Of several without an id that have the same text (read with other names, say) the one that fits ``pins``; if
        none does, a person's word before others, as one whose names are not known: it must be looked at.
        """
        file = self.name_of(requirement.file)
        if requirement.named:
            return self._named.get((file, _key(requirement)))
        same_text = self._by_text.get((file, text_digest(requirement.text)), [])
        fitting = (entry for entry in same_text if pins is not None and not entry.pins.changed(pins))
        match = next(fitting, None)
        if match is not None or len(same_text) < 2:
            return match or (same_text[0] if same_text else None)
        return msgspec.structs.replace(min(same_text, key=lambda entry: not entry.pins.person), names="")

    def entry(
        self,
        requirement: WrittenRequirement,
        pins: Pins,
        judgement: Judgement,
        suspect: tuple[str, ...] = (),
        looked: str | None = None,
        names: str = "",
    ) -> LockEntry:
        """A new entry for a requirement."""
        return LockEntry(
            file=self.name_of(requirement.file),
            id=_key(requirement),
            named=requirement.named,
            pins=pins,
            judgement=judgement,
            suspect=suspect,
            looked=looked,
            names=names,
            begins="" if requirement.named else shorten(requirement.text, 60, placeholder=" ..."),
        )

    def save(
        self, entries: Iterable[LockEntry], files: Iterable[str], studies: Iterable[SetStudy] = ()
    ) -> None:
        """Write the entries of ``files`` anew, those of other documents as they were; whole or not at all.

        Studies are kept as long as one of their files is not among the checked ones.
        """
        checked = {self.name_of(file) for file in files}
        others = [entry for entry in self.entries if not _covered(entry.file, checked)]
        rows = sorted({*others, *entries}, key=lambda entry: (entry.file, entry.id, astuple(entry.pins)))
        kept_studies = {
            study.study: study
            for study in self.studies.values()
            if not all(_covered(file, checked) for file in study.files)
        }
        for study in studies:
            kept_studies[study.study] = SetStudy(
                study.study, tuple(map(self.name_of, study.files)), study.findings
            )
        lines = [
            encode({_HEAD: SCHEMA}),
            *map(encode, rows),
            *(encode(kept_studies[key]) for key in sorted(kept_studies)),
        ]
        write_atomically(self.path, b"".join(lines))

    def gone(self, requirements: Iterable[WrittenRequirement], files: Iterable[str]) -> list[LockEntry]:
        """Entries of ``files`` whose requirement is no longer there."""
        checked = {self.name_of(file) for file in files}
        present = list(requirements)
        named = {(self.name_of(r.file), _key(r)) for r in present if r.named}
        texts = {(self.name_of(r.file), text_digest(r.text)) for r in present if not r.named}
        return [
            entry
            for entry in self.entries
            if _covered(entry.file, checked)
            and (
                (entry.file, entry.id) not in named
                if entry.named
                else (entry.file, entry.pins.text) not in texts
            )
        ]


def _covered(file: str, checked: Collection[str]) -> bool:
    """Whether a file is one of the documents, or stands in a folder that is one."""
    return file in checked or any(parent.as_posix() in checked for parent in PurePosixPath(file).parents)


def _key(requirement: WrittenRequirement) -> str:
    """What a requirement is called in the lock: its id, without the file that may stand before it.

    Without an id it is called by its words, wherever they stand: what is put before it changes nothing.
    """
    if not requirement.named:
        return f"text:{text_digest(requirement.text)}"
    return requirement.id.removeprefix(f"{requirement.file}#")
