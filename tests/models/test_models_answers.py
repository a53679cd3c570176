"""Answers: found leniently, validated strictly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import ModelError
from assent.models.base import Answer
from assent.prompting import answers, prompts

NONCE = "0123456789abcdef"
GOOD = {"nonce": NONCE, **dict.fromkeys(prompts.RATINGS, 95)}
ADVERSARIAL = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "golden" / "adversarial.jsonl").read_text().splitlines()
]


def rate(text: str) -> dict[str, int]:
    return answers.ratings(Answer(text=text), NONCE, prompts.RATINGS)


def formula(text: str) -> str:
    return answers.formula_text(Answer(text=text))


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "Here is my verdict:\n{}\nI hope it helps.",
        "<think>hm {{x</think>\n{}",
        'A {{odd}} remark, then {{"other": 1}} and then {}',
        "{}\n\nAgain: {}",
    ],
)
def test_a_good_rating_is_found_in_any_wrapping(around: str) -> None:
    body = json.dumps(GOOD)
    text = (
        around.replace("{{", "\0")
        .replace("}}", "\1")
        .replace("{}", body)
        .replace("\0", "{")
        .replace("\1", "}")
    )
    assert rate(text) == dict.fromkeys(prompts.RATINGS, 95)


@given(st.dictionaries(st.sampled_from(prompts.RATINGS), st.integers(0, 100), min_size=4))
def test_ratings_come_back_as_they_are(given_: dict[str, int]) -> None:
    assert rate(json.dumps(given_ | {"nonce": NONCE, "reason": "x"})) == given_


@given(
    st.sampled_from(prompts.RATINGS),
    st.one_of(
        st.integers(max_value=-1),
        st.integers(min_value=101),
        st.floats(),
        st.text(),
        st.none(),
        st.booleans(),
        st.lists(st.integers(0, 100)),
    ),
)
def test_nothing_but_an_integer_in_range_passes(key: str, value: object) -> None:
    with pytest.raises(ModelError) as caught:
        rate(json.dumps(GOOD | {key: value}))
    assert caught.value.retry


@pytest.mark.parametrize("missing", ["nonce", *prompts.RATINGS])
def test_nothing_may_be_missing(missing: str) -> None:
    with pytest.raises(ModelError):
        rate(json.dumps({key: value for key, value in GOOD.items() if key != missing}))


@given(st.text(alphabet='{}[]":,0123456789abcdefnotruelsp \n`', max_size=60))
def test_no_rubbish_is_ever_a_rating(text: str) -> None:
    with pytest.raises(ModelError):
        rate(text)


def test_objects_that_differ_or_repeat_a_key_are_refused() -> None:
    with pytest.raises(ModelError, match="differ"):
        rate(json.dumps(GOOD) + json.dumps(GOOD | {"overall_meaning": 5}))
    with pytest.raises(ModelError, match="twice"):
        rate(json.dumps(GOOD)[:-1] + ', "overall_meaning": 100}')


@pytest.mark.parametrize("row", ADVERSARIAL, ids=lambda row: row["id"])
def test_a_model_that_fell_for_it_is_refused(row: dict[str, str]) -> None:
    """The recorded answer is what a model says that obeyed the text; none of them is a rating or a label."""
    for prompt, read in (
        (prompts.judge(row["text"], "Something else.", "ltl"), _ratings),
        (prompts.single_question(row["text"], "Something else.", "ltl"), _one),
        (prompts.judge(row["text"], "Something else.", "spatial"), _labels),
    ):
        assert prompt.nonce is not None
        said = Answer(text=row["answer"].replace("{{nonce}}", prompt.nonce))
        with pytest.raises(ModelError):
            read(said, prompt.nonce)
    if row["kind"] == "formula":
        with pytest.raises(ModelError):
            formula(row["answer"])


def _ratings(answer: Answer, nonce: str) -> object:
    return answers.ratings(answer, nonce, prompts.RATINGS)


def _one(answer: Answer, nonce: str) -> object:
    return answers.ratings(answer, nonce, ("rating",))


def _labels(answer: Answer, nonce: str) -> object:
    return answers.labels(answer, nonce, prompts.LABELS, prompts.LABEL_VALUES)


def test_labels_and_their_reason() -> None:
    body = {"nonce": NONCE, **dict.fromkeys(prompts.LABELS, "match"), "reason": "word " * 40}
    answer = Answer(text=json.dumps(body))
    assert _labels(answer, NONCE) == dict.fromkeys(prompts.LABELS, "match")
    assert len(answers.reason(answer, NONCE).split()) == 20
    for wrong in ("Match", "matches", "", 1, None, ["match"]):
        with pytest.raises(ModelError):
            _labels(Answer(text=json.dumps(body | {"spatial": wrong})), NONCE)


def test_a_cut_answer_is_refused_however_good_it_looks() -> None:
    for finish in ("length", "filter"):
        for read in (answers.formula_text, answers.sentence, rate_answer):
            with pytest.raises(ModelError, match="cut"):
                read(Answer(text=json.dumps(GOOD), finish=finish))  # type: ignore[arg-type]


def rate_answer(answer: Answer) -> object:
    return answers.ratings(answer, NONCE, prompts.RATINGS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("G(a -> F b)", "G(a -> F b)"),
        ("  G(a -> F b)\n", "G(a -> F b)"),
        ("LTL: G(a)", "G(a)"),
        ("**Formula:** G(a)", "G(a)"),
        ("The final answer is: G(a)", "G(a)"),
        ("`G(a)`", "G(a)"),
        ('"G(a)"', "G(a)"),
        ("The formula is `G(a)`.", "G(a)"),
        ("```\nG(a)\n```", "G(a)"),
        ("```ltl\nG(a)\n```", "G(a)"),
        ("Sure!\n```ltl\nG(a)\n```\nThis says that a always holds.", "G(a)"),
        ("```G(a)```", "G(a)"),
        ('{"formula": "G(a)"}', "G(a)"),
        ('```json\n{"formula": "G(a)"}\n```', "G(a)"),
        ("<think>maybe F(a)?</think>\nG(a)", "G(a)"),
        ("We want a at all times.\nFormula: G(a)", "G(a)"),
        ("We want a at all times.\nFormula:\nG(a)", "G(a)"),
        ("Formula: G(a)\nAnswer: G(a)", "G(a)"),
        ("(a &\n b)", "(a &\nb)"),
    ],
)
def test_a_formula_is_found(text: str, expected: str) -> None:
    assert formula(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "```\n```",
        "```\nG(a)\n```\nor\n```\nF(a)\n```",
        "either `G(a)` or `F(a)`",
        "Formula: G(a)\nFormula: F(a)",
        '{"formula": "G(a)"} {"formula": "F(a)"}',
        "<think>so it is G(a)",
        "<think>a</think> G(a) </think> F(a)",
        "x" * 60_000,
    ],
)
def test_two_formulas_or_none_are_refused(text: str) -> None:
    with pytest.raises(ModelError):
        formula(text)


@given(st.text(max_size=200))
def test_extraction_only_fails_in_one_way(text: str) -> None:
    for read in (answers.formula_text, answers.sentence, rate_answer):
        try:
            read(Answer(text=text))
        except ModelError as error:
            assert error.retry


def test_deep_or_long_json_is_no_trouble() -> None:
    for text in ("{" * 49_000, '{"a":' * 9_000, "[" * 40_000 + "{"):
        with pytest.raises(ModelError):
            rate(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Whenever a holds, b holds.", "Whenever a holds, b holds."),
        ('"Whenever a holds,\n b holds."', "Whenever a holds, b holds."),
        ("English: a holds.", "a holds."),
        ("```\na holds.\n```", "a holds."),
    ],
)
def test_a_sentence_is_found(text: str, expected: str) -> None:
    assert answers.sentence(Answer(text=text)) == expected


@pytest.mark.parametrize("text", ["", "...", "123", "a " * 3_000])
def test_a_sentence_has_words_and_an_end(text: str) -> None:
    with pytest.raises(ModelError):
        answers.sentence(Answer(text=text))
