"""``assent bench``: the frame, and the equivalence benchmark on files and on random pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.cli import main


def oracle(folder: Path, *lines: str) -> str:
    (folder / "ltl_mine.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(folder)


def test_counts_and_times_of_known_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = oracle(tmp_path, "F a\t!G !a\tequal", "F a\tG a\tdifferent", "F (\tG a\tdifferent")
    assert main(["bench", "equivalence", "--oracle", folder, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["pairs"], row["equal"], row["different"], row["unknown"]) == (2, 1, 1, 0)
    assert (row["wrong"], row["unreadable"]) == (0, 1)
    assert 0 < row["median_ms"] <= row["p90_ms"] <= row["p99_ms"] <= row["max_ms"]
    assert sum(row["methods"].values()) == 2


def test_a_contradiction_is_counted_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "equivalence", "--oracle", oracle(tmp_path, "F a\tG a\tequal"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[0]["wrong"] == 1


def test_recorded_translations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": "1", "logic": "ltl", "reference": "F a", "candidate": "true U a", "samples": ["G a", "F"]},
        {"id": "2", "logic": "ltl", "reference": "& a b", "outputs": {"x": "& b a"}},
        {"id": "3", "logic": "ltl", "candidate": "F a"},
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main(["bench", "equivalence", "--recorded", str(tmp_path), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["equal"], row["different"], row["unreadable"]) == (2, 1, 1)


def test_random_pairs_print_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "equivalence", "--limit", "6"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert "median" in head
    assert [row.split("  ")[0] for row in rows] == ["random ltl", "random stl small", "random stl wide"]


def test_bad_files_and_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "equivalence", "--oracle", str(tmp_path)]) == 2
    assert main(["bench", "equivalence", "--oracle", oracle(tmp_path, "F a\tG a")]) == 1
    assert "ltl_mine.tsv:1" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["bench", "nothing"])


def test_how_much_is_decided_on_the_bench_domains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "together", "--most", "1", "--budget", "3000", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["sets"] == 1 and row["requirements"] > 20
    shares = [row[kind] for kind in ("conflict", "vacuous", "duplicate", "redundant", "always-true")]
    assert all(0 <= share <= 1 for share in shares)
    assert row["questions_decided"] == pytest.approx(sum(shares) / len(shares), abs=0.001)
    assert main(["bench", "together", "--budget", "0"]) == 2
