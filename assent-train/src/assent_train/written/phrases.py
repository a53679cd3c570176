"""Words that stand between and before sentences, and short words for places: hand-written, one phrase a line."""

from __future__ import annotations


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in text.strip().splitlines())


JOINTS = _phrases(
    """
    .
    .
    .
    ;
    , and
    ; and
    . and
    . also ,
    . besides ,
    . on top of that ,
    . at the same time ,
    . moreover ,
    . second :
    """
)
OPENINGS = _phrases(
    """
    note :
    please note :
    important :
    as agreed ,
    for the record ,
    one more thing :
    listen ,
    safety rule :
    reminder :
    from the manual :
    hi ,
    ok so
    well ,
    requirement :
    remember ,
    as a rule ,
    look ,
    please :
    new rule :
    fyi ,
    boss says :
    in our plant ,
    on this machine ,
    todo :
    spec :
    """
)
PLACES = frozenset(
    line.strip()
    for line in """
    above
    over
    below
    under
    beneath
    underneath
    near
    close to
    far from
    away from
    left of
    right of
    to the left of
    to the right of
    on the left of
    on the right of
    inside
    within
    on top of
    next to
    beside
    alongside
    in
    into
    on
    onto
    outside
    clear of
    against
    up against
    touching
    overlapping
    fully inside
    completely inside
    partly over
    right under
    directly above
    directly below
    just above
    just below
    well away from
    nowhere near
    """.strip().splitlines()
)
"""Said of two things, one of these can take another's place in most sentences."""
ACTORS = frozenset(
    """
    robot controller system machine operator crew driver attendant unit panel plant software boss nurse technician
    arm gripper vehicle device station guard foreman staff supervisor
    """.split()
)
"""Who acts in a requirement; few vocabularies name them."""
