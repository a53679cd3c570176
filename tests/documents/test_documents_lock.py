"""The lock: what is not asked again, what becomes suspect and until when, and how the file merges."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from documents_kit import Counting, checked
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.documents.checking import Checked, Checker, CheckSettings, locked_entries
from assent.documents.findings import found_in, suspects
from assent.documents.lock import Lock, text_digest
from assent.documents.outputs.places import remarks
from assent.documents.readers import read_documents
from assent.documents.together import Noted
from assent.documents.vouching import looked_at, vouched_for
from assent.errors import DataError, FormulaError, UsageError

NAMES = """## Names

| name | says |
|---|---|
| lid_open | lid open |
| lamp_on | lamp on |
| fan_on | fan on |

## Rules

"""
FIRST = ["- R-1: The lid is never open.", "- R-2: The lamp is always on.", "- The fan goes on eventually."]
ANSWERS = {
    "The lid is never open.": "G !lid_open",
    "The lid is never ever open.": "G !lid_open",
    "The lamp is always on.": "G lamp_on",
    "The fan goes on eventually.": "F fan_on",
    "The lamp is never on.": "G !lamp_on",
    "The lamp is on or the lid is open, always.": ["G lamp_on", "G lamp_on", "G lid_open", "F lamp_on"],
}
FAN = f"text:{text_digest('The fan goes on eventually.')}"
"""What a requirement without an id is called in a lock."""


def write(folder: Path, lines: list[str], names: str = NAMES) -> Path:
    path = folder / "rules.md"
    path.write_text(names + "\n".join(lines) + "\n", "utf-8")
    return path


def keep(path: Path, models: Counting, lock: Path) -> Checked:
    """One run that leaves its lock."""
    opened = Lock.open(lock)
    found = checked([path], models, lock=opened)
    opened.save(locked_entries(opened, found.rows), found.files)
    return found


def test_only_what_changed_is_asked_and_it_is_suspect_until_looked_at(tmp_path: Path) -> None:
    path, lock = write(tmp_path, FIRST), tmp_path / "assent.lock"
    models = Counting(ANSWERS)
    assert not suspects(keep(path, models, lock)) and len(models.asked) == 3
    again = keep(path, models, lock)
    assert len(models.asked) == 3 and again.asked == 0 and not found_in(again)
    assert [row.state for row in again.rows] == ["kept"] * 3

    write(tmp_path, [FIRST[0].replace("never", "never ever"), *FIRST[1:]])
    changed = keep(path, models, lock)
    assert models.asked[3:] == ["The lid is never ever open."]
    assert [(n.kind, n.requirements) for n in suspects(changed)] == [("suspect", ("R-1",))]
    still = keep(path, models, lock)
    assert len(models.asked) == 4 and [n.requirements for n in suspects(still)] == [("R-1",)]

    opened = Lock.open(lock)
    seen = looked_at(checked([path], models, lock=opened), ["R-1"], "ada")
    opened.save(locked_entries(opened, seen.rows), seen.files)
    after = keep(path, models, lock)
    assert not suspects(after) and after.rows[0].looked == "ada"


def test_spacing_and_order_do_not_matter(tmp_path: Path) -> None:
    path, lock = write(tmp_path, FIRST), tmp_path / "assent.lock"
    models = Counting(ANSWERS)
    keep(path, models, lock)
    first = lock.read_bytes()
    write(tmp_path, [FIRST[2], "", "- R-2:   The lamp is\n  always on.", FIRST[0]])
    assert not found_in(keep(path, models, lock)) and len(models.asked) == 3
    lines = first.decode().splitlines()
    assert lines[0] == '{"assent.lock":1}'
    assert [json.loads(line)["id"] for line in lines[1:]] == sorted(
        json.loads(line)["id"] for line in lines[1:]
    )


def test_another_policy_makes_everything_suspect_another_wording_what_uses_it(tmp_path: Path) -> None:
    path, lock = write(tmp_path, FIRST), tmp_path / "assent.lock"
    keep(path, Counting(ANSWERS), lock)
    write(tmp_path, FIRST, NAMES.replace("lamp on", "lamp lit"))
    models = Counting(ANSWERS)
    assert [row.suspect for row in keep(path, models, lock).rows] == [(), ("vocabulary",), ()]
    assert len(models.asked) == 3
    other = Counting(ANSWERS, alpha=0.2)
    suspect = [row.suspect for row in keep(path, other, lock).rows]
    assert suspect == [("policy",), ("vocabulary", "policy"), ("policy",)] and len(other.asked) == 3


def vouch(path: Path, lock: Path, said: list[str]) -> None:
    """Ada vouches; the lock is written."""
    opened = Lock.open(lock)
    found = vouched_for(checked([path], Counting(ANSWERS), lock=opened), said, "ada")
    opened.save(locked_entries(opened, found.rows), found.files)


MORE = NAMES.replace("| fan_on", "| door_shut | door shut |\n| fan_on")
VOUCHED = ["R-1=F !lid_open", "R-2=F lamp_on"]


@pytest.mark.parametrize(
    ("names", "suspect"),
    [
        (MORE, []),
        (NAMES.replace("lamp on", "lamp lit"), ["R-2"]),
        (NAMES.replace("| lamp_on | lamp on |\n", ""), ["R-2"]),
        (NAMES.replace("lid_open |", "lid_up |"), ["R-1"]),
    ],
)
def test_a_persons_word_outlives_every_change_of_the_vocabulary(
    tmp_path: Path, names: str, suspect: list[str]
) -> None:
    path, lock = write(tmp_path, FIRST), tmp_path / "assent.lock"
    vouch(path, lock, VOUCHED)
    write(tmp_path, FIRST, names)
    models = Counting(ANSWERS)
    for _ in range(2):
        found = keep(path, models, lock)
        assert [(r.judgement.formula, r.judgement.by) for r in found.rows[:2]] == [
            ("F !lid_open", "ada"),
            ("F lamp_on", "ada"),
        ]
        assert [r.requirement.id for r in found.rows if r.suspect] == suspect
        assert all(
            "vouched by ada before the vocabulary changed: look again" in n.detail for n in suspects(found)
        )
    assert models.asked == ["The fan goes on eventually."]
    kept = {e.id: e.judgement.formula for e in Lock.open(lock).entries}
    assert (kept["R-1"], kept["R-2"]) == ("F !lid_open", "F lamp_on")
    if suspect:
        opened = Lock.open(lock)
        seen = looked_at(checked([path], models, lock=opened), ["all"], "bob")
        opened.save(locked_entries(opened, seen.rows), seen.files)
        assert not suspects(keep(path, models, lock))


def test_a_persons_word_about_another_text_is_held_until_somebody_looks(tmp_path: Path) -> None:
    path, lock = write(tmp_path, FIRST), tmp_path / "assent.lock"
    vouch(path, lock, VOUCHED)
    write(tmp_path, [FIRST[0].replace("never", "never ever"), *FIRST[1:]])
    for _ in range(2):
        row = keep(path, Counting(ANSWERS), lock).rows[0]
        assert not row.judgement.vouched and row.suspect == ("text",)
        assert [r.formula for r in row.judgement.readings] == ["F !lid_open", "G !lid_open"]
        assert (row.judgement.candidate, row.judgement.by) == ("F !lid_open", "ada")
    opened = Lock.open(lock)
    seen = looked_at(checked([path], Counting(ANSWERS), lock=opened), ["R-1"], "bob")
    opened.save(locked_entries(opened, seen.rows), seen.files)
    after = keep(path, Counting(ANSWERS), lock)
    assert (after.rows[0].judgement.formula, after.rows[0].judgement.by) == ("F !lid_open", "bob")
    assert not suspects(after)


def test_what_failed_is_asked_again_and_what_is_gone_leaves(tmp_path: Path) -> None:
    path, lock = write(tmp_path, [*FIRST, "- R-9: The moon is always full."]), tmp_path / "assent.lock"
    models = Counting(ANSWERS)
    assert keep(path, models, lock).rows[-1].judgement.reason == "failed"
    keep(path, models, lock)
    assert models.asked.count("The moon is always full.") >= 2
    write(tmp_path, FIRST[:1])
    gone = keep(path, models, lock)
    assert {entry.id for entry in gone.gone} == {"R-2", FAN}
    assert [entry.id for entry in Lock.open(lock).entries] == ["R-1"]


def test_locked_asks_nothing_and_says_what_is_new_changed_or_gone(tmp_path: Path) -> None:
    path, lock = write(tmp_path, FIRST), tmp_path / "assent.lock"
    keep(path, Counting(ANSWERS), lock)
    models = Counting(ANSWERS)

    def locked() -> Checked:
        checker = Checker(parts=models.parts, settings=CheckSettings(), lock=Lock.open(lock, must_exist=True))
        return checker.locked(read_documents([path]))

    assert not found_in(locked(), strict=True) and all(row.judgement.vouched for row in locked().rows)
    before = lock.read_bytes()
    write(tmp_path, [FIRST[0].replace("never", "never ever"), FIRST[1], "- R-7: The lamp is never on."])
    found = locked()
    details = {n.requirements[0]: n.detail for n in suspects(found, strict=True)}
    assert set(details) == {"R-1", "R-7", FAN}
    assert "text changed" in details["R-1"] and "not in the lock" in details["R-7"]
    assert details["R-7"] == "R-7: it is not in the lock"
    assert details[FAN] == '"The fan goes on eventually." of rules.md is in the lock only'
    assert "the text changed since the lock was made" in str(found.rows[0].judgement.detail)
    assert [row.judgement.vouched for row in found.rows] == [False, True, False]
    assert models.asked == [] and lock.read_bytes() == before
    with pytest.raises(DataError, match="there is no lock"):
        Lock.open(tmp_path / "other.lock", must_exist=True)


def test_a_person_vouches_for_a_reading_and_no_policy_takes_it_back(tmp_path: Path) -> None:
    path = write(tmp_path, ["- R-5: The lamp is on or the lid is open, always."])
    lock = tmp_path / "assent.lock"
    found = keep(path, Counting(ANSWERS), lock)
    assert not found.rows[0].judgement.vouched and len(found.rows[0].judgement.readings) > 1
    assert "ambiguous" in {n.kind for n in found_in(found)}
    for said, error in (("R-5=9", UsageError), ("R-6=1", UsageError), ("R-5=G (", FormulaError)):
        with pytest.raises(error):
            vouched_for(found, [said], "ada")
    chosen = vouched_for(found, ["R-5=G(lamp_on | lid_open)"], "ada")
    assert chosen.rows[0].judgement.by == "ada" and chosen.rows[0].judgement.english
    opened = Lock.open(lock)
    opened.save(locked_entries(opened, chosen.rows), chosen.files)
    other = Counting(ANSWERS, alpha=0.2)
    kept = keep(path, other, lock)
    assert kept.rows[0].judgement.formula == "G(lamp_on | lid_open)" and other.asked == []
    assert {n.kind for n in found_in(kept)} <= {"unconstrained"}


def test_entries_of_other_documents_stay(tmp_path: Path) -> None:
    lock = tmp_path / "assent.lock"
    path = write(tmp_path, FIRST)
    keep(path, Counting(ANSWERS), lock)
    (tmp_path / "sub").mkdir()
    other = write(tmp_path / "sub", FIRST[:1])
    keep(other, Counting(ANSWERS), lock)
    assert {(e.file, e.id) for e in Lock.open(lock).entries} == {
        ("rules.md", "R-1"), ("rules.md", "R-2"), ("rules.md", FAN), ("sub/rules.md", "R-1"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [b"{}\n", b"hello", b'{"assent.lock":99}\n', b'{"assent.lock":1}\n{"file":"a"}\n', b"\xff\xfe", b""],
)
def test_a_damaged_lock_is_an_error(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "assent.lock").write_bytes(content)
    with pytest.raises(DataError):
        Lock.open(tmp_path / "assent.lock")


def test_looking_at_what_is_no_suspect_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, FIRST)
    found = checked([path], Counting(ANSWERS))
    with pytest.raises(UsageError, match="no such suspect"):
        looked_at(found, ["R-1"], "ada")
    marked = replace(found, rows=(replace(found.rows[0], suspect=("text",)), *found.rows[1:]))
    assert not suspects(looked_at(marked, ["all"], "ada"))


PLAIN = [text for text in ANSWERS if not text.startswith("The lamp is on or")]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    first=st.lists(st.sampled_from(PLAIN), min_size=1, max_size=4),
    put=st.sampled_from(PLAIN),
    where=st.integers(0, 4),
)
def test_what_is_put_between_makes_no_neighbour_suspect(
    tmp_path: Path, first: list[str], put: str, where: int
) -> None:
    """Requirements without an id: only a new text is asked, none is suspect, and the other lines of the lock stay."""
    lock = tmp_path / "assent.lock"
    lock.unlink(missing_ok=True)
    models = Counting(ANSWERS)
    keep(write(tmp_path, [f"- {text}" for text in first]), models, lock)
    before = lock.read_bytes().splitlines()
    again = [f"- {text}" for text in [*first[:where], put, *first[where:]]]
    found = keep(write(tmp_path, again), models, lock)
    assert len(models.asked) == len({*first, put}) and not suspects(found, strict=True)
    assert {*before} <= {*lock.read_bytes().splitlines()}
    assert len(lock.read_bytes().splitlines()) == 1 + len({*first, put})
    assert len(found.rows) == len(first) + 1


def test_the_same_words_with_other_names_are_two_requirements(tmp_path: Path) -> None:
    (tmp_path / "names.toml").write_text(
        '[a]\npropositions = ["lid_open"]\n[b]\npropositions = ["lid_open", "x"]\n'
    )
    table = tmp_path / "rules.csv"
    table.write_text("text,domain\nThe lid is never open.,a\nThe lid is never open.,b\n", "utf-8")
    lock, models = tmp_path / "assent.lock", Counting(ANSWERS)
    for _ in range(3):
        opened = Lock.open(lock)
        found = checked(
            [table], models, lock=opened, settings=CheckSettings(vocabulary=tmp_path / "names.toml")
        )
        assert not suspects(found)
        opened.save(locked_entries(opened, found.rows), found.files)
    assert len(models.asked) == 2


def test_what_nobody_vouches_for_is_marked_and_less_grave() -> None:
    noted = Noted(kind="conflict", requirements=("R-1",), detail="no", unvouched=("R-1",))
    assert noted.said == "(not vouched for) no (not vouched for: R-1)" and not noted.notice
    levels = [r.level for r in remarks(Checked(rows=()), [noted, replace(noted, unvouched=())])]
    assert levels == ["warning", "error"] and replace(noted, kind="unconstrained").notice
