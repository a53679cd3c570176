"""Objects from what comes with the package; ``configured`` makes them from a file. Only this room names classes.

Without a configuration everything is embedded: the models and policies that come with the package, offline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from assent.embedded import Embedded, shipped
from assent.embedded.embedder import Embedder
from assent.embedded.roles import OfflineJudge, OfflineTranslator, SecondOpinion, Wording
from assent.errors import ConfigurationError, FragmentError, PolicyError, UsageError
from assent.logic.ast import Logic
from assent.pipeline import Collector, SelectiveTranslator
from assent.pipeline.gate import Gate
from assent.policy.policy import GateSettings, Policy
from assent.records import Evidence
from assent.scoring import DEFAULT, SECOND_OPINION, SELF_CONSISTENCY, scores
from assent.vocabulary import Vocabulary, choose, load_sections

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from assent.config.connect import Shared
    from assent.models import Model, Prices, Spending
    from assent.models.dry import DryModel

PARTS = ("translator", "second", "reverse", "judge.json")
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
        if not self.models:
            return
        from assent.models import close

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
    shared: Shared | None = None


def assemble(options: Options) -> Assembly:
    """Objects from the configuration file, or the embedded default without one."""
    if options.config is None:
        return _embedded(options)
    from assent.config.configured import configured

    return configured(options.config, options)


def load_policies(files: Sequence[str], alpha: float | None) -> dict[Logic, Policy]:
    """One policy a logic; with ``alpha``, those that were made for it."""
    policies: dict[Logic, Policy] = {}
    levels: set[float] = set()
    for file in files:
        policy = Policy.load(file)
        logic = policy.fingerprint.get("logic")
        if logic not in list(Logic):
            raise PolicyError(f"{file}: the fingerprint does not say for which logic the policy is")
        levels.add(policy.alpha)
        if alpha is not None and abs(policy.alpha - alpha) > SAME_LEVEL:
            continue
        if Logic(logic) in policies:
            raise UsageError(f"{file}: a second policy for {logic}: choose one (or --alpha)")
        policies[Logic(logic)] = policy
    if files and not policies:
        raise UsageError(_no_policy(alpha, levels))
    return policies


def _no_policy(alpha: float | None, levels: Iterable[float]) -> str:
    listed = ", ".join(f"{level:g}" for level in sorted(levels))
    return (
        f"no policy for alpha = {alpha:g}; there are policies for {listed} (another one is made with "
        "'assent calibrate' and named with --policy)"
    )


def embedder() -> Embedder:
    """The sentence vectors that come with the package; loaded once for the whole process."""
    return embedded_models().embedder


def vocabularies(file: str | None) -> dict[str, Vocabulary]:
    return {} if not file else load_sections(file)


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
        second_opinion=SecondOpinion(models),  # on recorded translations of others
        gates=ShippedGates(policies),
        vocabularies=vocabularies(options.vocabulary),
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
    """The channel ``default`` and the second opinion for recorded translations of any source, by the embedded judge.

    With a vocabulary file each row is read with the names of its domain, as ``collect`` reads it.
    """
    models = embedded_models()
    second = SecondOpinion(models)
    sections = vocabularies(vocabulary)

    def one(evidence: Evidence) -> tuple[float, float]:
        case, formula = evidence.instruction, evidence.formula
        if formula is None:
            return 1.0, 1.0
        split = scores(evidence).get(SELF_CONSISTENCY)
        names = choose(sections, case.domain if case.domain is not None else domain, case=case.id)
        opinion, _ = second.of(case.text, case.logic, formula, names)
        try:
            lifted = models.lift(case.text, case.logic, names)
            return models.judge(lifted, formula, disagreement=split).score, opinion
        except FragmentError:  # the formula speaks of what the instruction does not
            return 1.0, opinion

    def all_of(rows: Sequence[Evidence]) -> dict[str, list[float]]:
        pairs = [one(evidence) for evidence in rows]
        return {DEFAULT: [judged for judged, _ in pairs], SECOND_OPINION: [opinion for _, opinion in pairs]}

    return all_of


def embedded_embed() -> Callable[[list[str]], npt.NDArray[np.float32]]:
    """Sentences to vectors by the embedder of the gate."""
    return embedder().embed
