"""Sentences of a document: where they end, what stands before them as an identifier, which are requirements.

Nothing here changes a word. A sentence that holds several requirements is split where each part is complete by
itself, and refused where splitting would change what it says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from assent.lift.characters import label_end

_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|fig|vs|resp|incl|cf|ref|eq)\.$", re.IGNORECASE)
_BEFORE_FIGURES = re.compile(r"\b(?:approx|min|max|no|nr|sec|ch|art|par)\.$", re.IGNORECASE)
_END = re.compile(r"[.!?](?:[\"')\]]+)?(?=\s+[\"'(\[]?[A-Z0-9])")
_MODAL = (
    r"(?:shall|must|should|will|may not|cannot|can't|mustn't|won't|needs? to|has to|have to|is to|are to)"
)
_DEMANDS = re.compile(
    rf"\b(?:{_MODAL}|never|always|whenever|at all times|eventually|don't|do not|ensure|make sure|as long as|"
    r"as soon as)\b",
    re.IGNORECASE,
)
_TRIGGER = re.compile(
    r"^(?:when|whenever|if|while|where|once|after|before|until|unless|as soon as|as long as|every time|each time|"
    r"during|upon|on|in case|at no time|no |within|only|keep|both|either)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(rf"\b{_MODAL}\b", re.IGNORECASE)
_STORY = re.compile(
    r"^(?:user story\s*:?\s*)?as an? .{1,200}?\bI (?:want|need|would like|can)\b", re.IGNORECASE
)
_REMARK = re.compile(
    r"^(?:note|notes|rationale|remark|comment|example|reason|source|see|owner|status|priority|author|verification|"
    r"todo|tbd|tbc|n/?a|reference|version|date|title|hint|background|user story|given|trace|parent|test)\s*(?::|$)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"^(?:it|this|they|these|those|that|he|she|otherwise|then|in this case|in that case|the latter|the former|"
    r"afterwards|thereafter|in addition to this)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Za-z][\w.\-/# ]*\d[\w.\-/]*|\d+(?:\.\d+)+", re.ASCII)
_PARTS = re.compile(
    rf";\s+(?=\S)|,?\s+and\s+(?=(?:the|an?|no|each|every|all)\s[^,;]{{1,80}}?\b{_MODAL}\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: what it says and where it begins in it (from 0). ``refused``: why it cannot stand alone."""

    text: str
    start: int
    refused: str | None = None


def labelled(text: str) -> tuple[str | None, int]:
    """The identifier at the beginning of a text, if it is one, and where the text itself begins.

    "REQ-17: The" -> ("REQ-17", 8). A mere number of a list ("3.", "(a)", "-") is left out and gives no identifier.
    """
    end = label_end(text)
    if end == 0:
        return None, len(text) - len(text.lstrip())
    label = text[:end].strip().strip("[]():.|- \t*#")
    return (label if _CODE.fullmatch(label) else None), end


def sentences(text: str) -> list[Piece]:
    """The sentences of a text, without blanks around them."""
    pieces, start = [], 0
    for stop in _END.finditer(text):
        if _abbreviated(text, stop.start() + 1):
            continue
        pieces.append(_piece(text, start, stop.end()))
        start = stop.end()
    pieces.append(_piece(text, start, len(text)))
    return [piece for piece in pieces if piece.text]


def _abbreviated(text: str, end: int) -> bool:
    """Whether the full stop before ``end`` belongs to a shortened word: "e.g. The", "max. 5"."""
    word = text[max(0, end - 12) : end]
    return bool(
        _ABBREVIATED.search(word) or (_BEFORE_FIGURES.search(word) and text[end:].lstrip()[:1].isdigit())
    )


def _piece(text: str, start: int, end: int) -> Piece:
    part = text[start:end]
    return Piece(part.strip(), start + len(part) - len(part.lstrip()))


def demands(sentence: str) -> bool:
    """Whether a sentence reads like a requirement wherever it stands: "shall", "never", "When ..., ..."."""
    if _STORY.match(sentence) or _REMARK.match(sentence):
        return False
    return bool(_DEMANDS.search(sentence) or (_TRIGGER.match(sentence) and "," in sentence))


def why_not(sentence: str) -> str | None:
    """Why a sentence in a list or a cell is no requirement; None if it may be one."""
    if _STORY.match(sentence):
        return "a user story"
    if _REMARK.match(sentence):
        return "a remark"
    if len(re.findall(r"[^\W\d_]{2,}", sentence)) < 3:
        return "too short for a requirement"
    return None


def requirements_in(text: str) -> list[Piece]:
    """The single requirements of one entry (a list item, a cell, a paragraph), remarks left in: see ``why_not``.

    Sentences stand alone; "A shall p; B shall q" becomes two if nothing before it holds for both. A sentence that
    points back ("It shall ...") and parts that may share a condition are refused.
    """
    pieces: list[Piece] = []
    for number, sentence in enumerate(sentences(text)):
        if number and _POINTS_BACK.match(sentence.text) and demands(sentence.text):
            word = sentence.text.split()[0]
            pieces.append(
                Piece(sentence.text, sentence.start, f"begins with {word!r}, which points back: write it out")
            )
        else:
            pieces += _split(sentence)
    return pieces


def _split(sentence: Piece) -> list[Piece]:
    cuts = [cut for cut in _PARTS.finditer(sentence.text) if _complete(sentence.text, cut)]
    if not cuts:
        return [sentence]
    conditional = _TRIGGER.match(sentence.text) or re.search(
        r"\b(?:when|if|while|until|unless|once|before|after|as long as|either|where)\b",
        sentence.text,
        re.IGNORECASE,
    )
    if conditional:
        several = any(cut.group().startswith(";") for cut in cuts)
        why = "several requirements in one sentence, and a condition that may hold for each: write one sentence each"
        return [Piece(sentence.text, sentence.start, why)] if several else [sentence]
    bounds = [(0, cuts[0].start())]
    bounds += [(cut.end(), after.start()) for cut, after in pairwise(cuts)]
    bounds.append((cuts[-1].end(), len(sentence.text)))
    return [Piece(sentence.text[a:b].strip(), sentence.start + a) for a, b in bounds]


def _complete(text: str, cut: re.Match[str]) -> bool:
    """Whether what stands on both sides of a cut demands something by itself."""
    before, after = text[: cut.start()], text[cut.end() :]
    return bool(
        _STRONG.search(before)
        and _STRONG.search(after)
        and len(before.split()) > 2
        and len(after.split()) > 2
    )
