"""Every prompt, a text file each; here they are filled in and hashed.

What comes from outside (an instruction, a formula, back-translated English, names) is **data**. It enters a
prompt only through ``quoted``: one line, a JSON string, in which nothing can end the quotation, start another
turn of the chat or open a fence; ``json.loads`` gives the text back exactly. Places are filled in one pass,
so data that looks like a place stays data. A judge must repeat a code (the *nonce*) that is derived from the
data and does not occur in it, so that no text can carry a ready-made rating.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from assent.errors import UsageError
from assent.models.base import Message, Prompt, Role
from assent.prompting import LABEL_VALUES, LABELS, RATING, RATINGS
from assent.prompting.prompts.examples import Example, fixed

LOGIC_NAMES = {"ltl": "LTL", "stl": "STL", "spatial": "SpaTiaL"}

_SECTION = re.compile(r"^\[(system|user)\]\n", re.MULTILINE)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
# What chat templates use to begin and end turns: <|im_end|>, <s>, </s>, [INST], <<SYS>>, <start_of_turn>,
# <think> … and the marks of fences. A "<" stays only where it compares or is part of "<->". Only the first
# character is escaped; a JSON reader sees the same text.
_MARKER = re.compile(
    r"<(?![ =\d-])|\[(?=/?[A-Z_]{3,}\])|`(?=`)|(?<=`)`|[|\uff5c](?=>)|[\u007f-\u009f\u2028\u2029]"
)
_INVISIBLE = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]")


def translation(
    instruction: str,
    logic: str,
    *,
    names: Mapping[str, str] | None = None,
    examples: Sequence[Example] | None = None,
) -> Prompt:
    """Ask for the formula of an instruction. ``names``: vocabulary names with what they stand for."""
    shots = fixed(_known(logic)) if examples is None else tuple(examples)
    places = {"instruction": quoted(instruction), "names": _listed(names)}
    system, user = _filled(f"translate_{_known(logic)}", places)
    return Prompt(
        messages=(system, *_turns(shots), user),
        task="translate",
        logic=logic,
        subject=instruction,
        inputs={"instruction": instruction},
    )


def back_translation(formula: str, logic: str, *, names: Mapping[str, str] | None = None) -> Prompt:
    """Ask for the English of a formula; the instruction is never shown."""
    places = {"formula": quoted(formula), "logic": LOGIC_NAMES[_known(logic)], "names": _listed(names)}
    return Prompt(
        messages=_filled("back_translate", places),
        task="back_translate",
        logic=logic,
        subject=formula,
        inputs={"formula": formula},
    )


def judge(instruction: str, english: str, logic: str) -> Prompt:
    """Ask how far instruction and back-translation agree: four ratings, or four labels for SpaTiaL."""
    name = "judge_spatial" if _known(logic) == "spatial" else "judge"
    return _judging(name, "judge", logic, {"instruction": instruction, "english": english})


def direct_judge(instruction: str, formula: str, logic: str) -> Prompt:
    """The same without back-translation: the instruction against the formula itself."""
    name = "direct_judge_spatial" if _known(logic) == "spatial" else "direct_judge"
    return _judging(name, "direct_judge", logic, {"instruction": instruction, "formula": formula})


def single_question(instruction: str, english: str, logic: str) -> Prompt:
    """One question, one rating."""
    inputs = {"instruction": instruction, "english": english}
    return _judging("single_question", "single_question", _known(logic), inputs)


def fingerprint(task: str, logic: str, examples: Sequence[Example] | None = None) -> str:
    """Hash of everything fixed in the prompts of a task: the file, and the examples of a translation."""
    logic = _known(logic)
    names = {
        "translate": f"translate_{logic}",
        "back_translate": "back_translate",
        "judge": "judge_spatial" if logic == "spatial" else "judge",
        "direct_judge": "direct_judge_spatial" if logic == "spatial" else "direct_judge",
        "single_question": "single_question",
    }
    if task not in names:
        raise UsageError(f"no prompt for the task {task!r}; there are {', '.join(names)}")
    text = _text(names[task])
    if task == "translate":
        shots = fixed(logic) if examples is None else examples
        text += "".join(f"\n{json.dumps([shot.text, shot.formula])}" for shot in shots)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def quoted(data: str) -> str:
    """Data as one line that nothing inside can leave; ``json.loads`` is its inverse."""
    encoded = json.dumps(data, ensure_ascii=False)
    encoded = _MARKER.sub(lambda found: f"\\u{ord(found.group()):04x}", encoded)
    return _INVISIBLE.sub(lambda found: json.dumps(found.group())[1:-1], encoded)


def nonce_for(name: str, inputs: Mapping[str, str]) -> str:
    """A code that depends on all the data and occurs in none of it.

    It is not random: the same question must have the same prompt, or no cache would ever hit. A text cannot
    contain its own code, because the code is drawn again if it does.
    """
    data = json.dumps([name, dict(inputs)], sort_keys=True)
    for turn in range(1000):
        code = hashlib.sha256(f"{turn}:{data}".encode()).hexdigest()[:16]
        if not any(code in text.lower() for text in inputs.values()):
            return code
    raise UsageError("the text contains a thousand codes of its own; it is no instruction")


def _judging(name: str, task: str, logic: str, inputs: Mapping[str, str]) -> Prompt:
    nonce = nonce_for(name, inputs)
    places = {field: quoted(text) for field, text in inputs.items()}
    places |= {"nonce": nonce, "logic": LOGIC_NAMES[logic]}
    return Prompt(
        messages=_filled(name, places),
        task=task,
        logic=logic,
        subject=inputs["instruction"],
        inputs=dict(inputs),
        nonce=nonce,
        schema=schema(task, logic),
    )


def schema(task: str, logic: str) -> dict[str, Any]:
    """JSON schema of a judge's answer."""
    if task == "single_question":
        fields: dict[str, Any] = {RATING: {"type": "integer", "minimum": 0, "maximum": 100}}
    elif logic == "spatial":
        fields = {label: {"type": "string", "enum": list(LABEL_VALUES)} for label in LABELS}
        fields["reason"] = {"type": "string"}
    else:
        fields = {rating: {"type": "integer", "minimum": 0, "maximum": 100} for rating in RATINGS}
    properties = {"nonce": {"type": "string"}} | fields
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _known(logic: str) -> str:
    if logic not in LOGIC_NAMES:
        raise UsageError(f"no prompts for the logic {logic!r}; there are {', '.join(LOGIC_NAMES)}")
    return str(logic)


def _listed(names: Mapping[str, str] | None) -> str:
    if not names:
        return ""
    lines = [f"  {quoted(name)}: {quoted(says)}" for name, says in names.items()]
    return "\nNames, with what they stand for (use these and no others):\n" + "\n".join(lines)


@lru_cache(maxsize=512)
def _turns(shots: tuple[Example, ...]) -> tuple[Message, ...]:
    return tuple(
        turn
        for shot in shots
        for turn in (
            Message("user", f"Sentence: {quoted(shot.text)}"),
            Message("assistant", shot.formula),
        )
    )


@cache
def _text(name: str) -> str:
    return resources.files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")


def _filled(name: str, places: Mapping[str, str]) -> tuple[Message, ...]:
    """The turns of a prompt file with its places filled in, in one pass."""
    return tuple(
        Message(role, "".join(places[part] if place else part for place, part in body).strip())
        for role, body in _sections(name)
    )


@cache
def _sections(name: str) -> tuple[tuple[Role, tuple[tuple[bool, str], ...]], ...]:
    """The turns of a prompt file: each a role, and its text in parts, places marked."""
    parts = _SECTION.split(_text(name))
    roles: list[Role] = ["system" if role == "system" else "user" for role in parts[1::2]]
    bodies = [tuple((i % 2 == 1, part) for i, part in enumerate(_PLACE.split(text))) for text in parts[2::2]]
    return tuple(zip(roles, bodies, strict=True))
