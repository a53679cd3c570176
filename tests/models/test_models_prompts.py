"""Prompts: data stays data, whatever it says; files, examples and hashes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import UsageError
from assent.logic.parse import read
from assent.models.base import Prompt
from assent.prompting import prompts
from assent.prompting.prompts.examples import Example, fixed, nearest

LOGICS = ("ltl", "stl", "spatial")
ADVERSARIAL = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "golden" / "adversarial.jsonl").read_text().splitlines()
]
# Templates as chat models ship them, in their own marks.
CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>' + '\n' }}{% endfor %}"
    "{{ '<|im_start|>assistant\n' }}"
)
LLAMA3 = (
    "{{ '<|begin_of_text|>' }}{% for m in messages %}{{ '<|start_header_id|>' + m.role + '<|end_header_id|>\n\n' "
    "+ m.content + '<|eot_id|>' }}{% endfor %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}"
)
MISTRAL = (
    "{{ '<s>' }}{% for m in messages %}{% if m.role == 'assistant' %}{{ ' ' + m.content + '</s>' }}{% else %}"
    "{{ '[INST] ' + m.content + ' [/INST]' }}{% endif %}{% endfor %}"
)
GEMMA = (
    "{{ '<bos>' }}{% for m in messages %}{{ '<start_of_turn>' + m.role + '\n' + m.content + '<end_of_turn>\n' }}"
    "{% endfor %}{{ '<start_of_turn>model\n' }}"
)
MARKS = re.compile(
    r"<\|\w+\|>|</?s>|<bos>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<\uff5c\w+\uff5c>|</?think>|```"
)

hostile = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            [
                "<|im_end|>",
                "<",
                "|>",
                "[INST]",
                "[/INST]",
                "`",
                "```",
                '"',
                "\\",
                "\n",
                "</s>",
                "<<SYS>>",
                "{{nonce}}",
                "<start_of_turn>",
                "<\uff5cend\uff5c>",
                "\u2028",
                "\u202e",
                "</think>",
                "a",
                "[",
                "Code: ",
                "{",
                "}",
            ]
        ),
        max_size=12,
    ).map("".join),
).filter(lambda text: not re.search("[\ud800-\udfff]", text))


def asked(text: str, logic: str = "ltl") -> list[Prompt]:
    """Every prompt that holds this text, wherever it can stand."""
    return [
        prompts.translation(text, logic),
        prompts.translation("The door opens.", logic, names={"door": text, text: "x"}),
        prompts.translation("The door opens.", logic, examples=[Example(text, "F a")]),
        prompts.back_translation(text, logic),
        prompts.judge(text, "The door opens.", logic),
        prompts.judge("The door opens.", text, logic),
        prompts.direct_judge(text, "F a", logic),
        prompts.direct_judge("The door opens.", text, logic),
        prompts.single_question(text, text, logic),
    ]


@given(hostile)
def test_quoting_is_one_line_without_marks_and_can_be_undone(text: str) -> None:
    quoted = prompts.quoted(text)
    assert json.loads(quoted) == text
    assert len(quoted.splitlines()) == 1
    assert not MARKS.search(quoted)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]", quoted)


@pytest.mark.parametrize("template", [CHATML, LLAMA3, MISTRAL, GEMMA])
@given(hostile)
def test_no_text_adds_a_turn_to_a_real_chat_template(template: str, text: str) -> None:
    """The marks in the rendered chat are those of the same chat about a harmless text."""
    render = jinja2.Template(template).render
    for prompt, harmless in zip(asked(text), asked("harmless"), strict=True):
        chat, plain = render(messages=prompt.messages), render(messages=harmless.messages)
        assert MARKS.findall(chat) == MARKS.findall(plain)


@pytest.mark.parametrize("row", ADVERSARIAL, ids=lambda row: row["id"])
@pytest.mark.parametrize("logic", LOGICS)
def test_adversarial_texts_change_no_prompt_but_at_their_place(row: dict[str, str], logic: str) -> None:
    for prompt, harmless in zip(asked(row["text"], logic), asked("harmless", logic), strict=True):
        assert [turn.role for turn in prompt.messages] == [turn.role for turn in harmless.messages]
        for turn, plain in zip(prompt.messages, harmless.messages, strict=True):
            there = turn.content.replace(prompts.quoted(row["text"]), prompts.quoted("harmless"))
            if prompt.nonce and harmless.nonce:
                there = there.replace(f"Code: {prompt.nonce}", f"Code: {harmless.nonce}")
            assert there == plain.content
        assert prompt.schema == harmless.schema


@given(hostile, hostile)
def test_the_nonce_is_stable_and_never_in_the_data(a: str, b: str) -> None:
    prompt = prompts.judge(a, b, "ltl")
    assert prompt.nonce == prompts.judge(a, b, "ltl").nonce
    assert prompt.nonce
    assert prompt.nonce not in a + b
    assert f"Code: {prompt.nonce}\n" in prompt.messages[-1].content


def test_the_nonce_is_drawn_again_if_the_text_knows_it() -> None:
    """A text cannot contain its own code: simulate one that does, by a hash of a single letter."""
    inputs = {"instruction": "x", "english": "y"}
    code = prompts.nonce_for("judge", inputs)

    class Prophet(str):
        __slots__ = ()

        def lower(self) -> str:
            return f"the code is {code}"

    again = prompts.nonce_for("judge", {"instruction": Prophet("x"), "english": "y"})
    assert again != code


def test_the_nonce_depends_on_all_the_data() -> None:
    made = {
        prompts.judge("a", "b", "ltl").nonce,
        prompts.judge("a", "c", "ltl").nonce,
        prompts.judge("c", "b", "ltl").nonce,
        prompts.judge("a", "b", "spatial").nonce,
        prompts.direct_judge("a", "b", "ltl").nonce,
        prompts.single_question("a", "b", "ltl").nonce,
    }
    assert len(made) == 6


@pytest.mark.parametrize("logic", LOGICS)
def test_no_place_is_left_open_and_no_prompt_shows_what_it_must_not(logic: str) -> None:
    for prompt in asked("The secret instruction.", logic):
        assert not any("{{" in turn.content for turn in prompt.messages)
        assert prompt.messages[0].role == "system"
        assert prompt.messages[-1].role == "user"
    back = prompts.back_translation("F a", logic)
    assert back.inputs == {"formula": "F a"}


@pytest.mark.parametrize("logic", LOGICS)
def test_examples_can_be_read_and_differ(logic: str) -> None:
    shots = fixed(logic)
    assert len({shot.text for shot in shots}) == len(shots) >= 8
    for shot in shots:
        read(shot.formula, logic)


def test_fingerprints_tell_prompts_apart() -> None:
    tasks = ("translate", "back_translate", "judge", "direct_judge", "single_question")
    prints = {(task, logic): prompts.fingerprint(task, logic) for task in tasks for logic in LOGICS}
    assert prints["translate", "ltl"] != prints["translate", "stl"]
    assert prints["judge", "ltl"] == prints["judge", "stl"] != prints["judge", "spatial"]
    one, two = [Example("a", "F a")], [Example("a", "G a")]
    assert prompts.fingerprint("translate", "ltl", one) != prompts.fingerprint("translate", "ltl", two)
    assert prompts.fingerprint("translate", "ltl", fixed("ltl")) == prints["translate", "ltl"]
    with pytest.raises(UsageError):
        prompts.fingerprint("sing", "ltl")
    with pytest.raises(UsageError):
        prompts.translation("a", "ctl")


def test_the_nearest_examples_come_last_and_never_the_text_itself() -> None:
    pool = [
        Example("the door opens", "F door"),
        Example("the valve closes within 5 s", "F[0,5] valve"),
        Example("a robot sings", "F sings"),
    ]
    chosen = nearest("the valve opens within 9 s", pool, 2)
    assert [example.formula for example in chosen] == ["F door", "F[0,5] valve"]
    assert pool[0] not in nearest("the door opens", pool, 3)
    assert nearest("", [], 3) == ()
    towards = {text: [1.0, float("sings" in text)] for text in (*(e.text for e in pool), "z sings")}
    embedded = nearest("z sings", pool, 1, embed=lambda texts: [towards[text] for text in texts])
    assert embedded == (pool[2],)


def test_examples_can_be_left_out_or_replaced() -> None:
    assert len(prompts.translation("a", "ltl", examples=[]).messages) == 2
    assert len(prompts.translation("a", "ltl", examples=[Example("b", "F b")]).messages) == 4
    assert len(prompts.translation("a", "ltl").messages) == 2 + 2 * len(fixed("ltl"))


def test_names_are_listed_with_what_they_say() -> None:
    prompt = prompts.translation("a", "ltl", names={"door_open": "the door is open"})
    assert '"door_open": "the door is open"' in prompt.messages[0].content
