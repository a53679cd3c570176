"""Tools for agents (Model Context Protocol): translate, compare, explain, export, check_document, resolve.

assent mcp                                   on standard input and output, for a client that starts it
assent mcp --http                            streamable HTTP at http://127.0.0.1:8766/mcp
assent mcp --vocabulary names.toml --ledger reviews.db

When it abstains it asks which reading is meant, if the client can, and gives the readings in any case. What an agent
chooses is marked so and calibrates nothing. Needs assent[mcp].
"""

from __future__ import annotations

import argparse

from assent.cli import Exit
from assent.cli.options import level, needs_extra, service_settings

_NEEDED = ("mcp", "mcp_types", "starlette", "uvicorn", "h11")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--http", action="store_true", help="over HTTP instead of stdio")
    parser.add_argument("--host", default="127.0.0.1", help="--http: address to listen on (%(default)s)")
    parser.add_argument(
        "--port", type=int, default=8766, help="--http: port; 0 takes any free one (%(default)s)"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="--http: who may ask; needed beyond this machine"
    )
    parser.add_argument("--allow-host", metavar="NAME", action="append", default=[],
                        help="--http: a name it may be asked under")  # fmt: skip
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes that compute (%(default)s)"
    )
    parser.add_argument("--ledger", metavar="FILE|URL", help="keep decisions and choices there")
    parser.add_argument("--config", metavar="FILE", help="configuration (without: the embedded models)")
    parser.add_argument(
        "--vocabulary", metavar="FILE", help="names for calls that bring none; a resource, too"
    )
    parser.add_argument("--domain", metavar="NAME", help="section of the vocabulary")
    parser.add_argument("--policy", metavar="FILE", action="append", default=[], help="may be repeated")
    parser.add_argument("--alpha", type=level, help="the joint risk of calls that say none")
    parser.add_argument("--json", action="store_true", help="--http: the line with the address as JSON")


def run(args: argparse.Namespace) -> int:
    settings = service_settings(args)
    with needs_extra("serving agents", "mcp", _NEEDED):
        from assent.mcp.run import on_http, on_stdio
    if args.http:
        on_http(settings, as_json=args.json)
    else:
        on_stdio(settings)
    return Exit.DONE
