"""Local Hugging Face models, with a LoRA adapter where there is one; an extra: ``assent[transformers]``.

A causal model gets the chat through its own template, a sequence-to-sequence model (T5) the bare text or, with
``feed="chat"``, the whole chat as text; which of the two it is, its ``config.json`` says. Nothing is fetched: model
and adapter are folders on disk.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from assent.errors import ConfigurationError, MissingExtraError, ModelError
from assent.models.base import Answer, Finish, Prompt, Sampling, bare, chat_text

BLOCKS, BLOCK = 256, 2**18
_IDENTITY = ("*.json", "*.safetensors", "*.bin", "*.model", "*.jinja")


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A tokenizer and a model of ``transformers``, which has no types."""

    tokenizer: Any
    model: Any


class TransformersModel:
    """A model folder and, if given, an adapter folder (one a tier, say). Calls run one at a time in a thread."""

    def __init__(
        self,
        folder: Path | str,
        *,
        adapter: Path | str | None = None,
        device: str = "cpu",
        feed: Literal["subject", "chat"] = "subject",
        name: str | None = None,
        version: str | None = None,
    ) -> None:
        self._folder = _folder(folder, "model")
        self._adapter = None if adapter is None else _folder(adapter, "adapter")
        self._causal, self._device, self._feed = not _encodes(self._folder), device, feed
        self.name = name or self._folder.name
        self.version = version or _digest(self._folder, self._adapter)
        if feed == "chat" and not self._causal:
            self.version += "+chat"
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        return await asyncio.to_thread(self._generate, prompt, sampling)

    def _generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        with self._lock:  # the seed is global to the process
            try:
                loaded = self._load()
                return tuple(self._one(loaded, prompt, sampling, i) for i in sampling.indices)
            except (RuntimeError, ValueError, IndexError, OSError) as error:
                raise ModelError(f"{self.name} failed ({type(error).__name__}: {error})") from error

    def _load(self) -> _Loaded:
        if self._loaded is None:
            library = _import("transformers")
            kind = library.AutoModelForCausalLM if self._causal else library.AutoModelForSeq2SeqLM
            model = kind.from_pretrained(self._folder, local_files_only=True)
            if self._adapter is not None:
                model = _import("peft").PeftModel.from_pretrained(model, self._adapter)
            tokenizer = library.AutoTokenizer.from_pretrained(self._folder, local_files_only=True)
            self._loaded = _Loaded(tokenizer, model.to(self._device).eval())
        return self._loaded

    def _one(self, loaded: _Loaded, prompt: Prompt, sampling: Sampling, index: int) -> Answer:
        tokenizer = loaded.tokenizer
        torch = _import("torch")
        seed = sampling.seed_of(index)
        torch.manual_seed(index if seed is None else seed)
        causal = self._causal
        text = self._text(tokenizer, prompt)
        inputs = tokenizer(text, return_tensors="pt", add_special_tokens=not causal).to(self._device)
        options: dict[str, object] = {"max_new_tokens": sampling.max_tokens, "do_sample": False}
        if sampling.temperature > 0:
            options |= {
                "do_sample": True,
                "temperature": sampling.temperature,
                "top_p": sampling.top_p or 1.0,
            }
        prompt_tokens = int(inputs["input_ids"].shape[1])
        with torch.inference_mode():
            out = loaded.model.generate(**inputs, **options)[0].tolist()
        generated = out[prompt_tokens:] if causal else out[1:]  # a decoder starts with a token of its own
        ended = tokenizer.eos_token_id in generated
        finish: Finish = "stop" if ended or len(generated) < sampling.max_tokens else "length"
        return Answer(
            text=_until(tokenizer.decode(generated, skip_special_tokens=True), sampling.stop),
            prompt_tokens=prompt_tokens,
            completion_tokens=len(generated),
            finish=finish,
        )

    def _text(self, tokenizer: Any, prompt: Prompt) -> str:
        if self._causal:
            return self._chat(tokenizer, prompt)
        return bare(prompt) if self._feed == "subject" else chat_text(prompt)

    def _chat(self, tokenizer: Any, prompt: Prompt) -> str:
        """The chat by the tokenizer's own template; without one, its messages with empty lines between them."""
        if getattr(tokenizer, "chat_template", None) is None:
            return "\n\n".join(turn.content for turn in prompt.messages) + "\n"
        turns = [{"role": turn.role, "content": turn.content} for turn in prompt.messages]
        return str(tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))


def _until(text: str, stops: tuple[str, ...]) -> str:
    for stop in stops:
        text = text.split(stop, 1)[0]
    return text.strip()


def _folder(path: Path | str, key: str) -> Path:
    folder = Path(path)
    if not folder.is_dir():
        raise ConfigurationError(f"no such folder: {folder}", key=key)
    return folder


def _encodes(folder: Path) -> bool:
    """Whether the model is sequence-to-sequence."""
    file = folder / "config.json"
    try:
        return bool(json.loads(file.read_bytes()).get("is_encoder_decoder", False))
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigurationError(f"not the folder of a model: {file}: {error}", key="name") from error


def _digest(*folders: Path | None) -> str:
    """A hash of the folders' files; of large ones ``BLOCKS`` blocks all over them: training changes every tensor."""
    digest = hashlib.sha256()
    for folder in folders:
        files = sorted(path for pattern in _IDENTITY for path in folder.glob(pattern)) if folder else []
        for path in files:
            size = path.stat().st_size
            digest.update(f"{path.name}:{size}:".encode())
            with path.open("rb") as stream:
                for place in range(BLOCKS) if size > BLOCKS * BLOCK else ():
                    stream.seek(place * (size - BLOCK) // (BLOCKS - 1))
                    digest.update(stream.read(BLOCK))
                if size <= BLOCKS * BLOCK:
                    digest.update(stream.read())
        digest.update(b"|")
    return digest.hexdigest()[:16]


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError("a local Hugging Face model", "transformers") from None
