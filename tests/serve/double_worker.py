"""A worker that does what it is told: wait, die, fail, or answer; it speaks as ``assent.serve.worker`` does."""

from __future__ import annotations

import os
import sys
import time

from assent.serve import frames


def main() -> None:
    stream = sys.stdin.buffer
    while len(head := stream.read(frames.HEAD.size)) == frames.HEAD.size:
        job = frames.unpack(stream.read(frames.length_of(head)))
        if isinstance(job, dict):
            if job.get("broken"):
                sys.exit(1)
            answer = [frames.READY, {}]
        else:
            verb, body = job
            if verb == "wait":
                time.sleep(body)
            if verb == "die":
                os._exit(9)
            if verb == "garbage":
                sys.stdout.buffer.write(b"\xff" * 64)
                sys.stdout.buffer.flush()
                continue
            answer = [frames.DONE, {"pid": os.getpid(), "body": body}]
        sys.stdout.buffer.write(frames.pack(answer))
        sys.stdout.buffer.flush()


main()
