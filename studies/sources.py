"""Where the study's records come from: recorded translations, and the embedded translator run on text with references."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tqdm import tqdm

from assent.build import embedded_models, embedded_scorer
from assent.embedded import Embedded
from assent.learn import Labelled, load
from assent.pipeline import Collector
from assent.rows import evidence_row, instruction_of
from assent.score.offline import OfflineJudge
from assent.store import Appender, read_rows
from assent.translate import OfflineTranslator
from assent.vocabulary import load_sections

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"
RECORDS = ROOT / "studies" / "records"
SHARED = Path(os.environ.get("ASSENT_SHARED", ROOT.parent / "shared"))
CACHE = Path(os.environ.get("ASSENT_STUDY_CACHE", Path.home() / ".cache" / "assent" / "study"))


def test_half(row: dict[str, Any], key: str) -> bool:
    """The half that nobody looked at while the corpus was written: an odd first hex digit of the hash."""
    return hashlib.sha1(str(row[key]).encode()).hexdigest()[0] not in "02468ace"


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [row for _, row in read_rows(path)]


def bench(logic: str, part: str) -> list[dict[str, Any]]:
    partition = json.loads((BENCH / "partition.json").read_text(encoding="utf-8"))
    return [row for row in rows_of(BENCH / f"{logic}.jsonl") if partition[row["cluster"]] == part]


def public(name: str) -> list[dict[str, Any]]:
    """Test halves of the public sets; NL2TL and UAV have one group a tier, Lang2LTL one a pattern."""
    rows = rows_of(SHARED / "data" / f"{name}.jsonl")
    if name == "uav_nl2stl_lifted":
        return rows[::4]
    return [row for row in rows if test_half(row, "cluster" if name.startswith("nl2tl") else "id")]


def collector(models: Embedded, *, vocabulary: bool) -> Collector:
    return Collector(
        translator=OfflineTranslator(models),
        scorers=(OfflineJudge(models),),
        vocabularies=load_sections(BENCH / "vocabulary.json") if vocabulary else {},
    )


def embedded(
    name: str, rows: Iterable[dict[str, Any]], *, vocabulary: bool = False, models: Embedded | None = None
) -> Labelled:
    """Evidence of the embedded translator, collected once for each version of the weights, and labelled."""
    chosen = models or embedded_models()
    file = CACHE / f"{name}-{chosen.version}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    asyncio.run(_collect(collector(chosen, vocabulary=vocabulary), list(rows), file, name))
    return load(file)


async def _collect(who: Collector, rows: list[dict[str, Any]], file: Path, name: str) -> None:
    done = {row["id"] for _, row in read_rows(file)} if file.exists() else set()
    todo = [row for row in rows if str(row["id"]) not in done]
    with Appender(file) as out:
        for start in tqdm(range(0, len(todo), 16), desc=name, mininterval=5, disable=not todo):
            cases = [instruction_of(row) for row in todo[start : start + 16]]
            for evidence in await asyncio.gather(*(who.collect(case) for case in cases)):
                out.append(evidence_row(evidence))


def recorded(name: str, system: str | None = None) -> Labelled:
    """Recorded translations, with the embedded judge's score beside what was recorded."""
    return load(SHARED / "recorded" / f"{name}.jsonl", system=system, scorer=embedded_scorer())
