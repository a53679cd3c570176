"""Measure speed and quality on this machine.

    assent bench NAME [options]
    assent bench NAME --help        what is measured, and the options

Names are the modules of assent.benchmarks.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pkgutil import iter_modules

import assent.benchmarks


def names() -> list[str]:
    """The benchmarks that are installed."""
    return sorted(module.name for module in iter_modules(assent.benchmarks.__path__) if module.name[0] != "_")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    benchmarks = parser.add_subparsers(dest="name", metavar="NAME", required=True, help=", ".join(names()))
    for name in names():
        module = import_module(f"assent.benchmarks.{name}")
        inner = benchmarks.add_parser(
            name, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.add_arguments(inner)


def run(args: argparse.Namespace) -> int:
    return int(import_module(f"assent.benchmarks.{args.name}").run(args))
