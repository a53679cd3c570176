"""Can a controller satisfy the requirements at all, whatever its inputs do? Asked of a synthesis tool.

We decide no games ourselves: ``ltlsynt`` (Spot) or ``strix`` must be installed, else the question is refused.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assent.errors import FragmentError, UsageError
from assent.logic.ast import Formula, Prop, atoms, conj
from assent.logic.export.ltl_tools import spot_text
from assent.logic.sets.types import Requirement, listed

TOOLS = ("ltlsynt", "strix")
DEFAULT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Realizability:
    """``answer`` None: the tool did not finish in time. ``left_out``: ids that are not plain LTL, and why."""

    answer: bool | None
    tool: str
    asked: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def detail(self) -> str:
        """The answer in English."""
        said = {
            True: "a controller can satisfy {ids}",
            False: "no controller can satisfy {ids}, whatever it does",
            None: "not decided in time whether a controller can satisfy {ids}",
        }[self.answer]
        apart = f" (left out: {listed([name for name, _ in self.left_out])})" if self.left_out else ""
        return f"{said.format(ids=listed(self.asked))}, says {self.tool}{apart}."


def synthesis_tool() -> str:
    """The tool that is installed; UsageError, with what to install, if none is."""
    for name in TOOLS:
        if shutil.which(name):
            return name
    raise UsageError(
        f"whether a controller exists is decided by a synthesis tool: install one of {', '.join(TOOLS)} "
        "(ltlsynt comes with Spot) so that it is on the path"
    )


def realizable(
    requirements: Sequence[Requirement],
    *,
    inputs: Collection[str],
    outputs: Collection[str],
    seconds: float = DEFAULT_SECONDS,
) -> Realizability:
    """Can a controller that sees ``inputs`` and sets ``outputs`` satisfy the LTL requirements together?

    Requirements that are not LTL over these names (comparisons, relations, intervals too wide to be unrolled) are
    left out and named: an answer of no holds for the whole set all the same, a yes only for what was asked.
    UsageError without a tool, or if a name is on both sides or on neither; FragmentError, with the tool's own words, if
    it says neither yes nor no.
    """
    tool = synthesis_tool()
    if twice := set(inputs) & set(outputs):
        raise UsageError(f"{listed(sorted(twice))} cannot be both input and output")
    asked: list[Requirement] = []
    apart: list[tuple[str, str]] = []
    for requirement in requirements:
        why = _unsuitable(requirement.formula, set(inputs) | set(outputs))
        if why is None:
            asked.append(requirement)
        else:
            apart.append((requirement.id, why))
    if not asked:
        raise FragmentError("no requirement is LTL over the given inputs and outputs")
    answer = _run(tool, conj(*(r.formula for r in asked)), sorted(inputs), sorted(outputs), seconds)
    return Realizability(answer, tool, tuple(r.id for r in asked), tuple(apart))


def _unsuitable(formula: Formula, known: set[str]) -> str | None:
    """Why a synthesis tool cannot be asked about a formula; None if it can."""
    for atom in atoms(formula):
        if not isinstance(atom, Prop):
            return f"{atom} is no proposition"
        if atom.name not in known:
            raise UsageError(f"{atom.name} must be an input or an output")
    try:
        spot_text(formula)
    except FragmentError as error:
        return str(error)
    return None


def _run(
    tool: str, formula: Formula, inputs: Sequence[str], outputs: Sequence[str], seconds: float
) -> bool | None:
    text, names = spot_text(formula)
    spelt = {atom.name: name for atom, name in names.items() if isinstance(atom, Prop)}
    ins = ",".join(spelt.get(name, name) for name in inputs)
    outs = ",".join(spelt.get(name, name) for name in outputs)
    command = {
        "ltlsynt": ["ltlsynt", f"--formula={text}", f"--ins={ins}", f"--outs={outs}", "--realizability"],
        "strix": ["strix", "--realizability", "-f", text, f"--ins={ins}", f"--outs={outs}"],
    }[tool]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    verdict = next((word for word in done.stdout.split() if word in ("REALIZABLE", "UNREALIZABLE")), None)
    if verdict is None:
        raise FragmentError(f"{tool} gave no answer: {(done.stderr or done.stdout).strip()[:300]}")
    return verdict == "REALIZABLE"
