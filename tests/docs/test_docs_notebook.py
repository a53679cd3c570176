"""The notebook of examples/ runs from top to bottom, and ends where it says."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="the notebook tools are not installed")
nbclient = pytest.importorskip("nbclient", reason="the notebook tools are not installed")
pytest.importorskip("ipykernel", reason="the notebook tools are not installed")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "from_instruction_to_monitor.ipynb"


def test_the_notebook_is_committed_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert [cell["id"] for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")] == []


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = os.pathsep.join(filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3").execute(cwd=str(tmp_path))
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    printed = "".join(output.get("text", "") for output in outputs)
    assert "vouched for: G(door_open -> (F[0,5] alarm_on))" in printed
    assert "the whole trace: BROKEN" in printed
    assert "broken for a door that is open at second [8]" in printed
    pages = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(pages) == 2  # both decisions show themselves
    assert ("rtamt: BROKEN" if find_spec("rtamt") else "rtamt is not installed here") in printed
