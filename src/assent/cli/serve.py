"""Serve the same pipeline over HTTP: decisions, formulas, the review queue, and pages to look at.

assent serve                                      on 127.0.0.1:8765, embedded models, nothing to configure
assent serve --ledger reviews.db --workers 2      decisions are kept there
assent serve --host 0.0.0.0 --token-file TOKENS   for other machines: lines 'ask|review|administer NAME TOKEN'

One line with the address is printed when it is ready; the log goes to stderr, one JSON object a line. Every path is
described at /openapi.json and /docs. Needs assent[serve].
"""

from __future__ import annotations

import argparse

from assent.cli import Exit
from assent.cli.options import level, needs_extra, service_settings

_NEEDED = ("starlette", "uvicorn", "h11")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8765, help="port; 0 takes any free one (%(default)s)")
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that compute (%(default)s)"
    )
    parser.add_argument(
        "--ledger", metavar="FILE|URL", help="keep decisions and answers there (without: while it runs)"
    )
    parser.add_argument("--token-file", metavar="FILE", help="who may do what; needed beyond this machine")
    parser.add_argument("--config", metavar="FILE", help="configuration (without: the embedded models)")
    parser.add_argument("--vocabulary", metavar="FILE", help="names for requests that bring none")
    parser.add_argument("--domain", metavar="NAME", help="section of the vocabulary")
    parser.add_argument("--policy", metavar="FILE", action="append", default=[], help="may be repeated")
    parser.add_argument("--alpha", type=level, help="the joint risk of requests that say none")
    parser.add_argument(
        "--allow-host", metavar="NAME", action="append", default=[], help="a name it may be asked under"
    )
    parser.add_argument(
        "--deadline", type=float, default=30.0, metavar="SECONDS", help="for one decision (30)"
    )
    parser.add_argument(
        "--waiting", type=int, default=128, metavar="N", help="requests that may wait for a worker (128)"
    )
    parser.add_argument(
        "--reading", type=float, default=10.0, metavar="SECONDS", help="for a client to send its request (10)"
    )
    parser.add_argument(
        "--writing", type=float, default=60.0, metavar="SECONDS", help="for a client to take an answer (60)"
    )
    parser.add_argument("--json", action="store_true", help="the line with the address as JSON")
    parser.add_argument("--log-text", action="store_true", help="write instructions into the log, too")


def run(args: argparse.Namespace) -> int:
    from assent.serve.settings import ClientLimits

    limits = ClientLimits(
        deadline=args.deadline, waiting=args.waiting, reading=args.reading, writing=args.writing
    )
    settings = service_settings(args, limits=limits, log_text=args.log_text)
    with needs_extra("the service", "serve", _NEEDED):
        from assent.serve.run import serve
    serve(settings, as_json=args.json)
    return Exit.DONE
