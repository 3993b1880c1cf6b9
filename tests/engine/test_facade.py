"""The same scripts under aiosqlite itself, on the facade, and inside a run: the same answers."""

import asyncio
import gc
import inspect
import sqlite3
import threading
import warnings
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from sim_core.engine import aiosqlite_shape
from sim_core.engine.policy import Uniform
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage
from tests.engine import facade_callbacks, facade_scripts, scripts
from tests.engine.scripts import GIVEN, OPENING, SCHEMA


def with_a_loop(lib: Any, script: Any, path: Path) -> Any:
    """Run a script that is given its connection, under asyncio."""
    sqlite3.connect(path).executescript(SCHEMA).close()

    async def play() -> Any:
        async with lib.connect(str(path)) as db:
            return await script(db)

    return asyncio.run(play())


async def opened(lib: Any, name: str, path: Path) -> Any:
    """Play a script that opens."""
    answers = await OPENING[name](lib, str(path))
    let_threads_end()
    return answers


def let_threads_end() -> None:
    """Wait for aiosqlite's threads: they want the event loop until they end."""
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            thread.join()


def in_a_run(script: Any, granularity: str, isolation: Any = "") -> tuple[Any, Run]:
    """Run a script as the only writer of a run; return its answers, and the run."""
    answers: list[Any] = []

    async def writer(db: Any) -> None:
        answers.append(await script(db))

    part = Part("A", "script", "script", lambda db, *_: writer(db))
    stage = Stage(
        head="a script",
        schema=SCHEMA,
        journal="delete",
        isolation=isolation,
        timeout=0,
        parts=(part,),
        granularity=granularity,
    )
    run = Run(stage, Uniform(0), fresh=True)
    run.go()
    run.remove()
    assert run.writers["A"].ended == "finished", run.writers["A"].error
    return answers[0], run


@pytest.mark.parametrize("name", GIVEN)
def test_a_script_comes_to_the_same_under_aiosqlite_and_the_facade(
    name: str, tmp_path: Path
) -> None:
    real = with_a_loop(aiosqlite, GIVEN[name], tmp_path / "real.db")
    assert with_a_loop(aiosqlite_shape, GIVEN[name], tmp_path / "facade.db") == real


@pytest.mark.parametrize("granularity", ["statement", "call"])
@pytest.mark.parametrize("name", GIVEN)
def test_a_script_comes_to_the_same_inside_a_run(
    name: str, granularity: str, tmp_path: Path
) -> None:
    real = with_a_loop(aiosqlite, GIVEN[name], tmp_path / "real.db")
    assert in_a_run(GIVEN[name], granularity)[0] == real


@pytest.mark.parametrize("name", OPENING)
def test_a_script_that_opens_comes_to_the_same(name: str, tmp_path: Path) -> None:
    (tmp_path / "same").mkdir()
    path = tmp_path / "same" / "one.db"  # one path for both: it stands in messages
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        real = asyncio.run(opened(aiosqlite, name, path))
        path.unlink(missing_ok=True)
        facade = asyncio.run(opened(aiosqlite_shape, name, path))
    assert facade == real


def test_there_are_scripts_for_everything() -> None:
    assert len(GIVEN) + len(OPENING) >= 25
    used = "".join(inspect.getsource(one) for one in (scripts, facade_scripts, facade_callbacks))
    for one in (aiosqlite.Connection, aiosqlite.Cursor):
        ours = getattr(aiosqlite_shape, one.__name__)
        for name in vars(one):
            if not name.startswith("_") and name not in ("enable_load_extension", "stop"):
                assert hasattr(ours, name) or f".{name}" in used, name
                if name != "load_extension":
                    assert f".{name}" in used, f"no script uses {name}"


def test_the_module_has_aiosqlites_names() -> None:
    assert sorted(aiosqlite_shape.__all__) == sorted(aiosqlite.__all__)


@pytest.mark.parametrize("lib", [aiosqlite, aiosqlite_shape])
def test_what_is_left_open_warns(lib: Any) -> None:
    async def leave_open() -> None:
        db = await lib.connect(":memory:")
        await db.execute("SELECT 1")
        del db
        gc.collect()
        let_threads_end()

    with pytest.warns(ResourceWarning, match="was deleted before being closed"):
        asyncio.run(leave_open())


@pytest.mark.parametrize("lib", [aiosqlite, aiosqlite_shape])
def test_the_loop_parameter_is_deprecated(lib: Any) -> None:
    with pytest.warns(DeprecationWarning, match="no longer uses the `loop` parameter"):
        lib.connect(":memory:", loop=object())


@pytest.mark.parametrize("lib", [aiosqlite, aiosqlite_shape])
def test_a_stopped_connection_is_closed(lib: Any) -> None:
    async def stop() -> None:
        db = await lib.connect(":memory:")
        await db.stop()
        with pytest.raises(ValueError, match="no active connection"):
            await db.execute("SELECT 1")

    asyncio.run(stop())
