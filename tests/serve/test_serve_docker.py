"""The image: what it says of itself, and, where docker is at hand, that it builds, starts and answers."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import time
import tomllib
from pathlib import Path

import httpx
import pytest

from assent.cli.serve import add_arguments

ROOT = Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")


def test_the_image_is_closed() -> None:
    text = (DOCKER / "Dockerfile").read_text()
    last = text[text.rindex("FROM ") :]
    assert (
        re.search(r"^USER 10001:10001$", last, re.MULTILINE) and "HEALTHCHECK" in last and "/readyz" in last
    )
    service = yaml.safe_load((DOCKER / "compose.yaml").read_text())["services"]["assent"]
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_its_command_is_one_that_the_verb_takes() -> None:
    from assent.cli import Parser

    parser = Parser()
    add_arguments(parser)
    command = yaml.safe_load((DOCKER / "compose.yaml").read_text())["services"]["assent"]["command"]
    assert command[0] == "serve"
    found = parser.parse_args(command[1:])
    assert found.token_file == "/run/secrets/tokens" and found.ledger.startswith("postgresql://")


def test_what_it_copies_is_there() -> None:
    named = re.findall(r"^COPY (?!--from)(.+) \S+$", (DOCKER / "Dockerfile").read_text(), re.MULTILINE)
    files = [part for line in named for part in line.split()]
    assert files and all((ROOT / part).exists() for part in files)
    allowed = (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    assert {f"!{part}" for part in files} <= set(allowed)


def test_the_wheel_is_built_from_what_it_copies() -> None:
    """What the wheel takes in by force must be among it: the build ends without."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    text = (DOCKER / "Dockerfile").read_text()
    for part in build["force-include"]:
        assert f"COPY {part} {part}\n" in text
    named = re.search(r"pip install .* '\.\[(.+)\]'", text)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert named is not None and set(named.group(1).split(",")) <= set(extras)


def _docker() -> str:
    found = shutil.which("docker")
    if found is None or subprocess.run([found, "info"], capture_output=True, check=False).returncode:
        pytest.skip("docker is not at hand, or its daemon does not answer")
    return found


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_image_is_built_starts_and_answers(tmp_path: Path) -> None:
    docker = _docker()
    tag, token = f"assent-test-{secrets.token_hex(4)}", secrets.token_hex(16)
    tokens = tmp_path / "tokens"
    tokens.write_text(f"ask robot {token}\n")
    tokens.chmod(0o600)
    if os.geteuid() == 0:
        os.chown(tokens, 10001, 10001)
    subprocess.run([docker, "build", "-q", "-f", "docker/Dockerfile", "-t", tag, "."], cwd=ROOT, check=True)
    started = subprocess.run(
        [docker, "run", "-d", "--rm", "--read-only", "--tmpfs", "/tmp", "-p", "127.0.0.1::8765",
         "-v", f"{tokens}:/run/secrets/tokens:ro", tag],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    name = started.stdout.strip()
    try:
        port = subprocess.run([docker, "port", name, "8765"], capture_output=True, text=True, check=True)
        address = f"http://{port.stdout.split()[0]}"
        give_up = time.monotonic() + 120
        while True:
            try:
                if httpx.get(f"{address}/readyz").status_code == 200:
                    break
            except httpx.TransportError:
                pass
            assert time.monotonic() < give_up
            time.sleep(0.5)
        body = {"text": "Always p.", "logic": "ltl"}
        assert httpx.post(f"{address}/v1/translate", json=body).status_code == 401
        head = {"Authorization": f"Bearer {token}"}
        assert httpx.post(f"{address}/v1/translate", json=body, headers=head, timeout=60).status_code == 200
    finally:
        subprocess.run([docker, "kill", name], capture_output=True, check=False)
        subprocess.run([docker, "rmi", "-f", tag], capture_output=True, check=False)
