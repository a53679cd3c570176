"""Configuration -> objects. The only place that names concrete classes.

Without a configuration everything is embedded: the models and policies that come with the package, offline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from assent.config import settings as configuration
from assent.config.connect import Connections
from assent.config.settings import Configuration
from assent.embedded import Embedded, shipped
from assent.embedded.embedder import Embedder
from assent.embedded.roles import OfflineBackTranslator, OfflineJudge, OfflineTranslator, Wording
from assent.errors import ConfigurationError, FragmentError, PolicyError, UsageError
from assent.io.lines import read_rows
from assent.logic.ast import Logic
from assent.models import Model, Prices, Spending, close
from assent.models.dry import DryModel
from assent.pipeline import Collector, SelectiveTranslator
from assent.pipeline.gate import Gate
from assent.pipeline.gate import build as build_gate
from assent.policy.policy import GateSettings, Policy
from assent.prompting.judges import (
    DirectJudge,
    PromptedBackTranslator,
    PromptedJudge,
    RenderedBackTranslator,
    SingleQuestion,
)
from assent.prompting.prompts.examples import Example
from assent.prompting.translators import PromptedTranslator
from assent.records import Evidence
from assent.scoring import scores
from assent.scoring.channels import DEFAULT, SELF_CONSISTENCY
from assent.vocabulary import Vocabulary, choose, load_sections

EMBEDDED = "embedded"
PARTS = ("translator", "second", "reverse", "align.npz", "judge.json")
ENGLISH = "english"
SAME_LEVEL = 1e-12
DEFAULT_ALPHA = 0.10
"""Which of the shipped policies is used where nothing else is said."""


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """Everything a verb needs, and what must be closed at the end."""

    collector: Collector
    policies: Mapping[Logic, Policy] = field(default_factory=dict)
    lazy: bool = True
    concurrency: int = 8
    spending: Spending | None = None
    models: tuple[Model, ...] = ()
    dry: tuple[tuple[DryModel, Prices], ...] = ()

    def selective(self) -> SelectiveTranslator:
        if not self.policies:
            raise PolicyError(
                "there is no policy: make one with 'assent calibrate' and name it with --policy"
            )
        return SelectiveTranslator(self.collector, self.policies, lazy=self.lazy)

    @property
    def money(self) -> float:
        return 0.0 if self.spending is None else self.spending.money

    async def close(self) -> None:
        for model in self.models:
            await close(model)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the command line may say on top of the configuration."""

    config: str | None = None
    policies: Sequence[str] = ()
    vocabulary: str | None = None
    domain: str | None = None
    alpha: float | None = None
    concurrency: int | None = None
    lazy: bool | None = None
    dry: bool = False
    offline: bool = False


def assemble(options: Options) -> Assembly:
    """Objects from the configuration file, or the embedded default without one."""
    if options.config is None:
        return _embedded(options)
    return _configured(configuration.load(options.config), options)


def _configured(cfg: Configuration, options: Options) -> Assembly:
    connections = Connections(cfg, dry=options.dry, offline=options.offline)
    roles = _roles(cfg, connections.get)
    policies = load_policies(
        [*(str(cfg.path(name)) for name in cfg.policies), *options.policies], options.alpha
    )
    collector = Collector(
        samples=cfg.translator.samples,
        gates=_gates(cfg, policies),
        vocabularies=_vocabularies(options.vocabulary or (cfg.vocabulary and str(cfg.path(cfg.vocabulary)))),
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


def _roles(cfg: Configuration, model: Callable[[str, str], Model]) -> dict[str, Any]:
    section = cfg.translator
    folder = cfg.path(cfg.weights) if cfg.weights else None
    roles: dict[str, Any] = {}
    if section.model == EMBEDDED:
        roles["translator"] = OfflineTranslator(embedded_models(folder))
    else:
        roles["translator"] = PromptedTranslator(
            model(section.model, "translator.model"),
            temperature=section.temperature,
            max_tokens=section.max_tokens,
            examples=_examples(cfg, section.examples),
            nearest=section.nearest,
        )
    if cfg.judge is not None and cfg.judge.model == EMBEDDED:
        roles["scorers"] = (OfflineJudge(embedded_models(folder)),)
    elif cfg.back_translator is not None and cfg.judge is not None:
        back, judge = cfg.back_translator, cfg.judge
        if back.model == ENGLISH:
            roles["back_translator"] = RenderedBackTranslator()
        elif back.model == EMBEDDED:
            roles["back_translator"] = OfflineBackTranslator(embedded_models(folder))
        else:
            asked = model(back.model, "back_translator.model")
            roles["back_translator"] = PromptedBackTranslator(asked, max_tokens=back.max_tokens)
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


def load_policies(files: Sequence[str], alpha: float | None) -> dict[Logic, Policy]:
    """One policy a logic; with ``alpha``, those that were made for it."""
    found: dict[Logic, Policy] = {}
    levels: set[float] = set()
    for file in files:
        policy = Policy.load(file)
        logic = policy.fingerprint.get("logic")
        if logic not in list(Logic):
            raise PolicyError(f"{file}: the fingerprint does not say for which logic the policy is")
        levels.add(policy.alpha)
        if alpha is not None and abs(policy.alpha - alpha) > SAME_LEVEL:
            continue
        if Logic(logic) in found:
            raise UsageError(f"{file}: a second policy for {logic}: choose one (or --alpha)")
        found[Logic(logic)] = policy
    if files and not found:
        raise UsageError(_no_policy(alpha, levels))
    return found


def _no_policy(alpha: float | None, levels: Iterable[float]) -> str:
    known = ", ".join(f"{level:g}" for level in sorted(levels))
    return f"no policy for alpha = {alpha:g}; there are policies for {known}"


def _gates(cfg: Configuration, policies: Mapping[Logic, Policy]) -> dict[Logic, Gate]:
    """The gate of each policy that has one, or one freshly calibrated from the configuration's files."""
    needed = {logic: policy.gate for logic, policy in policies.items() if policy.gate is not None}
    if cfg.gate is None:
        if needed:
            raise ConfigurationError(
                "the policy has a gate: name its reference set", file=cfg.file, key="gate"
            )
        return {}
    vectors_of = embedder()
    reference = [str(row.get("text", "")) for _, row in read_rows(cfg.path(cfg.gate.reference))]
    if needed:
        from assent.pipeline.gate import vectors

        known = vectors(vectors_of, reference)
        return {logic: Gate.thawed(stored, vectors_of, known) for logic, stored in needed.items()}
    if policies or cfg.gate.calibration is None:
        if policies:
            return {}
        raise ConfigurationError(
            "name instructions that calibrate the gate", file=cfg.file, key="gate.calibration"
        )
    rows = [row for _, row in read_rows(cfg.path(cfg.gate.calibration))]
    clusters = [str(row["cluster"]) for row in rows] if all("cluster" in row for row in rows) else None
    gate = build_gate(
        vectors_of,
        reference,
        [str(row.get("text", "")) for row in rows],
        clusters=clusters,
        neighbours=cfg.gate.neighbours,
        delta=cfg.gate.delta,
    )
    return dict.fromkeys(Logic, gate)


def embedder() -> Embedder:
    """The sentence vectors that come with the package; loaded once for the whole process."""
    return embedded_models().embedder


def _vocabularies(file: str | None) -> dict[str, Vocabulary]:
    return {} if not file else load_sections(file)


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


# ---- the embedded default -------------------------------------------------------------------------------


@cache
def embedded_models(folder: Path | None = None) -> Embedded:
    """The models that come with the package, or those of 'assent train'; one set for the whole process."""
    if folder is not None and not folder.is_dir():
        raise ConfigurationError(f"there is no folder {folder}", key="weights")
    folders = (shipped(), *filter(None, (folder,)))
    missing = [part for part in PARTS if not any((place / part).exists() for place in folders)]
    if missing:
        raise ConfigurationError(
            f"the embedded models are incomplete ({', '.join(missing)} not in {shipped()}): "
            "name other models with --config ('assent init')"
        )
    return Embedded(folder)


def shipped_policies() -> list[str]:
    """The policy files that come with the package, named LOGIC-ALPHA.json."""
    folder = resources.files("assent").joinpath("weights", "policies")
    return sorted(str(entry) for entry in folder.iterdir()) if folder.is_dir() else []


class Shipped(Mapping[Logic, Policy]):
    """The shipped policies for one alpha; each is read when it is first asked for."""

    def __init__(self, alpha: float) -> None:
        self._files: dict[Logic, str] = {}
        levels = set()
        for file in shipped_policies():
            logic, _, level = Path(file).stem.partition("-")
            levels.add(float(level))
            if abs(float(level) - alpha) <= SAME_LEVEL:
                self._files[Logic(logic)] = file
        if levels and not self._files:
            raise UsageError(_no_policy(alpha, levels))
        self._read: dict[Logic, Policy] = {}

    def __getitem__(self, logic: Logic) -> Policy:
        if logic not in self._read:
            self._read[logic] = Policy.load(self._files[logic])
        return self._read[logic]

    def __iter__(self) -> Iterator[Logic]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class ShippedGates(Mapping[Logic, Gate]):
    """The gates of policies that come with the package; reference vectors are read when first asked for."""

    def __init__(self, policies: Mapping[Logic, Policy]) -> None:
        self._policies = policies
        self._read: dict[Logic, Gate] = {}

    def __getitem__(self, logic: Logic) -> Gate:
        if logic not in self._read:
            settings = self._policies[logic].gate
            if settings is None:
                raise KeyError(logic)
            self._read[logic] = _shipped_gate(logic, settings)
        return self._read[logic]

    def __iter__(self) -> Iterator[Logic]:
        return (logic for logic, policy in self._policies.items() if policy.gate is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _shipped_gate(logic: Logic, settings: GateSettings) -> Gate:
    import numpy as np

    try:
        reference = np.load(shipped() / "gate" / f"{logic.value}.npy")
    except (OSError, ValueError) as error:
        raise PolicyError(
            f"the {logic.value} policy has a gate whose reference set is not shipped: name it with --config"
        ) from error
    view = Wording(embedded_models()) if settings.view == Wording.name else None
    return Gate.thawed(settings, embedder(), reference, view)


def _embedded(options: Options) -> Assembly:
    models = embedded_models()
    alpha = DEFAULT_ALPHA if options.alpha is None and not options.policies else options.alpha
    policies: Mapping[Logic, Policy] = (
        load_policies(list(options.policies), alpha)
        if options.policies
        else Shipped(DEFAULT_ALPHA if alpha is None else alpha)
    )
    collector = Collector(
        translator=OfflineTranslator(models),
        scorers=(OfflineJudge(models),),
        gates=ShippedGates(policies),
        vocabularies=_vocabularies(options.vocabulary),
        domain=options.domain,
    )
    return Assembly(
        collector=collector,
        policies=policies,
        # Nothing is paid for, and an abstention is more helpful with all readings.
        lazy=False if options.lazy is None else options.lazy,
        concurrency=options.concurrency or 2,
    )


def embedded_scorer(
    vocabulary: str | None = None, domain: str | None = None
) -> Callable[[Sequence[Evidence]], dict[str, list[float]]]:
    """The channel ``default`` for recorded translations of any source, by the embedded judge.

    With a vocabulary file each row is read with the names of its domain, as ``collect`` reads it.
    """
    models = embedded_models()
    sections = _vocabularies(vocabulary)

    def one(evidence: Evidence) -> float:
        case, formula = evidence.instruction, evidence.formula
        if formula is None:
            return 1.0
        split = scores(evidence).get(SELF_CONSISTENCY)
        try:
            names = choose(sections, case.domain if case.domain is not None else domain, case=case.id)
            lifted = models.lift(case.text, case.logic, names)
            return models.judge(lifted, formula, disagreement=split).score
        except FragmentError:  # the formula speaks of what the instruction does not
            return 1.0

    return lambda rows: {DEFAULT: [one(evidence) for evidence in rows]}


def embedded_embed() -> Callable[[list[str]], Any]:
    """Sentences to vectors by the embedder of the gate."""
    return embedder().embed
