"""Words that open a requirement: conditions of a rule, polite leads, the present."""

from __future__ import annotations

WHENEVER = (
    "whenever", "whenever", "whenever", "every time", "each time", "at any time when", "any time", "as soon as", "at all times , if",
    "always , if", "if at any time", "if ever", "at every moment when", "in every case in which", "if", "if", "if", "when", "once", "once",
    "at any time", "always when", "at all times , whenever", "it must always be the case that if", "every time that", "it is always the case that if",
    "in case", "on every occasion that", "at any moment when", "globally , if", "it always holds that if", "any time that", "as long as", "while", "in all cases where",
)  # fmt: skip
CASUAL_WHENEVER = ("on a", "with the", "during", "whenever", "whenever", "if", "if", "once", "when", "every time", "any time", "with", "on", "after", "as soon as", "anytime", "while")
LEADS = (
    "the system shall ensure that", "it is required that", "make sure that", "make sure", "ensure that", "it must be that", "please make sure",
    "we need that", "the requirement is that", "it shall be guaranteed that", "guarantee that", "it must be the case that", "the following must hold :",
    "it is necessary that", "we want", "see to it that", "require that", "it has to be that", "i want", "it should be the case that",
)  # fmt: skip
RIGHT_NOW = ("right now", "now", "at the start", "initially", "at present", "at this moment", "currently", "already now", "at the outset", "at time 0", "in the beginning")
