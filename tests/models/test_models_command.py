"""Programs as models: whatever they write, and whatever they leave running, is bounded."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import time
from pathlib import Path

import pytest

from assent.errors import ModelError
from assent.models import CommandModel, Prompt, Sampling

ASK = Prompt.of("Say it.")


def run(code: str, timeout: float = 20.0) -> str:
    model = CommandModel([sys.executable, "-c", code], name="program", timeout=timeout)
    return asyncio.run(model.generate(ASK, Sampling()))[0].text


FLOOD = "import os\nwhile True: os.write({handle}, b'x' * 65536)"


@pytest.mark.parametrize(("handle", "where"), [(1, "stdout"), (2, "stderr")])
def test_a_flood_is_stopped(handle: int, where: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.monotonic()
    with pytest.raises(ModelError, match=f"wrote more than .* bytes to {where} and was stopped"):
        run(FLOOD.format(handle=handle))
    assert time.monotonic() - start < 15
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


def test_a_flood_on_both_at_once() -> None:
    with pytest.raises(ModelError, match="and was stopped"):
        run("import os\nwhile True: os.write(2, b'y' * 65536); os.write(1, b'x' * 6553)")


def test_much_talk_beside_an_answer_is_no_error() -> None:
    assert run("import sys; sys.stderr.write('progress\\n' * 100_000); print('G a')") == "G a"


def test_talk_is_cut_and_says_so() -> None:
    with pytest.raises(ModelError, match=r"exit code 2: … z+$") as caught:
        run("import sys; sys.stderr.write('z' * 100_000); sys.exit(2)")
    assert len(str(caught.value)) < 400


def test_a_program_that_does_not_read_its_input() -> None:
    model = CommandModel([sys.executable, "-c", "import os; os.close(0); print('G a')"], name="program")
    prompt = Prompt.of("x" * 500_000)
    assert asyncio.run(model.generate(prompt, Sampling()))[0].text == "G a"


def test_children_end_with_their_program(tmp_path: Path) -> None:
    """A program that hangs is killed with all that it started; one that ended is not waited for beyond a moment."""
    note = tmp_path / "child"
    child = (
        "import subprocess, sys, pathlib\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(note)!r}).write_text(str(p.pid))\n"
    )
    with pytest.raises(ModelError, match="gave no answer within 3 s and was stopped"):
        run(child + "import time; time.sleep(600)", timeout=3.0)
    assert gone(int(note.read_text()))
    start = time.monotonic()
    assert run(child + "print('G a')", timeout=60.0) == "G a"
    assert time.monotonic() - start < 30
    assert gone(int(note.read_text()))


def test_a_child_that_left_the_group_is_not_waited_for() -> None:
    """It cannot be killed with the group, and holds the output open."""
    code = (
        "import subprocess, sys, time\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(15)'], start_new_session=True)\n"
        "{then}"
    )
    start = time.monotonic()
    with pytest.raises(ModelError, match="gave no answer"):
        run(code.format(then="time.sleep(600)"), timeout=2.0)
    with pytest.raises(ModelError, match="gave no answer"):
        run(code.format(then="print('G a')"), timeout=4.0)
    assert time.monotonic() - start < 14


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").exists() and ") Z" in Path(f"/proc/{pid}/stat").read_text():
            return True
        time.sleep(0.05)
    return False


def test_what_cannot_be_started() -> None:
    for argv in (["/nowhere/at/all"], ["/"], ["has\0nul"]):
        with pytest.raises(ModelError, match="cannot be started"):
            asyncio.run(CommandModel(argv, name="program").generate(ASK, Sampling()))
