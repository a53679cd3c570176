"""A language server for requirement documents (Markdown, text, needs.json): what 'assent check' says, while you write.

assent lsp                       on standard input and output, for an editor that starts it
assent lsp --tcp 8767            on a port of this machine, for one editor; 0 takes any free port
assent lsp --as ada              ada may choose readings: they are written to assent.lock

Abstentions, suspects and findings are shown at the requirements; hovering shows English, formula and tree; readings
can be chosen. The lock is the nearest assent.lock above a document. Needs assent[lsp]; docs/editors.md sets editors up.
"""

from __future__ import annotations

import argparse

from assent.cli import Exit
from assent.cli.check import steps
from assent.cli.options import add_common, needs_extra

_NEEDED = ("pygls", "lsprotocol", "cattrs", "attrs")
MOST_PORT = 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument(
        "--tcp", type=_port, metavar="PORT", help="on a port of this machine instead of stdio"
    )
    parser.add_argument("--lock", metavar="FILE", help="the lock (default: the nearest assent.lock above)")
    parser.add_argument(
        "--as", dest="handle", metavar="HANDLE", help="who chooses readings and looks at suspects"
    )
    parser.add_argument("--only-vouched", action="store_true",
                        help="compare vouched formulas only (without: candidates, too, marked)")  # fmt: skip
    parser.add_argument("--budget", type=steps, metavar="STEPS",
                        help="steps of the decider for each requirement (default: 60000)")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="--tcp: the line with the address as JSON")
    parser.add_argument("--wait", type=_seconds, default=0.5, metavar="SECONDS",
                        help="so long after the last change a document is looked at (%(default)s)")  # fmt: skip


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_PORT:
        raise argparse.ArgumentTypeError(f"must be a port, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 60:
        raise argparse.ArgumentTypeError(f"must be 0 to 60 seconds, not {text!r}")
    return value


def run(args: argparse.Namespace) -> int:
    with needs_extra("a language server", "lsp", _NEEDED):
        from assent.lsp.features import with_features
        from assent.lsp.listening import on_stdio, on_tcp
        from assent.lsp.server import RequirementServer
    from assent.config.build import Options
    from assent.documents.checking import CheckSettings
    from assent.lsp.office import OfficeSettings

    settings = OfficeSettings(
        options=Options(config=args.config, policies=tuple(args.policy), alpha=args.alpha),
        check=CheckSettings(logic=args.logic, vocabulary=args.vocabulary, domain=args.domain),
        lock=args.lock,
        handle=args.handle,
        only_vouched=args.only_vouched,
        budget=args.budget,
    )
    server = with_features(RequirementServer(settings, wait=args.wait))
    if args.tcp is None:
        on_stdio(server)
    else:
        on_tcp(server, args.tcp, as_json=args.json)
    return Exit.DONE
