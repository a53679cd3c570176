"""Formulas in controlled English, and back.

``english`` writes one sentence that reads naturally and has one meaning; ``read_english`` reads exactly that
language, so that nothing depends on how a person or a model would understand it. The language in short:

- *p holds*, *p does not hold*, *p and q hold*, *p or q or both hold*, *neither p nor q holds*;
- *if A, then B*, *A if and only if B*, *both A and B*, *either A or B, or both*, *it is not the case that A*;
- *at every time*, *at some time*, *at no time*, *at the next step*, with *between 2 and 5 time units later*,
  *within the next 5 time units*, *at least 2 time units later*, *exactly 3 time units later*;
- *A until eventually B* (B does come), *A for ever or until B* (weak), *B for ever or up to and including a
  time at which A* (release), *B up to and including a time at which A* (strong release);
- lists that say how long they are: *all 3 of these hold: A; B; and C*.
"""

from typing import TYPE_CHECKING

from assent.logic.english.say import english
from assent.rooms import later

if TYPE_CHECKING:
    from assent.logic.english.read import read_english

__all__ = ["english", "read_english"]
__getattr__ = later(__name__, {"read_english": "read"})
