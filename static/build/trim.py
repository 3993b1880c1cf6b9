"""Which modules of the standard library the page's Python needs, and a zip of just those; and
sim_core, compiled.

Runs inside the stock Pyodide, started by trim.mjs: only Pyodide's own CPython
can compile bytecode that the page's CPython will load, and only it knows what
it imports while it starts. Modules are chosen by use, not by a list kept by
hand: every module of sim_core is imported, every scenario is run, and one
request is made to fail, so that what is imported late is seen too.

What would be wrong here: anything that differs from build to build. Dates are
fixed, names are sorted, and the .pyc files carry a hash that is never checked
in place of a time.

Three choices are for the size on the wire, which is brotli's. The library's
bytecode has no docstrings (and no asserts), and of its line numbers only each
function's first. The zip only stores, since brotli packs no further what
deflate has packed before. Together: 0.6 MB instead of 1.4.

sim_core is compiled for the time it takes to start, of which compiling would be
half. It keeps its asserts and all its line numbers, and loses its docstrings,
which nobody reads in a browser; but stories travel as their sources, since what
they say of themselves is read, and only those that are asked for load. The
audit of source code stays at home: it is the command's, and no page asks for it.
"""

import ast
import importlib
import io
import json
import marshal
import pkgutil
import sys
import traceback
import zipfile
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from types import CodeType

LIBRARY = "/lib/python314.zip"
UNCHECKED_HASH = (1).to_bytes(4, "little")
FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)
STORIES = ("sim_core/scenarios/", "sim_core/bench/w1.py")
AUDIT = "sim_core/seams/audit"
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def exercise() -> str:
    """Do everything that the page asks of Python; the answers, to hold a trimmed one against."""
    for module in pkgutil.walk_packages(importlib.import_module("sim_core").__path__, "sim_core."):
        if not module.name.startswith(AUDIT.replace("/", ".")):
            importlib.import_module(module.name)
    answers = [_ask(ask="hello"), _ask(ask="list")]
    for scenario in json.loads(answers[-1])["scenarios"]:
        answers += _story(scenario["slug"])
    return "\n".join([*answers, *_later(), _failure()])


def _later() -> list[str]:
    """What is asked for when a page has been open for a while."""
    broken = "sections?mode=warn&seed=16"
    searched = [_ask(ask=ask, recipe=broken, steps=1_000) for ask in ("exhaust", "shrink")]
    measured = importlib.import_module("sim_core.judge.scenario")
    w1 = measured.scenario_of("w1", importlib.import_module("sim_core.bench.w1"))
    return [*searched, _ask(ask="greens"), _ask(ask="matrix", scenario="owners"), w1.title]


def _story(slug: str) -> list[str]:
    runs = [
        _ask(ask="run", recipe=f"{slug}?journal={journal}&seed=1") for journal in ("delete", "wal")
    ]
    crash = _ask(ask="run", recipe=f"{slug}?faults=A1before:crash&seed=1")
    return [
        _ask(ask="describe", scenario=slug),
        *runs,
        crash,
        _ask(ask="sweep", recipe=slug, seeds=[0, 2]),
        _ask(ask="run", recipe=f"{slug}?no-such-key=1"),
    ]


def _ask(**request: object) -> str:
    from sim_core import bridge

    return bridge.handle(json.dumps({"version": 1, **request}))


def _failure() -> str:
    """A traceback is formatted by modules of its own. Its last line alone is compared: the
    others name lines of the standard library."""
    try:
        json.loads("{on purpose")
    except ValueError:
        return traceback.format_exc().splitlines()[-1]
    raise AssertionError("that was no JSON")


def pack() -> bytes:
    """The zip, in the order of names: bytecode of the modules in use."""
    stock = zipfile.ZipFile(LIBRARY)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as out:
        for path in sorted(_in_use()):
            entry = zipfile.ZipInfo(path + "c", FIRST_DAY_OF_ZIP)
            out.writestr(entry, _bytecode(path, stock.read(path)))
    return packed.getvalue()


def pack_ours() -> bytes:
    """The zip of sim_core, in the order of names."""
    package = Path(importlib.import_module("sim_core").__path__[0])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as out:
        for path in sorted(package.rglob("*")):
            name = path.relative_to(package.parent).as_posix()
            if path.is_file() and not name.startswith(AUDIT) and "__pycache__" not in name:
                entry, content = _ours(path, name)
                out.writestr(zipfile.ZipInfo(entry, FIRST_DAY_OF_ZIP), content)
    return packed.getvalue()


def _ours(path: Path, name: str) -> tuple[str, bytes]:
    source = path.read_bytes()
    if path.suffix != ".py" or name.startswith(STORIES):
        return name, source
    code = compile(_wordless(ast.parse(source)), str(path), "exec", dont_inherit=True)
    return f"{name}c", _as_file(code, source)


def _wordless(tree: ast.Module) -> ast.Module:
    """The same module without the words of its docstrings. A class keeps an empty line: for one
    that has none, @dataclass has inspect write a text, which takes milliseconds."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            if isinstance(node, ast.ClassDef):
                node.body[0] = ast.Expr(ast.Constant("\n"))
            else:
                node.body = node.body[1:] or [ast.Pass()]
    return ast.fix_missing_locations(tree)


def _in_use() -> set[str]:
    origins = {
        getattr(getattr(module, "__spec__", None), "origin", None)
        or getattr(module, "__file__", None)
        for module in list(sys.modules.values())
    }
    inside = {origin for origin in origins if origin and origin.startswith(LIBRARY + "/")}
    return {origin.removeprefix(LIBRARY + "/") for origin in inside}


def _bytecode(path: str, source: bytes) -> bytes:
    code = _light(compile(source, f"{LIBRARY}/{path}", "exec", dont_inherit=True, optimize=2))
    return _as_file(code, source)


def _as_file(code: CodeType, source: bytes) -> bytes:
    """What stands in a .pyc file."""
    # Whether marshal writes a value as a reference depends on who else holds it
    # at that moment; a code object that was read back is held by nobody else.
    steady = marshal.dumps(marshal.loads(marshal.dumps(code)))
    return MAGIC_NUMBER + UNCHECKED_HASH + source_hash(source) + steady


def _light(code: CodeType) -> CodeType:
    """The same code, with every instruction on its function's first line."""
    units = len(code.co_code) // 2
    constants = (_light(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_linetable=b"".join(_one_line(units)), co_consts=tuple(constants))


def _one_line(units: int) -> Iterator[bytes]:
    """Entries of CPython's location table (Objects/locations.md in its sources): form 13 is a
    line without columns, for one to eight units of code, with the step from the line before."""
    for start in range(0, units, 8):
        length = min(8, units - start)
        yield bytes([0x80 | 13 << 3 | length - 1, 0])
