"""Six documents of some thirty requirements each, with planted findings: all of them are found, and none invented.

The formulas of ``data/expected.json`` were written by hand beside the sentences. They take the translator's place here,
so that what is found depends on reading documents and on deciding, and not on a model.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from documents_kit import HERE, Counting, brief, checked

from assent.documents.checking import Checked
from assent.documents.findings import found_in
from assent.documents.readers import read_document
from assent.documents.reqif import reqif_with
from assent.documents.together import Noted
from assent.logic.ast import Compare, Constant, Formula, Prop, Signal, atoms
from assent.logic.parse import read
from assent.logic.semantics import Trace, holds

EXPECTED: dict[str, Any] = json.loads((HERE / "data" / "expected.json").read_text("utf-8"))
NAMES = pytest.mark.parametrize("name", EXPECTED)


@cache
def studied(name: str) -> tuple[Checked, list[Noted]]:
    answers = {row["text"]: row["formula"] for row in EXPECTED[name]["requirements"]}
    found = checked([HERE / "data" / EXPECTED[name]["file"]], Counting(answers))
    return found, found_in(found)


@NAMES
def test_every_requirement_is_read_with_its_identifier(name: str) -> None:
    document = read_document(HERE / "data" / EXPECTED[name]["file"])
    assert brief(document) == [(row["id"], row["text"]) for row in EXPECTED[name]["requirements"]]
    assert len(document.requirements) >= 30 and all(r.named for r in document.requirements)


@NAMES
def test_the_logic_of_every_requirement_is_found_out(name: str) -> None:
    """STL where the formula that a person wrote has times or comparisons; LTL elsewhere."""
    formulas = {row["id"]: row["formula"] for row in EXPECTED[name]["requirements"]}
    for row in studied(name)[0].rows:
        wanted = (
            "stl" if any(sign in formulas[row.requirement.id].replace("->", "") for sign in "[<>=") else "ltl"
        )
        assert row.judgement.logic == wanted, row.requirement.text


@NAMES
def test_all_findings_and_no_others(name: str) -> None:
    found, noted = studied(name)
    withheld = {row.requirement.id for row in found.rows if not row.judgement.vouched}
    assert withheld == {
        n.requirements[0] for n in noted if n.kind == "always-true"
    }  # nobody vouches for these
    assert all(n.decided and set(n.unvouched) <= withheld for n in noted)
    assert sorted((n.kind, n.requirements) for n in noted) == sorted(
        (f["kind"], tuple(f["requirements"])) for f in EXPECTED[name]["findings"]
    )


# ---- conflicts, by brute force ------------------------------------------------------------------------------------


def letters(formulas: list[Formula]) -> list[frozenset[Any]]:
    """Every state that the atoms allow: propositions at will, signals at and around every bound."""
    known = list(dict.fromkeys(atom for formula in formulas for atom in atoms(formula)))
    propositions = [atom for atom in known if isinstance(atom, Prop)]
    comparisons = [atom for atom in known if isinstance(atom, Compare)]
    bounds: dict[str, set[Any]] = {}
    for atom in comparisons:
        assert isinstance(atom.left, Signal) and isinstance(atom.right, Constant)
        bounds.setdefault(atom.left.name, set()).update(atom.right.value + step for step in (-1, 0, 1))
    states = set()
    for truth in product([False, True], repeat=len(propositions)):
        for values in product(*(sorted(bounds[name]) for name in bounds)):
            signals = dict(zip(bounds, values, strict=True))
            true = {p for p, is_true in zip(propositions, truth, strict=True) if is_true}
            true |= {c for c in comparisons if _compared(signals[c.left.name], c)}  # type: ignore[union-attr]
            states.add(frozenset(true))
    return sorted(states, key=sorted_key)


def sorted_key(state: frozenset[Any]) -> list[str]:
    return sorted(map(str, state))


def _compared(value: Any, atom: Compare) -> bool:
    assert isinstance(atom.right, Constant)
    limit = atom.right.value
    return {"<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit}[atom.op]


def some_behaviour(formulas: list[Formula], states: list[frozenset[Any]]) -> bool:
    """Whether one of all lassos of at most two states satisfies every formula."""
    traces = [Trace((state,), 0) for state in states]
    traces += [Trace(pair, loop) for pair in product(states, repeat=2) for loop in (0, 1)]
    return any(all(holds(formula, trace) for formula in formulas) for trace in traces)


@NAMES
def test_conflicts_are_confirmed_by_brute_force(name: str) -> None:
    """No small behaviour satisfies the members of a conflict, and without any one of them one does."""
    formulas = {row["id"]: read(row["formula"], "stl") for row in EXPECTED[name]["requirements"]}
    conflicts = [noted for noted in studied(name)[1] if noted.kind == "conflict"]
    assert conflicts
    for noted in conflicts:
        members = [formulas[identity] for identity in noted.requirements]
        states = letters(members)
        assert not some_behaviour(members, states)
        for left_out in range(len(members)):
            assert some_behaviour(members[:left_out] + members[left_out + 1 :], states)


# ---- the same requirements in other formats -----------------------------------------------------------------------


def test_reqif_and_needs_say_the_same(tmp_path: Path) -> None:
    one = read_document(HERE / "data" / "tunnel.json")
    content = (HERE / "data" / "tunnel.reqif").read_bytes()
    other = read_document(HERE / "data" / "tunnel.reqif")
    assert brief(one) == brief(other)
    formulas = {row["id"]: row["formula"] for row in EXPECTED["tunnel"]["requirements"]}
    (tmp_path / "tunnel.reqif").write_bytes(reqif_with(content, "tunnel.reqif", formulas, {}))
    assert brief(read_document(tmp_path / "tunnel.reqif")) == brief(one)
    bundle = pytest.importorskip("reqif.parser", reason="reqif is not installed").ReqIFParser.parse(
        str(tmp_path / "tunnel.reqif")
    )
    written = {
        item.identifier.removeprefix("object-"): {a.definition_ref: a.value for a in item.attributes}[
            "formula"
        ]
        for item in bundle.core_content.req_if_content.spec_objects
    }
    assert written == formulas


@NAMES
def test_what_was_studied_is_not_studied_again(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock gives the same findings, witnesses included, without the decider; another formula asks it again."""
    from assent.documents import together
    from assent.documents.lock import Lock

    found, noted = studied(name)
    first = together.Studies()
    assert found_in(found, studies=first) == noted
    lock = Lock(tmp_path / "assent.lock")
    lock.save([], found.files, first.used.values())
    known = Lock.open(lock.path).studies

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the decider was asked")

    monkeypatch.setattr(together, "analyse", refuse)
    assert found_in(found, studies=together.Studies(known)) == noted
    row = found.rows[0]
    other = replace(
        row, judgement=msgspec.structs.replace(row.judgement, formula=f"F ({row.judgement.formula})")
    )
    with pytest.raises(AssertionError, match="was asked"):
        found_in(replace(found, rows=(other, *found.rows[1:])), studies=together.Studies(known))


@NAMES
def test_a_changed_word_makes_one_suspect(name: str, tmp_path: Path) -> None:
    """Of a whole document in the lock, exactly the edited requirement is suspect; nothing else is asked."""
    from assent.documents.checking import locked_entries
    from assent.documents.findings import suspects
    from assent.documents.lock import Lock

    source = HERE / "data" / EXPECTED[name]["file"]
    path = tmp_path / source.name
    content = source.read_bytes()
    for extra in source.parent.glob(f"{source.stem}.vocabulary.*"):
        (tmp_path / extra.name).write_bytes(extra.read_bytes())
    path.write_bytes(content)
    answers = {row["text"]: row["formula"] for row in EXPECTED[name]["requirements"]}
    lock = Lock(tmp_path / "assent.lock")
    found = checked([path], Counting(answers), lock=lock)
    lock.save(locked_entries(lock, found.rows), found.files)
    row = EXPECTED[name]["requirements"][7]
    at = content.find(row["text"].encode())
    if at < 0:  # a line breaks inside it
        at = content.index(" ".join(row["text"].split()[:3]).encode(), content.index(row["id"].encode()))
    path.write_bytes(content[:at] + b"Indeed, " + content[at:])
    text = f"Indeed, {row['text']}"
    models = Counting({**answers, text: row["formula"]})
    again = checked([path], models, lock=Lock.open(tmp_path / "assent.lock"))
    assert [n.requirements for n in suspects(again)] == [(row["id"],)] and set(models.asked) == {text}
