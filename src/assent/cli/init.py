"""Write a commented configuration file to start from."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from assent.cli import Exit
from assent.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default="assent.toml", help="(default: %(default)s)"
    )
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument("--json", action="store_true", help="say as JSON what was written")


def run(args: argparse.Namespace) -> int:
    from assent.config.settings import template
    from assent.io.files import write_atomically

    path = Path(args.file)
    if path.exists() and not args.force:
        raise UsageError(f"{path} exists; --force replaces it")
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {path.parent}")
    write_atomically(path, template().encode())
    if args.json:
        print(json.dumps({"written": str(path)}))
    else:
        print(f"{path} written; edit it, then: assent doctor --config {path}")
    return Exit.DONE
