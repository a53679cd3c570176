"""The pinned packages: their hashes, and what is known against them.

    python devtools/pins.py hashes     write requirements-hashed.txt from constraints.txt (asks the package index)
    python devtools/pins.py check      does the file hold a hash for every pin? (no network)
    python devtools/pins.py audit      known vulnerabilities of the pinned versions (asks the same data as pip-audit)
    python devtools/pins.py chosen R   of a report R (pip install --dry-run --report R): what is to be installed, hashed

``hashes`` and ``audit`` need https://pypi.org; where it is out of reach they say so and exit with 2, so that nobody
takes silence for good news. ``audit`` exits with 1 if something is known, ``check`` if a pin has no hash; ``chosen``
names what has none on stderr.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS, HASHED = ROOT / "constraints.txt", ROOT / "requirements-hashed.txt"
INDEX = "https://pypi.org"
LEFT_OUT = ("torch", "nvidia-", "triton")
"""Comes from an index of its own for every kind of processor; its hash depends on which."""
Pin = tuple[str, str]
_LINK = re.compile(r"<a\b[^>]*#sha256=([0-9a-f]{64})[^>]*>([^<]+)</a>", re.IGNORECASE)
_PIN = re.compile(r"([A-Za-z0-9._-]+)==([^\s;\\]+)")


def normal(name: str) -> str:
    """A package's name as the index spells it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> list[Pin]:
    """Every ``name==version`` at the beginning of a line, without what is left out."""
    found = [(normal(m[1]), m[2]) for line in text.splitlines() if (m := _PIN.match(line))]
    return sorted(pin for pin in found if not pin[0].startswith(LEFT_OUT))


def fetched(path: str, kind: str) -> str:
    """A document of the index; OSError if it is out of reach."""
    request = urllib.request.Request(f"{INDEX}{path}", headers={"Accept": kind})
    with urllib.request.urlopen(request, timeout=60) as response:
        return str(response.read().decode())


def hashes_of(page: str, pin: Pin) -> list[str]:
    """The SHA-256 of every file of one version on a page of the index (the plain form that every mirror has)."""
    links = ((file, digest) for digest, file in _LINK.findall(page) if _belongs(file.strip(), *pin))
    return sorted({digest for _, digest in links})


def _belongs(filename: str, name: str, version: str) -> bool:
    """Whether a file is a wheel or a source archive of the version."""
    stem = re.sub(r"\.(?:whl|tar\.gz|zip|tar\.bz2)$", "", filename)
    if filename.endswith(".whl"):
        project, found = (*stem.split("-"), "")[:2]
    else:
        project, _, found = stem.rpartition("-")
    return normal(project) == name and found.replace("_", "-") == version


def listed(pin: Pin) -> str:
    """A pin with its hashes, as pip reads it."""
    found = hashes_of(fetched(f"/simple/{pin[0]}/", "text/html"), pin)
    if not found:
        raise LookupError(f"{pin[0]} {pin[1]}: the index has no such version")
    return " \\\n".join([f"{pin[0]}=={pin[1]}", *(f"    --hash=sha256:{value}" for value in found)])


def hashes() -> int:
    with ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(listed, pins(PINS.read_text("utf-8"))))
    head = "# Made by devtools/pins.py from constraints.txt: every file of every pinned version. torch stands apart.\n"
    HASHED.write_text(head + "\n".join(entries) + "\n", encoding="utf-8")
    print(f"{len(entries)} pins with their hashes in {HASHED.name}")
    return 0


def hashed() -> dict[Pin, str]:
    """The entries of the file with hashes."""
    blocks = re.split(r"\n(?=\S)", HASHED.read_text("utf-8").strip())
    return {pins(block)[0]: block for block in blocks if pins(block) and "--hash=sha256:" in block}


def chosen(report: Path) -> int:
    """Print the entries of what pip chose; what lies in this checkout, and torch, are not from an index."""
    held, strange = hashed(), []
    for entry in json.loads(report.read_text("utf-8"))["install"]:
        pin = normal(entry["metadata"]["name"]), entry["metadata"]["version"].partition("+")[0]
        if "dir_info" in entry["download_info"] or pin[0].startswith(LEFT_OUT):
            continue
        if pin in held:
            print(held[pin])
        else:
            strange.append(f"{pin[0]}=={pin[1]}")
    if strange:
        print(f"without a hash: {', '.join(sorted(strange))} (pin it and run 'make pins')", file=sys.stderr)
    return 0


def check() -> int:
    wanted, held = pins(PINS.read_text("utf-8")), set(hashed())
    missing, old = sorted(set(wanted) - held), sorted(held - set(wanted))
    for name, version in missing:
        print(f"no hash: {name}=={version}; run 'make pins'")
    for name, version in old:
        print(f"not pinned any more: {name}=={version}")
    return 1 if missing or old else 0


def known_against(pin: Pin) -> Iterator[str]:
    """What is known against one version."""
    name, version = pin
    said = json.loads(fetched(f"/pypi/{name}/{version}/json", "application/json"))
    for found in said.get("vulnerabilities") or ():
        if not found.get("withdrawn"):
            fixed = ", ".join(found.get("fixed_in") or ()) or "nothing yet"
            yield f"{name} {version}: {found['id']} ({', '.join(found.get('aliases') or ())}); mended in {fixed}"


def audit() -> int:
    wanted = pins(PINS.read_text("utf-8"))
    with ThreadPoolExecutor(8) as pool:
        found = [line for lines in pool.map(lambda pin: list(known_against(pin)), wanted) for line in lines]
    print(
        "\n".join(
            [*found, f"{datetime.date.today()}: {len(wanted)} pins, {len(found)} known vulnerabilities"]
        )
    )
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("hashes", "check", "audit", "chosen"))
    parser.add_argument("report", nargs="?", type=Path, help="chosen: the report of pip")
    args = parser.parse_args()
    if (args.what == "chosen") != (args.report is not None):
        parser.error("'chosen' takes a report, the others take nothing")
    try:
        if args.report is not None:
            return chosen(args.report)
        return {"hashes": hashes, "check": check, "audit": audit}[args.what]()
    except LookupError as error:
        print(error, file=sys.stderr)
        return 1
    except (OSError, urllib.error.URLError, ValueError) as error:
        print(f"{INDEX} cannot be asked: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
