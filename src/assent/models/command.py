"""Any program as a model: the bare text on stdin, the answer on stdout."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
from collections.abc import Sequence
from typing import Literal

from assent.errors import ConfigurationError, ModelError
from assent.models.base import Answer, Prompt, Sampling, bare, chat_text

LONGEST_OUTPUT = 1_000_000


class CommandModel:
    """Runs ``argv`` once a sample, without a shell.

    ``feed="subject"`` writes the bare instruction or formula (for a judge: a JSON object, see ``base.bare``),
    ``feed="chat"`` the whole prompt as text. The program sees ``ASSENT_TASK``, ``_LOGIC``, ``_SAMPLE``,
    ``_TEMPERATURE`` and ``_SEED`` in its environment. An exit code other than 0, no output, too much output or a
    time-out is an error, never an answer.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        name: str | None = None,
        version: str = "1",
        timeout: float = 60.0,
        feed: Literal["subject", "chat"] = "subject",
    ) -> None:
        if isinstance(argv, str) or not argv:
            raise ConfigurationError("a command is a list: the program and its arguments", key="command")
        self._argv, self._timeout, self._feed = tuple(argv), timeout, feed
        self.name = name or os.path.basename(argv[0])  # noqa: PTH119
        # Another script under the same interpreter is another model: neither cache nor policy may mix them.
        called = "\0".join((feed, *self._argv)).encode()
        self.version = f"{version}+{hashlib.sha256(called).hexdigest()[:12]}"

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        return tuple([await self._one(prompt, sampling, index) for index in sampling.indices])

    def _environment(self, prompt: Prompt, sampling: Sampling, index: int) -> dict[str, str]:
        seed = sampling.seed_of(index)
        return os.environ | {
            "ASSENT_TASK": prompt.task,
            "ASSENT_LOGIC": prompt.logic,
            "ASSENT_SAMPLE": str(index),
            "ASSENT_TEMPERATURE": str(sampling.temperature),
            "ASSENT_SEED": "" if seed is None else str(seed),
        }

    def _input(self, prompt: Prompt) -> bytes:
        return (bare(prompt) if self._feed == "subject" else chat_text(prompt)).encode()

    async def _one(self, prompt: Prompt, sampling: Sampling, index: int) -> Answer:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=self._environment(prompt, sampling, index),
                start_new_session=True,
            )
        except OSError as error:
            raise ModelError(f"{self.name} cannot be started: {error.strerror}") from error
        try:
            out, err = await asyncio.wait_for(process.communicate(self._input(prompt)), self._timeout)
        except TimeoutError:
            raise ModelError(f"{self.name} gave no answer within {self._timeout:g} s", retry=True) from None
        finally:
            if process.returncode is None:
                # The program may have children; they end with it.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        return self._answer(process.returncode, out, err)

    def _answer(self, code: int | None, out: bytes, err: bytes) -> Answer:
        if code != 0:
            said = err.decode(errors="replace").strip()[-300:]
            raise ModelError(f"{self.name} ended with exit code {code}" + (f": {said}" if said else ""))
        if len(out) > LONGEST_OUTPUT:
            raise ModelError(f"{self.name} wrote more than {LONGEST_OUTPUT} bytes")
        try:
            text = out.decode().strip()
        except UnicodeDecodeError as error:
            raise ModelError(f"{self.name} wrote text that is not UTF-8") from error
        if not text:
            raise ModelError(f"{self.name} wrote nothing", retry=True)
        return Answer(text=text)
