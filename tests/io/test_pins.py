"""Every pinned package has its hashes, and files of an index are told apart by name and version."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "devtools"))
import pins


def test_every_pin_has_a_hash() -> None:
    assert pins.check() == 0
    assert len(pins.hashed()) > 150


DIGITS = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(right=DIGITS, other=DIGITS)
def test_files_of_another_version_or_package_do_not_count(right: str, other: str) -> None:
    page = "".join(
        f'<a href="x/{file}#sha256={value}" data-y="z">{file}</a>\n'
        for file, value in (
            ("some_name-1.2-py3-none-any.whl", right),
            ("some-name-1.2.tar.gz", right),
            ("some_name-1.2.1-py3-none-any.whl", other),
            ("some_name-1.2rc1.tar.gz", other),
            ("some_name_more-1.2-py3-none-any.whl", other),
            ("some-name-more-1.2.tar.gz", other),
        )
    )
    assert pins.hashes_of(page, ("some-name", "1.2")) == [right]


def test_what_has_no_hash_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (name, version), entry = next(iter(pins.hashed().items()))
    known = {"metadata": {"name": name, "version": version}, "download_info": {"archive_info": {}}}
    here = {"metadata": {"name": "assent", "version": "0"}, "download_info": {"dir_info": {}}}
    report = tmp_path / "plan.json"
    report.write_text(json.dumps({"install": [known, here]}))
    assert pins.chosen(report) == 0 and capsys.readouterr().out.strip() == entry
    strange = {"metadata": {"name": name, "version": "0.0.0.1"}, "download_info": {"archive_info": {}}}
    report.write_text(json.dumps({"install": [known, strange]}))
    assert pins.chosen(report) == 0
    said = capsys.readouterr()
    assert said.out.strip() == entry and f"{name}==0.0.0.1" in said.err
