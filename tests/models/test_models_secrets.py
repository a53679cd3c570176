"""No spelling of a key is left in what a server, a program or a library says."""

from __future__ import annotations

import asyncio
import base64
import html
import json
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import ModelError
from assent.models import CommandModel, FunctionModel, Prompt, Sampling
from assent.models import litellm as litellm_module
from assent.models.litellm import LiteLLMModel
from assent.models.secrets import CUT, PLACEHOLDERS, Secrets, is_secret

ASK = Prompt.of("Say it.")
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=4, max_size=60).filter(is_secret)
AROUND = st.text(max_size=12)

SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "JSON": lambda key: json.dumps(key)[1:-1],
    "JSON with slashes escaped": lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)[1:-1])[1:-1],
    "JSON in JSON in JSON": lambda key: json.dumps(json.dumps(json.dumps(key)[1:-1])[1:-1])[1:-1],
    "JSON, all escaped": lambda key: "".join(f"\\u{ord(c):04x}" for c in key),
    "JSON, all escaped in capitals": lambda key: "".join(f"\\u{ord(c):04X}" for c in key),
    "JSON, every other escaped": lambda key: "".join(
        f"\\u{ord(c):04x}" if i % 2 else json.dumps(c)[1:-1] for i, c in enumerate(key)
    ),
    "Python": lambda key: "".join(f"\\x{ord(c):02x}" for c in key),
    "repr": lambda key: repr(key)[1:-1],
    "repr of bytes": lambda key: repr(key.encode())[2:-1],
    "URL": lambda key: quote(key, safe=""),
    "URL in small letters": lambda key: quote(key, safe="").lower() if key.islower() else quote(key, safe=""),
    "URL, all": lambda key: "".join(f"%{ord(c):02x}" for c in key),
    "URL twice": lambda key: quote(quote(key, safe=""), safe=""),
    "form": quote_plus,
    "HTML": html.escape,
    "HTML numbers": lambda key: "".join(f"&#{ord(c)};" for c in key),
    "HTML hexadecimal": lambda key: "".join(f"&#x{ord(c):X};" for c in key),
    "hexadecimal": lambda key: key.encode().hex(),
    "hexadecimal capitals": lambda key: key.encode().hex().upper(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(KEYS, AROUND, AROUND)
def test_every_spelling_is_cut(spelling: str, key: str, before: str, after: str) -> None:
    spelt = SPELLINGS[spelling](key)
    secrets = Secrets([key])
    for said in (secrets.cut(f"{before}{spelt}{after}"), secrets.cut(spelt)):
        assert CUT in said
    assert spelt not in secrets.cut(f"<{spelt}>") or spelt in CUT
    assert secrets.cut_bytes(b"\xff" + spelt.encode() + b"\xfe") == b"\xff" + CUT.encode() + b"\xfe"


@given(KEYS, st.binary(max_size=20), st.binary(max_size=20), st.booleans())
def test_base64_is_cut_wherever_the_key_stands_in_it(
    key: str, before: bytes, after: bytes, safe: bool
) -> None:
    encode = base64.urlsafe_b64encode if safe else base64.standard_b64encode
    packed = encode(before + key.encode() + after).decode()
    said = Secrets([key]).cut(packed)
    assert CUT in said
    # What is left over on either side decodes to nothing of the key.
    left, _, right = said.partition(CUT)
    first, last = 8 * len(before) // 6, -(-8 * (len(before) + len(key)) // 6)
    assert len(left) <= first and len(right) <= len(packed) - last


@given(KEYS, st.text(max_size=200))
def test_other_text_is_left_alone(key: str, text: str) -> None:
    secrets = Secrets([key])
    once = secrets.cut(text)
    if CUT not in once:
        assert once == text
    assert Secrets().cut(text) == text


def test_placeholders_are_words() -> None:
    assert (
        Secrets([*PLACEHOLDERS, "EMPTY", "x", ""]).cut("none of the empty local x")
        == "none of the empty local x"
    )


@pytest.mark.parametrize(
    "run", ["\\" * 400_000, "%25" * 150_000, "&amp;" * 80_000, "A" * 400_000, "sk-" * 130_000]
)
def test_hostile_text_takes_linear_time(run: str) -> None:
    secrets = Secrets(["sk-\\%&A-0123456789"])
    start = time.process_time()
    secrets.cut(run)
    assert time.process_time() - start < 5  # quadratic time would be minutes


def test_the_environment_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcdefgh-12345")
    monkeypatch.setenv("MY_ACCESS_TOKEN", "token-98765")
    monkeypatch.setenv("KEYBOARD", "qwertzuiop")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "falsefalse")
    said = Secrets.around("mine").cut("abcdefgh-12345 token-98765 qwertzuiop falsefalse mine")
    assert said == f"{CUT} {CUT} qwertzuiop falsefalse {CUT}"


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("key", ["s3cr", 'sk-test-5f2c/41d8+9a77"x'])
def test_programs_that_tell(monkeypatch: pytest.MonkeyPatch, key: str, spelling: str) -> None:
    """On stderr, cut before it is shortened, so that no half of a key stands at its beginning."""
    monkeypatch.setenv("ASSENT_TEST_API_KEY", key + "0000")
    spelt = SPELLINGS[spelling](key + "0000")
    for shift in (0, 290, 300 - len(spelt) // 2):
        code = f"import sys; sys.stderr.write({spelt!r} + 'z' * {shift}); sys.exit(3)"
        model = CommandModel([sys.executable, "-c", code], name="teller")
        with pytest.raises(ModelError) as caught:
            asyncio.run(model.generate(ASK, Sampling()))
        tail = str(caught.value)
        assert spelt not in tail and spelt[len(spelt) // 2 :] not in tail
    model = CommandModel([sys.executable, "-c", f"print({spelt!r})"], name="teller")
    assert asyncio.run(model.generate(ASK, Sampling()))[0].text == CUT


def test_functions_and_litellm_that_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-test-5f2c/41d8"
    monkeypatch.setenv("ASSENT_TEST_API_KEY", key)

    def broken(prompt: Prompt, sampling: Sampling) -> str:
        raise RuntimeError("x" * 290 + quote(key, safe=""))

    async def acompletion(**asked: object) -> object:
        raise RuntimeError("x" * 280 + base64.b64encode(f"Bearer {key}".encode()).decode())

    monkeypatch.setattr(litellm_module, "_library", lambda: SimpleNamespace(acompletion=acompletion))
    for model in (
        FunctionModel(broken),
        LiteLLMModel("some/model", key_variable="ASSENT_TEST_API_KEY"),
    ):
        with pytest.raises(ModelError) as caught:
            asyncio.run(model.generate(ASK, Sampling()))
        said = str(caught.value)
        assert "sk-test" not in said and "Yay10ZXN0" not in said and "c2stdGVzd" not in said


DISGUISES = {
    "backwards": lambda key: key[::-1],
    "in capitals": str.upper,
    "in small letters": str.lower,
    "base32": lambda key: base64.b32encode(key.encode()).decode(),
    "base32 in the middle": lambda key: base64.b32encode(b"xyz" + key.encode() + b"q").decode().lower(),
    "spaced": " ".join,
    "split by dashes": lambda key: "-".join(key[i : i + 4] for i in range(0, len(key), 4)),
    "a letter a line": "\n".join,
    "dotted hexadecimal": lambda key: ":".join(f"{byte:02x}" for byte in key.encode()),
    "backwards in hexadecimal": lambda key: key.encode().hex()[::-1],
    "spaced and backwards": lambda key: " . ".join(key[::-1]),
    "base64 backwards": lambda key: base64.b64encode(key.encode()).decode()[::-1],
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("key", ["sk-Ab3dEf6hIj9kLm2n", "QWERTY7654uiop", "0123456789abcdef"])
def test_a_key_in_disguise_is_cut(disguise: str, key: str) -> None:
    said = DISGUISES[disguise](key)
    cut = Secrets([key]).cut(f"the server says <{said}> twice <{said}>, no more")
    bare = "".join(filter(str.isalnum, said.lower()))
    assert bare[2:-2] not in "".join(filter(str.isalnum, cut.lower()))
    assert cut.startswith("the server says <") and cut.endswith(">, no more") and cut.count("[key]") >= 2


def test_disguises_take_linear_time() -> None:
    text = "sk-Ab3dEf6hIj9kLm2" * 200_000
    began = time.process_time()
    assert Secrets(["sk-Ab3dEf6hIj9kLm2n", "other-secret-key"]).cut(text) == text
    assert time.process_time() - began < 10
