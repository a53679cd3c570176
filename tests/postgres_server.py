"""A PostgreSQL server of the tests' own: Debian's package, a free port on this machine, as a user without rights."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _programs() -> Path:
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    found = shutil.which("initdb")
    if found is None:
        pytest.skip("PostgreSQL is not installed here (Debian: postgresql-15)")
    return Path(found).resolve().parent


def _user() -> str | None:
    """The server refuses to run as root: root hands it to another user."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    pytest.skip("PostgreSQL does not run as root, and there is no other user")


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of a fresh server without its database's name."""
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL is not installed (assent[postgres])")
    programs, user = _programs(), _user()
    folder = Path(tempfile.mkdtemp(prefix="assent-pg-"))
    data = folder / "data"
    data.mkdir(mode=0o700)
    if user is not None:
        shutil.chown(folder, user)
        shutil.chown(data, user)
    options = {"user": user, "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    initdb = [programs / "initdb", "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run([*initdb, "--locale=C"], check=True, **options)  # type: ignore[call-overload]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    listen = ["-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-c", "fsync=off"]
    server = subprocess.Popen([programs / "postgres", "-D", data, *listen], **options)  # type: ignore[call-overload]
    try:
        url = f"postgresql://tests@127.0.0.1:{port}/postgres"
        _wait(url, server)
        yield url
    finally:
        server.send_signal(signal.SIGQUIT)  # at once: nobody needs its data any more
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    import psycopg

    give_up = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            assert server.poll() is None, "the server ended"
            assert time.monotonic() < give_up, "the server does not answer"
            time.sleep(0.05)
        else:
            return


def new_schema(url: str, name: str) -> str:
    """The address of an empty corner of the server."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}".encode())
    return f"{url}?options=-csearch_path%3D{name}"
