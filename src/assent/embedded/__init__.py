"""The models that ship with the package, behind one door: offline, no torch.

    models = Embedded()                                  # or Embedded(folder) for weights of one's own
    lifted = models.lift(text, "ltl", vocabulary)        # names and numbers -> placeholders
    models.translate(lifted)                             # Translation | None (nothing readable)
    models.samples(lifted, range(5))                     # drawn at temperature 1, sample i depends on i alone
    models.english(formula, "ltl")                       # back-translation without the instruction
    models.judge(lifted, formula, disagreement=0.2)      # Judgement: score in [0, 1], four ratings
    models.embedder.embed([text])                        # unit vectors for the gate

Everything is loaded when first used, each file read once. ``version`` names the weights and what they give in
fingerprints. All results have the same bits on every machine (``assent.samebits``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

from assent.embedded import canary
from assent.embedded.doubts import doubts, says_plainly
from assent.embedded.embedder import Embedder, Guess
from assent.embedded.judge import DENIAL, EmbeddedJudge, EmbeddedJudgement, read_rule
from assent.embedded.opinions import (
    CONSIDERED,
    RerankedTranslator,
    ReverseModel,
    Weights,
    read_weights,
)
from assent.embedded.opinions import FILE as RERANK
from assent.embedded.seq2seq import ByTag, Seq2Seq, contents, one_thread
from assent.embedded.tokens import TAGS, UNKNOWN
from assent.embedded.translator import (
    BEAM,
    BEST,
    DRAWN,
    KEPT,
    OMISSION,
    TURNED,
    EmbeddedTranslator,
    Translation,
    source_of,
)
from assent.errors import ModelError
from assent.lift import VERSION, Lifted, linkings
from assent.logic.ast import Formula, Logic
from assent.vocabulary import Entry, Vocabulary, learnt_sayings

SPATIAL = "spatial"
"""Weights that went further on SpaTiaL."""
SECOND = "second"
"""The smaller translator that the judge asks, and that helps to put readings in order."""
TOO_PROBABLE = 0.5
"""Chance, in the translator's eyes, that no formula says it, above which a candidate is doubted."""
RULE = "judge.json"
PARTS = ("translator", SPATIAL, SECOND, "reverse", RULE, RERANK, "linker.npz")
NAMES = "names.json"
"""Further sayings for names of a vocabulary, in a folder of one's own only."""
ENGINE = 2
"""Changes with the arithmetic: 1 was CTranslate2, 2 is our own."""
LINKINGS, NEAR, LINKING = 3, 4.0, 1.5
"""Ways to link names that are read, how much more than the best they may cost, and what their cost weighs beside the
translator's log-probability."""
SEARCH = (BEAM, BEST, CONSIDERED, DRAWN, OMISSION, TURNED, LINKINGS, NEAR, LINKING, DENIAL)

__all__ = ["Embedded", "EmbeddedJudgement", "Translation", "shipped"]


def shipped() -> Path:
    """The folder with the package's own weights."""
    return Path(str(resources.files("assent").joinpath("weights")))


class Embedded:
    """All embedded models. What a folder of one's own lacks is taken from the package."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.folder = shipped() if folder is None else Path(folder)
        self._digests: dict[str, bytes] = {}
        self._waiting: dict[str, dict[str, bytes]] = {}  # read for the version, not yet made a model of

    def _part(self, name: str) -> Path:
        own = self.folder / name
        return own if own.exists() else shipped() / name

    def _read(self, name: str) -> dict[str, bytes]:
        """The files of a part by name, none if there are none; each is read once, for its digest and its model."""
        waiting = self._waiting.pop(name, None)
        if waiting is not None:
            return waiting
        path = self._part(name)
        try:
            found = (
                contents(path) if path.is_dir() else {path.name: path.read_bytes()} if path.exists() else {}
            )
        except OSError as error:
            raise ModelError(f"the weights in {path} cannot be read: {error}") from error
        digest = hashlib.sha256()
        for file, content in found.items():
            digest.update(f"{file} {len(content)} ".encode() + content)
        self._digests[name] = digest.digest()
        return found

    def _model(self, name: str) -> Seq2Seq:
        return Seq2Seq(self._part(name), files=self._read(name) or None, vectors=self._guess.vectors)

    @cached_property
    def version(self) -> str:
        """Two digests: of the weights, how text is lifted and how readings are searched for; of what that gives here.

        The first changes with any byte of the weights, the second on a machine that computes otherwise.
        """
        whole = hashlib.sha256(f"{VERSION} {SEARCH} {ENGINE}".encode())
        for name in PARTS:
            if name not in self._digests:
                self._waiting[name] = self._read(name)
            whole.update(self._digests[name])
        if (self.folder / NAMES).exists():
            self._waiting[NAMES] = self._read(NAMES)
            whole.update(self._digests[NAMES])
        weights = whole.hexdigest()[:12]
        return f"{weights}-{canary.remembered(self, weights)}"

    @cached_property
    def translator(self) -> EmbeddedTranslator:
        general = self._model("translator")
        model: Seq2Seq | ByTag = general
        if self._part(SPATIAL).is_dir():
            model = ByTag(general, {TAGS[Logic.SPATIAL.value]: self._model(SPATIAL)})
        weights = read_weights(self._part(RERANK).parent, self._read(RERANK).get(RERANK))
        return (
            EmbeddedTranslator(model)
            if weights == Weights()
            else RerankedTranslator(model, self.second.model, weights)
        )

    @cached_property
    def second(self) -> EmbeddedTranslator:
        """The second opinion: asked when readings are put in order, and by the judge."""
        return EmbeddedTranslator(self._model(SECOND))

    @cached_property
    def reverse(self) -> ReverseModel:
        return ReverseModel(self._model("reverse"))

    @cached_property
    def _judge(self) -> EmbeddedJudge:
        return self.plain_judge(read_rule(self._part(RULE), self._read(RULE).get(RULE)))

    def plain_judge(self, rule: Mapping[str, float]) -> EmbeddedJudge:
        """The judge with other weights for its evidence."""
        return EmbeddedJudge(self.translator, self.second, self.reverse, rule)

    @cached_property
    def _guess(self) -> Guess:
        return Guess(self.embedder)

    @cached_property
    def embedder(self) -> Embedder:
        return Embedder()

    def lift(self, text: str, logic: Logic | str, vocabulary: Vocabulary | None = None) -> Lifted:
        """Names and numbers become placeholders; FragmentError where the text is not one requirement."""
        return self._lift(text, Logic(logic), vocabulary)

    @cached_property
    def _lift(self) -> Callable[[str, Logic, Vocabulary | None], Lifted]:
        """The latest ones are kept: translator, samples and judge lift the same instruction."""
        return lru_cache(KEPT)(self._linked)

    @cached_property
    def _sayings(self) -> tuple[Entry, ...]:
        """What was learnt to be said for names; none with the package's own weights."""
        if not (self.folder / NAMES).exists():
            return ()
        return learnt_sayings(self._read(NAMES)[NAMES], str(self.folder / NAMES))

    def _linked(self, text: str, logic: Logic, vocabulary: Vocabulary | None) -> Lifted:
        """The best linking; where others cost little more, the one that the translator reads best."""
        if vocabulary is not None and self._sayings:
            vocabulary = vocabulary.with_sayings(self._sayings, str(self.folder / NAMES))
        with one_thread():
            ways = linkings(text, logic, vocabulary, self._guess, LINKINGS)
        near = [way for way in ways if way.cost - ways[0].cost <= NEAR]
        return near[0] if len(near) == 1 else self.translator.likeliest(near, LINKING)

    def translate(self, lifted: Lifted) -> Translation | None:
        """The best readable formula, or None."""
        return next(iter(self.n_best(lifted)), None)

    def n_best(self, lifted: Lifted, n: int = 5) -> list[Translation]:
        """Up to ``n`` readable formulas, best first."""
        return self.translator.readings(lifted)[:n] if n <= BEST else self.translator.n_best([lifted], n)[0]

    def n_best_of(self, instructions: Sequence[Lifted], n: int = 5) -> list[list[Translation]]:
        """The same for many instructions at once, which is quicker."""
        return self.translator.n_best(instructions, n)

    def samples(self, lifted: Lifted, numbers: range) -> list[Translation | None]:
        """Draws at temperature 1 by number; None for a draw that spells no formula."""
        return self.translator.samples(lifted, numbers)

    def english(self, formula: Formula, logic: Logic | str) -> str:
        """A sentence for the formula by the reverse model."""
        return self.reverse.english(formula, Logic(logic))

    def judge(
        self, lifted: Lifted, formula: Formula, *, disagreement: float | None = None
    ) -> EmbeddedJudgement:
        """How suspicious a candidate is; ``disagreement`` is the self-consistency score, None without samples."""
        return self._judge.judge(lifted, formula, disagreement=disagreement)

    def doubts(self, lifted: Lifted, formula: Formula) -> tuple[str, ...]:
        """Why the candidate must not be accepted, however little suspicious; empty as a rule."""
        source = source_of(lifted)
        read = zip(source, self.translator.model.known(source), strict=True)
        found = doubts(lifted, formula, frozenset(word for word, form in read if form == UNKNOWN))
        beyond = not says_plainly(lifted) and self.translator.beyond(lifted) > TOO_PROBABLE
        return (*found, "it seems to ask for what no formula of this logic says") if beyond else found
