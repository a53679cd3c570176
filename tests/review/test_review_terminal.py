"""The real program in a pseudo-terminal: one key decides and goes on, and what it did is in the ledger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from review_cases import rows
from review_program import COMMAND, PROMPT, Screen

from assent.ledger import Kind, Ledger, LedgerPlan, ReviewAnswer, Said, draw_new, record_all
from assent.ledger.outcomes import agreement, drawn
from assent.ledger.queue import remaining


def _filled(place: str, count: int, **plan: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, rows(count))
        draw_new(ledger, LedgerPlan(**{"audit": "1", "abstained": "1", "twice": "0", "plants": "0"} | plan))


def _answers(place: str) -> list[ReviewAnswer]:
    with Ledger.open(place) as ledger:
        return list(ledger.all(ReviewAnswer, Kind.ANSWER))


def test_every_key_does_what_it_says(place: str) -> None:
    _filled(place, 6)
    screen = Screen(place, "--as", "ann")
    screen.until("0 of 6 looks answered")
    first = screen.until(PROMPT)
    assert "  1  " in first
    screen.press("1")
    screen.until("kept: ")
    assert len(_answers(place)) == 1  # on disk before the next card is answered
    screen.until(PROMPT)
    for key, said in (("0", "none of these"), ("d", "cannot be said"), ("s", "skipped")):
        screen.press(key)
        assert said in screen.until("kept: " + said)
        screen.until(PROMPT)
    screen.press("\x1b[1;5C")  # an arrow key with its digits is no answer
    screen.press("x")
    screen.until("'x' means nothing here")
    screen.until(PROMPT)
    screen.press("e")
    screen.until("or English): ")
    screen.press("??? !!!\n")
    screen.until("not read: neither a formula")
    screen.until(PROMPT)
    screen.press("e")
    screen.until("or English): ")
    screen.press("at every time, shut holds\n")
    assert "G shut" in screen.until("Is that what is meant? [y/n]")
    screen.press("n")
    screen.until(PROMPT)
    screen.press("e")
    screen.until("or English): ")
    screen.press("G shut\n")
    screen.until("[y/n]")
    screen.press("y")
    screen.until("kept: G shut")
    screen.until(PROMPT)
    screen.press("q")
    assert "4 answers given" in screen.until("looks answered")
    assert screen.end() == 0
    answers = _answers(place)
    assert [a.said for a in answers] == [Said.FORMULA, Said.NONE, Said.UNSAYABLE, Said.SKIP, Said.FORMULA]
    assert answers[-1].typed == "G shut"
    assert {a.handle for a in answers} == {"ann"}
    with Ledger.open(place) as ledger:
        assert remaining(ledger) == (2, 4)


def test_undo_has_no_limit_and_reaches_earlier_runs(place: str) -> None:
    _filled(place, 4)
    for keys in ("00", "0u0u"):
        screen = Screen(place, "--as", "ann")
        screen.until(PROMPT)
        for key in keys:
            screen.press(key)
            screen.until(PROMPT)
        screen.press("q")
        assert screen.end() == 0
    with Ledger.open(place) as ledger:
        assert remaining(ledger) == (2, 2)
    screen = Screen(place, "--as", "ann")
    screen.until(PROMPT)
    for _ in range(2):
        screen.press("u")
        screen.until(PROMPT)
    screen.press("u")
    screen.until("no answer of yours to take back")
    screen.until(PROMPT)
    screen.press("q")
    assert screen.end() == 0
    with Ledger.open(place) as ledger:
        assert remaining(ledger) == (4, 0)
        assert ledger.counts()["undo"] == 4


def test_a_contest_is_settled_by_one_more_look(place: str) -> None:
    _filled(place, 1)
    screen = Screen(place, "--as", "ann")
    screen.until(PROMPT)
    screen.press("1")
    screen.until("Nothing is left")
    screen.press("c")
    screen.until("Which one?")
    screen.press("1")
    screen.until("Why? ")
    screen.press("it must be the other way round\n")
    screen.until("One more look will settle it")
    screen.until("  1  ")
    screen.until(PROMPT)
    screen.press("0")
    screen.until("Nothing is left")
    screen.press("q")
    assert screen.end() == 0
    with Ledger.open(place) as ledger:
        ((_, result),) = drawn(ledger)
        assert result is not None
        assert (result.state, result.wrong, len(result.answers)) == ("settled", True, 2)


def test_two_reviewers_at_once_see_different_items(place: str) -> None:
    _filled(place, 8, twice="0.5")
    with Ledger.open(place) as ledger:
        looks = sum(remaining(ledger))
    screens = {name: Screen(place, "--as", name) for name in ("ann", "bob")}
    for screen in screens.values():
        screen.until(PROMPT)
    alive = dict(screens)
    while alive:
        for name, screen in list(alive.items()):
            screen.press("0")
            if "Nothing is left" in screen.until(PROMPT):
                screen.press("q")
                assert screen.end() == 0
                del alive[name]
    answers = _answers(place)
    assert len({(a.item, a.look) for a in answers}) == len(answers) == looks
    assert len({(a.item, a.handle) for a in answers}) == len(answers)
    with Ledger.open(place) as ledger:
        found = agreement(ledger)
        assert (found.twice, found.agree) == (looks - 8, looks - 8)


def test_the_terminal_is_as_it_was_and_the_card_given_back_after_an_interrupt(place: str) -> None:
    import signal

    _filled(place, 1)
    screen = Screen(place, "--as", "ann")
    screen.until(PROMPT)
    screen.process.send_signal(signal.SIGINT)
    assert screen.end() == 130
    with Ledger.open(place) as ledger:
        assert ledger.db.rows("SELECT holder FROM assent_tasks") == [(None,)]


def test_control_characters_cannot_drive_the_terminal(tmp_path: Path) -> None:
    place = str(tmp_path / "l.db")
    with Ledger.open(place, create=True) as ledger:
        row = rows(1)[0]
        row["evidence"] |= {"text": "hello \x1b[2J\x07 there", "id": "\x1b]0;x\x07"}
        record_all(ledger, [row])
    done = subprocess.run(
        [*COMMAND, place, "--audit", "1"], input="q\n", capture_output=True, text=True, check=True
    )
    assert "hello" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


def test_lines_work_where_there_is_no_terminal(place: str) -> None:
    _filled(place, 3)
    done = subprocess.run(
        [*COMMAND, place, "--as", "ann"],
        input="0\ne\nG p\ny\n\n1\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "3 answers given" in done.stdout
    assert [a.said for a in _answers(place)] == [Said.NONE, Said.FORMULA, Said.FORMULA]


def _from_file(place: str, lines: list[dict[str, object]], folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return subprocess.run(
        [*COMMAND, place, "--as", "ann", "--answers", str(file), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )


def test_answers_from_a_file_answer_once_and_only_what_was_drawn(place: str, tmp_path: Path) -> None:
    _filled(place, 5, audit="0.5")
    with Ledger.open(place) as ledger:
        picked = {d.decision: d.picked for d, _ in drawn(ledger)}
        ids = {e.object()["id"]: picked[e.id] for e in ledger.each(Kind.DECISION)}
    lines: list[dict[str, object]] = [{"id": name, "formula": "G p"} for name in ids]
    lines[0] = {"id": "r0", "none": True}
    lines[1] = {"id": "r1", "unsayable": True}
    lines[2] = {"id": "r2", "skip": True}
    done = _from_file(place, lines, tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    wanted = [name for name in ids if name != "r2"]
    assert found["answered"] == sum(ids[name] for name in wanted)
    assert found["volunteered"] == sum(not ids[name] for name in wanted)
    assert found["skipped"] == 1
    again = json.loads(_from_file(place, lines, tmp_path).stdout)
    assert (again["answered"], again["volunteered"], again["already"]) == (0, 0, 4)
    assert len(_answers(place)) == found["answered"]


@pytest.mark.parametrize(
    "line",
    [
        {"id": "nobody", "none": True},
        {"id": "r0"},
        {"none": True},
        {"id": "r0", "none": True, "skip": True},
        {"id": "r0", "formula": 3},
        {"id": "r0", "formula": "G ("},
    ],
)
def test_a_row_that_makes_no_sense_is_refused_with_its_line(tmp_path: Path, line: dict[str, object]) -> None:
    place = str(tmp_path / "l.db")
    _filled(place, 1)
    done = _from_file(place, [line], tmp_path)
    assert done.returncode == 1
    assert "answers.jsonl:1" in done.stderr
    assert _answers(place) == []


def test_cards_are_printed_for_other_front_ends(place: str) -> None:
    _filled(place, 3)
    done = subprocess.run([*COMMAND, place, "--cards"], capture_output=True, text=True, check=True)
    cards = [json.loads(line) for line in done.stdout.splitlines()]
    assert {card["id"] for card in cards} == {"r0", "r1", "r2"}
    assert all(card["none"] and card["choices"] for card in cards)


def test_the_plan_of_the_last_time_goes_on(tmp_path: Path) -> None:
    place = str(tmp_path / "l.db")
    _filled(place, 2, audit="0.25", twice="0.75")
    with Ledger.open(place) as ledger:
        record_all(ledger, rows(4))
    subprocess.run([*COMMAND, place, "--cards"], capture_output=True, check=True)
    with Ledger.open(place) as ledger:
        assert {draw.q for draw, _ in drawn(ledger)} == {"0.25"}
        assert ledger.counts()["plan"] == 1


def test_there_is_no_ledger_where_none_was_made(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assent", "review", str(tmp_path / "none.db")],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert done.returncode == 2
    assert not (tmp_path / "none.db").exists()


def test_free_english_is_read_by_the_translator_and_back_before_it_counts(tmp_path: Path) -> None:
    pytest.importorskip("ctranslate2", reason="CTranslate2 is not installed")
    place, names = str(tmp_path / "l.db"), tmp_path / "names.toml"
    names.write_text('propositions = [{ name = "door_open", says = "door open" }]\n')
    _filled(place, 1)
    done = subprocess.run(
        [*COMMAND, place, "--as", "ann", "--vocabulary", str(names)],
        input="e\nthe door is always open\nn\ne\nthe door is always open\ny\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("Is that what is meant?") == 2
    ((answer),) = _answers(place)
    assert (answer.formula, answer.typed, answer.wrong) == ("G door_open", "the door is always open", True)
