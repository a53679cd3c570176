"""What answers buy: the population stands for what was not drawn, and the sentences come from the rules."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from test_review_labels import _answer_all, _row

from assent.errors import UsageError
from assent.ledger import Ledger, LedgerPlan, draw_new, record_all
from assent.ledger.draws import last_plan
from assent.review.labels import label_rows
from assent.review.planning import Population
from assent.review.progress import Forecast, progress


def _ledger(place: str, count: int = 300) -> None:
    rng = np.random.default_rng(0)
    scores = np.round(rng.random(count), 2)
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, [_row(n, float(s), accepted=s <= 0.5) for n, s in enumerate(scores)])
        draw_new(ledger, LedgerPlan(audit="0.2", abstained="0.3", twice="0", plants="0"))
        _answer_all(ledger, {f"r{n}": bool(rng.random() < s / 4) for n, s in enumerate(scores)})


def test_an_answer_stands_for_as_many_as_its_probability_says(place: str) -> None:
    _ledger(place)
    with Ledger.open(place) as ledger:
        rows = [row for row in label_rows(ledger) if row.answered]
        population = Population.of(rows)
    weight = {0.2: 3 * 5, 0.3: 10}  # 1/0.2 : 1/0.3 = 15 : 10, in whole numbers
    assert len(population.scores) == sum(weight[float(row.q or 0)] for row in rows)
    assert Fraction(sum(population.wrong), 1) == sum(weight[float(row.q or 0)] for row in rows if row.wrong)
    assert population.limit == max(row.score or 0 for row in rows if row.accepted)


def test_too_few_answers_make_no_plan(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        record_all(ledger, [_row(n, 0.1, accepted=True) for n in range(9)])
        draw_new(ledger, LedgerPlan(audit="1", abstained="1"))
        _answer_all(ledger, {f"r{n}": False for n in range(9)})
        with pytest.raises(UsageError, match="at least 10 answers"):
            Population.of(label_rows(ledger))
        forecast = Forecast(ledger)
        forecast.ask()
        assert forecast.take() is None


def test_progress_says_what_the_answers_buy(tmp_path: Path) -> None:
    place = str(tmp_path / "l.db")
    _ledger(place)
    with Ledger.open(place) as ledger:
        assert "accepted wrong (95 %)" in progress(ledger)
        forecast = Forecast(ledger)
        forecast.ask()
        assert forecast._worker is not None
        forecast._worker.join(120)
        said = forecast.take()
        assert said is not None
        assert "alpha" in said
        assert forecast.take() is None


def _program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assent", "plan", *arguments], capture_output=True, text=True, check=False
    )


def test_the_verb_plans_a_document_and_a_ledger(tmp_path: Path) -> None:
    found = json.loads(_program("--accepted", "300", "--at-most", "0.05", "--json").stdout)
    assert found["at_most"] == 15
    assert [row["wrong_found"] for row in found["rows"]] == [0, 1, 2, 3]
    assert found["rows"][0]["answers"] < 60
    place = str(tmp_path / "l.db")
    _ledger(place)
    done = _program(place, "--alpha", "0.2", "--quick", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert {row["rule"] for row in rows} == {"audited", "anytime", "certificate"}
    asked = json.loads(_program(place, "--accepted", "80", "--alpha", "0.5", "--quick", "--json").stdout)[
        "rows"
    ]
    with Ledger.open(place) as ledger:
        population, plan = Population.of(label_rows(ledger)), last_plan(ledger)
    assert plan is not None
    made = population.plan(plan, alphas=["0.5"], delta="0.1", quick=True, document=80)
    assert asked == [dataclasses.asdict(row) for row in made]  # the same in Python
    assert [row["items"] for row in asked if row["rule"] == "certificate"] == [80]
    assert _program().returncode == 2
    assert _program(place, "--accepted", "0").returncode == 2
