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
from assent.models.secrets import Secrets

LONGEST_OUTPUT = 1_000_000
"""Bytes of an answer; a program that writes more is stopped."""
LONGEST_TALK = 16_000_000
"""Bytes on stderr; a program that writes more is stopped. Only the end of it is kept."""
_END_OF_TALK = 20_000
_BLOCK = 1 << 16
_GLANCE = 0.05
_LINGER = 1.0
"""Seconds that children of a program which has ended may keep its output open."""


class CommandModel:
    """Runs ``argv`` once a sample, without a shell.

    ``feed="subject"`` writes the bare instruction or formula (for a judge: a JSON object, see ``base.bare``),
    ``feed="chat"`` the whole prompt as text. The program sees ``ASSENT_TASK``, ``_LOGIC``, ``_SAMPLE``,
    ``_TEMPERATURE`` and ``_SEED`` in its environment. An exit code other than 0, no output, too much output or a
    time-out is an error, never an answer; the program and its children are killed.
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
        except (OSError, ValueError) as error:
            cause = error.strerror if isinstance(error, OSError) else str(error)
            raise ModelError(f"{self.name} cannot be started: {cause}") from error
        try:
            async with asyncio.timeout(self._timeout):
                out, err = await self._talk(process, self._input(prompt))
        except BaseException as error:
            await _stopped(process)
            if isinstance(error, TimeoutError):
                message = f"{self.name} gave no answer within {self._timeout:g} s and was stopped"
                raise ModelError(message, retry=True) from None
            raise
        return self._answer(process.returncode, out, err)

    async def _talk(self, process: asyncio.subprocess.Process, question: bytes) -> tuple[bytes, bytes]:
        """All that the program writes to stdout and the end of what it writes to stderr."""
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        readers = [
            asyncio.create_task(self._read(process.stdout, "stdout", LONGEST_OUTPUT, LONGEST_OUTPUT)),
            asyncio.create_task(self._read(process.stderr, "stderr", LONGEST_TALK, _END_OF_TALK)),
        ]
        others = [asyncio.create_task(_feed(process.stdin, question)), asyncio.create_task(_watch(process))]
        try:
            out, err = await asyncio.gather(*readers)
            await process.wait()
        finally:
            for task in (*readers, *others):
                task.cancel()
            await asyncio.gather(*readers, *others, return_exceptions=True)
        return out, err

    async def _read(self, stream: asyncio.StreamReader, where: str, most: int, kept: int) -> bytes:
        """The last ``kept`` bytes of a stream; ModelError as soon as there are more than ``most``."""
        end, size = b"", 0
        while block := await stream.read(_BLOCK):
            size += len(block)
            if size > most:
                raise ModelError(f"{self.name} wrote more than {most} bytes to {where} and was stopped")
            end = (end + block)[-kept:]
        return end

    def _answer(self, code: int | None, out: bytes, err: bytes) -> Answer:
        secrets = Secrets.around()
        if code != 0:
            complaint = secrets.cut(err.decode(errors="replace")).strip()
            cut = "… " if len(complaint) > 300 or len(err) == _END_OF_TALK else ""
            complaint = f": {cut}{complaint[-300:]}" if complaint else ""
            raise ModelError(f"{self.name} ended with exit code {code}{complaint}")
        try:
            text = secrets.cut(out.decode()).strip()
        except UnicodeDecodeError as error:
            raise ModelError(f"{self.name} wrote text that is not UTF-8") from error
        if not text:
            raise ModelError(f"{self.name} wrote nothing", retry=True)
        return Answer(text=text)


async def _feed(stream: asyncio.StreamWriter, question: bytes) -> None:
    """Write the question; a program need not read it."""
    with contextlib.suppress(ConnectionError):
        stream.write(question)
        await stream.drain()
    stream.close()


async def _watch(process: asyncio.subprocess.Process) -> None:
    """Kill the children of a program that has ended and whose output is still open after ``_LINGER`` seconds."""
    while process.returncode is None:  # ``wait`` would also wait for the children that are meant here
        await asyncio.sleep(_GLANCE)
    await asyncio.sleep(_LINGER)
    _kill(process)


async def _stopped(process: asyncio.subprocess.Process) -> None:
    """Kill the program and read what is left in its pipes, without which they would stay open."""
    _kill(process)
    try:
        async with asyncio.timeout(_LINGER):
            for stream in (process.stdout, process.stderr):
                while stream is not None and await stream.read(_BLOCK):
                    pass
            await process.wait()
    except TimeoutError:  # somebody who left the group holds them
        process._transport.close()  # type: ignore[attr-defined]  # the only way to let go of the pipes


def _kill(process: asyncio.subprocess.Process) -> None:
    """End the program and its children: they are a process group of their own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
