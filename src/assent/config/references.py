"""The reference set of a configuration's gate: read into memory, or kept in a folder with an index."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from assent.config.settings import Configuration, GateSection
from assent.errors import UsageError
from assent.io.lines import read_rows
from assent.pipeline.gate import Gate, Search, Vectors, calibrated, refuse_known, vectors
from assent.prompting import EmbedderRole

AT_ONCE = 8192
"""Instructions that are held in memory at once where the vectors are kept in a folder."""


def references(
    cfg: Configuration, section: GateSection, embedder: EmbedderRole
) -> tuple[Vectors, Search | None]:
    """The vectors, and an index of them where one is kept and the set is large enough to need it.

    The folder of the index is made where it is not there; ConfigurationError where it is of another set.
    """
    path = cfg.path(section.reference)
    if section.index is None:
        return vectors(embedder, [text for some in _texts(path) for text in some]), None
    from assent.scale.index import digest_of, made, opened

    folder, source = cfg.path(section.index), digest_of(path)
    if (folder / "about.json").exists():
        stored = opened(folder, source=source, embedder=embedder.name)
    else:
        parts = (vectors(embedder, some) for some in _texts(path))
        stored = made(folder, parts, source=source, embedder=embedder.name)
    return stored.vectors, stored if stored.indexed else None


def fresh_gate(
    cfg: Configuration,
    section: GateSection,
    embedder: EmbedderRole,
    reference: Vectors,
    search: Search | None,
) -> Gate:
    """A gate calibrated on the configuration's file; LeakageError where the sets overlap."""
    assert section.calibration is not None
    rows = [row for _, row in read_rows(cfg.path(section.calibration))]
    texts = [str(row.get("text", "")) for row in rows]
    if len(reference) < section.neighbours:
        raise UsageError(
            f"the gate looks at {section.neighbours} neighbours and has {len(reference)} references"
        )
    for some in _texts(cfg.path(section.reference)):
        refuse_known(some, texts)
    clusters = [str(row["cluster"]) for row in rows] if all("cluster" in row for row in rows) else None
    return calibrated(
        embedder,
        reference,
        texts,
        clusters=clusters,
        neighbours=section.neighbours,
        delta=section.delta,
        search=search,
    )


def _texts(path: Path) -> Iterator[list[str]]:
    rows = (str(row.get("text", "")) for _, row in read_rows(path))
    while some := list(islice(rows, AT_ONCE)):
        yield some
