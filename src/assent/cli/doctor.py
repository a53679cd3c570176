"""Check configuration, models, keys, cache, vocabulary and policies, and say what is wrong.

Every model is asked one short question (not cached); --offline leaves that out, and neither imports nor starts
anything that the configuration names. With --stream, decisions made under a policy are watched for drift, and for
risk where rows have been labelled since.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.options import add_common
from assent.errors import AssentError, PolicyError

if TYPE_CHECKING:
    from assent.config.settings import Configuration
    from assent.policy.policy import Policy
    from assent.vocabulary import Vocabulary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument(
        "--offline", action="store_true", help="ask no model, import and start nothing of the configuration"
    )
    parser.add_argument(
        "--stream", metavar="FILE", help="decisions of 'batch --full': is the calibration stale?"
    )
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


class Findings:
    """What was checked and what came of it."""

    def __init__(self) -> None:
        self.rows: list[dict[str, str | bool]] = []

    def check(self, name: str, look: Callable[[], str]) -> bool:
        """Note what ``look`` returns as well, or what it raises as wrong; whether it is well."""
        try:
            detail, well = look(), True
        except (AssentError, OSError) as error:
            detail, well = str(error), False
        if well or not any(row["detail"] == detail for row in self.rows):  # each error is said once
            self.rows.append({"check": name, "ok": well, "detail": detail})
        return well

    @property
    def well(self) -> bool:
        return all(row["ok"] for row in self.rows)


def run(args: argparse.Namespace) -> int:
    findings = Findings()
    if args.config is None:
        findings.check("configuration", lambda: "none given: the embedded models and the shipped policies")
        _look_at_names(args.vocabulary, args.domain, findings)
    else:
        _look_at_configuration(args, findings)
    findings.check("assembly", lambda: _assembled(args))
    if args.stream:
        findings.check("stream", lambda: _watched(args))
    if args.json:
        print(json.dumps({"ok": findings.well, "findings": findings.rows}))
    else:
        for row in findings.rows:
            print(f"{'ok  ' if row['ok'] else 'FAIL'}  {row['check']}: {row['detail']}")
    return Exit.DONE if findings.well else Exit.ERROR


def _look_at_configuration(args: argparse.Namespace, findings: Findings) -> None:
    from assent.config import settings as config

    loaded: list[Configuration] = []

    def read() -> str:
        loaded.append(config.load(args.config))
        return f"{args.config} can be read"

    if not findings.check("configuration", read):
        return
    (cfg,) = loaded
    for name, section in cfg.models.items():
        if section.key_variable:
            findings.check(f"key of model {name}", partial(_key, section.key_variable))
        if not args.offline:
            findings.check(f"model {name}", partial(_answers, cfg, name, args))
    if not cfg.second_opinion:
        findings.check("second opinion", lambda: OFF)
    findings.check("cache", lambda: _cache(cfg))
    vocabulary = args.vocabulary or (cfg.vocabulary and str(cfg.path(cfg.vocabulary)))
    _look_at_names(vocabulary, args.domain or cfg.domain, findings)


OFF = "off (second_opinion = false): if a text talks translator and judge round, no other model contradicts them"


def _look_at_names(vocabulary: str | None, domain: str | None, findings: Findings) -> None:
    if vocabulary:
        findings.check("vocabulary", lambda: _vocabulary(vocabulary, domain))


def _key(variable: str) -> str:
    if not os.environ.get(variable):
        raise AssentError(f"the environment variable {variable} is not set")
    return f"{variable} is set"


def _answers(cfg: Configuration, name: str, args: argparse.Namespace) -> str:
    """Ask one question; an endpoint that says it is another model than the policy's is found here."""
    from assent.config.connect import raw_model
    from assent.models import Answer, Prompt, Sampling, close

    model = raw_model(cfg.models[name], cfg, name)
    if cfg.models[name].kind == "recorded":
        return f"{model.name} replays a file"

    async def ask() -> Answer:
        try:
            (answer,) = await model.generate(
                Prompt.of("Answer with the one word: ok"), Sampling(max_tokens=16)
            )
            return answer
        finally:
            await close(model)

    reply = asyncio.run(ask())
    served = reply.served_by(cfg.models[name].reported)
    for policy in _policies(cfg, args):
        if drifted := policy.drifted(dict.fromkeys(_roles(cfg, name), served) if served else {}):
            raise PolicyError(drifted)
    reports = f", reports {served}" if served else ""
    return f"{model.name} ({model.version}{reports}) answers: {reply.text.strip()[:40]!r}"


def _roles(cfg: Configuration, name: str) -> list[str]:
    """The roles that a model plays, as evidence calls them."""
    played = {"translate": cfg.translator, "back_translate": cfg.back_translator, "judge": cfg.judge}
    return [role for role, section in played.items() if section is not None and section.model == name]


def _policies(cfg: Configuration, args: argparse.Namespace) -> list[Policy]:
    """The policies that can be read; the others are a finding of their own (assembly)."""
    from assent.config.build import load_policies

    files = [*(str(cfg.path(file)) for file in cfg.policies), *args.policy]
    with contextlib.suppress(AssentError):
        return list(load_policies(files, args.alpha).values())
    return []


def _cache(cfg: Configuration) -> str:
    from assent.config.connect import open_cache
    from assent.ledger.postgres import without_password

    cache = open_cache(cfg.cache_place, file=cfg.file)
    try:
        return f"{without_password(cfg.cache_place)} holds {cache.stats().answers} answers"
    finally:
        cache.close()


def _vocabulary(file: str, domain: str | None) -> str:
    from assent.vocabulary import load_sections, load_vocabulary

    if domain is not None:
        load_vocabulary(file, domain)
    sections = load_sections(file)
    units = ", ".join(sorted({section.time_unit for section in sections.values()}))
    names = sum(len(section.names) for section in sections.values())
    return f"{file} has {len(sections)} sections, {names} names, time in {units}{_strange_units(sections)}"


def _strange_units(sections: Mapping[str, Vocabulary]) -> str:
    """What to say of units that no table knows: figures in another unit are refused there, not converted."""
    from assent.lift.measures import plain_unit
    from assent.lift.quantities import size_of

    strange = {
        f"{entry.name} ({entry.unit})"
        for section in sections.values()
        for entry in section.propositions
        if entry.unit and size_of(plain_unit(entry.unit)) is None
    }
    if not strange:
        return ""
    return f"; no other unit is converted into that of {', '.join(sorted(strange))}: say figures in just this unit"


def _assembled(args: argparse.Namespace) -> str:
    """Build models and policies; PolicyError for a policy that was made for other models."""
    from assent.cli.options import assembly

    parts = assembly(args)
    if not parts.policies:
        return "models only, no policy: 'collect' works, 'translate' and 'batch' need one"
    parts.selective().check()
    levels = (f"{logic.value} at alpha {policy.alpha:g}" for logic, policy in parts.policies.items())
    return f"the policies fit: {', '.join(levels)}"


def _watched(args: argparse.Namespace) -> str:
    from assent.cli.options import assembly
    from assent.cli.watch import watched

    policies = assembly(args).policies
    return watched(args.stream, {logic.value: policy for logic, policy in policies.items()})
