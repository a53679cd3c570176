"""What a model answered: found leniently, validated strictly.

Prose, fences and labels around an answer do no harm; what is inside must be exactly what was asked for. An
answer that is cut, ambiguous or of another shape raises ``ModelError`` with ``retry=True``: whoever asked
draws the next sample, and gives up after a few. No number is ever guessed, clipped or rounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from assent.errors import ModelError
from assent.models.base import Answer

LONGEST_ANSWER = 50_000
LONGEST_SENTENCE = 4_000
MOST_BRACES = 200  # each may start an object, and trying them all on deep nesting takes seconds

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"</?(think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```[^\S\n]*[\w+-]*[^\S\n]*\n(.*?)```|```(.*?)```", re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_WORDS = r"(?:(?:the|final|resulting|corresponding)\s+)*(?:ltl|stl|spatial|answer|formula|output|translation)"
_LABEL = re.compile(rf"^[\s>*_#-]*{_WORDS}(?:\s+formula)?(?:\s+is)?[*_]*\s*:[*_]*\s*", re.IGNORECASE)
_SENTENCE_LABEL = re.compile(
    r"^[\s>*_#-]*(?:english|translation|meaning|answer)[*_]*\s*:[*_]*\s*", re.IGNORECASE
)


def formula_text(answer: Answer) -> str:
    """The text of the formula in an answer; whether it is a formula is for the reader to say."""
    text = _whole(answer)
    found = [body for body in _objects(text) if isinstance(body.get("formula"), str)]
    if found:
        return _single([str(body["formula"]).strip() for body in found], "formulas")
    fences = [(block or inline).strip() for block, inline in _FENCE.findall(text)]
    if fences:
        return _unlabelled(_single(fences, "fenced blocks"))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        spans = _SPAN.findall(lines[0])
        return _unlabelled(_single(spans, "quoted formulas") if spans else lines[0])
    labelled = [line for line in lines if _LABEL.match(line)]
    if labelled:
        # The label may stand alone above the formula.
        bodies = [_unlabelled(line) or _after(lines, line) for line in labelled]
        return _single([body for body in bodies if body], "labelled formulas")
    return "\n".join(lines)


def sentence(answer: Answer) -> str:
    """English prose in an answer, on one line."""
    text = _SENTENCE_LABEL.sub("", _whole(answer))
    fences = [(block or inline).strip() for block, inline in _FENCE.findall(text)]
    line = " ".join((_single(fences, "fenced blocks") if fences else text).split())
    if len(line) > 1 and line[0] == line[-1] == '"':
        line = line[1:-1].strip()
    if not line or not any(character.isalpha() for character in line):
        raise ModelError("the answer has no words", retry=True)
    if len(line) > LONGEST_SENTENCE:
        raise ModelError(f"the answer has more than {LONGEST_SENTENCE} characters", retry=True)
    return line


def ratings(answer: Answer, nonce: str, keys: Sequence[str]) -> dict[str, int]:
    """An integer from 0 to 100 under every key, beside the nonce."""
    body = _echoing(answer, nonce)
    return {key: _rating(body, key) for key in keys}


def labels(answer: Answer, nonce: str, keys: Sequence[str], values: Sequence[str]) -> dict[str, str]:
    """One of the values under every key, beside the nonce."""
    body = _echoing(answer, nonce)
    for key in keys:
        if not isinstance(body.get(key), str) or body[key] not in values:
            raise ModelError(f"{key} is not one of {', '.join(values)}", retry=True)
    return {key: body[key] for key in keys}


def reason(answer: Answer, nonce: str) -> str:
    """The reason that came with the labels, at most 20 words of it; empty if there is none."""
    said = _echoing(answer, nonce).get("reason")
    return " ".join(said.split()[:20]) if isinstance(said, str) else ""


def _rating(body: dict[str, Any], key: str) -> int:
    value = body.get(key)
    # True is an int to Python, and 95.0 a number to JSON; neither is what was asked for.
    if type(value) is not int or not 0 <= value <= 100:
        raise ModelError(f"{key} is not an integer from 0 to 100", retry=True)
    return value


def _echoing(answer: Answer, nonce: str) -> dict[str, Any]:
    """The one JSON object of an answer that repeats the nonce."""
    found = [body for body in _objects(_whole(answer)) if body.get("nonce") == nonce]
    if not found:
        raise ModelError("no JSON object in the answer repeats the code of the request", retry=True)
    if any(body != found[0] for body in found):
        raise ModelError("the answer holds several JSON objects that differ", retry=True)
    return found[0]


def _whole(answer: Answer) -> str:
    """The text of a complete answer without the model's thoughts."""
    if not answer.complete:
        raise ModelError(f"the answer is cut ({answer.finish})", retry=True)
    if len(answer.text) > LONGEST_ANSWER:
        raise ModelError(f"the answer has more than {LONGEST_ANSWER} characters", retry=True)
    text = _THOUGHT.sub("", answer.text)
    if _OPEN_THOUGHT.search(text):
        raise ModelError("the answer stops in the middle of a thought", retry=True)
    if not text.strip():
        raise ModelError("the answer is empty", retry=True)
    return text.strip()


def _unlabelled(text: str) -> str:
    body = _LABEL.sub("", text).strip()
    if len(body) > 1 and body[0] == body[-1] and body[0] in "`\"'":
        body = body[1:-1].strip()
    return body


def _after(lines: Sequence[str], label: str) -> str:
    place = lines.index(label) + 1
    return _unlabelled(lines[place]) if place < len(lines) else ""


def _single(found: Sequence[str], what: str) -> str:
    distinct = sorted(set(found))
    if len(distinct) != 1 or not distinct[0]:
        raise ModelError(f"the answer holds {len(distinct)} different {what}, not one", retry=True)
    return distinct[0]


class _Repeated(ValueError):
    """An object says the same key twice: which one counts is anyone's guess."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise _Repeated
    return body


_decoder = json.JSONDecoder(object_pairs_hook=_pairs)


def _objects(text: str) -> Iterable[dict[str, Any]]:
    """Every outermost JSON object in a text."""
    if text.count("{") > MOST_BRACES:
        raise ModelError(f"the answer has more than {MOST_BRACES} opening braces", retry=True)
    place = text.find("{")
    while place >= 0:
        try:
            body, end = _decoder.raw_decode(text, place)
        except _Repeated:
            raise ModelError("a JSON object in the answer has a key twice", retry=True) from None
        except (ValueError, RecursionError):
            end = place + 1
        else:
            if isinstance(body, dict):
                yield body
        place = text.find("{", end)
