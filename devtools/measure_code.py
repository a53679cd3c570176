"""The table "before and after" of ARCHITECTURE.md: what the code looks like, counted.

    python devtools/measure_code.py                     this checkout
    python devtools/measure_code.py --before 5204944    the table, with that commit beside it
    python devtools/measure_code.py --long              functions over the limits, worst first (exit code 1 if any)
    python devtools/measure_code.py --run               adds what 'assent translate' takes and executes here

A function's length is its lines of body (without docstring) and one for its head; its complexity is McCabe's
(branches, loops, handlers and cases plus one), as ruff's C901 counts.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import tarfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST, MOST_COMPLEX = 60, 15
LONGEST_FILE = 400
RUN_TIME, BESIDE = "src/assent/", "assent-train/src/assent_train/"
DATA = ("assent/corpus/", "assent_train/corpus/")
"""Wordings and productions, most of them tables written as code; measured apart from the rest."""


@dataclass(frozen=True)
class Function:
    """One function with where it stands and its two measures."""

    file: str
    line: int
    name: str
    length: int
    complexity: int


@dataclass(frozen=True)
class Measures:
    """What was counted in one tree."""

    layers: int
    files: Mapping[str, int]
    functions: tuple[Function, ...]
    any_count: int
    ignores: int
    public: int
    doubles: int
    lines: int

    def worst(self, what: str, *, data: bool = False) -> Function:
        """The function with the largest ``length`` or ``complexity``, outside or inside the data."""
        chosen = [function for function in self.functions if _is_data(function.file) == data]
        return max(chosen, key=lambda function: getattr(function, what))


def _is_data(file: str) -> bool:
    return any(part in file for part in DATA)


def functions_of(file: str, tree: ast.AST) -> Iterator[Function]:
    """Every function of a module, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Function(file, node.lineno, node.name, _length(node), complexity(node))


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return 1 + (node.end_lineno or 0) - body[0].lineno + 1 if body else 1


def complexity(node: ast.AST) -> int:
    """McCabe's number of one function: one, plus one for each way to branch, nested functions included."""
    total = 1
    for part in ast.walk(node):
        match part:
            case ast.If() | ast.ExceptHandler() | ast.For() | ast.AsyncFor() | ast.While():
                total += 1
            case ast.Try() | ast.TryStar():
                total += bool(part.orelse)
            case ast.Match(cases=cases):
                total += len(cases) - _has_wildcard(cases[-1])
            case ast.FunctionDef() | ast.AsyncFunctionDef() if part is not node:
                total += 1
            case _:
                pass
    return total


def _has_wildcard(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def measure(sources: Mapping[str, str], pyproject: str) -> Measures:
    """Count a tree that is given as a mapping of paths to texts."""
    trees = {file: ast.parse(text) for file, text in sources.items()}
    rooms: Counter[str] = Counter()
    for file in trees:
        if file.startswith(RUN_TIME) and "/" in (inside := file.removeprefix(RUN_TIME)):
            rooms[inside.split("/")[0]] += 1
    contract = tomllib.loads(pyproject)["tool"]["importlinter"]["contracts"][0]
    return Measures(
        layers=len(contract["layers"]),
        files=dict(rooms),
        functions=tuple(part for file, tree in trees.items() for part in functions_of(file, tree)),
        any_count=sum(
            isinstance(node, ast.Name) and node.id == "Any"
            for tree in trees.values()
            for node in ast.walk(tree)
        ),
        ignores=sum(text.count("# type: ignore") for text in sources.values()),
        public=_public(trees.get(f"{RUN_TIME}__init__.py")),
        doubles=len(doubled(trees)),
        lines=sum(text.count("\n") for text in sources.values()),
    )


def doubled(trees: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Public class names that more than one file defines, with these files."""
    homes: dict[str, list[str]] = {}
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(file)
    return {name: files for name, files in homes.items() if len(files) > 1}


def _public(tree: ast.Module | None) -> int:
    """How many names ``import assent`` offers: its table of homes, the rooms that are verbs, and two modules."""
    if tree is None:
        return 0
    found = 0
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="_HOMES")], value=ast.Dict(keys=names)):
                found += len(names) + 2
            case ast.Assign(targets=[ast.Name(id="_VERBS")], value=ast.Tuple(elts=verbs)):
                found += len(verbs)
    return found


def checkout() -> dict[str, str]:
    """The sources of this checkout."""
    return {
        str(file.relative_to(ROOT)): file.read_text("utf-8")
        for folder in (RUN_TIME, BESIDE)
        for file in sorted((ROOT / folder).rglob("*.py"))
    }


def commit(name: str) -> tuple[dict[str, str], str]:
    """The sources and the pyproject.toml of a commit."""
    packed = subprocess.run(["git", "archive", name], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        texts = {
            entry.name: stream.read().decode("utf-8")
            for entry in archive
            if entry.name.endswith((".py", "pyproject.toml")) and (stream := archive.extractfile(entry))
        }
    sources = {file: text for file, text in texts.items() if file.startswith((RUN_TIME, BESIDE))}
    return {file: text for file, text in sources.items() if file.endswith(".py")}, texts["pyproject.toml"]


def rows(found: Measures) -> dict[str, str]:
    """The measures as the cells of one column."""
    length, depth = found.worst("length"), found.worst("complexity")
    over = [part for part in found.functions if not _is_data(part.file) and _too_large(part)]
    sizes = sorted(found.files.values())
    most = max(found.files, key=found.files.__getitem__)
    return {
        "lines of code, training and corpus included": f"{found.lines:,}",
        "layers": str(found.layers),
        "rooms of the run-time package": str(len(sizes)),
        "files per room: median, most": f"{sizes[len(sizes) // 2]}, {sizes[-1]} (`{most}`)",
        "longest function, in lines": f"{length.length} (`{length.name}`)",
        "highest complexity": f"{depth.complexity} (`{depth.name}`)",
        f"functions over {LONGEST} lines or complexity {MOST_COMPLEX}": str(len(over)),
        "in the corpus: longest function, highest complexity": (
            f"{found.worst('length', data=True).length}, {found.worst('complexity', data=True).complexity}"
        ),
        "public names of `import assent`": str(found.public),
        "public class names defined twice": str(found.doubles),
        "`Any`": str(found.any_count),
        "`type: ignore`": str(found.ignores),
    }


def _too_large(function: Function) -> bool:
    return function.length > LONGEST or function.complexity > MOST_COMPLEX


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", metavar="COMMIT", help="a commit to count beside this checkout")
    parser.add_argument("--long", action="store_true", help="list the functions over the limits")
    parser.add_argument("--run", action="store_true", help="run 'assent translate' and count what it does")
    args = parser.parse_args()
    now = measure(checkout(), (ROOT / "pyproject.toml").read_text("utf-8"))
    if args.long:
        return _print_long(now)
    columns = [rows(measure(*commit(args.before)))] if args.before else []
    columns.append(rows(now))
    print("| | " + ("before | " if args.before else "") + "now |")
    print("|---" * (1 + len(columns)) + "|")
    for name in columns[-1]:
        print(f"| {name} | " + " | ".join(column[name] for column in columns) + " |")
    if args.run:
        import measure_run

        for name, value in measure_run.rows().items():
            print(f"| {name} | " + ("– | " if args.before else "") + f"{value} |")
    return 0


def _print_long(found: Measures) -> int:
    over = [part for part in found.functions if _too_large(part)]
    for part in sorted(over, key=lambda part: (-part.complexity, -part.length)):
        kind = "  (corpus)" if _is_data(part.file) else ""
        print(f"{part.file}:{part.line} {part.name}: {part.length} lines, complexity {part.complexity}{kind}")
    return int(any(not _is_data(part.file) for part in over))


if __name__ == "__main__":
    raise SystemExit(main())
