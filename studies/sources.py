"""Where the study's records come from: recorded translations, and the embedded translator run on text with references.

Whatever the models had to be asked is kept in the study's cache by their version, so that only new weights cost time;
both cores are used, and the order of the work changes nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from tqdm import tqdm

from assent.config.build import embedded_models, embedded_scorer
from assent.embedded import Embedded
from assent.embedded.roles import DEFAULT, OfflineJudge, OfflineTranslator
from assent.evaluate.labels import load
from assent.io.lines import Appender, read_rows
from assent.pipeline import Collector, collect
from assent.policy.labelled import Labelled, LabelledRow
from assent.records import Evidence
from assent.records.rows import evidence_row, instruction_of
from assent.scoring import SELF_CONSISTENCY as AGREEMENT
from assent.vocabulary import load_sections

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"
RECORDS = ROOT / "studies" / "records"
SHARED = Path(os.environ.get("ASSENT_SHARED", ROOT.parent / "shared"))
CACHE = Path(os.environ.get("ASSENT_STUDY_CACHE", Path.home() / ".cache" / "assent" / "study"))
WORKERS = 2
CHUNK = 48


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


# ---- work on both cores ---------------------------------------------------------------------------------


@cache
def pool() -> ProcessPoolExecutor:
    """Fresh processes: the models' own threads would not survive a fork."""
    return ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn"))


def each(work: Callable[..., Any], items: Sequence[Any], *same: Any, name: str = "") -> Iterable[Any]:
    """``work`` on every item, on both cores, in order."""
    futures = [pool().submit(work, item, *same) for item in items]
    for future in tqdm(futures, desc=name, mininterval=5, disable=not name):
        yield future.result()


def chunks(items: Sequence[Any]) -> list[Sequence[Any]]:
    return [items[at : at + CHUNK] for at in range(0, len(items), CHUNK)]


def cached(
    name: str, version: str, keys: Sequence[str], items: Sequence[Any], work: Callable[..., Any], *same: Any
) -> list[Any]:
    """One answer an item; those that the cache lacks are computed by ``work`` (chunk of items -> answers)."""
    file = CACHE / f"{name}-{version}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    known = {row["key"]: row["answer"] for _, row in read_rows(file)} if file.exists() else {}
    todo = {key: item for key, item in zip(keys, items, strict=True) if key not in known}
    with Appender(file) as out:
        parts = chunks(list(todo))
        found = each(work, [[todo[key] for key in part] for part in parts], *same, name=name if todo else "")
        for part, answers in zip(parts, found, strict=True):
            for key, answer in zip(part, answers, strict=True):
                known[key] = answer
                out.append({"key": key, "answer": answer})
    return [known[key] for key in keys]


# ---- the embedded translator ----------------------------------------------------------------------------


def collector(models: Embedded, *, vocabulary: bool) -> Collector:
    return Collector(
        translator=OfflineTranslator(models),
        scorers=(OfflineJudge(models),),
        vocabularies=load_sections(BENCH / "vocabulary.json") if vocabulary else {},
    )


def embedded(
    name: str, rows: Iterable[dict[str, Any]], *, vocabulary: bool = False, folder: Path | None = None
) -> Labelled:
    """Evidence of the embedded translator, collected once for each version of the weights, and labelled."""
    models = embedded_models(folder)
    file = CACHE / f"{name}-{models.version}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    done = {row["id"] for _, row in read_rows(file)} if file.exists() else set()
    wanted = {str(row["id"]): row for row in rows}
    todo = [row for name, row in wanted.items() if name not in done]
    with Appender(file) as out:
        for found in each(_collect, chunks(todo), vocabulary, folder, name=name if todo else ""):
            for row in found:
                out.append(row)
    return load(file).where(lambda row: row.id in wanted)


def _collect(rows: list[dict[str, Any]], vocabulary: bool, folder: Path | None) -> list[dict[str, Any]]:
    who = collector(embedded_models(folder), vocabulary=vocabulary)

    async def work() -> list[Evidence]:
        return [await collect(who, instruction_of(row)) for row in rows]

    return [evidence_row(evidence) for evidence in asyncio.run(work())]


# ---- recorded translations ------------------------------------------------------------------------------


def recordings() -> list[Path]:
    """Recorded language models: every file of that name, one more than is public where it is at hand."""
    return sorted((SHARED / "recorded").glob("llm_*.jsonl"))


def recorded(path: Path, system: str | None = None) -> Labelled:
    """Recorded translations, with the embedded judge's score beside what was recorded.

    Each distinct (instruction, candidate, self-consistency) is judged once, whichever system wrote it.
    """
    data = load(path, system=system)
    return data.with_scores({DEFAULT: judged(data)})


def recorded_system(path: Path, system: str) -> Labelled:
    """One system of a file with the outputs of several: the rows that it answered."""
    with tempfile.TemporaryDirectory() as folder:
        mine = Path(folder) / path.name
        with Appender(mine) as out:
            for row in rows_of(path):
                if system in row.get("outputs", {}):
                    out.append(row)
        return recorded(mine, system)


def judged(data: Labelled) -> list[float]:
    # In the order of the instructions: what the models read in one is kept while they are asked about it.
    order = sorted(range(len(data)), key=lambda i: (data.rows[i].text, i))
    keys = [_key(data.rows[i]) for i in order]
    items = [data.rows[i].evidence for i in order]
    scores = cached("scores", embedded_models().version, keys, items, _score)
    found = dict(zip(order, scores, strict=True))
    return [float(found[i]) for i in range(len(data))]


def _key(row: LabelledRow) -> str:
    case, draft = row.evidence.instruction, row.evidence.draft
    said = [case.logic.value, case.text, draft and draft.primary.text, row.scores.get(AGREEMENT)]
    return hashlib.sha1(json.dumps(said).encode()).hexdigest()


def _score(items: list[Evidence]) -> list[float]:
    return list(embedded_scorer()(items)[DEFAULT])


def systems(path: Path) -> tuple[str, ...]:
    """The systems that a file of recorded outputs knows, those that answered most first."""
    counts: dict[str, int] = {}
    for row in rows_of(path):
        for name in row.get("outputs", {}):
            counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))
