"""Bundles and certificates: everything is there, and whatever people wrote stays text."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from review_cases import rows
from test_review_watch import _policy

from assent.errors import UsageError
from assent.ledger import Ledger, LedgerPlan, Said, draw_new, record, record_policy
from assent.review.bundle import bundle
from assent.review.certify import Audit
from assent.review.page import bundle_page, certificate_page
from assent.review.session import Review

HOSTILE = st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</title></style></svg><iframe>",
        "]]>--><!-- {{7*7}} &amp; &#60;b&#62;",
        "javascript:alert(1)",
        "\x1b[2J\x00\u202e",
    ]
) | st.text(max_size=40)
TAGS = set(
    "html head meta title style body h1 h2 p blockquote pre code table tr td th strong svg line rect text circle "
    "polyline path g".split()
)


class Reader(HTMLParser):
    """Collects tags, attributes and text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def _read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.tags <= TAGS
    assert not {name for name in reader.attributes if name.startswith("on")}
    assert not {"href", "src", "action", "xlink:href"} & reader.attributes
    return reader


def _filled(ledger: Ledger, text: str, name: str, why: str, sample: str) -> str:
    import numpy as np

    row = rows(1)[0]
    row["id"] = row["evidence"]["id"] = name
    row["evidence"] |= {
        "text": text,
        "samples": [sample, "pump W full"],
        "judge": {text: 90},
        "gate": {"distance": 0.5, "p_value": 0.25},
        "doubts": [why],
    }
    row["detail"] = why
    policy = record_policy(ledger, _policy(np.random.default_rng(0)).to_json())
    key = record(ledger, row, policy=policy)
    draw_new(ledger, LedgerPlan(audit="1", abstained="1"))
    review = Review.start(ledger, "ann")
    review.advance()
    answer = review.say(Said.NONE)
    review.contest(answer, why)
    return key


@settings(max_examples=25)
@given(text=HOSTILE, name=HOSTILE, why=HOSTILE, sample=HOSTILE)
def test_whatever_was_written_stays_text(text: str, name: str, why: str, sample: str) -> None:
    with Ledger.open(":memory:", create=True) as ledger:
        key = _filled(ledger, text, name, why, sample)
        page = bundle_page(bundle(ledger, key))
        reader = _read(page)
        shown = "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
        assert shown in "".join(reader.text)
        _read(certificate_page(ledger, Audit.read(ledger).certificate("0.95")))


def test_a_bundle_has_everything(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        key = _filled(ledger, "The pump must run until the tank is full.", "req-1", "a doubt", "pump U full")
        found = bundle(ledger, "req-1")
        assert found["decision"] == key
        assert found["english"] == "pump holds until eventually full holds."
        assert [sample["meaning"] for sample in found["samples"]] == [0, 0, 1]
        assert found["gate"]["p_value"] == 0.25
        assert found["policy"]["alpha"] == 0.1
        assert found["policy"]["rules"]["D2"]["n"] == 300
        assert found["review"]["draw"]["q"] == "1"
        assert [answer["handle"] for answer in found["review"]["answers"]] == ["ann"]
        assert found["review"]["state"] == "disputed"
        page = bundle_page(found)
        for part in ("req-1", "score 0.250", "limit 0.300", "U", "ann", found["ledger"]["fingerprint"]):
            assert part in page
        with pytest.raises(UsageError, match="no decision"):
            bundle(ledger, "nobody")


def test_the_program_writes_pages(tmp_path: Path) -> None:
    place = str(tmp_path / "l.db")
    with Ledger.open(place, create=True) as ledger:
        _filled(ledger, "The pump must run.", "req-1", "a doubt", "pump U full")
    run = [sys.executable, "-m", "assent"]
    for name in ("e.html", "e.json"):
        subprocess.run([*run, "ledger", "bundle", place, "req-1", "-o", str(tmp_path / name)], check=True)
    subprocess.run(
        [*run, "certify", place, "--html", str(tmp_path / "c.html")], check=True, capture_output=True
    )
    assert json.loads((tmp_path / "e.json").read_text())["format"] == "assent-evidence 1"
    for name in ("e.html", "c.html"):
        _read((tmp_path / name).read_text(encoding="utf-8"))
    assert "signature" in (tmp_path / "c.html").read_text()
    wrong = subprocess.run(
        [*run, "ledger", "bundle", place, "req-1", "-o", str(tmp_path / "e.txt")],
        capture_output=True,
        check=False,
    )
    assert wrong.returncode == 2
