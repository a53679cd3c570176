"""SpaTiaL plans in note form, as busy people say them: windows in front or behind, few verbs, hardly a unit."""

from __future__ import annotations

import random

from assent_train.corpus.fused import FusedNotes
from assent_train.corpus.note_plans import NotePlans
from assent_train.corpus.note_states import NoteStates
from assent_train.corpus.note_untils import NoteUntils
from assent_train.corpus.plan_states import PlanStates
from assent_train.corpus.plan_windows import NoteWindows
from assent_train.corpus.speech import Speech
from assent_train.corpus.trees import Tree


class Brief(Speech):
    """Notes."""

    def __init__(self, rng: random.Random, casual: bool) -> None:
        super().__init__(rng, casual)
        self.plan_states = PlanStates(self)
        self.note_windows = NoteWindows(self)
        self.note_states = NoteStates(self)
        self.notes = NotePlans(self)
        self.note_untils = NoteUntils(self)
        self.fused = FusedNotes(self)

    def sentence(self, tree: Tree) -> str:
        return self.notes.sentence(tree)

    def literal(self, tree: Tree, mood: str) -> str:
        return self.note_states.literal(tree, mood)

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        return self.note_states.state(tree, mood, depth)
