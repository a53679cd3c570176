"""Write a commented configuration file to start from.

    assent init                     an endpoint with the OpenAI protocol
    assent init --kind local        a server on this machine (Ollama, llama.cpp, vLLM); no key
    assent init --kind embedded     the models that come with the package, offline

A configuration can run code (a model of kind "command" or "python"): read those of others before you use them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from assent.cli import Exit
from assent.config.settings import KINDS
from assent.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default="assent.toml", help="(default: %(default)s)"
    )
    parser.add_argument("--kind", choices=KINDS, default="openai", help="who answers (default: %(default)s)")
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument("--json", action="store_true", help="say as JSON what was written")


def run(args: argparse.Namespace) -> int:
    from assent.config.settings import template
    from assent.io.files import checked_target, write_atomically

    path = Path(args.file)
    checked_target(path)
    if path.exists() and not args.force:
        raise UsageError(f"{path} exists; --force replaces it")
    write_atomically(path, template(args.kind).encode())
    if args.json:
        print(json.dumps({"written": str(path), "kind": args.kind}))
    else:
        print(f"{path} written; edit it, then: assent doctor --config {path}")
    return Exit.DONE
