"""Recorded traces in CSV: what is written is read, and whatever else is there is refused with line and column."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import DataError
from assent.io.traces import table_of, trace_of

decimals = st.decimals(-1000, 1000, allow_nan=False, places=3).map(str)
rows = st.lists(
    st.tuples(decimals, st.sampled_from(["true", "false", "0", "1", "True"])), min_size=1, max_size=6
)


@given(
    rows,
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_is_written_is_read(values: list[tuple[str, str]], mark: str, end: str, encoding: str) -> None:
    lines = [mark.join(("time", "speed", "door"))]
    lines += [mark.join((str(k), number, flag)) for k, (number, flag) in enumerate(values)]
    content = (end.join(lines) + end).encode(encoding)
    table = trace_of(content.removeprefix(b"\xef\xbb\xbf"), "t.csv")
    assert table.times == list(range(len(values)))
    assert table.columns["speed"] == [Fraction(number) for number, _ in values]
    assert table.columns["door"] == [flag.lower() in ("true", "1") for _, flag in values]


@given(
    st.binary(max_size=60)
    | st.text(alphabet="0123456789,;\t\n\"'.-eE truefalsn", max_size=60).map(str.encode)
)
def test_other_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        table = trace_of(content, "t.csv")
    except DataError as error:
        assert error.file == "t.csv"
    else:
        assert all(len(column) == len(table.times) for column in table.columns.values())


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ("time,x\n0,1\n1,\n", 3, r"column 2 \(x\): the value is missing"),
        ("time;x\n0;1,5\n", 2, "write a decimal point"),
        ("time,x\n0,1\n0,2\n", 3, "times must grow"),
        ("time,x\n0,1,2\n", 2, "3 cells where there are 2 columns"),
        ("time,x\n0,nan\n", 2, "'nan' is neither a number nor true or false"),
        ("time,x\n0,1_000\n", 2, "neither a number"),
        ("time,x,x\n0,1,2\n", 1, "two columns are called 'x'"),
        ("0,1\n1,2\n", 1, "the names of the columns"),
        ("time,x\ntrue,2\n", 2, "a time is a number"),
        ("time\n1\n", 1, "at least one more"),
        ("time,x\n", None, "at least one line of values"),
        ("", None, "at least one line of values"),
        ('time,x\n0,"1\n', 2, "not CSV"),
    ],
)
def test_what_cannot_be_read_says_where(content: str, line: int | None, why: str) -> None:
    with pytest.raises(DataError, match=why) as caught:
        trace_of(content.encode(), "t.csv")
    assert caught.value.line == line


def test_latin_1_is_refused_with_the_line() -> None:
    with pytest.raises(DataError, match="UTF-8") as caught:
        trace_of("time,Tür\n0,1\n".encode("latin-1"), "t.csv")
    assert caught.value.line == 1


def test_columns_of_a_program() -> None:
    table = table_of({"t": [0, 0.5], "x": [1, 2.25], "b": [True, False]})
    assert table.times == [0, Fraction(1, 2)] and table.columns == {
        "x": [1, Fraction(9, 4)],
        "b": [True, False],
    }
    with pytest.raises(DataError, match="same number"):
        table_of({"t": [0, 1], "x": [1]})
    with pytest.raises(DataError, match="neither a number"):
        table_of({"t": [0, 1], "x": [1, float("nan")]})
