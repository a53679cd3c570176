"""Build the wheel, install it in a clean environment, use it there, and print its size and what it drags in."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST_MB = 45
"""The weights may take 40 MB; a wheel beyond this has something in it that does not belong there."""
USE = """
import assent
with assent.load("ltl", vocabulary={"propositions": [{"name": "alarm_on", "says": "alarm on"}]}) as translate:
    print(type(translate("The alarm is never on.")).__name__)
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(ROOT)],
            check=True,
        )
        (wheel,) = folder.glob("assent-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        strange = [
            entry
            for entry in names
            if entry.endswith(".pt") or "assent_train" in entry or entry.startswith("tests")
        ]
        size = wheel.stat().st_size / 1e6
        print(f"{wheel.name}: {size:.1f} MB, {len(names)} files")
        if strange or size > LARGEST_MB:
            print(
                f"does not belong into the wheel: {strange[:5]}, or {size:.1f} MB is more than {LARGEST_MB}"
            )
            return 1
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
        constraints = ["-c", str(ROOT / "constraints.txt")]
        subprocess.run([*pip, "install", "--quiet", *constraints, str(wheel)], check=True)
        print(
            subprocess.run(
                [*pip, "list", "--format=freeze"], check=True, capture_output=True, text=True
            ).stdout.strip()
        )
        installed = sum(file.stat().st_size for file in (folder / "env").rglob("*") if file.is_file()) / 1e6
        print(f"installed: {installed:.0f} MB")
        subprocess.run([str(python), "-c", USE], check=True, cwd=folder)
        subprocess.run(
            [str(folder / "env" / "bin" / "assent"), "explain", "G(p -> F q)"], check=True, cwd=folder
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
