#!/usr/bin/env python3
"""Sets up, builds, serves and tests the project, with nothing but Python to begin with.

    python3 build.py serve   set up, build the site if it is stale, serve it and open the page
    python3 build.py test    set up and run every check and test, those in a real browser too
    python3 build.py long    set up and run the tests that take too long for every change
    python3 build.py site    set up and write dist/
    python3 build.py setup   set up only: .venv and node_modules

It stands apart from the packages because it runs before anything is installed:
the upper half may use the standard library only. Once `.venv` stands, build.py
starts itself again under `.venv`'s Python, and the recipe of the site (`site`)
reads on from there. What would be wrong here: how a step of the recipe is done
(explorer/press), or a tool that is not pinned by hash.
"""

import argparse
import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036, this runs before any rule about versions does
    sys.exit(
        "Interleaving Explorer needs Python 3.11 or newer, and this is Python "
        f"{sys.version_info[0]}.{sys.version_info[1]}.\n"
        "Run build.py with a newer one, for example: python3.12 build.py serve"
    )

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if sys.platform == "win32" else "bin")
PYTHON = BIN / ("python.exe" if sys.platform == "win32" else "python")
CACHE = ROOT / ".cache"
DIST = ROOT / "dist"
OLDEST_NODE = 20
NOTHING_TO_TEST = 5
PARALLEL = ["--numprocesses=auto", "--dist=worksteal"]
TESTS = {
    "test": ([*PARALLEL, "-m", "not alone and not long"], ["-m", "alone"]),
    "long": ([*PARALLEL, "-m", "long"],),
}
"""What each command tests, in turns: what measures runs alone."""


def main(words: list[str]) -> int:
    call = parse(words)
    os.environ["PATH"] = os.pathsep.join([str(BIN), os.environ.get("PATH", os.defpath)])
    with one_at_a_time():
        anew = set_up(with_tests=call.command in ("setup", *TESTS))
    if call.command == "setup":
        return 0
    if anew or Path(sys.prefix) != VENV:
        return again(words)
    if call.command in TESTS:
        return test(TESTS[call.command], call.pytest)
    with one_at_a_time():
        if call.command == "site" or stale():
            site()
    return serve(call.port, not call.no_open) if call.command == "serve" else 0


def site() -> None:
    """The recipe of the site."""
    from explorer import pages
    from explorer.press import (
        address,
        budget,
        bundle,
        feed,
        figures,
        folder,
        offline,
        preview,
        runtime,
    )

    with folder.swapped_in(DIST) as out:
        scripts = bundle.scripts_and_styles(ROOT, out)
        python = runtime.vendored(ROOT, out, CACHE)
        built = pages.Built(
            assets=scripts.assets,
            figures=figures.drawn(ROOT),
            python=python,
            at_once=scripts.at_once,
            previews=preview.pictures(ROOT, out, CACHE, preview.pictured()),
            address=address.site_address(),
        )
        folder.write(out / pages.MANIFEST, built.to_json())
        for path in pages.PATHS:
            folder.write(out / path.strip("/") / "index.html", pages.render(path, built))
        folder.write(out / "404.html", pages.missing(built))
        feed.write(out, pages.PATHS, pages.announced(), built.address)
        offline.service_worker(ROOT, out, pages.PATHS, python)
        budget.check(budget.weighed(out, scripts, python))
    stamp(CACHE, site_inputs())


def serve(port: int, open_browser: bool) -> int:
    from explorer import app

    return app.serve(port, open_browser)


def test(turns: Iterable[list[str]], pytest_words: list[str]) -> int:
    """Every check, the quick ones first; pytest has the last word."""
    from tests.browsers import CHROMIUM, FIREFOX

    chrome, fox = CHROMIUM.installed(apt), FIREFOX.installed(apt)
    run("ruff", "check", "--quiet", ".")
    run("ruff", "format", "--check", "--quiet", ".")
    run("mypy")
    run("node", "--test", *map(str, sorted(ROOT.glob("tests/js/*.test.js"))))
    with one_at_a_time():
        if stale():
            site()
    # The Node that playwright brings needs a library that a bare Debian does not have.
    node = shutil.which("node") or ""
    also = {"CHROME_PATH": chrome, "FIREFOX_PATH": fox, "PLAYWRIGHT_NODEJS_PATH": node}
    ends = [status("pytest", *turn, *pytest_words, also=also) for turn in turns]
    return next((end for end in ends if end not in (0, NOTHING_TO_TEST)), min(ends))


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build.py", description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("setup", help="make .venv and node_modules")
    commands.add_parser("site", help="write dist/")
    serving = commands.add_parser("serve", help="build if stale, serve, open the page")
    serving.add_argument("--port", type=int, default=8000)
    serving.add_argument("--no-open", action="store_true", help="do not open a browser")
    commands.add_parser("test", help="run every check and test; further words go to pytest")
    commands.add_parser("long", help="run the long tests; further words go to pytest")
    ours = 1 if words[:1] in ([name] for name in TESTS) else len(words)
    call = parser.parse_args(words[:ours])
    call.pytest = words[ours:]
    return call


# Setting up. Each half has a stamp, written last: a half that was cut short has none.


def set_up(with_tests: bool) -> bool:
    """Bring .venv, Node and node_modules up to their locks; whether .venv is a new one."""
    anew = not stamped(VENV, python_inputs())
    if anew:
        say("Setting up .venv")
        python_packages()
        stamp(VENV, python_inputs())
    if not fit_node():
        say("No Node.js on the path: taking one from PyPI")
        run(*installer(), "--require-hashes", "-r", str(ROOT / "requirements-node.txt"))
    node_packages(with_tests)
    return anew


def node_packages(with_tests: bool) -> None:
    """What the site is made with, or that and what only the tests need, which is eight times as
    large: whoever reads need not wait for it."""
    modules, site_only = ROOT / "node_modules", node_inputs()
    everything = f"{site_only} and the tests"
    if stamped(modules, everything) or (not with_tests and stamped(modules, site_only)):
        return
    say("Setting up node_modules")
    less = [] if with_tests else ["--omit=dev"]
    run("npm", "ci", *less, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    stamp(modules, everything if with_tests else site_only)


def python_packages() -> None:
    make_venv()
    run(*installer(), "--require-hashes", "-r", str(ROOT / "requirements.txt"))
    run(*installer(), "--no-deps", "--no-build-isolation", "--editable", str(ROOT))


def make_venv() -> None:
    uv = shutil.which("uv")
    if uv:
        run(uv, "venv", "--quiet", "--clear", "--python", own_python(), str(VENV))
        return
    if not found("ensurepip") and not found("pip"):
        apt("python3-venv", or_else="Install your Python's venv package (python3-venv), or pip.")
    builder = venv.EnvBuilder(clear=True, with_pip=found("ensurepip"), symlinks=os.name != "nt")
    builder.create(VENV)


def installer() -> list[str]:
    """The words that install into .venv: uv, the pip inside, or a pip from outside."""
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
    outside = [own_python(), "-m", "pip", "--python", str(PYTHON)]
    pip = [str(PYTHON), "-m", "pip"] if list(BIN.glob("pip*")) else outside
    return [*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input"]


def own_python() -> str:
    """The Python outside .venv, even where the one inside was called."""
    return str(getattr(sys, "_base_executable", sys.executable))


def found(module: str) -> bool:
    importlib.invalidate_caches()
    return importlib.util.find_spec(module) is not None


def fit_node() -> bool:
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return int(version.stdout.strip().lstrip("v").split(".")[0] or 0) >= OLDEST_NODE


def python_inputs() -> str:
    locks = [ROOT / "requirements.txt", ROOT / "pyproject.toml"]
    return digest(locks, sys.base_prefix, sys.version)


def node_inputs() -> str:
    return digest([ROOT / "package.json", ROOT / "package-lock.json", ROOT / ".npmrc"])


def site_inputs() -> str:
    """All that a built page depends on: sources, locks and the recipe itself."""
    folders = ("sim_core", "explorer", "templates", "static")
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*"))]
    sources = [path for path in files if path.is_file() and "__pycache__" not in path.parts]
    address = os.environ.get("SITE_ADDRESS", "")
    return digest([*sources, ROOT / "build.py"], python_inputs(), node_inputs(), address)


def digest(files: list[Path], *words: str) -> str:
    sha = hashlib.sha256()
    for path in files:
        sha.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        sha.update(path.read_bytes())
    for word in words:
        sha.update(f"\0{word}".encode())
    return sha.hexdigest()


def stamped(folder: Path, inputs: str) -> bool:
    path = folder / ".stamp"
    return path.is_file() and path.read_text() == inputs


def stamp(folder: Path, inputs: str) -> None:
    (folder / ".stamp").write_text(inputs)


def stale() -> bool:
    return not (DIST / "built.json").is_file() or not stamped(CACHE, site_inputs())


# Running things.


def apt(package: str, or_else: str) -> None:
    """Install one of Debian's packages where that is ours to do; else say what to install."""
    if not shutil.which("apt-get") or os.name != "posix" or os.geteuid() != 0:
        sys.exit(or_else)
    say(f"Installing Debian's {package}")
    unasked = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "--yes", "--no-install-recommends", package]):
        # Hundreds of lines about packages, none of them news; what goes wrong is on stderr.
        command = ["apt-get", "-qq", *words]
        subprocess.run(command, env=unasked, check=True, stdout=subprocess.DEVNULL)


def again(words: list[str]) -> int:
    """The same words, under .venv's Python. In place of this process where the system can do
    that, so that a signal reaches the one that serves."""
    command = [str(PYTHON), str(ROOT / "build.py"), *words]
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)


def run(*command: str, also: dict[str, str] | None = None) -> None:
    """Do one step; what fails there ends the build with the same exit status."""
    code = status(*command, also=also)
    if code:
        sys.exit(failed(command, code))


def failed(command: Sequence[str], code: int) -> int:
    print(f"build.py: this failed: {' '.join(command)}", file=sys.stderr)
    return code


def status(*command: str, also: dict[str, str] | None = None) -> int:
    program = shutil.which(command[0]) or command[0]
    environment = {**os.environ, **(also or {})}
    return subprocess.call(
        [program, *command[1:]], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL
    )


def say(text: str) -> None:
    print(f"· {text}", flush=True)


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two build.py at once would each pull the folders from under the other. The system drops
    the lock with its process, so one that was killed leaves none behind."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "lock").open("w") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except subprocess.CalledProcessError as error:
        sys.exit(failed(error.cmd, error.returncode))
