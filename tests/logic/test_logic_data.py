"""Every formula in the measuring data is read, or is listed as broken and is broken by an independent grammar.

The list holds place, hash and reason, never the text. ``python tests/logic/test_logic_data.py`` writes it anew.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from assent.errors import FormulaError
from assent.logic import read, write

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "unreadable.json"
FILES = (
    "data/nl2tl_lifted.jsonl",
    "data/lang2ltl_utterances.jsonl",
    "data/uav_nl2stl_lifted.jsonl",
    "recorded/lang2ltl_systems.jsonl",
    "recorded/llm_ltl.jsonl",
    "bench/ltl.jsonl",
    "bench/stl.jsonl",
    "bench/spatial.jsonl",
)


def texts(folder: Path) -> Iterator[tuple[str, str, str, str, str]]:
    """File, id, field, logic and text of every formula."""
    for file in FILES:
        with (folder / file).open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                fields = {key: row[key] for key in ("reference", "candidate") if row.get(key) is not None}
                fields |= {f"sample {i}": text for i, text in enumerate(row.get("samples") or [])}
                fields |= {
                    name: text for name, text in (row.get("outputs") or {}).items() if text is not None
                }
                for field, text in fields.items():
                    yield file, row["id"], field, row["logic"], text


def unreadable(folder: Path) -> dict[str, list[str]]:
    """Place of every formula that is not read, with hash and reason."""
    outcome: dict[tuple[str, str], str] = {}
    found: dict[str, list[str]] = {}
    for file, name, field, logic, text in texts(folder):
        key = (logic, text)
        if key not in outcome:
            try:
                formula = read(text, logic)
                assert read(write(formula), logic) == formula
                outcome[key] = ""
            except FormulaError as error:
                outcome[key] = re.sub(r"'\w+' (is not an operator)", r"a name \1", error.message)
        if outcome[key]:
            digest = hashlib.sha256(text.encode()).hexdigest()[:16]
            found[f"{Path(file).stem}/{name}/{field}"] = [digest, outcome[key]]
    return found


def test_all_is_read_or_listed(shared: Path) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert unreadable(shared) == golden


def test_references_and_language_model_answers_are_all_read(shared: Path) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert {place.split("/")[0] for place in golden} == {"lang2ltl_systems"}
    assert not any(place.endswith("/reference") for place in golden)


_UNARY, _BINARY = set("!XGF"), set("&|UMWRie")


def polish(words: list[str]) -> bool:
    """Whether the words are one formula in prefix notation, by counting arguments."""
    due = 1
    for word in words:
        if due == 0 or not re.fullmatch(r"[A-Za-z_]\w*|[!&|01]", word):
            return False
        due += 0 if word in _UNARY else 1 if word in _BINARY else -1
    return due == 0


def infix(words: list[str]) -> bool:
    """Whether the words are one formula in infix notation, by Python's own grammar for ~ and *."""
    text = " ".join(
        "~" if word in _UNARY else "*" if word in _BINARY - set("ie") or word == "->" else word
        for word in words
    )
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return not re.search(r"[,:2-9]", text) and "*  *" not in text and "* *" not in text


def test_readable_exactly_if_another_grammar_says_so(shared: Path) -> None:
    seen: dict[str, bool] = {}
    for file, _, _, logic, text in texts(shared):
        if file.startswith("recorded/lang2ltl") and text not in seen:
            words = re.findall(r"->|\w+|\S", text)
            seen[text] = polish(words) or infix(words)
            try:
                read(text, logic)
                readable = True
            except FormulaError:
                readable = False
            assert readable == seen[text], f"{hashlib.sha256(text.encode()).hexdigest()[:16]}: {readable}"
    assert len(seen) > sum(seen.values()) > 500


def main(folder: str) -> None:
    rows = unreadable(Path(folder))
    lines = [f"{json.dumps(place)}: {json.dumps(row)}" for place, row in rows.items()]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
