"""A configuration file -> objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Required, TypedDict

from assent.config import settings
from assent.config.build import Assembly, Options, embedded_models, embedder, load_policies, vocabularies
from assent.config.connect import Connections
from assent.config.references import fresh_gate, references
from assent.config.settings import Configuration
from assent.embedded.roles import OfflineBackTranslator, OfflineJudge, OfflineTranslator, SecondOpinion
from assent.errors import ConfigurationError
from assent.io.lines import read_rows
from assent.logic.ast import Logic
from assent.models import Model
from assent.pipeline import Collector
from assent.pipeline.gate import Gate
from assent.policy.policy import Policy
from assent.prompting import BackTranslator, EmbedderRole, Judge, Scorer, TranslatorRole
from assent.prompting.judges import (
    DirectJudge,
    PromptedBackTranslator,
    PromptedJudge,
    RenderedBackTranslator,
    SingleQuestion,
)
from assent.prompting.prompts.examples import Example
from assent.prompting.translators import PromptedTranslator

EMBEDDED = "embedded"
ENGLISH = "english"


def configured(file: str, options: Options) -> Assembly:
    """What the configuration file says, and the options on top of it."""
    cfg = settings.load(file)
    connections = Connections(cfg, dry=options.dry, offline=options.offline, shared=options.shared)
    roles = _roles(cfg, connections.get)
    if cfg.second_opinion and not options.dry:
        roles["second_opinion"] = SecondOpinion(
            embedded_models(cfg.path(cfg.weights) if cfg.weights else None)
        )
    policies = load_policies(
        [*(str(cfg.path(name)) for name in cfg.policies), *options.policies], options.alpha
    )
    collector = Collector(
        samples=cfg.translator.samples,
        gates=_gates(cfg, policies),
        vocabularies=vocabularies(options.vocabulary or (cfg.vocabulary and str(cfg.path(cfg.vocabulary)))),
        domain=options.domain or cfg.domain,
        **roles,
    )
    return Assembly(
        collector=collector,
        policies=policies,
        lazy=cfg.lazy if options.lazy is None else options.lazy,
        concurrency=options.concurrency or cfg.concurrency,
        spending=connections.spending,
        models=tuple(connections.models.values()),
        dry=tuple(connections.dry),
    )


class _Roles(TypedDict, total=False):
    """The fields of ``Collector`` that say who is asked."""

    translator: Required[TranslatorRole]
    back_translator: BackTranslator
    judge: Judge
    direct_judge: Judge
    single_question: Judge
    scorers: tuple[Scorer, ...]
    second_opinion: Scorer
    embedder: EmbedderRole


def _roles(cfg: Configuration, model: Callable[[str, str], Model]) -> _Roles:
    """Who is asked, by the configuration; ``model`` gives a model by its name and the key that names it."""
    section = cfg.translator
    folder = cfg.path(cfg.weights) if cfg.weights else None
    translator: TranslatorRole
    if section.model == EMBEDDED:
        translator = OfflineTranslator(embedded_models(folder))
    else:
        translator = PromptedTranslator(
            model(section.model, "translator.model"),
            temperature=section.temperature,
            max_tokens=section.max_tokens,
            examples=_examples(cfg, section.examples),
            nearest=section.nearest,
        )
    roles = _Roles(translator=translator)
    if cfg.judge is not None and cfg.judge.model == EMBEDDED:
        roles["scorers"] = (OfflineJudge(embedded_models(folder)),)
    elif cfg.back_translator is not None and cfg.judge is not None:
        back, judge = cfg.back_translator, cfg.judge
        if back.model == ENGLISH:
            roles["back_translator"] = RenderedBackTranslator()
        elif back.model == EMBEDDED:
            roles["back_translator"] = OfflineBackTranslator(embedded_models(folder))
        else:
            reverse = model(back.model, "back_translator.model")
            roles["back_translator"] = PromptedBackTranslator(reverse, max_tokens=back.max_tokens)
        roles["judge"] = PromptedJudge(model(judge.model, "judge.model"), max_tokens=judge.max_tokens)
    if cfg.ablations.direct_judge is not None:
        roles["direct_judge"] = DirectJudge(model(cfg.ablations.direct_judge, "ablations.direct_judge"))
    if cfg.ablations.single_question is not None:
        roles["single_question"] = SingleQuestion(
            model(cfg.ablations.single_question, "ablations.single_question")
        )
    if cfg.ablations.embedding:
        roles["embedder"] = embedder()
    return roles


def _gates(cfg: Configuration, policies: Mapping[Logic, Policy]) -> dict[Logic, Gate]:
    """The gate of each policy that has one, or one freshly calibrated from the configuration's files."""
    needed = {logic: policy.gate for logic, policy in policies.items() if policy.gate is not None}
    if cfg.gate is None:
        if needed:
            raise ConfigurationError(
                "the policy has a gate: name its reference set", file=cfg.file, key="gate"
            )
        return {}
    if policies and not needed:
        return {}
    if not needed and cfg.gate.calibration is None:
        raise ConfigurationError(
            "name instructions that calibrate the gate", file=cfg.file, key="gate.calibration"
        )
    vectors_of = embedder()
    vectors, search = references(cfg, cfg.gate, vectors_of)
    if needed:
        return {
            logic: Gate.thawed(stored, vectors_of, vectors, search=search) for logic, stored in needed.items()
        }
    return dict.fromkeys(Logic, fresh_gate(cfg, cfg.gate, vectors_of, vectors, search))


def _examples(cfg: Configuration, file: str | None) -> list[Example] | None:
    if file is None:
        return None
    rows = [row for _, row in read_rows(cfg.path(file))]
    try:
        return [Example(str(row["text"]), str(row.get("formula") or row["reference"])) for row in rows]
    except KeyError as error:
        raise ConfigurationError(
            f"an example in {file} has no {error}", file=cfg.file, key="translator.examples"
        ) from error
