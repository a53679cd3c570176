"""Requirements in natural English, formal and casual, for all three logics."""

from __future__ import annotations

import random
from collections.abc import Callable

from assent_train.corpus.part import Names
from assent_train.corpus.placeholders import Placeholders
from assent_train.corpus.speech import Speech
from assent_train.corpus.tops import Tops
from assent_train.corpus.trees import Tree


class Requirements(Speech):
    """Sentences for whole formulas."""

    def __init__(
        self, rng: random.Random, casual: bool, names: Callable[[Speech], Names] = Placeholders
    ) -> None:
        super().__init__(rng, casual, names)
        self.tops = Tops(self)

    def sentence(self, tree: Tree) -> str:
        return self.clauses.finish(self.tops.top(tree), tree)
