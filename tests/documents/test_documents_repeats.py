"""What is said twice under one name is refused: nobody can say which of the two was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent.documents.readers import read_document
from assent.errors import AssentError, UsageError


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("text: The door is open.\ntext: The door is never open.\n", "text"),
        ("active: true\ntext: a b\nactive: false\n", "active"),
        ('text: a b\nlinks:\n- {R2: x, "R2": y}\n', "R2"),
        ("{text: a b, ? text : c d}\n", "text"),
    ],
)
def test_a_key_twice_in_yaml(tmp_path: Path, text: str, key: str) -> None:
    file = tmp_path / "R1.yml"
    file.write_text(text)
    with pytest.raises(AssentError, match=rf"R1\.yml: line \d: the key '{key}' is there twice"):
        read_document(file, form="doorstop")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_two_columns_of_one_name(tmp_path: Path, name: str) -> None:
    """The requirements of the second would go unread; a number says which is meant."""
    file = tmp_path / name
    rows = [["id", "Text", "text "], ["R1", "The door is open.", "The lamp is lit."]]
    file.write_text("".join(("," if name == "a.csv" else "\t").join(row) + "\n" for row in rows))
    with pytest.raises(UsageError, match=r"two columns are called 'text': .*--columns text=2"):
        read_document(file)
    (second,) = read_document(file, columns={"text": "3"}).requirements
    assert second.text == "The lamp is lit."


def test_columns_that_nobody_reads_may_share_a_name(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,text,note,note,,\nR1,The door is open.,x,y,,\n")
    (one,) = read_document(file).requirements
    assert one.text == "The door is open."
