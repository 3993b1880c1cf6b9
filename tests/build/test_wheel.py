"""What `pip install` brings: the command, the pages and the built site, without Node or a clone."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import build

ROOT = Path(build.__file__).parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return next(out.glob("*.whl"))


def test_a_wheel_carries_the_site_and_not_the_press(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "sim_core/bridge.py",
        "explorer/app.py",
        "explorer/templates/base.html",
        "explorer/site/built.json",
        "explorer/site/sections/index.html",
    ):
        assert needed in names
    assert not [name for name in names if name.startswith(("explorer/press", "tests", "dist"))]
    assert any(name.endswith("/pyodide.asm.wasm") for name in names)


def pins(folder: Path) -> Path:
    """The versions that the project is tested with; the hashes are pip's own business here."""
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    path = folder / "pins.txt"
    path.write_text("\n".join(re.findall(r"^[\w.-]+==[^\s;\\]+", lock, re.MULTILINE)))
    return path


@pytest.mark.slow
def test_installed_into_an_empty_environment_the_command_works(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "empty"
    venv.create(home, with_pip=True)
    programs = home / build.BIN.name
    install = [programs / "python", "-m", "pip", "install", "--quiet", "-c", pins(tmp_path)]
    subprocess.run([*install, str(wheel)], check=True, cwd=tmp_path)
    alone = {**os.environ, "PATH": str(programs)}

    def explorer(*words: str) -> str:
        command = [str(programs / "explorer"), *words]
        done = subprocess.run(command, env=alone, cwd=tmp_path, capture_output=True, text=True)
        assert not done.stderr
        return done.stdout

    assert "serve" in explorer("--help")
    assert "0.1.0" in explorer("--version")
    assert '"hash"' in explorer("run", "--json", "sections?mode=warn&seed=1")
    where = "from explorer import app; print(app.built_site().relative_to(app.PACKAGE))"
    found = subprocess.run(
        [programs / "python", "-c", where], env=alone, cwd=tmp_path, capture_output=True, text=True
    )
    assert found.stdout == "site\n"
